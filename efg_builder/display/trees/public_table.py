"""One table of a picture of public histories: a player's hands by the moves that are made, measured and drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ...base.rationals import Number
from .facts import full
from .public_facts import MANY_HANDS, Hand, Turn
from .scene import Box, Item, Mark, Text
from .style import (
    DIM,
    GREY,
    INK,
    LABEL_SIZE,
    NOTE_SIZE,
    PALE,
    PAPER,
    RADIUS,
    alike,
    decimal,
    fill,
    ink,
    letter_on,
    letter_over,
    percent,
    shade,
    shorten,
    text_width,
)

HEAD = 19.0
"""The height of a table's first line, where its badge stands: edges come and go in the middle of it."""

END_RADIUS = 2.2

_NAME_LETTERS = 18
_PAD = 6.0
_LINE = NOTE_SIZE + 4.5
_FALL = 0.36
"""Of a letter's size: from the middle of a line down to where letters stand."""


@dataclass(frozen=True)
class Manner:
    """How numbers are written, the same way in the whole picture: those in cells, chances, payoffs; and who they
    are told of: ``whose`` are the players whose payoffs tell all others', ``badges`` the players' letters.

    ``size`` is that of the letters in cells and ``row`` the height of a row of them; ``beliefs``: whether hands
    have one written.
    """

    cell: Callable[[Number], str]
    chance: Callable[[Number], str]
    payoff: Callable[[Number], str]
    whose: tuple[int, ...]
    players: tuple[str, ...]
    badges: tuple[str, ...]
    size: float
    row: float
    beliefs: bool


def manner_of(
    turns: Sequence[Turn], players: tuple[str, ...], badges: tuple[str, ...], one: bool, beliefs: bool
) -> Manner:
    """What suits all of *turns*; *one*: player 1's payoff tells the other's."""
    whose = (0,) if one else tuple(range(len(players)))
    cells = [p for turn in turns for hand in turn.hands if not hand.never for p in hand.cells if p]
    chances = [p for turn in turns for p in (turn.reach, *(move.chance for move in turn.moves)) if p is not None]
    if beliefs:
        chances += [hand.likely for turn in turns for hand in turn.hands if hand.likely is not None]
    paid = [row[p] for turn in turns for row in (turn.value or (), *(m.pays for m in turn.moves)) if row for p in whose]
    dense = max(len(turn.hands) for turn in turns) > MANY_HANDS
    size, row = (NOTE_SIZE, 12.5) if dense else (LABEL_SIZE, 18.0)
    return Manner(
        alike(cells, percent), alike(chances, percent), alike(paid, decimal), whose, players, badges, size, row, beliefs
    )


@dataclass(frozen=True)
class Table:
    """A turn with the widths of its columns; lengths are pixels, from the table's top left corner.

    ``hand`` is the width of the column of hands, ``belief`` of the one beside it (0: none), ``columns`` are those of
    the moves; ``lines`` are how many the payoffs of ends take below them.
    """

    turn: Turn
    manner: Manner
    hand: float
    belief: float
    columns: tuple[float, ...]
    lines: int
    width: float
    height: float

    @property
    def first(self) -> float:
        """Where the first move's column begins."""
        return _PAD + self.hand + self.belief

    @property
    def top(self) -> float:
        """Where the first hand's row begins."""
        return HEAD + self.manner.size + 5.0

    @property
    def below(self) -> float:
        """Where the lines below the hands begin."""
        return self.top + len(self.turn.hands) * self.manner.row + 1.0


