"""Exact equilibria of small two-player games, by integer pivoting on the sequence form.

The *dictionary* of a linear program expresses each basic variable as a linear function of the nonbasic variables (V.
Chvatal, "Linear Programming", 1983, chapter 2). Its rows are Python integers, with a denominator for each row, so
pivots are exact. Constants are polynomials in e, a positive infinitesimal. Two constants are compared by the lowest
power of e at which they differ.

``optimal_plans`` solves constant-sum games by the simplex method (D. Koller, N. Megiddo and B. von Stengel, STOC 1994).
With *mistakes*, the weight of a sequence of length n is at least e^n. As e goes to 0, the optimal plans tend to a
quasi-perfect equilibrium (P. B. Miltersen and T. B. Sorensen, Economic Theory 42, 2010).

``equilibrium_plans`` solves any two-player game with perfect recall by Lemke's method (B. von Stengel, A. van den Elzen
and D. Talman, Econometrica 70, 2002). ``lcp`` uses the same method with floats.

Both functions begin at pure strategies. For a chosen action, the weight is basic, and the slack (the loss relative to
the best action) is nonbasic. For all other actions, the weight is nonbasic and the slack is basic.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from math import gcd, inf, lcm, prod
from random import Random

from ..forms.sequence_form import PlayerSequences, SequenceForm
from .driver import STEP, Iterates
from .lemke import NoEndError, follow_path

Row = list[int]
"""A positive denominator, the constant's coefficients by power of e, then the coefficients of the columns."""

Polynomial = tuple[Fraction, ...]
"""Coefficients of 1, e, e squared, ..."""


@dataclass(frozen=True)
class SmallSettings:
    cells: int = 10_000
    """Maximum number of entries in a dictionary for ``quick_plans``; HiGHS is faster for larger games."""
    cells_with_mistakes: int = 40_000
    """That number with mistakes, where HiGHS is only the first step and its start takes longer than the pivots."""
    work: int = 1_000_000
    """Maximum work of ``quick_plans``, about 0.1 s; in dense games, the integers grow, and HiGHS is faster."""
    path_cells: int = 700
    """Maximum number of entries for Lemke's method; floats are faster for larger games, which take over 5 ms."""
    patience: int = 10
    """Number of consecutive degenerate pivots after which Bland's rule, which cannot cycle, replaces Dantzig's rule."""
    random: int = 2**30
    """Largest random coefficient of e. These coefficients are at least 1 and break ties on Lemke's path."""
    largest_weight: int = 1_000
    """Largest integer weight in random starting strategies."""


SETTINGS = SmallSettings()


