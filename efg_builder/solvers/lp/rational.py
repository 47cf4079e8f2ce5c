"""Exact solutions of large sparse linear systems with integer coefficients.

The matrix is factored once in floats; the solution is then refined with exact integer residuals, some
25 bits a step, until every component can be recognised as a rational, and the equations are checked exactly.
The idea is the iterative refinement of Z. Wan, "An algorithm to solve integer linear systems exactly using
numerical methods", J. Symb. Comp. 41 (2006), with rational reconstruction (P. Wang, 1981).
"""

from __future__ import annotations

import mmap
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm

import numpy as np
import numpy.typing as npt
from scipy import sparse
from scipy.sparse.linalg import splu

STEP_BITS = 25
GOALS = tuple(4 * STEP_BITS << k for k in range(7))
"""After how many bits a rational solution is looked for: 100, 200, ... 6,400, and no more."""

INT64 = 2**62

BLAS_BUFFER = 33 << 20
"""Bytes that OpenBLAS asks for at its first use; where it gets none it asks again, for ever."""

Longs = npt.NDArray[np.int64]
Objects = npt.NDArray[np.object_]


class NotExactError(Exception):
    """The system is singular, too ill-conditioned, or its solution has more bits than allowed."""


@dataclass(frozen=True)
class IntegerMatrix:
    """A sparse matrix of Python integers, ``size`` rows by ``width`` columns (None: square).

    Entries at one place add up.
    """

    rows: Longs
    columns: Longs
    entries: Objects
    size: int
    width: int | None = None

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.size, self.size if self.width is None else self.width

    @cached_property
    def transposed(self) -> IntegerMatrix:
        """Rows and columns exchanged."""
        return IntegerMatrix(self.columns, self.rows, self.entries, *self.shape[::-1])

    def part(self, rows: npt.NDArray[np.intp], columns: npt.NDArray[np.intp]) -> IntegerMatrix:
        """The entries in those rows and columns, which are numbered anew."""
        row_of, column_of = (np.full(size, -1) for size in self.shape)
        row_of[rows], column_of[columns] = np.arange(len(rows)), np.arange(len(columns))
        at_row, at_column = row_of[self.rows], column_of[self.columns]
        kept = np.flatnonzero((at_row >= 0) & (at_column >= 0))
        return IntegerMatrix(at_row[kept], at_column[kept], self.entries[kept], len(rows), len(columns))

    def extended(self, cells: Sequence[tuple[int, int, int]]) -> IntegerMatrix:
        """The matrix with more entries (row, column, number), and with more rows and columns where they need them."""
        more = np.array(cells, dtype=object).reshape(-1, 3)
        rows, columns = more[:, 0].astype(np.int64), more[:, 1].astype(np.int64)
        height, width = self.shape
        return IntegerMatrix(
            np.concatenate([self.rows, rows]),
            np.concatenate([self.columns, columns]),
            np.concatenate([self.entries, more[:, 2]]),
            max(height, 1 + int(rows.max(initial=-1))),
            max(width, 1 + int(columns.max(initial=-1))),
        )

    @cached_property
    def bound(self) -> int:
        """The greatest sum of absolute entries in a row."""
        sums = np.zeros(self.size, dtype=object)
        np.add.at(sums, self.rows, abs(self.entries))
        return int(max(sums, default=0))

    @cached_property
    def _int64(self) -> sparse.csr_matrix:
        return sparse.csr_matrix((self.entries.astype(np.int64), (self.rows, self.columns)), shape=self.shape)

    def times(self, vector: Objects) -> Objects:
        """The exact product with a vector of Python integers: in 64 bits where it fits."""
        largest = max(map(abs, vector), default=0)
        if self.bound * max(largest, 1) < INT64:
            product: Objects = (self._int64 @ vector.astype(np.int64)).astype(object)
            return product
        sums = np.zeros(self.size, dtype=object)
        used = np.flatnonzero(vector[self.columns] != 0)
        np.add.at(sums, self.rows[used], self.entries[used] * vector[self.columns[used]])
        return sums


