"""A run of a sweep: claims rows, has them solved, writes what came of them, until there is nothing left to do."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

from ...base.errors import NotSolvedError
from ...base.rationals import text
from ...solvers import AUTO
from ...solvers import method as find_method
from ..jobs import live
from . import store as rows
from .pool import Pool
from .rows import DONE, FAILED, OPEN, RUNNING, Outcome, Task, one_line
from .schedulers import executor
from .store import Claim, Store, joined
from .time_left import in_words, time_left
from .variants import Grid
from .work import solve_variant

RETRIES = 2
"""A variant whose workers die is given to so many more; then it is a failed row."""

PAUSE = 0.5
"""Seconds between two looks at what other runs do, where they have all that is left."""


@dataclass(frozen=True)
class Limits:
    """For each variant: ``timeout`` in seconds, ``memory`` in bytes; None: no limit."""

    timeout: float | None = None
    memory: int | None = None


@dataclass(frozen=True)
class Summary:
    """What a run came to: how many of its variants have each status now, and how many tries this run made itself."""

    path: Path
    counts: Mapping[str, int]
    tried: int
    grid: Grid


@dataclass
class _Run:
    """What changes while a run goes on: the rows held, the tries begun, the workers that each row lost, and when
    progress was last told.
    """

    store: Store
    pool: Pool
    make: Callable[[Claim], Task]
    held: dict[Future[Outcome], tuple[Claim, Task]] = field(default_factory=dict)
    tried: int = 0
    lost: Counter[str] = field(default_factory=Counter)
    spoken: float = float("-inf")


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
    limit: int | None = None,
    progress: Callable[[str], None] = lambda line: None,
) -> Summary:
    """Solve the variants of *grid* (``variants.grid``), one row each in the SQLite file *path*.

    Rows that are settled stay; with *retry_failed* those that failed or met a limit are tried again. Several runs may
    work on one file: each row is done once. A run that finds the rest held by others waits, and takes over what a dead
    run held. *workers* processes here, or the Dask cluster *scheduler*. *limit*: try at most so many variants.

    Raises ``ParameterError`` and ``FileError`` before anything is solved, and ``NotSolvedError`` where the cluster is
    lost. On ``KeyboardInterrupt`` the work is stopped and its rows are open again. Where this module starts processes
    (without *scheduler*), a script that calls it needs ``if __name__ == "__main__":``.
    """
    if method != AUTO:
        find_method(method)
    wanted = None if gap is None else text(Fraction(gap))

    def task(claim: Claim) -> Task:
        return Task(claim.key, claim.game, claim.settings, method, wanted, limits.timeout, limits.memory)

    with executor(workers, scheduler) as pool, joined(Path(path), grid.variants, method, wanted) as store:
        if retry_failed:
            rows.retry(store)
        run = _Run(store, pool, task)
        while _step(run, limit):
            if time.monotonic() - run.spoken > PAUSE:
                run.spoken = time.monotonic()
                progress(_line(run, limits.timeout))
        return Summary(Path(path), rows.counts(store), run.tried, grid)


def _step(run: _Run, limit: int | None) -> bool:
    """Claim what there is room for, and wait a moment for what ends; whether there is more to do.

    Where a cluster has no workers there is no room: its rows stay open, for any other run to claim.
    """
    live(run.store)
    room = run.pool.width() - len(run.held)
    if limit is not None:
        room = min(room, limit - run.tried)
    if room > 0:
        for claim in rows.claim(run.store, room):
            task = run.make(claim)
            run.held[run.pool.submit(solve_variant, task)] = (claim, task)
            run.tried += 1
    if not run.held:
        counts = rows.counts(run.store)
        if (limit is not None and run.tried >= limit) or not counts.get(OPEN, 0) + counts.get(RUNNING, 0):
            return False
        time.sleep(PAUSE)
        return True
    ended, _ = wait(run.held, timeout=1.0, return_when=FIRST_COMPLETED)
    for future in ended:
        _record(run, future, *run.held.pop(future))
    return True


def _record(run: _Run, future: Future[Outcome], claim: Claim, task: Task) -> None:
    """Write one outcome; a row whose worker died becomes open again, until that was too often."""
    try:
        outcome = future.result()
    except run.pool.lost:
        starts = run.pool.starts(future)
        run.lost[claim.key] += starts
        if run.lost[claim.key] <= RETRIES:
            rows.give_back(run.store, claim)
            run.tried -= 1
            return
        outcome = Outcome(FAILED, error=f"its worker died {run.lost[claim.key]} times")
        rows.finish(run.store, claim, task, outcome, starts)
        return
    except CancelledError:
        raise NotSolvedError("the cluster dropped what it had to do; the same command goes on") from None
    except Exception as error:
        outcome = Outcome(FAILED, error=f"{type(error).__name__}: {one_line(str(error))}")
    rows.finish(run.store, claim, task, outcome, run.pool.starts(future))


def _line(run: _Run, timeout: float | None) -> str:
    """``12 of 60 variants, 2 running, about 3 min left``."""
    counts = rows.counts(run.store)
    total, ahead = sum(counts.values()), counts.get(OPEN, 0) + counts.get(RUNNING, 0)
    parts = [f"{total - ahead} of {total} variants"]
    parts += [f"{counts[status]} {status}" for status in counts if status not in (OPEN, DONE)]
    left = in_words(time_left(*rows.course(run.store), max(run.pool.width(), 1), timeout))
    if not run.held and not counts.get(OPEN):
        left = "waiting for another run"
    elif not run.pool.width():
        left = f"waiting for workers at {run.pool.address}: none there yet"
    return ", ".join(filter(None, [*parts, left]))
