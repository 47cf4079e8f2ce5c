"""The dimension and the vertices of a polytope of optimal realization plans, exactly.

The dimension is that of the plans x alone, without the values q that ``lp.optimal_plans`` adds to them: q is
eliminated from the equations that hold on all of the polytope. Which those are is known from strict complementarity: a
sequence of the opponent is worth just its set's value against every optimal plan if, and only if, some optimal plan of
the opponent plays it (A. J. Goldman and A. W. Tucker, "Theory of linear programming", 1956).

The vertices are enumerated by the double description method (T. S. Motzkin, H. Raiffa, G. L. Thompson and R. M. Thrall,
1953) in coordinates of the affine hull. What bounds the polytope are weights that must not be negative and the
opponent's pure plans; these are added one by one, as best responses to vertices that do not guarantee the value.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import gcd, lcm

from ..protocol import Left, Progress
from .optimal_plans import Face, Plan
from .optimal_plans_ranges import sets_in_order

Row = dict[int, Fraction]
Ray = tuple[int, ...]
"""A direction of the cone over the polytope, in whole numbers: coordinates, then the empty sequence's weight."""


DIMENSIONS = 16
"""The vertices of polytopes of more dimensions are not looked for: there are far too many as a rule."""


class TooManyError(Exception):
    """More dimensions or directions than allowed, or no time left; the message says which in a clause."""


@dataclass(frozen=True)
class Hull:
    """The affine hull of a player's optimal plans.

    ``coordinates``: sequences whose weights tell all others, as many as the polytope has dimensions.
    ``weights[s]``: the weight of each sequence s of ``face.support``, as a linear function of the coordinates' weights
    and, last, the empty sequence's.
    """

    face: Face
    coordinates: tuple[int, ...]
    weights: dict[int, tuple[Fraction, ...]]

    @property
    def dimension(self) -> int:
        """0 where the optimal plan is unique."""
        return len(self.coordinates)


def affine_hull(face: Face, other: Face) -> Hull:
    """The affine hull of the optimal plans in *face*; *other* are the opponent's."""
    known = _reduced(_equations(face, other))
    support = [int(s) for s in face.support]
    # The empty sequence stands last, so that it is never told by others.
    free = [s for s in [*support[1:], 0] if s not in known]
    place = {s: i for i, s in enumerate(free)}
    weights = {}
    for s in support:
        row = {s: Fraction(1)} if s in place else {t: -c for t, c in known[s].items() if t != s}
        weights[s] = tuple(row.get(t, Fraction(0)) for t in free)
    return Hull(face, tuple(free[:-1]), weights)


def _equations(face: Face, other: Face) -> Iterator[Row]:
    """What holds on all of the polytope. The unknowns: q as negative numbers -1, -2, ...; x as their sequences."""
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
    """Gauss and Jordan: rows by the unknown that each tells, which no other row has. Values of sets go first."""
    rows: dict[int, Row] = {}
    for equation in equations:
        row = dict(equation)
        for unknown in [u for u in row if u in rows]:
            _cancel(row, unknown, rows[unknown])
        row = {u: c for u, c in row.items() if c}
        if not row:
            continue
        # Values of sets before weights, and the empty sequence, which must stay free, after all others.
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


def vertices(hull: Hull, rays: int, left: Left, progress: Progress) -> list[Plan]:
    """All vertices of the polytope, in the order of their weights.

    Raises ``TooManyError`` where more than *rays* would have to be held at a time, or time runs out.
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
        time = left()
        if time is not None and time <= 0:
            raise TooManyError("the time limit came first")
        progress(f"vertices: {len(good):,} of {len(cone):,} settled")
        bound = _violated(hull, unknown[0])
        if bound is None:
            good.add(unknown[0])
        else:
            bounds.append(bound)
            cone = _cut(cone, bounds, rays)
    return sorted((_plan(hull, ray) for ray in cone), reverse=True)


def _cut(cone: list[Ray], bounds: list[Ray], limit: int) -> list[Ray]:
    """The extreme rays that are left, with those that are new, after the last of *bounds* has been added."""
    *before, bound = bounds
    heights = [sum(a * b for a, b in zip(bound, ray, strict=True)) for ray in cone]
    if min(heights) >= 0:
        return cone
    tight = [
        sum(1 << i for i, b in enumerate(before) if not sum(x * y for x, y in zip(b, ray, strict=True))) for ray in cone
    ]
    above, below = ([i for i, h in enumerate(heights) if h * sign > 0] for sign in (1, -1))
    found = [ray for ray, h in zip(cone, heights, strict=True) if h >= 0]
    enough = len(bound) - 2
    for i, j in product(above, below):
        common = tight[i] & tight[j]
        if common.bit_count() < enough or any(
            common & mask == common for k, mask in enumerate(tight) if k not in (i, j)
        ):
            continue
        mixed = zip(cone[i], cone[j], strict=True)
        found.append(_whole(tuple(Fraction(heights[i] * y - heights[j] * x) for x, y in mixed)))
        if len(found) > limit:
            raise TooManyError(f"there are more than {limit:,} to be held at a time")
    return found


def _whole(row: tuple[Fraction, ...]) -> Ray:
    """The same direction in whole numbers without a common divisor."""
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
    """The bound that the opponent's best response to the ray's plan sets; None where that breaks none."""
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
