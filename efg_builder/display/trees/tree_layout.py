"""The positions of a tree's nodes and information sets.

*Along* is the direction of play, to the right or down; *across* is the other direction. In the direction of play, each
level has four zones: the labels of its moves, the payoffs of terminal nodes (in downward trees), the lanes of
information sets, and the fan of branches. In the other direction, compact layouts put subtrees as close together as
possible (E. Reingold and J. Tilford, "Tidier drawings of trees", IEEE TSE 7, 1981). In other layouts, each leaf has its
own row. Information sets share a lane if their bands cannot touch.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...forms.extensive import NONE


@dataclass(frozen=True)
class NodeRoom:
    """The distances that a node needs across the direction of play, from its center."""

    before: float  # toward smaller coordinates, at the level of its move's label
    after: float  # toward larger coordinates, at the level of that label
    low: float  # toward smaller coordinates, at the node's level
    high: float  # toward larger coordinates, at the node's level


@dataclass(frozen=True)
class Zones:
    """The lengths of a level's zones along the direction of play."""

    labels: float
    paid: float  # the payoffs of terminal nodes, before the lanes
    before: float  # from the edge of the lanes to the center of the first lane
    after: float  # from the center of the last lane to the edge
    pitch: float  # the distance between two lanes


@dataclass(frozen=True)
class Fans:
    """The length of the fan between two levels, along the direction of play."""

    share: float  # length per unit of the span of the widest branch
    least: float
    most: float
    extra: float = 0.0  # added to the length of every fan
    beyond: Sequence[float] = ()  # for each level, the space after the lanes for terminal nodes


@dataclass(frozen=True)
class TreeLayout:
    """The positions of a tree's nodes, and of its levels' zones."""

    level: tuple[int, ...]  # for each node
    enter: tuple[int, ...]  # for each node, the level of its move's label
    across: tuple[float, ...]  # for each node, the position of its center
    along: tuple[float, ...]  # for each node, the position of its center
    label: tuple[float, ...]  # for each level, the start of its labels
    bend: tuple[float, ...]  # for each level, the start of its branches
    width: float  # the extent across
    height: float  # the extent along


def levels(parent: Sequence[int], sets: Sequence[int]) -> tuple[int, ...]:
    """Return the level of each node: below its parent and, if possible, the same for all nodes of an information set.

    *sets* contains the information set of each node. An information set may have several levels if one of its nodes
    follows another, or if another information set has nodes both before and after its nodes.
    """
    whole = _levels(parent, sets)
    if whole is not None:
        return whole
    level, kept = _depths(parent), set[int]()
    for one in dict.fromkeys(k for k in sets if k != NONE):
        tried = _levels(parent, [k if k in kept or k == one else NONE for k in sets])
        if tried is not None:
            level = tried
            kept.add(one)
    return level


def _depths(parent: Sequence[int]) -> tuple[int, ...]:
    depths = list[int]()
    for above in parent:
        depths.append(0 if above == NONE else depths[above] + 1)
    return tuple(depths)


def _levels(parent: Sequence[int], sets: Sequence[int]) -> tuple[int, ...] | None:
    found, lowest = [0] * len(parent), dict[int, int]()
    changed = True
    while changed:
        changed = False
        for node, above in enumerate(parent):
            k = sets[node]
            least = max(found[above] + 1 if above != NONE else 0, lowest.get(k, 0) if k != NONE else 0)
            if found[node] < least:
                found[node], changed = least, True
            if k != NONE and lowest.get(k, -1) < least:
                lowest[k], changed = least, True
            if least > len(parent):
                return None
    return tuple(found)


def enters(parent: Sequence[int], level: Sequence[int]) -> tuple[int, ...]:
    """Return the level of each node's label, which names the move to the node."""
    return tuple(0 if above == NONE else level[above] + 1 for above in parent)


Contour = tuple[list[float], list[float]]
"""The extents of a subtree on both sides of its root, by level. The first level has the label of the root's move."""


def across(
    parent: Sequence[int],
    level: Sequence[int],
    rooms: Sequence[NodeRoom],
    compact: bool,
    gap: float,
    gaps: Sequence[float],
) -> tuple[tuple[float, ...], float, float]:
    """Return the position of each node across, and the extents of the picture beyond its two outermost nodes.

    If *compact*, subtrees may extend behind terminal nodes. The distance between siblings is *gap* plus the entry of
    *gaps* for their parent's depth.
    """
    children: list[list[int]] = [[] for _ in parent]
    depth = [0] * len(parent)
    for node, above in enumerate(parent):
        if above != NONE:
            children[above].append(node)
            depth[node] = depth[above] + 1
    shift, place = [0.0] * len(parent), [0.0] * len(parent)
    contours: list[Contour] = [([], [])] * len(parent)
    for node in range(len(parent) - 1, -1, -1):
        low, high = _own(rooms[node], level[node], level[parent[node]] + 1 if parent[node] != NONE else level[node])
        if children[node]:
            apart = gap + (gaps[depth[node]] if depth[node] < len(gaps) else 0.0)
            (lows, highs), places = _joined([contours[child] for child in children[node]], compact, apart)
            middle = (places[0] + places[-1]) / 2
            for child, at in zip(children[node], places, strict=True):
                shift[child] = at - middle
            low += [reach - middle for reach in lows]
            high += [reach - middle for reach in highs]
        contours[node] = low, high
    for node, above in enumerate(parent):
        if above != NONE:
            place[node] = place[above] + shift[node]
    first, last = min(place), max(place)
    return tuple(p - first for p in place), first - min(contours[0][0]), max(contours[0][1]) - last


