"""The view ``"tree"``: every node of a game tree by itself, from left to right on Gambit's layout.

In five steps: which nodes are kept (``fold``), what is said of each (``NodeFacts``), where it stands (``place``), what
is drawn of it (``_TreeItems``), and the legend.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, pairwise

import numpy as np

from ...base.rationals import Number
from ...base.words import alike, decimal, full, percent
from ...forms.extensive import CHANCE, NONE, GameTree, Infoset, constant_sum
from ...forms.extensive.checks import scaled_payoffs
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
    best_panels,
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
class NodeFacts:
    """The kept nodes of ``tree`` by index into ``folded.nodes``, and what is known of each."""

    tree: GameTree
    profile: TreeProfile | None
    folded: Folded
    options: DrawOptions

    @cached_property
    def badges(self) -> tuple[str, ...]:
        """One letter for each player."""
        return badges(self.tree.players)

    @cached_property
    def payoffs(self) -> dict[int, tuple[str, ...]]:
        """What every player has in the end, by index of the ends."""
        return {index: tuple(map(self._as_payoff, paid)) for index, paid in self._paid.items()}

    @cached_property
    def _paid(self) -> dict[int, tuple[Fraction, ...]]:
        paid, scale = scaled_payoffs(self.tree)
        return {
            index: tuple(Fraction(int(p), scale) for p in paid[node])
            for index, node in enumerate(self.folded.nodes)
            if self.tree.is_terminal(node)
        }

    @cached_property
    def _as_payoff(self) -> Callable[[Number], str]:
        """How payoffs are written, and values: the same way in the whole picture."""
        values = [value for value, _ in filter(None, map(self._value, range(len(self.folded.nodes))))]
        return alike((*values, *(p for paid in self._paid.values() for p in paid)), decimal)

    @cached_property
    def _as_probability(self) -> Callable[[Number], str]:
        """How probabilities are written, and beliefs: the same way in the whole picture."""
        indices = range(len(self.folded.nodes))
        shown = [p for of in (self._shown, self._belief) for p in map(of, indices) if p is not None]
        return alike((*shown, *(p for index in indices for p in self._range(index) or ())), percent)

    @cached_property
    def values(self) -> list[tuple[Number, ...]] | None:
        """The players' expected payoffs at each node of the whole tree, where they are shown."""
        if self.profile is None or not (self.options.values or len(self.tree) <= _TIP_NODES):
            return None
        return expected_payoffs(self.tree, self.profile)

    @cached_property
    def beliefs(self) -> list[Number | None] | None:
        """Each node's probability within its information set, for the whole tree, where they are shown."""
        if self.profile is None or not (self.options.beliefs or len(self.tree) <= _TIP_NODES):
            return None
        return beliefs(self.tree, reaches(self.tree, self.profile))

    @cached_property
    def zero_sum_like(self) -> bool:
        """Whether there are two players whose payoffs sum to a constant, so that one's payoff implies the other's."""
        return len(self.tree.players) == 2 and constant_sum(self.tree) is not None

    @cached_property
    def set_sizes(self) -> Counter[int]:
        """How many kept nodes each information set has."""
        return Counter(self.tree.infoset[list(self.folded.nodes)].tolist())

    def player(self, index: int) -> int:
        """Who moves there."""
        return int(self.tree.player[self.folded.nodes[index]])

    def dead(self, index: int) -> bool:
        """Whether the profile never reaches the node, or only by a float solver's noise."""
        return self.folded.reach is not None and self.folded.reach[index] == 0

    def action(self, index: int) -> str:
        """The move that leads to the node."""
        node = self.folded.nodes[index]
        infoset = self.tree.infosets[int(self.tree.infoset[self.tree.parent[node]])]
        return infoset.actions[int(self.tree.action[node])]

    def probability(self, index: int) -> Number | None:
        """How likely the move that leads to the node is; chance moves have one without a profile too."""
        node = self.folded.nodes[index]
        k, action = int(self.tree.infoset[self.tree.parent[node]]), int(self.tree.action[node])
        if self.profile is not None:
            return settled(self.profile.probabilities[k][action])
        row = self.tree.infosets[k].probabilities
        return row[action] if row is not None else None

    def probability_text(self, index: int) -> str:
        """What stands beside the move's name: nothing where it is certain, or where the node is never reached."""
        if (ends := self._range(index)) is not None:
            low, high = map(self._as_probability, ends)
            return f"{low} to {high}" if low != high else low if ends[0] < 1 else ""
        likely = self._shown(index)
        return "" if likely is None else self._as_probability(likely)

    def _range(self, index: int) -> tuple[Number, Number] | None:
        if self.options.ranges is None or self.folded.parent[index] == NONE:
            return None
        node = self.folded.nodes[index]
        return self.options.ranges.get((int(self.tree.infoset[self.tree.parent[node]]), int(self.tree.action[node])))

    def _shown(self, index: int) -> Number | None:
        if self.folded.parent[index] == NONE or self.dead(index):
            return None
        likely = self.probability(index)
        return None if likely is None or likely >= 1 else likely

    def label(self, index: int) -> str:
        """The move's name as it is drawn."""
        return shorten(self.action(index), LABEL_LETTERS)

    def value(self, index: int) -> tuple[str, int]:
        """The expected payoff written above a node and whose it is; empty at ends and where never reached."""
        found = self._value(index)
        return ("", NONE) if found is None else (self._as_payoff(found[0]), found[1])

    def _value(self, index: int) -> tuple[Number, int] | None:
        mover = self.player(index)
        if not self.options.values or self.values is None or mover < CHANCE or self.dead(index):
            return None
        if mover == CHANCE and not self.zero_sum_like:
            return None  # nobody's payoff speaks for all
        whose = 0 if self.zero_sum_like or mover == CHANCE else mover
        return self.values[self.folded.nodes[index]][whose], whose

    def belief(self, index: int) -> str:
        """The belief written below a node: empty where never reached, or the node is all of its information set."""
        likely = self._belief(index)
        return "" if likely is None else self._as_probability(likely)

    def _belief(self, index: int) -> Number | None:
        if not self.options.beliefs or self.beliefs is None or self.player(index) < 0:
            return None
        node = self.folded.nodes[index]
        k = int(self.tree.infoset[node])
        alone = self.set_sizes[k] == 1 and k not in self.folded.open
        return None if alone else self.beliefs[node] or None

    def stub(self, index: int) -> str:
        """How many of the node's moves are folded away; empty for none."""
        hidden = self.folded.hidden[index]
        return f"+{hidden}" if hidden else ""

    def tip(self, index: int) -> str:
        """All that is known of a node, in lines."""
        node = self.folded.nodes[index]
        lines = []
        if label := self.tree.node_labels.get(node):
            lines.append(label)
        if self.tree.is_terminal(node):
            pairs = zip(self.tree.players, self.payoffs[index], strict=True)
            lines.append("payoffs: " + ", ".join(f"{name} {paid}" for name, paid in pairs))
        else:
            infoset = self.tree.infosets[self.tree.infoset[node]]
            who = "chance" if infoset.player == CHANCE else self.tree.players[infoset.player]
            lines.append(f"{who}: {infoset.label}" if infoset.label else who)
        lines += self._played(index, node)
        if self.folded.hidden[index]:
            lines.append(f"{self.folded.hidden[index]} moves not shown")
        if not self.tree.is_terminal(node) and int(self.tree.infoset[node]) in self.folded.open:
            lines.append("the information set has nodes that are not shown")
        return "\n".join(lines)

    def _played(self, index: int, node: int) -> list[str]:
        lines = []
        if self.folded.reach is not None:
            lines.append(f"reached with probability {full(self.folded.reach[index])}")
        if self.values is not None and not self.tree.is_terminal(node):
            pairs = zip(self.tree.players, self.values[node], strict=True)
            lines.append("expected payoffs: " + ", ".join(f"{name} {full(value)}" for name, value in pairs))
        belief = self.beliefs[node] if self.beliefs is not None and self.player(index) >= 0 else None
        if belief is not None:
            lines.append(f"belief {full(belief)}")
        return lines


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
class Layout:
    """``x`` and ``y`` of each kept node's centre; ``bend[level]`` is where that level's branches leave their
    stems, ``label[level]`` where labels of moves into that level begin, both from the left of a panel: that is
    ``shift[panel]``; ``panels``: which node is in which; sizes of the whole in pixels."""

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
    facts = NodeFacts(tree, profile, folded, options)
    columns = _payoff_columns(facts)
    coordinates = gambit_coordinates(tree, folded)
    levels = [level for level, _, _ in coordinates]
    layout = place(tree, folded, coordinates, _needs(facts, levels, columns))
    width = max(LEAST_WIDTH, layout.width + 2 * MARGIN)
    top, start = head(tree.title, tree.comment, options.caption, _legend(facts, len(layout.shift)), width)
    board = _TreeItems(facts, layout, columns, MARGIN, start)
    items = (*top, *board.infosets(), *board.edges(), *board.marks(), *board.again(), *board.texts())
    return Scene(width, start + layout.height + MARGIN, tree.title, _description(facts), items)


