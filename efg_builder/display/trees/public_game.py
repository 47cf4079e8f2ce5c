"""The public histories of a game by itself: who moves, and at each end a table of payoffs by the players' hands.

With the chances of the deal at its start that is the whole game, whatever is played.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import chain, count

from ...base.errors import NotApplicableError
from ...base.rationals import Number
from ...base.words import LONG, ROUGHLY, decimal, exact_or, percent
from ...forms.extensive import CHANCE, NONE, GameTree, has_value
from ...forms.public_deals import Hands, PublicDeals, Seen, public_deals
from ...forms.public_tree import PublicTree, public_tree
from .options import DrawOptions, check_size
from .public_layout import HEAD, Joints, Piece, PublicLayout, Spacing, place_pieces
from .scene import (
    FRAME,
    GREY,
    INK,
    PALE,
    SIZES,
    Box,
    Item,
    Mark,
    Point,
    Scene,
    Stroke,
    Text,
    badges,
    ink,
    shorten,
    shortened,
    text_width,
)
from .sheet import LEAST_WIDTH, MARGIN, ROUNDED, LegendEntry, Panelled, Sheet, fitted, name_of, node_of, shallower

MOST_HANDS = 12
"""A player's hands in a table that can be read at each of many ends."""

_FEW, _ONCE = 6, 2
"""Of more tables than this, and so many times as many as differ, each is drawn once, under a letter."""

_ROW = 16.0
_PAD = 8.0
_BETWEEN = 12.0
_NAME_LETTERS = 12

# --- a table of hands by hands


@dataclass(frozen=True)
class PayoffTable:
    """Numbers by the hands of player 1, down, and player 2, across; no number for deals that do not happen.

    ``corner`` stands before the names of hands: what chance has opened.
    """

    corner: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[tuple[tuple[str, ...], ...], ...]
    colors: tuple[str, ...]

    @property
    def first(self) -> float:
        """The width of the column of names."""
        return max(map(_wide, (self.corner, *self.rows))) + 6.0

    @property
    def column(self) -> float:
        """The width of each column of numbers."""
        return max(*map(_wide, self.columns), *(_numbers_wide(cell) for row in self.cells for cell in row)) + _PAD

    @property
    def width(self) -> float:
        """Of it all."""
        return self.first + len(self.columns) * self.column

    @property
    def head(self) -> float:
        """The height of the line of names, where there are any."""
        return HEAD if self.corner or any(self.columns) else (HEAD - _ROW) / 2

    @property
    def height(self) -> float:
        """Of it all."""
        return self.head + len(self.rows) * _ROW

    def items(self, x: float, y: float, node: int) -> Iterator[Item]:
        """It with its top left corner at (x, y)."""
        fall, width = 0.36 * SIZES.label, self.column
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
                    yield from _numbers(numbers, self.colors, left + width / 2, base, node)


def _wide(text: str) -> float:
    return text_width(text, SIZES.label)


def _numbers_wide(numbers: Sequence[str]) -> float:
    return sum(map(_wide, numbers)) + 5.0 * max(0, len(numbers) - 1)


def _numbers(numbers: Sequence[str], colors: Sequence[str], middle: float, base: float, node: int) -> Iterator[Text]:
    """Side by side around *middle*."""
    left = middle - _numbers_wide(numbers) / 2
    for text, color in zip(numbers, colors, strict=False):
        yield Text(left, base, text, SIZES.label, color, "payoff", node)
        left += _wide(text) + 5.0


PayoffTables = tuple[PayoffTable, ...]
"""Tables side by side: one for each thing that chance may have opened."""


def _grids_wide(grids: Sequence[PayoffTable]) -> float:
    return sum(grid.width for grid in grids) + _BETWEEN * max(0, len(grids) - 1)


def _grids_items(grids: Sequence[PayoffTable], x: float, y: float, node: int) -> Iterator[Item]:
    for grid in grids:
        yield from grid.items(x, y, node)
        x += grid.width + _BETWEEN


# --- what there is to say


