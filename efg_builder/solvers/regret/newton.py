"""Newton's method on the indifference equations of a support.

The unknowns are the probabilities at reached information sets with several actions in the support. Each player's payoff
is a polynomial in the unknowns. In an equilibrium, the derivatives of the mover's payoff with respect to the
probabilities at an information set are equal. With the equations for the sums of probabilities, the number of equations
equals the number of unknowns. The equations are often dependent, because equilibria can lie on curves. Each step is
therefore the shortest step that solves the linearized equations (Gauss-Newton), shortened so that all probabilities
stay positive.

R. Porter, E. Nudelman and Y. Shoham (Games Econ. Behav. 2008) search over supports in a similar way.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ..driver import STEP, Iterates

Floats = npt.NDArray[Any]
"""Floats of 32 or 64 bits."""

Terms = Mapping[tuple[int, ...], Sequence[float]]
"""The players' payoffs as polynomials: for each product of unknowns, one coefficient for each player."""


@dataclass(frozen=True)
class NewtonSettings:
    """The settings of Newton's method. Payoffs are scaled to be between -1 and 1."""

    most_steps: int = 40
    shortest_step: float = 0.02
    """A step is blocked if less than this fraction of the step is possible."""
    least_start: float = 1e-4
    """Minimum probability of an action in the support at the start."""
    share_of_way: float = 0.9
    """Share of the way to the boundary, where a probability is 0, that a step may take."""
    solved_residual: float = 1e-10
    """Maximum residual of the equations at a solution."""
    enough_residual: float = 1e-11
    """Below this residual, the method stops when a step does not reduce the residual."""
    denominators: tuple[int, ...] = (2, 3, 4, 6, 12)
    """The denominators that are tried, in turn, to fix a free probability at a simple fraction."""
    free_share: float = 1e-7
    """Singular values up to this share of the largest one are treated as 0: solutions can move in these directions."""


SETTINGS = NewtonSettings()


@dataclass(frozen=True)
class MixedSet:
    """The player and the unknowns of an information set with several actions in the support."""

    player: int
    unknowns: range


@dataclass(frozen=True)
class NewtonResult:
    """Probabilities that solve all equations (or None), and the unknown that blocks all steps (or None)."""

    x: Floats | None = None
    blocking: int | None = None


class MixedSupport:
    """A support and its indifference equations.

    *terms*: the payoffs as polynomials in the unknowns. ``start``: the initial probability of each unknown. ``where``:
    the position of each unknown in the engine's arrays.
    """

    def __init__(self, terms: Terms, sets: Sequence[MixedSet], start: Floats, where: Sequence[tuple[int, ...]]) -> None:
        self.start, self.where = start, where
        self.count = count = len(start)
        if not count:
            return
        # Unknown number ``count`` is the constant 1.
        self.unknowns = np.full((len(terms), max(map(len, terms))), count, dtype=np.intp)
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
        # For each position in the products, the terms that have an unknown at this position.
        self.places = [np.flatnonzero(column < count) for column in self.unknowns.T]

    def solve(self) -> Iterates[NewtonResult]:
        """Solve all equations, beginning at ``start``."""
        if not self.count:
            return NewtonResult(self.start)
        return (yield from self._newton(np.maximum(self.start, SETTINGS.least_start), {}))

    def simplify(self, x: Floats, holds: Callable[[Floats], bool]) -> Iterates[Floats]:
        """Move the free probabilities of the solution *x* to simple fractions for which *holds* is true."""
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
                moved = (yield from self._newton(x, fixed | {unknown: value})).x
                if moved is not None and holds(moved):
                    x, fixed[unknown] = moved, value
                    break
        return x

    def _residuals(self, x: Floats) -> tuple[Floats, Floats]:
        """Return the residuals of the equations, shape (count,), and their derivatives, shape (count, count)."""
        count = self.count
        values = np.append(x, 1.0)[self.unknowns]
        whole = values.prod(axis=1)
        gradient, hessian = np.zeros(count), np.zeros((count, count + 1))
        for place, terms in enumerate(self.places):
            mine = self.unknowns[terms, place]
            # All values are positive, so a product can be divided by one of its factors.
            paid = self.paid[terms, self.player[mine]] * whole[terms] / values[terms, place]
            gradient += np.bincount(mine, paid, minlength=count)
            for other in range(len(self.places)):
                if other != place:
                    np.add.at(hessian, (mine, self.unknowns[terms, other]), paid / values[terms, other])
        hessian = hessian[:, :count]
        residuals = np.concatenate([gradient[self.others] - gradient[self.first], self.sums @ x - 1])
        return residuals, np.concatenate([hessian[self.others] - hessian[self.first], self.sums])

    def _newton(self, x: Floats, fixed: Mapping[int, float]) -> Iterates[NewtonResult]:
        """Solve the equations and the values of *fixed* unknowns by Gauss-Newton steps, beginning at *x*."""
        rows, values = np.eye(self.count)[list(fixed)], np.array(list(fixed.values()))
        best, least = x, np.inf
        for _ in range(SETTINGS.most_steps):
            yield STEP
            residuals, jacobian = self._residuals(x)
            residuals, jacobian = np.concatenate([residuals, rows @ x - values]), np.concatenate([jacobian, rows])
            residual = float(np.abs(residuals).max())
            if residual < least:
                best, least = x, residual
            elif least < SETTINGS.enough_residual:
                break
            step = np.linalg.lstsq(jacobian, -residuals, rcond=1e-9)[0]
            falling = step < 0
            # The number of steps after which each probability is 0.
            ways = np.where(falling, x / np.where(falling, -step, 1), np.inf)
            length = min(1.0, SETTINGS.share_of_way * float(ways.min()))
            if length < SETTINGS.shortest_step:
                return NewtonResult(blocking=int(ways.argmin()))
            x = x + length * step
        return NewtonResult(best if least <= SETTINGS.solved_residual else None)

    def _freedom(self, x: Floats, fixed: Mapping[int, float]) -> Floats:
        rows = np.concatenate([self._residuals(x)[1], np.eye(self.count)[list(fixed)]])
        _, sizes, directions = np.linalg.svd(rows)
        loose = directions[np.count_nonzero(sizes > SETTINGS.free_share * sizes[0]) :]
        far: Floats = np.linalg.norm(loose, axis=0)
        return far
