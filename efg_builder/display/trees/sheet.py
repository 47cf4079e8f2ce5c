"""The sheet that both views are put on: title, caption and legend at its head, and panels side by side.

A tall tree is broken into panels, as text is into columns. The root stands at the left of every panel, and each panel
has some of the root's moves. Only pictures without lines between the nodes of an information set can be broken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import chain, pairwise
from typing import Any, TypeVar

from ...base.errors import PictureTooSmallError
from ...base.words import ROUGHLY
from ...forms.extensive import CHANCE, GameTree
from .colors import GREY, INK, PALE, fill, letter_over
from .options import DrawOptions, Style
from .scene import Item, Mark, Point, Scene, Stroke, Text, recolored
from .sizes import SIZES, shorten, text_width


@dataclass(frozen=True)
class Panelled:
    """A layout; its size is that of the picture without its head, in pixels.

    ``right``: whether it goes to the right, or down; ``steps``: how many fans it has from the root to the deepest end;
    ``count``: how many panels.
    """

    width: float
    height: float
    right: bool = field(default=True, kw_only=True)
    steps: int = field(default=0, kw_only=True)
    count: int = field(default=1, kw_only=True)


# --- title, caption and legend

MARGIN = 22.0
"""Around the whole picture, in pixels."""

LEAST_WIDTH = 720.0
"""So that title and legend of a narrow tree do not wrap at every word."""

_GAP = 22.0
_LINE = 22.0
_WORD_GAP = 6.0
_COMMENT_LETTERS = 420


@dataclass(frozen=True)
class LegendEntry:
    """One entry of the legend: its ``icon`` drawn around (0, 0), ``room`` pixels wide, and words with their colours."""

    icon: tuple[Item, ...]
    room: float
    words: tuple[tuple[str, str], ...]

    @property
    def width(self) -> float:
        """Of icon and words, in pixels."""
        return self.room + sum(self.gap(k) + text_width(text, SIZES.label) for k, (text, _) in enumerate(self.words))

    def gap(self, word: int) -> float:
        """The room before a word: none before the first where there is no icon."""
        return _WORD_GAP if word or self.icon else 0.0

    @classmethod
    def said(cls, text: str, icon: tuple[Item, ...] = (), room: float = 0.0) -> LegendEntry:
        """An entry of words in one colour."""
        return cls(icon, room, ((text, INK),))

    @classmethod
    def node(cls, player: int, badges: Sequence[str], words: str, color: str = INK) -> LegendEntry:
        """Whose node it is, or what the words say of it."""
        return cls(node_of(SIZES.node, 0, player, badges, "legend"), 2 * SIZES.node, ((words, color),))

    @classmethod
    def again(cls, player: int, badges: Sequence[str], panels: int) -> LegendEntry:
        """What the node at the left of each panel but the first is."""
        words = f"at the left of the other column{'s' if panels > 2 else ''}: the same start again"
        return cls.node(player, badges, words)

    @classmethod
    def widths(cls) -> LegendEntry:
        """What the widths of edges say where a profile is drawn."""
        thick = Stroke(((0, 0), (13, 0)), GREY, SIZES.least_line + SIZES.gain_line, "legend")
        thin = Stroke(((13, 0), (26, 0)), GREY, SIZES.plain_line, "legend")
        return cls.said("width: how likely the move is there", (thick, thin), 26.0)

    @classmethod
    def end(cls, words: tuple[tuple[str, str], ...]) -> LegendEntry:
        """What an end's dot says."""
        return cls((Mark("circle", SIZES.end, 0, SIZES.end, INK, "legend"),), 2 * SIZES.end, words)

    @classmethod
    def note(cls, note: str, words: str, room: float, color: str = PALE) -> LegendEntry:
        """What a *note* in small letters says; *room* is what its width leaves free."""
        letters = Text(0, 3, note, SIZES.note, color, "legend")
        return cls.said(words, (letters,), letters.width + room)


ROUNDED = LegendEntry.said(f"{ROUGHLY} rounded")
"""Said where numbers are rounded."""


