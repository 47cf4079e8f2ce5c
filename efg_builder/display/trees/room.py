"""How much of what the table sees has room in a picture: what play reaches most often, up to what can be read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np

from ...base.errors import PictureTooLargeError, PictureTooSmallError
from ...proof.reach import reaches
from ...strategies.tree_profile import TreeProfile
from .options import DrawOptions
from .tree_view import compose_scene

TABLE_NODES = 150
"""Nodes of what the table sees that fit on a page."""


def reach_that_fits(seen: TreeProfile, options: DrawOptions, whole: int = TABLE_NODES) -> Fraction | None:
    """The least of a few round probabilities by which *seen* must be folded to be read; None where all of it can be.

    All of it is drawn up to *whole* nodes, a part up to ``TABLE_NODES``, and both only where letters are large enough
    for what the picture is for. Where nothing is, the greatest: the picture says why it cannot be drawn.
    """

    endless = options.style.purpose in ("auto", "free") and options.style.aspect is None

    def fits(reach: Fraction | None) -> bool:
        if endless:
            return True  # as large as it gets
        try:
            compose_scene(seen.tree, seen, replace(options, reach=reach), hints=False)
        except (PictureTooLargeError, PictureTooSmallError):
            return False
        return True

    if len(seen.tree) <= whole and fits(None):
        return None
    reached = np.array(reaches(seen.tree, seen), dtype=float)
    reach = Fraction(0)
    for reach in _rising((10, 30) if endless else (10, 12, 15, 20, 25, 30, 40, 50, 60, 80)):
        # A hair less than the number itself: a node of just that probability must not count by rounding.
        if (reached > float(reach) * (1 + 1e-9)).sum() <= TABLE_NODES and fits(reach):
            break
    return reach


def _rising(digits: Sequence[int]) -> Iterator[Fraction]:
    """Each of *digits* over ten millions, then over a million, and so on up to hundredths."""
    for zeros in range(7, 1, -1):
        yield from (Fraction(digit, 10**zeros) for digit in digits)
