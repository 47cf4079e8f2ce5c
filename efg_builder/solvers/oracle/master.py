"""The restricted game of bidding as one linear program in the sequence form, in small integers.

A call is what is left of a hand's weight, so only bids have columns (player 1) and rows (player 2). Columns
are scaled by the chances of the hands: ``x = chance * realization weight``.
D. Koller, N. Megiddo and B. von Stengel (STOC 1994).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
from scipy import sparse

from ..bidding_model import Bidding, Longs
from ..lp.exact_vertex import ExactProgram
from ..lp.highs import Program, Vertex
from ..lp.rational import IntegerMatrix
from .support import ROOT, Indices, Numbers, Sequences, Support

ONE, GAIN = 0, 1
"""Columns: the constant 1, and the mean of the payoffs' integers, which is maximised."""

UNIT, WORTH = 0, 1
"""Rows: the first says that ``ONE`` is 1, the second bounds ``GAIN``."""


@dataclass(frozen=True)
class Master:
    """The linear program of a restricted game.

    Columns: ``ONE``, ``GAIN``, player 1's sequences, player 2's information sets. Rows: ``UNIT``, ``WORTH``,
    player 2's sequences, player 1's information sets. ``rows``, ``columns``, ``entries``: its integer
    coefficients. ``sets[player]``: the (node, hand) of each information set at which something is allowed.
    ``unit``: the largest payoff. What is worth something (``GAIN``, player 2's sets; ``WORTH``, player 2's sequences)
    is in these units in the floats, so that HiGHS' absolute tolerances mean the same in every game.
    """

    sequences: tuple[Sequences, Sequences]
    sets: tuple[Sequences, Sequences]
    rows: Longs
    columns: Longs
    entries: Longs
    opening: npt.NDArray[np.bool_]
    unit: int

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return 2 + len(self.sequences[1]) + len(self.sets[0]), 2 + len(self.sequences[0]) + len(self.sets[1])

    @cached_property
    def program(self) -> Program:
        """In floats, for HiGHS."""
        rows, columns = self.shape
        worth_columns, worth_rows = self.in_units
        scale = np.where(worth_columns, float(self.unit), 1.0)[self.columns]
        scale /= np.where(worth_rows, float(self.unit), 1.0)[self.rows]
        matrix = sparse.csc_matrix((self.entries * scale, (self.rows, self.columns)), shape=self.shape)
        cost, lower, right, above = np.zeros(columns), np.zeros(columns), np.zeros(rows), np.full(rows, np.inf)
        cost[GAIN], lower[GAIN], right[UNIT] = 1.0, -np.inf, 1.0
        above[self.equal] = right[self.equal]
        return Program(matrix, cost, lower, right, above)

    def masses(self, values: Numbers, duals: Numbers) -> tuple[Numbers, Numbers]:
        """Both players' masses (chance times realization weight) of their sequences, in a solution."""
        return values[2 : 2 + len(self.sequences[0])], -duals[2 : 2 + len(self.sequences[1])]

    @cached_property
    def in_units(self) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
        """Which columns and rows are worths rather than weights."""
        rows, columns = (np.zeros(size, dtype=bool) for size in self.shape)
        rows[WORTH : 2 + len(self.sequences[1])] = True
        columns[GAIN] = columns[2 + len(self.sequences[0]) :] = True
        return columns, rows

    @cached_property
    def equal(self) -> npt.NDArray[np.bool_]:
        """Which rows are equations: every hand must open."""
        flags = np.zeros(self.shape[0], dtype=bool)
        flags[UNIT] = True
        flags[2 + len(self.sequences[1]) :] = self.opening
        return flags

    @property
    def exact(self) -> ExactProgram:
        """The same in integers."""
        signed = np.ones(self.shape[1], dtype=bool)
        signed[GAIN] = False
        matrix = IntegerMatrix(self.rows, self.columns, self.entries.astype(object), *self.shape)
        return ExactProgram(matrix, GAIN, UNIT, signed, self.equal, self.unit, self.program, self.in_units)


Entries = list[tuple[Longs, Longs, Longs]]
"""Coefficients, collected in pieces: rows, columns and values."""


def _put(entries: Entries, rows: Indices, columns: Indices | int, values: Longs | int) -> None:
    """Add coefficients at those places; a number stands for all of them."""
    shape = np.shape(rows)
    entries.append((rows, np.broadcast_to(columns, shape), np.broadcast_to(values, shape).astype(np.int64)))


def master(model: Bidding, support: Support) -> Master:
    """The linear program of the restricted game."""
    one, two = support.sequences(0), support.sequences(1)
    parent = np.array(support.parent)
    sets = _sets(one, parent), _sets(two, parent)
    entries: Entries = []
    _put(entries, np.array([UNIT]), ONE, 1)
    _first(entries, model, one, sets[0], parent, 2 + len(two))
    _second(entries, model, two, sets[1], parent, 2 + len(one))
    _openings(entries, model, one, parent, np.array(support.bid))
    _answers(entries, model, support, one, two)
    rows, columns, values = (np.concatenate([piece[k] for piece in entries]) for k in range(3))
    kept = values != 0
    return Master(
        sequences=(one, two),
        sets=sets,
        rows=rows[kept].astype(np.int64),
        columns=columns[kept].astype(np.int64),
        entries=values[kept],
        opening=sets[0].node == ROOT,
        unit=model.largest,
    )


