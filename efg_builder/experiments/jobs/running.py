"""The loop of a run over shared jobs, and an estimate of the remaining time."""

from __future__ import annotations

import sqlite3
import time
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Future, wait
from dataclasses import dataclass, field
from math import exp, log
from statistics import linear_regression, mean
from typing import ClassVar, Generic, TypeVar

from ...base.errors import NotSolvedError
from ...base.words import about
from .executors import Pool
from .store import DONE, OPEN, RUNNING, Store

PAUSE = 0.5  # seconds between two checks of other runs, and between two progress lines
RETRIES = 2  # the maximum number of retries of a job whose worker died
R = TypeVar("R")
Jobs = Sequence[sqlite3.Row]


@dataclass(eq=False)
class Run(ABC, Generic[R]):
    """A run, which claims jobs from a file, submits them and writes their results until no job is left.

    ``unit``: the noun for jobs in progress lines. ``limit``: the maximum number of jobs to try, or None. ``tried``: the
    number of jobs tried so far.
    """

    store: Store
    pool: Pool
    progress: Callable[[str], None]
    limit: int | None = field(default=None, kw_only=True)
    tried: int = field(default=0, init=False)
    _lost: Counter[tuple[object, ...]] = field(default_factory=Counter, init=False)

    unit: ClassVar[str] = "jobs"

    @abstractmethod
    def submit(self, jobs: Jobs) -> Future[R]:
        """Submit *jobs* to the pool as one task."""

    @abstractmethod
    def record(self, jobs: Jobs, result: R) -> None:
        """Write the *result* of *jobs*."""

    def failed(self, error: Exception) -> R:
        """Return the result of jobs that ended with *error*, or raise *error*."""
        raise error

    def together(self) -> int:
        """Return the maximum number of jobs per task."""
        return 1

    def counts(self) -> Mapping[str, int]:
        return self.store.counts()

    def seconds_left(self, counts: Mapping[str, int], width: int) -> float | None:
        """Return the remaining time in seconds with *width* simultaneous tasks; None if unknown."""
        return None

    def work(self) -> None:
        """Work until the limit is reached, or until no job is open and no other run holds a job.

        Raises ``NotSolvedError`` if the cluster is lost, and the errors of the subclass.
        """
        held: dict[Future[R], Jobs] = {}
        reported = float("-inf")
        while True:
            self.store.live()
            if (room := self.pool.width() - len(held)) > 0:
                held |= self._claim(room)
            if held:
                for future in wait(held, timeout=1.0, return_when=FIRST_COMPLETED)[0]:
                    self._end(future, held.pop(future))
            elif self._is_over():
                return
            else:
                time.sleep(PAUSE)
            if time.monotonic() - reported > PAUSE:
                reported = time.monotonic()
                self.progress(self._line(bool(held)))

    def _is_over(self) -> bool:
        counts = self.counts()
        reached = self.limit is not None and self.tried >= self.limit
        return reached or not counts.get(OPEN, 0) + counts.get(RUNNING, 0)

    def _claim(self, room: int) -> dict[Future[R], Jobs]:
        most = room * self.together()
        jobs = self.store.claim(most if self.limit is None else min(most, self.limit - self.tried))
        self.tried += len(jobs)
        return {self.submit(part): part for part in (jobs[k::room] for k in range(room)) if part}

    def _end(self, future: Future[R], jobs: Jobs) -> None:
        try:
            result = future.result()
        except BrokenExecutor:
            keys = [tuple(job[key] for key in self.store.schema.keys) for job in jobs]
            self._lost.update(keys)
            times = max(self._lost[key] for key in keys)
            if times <= RETRIES:
                self.store.give_back(jobs)
                self.tried -= len(jobs)
                return
            result = self.failed(NotSolvedError(f"its worker died {times} times"))
        except CancelledError:
            raise NotSolvedError("the cluster dropped its work; repeat the command to continue") from None
        except Exception as error:
            result = self.failed(error)
        self.record(jobs, result)

    def _line(self, busy: bool) -> str:
        """Return a progress line such as ``12 of 60 variants, 2 running, about 3 min left``."""
        counts, width = self.counts(), self.pool.width()
        total, ahead = sum(counts.values()), counts.get(OPEN, 0) + counts.get(RUNNING, 0)
        parts = [f"{total - ahead:,} of {total:,} {self.unit}"]
        parts += [f"{counts[status]:,} {status}" for status in counts if status not in (OPEN, DONE)]
        seconds = self.seconds_left(counts, max(width, 1))
        left = "" if seconds is None else f"about {about(seconds)} left"
        if not busy and not counts.get(OPEN):
            left = "waiting for another run" if counts.get(RUNNING) else ""
        elif not width:
            left = f"waiting for workers at {self.pool.address}: none yet"
        return ", ".join(filter(None, [*parts, left]))


OVERHEAD = 0.5  # the approximate start-up time of a process in seconds
FEWEST = 3  # the minimum number of finished jobs for an estimate


def time_left(
    settled: Sequence[tuple[int, float]], ahead: Sequence[int], width: int, limit: float | None = None
) -> float | None:
    """Estimate the time in seconds to solve games, *width* games at a time; None without enough data.

    *ahead*: the number of nodes of each unsolved game. *settled*: the number of nodes and the solve time in seconds of
    each solved game. The model is a power law in the number of nodes, fitted by least squares to the logarithms. No
    game takes more than *limit* seconds. The estimate is rough, because times of games of equal size differ by a factor
    of ten.
    """
    if len(settled) < FEWEST:
        return None
    sizes, times = [log(max(nodes, 1)) for nodes, _ in settled], [log(max(s, 0.01)) for _, s in settled]
    slope, start = linear_regression(sizes, times) if len(set(sizes)) > 1 else (0.0, mean(times))
    guesses = [exp(min(start + max(slope, 0.0) * log(max(nodes, 1)), 50.0)) for nodes in ahead]
    total = sum(OVERHEAD + (guess if limit is None else min(guess, limit)) for guess in guesses)
    return total / width
