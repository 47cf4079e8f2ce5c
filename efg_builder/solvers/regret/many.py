"""Equilibria for any number of players: regret minimization proposes supports, and Newton's method finishes.

Several rules run side by side. Now and then their last strategies and averages are candidates, also without the moves
that are hardly played. Each support is tried once by Newton's method; unplayed moves that gain join the supports of
large games, as long as that helps. On trees the rules start anew at random after a while.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from math import prod
from pathlib import Path
from typing import Any

from ...base.parameters import Parameter, integer
from ...forms.extensive import GameTree
from ...games.bidding import BiddingGame
from ...games.protocol import Game
from ..driver import Driver, StateKind, load_state, round_count, save_state
from ..protocol import Found, Request, Solver, perfect_recall, read_options
from .engine import RULES, Arrays, Engine, TableStrategy
from .growing import GrowingRegrets
from .histories import BiddingRegrets, Model
from .newton import Floats, MixedSupport, never
from .tree import TreeRegrets

PROPOSE = ("dcfr", "dcfr2", "pcfr+")
"""The rules that run side by side: which of them gets to an equilibrium first differs from game to game."""


@dataclass(frozen=True)
class ManySettings:
    """The settings of the search; gains are shares of half the payoff range."""

    exact: float = 1e-13
    """A gain of at most this is rounding of floats."""
    least_played: tuple[float, ...] = (0.0, 0.1, 0.05, 0.02, 0.01)
    """Moves of a probability below one of these are left out of a candidate."""
    gap_share: float = 1 - 1e-9
    """A gap is reached in floats a little below it, so that it holds in fractions too."""
    restarts: int = 10
    """New starts at random on trees: regrets that run in a circle from one start often end from another."""
    restart_iterations: int = 200
    """Iterations of each start but the last."""
    first_unknowns: int = 40
    """Unknowns in a support for Newton's method, at most, and one more for each iteration: early supports are wrong."""
    most_unknowns: int = 400
    """Unknowns in a support, at most."""
    near_gain: float = 0.02
    """Larger supports are tried, and profitable moves join a support, only up to this gain."""
    least_progress: float = 0.9
    """A round in which profitable moves join a support helps if the gain falls to this part of it."""
    most_failures: int = 2
    """Rounds in a row that do not help, at most."""
    most_dropped: int = 12
    """Moves that leave a support, at most, because their probability falls to 0 in Newton's method."""
    first_look: int = 8
    """The iteration after which candidates are looked at for the first time."""
    look_growth: float = 1.3
    """The next look is so many times later."""


SETTINGS = ManySettings()

MOST_CELLS = 2_000_000
"""Histories times all hands that arrays are kept for; of larger games what play leads to is, a part that grows."""

MOST_TABLES, MOST_HANDS, MOST_BIDS = 2_000_000, 1_000_000, 62
"""Payoffs in the tables of all calls, hands of all players, and bids (histories have a bit for each), at most."""

ITERATIONS = 2_000
"""Iterations of each rule after which the search ends by itself."""

KIND = StateKind("many", 1)

OPTIONS = (
    Parameter("iterations", str(ITERATIONS), integer(1, 999_999_999), f"of each rule (default: {ITERATIONS:,})"),
)


def run_by_rules(game: BiddingGame, request: Request) -> Found:
    """Strategies of *game*, without its tree. Raises ``ParameterError`` for its options, ``FileError``."""
    driver, options = Driver(request), read_options("many", OPTIONS, request.options)
    model = Model(game)
    kind = BiddingRegrets if 2**model.bids * sum(model.hands) <= MOST_CELLS else GrowingRegrets
    search = ManyState(lambda turn: [kind(model, RULES[name]) for name in PROPOSE], [options["iterations"]])
    return _run(search, game.title, repr(game), driver, request)


def run(tree: GameTree, request: Request) -> Found:
    """Strategies on *tree*, from the uniform strategy, then others. Raises ``ParameterError`` and ``FileError``."""
    driver, options = Driver(request), read_options("many", OPTIONS, request.options)
    stop = options["iterations"]

    def begin(turn: int) -> list[Engine]:
        return [TreeRegrets(tree, RULES[name], [turn, k] if turn else None) for k, name in enumerate(PROPOSE)]

    short = SETTINGS.restart_iterations
    stops = [*[short] * (1 + SETTINGS.restarts), stop] if stop > short else [stop]
    return _run(ManyState(begin, stops), tree.title, _name(tree), driver, request)


def _name(tree: GameTree) -> str:
    told = sha256()
    for array in (tree.parent, tree.action, tree.infoset, tree.outcome):
        told.update(array.tobytes())
    told.update(repr((tree.players, tree.infosets, tree.outcomes)).encode())
    return told.hexdigest()


