"""Exact equilibria of two-player constant-sum games with perfect recall, by one linear program.

Player 1's problem in the sequence form: a realization plan that guarantees most against every plan of
player 2; the dual is player 2's. D. Koller, N. Megiddo and B. von Stengel, "Fast algorithms for finding
randomized strategies in game trees", STOC 1994. HiGHS solves it in floats; its optimal basis is then
solved again in rationals, which gives both players' plans exactly.
"""

from __future__ import annotations

import time
from fractions import Fraction

import numpy as np
import numpy.typing as npt
from scipy import sparse

from ..profile import Profile
from ..sequence_form import PlayerSequences, SequenceForm, behavior, sequence_form
from ..tree import NONE, GameTree
from .highs import LinearProgramError, Program, TimeLimit, Vertex, maximise
from .protocol import Facts, Found, Request, Solver, two_player_constant_sum
from .rational import ExactSystem, IntegerMatrix, NotExactError

DENOMINATOR = 10**6
"""Bound on the denominators of single probabilities where the basis cannot be made exact."""

FLOAT_ZERO = 1e-9
"""Realization weights below this are taken for never played, where plans are rounded."""

ZERO = Fraction(0)


def run(tree: GameTree, request: Request) -> Found:
    """One equilibrium: exact where the basis can be solved in rationals, otherwise near-optimal rationals."""
    began = time.monotonic()
    request.progress("building the sequence form")
    form = sequence_form(tree)
    structure = _structure(form)
    left = None if request.timeout is None else request.timeout - (time.monotonic() - began)
    try:
        vertex = maximise(_program(form, structure), left, request.progress)
    except TimeLimit:
        return Found((), "timeout", "HiGHS reached no optimum within the time limit")
    except LinearProgramError as error:
        return Found((), "failed", str(error))
    request.progress("solving the optimal basis in rationals")
    try:
        one, two = map(behavior, form.players, _exact_plans(form, structure, vertex))
        message = ""
    except NotExactError as error:
        n1, n2 = (side.count for side in form.players)
        one, two = map(_rounded, form.players, (vertex.values[:n1], -vertex.duals[:n2]))
        message = f"the optimal basis was not solved in rationals ({error}), so the probabilities are rounded"
    return Found((Profile.from_personal(tree, one | two),), "done", message)


def _structure(form: SequenceForm) -> sparse.csc_matrix:
    """The constraints without the payoffs, in integers.

    Columns are x (player 1's sequences), then q (the value of the root, then of player 2's sets). Rows,
    first one for each sequence s of player 2: the values of the sets that s leads to, minus the value
    of s's own set, plus (payoffs) what x earns with s, is at least 0. Then ``x_empty = 1``, and for each
    set of player 1: its actions' weights minus its parent's are 0.
    """
    one, two = form.players
    n1, n2 = one.count, two.count
    sets = n2 + 1 + np.arange(len(one.infosets))
    parts = [
        (two.parent, n1 + 1 + np.arange(len(two.infosets)), 1),
        (np.arange(n2), n1 + 1 + two.owner, -1),
        (np.array([n2]), np.array([0]), 1),
        (np.repeat(sets, one.widths), np.arange(1, n1), 1),
        (sets, one.parent, -1),
    ]
    rows, columns = (np.concatenate([part[k] for part in parts]) for k in range(2))
    data = np.concatenate([np.full(len(part[0]), part[2], dtype=np.int64) for part in parts])
    shape = (n2 + 1 + len(one.infosets), n1 + 1 + len(two.infosets))
    return sparse.csc_matrix((data, (rows, columns)), shape=shape)


def _program(form: SequenceForm, structure: sparse.csc_matrix) -> Program:
    one, two = form.players
    # The unit of q is free: entries up to 1 keep HiGHS' absolute tolerances meaningful.
    unit = max((abs(value) for value in form.payoffs), default=1)
    floats = np.array([value / unit for value in form.payoffs], dtype=np.float64)
    rows, columns = structure.shape
    row_lower, row_upper = np.zeros(rows), np.zeros(rows)
    row_lower[two.count] = row_upper[two.count] = 1.0
    row_upper[: two.count] = np.inf
    lower, cost = np.zeros(columns), np.zeros(columns)
    lower[one.count :] = -np.inf
    cost[one.count] = 1.0
    payoffs = sparse.csc_matrix((floats, (form.columns, form.rows)), shape=structure.shape)
    matrix = sparse.csc_matrix(structure.astype(np.float64) + payoffs)
    return Program(matrix, cost, lower, row_lower, row_upper)


