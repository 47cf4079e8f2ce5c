"""The view ``"tree"``: every node of a game tree by itself, from left to right on Gambit's layout.

In five steps: which nodes are kept (``fold``), what is said of each (``Facts``), where it stands (``place``), what
is drawn of it (``_TreeItems``), and the legend.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, pairwise

import numpy as np

from ...base.rationals import Number
from ...base.words import alike, decimal, full, percent
from ...forms.extensive import CHANCE, NONE, GameTree, scaled_payoffs
from ...proof.reach import Way, beliefs, expected_payoffs, reaches, settled
from ...strategies.tree_profile import TreeProfile
from .options import DrawOptions, check_size, check_unplayed
from .scene import Item, Mark, Point, Scene, Stroke, Text, arc, branch
from .sheet import (
    GAP,
    LEAST_WIDTH,
    MARGIN,
    Block,
    LegendEntry,
    Panelled,
    best_panels,
    divides,
    head,
    name_of,
    node_entry,
    node_of,
    note_entry,
    say,
    width_entry,
)
from .style import (
    DIM,
    DOTS,
    END_RADIUS,
    GREY,
    INK,
    LABEL_SIZE,
    NOTE_SIZE,
    PALE,
    PLAIN_LINE,
    RADIUS,
    SET_LINE,
    STUB_DOTS,
    badges,
    edge_width,
    fill,
    ink,
    letter_on,
    shorten,
    text_width,
)

# --- which nodes are kept


@dataclass(frozen=True)
class Folded:
    """The kept part of a tree.

    ``nodes`` are the kept nodes' numbers in the whole tree, in prefix order, and ``reach`` their
    probabilities (None without a profile); ``parent`` is each one's parent as an index into ``nodes`` (-1 at
    the root) and ``hidden`` how many of its moves are folded away; ``open`` are the players' information sets
    of which some nodes are kept and some are not; ``of`` is how many nodes the whole tree has.
    """

    nodes: tuple[int, ...]
    reach: tuple[Number, ...] | None
    parent: tuple[int, ...]
    hidden: tuple[int, ...]
    open: frozenset[int]
    of: int

    @property
    def hidden_nodes(self) -> int:
        """How many nodes are not shown."""
        return self.of - len(self.nodes)


def fold(tree: GameTree, profile: TreeProfile | None, options: DrawOptions) -> Folded:
    """The nodes reached with more than ``options.reach`` and no deeper than ``options.depth``; the root always.

    Without a profile, ``options.reach`` must be None.
    """
    limit = options.reach
    sizes, infosets = tree.sizes.tolist(), tree.infoset.tolist()
    nodes: list[int] = []
    reach: list[Number] = []
    parent: list[int] = []
    hidden: list[int] = []
    stack: list[tuple[int, Way, int, int]] = [(0, Way(), NONE, 0)]
    while stack:
        node, way, above, depth = stack.pop()
        index = len(nodes)
        nodes.append(node)
        reach.append(way.likely)
        parent.append(above)
        k = infosets[node]
        if k == NONE:
            hidden.append(0)
            continue
        row = profile.probabilities[k] if profile else None
        moves = len(tree.infosets[k].actions)
        kept: list[tuple[int, Way, int, int]] = []
        child = node + 1
        for action in range(moves if depth != options.depth else 0):
            then = way.then(row[action]) if row else way
            if limit is None or then.likely > limit:
                kept.append((child, then, index, depth + 1))
            child += sizes[child]
        hidden.append(moves - len(kept))
        stack.extend(reversed(kept))
    return Folded(
        nodes=tuple(nodes),
        reach=tuple(reach) if profile else None,
        parent=tuple(parent),
        hidden=tuple(hidden),
        open=_open_sets(tree, nodes),
        of=len(tree),
    )


def _open_sets(tree: GameTree, nodes: list[int]) -> frozenset[int]:
    """The players' information sets with kept nodes and folded ones."""
    # Shifted by one, so that ends, which are in no set, count too.
    every = np.bincount(tree.infoset + 1, minlength=len(tree.infosets) + 1)[1:]
    kept = np.bincount(tree.infoset[nodes] + 1, minlength=len(tree.infosets) + 1)[1:]
    partly = np.flatnonzero((kept > 0) & (kept < every))
    return frozenset(int(k) for k in partly if tree.infosets[k].player != CHANCE)


