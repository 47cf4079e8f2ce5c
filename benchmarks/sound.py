"""Check that a tree's arrays are consistent, for the tests and for ``catalogue.py``."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from efg_builder.base.rationals import text
from efg_builder.forms.extensive import CHANCE, NONE, GameTree


def problems(tree: GameTree) -> list[str]:
    """Return the inconsistencies of a tree's arrays, as sentences."""
    found = []
    n = len(tree)
    if n == 0 or tree.parent[0] != NONE or (n > 1 and (tree.parent[1:] < 0).any()):
        return ["there must be exactly one root, at node 0"]
    if (tree.parent[1:] >= np.arange(1, n)).any():
        return ["a node precedes its parent"]
    widths = np.array([len(i.actions) for i in tree.infosets] + [0])
    children = np.bincount(tree.parent[1:], minlength=n)
    if (children != widths[tree.infoset]).any():
        found.append("a node has more or fewer children than its information set has actions")
    by_parent = 1 + np.argsort(tree.parent[1:], kind="stable")
    above = tree.parent[by_parent]
    position = np.arange(n - 1) - (np.cumsum(children) - children)[above]
    if (tree.action[by_parent] != position).any():
        found.append("the children of a node are not in the order of its actions")
    # The first child follows its parent; each other child follows the subtree of the child before it.
    ends = by_parent + tree.sizes[by_parent]
    if (by_parent != np.where(position == 0, above + 1, np.roll(ends, 1))).any():
        found.append("the nodes are not in prefix order")
    for infoset in tree.infosets:
        if (infoset.player == CHANCE) != (infoset.probabilities is not None):
            found.append(f"{infoset.label!r}: exactly the chance events must have probabilities")
        elif infoset.probabilities is not None:
            if len(infoset.probabilities) != len(infoset.actions) or min(infoset.probabilities) < 0:
                found.append(f"{infoset.label!r}: a negative or missing probability")
            elif (total := sum(infoset.probabilities, Fraction(0))) != 1:
                found.append(f"{infoset.label!r}: the probabilities sum to {text(total)}, not 1")
    if any(len(o.payoffs) != len(tree.players) for o in tree.outcomes):
        found.append("an outcome does not have one payoff for each player")
    return found
