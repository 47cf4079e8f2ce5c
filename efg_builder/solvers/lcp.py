"""Exact equilibria of two-player games, with or without a constant sum, by Lemke's method.

In the sequence form, an equilibrium solves a linear complementarity problem: the realization weight or the slack of
each sequence is zero (D. Koller, N. Megiddo and B. von Stengel, Games Econ. Behav. 14, 1996). Lemke's method follows a
path from starting strategies (B. von Stengel, A. van den Elzen and D. Talman, Econometrica 70, 2002). On the path, each
player faces the opponent's plan with weight t and the opponent's starting plan with weight 1 - t, until t is 1.

The path is computed with floats, and its last basis is solved exactly. If this fails, the method tries other starting
strategies, and then exact pivots (``small``). In small games, all pivots are exact. A random vector times an
infinitesimal breaks ties, as in the lexicographic rule.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any

import numpy as np
import numpy.typing as npt

from ..base.parameters import Parameter, integer
from ..base.words import plural
from ..forms.extensive import GameTree
from ..forms.sequence_form import Indices, SequenceForm, behavior, sequence_form
from ..strategies.tree_profile import TreeProfile
from .completion import completed
from .driver import Driver, Iterates
from .lemke import NoEndError, follow_path
from .lp.exact import ExactSystem, IntegerMatrix, NotExactError
from .protocol import Found, Request, Solver, Solves, read_options
from .small import equilibrium_plans, has_short_path


@dataclass(frozen=True)
class LemkeSettings:
    """The settings of Lemke's method. Coefficients are scaled to be near 1."""

    zero: float = 1e-11
    """Floats up to this absolute value are treated as 0."""
    least_pivot: float = 1e-9
    """Minimum coefficient of a variable that leaves the basis."""
    most_changes: int = 64
    """Number of pivots after which the basis is factored again."""
    tries: int = 8
    """Minimum number of starting strategies to try before exact pivots."""
    integer_equations: int = 200
    """Maximum number of equations for exact pivots if all paths with floats fail."""
    pivots_per_equation: int = 100
    """Maximum number of pivots per equation; one or two pivots are usual."""
    largest_weight: int = 1_000
    """Largest integer weight in random starting strategies."""


SETTINGS = LemkeSettings()

OPTIONS = (
    Parameter(
        "starts",
        "1",
        integer(1, 999_999_999),
        "number of starting strategies: first uniform, then random strategies, which may lead to other equilibria "
        "(default: 1)",
    ),
)

Places = npt.NDArray[np.intp]
Floats64 = npt.NDArray[np.float64]

Numbers = npt.NDArray[Any]
"""Floats, or integers and fractions as objects."""

Plans = tuple[list[Fraction], list[Fraction]]
Ends = tuple[tuple[Fraction, ...], tuple[Fraction, ...]]
"""Both players' realization plans."""


def run(tree: GameTree, request: Request) -> Found:
    """Return the equilibria from one or several starts. Raises ``ParameterError``."""
    driver, starts = Driver(request), read_options("lcp", OPTIONS, request.options)["starts"]
    request.progress("building the sequence form")
    forms = sequence_form(tree), sequence_form(tree, 1)
    ends, wrong = Counter[Ends](), list[str]()
    with driver.in_time("the time limit stopped Lemke's method before the end of the path"):
        driver.complete(follow_paths(forms, starts, ends, wrong))
    found: dict[tuple[Any, ...], TreeProfile] = {}
    for plans in ends:
        one, two = map(behavior, forms[0].players, map(list, plans))
        profile = completed(TreeProfile.from_personal(tree, one | two))
        found.setdefault(profile.probabilities, profile)
    ended, message = driver.ended, driver.message
    if found and starts > 1:
        several = plural(len(found), "equilibrium", "equilibria")
        taken = ends.total() + len(wrong) if ended == "timeout" else starts
        ended, message = "done", f"{several} from {plural(taken, 'start')}; there may be more"
    elif not found and ended == "done":
        ended, message = "failed", f"no path from {plural(len(wrong), 'start')} ended at an equilibrium: {wrong[-1]}"
    return Found(tuple(found.values()), ended, message)


def follow_paths(
    forms: tuple[SequenceForm, SequenceForm], starts: int, ends: Counter[Ends], wrong: list[str]
) -> Iterates[None]:
    """Count the ends of paths in *ends*, and add to *wrong* the reasons why paths do not end at an equilibrium.

    If no path from the first *starts* starts ends at an equilibrium, try more starts, and then exact pivots.
    """
    for number, path in enumerate(paths(forms, starts)):
        if ends and number >= starts:
            break
        try:
            one, two = yield from path
            ends[tuple(one), tuple(two)] += 1
        except (NoEndError, NotExactError) as error:
            wrong.append(str(error))


