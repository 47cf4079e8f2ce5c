"""The optimal realization plans of a two-player constant-sum game: all of them, as a polytope, exactly.

Player 1's plans x that guarantee the value v are those for which values q of player 2's information sets exist, such
that no sequence of player 2 is worth less than its set's value and the root's value is v: linear constraints, as many
as the game has sequences. D. Koller, N. Megiddo and B. von Stengel, "Efficient computation of equilibria for extensive
two-person games", Games and Economic Behavior 14 (1996), section 3. HiGHS finds optimal bases over them, and
``lp.exact_vertex`` makes each exact, so every bound here is proved by an exact dual solution.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from ...forms.sequence_form import SequenceForm
from ..protocol import Left, Progress
from . import lp
from .exact_vertex import exact_optimum, exact_program
from .highs import maximise
from .rational import IntegerMatrix

Longs = npt.NDArray[np.int64]
Plan = tuple[Fraction, ...]
"""A realization plan: the weight of each sequence, the empty one (weight 1) first."""


@dataclass(frozen=True)
class Face:
    """The optimal plans of the player whose sequences are ``form.players[0]``.

    ``value``: what they guarantee, in the unit of ``form``. ``support``: the sequences that some optimal plan
    gives weight, ascending; all others have weight 0 in every one.
    """

    form: SequenceForm
    value: Fraction
    support: Longs


@dataclass(frozen=True)
class Extreme:
    """An end of a range, and an optimal plan that attains it."""

    value: Fraction
    plan: Plan


@dataclass(frozen=True)
class _Constraints:
    """Entries of the matrix. Columns: x of the sequences ``kept``, q. Rows: ``loose`` inequalities, then equations.

    The right-hand sides are 0. More rows and columns may follow the first ``height`` and ``width``.
    """

    rows: list[Longs]
    columns: list[Longs]
    entries: list[npt.NDArray[np.object_]]
    height: int
    width: int
    loose: int
    kept: Longs

    def add(self, *cells: tuple[int, int, int]) -> None:
        """More entries: row, column, number."""
        self.rows.append(np.array([cell[0] for cell in cells], dtype=np.int64))
        self.columns.append(np.array([cell[1] for cell in cells], dtype=np.int64))
        self.entries.append(np.array([cell[2] for cell in cells], dtype=object))


def swapped(form: SequenceForm) -> SequenceForm:
    """The same game seen from player 2."""
    one, two = form.players
    return SequenceForm((two, one), form.columns, form.rows, -form.payoffs, -form.middle, form.half, form.unit)


def faces(form: SequenceForm, left: Left, progress: Progress) -> tuple[Face, Face]:
    """Both players' optimal plans. Raises ``NotExactError``, ``LinearProgramError`` or ``TimeLimit``."""
    progress("looking for one equilibrium")
    rows = lp.exact_behavior(lp.optimum(form, left, progress), left, progress)
    one, two = (realization(form, player, rows) for player in range(2))
    value = sum(
        (Fraction(int(p)) * one[r] * two[c] for p, r, c in zip(form.payoffs, form.rows, form.columns, strict=True)),
        Fraction(0),
    )
    other = swapped(form)
    return face(form, value, left, progress), face(other, -value, left, progress)


def realization(form: SequenceForm, player: int, rows: lp.Rows) -> Plan:
    """The realization plan of a behavior strategy, given by index in ``tree.infosets``."""
    side = form.players[player]
    plan = [Fraction(1)] * side.count
    # A set may stand before the set whose move leads to it, so each is done when it is first asked for.
    done = np.zeros(side.count, dtype=bool)
    done[0] = True
    owner = side.owner

    for start in range(1, side.count):
        path = [start]
        while not done[path[-1]]:
            path.append(int(side.parent[owner[path[-1]]]))
        for sequence in reversed(path):
            if not done[sequence]:
                k = int(owner[sequence])
                action = sequence - int(side.first[k])
                plan[sequence] = plan[int(side.parent[k])] * rows[int(side.infosets[k])][action]
                done[sequence] = True
    return tuple(plan)


