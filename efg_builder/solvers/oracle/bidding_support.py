"""The restricted game of a double oracle for bidding: the bids that each hand may make so far, as a trie."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from .bidding import Bidding

Flags = npt.NDArray[np.bool_]
Indices = npt.NDArray[np.intp]

ROOT = 0


class Support:
    """The histories that allowed bids lead to.

    A node is a history; node 0 is the empty one. The last bid of a node at an odd depth is player 1's.
    ``parent``, ``bid`` (the last one), ``depth``: one entry for each node. ``allowed[node]``: which hands of the
    last bidder may make that bid there, shape (hands,). Nodes come after their parents.
    """

    def __init__(self, model: Bidding) -> None:
        self.hands = model.hands
        self.parent, self.bid, self.depth = [-1], [-1], [0]
        self.allowed: list[Flags] = [np.zeros(0, dtype=bool)]
        self.children: list[dict[int, int]] = [{}]

    def __len__(self) -> int:
        return len(self.parent)

    def bidder(self, node: int) -> int:
        """Who made the last bid."""
        return (self.depth[node] - 1) % 2

    def allow(self, node: int, bid: int, hands: Flags) -> int:
        """Let those *hands* of the player to move at *node* make *bid*; returns the node it leads to."""
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
        """The bids that lead to *node*."""
        bids = []
        while node != ROOT:
            bids.append(self.bid[node])
            node = self.parent[node]
        return bids[::-1]

    def sequences(self, player: int) -> Sequences:
        """The player's sequences in the restricted game."""
        nodes = [node for node in range(1, len(self)) if self.bidder(node) == player]
        flags = np.array([self.allowed[node] for node in nodes], dtype=bool).reshape(len(nodes), self.hands[player])
        which, hand = np.nonzero(flags)
        count = np.zeros(len(self), dtype=np.intp)
        count[nodes] = flags.sum(axis=1)
        start = np.concatenate([[0], np.cumsum(count)])[:-1]
        return Sequences(np.array(nodes, dtype=np.intp)[which], hand, start, count)


@dataclass(frozen=True)
class Sequences:
    """The sequences of one player: pairs of a node and a hand that may make its last bid, in that order.

    ``node``, ``hand``: one entry for each. ``start``, ``count``: of each node's sequences, by node.
    """

    node: Indices
    hand: Indices
    start: Indices
    count: Indices

    def __len__(self) -> int:
        return len(self.node)

    def at(self, nodes: Indices, hands: Indices) -> Indices:
        """The sequences of those pairs of node and hand, which must exist."""
        keys = self.node * (self.hand.max(initial=0) + 1) + self.hand
        found: Indices = np.searchsorted(keys, nodes * (self.hand.max(initial=0) + 1) + hands)
        return found


@dataclass(frozen=True)
class Plan:
    """A realization plan of one player: how likely each hand is, by its own play, to have bid as in each node.

    ``nodes``: those whose last bid is the player's and has a positive weight for some hand, deeper ones
    later. ``weights``: of shape (nodes, hands): floats up to 1, or integers (any dtype) up to ``scale``.
    """

    nodes: Indices
    weights: npt.NDArray[Any]
    scale: int = 1
