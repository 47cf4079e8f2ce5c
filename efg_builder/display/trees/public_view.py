"""The view ``"public"``: one node per public history, in it a table of the mover's hands by moves.

In five steps: what there is to say of each history (``turns_of``), its table, measured and drawn, where tables stand
(``place_pieces``), what joins them (``Joints``), and the legend.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import accumulate

from ...base.errors import NotApplicableError
from ...base.rationals import Number
from ...base.words import ROUGHLY, decimal, exact_or, full, percent
from ...forms.extensive import CHANCE, NONE, GameTree, has_value
from ...forms.public_tree import PublicTree, public_tree
from ...proof.reach import expected_payoffs, reaches, settled
from ...strategies.sparse_profile import SparseProfile
from ...strategies.tree_profile import TreeProfile
from .options import DrawOptions, check_size
from .public_layout import HEAD, PLAIN, TIGHT, Joints, Piece, PublicLayout, place_pieces
from .scene import (
    DIM,
    FRAME,
    GREY,
    INK,
    PALE,
    PAPER,
    SIZES,
    Box,
    Item,
    Mark,
    Point,
    Scene,
    Text,
    badges,
    edge_width,
    fill,
    ink,
    letter_over,
    shade,
    shorten,
    shortened,
    text_width,
)
from .sheet import LEAST_WIDTH, MARGIN, ROUNDED, LegendEntry, Sheet, Tries, fitted, name_of, shallower

# --- what there is to say of each history

Range = tuple[Number, Number]
"""The least and the greatest probability."""

MANY_HANDS = 8
"""Where a player has more hands than this, those that never get somewhere are counted there instead of listed."""


@dataclass(frozen=True)
class HandCell:
    """A hand and a move: the ``shade``, which is the probability or, without a profile, the least there is; what is
    written there, empty for 0; and what is ``known`` of it on hovering."""

    shade: Number
    letters: str
    known: str


_UNTOLD = "–"
"""Where ranges say nothing: in no equilibrium does own play lead there."""


@dataclass(frozen=True)
class HandRow:
    """A row of a table: a hand, and how likely it is given that play got there (None without a profile).

    ``names`` are more than one where many hands that do the same for certain share a row.
    """

    names: tuple[str, ...]
    likely: Number | None
    cells: tuple[HandCell, ...]

    @property
    def name(self) -> str:
        """What stands before the row."""
        return self.names[0] if len(self.names) == 1 else f"all {len(self.names)}"

    @property
    def never(self) -> bool:
        """Whether the hand never gets there."""
        return self.likely == 0


@dataclass(frozen=True)
class Move:
    """A column of a table: a move, and how likely it is over all hands together (None without a profile).

    ``then`` is the public history that follows; ``ends``: whether play ends there. ``pays`` are the players' expected
    payoffs at such an end (empty without a profile).
    """

    name: str
    then: int
    chance: Number | None
    ends: bool
    pays: tuple[Number, ...]


@dataclass(frozen=True)
class Turn:
    """A public history that is shown: ``history`` is its number, ``above`` the index of the turn before (-1: none).

    ``reach`` is how likely play gets there and ``value`` each player's expected payoff from there on (None without a
    profile). ``never`` moves are never made there and ``absent`` hands never get there and are not listed. ``by`` is
    the column of the turn before that leads here. ``heading`` stands above the names of rows.
    """

    history: int
    above: int
    by: int
    player: int
    path: tuple[str, ...]
    hands: tuple[HandRow, ...]
    moves: tuple[Move, ...]
    never: int
    absent: int
    reach: Number | None
    value: tuple[Number, ...] | None
    heading: str = "hand"

    @property
    def rows(self) -> Mapping[str, str]:
        """The names of rows as they are drawn."""
        return shortened(tuple(hand.name for hand in self.hands), _NAME_LETTERS)

    @property
    def columns(self) -> Mapping[str, str]:
        """The names of moves as they are drawn."""
        return shortened(tuple(move.name for move in self.moves), _NAME_LETTERS)


@dataclass(frozen=True)
class _Flow:
    """How likely play gets to each public history and with each information set, and what it is worth in all:
    expected payoffs times the chance of getting there."""

    history: Sequence[Number]
    infoset: Sequence[Number]
    worth: Sequence[tuple[Number, ...]]


def turns_of(look: Look, options: DrawOptions) -> list[Turn]:
    """The public histories that are shown, in prefix order.

    With a profile, those reached with more than ``options.reach`` (None counts as 0: what is never reached is
    never shown); no deeper than ``options.depth``; the start always.
    """
    limit = options.reach or 0
    found: list[Turn] = []
    stack = [(0, NONE, NONE, 0)]
    while stack:
        history, above, by, depth = stack.pop()
        turn = look.turn(history, above, by)
        found.append(turn)
        for column in reversed(range(len(turn.moves) if depth != options.depth else 0)):
            move = turn.moves[column]
            if not move.ends and (look.flow is None or look.flow.history[move.then] > limit):
                stack.append((move.then, len(found) - 1, column, depth + 1))
    return found


@dataclass(frozen=True)
class Look:
    """At one public history after the other.

    ``ranges``: of each action, by (index in ``tree.infosets``, action), from where to where its probability can go.
    ``sparse`` are strategies of which the tree holds no more than what they play: they know the moves and hands that
    are left out.
    """

    public: PublicTree
    profile: TreeProfile | None
    flow: _Flow | None
    sparse: SparseProfile | None
    ranges: Mapping[tuple[int, int], Range] | None = None

    def turn(self, history: int, above: int, by: int) -> Turn:
        """What there is to see at *history*, which follows the turn of index *above* by its column *by*."""
        path, player = self.public.path(history), int(self.public.player[history])
        moves, legal = self._moves(history), len(self.public.children[history])
        if self.sparse is not None:
            order = _legal(self.sparse, path)
            moves.sort(key=lambda move: order.index(move.name))
            legal = len(order)
        hands = self._hands(history, [move.name for move in moves])
        if self.sparse is not None:
            hands = _all_hands(hands, self.sparse, player, len(moves))
        listed = hands if len(hands) <= MANY_HANDS else [hand for hand in hands if not hand.never]
        rows = listed
        if len(hands) > MANY_HANDS and len(moves) == 1 and self.flow:  # all make the one move there is
            likely = sum((hand.likely or 0 for hand in listed), start=Fraction(0))
            rows = [replace(listed[0], names=tuple(hand.name for hand in listed), likely=likely)]
        return Turn(
            history=history,
            above=above,
            by=by,
            player=player,
            path=path,
            hands=tuple(rows),
            moves=tuple(moves),
            never=legal - len(moves),
            absent=len(hands) - len(listed),
            reach=None if self.flow is None else self.flow.history[history],
            value=None if self.flow is None else _mean(self.flow, history),
            heading="hand" if self.public.holds_hands(history) else "information set",
        )

    def _moves(self, history: int) -> list[Move]:
        """The moves that are made there; all of them without a profile, or where play never gets."""
        public, flow = self.public, self.flow
        here = None if flow is None else flow.history[history]
        found = []
        for then in public.children[history]:
            ends = bool(public.player[then] < CHANCE)
            if flow is None or not here:
                found.append(Move(public.moves[then], then, None, ends, ()))
            elif flow.history[then] or self._free(history, public.moves[then]):
                pays = (_mean(flow, then) or ()) if ends else ()
                found.append(Move(public.moves[then], then, flow.history[then] / here, ends, pays))
        return found

    def _free(self, history: int, move: str) -> bool:
        """Whether a hand that gets there makes the move at some end of a range."""
        sets = self.public.tree.infosets
        return self.ranges is not None and any(
            self.ranges.get((k, sets[k].actions.index(move)), (0, 0))[1] > 0
            for k in self.public.infosets[history]
            if move in sets[k].actions and (self.flow is None or self.flow.infoset[k] > 0)
        )

    def _hands(self, history: int, moves: Sequence[str]) -> list[HandRow]:
        found, flow = [], self.flow
        for k, name in zip(self.public.infosets[history], self.public.hands(history), strict=True):
            likely = None
            if flow is not None:
                likely = flow.infoset[k] / flow.history[history] if flow.history[history] else Fraction(0)
            infoset, cells = self.public.tree.infosets[k], []
            for move in moves:
                a = infoset.actions.index(move) if move in infoset.actions else NONE
                p = None if self.profile is None or a == NONE else settled(self.profile.probabilities[k][a])
                cells.append(_cell(likely, p, None if self.ranges is None else (self.ranges.get((k, a)),)))
            found.append(HandRow((name,), likely, tuple(cells)))
        return found


def _cell(likely: Number | None, p: Number | None, ranged: tuple[Range | None] | None) -> HandCell:
    """The cell of a hand with probability *likely*; *p* is that of the move, None where it is not legal or not known.

    *ranged*: from where to where it can go (None where nothing says), where that was asked for.
    """
    ends = ranged[0] if ranged else None
    known = "" if ends is None else f" ({full(ends[0])} to {full(ends[1])})"
    if likely == 0:  # what it would do is of no consequence, and often nobody's choice
        return HandCell(Fraction(0), "", f" (never gets here){known}")
    share = ends[0] if p is None and ends is not None else p or Fraction(0)
    letters = exact_or(percent, share) if share else _UNTOLD if ranged and ends is None and p is None else ""
    if ends is not None and ends[0] < ends[1]:
        letters = " to ".join(exact_or(percent, end) for end in ends)
    return HandCell(share, letters, ("" if likely is None else f" {full(share)}") + known)


def _flow(public: PublicTree, profile: TreeProfile) -> _Flow:
    tree, values = public.tree, expected_payoffs(public.tree, profile)
    history: list[Number] = [Fraction(0)] * len(public)
    infoset: list[Number] = [Fraction(0)] * len(tree.infosets)
    worth: list[list[Number]] = [[Fraction(0)] * len(tree.players) for _ in range(len(public))]
    movers, sets, of = tree.player.tolist(), tree.infoset.tolist(), public.of.tolist()
    for node, likely in enumerate(reaches(tree, profile)):
        if movers[node] == CHANCE or not likely:
            continue
        history[of[node]] += likely
        if sets[node] != NONE:
            infoset[sets[node]] += likely
        for player, value in enumerate(values[node]):
            worth[of[node]][player] += likely * value
    return _Flow(history, infoset, [tuple(row) for row in worth])


def _mean(flow: _Flow, history: int) -> tuple[Number, ...] | None:
    likely = flow.history[history]
    return tuple(total / likely for total in flow.worth[history]) if likely else None


def _all_hands(hands: list[HandRow], sparse: SparseProfile, player: int, columns: int) -> list[HandRow]:
    """*hands*, and those that never get there, in the order of the game."""
    known = {hand.name: hand for hand in hands}
    every = sparse.game.hands[player]
    if not known.keys() <= set(every):
        return hands
    return [known.get(name) or HandRow((name,), Fraction(0), (_cell(0, None, None),) * columns) for name in every]


def _legal(sparse: SparseProfile, path: Sequence[str]) -> list[str]:
    """The moves that there are after those of *path*, in the order of the game."""
    game = sparse.game
    state = game.public_root()
    for move in path:
        state = dict(game.public_turn(state).actions)[move]  # type: ignore[union-attr]
    return [name for name, _ in game.public_turn(state).actions]  # type: ignore[union-attr]


# --- the table of a history

_NAME_LETTERS = 18
_PAD = 6.0
_LINE = SIZES.note + 4.5
_FALL = 0.36
"""Of a letter's size: from the middle of a line down to where letters stand."""

