"""How long a sweep may still take, from how long the variants so far took."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log
from statistics import linear_regression, mean

OVERHEAD = 0.5
"""Seconds that starting a process takes, about."""

FEWEST = 3
"""With fewer variants done there is nothing to go by."""


def time_left(
    settled: Sequence[tuple[int, float]],
    ahead: Sequence[int],
    width: int,
    limit: float | None = None,
    overhead: float = OVERHEAD,
) -> float | None:
    """Seconds until the variants of *ahead* (nodes) are done, *width* at a time; None where nobody can tell yet.

    *settled* has nodes and seconds of those done. The time of a game is taken to be a power of its nodes, fitted by
    least squares of the logarithms: rough: times of games of one size differ tenfold. None takes longer than *limit*;
    *overhead* comes on top of each.
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