class ExactSystem:
    """A square integer matrix, factored once; solves with it and with its transpose, exactly."""

    def __init__(self, matrix: IntegerMatrix) -> None:
        """Raises ``NotExactError`` where the matrix is singular in floats or too large for them."""
        self._matrix = matrix
        try:
            floats = matrix.entries.astype(np.float64)
        except OverflowError as error:
            raise NotExactError("the coefficients are too large for floats") from error
        scaled = sparse.csc_matrix((floats, (matrix.rows, matrix.columns)), shape=matrix.shape)
        self._row_scale, self._column_scale = _equilibrate(scaled)
        scaled = sparse.csc_matrix(sparse.diags(self._row_scale) @ scaled @ sparse.diags(self._column_scale))
        _check_room()
        try:
            self._factors = splu(scaled)
        except RuntimeError as error:
            raise NotExactError(str(error)) from error

    def solve(self, right: Longs, *, transposed: bool = False) -> list[Fraction]:
        """The exact solution of ``M z = right`` (or of the transposed system). Raises ``NotExactError``."""
        matrix = self._matrix.transposed if transposed else self._matrix
        digits, residual, bits = np.zeros(len(right), dtype=object), right.astype(object), 0
        for goal in GOALS:
            while bits < goal:
                step = self._near(residual, transposed)
                digits = digits * (1 << STEP_BITS) + step
                residual = residual * (1 << STEP_BITS) - matrix.times(step)
                bits += STEP_BITS
                # Rounding a step leaves at most half of each coefficient, bad conditioning more; what does not
                # converge grows with every step.
                if max(map(abs, residual), default=0) > matrix.bound << 60:
                    raise NotExactError("the refinement does not converge")
            solution = _reconstruct(digits, bits)
            if solution is not None and _solves(matrix, solution, right):
                return solution
        raise NotExactError(f"no rational solution within {GOALS[-1]} bits")

    def _near(self, residual: Objects, transposed: bool) -> Objects:
        """``2**STEP_BITS`` times the solution for *residual*, in floats, rounded to integers."""
        left, right = self._row_scale, self._column_scale
        if transposed:
            left, right = right, left
        try:
            floats = residual.astype(np.float64)
        except OverflowError as error:
            raise NotExactError("the coefficients are too large for floats") from error
        near = right * self._factors.solve(left * floats, trans="T" if transposed else "N")
        near = np.rint(near * 2.0**STEP_BITS)
        if not np.isfinite(near).all():
            raise NotExactError("the matrix is too ill-conditioned")
        if np.abs(near).max(initial=0) < INT64:
            whole: Objects = near.astype(np.int64).astype(object)
            return whole
        return np.array([int(value) for value in near], dtype=object)


def _check_room() -> None:
    """Raise ``MemoryError`` where there is no room for ``BLAS_BUFFER``."""
    try:
        mmap.mmap(-1, BLAS_BUFFER).close()  # nothing is written to it: it costs addresses alone
    except OSError as error:
        raise MemoryError("no room for OpenBLAS") from error


def _equilibrate(matrix: sparse.csc_matrix) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Powers of two for rows and columns that bring all entries near 1 (D. Ruiz, 2001)."""
    magnitude = abs(matrix)
    rows, columns = np.ones(matrix.shape[0]), np.ones(matrix.shape[1])
    for _ in range(4):
        scaled = sparse.diags(rows) @ magnitude @ sparse.diags(columns)
        rows *= _towards_one(scaled.max(axis=1))
        columns *= _towards_one(scaled.max(axis=0))
    return rows, columns


def _towards_one(largest: sparse.coo_matrix) -> npt.NDArray[np.float64]:
    values: npt.NDArray[np.float64] = np.asarray(largest.todense()).ravel()
    powers: npt.NDArray[np.float64] = np.exp2(-np.rint(np.log2(np.where(values > 0, values, 1.0)) / 2))
    return powers


def _reconstruct(digits: Objects, bits: int) -> list[Fraction] | None:
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


def _solves(matrix: IntegerMatrix, solution: list[Fraction], right: Longs) -> bool:
    common = lcm(*(z.denominator for z in solution))
    whole = np.array([z.numerator * (common // z.denominator) for z in solution], dtype=object)
    return bool((matrix.times(whole) == right.astype(object) * common).all())
