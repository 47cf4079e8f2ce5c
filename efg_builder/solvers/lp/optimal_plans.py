"""The polytope of all optimal realization plans in a two-player constant-sum game, computed exactly.

A plan x guarantees the value v if there are values q of player 2's information sets that satisfy linear constraints (B.
von Stengel, Games Econ. Behav. 14, 1996).

``affine_hull`` uses a theorem of A. J. Goldman and A. W. Tucker (1956): a sequence of the opponent attains the value of
its information set against every optimal plan if, and only if, some optimal plan of the opponent plays the sequence.

``vertices`` uses the double description method in the coordinates of the affine hull. The constraints: all
weights are at least 0, and x earns at least v against every pure plan of the opponent.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import gcd, lcm

import numpy as np

from ...forms.sequence_form import Indices, PlayerSequences, SequenceForm
from ..driver import Iterate, Iterates
from ..protocol import TimeLimit
from . import rational
from .double_description import TooManyError, cut
from .exact import ExactProgram, IntegerMatrix, NotExactError, Objects, exact_program, solve_exactly
from .highs import LinearProgramError
from .lp import constraints, linear_program

ZERO, ONE = Fraction(0), Fraction(1)

Plan = tuple[Fraction, ...]
"""A realization plan: the weight of each sequence, first the empty sequence with weight 1."""

Row = dict[int, Fraction]
Ray = tuple[int, ...]
"""A ray of the cone over the polytope, as integers: the coordinates, then the empty sequence's weight."""

DIMENSIONS = 16
"""Maximum dimension of a polytope whose vertices are computed."""


@dataclass(frozen=True)
class Face:
    """The optimal plans of the player whose sequences are ``form.players[0]``.

    ``value``: the guaranteed payoff, in the unit of ``form``. ``support``: the sequences that have positive weight in
    some optimal plan, in ascending order.
    """

    form: SequenceForm
    value: Fraction
    support: Indices


def swapped(form: SequenceForm) -> SequenceForm:
    """Return the same game with players 1 and 2 exchanged."""
    one, two = form.players
    return SequenceForm((two, one), form.columns, form.rows, -form.payoffs, -form.middle, form.half, form.unit)


def faces(form: SequenceForm) -> Iterates[tuple[Face, Face]]:
    """Return both players' optimal plans. Raises ``NotExactError`` and ``LinearProgramError``."""
    yield Iterate("looking for one equilibrium")
    values = yield from _optimum(linear_program(form))
    value = values[form.players[0].count]
    one = yield from face(form, value)
    two = yield from face(swapped(form), -value)
    return one, two


def face(form: SequenceForm, value: Fraction) -> Iterates[Face]:
    """Return the optimal plans and their support.

    A linear program finds a point of the cone with as many positive weights as possible. The sequences with positive
    weights are the support.
    """
    yield Iterate("looking for the support of optimal plans")
    n = form.players[0].count
    base = _cone(form, value, np.arange(n))
    row, width = base.shape
    counted, rest, missing = ([int(c) for c in width + k * n + np.arange(n)] for k in range(3))
    one, total = width + 3 * n, width + 3 * n + 1
    cells = []
    for s in range(n):
        cells += [(row + s, counted[s], 1), (row + s, rest[s], 1), (row + s, s, -1)]
        cells += [(row + n + s, counted[s], 1), (row + n + s, missing[s], 1), (row + n + s, one, -1)]
    cells += [(row + 2 * n, one, 1), (row + 2 * n + 1, total, 1), *((row + 2 * n + 1, c, -1) for c in counted)]
    values = yield from _solve(form, base, n, cells, unit_row=row + 2 * n, objective=total)
    return Face(form, value, np.array([s for s in range(n) if values[s]], dtype=np.intp))


def extreme(face: Face, sequence: int, within: int, least: bool) -> Iterates[tuple[Fraction, Plan]]:
    """Return the minimum or maximum of ``x[sequence] / x[within]`` over the optimal plans, and a plan that attains it.

    *within*: an earlier sequence that leads to *sequence*, or 0, the empty sequence. Both sequences must be in
    ``face.support``. Plans are scaled so that ``x[within]`` is 1 (A. Charnes and W. W. Cooper, 1962).
    """
    base = _cone(face.form, face.value, face.support)
    place = {int(s): i for i, s in enumerate(face.support)}
    unit_row, gap = base.shape
    gap_row = unit_row + 1
    # Maximize column ``gap``. It is the ratio itself for the maximum, and 1 minus the ratio for the minimum.
    cells = [(unit_row, place[within], 1), (gap_row, gap, 1), (gap_row, place[sequence], 1 if least else -1)]
    if least:
        cells.append((gap_row, place[within], -1))
    values = yield from _solve(face.form, base, len(place), cells, unit_row=unit_row, objective=gap)
    plan = [ZERO] * face.form.players[0].count
    for i, s in enumerate(face.support):
        plan[s] = values[i] / values[0]
    return values[place[sequence]], tuple(plan)


