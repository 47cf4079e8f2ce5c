"""The view ``"tree"``: every node of a game tree by itself, from left to right or from the top down.

In three steps: where each kept node stands (``placement``), what is drawn of it (``_TreeItems``), and the legend.
``tree_facts`` has what is kept and what is said of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import groupby, pairwise, product
from math import dist, hypot

import numpy as np
import numpy.typing as npt

from ...base.words import full
from ...forms.extensive import CHANCE, NONE, GameTree, has_value
from ...strategies.tree_profile import TreeProfile
from .options import DrawOptions, check_size
from .public_view import compose_public, look_at
from .scene import Box, Item, Mark, Point, Scene, Stroke, Text, arc, bow, branch, on_curve, points_on
from .sheet import (
    GAP,
    LEAST_WIDTH,
    MARGIN,
    Block,
    LegendEntry,
    Panelled,
    Sheet,
    best_panels,
    ends_entry,
    fitted,
    name_of,
    node_entry,
    node_of,
    note_entry,
    rounded_entry,
    say,
    shallower,
    that_fit,
    width_entry,
)
from .style import (
    BADGE_SIZE,
    DIM,
    DOTS,
    END_RADIUS,
    GREY,
    INK,
    LABEL_SIZE,
    NOTE_SIZE,
    OFF_PATH,
    PALE,
    PLAIN_LINE,
    RADIUS,
    SET_LINE,
    SPARSE_DOTS,
    STUB_DOTS,
    edge_width,
    fill,
    ink,
    letter_on,
    shorten,
    text_width,
    tint,
)
from .tree_facts import Folded, Node, TreeFacts, fold
from .tree_layout import GAPS, Fans, NodeRoom, TreeLayout, Zones, across, lanes, levels, placed

# --- where it stands

BESIDE = 4.0
"""Between a move's name and its probability in the middle of a line: their halos meet."""

_LEAF_GAP = 6.0
"""Between what is written at two neighbours, across."""

_SMALL = 400.0
"""The height that the ends of a small tree spread over."""

_PAY_GAP = 9.0
_FAR = 22.0
"""A minus sign and two digits: how much narrower a payoff may be than the widest and still end where that ends."""

_ASIDE = 4.5
"""From the middle of a node to the notes beside it: a dotted line passes between them."""

_NOTES = ("value", "belief", "stub")
_MOVES = sorted(product(range(-48, 49, 2), range(-32, 33, 2)), key=lambda way: (hypot(*way), way))
"""Ways to move a note aside, the shortest first, in pixels."""

_NEARBY = 150.0
"""A note is nowhere farther than this from its first place, in pixels."""

_LINE = LABEL_SIZE + 1.5
"""From line to line of payoffs below each other, and of what is written at moves that lead down."""

_FAN_RIGHT = Fans(1 / 8, 26.0, 90.0)
_FAN_DOWN = Fans(1 / 24, 10.0, 26.0)

OPEN_END = RADIUS + 9.5
"""How far from its first and last node the dotted line goes on for an information set that is only partly shown."""

OPEN_GAP = 13.0
"""The least room between the open ends of two sets above each other: they must not look like one line."""

ENCLOSED, NARROW = 3.6, -1.6
"""How far an enclosure reaches beyond its outermost nodes, and to its other sides: the nodes stand out of it."""

_BENDS = (0.0, *(way * bend for bend in (24.0, 48.0, 80.0, 120.0, 180.0, 260.0) for way in (1, -1)))
"""How far a curve between levels may bend aside, the first that keeps clear of nodes."""

RIGHT, DOWN = "right", "down"


@dataclass(frozen=True)
class Panels:
    """A picture in columns: which one each kept node is in, and for each its shift to the right and up, and the
    height of the root in it."""

    of: tuple[int, ...]
    shift: tuple[float, ...]
    up: tuple[float, ...]
    start: tuple[float, ...]


@dataclass(frozen=True)
class Placement(Panelled):
    """Where all stands in a picture that goes *right* or down; ``inline``: the levels whose probabilities stand beside
    the moves' names, not below them; ``columns``: how wide each player's payoffs are, and whether they differ so much
    that each end's begin at the end (``ragged``). ``panels``: None for one."""

    layout: TreeLayout
    inline: tuple[bool, ...]
    columns: tuple[float, ...]
    ragged: bool
    panels: Panels | None = None

    def at(self, along: float, across: float) -> Point:
        """A point of the picture."""
        return (along, across) if self.right else (across, along)


