"""Whether a profile is a logit quantal response equilibrium, by the definition alone, in floats.

R. D. McKelvey and T. R. Palfrey, "Quantal response equilibria for extensive form games", Experimental Economics 1
(1998): each information set is an agent who takes an action with a probability in proportion to
``exp(lambda * payoff)``, the payoff that the agent expects of it once play is there.
"""

from __future__ import annotations

import numpy as np

from ..base.rationals import Number
from ..strategies.tree_profile import TreeProfile
from .reach import action_payoffs, beliefs


def logit_residual(profile: TreeProfile, precision: float) -> float:
    """The distance of *profile* from its logit response at ``lambda = precision`` (per unit of payoff).

    The greatest difference between a probability and the logit response to the whole profile, over the sets that
    play reaches: 0 for an equilibrium, at most 1.
    """
    tree, rows, worst = profile.tree, [[float(p) for p in row] for row in profile.probabilities], 0.0
    reach: list[Number] = [1.0]
    for above, action in zip(tree.parent[1:].tolist(), tree.action[1:].tolist(), strict=True):
        reach.append(reach[above] * rows[tree.infoset[above]][action])  # a solver's noise counts: it is judged here
    believed = {node: p for node, p in enumerate(beliefs(tree, reach)) if p is not None and tree.player[node] >= 0}
    for k, payoffs in action_payoffs(tree, rows, believed).items():
        expected = precision * np.array(payoffs, dtype=np.float64)
        weights = np.exp(expected - expected.max())
        worst = max(worst, float(np.abs(weights / weights.sum() - rows[k]).max()))
    return worst
