"""The view ``"tree"``: every node of a game tree by itself, from left to right or from the top down."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, partial
from itertools import groupby, pairwise, product
from math import dist, hypot
from typing import Any

import numpy as np
import numpy.typing as npt

from ...base.errors import PictureTooLargeError, PictureTooSmallError
from ...base.rationals import Number
from ...base.words import LONG, ROUGHLY, SHORT, decimal, exact_or, full, percent
from ...forms.extensive import CHANCE, NONE, GameTree, has_value, payoffs_in_all
from ...proof.reach import ReachProduct, beliefs, expected_payoffs, reaches, settled
from ...strategies.tree_profile import TreeProfile
from .options import DrawOptions, check_size
from .scene import (
    DIM,
    GREY,
    INK,
    PALE,
    SIZES,
    Box,
    Item,
    Mark,
    Point,
    Scene,
    Stroke,
    Text,
    arc,
    badges,
    bow,
    branch,
    cut_inside,
    edge_width,
    fill,
    ink,
    letter_over,
    on_curve,
    points_on,
    shorten,
    text_width,
    tint,
)
from .sheet import GAP, ROUNDED, Block, LegendEntry, Panelled, Sheet, best_panels, fitted, name_of, node_of
from .tree_layout import Fans, NodeRoom, TreeLayout, Zones, across, enters, lanes, levels, placed

# --- which nodes are kept


@dataclass(frozen=True)
class _Folded:
    """The kept part of a tree; its nodes are known by their index."""

    nodes: tuple[int, ...]  # their numbers in the whole tree, in prefix order
    reach: tuple[Number, ...] | None  # their probabilities, None without a profile
    parent: tuple[int, ...]  # the index of each node's parent, -1 at the root
    hidden: tuple[int, ...]  # how many moves of each node are folded away
    open: frozenset[int]  # the players' information sets of which some nodes are kept and some are not
    of: int  # how many nodes the whole tree has

    @property
    def hidden_nodes(self) -> int:
        return self.of - len(self.nodes)


def fold(tree: GameTree, profile: TreeProfile | None, options: DrawOptions) -> _Folded:
    """The nodes reached with more than ``options.reach`` and no deeper than ``options.depth``; the root always.

    Without a profile, ``options.reach`` must be None.
    """
    parents, sizes, depths = tree.parent.tolist(), tree.sizes.tolist(), tree.depth.tolist()
    at: dict[int, int] = {}  # the index of each kept node
    reach: list[ReachProduct] = []
    parent: list[int] = []
    hidden: list[int] = []
    node = 0
    while node < len(tree):
        above = at.get(parents[node], NONE)
        way, kept = ReachProduct(), True
        if node:
            k = tree.infoset[parents[node]]
            way = reach[above].then(profile.probabilities[k][tree.action[node]]) if profile else way
            kept = options.reach is None or way.likely > options.reach
            kept &= options.depth is None or depths[node] <= options.depth
        if not kept:
            node += sizes[node]
            continue
        at[node] = len(at)
        reach.append(way)
        parent.append(above)
        hidden.append(0 if tree.is_terminal(node) else len(tree.infosets[tree.infoset[node]].actions))
        if node:
            hidden[above] -= 1
        node += 1
    nodes = list(at)
    likely = tuple(way.likely for way in reach) if profile else None
    return _Folded(tuple(nodes), likely, tuple(parent), tuple(hidden), _open_sets(tree, nodes), len(tree))


def _open_sets(tree: GameTree, nodes: list[int]) -> frozenset[int]:
    # Shifted by one, so that ends, which are in no set, count too.
    every = np.bincount(tree.infoset + 1, minlength=len(tree.infosets) + 1)[1:]
    kept = np.bincount(tree.infoset[nodes] + 1, minlength=len(tree.infosets) + 1)[1:]
    partly = np.flatnonzero((kept > 0) & (kept < every))
    return frozenset(int(k) for k in partly if tree.infosets[k].player != CHANCE)


# --- what is said of each

LABEL_LETTERS = 36  # longer labels are cut in the middle; the whole of them is in the text shown on hovering
_TIP_NODES = 20_000  # trees over this size get values and beliefs only where they are asked for: both need every node


@dataclass(frozen=True, eq=False)
class _Node:
    """A kept node, with what is written at it; texts are empty where nothing is."""

    number: int  # in the whole tree
    above: int  # the index of its parent
    player: int
    infoset: int
    dead: bool  # the profile never reaches it, or only by a float solver's noise
    action: str  # leads to it
    likely: Number | None  # the probability of that move, None where nothing is known of it
    chance: str  # stands beside the name of that move
    payoffs: tuple[str, ...]  # of an end
    value: str  # the expected payoff
    whose: int  # the player of that payoff
    belief: str  # the probability within the information set
    hidden: int  # moves folded away
    tip: str  # shown on hovering

    @cached_property
    def label(self) -> str:
        return cut_inside(shorten(self.action, 10**6), LABEL_LETTERS)

    @cached_property
    def widths(self) -> tuple[float, float]:
        return text_width(self.label, SIZES.label), text_width(self.chance, SIZES.label, True)

    @property
    def stub(self) -> str:
        return f"+{self.hidden}" if self.hidden else ""


def _nodes_of(tree: GameTree, profile: TreeProfile | None, folded: _Folded, options: DrawOptions) -> list[_Node]:
    """The kept nodes by index into ``folded.nodes``."""
    small = len(tree) <= _TIP_NODES
    values = expected_payoffs(tree, profile) if profile is not None and (options.values or small) else None
    believed = None
    if profile is not None and (options.beliefs or small):
        believed = beliefs(tree, reaches(tree, profile))
    paid = payoffs_in_all(tree)
    one = has_value(tree)
    kept = Counter(tree.infoset[list(folded.nodes)].tolist())
    found = []
    for index, node in enumerate(folded.nodes):
        player, k, hidden = int(tree.player[node]), int(tree.infoset[node]), folded.hidden[index]
        reach = None if folded.reach is None else folded.reach[index]
        action, likely, chance = _move_to(tree, profile, options, node, reach == 0) if index else ("", None, "")
        payoffs = () if player >= CHANCE else tuple(exact_or(decimal, payoff, LONG) for payoff in paid(node))
        belief = believed[node] if believed is not None and player >= 0 else None
        alone = kept[k] == 1 and k not in folded.open
        # Of general sums nobody's payoff speaks for all where chance moves.
        valued = options.values and reach != 0 and (player >= 0 or (player == CHANCE and one))
        whose = 0 if one or player < 0 else player
        known = [
            "" if reach is None else f"reached with probability {full(reach)}",
            _named("expected payoffs", tree, map(full, values[node])) if values is not None and not payoffs else "",
            "" if belief is None else f"belief {full(belief)}",
            f"{hidden} moves not shown" if hidden else "",
            "the information set has nodes that are not shown" if k in folded.open else "",
        ]
        found.append(
            _Node(
                number=node,
                above=folded.parent[index],
                player=player,
                infoset=k,
                dead=reach == 0,
                action=action,
                likely=likely,
                chance=chance,
                payoffs=payoffs,
                value=exact_or(decimal, values[node][whose]) if valued and values is not None else "",
                whose=whose,
                belief=exact_or(percent, belief) if belief and options.beliefs and not alone else "",
                hidden=hidden,
                tip="\n".join(filter(None, [tree.node_labels.get(node), _about(tree, node, payoffs), *known])),
            )
        )
    return found


def _about(tree: GameTree, node: int, payoffs: tuple[str, ...]) -> str:
    if payoffs:
        return _named("payoffs", tree, payoffs)
    player, label = int(tree.player[node]), tree.names[int(tree.infoset[node])]
    who = "chance" if player == CHANCE else tree.players[player]
    return f"{who}: {label}" if label else who


def _named(what: str, tree: GameTree, numbers: Iterable[str]) -> str:
    return f"{what}: " + ", ".join(map(" ".join, zip(tree.players, numbers, strict=True)))


def _move_to(
    tree: GameTree, profile: TreeProfile | None, options: DrawOptions, node: int, dead: bool
) -> tuple[str, Number | None, str]:
    """The move to *node*, its probability, and what stands beside its name.

    That is nothing where it is certain, or a move that a player never makes.
    """
    k, a = int(tree.infoset[tree.parent[node]]), int(tree.action[node])
    infoset = tree.infosets[k]
    rule, by_chance = infoset.probabilities, infoset.player == CHANCE
    likely = settled(profile.probabilities[k][a]) if profile else rule[a] if rule else None
    chances: tuple[Number, ...] = () if likely is None else (likely,)
    # Chance moves are rules, and off the path too; what is played there is part of the strategy.
    if dead and options.style.mute_offpath and not by_chance:
        chances = ()
    if options.ranges is not None:
        chances = options.ranges.get((k, a), chances)
    ends = list(dict.fromkeys(exact_or(percent, p, LONG if by_chance else SHORT) for p in chances))
    # Where two ends look alike, the width of a line tells it, but not without a profile.
    ranged = len(ends) == 2 or (len(chances) == 2 and profile is None)
    single = bool(chances) and (0 < chances[0] < 1 or (by_chance and chances[0] == 0))
    return infoset.actions[a], likely, " to ".join(ends) if ranged else ends[0] if single else ""


class _TreeFacts:
    """The kept nodes with the words of the picture."""

    def __init__(self, tree: GameTree, profile: TreeProfile | None, folded: _Folded, options: DrawOptions) -> None:
        self.tree, self.profile, self.folded, self.options = tree, profile, folded, options
        self.nodes = _nodes_of(tree, profile, folded, options)
        self.badges = badges(tree.players)

    @property
    def rounded(self) -> bool:
        texts = (text for node in self.nodes for text in (node.chance, node.value, node.belief, *node.payoffs))
        return any(ROUGHLY in text for text in texts)


# --- where they stand


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
GAPS = (12.0, 5.0)  # extra room between the subtrees of the root, and of its children
_FAN_RIGHT = Fans(1 / 8, 26.0, 90.0)
_FAN_DOWN = Fans(1 / 24, 10.0, 26.0)


@dataclass(frozen=True)
class _Placement(Panelled):
    """The places of all nodes."""

    layout: TreeLayout
    inline: tuple[bool, ...]  # by level, whether probabilities stand beside the moves' names, not below them
    columns: tuple[float, ...]  # how wide each player's payoffs are
    ragged: bool  # they differ so much that each end's begin at the end
    panel: tuple[int, ...]  # the panel of each node
    starts: tuple[float, ...]  # by panel, where the root stands across
    shift: tuple[float, ...] = (0.0,)  # by panel, to the right
    up: tuple[float, ...] = (0.0,)  # by panel

    def at(self, along: float, across: float, panel: int = 0) -> Point:
        x, y = (along, across) if self.right else (across, along)
        return x + self.shift[panel], y - self.up[panel]


def placement(facts: _TreeFacts, right: bool, along: float = 0.0, spread: float = 1.0) -> _Placement:
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
    enter = enters(parent, level)
    inline = _inline(facts, enter, columns, right)
    ends = sum(1 for row in rows if row)
    row = max(ROOM.open_end + 7 if facts.folded.open else 22.0, min(34.0, ROOM.small / max(ends, 1)))
    rooms = [_room(facts, node, row, right, inline[at], noted) for node, at in zip(nodes, enter, strict=True)]
    gap, gaps = (0.0, GAPS) if right else (ROOM.leaf_gap, (10.0,))
    place, low, high = across(parent, level, rooms, not right, gap, gaps)
    place = tuple(spread * one for one in place)
    groups, pads = _groups(facts, level)
    lane, counts = lanes(level, groups, place, pads)
    zones = _zones(facts, level, counts, inline, right, len(columns))
    fans = _FAN_RIGHT if right else _FAN_DOWN
    beyond: list[float] = []
    if right:
        paid = _paid_room(columns)
        ending = {at for at, payoffs in zip(level, rows, strict=True) if payoffs}
        deeper = [zone.labels for zone in zones[1:]] + [0.0]
        beyond = [(paid - room if at in ending else 0.0) for at, room in enumerate(deeper)]
    found = placed(parent, level, place, (low, high), lane, counts, zones, replace(fans, extra=along, beyond=beyond))
    size = (found.height, found.width) if right else (found.width, found.height)
    # Whether some payoff, its last digit below those of the others, would stand far from its end.
    pairs = ((wide, text_width(one, SIZES.label)) for row in rows for one, wide in zip(row, columns, strict=False))
    ragged = any(wide - narrow > ROOM.far for wide, narrow in pairs)
    one = ((0,) * len(nodes), (found.across[0],))
    return _Placement(*size, found, inline, columns, ragged, *one, right=right, steps=max(level))


def _paid_room(columns: Sequence[float]) -> float:
    return 9 + sum(columns) + ROOM.pay_gap * len(columns)


def _inline(facts: _TreeFacts, enter: Sequence[int], columns: Sequence[float], right: bool) -> tuple[bool, ...]:
    """The levels at which a move's name and probability stand on one line: all, or of trees that go down, where few."""
    count = 1 + max(enter)
    if right:
        return (True,) * count
    leaves = sum(1 for node in facts.nodes if node.payoffs) or 1
    usual = leaves * (max([*columns, 12.0]) + ROOM.leaf_gap)
    wide = [0.0] * count
    for node, at in zip(facts.nodes, enter, strict=True):
        wide[at] += _beside(node) + ROOM.leaf_gap
    return tuple(width < 0.8 * usual for width in wide)


