"""The sheet that both views are put on: title, caption and legend at its head, and panels side by side.

A tall tree is broken into panels, as text is into columns. The root stands at the left of every panel, and each panel
has some of the root's moves. Only pictures without lines between the nodes of an information set can be broken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from ...forms.extensive import CHANCE, GameTree, constant_sum
from .scene import Item, Mark, Stroke, Text
from .style import (
    CAPTION_SIZE,
    GAIN_LINE,
    GREY,
    INK,
    LABEL_SIZE,
    LEAST_LINE,
    NOTE_SIZE,
    PALE,
    PLAIN_LINE,
    RADIUS,
    TITLE_SIZE,
    fill,
    letter_on,
    shorten,
    text_width,
)

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
        return self.room + sum(self.gap(k) + text_width(text, LABEL_SIZE) for k, (text, _) in enumerate(self.words))

    def gap(self, word: int) -> float:
        """The room before a word: none before the first where there is no icon."""
        return _WORD_GAP if word or self.icon else 0.0


def head(
    title: str, comment: str, caption: str, entries: Iterable[LegendEntry], width: float
) -> tuple[list[Item], float]:
    """Title, comment, caption and legend for a picture of this *width*, and the height at which the tree may begin."""
    items: list[Item] = []
    y = MARGIN
    for line in _wrap(shorten(title, 300), TITLE_SIZE, True, width - 2 * MARGIN):
        y += TITLE_SIZE
        items.append(Text(MARGIN, y, line, TITLE_SIZE, INK, "title", bold=True))
        y += 6
    for line in _wrap(_sentence(comment), LABEL_SIZE, False, width - 2 * MARGIN):
        y += LABEL_SIZE + 1
        items.append(Text(MARGIN, y, line, LABEL_SIZE, GREY, "comment"))
        y += 4
    for line in _wrap(shorten(caption, 500), CAPTION_SIZE, False, width - 2 * MARGIN):
        y += CAPTION_SIZE + 3
        items.append(Text(MARGIN, y, line, CAPTION_SIZE, INK, "caption"))
        y += 4
    x, y = MARGIN, y + _LINE - 4
    for entry in entries:
        if x > MARGIN and x + entry.width > width - MARGIN:
            x, y = MARGIN, y + _LINE
        items += _put(entry, x, y)
        x += entry.width + _GAP
    return items, y + 26


def _wrap(text: str, size: float, bold: bool, width: float) -> list[str]:
    lines: list[str] = []
    # A word longer than a line is broken: no letter is wider than 1.2 times its size.
    most = int(width / (1.2 * size))
    for word in (piece for whole in text.split() for piece in _pieces(whole, most)):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, size, bold) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def _pieces(word: str, most: int) -> Iterator[str]:
    for start in range(0, len(word), most):
        yield word[start : start + most]


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
        yield Text(start, y + 4, text, LABEL_SIZE, color, "legend")
        start += text_width(text, LABEL_SIZE)


def node_of(x: float, y: float, player: int, badges: Sequence[str], role: str) -> tuple[Item, ...]:
    """A node that belongs to no place of the tree: the letter of *player* in a circle, or a diamond for chance."""
    if player == CHANCE:
        return (Mark("diamond", x, y, RADIUS, GREY, role),)
    badge = Text(x, y + 3.3, badges[player], 9.0, letter_on(player), role, -1, "middle", True)
    return (Mark("circle", x, y, RADIUS, fill(player), role), badge)


def node_entry(player: int, badges: Sequence[str], words: str, color: str = INK) -> LegendEntry:
    """Whose node it is, or what the words say of it."""
    return LegendEntry(node_of(RADIUS, 0, player, badges, "legend"), 2 * RADIUS, ((words, color),))


def width_entry() -> LegendEntry:
    """What the widths of edges say where a profile is drawn."""
    thick = Stroke(((0, 0), (13, 0)), GREY, LEAST_LINE + GAIN_LINE, "legend")
    thin = Stroke(((13, 0), (26, 0)), GREY, PLAIN_LINE, "legend")
    return LegendEntry((thick, thin), 26.0, say("width: how likely the move is there"))


def divides(tree: GameTree) -> bool:
    """Whether there are two players whose payoffs sum to a constant, so that one's payoff implies the other's."""
    return len(tree.players) == 2 and constant_sum(tree) is not None


def note_entry(note: str, words: str, room: float, color: str = PALE) -> LegendEntry:
    """What a *note* in small letters says; *room* is what its width leaves free."""
    return LegendEntry((Text(0, 3, note, NOTE_SIZE, color, "legend"),), text_width(note, NOTE_SIZE) + room, say(words))


def name_of(name: str, player: int) -> str:
    """A player's name as a legend has it."""
    return shorten(name, 30) or f"player {player + 1}"


def say(text: str) -> tuple[tuple[str, str], ...]:
    """Words of an entry, all in one colour."""
    return ((text, INK),)


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
    """A subtree of the root: its nodes' indices (or its number), and the room that it takes from top to bottom."""

    nodes: range
    top: float
    bottom: float


@dataclass(frozen=True)
class Panelled:
    """A layout; its size is that of the picture without its head, in pixels."""

    width: float
    height: float


Placed = TypeVar("Placed", bound=Panelled)


def best_panels(
    whole: Placed, least: float, blocks: Sequence[Block], panelled: Callable[[list[list[Block]]], Placed]
) -> Placed:
    """The layout *whole*; where it is tall, the one that suits a slide best of it and its ways into panels.

    *panelled* lays out groups of *blocks*, the root's subtrees; *least* is the width that the picture has at least.
    """
    if whole.height + _HEAD <= _TALL * max(whole.width, least):
        return whole
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
    """The blocks in order, as many into each panel as have room in *most* pixels."""
    groups: list[list[Block]] = []
    for block in blocks:
        if groups and block.bottom - groups[-1][0].top <= most:
            groups[-1].append(block)
        else:
            groups.append([block])
    return groups