def _cone(form: SequenceForm, value: Fraction, kept: Indices) -> IntegerMatrix:
    """Return the constraints of the cone over the optimal plans, with only the *kept* sequences.

    An equation is added to ``lp.constraints``: the root's value is *value* times the empty sequence's weight.
    """
    row = form.players[1].count
    return constraints(form, kept).extended([(row, len(kept), value.denominator), (row, 0, -value.numerator)])


def _solve(
    form: SequenceForm,
    base: IntegerMatrix,
    weights: int,
    cells: Sequence[tuple[int, int, int]],
    *,
    unit_row: int,
    objective: int,
) -> Iterates[list[Fraction]]:
    """Return the values of the columns at an exact optimum.

    *base*: a result of ``_cone``. *cells*: the entries of additional nonnegative columns and equations.
    """
    matrix = base.extended(cells)
    height, width = matrix.shape
    free = (np.arange(width) >= weights) & (np.arange(width) < base.shape[1])
    equal = np.arange(height) > form.players[1].count
    program = exact_program(matrix, objective, unit_row, free, equal, form.payoffs)
    return (yield from _optimum(program))


def _optimum(program: ExactProgram) -> Iterates[list[Fraction]]:
    """Return the columns' values at an exact optimum, by pivoting in integers if floats fail on a small program."""
    try:
        point, _ = yield from solve_exactly(program)
        return point.primal
    except (NotExactError, LinearProgramError):
        if not rational.fits(program):
            raise
    return (yield from rational.optimum(program))


@dataclass(frozen=True)
class Range:
    """The range from ``low`` to ``high``; both bounds are attained."""

    low: Fraction
    high: Fraction


@dataclass(frozen=True)
class SequenceRanges:
    """The ranges of a player's sequences over all optimal plans. The empty sequence has index 0.

    ``weights``: the range of each sequence's weight. ``conditional``: the range of each sequence's weight divided by
    the parent's weight, over the optimal plans in which the parent's weight is positive; None if no such plan exists,
    and for the empty sequence. ``plans``: optimal plans that together attain all bounds. ``programs``: the number of
    linear programs that were solved.
    """

    weights: tuple[Range, ...]
    conditional: tuple[Range | None, ...]
    plans: tuple[Plan, ...]
    programs: int


@dataclass
class _Search:
    face: Face
    plans: list[Plan] = field(default_factory=list)
    programs: int = 0

    def end(self, sequence: int, within: int, least: bool, bound: Fraction) -> Iterates[Fraction]:
        """See ``extreme``. *bound*: the smallest or the largest possible value of the ratio."""
        known = (plan[sequence] / plan[within] for plan in self.plans if plan[within])
        if bound in known:
            return bound
        value, plan = yield from extreme(self.face, sequence, within, least)
        self.programs += 1
        yield Iterate(f"ranges: {self.programs:,} linear programs, {len(self.plans):,} optimal plans")
        if plan not in self.plans:
            self.plans.append(plan)
        return value


def sequence_ranges(face: Face) -> Iterates[SequenceRanges]:
    """Return the ranges over the plans in *face*. Raises ``NotExactError`` and ``LinearProgramError``."""
    side = face.form.players[0]
    search = _Search(face)
    weights = [Range(ZERO, ZERO)] * side.count
    conditional: list[Range | None] = [None] * side.count
    weights[0] = Range(ONE, ONE)
    played = [False] * side.count
    for s in face.support:
        played[s] = True
    for k in sets_in_order(side):
        parent, first = int(side.parent[k]), int(side.first[k])
        if not played[parent]:
            continue
        actions = range(first, first + int(side.widths[k]))
        for s in actions:
            conditional[s] = Range(ZERO, ZERO)
        with_weight = [s for s in actions if played[s]]
        if len(with_weight) == 1:
            weights[with_weight[0]], conditional[with_weight[0]] = weights[parent], Range(ONE, ONE)
            continue
        above = weights[parent]
        fixed = above.low == above.high
        ends = yield from _ends(search, with_weight, 0, above.high, fixed)
        for s, found in ends.items():
            weights[s] = found
            conditional[s] = Range(found.low / above.high, found.high / above.high)
        if not fixed:
            ends = yield from _ends(search, with_weight, parent, ONE, True)
            conditional = [ends.get(s, known) for s, known in enumerate(conditional)]
    if not search.plans:  # the optimal plan is unique
        _, plan = yield from extreme(face, 0, 0, True)
        search.plans.append(plan)
    return SequenceRanges(tuple(weights), tuple(conditional), tuple(search.plans), search.programs)


