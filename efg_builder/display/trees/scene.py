"""A picture as an immutable list of strokes, marks, texts and boxes, independent of file formats.

Lengths are in pixels. The origin is the top left corner, and the y axis points down. Items are in drawing order.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal, TypeVar

import numpy as np
import numpy.typing as npt

from ...games.bidding import FACES
from .colors import (
    DARK_PAPER,
    GREY,
    INK,
    MANY_PLAYERS,
    PAPER,
    READABLE,
    contrast,
    greyed,
    ink,
    inverted,
    readable_on,
    rgb,
)
from .sizes import BESIDE_DICE, DIE, DIE_ROOM, FALL, SIZES, THIN, text_width

Words = tuple[tuple[str, str], ...]  # texts side by side, each with its color
WORD_GAP = 6.0  # the gap between two texts, in pixels


def words_width(words: Words) -> float:
    """Return the width of *words* as a label, in pixels."""
    return sum(text_width(text, SIZES.label) for text, _ in words) + WORD_GAP * max(0, len(words) - 1)


def words_at(words: Words, left: float, base: float, role: str, node: int = -1) -> Iterator[Text]:
    """Yield *words* as texts side by side, starting at the x coordinate *left*."""
    for text, color in words:
        yield Text(left, base, text, SIZES.label, color, role, node)
        left += text_width(text, SIZES.label) + WORD_GAP


def payoff_texts(payoffs: Sequence[str]) -> Words:
    """Return the payoffs in the colors of their players; with many players, return one vector."""
    if len(payoffs) > MANY_PLAYERS:
        return ((f"({', '.join(payoffs)})", INK),)
    return tuple((text, ink(player)) for player, text in enumerate(payoffs))


# --- items

Point = tuple[float, float]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Stroke:
    """A line through ``points``. If ``curved``, the start is followed by three points for each cubic Bézier curve."""

    points: tuple[Point, ...]
    color: str
    width: float
    role: str  # edge, rim, infoset, gap, subgame, rule or legend
    node: int = -1  # the number of the node at the end, -1 for none
    source: int = -1  # the number of the node at the start
    curved: bool = False
    round: bool = False  # whether the ends of the line are round
    tip: str = ""


@dataclass(frozen=True, slots=True)
class Mark:
    """A node: a circle or diamond of radius ``r`` around (x, y), with the tooltip ``tip``."""

    shape: Literal["circle", "diamond"]
    x: float
    y: float
    r: float
    color: str
    role: str
    node: int = -1
    tip: str = ""
    rim: str = ""  # the color of the line around the node, empty for none

    @property
    def corners(self) -> tuple[Point, Point, Point, Point]:
        x, y, r = self.x, self.y, self.r
        return ((x, y - r), (x + r, y), (x, y + r), (x - r, y))


@dataclass(frozen=True, slots=True)
class Text:
    """One line of text; (x, y) is the start, middle or end (``anchor``) of its baseline."""

    x: float
    y: float
    text: str
    size: float
    color: str
    role: str
    node: int = -1
    anchor: Literal["start", "middle", "end"] = "start"
    bold: bool = False

    @property
    def width(self) -> float:
        """The width of the text in pixels."""
        return text_width(self.text, self.size, self.bold)

    @property
    def left(self) -> float:
        return self.x - {"start": 0.0, "middle": self.width / 2, "end": self.width}[self.anchor]


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle whose top left corner is (x, y)."""

    x: float
    y: float
    width: float
    height: float
    color: str  # the background color, empty for none
    role: str  # table, head, cell, chip, die or legend
    node: int = -1
    rim: str = ""  # the color of the line around the rectangle, empty for none
    line: float = 1.0  # the width of that line
    tip: str = ""
    round: float = 0.0  # the radius of the corners


Item = Stroke | Mark | Text | Box
Kind = TypeVar("Kind", Stroke, Mark, Text, Box)


