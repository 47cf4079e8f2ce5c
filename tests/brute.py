"""Slow and obvious: what the fast code is held against. Nothing here is shared with the package's algorithms."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product

from efg_builder import GameTree, SparseProfile, TreeProfile
from efg_builder.games.protocol import PublicDecision


def payoffs(tree: GameTree, strategies: dict[int, list[Fraction]], node: int = 0) -> list[Fraction]:
    """Expected payoffs from *node* on, by recursion; *strategies* are rows by information set, chance included."""
    total = [Fraction(0)] * len(tree.players)
    if tree.outcome[node] != -1:
        total = list(tree.outcomes[tree.outcome[node]].payoffs)
    children = [child for child in range(node + 1, len(tree)) if tree.parent[child] == node]
    for child in children:
        p = strategies[int(tree.infoset[node])][int(tree.action[child])]
        if p:
            total = [t + p * u for t, u in zip(total, payoffs(tree, strategies, child), strict=True)]
    return total


def rows(profile: TreeProfile) -> dict[int, list[Fraction]]:
    return {k: [Fraction(p) for p in row] for k, row in enumerate(profile.probabilities)}


def reaches(tree: GameTree, strategies: dict[int, list[Fraction]]) -> list[Fraction]:
    """The product of the probabilities on the way to each node; *strategies* as for ``payoffs``."""
    found = [Fraction(1)]
    for node in range(1, len(tree)):
        above = int(tree.parent[node])
        found.append(found[above] * strategies[int(tree.infoset[above])][int(tree.action[node])])
    return found


def pure_strategies(tree: GameTree, player: int):
    """Every pure strategy of *player*, as rows by information set."""
    sets = [k for k in tree.personal if tree.infosets[k].player == player]
    for choice in product(*(range(len(tree.infosets[k].actions)) for k in sets)):
        yield {
            k: [Fraction(int(a == pick)) for a in range(len(tree.infosets[k].actions))]
            for k, pick in zip(sets, choice, strict=True)
        }


def best_response_value(profile: TreeProfile, player: int) -> Fraction:
    """The most that *player* can get, by trying every pure strategy."""
    fixed = rows(profile)
    return max(payoffs(profile.tree, fixed | pure)[player] for pure in pure_strategies(profile.tree, player))


def regret(profile: TreeProfile) -> Fraction:
    value = payoffs(profile.tree, rows(profile))
    return max(best_response_value(profile, i) - v for i, v in enumerate(value))


def solution(equations, sides) -> list[Fraction] | None:
    """The only solution of linear equations, by elimination; None if there is none or more than one."""
    table = [[Fraction(a) for a in (*row, side)] for row, side in zip(equations, sides, strict=True)]
    for column in range(len(table)):
        pivot = next((row for row in table[column:] if row[column]), None)
        if pivot is None:
            return None
        table.remove(pivot)
        pivot = [a / pivot[column] for a in pivot]
        table = [[a - row[column] * b for a, b in zip(row, pivot, strict=True)] for row in table]
        table.insert(column, pivot)
    return [row[-1] for row in table]


def random_profile(tree: GameTree, seed: int, *, zeros: bool = True) -> TreeProfile:
    """A random rational profile; with *zeros*, about a third of the actions are never played."""
    rng = random.Random(seed)
    table = {}
    for k in tree.personal:
        width = len(tree.infosets[k].actions)
        weights = [0 if zeros and rng.random() < 0.35 else rng.randint(1, 5) for _ in range(width)]
        if not any(weights):
            weights[rng.randrange(width)] = 1
        table[k] = [Fraction(w, sum(weights)) for w in weights]
    return TreeProfile.from_personal(tree, table)


def random_sparse(game, rng: random.Random, density: float) -> SparseProfile:
    """A random rational profile of a dealt game, written at about *density* of the information sets."""
    strategies, stack = tuple({} for _ in game.players), [game.public_root()]
    while stack:
        turn = game.public_turn(stack.pop())
        if not isinstance(turn, PublicDecision):
            continue
        stack += [state for _, state in turn.actions]
        for hand in range(game.hand_counts[turn.player]):
            if rng.random() < density:
                weights = [rng.choice((0, 0, 1, 2, 5)) for _ in turn.actions]
                weights[rng.randrange(len(weights))] += 1
                row = {a: Fraction(w, sum(weights)) for (a, _), w in zip(turn.actions, weights, strict=True) if w}
                strategies[turn.player].setdefault(turn.history, {})[hand] = row
    return SparseProfile(game, strategies)


def after_last_bids(tree, rows, weights):
    """Yield, for nodes of Liar's Dice: the player, hand and last bid; the weight, unless 0; and the probabilities."""
    for node, k in enumerate(tree.infoset.tolist()):
        if tree.player[node] >= 0 and (weight := weights(node)):
            hand, _, bids = tree.infosets[k].label.partition(": ")
            key = int(tree.player[node]), hand, "" if bids == "start" else bids.split()[-1]
            yield key, weight, dict(zip(tree.infosets[k].actions, rows[k], strict=True))
