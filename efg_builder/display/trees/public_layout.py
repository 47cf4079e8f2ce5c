"""The positions of the pieces of a public tree: tables of hands, terminal histories, and marks for hidden moves.

*Along* is the direction of play (to the right or down), and *across* is the other direction.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np

from ...base.rationals import ROUGHLY
from ...forms.extensive import NONE, GameTree
from .beside import Obstacles, Rectangle, beside
from .colors import INK, NEVER, ink
from .options import DrawOptions
from .scene import Item, Point, Stroke, Text, elbow
from .sizes import SIZES, text_width
from .surround import ROUNDED, Fitted, Layout, LegendEntry, Surround, fitted, lines_of
from .tree_layout import NodeRoom, across, levels

HEAD = 19.0  # the height of a piece's first line, at whose center branches start and end


@dataclass(frozen=True)
class Piece:
    """The drawing at a public history, and the label of the move that leads to the history."""

    history: int
    above: int  # the index of the parent piece, -1 for none
    player: int  # the mover
    width: float
    height: float
    draw: Callable[[float, float, float], Iterable[Item]]  # takes the end (x, y) of the branch, and the tables' length
    label: str = ""  # the name of the move to the history
    chance: str = ""  # the probability of that move
    line: float = SIZES.plain_line  # the width of the branch
    never: bool = False  # whether the move is never made
    color: str = INK  # the color of the label
    tip: str = ""  # the tooltip of the branch
    fork: float | None = None  # the distance from its position to the start of its branches (None: the tables' end)
    table: bool = False  # whether the piece is as long as its level's tables
    dot: float = SIZES.node  # the radius of the mark at the end of the branch
    body: Rectangle | None = None  # if play goes right: the area that branches avoid, relative to the top left corner

    def size(self, right: bool) -> tuple[float, float]:
        """Return the width and the height of the label and the probability, side by side or stacked."""
        if right:
            return sum(self.parts) + _WORD_GAP * all(self.parts), SIZES.label if self.label else 0.0
        return max(self.parts), ROOM.line * sum(map(bool, self.parts))

    @cached_property
    def parts(self) -> tuple[float, float]:
        """The widths of the label and the probability."""
        return text_width(self.label, SIZES.label), text_width(self.chance, SIZES.label, True)


@dataclass(frozen=True)
class PublicSpacing:
    """The distances between pieces, in pixels."""

    between: float = 4.0  # between pieces side by side
    apart: float = 3.0  # added to ``between`` for straight branches, which need space for labels
    table: float = 9.0  # added after a table; in downward pictures, half of it is added after any other piece
    beside: float = 14.0  # added to the length of a branch's label, along the direction of play
    slope: tuple[float, float] = (0.3, 0.45)  # the length of a straight branch per extent across: (down, right)
    longest: float = 110.0  # the maximum of that length
    fan: tuple[float, float] = (12.0, 80.0)  # the minimum and maximum length of the sloping part of elbows
    away: float = 3.0  # from a line to its label
    staggered: float = 0.4  # the share of a label's width to reserve, because labels beside slopes can differ in height
    line: float = SIZES.label + 1.5  # the line height of a label


ROOM = PublicSpacing()
_WORD_GAP = 5.0  # the gap between a label and its probability
_ASCENT = 0.84 * SIZES.label  # the distance from the top of a line of text to its baseline
_STEPS = (0.0, *(way * step / 40 for step in range(1, 22) for way in (1, -1)))
"""The positions to try for a label, as distances from the first position, in shares of the branch's length."""