def shadow(tree: GameTree, folded: Folded) -> str:
    """The kept nodes alone as an .efg text, for laying out: same shape, plain labels, nothing paid.

    Members of an information set that keep different moves go into different sets, since all members of
    a set must have as many moves; a node that keeps none is an end.
    """
    kept: list[list[int]] = [[] for _ in folded.nodes]
    for index, above in enumerate(folded.parent):
        if above != NONE:
            kept[above].append(int(tree.action[folded.nodes[index]]))
    sets: dict[tuple[int, tuple[int, ...]], str] = {}
    count = dict.fromkeys(range(CHANCE, len(tree.players)), 0)
    lines = [
        f'EFG 2 R "layout" {{ {" ".join(f"{chr(34)}Player {p + 1}{chr(34)}" for p in range(len(tree.players)))} }}'
    ]
    for node, moves in zip(folded.nodes, kept, strict=True):
        player, key = int(tree.player[node]), (int(tree.infoset[node]), tuple(moves))
        if not moves:
            lines.append(f't "" 1 "" {{ {" ".join("0" for _ in tree.players)} }}')
            continue
        if key not in sets:
            count[player] += 1
            # How likely the moves are does not matter to a layout; they must only sum to 1.
            share = f" 1/{len(moves)}" if player == CHANCE else ""
            who = f'c "" {count[player]}' if player == CHANCE else f'p "" {player + 1} {count[player]}'
            sets[key] = f'{who} "" {{ {" ".join(f"{chr(34)}m{k}{chr(34)}{share}" for k in range(len(moves)))} }} 0'
        lines.append(sets[key])
    return "\n".join([*lines, ""])


# --- what is said of each

LABEL_LETTERS = 24
"""Longer labels are cut; the whole of them is in the text shown on hovering."""

_TIP_NODES = 20_000
"""Trees over this size get values and beliefs only where they are asked for: both need every node."""


@dataclass(frozen=True)
class Node:
    """A kept node. ``number`` is its own in the whole tree, ``above`` its parent's index among the kept ones.

    ``player`` moves at ``infoset``; ``dead``: the profile never reaches it, or only by a float solver's noise.
    ``action`` leads to it, with probability ``likely`` (None where nothing is known of it); ``chances``, one number or
    the ends of a range, stand beside it. ``payoffs`` are those of an end; ``value`` is the expected payoff of
    ``whose``, and ``belief`` the probability within the information set, None where they are not written. ``hidden``
    moves are folded away; ``known`` is what the text shown on hovering says of play.
    """

    number: int
    above: int
    player: int
    infoset: int
    dead: bool
    action: str
    likely: Number | None
    chances: tuple[Number, ...]
    payoffs: tuple[Number, ...]
    value: Number | None
    whose: int
    belief: Number | None
    hidden: int
    known: tuple[str, ...]

    @property
    def opacity(self) -> float:
        """Of all that is drawn of it."""
        return DIM if self.dead else 1.0

    @property
    def label(self) -> str:
        """The move's name as it is drawn."""
        return shorten(self.action, LABEL_LETTERS)

    @property
    def stub(self) -> str:
        """How many of the moves are folded away; empty for none."""
        return f"+{self.hidden}" if self.hidden else ""


