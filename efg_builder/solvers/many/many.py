"""Equilibria for any number of players: regret minimisation proposes supports, and Newton's method finishes.

With more than two players, or where payoffs do not sum to a constant, regret minimisation is not known to converge.
In most games of bidding it does, often to an equilibrium without rounding, or it wanders near to one; then the moves
that are played hardly change, and the probabilities follow from the indifference of those who mix.

So several rules run side by side. Every now and then the last strategies and the averages of each are candidates: as
they are, and without the moves that are hardly played. Each support is tried once: where nobody gains, that is the
answer; else Newton's method looks for probabilities at which nobody prefers one played move to another, and whether a
move that is not played gains is looked at over the whole game. On trees, where a while of that leads to nothing, the
rules start anew at random.

In reading order: this file; the engines: ``arrays``, without a tree over all histories, ``growing``, over those that
play leads to, and ``tree``; ``newton``; ``rounding``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, Protocol

from ...base.parameters import Parameter, integer
from ...base.words import STOPPING
from ...forms.extensive import GameTree
from ...games.bidding import BiddingGame
from ...games.protocol import Game
from ...strategies.sparse_profile import SparseProfile
from ...strategies.tree_profile import TreeProfile
from ..cfr.regret_matching import RULES, Floats
from ..protocol import Ended, Facts, Found, Left, Request, Solver, countdown, read_options
from .arrays import BiddingRegrets, Model
from .growing import GrowingRegrets
from .newton import Support
from .tree import TreeRegrets

PROPOSE = ("dcfr", "dcfr2", "pcfr+")
"""The rules that run side by side: which of them gets to an equilibrium first differs from game to game."""

EXACT = 1e-13
"""A gain of at most this part of half the range of payoffs is what floats leave of none."""

LEAST_PLAYED = (0.0, 0.1, 0.05, 0.02, 0.01)
"""Moves of a probability below one of these are left out of a candidate."""

FIRST, GROWTH = 8, 1.3
"""The iteration after which candidates are looked at for the first time, and how much later the next times are."""

MOST_CELLS = 5_000_000
"""Histories times all hands that arrays are kept for; of larger games what play leads to is, a part that grows."""

MOST_TABLES = 2_000_000
"""Payoffs that the tables of all calls have, at most: they are worked out one by one."""

BELOW = 1 - 1e-9
"""A gap is reached in floats only a little below it, so that it holds in fractions too."""

ITERATIONS = 2_000
"""Iterations of each rule after which the search ends by itself."""

STARTS, SHORT = 10, 200
"""On trees the rules begin anew at random so often, for so many iterations each, once as many led to nothing: regrets
that run in a circle from one start often end from another."""

UNKNOWNS, MOST_UNKNOWNS = 40, 400
"""Unknown probabilities in a support that Newton's method is tried on, at most: the first number and one more for each
iteration, up to the second. Early supports are large and wrong."""

NEAR = 0.02
"""Larger supports than the first number are tried only where nobody gains more than this, in half payoff ranges."""

DROPPED = 12
"""Moves that are left out of a support, at most, because their probability falls to 0 in Newton's method."""

MOST_BIDS = 62
"""Histories are kept as integers with a bit for each bid."""


class Regrets(Protocol):
    """What the engines on trees and on arrays have in common. A strategy is whatever arrays the engine works on."""

    iterations: int

    @property
    def units(self) -> Sequence[float]:
        """Half the range of each player's payoffs."""

    def iterate(self) -> None:
        """One iteration for all players."""

    def last(self) -> Any:
        """The strategies of the last iteration."""

    def average(self) -> Any:
        """The average strategies."""

    def beaten(self, strategy: Any, least: float) -> None:
        """Regard from now on the moves by which a player gains more than *least* against the strategy, if any are not.

        *least* is a share of half the range of the player's payoffs.
        """

    def gains(self, strategy: Any) -> list[float]:
        """What each player could gain by deviating, as a share of half the range of its payoffs."""

    def supported(self, strategy: Any, least: float) -> Any:
        """The strategy without moves of a probability below *least*."""

    def key(self, strategy: Any) -> bytes:
        """What moves are played, as a key."""

    def support(self, strategy: Any, most: int) -> Support | None:
        """The support of the strategy, where it has at most *most* unknowns."""

    def with_solution(self, strategy: Any, support: Support, x: Floats) -> Any:
        """The strategy with these probabilities at the unknowns of its support."""

    def written(self, strategy: Any) -> TreeProfile | SparseProfile:
        """The strategy in fractions."""


