"""What a profile does to a tree: how likely each node is, what it is worth, what is believed there."""

from __future__ import annotations

from fractions import Fraction

from ..profile import Profile
from ..rationals import Number
from ..tree import NONE, GameTree
from ..tree.checks import scaled_payoffs


def reaches(tree: GameTree, profile: Profile) -> list[Number]:
    """The probability of each node; exact where the profile is."""
    reach: list[Number] = [Fraction(1)]
    rows = profile.probabilities
    parents, actions, infosets = tree.parent.tolist(), tree.action.tolist(), tree.infoset.tolist()
    for node in range(1, len(tree)):
        above = parents[node]
        reach.append(reach[above] * rows[infosets[above]][actions[node]])
    return reach


def expected_payoffs(tree: GameTree, profile: Profile) -> list[tuple[Number, ...]]:
    """Each player's expected payoff from each node on, what was paid on the way there included.

    Nodes that are never reached are worth what the profile would do from there.
    """
    paid, scale = scaled_payoffs(tree)
    parents, actions, infosets = tree.parent.tolist(), tree.action.tolist(), tree.infoset.tolist()
    players = range(len(tree.players))
    values: list[list[Number]] = [[Fraction(0) for _ in players] for _ in parents]
    for node in range(len(parents) - 1, -1, -1):
        mine = values[node]
        if infosets[node] == NONE:
            for player in players:
                mine[player] = Fraction(int(paid[node][player]), scale)
        if node:
            above = parents[node]
            weight = profile.probabilities[infosets[above]][actions[node]]
            for player in players:
                values[above][player] += weight * mine[player]
    return [tuple(row) for row in values]


def beliefs(tree: GameTree, reach: list[Number]) -> list[Number | None]:
    """Each node's probability given its information set; None where there is none, or it is never reached."""
    infosets = tree.infoset.tolist()
    totals: list[Number] = [Fraction(0)] * len(tree.infosets)
    for node, k in enumerate(infosets):
        if k != NONE:
            totals[k] += reach[node]
    return [reach[node] / totals[k] if k != NONE and totals[k] > 0 else None for node, k in enumerate(infosets)]