@dataclass(frozen=True)
class PublicLayout(Layout):
    """The layout of *pieces*. The position of a piece is the end of its branch."""

    pieces: tuple[Piece, ...]
    lines: str  # straight or elbow
    level: tuple[int, ...]
    first: tuple[bool, ...]  # for each piece, whether it is in the first half of its siblings
    at: tuple[Point, ...]
    tables: tuple[float, ...]  # for each level, the coordinate (along) at which its tables end
    ends: tuple[float, ...]  # for each level, the coordinate (along) at which all its pieces end
    bends: tuple[float, ...]  # for each level, the coordinate (along) at which its elbows' slopes end
    extra: tuple[Item, ...] = ()  # items beside the tree

    def _start(self, index: int) -> Point:
        above = self.pieces[index].above
        (x, y), fork, end = self.at[above], self.pieces[above].fork, self.tables[self.level[above]]
        if self.right:
            return (end if fork is None else x + fork, y)
        return (x, end if fork is None else y + fork)

    @cached_property
    def _edges(self) -> list[Stroke]:
        return [self._edge(index) for index in range(1, len(self.pieces))]

    def _edge(self, index: int) -> Stroke:
        piece, start, end = self.pieces[index], self._start(index), self.at[index]
        above, level = self.pieces[piece.above], self.level[piece.above]
        points: tuple[Point, ...] = (start, end)
        if self.lines == "elbow":
            bend = self.point(self.ends[level], start[self.right])
            points = elbow(start, bend, self.point(self.bends[level], end[self.right]), end, self.right)
        color = NEVER if piece.never else ink(above.player)
        known = (piece.history, above.history, self.lines == "elbow")
        return Stroke(points, color, piece.line, "edge", *known, tip=piece.tip)

    @cached_property
    def _labels(self) -> dict[int, Rectangle]:
        if self.lines == "elbow":
            return {index: self._at_elbow(index) for index in range(1, len(self.pieces))}
        found: dict[int, Rectangle] = {}
        for level in range(1, 1 + max(self.level)):
            here = [index for index, at in enumerate(self.level) if at == level]
            lines = [((self._start(index), self.at[index]), self.pieces[index].line) for index in here]
            bodies = list(self._bodies(level - 1))
            obstacles = Obstacles.of(lines, ())
            if obstacles.covered(bodies, 0.0).any():
                return {}
            for index in here:
                (x, y), r = self.at[index], self.pieces[index].dot
                obstacles.add((x - r, y - r, x + r, y + r))
            for body in bodies:
                obstacles.add(body)
            for index in here:
                boxes = list(self._places(index))
                free = np.flatnonzero(~obstacles.covered(boxes))
                if len(free):
                    found[index] = boxes[free[0]]
                    obstacles.add(found[index])
        return found

    def _at_elbow(self, index: int) -> Rectangle:
        piece, (x, y), bend = self.pieces[index], self.at[index], self.bends[self.level[self.pieces[index].above]]
        wide, tall = piece.size(self.right)
        away = ROOM.away + piece.line / 2
        if self.right:
            return (bend, y - away - tall, bend + wide, y - away)
        left = x - away - wide if self.first[index] else x + away
        return (left, bend, left + wide, bend + tall)

    def _bodies(self, level: int) -> Iterator[Rectangle]:
        """Yield the rectangles that branches from *level* must avoid."""
        for piece, at, (x, y) in zip(self.pieces, self.level, self.at, strict=True):
            if at == level and self.right and piece.body is not None:
                left, top, right, bottom = piece.body
                yield (x + left, y - HEAD / 2 + top, x + right, y - HEAD / 2 + bottom)

    def _places(self, index: int) -> Iterator[Rectangle]:
        """Yield positions beside a straight branch, the best first: on its outer side, just beyond its middle."""
        piece, start, end = self.pieces[index], self._start(index), self.at[index]
        axis = 1 - self.right
        low, high = self.ends[self.level[piece.above]] + 2, end[axis] - piece.dot - 2
        outer = 1 if self.first[index] == self.right else -1
        for side in (outer, -outer):
            for step in _STEPS:
                box = beside(start, end, 0.55 + step, piece.size(self.right), side, ROOM.away + piece.line / 2)
                if low <= box[axis] and box[axis + 2] <= high:
                    yield box

    @property
    def quality(self) -> int:
        return 2 if len(self._labels) == len(self.pieces) - 1 else 0

    @cached_property
    def items(self) -> tuple[Item, ...]:
        found: list[Item] = sorted(self._edges, key=lambda edge: edge.color != NEVER)
        for at, piece, (x, y) in zip(self.level, self.pieces, self.at, strict=True):
            found += piece.draw(x, y, self.tables[at] - (x if self.right else y))
        for index, box in self._labels.items():
            found += self._label(index, box)
        return (*found, *self.extra)

    def _label(self, index: int, box: Rectangle) -> Iterator[Text]:
        piece, base = self.pieces[index], box[1] + _ASCENT
        start, end = self._start(index), self.at[index]
        right = self.right or (box[0] + box[2]) / 2 > start[0] + (end[0] - start[0]) * (box[3] - start[1]) / (
            end[1] - start[1]
        )
        x, anchor = (box[0], "start") if right else (box[2], "end")
        known: Any = {"node": piece.history, "anchor": anchor}
        yield Text(x, base, piece.label, SIZES.label, piece.color, "action", **known)
        x, base = (x + piece.parts[0] + _WORD_GAP, base) if self.right else (x, base + ROOM.line)
        if piece.chance:
            yield Text(x, base, piece.chance, SIZES.label, piece.color, "probability", bold=True, **known)


