"""Positions for labels beside branches. A label must not cover a line, a band, a node or another label."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf

import numpy as np
import numpy.typing as npt

from .scene import Floats, Point

Truths = npt.NDArray[np.bool_]
Rectangle = tuple[float, float, float, float]  # left, top, right, bottom
Boxes = Sequence[Rectangle]

Line = tuple[Sequence[Point] | Floats, float]  # points and width

_NOTHING = 1e-9  # replaces zeros in denominators
_ROUNDING = 1.0  # a segment farther from all boxes than this distance, in pixels, cannot meet one by rounding


@dataclass
class Obstacles:
    """The lines (with half their widths) and the rectangles that labels must not cover."""

    starts: Floats  # [segment, axis]
    ends: Floats  # [segment, axis]
    halves: Floats  # half the width of each segment
    softness: npt.NDArray[np.int_]  # for each segment: 0 for a line, 1 for the rim of a band, 2 for a band
    rectangles: Floats  # [rectangle, left/top/right/bottom]
    count: int  # the number of rectangles in use

    @classmethod
    def of(cls, lines: Iterable[Line], bands: Iterable[Line]) -> Obstacles:
        """Return the obstacles for lines and bands."""
        parts, soft = (
            [(a, b, width / 2) for points, width in each for a, b in pairwise(points)] for each in (lines, bands)
        )
        rims = [side for a, b, half in soft for side in _sides(a, b, half)]
        softness = np.repeat([0, 1, 2], [len(parts), len(rims), len(soft)])
        parts += rims + soft
        starts, ends = (np.array([part[k] for part in parts], dtype=float).reshape(-1, 2) for k in (0, 1))
        return cls(starts, ends, np.array([part[2] for part in parts], dtype=float), softness, np.empty((64, 4)), 0)

    def add(self, rectangle: Rectangle) -> None:
        if self.count == len(self.rectangles):
            self.rectangles = np.concatenate([self.rectangles, np.empty_like(self.rectangles)])
        self.rectangles[self.count] = rectangle
        self.count += 1

    def covered(self, boxes: Boxes, near: float = 1.0, bands: Sequence[int] | None = None) -> Truths:
        """Return, for each of *boxes*, whether it is within *near* pixels of an obstacle.

        *bands* has an entry for each box. If it is 2 (the default), the obstacles include bands and their rims; if 1,
        only the rims; if 0, neither.
        """
        found = self.overlapped(boxes, near)
        if not len(boxes) or not len(self.starts):
            return found
        low, high = _grown(boxes, near)
        # Most segments are far from all boxes.
        room = self.halves[:, None] + _ROUNDING
        before = np.maximum(self.starts, self.ends) < low.min(axis=0) - room
        after = np.minimum(self.starts, self.ends) > high.max(axis=0) + room
        close = np.flatnonzero(~(before | after).any(axis=1))
        halves = self.halves[close, None]
        met = _met(self.starts[close], self.ends[close], low[:, None] - halves, high[:, None] + halves)
        if bands is not None:
            met &= self.softness[close] <= np.array(bands)[:, None]
        return np.asarray(found | met.any(axis=1))

    def overlapped(self, boxes: Boxes, near: float = 1.0) -> Truths:
        """Return, for each of *boxes*, whether it is within *near* pixels of a rectangle."""
        low, high = _grown(boxes, near)
        known = self.rectangles[: self.count]
        # Most rectangles are far from all boxes.
        far = (known[:, :2] >= high.max(axis=0, initial=-inf)) | (known[:, 2:] <= low.min(axis=0, initial=inf))
        known = known[~(far[:, 0] | far[:, 1])]
        shared = (known[:, :2] < high[:, None]) & (known[:, 2:] > low[:, None])  # [box, rectangle, axis]
        return np.asarray((shared[..., 0] & shared[..., 1]).any(axis=1))


def _grown(boxes: Boxes, near: float) -> tuple[Floats, Floats]:
    """Return the top left and bottom right corners of *boxes*, moved outward by *near*."""
    corners = np.array(boxes, dtype=float).reshape(-1, 4)
    return corners[:, :2] - near, corners[:, 2:] + near


def _sides(a: Point, b: Point, half: float) -> list[tuple[Point, Point, float]]:
    """Return the rims of a band, as lines one pixel wide."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = max((dx * dx + dy * dy) ** 0.5, _NOTHING)
    x, y = -dy / length * half, dx / length * half
    return [((a[0] + k * x, a[1] + k * y), (b[0] + k * x, b[1] + k * y), 0.5) for k in (1, -1)]


def _met(starts: Floats, ends: Floats, low: Floats, high: Floats) -> Truths:
    """Return, for each box and segment, whether the segment meets the rectangle from *low* to *high*."""
    first, last = _inside(starts, ends, low, high)
    return np.asarray(first <= last)


def _inside(starts: Floats, ends: Floats, low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """Return the shares of each segment's length at which it enters and leaves the rectangle from *low* to *high*.

    If it never enters, the first share is larger than the second.
    """
    way = ends - starts
    way[way == 0] = _NOTHING
    one, other = (low - starts) / way, (high - starts) / way  # [box, segment, axis]
    first, last = np.minimum(one, other).max(axis=-1), np.maximum(one, other).min(axis=-1)
    return np.maximum(first, 0), np.minimum(last, 1)


def within(paths: Floats, box: Rectangle) -> Iterator[tuple[int, tuple[Point, ...]]]:
    """Yield each path that meets *box*: its index, and its part between its first and last point in *box*.

    *paths* have straight segments. [path, point, axis]
    """
    starts, ends = paths[:, :-1], paths[:, 1:]
    first, last = _inside(starts, ends, np.array(box[:2]), np.array(box[2:]))
    met = (first < last) & (starts != ends).any(axis=-1)
    entries, exits = (starts + share[..., None] * (ends - starts) for share in (first, last))
    firsts, lasts = met.argmax(axis=1).tolist(), (met.shape[1] - 1 - met[:, ::-1].argmax(axis=1)).tolist()
    for index in np.flatnonzero(met.any(axis=1)).tolist():
        one, other = firsts[index], lasts[index]
        cut = (entries[index, one], *paths[index, one + 1 : other + 1], exits[index, other])
        yield index, tuple((float(x), float(y)) for x, y in cut)


def distances(starts: Floats, ends: Floats, boxes: Boxes) -> Floats:
    """Return the distance of each of *boxes* from each segment. [box, segment]"""
    low, high = (each[:, None] for each in _grown(boxes, 0.0))
    corners = np.stack([low, np.concatenate([low[..., :1], high[..., 1:]], axis=2), high], axis=2)
    corners = np.concatenate([corners, np.concatenate([high[..., :1], low[..., 1:]], axis=2)[:, :, None]], axis=2)
    way = (ends - starts)[:, None]
    share = ((corners - starts[:, None]) * way).sum(axis=-1) / np.maximum((way**2).sum(axis=-1), _NOTHING)
    foot = starts[:, None] + np.clip(share, 0, 1)[..., None] * way  # [box, segment, corner, axis]
    from_corners = np.hypot(*np.moveaxis(corners - foot, -1, 0)).min(axis=-1)
    outside = (np.hypot(*np.moveaxis(np.maximum(np.maximum(low - p, p - high), 0), -1, 0)) for p in (starts, ends))
    found = np.minimum(from_corners, np.minimum(*outside))
    return np.where(_met(starts, ends, low, high), 0.0, found)


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
