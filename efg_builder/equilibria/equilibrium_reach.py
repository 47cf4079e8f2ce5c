"""Where equilibrium play can get to: the information sets that some equilibrium reaches."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ..forms.extensive.checks import first_moves, own_sequences
from .ranges import Ranges


def reached_in_some(found: Ranges) -> frozenset[int]:
    """The information sets, by index in ``found.tree.infosets``, that are reached in some equilibrium.

    Every optimal plan of one player goes with every one of the other, so a node is reached in some equilibrium just
    where each player has an optimal plan that leads there (and chance does).
    """
    tree = found.tree
    starts = first_moves(tree)
    # By move, the greatest weight over all optimal plans; last, so that index -1 finds it, that of no move yet.
    led = np.zeros(int(starts[-1]) + 1, dtype=bool)
    led[-1] = True
    for action in found.actions:
        led[starts[action.infoset] + action.action] = action.high > 0
    open_: npt.NDArray[np.bool_] = np.all(led[own_sequences(tree)], axis=1)
    for node in range(1, len(tree)):
        parent = int(tree.parent[node])
        above = tree.infosets[tree.infoset[parent]]
        closed = above.probabilities is not None and not above.probabilities[tree.action[node]]
        open_[node] = open_[node] and open_[parent] and not closed
    return frozenset(np.unique(tree.infoset[open_ & (tree.player >= 0)]).tolist())
