"""A run of a sweep: claim rows, solve their variants and write the outcomes, until no row is left."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from importlib.util import find_spec
from pathlib import Path

from ...base.errors import NotApplicableError, NotSolvedError, ParameterError
from ...base.rationals import text
from ...base.strict_json import strict_json
from ...base.words import quiet
from ...solvers.registry import AUTO
from ...solvers.registry import method as find_method
from ..jobs.executors import executor
from ..jobs.running import Jobs, Run, time_left
from . import store as rows
from .store import DONE, FAILED, TIMEOUT, Task, TaskOutcome, first_line
from .variants import Grid
from .work import folder_of, forget, kept, solve_variant


@dataclass(frozen=True)
class Summary:
    """The result of a run: the number of the run's variants by status, and the number of tries."""

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
    timeout: float | None = None,
    memory: int | None = None,
    retry_failed: bool = False,
    improve: bool = False,
    limit: int | None = None,
    progress: Callable[[str], None] = quiet,
) -> Summary:
    """Solve the variants of *grid* (``variants.grid``), and write a row for each to the SQLite file *path*.

    Settled rows are not solved again. *retry_failed* retries rows that failed or reached a limit, and *improve* retries
    rows that reached the time limit. *limit* is the maximum number of variants to try. *timeout* (seconds) and *memory*
    (bytes) limit each variant. Interrupted searches resume from their saved states (see ``work``). Several runs can
    share a file. The tasks run in *workers* processes or on the Dask cluster *scheduler*.

    Raises ``ParameterError`` and ``FileError`` before any search, and ``NotSolvedError`` if the cluster is lost. A
    script that calls this function without *scheduler* must protect the call with ``if __name__ == "__main__":``.
    """
    if method != AUTO:
        find_method(method)
    if memory is not None and find_spec("psutil") is None:
        raise NotApplicableError("--memory needs psutil, which is not installed: pip install psutil")
    wanted = None if gap is None else text(Fraction(gap))
    folder = folder_of(Path(path))
    with executor(workers, scheduler) as pool, rows.joined(Path(path), grid.variants, method, wanted) as store:
        if retry_failed or improve:
            rows.retry(store, rows.RETRIED if retry_failed else (TIMEOUT,))
        folder.mkdir(exist_ok=True)
        task = Task("", "", {}, method, wanted, timeout, memory, folder=str(folder))
        run = _SweepRun(store, pool, progress, task, folder, limit=limit)
        try:
            run.work()
        finally:
            if rows.all_settled(store):
                with suppress(OSError):
                    folder.rmdir()  # fails if the folder still contains a state
        return Summary(Path(path), store.counts(), run.tried, grid)


@dataclass(eq=False)
class _SweepRun(Run[TaskOutcome]):
    task: Task
    folder: Path

    unit = "variants"

    def submit(self, jobs: Jobs) -> Future[TaskOutcome]:
        (row,) = jobs
        given = {name: row[name] for name in ("key", "game", "tries")}
        task = replace(self.task, settings=strict_json(row["settings"]), **given)
        return self.pool.submit(solve_variant, task)

    def record(self, jobs: Jobs, result: TaskOutcome) -> None:
        (row,) = jobs
        if rows.finish(self.store, row, result, self.task.timeout, self.task.memory):
            found = kept(self.folder, row["key"])
            forget(found if result.status == DONE else found[:-1])

    def failed(self, error: Exception) -> TaskOutcome:
        if isinstance(error, ParameterError):
            raise error  # the system cannot start a process, so the variant did not fail
        kind = "" if isinstance(error, NotSolvedError) else f"{type(error).__name__}: "
        return TaskOutcome(FAILED, error=kind + first_line(str(error)))

    def seconds_left(self, counts: Mapping[str, int], width: int) -> float | None:
        return time_left(*rows.sizes_and_times(self.store), width, self.task.timeout)