def measured(turn: Turn, manner: Manner, folded: Iterable[int]) -> Table:
    """The table of *turn*; *folded* are its columns whose moves lead to what is not shown."""
    folded = set(folded)
    names = [text_width(hand_name(hand), manner.size) for hand in turn.hands]
    words = [text_width(word, NOTE_SIZE) for word in ("hand", *(["all"] if turn.reach is not None else []))]
    hand = max(*names, *words, 0.0) + 7.0
    columns = []
    for column, move in enumerate(turn.moves):
        cells = (text_width(manner.cell(p), manner.size) for row in turn.hands if (p := row.cells[column]))
        below = [text_width(_chance(move.chance, manner), NOTE_SIZE)]
        below += [
            2 * END_RADIUS + 3 + text_width(manner.payoff(move.pays[p]), NOTE_SIZE) for p in manner.whose if move.pays
        ]
        columns.append(max(26.0, text_width(move_name(move.name), manner.size), *cells, *below) + 7.0)
    belief = (
        max((text_width(_chance(h.likely, manner), NOTE_SIZE) for h in turn.hands), default=0.0)
        if manner.beliefs
        else 0.0
    )
    belief = max(belief, text_width("belief", NOTE_SIZE)) + 8.0 if manner.beliefs else 0.0
    ends = any(move.ends for move in turn.moves)
    lines = len(manner.whose) if ends and turn.reach is not None else int(ends or bool(folded))
    width = 2 * _PAD + hand + belief + sum(columns) + _never_width(turn)
    width = max(width, _head_width(turn, manner), 2 * _PAD + text_width(_absent(turn), NOTE_SIZE))
    under = (turn.reach is not None) + lines + bool(turn.absent)
    height = HEAD + manner.size + 5.0 + len(turn.hands) * manner.row + 1.0 + under * _LINE + 4.0
    return Table(turn, manner, hand, belief, tuple(columns), lines, width, height)


def hand_name(hand: Hand) -> str:
    """As it is drawn."""
    return shorten(hand.name, _NAME_LETTERS)


def move_name(name: str) -> str:
    """As it is drawn."""
    return shorten(name, _NAME_LETTERS)


def _chance(p: Number | None, manner: Manner) -> str:
    return "" if p is None else manner.chance(p)


def _never(turn: Turn) -> str:
    return f"+{turn.never} never" if turn.never else ""


def _absent(turn: Turn) -> str:
    return f"+{turn.absent} hands never" if turn.absent else ""


def _never_width(turn: Turn) -> float:
    return text_width(_never(turn), NOTE_SIZE) + 5.0 if turn.never else 0.0


def _reached(turn: Turn, manner: Manner) -> str:
    return "" if turn.reach is None else f"reached {manner.chance(turn.reach)}"


def _worth(turn: Turn, manner: Manner) -> tuple[str, int]:
    """What play is worth from there, and to whom."""
    whose = manner.whose[0] if len(manner.whose) == 1 else turn.player
    return ("", whose) if turn.value is None else (f"worth {manner.payoff(turn.value[whose])}", whose)


def _head_width(turn: Turn, manner: Manner) -> float:
    said = [text_width(text, NOTE_SIZE) for text in (_reached(turn, manner), _worth(turn, manner)[0])]
    return RADIUS + 5.0 + sum(said) + 14.0 + _PAD


def items(table: Table, x: float, y: float, folded: Iterable[int]) -> Iterator[Item]:
    """The table with its top left corner at (x, y); *folded* as in ``measured``."""
    turn, manner = table.turn, table.manner
    node = turn.history
    yield Box(x, y, table.width, table.height, PAPER, "table", node, fill(turn.player), 1.3, tip=_tip(turn, manner))
    yield from _heading(table, x, y)
    for number, hand in enumerate(turn.hands):
        yield from _row(table, hand, x, y + table.top + number * manner.row)
    yield from _foot(table, x, y + table.below, set(folded))
    yield Mark("circle", x, y + HEAD / 2, RADIUS, fill(turn.player), "decision", node, tip=_tip(turn, manner))
    badge = manner.badges[turn.player]
    yield Text(x, y + HEAD / 2 + 3.3, badge, 9.0, letter_on(turn.player), "badge", node, "middle", True)


def _heading(table: Table, x: float, y: float) -> Iterator[Text]:
    turn, manner = table.turn, table.manner
    node, base = turn.history, y + HEAD / 2 + _FALL * NOTE_SIZE
    if turn.reach is not None:
        yield Text(x + RADIUS + 5.0, base, _reached(turn, manner), NOTE_SIZE, INK, "reach", node)
    worth, whose = _worth(turn, manner)
    if worth:
        yield Text(x + table.width - _PAD, base, worth, NOTE_SIZE, ink(whose), "value", node, "end", True)
    base = y + table.top - 4.0
    yield Text(x + _PAD, base, "hand", NOTE_SIZE, PALE, "hand", node)
    if manner.beliefs:
        yield Text(x + table.first - 6.0, base, "belief", NOTE_SIZE, PALE, "belief", node, "end")
    left = x + table.first
    for move, width in zip(turn.moves, table.columns, strict=True):
        yield Text(left + width / 2, base, move_name(move.name), manner.size, INK, "move", node, "middle")
        left += width
    if turn.never:
        yield Text(left + 4.0, base, _never(turn), NOTE_SIZE, PALE, "never", node)