def _payoff_columns(facts: NodeFacts) -> list[float]:
    """The width of each player's column of payoffs."""
    rows = list(facts.payoffs.values())
    return [max((text_width(row[p], LABEL_SIZE) for row in rows), default=0.0) for p in range(len(facts.tree.players))]


def _needs(facts: NodeFacts, levels: list[int], columns: list[float]) -> Needs:
    labels = [0.0] * (max(levels) + 1)
    chances = [0.0] * len(labels)
    left, right = [0.0] * len(labels), [0.0] * len(labels)
    above = below = False
    for index, level in enumerate(levels):
        value, belief, stub = facts.value(index)[0], facts.belief(index), facts.stub(index)
        above, below = above or bool(value), below or bool(belief or stub)
        left[level] = max(left[level], _aside(belief))
        right[level] = max(right[level], _aside(value), _aside(stub))
        if facts.folded.parent[index] != NONE:
            labels[level] = max(labels[level], text_width(facts.label(index), LABEL_SIZE))
            chances[level] = max(chances[level], text_width(facts.probability_text(index), LABEL_SIZE, True))
    rooms = [0.0] + [6 + a + (7 + b if b else 0) + 8 for a, b in zip(labels[1:], chances[1:], strict=True)]
    paid = 9 + sum(columns) + _PAY_GAP * len(columns)
    # A dotted line that goes on must not reach the next row, nor what is written at two nodes meet.
    row = max(OPEN_END + 7 if facts.folded.open else 22.0, min(34.0, _SMALL / len(facts.payoffs or "1")))
    noted_row = max(row, 2 * RADIUS + 3 + (NOTE_SIZE + 2) * (above + below))
    if facts.folded.open:
        noted_row = max(noted_row, 2 * OPEN_END + OPEN_GAP + 0.5)
    return Needs(rooms, left, right, paid, row, noted_row, LEAST_WIDTH - 2 * MARGIN)


