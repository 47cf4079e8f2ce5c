"""Exact best responses of a player without perfect recall, by enumeration and polynomials.

If the other players' strategies are fixed, a player's payoff is a sum of terms. There is one term for each sequence of
the player's moves before a payoff: a coefficient times the probabilities of these moves. If no term has two moves at
the same information set, the sum is linear in the probabilities at each information set. Then some pure strategy is
best among all behavior strategies, and among all mixed strategies, which are averages of pure strategies.

If a path contains an information set more than once (absent-mindedness), the terms contain powers. If there is only one
such information set, and it has two actions, the sum is a polynomial in one probability. Its maximum over [0, 1] is at
an end of the interval or at a root of the derivative. Sturm's theorem isolates the roots with exact fractions.

J. R. Isbell, "Finitary games", 1957; H. W. Kuhn, "Extensive games and the problem of information", 1953; M. Piccione
and A. Rubinstein, Games and Economic Behavior 20, 1997.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from math import ceil, comb, lcm

from ..base.errors import RecallError
from ..base.rationals import Number
from ..forms.extensive import NONE
from .walk import ProfileWalk

MOST_STEPS = 3_000_000
"""The maximum number of steps (visits to a move in a term). A search of this length takes seconds."""

MOST_MEETINGS = 24
"""The maximum degree of the polynomial. A path may contain at most this many nodes of the information set."""

POLYNOMIAL_STEPS = 1_000
"""The cost of a polynomial in steps, divided by the square of its degree."""

NARROW = Fraction(1, 10**30)
"""The maximum difference between the bounds on a maximum at an irrational probability."""

Move = tuple[int, int]
Terms = dict[tuple[Move, ...], Fraction]
Rows = dict[int, tuple[Fraction, ...]]
Polynomial = list[Fraction]
"""The coefficients, from the constant term to the highest power. The last coefficient is not 0, and the zero polynomial
is empty.
"""


@dataclass(frozen=True)
class RecallResponse:
    """A best response, in behavior strategies, of a player without perfect recall.

    ``value``: an upper bound on its payoff, too high by at most ``slack``, and exact if ``slack`` is 0. ``rows``:
    probabilities with a payoff of at least ``value - slack``. The keys are indices in ``tree.infosets``. Information
    sets without a row do not affect the payoff.
    """

    value: Number
    slack: Fraction
    rows: Rows = field(repr=False)


@dataclass
class _Most:
    lower: Fraction
    upper: Fraction
    rows: Rows


def recall_response_of(walk: ProfileWalk, player: int, forgets: str) -> RecallResponse:
    """Return a best response of *player*. Error messages begin with the clause *forgets*.

    Raises ``RecallError`` if there are too many strategies, or if paths contain information sets more than once. (One
    such information set with two actions is allowed.)
    """
    search = _Search(walk, forgets)
    try:
        most = search.most(_terms(walk, player, search.count))
    except RecursionError:
        raise RecallError(f"{forgets}, and forgets too many moves in a row for a search") from None
    value = most.upper if isinstance(walk.zero, Fraction) else float(most.upper)
    return RecallResponse(value, most.upper - most.lower, most.rows)


def _terms(walk: ProfileWalk, player: int, count: Callable[[int], None]) -> Terms:
    """Return the total payoff of *player* after each sequence of the player's moves.

    *count* is called with numbers of steps.
    """
    tree = walk.tree
    found: Terms = defaultdict(Fraction)
    moves: dict[int, tuple[Move, ...]] = {0: ()}
    last = [0] * len(tree)
    for node, p, after in walk.reached(player):
        last[node] = after
        if node == after and (move := walk.move_to(node)) is not None:
            own = moves[last[walk.parent[node]]]
            moves[node] = (*own, move) if len(tree.infosets[move[0]].actions) > 1 else own
            count(len(moves[node]))
        if walk.outcome[node] != NONE:
            found[moves[after]] += Fraction(p) * Fraction(walk.payoffs[walk.outcome[node]][player])
    return found


class _Search:
    def __init__(self, walk: ProfileWalk, forgets: str) -> None:
        self.tree, self.forgets, self.steps = walk.tree, forgets, 0

    def most(self, terms: Terms) -> _Most:
        self.count(sum(map(len, terms)))
        paid = terms.get((), Fraction(0))
        found = _Most(paid, paid, {})
        for part in _parts(terms):
            one = self._of_part(part)
            found = _Most(found.lower + one.lower, found.upper + one.upper, found.rows | one.rows)
        return found

    def _of_part(self, terms: Terms) -> _Most:
        again = {k for path in terms for k, times in Counter(k for k, _ in path).items() if times > 1}
        # Take the first information set in the order of play, because the information sets after its other moves are
        # then skipped.
        k = next((k for path in terms for k, _ in path if k not in again), None)
        if k is None:
            return self._again(terms, again)
        width = len(self.tree.infosets[k].actions)
        tried = [self.most(_after(terms, (k, action))) for action in range(width)]
        best = max(range(width), key=lambda action: tried[action].lower)
        row = tuple(Fraction(int(action == best)) for action in range(width))
        return _Most(tried[best].lower, max(one.upper for one in tried), tried[best].rows | {k: row})

    def _again(self, terms: Terms, again: set[int]) -> _Most:
        names = ", ".join(repr(self.tree.names[k]) for k in sorted(again))
        if len(again) > 1 or any(len(self.tree.infosets[k].actions) != 2 for k in again):
            only = "only one such information set, with two actions, is supported"
            raise RecallError(f"{self.forgets}, and a path contains {names} more than once; {only}")
        degree = max(map(len, terms))
        if degree > MOST_MEETINGS:
            raise RecallError(f"{self.forgets}, and a path contains {names} {degree} times (limit {MOST_MEETINGS})")
        self.count(POLYNOMIAL_STEPS * degree**2)
        sums = [Fraction(0)] * (degree + 1)
        for path, weight in terms.items():
            first = sum(action == 0 for _, action in path)
            other = len(path) - first
            for power in range(other + 1):
                sums[first + power] += weight * comb(other, power) * (-1) ** power
        lower, upper, x = greatest(_trimmed(sums))
        return _Most(lower, upper, {again.pop(): (x, 1 - x)})

    def count(self, steps: int) -> None:
        self.steps += steps
        if self.steps > MOST_STEPS:
            raise RecallError(f"{self.forgets}, and has too many strategies for a search (limit {MOST_STEPS:,} steps)")


def _parts(terms: Terms) -> Iterable[Terms]:
    """Split the terms that contain moves into groups without a common information set."""
    part_of: dict[int, int] = {}
    parts: dict[int, Terms] = {}
    for path, weight in terms.items():
        own = {k for k, _ in path}
        met = sorted({part_of[k] for k in own if k in part_of})
        here = met[0] if met else len(part_of)
        for number in met[1:]:
            parts[here] |= parts.pop(number)
        part_of |= dict.fromkeys(own, here)
        if met[1:]:
            part_of |= {k: here for k, number in part_of.items() if number in met}
        if path:
            parts.setdefault(here, {})[path] = weight
    return parts.values()


def _after(terms: Terms, move: Move) -> Terms:
    """Return the terms that remain after *move*, whose information set must not be on a path twice."""
    left: Terms = defaultdict(Fraction)
    for path, weight in terms.items():
        rest = tuple(each for each in path if each[0] != move[0])
        if len(rest) == len(path) or move in path:
            left[rest] += weight
    return left


# --- the maximum of a polynomial over [0, 1]


def greatest(p: Polynomial) -> tuple[Fraction, Fraction, Fraction]:
    """Return lower and upper bounds on the maximum of *p* over [0, 1], and a point at which *p* equals the lower bound.

    The bounds are equal if the maximum is at a rational point. Otherwise, they differ by less than ``NARROW``.
    """
    values = [(_at(p, x), x) for x in (Fraction(0), Fraction(1))]
    uppers = [value for value, _ in values]
    # An upper bound on the absolute slope over [0, 1].
    steep = sum((abs(c) * power for power, c in enumerate(p)), Fraction(0))
    for low, high in roots(_derivative(p), NARROW / (4 * steep) if steep else NARROW):
        value = _at(p, low)
        values.append((value, low))
        uppers.append(value if low == high else _up(value + steep * (high - low)))
    lower, x = max(values)
    return lower, max(uppers), x


def _up(number: Fraction) -> Fraction:
    """Round *number* up to a multiple of ``NARROW / 2``, for a shorter fraction."""
    step = NARROW / 2
    return ceil(number / step) * step


def roots(p: Polynomial, width: Fraction) -> Iterator[tuple[Fraction, Fraction]]:
    """Yield an interval for each root of *p* between 0 and 1, no wider than *width*.

    If the root is rational, both ends equal the root.
    """
    if len(p) < 2:
        return
    # Make all roots simple.
    p = _divided(p, sturm(p)[-1])[0]
    chain = sturm(p)
    scale = lcm(*(c.denominator for c in p))
    lead = abs(int(p[-1] * scale))
    # If the coefficients are integers, the denominator of a rational root divides the last coefficient. Two different
    # fractions with such denominators are farther apart than this width.
    width = min(width, Fraction(1, 4 * lead**2))
    stack = [(Fraction(0), Fraction(1))]
    while stack:
        low, high = stack.pop()
        count = changes(chain, low) - changes(chain, high)  # roots in ]low, high]
        if not count:
            continue
        if count > 1 or high - low > width:
            middle = (low + high) / 2
            stack += [(middle, high), (low, middle)]
            continue
        near = ((low + high) / 2).limit_denominator(lead)
        yield (near, near) if not _at(p, near) and low < near <= high else (low, high)


def sturm(p: Polynomial) -> list[Polynomial]:
    """Return Sturm's chain of *p*. The last polynomial is the greatest common divisor of *p* and its derivative."""
    chain = [p, _derivative(p)]
    while chain[-1]:
        rest = _divided(chain[-2], chain[-1])[1]
        # Division by a positive number shortens the fractions, and does not change the signs.
        chain.append([-c / abs(rest[-1]) for c in rest])
    return chain[:-1]


def changes(chain: Sequence[Polynomial], x: Fraction) -> int:
    """Return the number of sign changes in *chain* at *x*.

    The difference of these numbers at two points is the number of roots between the points.
    """
    signs = [value > 0 for value in (_at(p, x) for p in chain) if value]
    return sum(one != other for one, other in pairwise(signs))


def _at(p: Polynomial, x: Fraction) -> Fraction:
    value = Fraction(0)
    for c in reversed(p):
        value = value * x + c
    return value


def _derivative(p: Polynomial) -> Polynomial:
    return [c * power for power, c in enumerate(p)][1:]


def _divided(p: Polynomial, by: Polynomial) -> tuple[Polynomial, Polynomial]:
    rest, quotient = list(p), [Fraction(0)] * max(0, len(p) - len(by) + 1)
    for place in reversed(range(len(quotient))):
        quotient[place] = rest[place + len(by) - 1] / by[-1]
        for power, c in enumerate(by):
            rest[place + power] -= quotient[place] * c
    return _trimmed(quotient), _trimmed(rest)


def _trimmed(p: Iterable[Fraction]) -> Polynomial:
    found = list(p)
    while found and not found[-1]:
        found.pop()
    return found
