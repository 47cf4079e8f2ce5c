"""The curves of branches, and of information sets that span levels."""

from __future__ import annotations

from .scene import Point


def branch(bend: Point, label: Point, end: Point) -> tuple[Point, ...]:
    """From the end of the stem in a slope to the label's room, then level to the node: two cubic Béziers."""
    run, rise = label[0] - bend[0], label[1] - bend[1]
    slope = (
        (bend[0] + run * 0.3, bend[1] + rise * 0.12),
        (bend[0] + run * 0.55, label[1]),
        label,
    )
    flat = end[0] - label[0]
    return (bend, *slope, (label[0] + flat / 3, end[1]), (label[0] + flat * 2 / 3, end[1]), end)


def arc(a: Point, b: Point) -> tuple[Point, ...]:
    """One cubic Bézier that leaves and enters vertically, so that it is not taken for a branch."""
    lift = max(24.0, abs(b[1] - a[1]) / 2)
    down = 1.0 if b[1] >= a[1] else -1.0
    return (a, (a[0], a[1] + down * lift), (b[0], b[1] - down * lift), b)
