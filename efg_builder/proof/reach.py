"""Reach probabilities, expected payoffs and beliefs at every node under a profile."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ..base.rationals import NEGLIGIBLE, Number, is_played
from ..forms.extensive import NONE, GameTree, payoffs_in_all
from ..strategies.tree_profile import TreeProfile


@dataclass(frozen=True, slots=True)
class ReachProduct:
    """The moves that lead to a node: the product of the exact probabilities, and that of the floats.

    They are kept apart because only the floats can be a solver's noise: a deal may be as rare as it likes.
    """

    exact: Fraction = Fraction(1)
    floats: Number = Fraction(1)

    def then(self, p: Number) -> ReachProduct:
        """The way on by a move of this probability."""
        if isinstance(p, Fraction):
            return ReachProduct(self.exact * p, self.floats)
        return ReachProduct(self.exact, settled(self.floats * settled(p)))

    @property
    def likely(self) -> Number:
        """The probability of the way: exact where all of its moves are, and 0 where only noise leads there."""
        return self.exact * self.floats


def settled(p: Number) -> Number:
    """A probability without a float solver's noise: 0 or 1 where a float is as good as that."""
    if isinstance(p, Fraction):
        return p
    if not is_played(p):
        return 0.0
    return p if p < 1 - NEGLIGIBLE else 1.0


def reaches(tree: GameTree, profile: TreeProfile) -> list[Number]:
    """The probability of each node, without noise; exact where the profile is."""
    ways = [ReachProduct()]
    rows = profile.probabilities
    parents, actions, infosets = tree.parent.tolist(), tree.action.tolist(), tree.infoset.tolist()
    for node in range(1, len(tree)):
        above = parents[node]
        ways.append(ways[above].then(rows[infosets[above]][actions[node]]))
    return [way.likely for way in ways]


def expected_payoffs(tree: GameTree, profile: TreeProfile) -> list[tuple[Number, ...]]:
    """Each player's expected payoff from each node on, what was paid on the way there included.

    At a node that is never reached, play goes on from there by the profile.
    """
    paid = payoffs_in_all(tree)
    parents, actions, infosets = tree.parent.tolist(), tree.action.tolist(), tree.infoset.tolist()
    players = range(len(tree.players))
    values: list[list[Number]] = [[Fraction(0) for _ in players] for _ in parents]
    for node in range(len(parents) - 1, -1, -1):
        mine = values[node]
        if infosets[node] == NONE:
            mine[:] = paid(node)
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


def action_payoffs(
    tree: GameTree, rows: Sequence[Sequence[Number]], beliefs: Mapping[int, Number]
) -> dict[int, list[Number]]:
    """What each action at each information set is worth to the mover, play going on by *rows*, without what was paid.

    *beliefs*: the probability of each node within its set, by node. A set of which no node has one is left out.
    """
    parent, action, infoset = tree.parent.tolist(), tree.action.tolist(), tree.infoset.tolist()
    worth: list[list[Number]] = [list(tree.payoffs[outcome]) for outcome in tree.outcome.tolist()]
    found: dict[int, list[Number]] = {}
    for node in reversed(range(1, len(tree))):
        above = parent[node]
        k = infoset[above]
        if (belief := beliefs.get(above)) is not None:
            options = found.setdefault(k, [Fraction(0)] * len(tree.infosets[k].actions))
            if belief:
                options[action[node]] += belief * worth[node][tree.infosets[k].player]
        if p := rows[k][action[node]]:
            worth[above] = [total + p * own for total, own in zip(worth[above], worth[node], strict=True)]
    return found
