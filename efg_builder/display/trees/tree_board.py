"""The drawing of a tree: node positions, branches, bands of information sets, and labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property, partial
from itertools import groupby, islice, pairwise, product
from math import dist, inf
from typing import Any

import numpy as np

from ...base.words import full
from ...forms.extensive import CHANCE, NONE
from .beside import Obstacles, Rectangle, beside, crossings, distances, too_near, within
from .colors import (
    GREY,
    INK,
    MANY_PLAYERS,
    NEVER,
    PALE,
    PAPER,
    READABLE,
    UNREACHED,
    faded,
    fill,
    ink,
    letter_over,
    rim,
    tint,
)
from .scene import Box, Item, Mark, Point, Stroke, Text, bow, elbow, on_curve, opening, points_on, ringed
from .sizes import FALL, SIZES, badge_size, edge_width, text_width
from .surround import MOST_STRAIGHT, Layout
from .tree_facts import TreeFacts, TreeNode
from .tree_layout import TreeLayout

# --- places


@dataclass(frozen=True)
class TreeSpacing:
    """The distances in the drawing of a tree, in pixels."""

    leaf_gap: float = 6.0  # between the texts at two neighboring leaves, across
    small: float = 400.0  # the total height of a small tree's rows
    pay_gap: float = 9.0  # between the payoffs of two players
    far: float = 22.0  # the maximum difference in width of right-aligned payoffs
    line: float = SIZES.label + 1.5  # the height of a line of text at a node
    away: float = 2.5  # from a line to the text beside it
    least_away: float = 1.6  # that distance if space is scarce
    nearest: float = 1.5  # the least distance from a label to any other branch, as a multiple of that to its own
    staggered: float = 0.3  # the share of a label's width to reserve, because labels beside slopes can differ in height
    other: float = 5.0  # from a branch to text on its unlabeled side
    open_end: float = SIZES.node + 9.5  # the extent of a band beyond its last shown node if other nodes are hidden
    open_gap: float = 13.0  # between two bands with hidden nodes, so that they do not look like one band
    band: float = 0.2  # the extent of any other band beyond its nodes
    arc: float = 7.0  # the width of a band between levels
    words: float = 2.0  # added between texts on the same line
    gap: float = 2.0  # in a band, on each side of a branch to another information set
    ringed: float = SIZES.node + 2.5  # the radius of the ring around a node whose move is not best
    opening: float = SIZES.node + 6.5  # the extent of a subgame's arc before its node
    near_node: float = 2.5  # between a node and a branch that does not end there


ROOM = TreeSpacing()


@dataclass(frozen=True)
class Placement(Layout):
    """The positions of all nodes of a picture."""

    facts: TreeFacts
    lines: str  # straight or elbow
    layout: TreeLayout
    columns: tuple[float, ...]  # for each player, the width of the widest payoff
    ragged: bool  # whether payoffs are left-aligned because their widths differ too much

    @cached_property
    def board(self) -> _Board:
        """The items, with the quality of the layout."""
        return _Board(self)

    @property
    def items(self) -> tuple[Item, ...]:
        return self.board.items

    @property
    def quality(self) -> int:
        """2 for elbows or if all labels have space, 1 if some labels are on bands, otherwise 0."""
        return 2 if self.lines == "elbow" else self.board.quality

    @property
    def letters(self) -> float:
        return self.facts.letters if self.apart else SIZES.label  # no text is drawn if branches cross

    @cached_property
    def at(self) -> list[Point]:
        """The position of each node."""
        return [self.point(*place) for place in zip(self.layout.along, self.layout.across, strict=True)]

    @cached_property
    def apart(self) -> bool:
        """Whether no two branches cross, and none touches a node; elbows leave space for both."""
        nodes = self.facts.nodes
        pairs = [(node.above, index) for index, node in enumerate(nodes) if index]
        if self.lines == "elbow" or not pairs:
            return True
        at = np.array(self.at)
        starts, ends = (at[list(each)] for each in zip(*pairs, strict=True))
        radii = [(SIZES.end if node.payoffs else SIZES.node) + ROOM.near_node for node in nodes]
        near = too_near(starts, ends, pairs, at, np.array(radii))
        return not near and not crossings(starts, ends, *zip(*pairs, strict=True))


# --- items

_BENDS = (0.0, *(way * bend for bend in (24.0, 48.0, 80.0, 120.0, 180.0, 260.0) for way in (1, -1)))
"""The bends to try for a band between levels, in pixels; the first bend that avoids all nodes is used."""

_STEPS = (0, *(way * step for step in range(1, 36) for way in (1, -1)))
"""The positions to try for a label along its branch, in steps of ``_STEP`` pixels from the first position."""

_STEP = 3.0

_ABOVE, _BELOW = 0.08 * SIZES.label, 0.14 * SIZES.label
"""The distances from the edges of a label's space to its letters. Most letters end at the baseline."""