def paths(forms: tuple[SequenceForm, SequenceForm], starts: int) -> Iterator[Iterates[Plans]]:
    if has_short_path(forms[0]):
        yield from (equilibrium_plans(forms, number) for number in range(starts))
        return
    problem = problem_of(forms)
    last = max(starts, SETTINGS.tries)
    yield from (lemke(problem, number) for number in range(last))
    if len(problem.owner) + len(problem.parent) < SETTINGS.integer_equations:
        yield equilibrium_plans(forms, last)


@dataclass(frozen=True)
class Problem:
    """The linear complementarity problem of a game, with integer coefficients.

    Sequences and information sets are numbered for both players together, player 1's first. The root is treated as an
    information set of each player; its only action is the empty sequence. The columns of ``matrix`` are the weights of
    the n sequences, then the values of the k information sets. The rows of ``matrix`` are:

    - For each information set, the sum of the weights of its actions, minus the weight of its parent sequence. This
      difference is 1 at the roots, otherwise 0.
    - For each sequence, the slack: the value of its information set, minus the sum of the values of the information
      sets to which the sequence leads, minus the sequence's payoff against the opponent's plan.

    ``split``: the number of player 1's sequences, and of player 1's information sets. ``parent``: the parent sequence
    of each information set, -1 for the roots. ``owner``: the information set of each sequence.
    """

    forms: tuple[SequenceForm, SequenceForm]
    matrix: IntegerMatrix
    split: tuple[int, int]
    parent: Indices
    owner: Indices

    @property
    def sequences(self) -> int:
        return len(self.owner)

    @property
    def sets(self) -> int:
        return len(self.parent)

    @property
    def roots(self) -> tuple[int, int]:
        """The index of each player's root among the information sets."""
        return 0, self.split[1]

    @cached_property
    def levels(self) -> list[Indices]:
        """The information sets, grouped by the number of the player's earlier moves."""
        depth = np.zeros(self.sets, dtype=np.intp)
        below = np.flatnonzero(self.parent >= 0)
        above = self.owner[self.parent[below]]
        while not np.array_equal(depth[below], depth[above] + 1):
            depth[below] = depth[above] + 1
        return [np.flatnonzero(depth == one) for one in range(depth.max() + 1)]

    @cached_property
    def members(self) -> list[Indices]:
        return np.split(np.arange(self.sequences), np.cumsum(np.bincount(self.owner))[:-1])

    def earns(self, plan: Floats64) -> Floats64:
        """Return the payoff of each sequence against *plan*, as a share of the largest payoff."""
        n, k = self.sequences, self.sets
        paid = np.flatnonzero((self.matrix.rows >= k) & (self.matrix.columns < n))
        worth = -_shares(self.matrix.entries[paid]) * plan[self.matrix.columns[paid]]
        earned: Numbers = np.bincount(self.matrix.rows[paid] - k, worth, minlength=n)
        return earned

    @cached_property
    def units(self) -> Floats64:
        """The largest payoff at or below each information set, as a share of the game's largest payoff."""
        n, k = self.sequences, self.sets
        paid = np.flatnonzero((self.matrix.rows >= k) & (self.matrix.columns < n))
        most = np.zeros(n)
        np.maximum.at(most, self.matrix.rows[paid] - k, np.abs(_shares(self.matrix.entries[paid])))
        units = np.zeros(k)
        for sets in reversed(self.levels):
            for h in sets:
                units[h] = most[self.members[h]].max(initial=0)
                if self.parent[h] >= 0:
                    most[self.parent[h]] = max(most[self.parent[h]], units[h])
        return np.where(units > 0, units, 1.0)


def _shares(entries: Numbers) -> Floats64:
    most = max(map(abs, entries), default=1) or 1
    return np.array([entry / most for entry in entries], dtype=np.float64)


