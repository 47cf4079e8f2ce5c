"""Regret minimization for any number of players on a tree with perfect recall.

A strategy is one array with the probability of each move in the tree (``forms.extensive.first_moves``). An evaluation
sums the payoffs at terminal nodes by the player's last move, then processes the player's information sets upward.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ...forms.extensive import (
    CHANCE,
    NONE,
    TERMINAL,
    GameTree,
    chance_reach,
    first_moves,
    own_sequences,
    scaled_payoffs,
)
from ...strategies.tree_profile import TreeProfile
from .engine import Engine, Exact, Rule, TableStrategy, exact_row
from .newton import Floats, MixedSet, MixedSupport

if TYPE_CHECKING:
    import scipy

Indices = npt.NDArray[np.intp]


@dataclass(frozen=True)
class TreeSettings:
    least_sum: float = 1e-300
    """A sum that does not exceed this value is treated as 0, because its inverse may overflow."""
    most_nodes: int = 300_000
    """Maximum number of reached nodes in a support for Newton's method."""
    first_regrets: float = 0.3
    """The mean of random initial regrets, as a share of half the payoff range."""


SETTINGS = TreeSettings()


@dataclass(frozen=True)
class _Sets:
    """All information sets of a player, or the information sets after a certain number of the player's moves.

    ``moves``: the moves, grouped by information set. ``starts``, ``widths``: the first index in ``moves`` and the
    number of moves of each information set. ``parents``: the index of the player's last move before each information
    set, plus 1 (0: no move).
    """

    moves: Indices
    starts: Indices
    widths: Indices
    parents: Indices


