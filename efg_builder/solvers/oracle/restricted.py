"""The restricted bidding game: its histories, the players' plans, and its linear program.

``Master`` is the linear program in the sequence form (D. Koller, N. Megiddo and B. von Stengel, STOC 1994), with
integer coefficients. Only bids have columns (player 1) and rows (player 2): the realization weight of a call is the
weight of the information set minus the weights of the bids there. Player 1's variables are hand probabilities times
realization weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any

import numpy as np
import numpy.typing as npt

from ...forms.bidding_form import BiddingForm, Flags, Indices, Longs
from ...strategies.sparse_profile import SparseProfile, with_alike
from ..lp.exact import ExactProgram, IntegerMatrix
from ..lp.highs import Program, Vertex

Numbers = npt.NDArray[Any]
"""Floats, 64-bit integers or Python integers."""

ROOT = 0
"""The node of the empty history."""

MOST_BITS = 62
"""Number of bids in histories as 64-bit integers."""

ROUNDING_DENOMINATOR = 2**30
"""The common denominator of plans after rounding."""


class Support:
    """The histories of the restricted game, and the hands that may make each bid.

    A node is a history; node 0 is the empty history, and parents come before their children. At odd depths, player 1
    made the last bid. ``bid``: the last bid of each node. ``allowed[node]``: flags of the hands that may make the
    node's last bid, shape (last bidder's hands,).
    """

    def __init__(self, model: BiddingForm) -> None:
        self.bids, self.hands = model.bids, model.hands
        self.parent, self.bid, self.depth = [-1], [-1], [0]
        self.allowed: list[Flags] = [np.zeros(0, dtype=bool)]
        self.children: list[dict[int, int]] = [{}]
        self._table = np.zeros((3, 0), dtype=np.intp)

    def __len__(self) -> int:
        return len(self.parent)

    def bidder(self, node: int) -> int:
        return (self.depth[node] - 1) % 2

    def allow(self, node: int, bid: int, hands: Flags) -> int:
        """Allow *bid* at *node* for the mover's flagged *hands*, and return the resulting node."""
        child = self.children[node].get(bid)
        if child is None:
            child = len(self)
            self.children.append({})
            self.allowed.append(np.zeros(len(hands), dtype=bool))
            self.depth.append(self.depth[node] + 1)
            self.bid.append(bid)
            self.parent.append(node)
            self.children[node][bid] = child
        self.allowed[child] |= hands
        return child

    def path(self, node: int) -> list[int]:
        bids = []
        while node != ROOT:
            bids.append(self.bid[node])
            node = self.parent[node]
        return bids[::-1]

    @property
    def table(self) -> Indices:
        """The parent, the last bid and the depth of each node, shape (3, nodes)."""
        if (known := self._table.shape[1]) < len(self):
            new = np.array([of[known:] for of in (self.parent, self.bid, self.depth)], dtype=np.intp)
            self._table = np.concatenate([self._table, new], axis=1)
        return self._table

    @property
    def histories(self) -> npt.NDArray[Any]:
        """Each node as an integer whose bits are its bids (Python integers for more than ``MOST_BITS`` bids)."""
        found = [0]
        for parent, bid in zip(self.parent[1:], self.bid[1:], strict=True):
            found.append(found[parent] | 1 << bid)
        return np.array(found, dtype=np.int64 if self.bids <= MOST_BITS else object)

    def nodes(self, player: int) -> Indices:
        """Return the nodes at which *player* made the last bid."""
        depth = self.table[2]
        return np.flatnonzero((depth > 0) & (depth % 2 != player))

    def rows(self, nodes: Indices, hands: int) -> Flags:
        """Return flags of the hands that may make the last bid of each node, shape (nodes, hands)."""
        flags = [np.zeros(0, dtype=bool), *map(self.allowed.__getitem__, nodes.tolist())]
        return np.concatenate(flags).reshape(len(nodes), hands)

    def sequences(self, player: int) -> Sequences:
        nodes = self.nodes(player)
        flags = self.rows(nodes, self.hands[player])
        which, hand = np.nonzero(flags)
        count = np.zeros(len(self), dtype=np.intp)
        count[nodes] = flags.sum(axis=1)
        start = np.concatenate([[0], np.cumsum(count)])[:-1]
        return Sequences(nodes[which], hand, start, count)


