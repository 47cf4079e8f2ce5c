"""A two-player constant-sum bidding game with integer payoffs and integer weights of hands.

Player 1's payoffs are ``middle + unit * k`` with integers ``k``. The probability of a player's hand is its entry in
``chances`` divided by the player's entry in ``totals``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import gcd, lcm, prod
from typing import Any

import numpy as np
import numpy.typing as npt

from ..games.bidding import BiddingGame
from ..games.protocol import Deal, Game

Longs = npt.NDArray[np.int64]

MOST_NUMBERS = 40_000_000
"""Maximum number of payoffs, one for each bid and pair of hands (six dice per side: 15 million)."""


@dataclass(frozen=True)
class Lines:
    """One player's payoffs from called bids, as linear functions of the opponent's reach probabilities.

    ``matrix``: one column for each function, one row for each of the opponent's hands. Entries are the opponent's
    ``chances`` times the player's payoffs. ``bid``: the columns for the player's bids if the opponent calls, shape
    (bids, player's hands). ``call``: the columns for the opponent's bids if the player calls, with the same shape.
    """

    matrix: Longs
    bid: npt.NDArray[np.intp]
    call: npt.NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class IntegerGame:
    """The payoffs and hand probabilities of a bidding game, as integers.

    ``called[caller]``: the integer ``k`` of each called bid, shape (bids, player 1's hands, player 2's hands).
    """

    game: BiddingGame
    chances: tuple[Longs, Longs]
    totals: tuple[int, int]
    called: tuple[Longs, Longs]
    lines: tuple[Lines, Lines]
    middle: Fraction
    unit: Fraction

    @property
    def bids(self) -> int:
        return len(self.game.bid_names)

    @property
    def hands(self) -> tuple[int, int]:
        return len(self.chances[0]), len(self.chances[1])

    @cached_property
    def largest(self) -> int:
        """The largest absolute value of ``k``, or 1 if all are 0."""
        return max(int(np.abs(k).max()) for k in self.called) or 1

    @cached_property
    def trusting(self) -> IntegerGame:
        """The same game, except that player 2 gets the lowest payoff by calling the lowest opening."""
        bidder, caller = self.lines
        one, two = bidder.matrix.copy(), caller.matrix.copy()
        one[:, bidder.bid[0]] = self.largest * self.chances[1][:, None]
        two[:, caller.call[0]] = -self.largest * self.chances[0][:, None]
        return replace(self, lines=(replace(bidder, matrix=one), replace(caller, matrix=two)))

    def payoff(self, mean: Fraction) -> Fraction:
        """Return player 1's expected payoff if *mean* is the expected value of ``k``."""
        return self.middle + self.unit * mean


def needs_tree(game: Game) -> str | None:
    """Return the reason why *game* has no integer form, or None."""
    if not isinstance(game, BiddingGame):
        return "it is not a bidding game"
    if len(game.players) != 2:
        return f"the game has {len(game.players)} players, not two"
    if game.constant_sum is None:
        return "the payoffs do not sum to a constant"
    if len(game.bid_names) * prod(game.hand_counts) > MOST_NUMBERS:
        return "there are too many hands"
    if game.hand_probabilities is None:
        return "the hands are not independent"
    return None


def integer_game(game: BiddingGame) -> IntegerGame:
    """Return the integer form of *game*, for which ``needs_tree`` must return None."""
    probabilities = game.hand_probabilities
    assert probabilities is not None
    chances, totals = zip(*map(_integers, probabilities), strict=True)
    bids = range(len(game.bid_names))
    tables = [[call_table(game, bid, caller) for bid in bids] for caller in range(2)]
    payoffs = {u for side in tables for _, (ours, _) in side for u in ours.flat}
    middle = (max(payoffs) + min(payoffs)) / 2
    unit = _unit([u - middle for u in payoffs])
    whole = [[(of, ((ours - middle) / unit).astype(np.int64)) for of, (ours, _) in side] for side in tables]
    called = [np.array([k[np.ix_(*of)] for of, k in side]) for side in whole]
    lines = [_lines(whole, player, chances[1 - player]) for player in range(2)]
    return IntegerGame(
        game=game,
        chances=(chances[0], chances[1]),
        totals=totals,
        called=(called[0], called[1]),
        lines=(lines[0], lines[1]),
        middle=middle,
        unit=unit,
    )


def call_table(game: BiddingGame, bid: int, caller: int) -> tuple[list[npt.NDArray[np.intp]], list[npt.NDArray[Any]]]:
    """Return each player's hand classes, and each player's payoffs by class, if *caller* calls *bid*."""
    key, firsts, classes = game.called(bid, caller), [], []
    for player in range(len(game.players)):
        _, first, inverse = np.unique(game.classes(key, player), return_index=True, return_inverse=True)
        firsts.append(first.tolist())
        classes.append(inverse)
    cells = [game.settle(key, Deal(Fraction(1), hands)).payoffs for hands in product(*firsts)]
    payoffs = np.array(cells, dtype=object).T.reshape(len(classes), *map(len, firsts))
    return classes, list(payoffs)


def _lines(tables: Sequence[Sequence[tuple[list[npt.NDArray[np.intp]], Longs]]], player: int, chances: Longs) -> Lines:
    other, columns, count = 1 - player, [], 0
    found = []
    for caller in (other, player):
        index = []
        for of, entries in tables[caller]:
            # One column for each class of the player's hands: the player's payoffs, by the opponent's hand.
            k = entries if player == 0 else -entries.T
            columns.append(k[:, of[other]] * chances)
            index.append(count + of[player])
            count += len(k)
        found.append(np.array(index))
    return Lines(np.concatenate(columns).T.copy(), found[0], found[1])


def _integers(probabilities: Sequence[Fraction]) -> tuple[Longs, int]:
    total = lcm(*(p.denominator for p in probabilities))
    return np.array([int(p * total) for p in probabilities], dtype=np.int64), total


def _unit(values: list[Fraction]) -> Fraction:
    scale = lcm(*(v.denominator for v in values))
    return Fraction(gcd(*(int(v * scale) for v in values)) or 1, scale)