class TreeRegrets(Engine):
    """All players' regrets, strategies and average plans on *tree*, which must have perfect recall (not checked).

    With a *seed*, the initial regrets are random; otherwise, the initial strategies are uniform.
    """

    def __init__(self, tree: GameTree, rule: Rule, seed: Sequence[int] | None = None) -> None:
        self._starts = first_moves(tree)
        self._moves = int(self._starts[-1])
        last = own_sequences(tree)
        ends = np.flatnonzero(tree.player == TERMINAL)
        self._last = np.ascontiguousarray(last[ends].T) + 1
        chance, chance_scale = chance_reach(tree)
        paid, scale = scaled_payoffs(tree)
        columns = paid[ends].T
        spans = [(int(max(column)), int(min(column))) for column in columns]
        super().__init__(rule, [Fraction(high - low, 2 * scale) or Fraction(1) for high, low in spans])
        self.tree = tree
        # Quotients of Python integers are correctly rounded.
        shares = [(2 * c - (high + low)) / (high - low or 1) for c, (high, low) in zip(columns, spans, strict=True)]
        self._weighted = np.array(shares, dtype=np.float64) * (chance[ends] / chance_scale).astype(np.float64)
        self._ends = ends
        # For two players, combine the terminal nodes that have the same pair of last moves.
        self._pairs = [self._paired(player) for player in self.seats] if len(self.seats) == 2 else []
        self._levels = [self._levels_of(last, player) for player in self.seats]
        self._sets = [_joined(levels) for levels in self._levels]
        regrets = np.zeros(self._moves)
        if seed is not None:
            regrets = SETTINGS.first_regrets * np.random.default_rng(seed).exponential(size=self._moves)
        start = TableStrategy([regrets])
        self.begin(start, TableStrategy([np.zeros(self._moves)]), self.normalized(start))

    def _paired(self, player: int) -> scipy.sparse.csr_matrix:
        import scipy.sparse

        size = 1 + self._moves
        places = self._last[player], self._last[1 - player]
        return scipy.sparse.csr_matrix((self._weighted[player], places), shape=(size, size))

    def _levels_of(self, last: Indices, player: int) -> list[_Sets]:
        tree = self.tree
        sets = [k for k in tree.personal if tree.infosets[k].player == player and k in tree.first_nodes]
        above = {k: int(last[tree.first_nodes[k], player]) for k in sets}
        owner = np.searchsorted(self._starts, np.arange(self._moves), side="right") - 1
        depth: dict[int, int] = {}
        for k in sorted(sets, key=tree.first_nodes.__getitem__):
            depth[k] = 0 if above[k] == NONE else depth[int(owner[above[k]])] + 1
        by_depth: dict[int, list[int]] = {}
        for k in sets:
            by_depth.setdefault(depth[k], []).append(k)
        found = []
        for _, level in sorted(by_depth.items()):
            widths = np.array([len(tree.infosets[k].actions) for k in level], dtype=np.intp)
            starts = np.cumsum(widths) - widths
            moves = np.concatenate([np.arange(self._starts[k], self._starts[k + 1]) for k in level])
            found.append(_Sets(moves, starts, widths, np.array([above[k] + 1 for k in level], dtype=np.intp)))
        return found

    def match_regrets(self, player: int, instant: tuple[Floats, float]) -> None:
        sets, (all_regrets,), (played,) = self._sets[player], self.regrets.tables, self.strategy.tables
        regrets = all_regrets[sets.moves]
        matched = self.rule.match(regrets, instant[0][sets.moves], self.iterations)
        all_regrets[sets.moves] = regrets
        played[sets.moves] = _shares(sets, matched)

    def add_to_average(self, player: int, weight: float) -> None:
        moves, (totals,) = self._sets[player].moves, self.totals.tables
        totals[moves] += weight * self.plans[player][1 + moves]

    def normalized(self, given: TableStrategy) -> TableStrategy:
        found = given.copy()
        for sets in self._sets:
            found.tables[0][sets.moves] = _shares(sets, given.tables[0][sets.moves])
        return found

    def gains(self, strategy: TableStrategy) -> list[float]:
        plans = [self.plan(strategy, player) for player in self.seats]
        return [
            self.best_value(strategy, plans, player) - self.counterfactual_regrets(strategy, plans, player)[1]
            for player in self.seats
        ]

    def best_value(self, strategy: TableStrategy, plans: list[Floats], player: int) -> float:
        worth = self._worth(plans, player)
        for level in reversed(self._levels[player]):
            np.add.at(worth, level.parents, np.maximum.reduceat(worth[1 + level.moves], level.starts))
        return float(worth[0])

    def key(self, strategy: TableStrategy) -> bytes:
        return np.packbits(strategy.tables[0] > 0).tobytes()

    def support(self, strategy: TableStrategy, most: int) -> MixedSupport | None:
        tree, (played,) = self.tree, strategy.tables
        move, alive = np.zeros(len(tree), dtype=np.intp), np.ones(len(tree), dtype=bool)
        move[1:] = self._starts[tree.infoset[tree.parent[1:]]] + tree.action[1:]
        alive[1:] = (played[move[1:]] > 0) | (tree.player[tree.parent[1:]] == CHANCE)
        for nodes in tree.levels[1:]:
            alive[nodes] &= alive[tree.parent[nodes]]
        there = np.flatnonzero(alive)
        if len(there) > SETTINGS.most_nodes:
            return None
        reached = np.unique(tree.infoset[there[tree.player[there] >= 0]])
        number: dict[int, int] = {}
        sets: list[MixedSet] = []
        for k in reached.tolist():
            moves = [m for m in range(self._starts[k], self._starts[k + 1]) if played[m] > 0]
            if len(moves) > 1:
                sets.append(MixedSet(tree.infosets[k].player, range(len(number), len(number) + len(moves))))
                number.update(zip(moves, sets[-1].unknowns, strict=True))
        if len(number) > most:
            return None
        end = dict(zip(self._ends.tolist(), range(len(self._ends)), strict=True))
        product: dict[int, tuple[int, ...]] = {0: ()}
        terms: dict[tuple[int, ...], Any] = {}
        parents, moves_to = tree.parent[there].tolist(), move[there].tolist()
        for node, above, by in zip(there.tolist(), parents, moves_to, strict=True):
            if node:
                unknown = number.get(by)
                product[node] = product[above] if unknown is None else (*product[above], unknown)
            if node in end:
                term = tuple(sorted(product[node]))
                terms[term] = terms.get(term, 0) + self._weighted[:, end[node]]
        return MixedSupport(terms, sets, played[list(number)], [(0, m) for m in number])

    def written(self, strategy: TableStrategy, exact: Exact = exact_row) -> TreeProfile:
        starts, (played,) = self._starts, strategy.tables
        rows = {k: exact(tuple(played[starts[k] : starts[k + 1]].tolist())) for k in self.tree.personal}
        return TreeProfile.from_personal(self.tree, rows)

    def plan(self, strategy: TableStrategy, player: int) -> Floats:
        """Return the realization weights of the empty sequence (1) and of each of the player's moves."""
        (played,) = strategy.tables
        plan = np.ones(1 + self._moves)
        for level in self._levels[player]:
            plan[1 + level.moves] = played[level.moves] * np.repeat(plan[level.parents], level.widths)
        return plan

    def _worth(self, plans: Sequence[Floats], player: int) -> Floats:
        """Return payoffs times the others' reach probabilities (with chance), summed by the player's last move."""
        if self._pairs:
            worth: Floats = self._pairs[player] @ plans[1 - player]
            return worth
        weights = self._weighted[player].copy()
        for other in self.seats:
            if other != player:
                weights *= plans[other][self._last[other]]
        return np.bincount(self._last[player], weights, minlength=1 + self._moves)

    def counterfactual_regrets(
        self, strategy: TableStrategy, plans: Sequence[Floats], player: int
    ) -> tuple[Floats, float]:
        """Return the counterfactual regret of each move against *strategy*, and the player's payoff."""
        worth = self._worth(plans, player)
        regrets = np.zeros(self._moves)
        for level in reversed(self._levels[player]):
            action_values = worth[1 + level.moves]
            value = np.add.reduceat(action_values * strategy.tables[0][level.moves], level.starts)
            regrets[level.moves] = action_values - np.repeat(value, level.widths)
            np.add.at(worth, level.parents, value)
        return regrets, float(worth[0])


def _joined(levels: Sequence[_Sets]) -> _Sets:
    none = np.zeros(0, dtype=np.intp)
    moves, widths, parents = (
        np.concatenate([none, *(getattr(level, name) for level in levels)]) for name in ("moves", "widths", "parents")
    )
    return _Sets(moves, np.cumsum(widths) - widths, widths, parents)


def _shares(sets: _Sets, given: Floats) -> Floats:
    """Return *given*, normalized to probabilities at each information set (uniform if all weights are 0)."""
    if not len(sets.moves):
        return given
    total = np.add.reduceat(given, sets.starts)
    known = total > SETTINGS.least_sum
    scale = np.where(known, 1 / np.where(known, total, 1), 0)
    found: Floats = given * np.repeat(scale, sets.widths) + np.repeat(np.where(known, 0, 1 / sets.widths), sets.widths)
    return found
