"""Behavior strategies at every information set of a two-player game of bidding, as arrays.

An array of a player has one row for each history of the opponent's class (``games.bid_index``) and one column for
each own hand: how likely the hand makes the **last bid of that history**, at the history before it. So bid b >= 1 of
player p at entry i of class p stands in row ``i | 2**(b-1)``, and bid 0 of player 1 in row 0; row 0 of player 2 is
the empty history, nobody's bid, and holds zeros. What the bids of a set leave of 1 is the probability to call. At
the root, where there is nothing to call, they sum to 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from ..base.errors import ProfileError
from ..games.bid_index import bids_at, class_size, last_bid
from ..games.bidding import BiddingGame

Array = npt.NDArray[Any]

BLOCK = 1 << 13
"""Histories worked on at a time: with some twenty hands they stay in a core's cache."""

SLACK = 1e-6
"""How far the bids of one set may sum beyond 1, and those of the root off 1, besides what storing them rounds."""


class WideRows(Protocol):
    """One player's strategy, told by blocks of histories with the same last bid."""

    @property
    def excess(self) -> float:
        """The most by which the probabilities of one set, as told, are off a distribution, in sum."""

    def rows(self, bid: int, start: int, stop: int) -> Array:
        """How likely each hand makes *bid* at the entries [start, stop) of the player's class.

        Shape (stop - start, hands), or (1, hands) where all these rows are alike. All entries have one last bid,
        and *bid* is above it.
        """


@dataclass(frozen=True, eq=False)
class Dense:
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

    ``table[last + 1, hand, bid]``: the probability of *bid* after the last bid *last* (-1: none); shape
    (m + 1, hands, m).
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


def calling(strategy: WideRows, player: int, start: int, stop: int, m: int) -> Array:
    """How likely each hand calls at these entries: what the bids leave of 1, at least 0; zeros at the root."""
    if last_bid(player, start) < 0:
        return np.zeros((1, 1))
    left: Array = np.ones((1, 1))
    for bid in bids_open(player, start, m):
        left = left - strategy.rows(bid, start, stop)
    return np.maximum(left, 0.0)


@dataclass(frozen=True, eq=False)
class WideStrategy:
    """The strategies of one or both players of ``game``; None stands for a player of whom nothing is known.

    Raises ``ProfileError``, which names player and set, for an array of the wrong shape or kind, for numbers that
    are negative or none, and for sets whose probabilities do not sum to 1. ``source`` stands first in the message.
    """

    game: BiddingGame
    arrays: tuple[Array | None, Array | None]
    source: str = ""

    def __post_init__(self) -> None:
        m, excess = len(self.game.bid_names), [0.0, 0.0]
        for player, array in enumerate(self.arrays):
            if array is not None:
                self._check_shape(player, array)
                excess[player] = max(self._check_block(player, array, *block) for block in blocks(class_size(m)))
        object.__setattr__(self, "_excess", tuple(excess))

    def of(self, player: int) -> Dense | None:
        """The strategy of *player* (from 0)."""
        array = self.arrays[player]
        excess: tuple[float, float] = self._excess  # type: ignore[attr-defined]
        return None if array is None else Dense(array, excess[player])

    def _name(self, player: int) -> str:
        return f"{self.source}: player{player + 1}" if self.source else f"player{player + 1}"

    def _check_shape(self, player: int, array: Array) -> None:
        wanted = class_size(len(self.game.bid_names)), self.game.hand_counts[player]
        if array.shape != wanted:
            raise ProfileError(f"{self._name(player)}: an array of shape {array.shape}; this game's has {wanted}")
        if array.dtype not in (np.float32, np.float64, np.bool_):
            raise ProfileError(f"{self._name(player)}: numbers of kind {array.dtype}; float32 or float64 is right")
        if player == 1 and array[0].any():
            raise ProfileError(f"{self._name(player)}: row 0 is the empty history, nobody's bid, and must be zeros")

    def _check_block(self, player: int, array: Array, start: int, stop: int) -> float:
        """How far one set's probabilities in this block are off a distribution, at most."""
        m, total = len(self.game.bid_names), np.zeros((stop - start, array.shape[1]))
        for bid in bids_open(player, start, m):
            rows = Dense(array).rows(bid, start, stop)
            if not np.all(rows >= 0):  # nan fails too
                self._refuse(player, start, ~(rows >= 0), rows, f"the probability of {self.game.bid_names[bid]!r} is")
            total += rows
        off = np.abs(total - 1) if last_bid(player, start) < 0 else np.maximum(total - 1, 0)
        kind = array.dtype if array.dtype != np.bool_ else np.float64
        allowed = SLACK + m * float(np.finfo(kind).eps)
        if not np.all(off <= allowed):
            right = "1" if last_bid(player, start) < 0 else "at most 1 (the rest is the call)"
            self._refuse(player, start, ~(off <= allowed), total, f"the bids' probabilities must sum to {right}, not")
        return float(off.max())

    def _refuse(self, player: int, start: int, wrong: Array, numbers: Array, what: str) -> None:
        row, hand = (int(index[0]) for index in np.nonzero(wrong))
        history = self.game.history(bids_at(player, start + row))
        label = self.game.infoset_name(player, hand, history)
        raise ProfileError(f"{self._name(player)}, {label!r}: {what} {numbers[row, hand]:.9g}")
