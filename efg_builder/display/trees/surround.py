"""The title, caption and legend around a picture, and the choice of its size and layout."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TypeVar

from ...base.errors import PictureTooSmallError
from ...base.rationals import ROUGHLY
from ...base.words import PERCENT_ROUNDED
from ...forms.extensive import CHANCE, GameTree
from .colors import GREY, INK, PALE, PAPER, fill, ink, letter_over, rim
from .options import LINES, DrawOptions, Style
from .scene import (
    WORD_GAP,
    Box,
    Item,
    Mark,
    Point,
    Scene,
    Stroke,
    Text,
    Words,
    moved,
    recolored,
    ringed,
    words_at,
    words_width,
)
from .sizes import FALL, SIZES, badge_size, shorten, text_width


@dataclass(frozen=True)
class Layout:
    """The drawing between the heading and the legend, and its size in pixels."""

    width: float
    height: float
    right: bool = field(default=True, kw_only=True)  # whether play goes to the right; if not, it goes down
    steps: int = field(default=0, kw_only=True)  # the number of fans between the root and the deepest node

    @property
    def quality(self) -> int:
        """2 if all labels have space, 1 if some are on bands, 0 if some have no space."""
        return 2

    @property
    def items(self) -> Iterable[Item]:
        raise NotImplementedError

    @property
    def letters(self) -> float:
        """The smallest font size, in pixels."""
        return min((item.size for item in self.items if isinstance(item, Text)), default=SIZES.label)

    def point(self, along: float, across: float) -> Point:
        """Return the point at the distances *along* and *across* the direction of play."""
        return (along, across) if self.right else (across, along)

    @property
    def size(self) -> tuple[float, float]:
        """The size along the direction of play, and the size across it."""
        return (self.width, self.height) if self.right else (self.height, self.width)


# --- title, caption and legend

_MARGIN = 22.0  # margin around a free picture, in pixels
_LEAST_WIDTH = 720.0  # the minimum width of a picture with a title or a legend
LEAST_INNER = _LEAST_WIDTH - 2 * _MARGIN  # that width without the margins
_GAP, _LINE = 22.0, 22.0  # the distance between legend entries, and the height of legend lines
_COMMENT_LETTERS = 420


@dataclass(frozen=True)
class LegendEntry:
    """An entry of the legend: an ``icon`` around (0, 0), ``room`` pixels wide, and ``words`` with their colors."""

    icon: tuple[Item, ...]
    room: float
    words: Words
    optional: bool = False  # whether the entry may be omitted to fit the legend on one line

    @property
    def width(self) -> float:
        """The width of the icon and the words, in pixels."""
        return self.indent + words_width(self.words)

    @property
    def indent(self) -> float:
        """The distance from the left edge to the words, in pixels."""
        return self.room + WORD_GAP if self.icon else self.room

    @classmethod
    def said(cls, text: str, icon: tuple[Item, ...] = (), room: float = 0.0, optional: bool = False) -> LegendEntry:
        """Return an entry whose words have one color."""
        return cls(icon, room, ((text, INK),), optional)

    @classmethod
    def node(
        cls, player: int, badges: Sequence[str], words: str, color: str = INK, optional: bool = False
    ) -> LegendEntry:
        """Return an entry for a node, with its player's name or other words."""
        return cls(node_of(SIZES.node, 0, player, badges, "legend"), 2 * SIZES.node, ((words, color),), optional)

    @classmethod
    def chip(cls, values: Sequence[str], words: str) -> LegendEntry:
        """Return an entry for a boxed payoff: one of *values*, if possible not an integer."""
        sample = next((text for text in values if not text.lstrip("−").isdigit()), values[0])
        wide = chip_width(sample)
        return cls.said(words, chip(wide, 0.0, sample, 0), wide)

    @classmethod
    def widths(cls) -> LegendEntry:
        """Return the entry that explains the widths of edges."""
        thick = Stroke(((0, 0), (13, 0)), GREY, SIZES.least_line + SIZES.gain_line, "legend")
        thin = Stroke(((13, 0), (26, 0)), GREY, SIZES.plain_line, "legend")
        return cls.said("wider: more probable", (thick, thin), 26.0)

    @classmethod
    def end(cls, words: Words, optional: bool = False) -> LegendEntry:
        """Return an entry for the dot at a terminal node."""
        return cls((Mark("circle", SIZES.end, 0, SIZES.end, INK, "legend"),), 2 * SIZES.end, words, optional)

    @classmethod
    def note(cls, note: str, words: str, room: float, color: str = PALE) -> LegendEntry:
        """Return an entry for a *note* in small letters, followed by *room* pixels."""
        letters = Text(0, 3, note, SIZES.note, color, "legend")
        return cls.said(words, (letters,), letters.width + room)


