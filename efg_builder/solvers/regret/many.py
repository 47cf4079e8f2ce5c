"""Equilibria for any number of players: regret minimisation proposes supports, and Newton's method finishes.

With more than two players, or where payoffs do not sum to a constant, regret minimisation is not known to converge.
In most games of bidding it does, often to an equilibrium without rounding, or it wanders near to one; then the moves
that are played hardly change, and the probabilities follow from the indifference of those who mix.

So several rules run side by side. Every now and then the last strategies and the averages of each are candidates: as
they are, and without the moves that are hardly played. Each support is tried once: where nobody gains, that is the
answer; else Newton's method looks for probabilities at which nobody prefers one played move to another, and whether a
move that is not played gains is looked at over the whole game. Such moves join the supports of large games, as long as
that helps. On trees, where a while of that leads to nothing, the rules start anew at random.

In reading order: this file; ``state``, how far a search is, and its checkpoint; the engines; ``newton``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from hashlib import sha256
from math import prod
from typing import Any

from ...base.parameters import Parameter, integer
from ...forms.extensive import GameTree
from ...games.bidding import BiddingGame
from ...games.protocol import Game
from ..driver import Driver
from ..protocol import Facts, Found, Request, Solver, read_options
from .bidding import BiddingRegrets, Model
from .growing import GrowingRegrets
from .newton import MixedSupport, never
from .rules import RULES, Floats
from .state import Engine, ManyState, load, save
from .tree import TreeRegrets

PROPOSE = ("dcfr", "dcfr2", "pcfr+")
"""The rules that run side by side: which of them gets to an equilibrium first differs from game to game."""

EXACT = 1e-13
"""A gain of at most this part of half the range of payoffs is what floats leave of none."""

LEAST_PLAYED = (0.0, 0.1, 0.05, 0.02, 0.01)
"""Moves of a probability below one of these are left out of a candidate."""

MOST_CELLS = 2_000_000
"""Histories times all hands that arrays are kept for; of larger games what play leads to is, a part that grows."""

MOST_TABLES = 2_000_000
"""Payoffs that the tables of all calls have, at most: they are worked out one by one."""

MOST_HANDS = 1_000_000
"""Hands of all players, at most: they are counted before they are listed."""

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
"""Larger supports than the first number are tried, and moves by which players gain join a support, only where nobody
gains more than this, in half payoff ranges."""

HELPED, FAILED = 0.9, 2
"""Moves by which players gain join a support until so often in a row the gain has not fallen to this part of it."""

DROPPED = 12
"""Moves that are left out of a support, at most, because their probability falls to 0 in Newton's method."""

MOST_BIDS = 62
"""Histories are kept as integers with a bit for each bid."""


OPTIONS = (
    Parameter("iterations", str(ITERATIONS), integer(1, 999_999_999), f"of each rule (default: {ITERATIONS:,})"),
)


def play(game: BiddingGame, request: Request) -> Found:
    """Strategies of *game*, without its tree. Raises ``ParameterError`` for its options, ``FileError``."""
    driver, options = Driver(request), read_options("many", OPTIONS, request.options)
    model = Model(game)
    kind = BiddingRegrets if 2**model.bids * sum(model.hands) <= MOST_CELLS else GrowingRegrets
    search = ManyState(lambda turn: [kind(model, RULES[name]) for name in PROPOSE], [options["iterations"]])
    return _run(search, game.title, repr(game), driver, request)


def run(tree: GameTree, request: Request) -> Found:
    """Strategies of the game of *tree*. Raises ``ParameterError`` for its options, ``FileError``.

    First a while from the uniform strategy, then from others, then on from the first.
    """
    driver, options = Driver(request), read_options("many", OPTIONS, request.options)
    stop = options["iterations"]

    def begin(turn: int) -> list[Engine]:
        return [TreeRegrets(tree, RULES[name], [turn, k] if turn else None) for k, name in enumerate(PROPOSE)]

    stops = [*[SHORT] * (1 + STARTS), stop] if stop > SHORT else [stop]
    return _run(ManyState(begin, stops), tree.title, _name(tree), driver, request)


def _name(tree: GameTree) -> str:
    """What tells *tree* apart from others of its title."""
    told = sha256()
    for array in (tree.parent, tree.action, tree.infoset, tree.outcome):
        told.update(array.tobytes())
    told.update(repr((tree.players, tree.infosets, tree.outcomes)).encode())
    return told.hexdigest()


