"""Values and best responses over every history of a two-player game of bidding, in floats, with a bound on the error.

One pass down carries, for each history and each hand of the *opponent*, the probability that the opponent holds
the hand and bids like this; one pass back up brings, for each hand of the *responder*, what can still be had,
weighted by those probabilities. Both go over contiguous slices of the arrays of ``games.bid_index``, one bid after
the other, so that no history costs a step of Python. The responder sees the own hand and all bids, so that the best
choice at each set by itself, last moves first, is a best response.

**The error bound.** Let u be the unit roundoff of the floats, m the bids, H the larger number of hands, U the largest
payoff in absolute value, D = m + 1 the most turns of play.

(1) Every figure is a sum of terms, each a product of probabilities, which are not negative, and a payoff; the absolute
values of all terms sum to at most U. A term is rounded at most K times, K = m(m+1)/2 + 2H + 2D + 7: in products, once
for the move at each turn and for both hands and the payoff (D + 4); in sums over the opponent's and the own hands (2H);
in sums over bids, at a turn after bid l at most m - l times, and l grows from turn to turn (m(m+1)/2); and once each in
storing probabilities, chances and payoffs (D + 3). Taking the maximum rounds nothing, and enlarges no error. So the
figure is right to U K u / (1 - K u) (N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., section
3.1).

(2) The probability to call is what the bids leave of 1; it is worked out with an absolute error of at most (m+1) u,
to which comes what storing the bids has rounded, u in sum. A strategy in a file may be off a distribution by its
``excess``. Both are a change of the strategy, by e = (m+2) u + excess in sum at each set. Changing the probabilities
at one turn of play by e in sum changes the figure by at most e U (1+e)^D; there are D turns.

The bound is the sum of both, U (1+e)^D (D e + K u / (1 - K u)), taken twice to cover products of errors. Reach
probabilities too small for a float (below 1e-300, or 1e-37 in 32 bits) are lost; there are fewer than 2**m H^2 of
them, which is covered too while m stays below 64.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ..base.errors import NotApplicableError
from ..games.bid_index import OPENING, class_size, last_bid, step
from ..games.bidding import BiddingGame
from ..games.protocol import Deal
from ..strategies.dense_rows import Array, DenseRows, bids_open, blocks, calling


@dataclass(frozen=True, eq=False)
class BidStakes:
    """What a game of bidding pays, in numbers. Make one with ``stakes``.

    ``chances[player]``: of each hand. ``first[caller][bid]``: player 1's payoff where *caller* calls *bid*, of shape
    (hands of player 1, hands of player 2). ``total``: what both payoffs sum to; ``largest``: U of the module's text.
    """

    game: BiddingGame
    chances: tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]
    first: tuple[list[Array], list[Array]]
    total: Fraction
    largest: float

    @property
    def bids(self) -> int:
        """The number of bids, m."""
        return len(self.game.bid_names)

    def payoffs(self, player: int, caller: int, bid: int) -> Array:
        """The payoffs of *player*, of shape (hands of the other, hands of the player)."""
        first = self.first[caller][bid]
        return first.T if player == 0 else float(self.total) - first


def stakes(game: BiddingGame) -> BidStakes:
    """The numbers of *game*.

    Raises ``NotApplicableError`` unless there are two players with independent hands, who divide a constant sum.
    """
    total, chances = game.constant_sum, game.hand_probabilities
    if len(game.players) != 2 or total is None or chances is None:
        raise NotApplicableError(
            f"{game.title}: arrays need two players with independent hands, who divide a constant sum"
        )
    called = range(len(game.bid_names))
    first = ([_table(game, bid, 0) for bid in called], [_table(game, bid, 1) for bid in called])
    largest = max(float(max(np.abs(t).max(), np.abs(float(total) - t).max())) for side in first for t in side)
    mine, others = (np.array([float(p) for p in side]) for side in chances)
    return BidStakes(game, (mine, others), first, total, largest)


def _table(game: BiddingGame, bid: int, caller: int) -> Array:
    """Player 1's payoffs where *caller* calls *bid*: one deal stands for all deals of its classes."""
    key = game.called(bid, caller)
    classes = [game.classes(key, player) for player in range(2)]
    known: dict[tuple[int, int], float] = {}
    table = np.empty(game.hand_counts)
    for mine, one in enumerate(classes[0]):
        for other, two in enumerate(classes[1]):
            if (one, two) not in known:
                known[one, two] = float(game.settle(key, Deal(Fraction(1), (mine, other))).payoffs[0])
            table[mine, other] = known[one, two]
    return table


def error_bound(facts: BidStakes, kind: Any, strategies: Sequence[DenseRows]) -> float:
    """The most by which a value or a best response against *strategies* can be off: see the module's text."""
    u, m = float(np.finfo(kind).eps) / 2, facts.bids
    turns = m + 1
    roundings = m * (m + 1) // 2 + 2 * max(facts.game.hand_counts) + 2 * turns + 7
    change = (m + 2) * u + max(strategy.excess for strategy in strategies)
    grown = (1 + change) ** turns
    return 2 * facts.largest * grown * (turns * change + roundings * u / (1 - roundings * u))


def memory(game: BiddingGame, kind: Any) -> int:
    """The bytes that a pass works with, strategies not counted: two classes of histories, as wide as most hands."""
    width = int(np.dtype(kind).itemsize)
    return 2 * class_size(len(game.bid_names)) * max(game.hand_counts) * width


