"""Where the tables of public histories stand, and the moves that join them: from left to right, in panels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from ...forms.extensive import NONE
from .scene import INK, SIZES, Item, Point, Stroke, Text, branch, fill, text_width
from .sheet import GAP, Block, Panelled, best_panels, node_of
from .tree_layout import NodeRoom, across, levels

HEAD = 19.0
"""The height of a piece's first line, where its node stands: edges come and go in the middle of it."""


@dataclass(frozen=True)
class Piece:
    """What stands at the public history ``history``: its size, and the move that leads there, as it is drawn, from the
    piece of index ``above`` (-1: none), with the width of its line and what is said on hovering.

    ``player`` moves there; the stem of these moves begins at ``begins``, from the piece's left side.
    """

    history: int
    above: int
    player: int
    width: float
    height: float
    begins: float
    label: str
    line: float
    tip: str


# --- where pieces stand


@dataclass(frozen=True)
class Spacing:
    """Room between pieces: ``between`` pieces below each other, ``beside`` the name of a move, and the ``least`` and
    ``most`` width in which edges spread."""

    between: float = 16.0
    beside: float = 14.0
    least: float = 24.0
    most: float = 80.0


PLAIN, TIGHT = Spacing(), Spacing(beside=6.0, least=6.0)
"""The usual room, and the room in a column of a paper."""


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
class PublicLayout(Panelled):
    """``places`` of the tables; ``panel[i]`` is which panel table i is in; ``starts`` are the start's places, one for
    each panel: its table is in the first, and in each other one it is a mark in the middle of that place."""

    places: tuple[Place, ...]
    panel: tuple[int, ...]
    starts: tuple[Place, ...]


def place_pieces(pieces: Sequence[Piece], width: float, spacing: Spacing = PLAIN) -> PublicLayout:
    """Places for *pieces*, in prefix order.

    *width* is what the picture has at least. A tall picture is broken into panels: of all ways, the best for a slide.
    """
    labels = [text_width(piece.label, SIZES.label) + spacing.beside if k else 0.0 for k, piece in enumerate(pieces)]
    whole = _panels(pieces, labels, [range(1, len(pieces))], spacing)

    def reach(index: int) -> tuple[float, float]:
        y = whole.places[index].y
        return y, y - HEAD / 2 + pieces[index].height

    def panelled(groups: Sequence[Sequence[Block]]) -> PublicLayout:
        return _panels(pieces, labels, [range(group[0].nodes.start, group[-1].nodes.stop) for group in groups], spacing)

    return best_panels(whole, width, [piece.above for piece in pieces], reach, panelled)


def _above(piece: Piece) -> float:
    """How far above its edge the name of a move stands."""
    return piece.line / 2 + 3.0


_ASCENT = 0.8 * SIZES.label
"""The height of the letters of that name."""


def _panels(
    pieces: Sequence[Piece], labels: Sequence[float], groups: Sequence[range], spacing: Spacing
) -> PublicLayout:
    """The layout with these *groups* of pieces, whole subtrees of the start, next to each other."""
    places: dict[int, Place] = {}
    panel = [0] * len(pieces)
    starts: list[Place] = []
    shift = height = 0.0
    for number, group in enumerate(groups):
        shown = [0, *group]
        found, right, bottom = _panel(pieces, labels, shown, shift, number == 0, spacing)
        starts.append(found[0])
        places |= {index: found[index] for index in shown if index or number == 0}
        panel[group.start : group.stop] = [number] * len(group)
        shift, height = right + GAP, max(height, bottom)
    ordered = tuple(places[k] for k in range(len(pieces)))
    return PublicLayout(shift - GAP, height, ordered, tuple(panel), tuple(starts), count=len(starts))