def _run(search: ManyState, title: str, name: str, driver: Driver, request: Request) -> Found:
    """Go on with *search* until a candidate is an equilibrium, or the time or the iterations are used up."""
    if request.resume is not None:
        load(request.resume, title, name, search, _gain)
    best, engine = search.best, None
    exact = EXACT * max(search.first[0].units)
    wanted = exact if request.gap is None else max(exact, float(request.gap) * BELOW)
    with driver.stopping():
        for engine, due in search.looks() if best.gain > wanted else ():
            engine.look = driver.check_time
            while engine.iterations < due:
                driver.check_time()
                engine.iterate()
                search.iterations = max(search.iterations, engine.iterations)
                driver.save(lambda path: save(path, title, name, search))
            _look(search, engine, wanted)
            rule = engine.rule.name
            request.progress(f"iteration {engine.iterations:,} of {rule}: nobody gains more than {best.gain:.2g}")
            if best.gain <= wanted:
                break
        driver.message = f"stopped after {search.stops[-1]:,} iterations of each rule"
        if best.gain <= wanted:
            driver.message = _reached(best.gain, exact, request.gap)
    with driver.finishing():
        if driver.ended == "timeout" and engine is not None:
            engine.look = never
            for how, strategy in _sources(engine):
                best.offer(engine, how, strategy, _gain(engine, strategy))
        if driver.ended == "done" and best.engine is not None and best.gain <= exact:
            best.strategy = _simplest(best.engine, best.strategy, exact)
    if best.engine is None and engine is not None and (engine.iterations or driver.ended == "timeout"):
        best.engine, best.strategy = engine, engine.average()
    details = {"iterations": search.iterations, "found_by": best.how}
    found = () if best.engine is None else (best.engine.written(best.strategy),)
    return Found(found, driver.ended, driver.message, details)


def _look(search: ManyState, engine: Engine, wanted: float) -> None:
    """Look at the *engine*'s candidates until nobody gains more than *wanted*."""
    for how, strategy, gain in _candidates(engine, search.tried):
        search.best.offer(engine, how, strategy, gain)
        if search.best.gain <= wanted:
            break


def _reached(gain: float, exact: float, gap: Fraction | None) -> str:
    """Why the search has ended, where nobody gains more than is wanted."""
    if gain > exact:
        return "nobody gains more than the gap asked for"
    return f"a gap below {exact:.1g} is sought no further: floats do not see it" if gap and gap < exact else ""


def _sources(engine: Engine) -> Iterator[tuple[str, Any]]:
    """What the candidates are made from; the strategies themselves are the first of them."""
    yield "last", engine.last()
    yield "average", engine.average()


def _candidates(engine: Engine, tried: set[bytes]) -> Iterator[tuple[str, Any, float]]:
    """Candidates that the *engine* has for an equilibrium: how they were found, themselves, and the largest gain."""
    near = NEAR * max(engine.units)
    for which, source in _sources(engine):
        for least in LEAST_PLAYED:
            how = f"{which}, moves from {least:g} on" if least else which
            strategy = engine.supported(source, least) if least else source
            key = engine.key(strategy) if least else b""
            if key in tried:
                continue
            gain = _gain(engine, strategy)
            yield how, strategy, gain
            most = min(UNKNOWNS + engine.iterations, MOST_UNKNOWNS) if gain <= near else UNKNOWNS
            if least:
                solved = _finished(engine, strategy, most)
                tried.add(key)
                if solved is not None:
                    yield from _improved(engine, f"{how}, then Newton's method", solved, most)


def _improved(engine: Engine, how: str, strategy: Any, most: int) -> Iterator[tuple[str, Any, float]]:
    """The *strategy*, and what follows where moves by which players gain join its support, as long as that helps."""
    exact, near = (share * max(engine.units) for share in (EXACT, NEAR))
    least, failed = _gain(engine, strategy), 0
    yield how, strategy, least
    while exact < least <= near and failed < FAILED:
        wider = engine.with_deviations(strategy, EXACT)
        strategy = None if wider is None else _finished(engine, wider, most)
        if strategy is None:
            break
        gain = _gain(engine, strategy)
        yield f"{how}, with deviations", strategy, gain
        failed = 0 if gain < HELPED * least else failed + 1
        least = min(least, gain)


def _finished(
    engine: Engine, strategy: Any, most: int, also: Callable[[Any, MixedSupport, Floats], Any] | None = None
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


def _simplest(engine: Engine, strategy: Any, exact: float) -> Any:
    """The equilibrium *strategy* with simple probabilities in place of those that can be chosen.

    The last strategies of regret minimisation mix as they please where it does not matter.
    """

    def simplest(strategy: Any, support: MixedSupport, x: Floats) -> Any:
        def holds(x: Floats) -> bool:
            return _gain(engine, engine.with_solution(strategy, support, x)) <= exact

        return engine.with_solution(strategy, support, support.simplified(x, holds) if holds(x) else x)

    for least in (*LEAST_PLAYED[1:], 0.0):
        found = _finished(engine, engine.supported(strategy, least), MOST_UNKNOWNS, simplest)
        if found is not None and _gain(engine, found) <= exact:
            return found
    return strategy


def _gain(engine: Engine, strategy: Any) -> float:
    """The most that a player gains by deviating, in payoffs."""
    return max(gain * unit for gain, unit in zip(engine.gains(strategy), engine.units, strict=True))


def unplayable(game: Game) -> str | None:
    """Why *game* needs a tree for this method, or None."""
    if not isinstance(game, BiddingGame):
        return "it is not a game of bidding"
    bids, seats = len(game.bid_names), range(len(game.players))
    if bids > MOST_BIDS:
        return f"it has more than {MOST_BIDS} bids"
    if sum(game.hand_counts) > MOST_HANDS:
        return "there are too many hands"
    if game.hand_probabilities is None:
        return "the hands are not independent"
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
        keeps_state=True,
        keeps_state_on_trees=True,
        play=play,
        unplayable=unplayable,
    ),
)