def _exact_plans(
    form: SequenceForm, structure: sparse.csc_matrix, vertex: Vertex
) -> tuple[list[Fraction], list[Fraction]]:
    """Both plans of the vertex in rationals: the basic system for player 1, its transpose for player 2.

    Raises ``NotExactError`` where that cannot be done, or where the exact vertex is not a pair of plans (the
    basis was optimal only within HiGHS' tolerances).
    """
    one, two = form.players
    rows, columns = np.flatnonzero(~vertex.basic_rows), np.flatnonzero(vertex.basic_columns)
    if len(rows) != len(columns):
        raise NotExactError("HiGHS' basis is not square")
    system = ExactSystem(_basic_matrix(form, structure, rows, columns))
    primal = system.solve((rows == two.count).astype(np.int64))
    dual = system.solve((columns == one.count).astype(np.int64), transposed=True)
    plan1, plan2 = [ZERO] * structure.shape[1], [ZERO] * structure.shape[0]
    for column, value in zip(columns, primal, strict=True):
        plan1[column] = value
    for row, value in zip(rows, dual, strict=True):
        plan2[row] = -value
    plans = plan1[: one.count], plan2[: two.count]
    if not (_is_plan(one, plans[0]) and _is_plan(two, plans[1])):
        raise NotExactError("it is optimal only within HiGHS' tolerances")
    return plans


def _basic_matrix(
    form: SequenceForm, structure: sparse.csc_matrix, rows: npt.NDArray[np.intp], columns: npt.NDArray[np.intp]
) -> IntegerMatrix:
    """Those rows and columns of the constraints, payoffs included, in integers of any size."""
    fixed = structure.tocoo()
    row_of, column_of = (np.full(size, NONE) for size in structure.shape)
    row_of[rows], column_of[columns] = np.arange(len(rows)), np.arange(len(columns))
    at_row = row_of[np.concatenate([fixed.row, form.columns])]
    at_column = column_of[np.concatenate([fixed.col, form.rows])]
    entries = np.concatenate([fixed.data.astype(object), form.payoffs])
    kept = np.flatnonzero((at_row != NONE) & (at_column != NONE))
    return IntegerMatrix(at_row[kept], at_column[kept], entries[kept], len(rows))


def _is_plan(side: PlayerSequences, plan: list[Fraction]) -> bool:
    if plan[0] != 1 or any(weight < 0 for weight in plan):
        return False
    return all(
        plan[parent] == sum(plan[first : first + width])
        for parent, first, width in zip(side.parent, side.first, side.widths, strict=True)
    )


def _rounded(side: PlayerSequences, plan: npt.NDArray[np.float64]) -> dict[int, tuple[Fraction, ...]]:
    """A behavior strategy in rationals near a realization plan in floats, by index in ``tree.infosets``."""
    rows = {}
    for k, first, width in zip(side.infosets, side.first, side.widths, strict=True):
        weights = np.maximum(plan[first : first + width], 0.0)
        total = float(weights.sum())
        if total > FLOAT_ZERO:
            parts = [Fraction(float(weight) / total).limit_denominator(DENOMINATOR) for weight in weights]
        else:
            parts = [Fraction(1)] * int(width)
        whole = sum(parts)
        rows[int(k)] = tuple(part / whole for part in parts)
    return rows


def _inapplicable(facts: Facts) -> str | None:
    problem = two_player_constant_sum(facts)
    if problem is None and not facts.perfect_recall:
        return "a player does not have perfect recall"
    return problem


SOLVERS = (
    Solver(
        name="lp",
        summary="sequence form and HiGHS' simplex method, made exact by solving the optimal basis in rationals",
        source="Koller, Megiddo and von Stengel (STOC 1994); von Stengel (Games Econ. Behav. 14, 1996)",
        inapplicable=_inapplicable,
        run=run,
        brackets=True,
    ),
)
