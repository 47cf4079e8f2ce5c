"""From the basis that HiGHS holds for optimal to the exact optimum.

The basis is solved in rationals and priced exactly. Where it is optimal only within HiGHS' tolerances, the
program is shifted to that vertex and what is still wrong is magnified, so that HiGHS, in floats, sees it and
moves on: the iterative refinement of A. Gleixner, D. Steffy and K. Wolter, "Iterative refinement for linear
programming", INFORMS J. Comput. 28 (2016). Only bases are taken from HiGHS, all numbers are exact.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

import numpy as np
import numpy.typing as npt
from scipy import sparse

from .highs import Floats, LinearProgramError, Program, TimeLimit, Vertex, maximise
from .rational import ExactSystem, IntegerMatrix, NotExactError, Objects

ROUNDS = 12
"""Refinements before giving up; each sees some ten decimal digits deeper."""

GROWTH = 2**40
"""What is wrong is magnified at most so much more in each round."""

Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class ExactProgram:
    """Maximise column ``objective``, with ``matrix`` (integers) times the columns being at least 0, or equal.

    ``signed`` marks the columns that must not be negative (the others are free), ``equal`` the rows that are
    equations: their right-hand side is 0, but 1 in row ``unit_row``. ``unit``: some columns, the objective among
    them, and rows are that many times what ``floats``, the same program in floats, has: those that ``in_units`` marks
    (columns, rows), or, where that is None, the free columns and the inequality rows.
    """

    matrix: IntegerMatrix
    objective: int
    unit_row: int
    signed: Flags
    equal: Flags
    unit: int
    floats: Program
    in_units: tuple[Flags, Flags] | None = None

    def units(self) -> tuple[list[int], list[int]]:
        """How many times what the floats have each column and each row is."""
        columns, rows = self.in_units or (~self.signed, ~self.equal)
        return [self.unit if flag else 1 for flag in columns], [self.unit if flag else 1 for flag in rows]


def exact_program(
    matrix: IntegerMatrix, objective: int, unit_row: int, free: Flags, equal: Flags, payoffs: Objects
) -> ExactProgram:
    """A program in integers, with its floats: maximise column *objective* where row *unit_row* is 1.

    *free* marks the columns that may be negative, *equal* the rows that are equations. The *payoffs* are integers that
    stand in the matrix: free columns (the values of information sets) and inequality rows (what sequences are worth)
    are in units of the largest in the floats, which keeps HiGHS' absolute tolerances meaningful.
    """
    unit = max((abs(int(value)) for value in payoffs), default=1) or 1
    scaled = ~equal[matrix.rows] & ~free[matrix.columns]
    floats = np.empty(len(matrix.entries))
    floats[~scaled] = matrix.entries[~scaled]
    floats[scaled] = [entry / unit for entry in matrix.entries[scaled]]
    right, cost = np.zeros(matrix.shape[0]), np.zeros(matrix.shape[1])
    right[unit_row] = cost[objective] = 1.0
    program = Program(
        sparse.csc_matrix((floats, (matrix.rows, matrix.columns)), shape=matrix.shape),
        cost,
        np.where(free, -np.inf, 0.0),
        right,
        np.where(equal, right, np.inf),
    )
    return ExactProgram(matrix, objective, unit_row, ~free, equal, unit, program)


@dataclass(frozen=True)
class Point:
    """An exact basic solution: integers over one denominator for the columns, and for the rows' prices."""

    columns: Objects
    scale: int
    prices: Objects
    price_scale: int

    @property
    def primal(self) -> list[Fraction]:
        """The columns' values."""
        return [Fraction(value, self.scale) for value in self.columns]

    @property
    def dual(self) -> list[Fraction]:
        """The rows' prices."""
        return [Fraction(value, self.price_scale) for value in self.prices]


def exact_optimum(
    program: ExactProgram, vertex: Vertex, left: Callable[[], float | None], progress: Callable[[str], None]
) -> Point:
    """The exact optimum, from the *vertex* that HiGHS found. Raises ``NotExactError``.

    *left* returns the seconds that are left for refining, None for no limit.
    """
    return exact_basis(program, vertex, left, progress)[0]


def exact_basis(
    program: ExactProgram, vertex: Vertex, left: Callable[[], float | None], progress: Callable[[str], None]
) -> tuple[Point, Vertex]:
    """The exact optimum as ``exact_optimum`` finds it, and the vertex whose basis it is."""
    sight, price_sight = Fraction(1), Fraction(1)
    for _ in range(ROUNDS):
        point = _solve(program, vertex)
        wrong = _Wrong.at(program, point)
        if not wrong.most and not wrong.most_price:
            return point, vertex
        sight, price_sight = _nearer(sight, wrong.most), _nearer(price_sight, wrong.most_price)
        progress("refining the optimal basis")
        try:
            vertex = _refined(program, vertex, wrong, sight, price_sight, left(), progress)
        except TimeLimit:
            raise NotExactError("the time limit came first") from None
        except LinearProgramError as error:
            raise NotExactError(f"refining it: {error}") from error
    raise NotExactError("it stays optimal only within HiGHS' tolerances")