_END_DOT = 2 * SIZES.end + 3.0
"""The room of an end's dot before its payoff."""


@dataclass(frozen=True)
class Manner:
    """How tables are written. ``whose``: the players whose payoffs are written, player 1 alone where two divide a
    constant; ``badges``: the players' letters; ``size`` is that of the letters in cells and ``row`` the height of a row
    of them; ``beliefs``: whether hands have one written."""

    whose: tuple[int, ...]
    players: tuple[str, ...]
    badges: tuple[str, ...]
    size: float
    row: float
    beliefs: bool


def manner_of(turns: Sequence[Turn], players: tuple[str, ...], one: bool, beliefs: bool) -> Manner:
    """What suits all of *turns*; *one*: two players divide a constant, so player 1's payoff is enough."""
    whose = (0,) if one else tuple(range(len(players)))
    dense = max(len(turn.hands) for turn in turns) > MANY_HANDS
    size, row = (SIZES.note, 12.5) if dense else (SIZES.label, 18.0)
    return Manner(whose=whose, players=players, badges=badges(players), size=size, row=row, beliefs=beliefs)


def _chance(p: Number | None) -> str:
    return "" if p is None else exact_or(percent, p)


@dataclass(frozen=True)
class HandTable:
    """A turn with the widths of its columns; lengths are pixels, from the table's top left corner.

    ``hand`` is the width of the column of hands, ``belief`` of the one beside it (0: none), ``columns`` are those of
    the moves; ``folded`` are the columns whose moves lead to what is not shown; ``lines`` are how many the payoffs of
    ends take below them.
    """

    turn: Turn
    manner: Manner
    folded: frozenset[int]
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

    def across(self, x: float) -> Iterator[tuple[Move, float, float]]:
        """The moves with the left side and the width of their columns, in a table that begins at *x*."""
        lefts = accumulate(self.columns, initial=x + self.first)
        return zip(self.turn.moves, lefts, self.columns, strict=False)