def placement(facts: TreeFacts, right: bool, along: float = 0.0, spread: float = 1.0) -> Placement:
    """The layout of what *facts* hold. *along* makes every fan longer, *spread* widens the distances across."""
    nodes, parent = facts.nodes, facts.folded.parent
    enclosed = facts.options.style.sets == "enclosed"
    members = Counter(node.infoset for node in nodes if node.player >= 0)
    level = levels(parent, [node.infoset if node.player >= 0 and members[node.infoset] > 1 else NONE for node in nodes])
    rows = [facts.payoffs(node) for node in nodes]
    columns = tuple(
        max((text_width(row[p], LABEL_SIZE) for row in rows if row), default=0.0)
        for p in range(len(facts.tree.players))
    )
    noted = any(facts.value(node) or facts.belief(node) or node.stub for node in nodes)
    inline = _inline(facts, level, columns, right)
    ends = sum(1 for row in rows if row)
    row = max(OPEN_END + 7 if facts.folded.open else 22.0, min(34.0, _SMALL / max(ends, 1)))
    rooms = [
        _room(facts, index, row, columns, right, inline[at], noted) for index, at in enumerate(_enters(parent, level))
    ]
    gap, gaps = (0.0, GAPS) if right else (_LEAF_GAP, (10.0,))
    place, low, high = across(parent, level, rooms, not right, gap, gaps)
    place = tuple(spread * one for one in place)
    groups, pads = _groups(facts, level)
    lane, counts = lanes(level, groups, place, pads)
    zones = _zones(facts, level, counts, inline, columns, right, enclosed)
    fans = _FAN_RIGHT if right else _FAN_DOWN
    beyond: list[float] = []
    if right:
        paid = 9 + sum(columns) + _PAY_GAP * len(columns)
        ending = {at for at, payoffs in zip(level, rows, strict=True) if payoffs}
        deeper = [zone.labels for zone in zones[1:]] + [0.0]
        beyond = [(paid - room if at in ending else 0.0) for at, room in enumerate(deeper)]
    found = placed(parent, level, place, (low, high), lane, counts, zones, replace(fans, extra=along, beyond=beyond))
    size = (found.height, found.width) if right else (found.width, found.height)
    ragged = _ragged(rows, columns)
    return Placement(*size, found, inline, columns, ragged, right=right, steps=max(level))


def _ragged(rows: Sequence[Sequence[str]], columns: Sequence[float]) -> bool:
    """Whether some payoff, its last digit below those of the others, would stand far from its end."""
    return any(
        wide - text_width(paid, LABEL_SIZE) > _FAR for row in rows for paid, wide in zip(row, columns, strict=False)
    )


def _enters(parent: Sequence[int], level: Sequence[int]) -> list[int]:
    return [0 if above == NONE else level[above] + 1 for above in parent]


def _inline(facts: TreeFacts, level: Sequence[int], columns: Sequence[float], right: bool) -> tuple[bool, ...]:
    """The levels at which a move's name and probability stand on one line: all, or of trees that go down, where few."""
    count = 1 + max(level)
    if right:
        return (True,) * count
    leaves = sum(1 for node in facts.nodes if node.payoffs) or 1
    usual = leaves * (max([*columns, 12.0]) + _LEAF_GAP)
    wide = [0.0] * count
    for node, at in zip(facts.nodes, _enters(facts.folded.parent, level), strict=True):
        wide[at] += _beside(facts, node) + _LEAF_GAP
    return tuple(width < 0.8 * usual for width in wide)


def _beside(facts: TreeFacts, node: Node) -> float:
    """The width of a move's name with its probability beside it."""
    label, chance = text_width(node.label, LABEL_SIZE), text_width(facts.chance(node), LABEL_SIZE, True)
    return label + chance + (BESIDE if label and chance else 0)


def _aside(note: str) -> float:
    """How far a note beside a node's dotted line reaches."""
    return _ASIDE + text_width(note, NOTE_SIZE) if note else 0.0


def _room(
    facts: TreeFacts, index: int, row: float, columns: Sequence[float], right: bool, inline: bool, noted: bool
) -> NodeRoom:
    node = facts.nodes[index]
    value, belief = facts.value(node), facts.belief(node)
    goes_on = (OPEN_END + OPEN_GAP / 2) if node.infoset in facts.folded.open and node.player >= 0 else 0.0
    if right:
        # Notes are written at inner nodes: there is room for them above and below.
        half = row / 2
        if noted and not node.payoffs:
            above = (NOTE_SIZE + 2) * bool(value)
            below = (NOTE_SIZE + 2) * bool(belief or node.stub)
            half = max(half, RADIUS + 1.5 + max(above, below))
        return NodeRoom(row / 2, max(half, goes_on), max(half, goes_on))
    label = (
        _beside(facts, node) / 2
        if inline
        else max(text_width(node.label, LABEL_SIZE), text_width(facts.chance(node), LABEL_SIZE, True)) / 2
    )
    if node.payoffs:
        wide = max(text_width(paid, LABEL_SIZE) for paid in facts.payoffs(node)) / 2
        return NodeRoom(label, wide, wide)
    least = max(RADIUS + 2, goes_on)
    return NodeRoom(label, max(least, _aside(belief)), max(least, _aside(value), _aside(node.stub)))


