"""The play of nets, in NumPy alone: value nets with regret matching, and nets for an average strategy.

**Value nets** (T. D. Ahle, "Liar's Dice by Self-Play", Towards Data Science, 2022) consist of embeddings of the hand
and of the public state, their elementwise product, fully connected ReLU layers, and tanh. The regret of a move is
``v(state + move) - v(state)``. The probability of a move is proportional to the positive part of its regret. Both
embeddings are linear. Tables therefore store the first layer's pre-activations for each hand and bid. Adding these
table entries along a history saves two thirds of the arithmetic.

**The average strategy** (N. Brown, A. Lerer, S. Gross and T. Sandholm, "Deep Counterfactual Regret Minimization", ICML
2019) has one net for each seat. Residual ReLU layers lead from the bids to a softmax over the legal moves of each hand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from ...forms.bidding_form import class_size, locate, step
from ...strategies.dense_profile import DenseProfile
from ...strategies.dense_rows import bids_open, blocks
from .encoding import Array, hand_inputs, legal_after, legal_moves, public_inputs
from .file import Layers, Net, Ready

VALUE, DEEP_CFR = "value", "deep-cfr"
"""The kinds of nets."""


@dataclass(frozen=True, eq=False)
class Sums(Ready):
    """A value net prepared for play.

    ``tables[player]`` contains pre-activations of the first layer: shape (hands, 1 + 2(m+1), units of this layer). Row
    0 contains the pre-activations at the start. Row ``1 + seat * (m + 1) + move`` contains the increment for a move of
    this seat. The call is move m, the number of bids. ``layers`` contains the (weights, biases) of all later layers.
    The last layer has one unit.
    """

    tables: tuple[Array, Array]
    layers: Layers

    def probabilities(self, bids: tuple[int, ...], hand: int) -> Array:
        m, (mover, _) = len(self.game.bid_names), locate(bids)
        table = self.tables[mover][hand]
        here = table[0] + sum((table[1 + k % 2 * (m + 1) + bid] for k, bid in enumerate(bids)), np.zeros_like(table[0]))
        moves = table[1 + mover * (m + 1) : 1 + (mover + 1) * (m + 1)]
        values = finish(self, np.concatenate([here[None], here + moves]))
        return matched(values[1:] - values[0], legal_after(bids, m))

    def dense(self) -> DenseProfile:
        """Return the whole strategy, computed one hand at a time, because a hand needs some kilobytes per history."""
        m = len(self.game.bid_names)
        arrays: list[Array] = []
        for player in range(2):
            array = np.zeros((class_size(m), self.game.hand_counts[player]))
            for hand in range(self.game.hand_counts[player]):
                _fill(array, self, player, hand, m)
            arrays.append(array)
        return DenseProfile(self.game, (arrays[0], arrays[1]))


def prepare_values(net: Net) -> Sums:
    """Prepare a value net for play. Raises ``FileError`` if a weight is missing or has the wrong shape."""
    m, inputs = len(net.game.bid_names), sum(n * net.game.sides for n in net.game.dice)
    public = net.weight("public.weight", (-1, 2 * (m + 1)))
    width = len(public)
    hand, hand_bias = net.weight("hand.weight", (width, inputs)), net.weight("hand.bias", (width,))
    public_bias = net.weight("public.bias", (width,))
    (first, bias), *rest = net.layers("", width, 1, least=1)
    parts = np.concatenate([public_bias[None], public.T])  # the parts of the public state's embedding
    tables = []
    for player in range(2):
        mine = hand_inputs(net.game, player) @ hand.T + hand_bias
        with np.errstate(over="ignore", invalid="ignore"):
            table = np.stack([(parts * each) @ first.T for each in mine])
        table[:, 0] += bias
        tables.append(table)
    return Sums(net.game, (tables[0], tables[1]), tuple(rest))


def finish(sums: Sums, first: Array) -> Array:
    """Return the values, of shape (...), for the first layer's pre-activations *first*, of shape (..., units)."""
    x = first
    # The weights in an untrusted file may cause an overflow; NaN then counts as 0.
    with np.errstate(over="ignore", invalid="ignore"):
        for weight, bias in sums.layers:
            x = np.maximum(x, 0) @ weight.T + bias
    return np.nan_to_num(np.tanh(x[..., 0]))


def matched(gains: Array, legal: Array) -> Array:
    """Return the probabilities of regret matching, proportional to the positive part of *gains*.

    If no gain is positive, the *legal* moves have equal probabilities.
    """
    positive = np.where(legal, np.maximum(gains, 0), 0).astype(np.float64)
    total = positive.sum(axis=-1, keepdims=True)
    alike = legal / legal.sum(axis=-1, keepdims=True)
    return np.where(total > 0, positive / np.where(total > 0, total, 1), alike)