def _beside(node: _Node) -> float:
    label, chance = node.widths
    return label + chance + (ROOM.beside if label and chance else 0)


def _aside(note: str) -> float:
    return ROOM.aside + text_width(note, SIZES.note) if note else 0.0


def _room(facts: _TreeFacts, node: _Node, row: float, right: bool, inline: bool, noted: bool) -> NodeRoom:
    goes_on = (ROOM.open_end + ROOM.open_gap / 2) if node.infoset in facts.folded.open and node.player >= 0 else 0.0
    if right:
        # Notes are written at inner nodes: there is room for them above and below.
        half = row / 2
        if noted and not node.payoffs:
            note = (SIZES.note + 2) * bool(node.value or node.belief or node.stub)
            half = max(half, SIZES.node + 1.5 + note)
        return NodeRoom(row / 2, max(half, goes_on), max(half, goes_on))
    label = (_beside(node) if inline else max(node.widths)) / 2
    if node.payoffs:
        wide = max(text_width(paid, SIZES.label) for paid in node.payoffs) / 2
        return NodeRoom(label, wide, wide)
    least = max(SIZES.node + 2, goes_on)
    return NodeRoom(label, max(least, _aside(node.belief)), max(least, _aside(node.value), _aside(node.stub)))


def _groups(facts: _TreeFacts, level: Sequence[int]) -> tuple[list[list[int]], list[float]]:
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
    facts: _TreeFacts, level: Sequence[int], counts: Sequence[int], inline: Sequence[bool], right: bool, players: int
) -> list[Zones]:
    size = len(counts)
    labels, chances, left, above, below = ([0.0] * size for _ in range(5))
    ending = [False] * size
    for node, at, enter in zip(facts.nodes, level, enters(facts.folded.parent, level), strict=True):
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


