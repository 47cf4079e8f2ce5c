"""Random trees of perfect recall."""

import random
from fractions import Fraction

import numpy as np

from efg_builder.forms.extensive import CHANCE, NONE, GameTree, Infoset, Outcome, constant_sum
from efg_builder.forms.recall import has_perfect_recall
from sound import problems


class _Grower:
    """A random tree of perfect recall: each player knows own moves, and of all else what chance lets slip."""

    def __init__(self, seed, depth, total, players=2):
        self.rng, self.depth, self.total, self.seed = random.Random(seed), depth, total, seed
        self.players = players
        self.columns, self.infosets, self.index, self.outcomes = ([], [], [], []), [], {}, []

    def grow(self, parent=NONE, action=NONE, knows=None, depth=0):
        rng, node = self.rng, len(self.columns[0])
        knows = knows or ("",) * self.players
        inside = depth < self.depth and rng.random() < 0.9
        outcome = (
            self.pay(0 if inside and self.total is not None else self.total)
            if not inside or rng.random() < 0.15
            else NONE
        )
        k = (
            NONE
            if not inside
            else self.chance()
            if rng.random() < 0.25
            else self.decision(rng.randrange(self.players), knows)
        )
        for column, value in zip(self.columns, (parent, action, k, outcome), strict=True):
            column.append(value)
        if inside:
            mover, seen = self.infosets[k].player, [rng.random() < 0.5 for _ in range(self.players)]
            for a in range(len(self.infosets[k].actions)):
                news = [f"|{node if s else ''}.{a}" if p == mover or s else "" for p, s in enumerate(seen)]
                self.grow(node, a, tuple(map(str.__add__, knows, news)), depth + 1)
        return self

    def pay(self, total):
        mine = [Fraction(self.rng.randint(-12, 12), self.rng.choice([1, 2, 3])) for _ in range(self.players - 1)]
        last = self.rng.randint(-12, 12) if total is None else total - sum(mine)
        self.outcomes.append(Outcome(len(self.outcomes) + 1, "", (*mine, Fraction(last))))
        return len(self.outcomes) - 1

    def chance(self):
        weights = [self.rng.randint(0, 3), *(self.rng.randint(1, 3) for _ in range(self.rng.randint(0, 2)))]
        weights[0] += sum(weights) == 0
        p = tuple(Fraction(w, sum(weights)) for w in weights)
        self.infosets.append(Infoset(CHANCE, len(self.infosets), "", tuple(map(str, range(len(p)))), p))
        return len(self.infosets) - 1

    def decision(self, player, knows):
        key = player, knows[player]
        if key not in self.index:
            width = random.Random(f"{self.seed} {key}").randint(1, 3)
            self.index[key] = len(self.infosets)
            self.infosets.append(Infoset(player, len(self.infosets), str(key), tuple(map(str, range(width)))))
        return self.index[key]


def random_tree(seed, depth=5, total=Fraction(1, 3), players=2):
    """*total*: what payoffs sum to; None where they do not sum to a constant."""
    grown = _Grower(seed, depth, total, players).grow()
    columns = [np.array(column, dtype=np.int32) for column in grown.columns]
    tree = GameTree(
        f"random {seed}",
        tuple("ABCDE"[:players]),
        *columns,
        infosets=tuple(grown.infosets),
        outcomes=tuple(grown.outcomes),
    )
    assert problems(tree) == []
    assert has_perfect_recall(tree)
    assert total is None or constant_sum(tree) == total
    return tree