ROUNDED = LegendEntry.said(f"{ROUGHLY} rounded")
ROUNDED_PERCENT = LegendEntry.said(PERCENT_ROUNDED)


def _legend_lines(entries: Iterable[LegendEntry], width: float) -> list[list[LegendEntry]]:
    """Return the lines of the legend, each of at most the given *width*.

    If the legend does not fit on one line, optional entries are omitted, starting with the last.
    """
    entries = list(entries)
    while sum(entry.width + _GAP for entry in entries) - _GAP > width:
        spare = next((entry for entry in reversed(entries) if entry.optional), None)
        if spare is None:
            break
        entries.remove(spare)
    parts = [part for entry in entries for part in _broken(entry, width)]

    def lines(width: float) -> list[list[LegendEntry]]:
        found: list[list[LegendEntry]] = []
        x = 0.0
        for entry in parts:
            if not found or x + entry.width > width:
                found.append([])
                x = 0.0
            found[-1].append(entry)
            x += entry.width + _GAP
        return found

    return _balanced(lines, width)


Line = TypeVar("Line")


def _balanced(lines: Callable[[float], list[Line]], width: float) -> list[Line]:
    """Return the lines of the smallest width with as few lines as at *width*, so that no line has a single word."""
    found, low, high = lines(width), 0.0, width
    for _ in range(10):
        middle = (low + high) / 2
        tried = lines(middle)
        if len(tried) > len(found):
            low = middle
        else:
            found, high = tried, middle
    return found


def _broken(entry: LegendEntry, width: float) -> list[LegendEntry]:
    if entry.width <= width:
        return [entry]
    lines = [replace(entry, words=())]
    for word, color in ((word, color) for text, color in entry.words for word in text.split()):
        before = lines[-1].words
        if before and before[-1][1] == color:
            longer = replace(lines[-1], words=(*before[:-1], (f"{before[-1][0]} {word}", color)))
        else:
            longer = replace(lines[-1], words=(*before, (word, color)))
        if before and longer.width > width:
            lines.append(LegendEntry((), 0.0, ((word, color),)))
        else:
            lines[-1] = longer
    return lines


# --- the size of a picture

_WIDE = 1280.0  # the width of a slide in pixels
_PIXEL = 0.75  # points per pixel


@dataclass(frozen=True)
class _Frame:
    """The space for a picture, in pixels of the finished picture."""

    width: float
    height: float | None  # None for no limit
    most: float  # the maximum enlargement: pixels of the picture per pixel of the scene
    least: float  # the minimum font size
    filled: bool  # whether the picture always fills the frame


COLUMN = 228.6  # a column of LaTeX's article class in points of 1/72 inch: 229.5 TeX points of 1/72.27 inch
FRAMES = {
    "slide": _Frame(_WIDE, 720.0, 1.7, 9.0, True),
    "column": _Frame(COLUMN / _PIXEL, None, 1.1, 6.5 / _PIXEL, False),
    "page": _Frame(482 / _PIXEL, 680 / _PIXEL, 1.1, 7.0 / _PIXEL, False),
}


