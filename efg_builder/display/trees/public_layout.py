"""Where the tables of public histories stand: from left to right by moves, each amid those that follow it.

Each level of a panel is one column, as wide as its widest table. Tables of one level never overlap, and subtrees
stand as close to each other as that allows: a short one may reach below a long one's ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from .panels import GAP, MOST, Block, fit, is_tall, lowest
from .public_table import HEAD, Table
from .style import RADIUS

_BETWEEN = 16.0
"""From a table to the next one below it."""

_FAN = (24.0, 80.0)
"""The least and greatest width in which edges spread."""

_LEAST = 480.0
"""A picture of this width and less is not broken: it is small."""


@dataclass(frozen=True)
class Place:
    """Where a table stands: its left side and the height of its first line's middle, where edges come and go.

    ``bend`` is where its edges begin to spread and ``label`` where the names of the moves that lead to it begin.
    """

    x: float
    y: float
    bend: float
    label: float


@dataclass(frozen=True)
class PublicLayout:
    """``places`` of the tables; ``panel[i]`` is which panel table i is in; ``starts`` are the start's places, one for
    each panel: its table is in the first, and in each other one it is a mark in the middle of that place."""

    places: tuple[Place, ...]
    panel: tuple[int, ...]
    starts: tuple[Place, ...]
    width: float
    height: float


def place_tables(tables: Sequence[Table], labels: Sequence[float], width: float) -> PublicLayout:
    """Places for *tables*, in prefix order; *labels* is the room that the name of the move to each needs.

    *width* is what the picture has at least. A tall picture is broken into panels: of all ways, the best for a slide.
    """
    children: list[list[int]] = [[] for _ in tables]
    for index, table in enumerate(tables):
        if index:
            children[table.turn.above].append(index)
    trees = [_subtree(child, children) for child in children[0]]
    whole = _panels(tables, labels, [trees])
    if not is_tall(max(whole.width, width, _LEAST), whole.height):
        return whole
    blocks = [
        Block(
            range(k, k + 1),
            min(whole.places[i].y for i in tree),
            max(_bottom(tables[i], whole.places[i].y) for i in tree),
        )
        for k, tree in enumerate(trees)
    ]
    ways = [whole]
    for count in range(2, min(MOST, len(blocks)) + 1):
        groups = lowest(blocks, count)
        if len(groups) == count:
            ways.append(_panels(tables, labels, [[trees[b.nodes[0]] for b in group] for group in groups]))
    return min(ways, key=lambda layout: fit(max(layout.width, width), layout.height))


def _subtree(root: int, children: Sequence[Sequence[int]]) -> list[int]:
    """In prefix order."""
    found, stack = [], [root]
    while stack:
        index = stack.pop()
        found.append(index)
        stack += reversed(children[index])
    return found


def _bottom(table: Table, y: float) -> float:
    return y - HEAD / 2 + table.height


def _panels(
    tables: Sequence[Table], labels: Sequence[float], groups: Sequence[Sequence[Sequence[int]]]
) -> PublicLayout:
    """The layout with these *groups* of the start's subtrees next to each other."""
    places: dict[int, Place] = {}
    panel = [0] * len(tables)
    starts: list[Place] = []
    shift = height = 0.0
    for number, trees in enumerate(groups):
        shown = [0, *(index for tree in trees for index in tree)]
        found, right, bottom = _panel(tables, labels, shown, shift, number == 0)
        starts.append(found[0])
        places |= {index: found[index] for index in shown if index or number == 0}
        for index in shown[1:]:
            panel[index] = number
        shift, height = right + GAP, max(height, bottom)
    return PublicLayout(tuple(places[k] for k in range(len(tables))), tuple(panel), tuple(starts), shift - GAP, height)


