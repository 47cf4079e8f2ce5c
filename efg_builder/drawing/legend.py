"""The head of a picture: title, the game's own comment, caption, and a legend of just what is in the picture."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..tree import CHANCE
from .facts import Facts
from .scene import Item, Mark, Stroke, Text
from .style import (
    CAPTION_SIZE,
    DIM,
    GREY,
    INK,
    LABEL_SIZE,
    NOTE_SIZE,
    PALE,
    RADIUS,
    TITLE_SIZE,
    fill,
    ink,
    letter_on,
    shorten,
    text_width,
)

_GAP = 22.0
_LINE = 22.0
_WORD_GAP = 6.0
_COMMENT_LETTERS = 420


@dataclass(frozen=True)
class _Entry:
    """One entry: its ``icon`` drawn around (0, 0), ``room`` pixels wide, and words with their colours."""

    icon: tuple[Item, ...]
    room: float
    words: tuple[tuple[str, str], ...]

    @property
    def width(self) -> float:
        return self.room + sum(_WORD_GAP + text_width(text, LABEL_SIZE) for text, _ in self.words)


def header(facts: Facts, width: float, margin: float, panels: int = 1) -> tuple[list[Item], float]:
    """Title, comment, caption and legend for a picture of this *width*, and the height at which the tree may begin.

    *panels* is how many the tree is broken into.
    """
    items: list[Item] = []
    y = margin
    for line in _wrap(shorten(facts.tree.title, 300), TITLE_SIZE, True, width - 2 * margin):
        y += TITLE_SIZE
        items.append(Text(margin, y, line, TITLE_SIZE, INK, "title", bold=True))
        y += 6
    for line in _wrap(_sentence(facts.tree.comment), LABEL_SIZE, False, width - 2 * margin):
        y += LABEL_SIZE + 1
        items.append(Text(margin, y, line, LABEL_SIZE, GREY, "comment"))
        y += 4
    for line in _wrap(shorten(facts.options.caption, 500), CAPTION_SIZE, False, width - 2 * margin):
        y += CAPTION_SIZE + 3
        items.append(Text(margin, y, line, CAPTION_SIZE, INK, "caption"))
        y += 4
    x, y = margin, y + _LINE - 4
    for entry in _entries(facts, panels):
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


def _put(entry: _Entry, x: float, y: float) -> Iterator[Item]:
    for item in entry.icon:
        if isinstance(item, Stroke):
            points = tuple((x + a, y + b) for a, b in item.points)
            yield Stroke(points, item.color, item.width, "legend", opacity=item.opacity, dash=item.dash)
        elif isinstance(item, Mark):
            yield Mark(item.shape, x + item.x, y + item.y, item.r, item.color, "legend", opacity=item.opacity)
        else:
            yield Text(x + item.x, y + item.y, item.text, item.size, item.color, "legend", -1, item.anchor, item.bold)
    start = x + entry.room
    for text, color in entry.words:
        start += _WORD_GAP
        yield Text(start, y + 4, text, LABEL_SIZE, color, "legend")
        start += text_width(text, LABEL_SIZE)


def _entries(facts: Facts, panels: int) -> Iterator[_Entry]:
    movers = {facts.player(index) for index in range(len(facts.folded.nodes))}
    if CHANCE in movers:
        yield _Entry(_node(facts, CHANCE), 2 * RADIUS, _say("chance"))
    for player, name in enumerate(facts.tree.players):
        yield _Entry(_node(facts, player), 2 * RADIUS, ((_name(name, player), ink(player)),))
    if facts.payoffs:
        yield _payoff_entry(facts)
    if any(facts.set_sizes.get(k, 0) > 1 for k in facts.tree.personal):
        line = Stroke(((2, -8), (2, 8)), fill(0), 2.0, "legend", dash=(0.1, 4.4))
        yield _Entry((line,), 4, _say("dotted: information set"))
    if facts.folded.open:
        yield _Entry(tuple(_open_node()), 8, _say("dotted stub: the set goes on in moves not shown"))
    if panels > 1:
        words = f"at the left of {'both' if panels == 2 else f'all {panels}'} columns: one and the same start"
        yield _Entry(_node(facts, facts.player(0)), 2 * RADIUS, _say(words))
    if facts.profile is not None:
        yield from _played(facts)
    if facts.folded.hidden_nodes:
        stub = Text(0, 3, "+n", NOTE_SIZE, PALE, "legend")
        hidden, every = facts.folded.hidden_nodes, facts.folded.of
        words = f"n moves folded away here; {hidden:,} of {every:,} nodes are not shown"
        yield _Entry((stub,), text_width("+n", NOTE_SIZE) + 3, _say(words))


def _node(facts: Facts, player: int) -> tuple[Item, ...]:
    """A node of the player, or of chance."""
    if player == CHANCE:
        return (Mark("diamond", RADIUS, 0, RADIUS, GREY, "legend"),)
    badge = Text(RADIUS, 3.3, facts.badges[player], 9.0, letter_on(player), "legend", -1, "middle", True)
    return (Mark("circle", RADIUS, 0, RADIUS, fill(player), "legend"), badge)


def _open_node() -> Iterator[Item]:
    for way in (-1, 1):
        yield Stroke(((4, way * 5.6), (4, way * 10.4)), fill(0), 2.0, "legend", dash=(0.1, 4.4))
    yield Mark("circle", 4, 0, 3.6, fill(0), "legend")


def _played(facts: Facts) -> Iterator[_Entry]:
    thick = Stroke(((0, 0), (13, 0)), GREY, 4.4, "legend")
    thin = Stroke(((13, 0), (26, 0)), GREY, 1.4, "legend")
    yield _Entry((thick, thin), 26, _say("width: how likely the move is there"))
    indices = range(len(facts.folded.nodes))
    if any(map(facts.dead, indices)):
        faded = Stroke(((0, 0), (22, 0)), INK, 1.4, "legend", opacity=DIM)
        yield _Entry((faded,), 22, _say("faded: never reached"))
    # The samples are numbers of the picture: the first that is not a whole one, where there is one.
    values = [text for text, _ in map(facts.value, indices) if text]
    if values:
        whose = f"of {facts.tree.players[0]}" if facts.zero_sum_like else "of the player who moves"
        yield _note_entry(values, ink(0), f"above a node: expected payoff {whose}")
    beliefs = list(filter(None, map(facts.belief, indices)))
    if beliefs:
        yield _note_entry(beliefs, INK, "below a node: belief")


def _note_entry(numbers: list[str], color: str, words: str) -> _Entry:
    sample = next((text for text in numbers if not text.lstrip("−").isdigit()), numbers[0])
    return _Entry((Text(0, 3, sample, NOTE_SIZE, color, "legend"),), text_width(sample, NOTE_SIZE) + 2, _say(words))


def _payoff_entry(facts: Facts) -> _Entry:
    words = [("payoffs", INK), *((_name(name, player), ink(player)) for player, name in enumerate(facts.tree.players))]
    return _Entry((Mark("circle", 2.2, 0, 2.2, INK, "legend"),), 4.4, tuple(words))


def _name(name: str, player: int) -> str:
    return shorten(name, 30) or f"player {player + 1}"


def _say(text: str) -> tuple[tuple[str, str], ...]:
    return ((text, INK),)
