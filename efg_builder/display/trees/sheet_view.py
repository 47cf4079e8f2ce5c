"""The view ``"sheet"``: each hand in each situation as a bar that is divided by its moves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import count
from math import ceil
from typing import NamedTuple

from ...base.errors import NotApplicableError, ParameterError
from ...base.rationals import Number
from ...base.words import Notation, notation
from ...forms.extensive import CHANCE
from ...games.bidding import BiddingGame
from .colors import FRAME, GREY, INK, KINDS, PALE, ink, letter_over, shade
from .options import DrawOptions, check_size
from .scene import Box, Item, Mark, Stroke, Text
from .sheet_data import Bar, Cell, SheetData, sheet_data
from .sizes import FALL, SIZES, badges, before_probability, cut_inside, text_width
from .subject import DrawnSubject
from .surround import ROUNDED_PERCENT, Fitted, Layout, LegendEntry, Surround, Way, fitted, in_lines, name_of, node_of

_wide = cache(partial(text_width, size=SIZES.label))
_bold = cache(partial(text_width, size=SIZES.label, bold=True))


@dataclass(frozen=True)
class SheetSpacing:
    """The distances in a sheet, in pixels."""

    bar: float = 44.0  # the minimum length of a bar in a sheet with many columns
    long: float = 110.0  # the minimum length of a bar in any other sheet
    opening: float = 3.0  # the length of the bar of an opening, which any bid may divide, in bars of answers to bids
    spare: int = 5  # a bar grows by this multiple of the extra length of a fan in a tree
    row: float = 11.8  # the minimum distance between two bars
    few: int = 20  # the maximum number of bars below each other for the distance ``roomy``
    most: float = 34.0  # the maximum distance between two bars in a sheet with much room
    thin: float = 2.4  # the thickness of the bar of a hand that is almost never held
    edge: float = 0.8  # the gap between two moves of a bar
    between: float = 1.8  # the gap between the thickest bars
    gap: float = 9.0  # between a name and its bar
    column: float = 12.0  # between two situations
    group: float = 3.0  # between hands with different public cards
    line: float = 15.0  # the height of a line of words
    block: float = 8.0  # between two blocks
    readable: float = 9.0  # the minimum thickness of a bar with a number
    roomy: float = 16.0  # the minimum distance between bars with the names of moves
    letters: int = 34  # the maximum length of a name


ROOM = SheetSpacing()


# --- the kinds of moves

_POKER = (
    ({"fold"}, "fold"),
    ({"check", "call", "pass", "show"}, "check or call"),
    ({"bet", "raise", "all-in"}, "bet or raise"),
)
_CALL, _BACKED, _BLUFF = "call", "bid that a die of the hand matches", "bid that no die of the hand matches"


class Kinds(NamedTuple):
    """The colors of moves: a legend, the color of a bar's move, and whether the moves need names in the bars."""

    legend: Sequence[tuple[str, str]]
    color: Callable[[int, Bar, str], str]
    named: bool


def kinds_of(data: SheetData) -> Kinds:
    """Return the kinds of moves: passive, calling or aggressive ones if the rules tell, otherwise one for each move."""
    passive, calling, aggressive = KINDS[:3]
    game = data.bids
    if game is not None and any(_claims(game, cell.player, bar) for cell in data.cells.values() for bar in cell.bars):

        def of_bid(player: int, bar: Bar, move: str) -> str:
            claim = None if bar.hand is None else game.claim(player, bar.hand, move)
            return calling if claim is None else passive if claim.matching else aggressive

        return Kinds(((_CALL, calling), (_BACKED, passive), (_BLUFF, aggressive)), of_bid, True)
    labels = data.labels
    kinds = {label: kind for label in labels for kind, (words, _) in enumerate(_POKER) if label in words}
    if len(kinds) == len(labels):
        used = sorted(set(kinds.values()))
        names = [" or ".join(label for label in labels if kinds[label] == kind) for kind in used]
        legend = list(zip(names, (KINDS[kind] for kind in used), strict=True))
        return Kinds(legend, lambda player, bar, move: KINDS[kinds[move]], False)
    if len(labels) <= len(KINDS):
        # The first move in the rules is often the passive one.
        colors = dict(zip(labels, KINDS, strict=False))
        return Kinds(list(colors.items()), lambda player, bar, move: colors[move], True)
    place = {label: number for number, label in enumerate(labels)}
    return Kinds((), lambda player, bar, move: shade(player, 0.15 + 0.2 * (place[move] % 2)), True)


