"""Equilibria for any number of players: regret minimization proposes supports, and Newton's method solves them.

Several rules of regret minimization run in turn. At growing intervals, the last and the average strategies of each rule
become candidates, with and without improbable moves. Newton's method tries each support once. In large games,
profitable moves are added to a support as long as the gain falls. On trees, the rules restart from random regrets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from math import prod
from pathlib import Path
from typing import Any

from ...base.parameters import Parameter, integer
from ...forms.bidding_form import BiddingForm, no_plain_bidding
from ...forms.extensive import GameTree
from ...games.bidding import BiddingGame
from ...games.checks import payoff_classes
from ...games.protocol import Game
from ...strategies.sparse_profile import SparseProfile
from ...strategies.tree_profile import TreeProfile
from ..driver import STEP, Driver, Iterate, Iterates, StateKind, load_state, round_count, save_state
from ..protocol import Found, Request, Solver, Solves, read_options
from .engine import RULES, Arrays, Engine, TableStrategy
from .newton import Floats, MixedSupport
from .part import BiddingRegrets, lowest_opening
from .tree import TreeRegrets

PROPOSE = ("dcfr", "dcfr2", "pcfr+")
"""The rules that run in turn. The fastest rule differs from game to game."""


@dataclass(frozen=True)
class ManySettings:
    """The settings of the search. Gains are shares of half the payoff range."""

    exact: float = 1e-13
    """Gains up to this value are treated as rounding errors."""
    least_played: tuple[float, ...] = (0.0, 0.1, 0.05, 0.02, 0.01)
    """Thresholds: each gives one candidate, without the moves whose probability is below the threshold."""
    gap_share: float = 1 - 1e-9
    """The search stops at this share of the requested gap, to allow for rounding errors."""
    restarts: int = 10
    """Number of random restarts on trees. Regrets may cycle after one start and converge after another."""
    restart_iterations: int = 200
    """Number of iterations of each start except the last."""
    first_unknowns: int = 40
    """Maximum number of unknowns in early supports.

    This maximum grows by one per iteration if the gain is at most ``near_gain``.
    """
    most_unknowns: int = 400
    """Maximum number of unknowns in a support."""
    near_gain: float = 0.02
    """Maximum gain for trying larger supports and for adding profitable moves to a support."""
    least_progress: float = 0.9
    """A round of added moves fails unless the gain falls below this share of the previous gain."""
    most_failures: int = 2
    """Number of consecutive failures after which no more moves are added."""
    most_dropped: int = 12
    """Maximum number of attempts per support. Each failed attempt removes the move whose probability falls to 0."""
    first_look: int = 8
    """The iteration after which candidates are first checked."""
    look_growth: float = 1.3
    """Growth factor of the iteration from one check to the next."""


SETTINGS = ManySettings()

MOST_CELLS = 2_000_000
"""Maximum product of histories and hands for arrays over a whole game. For larger games, a growing part is used."""

MOST_TABLES, MOST_HANDS, MOST_BIDS = 2_000_000, 1_000_000, 62
"""Upper limits: payoffs in all tables of calls; hands of all players; bids (a history has one bit per bid)."""

ITERATIONS = 2_000
"""The default maximum number of iterations of each rule."""

KIND = StateKind("many", 1)

OPTIONS = (
    Parameter(
        "iterations",
        str(ITERATIONS),
        integer(1, 999_999_999),
        f"maximum number of iterations of each rule (default: {ITERATIONS:,})",
    ),
)


def run_by_rules(game: BiddingGame, request: Request) -> Found:
    """Return strategies for *game*, without its tree. Raises ``ParameterError`` and ``FileError``."""
    driver, options = Driver(request), read_options("many", OPTIONS, request.options)
    form = BiddingForm(game)
    part = None if 2**form.bids * sum(form.hands) <= MOST_CELLS else lowest_opening(form)

    def begin(turn: int) -> list[Engine]:
        return [BiddingRegrets(form, RULES[name], part) for name in PROPOSE]

    search = ManyState(begin, [options["iterations"]])
    return _run(search, game.title, repr(game), driver, request)


def run(tree: GameTree, request: Request) -> Found:
    """Return strategies on *tree*, from a uniform start and random restarts.

    Raises ``ParameterError`` and ``FileError``.
    """
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
        load(request.resume, title, name, search)
    exact = SETTINGS.exact * max(search.first[0].units)
    wanted = exact if request.gap is None else max(exact, float(request.gap) * SETTINGS.gap_share)
    driver.run(minimize(search, wanted, lambda path: save(path, title, name, search)))
    best, last = search.best, search.last
    if driver.ended == "done":
        driver.message = _reason(search, wanted, exact, request)
    with driver.finishing():
        if driver.ended == "timeout" and last is not None:
            for how, strategy in _sources(last):
                best.offer(last, how, strategy)
        if driver.ended == "done" and best.engine is not None and best.gain <= exact:
            best.strategy = driver.complete(_simplest(best.engine, best.strategy, exact))
    if best.engine is None and last is not None and (last.iterations or driver.ended == "timeout"):
        best.engine, best.strategy = last, last.average()
    details = {"iterations": search.iterations, "found_by": best.how}
    found = () if best.engine is None else (best.written(),)
    return Found(found, driver.ended, driver.message, details)


def _reason(search: ManyState, wanted: float, exact: float, request: Request) -> str:
    """Return the reason why the search ended, or an empty text for an equilibrium."""
    gain = search.best.gain
    if gain <= exact and request.gap and request.gap < exact:
        return f"the search stops at a gap of {exact:.1g}, the precision of floats"
    if gain > wanted:
        return f"stopped after {search.stops[-1]:,} iterations of each rule"
    return "nobody gains more than the requested gap" if gain > exact else ""


def minimize(search: ManyState, wanted: float, keep: Callable[[Path], object]) -> Iterates[None]:
    """Minimize regrets by all rules in turn, and try candidates, until no player gains more than *wanted*."""
    for engine, due in search.looks() if search.best.gain > wanted else ():
        search.last = engine
        yield STEP
        while engine.iterations < due:
            engine.iterate()
            search.iterations = max(search.iterations, engine.iterations)
            yield Iterate(save=keep)
        yield from try_candidates(search, engine, wanted)
        rule, gain = engine.rule.name, search.best.gain
        line = f"iteration {engine.iterations:,} of {rule}: nobody gains more than {gain:.2g}"
        yield Iterate(line, last=gain <= wanted, number=search.iterations, strategies=search.best.written)
        if gain <= wanted:
            return


def _sources(engine: Engine) -> Iterator[tuple[str, TableStrategy]]:
    yield "last", engine.last()
    yield "average", engine.average()


def try_candidates(search: ManyState, engine: Engine, wanted: float) -> Iterates[None]:
    """Offer the engine's strategies without improbable moves, and the solutions on their supports."""
    best, near = search.best, SETTINGS.near_gain * max(engine.units)
    for which, source in _sources(engine):
        for least in SETTINGS.least_played:
            how = f"{which}, without moves below {least:g}" if least else which
            strategy = engine.supported(source, least) if least else source
            key = engine.key(strategy) if least else b""
            if key in search.tried:
                continue
            gain = best.offer(engine, how, strategy)
            yield STEP
            if best.gain <= wanted:
                return
            if not least:
                continue
            most = SETTINGS.first_unknowns
            if gain <= near:
                most = min(most + engine.iterations, SETTINGS.most_unknowns)
            solved = yield from solve_support(engine, strategy, most)
            search.tried.add(key)
            if solved is not None:
                yield from add_deviations(best, f"{how}, then Newton's method", solved, most, wanted)
                if best.gain <= wanted:
                    return


