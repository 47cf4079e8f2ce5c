"""Exact solutions of large sparse linear systems with integer coefficients.

The matrix is factored once in floats; the solution is then refined with exact integer residuals, some
25 bits a step, until every component can be told as a rational, and the equations are checked exactly.
The idea is the output-sensitive iterative refinement of Z. Wan, "An algorithm to solve integer linear systems exactly
using numerical methods", J. Symb. Comp. 41 (2006), with rational reconstruction (P. Wang, 1981).
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm

import numpy as np
import numpy.typing as npt
from scipy import sparse
from scipy.sparse.linalg import splu

STEP_BITS = 25
MAX_BITS = 4000

Longs = npt.NDArray[np.int64]


class NotExactError(Exception):
    """The system is singular, too ill-conditioned, or its solution has more bits than allowed."""


class ExactSystem:
    """A square integer matrix, factored once; solves with it and with its transpose, exactly."""

    def __init__(self, matrix: sparse.csc_matrix) -> None:
        """Raises ``NotExactError`` where the matrix is singular in floats."""
        self._matrix = sparse.csc_matrix(matrix, dtype=np.int64)
        try:
            self._factors = splu(self._matrix.astype(np.float64))
        except RuntimeError as error:
            raise NotExactError(str(error)) from error

    def solve(self, right: Longs, *, transposed: bool = False) -> list[Fraction]:
        """The exact solution of ``M z = right`` (or of the transposed system). Raises ``NotExactError``."""
        matrix = self._matrix.T.tocsr() if transposed else self._matrix.tocsr()
        digits, residual, bits = np.zeros(len(right), dtype=object), right.astype(np.int64), 0
        goal = 4 * STEP_BITS
        while bits < MAX_BITS:
            while bits < goal:
                digits, residual = self._refine(matrix, digits, residual, transposed)
                bits += STEP_BITS
            solution = _reconstruct(digits, bits)
            if solution is not None and _solves(matrix, solution, right):
                return solution
            goal *= 2
        raise NotExactError(f"no rational solution within {MAX_BITS} bits")

    def _refine(
        self, matrix: sparse.csr_matrix, digits: npt.NDArray[np.object_], residual: Longs, transposed: bool
    ) -> tuple[npt.NDArray[np.object_], Longs]:
        """One more step: the next STEP_BITS bits of every component, and what then remains."""
        step = self._factors.solve(residual.astype(np.float64), trans="T" if transposed else "N")
        step = np.rint(step * 2.0**STEP_BITS)
        if not np.isfinite(step).all() or np.abs(step).max(initial=0) >= 2.0**52:
            raise NotExactError("the matrix is too ill-conditioned")
        whole = step.astype(np.int64)
        # Everything stays far below 2**63 while the residual stays small: then this is exact.
        remaining = (residual << STEP_BITS) - matrix @ whole
        if np.abs(remaining).max(initial=0) >= 2**36 or np.abs(matrix).max() * np.abs(step).max(initial=0) >= 2.0**58:
            raise NotExactError("the refinement does not converge")
        digits = digits * (1 << STEP_BITS) + whole.astype(object)
        return digits, remaining


def _reconstruct(digits: npt.NDArray[np.object_], bits: int) -> list[Fraction] | None:
    """The rationals of small denominator near ``digits / 2**bits``, or None where one is not apparent."""
    unit, bound = 1 << bits, 1 << (bits // 2 - 2)
    slack = 1 << (bits // 2)
    common, zero = 1, Fraction(0)
    result = []
    for number in digits:
        if not number:
            result.append(zero)
            continue
        # Components tend to share denominators: try the one found so far before a continued fraction.
        scaled = number * common
        whole = (scaled + (unit >> 1)) >> bits
        if abs(scaled - (whole << bits)) * 4 < slack * common:
            result.append(Fraction(whole, common))
            continue
        fraction = Fraction(number, unit).limit_denominator(bound)
        common = lcm(common, fraction.denominator)
        if common > bound:
            return None
        result.append(fraction)
    return result


def _solves(matrix: sparse.csr_matrix, solution: list[Fraction], right: Longs) -> bool:
    common = lcm(*(z.denominator for z in solution))
    whole = np.array([z.numerator * (common // z.denominator) for z in solution], dtype=object)
    entries = matrix.tocoo()
    used = whole[entries.col] != 0
    sums = np.zeros(len(right), dtype=object)
    np.add.at(sums, entries.row[used], entries.data[used].astype(object) * whole[entries.col[used]])
    return bool((sums == right.astype(object) * common).all())
