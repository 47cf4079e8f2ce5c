"""A quasi-perfect equilibrium: best play even after mistakes by either player.

The realization weight of a sequence of length n is at least e^n. As e goes to 0, the optimal plans tend to a
quasi-perfect equilibrium (E. van Damme, Int. J. Game Theory 13, 1984; P. B. Miltersen and T. B. Sorensen, Economic
Theory 42, 2010). The matrix does not depend on e, and the plans of a basis are polynomials in e. A basis that is
optimal for one small e is tested for *all* small e: every nonzero weight, slack and dual value must have a positive
term of lowest order. If the test fails, a smaller e is tried.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from ...forms.sequence_form import PlayerSequences, SequenceForm
from ..driver import Iterate, Iterates
from ..small import quick_plans
from .exact import ExactProgram, ExactSystem, IntegerMatrix, NotExactError, Objects, exact_program, solve_exactly
from .highs import Vertex
from .lp import constraints
from .optimal_plans import sets_in_order

Indices = npt.NDArray[np.intp]
Polynomial = tuple[Fraction, ...]
"""Coefficients of 1, e, e squared, ..."""

Plans = tuple[Sequence[Polynomial], Sequence[Polynomial]]
"""Both players' realization weights, by sequence; all are positive for e > 0."""

INVERSE_MISTAKES = (100, 10**4, 10**6, 10**9)
"""The inverses of the values of e that are tried."""


@dataclass(frozen=True)
class Refined:
    """A quasi-perfect equilibrium. The keys are indices in ``tree.infosets``.

    ``rows``: the probabilities of each information set's actions. ``mistakes``: for each action, the pair (c, k) of the
    leading term c e^k of its probability as e goes to 0. If the action is played, k = 0; otherwise c > 0 and k >= 1.
    """

    rows: dict[int, tuple[Fraction, ...]]
    mistakes: dict[int, tuple[tuple[Fraction, int], ...]]


def quasi_perfect(form: SequenceForm) -> Iterates[Refined]:
    """Return a quasi-perfect equilibrium. Raises ``NotExactError`` and ``LinearProgramError``."""
    if (quick := (yield from quick_plans(form, mistakes=True))) is not None:
        return _limit(form, quick)
    problem = _Perturbed.of(form)
    for inverse in INVERSE_MISTAKES:
        yield Iterate(f"refining: mistakes of probability 1/{inverse}")
        _, basis = yield from solve_exactly(problem.program(inverse))
        plans = yield from problem.plans(basis)
        if plans is not None:
            return _limit(form, plans)
    raise NotExactError("no basis was found that stays optimal as mistakes become rarer")


def _limit(form: SequenceForm, plans: Plans) -> Refined:
    """Compute probabilities from the weights' lowest-order terms, which dominate as e goes to 0."""
    rows, mistakes = {}, {}
    for side, plan in zip(form.players, plans, strict=True):
        terms = [_lowest(weight) for weight in plan]
        for k, parent, first, width in zip(side.infosets, side.parent, side.first, side.widths, strict=True):
            above, order = terms[parent]
            found = tuple((c / above, power - order) for c, power in terms[first : first + width])
            mistakes[int(k)] = found
            rows[int(k)] = tuple(c if not power else Fraction(0) for c, power in found)
    return Refined(rows, mistakes)


def _lowest(weight: Polynomial) -> tuple[Fraction, int]:
    return next((c, power) for power, c in enumerate(weight) if c)


