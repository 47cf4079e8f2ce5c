"""Where things stand: Gambit's levels, sublevels and offsets, turned into pixels.

From left to right a level is: room for the labels of the moves that lead to it, one slot for every
information-set line, and a fan in which its nodes' branches spread. Branches bend only in fans, labels
stand only in their own room, so lines and labels never meet.

A tall picture that no information-set line holds together is broken into panels side by side (``trees.panels``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from ...forms.extensive import CHANCE, NONE, GameTree
from .fold import Folded, shadow
from .panels import GAP, Panels, fit, is_tall, one_panel, ways_to_break
from .style import RADIUS

_GAPS = (12.0, 5.0)
"""Extra room between the subtrees of the root, and of its children."""

_FAN = (26.0, 90.0)
"""The least and greatest width of a fan."""

OPEN_END = RADIUS + 9.5
"""How far from its first and last node the dotted line goes on for an information set that is only partly shown."""

OPEN_GAP = 13.0
"""The least room between the open ends of two sets above each other: they must not look like one line."""

_SPREAD = 70.0
"""How much wider the fans of a small tree may become to fill the picture."""


@dataclass(frozen=True)
class Needs:
    """What the layout must leave room for, in pixels.

    Labels, and notes left and right of a node's middle, by level; the payoffs at an end; the height of an end
    and, where notes are written, how far apart two nodes of one level are; and a width to fill if possible.
    """

    labels: Sequence[float]
    left: Sequence[float]
    right: Sequence[float]
    payoffs: float
    row: float
    noted_row: float
    width: float


@dataclass(frozen=True)
class Layout:
    """``x`` and ``y`` of each kept node's centre; ``bend[level]`` is where that level's branches leave their
    stems, ``label[level]`` where labels of moves into that level begin, both from the left of a panel: that is
    ``shift[panel]``; ``panels`` tells which node is in which; sizes of the whole in pixels."""

    level: tuple[int, ...]
    x: tuple[float, ...]
    y: tuple[float, ...]
    bend: tuple[float, ...]
    label: tuple[float, ...]
    shift: tuple[float, ...]
    panels: Panels
    width: float
    height: float

    def left(self, index: int) -> float:
        """Where the panel of the node of that *index* begins."""
        return self.shift[self.panels.of[index]]


def gambit_coordinates(tree: GameTree, folded: Folded) -> list[tuple[int, int, float]]:
    """Gambit's (level, sublevel, offset) of each kept node."""
    from ...interop.efg import to_efg
    from ...interop.gambit.adapter import layout

    coordinates: list[tuple[int, int, float]] = layout(to_efg(shadow(tree, folded)))
    return coordinates


def place(tree: GameTree, folded: Folded, coordinates: Sequence[tuple[int, int, float]], needs: Needs) -> Layout:
    """Pixels for *coordinates* that leave the room in *needs*; of all ways to break it, the best for a slide."""
    y = _rows(folded, coordinates, needs)
    slotted = _slots(tree, folded, coordinates, y)
    whole = _placed(folded, coordinates, needs, slotted, one_panel(y))
    if not _holds_nothing(tree, folded) or not is_tall(max(whole.width, needs.width), whole.height):
        return whole
    broken = (_placed(folded, coordinates, needs, slotted, way) for way in ways_to_break(folded, y, needs.row))
    return min((whole, *broken), key=lambda layout: fit(max(layout.width, needs.width), layout.height))


def _holds_nothing(tree: GameTree, folded: Folded) -> bool:
    """Whether no line joins two nodes."""
    sets = [int(tree.infoset[node]) for node in folded.nodes if tree.player[node] >= 0]
    return len(set(sets)) == len(sets)


def _placed(
    folded: Folded,
    coordinates: Sequence[tuple[int, int, float]],
    needs: Needs,
    slotted: tuple[list[int], list[int]],
    panels: Panels,
) -> Layout:
    """The layout with *panels*, next to each other; *slotted* are ``_slots``."""
    levels = tuple(level for level, _, _ in coordinates)
    slots, counts = slotted
    drops = [0.0] * len(counts)
    for index, above in enumerate(folded.parent):
        if above != NONE:
            drops[levels[above]] = max(drops[levels[above]], abs(panels.y[index] - panels.height_of(above, index)))
    columns = _columns(counts, drops, needs, 0.0)
    spare = (needs.width - (len(panels.start) - 1) * GAP) / len(panels.start) - columns.end
    if spare > 0:
        columns = _columns(counts, drops, needs, min(_SPREAD, spare / len(counts)))
    x = [
        columns.bend[level] if slot == NONE else columns.first[level] + slot * columns.pitch[level]
        for level, slot in zip(levels, slots, strict=True)
    ]
    widths = [0.0] * len(panels.start)
    for across, panel in zip(x, panels.of, strict=True):
        widths[panel] = max(widths[panel], across + needs.payoffs)
    shift = tuple(accumulate((width + GAP for width in widths[:-1]), initial=0.0))
    return Layout(
        level=levels,
        x=tuple(across + shift[panel] for across, panel in zip(x, panels.of, strict=True)),
        y=panels.y,
        bend=tuple(columns.bend),
        label=tuple(columns.label),
        shift=shift,
        panels=panels,
        width=shift[-1] + widths[-1],
        height=max(panels.y) + needs.row / 2,
    )


