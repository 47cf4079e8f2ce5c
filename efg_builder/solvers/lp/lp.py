"""Exact equilibria of two-player constant-sum games with perfect recall, by one linear program.

The program is player 1's program in the sequence form, and its dual is player 2's program (D. Koller, N. Megiddo and B.
von Stengel, STOC 1994). ``small`` solves small games. For all other games, HiGHS finds an optimal basis, and ``exact``
solves this basis exactly.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from ...base.rationals import exact_row
from ...forms.extensive import GameTree
from ...forms.sequence_form import Indices, PlayerSequences, SequenceForm, behavior, sequence_form
from ...strategies.tree_profile import TreeProfile
from ..driver import Driver, Iterate, Iterates
from ..protocol import Found, Request, Solver, Solves, TimeLimit
from ..small import quick_plans
from .exact import ExactProgram, IntegerMatrix, exact_program, solve_nearly
from .highs import Floats, LinearProgramError

DENOMINATOR = 10**6
"""Maximum denominator of the probabilities if the basis cannot be solved exactly."""

FLOAT_ZERO = 1e-9
"""If the weights at an information set sum to at most this value, they are treated as 0."""


Rows = dict[int, tuple[Fraction, ...]]
"""The probabilities at each information set; the keys are indices in ``tree.infosets``."""


def run(tree: GameTree, request: Request) -> Found:
    """Return one equilibrium, or nearly optimal strategies if the basis cannot be solved exactly."""
    driver = Driver(request)
    try:
        rows, problem = driver.complete(optimal_behavior(tree))
    except TimeLimit:
        return Found((), "timeout", "HiGHS reached no optimum within the time limit")
    except LinearProgramError as error:
        return Found((), "failed", str(error))
    if problem:
        problem += ", so the probabilities are rounded; gambit-lp is exact on small games"
    return Found((TreeProfile.from_personal(tree, rows),), "timeout" if problem and driver.late else "done", problem)


def optimal_behavior(tree: GameTree) -> Iterates[tuple[Rows, str]]:
    """Return one equilibrium, and an empty string; or rounded strategies, and the reason.

    Raises ``LinearProgramError``.
    """
    yield Iterate("building the sequence form")
    form = sequence_form(tree)
    if (plans := (yield from quick_plans(form))) is not None:
        one, two = (behavior(side, [w for (w,) in plan]) for side, plan in zip(form.players, plans, strict=True))
        return one | two, ""
    weights, prices, problem = yield from solve_nearly(linear_program(form))
    rows: Rows = {}
    for side, plan in zip(form.players, (weights, -prices), strict=True):
        # Because of rounding, float weights may be negative or tiny.
        rows |= _rounded(side, plan) if problem else behavior(side, plan[: side.count].tolist())
    return rows, problem


def linear_program(form: SequenceForm) -> ExactProgram:
    """Return player 1's linear program.

    Columns: player 1's realization weights, then the root's value (the objective), then the values of player 2's
    information sets. The dual values of the first rows are the negatives of player 2's weights.
    """
    n1, n2 = (side.count for side in form.players)
    matrix = constraints(form).extended([(n2, 0, 1)])
    height, width = matrix.shape
    free, equal = np.arange(width) >= n1, np.arange(height) >= n2
    return exact_program(matrix, n1, n2, free, equal, form.payoffs)


def constraints(form: SequenceForm, kept: Indices | None = None, spare: int = 1) -> IntegerMatrix:
    """Return the constraints on player 1's plans, with integer coefficients and right-hand sides of 0.

    Columns: x (the weights of player 1's sequences, or only of the sequences in *kept*), then q (the value of the root,
    then the values of player 2's information sets). Rows:

    - For each sequence s of player 2: the sum of the values of the information sets to which s leads, minus the value
      of the information set of s, plus the payoff of x against s, is at least 0.
    - *spare* empty rows.
    - For each of player 1's information sets whose parent sequence is in x: the sum of the weights of its actions,
      minus the weight of its parent sequence, is 0.
    """
    one, two = form.players
    kept = np.arange(one.count) if kept is None else kept
    place = np.full(one.count, -1)
    place[kept] = np.arange(len(kept))
    root = len(kept)
    sets = np.flatnonzero(place[one.parent] >= 0)
    row_of = np.full(len(one.infosets), -1)
    row_of[sets] = two.count + spare + np.arange(len(sets))
    actions, paid = kept[kept > 0], np.flatnonzero(place[form.rows] >= 0)
    parts = [
        (two.parent, root + 1 + np.arange(len(two.infosets)), 1),
        (np.arange(two.count), root + 1 + two.owner, -1),
        (row_of[one.owner[actions]], place[actions], 1),
        (row_of[sets], place[one.parent[sets]], -1),
    ]
    return IntegerMatrix(
        np.concatenate([part[0] for part in parts] + [form.columns[paid]]),
        np.concatenate([part[1] for part in parts] + [place[form.rows[paid]]]),
        np.concatenate([np.full(len(part[0]), part[2], dtype=object) for part in parts] + [form.payoffs[paid]]),
        two.count + spare + len(sets),
        root + 1 + len(two.infosets),
    )


def _rounded(side: PlayerSequences, plan: Floats) -> Rows:
    rows = {}
    for k, first, width in zip(side.infosets, side.first, side.widths, strict=True):
        weights = np.maximum(plan[first : first + width], 0.0)
        total = float(weights.sum())
        rows[int(k)] = exact_row((weights / total if total > FLOAT_ZERO else 0 * weights).tolist(), DENOMINATOR)
    return rows


SOLVERS = (
    Solver(
        name="lp",
        summary="linear program of the sequence form: HiGHS' simplex method finds an optimal basis, which is then "
        "solved exactly",
        source="Koller, Megiddo and von Stengel (STOC 1994); von Stengel (Games Econ. Behav. 14, 1996)",
        solves=Solves(players=2, constant_sum=True, exact=False),
        run=run,
    ),
)
