"""A picture as an immutable list of strokes, marks, texts and boxes, before any file format.

Lengths are pixels, the origin is the top left corner, y grows downwards. Items stand in drawing order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from colorsys import hls_to_rgb, rgb_to_hls
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from .colors import PAPER, contrast, luminance, rgb
from .sizes import text_width

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Stroke:
    """A line through ``points`` or, if ``curved``, cubic Béziers (the start, then three points each)."""

    points: tuple[Point, ...]
    color: str
    width: float
    role: str  # edge, stem, infoset, open or legend
    node: int = -1  # the node at which it ends, -1 for none; a stem begins and ends at its own node
    source: int = -1  # the node at which it begins
    curved: bool = False
    opacity: float = 1.0
    dash: tuple[float, ...] = ()  # lengths on and off, empty for solid
    tip: str = ""


@dataclass(frozen=True, slots=True)
class Mark:
    """A node: a filled circle or diamond of radius ``r`` around (x, y); ``tip`` is shown on hovering."""

    shape: Literal["circle", "diamond"]
    x: float
    y: float
    r: float
    color: str
    role: str
    node: int = -1
    opacity: float = 1.0
    tip: str = ""

    @property
    def rimmed(self) -> bool:
        """Whether a rim of paper stands around it, which keeps the lines below a faded node from shining through."""
        return self.role in ("decision", "chance", "again")

    @property
    def corners(self) -> tuple[Point, Point, Point, Point]:
        """Of a diamond."""
        x, y, r = self.x, self.y, self.r
        return ((x, y - r), (x + r, y), (x, y + r), (x - r, y))


@dataclass(frozen=True, slots=True)
class Text:
    """One line of text; (x, y) is on its baseline, at the ``anchor``. ``halo`` clears what is behind it."""

    x: float
    y: float
    text: str
    size: float
    color: str
    role: str
    node: int = -1
    anchor: Literal["start", "middle", "end"] = "start"
    bold: bool = False
    opacity: float = 1.0
    halo: bool = False

    @property
    def width(self) -> float:
        """As wide as its letters."""
        return text_width(self.text, self.size, self.bold)

    @property
    def left(self) -> float:
        """Where the letters begin."""
        return self.x - {"start": 0.0, "middle": self.width / 2, "end": self.width}[self.anchor]

    @property
    def cleared(self) -> tuple[float, float, float, float]:
        """What a halo clears: left, top, width and height."""
        return self.left - 2, self.y - 0.76 * self.size - 1, self.width + 4, 0.76 * self.size + 2


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle with its top left corner at (x, y)."""

    x: float
    y: float
    width: float
    height: float
    color: str  # empty for none
    role: str  # table, cell, infoset or legend
    node: int = -1
    rim: str = ""  # the color of the line around it, empty for none
    line: float = 1.0  # the width of that line
    opacity: float = 1.0
    tip: str = ""
    round: float = 0.0  # the radius of its corners


Item = Stroke | Mark | Text | Box


@dataclass(frozen=True)
class Scene:
    """A whole picture."""

    width: float
    height: float
    title: str
    description: str  # what it shows, in words
    items: tuple[Item, ...]
    scale: float = 1.0  # pixels of the finished picture by pixel of the scene
    paper: str = PAPER  # the color behind it all
    fragment: bool = False  # of TikZ only what stands in a document

    @property
    def texts(self) -> tuple[Text, ...]:
        """All texts."""
        return tuple(item for item in self.items if isinstance(item, Text))

    @property
    def marks(self) -> tuple[Mark, ...]:
        """All marks."""
        return tuple(item for item in self.items if isinstance(item, Mark))

    @property
    def boxes(self) -> tuple[Box, ...]:
        """All rectangles."""
        return tuple(item for item in self.items if isinstance(item, Box))

    @property
    def strokes(self) -> tuple[Stroke, ...]:
        """All strokes."""
        return tuple(item for item in self.items if isinstance(item, Stroke))


def two_decimals(value: float) -> str:
    """A length for a file: at most two decimals, a hundredth of a pixel."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def branch(bend: Point, label: Point, end: Point) -> tuple[Point, ...]:
    """From the end of the stem in a slope to the label's room, then level to the node: two cubic Béziers."""
    run, rise = label[0] - bend[0], label[1] - bend[1]
    slope = ((bend[0] + run * 0.3, bend[1] + rise * 0.12), (bend[0] + run * 0.55, label[1]), label)
    flat = end[0] - label[0]
    return (bend, *slope, (label[0] + flat / 3, end[1]), (label[0] + flat * 2 / 3, end[1]), end)


def arc(a: Point, b: Point, aside: float = 0.0) -> tuple[Point, ...]:
    """One cubic Bézier that leaves and enters vertically, so that it is not taken for a branch; bent *aside*."""
    lift = max(24.0, abs(b[1] - a[1]) / 2)
    down = 1.0 if b[1] >= a[1] else -1.0
    return (a, (a[0] + aside, a[1] + down * lift), (b[0] + aside, b[1] - down * lift), b)