def place_pieces(
    pieces: Sequence[Piece], lines: str, right: bool, between: float, along: float = 0.0, spread: float = 1.0
) -> PublicLayout:
    """Return the layout of *pieces*, given in prefix order, with the distance *between* neighbors.

    *along* is added to the length of each level with the gap after it. *spread* multiplies the distances across.
    """
    parents = [piece.above for piece in pieces]
    level, counts = levels(parents, [NONE] * len(pieces)), Counter(parents)
    seen, first = Counter[int](), list[bool]()
    for above in parents:
        first.append(seen[above] < counts[above] / 2)
        seen[above] += 1
    more_room = ROOM.apart if lines == "straight" else 0.0
    rooms = [_room(piece, lines, right, early) for piece, early in zip(pieces, first, strict=True)]
    places, before, after = across(parents, level, rooms, True, (between + more_room) * spread, ())
    last = max(level)
    tables, others, words, drops, more = ([0.0] * (last + 1) for _ in range(5))
    for piece, at, place in zip(pieces, level, places, strict=True):
        lengths = tables if piece.table else others
        lengths[at] = max(lengths[at], piece.width if right else piece.height)
        more[at] = along / 2 if piece.table and right and at < last else more[at]
        words[at] = max(words[at], piece.size(right)[1 - right])
        if piece.above != NONE:
            drops[at] = max(drops[at], abs(place - places[piece.above]))
    starts, ends, bends = [SIZES.node + 2.0], [], []
    for at in range(last + 1):
        tables[at] += starts[at] + more[at]
        ends.append(max(tables[at], starts[at] + others[at]))
        if at < last:
            gap, fan = _gap(lines, right, words[at + 1], drops[at + 1])
            bends.append(ends[at] + fan + along - more[at])
            starts.append(ends[at] + gap + along - more[at])
    points = [(starts[at], before + place) for at, place in zip(level, places, strict=True)]
    size = (ends[-1], before + max(places) + after)
    return PublicLayout(
        *(size if right else size[::-1]),
        tuple(pieces),
        lines,
        level,
        tuple(first),
        tuple(points if right else ((x, y) for y, x in points)),
        tuple(tables),
        tuple(ends),
        tuple(bends),
        right=right,
        steps=last,
    )


def _room(piece: Piece, lines: str, right: bool, first: bool) -> NodeRoom:
    wide, tall = piece.size(right)
    label = ROOM.away + piece.line / 2 + (tall if right else wide * (ROOM.staggered if lines == "straight" else 1.0))
    after = ROOM.table * (1.0 if piece.table else 0.0 if right else 0.5)
    if right:
        below = piece.height - HEAD / 2 if piece.height > HEAD else SIZES.label / 2
        return NodeRoom(0.0, 0.0, max(HEAD / 2, label), below + after)
    half = (piece.width + after) / 2
    return NodeRoom(label if first else 0.0, 0.0 if first else label, half, half)


def _gap(lines: str, right: bool, words: float, drop: float) -> tuple[float, float]:
    """Return the length of branches, and of slopes in elbows, given the longest label and the largest span across."""
    words = words + ROOM.beside + SIZES.node if words else ROOM.beside
    if lines == "straight":
        return max(words, min(ROOM.slope[right] * drop, ROOM.longest)), 0.0
    least, most = ROOM.fan
    fan = min(max(least, drop / 6), most)
    return fan + words, fan + 4.0


def fit_pieces(
    tree: GameTree,
    options: DrawOptions,
    kinds: Sequence[Sequence[Callable[[str, float, float], PublicLayout]]],
    about: str,
    legend: Sequence[LegendEntry],
    count: int,
) -> Fitted:
    """Return the picture with *count* pieces in the first of *kinds* (lists of layouts) that has space for all labels.

    A layout is a function of the kind of branches, the extra length along play, and the factor for distances across.
    """
    plain = kinds[0][0]("elbow", 0.0, 1.0)
    if any(isinstance(item, Text) and ROUGHLY in item.text for item in plain.items):
        legend = [*legend, ROUNDED]
    lines = lines_of(options.style, count)
    ways = [[partial(layout, line) for layout in kind] for line in lines for kind in kinds]
    return fitted(ways, Surround(tree, options, about, legend, enlarged=1.3))