@dataclass(frozen=True)
class _Perturbed:
    """The linear program with minimum weights.

    Columns: x (the weights minus their minimum), then q (the values of the opponent's information sets). Rows: the
    opponent's sequences, then the player's information sets. ``right[k]``, ``cost[k]``: the coefficients of e^k in the
    right-hand sides and in the objective. ``right`` includes the empty sequence's weight, 1.
    """

    form: SequenceForm
    lengths: tuple[Indices, Indices]
    matrix: IntegerMatrix
    right: Objects
    cost: Objects

    @classmethod
    def of(cls, form: SequenceForm) -> _Perturbed:
        one, two = form.players
        n1, n2 = one.count, two.count
        whole = constraints(form, spare=0)
        lengths = (sequence_lengths(one), sequence_lengths(two))
        powers = 1 + max(int(side.max()) for side in lengths)
        # Move the terms of the minimum weights, and of the empty sequence's weight 1, to the right-hand sides.
        least = np.zeros((powers, whole.shape[1]), dtype=object)
        least[lengths[0], np.arange(n1)] = 1
        right = np.array([-whole.times(row) for row in least])
        # The opponent plays each sequence with at least its minimum weight. The objective therefore contains the slack
        # of the sequence's row, times this weight.
        sure = np.zeros((powers, whole.shape[0]), dtype=object)
        sure[lengths[1], np.arange(n2)] = 1
        sure[0, 0] = 0
        cost = np.array([whole.transposed.times(row) for row in sure])
        cost[0, n1] += 1
        keep = np.flatnonzero(whole.columns != 0)
        matrix = IntegerMatrix(whole.rows[keep], whole.columns[keep], whole.entries[keep], *whole.shape)
        cost[:, 0] = 0
        return cls(form, lengths, matrix, right, cost)

    def program(self, inverse: int) -> ExactProgram:
        """Return the program for e = 1 / *inverse*.

        The powers of e are columns, so that all coefficients are small integers. The columns after q are p_k = e^k;
        w_k, the payoff of order k; and v_k = w_k + e v_(k+1). The objective is v_0.
        """
        height, width = self.matrix.shape
        powers = len(self.right)
        p, w, v = (width + k * powers + np.arange(powers) for k in range(3))
        n1, n2 = self.form.players[0].count, self.form.players[1].count
        cells: list[tuple[int, int, int]] = []
        for k, row in zip(*np.nonzero(self.right), strict=True):
            cells.append((int(row), int(p[k]), -int(self.right[k, row])))
        gain, value, power = (height + k * powers + np.arange(powers) for k in range(3))
        for k, column in zip(*np.nonzero(self.cost), strict=True):
            cells.append((int(gain[k]), int(column), int(self.cost[k, column])))
        for k in range(powers):
            cells.append((int(gain[k]), int(w[k]), -1))
            cells += [(int(value[k]), int(w[k]), inverse), (int(value[k]), int(v[k]), -inverse)]
            cells.append((int(power[k]), int(p[k]), inverse if k else 1))
            if k:
                cells += [(int(value[k - 1]), int(v[k]), 1), (int(power[k]), int(p[k - 1]), -1)]
        matrix = self.matrix.extended(cells)
        free = np.zeros(matrix.shape[1], dtype=bool)
        free[n1:width] = True
        free[width + powers :] = True
        equal = np.zeros(matrix.shape[0], dtype=bool)
        equal[n2:height] = True
        equal[power] = True
        return exact_program(matrix, int(v[0]), int(power[0]), free, equal, self.form.payoffs)

    def plans(self, basis: Vertex) -> Iterates[Plans | None]:
        """Return both players' plans for *basis*, or None if this basis is not optimal for all small e."""
        one, two = self.form.players
        height, width = self.matrix.shape
        rows = np.flatnonzero(~basis.basic_rows[:height])
        columns = np.flatnonzero(basis.basic_columns[:width])
        columns = columns[columns != 0]
        if len(rows) != len(columns):
            return None
        system = ExactSystem(self.matrix.part(rows, columns))
        powers = range(len(self.right))
        values = np.full((len(powers), width), Fraction(0), dtype=object)
        prices = np.full((len(powers), height), Fraction(0), dtype=object)
        for k in powers:
            values[k, columns] = yield from system.solve(self.right[k, rows])
            prices[k, rows] = yield from system.solve(self.cost[k, columns], transposed=True)
        slack = np.array([_times(self.matrix, values[k]) - self.right[k] for k in powers])[:, : two.count]
        spare = np.array([_times(self.matrix.transposed, prices[k]) - self.cost[k] for k in powers])[:, 1 : one.count]
        shares = (values[:, : one.count], slack, spare, -prices[:, : two.count])
        if not all(_never_negative(share) for share in shares):
            return None
        return self._weights(0, values), self._weights(1, -prices)

    def _weights(self, player: int, above: Objects) -> tuple[Polynomial, ...]:
        plan = above[:, : self.form.players[player].count].copy()
        lengths = self.lengths[player]
        plan[:, 0] = Fraction(0)
        plan[lengths, np.arange(len(lengths))] += Fraction(1)
        return tuple(tuple(column) for column in plan.T)


def sequence_lengths(side: PlayerSequences) -> Indices:
    lengths = np.zeros(side.count, dtype=np.intp)
    for k in sets_in_order(side):
        lengths[side.first[k] : side.first[k] + side.widths[k]] = lengths[side.parent[k]] + 1
    return lengths


def _times(matrix: IntegerMatrix, vector: Objects) -> Objects:
    sums = np.full(matrix.shape[0], Fraction(0), dtype=object)
    used = np.flatnonzero(vector[matrix.columns] != 0)
    np.add.at(sums, matrix.rows[used], matrix.entries[used] * vector[matrix.columns[used]])
    return sums


def _never_negative(polynomials: Objects) -> bool:
    return all(next((c for c in column if c), Fraction(0)) >= 0 for column in polynomials.T)