@dataclass(frozen=True)
class Sequences:
    """The sequences of one player, sorted by node, then hand.

    A sequence consists of a node and a hand that may make the node's last bid. ``start``, ``count``: the first sequence
    and the number of sequences of each node.
    """

    node: Indices
    hand: Indices
    start: Indices
    count: Indices

    def __len__(self) -> int:
        return len(self.node)

    def at(self, nodes: Indices, hands: Indices) -> Indices:
        """Return the sequence index of each pair of a node and a hand; all these sequences must exist."""
        width = int(self.hand.max(initial=0)) + 1
        found: Indices = np.searchsorted(_keys(self.node, self.hand, width), _keys(nodes, hands, width))
        return found


def _keys(nodes: Indices, hands: Indices, width: int) -> Longs:
    """Return a number for each pair of a node and a hand. It can exceed the index type, which may have 32 bits."""
    return nodes.astype(np.int64) * width + hands


@dataclass(frozen=True)
class PlanOnSupport:
    """A realization plan of one player.

    ``nodes``: the nodes at which the player made the last bid and some hand has positive weight, parents first.
    ``weights``: floats up to 1 or integers up to ``scale``, shape (nodes, hands).
    """

    nodes: Indices
    weights: npt.NDArray[Any]
    scale: int = 1


def float_plan(
    model: BiddingForm, support: Support, player: int, sequences: Sequences, mass: npt.NDArray[np.float64], cut: float
) -> PlanOnSupport:
    """Return a valid plan close to *mass*, without weights below *cut*.

    *mass*: for each sequence, the hand's probability times the realization weight.
    """
    weights = np.zeros((len(support), model.hands[player]))
    chance = model.chances[player] / model.totals[player]
    weights[sequences.node, sequences.hand] = np.minimum(mass / chance[sequences.hand], 1.0)
    weights[weights < cut] = 0.0
    nodes = np.flatnonzero(weights.any(axis=1))
    return valid_plan(model, support, player, nodes, weights[nodes], 1)


def rounded(model: BiddingForm, support: Support, player: int, plan: PlanOnSupport) -> PlanOnSupport:
    """Return a valid integer plan close to *plan*, a plan with floats."""
    order = np.argsort(plan.nodes)
    weights = np.rint(plan.weights[order] * ROUNDING_DENOMINATOR).astype(np.int64)
    return valid_plan(model, support, player, plan.nodes[order], weights, ROUNDING_DENOMINATOR)


