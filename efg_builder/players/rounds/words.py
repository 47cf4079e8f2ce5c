"""A round in words: hand, moves, end, mistakes, and the score."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction

from ...base.rationals import text
from ...base.words import listed_in_short, plural
from ...base.words import percent as one_decimal
from ...forms.extensive import CHANCE
from ...games.bidding import BiddingGame, DiceBidding
from ...games.protocol import DealtGame, Game
from ..typed import MOVES_HELP
from . import Event, OpenRound, Record, Score

_LETTERS = 9
"""Longer fractions are shown as decimals."""

_DIGITS = 10**15
"""From here on floats have no digits behind the point, and six digits and a power of ten say what can be read."""


@dataclass(frozen=True)
class Unit:
    """How figures are worded: the ``worth`` of a move, and what it would ``cost``."""

    worth: Callable[[Fraction], str]
    cost: Callable[[Fraction], str]


HELP = (
    MOVES_HELP,
    "h  what each move is worth against this opponent    e  what the equilibrium would do",
    "q  stop, with the score                             ?  this help",
)


def number(value: Fraction) -> str:
    """A short fraction as it is, a long one as a decimal."""
    exact = text(value)
    if len(exact) <= _LETTERS:
        return exact
    if abs(value) < _DIGITS:
        return f"{float(value):.4f}"
    # Not by way of floats, which end at 1e308.
    rounded = Context(prec=6).divide(Decimal(value.numerator), Decimal(value.denominator))
    return f"{rounded.normalize():g}"


PAYOFFS = Unit(number, number)
"""Payoffs as they are."""


def percent(chance: Fraction) -> str:
    """A probability: whole percents bare, else one decimal; 0% and 100% only where it is just that."""
    return one_decimal(chance).replace(".0%", "%")


def dealt(now: OpenRound) -> str:
    """The hand, where there are hands."""
    hand = now.board.hand(now.state, now.seat)
    return f"You hold {hand}." if hand else ""


def known(now: OpenRound) -> str:
    """What the human knows besides the moves: the hand, or the whole information set where there are no hands."""
    if hand := dealt(now):
        return hand
    return "" if now.over else f"You know: {getattr(now.turn, 'infoset', '')}"


def happened(now: OpenRound, since: int) -> Iterator[str]:
    """What others were seen to do after the first *since* events."""
    for event in now.events[since:]:
        if event.player not in (CHANCE, now.seat) and now.board.open:
            yield f"{now.board.players[event.player]}{_does(event.action, now.board.game)}"


def _does(action: str, game: Game | None) -> str:
    if isinstance(game, BiddingGame):
        return " calls." if action == game.call else f" bids {action}."
    return f": {action}."


def ended(record: Record, game: Game | None) -> Iterator[str]:
    """How the round ended: all moves, what had been hidden, why, and what the human gets."""
    yield from shown(record, game)
    yield (
        f"You {'win' if record.result > 0 else 'lose'} {number(abs(record.result))}." if record.result else "You get 0."
    )


def shown(record: Record, game: Game | None) -> Iterator[str]:
    """All moves of a round that is over, what had been hidden, and what follows."""
    names = ["You" if player == record.seat else name for player, name in enumerate(record.players)]
    moves = [f"{names[event.player]} {event.action}" for event in record.events if event.player != CHANCE]
    yield f"Moves: {', '.join(moves)}." if moves else "Nobody had a choice."
    me = record.players[record.seat]
    if isinstance(game, DealtGame):
        hidden = [f"{'you' if name == me else name} {hand}" for name, hand in record.uncovered]
    else:  # chance events, which may be called as a player is
        hidden = [f"{label}: {what}" for label, what in record.uncovered]
    yield f"Uncovered: {'; '.join(hidden)}."
    if isinstance(game, DiceBidding):
        yield from _called(record, game)
    elif record.ending:
        yield f"{record.ending[0].upper()}{record.ending[1:]}."


def _called(record: Record, game: DiceBidding) -> Iterator[str]:
    """Whether the bid that was called holds."""
    made: list[Event] = [event for event in record.events if event.player != CHANCE]
    quantity, face = game.bids[game.bid_names.index(made[-2].action)]
    hands = [tuple(map(int, hand.split(","))) for _, hand in record.uncovered]
    there = sum(game.matches(hand, face) for hand in hands)
    wild = f" or the wild {game.wild}" if game.wild not in (None, face) else ""
    dice = "1 die shows" if there == 1 else f"{there or 'no'} dice show"
    holds = "holds" if there >= quantity else "does not hold"
    if there == quantity and game.needed(1) > 1:
        holds = "is met exactly"
    yield f"The bid {made[-2].action} {holds}: {dice} {face}{wild}."
    loser = made[-1].player if there >= quantity else made[-2].player
    if len(record.players) > 2 and loser != record.seat:  # else what you get says it
        yield f"{record.players[loser]} loses."


def mistakes(record: Record, unit: Unit = PAYOFFS) -> Iterator[str]:
    """One sentence for each move that cost something."""
    for k, step in enumerate(record.steps):
        if step.price:
            best = [action for action, value in step.values.items() if value == step.best]
            yield (
                f"{occasion(record, k)}, your {step.action} was worth {unit.worth(step.values[step.action])}; "
                f"{listed_in_short(best, 'or')} would have been {unit.worth(step.best)}: price {unit.cost(step.price)}."
            )


def occasion(record: Record, k: int) -> str:
    """Where the human made move *k*: ``With a 1 after a raise``, or what was known where there are no hands."""
    step = record.steps[k]
    if not step.hand:
        return f"Knowing {step.infoset}"
    made = [event for event in record.events if event.player != CHANCE]
    own = [at for at, event in enumerate(made) if event.player == record.seat]
    before = [_noun(event.action) for event in made[: own[k]]]
    hand = _noun(step.hand, "a ") if step.hand.isdigit() else step.hand
    return f"With {hand} {'after ' + ', '.join(before) if before else 'at the start'}"


def _noun(word: str, article: str = "") -> str:
    """``a raise``, ``a 1``; bids as they are."""
    if word[0].isdigit() and not article:
        return word
    return f"{'an' if word[0] in 'aeiou8' or word in ('11', '18') else 'a'} {word}"


def hint(values: Mapping[str, Fraction], unit: Unit = PAYOFFS) -> Iterator[str]:
    """The best moves, and what all others would cost."""
    best = max(values.values())
    good = [action for action, value in values.items() if value == best]
    yield f"Best against this opponent: {listed_in_short(good, 'or')}, worth {unit.worth(best)} on average."
    costly = [f"{action} {unit.cost(best - value)}" for action, value in values.items() if value < best]
    if costly:
        yield f"What the others would cost: {', '.join(costly)}."


EQUILIBRIUM = "The equilibrium"
"""Who is asked for advice, at the start of a sentence."""

SOLUTION = "These strategies"
"""The same, of a solution that is nearly an equilibrium."""


def advice(chances: Mapping[str, Fraction], strayed: bool, who: str = EQUILIBRIUM) -> str:
    """What *who* would do; *strayed*: after a move that is never made there."""
    parts = [f"{action} {percent(p)}" for action, p in chances.items() if p]
    gets = "It never gets here by its" if who == EQUILIBRIUM else "They never get here by their"
    note = f" {gets} own moves, so this is no advice to rely on." if strayed else ""
    return f"{who} would play {', '.join(parts)}.{note}"


def tally(score: Score) -> Iterator[str]:
    """The score: result, and the three parts that add up to it."""
    yield f"Score after {rounds(score.rounds)}: {number(score.result)}"
    yield f"  best play  {number(score.start):>9}   {started(score)}"
    yield f"  mistakes   {number(-score.price):>9}   {slips(score)}"
    yield f"  luck       {number(score.luck):>9}   the rest: dice and the others' choices, 0 on average"
    yield f"  The three add up to your result; so your play was worth {number(score.skill)} with the luck taken out:"
    yield "  an estimate, as what there was to lose depends on the dice; rough after few rounds."


def rounds(count: int) -> str:
    """``1 round``, ``2 rounds``."""
    return plural(count, "round")


def started(score: Score) -> str:
    """What best play was worth in how many of the rounds: ``6 rounds x -1/9``."""
    return " + ".join(f"{rounds(times)} x {number(start)}" for times, start in score.starts)


def slips(score: Score) -> str:
    """How many of the moves were mistakes."""
    if not score.moves:
        return "you had no move"
    if not score.mistakes:
        return "no mistake"
    if score.moves == 1:
        return "your only move was a mistake"
    return f"{score.mistakes} of {score.moves} moves {'was a mistake' if score.mistakes == 1 else 'were mistakes'}"
