"""From a tree, a profile and options to a scene."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from ...forms.extensive import CHANCE, NONE, GameTree, Infoset
from ...strategies.tree_profile import Profile
from .curves import arc, branch
from .facts import Facts, full
from .fold import fold
from .layout import OPEN_END, OPEN_GAP, Layout, Needs, gambit_coordinates, place
from .legend import header
from .options import DrawOptions, check_size, check_unplayed
from .scene import Item, Mark, Point, Scene, Stroke, Text
from .style import DIM, GREY, INK, LABEL_SIZE, NOTE_SIZE, PALE, RADIUS, fill, ink, letter_on, shorten, text_width

MARGIN = 22.0
"""Around the whole picture, in pixels."""

_LEAST_WIDTH = 720.0
"""So that title and legend of a narrow tree do not wrap at every word."""

_SMALL = 400.0
"""The height that the ends of a small tree spread over."""

_PAY_GAP = 9.0
_ASIDE = 4.5
"""From the middle of a node to the notes left and right of it: a dotted line passes between them."""

_DOTS = (0.1, 4.4)
_STUB_DOTS = (0.1, 3.4)
_END_RADIUS = 2.2
_THIN, _PLAIN, _GAIN = 1.0, 1.4, 3.4
"""Widths of edges: of a move that is never made, of all edges without a profile, and of certainty over none."""


def compose_scene(tree: GameTree, profile: Profile | None, options: DrawOptions) -> Scene:
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
    columns = _payoff_columns(facts)
    coordinates = gambit_coordinates(tree, folded)
    levels = [level for level, _, _ in coordinates]
    layout = place(tree, folded, coordinates, _needs(facts, levels, columns))
    width = max(_LEAST_WIDTH, layout.width + 2 * MARGIN)
    head, top = header(facts, width, MARGIN, len(layout.shift))
    board = _Board(facts, layout, columns, MARGIN, top)
    items = (*head, *board.infosets(), *board.edges(), *board.marks(), *board.again(), *board.texts())
    return Scene(width, top + layout.height + MARGIN, tree.title, _description(facts), items)


def _payoff_columns(facts: Facts) -> list[float]:
    """The width of each player's column of payoffs."""
    rows = list(facts.payoffs.values())
    return [max((text_width(row[p], LABEL_SIZE) for row in rows), default=0.0) for p in range(len(facts.tree.players))]


def _needs(facts: Facts, levels: list[int], columns: list[float]) -> Needs:
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
    return Needs(rooms, left, right, paid, row, noted_row, _LEAST_WIDTH - 2 * MARGIN)


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


class _Board:
    """Turns facts and places into items, kind by kind, so that each kind lies above the one before."""

    def __init__(self, facts: Facts, layout: Layout, columns: list[float], left: float, top: float) -> None:
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
            return _PLAIN
        return _THIN if self.facts.dead(index) else _THIN + _GAIN * float(self.facts.probability(index) or 0)

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
                    width=2.0,
                    role="infoset",
                    node=self.folded.nodes[other],
                    source=self.folded.nodes[one],
                    curved=not straight,
                    opacity=opacity,
                    dash=_DOTS,
                    tip=infoset.label,
                )

    def _open_ends(self, infoset: Infoset, indices: list[int], opacity: float) -> Iterator[Stroke]:
        by_height = sorted(indices, key=lambda index: self.at[index][1])
        tip = f"{infoset.label}: goes on in moves not shown".removeprefix(": ")
        for index, way in ((by_height[0], -1), (by_height[-1], 1)):
            (x, y), node = self.at[index], self.folded.nodes[index]
            points = ((x, y + way * (RADIUS + 2.2)), (x, y + way * OPEN_END))
            yield Stroke(
                points, fill(infoset.player), 2.0, "open", node, node, opacity=opacity, dash=_STUB_DOTS, tip=tip
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
            width = _THIN if self.facts.dead(index) else _THIN + _GAIN
        color, node = fill(self.facts.player(index)), self.folded.nodes[index]
        if not self.facts.dead(index):
            bend += 0.5  # else a seam shows where the branches begin
        return Stroke(((x, y), (bend, y)), color, width, "stem", node, node, opacity=self.opacity(index))

    def again(self) -> Iterator[Item]:
        """The root in the panels after the first."""
        player = self.facts.player(0)
        for x, y in self._places(0)[1:]:
            yield Mark("diamond" if player == CHANCE else "circle", x, y, RADIUS, fill(player), "again")
            if player >= 0:
                letter = self.facts.badges[player]
                yield Text(x, y + 3.3, letter, 9.0, letter_on(player), "again", -1, "middle", True)

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
                yield Mark("circle", x, y, _END_RADIUS, INK, "end", node, opacity, tip)

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