def exact_plan(
    model: BiddingForm, support: Support, player: int, sequences: Sequences, mass: list[Fraction]
) -> PlanOnSupport:
    """Return the integer plan for exact masses; see ``float_plan``."""
    chances, total = model.chances[player], model.totals[player]
    shares = [part * total / int(chances[hand]) for part, hand in zip(mass, sequences.hand, strict=True)]
    scale = lcm(*(share.denominator for share in shares))
    weights = np.zeros((len(support), model.hands[player]), dtype=object)
    for node, hand, share in zip(sequences.node, sequences.hand, shares, strict=True):
        weights[node, hand] = share.numerator * (scale // share.denominator)
    return _plan(np.arange(len(support)), _smaller(model, weights, scale), scale)


def _smaller(model: BiddingForm, weights: Numbers, scale: int) -> Numbers:
    fits = scale * model.totals[0] * model.totals[1] * model.largest < 2**58
    return weights.astype(np.int64) if fits else weights


def valid_plan(
    model: BiddingForm, support: Support, player: int, nodes: Indices, weights: Numbers, whole: int
) -> PlanOnSupport:
    """Return a valid plan close to *weights*, which is overwritten.

    In a valid plan, every hand opens, and the weights of bids at a node sum to at most the realization weight of the
    mover's last bid (or of the empty sequence). *nodes*: the nodes of the rows, in ascending order. *whole*: the
    weight of the empty sequence.
    """
    parent, _, depth = support.table
    if player == 0:
        # A hand without an opening bid makes the lowest bid.
        first = min(support.children[ROOT].values())
        if first not in nodes:
            at = np.searchsorted(nodes, first)
            nodes, weights = np.insert(nodes, at, first), np.insert(weights, at, 0, axis=0)
    of, level_of = parent[nodes], depth[nodes]
    place = np.full(len(support), -1)
    place[nodes] = np.arange(len(nodes))
    positive = (weights != 0).any(axis=1) | (level_of == 1)
    for level in range(1 + player, level_of.max(initial=0) + 1, 2):
        # Process all nodes at a depth at once. Bids at the same node are adjacent.
        bids = np.flatnonzero(positive & (level_of == level))
        if not len(bids):
            continue
        bids = bids[np.argsort(of[bids], kind="stable")]
        starts = np.flatnonzero(np.diff(of[bids], prepend=-1))
        ends = np.append(starts[1:], len(bids))
        if level > 2:
            own = place[parent[of[bids[starts]]]]
            there = weights[own]
            there[own < 0] = 0
        else:
            there = np.full((len(starts), weights.shape[1]), whole, dtype=weights.dtype)
        total = np.add.reduceat(weights[bids], starts)
        if level == 1:
            weights[bids[0]] += np.where(total[0] == 0, whole, 0)
            total, over = np.where(total == 0, whole, total), np.ones(total.shape, dtype=bool)
        else:
            over = total > there
        some = np.flatnonzero(over.any(axis=1))
        changed = np.repeat(some, (ends - starts)[some])
        rows = bids[np.isin(np.repeat(np.arange(len(starts)), ends - starts), some)]
        weights[rows] = _scaled(weights[rows], total[changed], there[changed], over[changed])
        if weights.dtype != np.float64:
            for at in np.flatnonzero(over.all(axis=1)):
                _add_remainder(weights, bids[starts[at] : ends[at]], there[at])
    return _plan(nodes, weights, whole)


def _scaled(bid: Numbers, total: Numbers, there: Numbers, over: Flags) -> Numbers:
    if bid.dtype == np.float64:
        return bid * np.where(over, there / np.where(over, total, 1.0), 1.0)
    return np.where(over, bid * there // np.where(over, total, 1), bid)


def _add_remainder(weights: Numbers, bids: Indices, there: Numbers) -> None:
    # Add the remainder to the most probable bid, because every hand must open.
    bid = weights[bids]
    largest = bids[bid.argmax(axis=0)]
    weights[largest, np.arange(len(there))] += there - bid.sum(axis=0)


def moved(home: Support, plan: PlanOnSupport, support: Support) -> PlanOnSupport:
    """Copy *plan* from *home* to *support*, and add the missing histories to *support*."""
    return plan if home is support else _carried(home, plan, support, {ROOT: ROOT}, plan.nodes.tolist())


def unfolded(support: Support, plan: PlanOnSupport, alike: int) -> PlanOnSupport:
    """Extend player 2's *plan*: answer every opening below *alike* in the same way as the lowest opening."""
    lowest = support.children[ROOT].get(0)
    if alike <= 1 or lowest is None:
        return plan
    under = [node for node in plan.nodes.tolist() if support.path(node)[0] == 0]
    plans = [plan]
    for bid in range(1, alike):
        opening = support.allow(ROOT, bid, np.zeros(support.hands[0], dtype=bool))
        plans.append(_carried(support, plan, support, {ROOT: ROOT, lowest: opening}, under))
    nodes, weights = (np.concatenate(parts) for parts in zip(*((p.nodes, p.weights) for p in plans), strict=True))
    order = np.argsort(nodes)
    return PlanOnSupport(nodes[order], weights[order], plan.scale)


def _carried(
    home: Support, plan: PlanOnSupport, support: Support, to: dict[int, int], nodes: list[int]
) -> PlanOnSupport:
    """Copy the part of *plan* at *nodes* from *home* to *support*.

    *to* maps nodes of *home* to nodes of *support*: at first the nodes at which copying starts, later all copied nodes.
    """

    def reached(node: int, hands: Flags) -> int:
        found = to.get(node)
        if found is None:
            nobody = np.zeros(support.hands[1 - home.bidder(node)], dtype=bool)
            above = reached(home.parent[node], nobody)
            found = to[node] = support.allow(above, home.bid[node], hands)
        elif found != ROOT:
            support.allowed[found] |= hands
        return found

    rows = dict(zip(plan.nodes.tolist(), plan.weights, strict=True))
    places = np.array([reached(node, rows[node] != 0) for node in nodes], dtype=np.intp)
    weights = np.array([rows[node] for node in nodes]).reshape(len(nodes), plan.weights.shape[1])
    order = np.argsort(places)
    return PlanOnSupport(places[order], weights[order], plan.scale)


def _plan(nodes: Indices, weights: Numbers, scale: int) -> PlanOnSupport:
    positive = (weights != 0).any(axis=1)
    return PlanOnSupport(nodes[positive], weights[positive], scale)


def blended(support: Support, one: PlanOnSupport, two: PlanOnSupport, share: float) -> PlanOnSupport:
    """Return the floating-point mixture of the plans *one* (weight *share*) and *two* (weight 1 - *share*)."""
    weights = np.zeros((len(support), (one if len(one.nodes) else two).weights.shape[1]))
    for plan, part in ((one, share), (two, 1 - share)):
        weights[plan.nodes] += part * (plan.weights / plan.scale).astype(np.float64)
    return _plan(np.arange(len(support)), weights, 1)


def first_plan(model: BiddingForm, support: Support, player: int) -> PlanOnSupport:
    """Return the integer plan for the first round: player 1 makes the lowest opening, and player 2 calls."""
    nothing = np.zeros((0, model.hands[player]), dtype=np.int64)
    return valid_plan(model, support, player, np.zeros(0, dtype=np.intp), nothing, 1)


def sparse_profile(
    model: BiddingForm, homes: Sequence[Support], plans: Sequence[PlanOnSupport], alike: int = 0
) -> SparseProfile:
    """Return the behavior strategies of two integer plans.

    Player 2 answers every opening below *alike* in the same way as the lowest opening.
    """
    one, two = (_strategy(model, home, p, plan) for p, (home, plan) in enumerate(zip(homes, plans, strict=True)))
    lowest, *others = model.game.bid_names[: max(alike, 1)]
    if others and lowest in two:
        # Because of rounding, calls have small weights. Drop these weights: here, a call is never better than a bid.
        two[lowest] = {hand: _without(row, model.game.call) for hand, row in two[lowest].items()}
    return with_alike(SparseProfile(model.game, (one, two)), dict.fromkeys(others, lowest))


def _without(row: dict[str, Fraction], action: str) -> dict[str, Fraction]:
    whole = 1 - row.get(action, Fraction(0))
    return {other: p / whole for other, p in row.items() if other != action}


def _strategy(
    model: BiddingForm, support: Support, player: int, plan: PlanOnSupport
) -> dict[str, dict[int, dict[str, Fraction]]]:
    game = model.game
    at = {int(node): k for k, node in enumerate(plan.nodes)}
    sets: dict[int, list[int]] = {}
    for node in at:
        sets.setdefault(support.parent[node], []).append(node)
    strategy: dict[str, dict[int, dict[str, Fraction]]] = {}
    for node, children in sets.items():
        own = support.parent[node]
        came = plan.weights[at[own]] if own > ROOT else [plan.scale] * model.hands[player]
        bids = np.array([plan.weights[at[child]] for child in sorted(children, key=lambda c: support.bid[c])])
        names = [game.bid_names[bid] for bid in sorted(support.bid[child] for child in children)]
        hands = {}
        for hand in np.flatnonzero((bids != 0).any(axis=0)).tolist():
            whole = int(came[hand])
            row = {name: Fraction(int(w), whole) for name, w in zip(names, bids[:, hand], strict=True) if w}
            rest = 1 - sum(row.values(), Fraction(0))
            if rest:
                row[game.call] = rest
            hands[hand] = row
        strategy[game.history(support.path(node))] = hands
    return strategy


ONE, GAIN = 0, 1
"""Columns: the constant 1, and the objective, which is the expected payoff in the integer game."""

UNIT, BOUND = 0, 1
"""Rows: ``UNIT`` sets ``ONE`` to 1, and ``BOUND`` bounds ``GAIN``."""


@dataclass(frozen=True)
class Master:
    """The linear program of a restricted game.

    Columns: ``ONE``, ``GAIN``, player 1's sequences, player 2's information sets. Rows: ``UNIT``, ``BOUND``, player 2's
    sequences, player 1's information sets. ``rows``, ``columns``, ``entries``: the coefficients. ``sets[player]``: the
    node and the hand of each information set with an allowed bid. ``opening``: flags of player 1's information sets at
    the root. ``unit``: the largest payoff. ``program`` divides payoffs by it, because HiGHS' tolerances are absolute.
    """

    sequences: tuple[Sequences, Sequences]
    sets: tuple[Sequences, Sequences]
    rows: Indices
    columns: Indices
    entries: Longs
    opening: npt.NDArray[np.bool_]
    unit: int

    @property
    def shape(self) -> tuple[int, int]:
        return 2 + len(self.sequences[1]) + len(self.sets[0]), 2 + len(self.sequences[0]) + len(self.sets[1])

    @cached_property
    def program(self) -> Program:
        import scipy.sparse

        rows, columns = self.shape
        payoff_columns, payoff_rows = self.in_units
        scale = np.where(payoff_columns, float(self.unit), 1.0)[self.columns]
        scale /= np.where(payoff_rows, float(self.unit), 1.0)[self.rows]
        matrix = scipy.sparse.csc_matrix((self.entries * scale, (self.rows, self.columns)), shape=self.shape)
        cost, lower, right, above = np.zeros(columns), np.zeros(columns), np.zeros(rows), np.full(rows, np.inf)
        cost[GAIN], lower[GAIN], right[UNIT] = 1.0, -np.inf, 1.0
        above[self.equal] = right[self.equal]
        return Program(matrix, cost, lower, right, above)

    def masses(self, values: Numbers, duals: Numbers) -> tuple[Numbers, Numbers]:
        """Return both players' masses at a solution, by sequence; see ``float_plan``."""
        return values[2 : 2 + len(self.sequences[0])], -duals[2 : 2 + len(self.sequences[1])]

    @cached_property
    def in_units(self) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
        """Flags of the columns and rows that contain payoffs: ``GAIN``, ``BOUND``, and player 2's columns and rows."""
        rows, columns = (np.zeros(size, dtype=bool) for size in self.shape)
        rows[BOUND : 2 + len(self.sequences[1])] = True
        columns[GAIN] = columns[2 + len(self.sequences[0]) :] = True
        return columns, rows

    @cached_property
    def equal(self) -> npt.NDArray[np.bool_]:
        """Flags of the rows that are equations: ``UNIT``, and the rows that make every hand open."""
        flags = np.zeros(self.shape[0], dtype=bool)
        flags[UNIT] = True
        flags[2 + len(self.sequences[1]) :] = self.opening
        return flags

    @property
    def exact(self) -> ExactProgram:
        signed = np.ones(self.shape[1], dtype=bool)
        signed[GAIN] = False
        matrix = IntegerMatrix(self.rows, self.columns, self.entries.astype(object), *self.shape)
        return ExactProgram(matrix, GAIN, UNIT, signed, self.equal, self.unit, self.program, self.in_units)


Entries = list[tuple[Indices, Indices, Longs]]
"""Coefficients, collected in parts: rows, columns and values."""


def _put(entries: Entries, rows: Indices, columns: Indices | int, values: Longs | int) -> None:
    shape = np.shape(rows)
    entries.append((rows, np.broadcast_to(columns, shape), np.broadcast_to(values, shape).astype(np.int64)))


def master(model: BiddingForm, support: Support) -> Master:
    one, two = support.sequences(0), support.sequences(1)
    parent, bid, _ = support.table
    sets = _sets(one, parent), _sets(two, parent)
    entries: Entries = []
    _put(entries, np.array([UNIT]), ONE, 1)
    _first(entries, model, one, sets[0], parent, 2 + len(two))
    _second(entries, model.chances[1], two, sets[1], parent, 2 + len(one))
    _openings(entries, model, one, parent, bid)
    _answers(entries, model, support, one, two)
    rows, columns, values = (np.concatenate([piece[k] for piece in entries]) for k in range(3))
    kept = values != 0
    return Master(
        sequences=(one, two),
        sets=sets,
        rows=rows[kept].astype(np.intp),
        columns=columns[kept].astype(np.intp),
        entries=values[kept],
        opening=sets[0].node == ROOT,
        unit=model.largest,
    )


def _sets(sequences: Sequences, parent: Indices) -> Sequences:
    hands = int(sequences.hand.max(initial=0)) + 1
    keys = np.unique(_keys(parent[sequences.node], sequences.hand, hands))
    node, hand = (part.astype(np.intp) for part in np.divmod(keys, hands))
    count = np.bincount(node, minlength=len(parent))
    return Sequences(node, hand, np.concatenate([[0], np.cumsum(count)])[:-1], count)


def _first(entries: Entries, model: BiddingForm, one: Sequences, sets: Sequences, parent: Indices, rows: int) -> None:
    # At each information set of player 1, the weights of bids sum to at most the reach weight. Every hand opens.
    above = parent[one.node]
    bids = np.where(above == ROOT, -model.totals[0], -1)
    _put(entries, rows + sets.at(above, one.hand), 2 + np.arange(len(one)), bids)
    opening = np.flatnonzero(sets.node == ROOT)
    _put(entries, rows + opening, ONE, model.chances[0][sets.hand[opening]])
    later = np.flatnonzero(sets.node != ROOT)
    _put(entries, rows + later, 2 + one.at(parent[sets.node[later]], sets.hand[later]), 1)


def _second(entries: Entries, chances: Longs, two: Sequences, sets: Sequences, parent: Indices, columns: int) -> None:
    # Values of player 2's information sets are relative to a call, so they are at least 0 and at least each bid's
    # value.
    _put(entries, 2 + np.arange(len(two)), columns + sets.at(parent[two.node], two.hand), 1)
    first = np.flatnonzero(parent[sets.node] == ROOT)
    _put(entries, np.full(len(first), BOUND), columns + first, -chances[sets.hand[first]])
    later = np.flatnonzero(parent[sets.node] != ROOT)
    _put(entries, 2 + two.at(parent[sets.node[later]], sets.hand[later]), columns + later, -1)


def _openings(entries: Entries, model: BiddingForm, one: Sequences, parent: Indices, bid: Indices) -> None:
    _put(entries, np.array([BOUND]), GAIN, -model.totals[1])
    at = np.flatnonzero(parent[one.node] == ROOT)
    worth = model.called[1][bid[one.node[at]], one.hand[at]] @ model.chances[1]
    _put(entries, np.full(len(at), BOUND), 2 + at, worth)


def _answers(entries: Entries, model: BiddingForm, support: Support, one: Sequences, two: Sequences) -> None:
    # The coefficient of a reply is the payoff if the reply is called, minus the payoff if the previous bid is called.
    parent, bid, depth = support.table
    for bidder in range(2):
        nodes = np.flatnonzero((depth >= 2) & ((depth - 1) % 2 == bidder))
        ours, theirs = (nodes, parent[nodes]) if bidder == 0 else (parent[nodes], nodes)
        which, first, second = _pairs(one, ours, two, theirs)
        a, c = one.hand[first], two.hand[second]
        node = nodes[which]
        called, before = model.called[1 - bidder], model.called[bidder]
        _put(entries, 2 + second, 2 + first, called[bid[node], a, c] - before[bid[parent[node]], a, c])


def _pairs(one: Sequences, ours: Indices, two: Sequences, theirs: Indices) -> tuple[Indices, Indices, Indices]:
    width = two.count[theirs]
    size = one.count[ours] * width
    which = np.repeat(np.arange(len(ours)), size)
    within = np.arange(int(size.sum())) - np.repeat(np.cumsum(size) - size, size)
    first, second = np.divmod(within, np.repeat(width, size))
    return which, one.start[ours][which] + first, two.start[theirs][which] + second


def carried(before: Master, vertex: Vertex, after: Master) -> Vertex:
    """Return the basis of *vertex* for a larger program, in which new columns are nonbasic and new rows are basic."""
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