def problem_of(forms: tuple[SequenceForm, SequenceForm]) -> Problem:
    """Return the complementarity problem. *forms*: the sequence forms with player 1's and with player 2's payoffs."""
    one, two = forms[0].players
    m, j = one.count, 1 + len(one.infosets)
    parent = np.concatenate([[-1], one.parent, [-1], two.parent + m])
    owner = np.concatenate([one.owner + 1, two.owner + 1 + j])
    n, k = len(owner), len(parent)
    flow = np.flatnonzero(parent >= 0)
    rows = np.concatenate([owner, flow])
    columns = np.concatenate([np.arange(n), parent[flow]])
    ones = np.concatenate([np.full(n, 1, dtype=object), np.full(len(flow), -1, dtype=object)])
    mine, other = forms
    matrix = IntegerMatrix(
        np.concatenate([rows, k + columns, k + mine.rows, k + m + other.columns]),
        np.concatenate([columns, n + rows, m + mine.columns, other.rows]),
        np.concatenate([ones, ones, -mine.payoffs, -other.payoffs]),
        k + n,
        n + k,
    )
    return Problem(forms, matrix, (m, j), parent, owner)


# The variables of the path are the n weights, the n slacks, the k values, t and 1 - t. Each row of the matrix gives an
# equation, which also contains the row's slack (if any) and terms in t. The last equation is t + (1 - t) = 1.


@dataclass(frozen=True)
class StartingBasis:
    """The payoff of each sequence against the starting strategies, and the basic variables at t = 0."""

    worth: Floats64
    basis: Indices


def start(problem: Problem, number: int) -> StartingBasis:
    """Return the starting basis for uniform strategies (*number* is 0) or random strategies (*number* is the seed)."""
    n, k = problem.sequences, problem.sets
    random = np.random.default_rng(number)
    weights = random.integers(1, SETTINGS.largest_weight + 1, n) if number else np.ones(n, dtype=np.int64)
    totals = np.bincount(problem.owner, weights).astype(np.int64)
    plan = np.zeros(n)
    for sets in problem.levels:
        for h in sets:
            reach = plan[problem.parent[h]] if problem.parent[h] >= 0 else 1.0
            plan[problem.members[h]] = reach * weights[problem.members[h]] / totals[h]
    worth = problem.earns(plan)
    whole, played = worth.copy(), np.zeros(n, dtype=bool)
    for sets in reversed(problem.levels):
        for h in sets:
            best = problem.members[h][np.argmax(whole[problem.members[h]])]
            played[best] = True
            if problem.parent[h] >= 0:
                whole[problem.parent[h]] += whole[best]
    basis = np.concatenate([np.where(played, np.arange(n), n + np.arange(n)), 2 * n + np.arange(k), [2 * n + k + 1]])
    return StartingBasis(worth, basis)