def measured(turn: Turn, manner: Manner, folded: frozenset[int]) -> HandTable:
    """The table of *turn*; *folded* are its columns whose moves lead to what is not shown."""
    small = partial(text_width, size=SIZES.note)
    names = [text_width(name, manner.size) for name in turn.rows.values()]
    hand = max(*names, small(turn.heading), small("all") if turn.reach is not None else 0.0) + 7.0
    columns = []
    for column, move in enumerate(turn.moves):
        cells = (text_width(row.cells[column].letters, manner.size) for row in turn.hands)
        pays = (_END_DOT + small(exact_or(decimal, move.pays[p])) for p in manner.whose if move.pays)
        named = text_width(turn.columns[move.name], manner.size)
        columns.append(max(26.0, named, small(_chance(move.chance)), *cells, *pays) + 7.0)
    belief = 0.0
    if manner.beliefs:
        belief = max(small("belief"), 0.0, *(small(_chance(hand.likely)) for hand in turn.hands)) + 8.0
    ends = any(move.ends for move in turn.moves)
    lines = len(manner.whose) if ends and turn.reach is not None else int(ends or bool(folded))
    width = 2 * _PAD + hand + belief + sum(columns) + (small(_never(turn)) + 5.0 if turn.never else 0.0)
    worth = text_width(_worth(turn, manner)[0], SIZES.note, True)
    heading = SIZES.node + 5.0 + small(_reached(turn)) + worth + 6.0 + _PAD
    width = max(width, heading, 2 * _PAD + small(_absent(turn)))
    under = (turn.reach is not None) + lines + bool(turn.absent)
    height = HEAD + manner.size + 5.0 + len(turn.hands) * manner.row + 1.0 + under * _LINE + 4.0
    return HandTable(turn, manner, folded, hand, belief, tuple(columns), lines, width, height)