def nodes_of(tree: GameTree, profile: TreeProfile | None, folded: Folded, options: DrawOptions) -> list[Node]:
    """The kept nodes by index into ``folded.nodes``, and what is known of each."""
    small = len(tree) <= _TIP_NODES
    values = expected_payoffs(tree, profile) if profile is not None and (options.values or small) else None
    believed = None
    if profile is not None and (options.beliefs or small):
        believed = beliefs(tree, reaches(tree, profile))
    paid, scale = scaled_payoffs(tree)
    one = divides(tree)
    kept = Counter(tree.infoset[list(folded.nodes)].tolist())
    found = []
    for index, node in enumerate(folded.nodes):
        player, k, known = int(tree.player[node]), int(tree.infoset[node]), []
        dead = folded.reach is not None and folded.reach[index] == 0
        action, likely = "", None
        chances: tuple[Number, ...] = ()
        if index:
            j, a = int(tree.infoset[tree.parent[node]]), int(tree.action[node])
            row = tree.infosets[j].probabilities if profile is None else profile.probabilities[j]
            action, likely = tree.infosets[j].actions[a], None if row is None else settled(row[a])
            chances = () if dead or likely is None else (likely,)
            if options.ranges is not None:
                chances = options.ranges.get((j, a), chances)
        if folded.reach is not None:
            known.append(f"reached with probability {full(folded.reach[index])}")
        if values is not None and player >= CHANCE:
            pairs = zip(tree.players, values[node], strict=True)
            known.append("expected payoffs: " + ", ".join(f"{name} {full(value)}" for name, value in pairs))
        belief = believed[node] if believed is not None and player >= 0 else None
        if belief is not None:
            known.append(f"belief {full(belief)}")
        alone = kept[k] == 1 and k not in folded.open
        # Of general sums nobody's payoff speaks for all where chance moves.
        valued = options.values and values is not None and not dead and (player >= 0 or (player == CHANCE and one))
        whose = 0 if one or player < 0 else player
        found.append(
            Node(
                number=node,
                above=folded.parent[index],
                player=player,
                infoset=k,
                dead=dead,
                action=action,
                likely=likely,
                chances=chances,
                payoffs=() if player >= CHANCE else tuple(Fraction(int(p), scale) for p in paid[node]),
                value=values[node][whose] if valued and values is not None else None,
                whose=whose,
                belief=belief or None if options.beliefs and not alone else None,
                hidden=folded.hidden[index],
                known=tuple(known),
            )
        )
    return found


class Facts:
    """The kept nodes with the words of the picture: numbers are written the same way in all of it."""

    def __init__(self, tree: GameTree, profile: TreeProfile | None, folded: Folded, options: DrawOptions) -> None:
        self.tree, self.profile, self.folded, self.options = tree, profile, folded, options
        self.nodes = nodes_of(tree, profile, folded, options)
        self.badges = badges(tree.players)
        values = [node.value for node in self.nodes if node.value is not None]
        self._payoff = alike([*values, *(p for node in self.nodes for p in node.payoffs)], decimal)
        ends = [p for node in self.nodes for p in node.chances if len(node.chances) == 2]
        moves = [node.likely for node in self.nodes if not node.dead and node.likely is not None and node.likely < 1]
        believed = [node.belief for node in self.nodes if node.belief is not None]
        self._chance = alike([*ends, *moves, *believed], percent)

    def chance(self, node: Node) -> str:
        """What stands beside the move's name: nothing where it is certain, or where the node is never reached."""
        ends = dict.fromkeys(map(self._chance, node.chances))
        return " to ".join(ends) if len(ends) == 2 or (ends and node.chances[0] < 1) else ""

    def payoffs(self, node: Node) -> tuple[str, ...]:
        """What every player has in the end."""
        return tuple(map(self._payoff, node.payoffs))

    def value(self, node: Node) -> str:
        """The expected payoff written above a node; empty at ends and where never reached."""
        return "" if node.value is None else self._payoff(node.value)

    def belief(self, node: Node) -> str:
        """The belief written below a node: empty where never reached, or the node is all of its information set."""
        return "" if node.belief is None else self._chance(node.belief)

    def tip(self, node: Node) -> str:
        """All that is known of a node, in lines."""
        lines = [label] if (label := self.tree.node_labels.get(node.number)) else []
        if node.payoffs:
            pairs = zip(self.tree.players, self.payoffs(node), strict=True)
            lines.append("payoffs: " + ", ".join(f"{name} {paid}" for name, paid in pairs))
        else:
            who = "chance" if node.player == CHANCE else self.tree.players[node.player]
            label = self.tree.names[node.infoset]
            lines.append(f"{who}: {label}" if label else who)
        lines += node.known
        if node.hidden:
            lines.append(f"{node.hidden} moves not shown")
        if node.infoset in self.folded.open:
            lines.append("the information set has nodes that are not shown")
        return "\n".join(lines)