def _sets(sequences: Sequences, parent: Indices) -> Sequences:
    """The information sets at which some bid is allowed."""
    hands = int(sequences.hand.max(initial=0)) + 1
    keys = np.unique(parent[sequences.node] * hands + sequences.hand)
    node, hand = np.divmod(keys, hands)
    count = np.bincount(node, minlength=len(parent))
    return Sequences(node, hand, np.concatenate([[0], np.cumsum(count)])[:-1], count)


def _first(entries: Entries, model: Bidding, one: Sequences, sets: Sequences, parent: Indices, rows: int) -> None:
    """Player 1's plan: at each set, no more is bid than came there; and every hand opens."""
    above = parent[one.node]
    bids = np.where(above == ROOT, -model.totals[0], -1)
    _put(entries, rows + sets.at(above, one.hand), 2 + np.arange(len(one)), bids)
    opening = np.flatnonzero(sets.node == ROOT)
    _put(entries, rows + opening, ONE, model.chances[0][sets.hand[opening]])
    later = np.flatnonzero(sets.node != ROOT)
    _put(entries, rows + later, 2 + one.at(parent[sets.node[later]], sets.hand[later]), 1)


def _second(entries: Entries, model: Bidding, two: Sequences, sets: Sequences, parent: Indices, columns: int) -> None:
    """What player 2's sets are worth to player 2: at least what each bid there is, and nothing by calling."""
    _put(entries, 2 + np.arange(len(two)), columns + sets.at(parent[two.node], two.hand), 1)
    first = np.flatnonzero(parent[sets.node] == ROOT)
    _put(entries, np.full(len(first), WORTH), columns + first, -model.chances[1][sets.hand[first]])
    later = np.flatnonzero(parent[sets.node] != ROOT)
    _put(entries, 2 + two.at(parent[sets.node[later]], sets.hand[later]), columns + later, -1)


def _openings(entries: Entries, model: Bidding, one: Sequences, parent: Indices, bid: Indices) -> None:
    """The worth of openings that are called, and of nothing else."""
    _put(entries, np.array([WORTH]), GAIN, -model.totals[1])
    at = np.flatnonzero(parent[one.node] == ROOT)
    worth = model.called[1][bid[one.node[at]], one.hand[at]] @ model.chances[1]
    _put(entries, np.full(len(at), WORTH), 2 + at, worth)


def _answers(entries: Entries, model: Bidding, support: Support, one: Sequences, two: Sequences) -> None:
    """What each bid changes: it will be called, where the bid before it would have been."""
    parent, bid, depth = np.array(support.parent), np.array(support.bid), np.array(support.depth)
    for bidder in range(2):
        nodes = np.flatnonzero((depth >= 2) & ((depth - 1) % 2 == bidder))
        ours, theirs = (nodes, parent[nodes]) if bidder == 0 else (parent[nodes], nodes)
        which, first, second = _pairs(one, ours, two, theirs)
        a, c = one.hand[first], two.hand[second]
        node = nodes[which]
        called, before = model.called[1 - bidder], model.called[bidder]
        _put(entries, 2 + second, 2 + first, called[bid[node], a, c] - before[bid[parent[node]], a, c])


def _pairs(one: Sequences, ours: Indices, two: Sequences, theirs: Indices) -> tuple[Indices, Indices, Indices]:
    """All pairs of sequences at each pair of nodes: (which pair of nodes, sequence of ours, of theirs)."""
    width = two.count[theirs]
    size = one.count[ours] * width
    which = np.repeat(np.arange(len(ours)), size)
    within = np.arange(int(size.sum())) - np.repeat(np.cumsum(size) - size, size)
    first, second = np.divmod(within, np.repeat(width, size))
    return which, one.start[ours][which] + first, two.start[theirs][which] + second


def carried(before: Master, vertex: Vertex, after: Master) -> Vertex:
    """The basis of *vertex* in a larger master: new moves are not made, new rows are slack."""
    rows, columns = after.shape
    basic_rows, basic_columns = np.ones(rows, dtype=bool), np.zeros(columns, dtype=bool)
    basic_columns[:2], basic_rows[:2] = vertex.basic_columns[:2], vertex.basic_rows[:2]
    for flags, old, sequences, sets in (
        (basic_columns, vertex.basic_columns, 0, 1),
        (basic_rows, vertex.basic_rows, 1, 0),
    ):
        first, then = before.sequences[sequences], after.sequences[sequences]
        flags[2 + then.at(first.node, first.hand)] = old[2 : 2 + len(first)]
        here, there = before.sets[sets], after.sets[sets]
        flags[2 + len(then) + there.at(here.node, here.hand)] = old[2 + len(first) :]
    nothing = np.zeros(0)
    return Vertex(nothing, nothing, basic_columns, basic_rows)