def _never(turn: Turn) -> str:
    return f"+{turn.never} never" if turn.never else ""


def _absent(turn: Turn) -> str:
    return f"+{turn.absent} hands never" if turn.absent else ""


def _reached(turn: Turn) -> str:
    return "" if turn.reach is None else f"reached {_chance(turn.reach)}"


def _worth(turn: Turn, manner: Manner) -> tuple[str, int]:
    """What play is worth from there, and to whom."""
    whose = manner.whose[0] if len(manner.whose) == 1 else turn.player
    return ("", whose) if turn.value is None else (f"worth {exact_or(decimal, turn.value[whose])}", whose)


def items(table: HandTable, x: float, y: float) -> Iterator[Item]:
    """The table with its top left corner at (x, y)."""
    turn, manner = table.turn, table.manner
    node = turn.history
    rim, tip = fill(turn.player), _tip(turn, manner)
    yield Box(x, y, table.width, table.height, PAPER, "table", node, rim, SIZES.table_line, tip=tip)
    base = y + HEAD / 2 + _FALL * SIZES.note
    if turn.reach is not None:
        yield Text(x + SIZES.node + 5.0, base, _reached(turn), SIZES.note, INK, "reach", node)
    worth, whose = _worth(turn, manner)
    if worth:
        yield Text(x + table.width - _PAD, base, worth, SIZES.note, ink(whose), "value", node, "end", True)
    base = y + table.top - 4.0
    yield Text(x + _PAD, base, turn.heading, SIZES.note, PALE, "hand", node)
    if manner.beliefs:
        yield Text(x + table.first - 6.0, base, "belief", SIZES.note, PALE, "belief", node, "end")
    for move, left, width in table.across(x):
        yield Text(left + width / 2, base, turn.columns[move.name], manner.size, INK, "move", node, "middle")
    if turn.never:
        left = x + table.first + sum(table.columns)
        yield Text(left + 4.0, base, _never(turn), SIZES.note, PALE, "never", node)
    for number, hand in enumerate(turn.hands):
        yield from _row(table, hand, x, y + table.top + number * manner.row)
    yield from _foot(table, x, y + table.top + len(turn.hands) * manner.row + 1.0)
    yield Mark("circle", x, y + HEAD / 2, SIZES.node, fill(turn.player), "decision", node, tip=tip)
    badge, base = manner.badges[turn.player], y + HEAD / 2 + 0.36 * SIZES.badge
    yield Text(x, base, badge, SIZES.badge, letter_over(fill(turn.player)), "badge", node, "middle", True)


