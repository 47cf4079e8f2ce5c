"""Where the nodes of a tree stand: leaves side by side, parents amid their children, information sets in lanes.

A picture has two axes. *Along* is the way that play flows, to the right or down; *across* is the other one. Along, each
level has four zones one after the other: the labels of the moves that lead into it, what is paid at its ends (of trees
that go down), the lanes of its information sets, and the fan in which the branches to the next level part. Across,
subtrees stand as near to each other as what is drawn of them allows (E. Reingold and J. Tilford, "Tidier drawings of
trees", IEEE TSE 7, 1981), where ends leave room beyond them; else each leaf has a row of its own.

Sets whose lines cannot touch share a lane. How many lines a node's branch crosses does not depend on the order of
lanes: it crosses those of its level that have members on both sides of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ...forms.extensive import NONE
from .scene import SIZES, Point, text_width
from .sheet import GAP, LEAST_WIDTH, MARGIN, Block, Panelled, best_panels

if TYPE_CHECKING:
    from .tree_view import Node, TreeFacts

GAPS = (12.0, 5.0)
"""Extra room between the subtrees of the root, and of its children."""


@dataclass(frozen=True)
class NodeRoom:
    """What a node takes across, from its middle: ``label`` on both sides at its label, else ``low`` and ``high``."""

    label: float
    low: float
    high: float


@dataclass(frozen=True)
class Zones:
    """What a level takes along: its ``labels``, what is ``paid`` at its ends before the lanes, from the lanes' edge to
    the first lane and from the last one to the edge (``before``, ``after``), and from lane to lane (``pitch``)."""

    labels: float
    paid: float
    before: float
    after: float
    pitch: float


@dataclass(frozen=True)
class Fans:
    """How long fans are along: a share of the widest branch, from ``least`` to ``most``, and ``extra`` for all.

    ``beyond``, by level, is the room that ends need after the lanes.
    """

    share: float
    least: float
    most: float
    extra: float = 0.0
    beyond: Sequence[float] = ()


@dataclass(frozen=True)
class TreeLayout:
    """``across`` and ``along`` of each node's middle; ``level`` of the node and ``enter`` of the label of its move.

    By level: where labels begin (``label``), where payments begin (``paid``) and where branches leave (``bend``).
    ``width`` and ``height`` are those across and along.
    """

    level: tuple[int, ...]
    enter: tuple[int, ...]
    across: tuple[float, ...]
    along: tuple[float, ...]
    label: tuple[float, ...]
    paid: tuple[float, ...]
    bend: tuple[float, ...]
    width: float
    height: float


def levels(parent: Sequence[int], sets: Sequence[int]) -> tuple[int, ...]:
    """The level of each node: below its parent's, and equal for all members of a set where that is possible.

    *sets*: of each node, ``NONE`` for those in no set of several nodes. It is impossible where one member follows
    another, or where two sets stand before each other: then some sets are on several levels.
    """
    whole = _levels(parent, sets)
    if whole is not None:
        return whole
    level, kept = _levels(parent, [NONE] * len(parent)), set[int]()
    for one in dict.fromkeys(k for k in sets if k != NONE):
        tried = _levels(parent, [k if k in kept or k == one else NONE for k in sets])
        if tried is not None:
            level = tried
            kept.add(one)
    assert level is not None
    return level


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


Contour = tuple[list[float], list[float]]
"""How far a subtree reaches to both sides of its root's middle, level by level from the label of its move on."""