def legend_rows(
    entries: Iterable[LegendEntry], left: float, y: float, right: float, column: bool = False
) -> tuple[list[Item], float]:
    """The legend from *left* to *right*, its first line in the middle of height *y*, and the height of its last one.

    In a *column* each entry has a line of its own.
    """
    items: list[Item] = []
    x = left
    for entry in chain.from_iterable(_lines(entry, right - left) for entry in entries):
        if x > left and (column or x + entry.width > right):
            x, y = left, y + _LINE
        items += _put(entry, x, y)
        x += entry.width + _GAP
    return items, y


def _lines(entry: LegendEntry, width: float) -> list[LegendEntry]:
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

_SHORT, _BROAD = 1280.0, 720.0
_PIXEL = 0.75
"""Points of a pixel."""


@dataclass(frozen=True)
class Frame:
    """The room for a picture: ``width`` and ``height`` in pixels of the finished one, either None for as much as it
    takes; ``most``: how many pixels one of the scene becomes at most; ``least``: of the smallest letters;
    ``filled``: whether the picture is as large as that whatever is in it."""

    width: float | None
    height: float | None
    most: float
    least: float
    filled: bool


COLUMN = 228.6
"""Points (1/72 inch) that fit into the column of LaTeX's ``article``, 229.5 TeX points (1/72.27 inch)."""

FRAMES = {
    "slide": Frame(_SHORT, _BROAD, 1.7, 9.0, True),
    "column": Frame(COLUMN / _PIXEL, None, 1.1, 6.5 / _PIXEL, False),
    "page": Frame(482 / _PIXEL, 680 / _PIXEL, 1.1, 7.0 / _PIXEL, False),
}


def frame_of(style: Style) -> Frame | None:
    """The room that *style* asks for; None for a free picture."""
    if style.font_size is not None:
        return None
    if style.aspect is not None:
        width = style.width or _SHORT
        return Frame(width, width * style.aspect[1] / style.aspect[0], 3.0, 0.0, True)
    if style.width is not None:
        return Frame(style.width, None, 3.0, 0.0, False)
    return FRAMES["slide"] if style.purpose == "auto" else FRAMES.get(style.purpose)


@dataclass(frozen=True)
class Sheet:
    """What stands around a picture of *tree*, and how the whole is to look; ``about`` says in words what it shows.

    ``legend`` takes the number of panels, ``draw`` a layout and its top left corner.
    """

    tree: GameTree
    options: DrawOptions
    about: str
    legend: Callable[[int], Iterable[LegendEntry]]
    draw: Callable[[Any, Point], Iterable[Item]]
    style: Style

    @property
    def margin(self) -> float:
        """Around the picture."""
        return {"column": 2.0, "page": 6.0, "free": MARGIN}.get(self.style.purpose, 14.0)

    @property
    def place(self) -> str:
        """Where the legend stands."""
        if self.style.legend != "auto":
            return self.style.legend
        return {"free": "top", "column": "none"}.get(self.style.purpose, "bottom")

    def headed(self, width: float) -> tuple[list[Item], float]:
        """Title, comment and caption, and where they end."""
        if not self.style.head or self.style.purpose == "column":
            return [], self.margin
        comment = _sentence(self.tree.comment) if self.style.purpose == "free" else ""
        title = self.tree.title if self.style.title is None else self.style.title
        items: list[Item] = []
        y = self.margin
        for words, size, color, role, above, below in (
            (shorten(title, 300), SIZES.title, INK, "title", 0, 6),
            (comment, SIZES.label, GREY, "comment", 1, 4),
            (shorten(self.options.caption, 500), SIZES.caption, INK, "caption", 3, 4),
        ):
            bold = role == "title"
            for line in _wrap(words, size, bold, width - 2 * self.margin):
                y += size + above
                items.append(Text(self.margin, y, line, size, color, role, bold=bold))
                y += below
        return items, y


P = TypeVar("P", bound=Panelled)


