"""An optimal basis of a linear program, from an optimal vertex and its dual values.

Call a column *moved* if its value is not at its bound, and *priced* if its reduced cost is not 0. Call a row *loose* if
its slack is not 0, and *charged* if its dual value is not 0. A nonsingular submatrix is an optimal basis if its columns
contain all moved columns and no priced columns, and its rows contain all charged rows and no loose rows. At a vertex,
the moved columns are independent, and so are the charged rows. ``independent`` extends both sets within the rows and
columns that are allowed. The submatrix of any row basis and any column basis of a matrix is nonsingular.
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    import scipy

Flags = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]

ZERO = 1e-9
"""The tolerance of HiGHS: smaller distances, slacks and dual values are 0."""

DEPENDENT = 1e-9
"""A column whose remaining entries are at most this number is a combination of the columns chosen before."""

LARGE_ENOUGH = 0.1
"""Minimum absolute value of a pivot, relative to the largest entry in its column."""


def optimal_basis(
    matrix: scipy.sparse.csc_matrix, moved: Floats, priced: Floats, loose: Floats, charged: Floats, free: Flags
) -> tuple[Flags, Flags]:
    """Return flags of the columns and of the rows of an optimal basis.

    *moved*, *priced*: the absolute distance of each column from its bound, and its absolute reduced cost. *loose*,
    *charged*: the absolute slack of each row, and its absolute dual value. *free*: flags of the columns without bounds.
    """
    in_columns, in_rows = moved > ZERO, charged > ZERO
    columns = np.flatnonzero(in_columns | (priced <= ZERO))
    rows = np.flatnonzero(in_rows | (loose <= ZERO))
    allowed = matrix[rows][:, columns]
    ranks = np.where(in_columns, 0, np.where(free, 1, 2))[columns]
    chosen = np.zeros(len(moved), dtype=bool), np.zeros(len(charged), dtype=bool)
    chosen[0][columns] = independent(allowed.tocsc(), ranks)
    chosen[1][rows] = independent(allowed.T.tocsc(), np.where(in_rows, 0, 1)[rows])
    return chosen


def independent(matrix: scipy.sparse.csc_matrix, order: npt.NDArray[np.intp]) -> Flags:
    """Return flags of a largest set of independent columns. A column with a lower number in *order* is chosen first.

    Among columns with the same number, a column with few entries is chosen, and then a row with few entries (H. M.
    Markowitz, Management Science 3, 1957).
    """
    starts = matrix.indptr.tolist()
    rows, values = matrix.indices.tolist(), matrix.data.tolist()
    columns = [dict(zip(rows[a:b], values[a:b], strict=True)) for a, b in pairwise(starts)]
    users: list[set[int]] = [set() for _ in range(matrix.shape[0])]  # the open columns with an entry in each row
    for at, column in enumerate(columns):
        for row in column:
            users[row].add(at)
    ranks = order.tolist()
    waiting = [(rank, len(column), at) for at, (rank, column) in enumerate(zip(ranks, columns, strict=True))]
    heapify(waiting)
    chosen, closed = np.zeros(len(columns), dtype=bool), [False] * len(columns)
    while waiting:
        _, size, at = heappop(waiting)
        column = columns[at]
        if closed[at] or size != len(column):
            continue  # an old entry of the queue
        closed[at] = True
        for row in column:
            users[row].discard(at)
        most = max(map(abs, column.values()), default=0.0)
        if most <= DEPENDENT:
            continue
        chosen[at] = True
        large = [row for row, value in column.items() if abs(value) >= LARGE_ENOUGH * most]
        pivot = min(large, key=lambda row: len(users[row]))
        for other in list(users[pivot]):
            _eliminate(columns[other], column, pivot, other, users)
            heappush(waiting, (ranks[other], len(columns[other]), other))
    return chosen


def _eliminate(changed: dict[int, float], column: dict[int, float], pivot: int, at: int, users: list[set[int]]) -> None:
    """Subtract the multiple of *column* that makes the entry of *changed*, the column *at*, in the row *pivot* 0."""
    factor = changed[pivot] / column[pivot]
    for row, value in column.items():
        new = changed.get(row, 0.0) - factor * value
        if row == pivot or abs(new) <= DEPENDENT * abs(factor * value):
            if changed.pop(row, None) is not None:
                users[row].discard(at)
        else:
            changed[row] = new
            users[row].add(at)