def _aside(note: str) -> float:
    """How far a note beside a node's dotted line reaches."""
    return _ASIDE + text_width(note, NOTE_SIZE) if note else 0.0


def _description(facts: NodeFacts) -> str:
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

    def __init__(self, facts: NodeFacts, layout: Layout, columns: list[float], left: float, top: float) -> None:
        self.facts, self.layout, self.columns = facts, layout, columns
        self.tree, self.folded = facts.tree, facts.folded
        self.left, self.top = left, top
        self.at = [(left + x, top + y) for x, y in zip(layout.x, layout.y, strict=True)]
        self.children: dict[int, list[int]] = {}
        for index, above in enumerate(facts.folded.parent):
            self.children.setdefault(above, []).append(index)

    def opacity(self, index: int) -> float:
        return DIM if self.facts.dead(index) else 1.0

    def width(self, index: int) -> float:
        """Of the edge that leads to a node."""
        if self.facts.profile is None:
            return edge_width(None)
        return edge_width(0 if self.facts.dead(index) else self.facts.probability(index) or 0)

    def infosets(self) -> Iterator[Stroke]:
        """A dotted line through the members of each set, level by level, and an arc from level to level.

        It goes on beyond the first and the last of them where there are members that are not shown.
        """
        members: dict[int, list[int]] = {}
        for index in range(len(self.at)):
            if self.facts.player(index) >= 0:
                members.setdefault(int(self.tree.infoset[self.folded.nodes[index]]), []).append(index)
        for k, indices in members.items():
            infoset = self.tree.infosets[k]
            opacity = DIM if all(self.facts.dead(index) for index in indices) else 1.0
            if k in self.folded.open:
                yield from self._open_ends(infoset, indices, opacity)
            indices.sort(key=lambda index: (self.layout.level[index], self.at[index][1]))
            for one, other in pairwise(indices):
                straight = self.layout.level[one] == self.layout.level[other]
                yield Stroke(
                    points=(self.at[one], self.at[other]) if straight else arc(self.at[one], self.at[other]),
                    color=fill(infoset.player),
                    width=SET_LINE,
                    role="infoset",
                    node=self.folded.nodes[other],
                    source=self.folded.nodes[one],
                    curved=not straight,
                    opacity=opacity,
                    dash=DOTS,
                    tip=infoset.label,
                )

    def _open_ends(self, infoset: Infoset, indices: list[int], opacity: float) -> Iterator[Stroke]:
        by_height = sorted(indices, key=lambda index: self.at[index][1])
        tip = f"{infoset.label}: goes on in moves not shown".removeprefix(": ")
        for index, way in ((by_height[0], -1), (by_height[-1], 1)):
            (x, y), node = self.at[index], self.folded.nodes[index]
            points = ((x, y + way * (RADIUS + 2.2)), (x, y + way * OPEN_END))
            yield Stroke(
                points, fill(infoset.player), SET_LINE, "open", node, node, opacity=opacity, dash=STUB_DOTS, tip=tip
            )

    def edges(self) -> Iterator[Stroke]:
        """Each node's stem and its branches; the faded ones first, so that they lie below."""
        order = sorted(range(len(self.at)), key=lambda index: not self.facts.dead(index))
        for index in order:
            if index in self.children:
                yield from (self._stem(index, place) for place in self._places(index))
            if self.folded.parent[index] != NONE:
                yield self._edge(index, self.folded.parent[index])

    def _edge(self, index: int, above: int) -> Stroke:
        level, left = self.layout.level[index], self.left + self.layout.left(index)
        bend = (left + self.layout.bend[level - 1], self.top + self.layout.panels.height_of(above, index))
        label = (left + self.layout.label[level], self.at[index][1])
        likely = self.facts.probability(index)
        return Stroke(
            points=branch(bend, label, self.at[index]),
            color=fill(self.facts.player(above)),
            width=self.width(index),
            role="edge",
            node=self.folded.nodes[index],
            source=self.folded.nodes[above],
            curved=True,
            opacity=self.opacity(index),
            tip=self.facts.action(index) + (f": probability {full(likely)}" if likely is not None else ""),
        )

    def _places(self, index: int) -> list[Point]:
        """Where a node stands: the root in every panel."""
        if index:
            return [self.at[index]]
        shifts, heights = self.layout.shift, self.layout.panels.start
        return [(self.at[0][0] + shift, self.top + y) for shift, y in zip(shifts, heights, strict=True)]

    def _stem(self, index: int, place: Point) -> Stroke:
        """All of a player's moves together are certain; of chance moves the widest sets the width."""
        (x, y), bend = place, place[0] - self.at[index][0] + self.left + self.layout.left(index)
        bend += self.layout.bend[self.layout.level[index]]
        if self.facts.profile is None or self.facts.player(index) == CHANCE:
            width = max(map(self.width, self.children[index]))
        else:
            width = edge_width(0 if self.facts.dead(index) else 1)
        color, node = fill(self.facts.player(index)), self.folded.nodes[index]
        if not self.facts.dead(index):
            bend += 0.5  # else a seam shows where the branches begin
        return Stroke(((x, y), (bend, y)), color, width, "stem", node, node, opacity=self.opacity(index))

    def again(self) -> Iterator[Item]:
        """The root in the panels after the first."""
        for x, y in self._places(0)[1:]:
            yield from node_of(x, y, self.facts.player(0), self.facts.badges, "again")

    def marks(self) -> Iterator[Mark]:
        """Diamonds for chance, circles for players, dots for ends."""
        for index, (x, y) in enumerate(self.at):
            node, player, opacity = self.folded.nodes[index], self.facts.player(index), self.opacity(index)
            tip = self.facts.tip(index)
            if player == CHANCE:
                yield Mark("diamond", x, y, RADIUS, GREY, "chance", node, opacity, tip)
            elif player >= 0:
                yield Mark("circle", x, y, RADIUS, fill(player), "decision", node, opacity, tip)
            else:
                yield Mark("circle", x, y, END_RADIUS, INK, "end", node, opacity, tip)

    def texts(self) -> Iterator[Item]:
        """Letters in nodes, moves and probabilities on edges, payoffs, values, beliefs and stubs."""
        for index, (x, y) in enumerate(self.at):
            node, opacity, player = self.folded.nodes[index], self.opacity(index), self.facts.player(index)
            if player >= 0:
                badge = self.facts.badges[player]
                yield Text(x, y + 3.3, badge, 9.0, letter_on(player), "badge", node, "middle", True, opacity)
            if self.folded.parent[index] != NONE:
                yield from self._edge_texts(index, node, y, opacity)
            end = x + 9.0
            for p, paid in enumerate(self.facts.payoffs.get(index, ())):
                end += self.columns[p]
                yield Text(end, y + 4.0, paid, LABEL_SIZE, ink(p), "payoff", node, "end", False, opacity)
                end += _PAY_GAP
            yield from self._notes(index, node, x, y)

    def _edge_texts(self, index: int, node: int, y: float, opacity: float) -> Iterator[Text]:
        level = self.layout.level[index]
        base = y - self.width(index) / 2 - 3.0
        start = self.left + self.layout.left(index) + self.layout.label[level] + 6
        label = self.facts.label(index)
        if label:
            yield Text(start, base, label, LABEL_SIZE, INK, "action", node, "start", False, opacity)
        if likely := self.facts.probability_text(index):
            color = ink(self.facts.player(self.folded.parent[index]))
            start += text_width(label, LABEL_SIZE) + 6
            yield Text(start, base, likely, LABEL_SIZE, color, "probability", node, "start", True)

    def _notes(self, index: int, node: int, x: float, y: float) -> Iterator[Text]:
        """What the node is worth and its folded moves on the side of its moves, its belief on the other side."""
        above, below = y - RADIUS - 2.0, y + RADIUS + NOTE_SIZE - 0.5
        value, whose = self.facts.value(index)
        if value:
            yield Text(x + _ASIDE, above, value, NOTE_SIZE, ink(whose), "value", node, halo=True)
        if belief := self.facts.belief(index):
            yield Text(x - _ASIDE, below, belief, NOTE_SIZE, INK, "belief", node, "end", halo=True)
        if stub := self.facts.stub(index):
            opacity = self.opacity(index)
            yield Text(x + _ASIDE, below, stub, NOTE_SIZE, PALE, "stub", node, opacity=opacity, halo=True)


