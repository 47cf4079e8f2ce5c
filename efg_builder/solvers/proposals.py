"""Mixed equilibria of games without perfect recall: strategies are proposed, then checked by exact payoffs.

The proposals are the uniform strategies, and the average strategies of regret matching at each information set (M.
Zinkevich, M. Johanson, M. Bowling and C. Piccione, NIPS 20, 2007), rounded to fractions with small denominators.
Without perfect recall, these averages need not converge, so an equilibrium may be missed. No path may contain an
information set twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from ..base.rationals import exact_row
from ..forms.extensive import CHANCE, TERMINAL, GameTree, first_moves, payoffs_in_all
from ..forms.plans import Plans
from ..strategies.tree_profile import TreeProfile
from .driver import STEP, Iterate, Iterates

ITERATIONS = 2_000
"""The number of iterations of regret matching; on 100 nodes, they take about a second."""

DENOMINATORS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 20, 24, 30, 60, 100, 1_000, 100_000)
"""The denominators to which average strategies are rounded, in turn."""

SEARCHED = "the uniform strategies, and roundings of the average strategies of regret matching"

Floats = npt.NDArray[np.float64]


def propose(tree: GameTree, plans: Sequence[Plans]) -> Iterates[tuple[Fraction, TreeProfile]]:
    """Return the first proposal without a gain or, if there is none, the one with the smallest gain.

    *plans*: the reduced pure strategies of all players. The gain is the largest gain of a pure strategy of any player.
    """
    first = TreeProfile.uniform(tree)
    best = largest_gain(tree, plans, first), first
    averages = None
    for denominator in DENOMINATORS:
        yield STEP
        if not best[0]:
            break
        averages = averages or (yield from average_strategies(tree))
        rows = {k: exact_row(averages[k], denominator) for k in tree.personal}
        profile = TreeProfile.from_personal(tree, rows)
        best = min(best, (largest_gain(tree, plans, profile), profile), key=lambda pair: pair[0])
    return best


def largest_gain(tree: GameTree, plans: Sequence[Plans], profile: TreeProfile) -> Fraction:
    """Return the largest gain of a pure strategy of any player against *profile*."""
    ends = np.flatnonzero(tree.player == TERMINAL).tolist()
    paid = [payoffs_in_all(tree)(end) for end in ends]
    reached = node_reach(tree, profile)
    gains = [Fraction(0)]
    for player, side in enumerate(plans):
        others, by_path = node_reach(tree, profile, player), [Fraction(0)] * len(side.paths)
        for end, path, payoffs in zip(ends, side.ends.tolist(), paid, strict=True):
            by_path[path] += others[end] * payoffs[player]
        worth = side.allowed().astype(object) @ np.array(by_path, dtype=object)
        expected = sum((reached[end] * row[player] for end, row in zip(ends, paid, strict=True)), Fraction(0))
        gains.append(max(worth) - expected)
    return max(gains)


def node_reach(tree: GameTree, profile: TreeProfile, without: int | None = None) -> list[Fraction]:
    """Return each node's reach probability, as if the player *without* (from 0) always moved to the node."""
    reach = [Fraction(1)] * len(tree)
    parents, actions, sets = tree.parent.tolist(), tree.action.tolist(), tree.infoset.tolist()
    for node in range(1, len(tree)):
        k = sets[parents[node]]
        p = 1 if tree.infosets[k].player == without else Fraction(profile.probabilities[k][actions[node]])
        reach[node] = reach[parents[node]] * p
    return reach


def average_strategies(tree: GameTree) -> Iterates[list[list[float]]]:
    """Return the average strategies of regret matching plus, by information set."""
    starts = first_moves(tree)
    owner = np.repeat(np.arange(len(tree.infosets)), np.diff(starts))
    move = np.zeros(len(tree), dtype=np.intp)
    move[1:] = starts[tree.infoset[tree.parent[1:]]] + tree.action[1:]
    chances = np.array([float(p) for infoset in tree.infosets for p in infoset.chances or (0,) * len(infoset.actions)])
    drawn = np.array([infoset.player == CHANCE for infoset in tree.infosets])[owner]
    paid = payoffs_in_all(tree)
    ends = np.flatnonzero(tree.player == TERMINAL)
    worth = np.zeros((len(tree), len(tree.players)))
    worth[ends] = [[float(payoff) for payoff in paid(end)] for end in ends.tolist()]
    regrets, totals = np.zeros(len(owner)), np.zeros(len(owner))
    for iteration in range(1, ITERATIONS + 1):
        yield Iterate(f"regret matching: {iteration:,} of {ITERATIONS:,} iterations")
        sums = np.bincount(owner, regrets, minlength=len(tree.infosets))[owner]
        widths = np.diff(starts)[owner]
        row = np.where(drawn, chances, np.where(sums > 0, regrets / np.where(sums > 0, sums, 1), 1 / widths))
        gained, weights = _gained(tree, row, move, worth)
        regrets = np.where(drawn, 0, np.maximum(regrets + gained, 0))
        totals += iteration * row * weights[owner]
    return [totals[a:b].tolist() for a, b in pairwise(starts.tolist())]


def _gained(tree: GameTree, row: Floats, move: npt.NDArray[np.intp], paid: Floats) -> tuple[Floats, Floats]:
    """Return the gain of each move over the strategy, weighted by the others' reach, and each set's own reach."""
    count = len(tree.players)
    own: Floats = np.ones((len(tree), count))
    worth = paid.copy()
    chance = np.ones(len(tree))
    for nodes in tree.levels[1:]:
        above, p = tree.parent[nodes], row[move[nodes]]
        own[nodes], chance[nodes] = own[above], chance[above]
        movers = tree.player[above]
        moved = movers >= 0
        own[nodes[moved], movers[moved]] *= p[moved]
        chance[nodes[~moved]] *= p[~moved]
    for nodes in reversed(tree.levels[1:]):
        np.add.at(worth, tree.parent[nodes], row[move[nodes]][:, None] * worth[nodes])
    moves = np.flatnonzero(tree.player[tree.parent[1:]] >= 0) + 1
    above = tree.parent[moves]
    mover = tree.player[above]
    rest = own[above]
    rest[np.arange(len(moves)), mover] = 1
    others = chance[above] * rest.prod(axis=1)
    gains = others * (worth[moves, mover] - worth[above, mover])
    gained = np.bincount(move[moves], gains, minlength=len(row)).astype(np.float64)
    decisions = np.flatnonzero(tree.player >= 0)
    weights = np.bincount(tree.infoset[decisions], own[decisions, tree.player[decisions]], minlength=len(tree.infosets))
    return gained, weights.astype(np.float64)