@dataclass(frozen=True)
class Told:
    """The words of the picture. ``start`` are the tables of chances, ``ends`` those of each end by history, or the
    payoffs that all hands have there alike; ``each`` is the chance of any deal where all are equally likely;
    ``letters`` name the tables that are drawn once. ``rounded``: whether some number is."""

    deals: PublicDeals
    badges: tuple[str, ...]
    each: str
    start: PayoffTables
    ends: Mapping[int, PayoffTables | tuple[str, ...]]
    letters: Mapping[PayoffTables, str]
    rounded: bool
    colors: tuple[str, ...]

    @property
    def tree(self) -> GameTree:
        """The game's."""
        return self.deals.public.tree


def _told(deals: PublicDeals, shown: Sequence[int]) -> Told:
    tree = deals.public.tree
    whose = (0,) if has_value(tree) else (0, 1)
    written = []

    def number(otherwise: Callable[[Number], str], value: Number) -> str:
        written.append(exact_or(otherwise, value, LONG))
        return written[-1]

    names = deals.hands
    drawn = tuple(shortened(tuple(hands), _NAME_LETTERS) for hands in names)

    def grid(corner: Seen, numbers: Mapping[Hands, tuple[str, ...]], colors: tuple[str, ...]) -> PayoffTable:
        rows, columns = names
        cells = tuple(
            tuple(numbers.get((row, column), ()) for column in range(len(columns))) for row in range(len(rows))
        )
        down, across = (tuple(map(shown.__getitem__, mine)) for mine, shown in zip(names, drawn, strict=True))
        return PayoffTable(" ".join(corner), down, across, cells, colors)

    def chance(corner: Seen, numbers: Mapping[Hands, Number]) -> PayoffTable:
        return grid(corner, {hands: (number(percent, p),) for hands, p in numbers.items()}, (INK,))

    ends: dict[int, PayoffTables | tuple[str, ...]] = {}
    colors = tuple(ink(player) for player in whose)
    for history in shown:
        if history not in deals.ends:
            continue
        paid = {
            seen: {hands: tuple(number(decimal, p[k]) for k in whose) for hands, p in at.items()}
            for seen, at in deals.ends[history].items()
        }
        different = {numbers for at in paid.values() for numbers in at.values()}
        tables = tuple(grid(seen, at, colors) for seen, at in paid.items())
        ends[history] = different.pop() if len(different) == 1 else tables
    drawn_at = Counter(end for end in ends.values() if isinstance(end[0], PayoffTable))
    seats = len(names[0]) * len(names[1])
    each = number(percent, Fraction(1, seats)) if list(deals.deals.values()) == [Fraction(1, seats)] * seats else ""
    dealt = () if each else (chance((), deals.deals),)
    start = (*dealt, *(chance(seen, at) for seen, at in deals.opened.items()))
    letters, rounded = {}, any(ROUGHLY in text for text in written)
    signs = badges(tree.players)
    if sum(drawn_at.values()) > max(_FEW, _ONCE * len(drawn_at) - 1):
        free = (letter for k in count() if (letter := _letter(k)) not in signs)
        letters = dict(zip(drawn_at, free, strict=False))
    return Told(deals, signs, each, start, ends, letters, rounded, colors)


