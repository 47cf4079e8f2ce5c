"""A match in words: who has how many dice, and how the chance to win goes up and down.

Values from -1 to 1 are told as chances to win, in percent, and their differences in percentage points.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from ..games.match_rules import Standing
from . import words
from .match import Course, MatchTable
from .session import Score


def chance(value: Fraction) -> str:
    """``53.13%``: the chance to win that *value* (from -1 to 1) is; 0% and 100% only where it is just that."""
    share = 50 * (1 + value)
    if share in (0, 100):
        return f"{share}%"
    return f"{min(max(float(share), 0.01), 99.99):.2f}%"


def points(value: Fraction) -> str:
    """A difference of chances to win, in percentage points: ``1.93 points``; less than 0.01 is told as that."""
    if 0 < abs(value) * 50 < Fraction(1, 100):
        return "less than 0.01 points"
    return f"{float(50 * value):.2f} points"


def _rounded(share: Fraction) -> Fraction:
    return Fraction(round(100 * share), 100)


CHANCES = words.Unit(chance, points)


def heading(table: MatchTable, number: int, rounds: int, standing: Standing) -> str:
    """What is to be known before a round: whose dice, who bids first."""
    mine, theirs = standing.dice[table.human], standing.dice[1 - table.human]
    first = "You bid first" if standing.first == table.human else f"{table.players[standing.first]} bids first"
    where = f"Match {number}, round {rounds}."
    return f"{where} You have {_dice(mine)}, {table.players[1 - table.human]} has {_dice(theirs)}. {first}."


def closing(table: MatchTable, course: Course) -> Iterator[str]:
    """How the last round of *course* ended, what its moves cost, and who has won if it is over."""
    record, before, now = course.records[-1], course.standings[-2], course.standing
    yield from words.shown(record, table.board(before).game)
    loser = 0 if now.dice[0] < before.dice[0] else 1
    who = "You lose" if loser == table.human else f"{table.players[loser]} loses"
    yield f"{who} {_dice(before.dice[loser] - now.dice[loser])}."
    yield from words.mistakes(record, CHANCES)
    slips = f", mistakes {_signed(-50 * record.price)}" if record.price else ""
    moved = f"from {chance(record.start)} to {chance(record.result)}"
    yield f"Your chance to win the match went {moved}: luck {_signed(50 * record.luck)}{slips} points."
    winner = table.rules.winner(now)
    if winner is not None:
        yield "You win the match." if winner == table.human else f"{table.players[winner]} wins the match."


def tally(table: MatchTable, courses: tuple[Course, ...]) -> Iterator[str]:
    """The score of the match at hand, and of all matches where there were several."""
    start = table.worth(table.opening)
    scores = [course.score(start) for course in courses]
    yield from _one(scores[-1])
    over = [k for k, course in enumerate(courses) if table.rules.winner(course.standing) is not None]
    if len(courses) > 1 and over:
        won = sum(table.rules.winner(courses[k].standing) == table.human for k in over)
        skill = sum((scores[k].skill for k in over), Fraction(0)) / len(over)
        matches = "1 match" if len(over) == 1 else f"{len(over)} matches"
        yield f"After {matches} you have won {won}; a match of your play was worth {_share(skill)}, whatever the luck."


def _one(score: Score) -> Iterator[str]:
    """The parts of a match's score; luck is what is left of the others, rounded, so that what is shown adds up."""
    start, now = (_rounded(50 * (1 + value)) for value in (score.start, score.result))
    slips = -_rounded(50 * score.price)
    yield f"Chance to win after {words.rounds(score.rounds)}: {float(now):.2f}%"
    yield f"  at the start {float(start):9.2f}%  by best play, before the first deal"
    yield f"  mistakes     {_signed(slips):>9}   {words.slips(score)}"
    yield f"  luck         {_signed(now - start - slips):>9}   dice and the other's choices, 0 on average"
    yield f"  The three add up to your chance now; so your play was worth {_share(score.skill)}, whatever the luck."


def _share(value: Fraction) -> str:
    """Start less prices can leave what a chance can be."""
    return f"{float(50 * (1 + value)):.2f}%"


def _signed(share: Fraction) -> str:
    return f"{float(_rounded(share)):+.2f}" if _rounded(share) else "0.00"


def _dice(count: int) -> str:
    return "1 die" if count == 1 else f"{count} dice"