# --- where it stands

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
class Panels:
    """Which panel each kept node is in, its height within it, and the height of the root in each of them."""

    of: tuple[int, ...]
    y: tuple[float, ...]
    start: tuple[float, ...]

    def height_of(self, above: int, index: int) -> float:
        """The height of the node *above*, as the panel of its child *index* has it."""
        return self.start[self.of[index]] if above == 0 else self.y[above]


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
class Layout(Panelled):
    """``x`` and ``y`` of each kept node's centre; ``bend[level]`` is where that level's branches leave their
    stems, ``label[level]`` where labels of moves into that level begin, both from the left of a panel: that is
    ``shift[panel]``; ``panels``: which node is in which."""

    level: tuple[int, ...]
    x: tuple[float, ...]
    y: tuple[float, ...]
    bend: tuple[float, ...]
    label: tuple[float, ...]
    shift: tuple[float, ...]
    panels: Panels

    def left(self, index: int) -> float:
        """Where the panel of the node of that *index* begins."""
        return self.shift[self.panels.of[index]]


def gambit_coordinates(tree: GameTree, folded: Folded) -> list[tuple[int, int, float]]:
    """Gambit's (level, sublevel, offset) of each kept node."""
    from ...interop.gambit.adapter import layout

    return list(layout(shadow(tree, folded)))


def place(tree: GameTree, folded: Folded, coordinates: Sequence[tuple[int, int, float]], needs: Needs) -> Layout:
    """Pixels for *coordinates* that leave the room in *needs*; of all ways to break it, the best for a slide."""
    y = _rows(folded, coordinates, needs)
    slotted = _slots(tree, folded, coordinates, y)
    whole = _placed(folded, coordinates, needs, slotted, Panels((0,) * len(y), y, (y[0],)))
    if not _holds_nothing(tree, folded):
        return whole
    blocks = _subtrees(folded, y, needs.row)
    return best_panels(
        whole,
        needs.width,
        blocks,
        lambda groups: _placed(folded, coordinates, needs, slotted, _panels(y, groups)),
    )


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
class _LevelColumns:
    """By level: where labels begin, the middle of the first slot, how wide a slot is, where stems end."""

    label: list[float]
    first: list[float]
    pitch: list[float]
    bend: list[float]
    end: float


def _subtrees(folded: Folded, y: Sequence[float], row: float) -> list[Block]:
    """The root's subtrees, in order."""
    first = [index for index, above in enumerate(folded.parent) if above == 0]
    spans = (range(a, b) for a, b in pairwise([*first, len(y)]))
    return [Block(span, min(y[k] for k in span) - row / 2, max(y[k] for k in span) + row / 2) for span in spans]


def _panels(y: Sequence[float], groups: Sequence[Sequence[Block]]) -> Panels:
    of, height, start = [0] * len(y), list(y), []
    for panel, group in enumerate(groups):
        for index in (index for block in group for index in block.nodes):
            of[index], height[index] = panel, y[index] - group[0].top
        start.append((height[group[0].nodes[0]] + height[group[-1].nodes[0]]) / 2)
    height[0] = start[0]
    return Panels(tuple(of), tuple(height), tuple(start))


def _columns(counts: Sequence[int], drops: Sequence[float], needs: Needs, extra: float) -> _LevelColumns:
    """The columns of the levels with *extra* pixels in each fan; the steeper its branches, the wider a fan is."""
    columns = _LevelColumns([], [], [], [], 0.0)
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


# --- what is drawn

_SMALL = 400.0
"""The height that the ends of a small tree spread over."""

_PAY_GAP = 9.0
_ASIDE = 4.5
"""From the middle of a node to the notes left and right of it: a dotted line passes between them."""


def compose_scene(tree: GameTree, profile: TreeProfile | None, options: DrawOptions) -> Scene:
    """The scene of *tree* with *profile* on it.

    Raises ``PictureTooLargeError`` before anything is laid out, and ``ParameterError`` for a reach, or values or
    beliefs, without a profile.
    """
    if profile is None:
        check_unplayed(options)
    if options.reach is None and options.depth is None:
        check_size(len(tree), options, profile is not None)
    folded = fold(tree, profile, options)
    check_size(len(folded.nodes), options, profile is not None)
    facts = Facts(tree, profile, folded, options)
    rows = [facts.payoffs(node) for node in facts.nodes if node.payoffs]
    columns = [max((text_width(row[p], LABEL_SIZE) for row in rows), default=0.0) for p in range(len(tree.players))]
    coordinates = gambit_coordinates(tree, folded)
    layout = place(tree, folded, coordinates, _needs(facts, [level for level, _, _ in coordinates], columns))
    width = max(LEAST_WIDTH, layout.width + 2 * MARGIN)
    top, start = head(tree.title, tree.comment, options.caption, _legend(facts, len(layout.shift)), width)
    board = _TreeItems(facts, layout, columns, MARGIN, start)
    items = (*top, *board.infosets(), *board.edges(), *board.marks(), *board.again(), *board.texts())
    return Scene(width, start + layout.height + MARGIN, tree.title, _description(facts), items)


