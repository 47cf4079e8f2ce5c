"""Places for words beside lines: each word takes the first of its places that covers no line, band, node or word.

Straight branches leave no fixed room for their labels. So each label is tried at several points of its branch, on both
sides; its box touches the branch at a small distance, whatever the slope.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from .scene import Point

Floats = npt.NDArray[np.float64]
Rectangle = tuple[float, float, float, float]  # left, top, right, bottom

Line = tuple[Sequence[Point], float]  # its points and its width

_NOTHING = 1e-9  # stands for a length of 0, by which nothing can be divided


@dataclass
class Obstacles:
    """The lines, with half their widths, and the rectangles that words must not cover."""

    starts: Floats  # [segment, axis]
    ends: Floats  # [segment, axis]
    halves: Floats  # half the width of each segment
    kinds: tuple[int, int]  # how many segments are lines, and how many lines or rims of bands; the rest are bands
    rectangles: Floats  # left, top, right, bottom of each
    count: int  # the rectangles so far: the rest of the array is room for more

    @classmethod
    def of(cls, lines: Iterable[Line], bands: Iterable[Line]) -> Obstacles:
        """The obstacles of some lines and bands."""
        parts, soft = (
            [(a, b, width / 2) for points, width in each for a, b in pairwise(points)] for each in (lines, bands)
        )
        rims = [side for a, b, half in soft for side in _sides(a, b, half)]
        kinds = (len(parts), len(parts) + len(rims))
        parts += rims + soft
        starts, ends = (np.array([part[k] for part in parts], dtype=float).reshape(-1, 2) for k in (0, 1))
        return cls(starts, ends, np.array([part[2] for part in parts], dtype=float), kinds, np.empty((64, 4)), 0)

    def add(self, rectangle: Rectangle) -> None:
        """One more rectangle."""
        if self.count == len(self.rectangles):
            self.rectangles = np.concatenate([self.rectangles, np.empty_like(self.rectangles)])
        self.rectangles[self.count] = rectangle
        self.count += 1

    def covered(self, rectangle: Rectangle, near: float = 1.0, bands: int = 2) -> bool:
        """Whether a rectangle meets anything, or comes as near as *near* to it, in pixels.

        *bands*: 2 for those too, 1 for their rims alone, 0 for neither.
        """
        low, high = np.array(rectangle[:2]) - near, np.array(rectangle[2:]) + near
        known = self.rectangles[: self.count]
        if ((known[:, :2] < high) & (known[:, 2:] > low)).all(axis=1).any():
            return True
        first = slice((*self.kinds, None)[bands])
        halves = self.halves[first, None]
        return bool(_met(self.starts[first], self.ends[first], low - halves, high + halves).any())


def _sides(a: Point, b: Point, half: float) -> list[tuple[Point, Point, float]]:
    """The two rims of a band, as lines of a pixel."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = max((dx * dx + dy * dy) ** 0.5, _NOTHING)
    x, y = -dy / length * half, dx / length * half
    return [((a[0] + k * x, a[1] + k * y), (b[0] + k * x, b[1] + k * y), 0.5) for k in (1, -1)]


def _met(starts: Floats, ends: Floats, low: Floats, high: Floats) -> npt.NDArray[np.bool_]:
    """Whether each segment meets its rectangle, from *low* to *high* on both axes: it does between two shares of it."""
    way = ends - starts
    way[way == 0] = _NOTHING
    one, other = (low - starts) / way, (high - starts) / way
    first, last = np.minimum(one, other).max(axis=1), np.maximum(one, other).min(axis=1)
    return np.asarray(np.maximum(first, 0) <= np.minimum(last, 1))


def beside(start: Point, end: Point, share: float, size: tuple[float, float], side: float, away: float) -> Rectangle:
    """The rectangle of this *size* beside the point at a *share* of a segment, at the distance *away* from it.

    *side* is 1 for the left, seen along the segment on a page where y grows downwards, and -1 for the right.
    """
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = max((dx * dx + dy * dy) ** 0.5, _NOTHING)
    across, up = side * dy / length, -side * dx / length
    middle = away + (abs(across) * size[0] + abs(up) * size[1]) / 2
    x, y = start[0] + share * dx + across * middle, start[1] + share * dy + up * middle
    return (x - size[0] / 2, y - size[1] / 2, x + size[0] / 2, y + size[1] / 2)


def crossings(starts: Floats, ends: Floats, sources: Sequence[int], nodes: Sequence[int]) -> bool:
    """Whether two segments that share no node cross. *sources* and *nodes* are the indices of their ends' nodes."""
    a, way = starts[:, None], (ends - starts)[:, None]
    sides = [_cross(way, points[None] - a) for points in (starts, ends)]
    apart = sides[0] * sides[1] < 0  # by segment: the ends of the other on its two sides
    of, to = np.array(sources), np.array(nodes)
    shared = (of[:, None] == of) | (of[:, None] == to) | (to[:, None] == of)
    return bool((apart & apart.T & ~shared).any())


def _cross(one: Floats, other: Floats) -> Floats:
    return np.asarray(one[..., 0] * other[..., 1] - one[..., 1] * other[..., 0])


def too_near(starts: Floats, ends: Floats, ends_of: Iterable[tuple[int, int]], at: Floats, near: Floats) -> bool:
    """Whether a segment passes a node of which it is no end, nearer than *near* of that node."""
    way = ends - starts
    share = ((at[None] - starts[:, None]) * way[:, None]).sum(axis=2) / np.maximum((way**2).sum(axis=1), _NOTHING)[
        :, None
    ]
    foot = starts[:, None] + np.clip(share, 0, 1)[..., None] * way[:, None]
    close = np.hypot(*np.moveaxis(at[None] - foot, 2, 0)) < near
    for segment, (source, node) in enumerate(ends_of):
        close[segment, [source, node]] = False
    return bool(close.any())