def _nearer(sight: Fraction, most: Fraction) -> Fraction:
    return min(1 / most, sight * GROWTH) if most else sight


def _solve(program: ExactProgram, vertex: Vertex) -> Point:
    """The basic solution of the vertex, and the prices that its basis gives. Raises ``NotExactError``."""
    rows, columns = np.flatnonzero(~vertex.basic_rows), np.flatnonzero(vertex.basic_columns)
    if len(rows) != len(columns):
        raise NotExactError("HiGHS' basis is not square")
    system = ExactSystem(program.matrix.part(rows, columns))
    primal = system.solve((rows == program.unit_row).astype(np.int64))
    dual = system.solve((columns == program.objective).astype(np.int64), transposed=True)
    values, scale = _spread(primal, columns, len(program.signed))
    prices, price_scale = _spread(dual, rows, len(program.equal))
    return Point(values, scale, prices, price_scale)


def _spread(values: list[Fraction], places: npt.NDArray[np.intp], size: int) -> tuple[Objects, int]:
    """Integers over one denominator, at their places among zeros."""
    scale = lcm(*(value.denominator for value in values))
    spread = np.zeros(size, dtype=object)
    spread[places] = [value.numerator * (scale // value.denominator) for value in values]
    return spread, scale


@dataclass(frozen=True)
class _Wrong:
    """How far an exact basic solution is from its bounds and from being priced right, in the floats' units.

    ``columns``, ``rows``: what each stands above its lower bound (negative: below it), or, in equations,
    above its right-hand side. ``gains``: what one more of each column would gain, ``row_gains``: of each
    inequality row's slack. ``most`` and ``most_price``: the worst shortfall, and the worst gain that is left.
    """

    columns: list[Fraction]
    rows: list[Fraction]
    gains: list[Fraction]
    row_gains: list[Fraction]
    most: Fraction
    most_price: Fraction

    @classmethod
    def at(cls, program: ExactProgram, point: Point) -> _Wrong:
        """Worked out exactly from the program's integers."""
        column_units, row_units = program.units()
        activity = program.matrix.times(point.columns)
        activity[program.unit_row] -= point.scale
        columns = [Fraction(int(value), point.scale * u) for value, u in zip(point.columns, column_units, strict=True)]
        rows = [Fraction(int(value), point.scale * u) for value, u in zip(activity, row_units, strict=True)]
        priced = -program.matrix.transposed.times(point.prices)
        priced[program.objective] += point.price_scale
        # Prices are in units of the objective.
        scale = point.price_scale * column_units[program.objective]
        gains = [Fraction(int(gain) * u, scale) for gain, u in zip(priced, column_units, strict=True)]
        row_gains = [Fraction(int(price) * u, scale) for price, u in zip(point.prices, row_units, strict=True)]
        signed, loose = np.flatnonzero(program.signed), np.flatnonzero(~program.equal)
        short = [-columns[j] for j in signed] + [-rows[i] for i in loose]
        short += [abs(rows[i]) for i in np.flatnonzero(program.equal)]
        left = [gains[j] for j in signed] + [abs(gains[j]) for j in np.flatnonzero(~program.signed)]
        left += [row_gains[i] for i in loose]
        zero = Fraction(0)
        return cls(columns, rows, gains, row_gains, max(zero, *short), max(zero, *left))


def _refined(
    program: ExactProgram,
    vertex: Vertex,
    wrong: _Wrong,
    sight: Fraction,
    price_sight: Fraction,
    timeout: float | None,
    progress: Callable[[str], None],
) -> Vertex:
    """HiGHS' next basis, from the program around the present one under a magnifying glass.

    The slacks of the inequality rows become columns, because they have prices now.
    """
    loose = np.flatnonzero(~program.equal)
    n, m, k = len(program.signed), len(program.equal), len(loose)
    slack = sparse.csc_matrix((-np.ones(k), (loose, np.arange(k))), shape=(m, k))
    lower = np.full(n + k, -np.inf)
    signed = np.flatnonzero(program.signed)
    lower[signed] = [-float(wrong.columns[j] * sight) for j in signed]
    lower[n:] = [-float(wrong.rows[i] * sight) for i in loose]
    gains = [*wrong.gains, *(wrong.row_gains[i] for i in loose)]
    cost: Floats = np.array([float(gain * price_sight) for gain in gains])
    right: Floats = np.array(
        [-float(row * sight) if e else 0.0 for row, e in zip(wrong.rows, program.equal, strict=True)]
    )
    around = Program(sparse.csc_matrix(sparse.hstack([program.floats.matrix, slack])), cost, lower, right, right)
    basic = np.concatenate([vertex.basic_columns, vertex.basic_rows[loose]])
    tight = vertex.basic_rows & program.equal
    found = maximise(around, timeout, progress, start=Vertex(np.zeros(0), np.zeros(0), basic, tight))
    rows = found.basic_rows.copy()
    rows[loose] |= found.basic_columns[n:]
    return Vertex(found.values[:n], found.duals, found.basic_columns[:n], rows)