def _run(search: ManyState, title: str, name: str, driver: Driver, request: Request) -> Found:
    if request.resume is not None:
        load(request.resume, title, name, search, _gain)
    best, engine = search.best, None
    exact = SETTINGS.exact * max(search.first[0].units)
    wanted = exact if request.gap is None else max(exact, float(request.gap) * SETTINGS.gap_share)
    with driver.stopping():
        for engine, due in search.looks() if best.gain > wanted else ():
            engine.look = driver.check_time
            while engine.iterations < due:
                driver.check_time()
                engine.iterate()
                search.iterations = max(search.iterations, engine.iterations)
                driver.keeper.keep(lambda path: save(path, title, name, search))
            for how, strategy, gain in _candidates(engine, search.tried):
                best.offer(engine, how, strategy, gain)
                if best.gain <= wanted:
                    break
            rule = engine.rule.name
            request.progress(f"iteration {engine.iterations:,} of {rule}: nobody gains more than {best.gain:.2g}")
            if best.gain <= wanted:
                break
        driver.message = f"stopped after {search.stops[-1]:,} iterations of each rule"
        if best.gain <= wanted:
            driver.message = "nobody gains more than the gap asked for" if best.gain > exact else ""
        if best.gain <= exact and request.gap and request.gap < exact:
            driver.message = f"a gap below {exact:.1g} is sought no further: floats do not see it"
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


def _sources(engine: Engine) -> Iterator[tuple[str, TableStrategy]]:
    yield "last", engine.last()
    yield "average", engine.average()


def _candidates(engine: Engine, tried: set[bytes]) -> Iterator[tuple[str, TableStrategy, float]]:
    near = SETTINGS.near_gain * max(engine.units)
    for which, source in _sources(engine):
        for least in SETTINGS.least_played:
            how = f"{which}, moves from {least:g} on" if least else which
            strategy = engine.supported(source, least) if least else source
            key = engine.key(strategy) if least else b""
            if key in tried:
                continue
            gain = _gain(engine, strategy)
            yield how, strategy, gain
            most = SETTINGS.first_unknowns
            if gain <= near:
                most = min(most + engine.iterations, SETTINGS.most_unknowns)
            if least:
                solved = _finished(engine, strategy, most)
                tried.add(key)
                if solved is not None:
                    yield from _improved(engine, f"{how}, then Newton's method", solved, most)


def _improved(
    engine: Engine, how: str, strategy: TableStrategy, most: int
) -> Iterator[tuple[str, TableStrategy, float]]:
    """The *strategy*, and what follows where moves by which players gain join its support, as long as that helps."""
    exact, near = (share * max(engine.units) for share in (SETTINGS.exact, SETTINGS.near_gain))
    least, failed = _gain(engine, strategy), 0
    yield how, strategy, least
    while exact < least <= near and failed < SETTINGS.most_failures:
        wider = engine.with_deviations(strategy, SETTINGS.exact)
        solved = None if wider is None else _finished(engine, wider, most)
        if solved is None:
            break
        strategy, gain = solved, _gain(engine, solved)
        yield f"{how}, with deviations", strategy, gain
        failed = 0 if gain < SETTINGS.least_progress * least else failed + 1
        least = min(least, gain)


def _finished(
    engine: Engine,
    strategy: TableStrategy,
    most: int,
    also: Callable[[TableStrategy, MixedSupport, Floats], TableStrategy] | None = None,
) -> TableStrategy | None:
    """*strategy* with probabilities that make its moves equally good; ``also`` replaces ``with_solution``."""
    for _ in range(SETTINGS.most_dropped):
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


def _simplest(engine: Engine, strategy: TableStrategy, exact: float) -> TableStrategy:
    """The equilibrium *strategy* with simple probabilities in place of those that can be chosen."""

    def simplest(strategy: TableStrategy, support: MixedSupport, x: Floats) -> TableStrategy:
        def holds(x: Floats) -> bool:
            return _gain(engine, engine.with_solution(strategy, support, x)) <= exact

        return engine.with_solution(strategy, support, support.simplified(x, holds) if holds(x) else x)

    for least in (*SETTINGS.least_played[1:], 0.0):
        found = _finished(engine, engine.supported(strategy, least), SETTINGS.most_unknowns, simplest)
        if found is not None and _gain(engine, found) <= exact:
            return found
    return strategy


def _gain(engine: Engine, strategy: TableStrategy) -> float:
    return max(gain * unit for gain, unit in zip(engine.gains(strategy), engine.units, strict=True))


def needs_tree(game: Game) -> str | None:
    """Why *game* needs a tree for this method, or None."""
    if not isinstance(game, BiddingGame):
        return "it is not a bidding game"
    bids, seats = len(game.bid_names), range(len(game.players))
    if bids > MOST_BIDS:
        return f"it has more than {MOST_BIDS} bids"
    if sum(game.hand_counts) > MOST_HANDS:
        return "there are too many hands"
    if game.hand_probabilities is None:
        return "the hands are not independent"
    classes = (len(set(game.classes(game.called(0, 0), player))) for player in seats)
    return "there are too many dice" if prod(classes) * bids * len(seats) > MOST_TABLES else None