@dataclass
class _Best:
    """The strategies of least gain so far, and how they were found."""

    gain: float = float("inf")
    strategy: Any = None
    engine: Regrets | None = None
    how: str = ""


OPTIONS = (
    Parameter("iterations", str(ITERATIONS), integer(1, 999_999_999), f"of each rule (default: {ITERATIONS:,})"),
)


def play(game: BiddingGame, request: Request) -> Found:
    """Strategies of *game*, without its tree. Raises ``ParameterError`` for its options."""
    left, options = countdown(request.timeout), read_options("many", OPTIONS, request.options)
    model = Model(game)
    kind = BiddingRegrets if 2**model.bids * sum(model.hands) <= MOST_CELLS else GrowingRegrets
    stop = options["iterations"]
    return _search(_looks([([kind(model, RULES[name]) for name in PROPOSE], stop)]), stop, left, request)


def run(tree: GameTree, request: Request) -> Found:
    """Strategies of the game of *tree*. Raises ``ParameterError`` for its options."""
    left, options = countdown(request.timeout), read_options("many", OPTIONS, request.options)
    stop = options["iterations"]
    return _search(_looks(_turns(tree, stop)), stop, left, request)


Turn = tuple[Sequence[Regrets], int]
"""An engine for each of ``PROPOSE``, and the iteration that they go on to."""


def _turns(tree: GameTree, stop: int) -> Iterator[Turn]:
    """On a tree: a while from the uniform strategy, then from others, then on from the first."""
    first = [TreeRegrets(tree, RULES[name]) for name in PROPOSE]
    if stop > SHORT:
        yield first, SHORT
        for start in range(1, STARTS + 1):
            yield [TreeRegrets(tree, RULES[name], [start, k]) for k, name in enumerate(PROPOSE)], SHORT
    yield first, stop


def _looks(turns: Iterable[Turn]) -> Iterator[tuple[str, Regrets, int]]:
    """When candidates are looked at: the rule, its engine, and the iteration after which."""
    for engines, stop in turns:
        due = max(FIRST, int(engines[0].iterations * GROWTH))
        while engines[0].iterations < stop:
            for name, engine in zip(PROPOSE, engines, strict=True):
                yield name, engine, min(due, stop)
            due = max(due + 1, int(due * GROWTH))


def _search(looks: Iterator[tuple[str, Regrets, int]], stop: int, left: Left, request: Request) -> Found:
    """Iterate and look at candidates until one is an equilibrium, or the time or the iterations are used up."""
    best, tried, iterations = _Best(), set[bytes](), 0
    engine: Regrets | None = None
    ended: Ended = "done"
    message = ""
    try:
        for name, engine, due in looks:
            exact = EXACT * max(engine.units)
            wanted = exact if request.gap is None else max(exact, float(request.gap) * BELOW)
            while engine.iterations < due and not _late(left):
                engine.iterate()
            iterations = max(iterations, engine.iterations)
            better = None
            for how, strategy, gain in _candidates(engine, tried, left):
                if gain < best.gain:
                    best.gain, best.strategy, best.engine, best.how = gain, strategy, engine, f"{name}, {how}"
                    better = strategy
                if best.gain <= wanted:
                    break
            request.progress(f"iteration {engine.iterations:,} of {name}: nobody gains more than {best.gain:.2g}")
            if best.gain <= wanted:
                message = "" if best.gain <= exact else "nobody gains more than the gap asked for"
                break
            if _late(left):
                ended, message = "timeout", "the time limit came first"
                break
            if better is not None:
                # What averages gain by too little to be added may be all that keeps this one from being the answer.
                engine.beaten(better, EXACT)
        else:
            message = f"stopped after {stop:,} iterations of each rule"
    except KeyboardInterrupt:
        request.progress(STOPPING)
        ended, message = "interrupted", "stopped before the end"
        if best.engine is None and engine is not None and engine.iterations:
            best.engine, best.strategy = engine, engine.average()
    details = {"iterations": iterations, "found_by": best.how}
    if best.engine is None:
        return Found((), ended, message, details)
    try:
        if best.gain <= exact and ended == "done":
            best.strategy = _simplest(best.engine, best.strategy, exact)
    except KeyboardInterrupt:
        request.progress(STOPPING)
    return Found((best.engine.written(best.strategy),), ended, message, details)


