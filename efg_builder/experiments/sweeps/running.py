"""A run of a sweep: claims rows, has them solved, writes their outcomes, until there is nothing left to do."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from ...base.errors import NotSolvedError, ParameterError
from ...base.rationals import text
from ...base.words import quiet
from ...solvers.protocol import AUTO
from ...solvers.protocol import method as find_method
from ..jobs.claims import give_back
from ..jobs.executors import executor
from ..jobs.progress import in_words, time_left, work_through
from . import store as rows
from .states import folder_of, forget, kept
from .store import DONE, FAILED, OPEN, RUNNING, TIMEOUT, Task, TaskOutcome, one_line
from .variants import Grid
from .work import solve_variant

RETRIES = 2
"""A variant whose worker dies is tried this often again; then it is a failed row."""


@dataclass(frozen=True)
class Limits:
    """For each variant: ``timeout`` in seconds, ``memory`` in bytes; None: no limit."""

    timeout: float | None = None
    memory: int | None = None


@dataclass(frozen=True)
class Summary:
    """The result of a run: how many of its variants have each status now, and how many tries this run made itself."""

    path: Path
    counts: Mapping[str, int]
    tried: int
    grid: Grid


def sweep(
    grid: Grid,
    path: str | os.PathLike[str],
    *,
    workers: int | None = None,
    scheduler: str | None = None,
    method: str = AUTO,
    gap: Fraction | float | None = None,
    limits: Limits = Limits(),
    retry_failed: bool = False,
    improve: bool = False,
    limit: int | None = None,
    progress: Callable[[str], None] = quiet,
) -> Summary:
    """Solve the variants of *grid* (``variants.grid``), one row each in the SQLite file *path*.

    Rows that are settled stay; with *retry_failed* those that failed or met a limit are tried again, with *improve*
    those that met the time limit. A search that was broken off goes on from its state (``states``). Several runs may
    work on one file: each row is done once. A run that finds the rest held by others waits, and takes over what a dead
    run held. *workers* processes here, or the Dask cluster *scheduler*. *limit*: the most variants to try.

    Raises ``ParameterError`` and ``FileError`` before anything is solved, and ``NotSolvedError`` where the cluster is
    lost. On ``KeyboardInterrupt`` the work is stopped and its rows are open again. Where this module starts processes
    (without *scheduler*), a script that calls it needs ``if __name__ == "__main__":``.
    """
    if method != AUTO:
        find_method(method)
    wanted = None if gap is None else text(Fraction(gap))
    folder = folder_of(Path(path))
    like = Task("", "", {}, method, wanted, limits.timeout, limits.memory, folder=str(folder))
    tried, lost = 0, Counter[str]()
    with executor(workers, scheduler) as pool, rows.joined(Path(path), grid.variants, method, wanted) as store:
        if retry_failed or improve:
            rows.retry(store, rows.RETRIED if retry_failed else (TIMEOUT,))
        folder.mkdir(exist_ok=True)

        def claim(room: int) -> Iterator[tuple[Future[TaskOutcome], Task]]:
            nonlocal tried
            most = room if limit is None else min(room, limit - tried)
            for one in rows.claim(store, most, like) if most > 0 else ():
                tried += 1
                yield pool.submit(solve_variant, one), one

        def record(future: Future[TaskOutcome], one: Task) -> None:
            """Write one outcome; a row whose worker died becomes open again, until that was too often."""
            nonlocal tried
            outcome: TaskOutcome | None = None
            try:
                outcome = future.result()
            except pool.lost:
                pass
            except CancelledError:
                raise NotSolvedError("the cluster dropped its work; the same command goes on") from None
            except ParameterError:
                raise  # no variant's fault: the system gives no process
            except Exception as error:
                outcome = TaskOutcome(FAILED, error=f"{type(error).__name__}: {one_line(str(error))}")
            starts = pool.starts(future)
            if outcome is None:
                lost[one.key] += starts
                if lost[one.key] <= RETRIES:
                    give_back(store, [((one.key,), one.tries)])
                    tried -= 1
                    return
                outcome = TaskOutcome(FAILED, error=f"its worker died {lost[one.key]} times")
            if rows.finish(store, one, outcome, starts):
                found = kept(folder, one.key)
                forget(found if outcome.status == DONE else found[:-1])

        def report(busy: bool) -> None:
            """``12 of 60 variants, 2 running, about 3 min left``."""
            counts, width = rows.counts(store), pool.width()
            total, ahead = sum(counts.values()), counts.get(OPEN, 0) + counts.get(RUNNING, 0)
            parts = [f"{total - ahead} of {total} variants"]
            parts += [f"{counts[status]} {status}" for status in counts if status not in (OPEN, DONE)]
            left = in_words(time_left(*rows.sizes_and_times(store), max(width, 1), limits.timeout))
            if not busy and not counts.get(OPEN):
                left = "waiting for another run"
            elif not width:
                left = f"waiting for workers at {pool.address}: none there yet"
            progress(", ".join(filter(None, [*parts, left])))

        def unsettled() -> Mapping[str, int]:
            return {} if limit is not None and tried >= limit else rows.counts(store)

        try:
            work_through(store, pool, claim, record, unsettled, report)
        finally:
            if rows.all_settled(store):
                with suppress(OSError):
                    folder.rmdir()  # it is kept where there is a state in it
        return Summary(Path(path), rows.counts(store), tried, grid)
