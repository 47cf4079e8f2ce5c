"""The view ``"public"``: one node per public history, in it a table of the mover's hands by moves.

In five steps: what there is to say of each history (``turns_of``), its table, measured and drawn, where tables stand
(``place_tables``), what joins them (``_PublicItems``), and the legend.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import accumulate

from ...base.errors import NotApplicableError, ParameterError
from ...base.rationals import Number
from ...base.words import alike, decimal, full, percent
from ...forms.extensive import CHANCE, NONE, GameTree
from ...forms.public_tree import PublicTree, public_tree
from ...proof.reach import expected_payoffs, reaches, settled
from ...strategies.sparse_profile import SparseProfile
from ...strategies.tree_profile import TreeProfile
from .options import DrawOptions, check_size, check_unplayed
from .scene import Box, Item, Mark, Point, Scene, Stroke, Text, branch
from .sheet import (
    GAP,
    LEAST_WIDTH,
    MARGIN,
    Block,
    LegendEntry,
    Panelled,
    Sheet,
    best_panels,
    divides,
    fitted,
    name_of,
    node_entry,
    node_of,
    note_entry,
    say,
    width_entry,
)
from .style import (
    BADGE_SIZE,
    DIM,
    END_RADIUS,
    FRAME,
    FRAME_LINE,
    GREY,
    INK,
    LABEL_SIZE,
    NOTE_SIZE,
    PALE,
    PAPER,
    RADIUS,
    TABLE_LINE,
    badges,
    edge_width,
    fill,
    ink,
    letter_on,
    letter_over,
    shade,
    shorten,
    text_width,
)

# --- what there is to say of each history

MANY_HANDS = 8
"""Where a player has more hands than this, those that never get somewhere are counted there instead of listed."""


@dataclass(frozen=True)
class HandRow:
    """A row of a table: a hand, and how likely it is given that play got there (None without a profile).

    ``cells``: the probability of each column's move, None where the move is not legal or nothing is known. ``names``
    are more than one where many hands that do the same for certain share a row.
    """

    names: tuple[str, ...]
    likely: Number | None
    cells: tuple[Number | None, ...]

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
    the column of the turn before that leads here.
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

    ``sparse`` are strategies of which the tree holds no more than what they play: they know the moves and hands that
    are left out.
    """

    public: PublicTree
    profile: TreeProfile | None
    flow: _Flow | None
    sparse: SparseProfile | None

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
        return Turn(
            history=history,
            above=above,
            by=by,
            player=player,
            path=path,
            hands=_joined(listed) if len(hands) > MANY_HANDS and len(moves) == 1 and self.flow else tuple(listed),
            moves=tuple(moves),
            never=legal - len(moves),
            absent=len(hands) - len(listed),
            reach=None if self.flow is None else self.flow.history[history],
            value=None if self.flow is None else _mean(self.flow, history),
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
            elif flow.history[then]:
                pays = (_mean(flow, then) or ()) if ends else ()
                found.append(Move(public.moves[then], then, flow.history[then] / here, ends, pays))
        return found

    def _hands(self, history: int, moves: Sequence[str]) -> list[HandRow]:
        found, flow = [], self.flow
        for k, name in zip(self.public.infosets[history], self.public.hands(history), strict=True):
            likely = None
            if flow is not None:
                likely = flow.infoset[k] / flow.history[history] if flow.history[history] else Fraction(0)
            row: Mapping[str, Number] = {}
            if self.profile is not None:
                actions = self.public.tree.infosets[k].actions
                row = dict(zip(actions, map(settled, self.profile.probabilities[k]), strict=True))
            found.append(HandRow((name,), likely, tuple(row.get(move) for move in moves)))
        return found


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


def _joined(hands: Sequence[HandRow]) -> tuple[HandRow, ...]:
    """Hands that all make the one move there is, in one row."""
    names = tuple(hand.name for hand in hands)
    return (HandRow(names, sum((hand.likely or 0 for hand in hands), start=Fraction(0)), hands[0].cells),)


def _all_hands(hands: list[HandRow], sparse: SparseProfile, player: int, columns: int) -> list[HandRow]:
    """*hands*, and those that never get there, in the order of the game."""
    known = {hand.name: hand for hand in hands}
    every = sparse.game.hands[player]
    if not known.keys() <= set(every):
        return hands
    return [known.get(name) or HandRow((name,), Fraction(0), (None,) * columns) for name in every]


def _legal(sparse: SparseProfile, path: Sequence[str]) -> list[str]:
    """The moves that there are after those of *path*, in the order of the game."""
    game = sparse.game
    state = game.public_root()
    for move in path:
        state = dict(game.public_turn(state).actions)[move]  # type: ignore[union-attr]
    return [name for name, _ in game.public_turn(state).actions]  # type: ignore[union-attr]


# --- the table of a history

HEAD = 19.0
"""The height of a table's first line, where its badge stands: edges come and go in the middle of it."""

_NAME_LETTERS = 18
_PAD = 6.0
_LINE = NOTE_SIZE + 4.5
_FALL = 0.36
"""Of a letter's size: from the middle of a line down to where letters stand."""

_END_DOT = 2 * END_RADIUS + 3.0
"""The room of an end's dot before its payoff."""


@dataclass(frozen=True)
class Manner:
    """How numbers are written, the same way in the whole picture: those in cells, probabilities and
    payoffs. ``whose``: the players whose payoffs are written, player 1 alone where two divide a constant; ``badges``:
    the players' letters.

    ``size`` is that of the letters in cells and ``row`` the height of a row of them; ``beliefs``: whether hands
    have one written.
    """

    cell: Callable[[Number], str]
    chance: Callable[[Number | None], str]
    payoff: Callable[[Number], str]
    whose: tuple[int, ...]
    players: tuple[str, ...]
    badges: tuple[str, ...]
    size: float
    row: float
    beliefs: bool


def manner_of(turns: Sequence[Turn], players: tuple[str, ...], one: bool, beliefs: bool) -> Manner:
    """What suits all of *turns*; *one*: two players divide a constant, so player 1's payoff is enough."""
    whose = (0,) if one else tuple(range(len(players)))
    cells = [p for turn in turns for hand in turn.hands if not hand.never for p in hand.cells if p]
    chances = [p for turn in turns for p in (turn.reach, *(move.chance for move in turn.moves)) if p is not None]
    if beliefs:
        chances += [hand.likely for turn in turns for hand in turn.hands if hand.likely is not None]
    paid = [row[p] for turn in turns for row in (turn.value or (), *(m.pays for m in turn.moves)) if row for p in whose]
    dense = max(len(turn.hands) for turn in turns) > MANY_HANDS
    size, row = (NOTE_SIZE, 12.5) if dense else (LABEL_SIZE, 18.0)
    written = alike(chances, percent)
    return Manner(
        cell=alike(cells, percent),
        chance=lambda p: "" if p is None else written(p),
        payoff=alike(paid, decimal),
        whose=whose,
        players=players,
        badges=badges(players),
        size=size,
        row=row,
        beliefs=beliefs,
    )


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
    small = partial(text_width, size=NOTE_SIZE)
    names = [text_width(drawn_name(hand.name), manner.size) for hand in turn.hands]
    hand = max(*names, small("hand"), small("all") if turn.reach is not None else 0.0) + 7.0
    columns = []
    for column, move in enumerate(turn.moves):
        cells = (text_width(manner.cell(p), manner.size) for row in turn.hands if (p := row.cells[column]))
        pays = (_END_DOT + small(manner.payoff(move.pays[p])) for p in manner.whose if move.pays)
        named = text_width(drawn_name(move.name), manner.size)
        columns.append(max(26.0, named, small(manner.chance(move.chance)), *cells, *pays) + 7.0)
    belief = 0.0
    if manner.beliefs:
        belief = max(small("belief"), 0.0, *(small(manner.chance(hand.likely)) for hand in turn.hands)) + 8.0
    ends = any(move.ends for move in turn.moves)
    lines = len(manner.whose) if ends and turn.reach is not None else int(ends or bool(folded))
    width = 2 * _PAD + hand + belief + sum(columns) + (small(_never(turn)) + 5.0 if turn.never else 0.0)
    heading = RADIUS + 5.0 + small(_reached(turn, manner)) + small(_worth(turn, manner)[0]) + 14.0 + _PAD
    width = max(width, heading, 2 * _PAD + small(_absent(turn)))
    under = (turn.reach is not None) + lines + bool(turn.absent)
    height = HEAD + manner.size + 5.0 + len(turn.hands) * manner.row + 1.0 + under * _LINE + 4.0
    return HandTable(turn, manner, folded, hand, belief, tuple(columns), lines, width, height)


def drawn_name(name: str) -> str:
    """A hand or a move as it is drawn."""
    return shorten(name, _NAME_LETTERS)


def _never(turn: Turn) -> str:
    return f"+{turn.never} never" if turn.never else ""


def _absent(turn: Turn) -> str:
    return f"+{turn.absent} hands never" if turn.absent else ""


def _reached(turn: Turn, manner: Manner) -> str:
    return "" if turn.reach is None else f"reached {manner.chance(turn.reach)}"


def _worth(turn: Turn, manner: Manner) -> tuple[str, int]:
    """What play is worth from there, and to whom."""
    whose = manner.whose[0] if len(manner.whose) == 1 else turn.player
    return ("", whose) if turn.value is None else (f"worth {manner.payoff(turn.value[whose])}", whose)


def items(table: HandTable, x: float, y: float) -> Iterator[Item]:
    """The table with its top left corner at (x, y)."""
    turn, manner = table.turn, table.manner
    node = turn.history
    rim, tip = fill(turn.player), _tip(turn, manner)
    yield Box(x, y, table.width, table.height, PAPER, "table", node, rim, TABLE_LINE, tip=tip)
    base = y + HEAD / 2 + _FALL * NOTE_SIZE
    if turn.reach is not None:
        yield Text(x + RADIUS + 5.0, base, _reached(turn, manner), NOTE_SIZE, INK, "reach", node)
    worth, whose = _worth(turn, manner)
    if worth:
        yield Text(x + table.width - _PAD, base, worth, NOTE_SIZE, ink(whose), "value", node, "end", True)
    base = y + table.top - 4.0
    yield Text(x + _PAD, base, "hand", NOTE_SIZE, PALE, "hand", node)
    if manner.beliefs:
        yield Text(x + table.first - 6.0, base, "belief", NOTE_SIZE, PALE, "belief", node, "end")
    for move, left, width in table.across(x):
        yield Text(left + width / 2, base, drawn_name(move.name), manner.size, INK, "move", node, "middle")
    if turn.never:
        left = x + table.first + sum(table.columns)
        yield Text(left + 4.0, base, _never(turn), NOTE_SIZE, PALE, "never", node)
    for number, hand in enumerate(turn.hands):
        yield from _row(table, hand, x, y + table.top + number * manner.row)
    yield from _foot(table, x, y + table.top + len(turn.hands) * manner.row + 1.0)
    yield Mark("circle", x, y + HEAD / 2, RADIUS, fill(turn.player), "decision", node, tip=tip)
    badge = manner.badges[turn.player]
    yield Text(
        x, y + HEAD / 2 + 0.36 * BADGE_SIZE, badge, BADGE_SIZE, letter_on(turn.player), "badge", node, "middle", True
    )


def _row(table: HandTable, hand: HandRow, x: float, top: float) -> Iterator[Item]:
    manner, node, player = table.manner, table.turn.history, table.turn.player
    middle = top + manner.row / 2
    base, note = middle + _FALL * manner.size, middle + _FALL * NOTE_SIZE
    opacity = DIM if hand.never else 1.0
    yield Text(x + _PAD, base, drawn_name(hand.name), manner.size, PALE if hand.never else INK, "hand", node)
    if manner.beliefs and hand.likely:
        yield Text(x + table.first - 6.0, note, manner.chance(hand.likely), NOTE_SIZE, GREY, "belief", node, "end")
    for (move, left, width), p in zip(table.across(x), hand.cells, strict=True):
        # What a hand would do that never gets there is of no consequence, and often nobody's choice.
        share = Fraction(0) if p is None or hand.never else p
        color, tip = shade(player, float(share)), f"{', '.join(hand.names)}: {move.name}"
        tip += "" if hand.likely is None else " (never gets here)" if hand.never else f" {full(share)}"
        yield Box(
            x=left + 0.5,
            y=top + 0.5,
            width=width - 1.0,
            height=manner.row - 1.0,
            color=color,
            role="cell",
            node=node,
            rim="" if share else FRAME,
            line=FRAME_LINE,
            opacity=opacity,
            tip=tip,
        )
        if share:
            letters = manner.cell(share)
            yield Text(left + width / 2, base, letters, manner.size, letter_over(color), "cell", node, "middle")


def _foot(table: HandTable, x: float, y: float) -> Iterator[Item]:
    """All hands together; what ends pay; how many hands are not listed."""
    turn, manner, node = table.turn, table.manner, table.turn.history
    base = y + _LINE - 3.0
    if turn.reach is not None:
        yield Text(x + _PAD, base, "all", NOTE_SIZE, GREY, "all", node)
        for move, left, width in table.across(x):
            yield Text(left + width / 2, base, manner.chance(move.chance), NOTE_SIZE, GREY, "all", node, "middle")
        base += _LINE
    for column, (move, left, width) in enumerate(table.across(x)):
        if move.ends:
            yield from _end(manner, move, left + width / 2, base)
        elif column in table.folded:
            yield Text(left + width / 2, base, "…", NOTE_SIZE, PALE, "stub", node, "middle")
    if turn.absent:
        yield Text(x + _PAD, base + table.lines * _LINE, _absent(turn), NOTE_SIZE, PALE, "absent", node)


def _end(manner: Manner, move: Move, middle: float, base: float) -> Iterator[Item]:
    """A dot, and the expected payoff of one player or, below each other, of all."""
    words = [(player, manner.payoff(move.pays[player])) for player in manner.whose if move.pays]
    left = middle - (_END_DOT + max((text_width(word, NOTE_SIZE) for _, word in words), default=-3.0)) / 2
    yield Mark("circle", left + END_RADIUS, base - _FALL * NOTE_SIZE, END_RADIUS, INK, "end", move.then)
    for line, (player, word) in enumerate(words):
        yield Text(left + _END_DOT, base + line * _LINE, word, NOTE_SIZE, ink(player), "payoff", move.then)


def _tip(turn: Turn, manner: Manner) -> str:
    lines = [f"{manner.players[turn.player]} after {' '.join(turn.path)}" if turn.path else "start"]
    if turn.reach is not None:
        lines.append(f"reached with probability {full(turn.reach)}")
    if turn.value is not None:
        pairs = zip(manner.players, turn.value, strict=True)
        lines.append("expected payoffs: " + ", ".join(f"{name} {full(value)}" for name, value in pairs))
    return "\n".join(lines)


# --- where tables stand

_BETWEEN = 16.0
"""From a table to the next one below it."""

_FAN = (24.0, 80.0)
"""The least and greatest width in which edges spread."""


@dataclass(frozen=True)
class TablePlace:
    """Where a table stands: its left side and the height of its first line's middle, where edges come and go.

    ``bend`` is where its edges begin to spread and ``label`` where the names of the moves that lead to it begin.
    """

    x: float
    y: float
    bend: float
    label: float


@dataclass(frozen=True)
class PublicLayout(Panelled):
    """``places`` of the tables; ``panel[i]`` is which panel table i is in; ``starts`` are the start's places, one for
    each panel: its table is in the first, and in each other one it is a mark in the middle of that place."""

    places: tuple[TablePlace, ...]
    panel: tuple[int, ...]
    starts: tuple[TablePlace, ...]
    right = True
    steps = 0

    @property
    def count(self) -> int:
        """How many panels."""
        return len(self.starts)


def place_tables(tables: Sequence[HandTable], labels: Sequence[float], width: float) -> PublicLayout:
    """Places for *tables*, in prefix order; *labels* is the room that the name of the move to each needs.

    *width* is what the picture has at least. A tall picture is broken into panels: of all ways, the best for a slide.
    """
    children: list[list[int]] = [[] for _ in tables]
    for index, table in enumerate(tables):
        if index:
            children[table.turn.above].append(index)
    trees = [_subtree(child, children) for child in children[0]]
    whole = _panels(tables, labels, [trees])
    blocks = []
    for k, tree in enumerate(trees):
        top, bottom = min(whole.places[i].y for i in tree), max(_bottom(tables[i], whole.places[i].y) for i in tree)
        blocks.append(Block(range(k, k + 1), top, bottom))
    return best_panels(
        whole,
        width,
        blocks,
        lambda groups: _panels(tables, labels, [[trees[block.nodes[0]] for block in group] for group in groups]),
    )


def _subtree(root: int, children: Sequence[Sequence[int]]) -> list[int]:
    """In prefix order."""
    found, stack = [], [root]
    while stack:
        index = stack.pop()
        found.append(index)
        stack += reversed(children[index])
    return found


def _bottom(table: HandTable, y: float) -> float:
    return y - HEAD / 2 + table.height


def _panels(
    tables: Sequence[HandTable], labels: Sequence[float], groups: Sequence[Sequence[Sequence[int]]]
) -> PublicLayout:
    """The layout with these *groups* of the start's subtrees next to each other."""
    places: dict[int, TablePlace] = {}
    panel = [0] * len(tables)
    starts: list[TablePlace] = []
    shift = height = 0.0
    for number, trees in enumerate(groups):
        shown = [0, *(index for tree in trees for index in tree)]
        found, right, bottom = _panel(tables, labels, shown, shift, number == 0)
        starts.append(found[0])
        places |= {index: found[index] for index in shown if index or number == 0}
        for index in shown[1:]:
            panel[index] = number
        shift, height = right + GAP, max(height, bottom)
    ordered = tuple(places[k] for k in range(len(tables)))
    return PublicLayout(shift - GAP, height, ordered, tuple(panel), tuple(starts))


def _panel(
    tables: Sequence[HandTable], labels: Sequence[float], shown: Sequence[int], left: float, first: bool
) -> tuple[dict[int, TablePlace], float, float]:
    """The places of the tables *shown*, the start first, from *left* on; and the panel's right and bottom ends."""
    size = {index: (tables[index].width, tables[index].height) for index in shown}
    if not first:
        size[0] = (RADIUS, HEAD)
    level = {0: 0}
    children: dict[int, list[int]] = {index: [] for index in shown}
    for index in shown[1:]:
        above = tables[index].turn.above
        level[index] = level[above] + 1
        children[above].append(index)
    heights = _heights(shown, children, level, {index: tall for index, (_, tall) in size.items()})
    columns = _columns(shown, children, level, {index: wide for index, (wide, _) in size.items()}, labels, heights)
    places = {
        index: TablePlace(
            left + columns.x[level[index]],
            heights[index],
            left + columns.bend[level[index]],
            left + columns.label[level[index]],
        )
        for index in shown
    }
    bottom = max(heights[index] - HEAD / 2 + size[index][1] for index in shown)
    return places, max(places[index].x + size[index][0] for index in shown), bottom


def _heights(
    shown: Sequence[int], children: dict[int, list[int]], level: dict[int, int], tall: dict[int, float]
) -> dict[int, float]:
    """The middle of each table's first line, from the top: that of the table amid those of its first and last child.

    From the ends to the start, each subtree knows how far it reaches up and down at each level, and the next one
    is put as close below as those of all levels allow (Reingold and Tilford 1981, for tables of any height).
    """
    offset: dict[int, float] = {}
    reach: dict[int, dict[int, tuple[float, float]]] = {}
    for index in reversed(shown):
        taken: dict[int, tuple[float, float]] = {}
        for child in children[index]:
            mine = reach.pop(child)
            down = max((taken[k][1] + _BETWEEN - top for k, (top, _) in mine.items() if k in taken), default=0.0)
            offset[child] = down
            for k, (top, bottom) in mine.items():
                taken[k] = (taken[k][0] if k in taken else top + down, bottom + down)
        middle = (offset[children[index][0]] + offset[children[index][-1]]) / 2 if children[index] else 0.0
        for child in children[index]:
            offset[child] -= middle
        own = {level[index]: (-HEAD / 2, tall[index] - HEAD / 2)}
        reach[index] = own | {k: (top - middle, bottom - middle) for k, (top, bottom) in taken.items()}
    y = {0: -min(top for top, _ in reach[0].values())}
    for index in shown:
        for child in children[index]:
            y[child] = y[index] + offset[child]
    return y


@dataclass(frozen=True)
class _TableColumns:
    """By level: where tables begin, where edges to the next level begin to spread, where names of moves begin."""

    x: tuple[float, ...]
    bend: tuple[float, ...]
    label: tuple[float, ...]


def _columns(
    shown: Sequence[int],
    children: dict[int, list[int]],
    level: dict[int, int],
    wide: dict[int, float],
    labels: Sequence[float],
    y: dict[int, float],
) -> _TableColumns:
    count = 1 + max(level.values())
    widths, names, drops = [0.0] * count, [0.0] * count, [0.0] * count
    for index in shown:
        widths[level[index]] = max(widths[level[index]], wide[index])
        names[level[index]] = max(names[level[index]], labels[index] if index else 0.0)
        drops[level[index]] = max([drops[level[index]], *(abs(y[child] - y[index]) for child in children[index])])
    fans = [min(max(_FAN[0], drop / 6), _FAN[1]) for drop in drops]
    # A badge stands half out of its table, to the left.
    rooms = [RADIUS, *(fan + name + RADIUS for fan, name in zip(fans, names[1:], strict=False))]
    x = tuple(accumulate((width + room for width, room in zip(widths, rooms[1:], strict=False)), initial=rooms[0]))
    bend = tuple(left + width for left, width in zip(x, widths, strict=True))
    return _TableColumns(x, bend, tuple(left - RADIUS - name for left, name in zip(x, names, strict=True)))


# --- what is drawn


def look_at(tree: GameTree, profile: TreeProfile | None, sparse: SparseProfile | None = None) -> Look:
    """What any picture of the public histories of *tree*, with *profile* on it, is made from.

    *sparse*: the strategies whose support tree *tree* is, if it is one. Raises ``NotApplicableError`` where the tree
    has no public tree, or nobody moves.
    """
    public = public_tree(tree)
    if not public.infosets[0]:
        raise NotApplicableError(f'view="public": in {tree.title!r} nobody ever moves, so there is no table to draw')
    return Look(public, profile, None if profile is None else _flow(public, profile), sparse)


def compose_public(look: Look, options: DrawOptions) -> Scene:
    """The scene of the public histories.

    Raises ``PictureTooLargeError``, and ``ParameterError`` for what needs a profile and for what this picture does
    not show.
    """
    public, profile, tree = look.public, look.profile, look.public.tree
    if profile is None:
        check_unplayed(options)
    if options.ranges is not None:
        raise ParameterError('ranges with view="public": a cell holds one number; leave one of the two out')
    turns = turns_of(look, options)
    check_size(sum(1 + len(turn.hands) for turn in turns), options, profile is not None)
    manner = manner_of(turns, tree.players, divides(tree), options.beliefs)
    folded = _folded(turns)
    tables = [measured(turn, manner, folded[k]) for k, turn in enumerate(turns)]
    labels = [text_width(_label(turns, turn), LABEL_SIZE) + 14.0 if k else 0.0 for k, turn in enumerate(turns)]

    def drawn(layout: PublicLayout, corner: Point) -> tuple[Item, ...]:
        board = _PublicItems(tables, layout, *corner)
        return (*board.edges(), *board.again(), *board.nodes(), *board.labels())

    def legend(panels: int) -> list[LegendEntry]:
        return list(entries(tables, public, panels, any(folded)))

    return fitted(
        [lambda along, spread: place_tables(tables, labels, LEAST_WIDTH - 2 * MARGIN)],
        lambda layout: layout,
        drawn,
        Sheet(tree.title, tree.comment, options.caption, legend, options.style),
        _description(public, turns, options),
        "--reach P or --depth D draw less" if profile is not None else "--depth D draws less",
    )


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


def _label(turns: list[Turn], turn: Turn) -> str:
    """The name of the move that leads there."""
    return drawn_name(turns[turn.above].moves[turn.by].name)


def _description(public: PublicTree, turns: list[Turn], options: DrawOptions) -> str:
    tree = public.tree
    inner = sum(1 for player in public.player.tolist() if player >= 0)
    parts = [
        f"What the table sees of a game of {', '.join(tree.players)}: {len(turns):,} of {inner:,} public histories, "
        "drawn from left to right, each with a table of the mover's hands by moves, shaded by probability."
    ]
    parts += filter(None, (options.caption, shorten(tree.comment, 300)))
    return " ".join(parts)


class _PublicItems:
    """Turns tables and places into items, kind by kind, so that each kind lies above the one before."""

    def __init__(self, tables: list[HandTable], layout: PublicLayout, left: float, top: float) -> None:
        self.tables, self.layout, self.left, self.top = tables, layout, left, top
        self.turns = [table.turn for table in tables]

    def tables_of(self, panel: int) -> list[int]:
        return [k for k in range(1, len(self.tables)) if self.layout.panel[k] == panel]

    def place(self, index: int, panel: int) -> TablePlace:
        """Where a table is, as its children of that *panel* have it."""
        return self.layout.starts[panel] if index == 0 else self.layout.places[index]

    def width(self, index: int) -> float:
        """Of the edge that leads to a table."""
        turn = self.turns[index]
        return edge_width(self.turns[turn.above].moves[turn.by].chance)

    def edges(self) -> Iterator[Stroke]:
        """For each table in each panel a stem and its branches."""
        for panel in range(len(self.layout.starts)):
            stems: dict[int, list[int]] = {}
            for index in self.tables_of(panel):
                stems.setdefault(self.turns[index].above, []).append(index)
            for above, below in stems.items():
                yield self._stem(above, panel, below)
                yield from (self._branch(above, panel, index) for index in below)

    def _stem(self, above: int, panel: int, below: list[int]) -> Stroke:
        place, table = self.place(above, panel), self.tables[above]
        # It begins under the table, whose right side may be anywhere.
        begins = place.x + (table.width - RADIUS if above or panel == 0 else 0.0)
        y, bend = self.top + place.y, place.bend + 0.5
        color, node = fill(table.turn.player), table.turn.history
        points = ((self.left + begins, y), (self.left + bend, y))
        return Stroke(points, color, max(map(self.width, below)), "stem", node, node)

    def _branch(self, above: int, panel: int, index: int) -> Stroke:
        start, place, turn = self.place(above, panel), self.layout.places[index], self.turns[index]
        y = self.top + place.y
        points = branch(
            (self.left + start.bend, self.top + start.y), (self.left + place.label, y), (self.left + place.x, y)
        )
        move = self.turns[above].moves[turn.by]
        tip = move.name + ("" if move.chance is None else f": probability {full(move.chance)}")
        source = self.turns[above].history
        color = fill(self.turns[above].player)
        return Stroke(points, color, self.width(index), "edge", turn.history, source, curved=True, tip=tip)

    def again(self) -> Iterator[Item]:
        """The start in the panels after the first."""
        badges = self.tables[0].manner.badges
        for start in self.layout.starts[1:]:
            yield from node_of(self.left + start.x, self.top + start.y, self.turns[0].player, badges, "again")

    def nodes(self) -> Iterator[Item]:
        """All tables with what is in them."""
        for table, place in zip(self.tables, self.layout.places, strict=True):
            yield from items(table, self.left + place.x, self.top + place.y - HEAD / 2)

    def labels(self) -> Iterator[Text]:
        """The names of moves on the edges."""
        for index, place in enumerate(self.layout.places):
            if index:
                turn = self.turns[index]
                base = self.top + place.y - self.width(index) / 2 - 3.0
                yield Text(
                    self.left + place.label + 4.0,
                    base,
                    _label(self.turns, turn),
                    LABEL_SIZE,
                    INK,
                    "action",
                    turn.history,
                )


# --- the legend


def entries(tables: Sequence[HandTable], public: PublicTree, panels: int, cut: bool) -> Iterator[LegendEntry]:
    """What the picture's signs mean; *cut*: some histories are folded away."""
    manner, turns = tables[0].manner, [table.turn for table in tables]
    for player in sorted({turn.player for turn in turns}):
        words = f"{name_of(manner.players[player], player)} moves"
        yield node_entry(player, manner.badges, words, ink(player))
    if turns[0].reach is None:
        yield LegendEntry((), 0.0, say("tables: hands by moves"))
    else:
        yield from _played(tables)
    moves = [move for turn in turns for move in turn.moves]
    if any(move.ends for move in moves):
        one = len(manner.whose) == 1
        whose = f"of {shorten(manner.players[0], 30)}" if one else "of each player"
        paid = f"; expected payoff {whose}" if turns[0].reach is not None else ""
        dot = Mark("circle", END_RADIUS, 0, END_RADIUS, INK, "legend")
        yield LegendEntry((dot,), 2 * END_RADIUS, say(f"below a move: play ends{paid}"))
    if panels > 1:
        words = f"at the left of the other column{'s' if panels > 2 else ''}: the same start again"
        yield node_entry(turns[0].player, manner.badges, words)
    if cut:
        every = sum(1 for player in public.player.tolist() if player >= 0)
        words = f"below a move: play goes on, not shown here ({len(turns):,} of {every:,} public histories are shown)"
        yield note_entry("…", words, 0)


def _played(tables: Sequence[HandTable]) -> Iterator[LegendEntry]:
    manner, turns = tables[0].manner, [table.turn for table in tables]
    shades = tuple(
        Box(k * 11.0, -6.0, 11.0, 12.0, shade(turns[0].player, p), "legend", -1, "" if p else FRAME, FRAME_LINE)
        for k, p in enumerate((0.0, 0.25, 0.5, 1.0))
    )
    yield LegendEntry(shades, 44.0, say("how likely the hand makes the move: blank never, full colour always"))
    value = (
        f"worth: expected payoff of {shorten(manner.players[0], 30)}"
        if len(manner.whose) == 1
        else "worth: expected payoff of the player who moves"
    )
    yield LegendEntry((), 0.0, say(f"reached: chance that play gets there; {value}; all: all hands together"))
    if manner.beliefs:
        yield LegendEntry((), 0.0, say("belief: how likely the hand is, given that play got there"))
    if len(turns) > 1:
        yield width_entry()
    faded = next((hand.name for turn in turns for hand in turn.hands if hand.never), None)
    if faded is not None:
        name = shorten(faded, 6)
        letters = Text(0, 4, name, LABEL_SIZE, PALE, "legend")
        yield LegendEntry((letters,), text_width(name, LABEL_SIZE), say("grey: the hand never gets there"))
    if any(turn.never or turn.absent for turn in turns):
        what = (
            "moves never made there"
            if not any(turn.absent for turn in turns)
            else "moves never made, hands that never get there"
        )
        yield note_entry("+n", what, 2)
