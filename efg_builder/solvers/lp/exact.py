"""The exact optimum of a linear program, from the basis that HiGHS considers optimal.

``ExactSystem`` factors a sparse integer matrix with floats, then refines a solution with exact residuals, until it
finds fractions that solve the system (Z. Wan, J. Symb. Comp. 41, 2006). Each step adds about 25 bits. ``exact_optimum``
solves a basis exactly. If the basis is optimal only within HiGHS' tolerances, the program is shifted to the vertex, its
errors are magnified, and HiGHS continues. This is the iterative refinement of A. Gleixner, D. Steffy and K. Wolter
(INFORMS J. Comput. 28, 2016).
"""

from __future__ import annotations

import mmap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ..driver import STEP, Iterate, Iterates
from ..protocol import TimeLimit
from .highs import Floats, LinearProgramError, Program, Vertex, maximize

if TYPE_CHECKING:
    import scipy

STEP_BITS = 25
SOLUTION_BITS = tuple(4 * STEP_BITS << k for k in range(7))
"""The precisions, in bits, at which fractions are tried as a solution: 100, 200, …, 6,400."""

INT64 = 2**62

BLAS_BUFFER = 33 << 20
"""Number of bytes that OpenBLAS allocates at its first use. If the allocation fails, OpenBLAS retries forever."""

REFINEMENTS = 12
"""Maximum number of refinements; each adds about ten decimal digits."""

MAGNIFICATION = 2**40
"""Maximum factor by which the magnification of errors grows per refinement."""

Flags = npt.NDArray[np.bool_]
Longs = npt.NDArray[np.int64]
Indices = npt.NDArray[np.intp]
Objects = npt.NDArray[np.object_]


HUGE = 1e9
"""Rows with a larger entry are scaled. HiGHS rejects entries above 1e15."""


class NotExactError(Exception):
    """The system is singular or too ill-conditioned, or its solution has more bits than allowed."""


@dataclass(frozen=True)
class IntegerMatrix:
    """A sparse matrix of Python integers, square if ``width`` is None; entries at the same position are added."""

    rows: Indices
    columns: Indices
    entries: Objects
    size: int
    width: int | None = None

    @property
    def shape(self) -> tuple[int, int]:
        return self.size, self.size if self.width is None else self.width

    @cached_property
    def transposed(self) -> IntegerMatrix:
        return IntegerMatrix(self.columns, self.rows, self.entries, *self.shape[::-1])

    def part(self, rows: Indices, columns: Indices) -> IntegerMatrix:
        """Return the submatrix of these rows and columns, in the given order."""
        row_of, column_of = (np.full(size, -1) for size in self.shape)
        row_of[rows], column_of[columns] = np.arange(len(rows)), np.arange(len(columns))
        at_row, at_column = row_of[self.rows], column_of[self.columns]
        kept = np.flatnonzero((at_row >= 0) & (at_column >= 0))
        return IntegerMatrix(at_row[kept], at_column[kept], self.entries[kept], len(rows), len(columns))

    def extended(self, cells: Sequence[tuple[int, int, int]]) -> IntegerMatrix:
        """Return the matrix with additional entries (row, column, value), enlarged if necessary."""
        more = np.array(cells, dtype=object).reshape(-1, 3)
        rows, columns = more[:, 0].astype(np.intp), more[:, 1].astype(np.intp)
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
        """The largest sum of absolute entries in a row."""
        sums = np.zeros(self.size, dtype=object)
        np.add.at(sums, self.rows, abs(self.entries))
        return int(max(sums, default=0))

    @cached_property
    def _int64(self) -> scipy.sparse.csr_matrix:
        import scipy.sparse

        return scipy.sparse.csr_matrix((self.entries.astype(np.int64), (self.rows, self.columns)), shape=self.shape)

    def times(self, vector: Objects) -> Objects:
        """Return the exact product with a vector of Python integers, computed with 64-bit integers if possible."""
        largest = max(map(abs, vector), default=0)
        if self.bound * max(largest, 1) < INT64:
            product: Objects = (self._int64 @ vector.astype(np.int64)).astype(object)
            return product
        sums = np.zeros(self.size, dtype=object)
        used = np.flatnonzero(vector[self.columns] != 0)
        np.add.at(sums, self.rows[used], self.entries[used] * vector[self.columns[used]])
        return sums