def _frame_of(style: Style) -> _Frame | None:
    if style.aspect is not None:
        width = style.width or _WIDE
        return _Frame(width, width * style.aspect[1] / style.aspect[0], 3.0, 0.0, True)
    if style.width is not None:
        return _Frame(style.width, None, 3.0, 0.0, False)
    return FRAMES["slide"] if style.purpose == "auto" else FRAMES.get(style.purpose)


@dataclass(frozen=True)
class Surround:
    """The texts around a picture of *tree*, and the style of the picture."""

    tree: GameTree
    options: DrawOptions
    about: str  # a description of the picture's content
    legend: Sequence[LegendEntry]
    enlarged: float = 1.0  # a factor for the limits of enlargement

    @property
    def style(self) -> Style:
        return self.options.style

    def for_purpose(self, purpose: str) -> Surround:
        """Return the surround for another *purpose*."""
        return replace(self, options=replace(self.options, style=replace(self.style, purpose=purpose)))

    @property
    def margin(self) -> float:
        return {"column": 2.0, "page": 6.0, "free": _MARGIN}.get(self.style.purpose, 14.0)

    @property
    def place(self) -> str:
        """The position of the legend: ``top``, ``bottom`` or ``none``."""
        if self.style.legend != "auto":
            return self.style.legend
        return {"free": "top", "column": "none"}.get(self.style.purpose, "bottom")

    def headed(self, width: float) -> tuple[list[Item], float]:
        """Return the title, comment and caption (left) with the result (right), and the y coordinate below them."""
        if not self.style.head or self.style.purpose == "column":
            return [], self.margin
        comment = _sentence(self.tree.comment) if self.style.purpose == "free" else ""
        title = self.tree.title if self.style.title is None else self.style.title
        items: list[Item] = []
        y, caption = self.margin, self.options.caption
        result, whose = self.options.result or ("", "")
        wide = max(text_width(result, SIZES.title, True), text_width(whose, SIZES.caption)) + _GAP if whose else 0.0
        if wide > 0.4 * width:
            caption, wide = ", ".join(filter(None, (caption, _in_words(result, whose)))), 0.0
        elif result:
            right, base = width - self.margin, y + SIZES.title
            color = INK if result.startswith("(") else ink(0)  # all players' payoffs, or player 1's payoff
            items.append(Text(right, base, result, SIZES.title, color, "result", anchor="end", bold=True))
            items.append(Text(right, base + SIZES.caption + 9, whose, SIZES.caption, GREY, "result", anchor="end"))
        for words, size, color, role, above, below in (
            (shorten(title, 300), SIZES.title, INK, "title", 0, 6),
            (comment, SIZES.label, GREY, "comment", 1, 4),
            (shorten(caption, 500), SIZES.caption, GREY, "caption", 3, 4),
        ):
            bold = role == "title"
            for line in _wrap(words, size, bold, width - 2 * self.margin - wide):
                y += size + above
                items.append(Text(self.margin, y, line, size, color, role, bold=bold))
                y += below
        return items, y


@dataclass(frozen=True)
class _Border:
    """The title and the legend, and the heights of the spaces above and below the tree, including margins.

    If ``bottom`` is true, the position ``start`` of the legend is relative to the bottom of the picture.
    """

    head: list[Item]
    legend: list[list[LegendEntry]]
    start: Point
    bottom: bool
    top: float
    below: float

    def items(self, height: float) -> Iterator[Item]:
        yield from self.head
        for number, line in enumerate(self.legend):
            x, y = self.start[0], self.start[1] + (height if self.bottom else 0.0) + number * _LINE
            for entry in line:
                yield from (moved(item, x, y) for item in entry.icon)
                yield from words_at(entry.words, x + entry.indent, y + 4, "legend")
                x += entry.width + _GAP


def _border(surround: Surround, width: float) -> _Border:
    head, top = surround.headed(width)
    margin, place, entries = surround.margin, surround.place, surround.legend
    lines = [] if place == "none" else _legend_lines(entries, width - 2 * margin)
    start, below = (margin, top + _LINE - 4), margin
    if place == "top":
        top = start[1] + (len(lines) - 1) * _LINE + 18
    elif place == "bottom":
        below += len(lines) * _LINE
        start = (margin, _LINE / 2 + 2 - below)
    top += 8 if top > margin else 0.0
    return _Border(head, lines, start, place == "bottom", top, below)


