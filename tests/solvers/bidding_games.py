"""Small games of bidding, random plans for them, and regret minimization on trees: what several modules test with."""

import random
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

import efg_builder as eb
from efg_builder.forms.bidding_form import BiddingForm
from efg_builder.solvers.oracle.restricted import ROOT, PlanOnSupport, Support, sparse_profile

SMALL = [
    {},
    {"sides": 3},
    {"dice": "2,1"},
    {"dice": "1,2", "payoff": "points"},
    {"sides": 3, "wild": 1, "wild_biddable": False},
    {"sides": 3, "wild": "highest"},
    {"order": "face-quantity", "payoff": "points"},
    {"dice": "2,2", "max_quantity": 2},
]


tree_of = cache(eb.build)


def small_games(chosen):
    return pytest.mark.parametrize("game", [eb.game("liars-dice", **c) for c in chosen], ids=lambda game: game.title)


def random_support(model, rng, share=0.5):
    """A random restricted game: at each set that own allowed moves lead to, some bids."""
    support = Support(model)
    first = np.array([rng.random() < 0.8 for _ in range(model.hands[0])])
    support.allow(ROOT, 0, np.ones(model.hands[0], dtype=bool))
    node = 0
    while node < len(support):
        player, own = support.depth[node] % 2, support.parent[node]
        may = support.allowed[own] if own > ROOT else np.ones(model.hands[player], dtype=bool)
        for bid in range(support.bid[node] + 1, model.bids):
            some = may & np.array([rng.random() < share for _ in may])
            if some.any():
                support.allow(node, bid, some & first if node == ROOT else some)
        node += 1
    return support


def random_plan(model, support, player, rng, grain=12):
    """A random valid plan in integers on the restricted game."""
    weights = np.zeros((len(support), model.hands[player]), dtype=np.int64)
    for node in range(len(support)):
        if support.depth[node] % 2 != player:
            continue
        own = support.parent[node]
        for hand in range(model.hands[player]):
            left = int(weights[own, hand]) if own > ROOT else grain
            children = [c for c in support.children[node].values() if support.allowed[c][hand]]
            for child in children[:-1] if node == ROOT else children:
                weights[child, hand] = rng.randint(0, left)
                left -= int(weights[child, hand])
            if node == ROOT:
                weights[children[-1], hand] = left
    nodes = np.flatnonzero(weights.any(axis=1))
    return PlanOnSupport(nodes, weights[nodes], grain)


def random_play(game, seed):
    """A random restricted game, plans on it, and the profile on the whole tree."""
    model, rng = BiddingForm(game), random.Random(seed)
    support = random_support(model, rng)
    plans = tuple(random_plan(model, support, player, rng) for player in range(2))
    return model, support, plans, sparse_profile(model, (support, support), plans).on(tree_of(game))


def mean(model, response, scale):
    return Fraction(int(response.value), model.totals[0] * model.totals[1] * scale)


def in_payoffs(model, player, response, scale):
    """What the best response is worth to the player who makes it."""
    first = model.payoff(mean(model, response, scale) * (1 if player == 0 else -1))
    return first if player == 0 else model.game.constant_sum - first


HARD = eb.game("liars-dice", sides=4, dice="2,1", wild="highest")


class PlainRegrets:
    """The same by plain recursion: one information set after the other.

    Plans weigh *power* in the average; with *old*, regrets are discounted by t^1.5 / (t^1.5 + 1), t beginning there.
    """

    def __init__(self, model, support, power=1, old=None):
        self.model, self.support, self.power, self.old = model, support, power, old
        self.regret = {}
        self.total = {}
        self.fresh = self.weight = 0

    def forget(self):
        self.total, self.fresh, self.weight = {}, 0, 0

    def strategy(self, node, hand):
        """Probabilities by child (None: the call)."""
        children = [*self.support.children[node].values(), *([] if node == ROOT else [None])]
        found = {c: self.regret.get((node, hand, c), 0.0) for c in children}
        total = sum(found.values())
        if total > 0:
            return {c: r / total for c, r in found.items()}
        if node == ROOT:
            return {c: 1 / len(children) for c in children}
        return {c: float(c is None) for c in children}

    def iterate(self):
        self.fresh += 1
        self.weight += self.fresh**self.power
        before = None if self.old is None else (self.fresh - 1 + self.old) ** 1.5
        self.kept = 1.0 if before is None else before / (before + 1)
        for player in range(2):
            for hand in range(self.model.hands[player]):
                others = self.model.chances[1 - player] / self.model.totals[1 - player]
                self.walk(player, hand, ROOT, [float(p) for p in others])
            for hand in range(self.model.hands[player]):
                self.add(player, hand, ROOT, 1.0)

    def walk(self, player, hand, node, reach):
        """The value of *node*, weighted by the other's reach; regrets are updated on the way up."""
        if self.support.depth[node] % 2 != player:
            rows = [self.strategy(node, other) for other in range(len(reach))]
            moves = rows[0]
            return sum(
                self.after(player, hand, node, move, [r * row[move] for r, row in zip(reach, rows, strict=True)])
                for move in moves
            )
        row = self.strategy(node, hand)
        worth = {move: self.after(player, hand, node, move, reach) for move in row}
        value = sum(row[move] * worth[move] for move in row)
        for move in row:
            key = (node, hand, move)
            kept = self.kept if any(reach) else 1.0
            self.regret[key] = max(kept * self.regret.get(key, 0.0) + worth[move] - value, 0.0)
        return value

    def after(self, player, hand, node, move, reach):
        if move is not None:
            return self.walk(player, hand, move, reach)
        caller, bid = self.support.depth[node] % 2, self.support.bid[node]
        k = self.model.called[caller][bid]
        paid = k[hand] if player == 0 else -k[:, hand]
        return sum(r * float(u) for r, u in zip(reach, paid, strict=True)) / self.model.largest

    def add(self, player, hand, node, weight):
        for child in self.support.children[node].values():
            if self.support.depth[node] % 2 == player:
                here = weight * self.strategy(node, hand)[child]
                self.total[child, hand] = self.total.get((child, hand), 0.0) + self.fresh**self.power * here
                self.add(player, hand, child, here)
            else:
                self.add(player, hand, child, weight)

    def average(self, player, node, hand):
        return self.total.get((node, hand), 0.0) / self.weight
