"""A picture as an immutable list of strokes, marks, texts and boxes, independent of file formats.

Lengths are in pixels. The origin is the top left corner, and the y axis points down. Items are in drawing order.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from colorsys import hls_to_rgb, rgb_to_hls
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import pairwise
from typing import Literal, TypeVar

from ...base.rationals import Number
from ...games.bidding import FACES

# --- sizes and shortened names

FONT_FAMILY = "DejaVu Sans, Helvetica, Arial, sans-serif"


@dataclass(frozen=True)
class Sizes:
    """The sizes of letters, nodes and lines, in pixels."""

    label: float = 11.0
    note: float = 8.5
    badge: float = 11.0
    title: float = 17.0
    caption: float = 12.5
    node: float = 7.5  # the radius of a decision node
    end: float = 2.2  # the radius of the dot at a terminal node
    rim: float = 1.2  # the width of the line around a node
    ring: float = 2.0  # the difference between the radii of a ring and the node inside it
    plain_line: float = 1.4  # the width of an edge without a profile
    least_line: float = 1.0  # the width of an edge whose move is never made
    gain_line: float = 3.4  # the additional width of an edge whose move is certain
    band_line: float = 0.8  # the width of the line around an information set's band or a table of hands
    chip_line: float = 0.7  # the width of the line around an expected payoff
    frame_line: float = 0.6  # the width of the line around an empty cell


SIZES = Sizes()
FALL = 0.36  # the distance from the vertical center of a line of text to its baseline, as a share of the font size

DIE, DIE_ROOM = 0.92, 0.98
"""The side of a die in a text, and its advance width, as shares of the font size.

The die characters of DejaVu Sans have three quarters of this size, at which six spots look like five.
"""

THIN, BESIDE_DICE = "\u2009", re.compile(f"(?<=[{FACES}]) | (?=[{FACES}])")
"""The thin space beside a die, and the pattern of the spaces that it replaces."""

_EXTRA = {"·": 0.318, "−": 0.838, "…": 1.0, "≤": 0.838, "≈": 0.838, THIN: 0.2}
_PLAIN = (
    "318 401 460 838 636 950 780 275 390 390 500 838 318 361 318 337 636 636 636 636 636 636 636 636 636 636 337 337 "
    "838 838 838 531 1000 684 686 698 770 632 575 775 752 295 295 656 557 863 748 787 603 787 695 635 611 732 684 989 "
    "685 611 685 390 337 390 838 500 500 613 635 550 635 615 352 635 634 278 278 579 278 974 634 612 635 635 411 521 "
    "392 634 592 818 592 592 525 636 337 636 838"
)
_BOLD = (
    "348 456 521 838 696 1002 872 306 457 457 523 838 380 415 380 365 696 696 696 696 696 696 696 696 696 696 400 400 "
    "838 838 838 580 1000 774 762 734 830 683 683 821 837 372 372 775 637 995 837 850 733 850 770 720 682 812 774 1103 "
    "771 724 725 457 365 457 838 500 500 675 716 593 716 678 435 716 712 343 343 665 343 1042 712 687 716 716 493 595 "
    "478 712 652 924 645 652 582 712 365 712 838"
)
_WIDTHS = {
    bold: {chr(32 + k): int(width) / 1000 for k, width in enumerate(widths.split())}
    | {letter: wide * width for letter, width in _EXTRA.items()}
    for bold, widths, wide in ((False, _PLAIN, 1.0), (True, _BOLD, 1.1))
}
"""For each font weight, the width of each letter as a share of the font size."""


def edge_width(p: Number | None) -> float:
    """Return the width of an edge whose move has probability *p* (None without a profile)."""
    return SIZES.plain_line if p is None else SIZES.least_line + SIZES.gain_line * float(p)


@lru_cache(maxsize=8192)  # each candidate layout measures the same texts
def text_width(text: str, size: float, bold: bool = False) -> float:
    """Return the width of *text* in pixels, in DejaVu Sans at *size*; the fallback fonts are narrower."""
    table, wide = _WIDTHS[bold], 1.1 if bold else 1.0
    total = 0.0
    for letter in BESIDE_DICE.sub(THIN, text):
        total += table.get(letter) or (DIE_ROOM if letter in FACES else wide * (0.7 if letter < "\u2e80" else 1.0))
    return total * size


def shorten(text: str, letters: int) -> str:
    """Return *text* on one line of at most *letters* characters, without unprintable characters."""
    clean = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return clean if len(clean) <= letters else clean[: letters - 1] + "…"


def before_probability(label: str, chance: str) -> str:
    """Return the *label* of a move, with a colon before its probability *chance*: "22: 1/4" is not 22 and a quarter."""
    return f"{label}:" if label and chance and not label.endswith(":") else label


@lru_cache(maxsize=4096)
def shortened(texts: tuple[str, ...], letters: int) -> Mapping[str, str]:
    """Return a short form of each text, cut at the end.

    If two short forms would be equal, cut all texts in the middle; if two are still equal, cut none.
    """
    whole = {text: shorten(text, 10**6) for text in texts}
    ways = [
        {text: shorten(text, letters) for text in texts},
        {text: cut_inside(shown, letters) for text, shown in whole.items()},
    ]
    return next((way for way in ways if len(set(way.values())) == len(whole)), whole)


def cut_inside(text: str, letters: int) -> str:
    """Cut *text* in the middle to at most *letters* characters."""
    half = letters // 2
    return text if len(text) <= letters else f"{text[:half]}…{text[half + 1 - letters :]}"


def badges(players: Sequence[str]) -> tuple[str, ...]:
    """Return a character for each player: a letter in which all names differ, or else the player's number."""
    names = [" ".join(name.split()) for name in players]
    heads = {name[:-1] for name in names}
    for letters in (
        [name[-1:] for name in names] if len(heads) == 1 < len(names) else [],
        [name[:1].upper() for name in names],
    ):
        if letters and len(set(letters)) == len(names) and all(c.isascii() and c.isalnum() for c in letters):
            return tuple(letters)
    return tuple(str(player + 1) for player in range(len(names)))


