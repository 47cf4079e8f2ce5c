"""Players for the arena's tests, and what its tests share."""

from fractions import Fraction
from zlib import crc32

import efg_builder as eb

PLAIN = ("uniform", "always-call", "lowest-raise")


def crooked(turn, hand):
    """Some exact probabilities that look at all there is to look at; now and then a move is left out."""
    names = [action for action, _ in turn.actions]
    weights = [crc32(f"{turn.player} {turn.history} {hand} {name}".encode()) % 4 for name in names]
    if not any(weights):
        weights[0] = 1
    return {name: Fraction(w, sum(weights)) for name, w in zip(names, weights, strict=True) if w}


def floating(turn, hand):
    """Probabilities in floats, which look at the last bid alone."""
    last = turn.history.rpartition(" ")[2]
    weights = [1 + crc32(f"{last} {hand} {action}".encode()) % 5 for action, _ in turn.actions]
    return {action: w / sum(weights) for (action, _), w in zip(turn.actions, weights, strict=True)}


CROOKED = ("crooked", eb.Policy(crooked))
FLOATING = ("floating", eb.Policy(floating, last_bid_only=True))