def _panel(
    pieces: Sequence[Piece], labels: Sequence[float], shown: Sequence[int], left: float, first: bool, spacing: Spacing
) -> tuple[dict[int, Place], float, float]:
    """The places of the tables *shown*, the start first, from *left* on; and the panel's right and bottom ends."""
    at = {index: k for k, index in enumerate(shown)}
    parent = [NONE, *(at[pieces[index].above] for index in shown[1:])]
    sizes = [(pieces[index].width, pieces[index].height) for index in shown]
    if not first:
        sizes[0] = (SIZES.node, HEAD)
    level = levels(parent, [NONE] * len(shown))
    rooms = [NodeRoom(0.0, HEAD / 2, tall - HEAD / 2) for _, tall in sizes]
    heights, top, _ = across(parent, level, rooms, True, spacing.between, ())
    # The name of a move may rise above the first line of all pieces.
    risen = [_above(pieces[index]) + _ASCENT - top - y for index, y in zip(shown[1:], heights[1:], strict=True)]
    top += max(0.0, *risen) if risen else 0.0
    widths, names, drops = ([0.0] * (1 + max(level)) for _ in range(3))
    for k, index in enumerate(shown):
        widths[level[k]] = max(widths[level[k]], sizes[k][0])
        if k:
            above = parent[k]
            names[level[k]] = max(names[level[k]], labels[index])
            drops[level[above]] = max(drops[level[above]], abs(heights[k] - heights[above]))
    fans = [min(max(spacing.least, drop / 6), spacing.most) for drop in drops]
    # A badge stands half out of its table, to the left.
    rooms_before = [SIZES.node, *(fan + name + SIZES.node for fan, name in zip(fans, names[1:], strict=False))]
    ways = (width + room for width, room in zip(widths, rooms_before[1:], strict=False))
    x = [left + way for way in accumulate(ways, initial=rooms_before[0])]
    places = {
        index: Place(x[at], top + y, x[at] + widths[at], x[at] - SIZES.node - names[at])
        for index, y, at in zip(shown, heights, level, strict=True)
    }
    right = max(x[at] + wide for at, (wide, _) in zip(level, sizes, strict=True))
    return places, right, max(top + y - HEAD / 2 + tall for y, (_, tall) in zip(heights, sizes, strict=True))


# --- what joins them


class Joints:
    """Edges with their names between *pieces* in their places, and the start in panels after the first."""

    def __init__(self, pieces: Sequence[Piece], layout: PublicLayout, left: float, top: float) -> None:
        self.pieces, self.layout, self.left, self.top = pieces, layout, left, top

    def corners(self) -> Iterator[Point]:
        """The top left corner of each piece."""
        for place in self.layout.places:
            yield self.left + place.x, self.top + place.y - HEAD / 2

    def _start(self, index: int, panel: int) -> Place:
        """Where a piece is, as its children of that *panel* have it."""
        return self.layout.starts[panel] if index == 0 else self.layout.places[index]

    def edges(self) -> Iterator[Stroke]:
        """For each piece in each panel a stem and its branches."""
        for panel in range(len(self.layout.starts)):
            stems: dict[int, list[int]] = {}
            for index in range(1, len(self.pieces)):
                if self.layout.panel[index] == panel:
                    stems.setdefault(self.pieces[index].above, []).append(index)
            for above, below in stems.items():
                yield self._stem(above, panel, below)
                yield from (self._branch(above, panel, index) for index in below)

    def _stem(self, above: int, panel: int, below: Sequence[int]) -> Stroke:
        place, piece = self._start(above, panel), self.pieces[above]
        begins = place.x + (piece.begins if above or panel == 0 else 0.0)
        y, bend = self.top + place.y, place.bend + 0.5
        points = ((self.left + begins, y), (self.left + bend, y))
        line = max(self.pieces[index].line for index in below)
        return Stroke(points, fill(piece.player), line, "stem", piece.history, piece.history)

    def _branch(self, above: int, panel: int, index: int) -> Stroke:
        start, place, piece = self._start(above, panel), self.layout.places[index], self.pieces[index]
        y = self.top + place.y
        points = branch(
            (self.left + start.bend, self.top + start.y), (self.left + place.label, y), (self.left + place.x, y)
        )
        source, color = self.pieces[above].history, fill(self.pieces[above].player)
        return Stroke(points, color, piece.line, "edge", piece.history, source, curved=True, tip=piece.tip)

    def again(self, badges: Sequence[str]) -> Iterator[Item]:
        """The start in the panels after the first."""
        for start in self.layout.starts[1:]:
            yield from node_of(self.left + start.x, self.top + start.y, self.pieces[0].player, badges, "again")

    def labels(self) -> Iterator[Text]:
        """The names of moves on the edges."""
        for place, piece in list(zip(self.layout.places, self.pieces, strict=True))[1:]:
            base = self.top + place.y - _above(piece)
            yield Text(self.left + place.label + 4.0, base, piece.label, SIZES.label, INK, "action", piece.history)
