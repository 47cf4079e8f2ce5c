"""The state of a search of ``many``, and its file.

In reading order: ``Best`` and ``ManyState``, how far it is; ``save`` and ``load``, its checkpoint (an ``.npz`` file);
``flat``, ``parted``, ``numbers`` and ``alike``, what the engines write and read their arrays with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from math import prod
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from ...strategies.sparse_profile import SparseProfile
from ...strategies.tree_profile import TreeProfile
from .. import driver
from .newton import Look, MixedSupport
from .rules import Floats, Rule

KIND = driver.StateKind("many", 1)

FIRST, GROWTH = 8, 1.3
"""The iteration after which candidates are looked at for the first time, and how much later the next times are."""

MOST = 1e30
"""No regret in a file is larger, and none that is not 0 smaller than the inverse."""

Arrays = dict[str, Any]


class Engine(Protocol):
    """What the engines on trees and on arrays have in common. A strategy is whatever arrays the engine works on."""

    rule: Rule
    iterations: int
    look: Look

    @property
    def units(self) -> Sequence[float]:
        """Half the range of each player's payoffs."""

    def iterate(self) -> None:
        """One iteration for all players."""

    def last(self) -> Any:
        """The strategies of the last iteration."""

    def average(self) -> Any:
        """The average strategies."""

    def with_deviations(self, strategy: Any, least: float) -> Any:
        """The strategy with a little of the moves by which a player gains more than *least*; None where none are added.

        *least* is a share of half the range of the player's payoffs.
        """

    def gains(self, strategy: Any) -> list[float]:
        """What each player could gain by deviating, as a share of half the range of its payoffs."""

    def supported(self, strategy: Any, least: float) -> Any:
        """The strategy without moves of a probability below *least*."""

    def key(self, strategy: Any) -> bytes:
        """What moves are played, as a key."""

    def support(self, strategy: Any, most: int) -> MixedSupport | None:
        """The support of the strategy, where it has at most *most* unknowns."""

    def with_solution(self, strategy: Any, support: MixedSupport, x: Floats) -> Any:
        """The strategy with these probabilities at the unknowns of its support."""

    def written(self, strategy: Any) -> TreeProfile | SparseProfile:
        """The strategy in fractions."""

    def packed(self, strategy: Any) -> Arrays:
        """The strategy as arrays, for a file."""

    def unpacked(self, arrays: Arrays) -> Any:
        """The strategy again. Raises ``KeyError`` and ``ValueError`` where they are none."""

    def state(self) -> Arrays:
        """All that an equal engine needs to go on, but its number of iterations."""

    def restore(self, arrays: Arrays) -> None:
        """Go back to a ``state``. Raises ``KeyError`` and ``ValueError`` where it does not fit."""


@dataclass
class Best:
    """The strategies of least gain so far, and how they were found."""

    gain: float = float("inf")
    strategy: Any = None
    engine: Engine | None = None
    how: str = ""

    def offer(self, engine: Engine, how: str, strategy: Any, gain: float) -> bool:
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
    due: int = FIRST
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
                    self.due = max(self.due + 1, int(self.due * GROWTH))
            if self.turn == len(self.stops) - 1:
                return
            self.turn += 1
            self.engines = self.begin(self.turn) if self.turn < len(self.stops) - 1 else self.first
            self.due = max(FIRST, int(self.engines[0].iterations * GROWTH))


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
    driver.save(path, KIND, title, game, arrays, course)


def load(path: Path, title: str, game: str, search: ManyState, gain: Callable[[Engine, Any], float]) -> None:
    """Bring *search*, which has just begun, to where the file was written.

    The *gain* against the best strategies is worked out anew. Raises ``FileError``.
    """

    def restored(arrays: Arrays, state: dict[str, Any]) -> None:
        turn, rule, due = (driver.count(state[key]) for key in ("turn", "rule", "due"))
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
        search.iterations = driver.count(state["iterations"])
        if how is not None:
            engine = search.first[0]
            strategy = engine.unpacked(_named(arrays, "best"))
            search.best = Best(gain(engine, strategy), strategy, engine, how)

    driver.load(path, KIND, title, game, restored)


def _restore(engines: Sequence[Engine], done: Sequence[object], arrays: Arrays, name: str) -> None:
    for place, (engine, iterations) in enumerate(zip(engines, done, strict=True)):
        engine.restore(_named(arrays, f"{name}{place}"))
        engine.iterations = driver.count(iterations)


def _named(arrays: Arrays, name: str) -> Arrays:
    return {key.removeprefix(f"{name}."): array for key, array in arrays.items() if key.startswith(f"{name}.")}


def flat(tables: Sequence[Floats]) -> Floats:
    """The numbers of all *tables* one after the other; shape (count,)."""
    return np.concatenate([table.ravel() for table in tables])


def parted(array: Floats, shapes: Sequence[tuple[int, ...]]) -> list[Floats]:
    """Tables of these *shapes* again."""
    ends = np.cumsum([prod(shape) for shape in shapes])
    return [part.reshape(shape) for part, shape in zip(np.split(array, ends[:-1]), shapes, strict=True)]


def numbers(array: Floats, count: int, least: float = 0.0) -> Floats:
    """The *count* finite numbers from *least* on in an untrusted array. Raises ``ValueError``."""
    if array.shape != (count,) or array.dtype != np.float64 or not np.all((array >= least) & (array <= MOST)):
        raise ValueError("the numbers do not fit")
    # The inverse of a tiny number is not finite.
    found: Floats = np.where(np.abs(array) < 1 / MOST, 0, array)
    return found


def alike(strategy: Sequence[Floats], normalised: Sequence[Floats]) -> bool:
    """Whether a strategy's tables are probabilities: those that they are normalised to."""
    return all(np.allclose(one, other, rtol=0, atol=1e-6) for one, other in zip(strategy, normalised, strict=True))