def _needs(facts: Facts, levels: list[int], columns: list[float]) -> Needs:
    labels = [0.0] * (max(levels) + 1)
    chances, left, right = labels[:], labels[:], labels[:]
    above = below = False
    for node, level in zip(facts.nodes, levels, strict=True):
        value, belief, stub = facts.value(node), facts.belief(node), node.stub
        above, below = above or bool(value), below or bool(belief or stub)
        left[level] = max(left[level], _aside(belief))
        right[level] = max(right[level], _aside(value), _aside(stub))
        labels[level] = max(labels[level], text_width(node.label, LABEL_SIZE))
        chances[level] = max(chances[level], text_width(facts.chance(node), LABEL_SIZE, True))
    rooms = [0.0] + [6 + a + (7 + b if b else 0) + 8 for a, b in zip(labels[1:], chances[1:], strict=True)]
    paid = 9 + sum(columns) + _PAY_GAP * len(columns)
    ends = sum(1 for node in facts.nodes if node.payoffs)
    # A dotted line that goes on must not reach the next row, nor what is written at two nodes meet.
    row = max(OPEN_END + 7 if facts.folded.open else 22.0, min(34.0, _SMALL / max(ends, 1)))
    noted_row = max(row, 2 * RADIUS + 3 + (NOTE_SIZE + 2) * (above + below))
    if facts.folded.open:
        noted_row = max(noted_row, 2 * OPEN_END + OPEN_GAP + 0.5)
    return Needs(rooms, left, right, paid, row, noted_row, LEAST_WIDTH - 2 * MARGIN)


def _aside(note: str) -> float:
    """How far a note beside a node's dotted line reaches."""
    return _ASIDE + text_width(note, NOTE_SIZE) if note else 0.0


def _description(facts: Facts) -> str:
    counts = facts.tree.node_counts
    parts = [
        f"Game tree of {counts['nodes']:,} nodes, {counts['terminal_nodes']:,} of them ends, "
        f"drawn from left to right, for {', '.join(facts.tree.players)}."
    ]
    if facts.profile is not None:
        parts.append("The strategy profile is written on the edges; what it never reaches is faded.")
    if facts.folded.hidden_nodes:
        parts.append(f"{facts.folded.hidden_nodes:,} nodes are not shown.")
    parts += filter(None, (facts.options.caption, shorten(facts.tree.comment, 300)))
    return " ".join(parts)


