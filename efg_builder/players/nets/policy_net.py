"""The net of an average strategy, in NumPy: from what was bid to the moves of all hands at once, a net for each seat.

What deep counterfactual regret minimisation ends with (N. Brown, A. Lerer, S. Gross and T. Sandholm, "Deep
Counterfactual Regret Minimization", ICML 2019). Fully connected layers with rectified linear units, to each of which
from the second on its input is added; the last one has an output for each hand and move, of which a softmax over the
legal moves makes probabilities.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ...games.bid_index import class_size, locate
from ...strategies.dense_profile import DenseProfile
from ...strategies.dense_rows import bids_open, blocks
from .encoding import legal_after, legal_moves, public_inputs
from .file import Layers, Net, Ready

Array = npt.NDArray[Any]

KIND = "deep-cfr"

CUT = 0.01
"""Probabilities below this are left out: a softmax never quite says no. See docs/neural.md for what that changes."""


@dataclass(frozen=True, eq=False)
class Stack:
    """The layers of one seat, (weights, biases) each, and its number of hands."""

    layers: Layers
    hands: int


@dataclass(frozen=True, eq=False)
class Stacks(Ready):
    """A net of an average strategy, ready to play: the layers of both ``seats``."""

    seats: tuple[Stack, Stack]

    def probabilities(self, bids: tuple[int, ...], hand: int) -> Array:
        """See ``Ready``."""
        m, (mover, _) = len(self.game.bid_names), locate(bids)
        inputs = np.zeros((1, 3 * m + 1), dtype=np.float32)
        for turn, bid in enumerate(bids):
            inputs[0, bid + (m if turn % 2 != mover else 0)] = 1
        inputs[0, 2 * m + 1 + (bids[-1] if bids else -1)] = 1
        return softmax(outputs(self.seats[mover], inputs)[0, hand], legal_after(bids, m))

    def dense(self) -> DenseProfile:
        """The whole strategy."""
        m, arrays = len(self.game.bid_names), []
        for player, stack in enumerate(self.seats):
            inputs, legal = public_inputs(player, m), legal_moves(player, m)
            array = np.zeros((class_size(m), stack.hands))
            for start, stop in blocks(class_size(m)):
                rows = softmax(outputs(stack, inputs[start:stop]), legal[start:stop, None])
                for bid in bids_open(player, start, m):
                    above = 1 << bid >> 1
                    array[above + start : above + stop] = rows[:, :, bid]
            arrays.append(array)
        return DenseProfile(self.game, (arrays[0], arrays[1]))


def prepare(net: Net) -> Stacks:
    """*net*, ready to play. Raises ``FileError`` where a weight is missing or of the wrong shape."""
    moves, counts = len(net.game.bid_names) + 1, net.game.hand_counts
    first, second = (
        Stack(net.layers(f"player{player + 1}.", 3 * moves - 2, hands * moves, added=True), hands)
        for player, hands in enumerate(counts)
    )
    return Stacks(net.game, (first, second))


def outputs(stack: Stack, inputs: Array) -> Array:
    """The last layer's sums, of shape (rows, hands, m + 1); inputs as in ``encoding.public_inputs``."""
    x = inputs
    *inner, (last, offset) = stack.layers
    with np.errstate(over="ignore", invalid="ignore"):
        for number, (weight, bias) in enumerate(inner):
            after = np.maximum(x @ weight.T + bias, 0)
            x = after + x if number else after
        sums = x @ last.T + offset
    # Weights in an untrusted file may overflow; what is no number then counts as 0.
    found: Array = np.nan_to_num(sums).reshape(len(x), stack.hands, -1)
    return found


def softmax(sums: Array, legal: Array, cut: float = CUT) -> Array:
    """Probabilities over the *legal* moves; those below *cut* are left out."""
    shifted = np.where(legal, sums, -np.inf).astype(np.float64)
    shares = np.exp(shifted - shifted.max(axis=-1, keepdims=True))
    shares /= shares.sum(axis=-1, keepdims=True)
    shares[shares < cut] = 0
    found: Array = shares / shares.sum(axis=-1, keepdims=True)
    return found