def face(form: SequenceForm, value: Fraction, left: Left, progress: Progress) -> Face:
    """The optimal plans, with their support: a cone's point with as many positive weights as can be.

    Weights of a cone can be scaled up, so the linear program counts the weights that can be positive: each counts
    its size up to 1.
    """
    progress("looking for what optimal plans can play")
    n = form.players[0].count
    base = _constraints(form, value, np.arange(n))
    counted, rest, missing = (base.width + k * n + np.arange(n) for k in range(3))
    one, total = base.width + 3 * n, base.width + 3 * n + 1
    row = base.height
    for s in range(n):
        base.add((row + s, counted[s], 1), (row + s, rest[s], 1), (row + s, s, -1))
        base.add((row + n + s, counted[s], 1), (row + n + s, missing[s], 1), (row + n + s, one, -1))
    base.add((row + 2 * n, one, 1), (row + 2 * n + 1, total, 1), *((row + 2 * n + 1, int(c), -1) for c in counted))
    values = _solve(form, base, row + 2 * n, total, (row + 2 * n + 2, total + 1), left, progress)
    return Face(form, value, np.array([s for s in range(n) if values[s]], dtype=np.int64))


def extreme(face: Face, sequence: int, within: int, least: bool, left: Left, progress: Progress) -> Extreme:
    """The least or the greatest of ``x[sequence] / x[within]`` over the optimal plans with ``x[within] > 0``.

    *within* is the empty sequence 0, or one that leads to *sequence*; both must be in ``face.support``. The
    ratio is made linear by scaling each plan so that ``x[within]`` is 1 (A. Charnes and W. W. Cooper,
    "Programming with linear fractional functionals", 1962). The end is always attained: the scaled plans are a
    closed polyhedron, and the ratio is bounded on it.
    """
    base = _constraints(face.form, face.value, face.support)
    place = {int(s): i for i, s in enumerate(face.support)}
    unit_row, gap_row, gap = base.height, base.height + 1, base.width
    # The gap is from 0 up to the ratio for the greatest, from the ratio up to 1 for the least.
    base.add((unit_row, place[within], 1), (gap_row, gap, 1), (gap_row, place[sequence], 1 if least else -1))
    if least:
        base.add((gap_row, place[within], -1))
    values = _solve(face.form, base, unit_row, gap, (gap_row + 1, gap + 1), left, progress)
    plan = [Fraction(0)] * face.form.players[0].count
    for i, s in enumerate(face.support):
        plan[s] = values[i] / values[0]
    return Extreme(values[place[sequence]], tuple(plan))


def _constraints(form: SequenceForm, value: Fraction, kept: Longs) -> _Constraints:
    """The cone over the optimal plans: x of the *kept* sequences, and q; homogeneous in both."""
    one, two = form.players
    place = np.full(one.count, -1)
    place[kept] = np.arange(len(kept))
    q = len(kept)
    own = np.flatnonzero(place[one.parent] >= 0)
    rank = np.full(len(one.infosets), -1)
    rank[own] = np.arange(len(own))
    loose = two.count + 1
    actions = kept[kept > 0]
    parts = [
        (two.parent, q + 1 + np.arange(len(two.infosets)), 1),
        (np.arange(two.count), q + 1 + two.owner, -1),
        (loose + rank[one.owner[actions]], place[actions], 1),
        (loose + np.arange(len(own)), place[one.parent[own]], -1),
    ]
    paid = np.flatnonzero(place[form.rows] >= 0)
    built = _Constraints(
        rows=[np.asarray(part[0], dtype=np.int64) for part in parts] + [form.columns[paid]],
        columns=[np.asarray(part[1], dtype=np.int64) for part in parts] + [place[form.rows[paid]]],
        entries=[np.full(len(part[0]), part[2], dtype=object) for part in parts] + [form.payoffs[paid]],
        height=loose + len(own),
        width=q + 1 + len(two.infosets),
        loose=loose,
        kept=kept,
    )
    built.add((two.count, q, value.denominator), (two.count, 0, -value.numerator))
    return built


def _solve(
    form: SequenceForm,
    base: _Constraints,
    unit_row: int,
    objective: int,
    shape: tuple[int, int],
    left: Left,
    progress: Progress,
) -> list[Fraction]:
    """The columns of an exact optimum: *objective* as large as it can be where row *unit_row* is 1.

    Columns after q are not negative, rows after the base's are equations.
    """
    height, width = shape
    rows, columns, entries = np.concatenate(base.rows), np.concatenate(base.columns), np.concatenate(base.entries)
    q, last = len(base.kept), base.width
    free = (np.arange(width) >= q) & (np.arange(width) < last)
    equal = np.arange(height) >= base.loose
    matrix = IntegerMatrix(rows, columns, entries, height, width)
    program = exact_program(matrix, objective, unit_row, free, equal, form.payoffs)
    return exact_optimum(program, maximise(program.floats, left(), progress), left, progress).primal