def _ends(
    search: _Search, sequences: list[int], within: int, whole: Fraction, complete: bool
) -> Iterates[dict[int, Range]]:
    """Return the ranges of the actions at one information set, between 0 and *whole*.

    If *complete* is true, the actions' values sum to *whole* in every plan.
    """
    paired = complete and len(sequences) == 2  # each range determines the other
    ends = {}
    for s in sequences[:1] if paired else sequences:
        low = yield from search.end(s, within, True, ZERO)
        high = yield from search.end(s, within, False, whole)
        ends[s] = Range(low, high)
    if paired:
        ends[sequences[1]] = Range(whole - high, whole - low)
    return ends


def sets_in_order(side: PlayerSequences) -> list[int]:
    """Return the player's information sets, sorted so that earlier information sets on a path come first."""
    owner, parent = side.owner.tolist(), side.parent.tolist()
    children: dict[int, list[int]] = {}
    for k, sequence in enumerate(parent):
        children.setdefault(owner[sequence], []).append(k)
    order: list[int] = []
    waiting = list(reversed(children.get(-1, [])))
    while waiting:
        k = waiting.pop()
        order.append(k)
        waiting += reversed(children.get(k, []))
    return order


@dataclass(frozen=True)
class Hull:
    """The affine hull of a player's optimal plans.

    ``coordinates``: sequences whose weights determine all other weights; their number is the polytope's dimension.
    ``weights[s]``: the weight of sequence s in ``face.support`` as a linear function of the coordinates' weights and,
    last, of the empty sequence's weight.
    """

    face: Face
    coordinates: tuple[int, ...]
    weights: dict[int, tuple[Fraction, ...]]

    @property
    def dimension(self) -> int:
        return len(self.coordinates)


def affine_hull(face: Face, other: Face) -> Hull:
    """Return the affine hull of the optimal plans in *face*. *other*: the opponent's optimal plans."""
    known = _reduced(_equations(face, other))
    support = [int(s) for s in face.support]
    # The empty sequence comes last, so that no other sequence determines it.
    free = [s for s in [*support[1:], 0] if s not in known]
    place = {s: i for i, s in enumerate(free)}
    weights = {}
    for s in support:
        row = {s: Fraction(1)} if s in place else {t: -c for t, c in known[s].items() if t != s}
        weights[s] = tuple(row.get(t, Fraction(0)) for t in free)
    return Hull(face, tuple(free[:-1]), weights)


def _equations(face: Face, other: Face) -> Iterator[Row]:
    """Yield the equations that hold on the whole polytope.

    The unknowns are numbered: q from -1 downward, and x by sequence.
    """
    form = face.form
    one, two = form.players
    inside = set(face.support.tolist())
    tight: dict[int, Row] = {int(s): {-2 - int(two.owner[s]): Fraction(-1)} for s in other.support}
    for k, parent in enumerate(two.parent.tolist()):
        if parent in tight:
            tight[parent][-2 - k] = Fraction(1)
    for r, c, paid in zip(form.rows.tolist(), form.columns.tolist(), form.payoffs, strict=True):
        if c in tight and r in inside:
            tight[c][r] = Fraction(int(paid))
    yield from tight.values()
    yield {-1: Fraction(1), 0: -face.value}
    for parent, first, width in zip(one.parent.tolist(), one.first.tolist(), one.widths.tolist(), strict=True):
        if parent in inside:
            yield {parent: Fraction(-1)} | {s: Fraction(1) for s in range(first, first + width) if s in inside}


