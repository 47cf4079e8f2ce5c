"""Beliefs in a seat of a game of Liar's Dice, and the payoff of a raise there: any dice, players, wild face and order.

The payoff is that of the parsimonious model: the next player calls by chance alone. A raises to r dice of a face, s of
which A holds. B, who is next, holds X of them; all other players together hold Z. B sees Y dice that are not B's own,
and calls where P(X + Y >= r) is below the level, for B's known X. With y0 = min {y : P(Y >= y) < level}, that is where
X <= r - y0. A loses a die where B calls and the bid is false:

    payoff = - sum over x <= r - y0 of P(X = x) P(Z < r - s - x)

The truth is worse: where B does not call, play goes on, and A may lose yet (a remark of the text's).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import inf

from ...base.rationals import Number
from ...games.bidding import DiceBidding
from .beliefs import Tail, below, weight, z_score


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
    """y0 = min {y : P(Y >= y) < level}, Y being the number of *dice* that count.

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


def seats(game: DiceBidding, player: int) -> Seats:
    """Whose dice are whose, as *player* (from 0) sees it who makes a bid: the next one is asked first."""
    own, following = game.dice[player], game.dice[(player + 1) % len(game.dice)]
    return Seats(own, following, sum(game.dice) - own - following)


def expected(game: DiceBidding, player: int, hand: int) -> tuple[Fraction, ...]:
    """How many dice *player* expects to count towards a bid on each face, from 1: the own ones, and the unseen mean."""
    unseen, cup = seats(game, player).unseen, game.cups[player][hand][0]
    faces = range(1, game.sides + 1)
    return tuple(game.matches(cup, face) + unseen * game.counting_chance(face) for face in faces)


def _parts(game: DiceBidding, player: int, hand: int, bid: int) -> tuple[int, int, Fraction]:
    """Of *bid* (an index): how many dice it needs, how many of them *player* holds, and the chance of a die."""
    quantity, face = game.bids[bid]
    return game.needed(quantity), game.matches(game.cups[player][hand][0], face), game.counting_chance(face)


def false_chance(game: DiceBidding, player: int, hand: int, bid: int, tail: Tail = "exact") -> Number:
    """The chance p that *bid* (an index) is false, as *player* with that *hand* (an index) sees it."""
    needed, held, chance = _parts(game, player, hand, bid)
    return below(needed - held, seats(game, player).unseen, chance, tail)


def score(game: DiceBidding, player: int, hand: int, bid: int, tail: Tail = "normal") -> float:
    """The z-score of *bid* (an index): see ``beliefs.z_score``."""
    needed, held, chance = _parts(game, player, hand, bid)
    return z_score(needed - held, seats(game, player).unseen, chance, tail)


def raise_payoff(game: DiceBidding, player: int, hand: int, bid: int, level: Number, tail: Tail = "exact") -> Number:
    """What it is worth to make *bid* (an index): see ``payoff``. *level*: a chance, as there."""
    needed, held, chance = _parts(game, player, hand, bid)
    return payoff(needed, held, seats(game, player), chance, level, tail)


def raise_payoffs(
    game: DiceBidding, player: int, hand: int, last: int, level: Number, tail: Tail = "exact"
) -> dict[str, Number]:
    """The payoff of every legal raise by its name, lowest first; *last*: the index of the last bid, -1 for none."""
    return {
        game.bid_names[bid]: raise_payoff(game, player, hand, bid, level, tail)
        for bid in range(last + 1, len(game.bids))
    }
