"""From probabilities in floats to fractions that sum to exactly 1."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

SIMPLE = 1_000
"""Denominators up to this are looked for first."""

NEAR = 1e-13
"""A float this near to a simple fraction is taken for it: that happens by chance once in ten million."""


@lru_cache(maxsize=100_000)
def exact_row(row: tuple[float, ...]) -> tuple[Fraction, ...]:
    """The probabilities of *row*, which sum to about 1, in fractions.

    Simple ones where all are within ``NEAR`` of such that sum to 1; else just the floats, and the largest takes what
    is left to 1.
    """
    simple = [Fraction(p).limit_denominator(SIMPLE) for p in row]
    if sum(simple) == 1 and all(abs(float(q) - p) <= NEAR for q, p in zip(simple, row, strict=True)):
        return tuple(simple)
    found = [Fraction(p) for p in row]
    largest = max(range(len(found)), key=found.__getitem__)
    found[largest] += 1 - sum(found)
    return tuple(found)
