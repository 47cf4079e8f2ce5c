"""Regret minimisation on full-width arrays over all histories of a two-player game of bidding.

A history is the set of its bids, so there are ``2 ** bids``; those at which one player moves fill one array, in the
order of ``games.bid_index``, with the hands as columns. Every pass is a loop over the last bid of contiguous slices
and one small matrix product each: no tree, and no Python for a history.

Counterfactual regrets as in M. Zinkevich et al., NIPS 2007; players in turn; the rule is one of
``cfr.regret_matching``. In reading order: ``RegretArrays``, the iteration and its best responses; ``written``, from the
average plans to behavior strategies.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from ...games.bid_index import bids_at, class_size, step
from ...strategies.sparse_profile import SparseProfile
from ..bidding_model import Bidding
from .regret_matching import LEAST, Floats, Rule, rational

MOST_SETS = 200_000
"""Information sets of one player that are written down, at most: those that own play reaches most."""


def memory(bids: int, hands: tuple[int, ...], kind: Any = np.float64) -> int:
    """The bytes that ``RegretArrays`` takes, about: what is kept, and what one pass works with."""
    width = int(np.dtype(kind).itemsize)
    # Of each player: regrets, strategies (bids and calls), two reaches, and averages in 64 bits. Then one pass.
    return class_size(bids) * (sum(hands) * (6 * width + 8) + 5 * max(hands) * width)


class RegretArrays:
    """Both players' regrets, plans and average plans.

    All arrays have the shape (2 ** (bids - 1), hands of the player). Those of *bids* are indexed by the history
    that the bid leads to, so by the class of the opponent's decisions; entry 0 of player 2's is the empty history and
    means nothing. Those of *calls* are indexed by the history at which the call is made, so by the class of the own
    decisions; entry 0 of player 1's is the empty history, where there is nothing to call.
    Values are shares of the largest payoff (from the middle of their range).
    """

    def __init__(self, model: Bidding, rule: Rule, kind: Any = np.float64) -> None:
        self.model, self.rule, self.kind = model, rule, kind
        self.iterations, self.weights = 0, [0.0, 0.0]
        self.slices = [step(bid) for bid in range(1, model.bids)]
        self.worth = [_worth(model, player, kind) for player in range(2)]
        self.bids, self.calls = self._pair(), self._pair()
        self.strategy, self.calling = self._pair(), self._pair()
        self.after, self.called = self._pair(), self._pair()
        self.totals = [np.zeros(table.shape) for table in self.after]
        for player in range(2):
            self._play(player, self.bids[player], self.calls[player])

    def _pair(self) -> list[Floats]:
        return [np.zeros((class_size(self.model.bids), hands), dtype=self.kind) for hands in self.model.hands]

    @property
    def unit(self) -> float:
        """What a value of 1 is in player 1's payoffs."""
        return float(self.model.unit * self.model.largest)

    def iterate(self) -> None:
        """One iteration: player 1's regrets and plan, then player 2's."""
        self.iterations += 1
        weight = float(self.iterations) ** self.rule.power
        for player in range(2):
            bid, call = self._gained(player)
            bids = self.rule.match(self.bids[player], bid, self.iterations)
            calls = self.rule.match(self.calls[player], call, self.iterations)
            self._play(player, bids, calls)
            # One step after the other and no more: Ctrl-C may come in between, and averages must stay averages.
            self.totals[player] += weight * self.after[player]
            self.weights[player] += weight

    def average(self, player: int) -> Floats:
        """The average plan: the probability, by own play, that each hand has bid as in each history."""
        weight = self.weights[player]
        found = self.totals[player] / weight if weight else self.after[player].astype(np.float64)
        if player == 1:
            found[0] = 1.0
        return found

    def nash_conv(self) -> float:
        """What both could gain against the average plans, summed, as a share of the largest payoff."""
        return self.best(0, self.average(1)) + self.best(1, self.average(0))

    def best(self, player: int, plan: Floats) -> float:
        """What *player* gets by a best response over the whole game against the other's *plan*."""
        worth = _worth(self.model, player, np.float64)
        called = self.reaching(1 - player, plan)
        if player == 1:
            called[0] -= plan[0]
        for parents, children in self.slices:
            called[parents] -= plan[children]
        call, bid = self._ends(player, worth, plan, called)
        if player == 0:
            call[0] = -np.inf
        for parents, children in reversed(self.slices):
            np.maximum(call[parents], bid[children], out=call[parents])
            bid[parents] += call[children]
        root = np.maximum(call[0], bid[0]) if player == 0 else call[0] + bid[0]
        return float(root @ (self.model.chances[player] / self.model.totals[player]))

    def _play(self, player: int, bids: Floats, calls: Floats) -> None:
        """The strategy proportional to *bids* and *calls*, and its plan; where all are 0: call, at first any bid."""
        total = calls.copy()
        if player == 0:
            total[0] = bids[0]
        for parents, children in self.slices:
            total[parents] += bids[children]
        known = total > 0
        share = np.divide(1, total, out=np.zeros_like(total), where=known)
        strategy, after = self.strategy[player], self.after[player]
        calling = np.multiply(calls, share, out=self.calling[player])
        calling[~known] = 1
        at = self.called[player]
        at[0], after[0] = 1, 1
        if player == 0:
            calling[0] = 0
            strategy[0] = after[0] = np.where(known[0], bids[0] * share[0], 1 / self.kind(self.model.bids))
        for parents, children in self.slices:
            np.multiply(bids[children], share[parents], out=strategy[children])
            if player == 0:
                strategy[children.start] += ~known[0] / self.kind(self.model.bids)
            np.multiply(at[parents], strategy[children], out=after[children])
            at[children] = after[parents]
        at *= calling

    def _gained(self, player: int) -> tuple[Floats, Floats]:
        """What each bid and each call is worth more than the strategy at its set, against the other's plan."""
        strategy = self.strategy[player]
        call, bid = self._ends(player, self.worth[player], self.after[1 - player], self.called[1 - player])
        value = call * self.calling[player]
        for parents, children in reversed(self.slices):
            value[parents] += strategy[children] * bid[children]
            bid[parents] += value[children]
        if player == 0:
            value[0] += strategy[0] * bid[0]
        call -= value
        for parents, children in self.slices:
            bid[children] -= value[parents]
        if player == 0:
            bid[0] -= value[0]
            call[0] = 0
        else:
            bid[0] = 0
        return bid, call

    def _ends(self, player: int, worth: tuple[Floats, Floats], after: Floats, called: Floats) -> tuple[Floats, Floats]:
        """What it is worth to call at each own history, and at each of the other's to be called.

        *after*, *called*: the probabilities, by the other's own play, that its hands reach each history by a bid, and
        that they call there.
        """
        bid = np.empty((len(after), self.model.hands[player]), dtype=after.dtype)
        call = np.empty_like(bid)
        calls, bids = worth
        for b, rows in enumerate([slice(0, 1), *(children for _, children in self.slices)]):
            np.matmul(after[rows], calls[b], out=call[rows])
            np.matmul(called[rows], bids[b], out=bid[rows])
        # The empty history: nothing to be called.
        (call if player == 0 else bid)[0] = 0
        return call, bid

    def reaching(self, player: int, plan: Floats) -> Floats:
        """The probability, by own play, that each of the player's hands reaches each own history."""
        at = np.empty_like(plan)
        at[0] = 1
        for parents, children in self.slices:
            at[children] = plan[parents]
        return at


