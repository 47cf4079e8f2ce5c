"""Random trees, and what the double oracle on trees is tested with in several modules."""

import random
from fractions import Fraction

import numpy as np
import pytest

import efg_builder as eb
from efg_builder.forms.extensive import (
    CHANCE,
    NONE,
    GameTree,
    Infoset,
    Outcome,
    constant_sum,
    has_perfect_recall,
    problems,
)
from efg_builder.games.catalogue import catalogue
from efg_builder.solvers.oracle.tree import best_response, extended, restrict
from efg_builder.solvers.protocol import Facts, two_player_constant_sum_with_recall
from efg_builder.solvers.tree_model import whole_game


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


def qualifying():
    """The small games of the catalogue."""
    for kind in catalogue().values():
        for chosen in kind.small:
            tree = eb.build(eb.game(kind.name, **chosen))
            if two_player_constant_sum_with_recall(Facts(tree)) is None:
                yield pytest.param(tree, id=f"{kind.name} {chosen}")


def all_moves(whole):
    return tuple(np.ones(side.sequences.count, dtype=bool) for side in whole.sides)


def responses(profile, *, exact_=True):
    """The values of both best responses to a profile, in the game's own payoffs."""
    whole = whole_game(profile.tree)
    everything = all_moves(whole)
    strategies = extended(whole, restrict(whole, everything), profile, exact=exact_)
    one, two = (best_response(whole, p, strategies[1 - p], everything[p]).value for p in range(2))
    middle, half = whole.form.middle, whole.form.half
    return middle + half * Fraction(one), constant_sum(profile.tree) - middle + half * Fraction(two)


def assert_solved(tree, method, **options):
    solution = eb.solve(tree, method, options=options)
    assert solution.status == "equilibrium", solution.message
    assert solution.exact
    assert solution.regret == 0
    assert solution.value == eb.solve(tree, "lp").value
    return solution
