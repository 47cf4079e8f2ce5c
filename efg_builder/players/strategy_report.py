"""A measured strategy in a few lines: what the command prints, and what ``print`` shows of an evaluation."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from ..base.rationals import Number, text
from ..games.bidding import BiddingGame
from ..games.protocol import DealtGame, Game
from .strategy_seats import public_turns

if TYPE_CHECKING:
    from .evaluation import Described, Evaluation, Match

MOST_DIGITS = 40
"""Fractions with more letters are shown as decimals."""

MOST_TURNS, MOST_MOVES = 1_000, 4
"""Default moves are named one by one in games of at most so many public turns, where there are at most so many."""

_HOW = {
    "tree": "over the whole tree",
    "sparse": "over all that the strategies lead to, without a tree",
    "wide": "over arrays of all histories",
}


def describe(found: Evaluation) -> list[str]:
    """The evaluation in lines."""
    return [found.title, *_lines(found)]


def _lines(found: Evaluation) -> Iterator[str]:
    yield f"method         {found.method}: {_HOW[found.method]}, {_kind(found)}"
    for each in found.strategies:
        yield from _completed(each, found.players)
    if any(each.completion == "default" and each.completed for each in found.strategies):
        yield f"default move   {default_words(found.game)}"
    yield from (f"warning        {warning}" for warning in warnings(found))
    pair = len(found.strategies) > 1
    for match in found.matches:
        yield from _match(match, found.players, pair)
    if pair:
        which = "NashConv" if found.matches[0].exploitability is None else "NashConv and exploitability"
        yield (
            f"note           {which}: of those seated together, not of {found.strategies[0].name} alone, which is "
            "measured without --against (against=)"
        )


def _kind(found: Evaluation) -> str:
    if found.exact:
        return "exact, in fractions"
    return f"in floats, each value right to {found.error_bound:.2g}, a NashConv to {found.nash_conv_error_bound:.2g}"


def _match(match: Match, players: tuple[str, ...], pair: bool) -> Iterator[str]:
    yield "seats          " + ", ".join(f"{name}: {seat}" for name, seat in zip(players, match.seats, strict=True))
    for name, value in zip(players, match.value, strict=True):
        yield f"value          {name}: {number(value)}"
    for name, best, gain in zip(players, match.best_response, match.gains, strict=True):
        yield f"best response  {name}: {number(best)} (gains {number(gain)})"
    of = "" if not pair else "of this pair: " if len(players) == 2 else "of these together: "
    yield f"NashConv       {number(match.nash_conv)} ({of}the sum of the gains)"
    if match.exploitability is not None:
        yield f"exploitability {number(match.exploitability)} ({of}half of it)"


def _completed(each: Described, names: tuple[str, ...]) -> Iterator[str]:
    """What was taken to be played where nothing is written."""
    seats = [(name, seat) for name, seat in zip(names, each.seats, strict=True) if seat is not None and seat.completed]
    if seats:
        move = "the default move" if each.completion == "default" else "all moves alike"
        counts = ", ".join(f"{name} {seat.completed:,} of {seat.sets:,}" for name, seat in seats)
        yield f"completed      {each.name}: {move} at information sets that are not written down: {counts}"


def default_words(game: Game | None) -> str:
    """Which move is made where nothing is written down."""
    if isinstance(game, BiddingGame):
        return f"{game.call}; {game.bid_names[0]} where there is nothing to call yet"
    if isinstance(game, DealtGame) and sum(game.public_size().decisions) <= MOST_TURNS:
        moves = dict.fromkeys(
            f"{game.players[turn.player]} {turn.actions[game.default_action(turn)][0]}" for turn in public_turns(game)
        )
        if len(moves) <= MOST_MOVES:
            return ", ".join(moves)
    return "the one after which play can end soonest"


def warnings(found: Evaluation) -> list[str]:
    """What is likely not meant: strategies of which nothing was written down for the seats they took."""
    return [
        f"{each.name}: no information set of it is in use; all that was measured is what completes it"
        for each in found.strategies
        if all(seat is None or (seat.completion is not None and not seat.written) for seat in each.seats)
    ]


def number(value: Number) -> str:
    """A fraction with its decimal where it is short, and rounded where it is long; a float to nine digits."""
    if not isinstance(value, Fraction):
        return f"{value:.9g}"
    if len(digits := text(value)) > MOST_DIGITS:
        return f"{float(value):.9g} (a fraction, rounded)"
    return digits if value.denominator == 1 and abs(value) < 10**15 else f"{digits} = {float(value):.6g}"