def _letter(number: int) -> str:
    """A, B, ..., Z, AA, AB, ..."""
    return (_letter(number // 26 - 1) if number >= 26 else "") + chr(ord("A") + number % 26)


# --- where it stands


@dataclass(frozen=True)
class GameLayout(Panelled):
    """The tree, and where the tables under letters stand: below it, or beside it."""

    tree: PublicLayout
    keys: tuple[Point, ...]


_KEY, _KEY_GAP = 16.0, 26.0
"""The room of a letter, and between a table and the next one."""


def _deal(told: Told) -> str:
    """The name of the first move, which is chance's."""
    return f"deal: {told.each} each" if told.each else "deal"


def _pieces(told: Told, shown: Sequence[int], folded: frozenset[int]) -> list[Piece]:
    public = told.deals.public
    at = {history: index for index, history in enumerate(shown)}
    found = []
    for history in shown:
        width, height, begins = SIZES.node, HEAD, 0.0
        if history == 0:
            begins = max(_wide(_deal(told)) + 2 * SIZES.node + 12.0, _grids_wide(told.start) + SIZES.node + 4.0)
            width, height = begins + SIZES.node, HEAD * 0.75 + max((grid.height for grid in told.start), default=0.0)
        elif history in told.ends:
            width, height = _end_size(told, history)
        elif history in folded:
            width = SIZES.node + 14.0
        above, player, move = int(public.parent[history]), int(public.player[history]), public.moves[history]
        name, line = shorten(move, 18), SIZES.plain_line
        found.append(Piece(history, at.get(above, NONE), player, width, height, begins, name, line, move))
    return found


_DOT = SIZES.end + 5.0
"""From the dot of an end to what stands beside it."""


def _end_size(told: Told, history: int) -> tuple[float, float]:
    end = told.ends[history]
    if isinstance(end[0], str):
        return _DOT + _numbers_wide(end), HEAD
    if end in told.letters:
        return _DOT + text_width(told.letters[end], SIZES.label, True), HEAD
    return _DOT + _grids_wide(end), max(grid.height for grid in end)


def _placed(told: Told, pieces: Sequence[Piece], beside: bool) -> GameLayout:
    """The tree with the tables under letters below it, or *beside* it."""
    most = max((piece.height for piece in pieces[1:]), default=HEAD)
    tree = place_pieces(pieces, LEAST_WIDTH - 2 * MARGIN, Spacing(4.0 if most == HEAD else _BETWEEN))
    sizes = [(_KEY + _grids_wide(grids), max(grid.height for grid in grids)) for grids in told.letters]
    if beside:
        turned = _lines([(tall, wide) for wide, tall in sizes], tree.height, _BETWEEN, _KEY_GAP)
        keys = [(tree.width + 2 * _KEY_GAP + x, y) for y, x in turned]
    else:
        most = max(tree.width, LEAST_WIDTH - 2 * MARGIN)
        keys = [(x, tree.height + _KEY_GAP + y) for x, y in _lines(sizes, most, _KEY_GAP, _BETWEEN)]
    right = max([tree.width, *(x + wide for (x, _), (wide, _) in zip(keys, sizes, strict=True))])
    bottom = max([tree.height, *(y + tall for (_, y), (_, tall) in zip(keys, sizes, strict=True))])
    return GameLayout(right, bottom, tree, tuple(keys), count=tree.count)


def _lines(sizes: Sequence[tuple[float, float]], most: float, gap: float, between: float) -> list[Point]:
    """Places along and across for things of these sizes, line after line of at most this length."""
    found, along, across, widest = [], 0.0, 0.0, 0.0
    for long, wide in sizes:
        if along and along + long > most:
            along, across, widest = 0.0, across + widest + between, 0.0
        found.append((along, across))
        along, widest = along + long + gap, max(widest, wide)
    return found


# --- what is drawn


def compose_game(tree: GameTree, options: DrawOptions, hints: bool = True) -> Scene:
    """The scene of the public histories of *tree* with what each end pays.

    Raises ``NotApplicableError`` where it is no deal of hands to two players and public play, or of more hands than
    can be read, and ``PictureTooLargeError``.
    """
    if len(tree.players) != 2:
        raise NotApplicableError(
            f"{tree.title!r} has {len(tree.players)} players, and the table at an end has two sides: leave out --all "
            "(all_ends)"
        )
    public = public_tree(tree)
    deals = public_deals(public)
    most = max(map(len, deals.hands))
    if most > MOST_HANDS:
        raise NotApplicableError(
            f"{tree.title!r} has {most} hands a player, and a table at each end is read with at most {MOST_HANDS}: "
            "leave out --all (all_ends), or draw fewer sides, dice or cards"
        )
    shown, folded = _shown(public, options.depth)
    told = _told(deals, shown)
    check_size(len(shown), options, False)
    pieces = _pieces(told, shown, folded)

    def drawn(layout: GameLayout, corner: Point) -> Iterator[Item]:
        joints = Joints(pieces, layout.tree, *corner)
        yield from joints.edges()
        yield from joints.again(told.badges)
        for piece, (x, y) in zip(pieces, joints.corners(), strict=True):
            yield from _items(told, piece, piece.history in folded, x, y)
        yield from joints.labels()
        for (grids, letter), (x, y) in zip(told.letters.items(), layout.keys, strict=True):
            x, y = corner[0] + x, corner[1] + y
            yield Text(x, y + HEAD / 2 + 0.36 * SIZES.label, letter, SIZES.label, INK, "letter", bold=True)
            yield from _grids_items(grids, x + _KEY, y, NONE)

    def way(beside: bool) -> Callable[[float, float], GameLayout]:
        layout = _placed(told, pieces, beside)
        return lambda along, spread: layout

    about = (
        f"The game of {' and '.join(tree.players)} as the table sees it: {len(shown):,} of {len(public):,} "
        "public histories, drawn from left to right, with the chances of the deal at the start and the payoffs by the "
        "two players' hands at each end."
    )
    sheet = Sheet(tree, options, about, partial(_legend, told, folded), drawn, options.style)
    smaller = [shallower(partial(compose_game, tree, hints=False), options)] if hints else []
    return fitted([way(False), way(True)] if told.letters else [way(False)], sheet, smaller)


def _shown(public: PublicTree, depth: int | None) -> tuple[list[int], frozenset[int]]:
    """The histories of at most *depth* moves, and those of them whose own moves are not shown."""
    level = [0] * len(public)
    for history in range(1, len(public)):
        level[history] = level[int(public.parent[history])] + 1
    if depth is None:
        return list(range(len(public))), frozenset()
    shown = [history for history in range(len(public)) if level[history] <= depth]
    return shown, frozenset(h for h in shown if level[h] == depth and public.player[h] >= 0)


def _items(told: Told, piece: Piece, folded: bool, x: float, y: float) -> Iterator[Item]:
    """What stands at a public history, from its top left corner."""
    middle, base, node = y + HEAD / 2, y + HEAD / 2 + 0.36 * SIZES.label, piece.history
    if node == 0:
        yield Stroke(((x, middle), (x + piece.begins, middle)), GREY, SIZES.plain_line, "stem", 0, 0)
        yield Mark("diamond", x, middle, SIZES.node, GREY, "chance", 0)
        yield Text(x + SIZES.node + 5.0, middle - 4.0, _deal(told), SIZES.label, INK, "action", 0)
        yield from _grids_items(told.start, x, y + HEAD * 0.75, 0)
    elif node in told.deals.opening:
        yield Mark("diamond", x - SIZES.node - 5.0, middle, 4.0, GREY, "opened", node)
    if piece.player >= 0:
        yield from node_of(x + piece.begins, middle, piece.player, told.badges, "decision")
        if folded:
            yield Text(x + SIZES.node + 4.0, base, "…", SIZES.label, PALE, "stub", node)
        return
    end = told.ends[node]
    yield Mark("circle", x, middle, SIZES.end, INK, "end", node)
    left = x + _DOT
    if isinstance(end[0], str):
        yield from _numbers(end, told.colors, left + _numbers_wide(end) / 2, base, node)
    elif end in told.letters:
        yield Text(left, base, told.letters[end], SIZES.label, INK, "letter", node, bold=True)
    else:
        yield from _grids_items(end, left, y, node)


def _legend(told: Told, folded: frozenset[int], panels: int) -> Iterator[LegendEntry]:
    tree, public = told.tree, told.deals.public
    one, other = (name_of(name, player) for player, name in enumerate(tree.players))
    for player, name in enumerate((one, other)):
        yield LegendEntry.node(player, told.badges, name, ink(player))
    yield LegendEntry.node(CHANCE, told.badges, "chances of hands")
    sides = [
        (name, player, way)
        for player, (name, way) in enumerate(((one, "down"), (other, "across")))
        if len(told.deals.hands[player]) > 1
    ]
    said = [
        (("and of" if k else "tables: hands of", INK), (name, ink(at)), (way, INK))
        for k, (name, at, way) in enumerate(sides)
    ]
    yield LegendEntry((), 0.0, tuple(chain.from_iterable(said)))
    if len(told.deals.deals) < len(told.deals.hands[0]) * len(told.deals.hands[1]):
        yield LegendEntry.said("no number: never dealt")
    whose = ((one, ink(0)), (other, ink(1)))[: len(told.colors)]
    how = "an end, or its letter: payoffs of" if told.letters else "an end: payoffs of"
    yield LegendEntry.end(((how, INK), *whose))
    if told.deals.opened:
        diamond = Mark("diamond", 4.0, 0, 4.0, GREY, "legend")
        words = "chance opens what stands in a table's corner; its chances beside those of hands"
        yield LegendEntry.said(words, (diamond,), 8.0)
    if told.rounded:
        yield ROUNDED
    if panels > 1:
        yield LegendEntry.again(int(public.player[0]), told.badges, panels)
    if folded:
        yield LegendEntry.note("…", "play goes on, not shown here", 0)
