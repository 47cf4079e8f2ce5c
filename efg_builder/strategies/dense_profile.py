"""Behavior strategies at every information set of a two-player game of bidding, as arrays.

Their layout is that of ``strategies.dense_rows``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ..base.errors import ProfileError
from ..base.words import quiet
from ..games.bid_index import bids_at, class_size, last_bid, locate
from ..games.bidding import BiddingGame
from ..games.protocol import PublicDecision
from .dense_rows import Array, ArrayRows, bids_open, blocks
from .protocol import Asked
from .sparse_profile import Behavior, SparseProfile

SLACK = 1e-6
"""How far the bids of one set may sum beyond 1, and those of the root off 1, besides what storing them rounds."""


@dataclass(frozen=True, eq=False)
class DenseProfile(Asked):
    """The strategies of one or both players of ``game``; None stands for a player of whom nothing is known.

    Raises ``ProfileError``, which names player and set, for an array of the wrong shape or kind, for numbers that
    are negative or none, and for sets whose probabilities do not sum to 1. ``source`` stands first in the message.
    """

    game: BiddingGame
    arrays: tuple[Array | None, Array | None]
    source: str = ""
    name: str = "arrays"

    def __post_init__(self) -> None:
        m, excess = len(self.game.bid_names), [0.0, 0.0]
        for player, array in enumerate(self.arrays):
            if array is not None:
                self._check_shape(player, array)
                excess[player] = max(self._check_block(player, array, *block) for block in blocks(class_size(m)))
        object.__setattr__(self, "_excess", tuple(excess))

    @property
    def exact(self) -> bool:
        """Whether these are pure strategies, in flags: floats are what was stored, rounded."""
        return all(array is None or array.dtype == np.bool_ for array in self.arrays)

    def at(self, turn: PublicDecision, hand: int) -> dict[str, float]:
        """The bids' probabilities as stored, and as the call what they leave of 1."""
        array = self._of(turn.player)
        bids = self.game.bids_of(turn.history)
        entry, first = locate(bids)[1], bids[-1] + 1 if bids else 0
        names = self.game.bid_names
        found = {names[bid]: float(array[entry | 1 << bid >> 1, hand]) for bid in range(first, len(names))}
        return found | {self.game.call: max(1.0 - sum(found.values()), 0.0)} if bids else found

    def sparse(self) -> SparseProfile | None:
        """Of pure strategies in flags: the bids, wherever one is made. None where the arrays are floats."""
        if not self.exact or any(array is None for array in self.arrays):
            return None
        return SparseProfile(self.game, (self._bids(0), self._bids(1)), self.name)

    def _bids(self, player: int) -> dict[str, dict[int, Behavior]]:
        array, m, found = self._of(player), len(self.game.bid_names), dict[str, dict[int, Behavior]]()
        for index in sorted(range(class_size(m)), key=lambda index: bids_at(player, index)):  # in the order of play
            made: dict[int, Behavior] = {
                int(hand): {self.game.bid_names[bid]: Fraction(1)}
                for bid in bids_open(player, index, m)
                for hand in np.flatnonzero(array[index | 1 << bid >> 1])
            }
            if made:
                found[self.game.history(bids_at(player, index))] = made
        return found

    def dense(self, player: int, progress: Callable[[str], None] = quiet) -> ArrayRows:
        """The array of *player* (from 0). Raises ``ProfileError`` where there is none."""
        excess: tuple[float, float] = self._excess  # type: ignore[attr-defined]
        return ArrayRows(self._of(player), excess[player])

    def _of(self, player: int) -> Array:
        array = self.arrays[player]
        if array is None:
            lacking = f"there is no strategy of player {player + 1} in it"
            raise ProfileError(f"{self.source}: {lacking}" if self.source else lacking)
        return array

    def _place(self, player: int) -> str:
        return f"{self.source}: player{player + 1}" if self.source else f"player{player + 1}"

    def _check_shape(self, player: int, array: Array) -> None:
        wanted = class_size(len(self.game.bid_names)), self.game.hand_counts[player]
        if array.shape != wanted:
            raise ProfileError(f"{self._place(player)}: an array of shape {array.shape}; this game's has {wanted}")
        if array.dtype not in (np.float32, np.float64, np.bool_):
            raise ProfileError(f"{self._place(player)}: numbers of kind {array.dtype}; float32 or float64 is right")
        if player == 1 and array[0].any():
            raise ProfileError(f"{self._place(player)}: row 0 is the empty history, nobody's bid, and must be zeros")

    def _check_block(self, player: int, array: Array, start: int, stop: int) -> float:
        """How far one set's probabilities in this block are off a distribution, at most."""
        m, total = len(self.game.bid_names), np.zeros((stop - start, array.shape[1]))
        for bid in bids_open(player, start, m):
            rows = ArrayRows(array).rows(bid, start, stop)
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
        raise ProfileError(f"{self._place(player)}, {label!r}: {what} {numbers[row, hand]:.9g}")