def add_deviations(best: Best, how: str, solved: Solved, most: int, wanted: float) -> Iterates[None]:
    """Offer a solution, then solutions with additional profitable moves in the support, as long as the gain falls."""
    engine, near = solved.engine, SETTINGS.near_gain * max(solved.engine.units)
    strategy, failed = solved.strategy, 0
    least = best.offer(engine, how, strategy)
    while wanted < least <= near and failed < SETTINGS.most_failures:
        yield STEP
        wider = engine.with_deviations(strategy, SETTINGS.exact)
        found = None if wider is None else (yield from solve_support(engine, wider, most))
        if found is None:
            return
        strategy = found.strategy
        gain = best.offer(engine, f"{how}, with deviations", strategy)
        failed = 0 if gain < SETTINGS.least_progress * least else failed + 1
        least = min(least, gain)


@dataclass(frozen=True)
class Solved:
    """A strategy whose probabilities ``x`` on a support make the players indifferent."""

    engine: Engine
    strategy: TableStrategy
    support: MixedSupport
    x: Floats

    def moved(self, x: Floats) -> TableStrategy:
        """Return the strategy with the solution *x* instead."""
        return self.engine.with_solution(self.strategy, self.support, x)


def solve_support(engine: Engine, strategy: TableStrategy, most: int) -> Iterates[Solved | None]:
    """Solve the indifference equations on the support of *strategy*; without the moves that block Newton's method."""
    for _ in range(SETTINGS.most_dropped):
        support = engine.support(strategy, most)
        if support is None:
            break
        solution = yield from support.solve()
        if solution.x is not None:
            return Solved(engine, engine.with_solution(strategy, support, solution.x), support, solution.x)
        if solution.blocking is None:
            break
        rest = support.start.copy()
        rest[solution.blocking] = 0
        strategy = engine.with_solution(strategy, support, rest)
    return None


