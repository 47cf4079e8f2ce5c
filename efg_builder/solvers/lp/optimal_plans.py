"""The polytope of all optimal realization plans in a two-player constant-sum game, computed exactly.

A plan x guarantees the value v if there are values q of player 2's information sets that satisfy linear constraints (B.
von Stengel, Games Econ. Behav. 14, 1996).

``affine_hull`` uses a theorem of A. J. Goldman and A. W. Tucker (1956): a sequence of the opponent attains the value of
its information set against every optimal plan if, and only if, some optimal plan of the opponent plays the sequence.

``vertices`` uses the double description method (T. S. Motzkin et al., 1953) in the coordinates of the affine hull. The
constraints: all weights are at least 0, and x earns at least v against every pure plan of the opponent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import gcd, lcm

import numpy as np
import numpy.typing as npt

from ...forms.sequence_form import Longs, PlayerSequences, SequenceForm
from ..driver import Driver
from . import rational
from .exact import ExactProgram, IntegerMatrix, NotExactError, Objects, exact_program, solve_exactly
from .highs import LinearProgramError
from .lp import constraints, linear_program

ZERO, ONE = Fraction(0), Fraction(1)

Plan = tuple[Fraction, ...]
"""A realization plan: the weight of each sequence, first the empty sequence with weight 1."""

Row = dict[int, Fraction]
Ray = tuple[int, ...]
"""A ray of the cone over the polytope, as integers: the coordinates, then the empty sequence's weight."""


Tight = npt.NDArray[np.float32]
"""Entries are 1 if the constraint holds with equality at the ray; shape (rays, constraints)."""

DIMENSIONS = 16
"""Maximum dimension of a polytope whose vertices are computed."""


class TooManyError(Exception):
    """There are too many dimensions or rays, or the time limit has passed."""


@dataclass(frozen=True)
class Face:
    """The optimal plans of the player whose sequences are ``form.players[0]``.

    ``value``: the guaranteed payoff, in the unit of ``form``. ``support``: the sequences that have positive weight in
    some optimal plan, in ascending order.
    """

    form: SequenceForm
    value: Fraction
    support: Longs


def swapped(form: SequenceForm) -> SequenceForm:
    """Return the same game with players 1 and 2 exchanged."""
    one, two = form.players
    return SequenceForm((two, one), form.columns, form.rows, -form.payoffs, -form.middle, form.half, form.unit)


def faces(form: SequenceForm, driver: Driver) -> tuple[Face, Face]:
    """Return both players' optimal plans. Raises ``NotExactError``, ``LinearProgramError`` or ``TimeLimit``."""
    driver.progress("looking for one equilibrium")
    value = _optimum(linear_program(form), driver)[form.players[0].count]
    return face(form, value, driver), face(swapped(form), -value, driver)


def face(form: SequenceForm, value: Fraction, driver: Driver) -> Face:
    """Return the optimal plans and their support.

    A linear program finds a point of the cone with as many positive weights as possible. The sequences with positive
    weights are the support.
    """
    driver.progress("looking for the support of optimal plans")
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
    values = _solve(form, base, n, cells, unit_row=row + 2 * n, objective=total, driver=driver)
    return Face(form, value, np.array([s for s in range(n) if values[s]], dtype=np.int64))


def extreme(face: Face, sequence: int, within: int, least: bool, driver: Driver) -> tuple[Fraction, Plan]:
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
    values = _solve(face.form, base, len(place), cells, unit_row=unit_row, objective=gap, driver=driver)
    plan = [ZERO] * face.form.players[0].count
    for i, s in enumerate(face.support):
        plan[s] = values[i] / values[0]
    return values[place[sequence]], tuple(plan)


def _cone(form: SequenceForm, value: Fraction, kept: Longs) -> IntegerMatrix:
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
    driver: Driver,
) -> list[Fraction]:
    """Return the values of the columns at an exact optimum.

    *base*: a result of ``_cone``. *cells*: the entries of additional nonnegative columns and equations.
    """
    matrix = base.extended(cells)
    height, width = matrix.shape
    free = (np.arange(width) >= weights) & (np.arange(width) < base.shape[1])
    equal = np.arange(height) > form.players[1].count
    program = exact_program(matrix, objective, unit_row, free, equal, form.payoffs)
    return _optimum(program, driver)


def _optimum(program: ExactProgram, driver: Driver) -> list[Fraction]:
    """Return the columns' values at an exact optimum, by pivoting in integers if floats fail on a small program."""
    try:
        return solve_exactly(program, driver).primal
    except (NotExactError, LinearProgramError):
        if not rational.fits(program):
            raise
    return rational.optimum(program, driver.left)


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
    driver: Driver
    plans: list[Plan] = field(default_factory=list)
    programs: int = 0

    def end(self, sequence: int, within: int, least: bool, bound: Fraction) -> Fraction:
        """See ``extreme``. *bound*: the smallest or the largest possible value of the ratio."""
        known = (plan[sequence] / plan[within] for plan in self.plans if plan[within])
        if bound in known:
            return bound
        value, plan = extreme(self.face, sequence, within, least, self.driver)
        self.programs += 1
        self.driver.progress(f"ranges: {self.programs:,} linear programs, {len(self.plans):,} optimal plans")
        if plan not in self.plans:
            self.plans.append(plan)
        return value