def _row(table: HandTable, hand: HandRow, x: float, top: float) -> Iterator[Item]:
    manner, node, player = table.manner, table.turn.history, table.turn.player
    middle = top + manner.row / 2
    base, note = middle + _FALL * manner.size, middle + _FALL * SIZES.note
    opacity = DIM if hand.never else 1.0
    yield Text(x + _PAD, base, table.turn.rows[hand.name], manner.size, PALE if hand.never else INK, "hand", node)
    if manner.beliefs and hand.likely:
        yield Text(x + table.first - 6.0, note, _chance(hand.likely), SIZES.note, GREY, "belief", node, "end")
    for column, (move, left, width) in enumerate(table.across(x)):
        cell = hand.cells[column]
        color, letters = shade(player, float(cell.shade)), cell.letters
        yield Box(
            x=left + 0.5,
            y=top + 0.5,
            width=width - 1.0,
            height=manner.row - 1.0,
            color=color,
            role="cell",
            node=node,
            rim="" if cell.shade else ink(player) if letters not in ("", _UNTOLD) else FRAME,
            line=SIZES.frame_line,
            opacity=opacity,
            tip=f"{', '.join(hand.names)}: {move.name}{cell.known}",
        )
        if letters:
            yield Text(left + width / 2, base, letters, manner.size, letter_over(color), "cell", node, "middle")


def _foot(table: HandTable, x: float, y: float) -> Iterator[Item]:
    """All hands together; what ends pay; how many hands are not listed."""
    turn, manner, node = table.turn, table.manner, table.turn.history
    base = y + _LINE - 3.0
    if turn.reach is not None:
        yield Text(x + _PAD, base, "all", SIZES.note, GREY, "all", node)
        for move, left, width in table.across(x):
            yield Text(left + width / 2, base, _chance(move.chance), SIZES.note, GREY, "all", node, "middle")
        base += _LINE
    for column, (move, left, width) in enumerate(table.across(x)):
        if move.ends:
            yield from _end(manner, move, left + width / 2, base)
        elif column in table.folded:
            yield Text(left + width / 2, base, "…", SIZES.note, PALE, "stub", node, "middle")
    if turn.absent:
        yield Text(x + _PAD, base + table.lines * _LINE, _absent(turn), SIZES.note, PALE, "absent", node)


def _end(manner: Manner, move: Move, middle: float, base: float) -> Iterator[Item]:
    """A dot, and the expected payoff of one player or, below each other, of all."""
    words = [(player, exact_or(decimal, move.pays[player])) for player in manner.whose if move.pays]
    left = middle - (_END_DOT + max((text_width(word, SIZES.note) for _, word in words), default=-3.0)) / 2
    yield Mark("circle", left + SIZES.end, base - _FALL * SIZES.note, SIZES.end, INK, "end", move.then)
    for line, (player, word) in enumerate(words):
        yield Text(left + _END_DOT, base + line * _LINE, word, SIZES.note, ink(player), "payoff", move.then)


