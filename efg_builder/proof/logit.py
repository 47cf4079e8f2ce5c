"""Whether a profile is a logit quantal response equilibrium, by the definition alone, in floats.

R. D. McKelvey and T. R. Palfrey, "Quantal response equilibria for extensive form games", Experimental Economics 1
(1998): each information set is an agent who takes an action with a probability in proportion to
``exp(lambda * payoff)``, the payoff that the agent expects of it once play is there.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ..forms.extensive import CHANCE, NONE, first_moves
from ..strategies.tree_profile import TreeProfile

Floats = npt.NDArray[np.float64]


def logit_residual(profile: TreeProfile, precision: float) -> float:
    """The distance of *profile* from its logit response at ``lambda = precision`` (per unit of payoff).

    The greatest difference between a probability and the logit response to the whole profile, over the sets that
    play reaches: 0 for an equilibrium, at most 1.
    """
    tree = profile.tree
    rows = [np.array([float(p) for p in row]) for row in profile.probabilities]
    payoffs, reach = _action_payoffs(profile, rows)
    starts, worst = first_moves(tree), 0.0
    for k, infoset in enumerate(tree.infosets):
        if infoset.player == CHANCE or not reach[k] > 0:
            continue
        expected = precision * payoffs[starts[k] : starts[k + 1]] / reach[k]
        weights = np.exp(expected - expected.max())
        worst = max(worst, float(np.abs(weights / weights.sum() - rows[k]).max()))
    return worst


def _action_payoffs(profile: TreeProfile, rows: list[Floats]) -> tuple[Floats, Floats]:
    """For each move (numbered through the tree) what its owner expects of it, times its set's reach; and the reach."""
    tree, starts = profile.tree, first_moves(profile.tree)
    played = np.concatenate([*rows, np.zeros(1)])
    below = np.array([[float(u) for u in row] for row in tree.payoffs])[tree.outcome]
    reach = np.ones(len(tree))
    for nodes in tree.levels[1:]:
        above = tree.parent[nodes]
        reach[nodes] = reach[above] * played[starts[tree.infoset[above]] + tree.action[nodes]]
    sets = np.zeros(len(tree.infosets))
    inner = np.flatnonzero(tree.infoset != NONE)
    np.add.at(sets, tree.infoset[inner], reach[inner])
    moves = np.zeros(int(starts[-1]))
    for nodes in reversed(tree.levels[1:]):
        above = tree.parent[nodes]
        which = starts[tree.infoset[above]] + tree.action[nodes]
        own = tree.player[above] >= 0
        owner = tree.player[above[own]]
        np.add.at(moves, which[own], reach[above[own]] * below[nodes[own], owner])
        np.add.at(below, above, played[which][:, None] * below[nodes])
    return moves, sets
