"""One player's strategy at every information set of a two-player game of bidding, as rows of numbers.

An array of a player has one row for each history of the opponent's class (``games.bid_index``) and one column for
each own hand: how likely the hand makes the **last bid of that history**, at the history before it. So bid b >= 1 of
player p at entry i of class p stands in row ``i | 2**(b-1)``, and bid 0 of player 1 in row 0; row 0 of player 2 is
the empty history, nobody's bid, and holds zeros. What the bids of a set leave of 1 is the probability to call. At
the root, where there is nothing to call, they sum to 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

import numpy as np
import numpy.typing as npt

from ..base.rationals import Number
from ..games.bid_index import class_size, last_bid, locate
from ..games.bidding import BiddingGame

Array = npt.NDArray[Any]

BLOCK = 1 << 13
"""Histories worked on at a time: with some twenty hands they stay in a core's cache."""

Elsewhere = Literal["default", "uniform"]
"""The strategy where nothing is written down: the game's default move, or all moves alike."""


class DenseRows(Protocol):
    """One player's strategy by blocks of histories with the same last bid."""

    @property
    def excess(self) -> float:
        """The most by which the probabilities of one set, as given, are off a distribution, in sum."""

    def rows(self, bid: int, start: int, stop: int) -> Array:
        """The probability of *bid* by hand at the entries [start, stop), all of one last bid, of the player's class.

        Shape (stop - start, hands), or (1, hands) where all these rows are alike.
        """


@dataclass(frozen=True, eq=False)
class ArrayRows:
    """A strategy in an array of shape (2**(m-1), hands), in floats or in flags (of pure strategies)."""

    array: Array
    excess: float = 0.0

    def rows(self, bid: int, start: int, stop: int) -> Array:
        """A view of the array."""
        above = 1 << bid >> 1
        found: Array = self.array[above + start : above + stop]
        return found


@dataclass(frozen=True, eq=False)
class ByLastBid:
    """A strategy that looks at the own hand and the last bid alone.

    ``table[last + 1, hand, bid]``: the probability of *bid* after *last* (-1: none); shape (m + 1, hands, m).
    """

    player: int
    table: npt.NDArray[np.float64]
    excess: float = 0.0

    def rows(self, bid: int, start: int, stop: int) -> Array:
        """One row: all these entries have the same last bid."""
        found: Array = self.table[last_bid(self.player, start) + 1, None, :, bid]
        return found


def blocks(entries: int, size: int = BLOCK) -> Iterator[tuple[int, int]]:
    """The first *entries* (a power of two) of a class as (start, stop), the last bid being the same in each."""
    start, stop = 0, 1
    while start < entries:
        yield start, stop
        start, stop = stop, stop + min(stop, size)


def bids_open(player: int, start: int, m: int) -> range:
    """The bids that can be made at entry *start* of the class of *player*."""
    return range(last_bid(player, start) + 1, m)


def calling(strategy: DenseRows, player: int, start: int, stop: int, m: int) -> Array:
    """How likely each hand calls at these entries: what the bids leave of 1, at least 0; zeros at the root."""
    if last_bid(player, start) < 0:
        return np.zeros((1, 1))
    left: Array = np.ones((1, 1))
    for bid in bids_open(player, start, m):
        left = left - strategy.rows(bid, start, stop)
    return np.maximum(left, 0.0)


def from_written(
    game: BiddingGame, player: int, written: Mapping[str, Mapping[int, Mapping[str, Number]]], elsewhere: Elsewhere
) -> ArrayRows:
    """The rows of *player*: ``written[history][hand]`` are probabilities by move; the rest is played as *elsewhere*."""
    m, hands = len(game.bid_names), game.hand_counts[player]
    rows = ArrayRows(np.zeros((class_size(m), hands)))
    if elsewhere == "uniform":
        for start, stop in blocks(class_size(m)):
            bids, calls = bids_open(player, start, m), last_bid(player, start) >= 0
            for bid in bids:
                rows.rows(bid, start, stop)[:] = 1 / (len(bids) + calls)
    elif player == 0:
        rows.array[0] = 1.0  # the lowest bid, where there is nothing to call
    for history, behaviors in written.items():
        index = locate(game.bids_of(history))[1]
        for hand, behavior in behaviors.items():
            for bid in bids_open(player, index, m):
                rows.array[index | 1 << bid >> 1, hand] = float(behavior.get(game.bid_names[bid], 0))
    return rows