def bow(a: Point, b: Point, aside: float) -> tuple[Point, ...]:
    """One cubic Bézier from *a* to *b*, straight but for a bow to one side."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = max(1.0, (dx * dx + dy * dy) ** 0.5)
    over, up = -dy / length * aside * 4 / 3, dx / length * aside * 4 / 3
    return (a, (a[0] + dx / 3 + over, a[1] + dy / 3 + up), (a[0] + 2 * dx / 3 + over, a[1] + 2 * dy / 3 + up), b)


def on_curve(points: Sequence[Point], share: float) -> Point:
    """The point of a cubic Bézier at this *share* of its parameter, from 0 to 1."""
    weights = ((1 - share) ** 3, 3 * share * (1 - share) ** 2, 3 * share**2 * (1 - share), share**3)
    x, y = (sum(w * p[axis] for w, p in zip(weights, points, strict=True)) for axis in (0, 1))
    return x, y


def points_on(stroke: Stroke, steps: int = 96) -> list[Point]:
    """Return points on each part of a stroke, at equal steps of its parameter."""
    p = stroke.points
    lines = ((a, a, b, b) for a, b in pairwise(p))
    parts = zip(p[:-1:3], p[1::3], p[2::3], p[3::3], strict=True) if stroke.curved else lines
    return [on_curve(part, step / steps) for part in parts for step in range(steps + 1)]


@dataclass(frozen=True)
class Format:
    """A file format: its name, the suffixes of its files (with the dot, in small letters), and how a scene becomes the
    bytes of the whole file; equal scenes give equal bytes."""

    name: str
    suffixes: tuple[str, ...]
    render: Callable[[Scene], bytes]


# --- schemes of colours for a finished picture: for a grey print, for a dark page

SCHEMES = ("plain", "grey", "dark")
"""The first is the one that pictures are made in: colours that are told apart with any colour vision."""

READABLE = 4.5  # the least contrast of a text with what is behind it (WCAG 2.1, level AA)
DARK_PAPER = "#14171c"


def recolored(scene: Scene, scheme: str) -> Scene:
    """*scene* in the colours of *scheme*; texts keep a contrast of at least ``READABLE``."""
    if scheme == "plain":
        return scene
    turn = _grey if scheme == "grey" else _inverted
    items = tuple(_turned(item, turn) for item in scene.items)
    changed = replace(scene, items=items, paper=DARK_PAPER if scheme == "dark" else PAPER)
    return replace(changed, items=tuple(_readable(changed)))


def _turned(item: Item, turn: Callable[[str], str]) -> Item:
    color = turn(item.color) if item.color else item.color
    if isinstance(item, Box):
        return replace(item, color=color, rim=turn(item.rim) if item.rim else "")
    return replace(item, color=color)


def _hex(parts: tuple[float, float, float]) -> str:
    return "#" + "".join(f"{round(255 * min(max(part, 0.0), 1.0)):02x}" for part in parts)


def _grey(color: str) -> str:
    light = luminance(rgb(color))
    value = 12.92 * light if light <= 0.0031308 else 1.055 * light ** (1 / 2.4) - 0.055
    return _hex((value, value, value))


def _inverted(color: str) -> str:
    hue, light, strong = rgb_to_hls(*rgb(color))
    base = rgb(DARK_PAPER)[0]
    return _hex(hls_to_rgb(hue, base + (1 - base) * (1 - light), strong)) if light < 0.999 else DARK_PAPER


def _readable(scene: Scene) -> Iterator[Item]:
    for item, behind in with_backgrounds(scene):
        if isinstance(item, Text) and contrast(rgb(item.color), rgb(behind)) < READABLE:
            yield replace(item, color=_moved(item.color, behind))
        else:
            yield item


def _moved(color: str, behind: str) -> str:
    """*color* as much lighter or darker as it must be to be read on *behind*."""
    hue, light, strong = rgb_to_hls(*rgb(color))
    ends = (1.0, 0.0) if luminance(rgb(behind)) < 0.18 else (0.0, 1.0)
    for end in ends:
        for step in range(1, 21):
            tried = _hex(hls_to_rgb(hue, light + (end - light) * step / 20, strong))
            if contrast(rgb(tried), rgb(behind)) >= READABLE:
                return tried
    return _hex((ends[0],) * 3)


def with_backgrounds(scene: Scene) -> Iterator[tuple[Item, str]]:
    """Each item, and the colour of what was drawn last in its middle before it; lines count for nothing."""
    below: list[Box | Mark] = []
    for item in scene.items:
        if isinstance(item, Box | Mark):
            if item.color and item.opacity == 1:
                below.append(item)
            yield item, scene.paper
        elif isinstance(item, Stroke):
            yield item, scene.paper
        else:
            x, y = item.left + item.width / 2, item.y - 0.36 * item.size
            found = next((one.color for one in reversed(below) if _covers(one, x, y)), scene.paper)
            yield item, scene.paper if item.halo else found


def _covers(item: Box | Mark, x: float, y: float) -> bool:
    if isinstance(item, Box):
        return item.x <= x <= item.x + item.width and item.y <= y <= item.y + item.height
    return (x - item.x) ** 2 + (y - item.y) ** 2 <= item.r**2