@dataclass(frozen=True, eq=False)
class DenseResponse:
    """The most that ``player`` can get: ``value``, and ``by_hand``, of each hand, given that it was dealt.

    ``worth[c]``: what is left at each history of class c for each hand, weighted by the opponent's way there.
    """

    player: int
    value: float
    by_hand: npt.NDArray[np.float64]
    worth: tuple[Array, Array]
    bids: int

    def strategy(self) -> Array:
        """A pure best response in flags, of shape (2**(m-1), hands); of equal moves the lowest bid, the call last."""
        mine, other = self.worth[self.player], self.worth[1 - self.player]
        made = np.zeros(mine.shape, dtype=np.bool_)
        for start, stop in blocks(len(mine)):
            taken = np.zeros((stop - start, mine.shape[1]), dtype=np.bool_)
            for bid in bids_open(self.player, start, self.bids):
                above = 1 << bid >> 1
                # Nothing was rounded between the two: the best is one of its choices to the last bit.
                best = (other[above + start : above + stop] == mine[start:stop]) & ~taken
                made[above + start : above + stop] = best
                taken |= best
        return made


Tell = Callable[[float], object]
"""Takes the share of the work that is done, from 0 to 1, now and then."""

DOWN, UP = 0.45, 0.05
"""The shares of the work that the passes down and up take, about; the payoffs between them take the rest."""


def dense_best_response(
    facts: BidStakes, opponent: DenseRows, player: int, kind: Any = np.float64, tell: Tell = lambda done: None
) -> DenseResponse:
    """The best response of *player* (from 0) to the strategy of the other one."""
    worth = _passes(facts, opponent, player, None, kind, tell)
    by_hand = worth[0][0].astype(np.float64)
    return DenseResponse(player, float(facts.chances[player] @ by_hand), by_hand, worth, facts.bids)


def dense_value(
    facts: BidStakes, strategies: tuple[DenseRows, DenseRows], kind: Any = np.float64, tell: Tell = lambda done: None
) -> float:
    """What player 1 gets where both play as given."""
    root = _passes(facts, strategies[1], 0, strategies[0], kind, tell)[0][0]
    return float(facts.chances[0] @ root.astype(np.float64))


def _passes(
    facts: BidStakes, opponent: DenseRows, player: int, own: DenseRows | None, kind: Any, tell: Tell
) -> tuple[Array, Array]:
    """Both passes; *own* is what the player plays (None: the best). Returns what ``DenseResponse`` calls worth."""
    width, entries = max(facts.game.hand_counts), class_size(facts.bids)
    space = (np.zeros((entries, width), dtype=kind), np.zeros((entries, width), dtype=kind))
    reach = (space[0][:, : len(facts.chances[1 - player])], space[1][:, : len(facts.chances[1 - player])])
    worth = (space[0][:, : len(facts.chances[player])], space[1][:, : len(facts.chances[player])])
    _down(facts, opponent, 1 - player, reach, tell)
    # What the opponent's ways were is replaced by what they are worth, history by history.
    for mover in range(2):
        playing = opponent if mover != player else own
        for start, stop in blocks(entries):
            tell(DOWN + (1 - DOWN - UP) * (mover + start / entries) / 2)
            worth[mover][start:stop] = _called(facts, player, mover, playing, reach[mover][start:stop], start)
    tell(1 - UP)
    _up(facts, player, own, worth, tell)
    return worth


def _down(facts: BidStakes, opponent: DenseRows, who: int, reach: tuple[Array, Array], tell: Tell) -> None:
    """The probability that the opponent holds each hand and bids towards each history."""
    reach[0][0] = facts.chances[who]
    reach[1][0] = reach[0][0] * opponent.rows(0, 0, 1)[0] if who == 0 else reach[0][0]
    for bid in range(1, facts.bids):
        parents, children = step(bid)
        reach[who][children] = reach[1 - who][parents]
        for start, stop in blocks(parents.stop):
            tell(DOWN * (parents.stop + start) / len(reach[0]))
            target = reach[1 - who][children][start:stop]
            np.multiply(reach[who][start:stop], opponent.rows(bid, start, stop), out=target, casting="same_kind")


def _called(facts: BidStakes, player: int, mover: int, playing: DenseRows | None, reach: Array, start: int) -> Array:
    """What a call at these histories is worth to the hands of *player*, its probability included where it is known."""
    bid = last_bid(mover, start)
    if bid < 0:
        # Nothing to call: where the best is looked for, anything is better.
        return np.full((1, 1), -np.inf if playing is None else 0.0)
    called = None if playing is None else calling(playing, mover, start, start + len(reach), facts.bids)
    if called is not None and mover != player:
        reach = reach * called.astype(reach.dtype)
    worth: Array = reach @ facts.payoffs(player, mover, bid).astype(reach.dtype)
    return worth * called if called is not None and mover == player else worth


def _up(facts: BidStakes, player: int, own: DenseRows | None, worth: tuple[Array, Array], tell: Tell) -> None:
    """Bring what follows each bid to the history before it, highest bids first: what they lead to is then complete."""
    mine, other = worth[player], worth[1 - player]
    for bid in range(facts.bids - 1, 0, -1):
        parents, children = step(bid)
        tell(1 - UP * 2 * parents.stop / len(mine))
        other[parents] += mine[children]
        _choose(mine, other, bid, parents, children, own)
    parents, children = OPENING
    if player == 0:
        _choose(mine, other, 0, parents, children, own)
    else:
        other[parents] += mine[children]


def _choose(mine: Array, other: Array, bid: int, parents: slice, children: slice, own: DenseRows | None) -> None:
    if own is None:
        np.maximum(mine[parents], other[children], out=mine[parents])
        return
    for start, stop in blocks(parents.stop):
        part = other[children][start:stop] * own.rows(bid, start, stop)
        mine[start:stop] += part.astype(mine.dtype, copy=False)
