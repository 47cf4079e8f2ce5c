"""Parents from the numbers of children alone."""

from __future__ import annotations

import numpy as np

from ...forms.extensive.model import NONE, Ints


def parents(widths: Ints) -> tuple[Ints, Ints]:
    """The parent of each node and the action that leads to it, from a whole tree in prefix order.

    ``widths`` has each node's number of children, shape (nodes,); both results are of that shape, -1 at
    the root. Sorting instead of a stack: time does not depend on how deep or wide the tree is.
    """
    n = len(widths)
    # open_[i]: places still to be filled when node i is about to be written. A child takes one place and
    # opens its own, so child k of node j is the first node after j that finds k places fewer than child 0.
    open_ = np.ones(n + 1, dtype=np.int64)
    np.cumsum(widths.astype(np.int64) - 1, out=open_[1:])
    open_[1:] += 1
    keys = open_[:n] * n + np.arange(n)
    order = np.argsort(keys, kind="stable")
    above = np.repeat(np.arange(n), widths)
    first = np.cumsum(widths) - widths
    rank = np.arange(n - 1) - first[above]
    wanted = (open_[above + 1] - rank) * n + above
    children = order[np.searchsorted(keys[order], wanted, side="right")]
    parent, action = np.full(n, NONE, dtype=np.int32), np.full(n, NONE, dtype=np.int32)
    parent[children], action[children] = above, rank
    return parent, action