@dataclass
class Best:
    """The strategies of least gain so far, and how they were found."""

    gain: float = float("inf")
    strategy: TableStrategy = field(default_factory=lambda: TableStrategy([]))
    engine: Engine | None = None
    how: str = ""

    def offer(self, engine: Engine, how: str, strategy: TableStrategy, gain: float) -> bool:
        """Take *strategy* if it is better than all before; returns whether it is."""
        if gain < self.gain:
            self.gain, self.strategy, self.engine, self.how = gain, strategy, engine, f"{engine.rule.name}, {how}"
        return self.strategy is strategy


@dataclass
class ManyState:
    """How far the search is.

    ``begin`` makes the engines of a turn, one for each rule; ``stops``: the iteration to which each turn goes on. The
    last turn is that of the ``first`` engines again. ``engines``: those of the present ``turn``; ``rule``: which of
    them is next to be looked at, once it has made ``due`` iterations. ``tried``: the supports that need no second look.
    """

    begin: Callable[[int], Sequence[Engine]]
    stops: Sequence[int]
    turn: int = 0
    rule: int = 0
    due: int = SETTINGS.first_look
    iterations: int = 0
    best: Best = field(default_factory=Best)
    tried: set[bytes] = field(default_factory=set)
    first: Sequence[Engine] = field(init=False)
    engines: Sequence[Engine] = field(init=False)

    def __post_init__(self) -> None:
        self.first = self.engines = self.begin(0)

    def looks(self) -> Iterator[tuple[Engine, int]]:
        """When candidates are looked at: of which engine, and after which iteration."""
        while True:
            stop = self.stops[self.turn]
            while self.rule or self.engines[0].iterations < stop:
                yield self.engines[self.rule], min(self.due, stop)
                self.rule = (self.rule + 1) % len(self.engines)
                if not self.rule:
                    self.due = max(self.due + 1, int(self.due * SETTINGS.look_growth))
            if self.turn == len(self.stops) - 1:
                return
            self.turn += 1
            self.engines = self.begin(self.turn) if self.turn < len(self.stops) - 1 else self.first
            self.due = max(SETTINGS.first_look, int(self.engines[0].iterations * SETTINGS.look_growth))


def save(path: Path, title: str, game: str, search: ManyState) -> None:
    """Write what ``load`` reads. Raises ``FileError``."""
    arrays, groups = Arrays(), {"first": search.first, "engine": search.engines}
    if search.engines is search.first:
        del groups["engine"]
    for name, engines in groups.items():
        for place, engine in enumerate(engines):
            arrays |= {f"{name}{place}.{key}": array for key, array in engine.state().items()}
    best = search.best
    if best.engine is not None:
        arrays |= {f"best.{key}": array for key, array in best.engine.packed(best.strategy).items()}
    course = {
        "turn": search.turn,
        "rule": search.rule,
        "due": search.due,
        "iterations": search.iterations,
        "done": {name: [engine.iterations for engine in engines] for name, engines in groups.items()},
        "how": best.how if best.engine is not None else None,
    }
    save_state(path, KIND, title, game, arrays, course)


def load(path: Path, title: str, game: str, search: ManyState, gain: Callable[[Engine, TableStrategy], float]) -> None:
    """Bring *search*, which has just begun, to where the file was written. Raises ``FileError``."""

    def restored(arrays: Arrays, state: dict[str, Any]) -> None:
        turn, rule, due = (round_count(state[key]) for key in ("turn", "rule", "due"))
        done, how = state["done"], state["how"]
        if rule >= len(search.first) or not (how is None or isinstance(how, str)):
            raise ValueError("no such rule")
        _restore(search.first, done["first"], arrays, "first")
        last = len(search.stops) - 1
        if "engine" in done:
            engines = search.begin(turn)
            _restore(engines, done["engine"], arrays, "engine")
            # Where other iterations are asked for now there may be fewer turns; the last is that of the first engines.
            search.engines = engines if turn < last else search.first
        search.turn, search.rule, search.due = min(turn, last), rule, due
        search.iterations = round_count(state["iterations"])
        if how is not None:
            engine = search.first[0]
            strategy = engine.unpacked(_named(arrays, "best"))
            search.best = Best(gain(engine, strategy), strategy, engine, how)

    load_state(path, KIND, title, game, restored)


def _restore(engines: Sequence[Engine], done: Sequence[object], arrays: Arrays, name: str) -> None:
    for place, (engine, iterations) in enumerate(zip(engines, done, strict=True)):
        engine.restore(_named(arrays, f"{name}{place}"))
        engine.iterations = round_count(iterations)


def _named(arrays: Arrays, name: str) -> Arrays:
    return {key.removeprefix(f"{name}."): array for key, array in arrays.items() if key.startswith(f"{name}.")}


SOLVERS = (
    Solver(
        name="many",
        summary="regret minimization for any number of players, constant sum or not, then Newton's method on its "
        "support: an equilibrium, or strategies from which nobody gains much",
        source="M. Zinkevich et al., NIPS 2007; " + "; ".join(RULES[name].source for name in PROPOSE),
        inapplicable=perfect_recall,
        run=run,
        parameters=OPTIONS,
        brackets=True,
        stops_at_gap=True,
        keeps_state=True,
        keeps_state_on_trees=True,
        run_by_rules=run_by_rules,
        needs_tree=needs_tree,
    ),
)