class ExactSystem:
    """A factored square integer matrix, for the exact solution of linear systems."""

    def __init__(self, matrix: IntegerMatrix) -> None:
        import scipy.sparse.linalg

        self._matrix = matrix
        try:
            floats = matrix.entries.astype(np.float64)
        except OverflowError as error:
            raise NotExactError("the coefficients are too large for floats") from error
        scaled = scipy.sparse.csc_matrix((floats, (matrix.rows, matrix.columns)), shape=matrix.shape)
        scaled.eliminate_zeros()
        self._row_scale, self._column_scale = _equilibrate(scaled)
        scaled.data *= self._row_scale[scaled.indices]
        scaled.data *= np.repeat(self._column_scale, np.diff(scaled.indptr))
        _check_room()
        try:
            self._factors = scipy.sparse.linalg.splu(scaled)
        except RuntimeError as error:
            raise NotExactError(str(error)) from error

    def solve(self, right: Longs, *, transposed: bool = False) -> Iterates[list[Fraction]]:
        """Return the exact solution of ``M z = right`` (or of the transposed system). Raises ``NotExactError``."""
        matrix = self._matrix.transposed if transposed else self._matrix
        digits, residual, bits = np.zeros(len(right), dtype=object), right.astype(object), 0
        for goal in SOLUTION_BITS:
            while bits < goal:
                yield STEP
                step = self._near(residual, transposed)
                digits = digits * (1 << STEP_BITS) + step
                residual = residual * (1 << STEP_BITS) - matrix.times(step)
                bits += STEP_BITS
                # If the refinement converges, the residual stays below about half of ``matrix.bound``. If it diverges,
                # the residual grows with every step.
                if max(map(abs, residual), default=0) > matrix.bound << 60:
                    raise NotExactError("the refinement does not converge")
            solution = _reconstruct(digits, bits)
            if solution is not None and _solves(matrix, solution, right):
                return solution
        raise NotExactError(f"no rational solution within {SOLUTION_BITS[-1]} bits")

    def _near(self, residual: Objects, transposed: bool) -> Objects:
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
    try:
        mmap.mmap(-1, BLAS_BUFFER).close()  # the unwritten buffer takes address space but no memory
    except OSError as error:
        raise MemoryError("no room for OpenBLAS") from error


def _equilibrate(matrix: scipy.sparse.csc_matrix) -> tuple[Floats, Floats]:
    """Return factors of rows and columns, powers of two, that bring all entries near 1 (D. Ruiz, 2001)."""
    entries = abs(matrix).tocoo()
    rows, columns = np.ones(matrix.shape[0]), np.ones(matrix.shape[1])
    for _ in range(4):
        scaled = rows[entries.row] * entries.data * columns[entries.col]
        rows *= _towards_one(entries.row, scaled, len(rows))
        columns *= _towards_one(entries.col, scaled, len(columns))
    return rows, columns


def _towards_one(places: npt.NDArray[np.integer[Any]], entries: Floats, size: int) -> Floats:
    """Return the factor for each of *size* rows or columns that brings its largest entry nearer to 1."""
    largest = np.zeros(size)
    np.maximum.at(largest, places, entries)
    powers: Floats = np.exp2(-np.rint(np.log2(np.where(largest > 0, largest, 1.0)) / 2))
    return powers


