"""Lemke's algorithm (C. E. Lemke, Management Science 11, 1965), for the equations of ``lcp`` and of ``small``."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from math import inf

from .driver import Iterate, Iterates


class NoEndError(Exception):
    """Lemke's path does not reach an equilibrium."""


def follow_path(exchange: Callable[[int], int], weights: int, t: int, most: float = inf) -> Iterates[None]:
    """Pivot until the weight t of the opponent's plan is 1, at most *most* times. Raises ``NoEndError``.

    *exchange*: a ratio test and a pivot; it makes a variable basic, and returns the variable that leaves the basis.
    *weights*: the number of weights; their complements, the slacks, follow. *t*: the variable t. The variable 1 - t,
    which is Lemke's artificial variable, follows it.
    """
    artificial, entering = t + 1, t
    for pivots in count(1):
        if pivots > most:
            raise NoEndError("the path is too long")
        yield Iterate("" if pivots % 100 else f"{pivots:,} pivots")
        leaving = exchange(entering)
        if leaving == artificial:
            return
        if leaving == t:
            raise NoEndError("the path returns to its start")
        complement = leaving + weights if leaving < weights else leaving - weights
        entering = complement