MOST_STRAIGHT = 250
"""The maximum number of nodes in a picture with straight branches."""


def directions(style: Style) -> tuple[bool, ...]:
    """Return the directions to try: True for right, False for down."""
    return {"auto": (True, False), "right": (True,), "down": (False,)}[style.direction]


def lines_of(style: Style, nodes: int) -> tuple[str, ...]:
    """Return the kinds of branches to try for a number of *nodes*, the best first."""
    return LINES[1:] if style.lines == "elbow" or nodes > MOST_STRAIGHT else LINES


@dataclass(frozen=True)
class Fitted:
    """A layout on a surround. Its size is known before its items are drawn."""

    layout: Layout
    surround: Surround
    width: float
    full: float | None  # the height of the frame; None if the surround is as high as necessary
    scale: float = 1.0

    @cached_property
    def _border(self) -> _Border:
        return _border(self.surround, self.width)

    @property
    def height(self) -> float:
        needed = self._border.top + self.layout.height + self._border.below
        return needed if self.full is None else self.full

    @property
    def letters(self) -> float:
        """The smallest font size, in pixels of the finished picture."""
        around = (item.size for item in self._border.items(self.height) if isinstance(item, Text))
        return self.scale * min([self.layout.letters, *around])

    @cached_property
    def scene(self) -> Scene:
        """The picture, with the layout in the center of the surround."""
        surround, style, layout, border = self.surround, self.surround.style, self.layout, self._border
        beside = max(0.0, self.width - 2 * surround.margin - layout.width) / 2 if style.purpose != "free" else 0.0
        above = max(0.0, self.height - border.top - border.below - layout.height) / 2
        drawn = (moved(item, surround.margin + beside, border.top + above) for item in layout.items)
        known = ", ".join(filter(None, (surround.options.caption, _in_words(*surround.options.result or ("", "")))))
        known += "." if known else ""
        description = " ".join(filter(None, (surround.about, known, shorten(surround.tree.comment, 300))))
        items = (*border.items(self.height), *drawn)
        scene = Scene(self.width, self.height, surround.tree.title, description, items, self.scale)
        return replace(recolored(scene, style.colors), fragment=style.fragment)


P = TypeVar("P", bound=Layout)
Way = Callable[[float, float], P]
"""A function that returns a layout, given the extra length of fans and the factor for distances across."""


def fitted(kinds: Sequence[Sequence[Way[P]]], surround: Surround) -> Fitted:
    """Return the first of *kinds* that has space for its labels, with letters as large as possible.

    Raises ``PictureTooSmallError`` if letters would be too small; the error names a larger purpose.
    """
    style = surround.style
    frame = _frame_of(style)
    if frame is not None:
        found, letters = _readable(kinds, surround, frame)
        if found is not None:
            return found
        if style.purpose != "auto":
            page = surround.for_purpose("page")
            paged = style.purpose == "column" and _readable(kinds, page, FRAMES["page"])[0] is not None
            browsed = "" if surround.options.view == "sheet" else " or a page for browsers (-o x.html)"
            room = f"--for {'page' if paged else 'free'}{browsed} has room"
            raise PictureTooSmallError(style.purpose, letters, frame.least, room)
    surround = surround.for_purpose("free")
    return next(found for found in (_spread(ways[0], surround) for ways in kinds) if found.layout.quality)


_SMALLER = (1.0, 0.94, 0.88, 0.82, 0.76, 0.7)
"""The letter sizes to try until all labels have space, as shares of the largest size."""


