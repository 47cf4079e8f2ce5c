"""Values and best responses over every history of a two-player bidding game, in floats, with an error bound.

The downward pass computes, for each history and each hand of the *opponent*, the probability that the opponent has this
hand and makes the opponent's bids in the history. The upward pass computes, for each history and each hand of the
*responder*, the best payoff after the history, weighted by these probabilities. Both passes work on contiguous slices
of the arrays (``forms.bidding_form``), without a Python loop over histories. The responder sees her hand and all bids.
So the best move at each information set, chosen from the last moves backward, gives a best response.

**The error bound.** Let u be the unit roundoff of the floats, m the number of bids, H the larger of the two numbers of
hands, U the largest absolute payoff, and D = m + 1 the maximum number of turns.

(1) Every result is a sum of terms. Each term is a product of probabilities and a payoff. The absolute values of all
terms sum to at most U. A term is rounded at most K = m(m+1)/2 + 2H + 2D + 7 times:

- in products: once for the move at each turn, for both hands and for the payoff (D + 4);
- in sums over the hands of both players (2H);
- in sums over bids: at most m - l times at a turn after bid l, and l increases from turn to turn (m(m+1)/2);
- in storage: once for each move probability, hand probability and payoff (D + 3).

A maximum is not rounded, and does not increase an error. So the error is at most U K u / (1 - K u) (N. J. Higham,
Accuracy and Stability of Numerical Algorithms, 2nd ed., section 3.1).

(2) The probability of a call is computed as 1 minus the probabilities of all bids, with an absolute error of at most
(m+1) u. Storage of the bids' probabilities adds at most u in total. In a strategy file, the sum of the probabilities
may differ from 1 by up to the file's ``excess``. Together, these errors change the strategy at each information set by
at most e = (m+2) u + excess. A change of e at one turn changes the result by at most e U (1+e)^D, and there are D
turns.

The bound is the sum of (1) and (2), U (1+e)^D (D e + K u / (1 - K u)), doubled to cover products of errors. Reach
probabilities that are too small for a float (below 1e-300, or 1e-37 in 32 bits) become 0. There are fewer than 2**m H^2
of them. If m is below 64, the bound covers them too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ..base.errors import NotApplicableError
from ..forms.bidding_form import OPENING, class_size, last_bid, step
from ..games.bidding import BiddingGame
from ..games.checks import check_rules, payoff_classes, settle
from ..games.protocol import Deal
from ..strategies.dense_rows import Array, DenseRows, bids_open, blocks, calling


@dataclass(frozen=True, eq=False)
class BidStakes:
    """The payoffs and hand probabilities of a bidding game.

    ``chances[player]``: the probability of each hand. ``first[caller][bid]``: player 1's payoffs if *caller* calls
    *bid*, an array of shape (hands of player 1, hands of player 2). ``total``: the sum of both players' payoffs.
    ``largest``: U in the module's docstring.
    """

    game: BiddingGame
    chances: tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]
    first: tuple[list[Array], list[Array]]
    total: Fraction
    largest: float

    @property
    def bids(self) -> int:
        return len(self.game.bid_names)

    def payoffs(self, player: int, caller: int, bid: int) -> Array:
        """Return the payoffs of *player*, of shape (hands of the other player, hands of *player*)."""
        first = self.first[caller][bid]
        return first.T if player == 0 else float(self.total) - first


def stakes(game: BiddingGame) -> BidStakes:
    """Return the payoffs and hand probabilities of *game*.

    Raises ``NotApplicableError`` unless the game has two players, independent hands and a constant sum. Raises
    ``RulesError`` for a mistake in a user's rules.
    """
    check_rules(game)  # arrays have an entry for every higher bid
    total, chances = game.constant_sum, game.hand_probabilities
    if len(game.players) != 2 or total is None or chances is None:
        raise NotApplicableError(
            f"{game.title}: arrays need two players with independent hands and a constant payoff sum"
        )
    called = range(len(game.bid_names))
    first = ([_table(game, bid, 0) for bid in called], [_table(game, bid, 1) for bid in called])
    largest = max(float(max(np.abs(t).max(), np.abs(float(total) - t).max())) for side in first for t in side)
    mine, others = (np.array([float(p) for p in side]) for side in chances)
    return BidStakes(game, (mine, others), first, Fraction(total), largest)


def _table(game: BiddingGame, bid: int, caller: int) -> Array:
    """Return player 1's payoffs if *caller* calls *bid*; hands of the same class have the same payoffs."""
    key = game.called(bid, caller)
    classes = payoff_classes(game, key)
    known: dict[tuple[int, int], float] = {}
    table = np.empty(game.hand_counts)
    for mine, one in enumerate(classes[0]):
        for other, two in enumerate(classes[1]):
            if (one, two) not in known:
                known[one, two] = float(settle(game, key, Deal(Fraction(1), (mine, other))).payoffs[0])
            table[mine, other] = known[one, two]
    return table


def error_bound(facts: BidStakes, kind: Any, strategies: Sequence[DenseRows]) -> float:
    """Return the error bound of a value or best response with *strategies* (see the module's docstring)."""
    u, m = float(np.finfo(kind).eps) / 2, facts.bids
    turns = m + 1
    roundings = m * (m + 1) // 2 + 2 * max(facts.game.hand_counts) + 2 * turns + 7
    change = (m + 2) * u + max(strategy.excess for strategy in strategies)
    grown = (1 + change) ** turns
    return 2 * facts.largest * grown * (turns * change + roundings * u / (1 - roundings * u))


