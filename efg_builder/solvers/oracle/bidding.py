"""A two-player constant-sum game of bidding in integers: what a called bid is worth to each hand.

Payoffs are player 1's, centred and divided by their greatest common divisor: ``payoff = middle + unit * k``
with integers ``k``. Hands count with the integers ``chances``, which sum to ``totals``.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import gcd, lcm

import numpy as np
import numpy.typing as npt

from ...games.bidding import BiddingGame
from ...games.protocol import Deal

Longs = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Lines:
    """What called bids are worth to the hands of one player, by the opponent's reach.

    ``matrix``: integers of shape (opponent's hands, lines), the opponent's chances times the payoffs to the
    player. ``bid``: of shape (bids, own hands), the line of each own bid that the opponent calls; ``call``: of
    the same shape, the line of each of the opponent's bids that the player calls.
    """

    matrix: Longs
    bid: npt.NDArray[np.intp]
    call: npt.NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Bidding:
    """The numbers of a game of bidding. Make one with ``bidding``.

    ``called[caller]``: integers ``k`` of shape (bids, hands of player 1, hands of player 2).
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
        """The number of bids."""
        return len(self.game.bid_names)

    @property
    def hands(self) -> tuple[int, int]:
        """The number of each player's hands."""
        return len(self.chances[0]), len(self.chances[1])

    @cached_property
    def largest(self) -> int:
        """The largest absolute ``k``; at least 1."""
        return max(int(np.abs(k).max()) for k in self.called) or 1

    def payoff(self, mean: Fraction) -> Fraction:
        """Player 1's payoff, from a mean of ``k``."""
        return self.middle + self.unit * mean


def bidding(game: BiddingGame) -> Bidding:
    """The numbers of *game*, which must have two players, a constant sum and independent hands."""
    probabilities = game.hand_probabilities
    assert probabilities is not None
    chances, totals = zip(*map(_integers, probabilities), strict=True)
    bids = range(len(game.bid_names))
    tables = [[_table(game, game.called(bid, caller)) for bid in bids] for caller in range(2)]
    payoffs = {u for side in tables for table in side for row in table.payoffs for u in row}
    middle = (max(payoffs) + min(payoffs)) / 2
    unit = _unit([u - middle for u in payoffs])
    whole = [[_Whole(table, middle, unit) for table in side] for side in tables]
    called = [np.array([table.spread() for table in side]) for side in whole]
    lines = [_lines(whole, player, chances[1 - player]) for player in range(2)]
    return Bidding(game, (chances[0], chances[1]), totals, (called[0], called[1]), (lines[0], lines[1]), middle, unit)


@dataclass(frozen=True)
class _Table:
    """Player 1's payoffs at one end, by the classes of both players' hands; ``of`` are the hands' classes."""

    of: tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]
    payoffs: list[list[Fraction]]


class _Whole:
    """A ``_Table`` in integers."""

    def __init__(self, table: _Table, middle: Fraction, unit: Fraction) -> None:
        self.of = table.of
        self.k = np.array([[int((u - middle) / unit) for u in row] for row in table.payoffs], dtype=np.int64)

    def spread(self) -> Longs:
        """Of shape (hands of player 1, hands of player 2)."""
        spread: Longs = self.k[np.ix_(*self.of)]
        return spread


def _table(game: BiddingGame, key: Hashable) -> _Table:
    firsts, of = [], []
    for player in range(2):
        _, first, inverse = np.unique(game.classes(key, player), return_index=True, return_inverse=True)
        firsts.append(first.tolist())
        of.append(inverse)
    payoffs = [[game.settle(key, Deal(Fraction(1), (a, b))).payoffs[0] for b in firsts[1]] for a in firsts[0]]
    return _Table((of[0], of[1]), payoffs)


def _lines(tables: Sequence[Sequence[_Whole]], player: int, chances: Longs) -> Lines:
    other, columns, count = 1 - player, [], 0
    found = []
    for caller in (other, player):
        index = []
        for table in tables[caller]:
            # One line for each class of own hands: the opponent's hands' payoffs against it.
            k = table.k if player == 0 else -table.k.T
            columns.append(k[:, table.of[other]] * chances)
            index.append(count + table.of[player])
            count += len(k)
        found.append(np.array(index))
    return Lines(np.concatenate(columns).T.copy(), found[0], found[1])


def _integers(probabilities: Sequence[Fraction]) -> tuple[Longs, int]:
    total = lcm(*(p.denominator for p in probabilities))
    return np.array([int(p * total) for p in probabilities], dtype=np.int64), total


def _unit(values: list[Fraction]) -> Fraction:
    scale = lcm(*(v.denominator for v in values))
    return Fraction(gcd(*(int(v * scale) for v in values)) or 1, scale)