def _row(table: Table, hand: Hand, x: float, top: float) -> Iterator[Item]:
    manner, node, player = table.manner, table.turn.history, table.turn.player
    middle = top + manner.row / 2
    base, note = middle + _FALL * manner.size, middle + _FALL * NOTE_SIZE
    opacity = DIM if hand.never else 1.0
    yield Text(x + _PAD, base, hand_name(hand), manner.size, INK, "hand", node, opacity=opacity)
    if manner.beliefs and hand.likely:
        yield Text(x + table.first - 6.0, note, _chance(hand.likely, manner), NOTE_SIZE, GREY, "belief", node, "end")
    left = x + table.first
    for move, p, width in zip(table.turn.moves, hand.cells, table.columns, strict=True):
        # What a hand would do that never gets there is of no consequence, and often nobody's choice.
        share = Fraction(0) if p is None or hand.never else p
        color, tip = shade(player, float(share)), f"{', '.join(hand.names)}: {move.name}"
        tip += "" if hand.likely is None else " (never gets here)" if hand.never else f" {full(share)}"
        room = (left + 0.5, top + 0.5, width - 1.0, manner.row - 1.0)
        yield Box(*room, color, "cell", node, "" if share else _FRAME, 0.6, opacity, tip)
        if share:
            letters = manner.cell(share)
            yield Text(left + width / 2, base, letters, manner.size, letter_over(color), "cell", node, "middle")
        left += width


_FRAME = "#d5d5d5"


def _foot(table: Table, x: float, y: float, folded: set[int]) -> Iterator[Item]:
    """All hands together; what ends pay; how many hands are not listed."""
    turn, manner, node = table.turn, table.manner, table.turn.history
    base = y + _LINE - 3.0
    if turn.reach is not None:
        yield Text(x + _PAD, base, "all", NOTE_SIZE, GREY, "all", node)
        left = x + table.first
        for move, width in zip(turn.moves, table.columns, strict=True):
            yield Text(left + width / 2, base, _chance(move.chance, manner), NOTE_SIZE, GREY, "all", node, "middle")
            left += width
        base += _LINE
    left = x + table.first
    for column, (move, width) in enumerate(zip(turn.moves, table.columns, strict=True)):
        if move.ends:
            yield from _end(table, move.then, move.pays, left + width / 2, base)
        elif column in folded:
            yield Text(left + width / 2, base, "…", NOTE_SIZE, PALE, "stub", node, "middle")
        left += width
    if turn.absent:
        yield Text(x + _PAD, base + table.lines * _LINE, _absent(turn), NOTE_SIZE, PALE, "absent", node)


def _end(table: Table, then: int, pays: tuple[Number, ...], middle: float, base: float) -> Iterator[Item]:
    """A dot, and the expected payoff of one player or, below each other, of all."""
    manner = table.manner
    words = [(player, manner.payoff(pays[player])) for player in manner.whose if pays]
    wide = max((text_width(word, NOTE_SIZE) for _, word in words), default=-3.0)
    left = middle - (2 * END_RADIUS + 3 + wide) / 2
    yield Mark("circle", left + END_RADIUS, base - _FALL * NOTE_SIZE, END_RADIUS, INK, "end", then)
    for line, (player, word) in enumerate(words):
        place = (left + 2 * END_RADIUS + 3, base + line * _LINE)
        yield Text(*place, word, NOTE_SIZE, ink(player), "payoff", then)


def _tip(turn: Turn, manner: Manner) -> str:
    lines = [f"{manner.players[turn.player]} after {' '.join(turn.path)}" if turn.path else "start"]
    if turn.reach is not None:
        lines.append(f"reached with probability {full(turn.reach)}")
    if turn.value is not None:
        pairs = zip(manner.players, turn.value, strict=True)
        lines.append("expected payoffs: " + ", ".join(f"{name} {full(value)}" for name, value in pairs))
    return "\n".join(lines)