class _TreeItems:
    """Turns facts and places into items, kind by kind, so that each kind lies above the one before."""

    def __init__(self, facts: Facts, layout: Layout, columns: list[float], left: float, top: float) -> None:
        self.facts, self.layout, self.columns = facts, layout, columns
        self.left, self.top, self.nodes = left, top, facts.nodes
        self.at = [(left + x, top + y) for x, y in zip(layout.x, layout.y, strict=True)]
        self.children: dict[int, list[int]] = {}
        for index, node in enumerate(facts.nodes):
            self.children.setdefault(node.above, []).append(index)

    def width(self, index: int) -> float:
        """Of the edge that leads to a node."""
        node = self.nodes[index]
        return edge_width(None if self.facts.profile is None else 0 if node.dead else node.likely or 0)

    def infosets(self) -> Iterator[Stroke]:
        """A dotted line through the members of each set, level by level, and an arc from level to level.

        It goes on beyond the first and the last of them where there are members that are not shown.
        """
        members: dict[int, list[int]] = {}
        for index, node in enumerate(self.nodes):
            if node.player >= 0:
                members.setdefault(node.infoset, []).append(index)
        for k, indices in members.items():
            infoset = self.facts.tree.infosets[k]
            opacity = max(self.nodes[index].opacity for index in indices)
            if k in self.facts.folded.open:
                yield from self._open_ends(k, indices, opacity)
            indices.sort(key=lambda index: (self.layout.level[index], self.at[index][1]))
            for one, other in pairwise(indices):
                straight = self.layout.level[one] == self.layout.level[other]
                yield Stroke(
                    points=(self.at[one], self.at[other]) if straight else arc(self.at[one], self.at[other]),
                    color=fill(infoset.player),
                    width=SET_LINE,
                    role="infoset",
                    node=self.nodes[other].number,
                    source=self.nodes[one].number,
                    curved=not straight,
                    opacity=opacity,
                    dash=DOTS,
                    tip=self.facts.tree.names[k],
                )

    def _open_ends(self, k: int, indices: list[int], opacity: float) -> Iterator[Stroke]:
        by_height = sorted(indices, key=lambda index: self.at[index][1])
        infoset, tip = self.facts.tree.infosets[k], f"{self.facts.tree.names[k]}: goes on in moves not shown"
        for index, way in ((by_height[0], -1), (by_height[-1], 1)):
            (x, y), node = self.at[index], self.nodes[index].number
            points = ((x, y + way * (RADIUS + 2.2)), (x, y + way * OPEN_END))
            yield Stroke(
                points, fill(infoset.player), SET_LINE, "open", node, node, opacity=opacity, dash=STUB_DOTS, tip=tip
            )

    def edges(self) -> Iterator[Stroke]:
        """Each node's stem and its branches; the faded ones first, so that they lie below."""
        for index in sorted(range(len(self.nodes)), key=lambda index: not self.nodes[index].dead):
            if index in self.children:
                yield from (self._stem(index, place) for place in self._places(index))
            if index:
                yield self._edge(index, self.nodes[index])

    def _edge(self, index: int, node: Node) -> Stroke:
        level, left = self.layout.level[index], self.left + self.layout.left(index)
        bend = (left + self.layout.bend[level - 1], self.top + self.layout.panels.height_of(node.above, index))
        label = (left + self.layout.label[level], self.at[index][1])
        above = self.nodes[node.above]
        return Stroke(
            points=branch(bend, label, self.at[index]),
            color=fill(above.player),
            width=self.width(index),
            role="edge",
            node=node.number,
            source=above.number,
            curved=True,
            opacity=node.opacity,
            tip=node.action + (f": probability {full(node.likely)}" if node.likely is not None else ""),
        )

    def _places(self, index: int) -> list[Point]:
        """Where a node stands: the root in every panel."""
        if index:
            return [self.at[index]]
        shifts, heights = self.layout.shift, self.layout.panels.start
        return [(self.at[0][0] + shift, self.top + y) for shift, y in zip(shifts, heights, strict=True)]

    def _stem(self, index: int, place: Point) -> Stroke:
        """All of a player's moves together are certain; of chance moves the widest sets the width."""
        node, (x, y) = self.nodes[index], place
        bend = x - self.at[index][0] + self.left + self.layout.left(index) + self.layout.bend[self.layout.level[index]]
        width = edge_width(0 if node.dead else 1)
        if self.facts.profile is None or node.player == CHANCE:
            width = max(map(self.width, self.children[index]))
        if not node.dead:
            bend += 0.5  # else a seam shows where the branches begin
        number = node.number
        return Stroke(((x, y), (bend, y)), fill(node.player), width, "stem", number, number, opacity=node.opacity)

    def again(self) -> Iterator[Item]:
        """The root in the panels after the first."""
        for x, y in self._places(0)[1:]:
            yield from node_of(x, y, self.nodes[0].player, self.facts.badges, "again")

    def marks(self) -> Iterator[Mark]:
        """Diamonds for chance, circles for players, dots for ends."""
        for node, (x, y) in zip(self.nodes, self.at, strict=True):
            tip = self.facts.tip(node)
            if node.player == CHANCE:
                yield Mark("diamond", x, y, RADIUS, GREY, "chance", node.number, node.opacity, tip)
            elif node.player >= 0:
                yield Mark("circle", x, y, RADIUS, fill(node.player), "decision", node.number, node.opacity, tip)
            else:
                yield Mark("circle", x, y, END_RADIUS, INK, "end", node.number, node.opacity, tip)

    def texts(self) -> Iterator[Item]:
        """Letters in nodes, moves and probabilities on edges, payoffs, values, beliefs and stubs."""
        for index, (node, (x, y)) in enumerate(zip(self.nodes, self.at, strict=True)):
            number, player, opacity = node.number, node.player, node.opacity
            if player >= 0:
                badge = self.facts.badges[player]
                yield Text(x, y + 3.3, badge, 9.0, letter_on(player), "badge", number, "middle", True, opacity)
            if index:
                yield from self._edge_texts(index, node, y)
            end = x + 9.0
            for p, paid in enumerate(self.facts.payoffs(node)):
                end += self.columns[p]
                yield Text(end, y + 4.0, paid, LABEL_SIZE, ink(p), "payoff", number, "end", False, opacity)
                end += _PAY_GAP
            # What the node is worth and its folded moves on the side of its moves, its belief on the other side.
            above, below = y - RADIUS - 2.0, y + RADIUS + NOTE_SIZE - 0.5
            if value := self.facts.value(node):
                yield Text(x + _ASIDE, above, value, NOTE_SIZE, ink(node.whose), "value", number, halo=True)
            if belief := self.facts.belief(node):
                yield Text(x - _ASIDE, below, belief, NOTE_SIZE, INK, "belief", number, "end", halo=True)
            if node.stub:
                yield Text(x + _ASIDE, below, node.stub, NOTE_SIZE, PALE, "stub", number, opacity=opacity, halo=True)

    def _edge_texts(self, index: int, node: Node, y: float) -> Iterator[Text]:
        base = y - self.width(index) / 2 - 3.0
        start = self.left + self.layout.left(index) + self.layout.label[self.layout.level[index]] + 6
        if node.label:
            yield Text(start, base, node.label, LABEL_SIZE, INK, "action", node.number, opacity=node.opacity)
        if likely := self.facts.chance(node):
            color = ink(self.nodes[node.above].player)
            start += text_width(node.label, LABEL_SIZE) + 6
            yield Text(start, base, likely, LABEL_SIZE, color, "probability", node.number, bold=True)


