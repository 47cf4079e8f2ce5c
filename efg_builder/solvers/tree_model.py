"""A two-player game with perfect recall as its sequences, level by level.

The tree oracle and regret minimisation on trees work on these arrays: all information sets of a level are walked at
once. In reading order: ``Level``, ``Side`` and ``Whole``, the arrays; ``whole_game``, which makes them.

Each player has a *default move* at every information set: the one after which
play can end soonest. The depth of a node's play is the least number of moves, chance's included, from it to
an end; at an information set an action counts as much as at the worst of the set's nodes; of the best
actions it is the first.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from ..forms.extensive import TERMINAL, GameTree
from ..forms.sequence_form import PlayerSequences, SequenceForm, node_sequences, sequence_form
from .lp.rational import IntegerMatrix

Longs = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
Numbers = npt.NDArray[Any]
"""Floats, 64-bit integers, or Python's own integers and Fractions: the same steps serve all."""


@dataclass(frozen=True)
class Level:
    """Information sets that can be walked at once: none of them leads to another.

    ``sets``: their positions in ``PlayerSequences.infosets``, shape (k,). ``sequences``: their sequences, set
    by set. ``starts``: where in it those of each set begin, shape (k,).
    """

    sets: Longs
    sequences: Longs
    starts: Longs


@dataclass(frozen=True)
class Side:
    """One player's sequences; ``default`` marks the default moves and the empty sequence, shape (count,).

    ``levels`` come in an order in which each set stands after the one that leads to it.
    """

    player: int
    sequences: PlayerSequences
    default: Flags
    levels: tuple[Level, ...]

    def spread(self, values: Numbers) -> Numbers:
        """One value for each set, shape (k,), as one for each sequence but the empty one."""
        return np.repeat(values, self.sequences.widths)

    def greatest(self, values: Numbers) -> Numbers:
        """The greatest of *values*, shape (count,), at each set; shape (k,)."""
        found: Numbers = np.maximum.reduceat(values[1:], self.sequences.first - 1)
        return found

    def choose(self, scores: Numbers) -> Flags:
        """The first sequence of greatest score at each set; shape (count,), False for the empty one."""
        top = np.flatnonzero(scores[1:] == self.spread(self.greatest(scores)))
        _, first = np.unique(self.sequences.owner[1 + top], return_index=True)
        chosen = np.zeros(self.sequences.count, dtype=bool)
        chosen[1 + top[first]] = True
        return chosen

    def passed(self, allowed: Flags) -> Flags:
        """The sequences all of whose moves are *allowed*; shape (count,)."""
        passed = allowed.copy()
        for level in self.levels:
            above = passed[self.sequences.parent[level.sets]]
            passed[level.sequences] &= np.repeat(above, self.sequences.widths[level.sets])
        return passed


@dataclass(frozen=True)
class Whole:
    """A two-player game with perfect recall; ``sequences[node, player]`` leads to the node."""

    tree: GameTree
    form: SequenceForm
    sequences: Longs
    sides: tuple[Side, Side]

    @cached_property
    def integers(self) -> IntegerMatrix:
        """Player 1's payoffs by sequences, as in ``SequenceForm``: player 1's are the rows."""
        one, two = self.form.players
        return IntegerMatrix(self.form.rows, self.form.columns, self.form.payoffs, one.count, two.count)

    @cached_property
    def floats(self) -> sparse.csr_matrix:
        """The same in floats, divided by the ``largest``."""
        one, two = self.form.players
        entries = np.array([value / self.largest for value in self.form.payoffs], dtype=np.float64)
        return sparse.csr_matrix((entries, (self.form.rows, self.form.columns)), shape=(one.count, two.count))

    @cached_property
    def largest(self) -> int:
        """The greatest absolute value among the payoffs by sequences; at least 1."""
        return max((abs(value) for value in self.form.payoffs), default=1)


def whole_game(tree: GameTree) -> Whole:
    """*tree*, which must have two players and perfect recall (not checked here), laid out."""
    form = sequence_form(tree)
    sequences = node_sequences(tree, form.players)
    left = moves_left(tree)
    one, two = (_side(tree, p, form.players[p], sequences[:, p], left) for p in range(2))
    return Whole(tree, form, sequences, (one, two))


def moves_left(tree: GameTree) -> Longs:
    """The least number of moves, chance's included, from each node to an end of play; shape (nodes,)."""
    left = np.where(tree.player == TERMINAL, 0, len(tree)).astype(np.int64)
    for nodes in reversed(tree.levels[1:]):
        np.minimum.at(left, tree.parent[nodes], left[nodes] + 1)
    return left


def _side(tree: GameTree, player: int, mine: PlayerSequences, sequences: Longs, left: Longs) -> Side:
    levels = _levels(tree, player, mine)
    side = Side(player, mine, np.ones(mine.count, dtype=bool), levels)
    after = 1 + np.flatnonzero(tree.player[tree.parent[1:]] == player)
    worst = np.zeros(mine.count, dtype=np.int64)
    np.maximum.at(worst, sequences[after], left[after])
    default = side.choose(-worst)
    default[0] = True
    return Side(player, mine, default, levels)


def _levels(tree: GameTree, player: int, mine: PlayerSequences) -> tuple[Level, ...]:
    # A set's node nearest to the root stands below a node of the set that leads to it.
    depth = np.full(len(tree.infosets), len(tree), dtype=np.int64)
    nodes = np.flatnonzero(tree.player == player)
    np.minimum.at(depth, tree.infoset[nodes], tree.depth[nodes])
    depths = depth[mine.infosets]
    order = np.argsort(depths, kind="stable")
    levels = []
    for sets in np.split(order, 1 + np.flatnonzero(np.diff(depths[order]))):
        if len(sets):
            widths = mine.widths[sets]
            starts = np.cumsum(widths) - widths
            sequences = np.arange(widths.sum()) + np.repeat(mine.first[sets] - starts, widths)
            levels.append(Level(sets, sequences, starts))
    return tuple(levels)
