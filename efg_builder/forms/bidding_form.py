"""The arrays of a bidding game: hand probabilities, payoffs of calls in floats and in integers, and history indices.

A call ends play, so payoffs depend only on the called bid, the caller and the hands. For each called bid and caller,
hands with the same payoffs form a class. In dice games, the class of a hand is its number of matching dice.

A history is the set of its bids, stored as an integer below ``2**m`` for m bids in a fixed order: bit b is set if bid b
was made. Class p contains the histories at which player p moves, in ascending order. With two players, the parity of
the number of set bits determines the mover, so the class and the other bits determine bit 0, and a history h has the
index ``h >> 1`` in its class. It follows that, with two players,

- each class has ``2**(m-1)`` entries;
- the root is entry 0 of class 0, and the history with only bid 0 is entry 0 of class 1;
- in each class, the histories with last bid b >= 1 are the entries ``[2**(b-1), 2**b)``;
- bid b >= 1 leads from entry i < ``2**(b-1)`` of a class to entry ``i | 2**(b-1)`` of the other class;
- the histories before and after a bid b >= 1 are therefore two contiguous slices in the same order;
- bid 0 leads only from the root to entry 0 of class 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import gcd, lcm, prod
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..base.errors import NotApplicableError
from ..games.bidding import BiddingGame
from ..games.checks import check_rules, payoff_classes, settle
from ..games.protocol import Deal, Game

Longs = npt.NDArray[np.int64]
Indices = npt.NDArray[np.intp]
Flags = npt.NDArray[np.bool_]
Floats = npt.NDArray[Any]
"""Floats of 32 or 64 bits."""

MOST_NUMBERS = 40_000_000
"""Maximum number of payoffs, one for each bid and pair of hands (six dice per side: 15 million)."""


class CallTable(NamedTuple):
    """The payoffs of a call.

    ``classes[player]``: the class of each of the player's hands. ``payoffs[player]``: the player's payoffs, with one
    axis for each player's classes.
    """

    classes: list[Indices]
    payoffs: list[npt.NDArray[Any]]


@dataclass(frozen=True)
class Joined:
    """Matrices for the value of a call for each hand of a player, given the other players' reach probabilities.

    ``steps``: for each other player, the player's index and two matrices. The first matrix maps that player's hands to
    classes, weighted by the hands' probabilities. The second matrix merges pairs (combined classes so far, class) with
    equal payoffs; it is None if no payoffs are equal. ``worth``: the matrix from the combined classes to the values of
    the call.
    """

    steps: tuple[tuple[int, Floats, Floats | None], ...]
    worth: Floats

    def of(self, weights: Sequence[Floats]) -> Floats:
        """Return the values of the call, shape (histories, player's hands). *weights*: each player's plan."""
        joined: Any = None
        for player, classes, same in self.steps:
            counts = weights[player] @ classes
            if joined is not None:
                counts = (joined[:, :, None] * counts[:, None]).reshape(len(counts), -1)
            joined = counts if same is None else counts @ same
        values: Floats = joined @ self.worth
        return values


@dataclass(frozen=True)
class Lines:
    """One player's payoffs from called bids, as linear functions of the opponent's reach probabilities.

    ``matrix``: one column for each function, one row for each of the opponent's hands. Entries are the opponent's
    ``chances`` times the player's payoffs. ``bid``: the columns for the player's bids if the opponent calls, shape
    (bids, player's hands). ``call``: the columns for the opponent's bids if the player calls, with the same shape.
    """

    matrix: Longs
    bid: Indices
    call: Indices


class BiddingForm:
    """A bidding game with independent hands.

    ``tables[caller][bid]``: the payoffs of each call. Each group of arrays is computed when it is first used.

    For any number of players, floats: ``probabilities[player]`` of the hands; ``middles[player]`` and
    ``half_ranges[player]`` of the player's payoffs, with which ``shares`` and ``calls`` are scaled to be between -1 and
    1.

    For two players and a constant sum, integers: the probability of a player's hand is its entry in ``chances`` divided
    by the player's entry in ``totals``. Player 1's payoffs are ``middle + unit * k`` with integers ``k``.
    """

    trusts = False

    def __init__(self, game: BiddingGame, tables: list[list[CallTable]] | None = None) -> None:
        self.game = game
        self.players, self.bids, self.hands = len(game.players), len(game.bid_names), game.hand_counts
        self.tables = tables or [
            [call_table(game, bid, caller) for bid in range(self.bids)] for caller in range(self.players)
        ]

    # --- any number of players

    @cached_property
    def probabilities(self) -> list[Floats]:
        return [np.array(mine, dtype=np.float64) for mine in self._probabilities]

    @property
    def _probabilities(self) -> tuple[tuple[Fraction, ...], ...]:
        probabilities = self.game.hand_probabilities
        if probabilities is None:
            raise NotApplicableError(f"{self.game.title}: the hands are not independent")
        return probabilities

    @cached_property
    def _payoffs(self) -> list[set[Fraction]]:
        """Each player's different payoffs."""
        return [{u for row in self.tables for table in row for u in table.payoffs[p].flat} for p in range(self.players)]

    @cached_property
    def _bounds(self) -> list[tuple[Fraction, Fraction]]:
        """The lowest and the highest payoff of each player."""
        return [(min(payoffs), max(payoffs)) for payoffs in self._payoffs]

    @cached_property
    def middles(self) -> list[Fraction]:
        return [(high + low) / 2 for low, high in self._bounds]

    @cached_property
    def half_ranges(self) -> list[Fraction]:
        """Half the range of each player's payoffs, or 1 if all payoffs are equal."""
        return [(high - low) / 2 or Fraction(1) for low, high in self._bounds]

    @cached_property
    def shares(self) -> list[list[CallTable]]:
        """``tables`` with scaled payoffs (fractions)."""
        return [[self._scaled(table) for table in row] for row in self.tables]

    def _scaled(self, table: CallTable) -> CallTable:
        scales = zip(table.payoffs, self.middles, self.half_ranges, strict=True)
        return CallTable(table.classes, [(payoffs - middle) / half for payoffs, middle, half in scales])

    @cached_property
    def calls(self) -> list[list[list[Joined]]]:
        """The values of the calls for each player: ``[player][caller][bid]``."""
        found = [[[self._joined(p, table) for table in row] for row in self.shares] for p in range(self.players)]
        if self.trusts:
            found[0][1][0].worth[:], found[1][1][0].worth[:] = 1, -1
        return found

    def _joined(self, player: int, table: CallTable) -> Joined:
        # Axes: the combined classes, the classes of each remaining player, the player's own classes.
        left = np.moveaxis(table.payoffs[player], player, -1)[None]
        steps: list[tuple[int, Floats, Floats | None]] = []
        for other in (p for p in range(self.players) if p != player):
            count = left.shape[1]
            onehot = np.zeros((self.hands[other], count))
            onehot[np.arange(self.hands[other]), table.classes[other]] = self.probabilities[other]
            merged = left.reshape(-1, *left.shape[2:])
            kept: dict[Any, int] = {}
            to = [kept.setdefault(tuple(row.flat), len(kept)) for row in merged]
            same = None
            if len(kept) < len(merged):
                same = np.zeros((len(merged), len(kept)))
                same[np.arange(len(merged)), to] = 1
            left = merged[[to.index(k) for k in range(len(kept))]]
            steps.append((other, onehot, same))
        return Joined(tuple(steps), left[:, table.classes[player]].astype(np.float64))

    # --- two players, constant sum

    @cached_property
    def _integer_chances(self) -> list[tuple[Longs, int]]:
        return [_integers(mine) for mine in self._probabilities]

    @property
    def chances(self) -> tuple[Longs, Longs]:
        (one, _), (two, _) = self._integer_chances
        return one, two

    @property
    def totals(self) -> tuple[int, int]:
        (_, one), (_, two) = self._integer_chances
        return one, two

    @property
    def middle(self) -> Fraction:
        return self.middles[0]

    @cached_property
    def unit(self) -> Fraction:
        differences = [u - self.middle for u in self._payoffs[0]]
        scale = lcm(*(u.denominator for u in differences))
        return Fraction(gcd(*(int(u * scale) for u in differences)) or 1, scale)

    @cached_property
    def _integer_tables(self) -> list[list[tuple[list[Indices], Longs]]]:
        """``tables`` with player 1's payoffs as integers."""
        middle, unit = self.middle, self.unit
        return [
            [(classes, ((ours - middle) / unit).astype(np.int64)) for classes, (ours, _) in row] for row in self.tables
        ]

    @cached_property
    def called(self) -> tuple[Longs, Longs]:
        """The integer ``k`` of each called bid by caller, shape (bids, player 1's hands, player 2's hands)."""
        one, two = (np.array([k[np.ix_(*classes)] for classes, k in row]) for row in self._integer_tables)
        return one, two

    @cached_property
    def lines(self) -> tuple[Lines, Lines]:
        bidder, caller = self._lines(0), self._lines(1)
        if self.trusts:
            bidder.matrix[:, bidder.bid[0]] = self.largest * self.chances[1][:, None]
            caller.matrix[:, caller.call[0]] = -self.largest * self.chances[0][:, None]
        return bidder, caller

    def _lines(self, player: int) -> Lines:
        other, columns, count = 1 - player, [], 0
        found = []
        for caller in (other, player):
            index = []
            for classes, entries in self._integer_tables[caller]:
                # One column for each class of the player's hands: the player's payoffs, by the opponent's hand.
                k = entries if player == 0 else -entries.T
                columns.append(k[:, classes[other]] * self.chances[other])
                index.append(count + classes[player])
                count += len(k)
            found.append(np.array(index))
        return Lines(np.concatenate(columns).T.copy(), found[0], found[1])

    @cached_property
    def largest(self) -> int:
        """The largest absolute value of ``k``, or 1 if all are 0."""
        return max(int(np.abs(k).max()) for row in self._integer_tables for _, k in row) or 1

    @cached_property
    def trusting(self) -> BiddingForm:
        """The same game, except that player 2 gets the lowest payoff by calling the lowest opening."""
        found = BiddingForm(self.game, self.tables)
        found.trusts = True
        return found

    def payoff(self, mean: Fraction) -> Fraction:
        """Return player 1's expected payoff if *mean* is the expected value of ``k``."""
        return self.middle + self.unit * mean


def call_table(game: BiddingGame, bid: int, caller: int) -> CallTable:
    """Return the payoffs as fractions if *caller* calls *bid*."""
    key, firsts, classes = game.called(bid, caller), [], []
    for mine in payoff_classes(game, key):
        _, first, inverse = np.unique(mine, return_index=True, return_inverse=True)
        firsts.append(first.tolist())
        classes.append(inverse)
    ends = [settle(game, key, Deal(Fraction(1), hands)) for hands in product(*firsts)]
    payoffs = np.array([end.payoffs for end in ends], dtype=object).T.reshape(len(classes), *map(len, firsts))
    return CallTable(classes, list(payoffs))


def _integers(probabilities: Sequence[Fraction]) -> tuple[Longs, int]:
    total = lcm(*(p.denominator for p in probabilities))
    return np.array([int(p * total) for p in probabilities], dtype=np.int64), total


def no_plain_bidding(game: BiddingGame) -> str | None:
    """Return the reason why a method without a tree cannot assume that every higher bid is legal, or None.

    Raises ``RulesError`` if the players, deals or bids of *game* are wrong.
    """
    check_rules(game)
    for method in ("public_root", "public_turn", "history"):
        if getattr(type(game), method) is not getattr(BiddingGame, method):
            return f"its class has a {method} of its own, so a higher bid may be illegal"
    return None


def no_integer_form(rules: Game) -> str | None:
    """Return the reason why a game with these *rules* has no integers of a ``BiddingForm``, or None."""
    game = rules.bidding_game
    if game is None:
        return "it is not a bidding game"
    if len(game.players) != 2:
        return f"the game has {len(game.players)} players, not two"
    if problem := no_plain_bidding(game):
        return problem
    if game.constant_sum is None:
        return "the payoffs do not sum to a constant"
    if len(game.bid_names) * prod(game.hand_counts) > MOST_NUMBERS:
        return "there are too many hands"
    if game.hand_probabilities is None:
        return "the hands are not independent"
    return None


# --- indices of histories with two players

Step = tuple[slice, slice]
"""Two slices of equal length: the parents of a bid (in the bidder's class), and its children (in the other class)."""


def class_size(m: int) -> int:
    """Return the number of histories in each class, with *m* >= 1 bids."""
    return 1 << (m - 1)


def step(bid: int) -> Step:
    """Return the slices (parents, children) of *bid* >= 1: entry k of the parents leads to entry k of the children.

    The slices are the same for both players. Raises ``ValueError`` for bid 0, whose step is ``OPENING``.
    """
    if bid < 1:
        raise ValueError("bid 0 has no slices; it leads only from entry 0 of class 0 to entry 0 of class 1")
    half = 1 << (bid - 1)
    return slice(0, half), slice(half, 2 * half)


OPENING: Step = (slice(0, 1), slice(0, 1))
"""The step of bid 0, from the root to entry 0 of class 1. The root is never a child."""


def last_bid(player: int, index: int) -> int:
    """Return the last bid of the history at entry *index* of the class of *player*; -1 at the root."""
    return index.bit_length() if index else player - 1


def locate(bids: Iterable[int]) -> tuple[int, int]:
    """Return (class, index) of the history with these *bids*. Raises ``ValueError`` unless the bids increase."""
    history, last = 0, -1
    for bid in bids:
        if bid <= last:
            raise ValueError(f"bid {bid} is not above bid {last}")
        history, last = history | 1 << bid, bid
    return history.bit_count() % 2, history >> 1


def bids_at(player: int, index: int) -> tuple[int, ...]:
    """Return the bids of the history at entry *index* of the class of *player*, lowest first."""
    return bids_of(index << 1 | (index.bit_count() + player) % 2)


def bids_of(history: int) -> tuple[int, ...]:
    """Return the bids of a history that is stored as an integer, lowest first."""
    return tuple(bid for bid in range(history.bit_length()) if history >> bid & 1)