def _claims(game: BiddingGame, player: int, bar: Bar) -> bool:
    """Return whether a move of a hand claims something about the dice."""
    return bar.hand is not None and any(game.claim(player, bar.hand, move) is not None for move, _ in bar.moves)


# --- the layout


Span = tuple[float, float]  # the left and the right edge of a column's bars


class Line(NamedTuple):
    """Cells side by side, below a title. ``heads``: the situations' words, for the first line or for each line."""

    title: str
    cells: Sequence[Cell | None]
    heads: Sequence[tuple[int, str]] = ()
    player: int | None = None  # the player whose badge is the title


def _lines(data: SheetData, columns: int) -> list[Line]:
    """Return the lines of a sheet with at most *columns* cells in a line."""
    if data.listed:
        return [_chunks(data, columns)]
    if len(data.blocks) > 1:
        places = range(len(data.situations))
        rows = [[data.cells.get((block, at)) for at in places] for block in range(len(data.blocks))]
        heads = [data.situations, *((),) * (len(rows) - 1)]
        if data.bids is not None:  # each block is a player
            movers = [next(cell.player for cell in row if cell) for row in rows]
            return [Line("", *line) for line in zip(rows, heads, movers, strict=True)]
        return [Line(*line) for line in zip(data.blocks, rows, heads, strict=True)]
    cells = [data.cells[0, at] for at in range(len(data.situations))]
    starts = range(0, len(cells), columns)
    return [Line("", cells[at : at + columns], data.situations[at : at + columns]) for at in starts]


def _chunks(data: SheetData, columns: int) -> Line:
    """Return each player's information sets, in at most *columns* columns of about the same length."""
    lists = list(data.cells.values())
    rows = next(n for n in count(1) if sum(ceil(len(each.bars) / n) for each in lists) <= max(columns, len(lists)))
    cells, heads = list[Cell](), list[tuple[int, str]]()
    for each, head in zip(lists, data.situations, strict=True):
        for at in range(0, len(each.bars), rows):
            cells.append(replace(each, bars=each.bars[at : at + rows]))
            heads.append(head if not at else (head[0], ""))
    return Line("", cells, heads)


@dataclass(frozen=True)
class _Manner:
    """The properties that all bars of a sheet share."""

    data: SheetData
    kinds: Kinds
    write: Notation
    badges: tuple[str, ...]

    def share(self, cell: Cell) -> str:
        if cell.reach is None:
            return ""
        return "never" if cell.reach == 0 else "always" if cell.reach == 1 else self.write(cell.reach)