# --- the legend


def _legend(facts: NodeFacts, panels: int) -> Iterator[LegendEntry]:
    """Just what is in the picture; *panels* is how many the tree is broken into."""
    movers = {facts.player(index) for index in range(len(facts.folded.nodes))}
    if CHANCE in movers:
        yield node_entry(CHANCE, facts.badges, "chance")
    for player, name in enumerate(facts.tree.players):
        yield node_entry(player, facts.badges, name_of(name, player), ink(player))
    if facts.payoffs:
        yield _payoff_entry(facts)
    if any(facts.set_sizes[k] > 1 for k in facts.tree.personal):
        line = Stroke(((2, -8), (2, 8)), fill(0), SET_LINE, "legend", dash=DOTS)
        yield LegendEntry((line,), 4, say("dotted: information set"))
    if facts.folded.open:
        yield LegendEntry(tuple(_open_node()), 8, say("dotted stub: the set goes on in moves not shown"))
    if panels > 1:
        words = f"at the left of {'both' if panels == 2 else f'all {panels}'} columns: one and the same start"
        yield node_entry(facts.player(0), facts.badges, words)
    if facts.profile is not None:
        yield from _played(facts)
    if facts.folded.hidden_nodes:
        hidden, every = facts.folded.hidden_nodes, facts.folded.of
        words = f"n moves folded away here; {hidden:,} of {every:,} nodes are not shown"
        yield note_entry("+n", words, 3)


