"""Any strategy measured: what it gets, and what the best responses to it get."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..base.errors import ParameterError, check_kind
from ..base.rationals import Number
from ..forms.extensive import MAX_NODES, GameTree
from ..games.protocol import Game
from . import Play, Policy
from .strategy_choice import AUTO, Arrays, choose
from .strategy_given import TIMEOUT, find, table_of
from .strategy_measures import Measure
from .strategy_report import describe, warnings
from .strategy_seats import Given, Seat, completion
from .strategy_writing import write_strategy


@dataclass(frozen=True)
class Match:
    """One seating: ``seats`` are the names of the strategies, in the order of the players.

    ``value``: what each player gets. ``best_response``: what each could get by a best response, the others
    playing as they do. Fractions where all is rational, otherwise floats.
    """

    seats: tuple[str, ...]
    value: tuple[Number, ...]
    best_response: tuple[Number, ...]

    @property
    def gains(self) -> tuple[Number, ...]:
        """What each player could gain by a best response."""
        return tuple(best - value for best, value in zip(self.best_response, self.value, strict=True))

    @property
    def nash_conv(self) -> Number:
        """The sum of what all could gain; 0 for a Nash equilibrium and only for one."""
        return sum(self.gains[1:], start=self.gains[0])

    @property
    def exploitability(self) -> Number | None:
        """Half of ``nash_conv``: the mean gain of two players. None for any other number of them."""
        return self.nash_conv / 2 if len(self.seats) == 2 else None


@dataclass(frozen=True)
class Described:
    """A strategy that was measured: its name, and of each seat how much was written down (None: not seated there)."""

    name: str
    seats: tuple[Seat | None, ...]

    @property
    def completion(self) -> str | None:
        """How it was completed where nothing is written; None where it tells all moves by itself."""
        return next((seat.completion for seat in self.seats if seat is not None), None)

    @property
    def completed(self) -> int:
        """The information sets of its seats of which nothing was written down."""
        return sum(seat.completed for seat in self.seats if seat is not None)


@dataclass(frozen=True)
class Evaluation:
    """What measuring came to.

    ``method``: how it was measured. ``exact``: in fractions. ``error_bound``: the most by which a value or a
    best response in floats can be off (None where exact); a NashConv, ``nash_conv_error_bound``.
    ``matches``: one where the strategy plays all seats; otherwise one for each seat of the first strategy, the
    second one playing all others. ``exploiter``: for each seat a best response to the first strategy in all
    other seats, where that was asked for. As text it is what ``efg-builder evaluate`` prints: values, best responses,
    NashConv and exploitability, and whether they are exact. With two strategies, NashConv and exploitability of a
    match are those of all who sit there together, of neither strategy alone.
    """

    title: str
    players: tuple[str, ...]
    method: str
    error_bound: float | None
    strategies: tuple[Described, ...]
    matches: tuple[Match, ...]
    seconds: float
    game: Game | None
    exploiter: Play | None = None

    @property
    def exact(self) -> bool:
        """Whether all figures are fractions."""
        return self.error_bound is None

    @property
    def nash_conv_error_bound(self) -> float | None:
        """The most by which a NashConv can be off: it takes a value and a best response of every player."""
        return None if self.error_bound is None else 2 * len(self.players) * self.error_bound

    @property
    def warnings(self) -> tuple[str, ...]:
        """What is likely not meant, in a sentence each: strategies of which nothing that is written was in use."""
        return tuple(warnings(self))

    def __str__(self) -> str:
        return "\n".join(describe(self))

    def write_exploiter(self, path: str | os.PathLike[str]) -> Path:
        """Write ``exploiter`` to *path*, in a format that ``evaluate`` reads.

        Raises ``FileError``, and ``ParameterError`` where there is none or that format does not hold it.
        """
        if self.exploiter is None or isinstance(self.exploiter, Policy):
            raise ParameterError("there is no exploiter to write: evaluate(..., exploiter=True) finds one")
        about = f"for each seat, a best response to {self.strategies[0].name} in all other seats"
        return write_strategy(path, self.exploiter, self.game, about)


def evaluate(
    game: Game | GameTree,
    strategy: object,
    against: object = None,
    *,
    method: str = AUTO,
    complete: str | None = None,
    timeout: float = TIMEOUT,
    max_nodes: int = MAX_NODES,
    max_memory: int | None = None,
    exploiter: bool = False,
    progress: Callable[[str], None] | None = None,
    announce: Callable[[str], None] | None = None,
) -> Evaluation:
    """Measure *strategy* in *game*: its payoffs, best responses to it, NashConv and exploitability.

    ``strategy`` is the name of a player (``players``), the path of a file (JSON, ``.csv``
    or ``.npz``), a solution, a profile, or any ``Play``. It plays all seats; with
    ``against`` it plays each seat in turn, and ``against`` all others. ``method``: ``"tree"`` (exact for rational
    strategies, any number of players), ``"sparse"`` (exact, two players, without a tree), ``"wide"`` (floats with
    an error bound, every history of a two-player game of bidding), or ``"auto"``. ``complete`` says what is played
    where a file says nothing: ``"default"`` (the game's default move) or ``"uniform"``; None: the default move
    where the game has one. ``timeout``: seconds for players who solve. ``max_memory``: bytes that arrays
    may take (None: three quarters of the machine's). ``announce`` is told of that memory beforehand, ``progress`` how
    far long work has come.

    Raises ``ParameterError`` for a strategy that is neither a player nor a file, ``ProfileError`` for one that does
    not fit the game, ``NotApplicableError`` where it cannot be measured so, ``TreeTooLargeError`` and ``FileError``.
    """
    began = time.monotonic()
    check_kind("evaluate", game, (Game, GameTree), "a game or a tree", "eb.game(...) makes a game")
    if exploiter and against is not None and len(game.players) != 2:
        raise ParameterError("with another strategy in the other seats, an exploiter is written for two players only")
    table = table_of(game, max_nodes, timeout, progress or _quiet, complete=complete, max_memory=max_memory)
    names, givens = zip(*(find(each, table) for each in (strategy, against) if each is not None), strict=True)
    for given in givens:
        completion(given, complete, table.game)
    arrays = Arrays(max_memory, exploiter, announce or _quiet, progress or _quiet)
    measure = choose(method, table, givens, complete, arrays)
    seatings = _seatings(len(game.players), len(givens))
    matches, errors = [], []
    for seating in seatings:
        found = measure.match([givens[which] for which in seating])
        matches.append(Match(tuple(names[which] for which in seating), found.value, found.best))
        errors += [] if found.error is None else [found.error]
    return Evaluation(
        title=game.title,
        players=game.players,
        method=measure.name,
        error_bound=max(errors, default=None),
        strategies=tuple(
            _described(names[which], givens[which], which, seatings, measure) for which in range(len(names))
        ),
        matches=tuple(matches),
        seconds=time.monotonic() - began,
        game=table.game,
        exploiter=measure.exploit(givens[0]) if exploiter else None,
    )


def _quiet(line: str) -> None:
    pass


def _seatings(seats: int, strategies: int) -> list[list[int]]:
    """Which strategy sits in each seat: one seating, or the first strategy in each seat in turn."""
    if strategies == 1:
        return [[0] * seats]
    return [[int(player != seat) for player in range(seats)] for seat in range(seats)]


def _described(name: str, given: Given, which: int, seatings: Sequence[Sequence[int]], measure: Measure) -> Described:
    played = {player for seating in seatings for player, who in enumerate(seating) if who == which}
    seats = range(len(seatings[0]))
    return Described(name, tuple(measure.seat(given, player) if player in played else None for player in seats))