def _groups(facts: TreeFacts, level: Sequence[int]) -> tuple[list[list[int]], list[float]]:
    """The nodes that share a lane: members of a set on one level, and each chance node; how far each line goes on."""
    enclosed = ENCLOSED * (facts.options.style.sets == "enclosed")
    groups: dict[tuple[int, int], list[int]] = {}
    for index, node in enumerate(facts.nodes):
        if not node.payoffs:
            groups.setdefault((level[index], node.infoset if node.player >= 0 else -1 - index), []).append(index)
    goes_on = facts.folded.open
    pads = [OPEN_END + OPEN_GAP / 2 if k in goes_on else RADIUS + 1.5 + enclosed for _, k in groups]
    return list(groups.values()), pads


def _zones(
    facts: TreeFacts,
    level: Sequence[int],
    counts: Sequence[int],
    inline: Sequence[bool],
    columns: Sequence[float],
    right: bool,
    enclosed: bool,
) -> list[Zones]:
    """What each level takes along."""
    size = len(counts)
    labels, chances, left, above, below = ([0.0] * size for _ in range(5))
    ending = [False] * size
    for node, at, enter in zip(facts.nodes, level, _enters(facts.folded.parent, level), strict=True):
        value, belief, stub = facts.value(node), facts.belief(node), node.stub
        left[at] = max(left[at], _aside(belief))
        above[at] = max(above[at], _aside(value), _aside(stub)) if right else max(above[at], NOTE_SIZE * bool(value))
        below[at] = max(below[at], NOTE_SIZE * bool(belief or stub))
        ending[at] |= bool(node.payoffs)
        label, chance = text_width(node.label, LABEL_SIZE), text_width(facts.chance(node), LABEL_SIZE, True)
        labels[enter] = max(labels[enter], label)
        chances[enter] = max(chances[enter], chance)
    found = []
    for at in range(size):
        around = max(0.0, NARROW) * enclosed
        if right:
            room = 6 + labels[at] + (7 + chances[at] if chances[at] else 0) + 8 if at else 0.0
            before, after = (max(RADIUS + 1.5 + around, note + 5) for note in (left[at], above[at]))
            found.append(Zones(room, 0.0, before, after, max(2 * RADIUS + 3 + 2 * around, before, after)))
            continue
        lines = bool(labels[at] or chances[at]) + (bool(labels[at] and chances[at]) and not inline[at])
        paid = END_RADIUS + 3 + len(columns) * _LINE if ending[at] else 0.0
        before = RADIUS + 1.5 + around + (above[at] + 1 if above[at] else 0.0)
        after = RADIUS + 0.5 + around + (below[at] + 1 if below[at] else 0.0)
        pitch = max(2 * RADIUS + 2 + 2 * around, before + after + 2 if above[at] or below[at] else 0.0)
        found.append(Zones(lines * _LINE + 3 if lines else 2.0, paid, before, after, pitch))
    return found


def _holds_nothing(tree: GameTree, folded: Folded) -> bool:
    """Whether no line joins two nodes."""
    sets = [int(tree.infoset[node]) for node in folded.nodes if tree.player[node] >= 0]
    return len(set(sets)) == len(sets)


def panelled(facts: TreeFacts, whole: Placement) -> Placement:
    """*whole*, a picture that goes right, or its best way into columns, where it is tall and no lines hold it."""
    if not _holds_nothing(facts.tree, facts.folded):
        return whole
    y, row = whole.layout.across, 22.0
    first = [index for index, above in enumerate(facts.folded.parent) if above == 0]
    spans = (range(a, b) for a, b in pairwise([*first, len(y)]))
    blocks = [Block(span, min(y[k] for k in span) - row / 2, max(y[k] for k in span) + row / 2) for span in spans]
    return best_panels(whole, LEAST_WIDTH - 2 * MARGIN, blocks, lambda groups: _in_columns(whole, groups))


def _in_columns(whole: Placement, groups: Sequence[Sequence[Block]]) -> Placement:
    of, ups, shifts, starts = [0] * len(whole.layout.across), [], [], []
    shift, y = 0.0, whole.layout.across
    paid = 9 + sum(whole.columns) + _PAY_GAP * len(whole.columns)
    for panel, group in enumerate(groups):
        nodes = [index for block in group for index in block.nodes]
        for index in nodes:
            of[index] = panel
        ups.append(group[0].top)
        shifts.append(shift)
        starts.append((y[group[0].nodes[0]] + y[group[-1].nodes[0]]) / 2 - group[0].top)
        shift += max(whole.layout.along[index] for index in nodes) + paid + GAP
    height = max(group[-1].bottom - group[0].top for group in groups)
    panels = Panels(tuple(of), tuple(shifts), tuple(ups), tuple(starts))
    return replace(whole, width=shift - GAP, height=height, panels=panels, count=len(groups))