def across(
    parent: Sequence[int],
    level: Sequence[int],
    rooms: Sequence[NodeRoom],
    compact: bool,
    gap: float,
    gaps: Sequence[float],
) -> tuple[tuple[float, ...], float, float]:
    """The place of each node across, and how far the picture reaches beyond the outermost middles.

    *compact*: deeper subtrees may stand beyond ends; *gap* is between all, *gaps* more between subtrees by depth.
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
    """The contour of one node: the label of its move at the level *enter*, the line to it, and what is beside it."""
    if enter == level:
        return [-max(room.label, room.low)], [max(room.label, room.high)]
    line = [2.0] * (level - enter - 1)
    return [-room.label, *(-one for one in line), -room.low], [room.label, *line, room.high]


def _joined(contours: Sequence[Contour], compact: bool, gap: float) -> tuple[Contour, list[float]]:
    """Subtrees side by side, as near as they can stand, and the place of each one's root."""
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
    """The lane of each node in one of the *groups* (else ``NONE``), and how many lanes each level has.

    A group is the members of a set on one level; *pads* is how far its line goes on beyond the outermost ones.
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
    """The layout: *place* across, and along by what the *zones* of the levels and the *fans* between them take.

    *beyond* is how far the picture reaches beyond the outermost middles. Nodes without a *lane* are ends: they stand
    before the lanes where something is ``paid`` there, else beyond them.
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
        enter=tuple(0 if above == NONE else level[above] + 1 for above in parent),
        across=tuple(at + beyond[0] for at in place),
        along=tuple(along),
        label=tuple(label),
        paid=tuple(paid),
        bend=tuple(bend),
        width=beyond[0] + max(place) + beyond[1],
        height=end,
    )


# --- where it stands


@dataclass(frozen=True)
class TreeSpacing:
    """The room between what is drawn of a tree, in pixels."""

    beside: float = 4.0  # between a move's name and its probability in the middle of a line: their halos meet
    leaf_gap: float = 6.0  # between what is written at two neighbors, across
    small: float = 400.0  # the height that the ends of a small tree spread over
    pay_gap: float = 9.0
    far: float = 22.0  # how much narrower than the widest a payoff may be to end where that ends: two digits, a minus
    aside: float = 4.5  # from the middle of a node to the notes beside it: a dotted line passes between them
    line: float = SIZES.label + 1.5  # from line to line of payoffs, and of what is written at moves that lead down
    open_end: float = SIZES.node + 9.5  # how far the dotted line of a partly shown information set goes on
    open_gap: float = 13.0  # between the open ends of two information sets: they must not look like one line
    enclosed: float = 3.6  # how far an enclosure reaches beyond its outermost nodes
    narrow: float = -1.6  # how far to its other sides: the nodes stand out of it


ROOM = TreeSpacing()
_FAN_RIGHT = Fans(1 / 8, 26.0, 90.0)
_FAN_DOWN = Fans(1 / 24, 10.0, 26.0)


@dataclass(frozen=True)
class Placement(Panelled):
    """Where all stands in a picture that goes *right* or down.

    ``inline``: the levels whose probabilities stand beside the moves' names, not below them. ``columns``: how wide each
    player's payoffs are, and whether they differ so much that each end's begin at the end (``ragged``). ``panel`` is
    which panel each node is in; for each panel there are its shift to the right and up, and where the root stands
    across in it (``starts``).
    """

    layout: TreeLayout
    inline: tuple[bool, ...]
    columns: tuple[float, ...]
    ragged: bool
    panel: tuple[int, ...]
    starts: tuple[float, ...]
    shift: tuple[float, ...] = (0.0,)
    up: tuple[float, ...] = (0.0,)

    def at(self, along: float, across: float, panel: int = 0) -> Point:
        """A point of the picture."""
        x, y = (along, across) if self.right else (across, along)
        return x + self.shift[panel], y - self.up[panel]