def _reduced(equations: Iterator[Row]) -> dict[int, Row]:
    """Apply Gauss-Jordan elimination to *equations*; return the rows whose pivots are weights, keyed by pivot."""
    rows: dict[int, Row] = {}
    for equation in equations:
        row = dict(equation)
        for unknown in [u for u in row if u in rows]:
            _cancel(row, unknown, rows[unknown])
        row = {u: c for u, c in row.items() if c}
        if not row:
            continue
        # Eliminate values before weights. The empty sequence comes last, because it must stay free.
        pivot = min(row, key=lambda u: (u >= 0, u == 0, u))
        scale = row[pivot]
        row = {u: c / scale for u, c in row.items()}
        for other in rows.values():
            if pivot in other:
                _cancel(other, pivot, row)
        rows[pivot] = row
    return {u: row for u, row in rows.items() if u > 0}


def _cancel(row: Row, unknown: int, by: Row) -> None:
    factor = row[unknown]
    for u, c in by.items():
        left = row.get(u, Fraction(0)) - factor * c
        if left:
            row[u] = left
        else:
            row.pop(u, None)


def vertices(hull: Hull, rays: int) -> Iterates[list[Plan]]:
    """Return all vertices, sorted by weights in descending order.

    Raises ``TooManyError`` if there are more than ``DIMENSIONS`` dimensions or more than *rays* rays at a time, or if
    the time limit has passed.
    """
    d = hull.dimension
    if d > DIMENSIONS:
        raise TooManyError(f"the polytope has {d} dimensions (limit {DIMENSIONS})")
    try:
        found = yield from _rays(hull, rays)
    except TimeLimit:
        raise TooManyError("the time limit came first") from None
    return sorted((_plan(hull, ray) for ray in found), reverse=True)


def _rays(hull: Hull, most: int) -> Iterates[list[Ray]]:
    unit = np.identity(1 + hull.dimension, dtype=np.int64)
    cone, tight = unit.astype(object), 1 - unit.astype(np.float32)
    bounds = set(_tuples(cone))
    for s in hull.face.support:
        bound = _whole(hull.weights[int(s)])
        if bound not in bounds:
            bounds.add(bound)
            cone, tight = yield from cut(cone, tight, cone @ np.array(bound, dtype=object), len(bound), most)
    good: set[Ray] = set()
    while unknown := [ray for ray in _tuples(cone) if ray not in good]:
        yield Iterate(f"vertices: {len(good):,} of {len(cone):,} checked")
        violated = _violated(hull, unknown[0])
        if violated is None:
            good.add(unknown[0])
        else:
            cone, tight = yield from cut(cone, tight, cone @ np.array(violated, dtype=object), len(violated), most)
    return _tuples(cone)


def _tuples(cone: Objects) -> list[Ray]:
    return [tuple(ray) for ray in cone.tolist()]


def _whole(row: tuple[Fraction, ...]) -> Ray:
    scale = lcm(*(c.denominator for c in row))
    whole = [int(c * scale) for c in row]
    common = max(gcd(*whole), 1)
    return tuple(c // common for c in whole)


def _plan(hull: Hull, ray: Ray) -> Plan:
    plan = [Fraction(0)] * hull.face.form.players[0].count
    for s, row in hull.weights.items():
        plan[s] = sum((c * z for c, z in zip(row, ray, strict=True) if z), Fraction(0)) / ray[-1]
    return tuple(plan)


def _violated(hull: Hull, ray: Ray) -> Ray | None:
    """Return the constraint from the opponent's best response to the ray's plan, or None if the plan is optimal."""
    face, plan = hull.face, _plan(hull, ray)
    form, two = face.form, face.form.players[1]
    earned = [Fraction(0)] * two.count
    for r, c, paid in zip(form.rows.tolist(), form.columns.tolist(), form.payoffs, strict=True):
        if plan[r]:
            earned[c] += int(paid) * plan[r]
    chosen: dict[int, int] = {}
    order = sets_in_order(two)
    for k in reversed(order):
        first = int(two.first[k])
        chosen[k] = min(range(first, first + int(two.widths[k])), key=earned.__getitem__)
        earned[int(two.parent[k])] += earned[chosen[k]]
    if earned[0] >= face.value:
        return None
    played = {0}
    for k in order:
        if int(two.parent[k]) in played:
            played.add(chosen[k])
    row = [-face.value * w for w in hull.weights[0]]
    for r, c, paid in zip(form.rows.tolist(), form.columns.tolist(), form.payoffs, strict=True):
        if c in played and r in hull.weights:
            row = [a + int(paid) * w for a, w in zip(row, hull.weights[r], strict=True)]
    return _whole(tuple(row))