def _worth(model: Bidding, player: int, kind: Any) -> tuple[Floats, Floats]:
    """What the end by a call of each bid is worth: the player's own call, and the other's.

    Each of shape (bids, other's hands, own hands), times the chances of the other's hands.
    """
    found = []
    for caller in (player, 1 - player):
        k = model.called[caller] / model.largest
        k = k.transpose(0, 2, 1) if player == 0 else -k
        chances = model.chances[1 - player] / model.totals[1 - player]
        found.append(np.ascontiguousarray(k * chances[:, None], dtype=kind))
    return found[0], found[1]


def written(model: Bidding, regrets: RegretArrays) -> SparseProfile:
    """Both average plans as behavior strategies; nothing is written where a hand only calls, or hardly ever comes."""
    return SparseProfile(model.game, (_strategy(model, regrets, 0), _strategy(model, regrets, 1)))


def _strategy(model: Bidding, regrets: RegretArrays, player: int) -> dict[str, dict[int, dict[str, Fraction]]]:
    plan = regrets.average(player)
    at = regrets.reaching(player, plan)
    # What a hand bids at a set is what comes there less what is called.
    bid = np.zeros_like(at)
    for parents, children in regrets.slices:
        bid[parents] += plan[children]
    if player == 0:
        bid[0] += plan[0]
    least = _least(np.where(bid > LEAST, at, 0))
    found: dict[str, dict[int, dict[str, Fraction]]] = {}
    for index in np.flatnonzero(((at > least) & (bid > LEAST)).any(axis=1)).tolist():
        hands = np.flatnonzero((at[index] > least) & (bid[index] > LEAST)).tolist()
        found[model.game.history(bids_at(player, index))] = {
            hand: _row(model, player, index, plan[:, hand], float(at[index, hand])) for hand in hands
        }
    return found


def _least(reach: Floats) -> float:
    """The reach probability, by own play, from which on a set is written down."""
    count = int((reach > LEAST).sum())
    if count <= MOST_SETS:
        return LEAST
    return max(LEAST, float(np.partition(reach, reach.size - MOST_SETS, axis=None)[reach.size - MOST_SETS]))


def _row(model: Bidding, player: int, index: int, plan: Floats, came: float) -> dict[str, Fraction]:
    """The behavior of one hand at one set; *plan*: its realization weights."""
    game = model.game
    root = player == 0 and index == 0
    first = 1 if root else index.bit_length() + 1
    bids = np.arange(first, model.bids)
    weights = plan[index | 1 << (bids - 1)]
    names = [game.bid_names[bid] for bid in bids]
    if root:
        weights, names = np.concatenate([plan[:1], weights]), [game.bid_names[0], *names]
    else:
        weights, names = np.append(weights, max(came - weights.sum(), 0.0)), [*names, game.call]
    row = rational(weights / weights.sum())
    return {name: share for name, share in zip(names, row, strict=True) if share}
