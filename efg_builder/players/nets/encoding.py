"""A two-player bidding game as arrays: the inputs of a net (zeros and ones), legal moves, and the payoffs of calls."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ...base.errors import NotApplicableError
from ...forms.bidding_form import class_size
from ...games.bidding import DiceBidding
from ...games.checks import payoff_classes, settle
from ...games.protocol import Deal, Game

Array = npt.NDArray[Any]
Whole = npt.NDArray[np.intp]


def two_bidders(game: Game | None, title: str, name: str) -> DiceBidding:
    """Return *game* if a net can play it. Raises ``NotApplicableError``, whose message begins with *name*."""
    if not isinstance(game, DiceBidding) or len(game.players) != 2:
        raise NotApplicableError(f"{name} plays only the game liars-dice with two players, not {title}")
    return game


def hand_inputs(game: DiceBidding, player: int) -> Array:
    """Return the inputs for each hand of *player*: shape (hands, both players' inputs), float32.

    Each player, face and count (from 1 to the player's number of dice) has one input. The input is 1 if exactly this
    number of dice show the face. The other player's inputs are 0, so that the net can distinguish the players.
    """
    widths = [count * game.sides for count in game.dice]
    found = np.zeros((game.hand_counts[player], sum(widths)), dtype=np.float32)
    for index, (hand, _) in enumerate(game.cups[player]):
        for face in set(hand):
            column = (face - 1) * game.dice[player] + hand.count(face) - 1
            found[index, player * widths[0] + column] = 1
    return found


def bids_made(player: int, m: int) -> tuple[Array, Array]:
    """Return flags of each player's bids at each history of class *player*: two arrays of shape (2**(m-1), m)."""
    entries = np.arange(class_size(m))
    odd = np.zeros(len(entries), dtype=np.intp)
    for bit in range(m - 1):
        odd ^= entries >> bit & 1
    history = entries << 1 | odd ^ player
    made = (history[:, None] >> np.arange(m) & 1).astype(bool)
    # The players bid in turn, player 1 first.
    turn = (np.cumsum(made, axis=1) - made) % 2
    return made & (turn == 0), made & (turn == 1)


def public_inputs(player: int, m: int) -> Array:
    """Return the inputs of a policy net at each history of class *player*: shape (2**(m-1), 3m + 1), float32.

    The inputs are the mover's bids, the other player's bids, and the last bid. If no bid was made, the first of the
    inputs for the last bid is 1.
    """
    made = bids_made(player, m)
    last = np.zeros((class_size(m), m + 1), dtype=np.float32)
    last[np.arange(len(last)), last_bids(player, m) + 1] = 1
    return np.concatenate([made[player], made[1 - player], last], axis=1).astype(np.float32)


def last_bids(player: int, m: int) -> Whole:
    """Return the last bid at each history of class *player*; -1 at the root."""
    last = np.zeros(class_size(m), dtype=np.intp)
    for bid in range(1, m):
        last[1 << (bid - 1) : 1 << bid] = bid
    last[0] = player - 1
    return last


def legal_moves(player: int, m: int) -> npt.NDArray[np.bool_]:
    """Return flags of legal moves at each history of class *player*, the call last: shape (2**(m-1), m + 1)."""
    last = last_bids(player, m)
    return np.concatenate([np.arange(m) > last[:, None], last[:, None] >= 0], axis=1)


def legal_after(bids: tuple[int, ...], m: int) -> npt.NDArray[np.bool_]:
    """Return flags of legal moves after *bids*, the call last: shape (m + 1,)."""
    last = bids[-1] if bids else -1
    return np.append(np.arange(m) > last, last >= 0)


def chances(game: DiceBidding, player: int) -> Array:
    return np.array([float(p) for p in game.hand_probabilities[player]])


def call_payoffs(game: DiceBidding) -> Array:
    """Return player 1's payoffs in [-1, 1]: shape (caller, bid, hands of player 1, hands of player 2), float32.

    Payoffs are shifted and scaled: the largest is 1, and the smallest is -1. Raises ``NotApplicableError`` unless the
    players divide a constant sum.
    """
    if game.constant_sum is None:
        raise NotApplicableError(f"{game.title}: self-play needs two players who divide a constant sum")
    found = np.empty((2, len(game.bid_names), *game.hand_counts))
    for caller, bid in np.ndindex(found.shape[:2]):
        key = game.called(int(bid), int(caller))
        classes = [np.array(mine) for mine in payoff_classes(game, key)]
        for one in np.unique(classes[0]):
            for two in np.unique(classes[1]):
                hands = int(np.argmax(classes[0] == one)), int(np.argmax(classes[1] == two))
                paid = settle(game, key, Deal(Fraction(1), hands)).payoffs[0]
                found[caller, bid][np.ix_(classes[0] == one, classes[1] == two)] = float(paid)
    low, high = found.min(), found.max()
    if low == high:
        return np.zeros_like(found, dtype=np.float32)
    scaled: Array = (2 * (found - low) / (high - low) - 1).astype(np.float32)
    return scaled