@dataclass(frozen=True)
class _SheetLayout(Layout):
    """A sheet with the lengths of the bars of each column, and the distance ``row`` between bars."""

    manner: _Manner
    lines: tuple[Line, ...]
    names: tuple[float, ...]  # for each column, the width of the names beside its bars; 0 for none
    longs: tuple[float, ...]
    row: float
    apart: bool  # whether titles have lines of their own

    @property
    def letters(self) -> float:
        return SIZES.label

    @property
    def items(self) -> Iterator[Item]:
        y = 0.0
        for number, line in enumerate(self.lines):
            if number:
                y += ROOM.block / 2
                yield Stroke(((0.0, y), (self.width, y)), FRAME, SIZES.frame_line, "rule")
                y += ROOM.block / 2
            yield from self._line(line, y)
            y += _height(line, self.longs, self.row, self.apart)

    def _spans(self) -> list[Span]:
        """The left and right edges of the bars of each column."""
        spans, x = list[Span](), 0.0
        for wide, long in zip(self.names, self.longs, strict=True):
            spans.append((x + wide, x + wide + long))
            x += wide + long + ROOM.column
        return spans

    def _line(self, line: Line, y: float) -> Iterator[Item]:
        spans = self._spans()
        for (player, _), parts, (left, _) in zip(line.heads, _heads_in_lines(line, self.longs), spans, strict=False):
            if parts:  # without words, the list of a player's information sets goes on
                yield from self._head(player, parts, left, y)
        y += _head_height(line, self.longs)
        if line.player is not None:
            yield from node_of(SIZES.node, y + ROOM.line / 2 - 1.0, line.player, self.manner.badges, "block")
        shares = ["" if cell is None else self.manner.share(cell) for cell in line.cells]
        if line.title:
            yield Text(0.0, y + ROOM.line - 5.0, line.title, SIZES.label, INK, "block", bold=True)
            y += ROOM.line if self.apart else 0.0
        for share, (_, right) in zip(shares, spans, strict=False):
            if share:
                yield Text(right, y + ROOM.line - 5.0, share, SIZES.label, GREY, "reach", anchor="end")
        y += _share_height(line)
        for column, (cell, span) in enumerate(zip(line.cells, spans, strict=False)):
            # Names that are only at the left are the same in all cells.
            named = cell or (next(filter(None, line.cells)) if not all(self.names) else None)
            if self.names[column] and named is not None:
                yield from self._names(named, span[0], y, column == 0)
            if cell is not None:
                yield from self._bars(cell, span, y)

    def _head(self, player: int, parts: Sequence[str], left: float, y: float) -> Iterator[Item]:
        start, color = left, INK
        if player != CHANCE:
            yield from node_of(left + SIZES.node, y + ROOM.line / 2, player, self.manner.badges, "situation")
            start, color = left + _BADGE, ink(player)
        for number, line in enumerate(parts):
            base = y + ROOM.line / 2 + FALL * SIZES.label + number * ROOM.line
            yield Text(start, base, line, SIZES.label, color, "situation", bold=True)

    def _names(self, cell: Cell, left: float, y: float, first: bool) -> Iterator[Item]:
        before = ""
        for bar, middle in self._middles(cell, y):
            base = middle + FALL * SIZES.label
            never = bar.never and all(self.names)
            name, paired = cut_inside(bar.name, ROOM.letters), not never and bool(bar.card) and bar.card == bar.name
            color = PALE if never else INK
            yield Text(left - ROOM.gap / 2, base, name, SIZES.label, color, "hand", -1, "end", paired)
            if bar.card != before and first:
                yield Mark("diamond", 3.0, middle, 3.0, GREY, "card")
                yield Text(8.0, base, bar.card, SIZES.label, GREY, "card")
            before = bar.card

    def _bars(self, cell: Cell, span: Span, y: float) -> Iterator[Item]:
        bars = self.manner.data.bars if self.manner.data.listed else cell.bars  # lists have one scale
        most = max((float(bar.held or 0) for bar in bars), default=0.0)
        for bar, middle in self._middles(cell, y):
            yield from self._bar(cell.player, bar, span, middle, most)

    def _middles(self, cell: Cell, y: float) -> Iterator[tuple[Bar, float]]:
        """Yield each bar with its middle; hands with different public cards are in groups."""
        card = cell.bars[0].card
        for bar in cell.bars:
            y += ROOM.group if bar.card != card else 0.0
            card = bar.card
            yield bar, y + self.row / 2
            y += self.row

    def _bar(self, player: int, bar: Bar, span: Span, middle: float, most: float) -> Iterator[Item]:
        if bar.never:
            return
        thickest = self.row - ROOM.between
        thin = min(ROOM.thin if self.row < ROOM.roomy else ROOM.readable, thickest)
        share = 1.0 if bar.held is None or not most else float(bar.held) / most
        thick = thin + (thickest - thin) * share
        x, full, even = span[0], span[1] - span[0], 1.0 / max(1, len(bar.moves))
        if not bar.moves:
            yield Box(x, middle - thick / 2, full, thick, "", "cell", -1, FRAME, SIZES.frame_line, bar.tip)
        for move, p in bar.moves:
            long = full * (even if p is None else float(p))
            color, line = ("", FRAME) if p is None else (self.manner.kinds.color(player, bar, move), "")
            edge = 0.0 if p is None or x == span[0] else min(ROOM.edge, long / 4)  # moves of one kind have one color
            top = middle - thick / 2
            yield Box(x + edge, top, long - edge, thick, color, "cell", -1, line, SIZES.frame_line, bar.tip)
            words = self._words(move, p, long - 3.0) if thick >= ROOM.readable else ""
            if words:
                over = PALE if p is None else letter_over(color)
                base = middle + FALL * SIZES.label
                yield Text(x + long / 2, base, words, SIZES.label, over, "cell", -1, "middle")
            x += long

    def _words(self, move: str, p: Number | None, room: float) -> str:
        """Return the words that fit in the part of a bar: a move with its probability, or one of the two."""
        if p is None:
            tried = [move]
        else:
            chance = "" if p == 1 else self.manner.write(p)
            both, named = f"{before_probability(move, chance)} {chance}".strip(), self.manner.kinds.named
            tried = [both] if named or self.row >= ROOM.roomy else []
            tried.append(move if named else chance)
        return next((words for words in tried if _wide(words) <= room), "")


