"""What a raise is worth if the next player calls by chance alone: the parsimonious model.

A raises to r dice of a face, s of which A holds. B, who is next, holds X of them; all other players together hold Z.
B sees Y dice that are not B's own, and calls where P(X + Y >= r) is below the level, for B's known X. With
y0 = min {y : P(Y >= y) < level}, that is where X <= r - y0. A loses a die where B calls and the bid is false:

    payoff = - sum over x <= r - y0 of P(X = x) P(Z < r - s - x)

The truth is worse: where B does not call, play goes on, and A may lose yet (a remark of the text's).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import inf

from ...base.rationals import Number
from .beliefs import Tail, below, weight


@dataclass(frozen=True, slots=True)
class Seats:
    """How many dice A has (``own``), B, who is next (``following``), and all ``others`` together."""

    own: int
    following: int
    others: int

    @property
    def unseen(self) -> int:
        """The dice that A does not see."""
        return self.following + self.others


@lru_cache(maxsize=1 << 12)
def least_doubted(dice: int, chance: Fraction, level: Number, tail: Tail) -> float:
    """y0 = min {y : P(Y >= y) < level}, Y being how many of so many *dice* count.

    What of unseen dice is so improbable that a bid which needs it is called. Never below 0; infinite at level 0,
    where nothing is called.
    """
    if level <= 0:
        return inf
    return next(y for y in range(dice + 2) if 1 - below(y, dice, chance, tail) < level)


def payoff(needed: int, held: int, seats: Seats, chance: Fraction, level: Number, tail: Tail = "exact") -> Number:
    """What a raise that holds if *needed* dice count is worth to A, who has *held* of them; from -1 to 0.

    ``chance``: that a die counts; ``level``: the next player calls what is less probable than that. A fraction where
    *tail* is ``"exact"``.
    """
    doubted = least_doubted(seats.own + seats.others, chance, level, tail)
    lost: Number = Fraction(0)
    for count in range(seats.following + 1):
        if count <= needed - doubted:
            false = below(needed - held - count, seats.others, chance, tail)
            lost += weight(count, seats.following, chance, tail) * false
    return -lost
