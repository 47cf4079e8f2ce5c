"""What is checked of a tree, never assumed: perfect recall, constant sum, consistency."""

from __future__ import annotations

from fractions import Fraction
from math import lcm

import numpy as np
import numpy.typing as npt

from ...base.rationals import text
from .model import CHANCE, NONE, TERMINAL, GameTree


def has_perfect_recall(tree: GameTree) -> bool:
    """Whether every player remembers all own moves and what was known at them.

    So: all nodes of an information set have the same last own (information set, action), or none
    (Kuhn 1953). Absent-mindedness (a set met twice on one path) is imperfect recall too.
    """
    last = own_sequences(tree)
    nodes = np.flatnonzero(tree.player >= 0)
    sets, sequences = tree.infoset[nodes], last[nodes, tree.player[nodes]]
    lowest = np.full(len(tree.infosets), np.iinfo(np.int64).max)
    highest = np.full(len(tree.infosets), np.iinfo(np.int64).min)
    np.minimum.at(lowest, sets, sequences)
    np.maximum.at(highest, sets, sequences)
    return bool(np.all(lowest[sets] == highest[sets]))


def own_sequences(tree: GameTree) -> npt.NDArray[np.int64]:
    """Each player's last own move before each node; shape (nodes, players).

    A move is ``first_move(tree)[infoset] + action``; -1 where the player has not moved yet.
    """
    starts = first_moves(tree)
    last = np.full((len(tree), len(tree.players)), NONE, dtype=np.int64)
    for nodes in tree.levels[1:]:
        above = tree.parent[nodes]
        last[nodes] = last[above]
        movers = tree.player[above]
        moved = movers >= 0
        last[nodes[moved], movers[moved]] = starts[tree.infoset[above[moved]]] + tree.action[nodes[moved]]
    return last


def first_moves(tree: GameTree) -> npt.NDArray[np.int64]:
    """Each information set's first action, all actions numbered through; shape (infosets + 1,)."""
    widths = np.array([len(i.actions) for i in tree.infosets], dtype=np.int64)
    return np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(widths)])


def scaled_payoffs(tree: GameTree) -> tuple[npt.NDArray[np.object_], int]:
    """What each node pays in all, with what was paid on the way: integers over one denominator.

    Returns an object array of Python integers, shape (nodes, players), and the denominator.
    """
    scale = lcm(1, *(p.denominator for o in tree.outcomes for p in o.payoffs))
    table = np.array([[int(p * scale) for p in row] for row in tree.payoffs], dtype=object)
    paid = table[tree.outcome]
    if (tree.outcome[tree.player != TERMINAL] != NONE).any():
        for nodes in tree.levels[1:]:
            paid[nodes] += paid[tree.parent[nodes]]
    return paid, scale


def constant_sum(tree: GameTree) -> Fraction | None:
    """The sum of all payoffs at every end of play, or None where it varies. Exact."""
    if tree.outcomes and (tree.outcome[tree.player != TERMINAL] == NONE).all():
        used = np.unique(tree.outcome[tree.player == TERMINAL])
        sums = {sum(tree.payoffs[k], Fraction(0)) for k in used}
        return sums.pop() if len(sums) == 1 else None
    paid, scale = scaled_payoffs(tree)
    totals = set(paid[tree.player == TERMINAL].sum(axis=1))
    return Fraction(totals.pop(), scale) if len(totals) == 1 else None


def payoff_range(tree: GameTree) -> Fraction:
    """The greatest difference between two payoffs of one player; 0 where nothing is at stake."""
    paid, scale = scaled_payoffs(tree)
    ends = paid[tree.player == TERMINAL]
    return Fraction(max(max(column) - min(column) for column in ends.T), scale)


def problems(tree: GameTree) -> list[str]:
    """Everything that makes the arrays inconsistent, in sentences; empty for a sound tree.

    Checks prefix order, that children and actions fit, that probabilities are not negative and sum to 1,
    that payoffs fit the players, and that each information set's nodes have its player's actions.
    """
    found = []
    n = len(tree)
    if n == 0 or tree.parent[0] != NONE or (n > 1 and (tree.parent[1:] < 0).any()):
        return ["there must be exactly one root, at node 0"]
    if (tree.parent[1:] >= np.arange(1, n)).any():
        return ["a node stands before its parent"]
    widths = np.array([len(i.actions) for i in tree.infosets] + [0])
    children = np.bincount(tree.parent[1:], minlength=n)
    if (children != widths[tree.infoset]).any():
        found.append("a node has more or fewer children than its information set has actions")
    by_parent = 1 + np.argsort(tree.parent[1:], kind="stable")
    above = tree.parent[by_parent]
    position = np.arange(n - 1) - (np.cumsum(children) - children)[above]
    if (tree.action[by_parent] != position).any():
        found.append("the children of a node are not in the order of its actions")
    # A first child follows its parent at once, the next one where the subtree before it ends.
    ends = by_parent + tree.sizes[by_parent]
    if (by_parent != np.where(position == 0, above + 1, np.roll(ends, 1))).any():
        found.append("the nodes are not in prefix order")
    for infoset in tree.infosets:
        if (infoset.player == CHANCE) != (infoset.probabilities is not None):
            found.append(f"{infoset.label!r}: chance events, and only they, have probabilities")
        elif infoset.probabilities is not None:
            if len(infoset.probabilities) != len(infoset.actions) or min(infoset.probabilities) < 0:
                found.append(f"{infoset.label!r}: a negative or missing probability")
            elif (total := sum(infoset.probabilities, Fraction(0))) != 1:
                found.append(f"{infoset.label!r}: the probabilities sum to {text(total)}, not 1")
    if any(len(o.payoffs) != len(tree.players) for o in tree.outcomes):
        found.append("an outcome does not have one payoff for each player")
    return found