def fitted(
    ways: Sequence[Callable[[float, float], P]],
    sheet: Sheet,
    free: Callable[[P], P] = lambda layout: layout,
) -> Scene:
    """The scene of the one of *ways* in which letters get largest, on a *sheet*.

    A way takes the length that every fan has more, and by how much distances across are wider. *free* makes the best
    of a picture of any size. Raises ``PictureTooSmallError``, with a purpose that has room, where letters would be too
    small for the purpose.
    """
    style, legend = sheet.style, sheet.legend
    sheet = replace(sheet, legend=cache(lambda panels: list(legend(panels))))  # asked for at every width that is tried
    frame, plain = frame_of(style), [way(0.0, 1.0) for way in ways]

    def readable(frame: Frame, sheet: Sheet) -> tuple[Scene | None, float]:
        """The picture that fills *frame*, None where letters are too small, and the size of the smallest letters."""
        scales = [_scale(layout, sheet, frame) for layout in plain]
        scale = max(scales)
        best, letters = scales.index(scale), scale * SIZES.label
        if letters < frame.least:
            return None, letters
        scene = _framed(plain[best], ways[best], scale, sheet, frame)
        letters = scale * min((text.size for text in scene.texts), default=SIZES.label)
        return scene if letters >= frame.least - 0.005 else None, letters

    if frame is not None:
        scene, letters = readable(frame, sheet)
        if scene is not None:
            return _finished(scene, style)
        if style.purpose != "auto" or style.aspect is not None or style.width is not None:
            page = replace(sheet, style=replace(style, purpose="page"))
            paged = style.purpose == "column" and readable(frame_of(page.style) or frame, page)[0] is not None
            room = f"--for {'page' if paged else 'free'} or a page for browsers (-o x.html) has room"
            raise PictureTooSmallError(style.purpose, letters, frame.least, room)
    sheet = replace(sheet, style=replace(style, purpose="free"))
    layout, width = _spread(free, plain[0], ways[0], sheet)
    scale = 1.0 if style.font_size is None else style.font_size / SIZES.label
    return _finished(replace(_put_on(layout, sheet, width, None), scale=scale), style)


def _spread(free: Callable[[P], P], plain: P, way: Callable[[float, float], P], sheet: Sheet) -> tuple[P, float]:
    """The layout of a free picture, *plain* or spread where title and legend are wider, and the picture's width."""
    layout = free(plain)
    margin, place = sheet.margin, sheet.place
    width = layout.width + 2 * margin
    if sheet.style.head or place in ("top", "bottom"):
        width = max(LEAST_WIDTH, width)
    if width > layout.width + 2 * margin:
        extra = min(_SPREAD, (width - layout.width - 2 * margin) / max(1, layout.steps)) if layout.right else 0.0
        wider = 1.0 if layout.right else min(_MOST_SPREAD, (width - 2 * margin) / layout.width)
        layout = free(way(extra, wider))
        width = max(width, layout.width + 2 * margin)
    return layout, width


def _finished(scene: Scene, style: Style) -> Scene:
    colored = scene if style.colors == "plain" else recolored(scene, style.colors)
    return replace(colored, fragment=style.fragment)


_SPREAD = 70.0
"""How much wider the fans of a small tree may become to fill the picture."""

_MOST_SPREAD, _MOST_FAN = 2.6, 60.0


def _around(sheet: Sheet, width: float, panels: int) -> tuple[float, float]:
    """How much of a picture of this *width* is not for the tree of so many *panels*: in width and in
    height."""
    _, top = sheet.headed(width)
    margin, entries = sheet.margin, sheet.legend(panels)
    across, height = 2 * margin, top + margin + (8 if top > margin else 0)
    if sheet.place == "right":
        across += max(entry.width for entry in entries) + _GAP
    elif sheet.place in ("top", "bottom"):
        height += legend_rows(entries, margin, 0.0, width - margin)[1] + _LINE
    return across, height