@dataclass(frozen=True)
class Scene:
    """A complete picture."""

    width: float
    height: float
    title: str
    description: str  # the content of the picture in words
    items: tuple[Item, ...]
    scale: float = 1.0  # pixels of the finished picture per pixel of the scene
    paper: str = PAPER  # the background color
    fragment: bool = False  # whether TikZ output is only the tikzpicture

    def _of(self, kind: type[Kind]) -> tuple[Kind, ...]:
        return tuple(item for item in self.items if isinstance(item, kind))

    @property
    def texts(self) -> tuple[Text, ...]:
        return self._of(Text)

    @property
    def marks(self) -> tuple[Mark, ...]:
        return self._of(Mark)

    @property
    def boxes(self) -> tuple[Box, ...]:
        return self._of(Box)

    @property
    def strokes(self) -> tuple[Stroke, ...]:
        return self._of(Stroke)


def ringed(mark: Mark, player: int) -> tuple[Mark, ...]:
    """Return the *mark* of a player's node. From the ninth player on, colors repeat, so the node has a ring."""
    if player < MANY_PLAYERS:
        return (mark,)
    return replace(mark, color=PAPER, rim=ink(player)), replace(mark, r=mark.r - SIZES.ring, node=-1)


def two_decimals(value: float) -> str:
    """Return a length as text with at most two decimals."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def elbow(start: Point, bend: Point, label: Point, end: Point, right: bool) -> tuple[Point, ...]:
    """Return an elbow as three cubic Bézier curves: a stem to *bend*, a slope to *label*, and a line to *end*."""
    if not right:
        return tuple((x, y) for y, x in elbow(start[::-1], bend[::-1], label[::-1], end[::-1], True))
    stem, flat = (bend[0] - start[0]) / 3, end[0] - label[0]
    run, rise = label[0] - bend[0], label[1] - bend[1]
    slope = ((bend[0] + run * 0.3, bend[1] + rise * 0.12), (bend[0] + run * 0.55, label[1]), label)
    level = ((label[0] + flat / 3, end[1]), (label[0] + flat * 2 / 3, end[1]), end)
    return (start, (start[0] + stem, start[1]), (bend[0] - stem, bend[1]), bend, *slope, *level)


def moved(item: Item, dx: float, dy: float) -> Item:
    if isinstance(item, Stroke):
        return replace(item, points=tuple((x + dx, y + dy) for x, y in item.points))
    return replace(item, x=item.x + dx, y=item.y + dy)


def bow(a: Point, b: Point, aside: float) -> tuple[Point, ...]:
    """Return a cubic Bézier curve from *a* to *b* whose middle is *aside* pixels from the straight line."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = max(1.0, (dx * dx + dy * dy) ** 0.5)
    over, up = -dy / length * aside * 4 / 3, dx / length * aside * 4 / 3
    return (a, (a[0] + dx / 3 + over, a[1] + dy / 3 + up), (a[0] + 2 * dx / 3 + over, a[1] + 2 * dy / 3 + up), b)


def opening(at: Point, right: bool, r: float = SIZES.node + 6.0) -> Stroke:
    """Return the arc, of radius *r*, before a node where a subgame begins; *right*: whether play goes to the right."""
    x, y = at
    start, bulge, half = 0.5 * r, 1.167 * r, 0.866 * r  # a third of a circle
    points = ((-start, -half), (-bulge, -0.48 * r), (-bulge, 0.48 * r), (-start, half))
    turned = points if right else tuple((b, a) for a, b in points)
    return Stroke(tuple((x + a, y + b) for a, b in turned), GREY, SIZES.least_line, "subgame", curved=True, round=True)


def on_curve(points: Sequence[Point], steps: int) -> Floats:
    """Return points on cubic Bézier curves, at equal steps of the parameter. [point, axis]

    *points* are the start of the first curve and, for each curve, its two control points and its end.
    """
    share = (np.arange(steps + 1) / steps)[:, None]
    p = np.array(points, dtype=float)[:, None]
    start, leave, enter, end = p[:-1:3], p[1::3], p[2::3], p[3::3]
    curves = (1 - share) ** 3 * start + 3 * share * (1 - share) ** 2 * leave + 3 * share**2 * (1 - share) * enter
    return np.asarray((curves + share**3 * end).reshape(-1, 2))


