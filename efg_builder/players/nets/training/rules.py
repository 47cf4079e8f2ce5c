"""A game of bidding for two as arrays, for training: what a call pays, and how likely hands are."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ....base.errors import NotApplicableError
from ....games.bidding import DiceBidding
from ....games.protocol import Deal

Array = npt.NDArray[Any]


def call_payoffs(game: DiceBidding) -> Array:
    """Player 1's payoffs in [-1, 1], of shape (caller, bid, hands of player 1, hands of player 2), float32.

    Payoffs are moved and scaled so that the largest is 1 and the smallest -1. Deals of one class pay the same, so that
    one of them is asked for. Raises ``NotApplicableError`` unless the players divide a constant sum.
    """
    if game.constant_sum is None:
        raise NotApplicableError(f"{game.title}: self-play is for players who divide a constant sum")
    found = np.empty((2, len(game.bid_names), *game.hand_counts))
    for caller, bid in np.ndindex(found.shape[:2]):
        key = game.called(int(bid), int(caller))
        classes = [np.array(game.classes(key, player)) for player in range(2)]
        for one in np.unique(classes[0]):
            for two in np.unique(classes[1]):
                hands = int(np.argmax(classes[0] == one)), int(np.argmax(classes[1] == two))
                paid = game.settle(key, Deal(Fraction(1), hands)).payoffs[0]
                found[caller, bid][np.ix_(classes[0] == one, classes[1] == two)] = float(paid)
    low, high = found.min(), found.max()
    if low == high:
        return np.zeros_like(found, dtype=np.float32)
    scaled: Array = (2 * (found - low) / (high - low) - 1).astype(np.float32)
    return scaled
