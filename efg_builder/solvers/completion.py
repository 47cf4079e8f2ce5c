"""Moves at information sets that the mover's own strategy avoids.

A realization plan, or a reduced strategy, leaves these moves open. No other player can bring play there, so the moves
change neither a payoff nor an equilibrium. But bad moves would make a good equilibrium look as if it were not
sequential.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from ..forms.extensive import NONE, GameTree, payoffs_in_all
from ..forms.recall import has_perfect_recall
from ..strategies.tree_profile import TreeProfile

MOST_NODES = 5_000
"""The maximum number of nodes of a tree whose strategies are completed."""

Rows = list[tuple[Fraction, ...]]
Payoffs = Callable[[int], tuple[Fraction, ...]]


def avoided(profile: TreeProfile) -> frozenset[int]:
    """Return the information sets that are never reached because of the mover's own moves."""
    tree = profile.tree
    parents, actions, sets = tree.parent.tolist(), tree.action.tolist(), tree.infoset.tolist()
    mistaken: list[frozenset[int]] = [frozenset()] * len(tree)  # the players with a move of probability 0 on the path
    entered, reached = set[int](), set[int]()
    for node, k in enumerate(sets):
        if node:
            above = sets[parents[node]]
            mistake = not profile.probabilities[above][actions[node]]
            mistaken[node] = mistaken[parents[node]] | ({tree.infosets[above].player} if mistake else set())
        if k != NONE:
            (entered if tree.infosets[k].player in mistaken[node] else reached).add(k)
    return frozenset(entered - reached)


def completed(profile: TreeProfile) -> TreeProfile:
    """Return *profile* with best moves at the sets in ``avoided``, later sets first.

    They are best against the others' strategies, if others make mistakes of vanishing, equal
    probability. Larger trees, floats and games without
    perfect recall stay as they are.
    """
    tree = profile.tree
    if len(tree) > MOST_NODES or not profile.exact or not has_perfect_recall(tree):
        return profile
    rows = [tuple(Fraction(p) for p in row) for row in profile.probabilities]
    nodes: dict[int, list[int]] = {k: [] for k in avoided(profile) if tree.infosets[k].player >= 0 and len(rows[k]) > 1}
    for node, k in enumerate(tree.infoset.tolist()):
        if k in nodes:
            nodes[k].append(node)
    paid = payoffs_in_all(tree)
    for k in sorted(nodes, key=lambda k: nodes[k], reverse=True):
        player = tree.infosets[k].player
        reached = {node: _reach_by_others(tree, rows, node, player) for node in nodes[k]}
        counts = sorted({count for count, _ in reached.values()})
        # The payoffs by action: a number for each count of mistakes, as the fewest mistakes decide.
        values = [[Fraction(0)] * len(counts) for _ in rows[k]]
        for node, (count, share) in reached.items():
            for child in tree.children(node):
                gained = share * _payoff_from(tree, paid, rows, child, player)
                values[int(tree.action[child])][counts.index(count)] += gained
        best = max(values)
        if any(p and value != best for p, value in zip(rows[k], values, strict=True)):
            rows[k] = tuple(Fraction(int(action == values.index(best))) for action in range(len(values)))
    return TreeProfile(tree, tuple(rows))


def _reach_by_others(tree: GameTree, rows: Rows, node: int, player: int) -> tuple[int, Fraction]:
    """Return the number of others' mistakes on the path to *node*, and the probability of their other moves."""
    mistakes, reach = 0, Fraction(1)
    while node:
        above = int(tree.parent[node])
        k = int(tree.infoset[above])
        p = rows[k][int(tree.action[node])]
        if tree.infosets[k].player != player:
            mistake = not p and tree.infosets[k].player >= 0
            mistakes += mistake
            reach *= 1 if mistake else p
        node = above
    return mistakes, reach


def _payoff_from(tree: GameTree, paid: Payoffs, rows: Rows, first: int, player: int) -> Fraction:
    """Return the expected payoff of *player* if play is at the node *first*."""
    payoff, reach, node = Fraction(0), {first: Fraction(1)}, first
    while node < first + tree.sizes[first]:
        if node != first:
            above = int(tree.parent[node])
            p = rows[int(tree.infoset[above])][int(tree.action[node])]
            if not p:
                node += int(tree.sizes[node])
                continue
            reach[node] = reach[above] * p
        if tree.infoset[node] == NONE:
            payoff += reach[node] * paid(node)[player]
        node += 1
    return payoff