_BADGE = 2 * SIZES.node + 4.0  # the width of a player's badge before words


MOST_LINES = 3
"""The maximum number of lines of a situation's words."""


def _heads_in_lines(line: Line, longs: Sequence[float]) -> list[list[str]]:
    """Return the words of each situation in lines beside the badge of its player."""
    words = (
        (player, (f" {word}" for word in head.split()), long)
        for (player, head), long in zip(line.heads, longs, strict=False)
    )
    return [in_lines(parts, SIZES.label, True, _head_room(player, long)) for player, parts, long in words]


def _head_room(player: int, long: float) -> float:
    return long if player == CHANCE else long - _BADGE


def _room_for_heads(lines: Sequence[Line], least: float) -> float:
    """Return the length of bars, at least *least*, below which all situations' words have few enough lines."""

    def fits(bar: float) -> bool:
        return all(
            len(parts) <= MOST_LINES and all(_bold(part) <= _head_room(player, bar) for part in parts)
            for line in lines
            for (player, _), parts in zip(line.heads, _heads_in_lines(line, [bar] * len(line.heads)), strict=True)
        )

    return next(bar for step in count() if fits(bar := least + 8.0 * step))


def _room_for_titles(lines: Sequence[Line], manner: _Manner) -> float:
    """Return the room that the titles need beside the first cells' shares."""
    shares = ("" if line.cells[0] is None else manner.share(line.cells[0]) for line in lines)
    return max(_bold(line.title) + ROOM.gap + _wide(share) for line, share in zip(lines, shares, strict=True))


def _head_height(line: Line, longs: Sequence[float]) -> float:
    """Return the height of the situations' words."""
    lines = list(map(len, _heads_in_lines(line, longs)))
    return ROOM.line * max(lines) + 3.0 if lines else 0.0


def _share_height(line: Line) -> float:
    shown = line.title or line.player is not None or any(cell and cell.reach is not None for cell in line.cells)
    return ROOM.line if shown else 0.0


def _height(line: Line, longs: Sequence[float], row: float, apart: bool) -> float:
    tallest = max(
        len(cell.bars) * row + ROOM.group * max(0, len({bar.card for bar in cell.bars}) - 1)
        for cell in line.cells
        if cell is not None
    )
    title = ROOM.line if apart and line.title else 0.0
    return _head_height(line, longs) + title + _share_height(line) + tallest


MANY = 8
"""In a sheet with more columns, the names of hands are only at the left if all cells of a line have the same hands."""


def _name_widths(lines: Sequence[Line], columns: int) -> tuple[float, ...]:
    same = all(len({tuple(bar.name for bar in cell.bars) for cell in line.cells if cell}) == 1 for line in lines)
    first_only = same and columns > MANY
    cards = max(
        (_wide(bar.card) + 14.0 for line in lines for cell in line.cells if cell for bar in cell.bars if bar.card),
        default=0.0,
    )
    widths = []
    for column in range(columns):
        bars = [bar for line in lines if column < len(line.cells) and (cell := line.cells[column]) for bar in cell.bars]
        wide = max((_bold(cut_inside(bar.name, ROOM.letters)) for bar in bars), default=0.0) + ROOM.gap
        widths.append(0.0 if column and first_only else wide + (cards if not column else 0.0))
    return tuple(widths)


