"""The public view by hands: the deal's probabilities, and payoffs at terminal histories; and its worksheets.

A worksheet has a table of boxes at each decision. The boxes contain the answers if there is a profile. Nothing else
depends on the profile.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, partial
from itertools import chain, count, product
from string import ascii_uppercase
from typing import Any

from ...base.errors import NotApplicableError
from ...base.rationals import Number
from ...base.words import LONG, PERCENT_ROUNDED, Notation, amount, notation
from ...forms.extensive import CHANCE, NONE, GameTree, has_value
from ...forms.public_deals import Hands, PublicDeals, Seen, public_deals
from ...forms.public_tree import public_tree
from ...strategies.tree_profile import TreeProfile
from .colors import FRAME, GREY, INK, PALE, ink
from .options import DrawOptions, check_size
from .public_layout import HEAD, Piece, PublicLayout, fit_pieces, place_pieces
from .public_layout import ROOM as PIECES
from .public_play import PublicPlay, Turn
from .public_view import ROOM as TABLES
from .public_view import HandTable, TableManner
from .scene import Box, Item, Mark, Point, Stroke, Text, Words, payoff_texts, words_at, words_width
from .sizes import FALL, SIZES, badges, shorten, shortened, text_width
from .surround import LEAST_INNER, ROUNDED_PERCENT, Fitted, LegendEntry, directions, name_of, node_of
from .tree_layout import levels

_wide = partial(text_width, size=SIZES.label)
_Key = Callable[[float, float], Iterable[Item]]  # draws a table with the top left corner (x, y)

MOST_HANDS = 12  # the maximum number of hands per player; larger tables would be unreadable
_FEW, _ONCE = 6, 2  # use letters for more than _FEW tables if each occurs at least _ONCE times on average
_ROW, _CELL_PAD, _BETWEEN, _GAME_LETTERS = 16.0, 8.0, 12.0, 12
_KEY, _KEY_GAP = 16.0, 26.0  # the width of a letter, and the gap between two tables
_DOT = SIZES.end + 5.0  # the distance from a terminal dot to the payoffs beside it
_BELOW = 2.0  # the distance from a terminal dot to the payoffs below it
_OPENED = 10.0  # the space for the mark of a chance move before a node
_BLANK = "____"  # replaces the value on a worksheet

Size = tuple[float, float]


@dataclass(frozen=True)
class _PayoffTable:
    """Payoffs or probabilities by the hands of player 1 (rows) and player 2 (columns).

    The cells of impossible deals are empty.
    """

    corner: str  # the outcome of public chance moves
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[tuple[Words, ...], ...]

    @cached_property
    def first(self) -> float:
        """The width of the column with names."""
        return max(map(_wide, (self.corner, *self.rows))) + 6.0

    @cached_property
    def column(self) -> float:
        return max(*map(_wide, self.columns), *(words_width(cell) for row in self.cells for cell in row)) + _CELL_PAD

    @property
    def head(self) -> float:
        return HEAD if self.corner or any(self.columns) else (HEAD - _ROW) / 2

    @property
    def size(self) -> Size:
        return self.first + len(self.columns) * self.column, self.head + len(self.rows) * _ROW

    def items(self, x: float, y: float, node: int) -> Iterator[Item]:
        fall, width = FALL * SIZES.label, self.column
        if self.corner:
            yield Text(x, y + HEAD / 2 + fall, self.corner, SIZES.label, GREY, "opened", node)
        lefts = [x + self.first + k * width for k in range(len(self.columns))]
        for left, name in zip(lefts, self.columns, strict=True):
            if name:
                yield Text(left + width / 2, y + HEAD / 2 + fall, name, SIZES.label, ink(1), "hand", node, "middle")
        for number, (name, row) in enumerate(zip(self.rows, self.cells, strict=True)):
            top = y + self.head + number * _ROW
            base = top + _ROW / 2 + fall
            if name:
                yield Text(x + self.first - 6.0, base, name, SIZES.label, ink(0), "hand", node, "end")
            for left, numbers in zip(lefts, row, strict=True):
                if numbers:
                    yield Box(left + 0.5, top + 0.5, width - 1.0, _ROW - 1.0, "", "cell", node, FRAME, SIZES.frame_line)
                    yield from words_at(numbers, left + (width - words_width(numbers)) / 2, base, "payoff", node)


_PayoffTables = tuple[_PayoffTable, ...]  # tables side by side: one for each outcome of public chance moves


def _size(tables: _PayoffTables) -> Size:
    sizes = [table.size for table in tables]
    wide = sum(width for width, _ in sizes) + _BETWEEN * max(0, len(sizes) - 1)
    return wide, max((height for _, height in sizes), default=0.0)


def _side_by_side(tables: _PayoffTables, node: int, x: float, y: float) -> Iterator[Item]:
    for table in tables:
        yield from table.items(x, y, node)
        x += table.size[0] + _BETWEEN


class _Game:
    def __init__(
        self, deals: PublicDeals, shown: Sequence[int], folded: frozenset[int], blanks: Mapping[int, Turn]
    ) -> None:
        tree = deals.public.tree
        self.deals, self.shown, self.folded, self.badges = deals, shown, folded, badges(tree.players)
        names = [shortened(tuple(hands), _GAME_LETTERS) for hands in deals.hands]
        self.hands = [tuple(short[hand] for hand in hands) for short, hands in zip(names, deals.hands, strict=True)]
        self.paid = 1 if has_value(tree) else 2  # the number of players whose payoffs are shown
        every = len(deals.hands[0]) * len(deals.hands[1])
        alike = list(deals.deals.values()) == [Fraction(1, every)] * every
        self.write = notation(chain(deals.deals.values(), *(at.values() for at in deals.opened.values())), rules=True)
        self.each = self.write(Fraction(1, every)) if alike else ""
        dealt = () if alike else (self._chances((), deals.deals),)
        self.start = (*dealt, *(self._chances(seen, at) for seen, at in deals.opened.items()))
        self.ends = {history: self._end(history) for history in shown if history in deals.ends}
        self.letters = self._letters()
        self.blanks = blanks  # the tables of a worksheet by history
        chances = (p for turn in blanks.values() for hand in turn.hands for cell in hand.cells for p in cell.shown)
        row = TABLES.row * TABLES.most  # a row in which a pen has room
        self.manner = TableManner(tree.players, (0,), False, self.badges, notation(chances), row=row, blanks=True)

    def _blanks(self, history: int, right: bool) -> HandTable | None:
        """Return the table of a worksheet at *history*, if there is one."""
        turn = self.blanks.get(history)
        return None if turn is None else HandTable(turn, replace(self.manner, right=right))

    def _table(self, corner: Seen, numbers: Mapping[Hands, Words]) -> _PayoffTable:
        down, across = self.hands
        cells = tuple(
            tuple(numbers.get((row, column), ()) for column in range(len(across))) for row in range(len(down))
        )
        return _PayoffTable(" ".join(corner), down, across, cells)

    def _chances(self, corner: Seen, numbers: Mapping[Hands, Number]) -> _PayoffTable:
        return self._table(corner, {hands: ((self.write(p), INK),) for hands, p in numbers.items()})

    def _end(self, history: int) -> _PayoffTables | Words:
        paid = {
            seen: {
                hands: payoff_texts([amount(payoff, LONG) for payoff in payoffs[: self.paid]])
                for hands, payoffs in at.items()
            }
            for seen, at in self.deals.ends[history].items()
        }
        different = {numbers for at in paid.values() for numbers in at.values()}
        return different.pop() if len(different) == 1 else tuple(self._table(*at) for at in paid.items())

    def _letters(self) -> dict[_PayoffTables, str]:
        drawn = Counter(end for end in self.ends.values() if isinstance(end[0], _PayoffTable))
        if sum(drawn.values()) <= max(_FEW, _ONCE * len(drawn) - 1):
            return {}
        letters = ("".join(each) for length in count(1) for each in product(ascii_uppercase, repeat=length))
        return dict(zip(drawn, (letter for letter in letters if letter not in self.badges), strict=False))

    def pieces(self, right: bool) -> list[Piece]:
        public, opening, at = self.deals.public, self.deals.opening, dict[int, int]()
        found = []
        for history in self.shown:
            at[history] = len(at)
            dot = SIZES.node + (_OPENED if history in opening else 0.0)
            known: Any = {"fork": 0.0, "dot": SIZES.end if history in self.ends else dot}
            way, table = 0.0, self._blanks(history, right)
            if history == 0:
                shape, way, known["body"] = self._start_shape(right, table)
                known["fork"] = way
            elif table is not None:
                shape = (table.width, table.height)
            elif history in self.ends:
                (wide, tall), _ = self._beside(history)
                shape = (_DOT + wide, tall) if right else (wide, _BELOW + tall)
                known["body"] = (_DOT, 0.0, *shape) if right else None
            else:
                more = 14.0 * (history in self.folded)
                shape = (SIZES.node + more, HEAD) if right else (2 * SIZES.node, SIZES.node + more)
            if table is not None:
                known |= {"fork": None, "table": True}
            draw = partial(self._items, history, right, way, table)
            move, above = public.moves[history], at.get(int(public.parent[history]), NONE)
            known |= {"label": shorten(move, 18), "tip": move}
            found.append(Piece(history, above, int(public.player[history]), *shape, draw, **known))
        return found

    def _start_shape(
        self, right: bool, table: HandTable | None
    ) -> tuple[Size, float, tuple[float, float, float, float] | None]:
        """Return the deal's size, its distance to the first node, and the rectangle that branches must avoid.

        The size includes the first node, or its *table*.
        """
        (wide, tall), said = _size(self.start), _wide(self._deal) + SIZES.node + 5.0
        first = (SIZES.node, SIZES.node) if table is None else (table.width, table.height)
        if right:
            way = max(said + SIZES.node + 7.0, wide + SIZES.node + 4.0)
            height = max(HEAD * 0.75 + tall, 0.0 if table is None else table.height)
            return (way + first[0], height), way, (0.0, HEAD * 0.75, wide, HEAD * 0.75 + tall)
        way = max(24.0, HEAD / 2 + tall + 4.0)
        width = max(2 * max(said, SIZES.node + 4.0 + wide), 0.0 if table is None else table.width)
        return (width, way + first[1]), way, None

    @property
    def _deal(self) -> str:
        return f"deal: {self.each} each" if self.each else "deal"

    def _beside(self, history: int) -> tuple[Size, _Key]:
        """Return the size of the payoffs at a terminal history, and a function that draws them."""
        end, fall = self.ends[history], HEAD / 2 + FALL * SIZES.label
        if not isinstance(end[0], _PayoffTable):
            return (words_width(end), HEAD), lambda x, y: words_at(end, x, y + fall, "payoff", history)
        if end in self.letters:
            letter = Text(0.0, fall, self.letters[end], SIZES.label, INK, "letter", history, bold=True)
            return (letter.width, HEAD), lambda x, y: [replace(letter, x=x, y=y + fall)]
        return _size(end), partial(_side_by_side, end, history)

    def _items(
        self, history: int, right: bool, way: float, table: HandTable | None, x: float, y: float, length: float
    ) -> Iterator[Item]:
        """Yield the items at the end (x, y) of a branch, with the *table* of a worksheet.

        *way* is the distance from the deal to the first node, *length* the distance to the end of the level's tables.
        """
        player, node = int(self.deals.public.player[history]), SIZES.node
        dx, dy = (1.0, 0.0) if right else (0.0, 1.0)
        if history == 0:
            yield Stroke(((x, y), (x + way * dx, y + way * dy)), GREY, SIZES.plain_line, "rule")
            yield Mark("diamond", x, y, node, GREY, "chance", 0)
            yield Text(x + node + 5.0, y - 4.0 * dx + 4.0 * dy, self._deal, SIZES.label, INK, "action", 0)
            yield from _side_by_side(self.start, 0, x + (node + 4.0) * dy, y + HEAD * (0.25 * dx + 0.5 * dy))
        if history in self.deals.opening:
            back = node + 5.0
            yield Mark("diamond", x - back * dx, y - back * dy, 4.0, GREY, "opened", history)
        if history in self.ends:
            (wide, _), beside = self._beside(history)
            yield Mark("circle", x, y, SIZES.end, INK, "end", history)
            yield from beside(x + _DOT, y - HEAD / 2) if right else beside(x - wide / 2, y + _BELOW)
            return
        if table is not None:
            yield from table.items(x + way * dx, y + way * dy, length - way)
            return
        yield from node_of(x + way * dx, y + way * dy, player, self.badges, "decision", history)
        if history in self.folded:
            at = (x + (node + 9.0) * dx, y + (node + 7.0) * dy + FALL * SIZES.label)
            yield Text(*at, "…", SIZES.label, PALE, "stub", history, "middle")

    def key(self, tables: _PayoffTables, x: float, y: float) -> Iterator[Item]:
        base = y + HEAD / 2 + FALL * SIZES.label
        yield Text(x, base, self.letters[tables], SIZES.label, INK, "letter", bold=True)
        yield from _side_by_side(tables, NONE, x + _KEY, y)

    def legend(self) -> Iterator[LegendEntry]:
        tree, hands = self.deals.public.tree, self.deals.hands
        names = [(name_of(name, player), ink(player)) for player, name in enumerate(tree.players)]
        for player, (name, color) in enumerate(names):
            yield LegendEntry.node(player, self.badges, name, color)
        sides = [
            ((f"{lines}: hands of", INK), name)
            for name, lines, own in zip(names, ("rows", "columns"), hands, strict=True)
            if len(own) > 1
        ]
        yield LegendEntry((), 0.0, tuple(chain.from_iterable(sides)))
        if len(self.deals.deals) < len(hands[0]) * len(hands[1]):
            yield LegendEntry.said("no number: never dealt", optional=True)
        how = "an end, or its letter: payoffs of" if self.letters else "an end: payoffs of"
        yield LegendEntry.end(((how, INK), *names[: self.paid]))
        if self.blanks:
            box = Box(0.0, -6.0, 22.0, 12.0, "", "legend", -1, FRAME, SIZES.frame_line)
            yield LegendEntry.said("probability of the move", (box,), 22.0)
        if self.deals.opened:
            diamond = Mark("diamond", 4.0, 0, 4.0, GREY, "legend")
            yield LegendEntry.said("chance move: its outcome is in a table's corner", (diamond,), 8.0)
        if self.folded:
            yield LegendEntry.note("…", "further moves are not shown", 0)
        yield LegendEntry.node(CHANCE, self.badges, "probabilities of hands", optional=True)
        if self.write.rounded:
            yield ROUNDED_PERCENT


def fit_game(tree: GameTree, options: DrawOptions, profile: TreeProfile | None = None) -> Fitted:
    """Return the picture of the public histories of *tree* with the payoffs at terminal histories.

    On a worksheet, the probabilities of *profile* are the answers.

    Raises ``PictureTooLargeError``, and ``NotApplicableError`` unless *tree* is a deal to two players, followed by
    public moves, with at most ``MOST_HANDS`` hands per player.
    """
    if len(tree.players) != 2:
        raise NotApplicableError(
            f"{tree.title!r} has {len(tree.players)} players, but {_named(options)} is for two players: leave it out"
        )
    public = public_tree(tree)
    deals = public_deals(public)
    most = max(map(len, deals.hands))
    if most > MOST_HANDS:
        raise NotApplicableError(
            f"{tree.title!r} has {most} hands per player, but tables of payoffs are readable only up to {MOST_HANDS} "
            f"hands: leave out {_named(options)}, or draw fewer sides, dice or cards"
        )
    level = levels(public.parent.tolist(), [NONE] * len(public))
    shown = [history for history, at in enumerate(level) if options.depth is None or at <= options.depth]
    check_size(len(shown), options, False)
    folded = frozenset(h for h in shown if level[h] == options.depth and public.player[h] >= 0)
    turns: dict[int, Turn] = {}
    if options.blanks:
        play = PublicPlay(tree, profile, blanks=True)
        turns = {h: play.turn(h, NONE, NONE) for h in shown if public.player[h] >= 0 and h not in folded}
    game = _Game(deals, shown, folded, turns)
    if options.blanks:
        options = _worksheet_heading(options, tree, None if profile is None else game.manner.write)
    tables, entries = list(game.letters), list(game.legend())

    def layout(right: bool, beside: bool, lines: str, along: float, spread: float) -> PublicLayout:
        between = PIECES.between if game.letters or not right else _BETWEEN
        return _with_keys(place_pieces(game.pieces(right), lines, right, between, along, spread), game, tables, beside)

    sides = (False, True)[: 1 + bool(tables)]
    kinds = [[partial(layout, right, beside) for beside in sides] for right in directions(options.style)]
    about = (
        f"Public tree for {', '.join(tree.players)}: {len(shown):,} of {len(public):,} public histories, "
        "with the deal's probabilities at the start and the payoffs by both players' hands at each end."
    )
    return fit_pieces(tree, options, kinds, about, entries, len(shown))


def _named(options: DrawOptions) -> str:
    return "--blanks (blanks)" if options.blanks else "--all (all_ends)"


def _worksheet_heading(options: DrawOptions, tree: GameTree, answers: Notation | None) -> DrawOptions:
    """Return *options* with a heading that has the same lines with *answers* and without answers (None)."""
    value, caption = _BLANK, "Worksheet: fill in the boxes"
    if answers is not None:
        # Without a value, its place stays empty, so that all other texts are where the worksheet has them.
        value, caption = (options.result[0], "Answers: an equilibrium") if options.result else ("", "Answers")
        caption += f"; {PERCENT_ROUNDED}" if answers.rounded else ""
    result = (value, f"value to {tree.players[0]}") if has_value(tree) else None
    return replace(options, caption=caption, result=result)


def _with_keys(plain: PublicLayout, game: _Game, tables: Sequence[_PayoffTables], beside: bool) -> PublicLayout:
    """Return *plain* with the lettered tables below it or, if *beside* is true, to its right."""
    sizes = [(_KEY + wide, tall) for wide, tall in map(_size, tables)]
    if beside:
        turned = _lines([(tall, wide) for wide, tall in sizes], plain.height, _BETWEEN, _KEY_GAP)
        keys = [(plain.width + 2 * _KEY_GAP + x, y) for y, x in turned]
    else:
        most = max(plain.width, LEAST_INNER)
        keys = [(x, plain.height + _KEY_GAP + y) for x, y in _lines(sizes, most, _KEY_GAP, _BETWEEN)]
    right = max([plain.width, *(x + wide for (x, _), (wide, _) in zip(keys, sizes, strict=True))])
    bottom = max([plain.height, *(y + tall for (_, y), (_, tall) in zip(keys, sizes, strict=True))])
    drawn = chain.from_iterable(game.key(table, *at) for table, at in zip(tables, keys, strict=True))
    return replace(plain, width=right, height=bottom, extra=tuple(drawn))


def _lines(sizes: Sequence[Size], most: float, gap: float, between: float) -> list[Point]:
    """Return positions (along, across) for rectangles of the given sizes, in lines of maximum length *most*."""
    found, along, across, widest = [], 0.0, 0.0, 0.0
    for long, wide in sizes:
        if along and along + long > most:
            along, across, widest = 0.0, across + widest + between, 0.0
        found.append((along, across))
        along, widest = along + long + gap, max(widest, wide)
    return found