def _tip(turn: Turn, manner: Manner) -> str:
    lines = [f"{manner.players[turn.player]} after {' '.join(turn.path)}" if turn.path else "start"]
    if turn.reach is not None:
        lines.append(f"reached with probability {full(turn.reach)}")
    if turn.value is not None:
        pairs = zip(manner.players, turn.value, strict=True)
        lines.append("expected payoffs: " + ", ".join(f"{name} {full(value)}" for name, value in pairs))
    return "\n".join(lines)


# --- what is drawn


def look_at(
    tree: GameTree,
    profile: TreeProfile | None,
    sparse: SparseProfile | None = None,
    ranges: Mapping[tuple[int, int], Range] | None = None,
) -> Look:
    """What any picture of the public histories of *tree*, with *profile* on it, is made from.

    *sparse*: the strategies whose support tree *tree* is, if it is one; *ranges*: as in ``DrawOptions``.
    Raises ``NotApplicableError`` where the tree has no public tree, or nobody moves.
    """
    public = public_tree(tree)
    if not public.infosets[0]:
        raise NotApplicableError(f'view="public": in {tree.title!r} nobody ever moves, so there is no table to draw')
    return Look(public, profile, None if profile is None else _flow(public, profile), sparse, ranges)


def compose_public(look: Look, options: DrawOptions, hints: bool = True) -> Scene:
    """The scene of the public histories; a refusal *hints* at smaller pictures that fit.

    Raises ``PictureTooLargeError``, and ``ParameterError`` for what needs a profile and for what this picture does
    not show.
    """
    public, profile, tree = look.public, look.profile, look.public.tree
    turns = turns_of(look, options)
    check_size(sum(1 + len(turn.hands) for turn in turns), options, profile is not None)
    manner = manner_of(turns, tree.players, has_value(tree), options.beliefs)
    folded = _folded(turns)
    tables = [measured(turn, manner, folded[k]) for k, turn in enumerate(turns)]
    pieces = [_piece(turns, table) for table in tables]
    layout = place_pieces(pieces, LEAST_WIDTH - 2 * MARGIN, TIGHT if options.style.purpose == "column" else PLAIN)

    def drawn(layout: PublicLayout, corner: Point) -> tuple[Item, ...]:
        joints = Joints(pieces, layout, *corner)
        shown = [item for table, at in zip(tables, joints.corners(), strict=True) for item in items(table, *at)]
        return (*joints.edges(), *joints.again(manner.badges), *shown, *joints.labels())

    inner = sum(1 for player in public.player.tolist() if player >= 0)
    about = (
        f"What the table sees of a game of {', '.join(tree.players)}: {len(turns):,} of {inner:,} public histories, "
        "drawn from left to right, each with a table of the mover's hands by moves, shaded by probability."
    )
    cut = f"({len(turns):,} of {inner:,} public histories are shown)" if any(folded) else ""
    sheet = Sheet(tree, options, about, partial(_legend, tables, look.ranges is not None, cut), drawn, options.style)
    return fitted([lambda along, spread: layout], sheet, _smaller(look, options) if hints else [])


def _smaller(look: Look, options: DrawOptions) -> list[Tries]:
    smaller = partial(compose_public, look, hints=False)
    tries = [shallower(smaller, options)]
    if look.profile is not None:
        shares = [Fraction(1, part) for part in (100, 50, 20, 10, 5, 3, 2)]
        more = [p for p in shares if p > (options.reach or 0)]
        tries.insert(0, [(f"--reach {p}", partial(smaller, replace(options, reach=p))) for p in more])
    return tries


def _folded(turns: list[Turn]) -> list[frozenset[int]]:
    """For each turn the columns whose moves lead to turns that are not shown."""
    shown: list[set[int]] = [set() for _ in turns]
    for turn in turns:
        if turn.above != NONE:
            shown[turn.above].add(turn.by)
    return [
        frozenset(column for column, move in enumerate(turn.moves) if not move.ends and column not in shown[k])
        for k, turn in enumerate(turns)
    ]


