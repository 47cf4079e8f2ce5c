"""Positions for labels beside branches. A label must not cover a line, a band, a node or another label."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from .scene import Point

Floats = npt.NDArray[np.float64]
Rectangle = tuple[float, float, float, float]  # left, top, right, bottom

Line = tuple[Sequence[Point], float]  # points and width

_NOTHING = 1e-9  # replaces zeros in denominators


@dataclass
class Obstacles:
    """The lines (with half their widths) and the rectangles that labels must not cover."""

    starts: Floats  # [segment, axis]
    ends: Floats  # [segment, axis]
    halves: Floats  # half the width of each segment
    kinds: tuple[int, int]  # the end indices of the lines and of the band rims; the remaining segments are bands
    rectangles: Floats  # [rectangle, left/top/right/bottom]
    count: int  # the number of rectangles in use

    @classmethod
    def of(cls, lines: Iterable[Line], bands: Iterable[Line]) -> Obstacles:
        """Return the obstacles for lines and bands."""
        parts, soft = (
            [(a, b, width / 2) for points, width in each for a, b in pairwise(points)] for each in (lines, bands)
        )
        rims = [side for a, b, half in soft for side in _sides(a, b, half)]
        kinds = (len(parts), len(parts) + len(rims))
        parts += rims + soft
        starts, ends = (np.array([part[k] for part in parts], dtype=float).reshape(-1, 2) for k in (0, 1))
        return cls(starts, ends, np.array([part[2] for part in parts], dtype=float), kinds, np.empty((64, 4)), 0)

    def add(self, rectangle: Rectangle) -> None:
        if self.count == len(self.rectangles):
            self.rectangles = np.concatenate([self.rectangles, np.empty_like(self.rectangles)])
        self.rectangles[self.count] = rectangle
        self.count += 1

    def covered(self, rectangle: Rectangle, near: float = 1.0, bands: int = 2) -> bool:
        """Return whether a rectangle is within *near* pixels of an obstacle.

        If *bands* is 2, the obstacles include bands and their rims; if 1, only the rims; if 0, neither.
        """
        low, high = np.array(rectangle[:2]) - near, np.array(rectangle[2:]) + near
        known = self.rectangles[: self.count]
        if ((known[:, :2] < high) & (known[:, 2:] > low)).all(axis=1).any():
            return True
        first = slice((*self.kinds, None)[bands])
        halves = self.halves[first, None]
        return bool(_met(self.starts[first], self.ends[first], low - halves, high + halves).any())


def _sides(a: Point, b: Point, half: float) -> list[tuple[Point, Point, float]]:
    """Return the rims of a band, as lines one pixel wide."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = max((dx * dx + dy * dy) ** 0.5, _NOTHING)
    x, y = -dy / length * half, dx / length * half
    return [((a[0] + k * x, a[1] + k * y), (b[0] + k * x, b[1] + k * y), 0.5) for k in (1, -1)]


def _met(starts: Floats, ends: Floats, low: Floats, high: Floats) -> npt.NDArray[np.bool_]:
    """Return, for each segment, whether it meets its rectangle from *low* to *high*."""
    way = ends - starts
    way[way == 0] = _NOTHING
    one, other = (low - starts) / way, (high - starts) / way
    first, last = np.minimum(one, other).max(axis=1), np.maximum(one, other).min(axis=1)
    return np.asarray(np.maximum(first, 0) <= np.minimum(last, 1))


def beside(start: Point, end: Point, share: float, size: tuple[float, float], side: float, away: float) -> Rectangle:
    """Return a rectangle of the given *size*, *away* pixels beside the point at *share* of a segment's length.

    *side* is 1 for the left and -1 for the right, seen along the segment, with y growing downward.
    """
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = max((dx * dx + dy * dy) ** 0.5, _NOTHING)
    across, up = side * dy / length, -side * dx / length
    middle = away + (abs(across) * size[0] + abs(up) * size[1]) / 2
    x, y = start[0] + share * dx + across * middle, start[1] + share * dy + up * middle
    return (x - size[0] / 2, y - size[1] / 2, x + size[0] / 2, y + size[1] / 2)


def crossings(starts: Floats, ends: Floats, sources: Sequence[int], nodes: Sequence[int]) -> bool:
    """Return whether two segments without a common node cross. *sources* and *nodes* are the segments' end nodes."""
    a, way = starts[:, None], (ends - starts)[:, None]
    sides = [_cross(way, points[None] - a) for points in (starts, ends)]
    apart = sides[0] * sides[1] < 0  # [segment, other]: whether the other segment's ends are on opposite sides
    of, to = np.array(sources), np.array(nodes)
    shared = (of[:, None] == of) | (of[:, None] == to) | (to[:, None] == of)
    return bool((apart & apart.T & ~shared).any())


def _cross(one: Floats, other: Floats) -> Floats:
    return np.asarray(one[..., 0] * other[..., 1] - one[..., 1] * other[..., 0])


def too_near(starts: Floats, ends: Floats, ends_of: Iterable[tuple[int, int]], at: Floats, near: Floats) -> bool:
    """Return whether a segment passes closer than *near* to a node that is not one of its ends."""
    way = ends - starts
    share = ((at[None] - starts[:, None]) * way[:, None]).sum(axis=2) / np.maximum((way**2).sum(axis=1), _NOTHING)[
        :, None
    ]
    foot = starts[:, None] + np.clip(share, 0, 1)[..., None] * way[:, None]
    close = np.hypot(*np.moveaxis(at[None] - foot, 2, 0)) < near
    for segment, (source, node) in enumerate(ends_of):
        close[segment, [source, node]] = False
    return bool(close.any())