def _reconstruct(digits: Objects, bits: int) -> list[Fraction] | None:
    """Return fractions with small denominators near ``digits / 2**bits``, or None if the denominators are too large."""
    unit, bound = 1 << bits, 1 << (bits // 2 - 2)
    slack = 1 << (bits // 2)
    common, zero = 1, Fraction(0)
    result = []
    for number in digits:
        if not number:
            result.append(zero)
            continue
        # Components often have a common denominator, so try the denominator of the previous components first.
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


@dataclass(frozen=True)
class ExactProgram:
    """A linear program with integer coefficients that maximizes column ``objective``.

    Each row of ``matrix`` times the columns' values is at least 0, or exactly 0 if the row is flagged in ``equal``.
    ``unit_row`` has the right-hand side 1. ``signed``: flags of the columns that must be at least 0. ``floats``: the
    same program with floats. In ``floats``, the columns and rows flagged in ``in_units`` (None: free columns and
    inequality rows) are divided by ``unit``, and the rows in ``divisors`` also by their divisor.
    """

    matrix: IntegerMatrix
    objective: int
    unit_row: int
    signed: Flags
    equal: Flags
    unit: int
    floats: Program
    in_units: tuple[Flags, Flags] | None = None
    divisors: Mapping[int, int] = field(default_factory=dict)

    def units(self) -> tuple[list[int], list[int]]:
        """Return the factors of columns and rows by which the integer program and ``floats`` differ."""
        columns, rows = self.in_units or (~self.signed, ~self.equal)
        scales = [(self.unit if flag else 1) * self.divisors.get(row, 1) for row, flag in enumerate(rows)]
        return [self.unit if flag else 1 for flag in columns], scales


def exact_program(
    matrix: IntegerMatrix, objective: int, unit_row: int, free: Flags, equal: Flags, payoffs: Objects
) -> ExactProgram:
    """Return the program that maximizes column *objective*; row *unit_row* has the right-hand side 1.

    *free*: flags of the columns that may be negative. *equal*: flags of the rows that are equations. Because HiGHS'
    tolerances are absolute, free columns and inequality rows of ``floats`` are divided by the largest absolute value in
    *payoffs*. Rows with huge entries, which HiGHS rejects, are divided by the largest entry.
    """
    import scipy.sparse

    unit = max((abs(int(value)) for value in payoffs), default=1) or 1
    scaled = ~equal[matrix.rows] & ~free[matrix.columns]
    floats = np.empty(len(matrix.entries))
    floats[~scaled] = matrix.entries[~scaled]
    floats[scaled] = [entry / unit for entry in matrix.entries[scaled]]
    divisors = _divisors(matrix, floats)
    floats /= [float(divisors.get(row, 1)) for row in matrix.rows.tolist()] if divisors else 1.0
    right, cost = np.zeros(matrix.shape[0]), np.zeros(matrix.shape[1])
    right[unit_row] = cost[objective] = 1.0
    program = Program(
        scipy.sparse.csc_matrix((floats, (matrix.rows, matrix.columns)), shape=matrix.shape),
        cost,
        np.where(free, -np.inf, 0.0),
        right,
        np.where(equal, right, np.inf),
    )
    return ExactProgram(matrix, objective, unit_row, ~free, equal, unit, program, divisors=divisors)


def _divisors(matrix: IntegerMatrix, floats: Floats) -> dict[int, int]:
    """Return a divisor for each row with an entry of at least ``HUGE``."""
    found: dict[int, int] = {}
    for at in np.flatnonzero(np.abs(floats) >= HUGE).tolist():
        row = int(matrix.rows[at])
        found[row] = max(found.get(row, 1), int(abs(floats[at])))
    return found


@dataclass(frozen=True)
class Point:
    """An exact basic solution: the columns' values times ``scale``, and the rows' dual values times ``price_scale``."""

    columns: Objects
    scale: int
    prices: Objects
    price_scale: int

    @property
    def primal(self) -> list[Fraction]:
        return [Fraction(value, self.scale) for value in self.columns]

    @property
    def dual(self) -> list[Fraction]:
        return [Fraction(value, self.price_scale) for value in self.prices]


def solve_exactly(program: ExactProgram) -> Iterates[tuple[Point, Vertex]]:
    """Return the exact optimum and its basis. Raises ``NotExactError`` and ``LinearProgramError``."""
    vertex = yield from maximize(program.floats)
    return (yield from exact_optimum(program, vertex))


def solve_nearly(program: ExactProgram) -> Iterates[tuple[npt.NDArray[Any], npt.NDArray[Any], str]]:
    """Return the columns' values, the rows' dual values, and an empty string.

    If the basis cannot be solved exactly in time, the values are floats, and the string is the reason. Raises the
    errors of ``maximize``.
    """
    vertex = yield from maximize(program.floats)
    try:
        yield Iterate("solving the optimal basis exactly")
        point, _ = yield from exact_optimum(program, vertex)
    except (NotExactError, TimeLimit) as error:
        why = "the time limit came first" if isinstance(error, TimeLimit) else error
        return vertex.values, vertex.duals, f"the optimal basis was not solved exactly ({why})"
    return np.array(point.primal, dtype=object), np.array(point.dual, dtype=object), ""


def exact_optimum(program: ExactProgram, vertex: Vertex) -> Iterates[tuple[Point, Vertex]]:
    """Return the exact optimum and its basis, from HiGHS' *vertex*. Raises ``NotExactError``."""
    sight, price_sight = Fraction(1), Fraction(1)
    for _ in range(REFINEMENTS):
        point = yield from _solve(program, vertex)
        wrong = _Wrong.at(program, point)
        if wrong is None:
            return point, vertex
        sight, price_sight = _nearer(sight, wrong.most), _nearer(price_sight, wrong.most_price)
        yield Iterate("refining the optimal basis")
        try:
            vertex = yield from _refined(program, vertex, wrong, sight, price_sight)
        except LinearProgramError as error:
            raise NotExactError(f"the refinement failed: {error}") from error
    raise NotExactError("the basis is optimal only within HiGHS' tolerances")


def _nearer(sight: Fraction, most: Fraction) -> Fraction:
    return min(1 / most, sight * MAGNIFICATION) if most else sight


def _solve(program: ExactProgram, vertex: Vertex) -> Iterates[Point]:
    rows, columns = np.flatnonzero(~vertex.basic_rows), np.flatnonzero(vertex.basic_columns)
    if len(rows) != len(columns):
        raise NotExactError("HiGHS' basis is not square")
    system = ExactSystem(program.matrix.part(rows, columns))
    unit, objective = (rows == program.unit_row).astype(np.int64), (columns == program.objective).astype(np.int64)
    primal = yield from system.solve(unit)
    dual = yield from system.solve(objective, transposed=True)
    values, scale = _spread(primal, columns, len(program.signed))
    prices, price_scale = _spread(dual, rows, len(program.equal))
    return Point(values, scale, prices, price_scale)


def _spread(values: list[Fraction], places: Indices, size: int) -> tuple[Objects, int]:
    scale = lcm(*(value.denominator for value in values))
    spread = np.zeros(size, dtype=object)
    spread[places] = [value.numerator * (scale // value.denominator) for value in values]
    return spread, scale


@dataclass(frozen=True)
class _Wrong:
    """The errors of an exact basic solution, in the units of ``floats``.

    ``columns``, ``rows``: the values minus their lower bounds or right-hand sides. ``gains``, ``row_gains``: the
    reduced costs of columns and of slacks of rows. ``most``: the largest violation of a bound or an equation.
    ``most_price``: the largest reduced cost that contradicts optimality.
    """

    columns: list[Fraction]
    rows: list[Fraction]
    gains: list[Fraction]
    row_gains: list[Fraction]
    most: Fraction
    most_price: Fraction

    @classmethod
    def at(cls, program: ExactProgram, point: Point) -> _Wrong | None:
        """Return the errors of *point*; None if it is optimal. Signs are the same in all units, so test them first."""
        activity = program.matrix.times(point.columns)
        activity[program.unit_row] -= point.scale
        priced = -program.matrix.transposed.times(point.prices)
        priced[program.objective] += point.price_scale
        signed, equal = program.signed, program.equal
        wrong = [-point.columns[signed], -activity[~equal], abs(activity[equal])]
        wrong += [priced[signed], abs(priced[~signed]), point.prices[~equal]]
        if not any((part > 0).any() for part in wrong):
            return None
        column_units, row_units = program.units()
        columns = [Fraction(int(value), point.scale * u) for value, u in zip(point.columns, column_units, strict=True)]
        rows = [Fraction(int(value), point.scale * u) for value, u in zip(activity, row_units, strict=True)]
        # Dual values are in units of the objective.
        scale = point.price_scale * column_units[program.objective]
        gains = [Fraction(int(gain) * u, scale) for gain, u in zip(priced, column_units, strict=True)]
        row_gains = [Fraction(int(price) * u, scale) for price, u in zip(point.prices, row_units, strict=True)]
        loose = np.flatnonzero(~equal)
        short = [-columns[j] for j in np.flatnonzero(signed)] + [-rows[i] for i in loose]
        short += [abs(rows[i]) for i in np.flatnonzero(equal)]
        left = [gains[j] for j in np.flatnonzero(signed)] + [abs(gains[j]) for j in np.flatnonzero(~signed)]
        left += [row_gains[i] for i in loose]
        zero = Fraction(0)
        return cls(columns, rows, gains, row_gains, max(zero, *short), max(zero, *left))


def _refined(
    program: ExactProgram, vertex: Vertex, wrong: _Wrong, sight: Fraction, price_sight: Fraction
) -> Iterates[Vertex]:
    """Return HiGHS' next basis.

    The slacks of inequality rows become columns of the program, because the objective now contains these slacks.
    """
    import scipy.sparse

    loose = np.flatnonzero(~program.equal)
    n, m, k = len(program.signed), len(program.equal), len(loose)
    slack = scipy.sparse.csc_matrix((-np.ones(k), (loose, np.arange(k))), shape=(m, k))
    lower = np.full(n + k, -np.inf)
    signed = np.flatnonzero(program.signed)
    lower[signed] = [-float(wrong.columns[j] * sight) for j in signed]
    lower[n:] = [-float(wrong.rows[i] * sight) for i in loose]
    gains = [*wrong.gains, *(wrong.row_gains[i] for i in loose)]
    cost: Floats = np.array([float(gain * price_sight) for gain in gains])
    right: Floats = np.array(
        [-float(row * sight) if e else 0.0 for row, e in zip(wrong.rows, program.equal, strict=True)]
    )
    around = Program(
        scipy.sparse.csc_matrix(scipy.sparse.hstack([program.floats.matrix, slack])), cost, lower, right, right
    )
    basic = np.concatenate([vertex.basic_columns, vertex.basic_rows[loose]])
    tight = vertex.basic_rows & program.equal
    found = yield from maximize(around, Vertex(np.zeros(0), np.zeros(0), basic, tight))
    rows = found.basic_rows.copy()
    rows[loose] |= found.basic_columns[n:]
    return Vertex(found.values[:n], found.duals, found.basic_columns[:n], rows)
