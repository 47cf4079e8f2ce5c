"""Many games solved in a loop: in this process at first, and on all cores if there is more to do than that."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from ..base.errors import EfgBuilderError, ParameterError, check_argument, nearest
from ..base.machine import cores
from ..equilibria.solution import Solution
from ..equilibria.solve import AUTO_NODES, solve
from ..forms.extensive import GameTree, build
from ..games.protocol import Game
from ..interop.trees import GameLike, subject
from ..solvers.protocol import Solver
from ..solvers.registry import AUTO
from .jobs.executors import executor


@dataclass(frozen=True)
class LoopSettings:
    """The settings of a loop over games."""

    seconds_here: float = 1.0
    """Seconds for which this process works alone: a process takes about as long to start."""
    seconds_per_task: float = 0.2
    """Seconds of work that are sent to a process at a time: sending takes a millisecond."""
    tasks_per_worker: int = 3
    """Tasks that are under way for each process, at most, so that none waits and few solutions are held."""


SETTINGS = LoopSettings()


def solve_many(
    games: Iterable[GameLike],
    method: str | Solver | Callable[[GameTree], Any] = AUTO,
    *,
    workers: int | None = None,
    **options: Any,
) -> Iterator[Solution]:
    """Solve *games* one after the other, on all cores if there are many, and yield their solutions in order.

    Parameters
    ----------
    games : iterable of GameLike
        Rules, trees, names, files or games of pygambit: whatever ``solve`` takes. It may be endless.
    method : str or callable, default "auto"
        As in ``solve``. A function is called in this process.
    workers : int, optional
        Processes on this machine, from 1 on; 1 is this process alone. By default this process works alone for a second,
        and then as many processes as there are cores.
    **options
        Keyword arguments of ``solve``, the same for each game.

    Yields
    ------
    Solution
        One for each game, in the order of *games*, as soon as it and those before it are there.

    Raises
    ------
    EfgBuilderError
        What ``solve`` raises, with the place of the game in *games* (from 0) as a note. Solutions before it have been
        yielded.

    Examples
    --------
    >>> import efg_builder as eb
    >>> [str(solution.value[0]) for solution in eb.solve_many(["kuhn", "liars-dice sides=2", "dice-poker sides=2"])]
    ['-1/18', '0', '0']
    """
    listed = isinstance(games, Iterable) and not isinstance(games, str | bytes | Mapping)
    check_argument("solve_many", "games", games, listed, "a list of games")
    known = solve.__kwdefaults__ or {}
    for key in options:
        if key not in known:
            raise ParameterError(f"solve_many() takes no argument {key}=; {nearest(key, known)}")
    if workers is not None and (isinstance(workers, bool) or not isinstance(workers, int) or workers < 1):
        raise ParameterError(f"workers={workers!r}: must be a whole number from 1 on")
    return _solutions(iter(enumerate(games)), method, workers, options)


def _solutions(
    games: Iterator[tuple[int, GameLike]], method: Any, workers: int | None, options: Mapping[str, Any]
) -> Iterator[Solution]:
    alone = workers == 1 or cores() == 1 or not isinstance(method, str) or callable(options.get("progress"))
    began, count = time.monotonic(), 0
    while alone or (workers is None and time.monotonic() - began < SETTINGS.seconds_here):
        one = list(islice(games, 1))
        if not one:
            return
        yield from _solved(one, method, options).given()
        count += 1
    each = (time.monotonic() - began) / max(count, 1)
    width = min(max(int(SETTINGS.seconds_per_task / each), 1), 200) if count else 1
    waiting: deque[tuple[Future[_Part], Sequence[Game | None]]] = deque()
    with executor(workers, main=False) as pool:
        while True:
            while len(waiting) < SETTINGS.tasks_per_worker * pool.width() and (part := list(islice(games, width))):
                rules, sent = zip(*(_prepared(game) for _, game in part), strict=True)
                numbered = [(number, game) for (number, _), game in zip(part, sent, strict=True)]
                waiting.append((pool.submit(_solved, numbered, method, options), rules))
            if not waiting:
                return
            future, of = waiting.popleft()
            yield from map(_with_rules, future.result().given(), of)


@dataclass
class _Part:
    """The solutions of some games in a row, up to the one that cannot be solved."""

    solutions: list[Solution]
    wrong: EfgBuilderError | None = None

    def given(self) -> Iterator[Solution]:
        yield from self.solutions
        if self.wrong is not None:
            raise self.wrong


def _solved(games: Iterable[tuple[int, Any]], method: Any, options: Mapping[str, Any]) -> _Part:
    part = _Part([])
    for number, game in games:
        try:
            if isinstance(game, EfgBuilderError):
                raise game
            part.solutions.append(solve(game, method, **options))
        except EfgBuilderError as error:
            error.add_note(f"game {number} of the list")
            return replace(part, wrong=error)
    return part


def _prepared(given: GameLike) -> tuple[Game | None, Game | GameTree | EfgBuilderError]:
    """The rules, and what is sent: the tree of a small game, as another process may not know the class of its rules.

    In place of what is no game, its error is sent, to be raised at its turn.
    """
    try:
        game = subject("solve_many", given)
        if isinstance(game, GameTree):
            return game.game, game
        size = game.size()
        return game, game if size is not None and size.nodes > AUTO_NODES else build(game)
    except EfgBuilderError as error:
        return None, error


def _with_rules(solution: Solution, rules: Game | None) -> Solution:
    """A *solution* that was found by the tree alone, with the rules."""
    if solution.tree is not None:
        object.__setattr__(solution.tree, "game", rules)
    return replace(solution, game=rules)
