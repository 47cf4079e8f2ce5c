"""Exact equilibria of two-player constant-sum games with perfect recall, by one linear program.

Player 1's problem in the sequence form: a realization plan that guarantees most against every plan of
player 2; the dual is player 2's. D. Koller, N. Megiddo and B. von Stengel, "Fast algorithms for finding
randomized strategies in game trees", STOC 1994. HiGHS solves it in floats; ``lp.exact_vertex`` takes its basis
to the exact optimum, which gives both players' plans in rationals.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from scipy import sparse

from ...forms.extensive import GameTree
from ...forms.sequence_form import PlayerSequences, SequenceForm, behavior, sequence_form
from ...strategies.tree_profile import Profile
from ..protocol import Facts, Found, Left, Progress, Request, Solver, countdown, two_player_constant_sum
from .exact_vertex import ExactProgram, exact_optimum
from .highs import Floats, LinearProgramError, Program, TimeLimit, Vertex, maximise
from .rational import IntegerMatrix, NotExactError

DENOMINATOR = 10**6
"""Bound on the denominators of single probabilities where the basis cannot be made exact."""

FLOAT_ZERO = 1e-9
"""Realization weights below this are taken for never played, where plans are rounded."""


@dataclass(frozen=True)
class Optimum:
    """An optimal vertex of a game's linear program, in floats; ``structure`` as in ``_structure``."""

    form: SequenceForm
    structure: sparse.csc_matrix
    program: Program
    vertex: Vertex

    @property
    def plans(self) -> tuple[Floats, Floats]:
        """Both players' realization plans, as HiGHS left them: tiny weights may be noise or negative."""
        one, two = self.form.players
        return self.vertex.values[: one.count], -self.vertex.duals[: two.count]


Rows = dict[int, tuple[Fraction, ...]]
"""Rational behavior at information sets, by index in ``tree.infosets``."""


def run(tree: GameTree, request: Request) -> Found:
    """One equilibrium: exact where the basis can be solved in rationals, otherwise near-optimal rationals."""
    left = countdown(request.timeout)
    request.progress("building the sequence form")
    form = sequence_form(tree)

    try:
        found = optimum(form, left, request.progress)
    except TimeLimit:
        return Found((), "timeout", "HiGHS reached no optimum within the time limit")
    except LinearProgramError as error:
        return Found((), "failed", str(error))
    try:
        rows = exact_behavior(found, left, request.progress)
        message = ""
    except NotExactError as error:
        one, two = map(_rounded, form.players, found.plans)
        rows = one | two
        message = (
            f"the optimal basis was not solved in rationals ({error}), so the probabilities are rounded; "
            "gambit-lp is exact on small games"
        )
    return Found((Profile.from_personal(tree, rows),), "done", message)


def optimum(form: SequenceForm, left: Left, progress: Progress) -> Optimum:
    """An optimal vertex in floats. Raises ``TimeLimit`` or ``LinearProgramError``."""
    structure = _structure(form)
    program = _program(form, structure)
    return Optimum(form, structure, program, maximise(program, left(), progress))


def exact_behavior(found: Optimum, left: Left, progress: Progress) -> Rows:
    """Both players' optimal behavior in rationals, from the basis on. Raises ``NotExactError``."""
    progress("solving the optimal basis in rationals")
    plans = _exact_plans(found.form, found.structure, found.program, found.vertex, left, progress)
    one, two = map(behavior, found.form.players, plans)
    return one | two


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
    unit = _unit(form)
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


def _unit(form: SequenceForm) -> int:
    return max((abs(value) for value in form.payoffs), default=1)


def _exact_plans(
    form: SequenceForm,
    structure: sparse.csc_matrix,
    program: Program,
    vertex: Vertex,
    left: Left,
    progress: Progress,
) -> tuple[list[Fraction], list[Fraction]]:
    """Both players' optimal plans in rationals: the columns x, and the prices of player 2's rows.

    Raises ``NotExactError`` where that cannot be done.
    """
    one, two = form.players
    fixed = structure.tocoo()
    entries = np.concatenate([fixed.data.astype(object), form.payoffs])
    rows, columns = np.concatenate([fixed.row, form.columns]), np.concatenate([fixed.col, form.rows])
    exact = ExactProgram(
        matrix=IntegerMatrix(rows, columns, entries, *structure.shape),
        objective=one.count,
        unit_row=two.count,
        signed=np.arange(structure.shape[1]) < one.count,
        equal=np.arange(structure.shape[0]) >= two.count,
        unit=_unit(form),
        floats=program,
    )
    point = exact_optimum(exact, vertex, left, progress)
    return point.primal[: one.count], [-price for price in point.dual[: two.count]]


def _rounded(side: PlayerSequences, plan: Floats) -> Rows:
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


def inapplicable(facts: Facts) -> str | None:
    """The conditions of the sequence form's linear program."""
    problem = two_player_constant_sum(facts)
    if problem is None and not facts.perfect_recall:
        return "a player does not have perfect recall"
    return problem


SOLVERS = (
    Solver(
        name="lp",
        summary="sequence form and HiGHS' simplex method, made exact by solving the optimal basis in rationals",
        source="Koller, Megiddo and von Stengel (STOC 1994); von Stengel (Games Econ. Behav. 14, 1996)",
        inapplicable=inapplicable,
        run=run,
        brackets=True,
    ),
)