def _fill(array: Array, sums: Sums, player: int, hand: int, m: int) -> None:
    table, entries = sums.tables[player][hand], class_size(m)
    first = np.empty((2, entries, table.shape[1]), dtype=table.dtype)
    first[0, 0] = table[0]
    first[1, 0] = table[0] + table[1]
    for bid in range(1, m):
        parents, children = step(bid)
        for mover in range(2):
            np.add(first[mover, parents], table[1 + mover * (m + 1) + bid], out=first[1 - mover, children])
    call = table[1 + player * (m + 1) + m]
    for start, stop in blocks(entries):
        open_ = list(bids_open(player, start, m))
        here = first[player, start:stop]
        options = [first[1 - player, (1 << bid >> 1) + start : (1 << bid >> 1) + stop] for bid in open_]
        now = finish(sums, here)
        gains = [finish(sums, option) - now for option in options]
        gains.append(finish(sums, here + call) - now)
        legal = np.ones((1, len(gains)), dtype=bool)
        legal[0, -1] = player == 1 or start > 0
        rows = matched(np.stack(gains, axis=-1), legal)
        for place, bid in enumerate(open_):
            array[(1 << bid >> 1) + start : (1 << bid >> 1) + stop, hand] = rows[:, place]


CUT = 0.01
"""Probabilities below this value are set to 0, because a softmax has no zeros. docs/neural.md shows the effect."""


@dataclass(frozen=True, eq=False)
class Stacks(Ready):
    """The nets of an average strategy, prepared for play: the layers for both ``seats``."""

    seats: tuple[Layers, Layers]

    def probabilities(self, bids: tuple[int, ...], hand: int) -> Array:
        m, (mover, _) = len(self.game.bid_names), locate(bids)
        inputs = np.zeros((1, 3 * m + 1), dtype=np.float32)
        for turn, bid in enumerate(bids):
            inputs[0, bid + (m if turn % 2 != mover else 0)] = 1
        inputs[0, 2 * m + 1 + (bids[-1] if bids else -1)] = 1
        return softmax(outputs(self.seats[mover], inputs, m + 1)[0, hand], legal_after(bids, m))

    def dense(self) -> DenseProfile:
        m, arrays = len(self.game.bid_names), []
        for player, layers in enumerate(self.seats):
            inputs, legal = public_inputs(player, m), legal_moves(player, m)
            array = np.zeros((class_size(m), self.game.hand_counts[player]))
            for start, stop in blocks(class_size(m)):
                rows = softmax(outputs(layers, inputs[start:stop], m + 1), legal[start:stop, None])
                for bid in bids_open(player, start, m):
                    above = 1 << bid >> 1
                    array[above + start : above + stop] = rows[:, :, bid]
            arrays.append(array)
        return DenseProfile(self.game, (arrays[0], arrays[1]))


def prepare_policy(net: Net) -> Stacks:
    """Prepare a policy net for play. Raises ``FileError`` if a weight is missing or has the wrong shape."""
    moves, counts = len(net.game.bid_names) + 1, net.game.hand_counts
    first, second = (
        net.layers(f"player{player + 1}.", 3 * moves - 2, hands * moves, added=True)
        for player, hands in enumerate(counts)
    )
    return Stacks(net.game, (first, second))


def outputs(layers: Layers, inputs: Array, moves: int) -> Array:
    """Return the last layer's outputs: shape (rows, hands, m + 1). *inputs* are as in ``encoding.public_inputs``."""
    x = inputs
    *inner, (last, offset) = layers
    with np.errstate(over="ignore", invalid="ignore"):
        for number, (weight, bias) in enumerate(inner):
            after = np.maximum(x @ weight.T + bias, 0)
            x = after + x if number else after
        sums = x @ last.T + offset
    # The weights in an untrusted file may cause an overflow; NaN then counts as 0.
    found: Array = np.nan_to_num(sums).reshape(len(x), -1, moves)
    return found


def softmax(sums: Array, legal: Array, cut: float = CUT) -> Array:
    """Return the probabilities of the *legal* moves. Probabilities below *cut* become 0."""
    shifted = np.where(legal, sums, -np.inf).astype(np.float64)
    shares = np.exp(shifted - shifted.max(axis=-1, keepdims=True))
    shares /= shares.sum(axis=-1, keepdims=True)
    shares[shares < cut] = 0
    found: Array = shares / shares.sum(axis=-1, keepdims=True)
    return found


KINDS: Mapping[str, Callable[[Net], Ready]] = MappingProxyType({VALUE: prepare_values, DEEP_CFR: prepare_policy})
"""The function that prepares a net for play, by kind. This function raises ``FileError`` if the weights do not fit."""


def playing(net: Net) -> Ready:
    """Prepare *net* for play. Raises ``FileError`` if its weights do not fit its kind."""
    return KINDS[net.kind](net)