def points_on(stroke: Stroke, steps: int = 96) -> Floats:
    """Return points on each segment of a stroke, at equal steps of the parameter. [point, axis]"""
    p = stroke.points
    return on_curve(p if stroke.curved else (p[0], *(point for a, b in pairwise(p) for point in (a, b, b))), steps)


@dataclass(frozen=True)
class Format:
    """A file format: its name, its suffixes (in lower case, with the dot), and its renderer.

    Equal scenes give equal bytes.
    """

    name: str
    suffixes: tuple[str, ...]
    render: Callable[[Scene], bytes]


# --- color schemes of a finished picture


def recolored(scene: Scene, scheme: str) -> Scene:
    """Return *scene* in the colors of *scheme*. Every text has a contrast of at least ``READABLE``."""
    if scheme == "plain":
        return scene
    turn = greyed if scheme == "grey" else inverted
    items = tuple(_turned(item, turn) for item in scene.items)
    changed = replace(scene, items=items, paper=DARK_PAPER if scheme == "dark" else PAPER)
    return replace(changed, items=tuple(readable(changed)))


def _turned(item: Item, turn: Callable[[str], str]) -> Item:
    color = turn(item.color) if item.color else item.color
    if isinstance(item, Box | Mark):
        return replace(item, color=color, rim=turn(item.rim) if item.rim else "")
    return replace(item, color=color)


def readable(scene: Scene) -> Iterator[Item]:
    """Yield the items of *scene*; every text has a contrast of at least ``READABLE``."""
    for item, behind in with_backgrounds(scene):
        if isinstance(item, Text) and contrast(rgb(item.color), rgb(behind)) < READABLE:
            yield replace(item, color=readable_on(item.color, behind))
        else:
            yield item


def with_backgrounds(scene: Scene) -> Iterator[tuple[Item, str]]:
    """Yield each item with its background color: the color behind a text's center, or the paper for other items."""
    below: list[Box | Mark] = []
    for item in scene.items:
        if isinstance(item, Box | Mark):
            if item.color:
                below.append(item)
            yield item, scene.paper
        elif isinstance(item, Stroke):
            yield item, scene.paper
        else:
            x, y = item.left + item.width / 2, item.y - FALL * item.size
            found = next((one.color for one in reversed(below) if _covers(one, x, y)), scene.paper)
            yield item, found


def _covers(item: Box | Mark, x: float, y: float) -> bool:
    if isinstance(item, Box):
        return item.x <= x <= item.x + item.width and item.y <= y <= item.y + item.height
    return (x - item.x) ** 2 + (y - item.y) ** 2 <= item.r**2


# --- dice in texts, drawn as shapes, because fonts lack die characters or draw them too small to read

_SPOTS = ("4", "26", "246", "0268", "02468", "035268")
"""The spots of each face of a die, as indices into a 3 x 3 grid, row by row."""


def painted(scene: Scene) -> Iterator[Item]:
    """Yield the items of *scene*; shapes replace the die faces in texts."""
    for item in scene.items:
        if isinstance(item, Text) and any(face in item.text for face in FACES):
            yield from _with_dice(item)
        else:
            yield item


def _with_dice(item: Text) -> Iterator[Item]:
    x = item.left
    for part in re.split(f"([{FACES}])", BESIDE_DICE.sub(THIN, item.text)):
        if part and part in FACES:
            yield from _die(FACES.index(part), x + DIE_ROOM / 2 * item.size, item)
        elif words := part.strip():
            indent = text_width(part[: part.index(words)], item.size, item.bold)
            yield replace(item, x=x + indent, text=words, anchor="start")
        x += text_width(part, item.size, item.bold)


def _die(face: int, x: float, beside: Text) -> Iterator[Item]:
    y, side, color = beside.y - FALL * beside.size, DIE * beside.size, beside.color
    corner, line = (x - side / 2, y - side / 2), 0.08 * side
    yield Box(*corner, side, side, "", "die", rim=color, line=line, round=0.2 * side)
    for place in map(int, _SPOTS[face]):
        down, along = place // 3 - 1, place % 3 - 1
        at = x + 0.27 * side * along, y + 0.27 * side * down
        yield Mark("circle", *at, 0.12 * side, color, "die")
