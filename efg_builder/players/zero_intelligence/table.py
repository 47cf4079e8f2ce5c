"""Zero intelligence's beliefs in a seat of a game of Liar's Dice: any dice, players, wild face and order of bids."""

from __future__ import annotations

from fractions import Fraction

from ...base.rationals import Number
from ...games.liars_dice import LiarsDice
from .beliefs import Tail, below, deviation, mean, z_score
from .payoff import Seats, payoff


def seats(game: LiarsDice, player: int) -> Seats:
    """Whose dice are whose, as *player* (from 0) sees it who makes a bid: the next one is asked first."""
    own, following = game.dice[player], game.dice[(player + 1) % len(game.dice)]
    return Seats(own, following, sum(game.dice) - own - following)


def expected(game: LiarsDice, player: int, hand: int) -> tuple[Fraction, ...]:
    """How many dice *player* expects to count towards a bid on each face, from 1: the own ones, and the unseen mean."""
    unseen, cup = seats(game, player).unseen, game.cups[player][hand][0]
    faces = range(1, game.sides + 1)
    return tuple(game.matches(cup, face) + mean(unseen, game.counting_chance(face)) for face in faces)


def deviations(game: LiarsDice, player: int) -> tuple[float, ...]:
    """Of each face, from 1, the standard deviation of how many unseen dice count towards a bid on it."""
    unseen = seats(game, player).unseen
    return tuple(deviation(unseen, game.counting_chance(face)) for face in range(1, game.sides + 1))


def _parts(game: LiarsDice, player: int, hand: int, bid: int) -> tuple[int, int, Fraction]:
    """Of *bid* (an index): how many dice it needs, how many of them *player* holds, and the chance of a die."""
    quantity, face = game.bids[bid]
    return game.needed(quantity), game.matches(game.cups[player][hand][0], face), game.counting_chance(face)


def false_chance(game: LiarsDice, player: int, hand: int, bid: int, tail: Tail = "exact") -> Number:
    """The chance p that *bid* (an index) is false, as *player* with that *hand* (an index) sees it."""
    needed, held, chance = _parts(game, player, hand, bid)
    return below(needed - held, seats(game, player).unseen, chance, tail)


def score(game: LiarsDice, player: int, hand: int, bid: int, tail: Tail = "normal") -> float:
    """The z-score of *bid* (an index): see ``beliefs.z_score``."""
    needed, held, chance = _parts(game, player, hand, bid)
    return z_score(needed - held, seats(game, player).unseen, chance, tail)


def raise_payoff(game: LiarsDice, player: int, hand: int, bid: int, level: Number, tail: Tail = "exact") -> Number:
    """What it is worth to make *bid* (an index): see ``payoff.payoff``. *level*: a chance, as there."""
    needed, held, chance = _parts(game, player, hand, bid)
    return payoff(needed, held, seats(game, player), chance, level, tail)


def raise_payoffs(
    game: LiarsDice, player: int, hand: int, last: int, level: Number, tail: Tail = "exact"
) -> dict[str, Number]:
    """The payoff of every legal raise by its name, lowest first; *last*: the index of the last bid, -1 for none."""
    return {
        game.bid_names[bid]: raise_payoff(game, player, hand, bid, level, tail)
        for bid in range(last + 1, len(game.bids))
    }