def _panelled(facts: _TreeFacts, whole: _Placement) -> _Placement:
    """*whole*, or its best way into columns, where it goes right, is tall and no lines hold it."""
    sets = [node.infoset for node in facts.nodes if node.player >= 0]
    if not whole.right or len(set(sets)) < len(sets):
        return whole
    y, half, above = whole.layout.across, 11.0, facts.folded.parent
    return best_panels(whole, above, lambda k: (y[k] - half, y[k] + half), partial(_in_columns, whole, above))


def _in_columns(whole: _Placement, above: Sequence[int], groups: Sequence[Block]) -> _Placement:
    y, along = whole.layout.across, whole.layout.along
    panel, starts, shifts, shift = [0], list[float](), list[float](), 0.0
    for number, group in enumerate(groups):
        panel += [number] * len(group.nodes)
        tops = [y[index] for index in group.nodes if above[index] == 0]
        starts.append((tops[0] + tops[-1]) / 2)
        shifts.append(shift)
        shift += max(along[index] for index in group.nodes) + _paid_room(whole.columns) + GAP
    return replace(
        whole,
        width=shift - GAP,
        height=max(group.bottom - group.top for group in groups),
        panel=tuple(panel),
        starts=tuple(starts),
        shift=tuple(shifts),
        up=tuple(group.top for group in groups),
        count=len(groups),
    )