def _panel(
    tables: Sequence[Table], labels: Sequence[float], shown: Sequence[int], left: float, first: bool
) -> tuple[dict[int, Place], float, float]:
    """The places of the tables *shown*, the start first, from *left* on; and the panel's right and bottom ends."""
    size = {index: (tables[index].width, tables[index].height) for index in shown}
    if not first:
        size[0] = (RADIUS, HEAD)
    level = {0: 0}
    children: dict[int, list[int]] = {index: [] for index in shown}
    for index in shown[1:]:
        above = tables[index].turn.above
        level[index] = level[above] + 1
        children[above].append(index)
    heights = _heights(shown, children, level, {index: tall for index, (_, tall) in size.items()})
    columns = _columns(shown, children, level, {index: wide for index, (wide, _) in size.items()}, labels, heights)
    places = {
        index: Place(
            left + columns.x[level[index]],
            heights[index],
            left + columns.bend[level[index]],
            left + columns.label[level[index]],
        )
        for index in shown
    }
    bottom = max(heights[index] - HEAD / 2 + size[index][1] for index in shown)
    return places, max(places[index].x + size[index][0] for index in shown), bottom


def _heights(
    shown: Sequence[int], children: dict[int, list[int]], level: dict[int, int], tall: dict[int, float]
) -> dict[int, float]:
    """The middle of each table's first line, from the top: that of the table amid those of its first and last child.

    From the ends to the start, each subtree knows how far it reaches up and down at each level, and the next one
    is put as close below as those of all levels allow (Reingold and Tilford 1981, for tables of any height).
    """
    offset: dict[int, float] = {}
    reach: dict[int, dict[int, tuple[float, float]]] = {}
    for index in reversed(shown):
        taken: dict[int, tuple[float, float]] = {}
        for child in children[index]:
            mine = reach.pop(child)
            down = max((taken[k][1] + _BETWEEN - top for k, (top, _) in mine.items() if k in taken), default=0.0)
            offset[child] = down
            for k, (top, bottom) in mine.items():
                taken[k] = (taken[k][0] if k in taken else top + down, bottom + down)
        middle = (offset[children[index][0]] + offset[children[index][-1]]) / 2 if children[index] else 0.0
        for child in children[index]:
            offset[child] -= middle
        own = {level[index]: (-HEAD / 2, tall[index] - HEAD / 2)}
        reach[index] = own | {k: (top - middle, bottom - middle) for k, (top, bottom) in taken.items()}
    y = {0: -min(top for top, _ in reach[0].values())}
    for index in shown:
        for child in children[index]:
            y[child] = y[index] + offset[child]
    return y


@dataclass(frozen=True)
class _Columns:
    """By level: where tables begin, where edges to the next level begin to spread, where names of moves begin."""

    x: tuple[float, ...]
    bend: tuple[float, ...]
    label: tuple[float, ...]


def _columns(
    shown: Sequence[int],
    children: dict[int, list[int]],
    level: dict[int, int],
    wide: dict[int, float],
    labels: Sequence[float],
    y: dict[int, float],
) -> _Columns:
    count = 1 + max(level.values())
    widths, names, drops = [0.0] * count, [0.0] * count, [0.0] * count
    for index in shown:
        widths[level[index]] = max(widths[level[index]], wide[index])
        names[level[index]] = max(names[level[index]], labels[index] if index else 0.0)
        drops[level[index]] = max([drops[level[index]], *(abs(y[child] - y[index]) for child in children[index])])
    fans = [min(max(_FAN[0], drop / 6), _FAN[1]) for drop in drops]
    # A badge stands half out of its table, to the left.
    rooms = [RADIUS, *(fan + name + RADIUS for fan, name in zip(fans, names[1:], strict=False))]
    x = tuple(accumulate((width + room for width, room in zip(widths, rooms[1:], strict=False)), initial=rooms[0]))
    bend = tuple(left + width for left, width in zip(x, widths, strict=True))
    return _Columns(x, bend, tuple(left - RADIUS - name for left, name in zip(x, names, strict=True)))
