"""The head of every picture: title, the game's own comment, a caption, and entries of a legend in rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from .scene import Item, Stroke, Text
from .style import CAPTION_SIZE, GREY, INK, LABEL_SIZE, TITLE_SIZE, shorten, text_width

_GAP = 22.0
_LINE = 22.0
_WORD_GAP = 6.0
_COMMENT_LETTERS = 420


@dataclass(frozen=True)
class Entry:
    """One entry: its ``icon`` drawn around (0, 0), ``room`` pixels wide, and words with their colours."""

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
    title: str, comment: str, caption: str, entries: Iterable[Entry], width: float, margin: float
) -> tuple[list[Item], float]:
    """Title, comment, caption and legend for a picture of this *width*, and the height at which the tree may begin."""
    items: list[Item] = []
    y = margin
    for line in _wrap(shorten(title, 300), TITLE_SIZE, True, width - 2 * margin):
        y += TITLE_SIZE
        items.append(Text(margin, y, line, TITLE_SIZE, INK, "title", bold=True))
        y += 6
    for line in _wrap(_sentence(comment), LABEL_SIZE, False, width - 2 * margin):
        y += LABEL_SIZE + 1
        items.append(Text(margin, y, line, LABEL_SIZE, GREY, "comment"))
        y += 4
    for line in _wrap(shorten(caption, 500), CAPTION_SIZE, False, width - 2 * margin):
        y += CAPTION_SIZE + 3
        items.append(Text(margin, y, line, CAPTION_SIZE, INK, "caption"))
        y += 4
    x, y = margin, y + _LINE - 4
    for entry in entries:
        if x > margin and x + entry.width > width - margin:
            x, y = margin, y + _LINE
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


def _put(entry: Entry, x: float, y: float) -> Iterator[Item]:
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


def say(text: str) -> tuple[tuple[str, str], ...]:
    """Words of an entry, all in one colour."""
    return ((text, INK),)