# --- what is drawn


MOST_ON_SLIDE = 600
"""A tree of more nodes is no slide: where ends stand side by side, letters of 9 pixels leave room for some 150."""


def compose_scene(tree: GameTree, profile: TreeProfile | None, options: DrawOptions) -> Scene:
    """The scene of *tree* with *profile* on it.

    Raises ``PictureTooLargeError`` before anything is laid out, ``PictureTooSmallError`` where letters would be too
    small for what the picture is for, and ``ParameterError`` for a reach, or values or beliefs, without a profile.
    """
    if options.reach is None and options.depth is None:
        check_size(len(tree), options, profile is not None)
    folded = fold(tree, profile, options)
    check_size(len(folded.nodes), options, profile is not None)
    facts = _TreeFacts(tree, profile, folded, options)
    ways = {"auto": (True, False), "right": (True,), "down": (False,)}[options.style.direction]

    def drawn(layout: _Placement, corner: Point) -> tuple[Item, ...]:
        board = _TreeItems(facts, layout, *corner)
        return board.clear_sets((*board.infosets(), *board.edges(), *board.marks(), *board.again(), *board.texts()))

    sheet = Sheet(tree, options, _description(facts), partial(_legend, facts), drawn)
    if options.style.purpose == "auto" and len(folded.nodes) > MOST_ON_SLIDE:
        sheet = sheet.for_purpose("free")
    return fitted([partial(placement, facts, right) for right in ways], sheet, partial(_panelled, facts))


