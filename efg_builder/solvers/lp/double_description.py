"""The double description method: the rays of a cone that is cut by one constraint after another, in exact integers.

Sources: T. S. Motzkin et al., "The double description method", 1953; K. Fukuda and A. Prodon, "Double description
method revisited", 1996.
"""

from __future__ import annotations

from math import gcd

import numpy as np
import numpy.typing as npt

from ..driver import STEP, Iterates

Objects = npt.NDArray[np.object_]
"""Arrays of Python integers."""

Tight = npt.NDArray[np.float32]
"""Entries are 1 if the constraint holds with equality at the ray; shape (rays, constraints)."""


class TooManyError(Exception):
    """There are too many dimensions or rays, or the time limit has passed."""


def cut(
    rays: Objects, tight: Tight, heights: Objects, dimension: int, most: int | None = None
) -> Iterates[tuple[Objects, Tight]]:
    """Return the rays of a cone after a new constraint, and all constraints that are tight at each ray.

    *heights*: the value of the new constraint at each old ray, negative if the ray violates the constraint.
    *dimension*: the cone's dimension. Raises ``TooManyError`` if there are more than *most* rays.
    """
    kept, above = np.flatnonzero(heights >= 0), np.flatnonzero(heights > 0)
    made, marks = [], []
    for low in np.flatnonzero(heights < 0).tolist():
        yield STEP
        for high in above[tight[above] @ tight[low] >= dimension - 2].tolist():
            yield STEP
            mark = tight[low] * tight[high]
            # Two rays are neighbors if their common tight constraints are not all tight at a third ray.
            if np.count_nonzero(tight @ mark == mark.sum()) == 2:
                ray = heights[high] * rays[low] - heights[low] * rays[high]
                made.append(ray // gcd(*ray))
                marks.append(mark)
                if most is not None and len(kept) + len(made) > most:
                    raise TooManyError(f"the double description method needs more than {most:,} rays")
    found = np.concatenate([rays[kept], np.array(made, dtype=object).reshape(-1, rays.shape[1])])
    old = np.concatenate([tight[kept], np.array(marks, dtype=np.float32).reshape(-1, tight.shape[1])])
    new = np.concatenate([heights[kept] == 0, np.ones(len(made), dtype=bool)])
    return found, np.column_stack([old, new.astype(np.float32)])