def memory(game: BiddingGame, kind: Any) -> int:
    """Return the size in bytes of the arrays of a best response, without the strategies.

    There are two arrays of shape (2**(m-1), larger number of hands), where m is the number of bids.
    """
    width = int(np.dtype(kind).itemsize)
    return 2 * class_size(len(game.bid_names)) * max(game.hand_counts) * width


@dataclass(frozen=True, eq=False)
class DenseResponse:
    """A best response of ``player``.

    ``value``: its expected payoff. ``by_hand``: its expected payoff with each hand. ``worth[c]``: the payoff after each
    history of class c (``forms.bidding_form``) with each hand, weighted by the probability that the opponent reaches
    the history.
    """

    player: int
    value: float
    by_hand: npt.NDArray[np.float64]
    worth: tuple[Array, Array]
    bids: int

    def strategy(self) -> Array:
        """Return a pure best response as flags of the chosen bids, of shape (2**(m-1), hands).

        Among equally good moves, the strategy chooses the lowest bid, or a call if no bid is equally good.
        """
        mine, other = self.worth[self.player], self.worth[1 - self.player]
        made = np.zeros(mine.shape, dtype=np.bool_)
        for start, stop in blocks(len(mine)):
            taken = np.zeros((stop - start, mine.shape[1]), dtype=np.bool_)
            for bid in bids_open(self.player, start, self.bids):
                above = 1 << bid >> 1
                # The equality is exact, because the best payoff is a copy of the payoff after a best move.
                best = (other[above + start : above + stop] == mine[start:stop]) & ~taken
                made[above + start : above + stop] = best
                taken |= best
        return made


Tell = Callable[[float], object]
"""A progress callback: it receives the fraction of the work done, from 0 to 1."""

DOWN, UP = 0.45, 0.05
"""The approximate fractions of the work in the downward and the upward pass; the payoffs of calls take the rest."""


def dense_best_response(
    facts: BidStakes, opponent: DenseRows, player: int, kind: Any = np.float64, tell: Tell = lambda done: None
) -> DenseResponse:
    """Return a best response of *player* (from 0) to the strategy *opponent*."""
    worth = _passes(facts, opponent, player, None, kind, tell)
    by_hand = worth[0][0].astype(np.float64)
    return DenseResponse(player, float(facts.chances[player] @ by_hand), by_hand, worth, facts.bids)


def dense_value(
    facts: BidStakes, strategies: tuple[DenseRows, DenseRows], kind: Any = np.float64, tell: Tell = lambda done: None
) -> float:
    """Return player 1's expected payoff if both players play *strategies*."""
    root = _passes(facts, strategies[1], 0, strategies[0], kind, tell)[0][0]
    return float(facts.chances[0] @ root.astype(np.float64))


def _passes(
    facts: BidStakes, opponent: DenseRows, player: int, own: DenseRows | None, kind: Any, tell: Tell
) -> tuple[Array, Array]:
    """Run both passes, and return ``DenseResponse.worth``. *own*: the player's strategy; None for a best response."""
    width, entries = max(facts.game.hand_counts), class_size(facts.bids)
    space = (np.zeros((entries, width), dtype=kind), np.zeros((entries, width), dtype=kind))
    reach = (space[0][:, : len(facts.chances[1 - player])], space[1][:, : len(facts.chances[1 - player])])
    worth = (space[0][:, : len(facts.chances[player])], space[1][:, : len(facts.chances[player])])
    _down(facts, opponent, 1 - player, reach, tell)
    # Overwrite the opponent's probabilities with payoffs, history by history.
    for mover in range(2):
        playing = opponent if mover != player else own
        for start, stop in blocks(entries):
            tell(DOWN + (1 - DOWN - UP) * (mover + start / entries) / 2)
            worth[mover][start:stop] = _called(facts, player, mover, playing, reach[mover][start:stop], start)
    tell(1 - UP)
    _up(facts, player, own, worth, tell)
    return worth


def _down(facts: BidStakes, opponent: DenseRows, who: int, reach: tuple[Array, Array], tell: Tell) -> None:
    """Fill *reach*: the probability that the opponent holds each hand and makes the opponent's bids in each history."""
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
    """Return the payoff of a call for each hand of *player*, at the histories in *reach*, from the index *start* on.

    If the caller's strategy, *playing*, is given, the payoff is multiplied by the probability of the call.
    """
    bid = last_bid(mover, start)
    if bid < 0:
        # There is no bid to call. In a best response, the payoff -inf makes every other move better.
        return np.full((1, 1), -np.inf if playing is None else 0.0)
    called = None if playing is None else calling(playing, mover, start, start + len(reach), facts.bids)
    if called is not None and mover != player:
        reach = reach * called.astype(reach.dtype)
    worth: Array = reach @ facts.payoffs(player, mover, bid).astype(reach.dtype)
    return worth * called if called is not None and mover == player else worth


def _up(facts: BidStakes, player: int, own: DenseRows | None, worth: tuple[Array, Array], tell: Tell) -> None:
    """Add the payoffs after each bid to the payoffs before the bid, from the highest bid down."""
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