# --- colors

INK = "#222222"
BLACK = "#000000"
GREY = "#666666"
PALE = "#6e6e6e"
PAPER = "#ffffff"
NEVER = "#8b9096"  # the color of a move that is never made; its contrast on paper is 3.2 to 1
UNREACHED = 3.5  # the minimum contrast of a player's line off the path of play, which is above that of NEVER

# The colors follow Okabe and Ito, so they are distinct with any color vision. Neighboring colors also differ in
# lightness, so two or three players are distinct in grayscale. The colors in ``_TEXTS`` are dark enough for text.
_FILLS = ("#005b96", "#e06c00", "#4fc3a1", "#8e3a80", "#f0c800", "#5a3a1e", "#7ec8f2", "#3c3c3c")
_TEXTS = ("#005b96", "#b34700", "#00735a", "#8e3a80", "#7a6200", "#5a3a1e", "#1f6f9f", "#3c3c3c")

_WHITE = (1.0, 1.0, 1.0)

MANY_PLAYERS = len(_FILLS)
"""The number of distinct colors. With more players, payoffs are drawn as one black vector."""

FRAME = "#949494"  # the color of the line around an empty cell; its contrast on paper is 3 to 1


def fill(player: int) -> str:
    """Return the node color of *player* (from 0; -1 is chance), which is lighter from the ninth player on."""
    return GREY if player < 0 else _mixed(_FILLS[player % len(_FILLS)], 255, 0.55 ** (player // len(_FILLS)))


def ink(player: int) -> str:
    """Return the color of the player's texts and lines: the hue of ``fill``, dark enough to read on white.

    In grayscale, every player's lines are darker than the color ``NEVER``.
    """
    return GREY if player < 0 else _mixed(_TEXTS[player % len(_TEXTS)], 0, 0.6 ** (player // len(_TEXTS)))


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


def faded(color: str, least: float) -> str:
    """Return *color* mixed with white to 45 %, or to the nearest share with a contrast of at least *least*."""
    shares = (share / 100 for share in range(45, 101, 5))
    return next((mix for share in shares if contrast(rgb(mix := _mixed(color, 255, share)), _WHITE) >= least), color)


def tint(player: int) -> str:
    """Return the color of a player's information-set bands and table headings."""
    return _mixed(fill(player), 255, 0.13)


def rim(player: int) -> str:
    """Return the color of the line around an information set's band; its contrast on paper is 3 to 1."""
    return _mixed(ink(player), 255, 0.7)


def shade(player: int, p: float) -> str:
    """Return the color of a probability: white for 0, and darker for higher probabilities."""
    return _mixed(ink(player), 255, 0.0 if p <= 0 else 0.12 + 0.88 * min(float(p), 1.0))


@cache
def _mixed(color: str, end: int, share: float) -> str:
    return "#" + "".join(f"{round(end + share * (part - end)):02x}" for part in _parts(color))


@cache
def letter_over(color: str) -> str:
    """Return black or white, whichever has the higher contrast ratio on *color* (WCAG 2.1)."""
    return max(BLACK, PAPER, key=lambda letters: contrast(rgb(color), rgb(letters)))


def contrast(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the contrast ratio of two colors, from 1 to 21 (WCAG 2.1). Red, green and blue are from 0 to 1."""
    bright, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def luminance(color: Sequence[float]) -> float:
    """Return the relative luminance of a color, from 0 to 1 (WCAG 2.1). Red, green and blue are from 0 to 1."""
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in color[:3])
    return float(0.2126 * red + 0.7152 * green + 0.0722 * blue)


def rgb(color: str) -> tuple[float, float, float]:
    """Return the red, green and blue components of ``#rrggbb``, each from 0 to 1."""
    red, green, blue = (part / 255 for part in _parts(color))
    return red, green, blue


def _parts(color: str) -> tuple[int, int, int]:
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)


# --- items

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Stroke:
    """A line through ``points``. If ``curved``, the start is followed by three points for each cubic Bézier curve."""

    points: tuple[Point, ...]
    color: str
    width: float
    role: str  # edge, rim, infoset, gap, rule or legend
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
    if player < len(_FILLS):
        return (mark,)
    return replace(mark, color=PAPER, rim=ink(player)), replace(mark, r=mark.r - SIZES.ring, node=-1)


def badge_size(badge: str) -> float:
    """Return the font size in a node, which is smaller for two digits."""
    return SIZES.badge if len(badge) == 1 else 0.7 * SIZES.badge


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


def on_curve(points: Sequence[Point], share: float) -> Point:
    """Return the point of a cubic Bézier curve at the parameter *share*, from 0 to 1."""
    weights = ((1 - share) ** 3, 3 * share * (1 - share) ** 2, 3 * share**2 * (1 - share), share**3)
    x, y = (sum(w * p[axis] for w, p in zip(weights, points, strict=True)) for axis in (0, 1))
    return x, y


def points_on(stroke: Stroke, steps: int = 96) -> list[Point]:
    """Return points on each segment of a stroke, at equal steps of the parameter."""
    p = stroke.points
    lines = ((a, a, b, b) for a, b in pairwise(p))
    parts = zip(p[:-1:3], p[1::3], p[2::3], p[3::3], strict=True) if stroke.curved else lines
    return [on_curve(part, step / steps) for part in parts for step in range(steps + 1)]


@dataclass(frozen=True)
class Format:
    """A file format: its name, its suffixes (in lower case, with the dot), and its renderer.

    Equal scenes give equal bytes.
    """

    name: str
    suffixes: tuple[str, ...]
    render: Callable[[Scene], bytes]


# --- color schemes of a finished picture: gray print, dark page

SCHEMES = ("plain", "grey", "dark")
"""The color schemes; the first is the default, which suits any color vision."""

READABLE = 4.5  # the minimum contrast of text (WCAG 2.1, level AA)
VISIBLE = 3.0  # the minimum contrast of lines
DARK_PAPER = "#14171c"


def recolored(scene: Scene, scheme: str) -> Scene:
    """Return *scene* in the colors of *scheme*. Every text has a contrast of at least ``READABLE``."""
    if scheme == "plain":
        return scene
    turn = _grey if scheme == "grey" else inverted
    items = tuple(_turned(item, turn) for item in scene.items)
    changed = replace(scene, items=items, paper=DARK_PAPER if scheme == "dark" else PAPER)
    return replace(changed, items=tuple(readable(changed)))


def _turned(item: Item, turn: Callable[[str], str]) -> Item:
    color = turn(item.color) if item.color else item.color
    if isinstance(item, Box | Mark):
        return replace(item, color=color, rim=turn(item.rim) if item.rim else "")
    return replace(item, color=color)


def _hex(parts: tuple[float, float, float]) -> str:
    return "#" + "".join(f"{round(255 * min(max(part, 0.0), 1.0)):02x}" for part in parts)


def _grey(color: str) -> str:
    light = luminance(rgb(color))
    value = 12.92 * light if light <= 0.0031308 else 1.055 * light ** (1 / 2.4) - 0.055
    return _hex((value, value, value))


def inverted(color: str) -> str:
    """Return *color* for a dark page: the same hue with inverted lightness."""
    hue, light, strong = rgb_to_hls(*rgb(color))
    base = rgb(DARK_PAPER)[0]
    return _hex(hls_to_rgb(hue, base + (1 - base) * (1 - light), strong)) if light < 0.999 else DARK_PAPER


def readable(scene: Scene) -> Iterator[Item]:
    """Yield the items of *scene*; every text has a contrast of at least ``READABLE``."""
    for item, behind in with_backgrounds(scene):
        if isinstance(item, Text) and contrast(rgb(item.color), rgb(behind)) < READABLE:
            yield replace(item, color=_moved(item.color, behind))
        else:
            yield item


def _moved(color: str, behind: str) -> str:
    """Return *color*, made lighter or darker until it is readable on *behind*."""
    hue, light, strong = rgb_to_hls(*rgb(color))
    ends = (1.0, 0.0) if luminance(rgb(behind)) < 0.18 else (0.0, 1.0)
    for end in ends:
        for step in range(1, 21):
            tried = _hex(hls_to_rgb(hue, light + (end - light) * step / 20, strong))
            if contrast(rgb(tried), rgb(behind)) >= READABLE:
                return tried
    return _hex((ends[0],) * 3)


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
