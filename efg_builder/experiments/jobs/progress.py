"""The loop of a run over shared work, and an estimate of the time that is left."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from math import exp, log
from statistics import linear_regression, mean
from typing import TypeVar

from .claims import Store, live
from .pool import Pool

PAUSE = 0.5
"""Seconds between two looks at what other runs do, and two lines of progress."""

T = TypeVar("T")
J = TypeVar("J")


def work_through(
    store: Store,
    pool: Pool,
    claim: Callable[[int], Iterable[tuple[Future[T], J]]],
    record: Callable[[Future[T], J], None],
    counts: Callable[[], Mapping[str, int]],
    report: Callable[[bool], None],
) -> None:
    """Have *pool* work on the rows of *store* until none is left that is open, or that another run holds.

    *claim* claims and submits up to the given number of jobs, *record* writes the result of one that has ended,
    *counts* has the rows by status, and *report* is called twice a second, with whether this run has a job.

    Where a cluster has no workers nothing is claimed: the rows stay open, for any other run.
    """
    held: dict[Future[T], J] = {}
    reported = float("-inf")
    while True:
        live(store)
        if (room := pool.width() - len(held)) > 0:
            held.update(claim(room))
        if held:
            for future in wait(held, timeout=1.0, return_when=FIRST_COMPLETED)[0]:
                record(future, held.pop(future))
        else:
            known = counts()
            if not known.get("open", 0) + known.get("running", 0):
                return
            time.sleep(PAUSE)
        if time.monotonic() - reported > PAUSE:
            reported = time.monotonic()
            report(bool(held))


OVERHEAD = 0.5
"""Approximate seconds that starting a process takes."""

FEWEST = 3
"""With fewer variants done there is no estimate."""


def time_left(
    settled: Sequence[tuple[int, float]],
    ahead: Sequence[int],
    width: int,
    limit: float | None = None,
    overhead: float = OVERHEAD,
) -> float | None:
    """Seconds until the variants of *ahead* (nodes) are done, *width* at a time; None while it is not known.

    *settled* has nodes and seconds of those done. The time of a game is taken to be a power of its nodes, fitted by
    least squares of the logarithms. That is rough: times of games of one size differ tenfold. No variant takes longer
    than *limit*; *overhead* is added to each.
    """
    if len(settled) < FEWEST:
        return None
    sizes, times = [log(max(nodes, 1)) for nodes, _ in settled], [log(max(s, 0.01)) for _, s in settled]
    slope, start = linear_regression(sizes, times) if len(set(sizes)) > 1 else (0.0, mean(times))
    guesses = [exp(min(start + max(slope, 0.0) * log(max(nodes, 1)), 50.0)) for nodes in ahead]
    total = sum(overhead + (guess if limit is None else min(guess, limit)) for guess in guesses)
    return total / width


def in_words(seconds: float | None) -> str:
    """``about 3 min left``; empty where it is not known."""
    if seconds is None:
        return ""
    for size, unit in ((86400, "days"), (3600, "h"), (60, "min")):
        if seconds >= 2 * size:
            return f"about {seconds / size:,.0f} {unit} left"
    return f"about {seconds:.0f} s left"
