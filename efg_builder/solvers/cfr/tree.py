"""Regret minimisation on the sequence form of any two-player constant-sum game with perfect recall.

Every information set of a level at once, in floats. The values of all sequences against the other's plan are
one product with the payoff matrix; regrets are counterfactual (Zinkevich et al., NIPS 2007), players in turn.
In reading order: ``TreeRegrets``, the iteration and its best responses; ``behavior``, from a plan to a strategy.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from ...forms.sequence_form import PlayerSequences
from ..tree_model import Side, Whole
from .regret_matching import LEAST, Floats, Rule, rational


class TreeRegrets:
    """Both players' regrets and average plans; arrays have one entry for each sequence of the player.

    ``unit``: payoffs are in this many of the game's own (what player 1 gets, before the middle is added).
    """

    def __init__(self, whole: Whole, rule: Rule, kind: Any = np.float64) -> None:
        self.whole, self.rule, self.kind = whole, rule, kind
        matrix = whole.floats.astype(kind)
        # Rows are the player's own sequences.
        self._gains = (matrix, -matrix.T.tocsr())
        self.iterations, self.weights = 0, [0.0, 0.0]
        counts = [side.sequences.count for side in whole.sides]
        self.regrets = [np.zeros(count, dtype=kind) for count in counts]
        self.totals = [np.zeros(count, dtype=np.float64) for count in counts]
        self.plans = [self._plan(side, np.zeros(side.sequences.count, dtype=kind))[0] for side in whole.sides]
        self.strategies = [self._plan(side, self.regrets[side.player])[1] for side in whole.sides]

    @property
    def unit(self) -> float:
        """What a value of 1 is in player 1's payoffs."""
        return float(self.whole.form.unit * self.whole.largest)

    def iterate(self) -> None:
        """One iteration: player 1's regrets and plan, then player 2's."""
        self.iterations += 1
        weight = float(self.iterations) ** self.rule.power
        for player, side in enumerate(self.whole.sides):
            gained = self._gained(side, self._gains[player] @ self.plans[1 - player])
            matched = self.rule.match(self.regrets[player], gained, self.iterations)
            self.plans[player], self.strategies[player] = self._plan(side, matched)
            # One step after the other and no more: Ctrl-C may come in between, and averages must stay averages.
            self.totals[player] += weight * self.plans[player]
            self.weights[player] += weight

    def averages(self) -> tuple[Floats, Floats]:
        """Both average plans."""
        found = zip(self.totals, self.weights, self.plans, strict=True)
        one, two = (total / weight if weight else plan.astype(np.float64) for total, weight, plan in found)
        one[0] = two[0] = 1.0
        return one, two

    def nash_conv(self) -> float:
        """What both could gain against the average plans, summed, in units of ``unit``."""
        plans = self.averages()
        best = [
            self._best(side, self._gains[p].astype(np.float64) @ plans[1 - p])
            for p, side in enumerate(self.whole.sides)
        ]
        return float(sum(best))

    def _gained(self, side: Side, values: Floats) -> Floats:
        """What each sequence is worth more than its set's strategy; *values* are completed on the way."""
        strategy, sequences = self.strategies[side.player], side.sequences
        gained = np.zeros_like(values)
        for level in reversed(side.levels):
            own = values[level.sequences]
            worth = np.add.reduceat(own * strategy[level.sequences], level.starts)
            gained[level.sequences] = own - np.repeat(worth, sequences.widths[level.sets])
            np.add.at(values, sequences.parent[level.sets], worth)
        return gained

    def _best(self, side: Side, values: Floats) -> float:
        for level in reversed(side.levels):
            best = np.maximum.reduceat(values[level.sequences], level.starts)
            np.add.at(values, side.sequences.parent[level.sets], best)
        return float(values[0])

    def _plan(self, side: Side, positive: Floats) -> tuple[Floats, Floats]:
        """The realization plan and the behavior that are proportional to *positive*; uniform where that is 0."""
        sequences = side.sequences
        if sequences.count == 1:
            return np.ones(1, dtype=self.kind), np.ones(1, dtype=self.kind)
        total = np.add.reduceat(positive[1:], sequences.first - 1)
        known = total > 0
        scale = np.where(known, 1 / np.where(known, total, 1), 0)
        spread = positive[1:] * side.spread(scale) + side.spread(np.where(known, 0, 1 / sequences.widths))
        behavior = np.concatenate([[1.0], spread]).astype(self.kind)
        plan = behavior.copy()
        for level in side.levels:
            plan[level.sequences] *= np.repeat(plan[sequences.parent[level.sets]], sequences.widths[level.sets])
        return plan, behavior


def behavior(side: PlayerSequences, plan: Floats) -> dict[int, tuple[Fraction, ...]]:
    """The behavior strategy of a realization plan, by index in ``tree.infosets``; uniform where it never leads."""
    rows = {}
    for k, first, width in zip(side.infosets.tolist(), side.first.tolist(), side.widths.tolist(), strict=True):
        weights = plan[first : first + width]
        total = float(weights.sum())
        rows[k] = rational(weights / total if total > LEAST else np.full(width, 1 / width))
    return rows