class Tableau:
    """The tableau with floats: the factors of a basis, the later pivots, and two right-hand sides.

    The second right-hand side, times an infinitesimal, breaks ties.
    """

    def __init__(self, problem: Problem, begin: StartingBasis) -> None:
        import scipy.sparse

        self._problem = problem
        n, k, matrix = problem.sequences, problem.sets, problem.matrix
        units = np.concatenate([np.ones(k), problem.units[problem.owner]])
        entries = np.ones(len(matrix.entries))
        paid = (matrix.rows >= k) & (matrix.columns < n)
        entries[paid] = _shares(matrix.entries[paid])
        entries[~paid] = matrix.entries[~paid]
        entries /= units[matrix.rows]
        values = matrix.columns >= n
        entries[values] *= problem.units[matrix.columns[values] - n]
        worth = begin.worth / units[k:]
        last, slacks, t = n + k, k + np.arange(n), 2 * n + k
        parts = [
            (matrix.rows, np.where(matrix.columns < n, matrix.columns, matrix.columns + n), entries),
            (slacks, n + np.arange(n), np.full(n, -1.0)),
            (np.array(problem.roots), np.full(2, t), np.full(2, -1.0)),
            (slacks, np.full(n, t), worth),
            (np.full(2, last), t + np.arange(2), np.ones(2)),
        ]
        row, column, entry = (np.concatenate(one) for one in zip(*parts, strict=True))
        self._columns = scipy.sparse.csc_matrix((entry, (row, column)), shape=(last + 1, 2 * n + k + 2))
        self.basis = begin.basis.copy()
        self._last, self._fixed = t + 1, (self.basis >= 2 * n) & (self.basis < t)  # the values stay basic
        start = np.random.default_rng(0).uniform(1, 2, last + 1)
        self._right = np.stack([np.concatenate([np.zeros(k), worth, [1.0]]), self._columns[:, self.basis] @ start], 1)
        self._factor()

    def _factor(self) -> None:
        import scipy.sparse.linalg

        try:
            self._factors = scipy.sparse.linalg.splu(self._columns[:, self.basis])
        except RuntimeError as error:
            raise NoEndError(str(error)) from None
        self._changes: list[tuple[int, Places, Floats64, float]] = []
        self._point: Floats64 = self._factors.solve(self._right)
        if not np.isfinite(self._point).all():
            raise NoEndError("the basis is singular")

    def exchange(self, entering: int) -> int:
        """Make *entering* basic, and return the variable that leaves the basis. Raises ``NoEndError``."""
        column = self._column(entering)
        place = self._ratio_test(column)
        leaving = int(self.basis[place])
        self._pivot(place, entering, column)
        return leaving

    def _column(self, variable: int) -> Floats64:
        """Return the rate at which each basic variable falls as *variable* grows."""
        first, end = self._columns.indptr[variable : variable + 2]
        dense = np.zeros(len(self.basis))
        dense[self._columns.indices[first:end]] = self._columns.data[first:end]
        column: Floats64 = self._factors.solve(dense)
        for place, others, entries, pivot in self._changes:
            step = column[place]
            if step:
                step /= pivot
                column[others] -= entries * step
                column[place] = step
        return column

    def _ratio_test(self, column: Floats64) -> int:
        """Return the place of the variable that falls to 0 first, in lexicographic order, but first of all 1 - t."""
        places = np.flatnonzero((column > SETTINGS.least_pivot) & ~self._fixed)
        falls, now = column[places], np.maximum(self._point[places, 0], 0)
        if not len(places):
            raise NoEndError("the path has no end")
        places = places[now <= (now / falls).min() * falls + SETTINGS.zero]
        if (ends := places[self.basis[places] == self._last]).size:
            return int(ends[0])
        return int(places[np.argmin(self._point[places, 1] / column[places])])

    def _pivot(self, place: int, variable: int, column: Floats64) -> None:
        pivot = column[place]
        others = np.flatnonzero(column)
        others = others[others != place]
        self._changes.append((place, others, column[others], pivot))
        self.basis[place] = variable
        step = self._point[place] / pivot
        self._point[others] -= column[others, None] * step
        self._point[place] = step
        if len(self._changes) >= SETTINGS.most_changes:
            self._factor()

    def plans(self) -> Iterates[Plans]:
        """Solve the basis exactly, and return both players' plans. Raises ``NotExactError``."""
        problem, basis = self._problem, self.basis
        n, k, (m, j) = problem.sequences, problem.sets, problem.split
        used = np.zeros(n, dtype=bool)
        used[basis[basis < n]] = True
        sides = (slice(0, m), slice(0, j)), (slice(m, n), slice(j, k))
        plans = []
        for (mine, my_sets), (others, other_sets) in (sides, sides[::-1]):
            # The opponent's plan satisfies the flow equations, and gives zero slack to the player's used sequences.
            columns = np.concatenate([np.arange(n)[others][used[others]], n + np.arange(k)[my_sets]])
            tight = np.concatenate([np.arange(k)[other_sets], k + np.arange(n)[mine][used[mine]]])
            if len(columns) != len(tight):
                raise NotExactError("the basis is not square")
            right = np.isin(tight, problem.roots).astype(np.int64)
            solution = yield from ExactSystem(problem.matrix.part(tight, columns)).solve(right)
            weights = len(columns) - (my_sets.stop - my_sets.start)
            scale = lcm(*(value.denominator for value in solution))
            whole = np.array([int(value * scale) for value in solution], dtype=object)
            slacks = problem.matrix.part(k + np.arange(n)[mine], columns).times(whole)
            if min(whole[:weights], default=0) < 0 or min(slacks, default=0) < 0:
                raise NotExactError("the basis does not give an equilibrium")
            plan = np.full(n, Fraction(0), dtype=object)
            plan[columns[:weights]] = solution[:weights]
            plans.append(list(plan[others]))
        return plans[1], plans[0]


def lemke(problem: Problem, number: int) -> Iterates[Plans]:
    """Return both players' plans at the end of Lemke's path from a start.

    Raises ``NoEndError`` and ``NotExactError``.
    """
    tableau = Tableau(problem, start(problem, number))
    most = SETTINGS.pivots_per_equation * len(tableau.basis)
    yield from follow_path(tableau.exchange, problem.sequences, 2 * problem.sequences + problem.sets, most)
    return (yield from tableau.plans())


SOLVERS = (
    Solver(
        name="lcp",
        summary="Lemke's method on the sequence form, for two-player games with or without a constant sum: pivots with "
        "floats, then solves the last basis exactly; several starts may give several equilibria",
        source="Koller, Megiddo and von Stengel (Games Econ. Behav. 14, 1996); von Stengel, van den Elzen and Talman "
        "(Econometrica 70, 2002)",
        solves=Solves(players=2, several=True),
        run=run,
        parameters=OPTIONS,
    ),
)