@dataclass
class _Columns:
    """By level: where labels begin, the middle of the first slot, how wide a slot is, where stems end."""

    label: list[float]
    first: list[float]
    pitch: list[float]
    bend: list[float]
    end: float


def _columns(counts: Sequence[int], drops: Sequence[float], needs: Needs, extra: float) -> _Columns:
    """The columns of the levels with *extra* pixels in each fan; the steeper its branches, the wider a fan is."""
    columns = _Columns([], [], [], [], 0.0)
    for level, count in enumerate(counts):
        columns.label.append(columns.end)
        # Notes may reach to the next slot's line: what is written there stands in another row.
        left, right = (max(RADIUS + 1.5, notes[level] + 5) for notes in (needs.left, needs.right))
        columns.first.append(columns.end + needs.labels[level] + left)
        columns.pitch.append(max(2 * RADIUS + 3, left, right))
        columns.bend.append(
            columns.first[level] + max(0, count - 1) * columns.pitch[level] + (right if count else -left)
        )
        deeper = needs.labels[level + 1] if level + 1 < len(counts) else 0.0
        fan = min(max(_FAN[0], drops[level] / 8), _FAN[1]) + extra
        columns.end = columns.bend[level] + max(fan, needs.payoffs - deeper)
    return columns


def _rows(folded: Folded, coordinates: Sequence[tuple[int, int, float]], needs: Needs) -> tuple[float, ...]:
    """The height of each node: leaves on Gambit's rows with more room between large subtrees, others amid children.

    Notes are written at inner nodes. Two of one level are as far apart as the leaves between them, so only where
    the paths to two leaves both have such a node beyond their fork does a row have to leave room for notes.
    """
    size = len(folded.nodes)
    lowest, highest = [0.0] * size, [0.0] * size
    inner = {above for above in folded.parent if above != NONE}
    leaves = [index for index in range(size) if index not in inner]
    extra, before = 0.0, NONE
    for index in leaves:
        if before != NONE:
            common = _common_level(folded, coordinates, before, index)
            extra += _GAPS[common] if common < len(_GAPS) else 0.0
            # A node whose moves are all folded away is a leaf here, and yet has notes.
            if min(coordinates[leaf][0] + (folded.hidden[leaf] > 0) for leaf in (before, index)) > common + 1:
                extra += needs.noted_row - needs.row
        lowest[index] = highest[index] = (coordinates[index][2] + 0.5) * needs.row + extra
        before = index
    y = [0.0] * size
    started = [False] * size
    for index in range(size - 1, -1, -1):
        y[index] = (lowest[index] + highest[index]) / 2
        above = folded.parent[index]
        if above != NONE:
            # Prefix order backwards: the last child comes first, the first child last.
            lowest[above] = y[index]
            if not started[above]:
                highest[above], started[above] = y[index], True
    return tuple(y)


def _common_level(folded: Folded, coordinates: Sequence[tuple[int, int, float]], one: int, other: int) -> int:
    while one != other:
        if coordinates[one][0] >= coordinates[other][0]:
            one = folded.parent[one]
        else:
            other = folded.parent[other]
    return coordinates[one][0]


def _slots(
    tree: GameTree, folded: Folded, coordinates: Sequence[tuple[int, int, float]], y: Sequence[float]
) -> tuple[list[int], list[int]]:
    """The slot of each node within its level (-1 for ends) and the number of slots of each level.

    Slots follow Gambit's sublevels; sets whose lines cannot touch share one, which keeps wide trees narrow.
    """
    groups: dict[tuple[int, int], list[int]] = {}
    for index, node in enumerate(folded.nodes):
        if not tree.is_terminal(node):
            alone = tree.player[node] == CHANCE
            which = -1 - index if alone else int(tree.infoset[node])
            groups.setdefault((coordinates[index][0], which), []).append(index)
    slots = [NONE] * len(folded.nodes)
    taken: list[list[list[tuple[float, float]]]] = [[] for _ in range(1 + max(level for level, _, _ in coordinates))]
    order = sorted(groups, key=lambda key: (key[0], min(coordinates[i][1] for i in groups[key]), groups[key][0]))
    for key in order:
        heights = [y[index] for index in groups[key]]
        room = OPEN_END + OPEN_GAP / 2 if key[1] in folded.open else RADIUS
        low, high = min(heights) - room, max(heights) + room
        columns = taken[key[0]]
        free = (k for k, spans in enumerate(columns) if all(high < a or b < low for a, b in spans))
        slot = next(free, len(columns))
        if slot == len(columns):
            columns.append([])
        columns[slot].append((low, high))
        for index in groups[key]:
            slots[index] = slot
    return slots, [len(columns) for columns in taken]