def _late(left: Left) -> bool:
    seconds = left()
    return seconds is not None and seconds <= 0


def _candidates(engine: Regrets, tried: set[bytes], left: Left) -> Iterator[tuple[str, Any, float]]:
    """Candidates that the *engine* has for an equilibrium: how they were found, themselves, and the largest gain."""
    near = NEAR * max(engine.units)
    for which, source in (("last", engine.last()), ("average", engine.average())):
        for least in LEAST_PLAYED:
            if least and _late(left):
                break
            strategy = engine.supported(source, least) if least else source
            key = engine.key(strategy) if least else b""
            if key in tried:
                continue
            gain = _gain(engine, strategy)
            yield which, strategy, gain
            most = min(UNKNOWNS + engine.iterations, MOST_UNKNOWNS) if gain <= near else UNKNOWNS
            if least:
                tried.add(key)
                solved = _finished(engine, strategy, most)
                if solved is not None:
                    yield f"{which}, moves from {least:g} on, then Newton's method", solved, _gain(engine, solved)


def _finished(
    engine: Regrets, strategy: Any, most: int, also: Callable[[Any, Support, Floats], Any] | None = None
) -> Any:
    """*strategy* with probabilities at which nobody prefers one played move to another; None where none were found.

    A move whose probability falls to 0 on the way is played no more. ``also`` makes the strategy of the support and its
    probabilities, where that is not ``with_solution``.
    """
    for _ in range(DROPPED):
        support = engine.support(strategy, most)
        if support is None:
            break
        x, blocking = support.solved()
        if x is not None:
            return (also or engine.with_solution)(strategy, support, x)
        if blocking is None:
            break
        rest = support.start.copy()
        rest[blocking] = 0
        strategy = engine.with_solution(strategy, support, rest)
    return None


def _simplest(engine: Regrets, strategy: Any, exact: float) -> Any:
    """The equilibrium *strategy* with simple probabilities in place of those that can be chosen.

    The last strategies of regret minimisation mix as they please where it does not matter.
    """

    def simplest(strategy: Any, support: Support, x: Floats) -> Any:
        def holds(x: Floats) -> bool:
            return _gain(engine, engine.with_solution(strategy, support, x)) <= exact

        return engine.with_solution(strategy, support, support.simplified(x, holds) if holds(x) else x)

    for least in (*LEAST_PLAYED[1:], 0.0):
        found = _finished(engine, engine.supported(strategy, least), MOST_UNKNOWNS, simplest)
        if found is not None and _gain(engine, found) <= exact:
            return found
    return strategy


def _gain(engine: Regrets, strategy: Any) -> float:
    """The most that a player gains by deviating, in payoffs."""
    return max(gain * unit for gain, unit in zip(engine.gains(strategy), engine.units, strict=True))


def unplayable(game: Game) -> str | None:
    """Why *game* needs a tree for this method, or None."""
    if not isinstance(game, BiddingGame):
        return "it is not a game of bidding"
    if game.hand_probabilities is None:
        return "the hands are not independent"
    bids, seats = len(game.bid_names), range(len(game.players))
    if bids > MOST_BIDS:
        return f"it has more than {MOST_BIDS} bids"
    classes = (len(set(game.classes(game.called(0, 0), player))) for player in seats)
    return "there are too many dice" if prod(classes) * bids * len(seats) > MOST_TABLES else None


def inapplicable(facts: Facts) -> str | None:
    """Why regrets are not minimised on a tree, or None."""
    return None if facts.perfect_recall else "a player does not have perfect recall"


SOLVERS = (
    Solver(
        name="many",
        summary="regret minimisation for any number of players, constant sum or not, then Newton's method on its "
        "support: an equilibrium, or strategies from which nobody gains much",
        source="M. Zinkevich et al., NIPS 2007; " + "; ".join(RULES[name].source for name in PROPOSE),
        inapplicable=inapplicable,
        run=run,
        parameters=OPTIONS,
        brackets=True,
        stops_at_gap=True,
        play=play,
        unplayable=unplayable,
    ),
)