def _simplest(engine: Engine, strategy: TableStrategy, exact: float) -> Iterates[TableStrategy]:
    """Return the equilibrium *strategy* with simple values for its free probabilities."""
    for least in (*SETTINGS.least_played[1:], 0.0):
        solved = yield from solve_support(engine, engine.supported(strategy, least), SETTINGS.most_unknowns)
        if solved is not None and _gain(engine, solved.strategy) <= exact:
            x = yield from solved.support.simplify(solved.x, partial(_is_exact, solved, exact))
            return solved.moved(x)
    return strategy


def _is_exact(solved: Solved, exact: float, x: Floats) -> bool:
    return _gain(solved.engine, solved.moved(x)) <= exact


def _gain(engine: Engine, strategy: TableStrategy) -> float:
    return max(gain * unit for gain, unit in zip(engine.gains(strategy), engine.units, strict=True))


def needs_tree(game: Game) -> str | None:
    if not isinstance(game, BiddingGame):
        return "it is not a bidding game"
    if problem := no_plain_bidding(game):
        return problem
    bids, seats = len(game.bid_names), range(len(game.players))
    if bids > MOST_BIDS:
        return f"it has more than {MOST_BIDS} bids"
    if sum(game.hand_counts) > MOST_HANDS:
        return "there are too many hands"
    if game.hand_probabilities is None:
        return "the hands are not independent"
    classes = (len(set(mine)) for mine in payoff_classes(game, game.called(0, 0)))
    return "there are too many dice" if prod(classes) * bids * len(seats) > MOST_TABLES else None


@dataclass
class Best:
    """The strategies with the smallest gain so far, and their origin."""

    gain: float = float("inf")
    strategy: TableStrategy = field(default_factory=lambda: TableStrategy([]))
    engine: Engine | None = None
    how: str = ""

    def offer(self, engine: Engine, how: str, strategy: TableStrategy) -> float:
        """Store *strategy* if it is the best so far, and return the players' maximum gain."""
        gain = _gain(engine, strategy)
        if gain < self.gain:
            self.gain, self.strategy, self.engine, self.how = gain, strategy, engine, f"{engine.rule.name}, {how}"
        return gain

    def written(self) -> TreeProfile | SparseProfile:
        if self.engine is None:
            raise ValueError("no strategy was offered")
        return self.engine.written(self.strategy)


@dataclass
class ManyState:
    """The state of the search.

    A turn is a start or restart of the engines. ``begin``: a function that returns the engines of a turn, one for each
    rule. ``stops``: the last iteration of each turn. The last turn continues with the ``first`` engines. ``rule``: the
    index of the engine to check next, after ``due`` iterations. ``last``: the engine of the last iteration in this run.
    ``tried``: the keys of the supports that were tried.
    """

    begin: Callable[[int], Sequence[Engine]]
    stops: Sequence[int]
    turn: int = 0
    rule: int = 0
    due: int = SETTINGS.first_look
    iterations: int = 0
    best: Best = field(default_factory=Best)
    tried: set[bytes] = field(default_factory=set)
    last: Engine | None = None
    first: Sequence[Engine] = field(init=False)
    engines: Sequence[Engine] = field(init=False)

    def __post_init__(self) -> None:
        self.first = self.engines = self.begin(0)

    def looks(self) -> Iterator[tuple[Engine, int]]:
        """Yield the engine to check next, and the iteration of the check."""
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
    """Write a checkpoint for ``load``. Raises ``FileError``."""
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


def load(path: Path, title: str, game: str, search: ManyState) -> None:
    """Restore a checkpoint in a new *search*. Raises ``FileError``."""

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
            # With other options, there may be fewer turns. The last turn uses the first engines.
            search.engines = engines if turn < last else search.first
        search.turn, search.rule, search.due = min(turn, last), rule, due
        search.iterations = round_count(state["iterations"])
        if how is not None:
            engine = search.first[0]
            strategy = engine.unpacked(_named(arrays, "best"))
            search.best = Best(_gain(engine, strategy), strategy, engine, how)

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
        summary="regret minimization for any number of players, with or without a constant sum, then Newton's method "
        "on the support: an equilibrium, or strategies with a small regret",
        source="M. Zinkevich et al., NIPS 2007; " + "; ".join(RULES[name].source for name in PROPOSE),
        solves=Solves(limit_by_rules=needs_tree, exact=False, stops_at_gap=True, resumes=True, iterates=True),
        run=run,
        parameters=OPTIONS,
        run_by_rules=run_by_rules,
    ),
)
