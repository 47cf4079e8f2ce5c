"""A match in words: who has how many dice, and how the chance to win goes up and down.

Values from -1 to 1 are shown as chances to win, in percent, and their differences in percentage points.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import floor, log10

from ...base.rationals import up
from ...base.words import plural
from ...games.match_rules import Standing, counted
from ...players.rounds import Record, words
from . import Match
from .playing import MatchTable, PlayedMatch

_HUNDREDTH = Fraction(1, 100)


def is_equilibrium(match: Match) -> bool:
    """Whether the strategies of *match*, which must be complete, are proved to be an equilibrium of it."""
    return match.worth is not None and match.worth.width == 0


def opponent(match: Match) -> str:
    """The human's opponent: an equilibrium, or strategies that are only known to be near one."""
    return "equilibrium" if is_equilibrium(match) else "strategies"


def adviser(match: Match) -> str:
    """The adviser, at the start of a sentence."""
    return words.EQUILIBRIUM if is_equilibrium(match) else words.SOLUTION


def caption(match: Match) -> str:
    """What is proved of the strategies of *match*, which must be complete."""
    worth = match.worth
    assert worth is not None
    if worth.width == 0:
        return "verified, exact"
    digits = max(1, 1 - floor(log10(50 * worth.width)))
    return f"proved to within {up(50 * worth.width, digits)} points of the chance to win"


def chance(value: Fraction) -> str:
    """``53.13%``: the chance to win that *value* (from -1 to 1) is; 0% and 100% only where it is just that."""
    share = _share(value)
    return f"{share}%" if share in (0, 100) else f"{float(share):.2f}%"


def points(value: Fraction) -> str:
    """A difference of chances to win, in percentage points: ``1.93 points``; less than 0.01 is shown as that."""
    if 0 < abs(value) * 50 < _HUNDREDTH:
        return "less than 0.01 points"
    return f"{float(_rounded(50 * value)):.2f} points"


def _share(value: Fraction) -> Fraction:
    """The chance to win in percent as it is shown; all other figures are made of these and of rounded prices."""
    share = 50 * (1 + value)
    return share if share in (0, 100) else min(max(_rounded(share), _HUNDREDTH), 100 - _HUNDREDTH)


def _rounded(share: Fraction) -> Fraction:
    return Fraction(round(100 * share), 100)


CHANCES = words.Unit(chance, chance, points)


def heading(table: MatchTable, number: int, rounds: int, standing: Standing) -> str:
    """The line before a round: each player's dice, and who bids first."""
    mine, theirs = standing.dice[table.human], standing.dice[1 - table.human]
    first = "You bid first" if standing.first == table.human else f"{table.players[standing.first]} bids first"
    where = f"Match {number}, round {rounds}."
    return f"{where} You have {counted(mine)}, {table.players[1 - table.human]} has {counted(theirs)}. {first}."


def closing(table: MatchTable, played: PlayedMatch) -> Iterator[str]:
    """How the last round of *played* ended, what its moves cost, and who has won if it is over."""
    record, before, now = played.records[-1], played.standings[-2], played.standing
    yield from words.shown(record, table.board(before).game)
    loser = 0 if now.dice[0] < before.dice[0] else 1
    who = "You lose" if loser == table.human else f"{table.players[loser]} loses"
    yield f"{who} {counted(before.dice[loser] - now.dice[loser])}."
    yield from words.mistakes(record, CHANCES)
    luck = _luck(played.records) - _luck(played.records[:-1])
    slips = ", the rest is what mistakes cost" if record.price else ""
    moved = f"from {chance(record.start)} to {chance(record.result)}"
    yield f"Your chance to win the match went {moved}: luck {_signed(luck)} points{slips}."
    winner = table.rules.winner(now)
    if winner is not None:
        yield "You win the match." if winner == table.human else f"{table.players[winner]} wins the match."


def _luck(records: Sequence[Record]) -> Fraction:
    """The luck in the first rounds of a match as it is shown: what mistakes leave, so that rounds add up to it."""
    if not records:
        return Fraction(0)
    return _share(records[-1].result) - _share(records[0].start) + _cost(records)


def _cost(records: Sequence[Record]) -> Fraction:
    """What mistakes cost in all, in points as they are shown."""
    return _rounded(50 * sum((each.price for each in records), Fraction(0)))


def tally(table: MatchTable, played_matches: tuple[PlayedMatch, ...]) -> Iterator[str]:
    """The score of the match at hand, and of all matches where there were several."""
    yield from _one(played_matches[-1])
    over = [played for played in played_matches if table.rules.winner(played.standing) is not None]
    if len(played_matches) > 1 and over:
        won = sum(table.rules.winner(played.standing) == table.human for played in over)
        worth = _rounded(sum(map(_without_luck, over), Fraction(0)) / len(over))
        yield f"After {plural(len(over), 'match', 'matches')} you have won {won}; {_estimate(worth)}."


def _one(played: PlayedMatch) -> Iterator[str]:
    """The parts of a match's score; what is shown adds up."""
    score = played.score(played.records[0].start)
    yield f"Chance to win after {words.rounds(score.rounds)}: {chance(score.result)}"
    yield f"  at the start {float(_share(score.start)):9.2f}%  by best play, before the first deal"
    yield f"  mistakes     {_signed(-_cost(played.records)):>9}   {words.slips(score)}"
    yield f"  luck         {_signed(_luck(played.records)):>9}   dice and the other's choices, 0 on average"
    yield "  The three add up to your chance now."
    yield f"  {_upper(_estimate(_without_luck(played)))}."


def _without_luck(played: PlayedMatch) -> Fraction:
    """What the moves of a match are worth with the luck taken out, in percent: of matches mistakes may cost more."""
    return _share(played.records[0].start) - _cost(played.records)


def _estimate(worth: Fraction) -> str:
    """What such play is worth, in percent. It is an unbiased estimate of how often such play wins, but what there was
    to lose depends on the dice, so that it need not be a chance itself."""
    if worth < 0:
        return (
            "with the luck taken out nothing is left: mistakes cost more than the chance at the start "
            "(an estimate, which over few rounds may fall outside 0% to 100%)"
        )
    return f"with the luck taken out such play wins about {float(worth):.2f}% (an estimate, rough after few rounds)"


def _upper(text: str) -> str:
    return text[0].upper() + text[1:]


def _signed(share: Fraction) -> str:
    return f"{float(_rounded(share)):+.2f}" if _rounded(share) else "0.00"
