"""From a support to an equilibrium: indifference at the mixed sets that play reaches, by Newton's method.

Each player's payoff is a polynomial in the probabilities at the sets where the support has more than one action, affine
in each of them (perfect recall). In an equilibrium all actions played at a set are worth the same: the derivatives of
the mover's payoff by their probabilities are equal. With the sums to 1 these are as many equations as unknowns, but
often not independent: equilibria can lie on curves. So each step is the shortest one that solves the linearized
equations (Gauss-Newton), cut short where a probability would fall below 0. One that blocks all steps leaves the support
(R. Porter, E. Nudelman and Y. Shoham, Games Econ. Behav. 2008, search over supports in this way).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[Any]
"""Floats of 32 or 64 bits."""

Look = Callable[[], object]
"""Called now and then on a long way: it may raise something, to end it."""


def never() -> None:
    """Nothing ends the way."""


Terms = Mapping[tuple[int, ...], Sequence[float]]
"""Each player's payoff as a polynomial: by the unknowns of a product, its coefficient for each player."""


@dataclass(frozen=True)
class NewtonSettings:
    """The settings of Newton's method; payoffs are of the size of 1."""

    most_steps: int = 40
    shortest_step: float = 0.02
    """A step that must be cut to less than this part of its length is blocked."""
    least_start: float = 1e-4
    """The least probability in a support at the start."""
    solved_residual: float = 1e-10
    """The residual of the equations that counts as solved."""
    enough_residual: float = 1e-11
    """The residual below which no step need follow that leaves more."""
    denominators: tuple[int, ...] = (2, 3, 4, 6, 12)
    """Of the fractions at which a free probability is fixed, the first that works."""
    free_share: float = 1e-7
    """Singular values up to this part of the largest count as 0: along their vectors solutions go on."""


SETTINGS = NewtonSettings()


@dataclass(frozen=True)
class MixedSet:
    """A set that is reached and at which more than one action is played: its player and its unknowns, by number."""

    player: int
    unknowns: range


class MixedSupport:
    """What a support leads to, and its indifference equations, as many as unknowns.

    *terms*: payoffs as polynomials of the unknowns. ``start``: a probability for each unknown. ``where``: what unknown
    stands for which action, as the arrays that the support was made from have it. ``look`` is called before each step.
    """

    def __init__(
        self,
        terms: Terms,
        sets: Sequence[MixedSet],
        start: Floats,
        where: Sequence[tuple[int, ...]],
        look: Look = never,
    ) -> None:
        self.start, self.where, self.look = start, where, look
        self.count = count = len(start)
        if not count:
            return
        # Unknown number ``count`` is the constant 1.
        self.unknowns = np.full((len(terms), max(map(len, terms))), count, dtype=np.int64)
        for row, product in enumerate(terms):
            self.unknowns[row, : len(product)] = product
        self.paid = np.array(list(terms.values()), dtype=np.float64)
        self.player = np.concatenate([np.full(len(one.unknowns), one.player) for one in sets])
        first = np.concatenate([np.full(len(one.unknowns), one.unknowns.start) for one in sets])
        self.others = np.flatnonzero(first != np.arange(count))
        self.first = first[self.others]
        self.sums = np.zeros((len(sets), count))
        for row, one in enumerate(sets):
            self.sums[row, one.unknowns] = 1
        # Which terms have an unknown at each place of their product.
        self.places = [np.flatnonzero(column < count) for column in self.unknowns.T]

    def solved(self) -> tuple[Floats | None, int | None]:
        """Probabilities that solve all equations (or None), and the unknown that blocks the way at 0 (or None)."""
        if not self.count:
            return self.start, None
        return self._solved(np.maximum(self.start, SETTINGS.least_start), {})

    def simplified(self, x: Floats, holds: Callable[[Floats], bool]) -> Floats:
        """The solution *x*, moved to where free probabilities are simple fractions, as long as *holds*."""
        fixed: dict[int, float] = {}
        tried: set[int] = set()
        while len(tried) < self.count:
            free = self._freedom(x, fixed)
            free[list(tried)] = 0
            unknown = int(free.argmax())
            if free[unknown] < 1e-6:
                break
            tried.add(unknown)
            for denominator in SETTINGS.denominators:
                value = float(Fraction(round(x[unknown] * denominator), denominator))
                if not 0 < value < 1:
                    continue
                moved = self._solved(x, fixed | {unknown: value})[0]
                if moved is not None and holds(moved):
                    x, fixed[unknown] = moved, value
                    break
        return x

    def _worked_out(self, x: Floats) -> tuple[Floats, Floats]:
        """What is left of the equations, shape (count,), and its derivatives, shape (count, count)."""
        count = self.count
        values = np.append(x, 1.0)[self.unknowns]
        whole = values.prod(axis=1)
        gradient, second = np.zeros(count), np.zeros((count, count + 1))
        for place, terms in enumerate(self.places):
            mine = self.unknowns[terms, place]
            # All values are positive, so that one of a product can be divided away.
            paid = self.paid[terms, self.player[mine]] * whole[terms] / values[terms, place]
            gradient += np.bincount(mine, paid, minlength=count)
            for other in range(len(self.places)):
                if other != place:
                    np.add.at(second, (mine, self.unknowns[terms, other]), paid / values[terms, other])
        equal = np.concatenate([gradient[self.others] - gradient[self.first], self.sums @ x - 1])
        by = second[:, :count]
        return equal, np.concatenate([by[self.others] - by[self.first], self.sums])

    def _solved(self, x: Floats, fixed: Mapping[int, float]) -> tuple[Floats | None, int | None]:
        held, values = np.eye(self.count)[list(fixed)], np.array(list(fixed.values()))
        best, least = x, np.inf
        for _ in range(SETTINGS.most_steps):
            self.look()
            left, slopes = self._worked_out(x)
            left, slopes = np.concatenate([left, held @ x - values]), np.concatenate([slopes, held])
            size = float(np.abs(left).max())
            if size < least:
                best, least = x, size
            elif least < SETTINGS.enough_residual:
                break
            step = np.linalg.lstsq(slopes, -left, rcond=1e-9)[0]
            falling = step < 0
            ways = np.where(falling, x / np.where(falling, -step, 1), np.inf)
            if 0.9 * ways.min() < SETTINGS.shortest_step:
                return None, int(ways.argmin())
            x = x + min(1.0, 0.9 * float(ways.min())) * step
        return (best if least <= SETTINGS.solved_residual else None), None

    def _freedom(self, x: Floats, fixed: Mapping[int, float]) -> Floats:
        rows = np.concatenate([self._worked_out(x)[1], np.eye(self.count)[list(fixed)]])
        _, sizes, directions = np.linalg.svd(rows)
        loose = directions[np.count_nonzero(sizes > SETTINGS.free_share * sizes[0]) :]
        far: Floats = np.linalg.norm(loose, axis=0)
        return far