# --- what is drawn


MOST_ON_SLIDE = 600
"""A tree of more nodes is no slide: where ends stand side by side, letters of 9 pixels leave room for some 150."""


def compose_scene(tree: GameTree, profile: TreeProfile | None, options: DrawOptions, hints: bool = True) -> Scene:
    """The scene of *tree* with *profile* on it.

    Raises ``PictureTooLargeError`` before anything is laid out, and where letters would be too small for what the
    picture is for, with *hints* at smaller pictures that fit; ``ParameterError`` for a reach, or values or beliefs,
    without a profile.
    """
    if options.reach is None and options.depth is None:
        check_size(len(tree), options, profile is not None)
    folded = fold(tree, profile, options)
    check_size(len(folded.nodes), options, profile is not None)
    facts = TreeFacts(tree, profile, folded, options)
    style = options.style
    if style.purpose == "auto" and len(folded.nodes) > MOST_ON_SLIDE:
        style = replace(style, purpose="free")
    ways = {"auto": (True, False), RIGHT: (True,), DOWN: (False,)}[style.direction]

    def way(right: bool) -> Callable[[float, float], Placement]:
        return lambda along, spread: placement(facts, right, along, spread)

    def free(whole: Placement) -> Placement:
        return panelled(facts, whole) if whole.right else whole

    def drawn(layout: Placement, corner: Point) -> tuple[Item, ...]:
        board = _TreeItems(facts, layout, *corner)
        return board.clear_sets((*board.infosets(), *board.edges(), *board.marks(), *board.again(), *board.texts()))

    sheet = Sheet(
        tree.title,
        tree.comment,
        options.caption,
        _description(facts),
        lambda panels: list(_legend(facts, panels)),
        drawn,
        style,
    )
    scene = fitted(
        [way(right) for right in ways],
        free,
        sheet,
        (lambda: _smaller(tree, profile, options)) if hints else list,
    )
    return replace(scene, game=tree if profile is None and len(folded.nodes) == len(tree) else None)


def _smaller(tree: GameTree, profile: TreeProfile | None, options: DrawOptions) -> list[str]:
    """The words of smaller pictures that fit."""

    smaller = partial(compose_scene, tree, profile, hints=False)
    tries = [shallower(smaller, options)]
    if profile is not None:
        seen = replace(options, view="public")
        tries.insert(0, [("--view public", lambda: compose_public(look_at(tree, profile), seen, hints=False))])
        if options.reach is None:
            tries.insert(0, [("--reach 0", partial(smaller, replace(options, reach=Fraction(0))))])
    return that_fit(tries)


def _description(facts: TreeFacts) -> str:
    counts = facts.tree.node_counts
    parts = [
        f"Game tree of {counts['nodes']:,} nodes, {counts['terminal_nodes']:,} of them ends, "
        f"for {', '.join(facts.tree.players)}."
    ]
    if facts.profile is not None:
        parts.append("The strategy profile is written on the edges; what it never reaches is dashed.")
    if facts.folded.hidden_nodes:
        parts.append(f"{facts.folded.hidden_nodes:,} nodes are not shown.")
    parts += filter(None, (facts.options.caption, shorten(facts.tree.comment, 300)))
    return " ".join(parts)