def _readable(kinds: Sequence[Sequence[Way[P]]], surround: Surround, frame: _Frame) -> tuple[Fitted | None, float]:
    """Return the picture that fills *frame*, or None if letters are too small, and the size of its smallest letters."""
    most = 0.0
    for ways in kinds:
        plain = [way(0.0, 1.0) for way in ways]
        scales = [_scale(layout, surround, frame) for layout in plain]
        letters = max(scales) * SIZES.label
        # Try the layout with the largest letters first.
        for best in sorted(range(len(scales)), key=lambda one: -scales[one]):
            if scales[best] * SIZES.label >= frame.least:
                found, letters = _with_room(plain[best], ways[best], scales[best], surround, frame)
                if found is not None:
                    return found, letters
        most = max(most, letters)
    return None, most


def _with_room(plain: P, way: Way[P], scale: float, surround: Surround, frame: _Frame) -> tuple[Fitted | None, float]:
    found: Fitted | None = None
    quality, letters = 0, scale * SIZES.label
    for share in _SMALLER:
        tried = _framed(plain, way, share * scale, surround, frame)
        if tried.letters < frame.least - 0.005:
            letters = letters if found is not None else tried.letters
            break
        if tried.layout.quality > quality:
            found, quality, letters = tried, tried.layout.quality, tried.letters
        if quality == 2:
            break
    return found, letters


_SPREAD = 70.0  # the maximum extra length of fans in a small free picture
_MOST_SPREAD, _MOST_FAN = 2.6, 60.0

_LOOSER = ((0.0, 1.0), (24.0, 1.2), (60.0, 1.5))
"""Extra lengths of fans and factors for distances across, to try until all labels have space."""


def _spread(way: Way[P], surround: Surround) -> Fitted:
    """Return a free picture, wide enough for the title and the legend."""
    for loose in _LOOSER:
        layout = way(*loose)
        if layout.quality == 2:
            break
    margins = 2 * surround.margin
    width = layout.width + margins
    if (surround.style.head or surround.place in ("top", "bottom")) and width < _LEAST_WIDTH:
        width = _LEAST_WIDTH
        extra = min(_SPREAD, (width - layout.width - margins) / max(1, layout.steps)) if layout.right else 0.0
        wider = 1.0 if layout.right else min(_MOST_SPREAD, (width - margins) / layout.width)
        spread = way(extra, wider)
        layout = spread if spread.quality >= layout.quality else layout
        width = max(width, layout.width + margins)
    return Fitted(layout, surround, width, None)


def _scale(layout: Layout, surround: Surround, frame: _Frame) -> float:
    """Return the maximum number of pixels per pixel of the scene at which *layout* fits in *frame*."""

    def fits(scale: float) -> bool:
        width, height = _free_room(layout, surround, frame, scale)
        return layout.width <= width and (height is None or layout.height <= height)

    low, high = 0.0, frame.most * (surround.enlarged if frame.filled else 1.0)
    if fits(high):
        return high
    while high - low > 1e-4 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low or 1e-3


def _free_room(layout: Layout, surround: Surround, frame: _Frame, scale: float) -> tuple[float, float | None]:
    width = frame.width / scale
    border = _border(surround, width)
    height = None if frame.height is None else frame.height / scale - (border.top + border.below)
    return width - 2 * surround.margin, height


def _framed(plain: P, way: Way[P], scale: float, surround: Surround, frame: _Frame) -> Fitted:
    """Return the picture that best fills *frame* at *scale*; *plain* is the narrowest layout of *way*."""
    width, height = _free_room(plain, surround, frame, scale)
    if not frame.filled and height is not None:
        height = min(height, 1.6 * plain.height)
    room, other = (width, height) if plain.right else (height, width)
    flow, side = plain.size
    along = (
        0.0 if room is None else min(_MOST_FAN * surround.enlarged, max(0.0, room - flow) / max(1, plain.steps) * 0.98)
    )
    spread = 1.0 if other is None else min(_MOST_SPREAD, max(1.0, 0.98 * other / side))
    layout = way(along, spread)
    # Wider spans across lengthen the fans, so try again.
    for _ in range(16):
        flow, side = layout.size
        if too_long := room is not None and flow > room:
            along = 0.7 * along - 1.0
        if (too_wide := other is not None and side > other) or (too_long and along < 0.5):
            spread = 1 + 0.7 * (spread - 1)
        if not too_long and not too_wide:
            break
        if along < 0.5 and spread < 1.02:
            layout = plain
            break
        layout = way(max(0.0, along), spread)
    else:
        layout = plain
    full = None if frame.height is None or not frame.filled else frame.height / scale
    return Fitted(layout, surround, frame.width / scale, full, scale)


