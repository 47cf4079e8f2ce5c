"""The view ``"public"``: for each public history, a table of the mover's hands and moves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, lru_cache, partial
from itertools import accumulate
from typing import Any

from ...base.rationals import Number
from ...base.words import Notation, amount, full, notation, plural
from ...forms.extensive import NONE, has_value
from .colors import FRAME, GREY, INK, PALE, PAPER, ink, letter_over, rim, shade, tint
from .options import DrawOptions, check_size
from .public_layout import HEAD, Piece, PublicLayout, fit_pieces, place_pieces
from .public_layout import ROOM as PIECES
from .public_play import HandCell, HandRow, Move, PublicPlay, Turn, turns_of
from .scene import Box, Item, Mark, Stroke, Text, Words, payoff_texts, words_at, words_width
from .sizes import FALL, SIZES, badges, before_probability, edge_width, shorten, text_width
from .surround import ROUNDED_PERCENT, Fitted, LegendEntry, chip, chip_width, directions, name_of, node_of

_small = partial(text_width, size=SIZES.note)
_wide = partial(text_width, size=SIZES.label)


@dataclass(frozen=True)
class TableSpacing:
    """The distances in the table of a public history, in pixels."""

    pad: float = 7.0  # at the left and right edges of the table
    gap: float = 8.0  # beside a column of names or beliefs
    row: float = 15.0  # the height of a row
    most: float = 1.35  # the maximum factor by which a row grows to fill a picture
    column: float = 28.0  # the minimum width of a move's column
    blank: float = 40.0  # this width on a worksheet, with room for any probability
    widest: float = 70.0  # the maximum width of a move's column
    note: float = SIZES.note + 4.5  # the height of a line below the rows
    corner: float = 4.0  # the radius of corners
    raised: float = 2.0  # the height of the node above the table in downward pictures


ROOM = TableSpacing()
_DOT = SIZES.end + 7.0  # the distance from a terminal dot to its payoffs
_STUB = 2.0  # the radius reserved at the end of a branch that leads to hidden moves


UNTOLD = "–"  # replaces an unknown range
_payoff, _full = (lru_cache(maxsize=4096, typed=True)(words) for words in (amount, full))


@dataclass(frozen=True)
class TableManner:
    players: tuple[str, ...]
    whose: tuple[int, ...]  # the players whose payoffs are shown: only player 1 in a constant-sum game
    beliefs: bool  # whether to show the belief in each hand
    badges: tuple[str, ...]
    write: Notation  # the notation of all probabilities
    right: bool = True  # whether play goes to the right; if not, it goes down
    row: float = ROOM.row  # the height of a row
    blanks: bool = False  # whether the measures and frames are the same whatever the probabilities


class HandTable:
    """The table of a turn, with its measures in pixels."""

    def __init__(self, turn: Turn, manner: TableManner) -> None:
        self.turn, self.manner, self.row = turn, manner, manner.row
        left_out = [f"+{plural(count, noun)}" for count, noun in ((turn.never, "move"), (turn.absent, "hand")) if count]
        self.never = f"never: {', '.join(left_out)}" if left_out else ""
        self.reached = "" if turn.reach is None else f"reached {manner.write(turn.reach)}"
        self.whose = manner.whose[0] if len(manner.whose) == 1 else turn.player
        self.value = "" if turn.value is None else _payoff(turn.value[self.whose])
        cards = [_wide(hand.opened) for hand in turn.hands if hand.opened]
        # The next attributes are the left edges of hand names, beliefs and the first column.
        self.hand = ROOM.pad + (max(cards) + ROOM.gap + 8.0 if cards else 0.0)
        names = max(*map(_wide, turn.rows.values()), _small(turn.heading))
        self.belief = self.hand + names + ROOM.gap
        beliefs = max(_small("belief"), *(_small(self._belief(hand)) for hand in turn.hands)) + ROOM.gap
        self.first = self.belief + (beliefs if manner.beliefs else 0.0)
        self.columns = [self._column(column, move) for column, move in enumerate(turn.moves)]
        before = 2 * SIZES.node + 2.0 if manner.right else ROOM.pad  # the node is to the left of the text or above it
        head = before + _small(self.reached) + ROOM.gap + chip_width(self.value) + ROOM.pad
        below = 2 * ROOM.pad + _small(self.never)
        self.width = max(self.first + sum(self.columns) + ROOM.pad, head if self.reached else 0.0, below)
        self.top = HEAD + (16.0 if self.reached else 0.0 if manner.right else SIZES.node - ROOM.raised)
        self.foot = self.top + len(turn.hands) * self.row + 3.0
        self.height = self.foot + (ROOM.note if self.never else 2.0)

    def _column(self, column: int, move: Move) -> float:
        name = _wide(self.turn.columns[move.name]) + 2.0
        if self.manner.blanks:
            return max(ROOM.blank, name) + 6.0
        cells = (_wide(self._letters(row, row.cells[column])) for row in self.turn.hands)
        return max(ROOM.column, name, *cells) + 6.0

    def _letters(self, hand: HandRow, cell: HandCell) -> str:
        row = cell.shown if len(cell.shown) > 1 else [p for each in hand.cells for p in each.shown]
        return UNTOLD if cell.untold else " to ".join(self.manner.write(p, row) for p in cell.shown)

    def _belief(self, hand: HandRow) -> str:
        return self.manner.write(hand.likely) if hand.likely else ""

    def _lefts(self, x: float, width: float) -> list[tuple[Move, float, float]]:
        spare = max(0.0, width - self.first - sum(self.columns) - ROOM.pad) / len(self.columns)
        columns = [max(wide, min(wide + spare, ROOM.widest)) for wide in self.columns]
        return list(zip(self.turn.moves, accumulate(columns, initial=x + self.first), columns, strict=False))

    def items(self, x: float, y: float, length: float) -> Iterator[Item]:
        """Yield the items of the table; all tables on its level have the same *length*."""
        turn, manner, node = self.turn, self.manner, self.turn.history
        width, height = (length, self.height) if manner.right else (self.width, length)
        node_at = (x, y) if manner.right else (x, y - ROOM.raised)
        x, y = (x, y - HEAD / 2) if manner.right else (x - width / 2, y)
        middle, tip, columns, color = y + HEAD / 2, self._tip(), self._lefts(x, width), ink(turn.player)
        yield Box(x, y, width, height, PAPER, "table", node, color, SIZES.band_line, tip=tip, round=ROOM.corner)
        if self.reached:
            yield Box(x + 0.4, y + 0.4, width - 0.8, HEAD - 0.8, tint(turn.player), "head", node, round=ROOM.corner)
            base = middle + FALL * SIZES.note
            left = x + (SIZES.node + 5.0 if manner.right else ROOM.pad)
            yield Text(left, base, self.reached, SIZES.note, INK, "reach", node)
            yield from chip(x + width - ROOM.pad, middle, self.value, self.whose, node)
        base = y + self.top - 4.5
        left = x + (self.hand if self.reached else max(self.hand, SIZES.node + 3.0))
        yield Text(left, base, turn.heading, SIZES.note, GREY, "hand", node)
        if manner.beliefs:
            yield Text(x + self.first - ROOM.gap, base, "belief", SIZES.note, GREY, "belief", node, "end")
        for move, left, wide in columns:
            yield Text(left + wide / 2, base, turn.columns[move.name], SIZES.label, INK, "move", node, "middle")
        before = turn.hands[0].opened
        for number, hand in enumerate(turn.hands):
            top = y + self.top + number * self.row
            if hand.opened and (number == 0 or hand.opened != before):
                yield from self._card(hand.opened, x, top, width, number > 0)
            before = hand.opened
            yield from self._row(hand, x, top, columns)
        if self.never:
            base = y + self.foot + ROOM.note - 4.5
            yield Text(x + ROOM.pad, base, self.never, SIZES.note, GREY, "never", node)
        yield from node_of(*node_at, turn.player, manner.badges, "decision", node, tip)

    def _card(self, card: str, x: float, top: float, width: float, ruled: bool) -> Iterator[Item]:
        node, middle = self.turn.history, top + self.row / 2
        if ruled:
            yield Stroke(((x + 3.0, top), (x + width - 3.0, top)), rim(self.turn.player), SIZES.band_line, "rule", node)
        yield Mark("diamond", x + ROOM.pad + 3.0, middle, 3.0, GREY, "card")
        yield Text(x + ROOM.pad + 8.0, middle + FALL * SIZES.label, card, SIZES.label, GREY, "card", node)

    def _row(self, hand: HandRow, x: float, top: float, columns: Sequence[tuple[Move, float, float]]) -> Iterator[Item]:
        node, player, middle = self.turn.history, self.turn.player, top + self.row / 2
        base, note = middle + FALL * SIZES.label, middle + FALL * SIZES.note
        name = self.turn.rows[hand.name]
        yield Text(x + self.hand, base, name, SIZES.label, PALE if hand.never else INK, "hand", node)
        if self.manner.beliefs and hand.likely:
            right = x + self.first - ROOM.gap
            yield Text(right, note, self._belief(hand), SIZES.note, GREY, "belief", node, "end")
        for cell, (move, left, wide) in zip(hand.cells, columns, strict=True):
            color, letters = shade(player, float(cell.shade)), self._letters(hand, cell)
            around = "" if cell.shade or hand.never else ink(player) if letters not in ("", UNTOLD) else FRAME
            around = FRAME if self.manner.blanks else around
            shape = (left + 0.5, top + 0.5, wide - 1.0, self.row - 1.0)
            tip = f"{', '.join(hand.names)}: {move.name}{cell.known}"
            yield Box(*shape, color, "cell", node, around, SIZES.frame_line, tip)
            if letters:
                yield Text(left + wide / 2, base, letters, SIZES.label, letter_over(color), "cell", node, "middle")

    def _tip(self) -> str:
        turn, players = self.turn, self.manner.players
        lines = [f"{players[turn.player]} after {' '.join(turn.path)}" if turn.path else "start"]
        if turn.reach is not None:
            lines.append(f"reached with probability {full(turn.reach)}")
        if turn.value is not None:
            pairs = zip(players, turn.value, strict=True)
            lines.append("expected payoffs: " + ", ".join(f"{name} {full(value)}" for name, value in pairs))
        return "\n".join(lines)


# --- the ends of branches


def _end(move: Move, manner: TableManner, x: float, y: float, _: float) -> Iterator[Item]:
    yield Mark("circle", x, y, SIZES.end, INK, "end", move.then)
    paid = _payoffs(move, manner)
    left, base = x + _DOT, y + FALL * SIZES.label
    if not manner.right:
        left, base = x - words_width(paid) / 2, y + SIZES.end + SIZES.label + 1.0
    yield from words_at(paid, left, base, "payoff", move.then)


def _payoffs(move: Move, manner: TableManner) -> Words:
    return payoff_texts([_payoff(move.pays[player]) for player in manner.whose if move.pays])


def _stub(node: int, right: bool, x: float, y: float, _: float) -> Iterator[Item]:
    at = (x + 4.0, y + FALL * SIZES.label) if right else (x - _wide("…") / 2, y + SIZES.label)
    yield Text(*at, "…", SIZES.label, GREY, "stub", node)


def _leaf(move: Move, turn: Turn, above: int, manner: TableManner) -> Piece:
    words, start, height = _branch(move, turn, manner), _DOT if manner.right else 0.0, HEAD if manner.right else 15.0
    if not move.ends:
        draw = partial(_stub, move.then, manner.right)
        return Piece(move.then, above, NONE, _wide("…") + 4.0 * manner.right, height, draw, dot=_STUB, **words)
    width, draw = start + words_width(_payoffs(move, manner)), partial(_end, move, manner)
    body = (start, 4.0, width, HEAD - 4.0) if manner.right else None
    return Piece(move.then, above, NONE, width, height, draw, dot=SIZES.end, body=body, **words)


def _together(moves: Sequence[Move]) -> Move:
    """Return one move in place of *moves*, whose successors are hidden."""
    chances = [move.chance for move in moves if move.chance is not None]
    return Move(f"{len(moves)} moves", moves[0].then, sum(chances, Fraction(0)) if chances else None, False, ())


def _branch(move: Move, turn: Turn, manner: TableManner) -> Any:
    """Return the fields of a ``Piece`` that describe the branch of *move*.

    If play goes to the right, the probability is on the line of the label.
    """
    chance, never = move.chance, move.chance == 0
    label = turn.columns.get(move.name, move.name)
    written = "" if chance is None or chance in (0, 1) else manner.write(chance, _chances(turn))
    return {
        "label": before_probability(label, written) if manner.right else label,
        "chance": written,
        "line": edge_width(chance),
        "never": never,
        "color": INK if chance is None else PALE if never else ink(turn.player),
        "tip": move.name + ("" if chance is None else f": probability {_full(chance)}"),
    }


def _chances(turn: Turn) -> list[Number]:
    return [move.chance for move in turn.moves if move.chance is not None]


def _probabilities(turns: Sequence[Turn], beliefs: bool) -> Iterator[Number]:
    """Yield all probabilities in the tables of *turns* and at their branches."""
    for turn, hidden in zip(turns, _hidden_moves(turns), strict=True):
        yield from _chances(turn)
        yield sum((move.chance or 0 for move in hidden), Fraction(0))
        yield from () if turn.reach is None else (turn.reach,)
        for hand in turn.hands:
            yield from (hand.likely,) if beliefs and hand.likely else ()
            yield from (p for cell in hand.cells for p in cell.shown)


def _hidden_moves(turns: Sequence[Turn]) -> list[list[Move]]:
    """Return, for each turn, the moves whose successors are not shown."""
    shown = {(turn.above, turn.by) for turn in turns}
    return [
        [move for column, move in enumerate(turn.moves) if not move.ends and (k, column) not in shown]
        for k, turn in enumerate(turns)
    ]


def _pieces(turns: Sequence[Turn], manner: TableManner) -> list[Piece]:
    shown = {(turn.above, turn.by): k for k, turn in enumerate(turns)}
    every_hidden = _hidden_moves(turns)
    found: list[Piece] = []

    def add(k: int, above: int, branch: Any) -> None:
        turn, table, index = turns[k], HandTable(turns[k], manner), len(found)
        size = (table.width, table.height, table.items)
        found.append(Piece(turn.history, above, turn.player, *size, table=True, **branch))
        hidden = every_hidden[k]
        for column, move in enumerate(turn.moves):
            then = shown.get((k, column))
            if then is not None:
                add(then, index, _branch(move, turn, manner))
            elif move.ends or len(hidden) == 1:
                found.append(_leaf(move, turn, index, manner))
        if len(hidden) > 1:
            found.append(_leaf(_together(hidden), turn, index, manner))

    add(0, NONE, {})
    return found


def fit_public(play: PublicPlay, options: DrawOptions) -> Fitted:
    """Return the picture of the public histories with strategies.

    Raises ``PictureTooLargeError``, and ``PictureTooSmallError`` if the text would be too small for the purpose.
    """
    public, tree = play.public, play.tree
    turns = turns_of(play, options)
    check_size(sum(1 + len(turn.hands) for turn in turns), options, play.profile is not None)
    whose = (0,) if has_value(tree) else tuple(range(len(tree.players)))
    write = notation(_probabilities(turns, options.beliefs))
    manner = TableManner(tree.players, whose, options.beliefs, badges(tree.players), write)

    @cache
    def pieces(right: bool, row: float) -> list[Piece]:
        return _pieces(turns, replace(manner, right=right, row=row))

    def layout(right: bool, lines: str, along: float, spread: float) -> PublicLayout:
        row = ROOM.row * min(max(spread, 1.0), ROOM.most) if right else ROOM.row
        return place_pieces(pieces(right, row), lines, right, PIECES.between, along, spread)

    plain = pieces(True, ROOM.row)
    inner = sum(1 for player in public.player.tolist() if player >= 0)
    about = (
        f"Public tree for {', '.join(tree.players)}: {len(turns):,} of {inner:,} public histories, "
        "each with a table of the mover's hands by moves, shaded by probability."
    )
    cut = any(piece.player == NONE and piece.dot == _STUB for piece in plain)
    said = f"{len(turns):,} of {inner:,} public histories are shown" if cut else ""
    entries = list(_legend(turns, manner, play.ranges is not None, said))
    layouts = [partial(layout, right) for right in directions(options.style)]
    return fit_pieces(tree, options, [layouts], about, entries, len(plain))


def _legend(turns: Sequence[Turn], manner: TableManner, ranged: bool, cut: str) -> Iterator[LegendEntry]:
    for player in sorted({turn.player for turn in turns}):
        yield LegendEntry.node(player, manner.badges, name_of(manner.players[player], player), ink(player))
    played, holder = turns[0].reach is not None, turns[0].heading
    if ranged:
        yield from _ranged(turns, played)
    if any(hand.opened for turn in turns for hand in turn.hands):
        yield LegendEntry.said("public card", (Mark("diamond", 3.0, 0, 3.0, GREY, "legend"),), 6.0)
    if turns[0].value is not None:
        whose = shorten(manner.players[0], 30) if len(manner.whose) == 1 else "the mover"
        values = [_payoff(turn.value[0]) for turn in turns if turn.value is not None]
        yield LegendEntry.chip(values, f"expected payoff of {whose}")
    if cut:
        yield LegendEntry.note("…", f"moves folded away; {cut}", 0)
    if played:
        yield from _played(manner, turns, holder)
    if any(move.ends for turn in turns for move in turn.moves):
        yield LegendEntry.end((("payoffs" if played else "end", INK),), optional=True)
    if manner.write.rounded:
        yield ROUNDED_PERCENT


def _ranged(turns: Sequence[Turn], played: bool) -> Iterator[LegendEntry]:
    box = Box(0.0, -6.0, 22.0, 12.0, PAPER, "legend", -1, ink(turns[0].player), SIZES.frame_line)
    shaded = "by the strategy shown" if played else "by the lowest"
    yield LegendEntry.said(f"a to b: lowest and highest probability over all equilibria, shaded {shaded}", (box,), 22.0)
    if any(cell.untold for turn in turns for hand in turn.hands for cell in hand.cells):
        yield LegendEntry.note(UNTOLD, "the hand's own moves lead here in no equilibrium", 0)


def _played(manner: TableManner, turns: Sequence[Turn], holder: str) -> Iterator[LegendEntry]:
    if manner.beliefs:
        yield LegendEntry.said(f"belief: probability of the {holder} at this turn")
    yield replace(LegendEntry.widths(), optional=True)
    faded = next((hand.name for turn in turns for hand in turn.hands if hand.never), None)
    if faded is not None:
        letters = Text(0, 4, shorten(faded, 6), SIZES.label, PALE, "legend")
        yield LegendEntry.said(f"gray: the {holder} never gets here", (letters,), letters.width, optional=True)
    shades = tuple(
        Box(k * 11.0, -6.0, 11.0, 12.0, shade(turns[0].player, p), "legend", -1, "" if p else FRAME, SIZES.frame_line)
        for k, p in enumerate((0.0, 0.25, 0.5, 1.0))
    )
    yield LegendEntry.said(f"probability that the {holder} makes the move", shades, 44.0, optional=True)