class _TreeItems:
    """Turns facts and places into items, kind by kind, so that each kind lies above the one before."""

    def __init__(self, facts: TreeFacts, placed: Placement, left: float, top: float) -> None:
        self.facts, self.placed, self.left, self.top, self.nodes = facts, placed, left, top, facts.nodes
        self.mute = facts.options.style.mute_offpath
        self.at = [self.point(index, along) for index, along in enumerate(placed.layout.along)]
        self.children: dict[int, list[int]] = {}
        for index, node in enumerate(facts.nodes):
            self.children.setdefault(node.above, []).append(index)

    def point(self, index: int, along: float, across: float | None = None) -> Point:
        """A place at a node's branch: *along* the flow, and across where the node stands or as given."""
        layout, panels = self.placed.layout, self.placed.panels
        x, y = self.placed.at(along, layout.across[index] if across is None else across)
        if panels is not None:
            panel = panels.of[index]
            x, y = x + panels.shift[panel], (panels.start[0] if index == 0 and across is None else y - panels.up[panel])
        return self.left + x, self.top + y

    def opacity(self, index: int) -> float:
        """Of the lines and discs at a node: faded where nothing leads there and that is asked for."""
        return DIM if self.mute and self.nodes[index].dead else 1.0

    def width(self, index: int) -> float:
        """Of the edge that leads to a node."""
        node = self.nodes[index]
        if self.facts.profile is None:
            return edge_width(None)
        return edge_width((node.likely or 0) * (Fraction(1, 3) if node.dead else 1))

    def dash(self, index: int) -> tuple[float, ...]:
        """Dashes of the edge that leads to a node, where play never gets."""
        return OFF_PATH if self.nodes[index].dead and not self.mute else ()

    def infosets(self) -> Iterator[Item]:
        """A dotted line through the members of each set, or an enclosure, level by level; an arc from level to level.

        It goes on beyond the first and the last of them where there are members that are not shown.
        """
        members: dict[int, list[int]] = {}
        for index, node in enumerate(self.nodes):
            if node.player >= 0:
                members.setdefault(node.infoset, []).append(index)
        level, enclosed = self.placed.layout.level, self.facts.options.style.sets == "enclosed"
        for k, indices in members.items():
            indices.sort(key=lambda index: (level[index], self.placed.layout.across[index]))
            if enclosed:
                yield from self._enclosures(k, indices)
            if k in self.facts.folded.open:
                yield from self._open_ends(k, indices)
        lines: dict[int, list[Stroke]] = {}
        for k, indices in members.items():
            ways = [(one, other, level[one] == level[other]) for one, other in pairwise(indices)]
            drawn = [self._joint(k, *way) for way in ways if not (way[2] and enclosed)]
            earlier = [line for strokes in lines.values() for line in strokes]
            sparse = any(line.color == other.color and _cross(line, other) for line in drawn for other in earlier)
            lines[k] = [replace(line, dash=SPARSE_DOTS) for line in drawn] if sparse else drawn
            yield from lines[k]

    def _joint(self, k: int, one: int, other: int, straight: bool) -> Stroke:
        a, b = self.at[one], self.at[other]
        return Stroke(
            points=(a, b) if straight else self._arc(one, other),
            color=fill(self.facts.tree.infosets[k].player),
            width=SET_LINE,
            role="infoset",
            node=self.nodes[other].number,
            source=self.nodes[one].number,
            curved=not straight,
            opacity=max(self.opacity(one), self.opacity(other)),
            dash=DOTS,
            tip=self.facts.tree.names[k],
        )

    def _arc(self, one: int, other: int) -> tuple[Point, ...]:
        """A curve between two members on different levels, bent so far that it keeps clear of other nodes."""
        a, b = self.at[one], self.at[other]
        foreign = [at for index, at in enumerate(self.at) if index not in (one, other)]
        curves = [arc(a, b, aside) if self.placed.right else _sideways(a, b, aside) for aside in _BENDS]
        curves += [bow(a, b, aside) for aside in _BENDS]
        curves = [curve for curve in curves if self._holds(curve)]

        def clear(curve: tuple[Point, ...]) -> float:
            way = [on_curve(curve, step / 96) for step in range(1, 96)]
            return min((dist(point, at) for point in way for at in foreign), default=RADIUS + 3)

        return next((curve for curve in curves if clear(curve) >= RADIUS + 3), None) or max(curves, key=clear)

    def _holds(self, curve: Sequence[Point]) -> bool:
        """Whether a curve stays within the tree's part of the picture."""
        points = [on_curve(curve, step / 24) for step in range(25)]
        return all(
            self.left <= x <= self.left + self.placed.width and self.top <= y <= self.top + self.placed.height
            for x, y in points
        )

    def _enclosures(self, k: int, indices: Sequence[int]) -> Iterator[Box]:
        """A rounded box around the members on each level; none around a set of one node."""
        if len(indices) == 1 and k not in self.facts.folded.open:
            return
        player = self.facts.tree.infosets[k].player
        reach = self.placed.at(RADIUS + NARROW, RADIUS + ENCLOSED)
        for _, group in groupby(indices, key=lambda index: self.placed.layout.level[index]):
            places = [self.at[index] for index in group]
            left, top = (min(place[axis] for place in places) - reach[axis] for axis in (0, 1))
            right, bottom = (max(place[axis] for place in places) + reach[axis] for axis in (0, 1))
            yield Box(
                left,
                top,
                right - left,
                bottom - top,
                tint(player),
                "infoset",
                rim=fill(player),
                line=0.9,
                round=RADIUS + NARROW,
                tip=self.facts.tree.names[k],
            )

    def _open_ends(self, k: int, indices: Sequence[int]) -> Iterator[Stroke]:
        axis = 1 if self.placed.right else 0
        ordered = sorted(indices, key=lambda index: self.at[index][axis])
        color, tip = fill(self.facts.tree.infosets[k].player), f"{self.facts.tree.names[k]}: goes on in moves not shown"
        for index, way in ((ordered[0], -1), (ordered[-1], 1)):
            (x, y), node = self.at[index], self.nodes[index].number
            near, far = way * (RADIUS + 2.2), way * OPEN_END
            points = ((x, y + near), (x, y + far)) if self.placed.right else ((x + near, y), (x + far, y))
            yield Stroke(
                points, color, SET_LINE, "open", node, node, opacity=self.opacity(index), dash=STUB_DOTS, tip=tip
            )

    def edges(self) -> Iterator[Stroke]:
        """Each node's stem and its branches; those off the path first, so that they lie below."""
        for index in sorted(range(len(self.nodes)), key=lambda index: not self.nodes[index].dead):
            if index in self.children:
                yield from self._stems(index)
            if index:
                yield self._edge(index, self.nodes[index])

    def _edge(self, index: int, node: Node) -> Stroke:
        layout, above = self.placed.layout, node.above
        bend = layout.bend[layout.level[above]]
        start = self._start(index) if above == 0 else self.point(index, bend, layout.across[above])
        label = self.point(index, layout.label[layout.enter[index]])
        parent = self.nodes[above]
        return Stroke(
            points=branch(start, label, self.at[index]) if self.placed.right else _down(start, label, self.at[index]),
            color=fill(parent.player),
            width=self.width(index),
            role="edge",
            node=node.number,
            source=parent.number,
            curved=True,
            opacity=self.opacity(index),
            dash=self.dash(index),
            tip=node.action + (f": probability {full(node.likely)}" if node.likely is not None else ""),
        )

    def _start(self, index: int) -> Point:
        """Where the root's branch to a node begins, in the node's panel."""
        layout, panels = self.placed.layout, self.placed.panels
        if panels is None:
            return self.point(index, layout.bend[0], layout.across[0])
        panel = panels.of[index]
        return self.left + panels.shift[panel] + layout.bend[0], self.top + panels.start[panel]

    def _roots(self) -> list[Point]:
        """Where the root stands, in every panel."""
        panels = self.placed.panels
        if panels is None:
            return [self.at[0]]
        along = self.placed.layout.along[0]
        return [(self.left + shift + along, self.top + y) for shift, y in zip(panels.shift, panels.start, strict=True)]

    def _stems(self, index: int) -> Iterator[Stroke]:
        """All of a player's moves together are certain; of chance moves the widest sets the width."""
        node, layout = self.nodes[index], self.placed.layout
        width = edge_width(Fraction(1, 3) if node.dead else 1)
        if self.facts.profile is None or node.player == CHANCE:
            width = max(map(self.width, self.children[index]))
        length = (
            layout.bend[layout.level[index]] - layout.along[index] + (0.0 if node.dead else 0.5)
        )  # else a seam shows
        for x, y in self._roots() if index == 0 else [self.at[index]]:
            end = (x + length, y) if self.placed.right else (x, y + length)
            dash = OFF_PATH if node.dead and not self.mute else ()
            yield Stroke(
                ((x, y), end),
                fill(node.player),
                width,
                "stem",
                node.number,
                node.number,
                False,
                self.opacity(index),
                dash,
            )

    def again(self) -> Iterator[Item]:
        """The root in the panels after the first."""
        for x, y in self._roots()[1:]:
            yield from node_of(x, y, self.nodes[0].player, self.facts.badges, "again")

    def marks(self) -> Iterator[Mark]:
        """Diamonds for chance, circles for players, dots for ends."""
        for index, (node, (x, y)) in enumerate(zip(self.nodes, self.at, strict=True)):
            tip, opacity = self.facts.tip(node), self.opacity(index)
            if node.player == CHANCE:
                yield Mark("diamond", x, y, RADIUS, GREY, "chance", node.number, opacity, tip)
            elif node.player >= 0:
                yield Mark("circle", x, y, RADIUS, fill(node.player), "decision", node.number, opacity, tip)
            else:
                yield Mark("circle", x, y, END_RADIUS, INK, "end", node.number, opacity, tip)

    def texts(self) -> Iterator[Item]:
        """Letters in nodes, moves and probabilities on edges, payoffs, values, beliefs and stubs."""
        for index, (node, (x, y)) in enumerate(zip(self.nodes, self.at, strict=True)):
            number, player = node.number, node.player
            if player >= 0:
                badge, color = self.facts.badges[player], GREY if self.opacity(index) < 1 else letter_on(player)
                yield Text(x, y + 0.36 * BADGE_SIZE, badge, BADGE_SIZE, color, "badge", number, "middle", True)
            if index:
                yield from self._right_texts(index, node) if self.placed.right else self._down_texts(index, node)
            yield from self._payoffs(node, x, y)
            # What the node is worth and its folded moves on the side of its moves, its belief on the other side.
            above, below = y - RADIUS - 2.0, y + RADIUS + NOTE_SIZE - 0.5
            if value := self.facts.value(node):
                yield Text(x + _ASIDE, above, value, NOTE_SIZE, ink(node.whose), "value", number, halo=True)
            if belief := self.facts.belief(node):
                yield Text(x - _ASIDE, below, belief, NOTE_SIZE, INK, "belief", number, "end", halo=True)
            if node.stub:
                yield Text(x + _ASIDE, below, node.stub, NOTE_SIZE, PALE, "stub", number, halo=True)

    def clear_sets(self, items: tuple[Item, ...]) -> tuple[Item, ...]:
        """Move each note off the curves of information sets, to the nearest place that covers nothing."""
        curves = [item for item in items if isinstance(item, Stroke) and item.role == "infoset" and item.curved]
        if not curves:
            return items
        found = list(items)
        on_sets = np.array([point for curve in curves for point in points_on(curve)])
        every = np.array([point for item in items if isinstance(item, Stroke) for point in points_on(item)])
        for k, note in enumerate(items):
            if not isinstance(note, Text) or note.role not in _NOTES or not _covers(note, on_sets, SET_LINE / 2):
                continue
            others = [item for item in found if item is not note]
            lines = every[(abs(every - (note.x, note.y)) < _NEARBY).all(axis=1)]
            places = [
                (x, y, x + w, y + h) for item in others if isinstance(item, Text) for x, y, w, h in [item.cleared]
            ]
            places += [(m.x - m.r, m.y - m.r, m.x + m.r, m.y + m.r) for m in others if isinstance(m, Mark)]
            moved = (replace(note, x=note.x + dx, y=note.y + dy) for dx, dy in _MOVES)
            free = (one for one in moved if self._is_free(one, lines, places))
            found[k] = next(free, note)
        return tuple(found)

    def _is_free(self, note: Text, lines: npt.NDArray[np.float64], places: Sequence[tuple[float, ...]]) -> bool:
        """Whether a note lies within the tree's part of the picture and covers no line, text or node."""
        left, top, width, height = note.cleared
        right, bottom = left + width, top + height
        within = self.left <= left and right <= self.left + self.placed.width
        within &= self.top <= top and bottom <= self.top + self.placed.height
        met = any(a < right and left < c and b < bottom and top < d for a, b, c, d in places)
        return within and not met and not _covers(note, lines, SET_LINE)

    def _payoffs(self, node: Node, x: float, y: float) -> Iterator[Text]:
        end = x + 9.0
        for p, paid in enumerate(self.facts.payoffs(node)):
            if self.placed.right and self.placed.ragged:
                yield Text(end, y + 4.0, paid, LABEL_SIZE, ink(p), "payoff", node.number)
                end += text_width(paid, LABEL_SIZE) + _PAY_GAP
            elif self.placed.right:
                end += self.placed.columns[p]
                yield Text(end, y + 4.0, paid, LABEL_SIZE, ink(p), "payoff", node.number, "end")
                end += _PAY_GAP
            else:
                line = y + END_RADIUS + LABEL_SIZE + p * _LINE
                yield Text(x, line, paid, LABEL_SIZE, ink(p), "payoff", node.number, "middle")

    def _words(self, node: Node) -> tuple[str, str, str]:
        """The colour of a move's name, its probability and the colour of that."""
        faded = self.mute and node.dead
        return GREY if faded else INK, self.facts.chance(node), GREY if faded else ink(self.nodes[node.above].player)

    def _right_texts(self, index: int, node: Node) -> Iterator[Text]:
        x, y = self.point(index, self.placed.layout.label[self.placed.layout.enter[index]])
        start, base, (color, likely, bold) = x + 6, y - self.width(index) / 2 - 3.0, self._words(node)
        if node.label:
            yield Text(start, base, node.label, LABEL_SIZE, color, "action", node.number)
            start += text_width(node.label, LABEL_SIZE) + 6
        if likely:
            yield Text(start, base, likely, LABEL_SIZE, bold, "probability", node.number, bold=True)

    def _down_texts(self, index: int, node: Node) -> Iterator[Text]:
        """In the middle of the line, which their halo interrupts; the probability beside the name, or below it."""
        enter = self.placed.layout.enter[index]
        x, y = self.point(index, self.placed.layout.label[enter])
        base, (color, likely, bold), left = y + LABEL_SIZE - 0.5, self._words(node), x
        if self.placed.inline[enter] and node.label and likely:
            left = x - _beside(self.facts, node) / 2
            yield Text(left, base, node.label, LABEL_SIZE, color, "action", node.number, halo=True)
            left += text_width(node.label, LABEL_SIZE) + BESIDE
            yield Text(left, base, likely, LABEL_SIZE, bold, "probability", node.number, bold=True, halo=True)
            return
        if node.label:
            yield Text(x, base, node.label, LABEL_SIZE, color, "action", node.number, "middle", halo=True)
            base += _LINE
        if likely:
            yield Text(x, base, likely, LABEL_SIZE, bold, "probability", node.number, "middle", True, halo=True)