def _in_words(result: str, whose: str) -> str:
    what, _, rest = whose.partition(" ") if result else ("", "", "")
    return " ".join(filter(None, (what, result, rest)))


_BREAKS = (re.compile(r"(?<=,)|(?=\()"), re.compile("(?<=_)"))
"""The places at which a word that is longer than a line is broken, the best first."""


def _wrap(text: str, size: float, bold: bool, width: float) -> list[str]:
    """Return the lines of *text*, at most *width* pixels wide. Breaking a long word adds no blank."""
    parts = [part for word in text.split() for part in _parts(word, size, bold, width)]
    return _balanced(lambda width: in_lines(parts, size, bold, width), width)


def in_lines(parts: Iterable[str], size: float, bold: bool, width: float) -> list[str]:
    """Return *parts*, which begin with a blank if a word begins, in lines of at most *width* pixels.

    A single part may be longer.
    """
    lines: list[str] = []
    for part in parts:
        if lines and text_width(lines[-1] + part, size, bold) <= width:
            lines[-1] += part
        else:
            lines.append(part.lstrip())
    return lines


def _parts(word: str, size: float, bold: bool, width: float) -> list[str]:
    """Return the parts of a *word* between which a line may end; the first part begins with a blank."""
    parts = [f" {word}"]
    most = max(1, int(width / (1.2 * size)))  # no letter is wider than 1.2 times the font size
    anywhere = re.compile(f"(?<=^.{{{most}}})")
    for place in (*_BREAKS, *[anywhere] * (len(word) // most)):
        fits = (text_width(part, size, bold) <= width for part in parts)
        pieces = ([part] if fit else filter(None, place.split(part)) for part, fit in zip(parts, fits, strict=True))
        parts = [piece for each in pieces for piece in each]
    return parts


def _sentence(comment: str) -> str:
    text = shorten(comment, _COMMENT_LETTERS)
    return text if not text.endswith("…") else f"{text[:-1].rpartition(' ')[0] or text[:-1]} …"


def node_of(
    x: float, y: float, player: int, badges: Sequence[str], role: str, node: int = -1, tip: str = ""
) -> tuple[Item, ...]:
    """Return a circle with the letter of *player*, or a diamond for chance; *node* is -1 outside the tree."""
    if player == CHANCE:
        return (Mark("diamond", x, y, SIZES.node, GREY, role, node, tip=tip),)
    size, color = badge_size(badges[player]), letter_over(fill(player))
    said = "badge" if node >= 0 else role
    badge = Text(x, y + FALL * size, badges[player], size, color, said, node, "middle", True)
    mark = Mark("circle", x, y, SIZES.node, fill(player), role, node, tip=tip, rim=ink(player))
    return (*ringed(mark, player), badge)


def chip(right: float, middle: float, text: str, player: int, node: int = -1) -> tuple[Item, ...]:
    """Return the expected payoff of *player* in a box with the right edge *right* and the vertical center *middle*."""
    wide = chip_width(text)
    box = Box(right - wide, middle - 5.5, wide, 11.0, PAPER, "chip", node, rim(player), SIZES.chip_line, round=3)
    base, role = middle + FALL * SIZES.note, "value" if node >= 0 else "legend"
    return (box, Text(right - wide / 2, base, text, SIZES.note, ink(player), role, node, "middle"))


def chip_width(text: str) -> float:
    """Return the width of the box of an expected payoff."""
    return text_width(text, SIZES.note) + 4.0


def name_of(name: str, player: int) -> str:
    return shorten(name, 30) or f"player {player + 1}"