def placement(facts: TreeFacts, right: bool, along: float = 0.0, spread: float = 1.0) -> Placement:
    """The layout of what *facts* hold. *along* makes every fan longer, *spread* widens the distances across."""
    nodes, parent = facts.nodes, facts.folded.parent
    members = Counter(node.infoset for node in nodes if node.player >= 0)
    level = levels(parent, [node.infoset if node.player >= 0 and members[node.infoset] > 1 else NONE for node in nodes])
    rows = [node.payoffs for node in nodes]
    columns = tuple(
        max((text_width(row[p], SIZES.label) for row in rows if row), default=0.0)
        for p in range(len(facts.tree.players))
    )
    noted = any(node.value or node.belief or node.stub for node in nodes)
    inline = _inline(facts, level, columns, right)
    ends = sum(1 for row in rows if row)
    row = max(ROOM.open_end + 7 if facts.folded.open else 22.0, min(34.0, ROOM.small / max(ends, 1)))
    enters = zip(nodes, _enters(parent, level), strict=True)
    rooms = [_room(facts, node, row, right, inline[at], noted) for node, at in enters]
    gap, gaps = (0.0, GAPS) if right else (ROOM.leaf_gap, (10.0,))
    place, low, high = across(parent, level, rooms, not right, gap, gaps)
    place = tuple(spread * one for one in place)
    groups, pads = _groups(facts, level)
    lane, counts = lanes(level, groups, place, pads)
    zones = _zones(facts, level, counts, inline, right, len(columns))
    fans = _FAN_RIGHT if right else _FAN_DOWN
    beyond: list[float] = []
    if right:
        paid = 9 + sum(columns) + ROOM.pay_gap * len(columns)
        ending = {at for at, payoffs in zip(level, rows, strict=True) if payoffs}
        deeper = [zone.labels for zone in zones[1:]] + [0.0]
        beyond = [(paid - room if at in ending else 0.0) for at, room in enumerate(deeper)]
    found = placed(parent, level, place, (low, high), lane, counts, zones, replace(fans, extra=along, beyond=beyond))
    size = (found.height, found.width) if right else (found.width, found.height)
    # Whether some payoff, its last digit below those of the others, would stand far from its end.
    pairs = ((wide, text_width(one, SIZES.label)) for row in rows for one, wide in zip(row, columns, strict=False))
    ragged = any(wide - narrow > ROOM.far for wide, narrow in pairs)
    one = ((0,) * len(nodes), (found.across[0],))
    return Placement(*size, found, inline, columns, ragged, *one, right=right, steps=max(level))


def _enters(parent: Sequence[int], level: Sequence[int]) -> list[int]:
    return [0 if above == NONE else level[above] + 1 for above in parent]


def _inline(facts: TreeFacts, level: Sequence[int], columns: Sequence[float], right: bool) -> tuple[bool, ...]:
    """The levels at which a move's name and probability stand on one line: all, or of trees that go down, where few."""
    count = 1 + max(level)
    if right:
        return (True,) * count
    leaves = sum(1 for node in facts.nodes if node.payoffs) or 1
    usual = leaves * (max([*columns, 12.0]) + ROOM.leaf_gap)
    wide = [0.0] * count
    for node, at in zip(facts.nodes, _enters(facts.folded.parent, level), strict=True):
        wide[at] += beside(node) + ROOM.leaf_gap
    return tuple(width < 0.8 * usual for width in wide)


def beside(node: Node) -> float:
    """The width of a move's name with its probability beside it."""
    label, chance = node.widths
    return label + chance + (ROOM.beside if label and chance else 0)


def _aside(note: str) -> float:
    return ROOM.aside + text_width(note, SIZES.note) if note else 0.0


def _room(facts: TreeFacts, node: Node, row: float, right: bool, inline: bool, noted: bool) -> NodeRoom:
    goes_on = (ROOM.open_end + ROOM.open_gap / 2) if node.infoset in facts.folded.open and node.player >= 0 else 0.0
    if right:
        # Notes are written at inner nodes: there is room for them above and below.
        half = row / 2
        if noted and not node.payoffs:
            note = (SIZES.note + 2) * bool(node.value or node.belief or node.stub)
            half = max(half, SIZES.node + 1.5 + note)
        return NodeRoom(row / 2, max(half, goes_on), max(half, goes_on))
    label = (beside(node) if inline else max(node.widths)) / 2
    if node.payoffs:
        wide = max(text_width(paid, SIZES.label) for paid in node.payoffs) / 2
        return NodeRoom(label, wide, wide)
    least = max(SIZES.node + 2, goes_on)
    return NodeRoom(label, max(least, _aside(node.belief)), max(least, _aside(node.value), _aside(node.stub)))


