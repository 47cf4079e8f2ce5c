"""Best responses over a whole game of bidding that visit only what the opponent's plan reaches.

Where a hand's play is not written down it calls, so a bid off the opponent's support ends play at once, and the
worth of all bids against that is one matrix product. Only bids that the opponent's plan answers with bids are
followed further. So the cost is that of the opponent's support, whatever the size of the game.

The same code works in floats and in integers of any size.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..bidding_model import Bidding, Lines
from .support import ROOT, Flags, Indices, Numbers, Plan, Support

BLOCK = 2**22
"""Numbers in one array, at most: deep levels of large games are worked out in parts."""


@dataclass(frozen=True)
class Response:
    """What a player can get against a plan.

    ``value``: the most over the whole game; ``restricted``: within the restricted game; both summed over the own
    hands, weighted with their chances. ``moves``: what improves on the restricted game: (node, bid, hands that gain
    by it). ``visited``: histories at which the player moves and which the opponent's plan reaches.
    """

    value: Any
    restricted: Any
    moves: list[tuple[int, int, Flags]]
    visited: int


@dataclass(frozen=True)
class _Level:
    """Some of the player's decision nodes at one depth, as positions among all of them, and what was found there.

    ``best``: of shape (nodes, hands): the best bid, -1 for a call. ``better``: (nodes, bids, hands): what gains.
    """

    at: Indices
    best: Indices
    better: Flags


def respond(model: Bidding, support: Support, player: int, plan: Plan, threshold: Any) -> Response:
    """The best response of *player* to the opponent's *plan*, and all moves that improve on the restricted game.

    A move improves where its worth, with the best play of the whole game to follow, exceeds what the information
    set is worth within the restricted game by more than *threshold*. Only sets that the own allowed
    moves lead to count, and below a new move only the best response.
    """
    walk = _Walk(model, support, player, plan)
    levels = [walk.level(at, threshold) for at in reversed(walk.levels)]
    return Response(walk.value, walk.restricted, list(_moves(walk, levels[::-1])), len(walk.nodes))


def respond_both(
    model: Bidding, support: Support, plans: tuple[Plan, Plan], threshold: Any
) -> tuple[Response, Response]:
    """Each player's ``respond`` to the other's plan."""
    return respond(model, support, 0, plans[1], threshold), respond(model, support, 1, plans[0], threshold)


class _Walk:
    """Backward induction over the player's decision nodes that the opponent's plan reaches."""

    def __init__(self, model: Bidding, support: Support, player: int, plan: Plan) -> None:
        self.model, self.support, self.player = model, support, player
        hands, other = model.hands[player], 1 - player
        exact = plan.weights.dtype != np.float64
        self.kind = plan.weights.dtype if exact else np.float64
        start = [ROOT] if player == 0 else []
        self.nodes = np.array([*start, *plan.nodes], dtype=np.intp)
        whole = np.full((len(start), model.hands[other]), plan.scale, dtype=self.kind)
        self.weights = np.concatenate([whole, plan.weights])
        lines, unit = model.lines[player], 1 if exact else 1.0 / (model.totals[other] * model.largest)
        self.lines = Lines((lines.matrix * unit).astype(self.kind), lines.bid, lines.call)
        # Nothing is worth less than this; integers have no infinity.
        self.never = -4 * model.largest * model.totals[other] * plan.scale if exact else -np.inf
        self.chances = model.chances[player].astype(self.kind) * (1 if exact else 1.0 / model.totals[player])
        self.last = np.array([support.bid[node] for node in self.nodes], dtype=np.intp)
        depth = np.array([support.depth[node] for node in self.nodes], dtype=np.intp)
        rows = max(1, BLOCK // (model.bids * hands))
        levels = [np.flatnonzero(depth == d) for d in np.unique(depth)]
        self.levels = [level[k : k + rows] for level in levels for k in range(0, len(level), rows)]
        # What bids that the opponent answers with bids gain by that over being called: (free, restricted).
        self.answered: dict[int, dict[int, tuple[Numbers, Numbers]]] = {}
        self.value = self.restricted = 0 if exact else 0.0
        self.zero = np.zeros(hands, dtype=self.kind)

    def level(self, at: Indices, threshold: Any) -> _Level:
        """Work out one depth, the deeper ones being done, and hand its worth up."""
        support, nodes, last = self.support, self.nodes[at], self.last[at]
        lines = self.weights[at] @ self.lines.matrix
        worth = lines[:, self.lines.bid]
        allowed = np.zeros(worth.shape, dtype=bool)
        inside = np.full(worth.shape, self.never, dtype=self.kind)
        before = self._called_before(lines, nodes)
        for k, node in enumerate(nodes):
            for bid, child in support.children[node].items():
                allowed[k, bid] = support.allowed[child]
                inside[k, bid] = np.where(allowed[k, bid], worth[k, bid], self.never)
            for bid, (free, restricted) in self.answered.pop(node, {}).items():
                worth[k, bid] += free
                inside[k, bid] += np.where(allowed[k, bid], restricted, 0)
        worth[np.arange(self.model.bids) <= last[:, None]] = self.never
        best = worth.argmax(axis=1)
        most, least = worth.max(axis=1), inside.max(axis=1)
        if nodes[0] != ROOT:
            call = np.take_along_axis(lines, self.lines.call[last], axis=1)
            best = np.where(most > call, best, -1)
            most, least = np.maximum(most, call), np.maximum(least, call)
        better = (worth - least[:, None, :] > threshold) & ~allowed & self._may_be_here(nodes)[:, None, :]
        self._hand_up(nodes, most, least, before)
        return _Level(at, best, better)

    def _called_before(self, lines: Numbers, nodes: Indices) -> Numbers:
        """What the own bid before each node would be worth, if the plans that now reach the node called it."""
        bids = [self.support.bid[self.support.parent[node]] if node else 0 for node in nodes]
        return np.take_along_axis(lines, self.lines.bid[bids], axis=1)

    def _may_be_here(self, nodes: Indices) -> Flags:
        """Which own hands' allowed moves lead to each node."""
        above = [self.support.parent[node] if node else ROOT for node in nodes]
        everyone = np.ones(self.model.hands[self.player], dtype=bool)
        return np.array([self.support.allowed[v] if v != ROOT else everyone for v in above])

    def _hand_up(self, nodes: Indices, most: Numbers, least: Numbers, before: Numbers) -> None:
        for k, node in enumerate(nodes):
            own = self.support.parent[node]
            if own <= ROOT:
                self.value += self.chances @ most[k]
                self.restricted += self.chances @ least[k]
                continue
            bids = self.answered.setdefault(self.support.parent[own], {})
            free, restricted = bids.get(self.support.bid[own], (self.zero, self.zero))
            bids[self.support.bid[own]] = free + (most[k] - before[k]), restricted + (least[k] - before[k])


def _moves(walk: _Walk, levels: list[_Level]) -> Iterator[tuple[int, int, Flags]]:
    """The improving moves, first ones first, and below them the best response."""
    support = walk.support
    reached = {int(node) for node in walk.nodes}
    follow: dict[int, Flags] = {}
    for level in levels:
        for k, node in enumerate(walk.nodes[level.at].tolist()):
            new = {int(bid): level.better[k, bid] for bid in np.flatnonzero(level.better[k].any(axis=1))}
            here = follow.pop(node, None)
            if here is not None:
                for hand in np.flatnonzero(here & (level.best[k] >= 0)):
                    bid = int(level.best[k, hand])
                    new[bid] = new.get(bid, np.zeros(len(here), dtype=bool)) | (np.arange(len(here)) == hand)
            for bid, hands in new.items():
                yield node, bid, hands
                child = support.children[node].get(bid)
                for after in support.children[child].values() if child is not None else ():
                    if after in reached:
                        follow[after] = follow.get(after, np.zeros(len(hands), dtype=bool)) | hands