def _way(manner: _Manner, columns: int, wide: bool) -> Way[_SheetLayout]:
    """Return the layouts with at most *columns* columns. If *wide*, titles need no lines of their own."""
    lines = tuple(_lines(manner.data, columns))
    most = max(len(line.cells) for line in lines)
    names = _name_widths(lines, most)
    titles = _room_for_titles(lines, manner) - names[0]
    shortest = _room_for_heads(lines, ROOM.bar if most > MANY else ROOM.long)
    shortest = max(shortest, titles) if wide else shortest
    deep = sum(max(len(cell.bars) for cell in line.cells if cell is not None) for line in lines)
    least = ROOM.row if deep > ROOM.few else ROOM.roomy
    opening = ROOM.opening if manner.data.bids is not None and most > MANY else 1.0
    steps = round(ROOM.spare * (opening + most - 1))

    def layout(along: float, spread: float) -> _SheetLayout:
        bar, row = shortest + ROOM.spare * along, min(least * spread, ROOM.most)
        longs = (opening * bar, *[bar] * (most - 1))
        width = sum(names) + sum(longs) + (most - 1) * ROOM.column
        apart = bar < titles
        height = sum(_height(line, longs, row, apart) for line in lines) + ROOM.block * (len(lines) - 1)
        return _SheetLayout(width, height, manner, lines, names, longs, row, apart, steps=steps)

    return layout


# --- the picture


def fit_sheet(subject: DrawnSubject, options: DrawOptions) -> Fitted:
    """Return the sheet of *subject*.

    Raises ``PictureTooLargeError``, ``PictureTooSmallError`` if the text would be too small for the purpose, and
    ``NotApplicableError`` if no player moves.
    """
    data = sheet_data(subject, options)
    if not data.bars and options.folds:
        raise ParameterError("view='sheet': reach= and depth= (--reach, --depth) hide all situations")
    if not data.bars:
        raise NotApplicableError(f'view="sheet": no player moves in {subject.tree.title!r}, so the sheet is empty')
    check_size(len(data.bars), options, data.played, "bars")
    shown = [p for bar in data.bars for _, p in bar.moves if p is not None and not bar.never]
    shown += [cell.reach for cell in data.cells.values() if cell.reach is not None]
    manner = _Manner(data, kinds_of(data), notation(shown), badges(subject.tree.players))
    wrapped = data.listed or len(data.blocks) == 1
    most = min(len(data.bars) if data.listed else len(data.situations), MOST_COLUMNS)
    tries = list(range(1, most + 1) if data.listed else range(most, 0, -1) if wrapped else (len(data.situations),))
    tries.sort(key=lambda columns: columns > GOOD_COLUMNS)
    ways = [_way(manner, columns, wide) for wide in (False, True) for columns in tries]
    about = f"A sheet of {len(data.bars):,} bars, one for each hand in each situation, divided by the hand's moves."
    return fitted([ways], Surround(subject.tree, options, about, list(_legend(subject.tree.players, manner))))


GOOD_COLUMNS, MOST_COLUMNS = 6, 12
"""The maximum numbers of columns to prefer and to try for situations that may be in any number of lines."""


def _legend(players: Sequence[str], manner: _Manner) -> Iterator[LegendEntry]:
    data = manner.data
    for player in sorted({cell.player for cell in data.cells.values()}):
        yield LegendEntry.node(player, manner.badges, name_of(players[player], player), ink(player))
    for words, color in manner.kinds.legend if data.played else ():
        yield LegendEntry.said(words or "(no name)", (Box(0.0, -6.0, 16.0, 12.0, color, "legend"),), 16.0)
    reach = next((cell.reach for cell in data.cells.values() if cell.reach and cell.reach < 1), None)
    if reach is not None:
        share = Text(0.0, 4.0, manner.write(reach), SIZES.label, GREY, "legend")
        yield LegendEntry.said("how often it is reached", (share,), share.width)
    if data.played:
        what = "reached more often" if data.listed else f"the {data.noun} is more probable here"
        bars = (Box(0.0, -5.0, 8.0, 10.0, GREY, "legend"), Box(8.0, -1.2, 8.0, 2.4, GREY, "legend"))
        yield LegendEntry.said("longer part: more frequent move", optional=True)
        yield LegendEntry.said(f"thicker: {what}", bars, 16.0)
    if any(bar.never for bar in data.bars):
        yield LegendEntry.said("no bar: never here")
    if any(bar.card and bar.card == bar.name for bar in data.bars):
        yield LegendEntry.said(
            f"public card; bold: a {data.noun} that matches it", (Mark("diamond", 3.0, 0, 3.0, GREY, "legend"),), 6.0
        )
    if data.bids is not None:
        yield LegendEntry.said(
            "columns: the last bid, averaged over the earlier bids" if data.played else "columns: the last bid"
        )
    if data.left_out:
        yield LegendEntry.said(data.left_out)
    if manner.write.rounded:
        yield ROUNDED_PERCENT