def _scale(layout: Panelled, sheet: Sheet, frame: Frame) -> float:
    """How many pixels of the picture one of the scene may be at most, so that *layout* has room in *frame*."""

    def fits(scale: float) -> bool:
        width = (frame.width or 10**6) / scale
        across, height = _around(sheet, width, layout.count)
        return layout.width <= width - across and (
            frame.height is None or layout.height <= frame.height / scale - height
        )

    low, high = 0.0, frame.most
    if fits(high):
        return high
    while high - low > 1e-4 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low or 1e-3


def _framed(plain: P, way: Callable[[float, float], P], scale: float, sheet: Sheet, frame: Frame) -> Scene:
    """The picture that fills *frame* as well as it can at this *scale*; *plain* is the *way* as narrow as it gets."""
    width = (frame.width or 10**6) / scale
    across, height = _around(sheet, width, plain.count)
    free_width = width - across
    free_height = None if frame.height is None else frame.height / scale - height
    if not frame.filled and free_height is not None:
        free_height = min(free_height, 1.6 * plain.height)
    room, other = (free_width, free_height) if plain.right else (free_height, free_width)
    flow, side = (plain.width, plain.height) if plain.right else (plain.height, plain.width)
    along = 0.0 if room is None else min(_MOST_FAN, max(0.0, room - flow) / max(1, plain.steps) * 0.98)
    spread = 1.0 if other is None else min(_MOST_SPREAD, max(1.0, 0.98 * other / side))
    layout = way(along, spread)
    # What a branch spans across makes fans longer.
    for _ in range(6):
        over_along = room is not None and (layout.width if layout.right else layout.height) > room
        over_across = other is not None and (layout.height if layout.right else layout.width) > other
        if not over_along and not over_across:
            break
        along, spread = (
            (0.7 * along - 1.0 if over_along else along),
            (1 + 0.7 * (spread - 1) if over_across else spread),
        )
        if along < 0.5 and spread < 1.02:
            along, spread = 0.0, 1.0
        layout = way(max(0.0, along), spread)
    full = None if frame.height is None or not frame.filled else frame.height / scale
    scene = _put_on(layout, sheet, width if frame.filled or frame.width else layout.width, full)
    return replace(scene, scale=scale)


def _put_on(layout: Panelled, sheet: Sheet, width: float, height: float | None) -> Scene:
    """*layout* on a sheet of this size, in the middle of the room that is left; *height* None: as high as it takes."""
    margin, place = sheet.margin, sheet.place
    items, top = sheet.headed(width)
    entries = [] if place == "none" else sheet.legend(layout.count)
    left, right = margin, width - margin
    legend: list[Item] = []
    if place == "right" and entries:
        right -= max(entry.width for entry in entries) + _GAP
        legend, _ = legend_rows(entries, right + _GAP, top + _LINE, width, column=True)
    if place == "top" and entries:
        legend, top = legend_rows(entries, margin, top + _LINE - 4, right)
        top += 18
    top += 8 if top > margin else 0.0
    below = margin
    if place == "bottom" and entries:
        below += legend_rows(entries, margin, 0.0, right)[1] + _LINE
    if height is None:
        height = top + layout.height + below
    if place == "bottom" and entries:
        legend, _ = legend_rows(entries, margin, height - below + _LINE / 2 + 2, right)
    free = height - top - below - layout.height
    x = left + max(0.0, (right - left - layout.width) / 2) if sheet.style.purpose != "free" else left
    drawn = sheet.draw(layout, (x, top + max(0.0, free / 2)))
    description = " ".join(filter(None, (sheet.about, sheet.options.caption, shorten(sheet.tree.comment, 300))))
    return Scene(width, height, sheet.tree.title, description, (*items, *legend, *drawn))


def _wrap(text: str, size: float, bold: bool, width: float) -> list[str]:
    lines: list[str] = []
    # A word longer than a line is broken: no letter is wider than 1.2 times its size.
    most = max(1, int(width / (1.2 * size)))
    for word in (whole[at : at + most] for whole in text.split() for at in range(0, len(whole), most)):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, size, bold) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def _sentence(comment: str) -> str:
    """A comment of reasonable length as it is; else what of it fits, up to a word's end."""
    text = shorten(comment, _COMMENT_LETTERS)
    return text if not text.endswith("…") else f"{text[:-1].rpartition(' ')[0] or text[:-1]} …"