def _open_node() -> Iterator[Item]:
    for way in (-1, 1):
        yield Stroke(((4, way * 5.6), (4, way * 10.4)), fill(0), SET_LINE, "legend", dash=DOTS)
    yield Mark("circle", 4, 0, 3.6, fill(0), "legend")


def _played(facts: NodeFacts) -> Iterator[LegendEntry]:
    yield width_entry()
    indices = range(len(facts.folded.nodes))
    if any(map(facts.dead, indices)):
        faded = Stroke(((0, 0), (22, 0)), INK, PLAIN_LINE, "legend", opacity=DIM)
        yield LegendEntry((faded,), 22, say("faded: never reached"))
    # The samples are numbers of the picture: the first that is not a whole one, where there is one.
    values = [text for text, _ in map(facts.value, indices) if text]
    if values:
        whose = f"of {facts.tree.players[0]}" if facts.zero_sum_like else "of the player who moves"
        yield _sample_entry(values, ink(0), f"above a node: expected payoff {whose}")
    beliefs = list(filter(None, map(facts.belief, indices)))
    if beliefs:
        yield _sample_entry(beliefs, INK, "below a node: belief")


def _sample_entry(numbers: list[str], color: str, words: str) -> LegendEntry:
    sample = next((text for text in numbers if not text.lstrip("−").isdigit()), numbers[0])
    return note_entry(sample, words, 2, color)


def _payoff_entry(facts: NodeFacts) -> LegendEntry:
    names = ((name_of(name, player), ink(player)) for player, name in enumerate(facts.tree.players))
    dot = Mark("circle", END_RADIUS, 0, END_RADIUS, INK, "legend")
    return LegendEntry((dot,), 2 * END_RADIUS, (("payoffs", INK), *names))
