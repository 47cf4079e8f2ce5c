"""Many games solved in a loop: first in the current process, then on all cores."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence, Sized
from concurrent.futures import Future
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Literal, TypeAlias, overload

from ..base.errors import EfgBuilderError, ParameterError, check_argument, nearest
from ..base.machine import cores
from ..equilibria.solution import Solution
from ..equilibria.solve import AUTO_NODES, solve
from ..forms.extensive import GameTree
from ..forms.subject import Subject
from ..games.protocol import Game
from ..interop.trees import GameLike, as_subject
from ..solvers.protocol import Solver
from ..solvers.registry import AUTO
from .jobs.executors import executor


@dataclass(frozen=True)
class LoopSettings:
    """The settings of a loop over games."""

    seconds_here: float = 1.0
    """Seconds for which the current process works alone; another process takes about as long to start."""
    seconds_left: float = 3.0
    """Minimum remaining seconds for starting processes: two processes halve the remaining time, but take 1.3 seconds to
    start.
    """
    seconds_per_task: float = 0.2
    """Computing time of a task in seconds; sending a task takes a millisecond."""
    tasks_per_worker: int = 3
    """Maximum number of submitted tasks per process, so that no process waits and few solutions are in memory."""


SETTINGS = LoopSettings()

_Found: TypeAlias = Solution | EfgBuilderError


@overload
def solve_many(
    games: Iterable[GameLike],
    method: str | Solver | Callable[[GameTree], Any] = AUTO,
    *,
    workers: int | None = None,
    errors: Literal["raise"] = "raise",
    **options: Any,
) -> Iterator[Solution]: ...


@overload
def solve_many(
    games: Iterable[GameLike],
    method: str | Solver | Callable[[GameTree], Any] = AUTO,
    *,
    workers: int | None = None,
    errors: Literal["yield"],
    **options: Any,
) -> Iterator[Solution | EfgBuilderError]: ...


def solve_many(
    games: Iterable[GameLike],
    method: str | Solver | Callable[[GameTree], Any] = AUTO,
    *,
    workers: int | None = None,
    errors: str = "raise",
    **options: Any,
) -> Iterator[Any]:
    """Solve *games*, on all cores if there are many games; yield the solutions in order.

    Parameters
    ----------
    games : iterable of GameLike
        Rules, trees, names, files or games of pygambit, as in ``solve``. The iterable may be endless.
    method : str or callable, default "auto"
        The method, as in ``solve``. A function is called in the current process.
    workers : int, optional
        The number of processes, at least 1; 1 means the current process. By default, the current process works alone
        for a second. Then one process per core starts, unless *games* is a list with less than about three seconds of
        work left.
    errors : {"raise", "yield"}, default "raise"
        ``"yield"`` yields the error of a game instead of its solution, and continues.
    **options
        Keyword arguments of ``solve`` for every game.

    Yields
    ------
    Solution or EfgBuilderError
        One item for each game, in the order of *games*, as soon as this item and all earlier items are available.

    Raises
    ------
    EfgBuilderError
        The first error of ``solve``, unless *errors* is ``"yield"``. The error has the index of its game as a note.
        All earlier solutions have been yielded.

    Examples
    --------
    >>> import efg_builder as eb
    >>> [str(solution.value[0]) for solution in eb.solve_many(["kuhn", "liars-dice sides=2", "dice-poker sides=2"])]
    ['-1/18', '0', '0']
    >>> for found in eb.solve_many(["kuhn", "chess"], errors="yield"):
    ...     print(type(found).__name__)
    Solution
    ParameterError
    """
    listed = isinstance(games, Iterable) and not isinstance(games, str | bytes | Mapping)
    check_argument("solve_many", "games", games, listed, "a list of games")
    known = solve.__kwdefaults__ or {}
    for key in options:
        if key not in known:
            raise ParameterError(f"solve_many() takes no argument {key}=; {nearest(key, known)}")
    if workers is not None and (isinstance(workers, bool) or not isinstance(workers, int) or workers < 1):
        raise ParameterError(f"workers={workers!r}: must be a whole number of at least 1")
    if errors not in ("raise", "yield"):
        raise ParameterError(f"errors={errors!r}: must be 'raise' or 'yield'")
    found = _found(iter(enumerate(games)), len(games) if isinstance(games, Sized) else None, method, workers, options)
    return found if errors == "yield" else _solutions(found)


def _solutions(found: Generator[_Found, None, None]) -> Iterator[Solution]:
    with closing(found):  # a stored error must not keep the processes alive
        for each in found:
            if isinstance(each, EfgBuilderError):
                raise each
            yield each


def _found(
    games: Iterator[tuple[int, GameLike]],
    length: int | None,
    method: Any,
    workers: int | None,
    options: Mapping[str, Any],
) -> Generator[_Found, None, None]:
    alone = workers == 1 or cores() == 1 or not isinstance(method, str) or callable(options.get("progress"))
    spent, count, left = 0.0, 0, True
    while alone or (workers is None and (spent < SETTINGS.seconds_here or not left)):
        began = time.monotonic()
        one = list(islice(games, 1))
        if not one:
            return
        found = _solved(one, method, options)
        spent, count = spent + time.monotonic() - began, count + 1
        left = length is None or (length - count) * spent / count > SETTINGS.seconds_left
        yield from found
    each = spent / max(count, 1)
    width = min(max(int(SETTINGS.seconds_per_task / each), 1), 200) if count else 1
    waiting: deque[tuple[Future[list[_Found]], Sequence[Subject | None]]] = deque()
    with executor(workers, main=False) as pool:
        while True:
            while len(waiting) < SETTINGS.tasks_per_worker * pool.width() and (part := list(islice(games, width))):
                given, sent = zip(*(_prepared(game) for _, game in part), strict=True)
                numbered = [(number, game) for (number, _), game in zip(part, sent, strict=True)]
                waiting.append((pool.submit(_solved, numbered, method, options), given))
            if not waiting:
                return
            future, of = waiting.popleft()
            yield from map(_of_game, future.result(), of)


def _solved(games: Iterable[tuple[int, Any]], method: Any, options: Mapping[str, Any]) -> list[_Found]:
    found: list[_Found] = []
    for number, game in games:
        try:
            if isinstance(game, EfgBuilderError):
                raise game
            found.append(solve(game, method, **options))
        except EfgBuilderError as error:
            error.add_note(f"game {number} of the list")
            found.append(error)
    return found


def _prepared(given: GameLike) -> tuple[Subject | None, Game | GameTree | EfgBuilderError]:
    """Return the game, and the object to send to another process.

    A small game is sent as its tree, because the other process may not know the game's class. An invalid game is sent
    as its error.
    """
    try:
        game = as_subject("solve_many", given)
        if game.given_tree is not None:
            return game, game.given_tree
        size = game.size()
        return game, game.given if size is not None and size.nodes > AUTO_NODES else game.tree()
    except EfgBuilderError as error:
        return None, error


def _of_game(solution: _Found, game: Subject | None) -> _Found:
    """Return *solution* with the rules and the origin of *game*, which did not travel to the other process."""
    if isinstance(solution, EfgBuilderError) or game is None:
        return solution
    if solution.tree is not None:
        object.__setattr__(solution.tree, "game", game.rules)
        object.__setattr__(solution.tree, "origin", getattr(game.given_tree, "origin", None))
    return replace(solution, game=game.rules)