def _piece(turns: Sequence[Turn], table: HandTable) -> Piece:
    turn = table.turn
    move = turns[turn.above].moves[turn.by] if turn.above != NONE else None
    return Piece(
        history=turn.history,
        above=turn.above,
        player=turn.player,
        width=table.width,
        height=table.height,
        begins=table.width - SIZES.node,  # under the table, whose right side may be anywhere
        label="" if move is None else turns[turn.above].columns[move.name],
        line=edge_width(None if move is None else move.chance),
        tip="" if move is None else move.name + ("" if move.chance is None else f": probability {full(move.chance)}"),
    )


# --- the legend


def _legend(tables: Sequence[HandTable], ranged: bool, cut: str, panels: int) -> Iterator[LegendEntry]:
    """What the picture's signs mean; *cut* says how many histories are shown where some are folded away."""
    manner, turns = tables[0].manner, [table.turn for table in tables]
    for player in sorted({turn.player for turn in turns}):
        words = f"{name_of(manner.players[player], player)} moves"
        yield LegendEntry.node(player, manner.badges, words, ink(player))
    if ranged:
        box = Box(0.0, -6.0, 22.0, 12.0, PAPER, "legend", -1, ink(turns[0].player), SIZES.frame_line)
        shaded = "by the least" if turns[0].reach is None else "as it is played here"
        yield LegendEntry.said(f"a to b: the least and the greatest probability, shaded {shaded}", (box,), 22.0)
    if turns[0].reach is None:
        yield LegendEntry.said(f"tables: {turns[0].heading}s by moves")
        if any(cell.letters == _UNTOLD for turn in turns for hand in turn.hands for cell in hand.cells):
            yield LegendEntry.note(_UNTOLD, "in no equilibrium does the hand's own play lead there", 0)
    else:
        yield from _played(tables)
    moves = [move for turn in turns for move in turn.moves]
    if any(move.ends for move in moves):
        paid = "" if turns[0].reach is None else "; expected payoff of"
        said = [(f"below a move: play ends{paid}", INK)]
        if turns[0].reach is not None:
            said += [(name_of(manner.players[player], player), ink(player)) for player in manner.whose]
        yield LegendEntry.end(tuple(said))
    drawn = (item for table in tables for item in items(table, 0.0, 0.0))
    if any(isinstance(item, Text) and ROUGHLY in item.text for item in drawn):
        yield ROUNDED
    if panels > 1:
        yield LegendEntry.again(turns[0].player, manner.badges, panels)
    if cut:
        yield LegendEntry.note("…", f"below a move: play goes on, not shown here {cut}", 0)


def _played(tables: Sequence[HandTable]) -> Iterator[LegendEntry]:
    manner, turns = tables[0].manner, [table.turn for table in tables]
    holder = turns[0].heading  # a hand, or an information set
    shades = tuple(
        Box(k * 11.0, -6.0, 11.0, 12.0, shade(turns[0].player, p), "legend", -1, "" if p else FRAME, SIZES.frame_line)
        for k, p in enumerate((0.0, 0.25, 0.5, 1.0))
    )
    yield LegendEntry.said(f"how likely the {holder} makes the move: blank never, full color always", shades, 44.0)
    value = (
        f"worth: expected payoff of {shorten(manner.players[0], 30)}"
        if len(manner.whose) == 1
        else "worth: expected payoff of the player who moves"
    )
    yield LegendEntry.said(f"reached: chance that play gets there; {value}; all: all {holder}s together")
    if manner.beliefs:
        yield LegendEntry.said(f"belief: how likely the {holder} is, given that play got there")
    if len(turns) > 1:
        yield LegendEntry.widths()
    faded = next((hand.name for turn in turns for hand in turn.hands if hand.never), None)
    if faded is not None:
        name = shorten(faded, 6)
        letters = Text(0, 4, name, SIZES.label, PALE, "legend")
        yield LegendEntry.said(f"grey: the {holder} is never reached", (letters,), text_width(name, SIZES.label))
    if any(turn.never or turn.absent for turn in turns):
        what = (
            "moves never made there"
            if not any(turn.absent for turn in turns)
            else "moves never made, hands that never get there"
        )
        yield LegendEntry.note("+n", what, 2)