_ROUNDS = 6
"""The maximum number of rounds of label placement; each round starts with the labels that had no space."""

_PARTS = ((0, 8), (8, None))
"""The parts of a label's places, as ranges of indices. Most labels have space at the first few places."""


@dataclass(frozen=True)
class _Place:
    box: Rectangle
    lean: float = 0.0  # from -1 (left of the branch) to 1 (right); 0 is above or below the branch
    inline: bool = False  # whether the probability follows the name on the same line; if not, it is below


_Clear = Callable[[int], Sequence[_Place]]
"""A function that returns the places of a given quality that cover nothing else. Places inside bands have quality 1."""


def _reserve(others: Obstacles, place: _Place, free: bool) -> None:
    """Add *place* to *others*: if it was *free*, with the distance to the next text on its line."""
    left, top, right, bottom = place.box
    words = ROOM.words if free else 0.0
    others.add((left - words, top, right + words, bottom))


def _around(a: Point, b: Point, half: float) -> Rectangle:
    """Return the rectangle around a straight part of a band, which is *half* as wide on each side."""
    (left, right), (top, bottom) = sorted((a[0], b[0])), sorted((a[1], b[1]))
    return (left - half, top - half, right + half, bottom + half)


class _Board:
    """The items of a picture, relative to the corner (0, 0): bands with gaps, then branches, nodes and text."""

    def __init__(self, layout: Placement) -> None:
        self.facts, self.placed, self.nodes = layout.facts, layout, layout.facts.nodes
        self.at, self.strict, self.quality = layout.at, layout.lines == "straight", 2 if layout.apart else 0
        self.bands = list(self._bands())
        self.edges = [self._edge(index) for index in range(1, len(self.nodes))]
        self.notes = list(self._texts()) if self.quality else []
        never = [edge for edge in self.edges if edge.color == NEVER]
        played = [edge for edge in self.edges if edge.color != NEVER]
        branches = (*self._gaps(), *(self._opening(index) for index in sorted(self.facts.subgames)), *never, *played)
        self.items = (*self.bands, *branches, *self._rings(), *self._marks(), *self.notes)

    def bent(self, index: int) -> Point:
        """Return the point at which an elbow reaches the row or column of its node."""
        layout = self.placed.layout
        return self.placed.point(layout.label[layout.enter[index]], layout.across[index])

    # bands of information sets

    def _bands(self) -> Iterator[Stroke]:
        """Yield a straight band for each information set and level, and a bent band between two levels."""
        members: dict[int, list[int]] = {}
        for index, node in enumerate(self.nodes):
            if node.infoset != NONE:
                members.setdefault(node.infoset, []).append(index)
        level, across = self.placed.layout.level, self.placed.layout.across
        for k, indices in members.items():
            indices.sort(key=lambda index: (level[index], across[index]))
            rows = [list(group) for _, group in groupby(indices, key=lambda index: level[index])]
            for row in rows:
                if len(row) > 1 or k in self.facts.folded.open:
                    yield from self._band(k, row[0], row[-1], self._row_ends(k, row))
            for row, then in pairwise(rows):
                one, other = min(product(row, then), key=lambda pair: dist(self.at[pair[0]], self.at[pair[1]]))
                yield from self._band(k, one, other, self._arc(one, other), curved=True)

    def _row_ends(self, k: int, row: Sequence[int]) -> tuple[Point, Point]:
        more = ROOM.open_end - SIZES.node if k in self.facts.folded.open else 0.0
        dx, dy = (0.0, more) if self.placed.right else (more, 0.0)
        (left, top), (right, bottom) = self.at[row[0]], self.at[row[-1]]
        return (left - dx, top - dy), (right + dx, bottom + dy)

    def _band(self, k: int, one: int, other: int, points: tuple[Point, ...], curved: bool = False) -> Iterator[Stroke]:
        player, goes_on = self.facts.tree.infosets[k].player, k in self.facts.folded.open
        known: Any = {"node": self.nodes[other].number, "source": self.nodes[one].number, "curved": curved}
        known["round"] = not goes_on
        tip = self.facts.tree.names[k] + (": continues in hidden moves" if goes_on else "")
        width = ROOM.arc if curved else 2 * (SIZES.node + ROOM.band)
        yield Stroke(points, rim(player), width, "rim", **known)
        yield Stroke(points, tint(player), width - 2 * SIZES.band_line, "infoset", **known, tip=tip)

    def _arc(self, one: int, other: int) -> tuple[Point, ...]:
        a, b = self.at[one], self.at[other]
        foreign = np.array([at for index, at in enumerate(self.at) if index not in (one, other)])
        # If one node is the parent of the other, draw the band beside their branch.
        curves = [bow(a, b, aside) for aside in (_BENDS[1:] if self.nodes[other].above == one else _BENDS)]
        least = SIZES.node + ROOM.arc / 2 + 1

        def clear(curve: tuple[Point, ...]) -> float:
            """Return the distance to the nearest other node; if the curve leaves the picture, return -1."""
            way = on_curve(curve, 96)
            if (way < 0).any() or (way > (self.placed.width, self.placed.height)).any():
                return -1.0
            return float(np.hypot(*(way[1:-1, None] - foreign).T).min()) if len(foreign) else least

        return next((curve for curve in curves if clear(curve) >= least), None) or max(curves, key=clear)

    def _gaps(self) -> Iterator[Stroke]:
        """Yield the gaps in bands for branches of other information sets.

        If the members of two sets alternate, no layout with straight bands avoids such a crossing.
        """
        if not self.edges:
            return
        sets = {node.number: node.infoset for node in self.nodes}
        paths = np.array([points_on(edge, 12) if edge.curved else edge.points for edge in self.edges])
        low, high = paths.min(axis=1), paths.max(axis=1)
        ends = np.array([(sets[edge.source], sets[edge.node]) for edge in self.edges])
        for band in self.bands:
            if band.role != "rim":
                continue
            foreign = (ends != sets[band.node]).all(axis=1)
            for a, b in pairwise(points_on(band, 24) if band.curved else band.points):
                left, top, right, bottom = around = _around(a, b, band.width / 2)
                near = (low <= (right, bottom)) & (high >= (left, top))
                found = np.flatnonzero(foreign & near.all(axis=1))
                for index, cut in within(paths[found], around):
                    edge = self.edges[found[index]]
                    yield Stroke(cut, PAPER, edge.width + 2 * ROOM.gap, "gap", edge.node, edge.source)

    # branches

    def _edge(self, index: int) -> Stroke:
        node, layout = self.nodes[index], self.placed.layout
        parent, start = self.nodes[node.above], self.at[node.above]
        points: tuple[Point, ...] = (start, self.at[index])
        if not self.strict:
            bend = self.placed.point(layout.bend[layout.level[node.above]], layout.across[node.above])
            points = elbow(start, bend, self.bent(index), self.at[index], self.placed.right)
        never = self.facts.profile is not None and not node.likely
        return Stroke(
            points=points,
            color=NEVER if never else self._color(parent, UNREACHED),
            width=self._width(node),
            role="edge",
            node=node.number,
            source=parent.number,
            curved=not self.strict,
            tip=node.action + (f": probability {full(node.likely)}" if node.likely is not None else ""),
        )

    def _color(self, node: TreeNode, least: float) -> str:
        """Return the color of lines or texts at *node*, which is paler off the path of play: contrast *least*."""
        # A pale line of chance would look like a move that is never made.
        return faded(ink(node.player), least) if node.dead and node.player >= 0 else ink(node.player)

    def _width(self, node: TreeNode) -> float:
        if self.facts.profile is None or self.nodes[node.above].player == CHANCE:
            return edge_width(None)
        return edge_width((node.likely or 0) * (Fraction(1, 3) if node.dead else 1))

    # nodes and texts

    def _opening(self, index: int) -> Stroke:
        return opening(self.at[index], self.placed.right)

    def _rings(self) -> Iterator[Mark]:
        for index in sorted(self.facts.refuted):
            yield Mark("circle", *self.at[index], ROOM.ringed, PAPER, "refuted", rim=INK)

    def _marks(self) -> Iterator[Mark]:
        for node, (x, y) in zip(self.nodes, self.at, strict=True):
            color, around = (INK, INK) if node.payoffs else (fill(node.player), self._color(node, UNREACHED))
            inside = PAPER if node.dead else color
            if node.player == CHANCE:
                yield Mark("diamond", x, y, SIZES.node, inside, "chance", node.number, tip=node.tip, rim=around)
            elif node.player >= 0:
                mark = Mark("circle", x, y, SIZES.node, inside, "decision", node.number, tip=node.tip, rim=around)
                yield from ringed(mark, node.player)
            else:
                yield Mark("circle", x, y, SIZES.end, inside, "end", node.number, tip=node.tip, rim=around)

    def _texts(self) -> Iterator[Item]:
        large = len(self.nodes) > MOST_STRAIGHT  # labels in large pictures cannot move
        edges, sets = ([], []) if large else (self.edges, self.bands)
        lines = [(points_on(edge, 6) if edge.curved else edge.points, edge.width) for edge in edges]
        bands = [(points_on(band, 24) if band.curved else band.points, band.width) for band in sets]
        self.obstacles = Obstacles.of(lines, bands)
        if self.strict:
            self.ends = np.array([edge.points[0] for edge in edges]), np.array([edge.points[1] for edge in edges])
            self.halves = np.array([edge.width / 2 for edge in edges])
        self._reserve_marks()
        for node, (x, y) in zip(self.nodes, self.at, strict=True):
            if node.player >= 0:
                color = self._color(node, READABLE) if node.dead else letter_over(fill(node.player))
                badge = self.facts.badges[node.player]
                size = badge_size(badge)
                yield Text(x, y + FALL * size, badge, size, color, "badge", node.number, "middle", True)
            for text in self._payoffs(node, x, y):
                self._fixed(text)
                yield text
        for node, (x, y) in zip(self.nodes, self.at, strict=True):
            yield from self._notes(node, x, y)
        if self.strict and not self.quality:
            return  # notes without space: this picture is not shown
        for index, place in self._labels_placed().items():
            yield from self._label(index, place)

    def _reserve_marks(self) -> None:
        for index, (node, (x, y)) in enumerate(zip(self.nodes, self.at, strict=True)):
            r = SIZES.end if node.payoffs else ROOM.ringed if index in self.facts.refuted else SIZES.node
            self.obstacles.add((x - r, y - r, x + r, y + r))
            if index in self.facts.subgames:
                points = points_on(self._opening(index), 6)
                self.obstacles.add((*points.min(axis=0), *points.max(axis=0)))

    def _labels_placed(self) -> dict[int, _Place]:
        """Return the place of each label. Labels without space are placed first in the next round."""

        @cache
        def places(index: int, part: int) -> list[_Place]:
            return list(islice(self._places(index), *_PARTS[part]))

        @cache  # only labels move between rounds
        def clear(index: int, part: int, quality: int) -> list[_Place]:
            return self._beside_own(places(index, part), index, quality)

        order, quality = [index for index, node in enumerate(self.nodes) if index and any(node.widths)], self.quality
        for _ in range(_ROUNDS if self.strict else 1):
            labels, found, failed = Obstacles.of((), ()), dict[int, _Place](), list[int]()
            self.quality = quality
            for index in order:
                parts = [partial(clear, index, part) for part in range(len(_PARTS))]
                free = self._first_free(parts, labels)
                if free is None and self.strict and not any(part(1) for part in parts):
                    return found  # no order of the labels gives this one space: this picture is not shown
                found[index] = free or places(index, 0)[0]
                _reserve(labels, found[index], free is not None)
                if free is None:
                    failed.append(index)
            if not failed:
                break
            late = set(failed)
            order = failed + [index for index in order if index not in late]
        return found

    def _fixed(self, text: Text) -> None:
        """Reserve the position of a *text* that cannot move. A straight branch must not cross the text."""
        box = (text.left, text.y - 0.76 * text.size, text.left + text.width, text.y + 0.24 * text.size)
        if self.strict and self.obstacles.covered([box], 0.0)[0]:
            self.quality = 0
        self.obstacles.add(box)

    def _first_free(self, parts: Sequence[_Clear], others: Obstacles, near: float = 1.0) -> _Place | None:
        """Return the first clear place that is free of *others*, and note its quality; None and 0 if there is none.

        In large pictures, no place is tried, because elbows leave space for all labels.
        """
        for quality in (2, 1) if len(self.nodes) <= MOST_STRAIGHT else ():
            for part in parts:
                clear = part(quality)
                covered = others.overlapped([place.box for place in clear], near / 2 * quality)
                if not covered.all():
                    self.quality = min(self.quality, quality)
                    return clear[int(covered.argmin())]
        self.quality = 0
        return None

    def _clear(
        self, places: Sequence[_Place], quality: int, near: float = 1.0, on_bands: Sequence[int] = ()
    ) -> list[_Place]:
        """Return the *places* in the picture that cover no obstacle.

        If *quality* is 1, places may be inside a band. Those with an index in *on_bands* may also cover its rim.
        """
        bands = [0 if k in on_bands else quality for k in range(len(places))]
        covered = self.obstacles.covered([place.box for place in places], near / 2 * quality, bands)
        return [place for place, bad in zip(places, covered, strict=True) if not bad and self._within(place.box)]

    def _beside_own(self, places: Sequence[_Place], index: int, quality: int) -> list[_Place]:
        """Return the clear *places* that are nearer to the label's own branch than to any other."""
        found = self._clear(places, quality)
        if not self.strict or not found:
            return found
        letters = np.array([place.box for place in found]) + np.array([0, _ABOVE, 0, -_BELOW])
        starts, ends = self.ends
        own = distances(starts[[index - 1]], ends[[index - 1]], letters)[:, 0] - self.halves[index - 1]
        # Most branches are far from all places.
        low, high = letters[:, :2].min(axis=0), letters[:, 2:].max(axis=0)
        room = self.halves[:, None] + ROOM.nearest * own.max()
        close = ((np.maximum(starts, ends) > low - room) & (np.minimum(starts, ends) < high + room)).all(axis=1)
        close[index - 1] = False
        others = distances(starts[close], ends[close], letters) - self.halves[close]
        good = others.min(axis=1, initial=inf) >= ROOM.nearest * own
        return [place for place, nearest in zip(found, good, strict=True) if nearest]

    def _within(self, box: Rectangle) -> bool:
        left, top, right, bottom = box
        return left >= 0 and top >= 0 and right <= self.placed.width and bottom <= self.placed.height

    def _notes(self, node: TreeNode, x: float, y: float) -> Iterator[Item]:
        aside = bool(node.each) and self.placed.right
        if aside:  # to the left of the node, in two lines
            for line, word in enumerate(node.each.split()):
                left, base = x - SIZES.node - 3, y - 2 + line * ROOM.line
                said = Text(left, base, word, SIZES.label, GREY, "each", node.number, "end")
                self._fixed(said)
                yield said
        for text, role, color, size in (
            ("" if aside else node.each, "each", GREY, SIZES.label),
            (node.value, "value", ink(node.whose), SIZES.note),
            (node.belief, "belief", INK, SIZES.note),
            (node.stub, "stub", PALE, SIZES.note),
        ):
            if not text:
                continue
            wide, tall = text_width(text, size) + 4, size + 2
            corners = self._note_corners(node, x, y, (wide, tall), role)
            beside_node = {2, 3} if role != "belief" else {self._belief_order.index(k) for k in (2, 3)}
            places = [_Place((a, b, a + wide, b + tall)) for a, b in corners]
            clear = partial(self._clear, places, near=0.5, on_bands=() if self.placed.right else tuple(beside_node))
            free = self._first_free([clear], self.obstacles, 0.5)
            place = free or places[0]
            left, top, *_ = place.box
            _reserve(self.obstacles, place, free is not None)
            if role == "value":
                yield Box(left, top, wide, tall, PAPER, "chip", node.number, rim(node.whose), SIZES.chip_line, round=3)
            yield Text(left + wide / 2, top + 0.86 * size + 0.4, text, size, color, role, node.number, "middle")

    def _note_corners(self, node: TreeNode, x: float, y: float, size: tuple[float, float], role: str) -> list[Point]:
        """Return the top left corners of possible places for the note *role* at the node (x, y), the best first."""
        (wide, tall), r = size, SIZES.node
        corners = self._corners(x, y, size, role in ("each", "value"))
        if role == "belief":
            return [corners[k] for k in self._belief_order]
        if role == "stub" and node.belief:
            return corners[1::-1] + corners[2:]  # not at the position of the belief
        if role == "value" and node.each and self.placed.right:
            corners.append((x - r - 3 - wide, y - SIZES.label - 3 - tall))  # above the text to the left
        if role == "each":
            return [(x + r + 1, y - tall - 0.5), (x - r - 1 - wide, y - tall - 0.5), *corners]
        return corners

    @cached_property
    def _belief_order(self) -> list[int]:
        """The order of the corners to try for beliefs: first the one that is free at most nodes, for all the same."""
        order = [*range(7)] if self.placed.right else [2, 3, 0, 1, 4]  # downwards, on the band
        free = Counter[int]()
        for node, (x, y) in zip(self.nodes, self.at, strict=True):
            if node.belief:
                wide, tall = text_width(node.belief, SIZES.note) + 4, SIZES.note + 2
                places = [_Place((a, b, a + wide, b + tall)) for a, b in self._corners(x, y, (wide, tall), False)]
                clear = self._clear(places, 2, 0.5, () if self.placed.right else (2, 3))
                free.update(k for k, place in enumerate(places) if place in clear)
        return sorted(order, key=lambda k: -free[k])

    def _corners(self, x: float, y: float, size: tuple[float, float], up: bool) -> list[Point]:
        """Return the top left corners of possible places for a note at the node (x, y), the best first."""
        (wide, tall), r = size, SIZES.node
        gap = -0.5 if self.placed.right else 2.5  # bands are vertical if play goes to the right
        rows = (y - r - gap - tall, y + r + gap)
        first, other = rows if up else rows[::-1]
        after, before, level = x + r + 2.5, x - r - 2.5 - wide, y - tall / 2
        if self.placed.right:
            corners = [(after, first), (before, first), (before, other), (after, other)]
            return [*corners, (after, level), (before, level), (x - wide / 2, first)]
        corners = [(x + r - 3, first), (x - r + 3 - wide, first), (after, level), (before, level)]
        return [*corners, (x - wide / 2, first)]

    def _payoffs(self, node: TreeNode, x: float, y: float) -> Iterator[Text]:
        end = x + 9.0
        many = len(self.facts.tree.players) > MANY_PLAYERS
        for p, paid in enumerate(node.payoffs):
            color = INK if many else ink(p)
            if self.placed.right and self.placed.ragged:
                yield Text(end, y + 4.0, paid, SIZES.label, color, "payoff", node.number)
                end += text_width(paid, SIZES.label) + ROOM.pay_gap
            elif self.placed.right:
                end += self.placed.columns[p]
                yield Text(end, y + 4.0, paid, SIZES.label, color, "payoff", node.number, "end")
                end += ROOM.pay_gap
            else:
                line = y + SIZES.end + SIZES.label + p * ROOM.line
                yield Text(x, line, paid, SIZES.label, color, "payoff", node.number, "middle")

    def _label(self, index: int, place: _Place) -> Iterator[Text]:
        node, (left, top, far, _) = self.nodes[index], place.box
        _, chance = node.widths
        anchor: Any = "start" if place.inline or place.lean > 0.5 else "end" if place.lean < -0.5 else "middle"
        x, y = {"start": left, "end": far, "middle": (left + far) / 2}[anchor], top + 0.84 * SIZES.label
        mover = self._color(self.nodes[node.above], READABLE)
        color = INK if self.facts.profile is None else PALE if not node.likely else mover
        if node.label:
            written = node.inline if place.inline else node.label
            yield Text(x, y, written, SIZES.label, color, "action", node.number, anchor)
            x, y = (x + node.inline_width - chance, y) if place.inline else (x, y + ROOM.line)
        if node.chance:
            yield Text(x, y, node.chance, SIZES.label, color, "probability", node.number, anchor, True)

    def _places(self, index: int) -> Iterator[_Place]:
        """Yield the possible positions of a label, the best first.

        The best position is on the outer side of the branch: near the parent in downward trees, otherwise beyond the
        middle.
        """
        layout, right, end, axis = self.placed.layout, self.placed.right, self.at[index], 1 - self.placed.right
        label = layout.label[layout.enter[index]]
        start = self.at[self.nodes[index].above] if self.strict else self.bent(index)
        before = self.facts.first_half[index] or (right and not self.strict)
        outer = 1 if before == right else -1
        half, length = self.edges[index - 1].width / 2, max(dist(start, end), 1.0)
        flow, lean = max(end[axis] - start[axis], 1.0), (end[1] - start[1]) / length
        wide, chance = self.nodes[index].widths
        both = bool(wide and chance)
        stacked = (max(wide, chance), ROOM.line * (1 + both) - 1.5)
        ways = [(True, (self.nodes[index].inline_width, SIZES.label))]
        if not right:
            ways = [(False, stacked), *(ways if both and self.strict else ())]
        aways = (ROOM.away, ROOM.least_away) if self.strict else (ROOM.away,)
        for away, side, (inline, size) in product(aways, (outer, -outer) if self.strict else (outer,), ways):
            first = label + 3 + size[1] / 2 - start[1]
            if right:
                first = 0.58 * flow if self.strict else 6 + size[0] / 2
            for step in _STEPS if self.strict else (0,):
                share = first / flow + step * _STEP / length
                if 0 < share < 1:
                    yield _Place(beside(start, end, share, size, side, away + half), side * lean, inline)
        inline, size = ways[0]
        yield _Place(beside(start, end, 0.5, size, outer, ROOM.away + half), outer * lean, inline)