# --- the legend


def _legend(facts: Facts, panels: int) -> Iterator[LegendEntry]:
    """Just what is in the picture; *panels* is how many the tree is broken into."""
    nodes, tree = facts.nodes, facts.tree
    if any(node.player == CHANCE for node in nodes):
        yield node_entry(CHANCE, facts.badges, "chance")
    names = [(name_of(name, player), ink(player)) for player, name in enumerate(tree.players)]
    for player, (name, color) in enumerate(names):
        yield node_entry(player, facts.badges, name, color)
    if any(node.payoffs for node in nodes):
        dot = Mark("circle", END_RADIUS, 0, END_RADIUS, INK, "legend")
        yield LegendEntry((dot,), 2 * END_RADIUS, (("payoffs", INK), *names))
    personal = [node.infoset for node in nodes if node.player >= 0]
    if len(set(personal)) < len(personal):
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
    if facts.folded.hidden_nodes:
        hidden, every = facts.folded.hidden_nodes, facts.folded.of
        words = f"n moves folded away here; {hidden:,} of {every:,} nodes are not shown"
        yield note_entry("+n", words, 3)


def _played(facts: Facts) -> Iterator[LegendEntry]:
    yield width_entry()
    if any(node.dead for node in facts.nodes):
        faded = Stroke(((0, 0), (22, 0)), INK, PLAIN_LINE, "legend", opacity=DIM)
        yield LegendEntry((faded,), 22, say("faded: never reached"))
    whose = f"of {facts.tree.players[0]}" if divides(facts.tree) else "of the player who moves"
    for written, color, words in (
        (facts.value, ink(0), f"above a node: expected payoff {whose}"),
        (facts.belief, INK, "below a node: belief"),
    ):
        # The sample is a number of the picture: the first that is not a whole one, where there is one.
        if numbers := list(filter(None, map(written, facts.nodes))):
            sample = next((text for text in numbers if not text.lstrip("−").isdigit()), numbers[0])
            yield note_entry(sample, words, 2, color)