def _own(room: NodeRoom, level: int, enter: int) -> Contour:
    """Return the contour of a node without its subtrees: the label of its move at *enter*, the branch, and the node."""
    if enter == level:
        return [-max(room.before, room.low)], [max(room.after, room.high)]
    line = [2.0] * (level - enter - 1)
    return [-room.before, *(-one for one in line), -room.low], [room.after, *line, room.high]


def _joined(contours: Sequence[Contour], compact: bool, gap: float) -> tuple[Contour, list[float]]:
    """Put subtrees side by side. Return their common contour and the positions of their roots."""
    (lows, highs), places = (list(contours[0][0]), list(contours[0][1])), [0.0]
    for low, high in contours[1:]:
        if compact:
            place = max(right - left for right, left in zip(highs, low, strict=False)) + gap
        else:
            place = max(highs) - min(low) + gap
        places.append(place)
        seen = len(lows)
        lows = [*map(min, lows, (place + one for one in low)), *lows[len(low) :], *(place + one for one in low[seen:])]
        highs = [
            *map(max, highs, (place + one for one in high)),
            *highs[len(high) :],
            *(place + one for one in high[seen:]),
        ]
    return (lows, highs), places


def lanes(
    level: Sequence[int], groups: Sequence[Sequence[int]], place: Sequence[float], pads: Sequence[float]
) -> tuple[list[int], list[int]]:
    """Return the lane of each node (``NONE`` outside the *groups*), and the number of lanes of each level.

    A group consists of an information set's nodes on one level. *pads* are the extents of bands beyond their nodes.
    """
    found = [NONE] * len(level)
    taken: list[list[float]] = [[] for _ in range(max(level) + 1)]
    for members, pad in sorted(
        zip(groups, pads, strict=True), key=lambda one: (min(place[node] for node in one[0]), one[0][0])
    ):
        low, high = min(place[node] for node in members) - pad, max(place[node] for node in members) + pad
        ends = taken[level[members[0]]]
        lane = next((k for k, end in enumerate(ends) if end < low), len(ends))
        if lane == len(ends):
            ends.append(high)
        ends[lane] = high
        for node in members:
            found[node] = lane
    return found, [len(ends) for ends in taken]


def placed(
    parent: Sequence[int],
    level: Sequence[int],
    place: Sequence[float],
    beyond: tuple[float, float],
    lane: Sequence[int],
    counts: Sequence[int],
    zones: Sequence[Zones],
    fans: Fans,
) -> TreeLayout:
    """Return the layout for the positions *place* across; *zones* and *fans* alternate in the direction of play.

    *beyond* is the picture's extent beyond the outermost nodes. Nodes without a *lane* are terminal. Terminal
    nodes are before the lanes if their level has space for payoffs there, otherwise after the lanes.
    """
    drops = [0.0] * len(zones)
    for node, above in enumerate(parent):
        if above != NONE:
            drops[level[above]] = max(drops[level[above]], abs(place[node] - place[above]))
    label, paid, first, bend, end = [], [], [], [], 0.0
    for k, zone in enumerate(zones):
        label.append(end)
        paid.append(end + zone.labels)
        start = paid[k] + zone.paid
        lanes_here = counts[k]
        first.append(start + zone.before)
        bend.append(first[k] + (lanes_here - 1) * zone.pitch + zone.after if lanes_here else start)
        fan = min(max(fans.least, drops[k] * fans.share), fans.most) + fans.extra
        last = k == len(zones) - 1
        end = bend[k] + max(0.0 if last else fan, fans.beyond[k] if fans.beyond else 0.0)
    along = [
        (paid[at] if zones[at].paid else bend[at]) if slot == NONE else first[at] + slot * zones[at].pitch
        for at, slot in zip(level, lane, strict=True)
    ]
    return TreeLayout(
        level=tuple(level),
        enter=enters(parent, level),
        across=tuple(at + beyond[0] for at in place),
        along=tuple(along),
        label=tuple(label),
        bend=tuple(bend),
        width=beyond[0] + max(place) + beyond[1],
        height=end,
    )