class Dictionary:
    """Rows of integers: ``row[0] * basic = constant + sum(row[c] * nonbasic[c])``.

    ``basic``: the basic variables, in the order of their rows. Later rows are objectives; Lemke's method has none.
    ``nonbasic``: the variable of each column from ``first`` on; earlier columns contain the denominator and the
    constant.
    ``work``: the number of entries that pivots have changed, times the length of the pivots in words of 32 bits.
    """

    def __init__(self, powers: int, nonbasic: Sequence[int]) -> None:
        self.first = 1 + powers
        self.nonbasic = [-1] * self.first + list(nonbasic)
        self.basic: list[int] = []
        self.rows: list[Row] = []
        self.work = 0

    def number(self, constant: int = 0) -> Row:
        return [1, constant] + [0] * (len(self.nonbasic) - 2)

    def add(self, variable: int, row: Row) -> None:
        """Make *variable* basic, with the value *row*."""
        self.basic.append(variable)
        self.rows.append(row)

    def constant(self, row: Row) -> Polynomial:
        """Return the value of a basic variable if all nonbasic variables are 0."""
        return tuple(Fraction(number, row[0]) for number in row[1 : self.first])

    def leaving(self, column: int) -> int:
        """Return the row whose basic variable is the first to fall to 0 as the variable of *column* grows.

        Raises ``NoEndError`` if no basic variable falls.
        """
        rows, first, found = self.rows, self.first, None
        for place, variable in enumerate(self.basic):
            falls = rows[place][column]
            if falls >= 0:
                continue
            if found is not None:
                one, other = rows[place], rows[found]
                # Both coefficients are negative, so the ratio of `one` is smaller if the difference is positive.
                sign = next(filter(None, (one[p] * other[column] - other[p] * falls for p in range(1, first))), 0)
                if sign < 0 or (not sign and variable > self.basic[found]):
                    continue
            found = place
        if found is None:
            raise NoEndError("the path has no end")
        return found

    def pivot(self, place: int, column: int) -> None:
        """Exchange the basic variable of row *place* with the nonbasic variable of *column*."""
        rows, new = self.rows, self.rows[place]
        scale = -new[column]
        new[column], new[0] = -new[0], 0
        if scale < 0:
            new, scale = [-number for number in new], -scale
        work = len(new) * (1 + scale.bit_length() // 32)
        for other, row in enumerate(rows):
            factor = row[column]
            if other != place and factor:
                row[column] = 0
                self.work += work
                common = gcd(scale, factor)
                times, add = scale // common, factor // common
                rows[other] = _reduced([times * mine + add * its for mine, its in zip(row, new, strict=True)])
        new[0] = scale
        rows[place] = _reduced(new)
        self.basic[place], self.nonbasic[column] = self.nonbasic[column], self.basic[place]

    def exchange(self, entering: int) -> int:
        """Make *entering* basic, and return the variable that leaves the basis. Raises ``NoEndError``."""
        column = self.nonbasic.index(entering)
        place = self.leaving(column)
        leaving = self.basic[place]
        self.pivot(place, column)
        return leaving


def _reduced(row: Row) -> Row:
    common = gcd(*row)
    return [number // common for number in row] if common > 1 else row


def _added(one: Row, other: Row, times: int = 1) -> Row:
    """Return ``one + times * other`` for rows with denominator 1."""
    total = [mine + times * its for mine, its in zip(one, other, strict=True)]
    total[0] = 1
    return total


@dataclass(frozen=True)
class _Side:
    """One player's sequences.

    ``sets``: the parent sequence and the sequences of each information set, earlier information sets first.
    ``lengths``: the number of moves in each sequence.
    """

    count: int
    sets: list[tuple[int, range]]
    lengths: list[int]

    @classmethod
    def of(cls, player: PlayerSequences) -> _Side:
        parents, firsts, widths = player.parent.tolist(), player.first.tolist(), player.widths.tolist()
        waiting: dict[int, list[range]] = {}
        for parent, first, width in zip(parents, firsts, widths, strict=True):
            waiting.setdefault(parent, []).append(range(first, first + width))
        sets, lengths, above = [], [0] * player.count, [0]
        for parent in above:  # the loop extends this list
            for own in waiting.get(parent, ()):
                sets.append((parent, own))
                above.extend(own)
                for sequence in own:
                    lengths[sequence] = lengths[parent] + 1
        return cls(player.count, sets, lengths)

    def cheapest(self, costs: Sequence[Sequence[int]]) -> list[int]:
        """Return the cheapest action at each information set; costs include the costs of later actions."""
        whole, chosen = [list(cost) for cost in costs], [0] * len(self.sets)
        for k in reversed(range(len(self.sets))):
            parent, own = self.sets[k]
            chosen[k] = min(own, key=whole.__getitem__)
            whole[parent] = [mine + its for mine, its in zip(whole[parent], whole[chosen[k]], strict=True)]
        return chosen


def _weights(
    of: Dictionary, side: _Side, chosen: list[int], root: Row, first: int, mistakes: bool = False
) -> list[Row]:
    """Return the weight of each sequence, and make the weights of the chosen actions basic.

    *root*: the weight of the empty sequence. *first*: the index of the empty sequence's variable. With *mistakes*, the
    variables are the weights minus the minimum weights.
    """
    column = {variable: place for place, variable in enumerate(of.nonbasic)}
    rows = [root] * side.count
    for (parent, own), best in zip(side.sets, chosen, strict=True):
        rest = rows[parent].copy()
        for sequence in own:
            if sequence != best:
                rows[sequence] = of.number()
                rows[sequence][column[first + sequence]] = 1
                if mistakes:
                    rows[sequence][1 + side.lengths[sequence]] += 1
                rest = _added(rest, rows[sequence], -1)
        rows[best], above = rest, rest.copy()
        if mistakes:
            above[1 + side.lengths[best]] -= 1
        of.add(first + best, above)
    return rows


def _slacks(of: Dictionary, side: _Side, chosen: list[int], costs: list[Row], first: int) -> tuple[Row, dict[int, Row]]:
    """Return the cost of the game and each sequence's slack; make the slacks of actions not *chosen* basic.

    *costs*: the cost of each sequence. *first*: the index of the empty sequence's variable.
    """
    column = {variable: place for place, variable in enumerate(of.nonbasic)}
    whole, slacks = list(costs), dict[int, Row]()
    for (parent, own), best in zip(reversed(side.sets), reversed(chosen), strict=True):
        slack = slacks[best] = of.number()
        slack[column[first + best]] = 1
        value = _added(whole[best], slack, -1)
        for sequence in own:
            if sequence != best:
                slacks[sequence] = _added(whole[sequence], value, -1)
                of.add(first + sequence, slacks[sequence])
        whole[parent] = _added(whole[parent], value)
    return whole[0], slacks


def _costs(
    of: Dictionary, count: int, mine: Sequence[int], its: Sequence[int], payoffs: list[int], plan: list[Row]
) -> list[Row]:
    costs = [of.number() for _ in range(count)]
    for own, other, paid in zip(mine, its, payoffs, strict=True):
        costs[own] = _added(costs[own], plan[other], paid)
    return costs


# Constant-sum games.


Plans = tuple[list[Polynomial], list[Polynomial]]


class _TooLongError(Exception):
    pass


def quick_plans(form: SequenceForm, mistakes: bool = False) -> Iterates[Plans | None]:
    """Return ``optimal_plans``, or None beyond a limit of size or work. The answer depends on the game alone."""
    height, width = _shape(form)
    cells = SETTINGS.cells_with_mistakes if mistakes else SETTINGS.cells
    # To write the dictionary takes a step for each payoff and column, before the first pivot counts as work.
    if height * width > cells or len(form.payoffs) * width > SETTINGS.work:
        return None
    try:
        return (yield from optimal_plans(form, mistakes, SETTINGS.work))
    except _TooLongError:
        return None


def has_short_path(form: SequenceForm) -> bool:
    """Return whether ``equilibrium_plans`` is faster than Lemke's method with floats."""
    return prod(_shape(form)) <= SETTINGS.path_cells


def _shape(form: SequenceForm) -> tuple[int, int]:
    """Return the numbers of rows and columns of a dictionary."""
    one, two = (side.count - 1 for side in form.players)
    first, second = (len(side.infosets) for side in form.players)
    return first + two - second, one - first + second


def optimal_plans(form: SequenceForm, mistakes: bool = False, work: float = inf) -> Iterates[Plans]:
    """Return both players' optimal plans. Raises ``_TooLongError`` beyond *work* (``Dictionary.work``).

    A plan contains the weight of each sequence as a polynomial in e, which is constant without *mistakes*.
    """
    one, two = map(_Side.of, form.players)
    powers = 1 + max(*one.lengths, *two.lengths) if mistakes else 1
    mine, its = form.rows.tolist(), form.columns.tolist()
    chosen = [own[0] for _, own in one.sets]
    nonbasic = set(range(1, one.count)).difference(chosen)
    # Player 2's actions are chosen after the weights are known, so the columns of slacks get their variables later.
    of = Dictionary(powers, [*sorted(nonbasic), *[-1] * len(two.sets)])
    weights = _weights(of, one, chosen, of.number(1), 0, mistakes)
    costs = _costs(of, two.count, its, mine, form.payoffs.tolist(), weights)
    replies = two.cheapest([cost[1 : of.first] for cost in costs])
    of.nonbasic[of.first + len(nonbasic) :] = [one.count + reply for reply in replies]
    objective, slacks = _slacks(of, two, replies, costs, one.count)
    objectives = [objective] + [of.number() for _ in range(1, powers)]
    for sequence, slack in slacks.items() if mistakes else ():
        power = two.lengths[sequence]
        objectives[power] = _added(objectives[power], slack)
    of.rows += objectives
    yield from maximize_dictionary(of, work)
    first, second = ([_least(side, s, powers) for s in range(side.count)] for side in (one, two))
    for variable, row in zip(of.basic, of.rows, strict=False):
        if variable < one.count:
            first[variable] = _sum(first[variable], of.constant(row))
    prices = of.rows[len(of.basic) :]
    for column in range(of.first, len(of.nonbasic)):
        if (variable := of.nonbasic[column]) >= one.count:
            price = tuple(Fraction(-row[column], row[0]) for row in prices)
            second[variable - one.count] = _sum(second[variable - one.count], price)
    return first, second


def _least(side: _Side, sequence: int, powers: int) -> Polynomial:
    """Return a sequence's minimum weight: e^n for length n. Without mistakes, it is 0, or 1 for the empty sequence."""
    present = powers > 1 or sequence == 0
    return tuple(Fraction(int(present and power == side.lengths[sequence])) for power in range(powers))


def _sum(one: Polynomial, other: Polynomial) -> Polynomial:
    return tuple(mine + its for mine, its in zip(one, other, strict=True))


def maximize_dictionary(of: Dictionary, work: float = inf) -> Iterates[None]:
    """Pivot to a dictionary whose first objective is optimal and, among these, the next."""
    degenerate = 0
    while (column := _entering(of, degenerate >= SETTINGS.patience)) is not None:
        yield STEP
        if of.work > work:
            raise _TooLongError
        place = of.leaving(column)  # there is one, because the objective is bounded
        degenerate = 0 if any(of.rows[place][1 : of.first]) else degenerate + 1
        of.pivot(place, column)


def _entering(of: Dictionary, by_number: bool) -> int | None:
    """Return the column of a variable that increases the objective, or None.

    *by_number*: choose the variable with the lowest index (Bland's rule) instead of the largest coefficient.
    """
    columns = list(range(of.first, len(of.nonbasic)))
    for objective in of.rows[len(of.basic) :]:
        rising = [column for column in columns if objective[column] > 0]
        if rising and by_number:
            return min(rising, key=of.nonbasic.__getitem__)
        if rising:
            return max(rising, key=objective.__getitem__)
        columns = [column for column in columns if not objective[column]]
    return None


# General-sum games.


def equilibrium_plans(
    forms: tuple[SequenceForm, SequenceForm], number: int
) -> Iterates[tuple[list[Fraction], list[Fraction]]]:
    """Return both players' plans at the end of Lemke's path. Raises ``NoEndError``.

    *forms*: the sequence forms with player 1's and with player 2's payoffs. *number*: 0 for uniform starting
    strategies, or the seed of random strategies.
    """
    random = Random(number)
    sides = [_Side.of(player) for player in forms[0].players]
    starts = [_start(side, random if number else None) for side in sides]
    m, n = sides[0].count, sides[0].count + sides[1].count
    places = [forms[0].rows.tolist(), forms[0].columns.tolist()], [forms[1].columns.tolist(), forms[1].rows.tolist()]
    paid = []
    for form, start in zip(forms, reversed(starts), strict=True):
        scale = lcm(*(weight.denominator for weight in start))
        paid.append([-payoff * scale for payoff in form.payoffs.tolist()])
    worth = []
    for side, (mine, its), payoffs, start in zip(sides, places, paid, reversed(starts), strict=True):
        earned = [0] * side.count
        for own, other, payoff in zip(mine, its, payoffs, strict=True):
            earned[own] += int(payoff * start[other])
        worth.append(earned)
    chosen = [side.cheapest([[cost] for cost in costs]) for side, costs in zip(sides, worth, strict=True)]
    bases = list(chain(chosen[0], (m + best for best in chosen[1])))
    nonbasic = set(range(n)).difference(bases, (0, m)) | {n + best for best in bases} | {2 * n}
    of, share, rest = Dictionary(2, sorted(nonbasic)), 2 * n, 2 * n + 1
    root = of.number()
    root[of.nonbasic.index(share)] = 1
    plans = [_weights(of, side, best, root, first) for side, best, first in zip(sides, chosen, (0, m), strict=True)]
    for side, best, first, (mine, its), payoffs, costs, plan in zip(
        sides, chosen, (n, n + m), places, paid, worth, reversed(plans), strict=True
    ):
        rows = _costs(of, side.count, mine, its, payoffs, plan)
        for row, cost in zip(rows, costs, strict=True):
            row[1] += cost
            row[of.nonbasic.index(share)] -= cost
        _slacks(of, side, best, rows, first)
    of.add(rest, _added(of.number(1), root, -1))
    for row in of.rows:
        row[2] = random.randint(1, SETTINGS.random)
    yield from follow_path(of.exchange, n, share)
    found = [Fraction(0)] * n
    found[0] = found[m] = Fraction(1)
    for variable, row in zip(of.basic, of.rows, strict=True):
        if variable < n:
            found[variable] = of.constant(row)[0]
    return found[:m], found[m:]


def _start(side: _Side, random: Random | None) -> list[Fraction]:
    """Return a random or uniform plan in which every sequence has positive weight."""
    plan = [Fraction(1)] * side.count
    for parent, own in side.sets:
        weights = [random.randint(1, SETTINGS.largest_weight) if random else 1 for _ in own]
        for sequence, weight in zip(own, weights, strict=True):
            plan[sequence] = plan[parent] * weight / sum(weights)
    return plan