def _put(entry: LegendEntry, x: float, y: float) -> Iterator[Item]:
    for item in entry.icon:
        if isinstance(item, Stroke):
            yield replace(item, points=tuple((x + a, y + b) for a, b in item.points))
        else:
            yield replace(item, x=x + item.x, y=y + item.y)
    start = x + entry.room
    for word, (text, color) in enumerate(entry.words):
        start += entry.gap(word)
        yield Text(start, y + 4, text, SIZES.label, color, "legend")
        start += text_width(text, SIZES.label)


def node_of(x: float, y: float, player: int, badges: Sequence[str], role: str) -> tuple[Item, ...]:
    """A node that belongs to no place of the tree: the letter of *player* in a circle, or a diamond for chance."""
    if player == CHANCE:
        return (Mark("diamond", x, y, SIZES.node, GREY, role),)
    badge = Text(
        x, y + 0.36 * SIZES.badge, badges[player], SIZES.badge, letter_over(fill(player)), role, -1, "middle", True
    )
    return (Mark("circle", x, y, SIZES.node, fill(player), role), badge)


def name_of(name: str, player: int) -> str:
    """A player's name as a legend has it."""
    return shorten(name, 30) or f"player {player + 1}"


# --- panels

GAP = 44.0
"""Between two panels, in pixels."""

_TALL = 0.8
"""Pictures are left whole up to this height, as a share of their width: two columns would make them no clearer."""

_SLIDE = (16.0, 9.0)
_HEAD = 160.0
"""About the height of title and legend, in pixels."""

MOST = 24
"""Panels at most: 1,500 moves of the root, as many as a picture has nodes, would be on a slide in fewer."""


@dataclass(frozen=True)
class Block:
    """A subtree of the root: its nodes' indices, and the room that it takes from top to bottom."""

    nodes: range
    top: float
    bottom: float


def best_panels(
    whole: P,
    least: float,
    above: Sequence[int],
    reach: Callable[[int], tuple[float, float]],
    panelled: Callable[[list[list[Block]]], P],
) -> P:
    """The layout *whole*; where it is tall, the one that suits a slide best of it and its ways into panels.

    *least* is the width that the picture has at least, *above* each node's parent, in prefix order, and *reach* how
    far up and down it reaches. *panelled* lays out groups of the root's subtrees.
    """
    if whole.height + _HEAD <= _TALL * max(whole.width, least):
        return whole
    blocks = []
    for a, b in pairwise([*(index for index, parent in enumerate(above) if parent == 0), len(above)]):
        tops, bottoms = zip(*map(reach, range(a, b)), strict=True)
        blocks.append(Block(range(a, b), min(tops), max(bottoms)))
    groups = ((count, _lowest(blocks, count)) for count in range(2, min(MOST, len(blocks)) + 1))
    ways = [whole, *(panelled(found) for count, found in groups if len(found) == count)]
    return min(ways, key=lambda way: max(max(way.width, least) / _SLIDE[0], (way.height + _HEAD) / _SLIDE[1]))


def _lowest(blocks: Sequence[Block], count: int) -> list[list[Block]]:
    """*blocks* in at most *count* panels, the tallest of which is as low as it can be, to half a pixel."""
    low, high = max(block.bottom - block.top for block in blocks), blocks[-1].bottom - blocks[0].top
    while high - low > 0.5:
        middle = (low + high) / 2
        low, high = (low, middle) if len(_fill(blocks, middle)) <= count else (middle, high)
    return _fill(blocks, high)


def _fill(blocks: Sequence[Block], most: float) -> list[list[Block]]:
    groups: list[list[Block]] = []
    for block in blocks:
        if groups and block.bottom - groups[-1][0].top <= most:
            groups[-1].append(block)
        else:
            groups.append([block])
    return groups
