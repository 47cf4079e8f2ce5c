"""Proper subgames: the parts of a tree that can be played, and judged, on their own.

A *subgame* is a node and all nodes after it, if no information set has nodes both inside and outside, and the player
who moves first knows the node (R. Selten, "Reexamination of the perfectness concept", International Journal of Game
Theory 4, 1975). Here, a subgame may begin with a chance move. Nodes that chance never reaches begin no subgame.
Information sets with one action do not count: they neither begin a subgame nor cross its border.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from .extensive import CHANCE, NONE, GameTree, Outcome, chance_reach, kept
from .recall import forced_nodes


@kept
def subgames(tree: GameTree) -> tuple[int, ...]:
    """Return the first nodes of all subgames with a decision, the whole game included, in prefix order."""
    nodes = np.arange(len(tree))
    first, last = np.full(len(tree.infosets) + 1, len(tree)), np.full(len(tree.infosets) + 1, -1)
    owned = (tree.player >= 0) & ~forced_nodes(tree)
    np.minimum.at(first, tree.infoset[owned], nodes[owned])
    np.maximum.at(last, tree.infoset[owned], nodes[owned])
    low, high = np.where(owned, first[tree.infoset], len(tree)), np.where(owned, last[tree.infoset], -1)
    alone = (tree.player == CHANCE) | (owned & (low == high))
    if not alone[1:].any():
        return (0,)
    # The first and the last node of the information sets in the subtree of each node.
    for level in reversed(tree.levels[1:]):
        np.minimum.at(low, tree.parent[level], low[level])
        np.maximum.at(high, tree.parent[level], high[level])
    found = (low >= nodes) & (high < nodes + tree.sizes) & (high >= 0) & alone
    if not all(all(infoset.chances) for infoset in tree.infosets):
        found &= chance_reach(tree)[0] > 0
    first_choice = int(np.argmax(owned | (tree.player == CHANCE)))
    found[[0, first_choice]] = True, first_choice == 0  # after forced moves, the whole game begins
    return tuple(np.flatnonzero(found).tolist())


@dataclass(frozen=True)
class Part:
    """A subgame whose inner subgames may be replaced by terminal nodes.

    ``tree``: the part. ``infosets``: the index in the whole tree of each of the part's information sets and events.
    """

    tree: GameTree
    infosets: tuple[int, ...]


def part(tree: GameTree, root: int, ends: Mapping[int, Sequence[Fraction]] = {}) -> Part:
    """Return the subgame at *root*. Each node in *ends* becomes a terminal node with the given payoffs.

    These payoffs include the node's own outcome.
    """
    inside = np.zeros(len(tree), dtype=bool)
    inside[root : root + tree.sizes[root]] = True
    for node in ends:
        inside[node + 1 : node + tree.sizes[node]] = False
    stay = np.flatnonzero(inside)
    place = np.full(len(tree), NONE, dtype=np.int32)
    place[stay] = np.arange(len(stay))
    parent, action = place[tree.parent[stay]], tree.action[stay].copy()
    parent[0] = action[0] = NONE
    infoset, outcome, outcomes = tree.infoset[stay].copy(), tree.outcome[stay].copy(), list(tree.outcomes)
    for node, payoffs in ends.items():
        infoset[place[node]], outcome[place[node]] = NONE, len(outcomes)
        outcomes.append(Outcome(len(outcomes) + 1, "", tuple(payoffs)))
    used = np.unique(infoset[infoset != NONE])
    infoset[infoset != NONE] = np.searchsorted(used, infoset[infoset != NONE])
    sets = tuple(tree.infosets[k] for k in used)
    cut = GameTree(tree.title, tree.players, parent, action, infoset, outcome, sets, tuple(outcomes))
    return Part(cut, tuple(used.tolist()))


def inner(tree: GameTree) -> dict[int, list[int]]:
    """Return the largest proper subgames inside each subgame, by first node; the innermost subgames come first."""
    roots = subgames(tree)
    below: dict[int, list[int]] = {root: [] for root in reversed(roots)}
    stack: list[int] = []
    for root in roots:
        while stack and root >= stack[-1] + tree.sizes[stack[-1]]:
            stack.pop()
        if stack:
            below[stack[-1]].append(root)
        stack.append(root)
    return below
