"""One player's strategy at every information set of a two-player bidding game, as an array.

A player's array has one row for each history in the opponent's class (``forms.bidding_form``) and one column for each
of the player's hands. An entry is the probability that the hand makes the **last bid of the row's history**, at the
history before this bid. If player p makes bid b >= 1 at entry i of class p, the bid's probability is therefore in row
``i | 2**(b-1)``. The probability of player 1's bid 0 is in row 0. Row 0 of player 2 is zero, because the empty history
has no last bid. The call has the remaining probability, which is zero at the root.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

import numpy as np
import numpy.typing as npt

from ..base.rationals import Number
from ..forms.bidding_form import class_size, last_bid, locate
from ..games.bidding import BiddingGame

Array = npt.NDArray[Any]

BLOCK = 1 << 13
"""Number of histories in a block. With about twenty hands, a block fits in a core's cache."""

Elsewhere = Literal["default", "uniform"]
"""The strategy at information sets without explicit probabilities: the game's default move, or equal probabilities."""


class DenseRows(Protocol):
    """One player's strategy, in blocks of histories with the same last bid."""

    @property
    def excess(self) -> float:
        """The maximum error of a sum of bid probabilities (``dense_profile.SLACK``)."""

    def rows(self, bid: int, start: int, stop: int) -> Array:
        """Return the probability of *bid* for each hand at the entries [start, stop) of the player's class.

        All entries must have the same last bid. The shape is (stop - start, hands), or (1, hands) if all rows are
        equal.
        """


@dataclass(frozen=True, eq=False)
class ArrayRows:
    """A strategy in an array of shape (2**(m-1), hands), for m bids. The array of a pure strategy may be Boolean."""

    array: Array
    excess: float = 0.0

    def rows(self, bid: int, start: int, stop: int) -> Array:
        above = 1 << bid >> 1
        found: Array = self.array[above + start : above + stop]
        return found


@dataclass(frozen=True, eq=False)
class ByLastBid:
    """A strategy that depends only on the player's hand and the last bid.

    ``table[last + 1, hand, bid]`` is the probability of *bid* after the bid *last* (-1: no bid). With m bids, the shape
    is (m + 1, hands, m).
    """

    player: int
    table: npt.NDArray[np.float64]
    excess: float = 0.0

    def rows(self, bid: int, start: int, stop: int) -> Array:
        """Return one row, because all entries have the same last bid."""
        found: Array = self.table[last_bid(self.player, start) + 1, None, :, bid]
        return found


def blocks(entries: int, size: int = BLOCK) -> Iterator[tuple[int, int]]:
    """Split the first *entries* (a power of two) of a class into blocks (start, stop), each with one last bid."""
    start, stop = 0, 1
    while start < entries:
        yield start, stop
        start, stop = stop, stop + min(stop, size)


def bids_open(player: int, start: int, m: int) -> range:
    """Return the legal bids, out of *m* bids, at entry *start* of the class of *player*."""
    return range(last_bid(player, start) + 1, m)


def calling(strategy: DenseRows, player: int, start: int, stop: int, m: int) -> Array:
    """Return each hand's probability of a call at the entries [start, stop). At the root, this probability is 0.

    The probability is 1 minus the bids' probabilities. Negative results are rounding errors, and become 0.
    """
    if last_bid(player, start) < 0:
        return np.zeros((1, 1))
    call: Array = np.ones((1, 1))
    for bid in bids_open(player, start, m):
        call = call - strategy.rows(bid, start, stop)
    return np.maximum(call, 0.0)


def from_written(
    game: BiddingGame, player: int, written: Mapping[str, Mapping[int, Mapping[str, Number]]], elsewhere: Elsewhere
) -> ArrayRows:
    """Return the rows of *player*; ``written[history][hand]`` maps moves to probabilities.

    *elsewhere* is the strategy at all other information sets.
    """
    m, hands = len(game.bid_names), game.hand_counts[player]
    rows = ArrayRows(np.zeros((class_size(m), hands)))
    if elsewhere == "uniform":
        for start, stop in blocks(class_size(m)):
            bids, calls = bids_open(player, start, m), last_bid(player, start) >= 0
            for bid in bids:
                rows.rows(bid, start, stop)[:] = 1 / (len(bids) + calls)
    elif player == 0:
        rows.array[0] = 1.0  # the default move at the root is the lowest bid, because there is no bid to call
    for history, behaviors in written.items():
        index = locate(game.bids_of(history))[1]
        for hand, behavior in behaviors.items():
            for bid in bids_open(player, index, m):
                rows.array[index | 1 << bid >> 1, hand] = float(behavior.get(game.bid_names[bid], 0))
    return rows