def _groups(facts: TreeFacts, level: Sequence[int]) -> tuple[list[list[int]], list[float]]:
    """The nodes that share a lane: members of a set on one level, and each chance node; how far each line goes on."""
    enclosed = ROOM.enclosed * (facts.options.style.sets == "enclosed")
    groups: dict[tuple[int, int], list[int]] = {}
    for index, node in enumerate(facts.nodes):
        if not node.payoffs:
            groups.setdefault((level[index], node.infoset if node.player >= 0 else -1 - index), []).append(index)
    goes_on = facts.folded.open
    pads = [ROOM.open_end + ROOM.open_gap / 2 if k in goes_on else SIZES.node + 1.5 + enclosed for _, k in groups]
    return list(groups.values()), pads


def _zones(
    facts: TreeFacts, level: Sequence[int], counts: Sequence[int], inline: Sequence[bool], right: bool, players: int
) -> list[Zones]:
    size = len(counts)
    labels, chances, left, above, below = ([0.0] * size for _ in range(5))
    ending = [False] * size
    for node, at, enter in zip(facts.nodes, level, _enters(facts.folded.parent, level), strict=True):
        left[at] = max(left[at], _aside(node.belief))
        beyond = max(_aside(node.value), _aside(node.stub)) if right else SIZES.note * bool(node.value)
        above[at] = max(above[at], beyond)
        below[at] = max(below[at], SIZES.note * bool(node.belief or node.stub))
        ending[at] |= bool(node.payoffs)
        labels[enter] = max(labels[enter], node.widths[0])
        chances[enter] = max(chances[enter], node.widths[1])
    found = []
    for at in range(size):
        if right:
            room = 6 + labels[at] + (7 + chances[at] if chances[at] else 0) + 8 if at else 0.0
            before, after = (max(SIZES.node + 1.5, note + 5) for note in (left[at], above[at]))
            found.append(Zones(room, 0.0, before, after, max(2 * SIZES.node + 3, before, after)))
            continue
        lines = bool(labels[at] or chances[at]) + (bool(labels[at] and chances[at]) and not inline[at])
        paid = SIZES.end + 3 + players * ROOM.line if ending[at] else 0.0
        before = SIZES.node + 1.5 + (above[at] + 1 if above[at] else 0.0)
        after = SIZES.node + 0.5 + (below[at] + 1 if below[at] else 0.0)
        pitch = max(2 * SIZES.node + 2, before + after + 2 if above[at] or below[at] else 0.0)
        found.append(Zones(lines * ROOM.line + 3 if lines else 2.0, paid, before, after, pitch))
    return found


def panelled(facts: TreeFacts, whole: Placement) -> Placement:
    """*whole*, a picture that goes right, or its best way into columns, where it is tall and no lines hold it."""
    sets = [node.infoset for node in facts.nodes if node.player >= 0]
    if len(set(sets)) < len(sets):
        return whole
    y, row = whole.layout.across, 22.0
    least, above = LEAST_WIDTH - 2 * MARGIN, facts.folded.parent
    return best_panels(
        whole, least, above, lambda k: (y[k] - row / 2, y[k] + row / 2), lambda groups: _in_columns(whole, groups)
    )


def _in_columns(whole: Placement, groups: Sequence[Sequence[Block]]) -> Placement:
    y, along = whole.layout.across, whole.layout.along
    paid = 9 + sum(whole.columns) + ROOM.pay_gap * len(whole.columns)
    panel, starts, shifts, shift = [0], list[float](), list[float](), 0.0
    for number, group in enumerate(groups):
        nodes = range(group[0].nodes.start, group[-1].nodes.stop)
        panel += [number] * len(nodes)
        starts.append((y[nodes.start] + y[group[-1].nodes.start]) / 2)
        shifts.append(shift)
        shift += max(along[index] for index in nodes) + paid + GAP
    return replace(
        whole,
        width=shift - GAP,
        height=max(group[-1].bottom - group[0].top for group in groups),
        panel=tuple(panel),
        starts=tuple(starts),
        shift=tuple(shifts),
        up=tuple(group[0].top for group in groups),
        count=len(groups),
    )