def _description(facts: _TreeFacts) -> str:
    counts = facts.tree.node_counts
    parts = [
        f"Game tree of {counts['nodes']:,} nodes, {counts['terminal_nodes']:,} of them ends, "
        f"for {', '.join(facts.tree.players)}."
    ]
    if facts.profile is not None:
        parts.append("The strategy profile is written on the edges; what it never reaches is dashed.")
    if facts.folded.hidden_nodes:
        parts.append(f"{facts.folded.hidden_nodes:,} nodes are not shown.")
    return " ".join(parts)


_NOTES = ("value", "belief", "stub")
_MOVES = sorted(product(range(-48, 49, 2), range(-32, 33, 2)), key=lambda way: (hypot(*way), way))
"""Ways to move a note aside, the shortest first, in pixels."""

_NEARBY = 150.0  # A note is nowhere farther than this from its first place, in pixels
_BENDS = (0.0, *(way * bend for bend in (24.0, 48.0, 80.0, 120.0, 180.0, 260.0) for way in (1, -1)))
"""How far a curve between levels may bend aside, the first that keeps clear of nodes."""


class _TreeItems:
    """Turns facts and places into items, kind by kind, so that each kind lies above the one before."""

    def __init__(self, facts: _TreeFacts, placed: _Placement, left: float, top: float) -> None:
        self.facts, self.placed, self.left, self.top, self.nodes = facts, placed, left, top, facts.nodes
        self.mute = facts.options.style.mute_offpath
        self.at = [self.point(index, along) for index, along in enumerate(placed.layout.along)]
        self.children: dict[int, list[int]] = {}
        for index, node in enumerate(facts.nodes):
            self.children.setdefault(node.above, []).append(index)

    def point(self, index: int, along: float, across: float | None = None) -> Point:
        if across is None:
            across = self.placed.layout.across[index] if index else self.placed.starts[0]
        x, y = self.placed.at(along, across, self.placed.panel[index])
        return self.left + x, self.top + y

    def _flowing(self, curve: Callable[..., tuple[Point, ...]], *points: Point) -> tuple[Point, ...]:
        if self.placed.right:
            return curve(*points)
        return tuple((y, x) for x, y in curve(*((y, x) for x, y in points)))

    def opacity(self, index: int) -> float:
        return DIM if self.mute and self.nodes[index].dead else 1.0

    def width(self, index: int) -> float:
        node = self.nodes[index]
        if self.facts.profile is None:
            return edge_width(None)
        return edge_width((node.likely or 0) * (Fraction(1, 3) if node.dead else 1))

    def dash(self, index: int) -> tuple[float, ...]:
        return SIZES.dashes if self.nodes[index].dead and not self.mute else ()

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
            lines[k] = [replace(line, dash=SIZES.sparse_dots) for line in drawn] if sparse else drawn
            yield from lines[k]

    def _joint(self, k: int, one: int, other: int, straight: bool) -> Stroke:
        a, b = self.at[one], self.at[other]
        return Stroke(
            points=(a, b) if straight else self._arc(one, other),
            color=fill(self.facts.tree.infosets[k].player),
            width=SIZES.set_line,
            role="infoset",
            node=self.nodes[other].number,
            source=self.nodes[one].number,
            curved=not straight,
            opacity=max(self.opacity(one), self.opacity(other)),
            dash=SIZES.dots,
            tip=self.facts.tree.names[k],
        )

    def _arc(self, one: int, other: int) -> tuple[Point, ...]:
        a, b = self.at[one], self.at[other]
        foreign = [at for index, at in enumerate(self.at) if index not in (one, other)]
        curves = [self._flowing(partial(arc, aside=aside), a, b) for aside in _BENDS]
        curves += [bow(a, b, aside) for aside in _BENDS]

        def clear(curve: tuple[Point, ...]) -> float:
            """The least distance from other nodes; less than 0 if it leaves the picture."""
            way = [on_curve(curve, step / 96) for step in range(97)]
            if not all(
                self.left <= x <= self.left + self.placed.width and self.top <= y <= self.top + self.placed.height
                for x, y in way
            ):
                return -1.0
            return min((dist(point, at) for point in way[1:-1] for at in foreign), default=SIZES.node + 3)

        return next((curve for curve in curves if clear(curve) >= SIZES.node + 3), None) or max(curves, key=clear)

    def _enclosures(self, k: int, indices: Sequence[int]) -> Iterator[Box]:
        if len(indices) == 1 and k not in self.facts.folded.open:
            return
        player = self.facts.tree.infosets[k].player
        reach = self.placed.at(SIZES.node + ROOM.narrow, SIZES.node + ROOM.enclosed)
        for _, group in groupby(indices, key=lambda index: self.placed.layout.level[index]):
            places = [self.at[index] for index in group]
            left, top = (min(place[axis] for place in places) - reach[axis] for axis in (0, 1))
            right, bottom = (max(place[axis] for place in places) + reach[axis] for axis in (0, 1))
            shape = (left, top, right - left, bottom - top)
            corner, tip = SIZES.node + ROOM.narrow, self.facts.tree.names[k]
            yield Box(*shape, tint(player), "infoset", rim=fill(player), line=0.9, round=corner, tip=tip)

    def _open_ends(self, k: int, indices: Sequence[int]) -> Iterator[Stroke]:
        axis = 1 if self.placed.right else 0
        ordered = sorted(indices, key=lambda index: self.at[index][axis])
        color, tip = fill(self.facts.tree.infosets[k].player), f"{self.facts.tree.names[k]}: goes on in moves not shown"
        for index, way in ((ordered[0], -1), (ordered[-1], 1)):
            (x, y), node = self.at[index], self.nodes[index].number
            near, far = way * (SIZES.node + 2.2), way * ROOM.open_end
            points = ((x, y + near), (x, y + far)) if self.placed.right else ((x + near, y), (x + far, y))
            opacity, dash = self.opacity(index), SIZES.stub_dots
            yield Stroke(points, color, SIZES.set_line, "open", node, node, opacity=opacity, dash=dash, tip=tip)

    def edges(self) -> Iterator[Stroke]:
        """Each node's stem and its branches; those off the path first, so that they lie below."""
        for index in sorted(range(len(self.nodes)), key=lambda index: not self.nodes[index].dead):
            if index in self.children:
                yield from self._stems(index)
            if index:
                yield self._edge(index, self.nodes[index])

    def _edge(self, index: int, node: _Node) -> Stroke:
        layout, above = self.placed.layout, node.above
        start = layout.across[above] if above else self.placed.starts[self.placed.panel[index]]
        bend = self.point(index, layout.bend[layout.level[above]], start)
        label = self.point(index, layout.label[layout.enter[index]])
        parent = self.nodes[above]
        return Stroke(
            points=self._flowing(branch, bend, label, self.at[index]),
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

    def _roots(self) -> list[Point]:
        along = self.placed.layout.along[0]
        places = [self.placed.at(along, start, panel) for panel, start in enumerate(self.placed.starts)]
        return [(self.left + x, self.top + y) for x, y in places]

    def _stems(self, index: int) -> Iterator[Stroke]:
        """All of a player's moves together are certain; of chance moves the widest sets the width."""
        node, layout = self.nodes[index], self.placed.layout
        width = edge_width(Fraction(1, 3) if node.dead else 1)
        if self.facts.profile is None or node.player == CHANCE:
            width = max(map(self.width, self.children[index]))
        length = layout.bend[layout.level[index]] - layout.along[index] + (0.0 if node.dead else 0.5)  # or a seam shows
        color, at, opacity = fill(node.player), node.number, self.opacity(index)
        for x, y in self._roots() if index == 0 else [self.at[index]]:
            end = (x + length, y) if self.placed.right else (x, y + length)
            yield Stroke(((x, y), end), color, width, "stem", at, at, False, opacity, self.dash(index))

    def again(self) -> Iterator[Item]:
        for x, y in self._roots()[1:]:
            yield from node_of(x, y, self.nodes[0].player, self.facts.badges, "again")

    def marks(self) -> Iterator[Mark]:
        for index, (node, (x, y)) in enumerate(zip(self.nodes, self.at, strict=True)):
            known = (node.number, self.opacity(index), node.tip)
            if node.player == CHANCE:
                yield Mark("diamond", x, y, SIZES.node, GREY, "chance", *known)
            elif node.player >= 0:
                yield Mark("circle", x, y, SIZES.node, fill(node.player), "decision", *known)
            else:
                yield Mark("circle", x, y, SIZES.end, INK, "end", *known)

    def texts(self) -> Iterator[Item]:
        for index, (node, (x, y)) in enumerate(zip(self.nodes, self.at, strict=True)):
            number, player = node.number, node.player
            if player >= 0:
                badge, color = self.facts.badges[player], GREY if self.opacity(index) < 1 else letter_over(fill(player))
                yield Text(x, y + 0.36 * SIZES.badge, badge, SIZES.badge, color, "badge", number, "middle", True)
            if index:
                yield from self._move_texts(index, node)
            yield from self._payoffs(node, x, y)
            # What the node is worth and its folded moves on the side of its moves, its belief on the other side.
            above, below = y - SIZES.node - 2.0, y + SIZES.node + SIZES.note - 0.5
            if node.value:
                yield Text(x + ROOM.aside, above, node.value, SIZES.note, ink(node.whose), "value", number, halo=True)
            if node.belief:
                yield Text(x - ROOM.aside, below, node.belief, SIZES.note, INK, "belief", number, "end", halo=True)
            if node.stub:
                yield Text(x + ROOM.aside, below, node.stub, SIZES.note, PALE, "stub", number, halo=True)

    def clear_sets(self, items: tuple[Item, ...]) -> tuple[Item, ...]:
        """Move each note off the curves of information sets, to the nearest place that covers nothing."""
        curves = [item for item in items if isinstance(item, Stroke) and item.role == "infoset" and item.curved]
        if not curves:
            return items
        found = list(items)
        on_sets = np.array([point for curve in curves for point in points_on(curve)])
        every = np.array([point for item in items if isinstance(item, Stroke) for point in points_on(item)])
        for k, note in enumerate(items):
            if not isinstance(note, Text) or note.role not in _NOTES or not _covers(note, on_sets, SIZES.set_line / 2):
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
        return within and not met and not _covers(note, lines, SIZES.set_line)

    def _payoffs(self, node: _Node, x: float, y: float) -> Iterator[Text]:
        end = x + 9.0
        for p, paid in enumerate(node.payoffs):
            if self.placed.right and self.placed.ragged:
                yield Text(end, y + 4.0, paid, SIZES.label, ink(p), "payoff", node.number)
                end += text_width(paid, SIZES.label) + ROOM.pay_gap
            elif self.placed.right:
                end += self.placed.columns[p]
                yield Text(end, y + 4.0, paid, SIZES.label, ink(p), "payoff", node.number, "end")
                end += ROOM.pay_gap
            else:
                line = y + SIZES.end + SIZES.label + p * ROOM.line
                yield Text(x, line, paid, SIZES.label, ink(p), "payoff", node.number, "middle")

    def _move_texts(self, index: int, node: _Node) -> Iterator[Text]:
        """The move's name and its probability: above the line, or in the middle of one that goes down.

        Side by side, but for some that go down: there the probability stands below the name. Halos interrupt the line.
        """
        enter, right, width = self.placed.layout.enter[index], self.placed.right, self.width(index)
        x, y = self.point(index, self.placed.layout.label[enter])
        level = right or bool(self.placed.inline[enter] and node.label and node.chance)
        y += -width / 2 - 3.0 if right else SIZES.label - 0.5
        x += 6.0 if right else -_beside(node) / 2 if level else 0.0
        faded, player = self.mute and node.dead, self.nodes[node.above].player
        look: Any = {"node": node.number, "anchor": "start" if level else "middle", "halo": not right}
        if node.label:
            yield Text(x, y, node.label, SIZES.label, GREY if faded else INK, "action", **look)
            x += node.widths[0] + (6.0 if right else ROOM.beside) if level else 0.0
            y += 0.0 if level else ROOM.line
        if node.chance:
            color = GREY if faded else ink(player)
            yield Text(x, y, node.chance, SIZES.label, color, "probability", bold=True, **look)


def _covers(note: Text, points: npt.NDArray[np.float64], near: float) -> bool:
    left, top, width, height = note.cleared
    away = points - (left, top)
    return bool(((away > -near) & (away < (width + near, height + near))).all(axis=1).any())


def _cross(one: Stroke, other: Stroke) -> bool:
    if not (one.curved or other.curved):
        return False
    points, others = (np.array(points_on(line)) for line in (one, other))
    return bool((np.linalg.norm(points[:, None] - others, axis=2) < 3 * SIZES.set_line).any())


# --- the legend


def _legend(facts: _TreeFacts, panels: int) -> Iterator[LegendEntry]:
    nodes, tree = facts.nodes, facts.tree
    if any(node.player == CHANCE for node in nodes):
        yield LegendEntry.node(CHANCE, facts.badges, "chance")
    names = [(name_of(name, player), ink(player)) for player, name in enumerate(tree.players)]
    for player, (name, color) in enumerate(names):
        yield LegendEntry.node(player, facts.badges, name, color)
    if any(node.payoffs for node in nodes):
        yield LegendEntry.end((("payoffs", INK), *names))
    personal = [node.infoset for node in nodes if node.player >= 0]
    if len(set(personal)) < len(personal):
        if facts.options.style.sets == "enclosed":
            box = Box(0, -6, 22, 12, tint(0), "legend", rim=fill(0), line=0.9, round=6)
            yield LegendEntry.said("information set", (box,), 22)
        else:
            line = Stroke(((2, -8), (2, 8)), fill(0), SIZES.set_line, "legend", dash=SIZES.dots)
            yield LegendEntry.said("dotted: information set", (line,), 4)
    if facts.folded.open:
        ends = (((4, way * 5.6), (4, way * 10.4)) for way in (-1, 1))
        stubs = (Stroke(points, fill(0), SIZES.set_line, "legend", dash=SIZES.dots) for points in ends)
        icon: tuple[Item, ...] = (*stubs, Mark("circle", 4, 0, 3.6, fill(0), "legend"))
        yield LegendEntry.said("dotted stub: the set goes on in moves not shown", icon, 8)
    if panels > 1:
        words = f"at the left of {'both' if panels == 2 else f'all {panels}'} columns: one and the same start"
        yield LegendEntry.node(nodes[0].player, facts.badges, words)
    if facts.profile is not None:
        yield from _played(facts)
    if facts.rounded:
        yield ROUNDED
    if facts.folded.hidden_nodes:
        hidden, every = facts.folded.hidden_nodes, facts.folded.of
        words = f"n moves folded away here; {hidden:,} of {every:,} nodes are not shown"
        yield LegendEntry.note("+n", words, 3)


def _played(facts: _TreeFacts) -> Iterator[LegendEntry]:
    yield LegendEntry.widths()
    if any(node.dead for node in facts.nodes):
        if facts.options.style.mute_offpath:
            line = Stroke(((0, 0), (22, 0)), INK, SIZES.plain_line, "legend", opacity=DIM)
            yield LegendEntry.said("faded: never reached", (line,), 22)
        else:
            line = Stroke(((0, 0), (22, 0)), INK, SIZES.plain_line, "legend", dash=SIZES.dashes)
            yield LegendEntry.said("dashed: off the path of play", (line,), 22)
    whose = f"of {facts.tree.players[0]}" if has_value(facts.tree) else "of the player who moves"
    for written, color, words in (
        ([node.value for node in facts.nodes], ink(0), f"above a node: expected payoff {whose}"),
        ([node.belief for node in facts.nodes], INK, "below a node: belief"),
    ):
        # The sample is a number of the picture: the first that is not a whole one, where there is one.
        if numbers := list(filter(None, written)):
            sample = next((text for text in numbers if not text.lstrip("−").isdigit()), numbers[0])
            yield LegendEntry.note(sample, words, 2, color)


# --- how much of what the table sees has room

TABLE_NODES = 150  # nodes of what the table sees that fit on a page


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
            compose_scene(seen.tree, seen, replace(options, reach=reach))
        except (PictureTooLargeError, PictureTooSmallError):
            return False
        return True

    if len(seen.tree) <= whole and fits(None):
        return None
    reached = np.array(reaches(seen.tree, seen), dtype=float)
    digits = (10, 30) if endless else (10, 12, 15, 20, 25, 30, 40, 50, 60, 80)
    rising = [Fraction(digit, 10**zeros) for zeros in range(7, 1, -1) for digit in digits]
    # A hair more than the number itself: a node of just that probability must not count by rounding.
    few = (reach for reach in rising if (reached > float(reach) * (1 + 1e-9)).sum() <= TABLE_NODES)
    return next((reach for reach in few if fits(reach)), rising[-1])