def sequence_ranges(face: Face, driver: Driver) -> SequenceRanges:
    """Return the ranges over the plans in *face*. Raises ``NotExactError``, ``LinearProgramError`` or ``TimeLimit``."""
    side = face.form.players[0]
    search = _Search(face, driver)
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
        for s, found in _ends(search, with_weight, 0, above.high, fixed).items():
            weights[s] = found
            conditional[s] = Range(found.low / above.high, found.high / above.high)
        if not fixed:
            for s, found in _ends(search, with_weight, parent, ONE, True).items():
                conditional[s] = found
    if not search.plans:  # the optimal plan is unique
        search.plans.append(extreme(face, 0, 0, True, driver)[1])
    return SequenceRanges(tuple(weights), tuple(conditional), tuple(search.plans), search.programs)


def _ends(search: _Search, sequences: list[int], within: int, whole: Fraction, complete: bool) -> dict[int, Range]:
    """Return the ranges of the actions at one information set, between 0 and *whole*.

    If *complete* is true, the actions' values sum to *whole* in every plan.
    """
    if complete and len(sequences) == 2:  # each range determines the other
        one, other = sequences
        found = Range(search.end(one, within, True, ZERO), search.end(one, within, False, whole))
        return {one: found, other: Range(whole - found.high, whole - found.low)}
    return {s: Range(search.end(s, within, True, ZERO), search.end(s, within, False, whole)) for s in sequences}


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


def vertices(hull: Hull, rays: int, driver: Driver) -> list[Plan]:
    """Return all vertices, sorted by weights in descending order.

    Raises ``TooManyError`` if there are more than ``DIMENSIONS`` dimensions or more than *rays* rays at a time, or if
    the time limit has passed.
    """
    d = hull.dimension
    if d > DIMENSIONS:
        raise TooManyError(f"the polytope has {d} dimensions (limit {DIMENSIONS})")
    cone = [tuple(int(i == j) for j in range(d + 1)) for i in range(d + 1)]
    bounds = [*cone]
    for s in hull.face.support:
        row = _whole(hull.weights[int(s)])
        if row not in bounds:
            bounds.append(row)
            cone = _cut(cone, bounds, rays)
    good: set[Ray] = set()
    while True:
        unknown = [ray for ray in cone if ray not in good]
        if not unknown:
            break
        if driver.late:
            raise TooManyError("the time limit came first")
        driver.progress(f"vertices: {len(good):,} of {len(cone):,} checked")
        bound = _violated(hull, unknown[0])
        if bound is None:
            good.add(unknown[0])
        else:
            bounds.append(bound)
            cone = _cut(cone, bounds, rays)
    return sorted((_plan(hull, ray) for ray in cone), reverse=True)


def _cut(cone: list[Ray], bounds: list[Ray], limit: int) -> list[Ray]:
    *before, bound = bounds
    rays = np.array(cone, dtype=object)
    heights = rays @ np.array(bound, dtype=object)
    if min(heights) >= 0:
        return cone
    tight = (rays @ np.array(before, dtype=object).T == 0).astype(np.float32)
    found = [ray for ray, height in zip(cone, heights, strict=True) if height >= 0]
    for ray, _ in crossing_points(rays, tight, heights, len(bound)):
        found.append(tuple(ray.tolist()))
        if len(found) > limit:
            raise TooManyError(f"the double description method needs more than {limit:,} rays")
    return found


def crossing_points(
    rays: Objects, tight: Tight, heights: Objects, dimension: int, look: Callable[[], object] = lambda: None
) -> Iterator[tuple[Objects, Tight]]:
    """Yield the rays at which a new constraint cuts edges of a cone, and the old constraints that are tight there.

    *tight*: 1 if an old constraint holds with equality at a ray, otherwise 0; shape (rays, constraints). *heights*: the
    value of the new constraint at each ray, negative if the ray violates the constraint. *dimension*: the cone's
    dimension. *look* is called often and may raise an exception.
    """
    above = np.flatnonzero(heights > 0)
    for low in np.flatnonzero(heights < 0).tolist():
        look()
        for high in above[tight[above] @ tight[low] >= dimension - 2].tolist():
            look()
            mark = tight[low] * tight[high]
            # Two rays are neighbors if their common tight constraints are not all tight at a third ray.
            if np.count_nonzero(tight @ mark == mark.sum()) == 2:
                ray = heights[high] * rays[low] - heights[low] * rays[high]
                yield ray // gcd(*ray), mark


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