def _covers(note: Text, points: npt.NDArray[np.float64], near: float) -> bool:
    """Whether the halo of a note reaches one of the *points*, or comes as *near*."""
    left, top, width, height = note.cleared
    away = points - (left, top)
    return bool(((away > -near) & (away < (width + near, height + near))).all(axis=1).any())


def _cross(one: Stroke, other: Stroke) -> bool:
    """Whether the lines of two information sets meet; straight ones have lanes of their own."""
    if not (one.curved or other.curved):
        return False
    points, others = (np.array(points_on(line)) for line in (one, other))
    return bool((np.linalg.norm(points[:, None] - others, axis=2) < 3 * SET_LINE).any())


def _turned(points: Sequence[Point]) -> tuple[Point, ...]:
    """With the two axes exchanged."""
    return tuple((y, x) for x, y in points)


def _down(bend: Point, label: Point, end: Point) -> tuple[Point, ...]:
    """``branch`` for a tree that goes down."""
    return _turned(branch(*_turned((bend, label, end))))


def _sideways(a: Point, b: Point, aside: float) -> tuple[Point, ...]:
    """``arc`` for a tree that goes down."""
    return _turned(arc((a[1], a[0]), (b[1], b[0]), aside))


# --- the legend


def _legend(facts: TreeFacts, panels: int) -> Iterator[LegendEntry]:
    """Just what is in the picture; *panels* is how many the tree is broken into."""
    nodes, tree = facts.nodes, facts.tree
    if any(node.player == CHANCE for node in nodes):
        yield node_entry(CHANCE, facts.badges, "chance")
    names = [(name_of(name, player), ink(player)) for player, name in enumerate(tree.players)]
    for player, (name, color) in enumerate(names):
        yield node_entry(player, facts.badges, name, color)
    if any(node.payoffs for node in nodes):
        yield ends_entry((("payoffs", INK), *names))
    personal = [node.infoset for node in nodes if node.player >= 0]
    if len(set(personal)) < len(personal):
        if facts.options.style.sets == "enclosed":
            box = Box(0, -6, 22, 12, tint(0), "legend", rim=fill(0), line=0.9, round=6)
            yield LegendEntry((box,), 22, say("information set"))
        else:
            line = Stroke(((2, -8), (2, 8)), fill(0), SET_LINE, "legend", dash=DOTS)
            yield LegendEntry((line,), 4, say("dotted: information set"))
    if facts.folded.open:
        ends = (((4, way * 5.6), (4, way * 10.4)) for way in (-1, 1))
        stubs = (Stroke(points, fill(0), SET_LINE, "legend", dash=DOTS) for points in ends)
        icon: tuple[Item, ...] = (*stubs, Mark("circle", 4, 0, 3.6, fill(0), "legend"))
        yield LegendEntry(icon, 8, say("dotted stub: the set goes on in moves not shown"))
    if panels > 1:
        words = f"at the left of {'both' if panels == 2 else f'all {panels}'} columns: one and the same start"
        yield node_entry(nodes[0].player, facts.badges, words)
    if facts.profile is not None:
        yield from _played(facts)
    if facts.rounded:
        yield rounded_entry()
    if facts.folded.hidden_nodes:
        hidden, every = facts.folded.hidden_nodes, facts.folded.of
        words = f"n moves folded away here; {hidden:,} of {every:,} nodes are not shown"
        yield note_entry("+n", words, 3)


def _played(facts: TreeFacts) -> Iterator[LegendEntry]:
    yield width_entry()
    if any(node.dead for node in facts.nodes):
        if facts.options.style.mute_offpath:
            line = Stroke(((0, 0), (22, 0)), INK, PLAIN_LINE, "legend", opacity=DIM)
            yield LegendEntry((line,), 22, say("faded: never reached"))
        else:
            line = Stroke(((0, 0), (22, 0)), INK, PLAIN_LINE, "legend", dash=OFF_PATH)
            yield LegendEntry((line,), 22, say("dashed: off the path of play"))
    whose = f"of {facts.tree.players[0]}" if has_value(facts.tree) else "of the player who moves"
    for written, color, words in (
        (facts.value, ink(0), f"above a node: expected payoff {whose}"),
        (facts.belief, INK, "below a node: belief"),
    ):
        # The sample is a number of the picture: the first that is not a whole one, where there is one.
        if numbers := list(filter(None, map(written, facts.nodes))):
            sample = next((text for text in numbers if not text.lstrip("−").isdigit()), numbers[0])
            yield note_entry(sample, words, 2, color)
