"""The view ``"public"``: one node per public history, from left to right, with a table of the mover's hands by moves.

Or the game by itself (``all_ends``): the chances of the deal, and at each end a table of payoffs by hands.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, partial
from itertools import accumulate, chain, count, product
from string import ascii_uppercase

from ...base.errors import NotApplicableError
from ...base.rationals import Number
from ...base.words import LONG, ROUGHLY, decimal, exact_or, full, percent
from ...forms.extensive import CHANCE, NONE, GameTree, has_value
from ...forms.public_deals import Hands, PublicDeals, Seen, public_deals
from ...forms.public_tree import PublicTree, public_tree
from ...proof.reach import expected_payoffs, reaches, settled
from ...strategies.sparse_profile import SparseProfile
from ...strategies.tree_profile import TreeProfile
from .options import DrawOptions, check_size
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
    Stroke,
    Text,
    badges,
    branch,
    edge_width,
    fill,
    ink,
    letter_over,
    shade,
    shorten,
    shortened,
    text_width,
)
from .sheet import GAP, LEAST_INNER, ROUNDED, Block, LegendEntry, Panelled, Sheet, best_panels, fitted, name_of, node_of
from .tree_layout import NodeRoom, across, levels

HEAD = 19.0  # the height of a piece's first line, in the middle of which its node stands and edges come and go
_FALL = 0.36  # of a letter's size: from the middle of a line down to where letters stand

_small = partial(text_width, size=SIZES.note)
_wide = partial(text_width, size=SIZES.label)


@dataclass(frozen=True)
class _Piece:
    """The table at a public history, and the move that leads there."""

    history: int
    above: int  # the index of the piece before, -1 for none
    player: int  # moves there
    width: float
    height: float
    begins: float  # from the piece's left side to the stem of its moves
    label: str  # the move that leads there, as it is drawn
    line: float  # the width of its edge
    tip: str
    items: Callable[[float, float], Iterable[Item]]  # draws it from its top left corner

    @property
    def lift(self) -> float:
        """How far above its edge the name of the move stands."""
        return self.line / 2 + 3.0


# --- where pieces stand


PLAIN, TIGHT = {"beside": 14.0, "least": 24.0}, {"beside": 6.0, "least": 6.0}
"""The room beside the name of a move, and in which edges spread at least; the same in a column of a paper."""

_MOST_SPREAD = 80.0  # the room in which edges spread at most
_ASCENT = 0.8 * SIZES.label  # the height of the letters of a move's name


@dataclass(frozen=True)
class _Place:
    """The left side of a piece and the middle of its first line, where edges come and go."""

    x: float
    y: float
    bend: float  # where its edges begin to spread
    label: float  # where the name of the move that leads to it begins


@dataclass(frozen=True)
class _PublicLayout(Panelled):
    """The places of pieces. The start's piece is in the first panel only; in the others it is a mark."""

    places: tuple[_Place, ...]
    panel: tuple[int, ...]  # of each piece
    starts: tuple[_Place, ...]  # by panel, where the start stands
    keys: tuple[Point, ...] = ()  # the places of tables under letters


def place_pieces(pieces: Sequence[_Piece], between: float, beside: float, least: float) -> _PublicLayout:
    """Place *pieces*, in prefix order, with room *between* those below each other and *beside* the names of moves.

    Edges spread in *least* at least. A tall picture is broken into panels: of all ways, the best for a slide.
    """

    def panelled(groups: Sequence[Block]) -> _PublicLayout:
        places: list[_Place] = []
        panel, starts = [0], list[_Place]()
        shift = height = 0.0
        for number, group in enumerate(groups):
            (start, *found), right, bottom = _panel(pieces, [0, *group.nodes], shift, between, beside, least)
            starts.append(start)
            places += found
            panel += [number] * len(group.nodes)
            shift, height = right + GAP, max(height, bottom)
        ordered = (starts[0], *places)
        return _PublicLayout(shift - GAP, height, ordered, tuple(panel), tuple(starts), count=len(starts))

    def reach(index: int) -> tuple[float, float]:
        y = whole.places[index].y
        return y, y - HEAD / 2 + pieces[index].height

    whole = panelled([Block(range(1, len(pieces)), 0.0, 0.0)])
    return best_panels(whole, [piece.above for piece in pieces], reach, panelled)


def _panel(
    pieces: Sequence[_Piece], shown: Sequence[int], left: float, between: float, beside: float, least: float
) -> tuple[list[_Place], float, float]:
    """The places of the pieces *shown*, the start first, from *left* on; and the panel's right and bottom ends."""
    at = {index: k for k, index in enumerate(shown)}
    parent = [NONE, *(at[pieces[index].above] for index in shown[1:])]
    sizes = [(pieces[index].width, pieces[index].height) for index in shown]
    if left:
        sizes[0] = (SIZES.node, HEAD)
    level = levels(parent, [NONE] * len(shown))
    rooms = [NodeRoom(0.0, 0.0, HEAD / 2, tall - HEAD / 2) for _, tall in sizes]
    heights, top, _ = across(parent, level, rooms, True, between, ())
    # The name of a move may rise above the first line of all pieces.
    risen = [pieces[index].lift + _ASCENT - top - y for index, y in zip(shown[1:], heights[1:], strict=True)]
    top += max(0.0, *risen) if risen else 0.0
    widths, names, drops = ([0.0] * (1 + max(level)) for _ in range(3))
    for k, index in enumerate(shown):
        widths[level[k]] = max(widths[level[k]], sizes[k][0])
        if k:
            above = parent[k]
            names[level[k]] = max(names[level[k]], _wide(pieces[index].label) + beside)
            drops[level[above]] = max(drops[level[above]], abs(heights[k] - heights[above]))
    fans = [min(max(least, drop / 6), _MOST_SPREAD) for drop in drops]
    # A badge stands half out of its table, to the left.
    rooms_before = [SIZES.node, *(fan + name + SIZES.node for fan, name in zip(fans, names[1:], strict=False))]
    ways = (width + room for width, room in zip(widths, rooms_before[1:], strict=False))
    x = [left + way for way in accumulate(ways, initial=rooms_before[0])]
    places = [
        _Place(x[at], top + y, x[at] + widths[at], x[at] - SIZES.node - names[at])
        for y, at in zip(heights, level, strict=True)
    ]
    right = max(x[at] + wide for at, (wide, _) in zip(level, sizes, strict=True))
    return places, right, max(top + y - HEAD / 2 + tall for y, (_, tall) in zip(heights, sizes, strict=True))


# --- what is drawn of them


_Key = Callable[[float, float], Iterable[Item]]  # draws a table from its top left corner


def _drawn(
    pieces: Sequence[_Piece], signs: Sequence[str], keys: Sequence[_Key], layout: _PublicLayout, corner: Point
) -> Iterator[Item]:
    left, top = corner
    yield from _edges(pieces, layout, left, top)
    for start in layout.starts[1:]:
        yield from node_of(left + start.x, top + start.y, pieces[0].player, signs, "again")
    placed = list(zip(layout.places, pieces, strict=True))
    for place, piece in placed:
        yield from piece.items(left + place.x, top + place.y - HEAD / 2)
    for place, piece in placed[1:]:
        base = top + place.y - piece.lift
        yield Text(left + place.label + 4.0, base, piece.label, SIZES.label, INK, "action", piece.history)
    for key, (x, y) in zip(keys, layout.keys, strict=True):
        yield from key(left + x, top + y)


def _edges(pieces: Sequence[_Piece], layout: _PublicLayout, left: float, top: float) -> Iterator[Stroke]:
    for panel, start in enumerate(layout.starts):
        stems: dict[int, list[int]] = {}
        for index in range(1, len(pieces)):
            if layout.panel[index] == panel:
                stems.setdefault(pieces[index].above, []).append(index)
        for above, below in stems.items():
            piece, place = pieces[above], layout.places[above] if above else start
            begins = place.x + (piece.begins if above or panel == 0 else 0.0)
            y, color, line = top + place.y, fill(piece.player), max(pieces[index].line for index in below)
            points: tuple[Point, ...] = ((left + begins, y), (left + (place.bend + 0.5), y))
            yield Stroke(points, color, line, "stem", piece.history, piece.history)
            for index in below:
                then, to = pieces[index], layout.places[index]
                y = top + to.y
                points = branch((left + place.bend, top + place.y), (left + to.label, y), (left + to.x, y))
                yield Stroke(points, color, then.line, "edge", then.history, piece.history, curved=True, tip=then.tip)


def _composed(
    tree: GameTree,
    options: DrawOptions,
    pieces: Sequence[_Piece],
    layouts: Sequence[_PublicLayout],
    about: str,
    legend: Callable[[int], Iterable[LegendEntry]],
    keys: Sequence[_Key] = (),
) -> Scene:
    drawn = partial(_drawn, pieces, badges(tree.players), keys)
    ways = [lambda along, spread, layout=layout: layout for layout in layouts]
    return fitted([ways], Sheet(tree, options, about, legend, drawn))


# --- a history with strategies: what there is to say of it

Range = tuple[Number, Number]  # the least and the greatest probability
MANY_HANDS = 8
"""Where a player has more hands than this, those that never get somewhere are counted there instead of listed."""

_UNTOLD = "–"  # where ranges say nothing: in no equilibrium does own play lead there
_VIEW_LETTERS = 18


@dataclass(frozen=True)
class _HandCell:
    """A hand and a move."""

    shade: Number  # the probability or, without a profile, the least there is
    letters: str  # empty for 0
    known: str  # shown on hovering


@dataclass(frozen=True)
class _HandRow:
    """A row of a table: a hand, or many that do the same for certain."""

    names: tuple[str, ...]
    likely: Number | None  # given that play got there, None without a profile
    cells: tuple[_HandCell, ...]

    @property
    def name(self) -> str:
        return self.names[0] if len(self.names) == 1 else f"all {len(self.names)}"

    @property
    def never(self) -> bool:
        return self.likely == 0


@dataclass(frozen=True)
class _Move:
    """A column of a table: a move."""

    name: str
    then: int  # the public history that follows
    chance: Number | None  # over all hands together, None without a profile
    ends: bool
    pays: tuple[Number, ...]  # the players' expected payoffs at an end, empty without a profile


@dataclass(frozen=True)
class _Turn:
    """A public history that is shown."""

    history: int
    above: int  # the index of the turn before, -1 for none
    by: int  # its column that leads here
    player: int
    path: tuple[str, ...]
    hands: tuple[_HandRow, ...]
    moves: tuple[_Move, ...]
    never: int  # moves that are never made there
    absent: int  # hands that never get there and are not listed
    reach: Number | None  # how likely play gets there, None without a profile
    value: tuple[Number, ...] | None  # each player's expected payoff from there on
    heading: str = "hand"  # above the names of rows

    @cached_property
    def rows(self) -> Mapping[str, str]:
        return shortened(tuple(hand.name for hand in self.hands), _VIEW_LETTERS)

    @cached_property
    def columns(self) -> Mapping[str, str]:
        return shortened(tuple(move.name for move in self.moves), _VIEW_LETTERS)


@dataclass(frozen=True)
class _Flow:
    """The reach probability of each public history and of each information set."""

    history: Sequence[Number]
    infoset: Sequence[Number]
    worth: Sequence[Sequence[Number]]  # by history, the expected payoffs times the chance of getting there

    def mean(self, history: int) -> tuple[Number, ...] | None:
        likely = self.history[history]
        return tuple(total / likely for total in self.worth[history]) if likely else None


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
    return _Flow(history, infoset, worth)


@dataclass(frozen=True)
class PublicPlay:
    """What any picture of the public histories of *tree*, with *profile* on it, is made from.

    ``sparse``: the strategies whose support tree *tree* is, which know the moves and hands that it leaves out;
    ``ranges``: as in ``DrawOptions``. Raises ``NotApplicableError`` where the tree has no public tree, or nobody moves.
    """

    tree: GameTree
    profile: TreeProfile | None
    sparse: SparseProfile | None = None
    ranges: Mapping[tuple[int, int], Range] | None = None

    def __post_init__(self) -> None:
        if not self.public.infosets[0]:
            reason = f"in {self.tree.title!r} nobody ever moves, so there is no table to draw"
            raise NotApplicableError(f'view="public": {reason}')

    @cached_property
    def public(self) -> PublicTree:
        """The public tree."""
        return public_tree(self.tree)

    @cached_property
    def flow(self) -> _Flow | None:
        """The reach probabilities; None without a strategy."""
        return None if self.profile is None else _flow(self.public, self.profile)

    def turn(self, history: int, above: int, by: int) -> _Turn:
        """What there is to see at *history*, which follows the turn of index *above* by its column *by*."""
        path, player = self.public.path(history), int(self.public.player[history])
        moves, legal = self._moves(history), [self.public.moves[then] for then in self.public.children[history]]
        if self.sparse is not None:
            legal = _legal(self.sparse, path)
            moves.sort(key=lambda move: legal.index(move.name))
        hands = self._hands(history, [move.name for move in moves])
        if self.sparse is not None:
            hands = _all_hands(hands, self.sparse, player, len(moves))
        listed = hands if len(hands) <= MANY_HANDS else [hand for hand in hands if not hand.never]
        rows = listed
        if len(hands) > MANY_HANDS and len(moves) == 1 and self.flow:  # all make the one move there is
            likely = sum((hand.likely or 0 for hand in listed), start=Fraction(0))
            rows = [replace(listed[0], names=tuple(hand.name for hand in listed), likely=likely)]
        return _Turn(
            history=history,
            above=above,
            by=by,
            player=player,
            path=path,
            hands=tuple(rows),
            moves=tuple(moves),
            never=len(legal) - len(moves),
            absent=len(hands) - len(listed),
            reach=None if self.flow is None else self.flow.history[history],
            value=None if self.flow is None else self.flow.mean(history),
            heading="hand" if self.public.holds_hands(history) else "information set",
        )

    def _moves(self, history: int) -> list[_Move]:
        """The moves that are made there; all of them without a profile, or where play never gets."""
        public, flow = self.public, self.flow
        here = None if flow is None else flow.history[history]
        found = []
        for then in public.children[history]:
            move, ends = public.moves[then], bool(public.player[then] < CHANCE)
            if flow is None or not here:
                found.append(_Move(move, then, None, ends, ()))
            elif flow.history[then] or self._free(history, move):
                found.append(
                    _Move(move, then, flow.history[then] / here, ends, (flow.mean(then) or ()) if ends else ())
                )
        return found

    def _free(self, history: int, move: str) -> bool:
        sets = self.public.tree.infosets
        return self.ranges is not None and any(
            self.ranges.get((k, sets[k].actions.index(move)), (0, 0))[1] > 0
            for k in self.public.infosets[history]
            if move in sets[k].actions and (self.flow is None or self.flow.infoset[k] > 0)
        )

    def _hands(self, history: int, moves: Sequence[str]) -> list[_HandRow]:
        found, flow = [], self.flow
        for k, name in zip(self.public.infosets[history], self.public.hands(history), strict=True):
            likely = None
            if flow is not None:
                likely = flow.infoset[k] / flow.history[history] if flow.history[history] else Fraction(0)
            infoset, cells = self.public.tree.infosets[k], []
            for move in moves:
                a = infoset.actions.index(move) if move in infoset.actions else NONE
                p = None if self.profile is None or a == NONE else settled(self.profile.probabilities[k][a])
                cells.append(_cell(likely, p, self.ranges is not None, (self.ranges or {}).get((k, a))))
            found.append(_HandRow((name,), likely, tuple(cells)))
        return found


def turns_of(play: PublicPlay, options: DrawOptions) -> list[_Turn]:
    """The public histories that are shown, in prefix order.

    With a profile, those reached with more than ``options.reach`` (None counts as 0: what is never reached is
    never shown); no deeper than ``options.depth``; the start always.
    """
    limit = options.reach or 0
    found: list[_Turn] = []
    stack = [(0, NONE, NONE, 0)]
    while stack:
        history, above, by, depth = stack.pop()
        turn = play.turn(history, above, by)
        found.append(turn)
        for column in reversed(range(len(turn.moves) if depth != options.depth else 0)):
            move = turn.moves[column]
            if not move.ends and (play.flow is None or play.flow.history[move.then] > limit):
                stack.append((move.then, len(found) - 1, column, depth + 1))
    return found


def _cell(likely: Number | None, p: Number | None, ranged: bool = False, ends: Range | None = None) -> _HandCell:
    """The cell of a hand with probability *likely*; *p* is that of the move, None where it is not legal or not known.

    *ends*: from where to where it can go, if the picture is *ranged* and that is known.
    """
    known = "" if ends is None else f" ({full(ends[0])} to {full(ends[1])})"
    if likely == 0:  # what it would do is of no consequence, and often nobody's choice
        return _HandCell(Fraction(0), "", f" (never gets here){known}")
    share = ends[0] if p is None and ends is not None else p or Fraction(0)
    letters = exact_or(percent, share) if share else _UNTOLD if ranged and ends is None and p is None else ""
    if ends is not None and ends[0] < ends[1]:
        letters = " to ".join(exact_or(percent, end) for end in ends)
    return _HandCell(share, letters, ("" if likely is None else f" {full(share)}") + known)


def _all_hands(hands: list[_HandRow], sparse: SparseProfile, player: int, columns: int) -> list[_HandRow]:
    known = {hand.name: hand for hand in hands}
    every = sparse.game.hands[player]
    if not known.keys() <= set(every):
        return hands
    return [known.get(name) or _HandRow((name,), Fraction(0), (_cell(0, None),) * columns) for name in every]


def _legal(sparse: SparseProfile, path: Sequence[str]) -> list[str]:
    game = sparse.game
    state = game.public_root()
    for move in path:
        state = dict(game.public_turn(state).actions)[move]  # type: ignore[union-attr]
    return [name for name, _ in game.public_turn(state).actions]  # type: ignore[union-attr]


# --- its table of hands by moves

_PAD = 6.0
_LINE = SIZES.note + 4.5
_END_DOT = 2 * SIZES.end + 3.0  # the room of an end's dot before its payoff


def _chance(p: Number | None) -> str:
    return "" if p is None else exact_or(percent, p)


class _Manner:
    """The style of all tables of a picture; *beliefs*: whether each hand has a belief."""

    def __init__(self, turns: Sequence[_Turn], tree: GameTree, beliefs: bool) -> None:
        self.players, self.badges, self.beliefs = tree.players, badges(tree.players), beliefs
        # The players whose payoffs are written: player 1 alone where two divide a constant.
        self.whose = (0,) if has_value(tree) else tuple(range(len(tree.players)))
        dense = max(len(turn.hands) for turn in turns) > MANY_HANDS
        self.size, self.row = (SIZES.note, 12.5) if dense else (SIZES.label, 18.0)  # of letters in cells, of rows


class _HandTable:
    """The table of a turn, measured in pixels; *folded* are the columns whose moves lead to what is not shown."""

    def __init__(self, turn: _Turn, manner: _Manner, folded: frozenset[int]) -> None:
        self.turn, self.manner, self.folded = turn, manner, folded
        self.never = f"+{turn.never} never" if turn.never else ""
        self.absent = f"+{turn.absent} hands never" if turn.absent else ""
        self.reached = "" if turn.reach is None else f"reached {_chance(turn.reach)}"
        self.whose = manner.whose[0] if len(manner.whose) == 1 else turn.player
        self.worth = "" if turn.value is None else f"worth {exact_or(decimal, turn.value[self.whose])}"
        names = [text_width(name, manner.size) for name in turn.rows.values()]
        hand = max(*names, _small(turn.heading), _small("all") if turn.reach is not None else 0.0) + 7.0
        belief = max(_small("belief"), *(_small(_chance(row.likely)) for row in turn.hands)) + 8.0
        self.first = _PAD + hand + (belief if manner.beliefs else 0.0)  # the left side of the first move's column
        self.columns = [self._column(column, move) for column, move in enumerate(turn.moves)]
        ends = any(move.ends for move in turn.moves)
        # Below the columns, for the payoffs of ends.
        self.lines = len(manner.whose) if ends and turn.reach is not None else int(ends or bool(folded))
        right = self.first + sum(self.columns) + (_small(self.never) + 5.0 if self.never else 0.0) + _PAD
        heading = SIZES.node + 5.0 + _small(self.reached) + text_width(self.worth, SIZES.note, True) + 6.0 + _PAD
        self.width = max(right, heading, 2 * _PAD + _small(self.absent))
        self.top = HEAD + manner.size + 5.0
        self.foot = self.top + len(turn.hands) * manner.row + 1.0
        self.height = self.foot + ((turn.reach is not None) + self.lines + bool(turn.absent)) * _LINE + 4.0

    def _column(self, column: int, move: _Move) -> float:
        cells = (text_width(row.cells[column].letters, self.manner.size) for row in self.turn.hands)
        pays = (_END_DOT + _small(exact_or(decimal, move.pays[p])) for p in self.manner.whose if move.pays)
        named = text_width(self.turn.columns[move.name], self.manner.size)
        return max(26.0, named, _small(_chance(move.chance)), *cells, *pays) + 7.0

    def across(self, x: float) -> Iterator[tuple[_Move, float, float]]:
        lefts = accumulate(self.columns, initial=x + self.first)
        return zip(self.turn.moves, lefts, self.columns, strict=False)

    def items(self, x: float, y: float) -> Iterator[Item]:
        turn, manner, node = self.turn, self.manner, self.turn.history
        color, middle, tip = fill(turn.player), y + HEAD / 2, self._tip()
        yield Box(x, y, self.width, self.height, PAPER, "table", node, color, SIZES.table_line, tip=tip)
        base = middle + _FALL * SIZES.note
        if self.reached:
            yield Text(x + SIZES.node + 5.0, base, self.reached, SIZES.note, INK, "reach", node)
        if self.worth:
            yield Text(x + self.width - _PAD, base, self.worth, SIZES.note, ink(self.whose), "value", node, "end", True)
        base = y + self.top - 4.0
        yield Text(x + _PAD, base, turn.heading, SIZES.note, PALE, "hand", node)
        if manner.beliefs:
            yield Text(x + self.first - 6.0, base, "belief", SIZES.note, PALE, "belief", node, "end")
        for move, left, width in self.across(x):
            yield Text(left + width / 2, base, turn.columns[move.name], manner.size, INK, "move", node, "middle")
        if self.never:
            left = x + self.first + sum(self.columns)
            yield Text(left + 4.0, base, self.never, SIZES.note, PALE, "never", node)
        for number, hand in enumerate(turn.hands):
            yield from self._row(hand, x, y + self.top + number * manner.row)
        yield from self._foot(x, y + self.foot)
        yield Mark("circle", x, middle, SIZES.node, color, "decision", node, tip=tip)
        badge, base = manner.badges[turn.player], middle + _FALL * SIZES.badge
        yield Text(x, base, badge, SIZES.badge, letter_over(color), "badge", node, "middle", True)

    def _row(self, hand: _HandRow, x: float, top: float) -> Iterator[Item]:
        manner, node, player = self.manner, self.turn.history, self.turn.player
        middle = top + manner.row / 2
        base, note = middle + _FALL * manner.size, middle + _FALL * SIZES.note
        opacity = DIM if hand.never else 1.0
        yield Text(x + _PAD, base, self.turn.rows[hand.name], manner.size, PALE if hand.never else INK, "hand", node)
        if manner.beliefs and hand.likely:
            yield Text(x + self.first - 6.0, note, _chance(hand.likely), SIZES.note, GREY, "belief", node, "end")
        for cell, (move, left, width) in zip(hand.cells, self.across(x), strict=True):
            color, letters = shade(player, float(cell.shade)), cell.letters
            rim = "" if cell.shade else ink(player) if letters not in ("", _UNTOLD) else FRAME
            shape = (left + 0.5, top + 0.5, width - 1.0, manner.row - 1.0)
            tip = f"{', '.join(hand.names)}: {move.name}{cell.known}"
            yield Box(*shape, color, "cell", node, rim, SIZES.frame_line, opacity, tip)
            if letters:
                yield Text(left + width / 2, base, letters, manner.size, letter_over(color), "cell", node, "middle")

    def _foot(self, x: float, y: float) -> Iterator[Item]:
        turn, node, base = self.turn, self.turn.history, y + _LINE - 3.0
        if turn.reach is not None:
            yield Text(x + _PAD, base, "all", SIZES.note, GREY, "all", node)
            for move, left, width in self.across(x):
                yield Text(left + width / 2, base, _chance(move.chance), SIZES.note, GREY, "all", node, "middle")
            base += _LINE
        for column, (move, left, width) in enumerate(self.across(x)):
            if move.ends:
                yield from self._end(move, left + width / 2, base)
            elif column in self.folded:
                yield Text(left + width / 2, base, "…", SIZES.note, PALE, "stub", node, "middle")
        if turn.absent:
            yield Text(x + _PAD, base + self.lines * _LINE, self.absent, SIZES.note, PALE, "absent", node)

    def _end(self, move: _Move, middle: float, base: float) -> Iterator[Item]:
        words = [(player, exact_or(decimal, move.pays[player])) for player in self.manner.whose if move.pays]
        left = middle - (_END_DOT + max((_small(word) for _, word in words), default=-3.0)) / 2
        yield Mark("circle", left + SIZES.end, base - _FALL * SIZES.note, SIZES.end, INK, "end", move.then)
        for line, (player, word) in enumerate(words):
            yield Text(left + _END_DOT, base + line * _LINE, word, SIZES.note, ink(player), "payoff", move.then)

    def _tip(self) -> str:
        turn, players = self.turn, self.manner.players
        lines = [f"{players[turn.player]} after {' '.join(turn.path)}" if turn.path else "start"]
        if turn.reach is not None:
            lines.append(f"reached with probability {full(turn.reach)}")
        if turn.value is not None:
            pairs = zip(players, turn.value, strict=True)
            lines.append("expected payoffs: " + ", ".join(f"{name} {full(value)}" for name, value in pairs))
        return "\n".join(lines)


def compose_public(play: PublicPlay, options: DrawOptions) -> Scene:
    """The scene of the public histories with strategies.

    Raises ``PictureTooLargeError``, and ``ParameterError`` for what needs a profile and for what this picture does
    not show.
    """
    public, tree = play.public, play.tree
    turns = turns_of(play, options)
    check_size(sum(1 + len(turn.hands) for turn in turns), options, play.profile is not None)
    manner, shown = _Manner(turns, tree, options.beliefs), {(turn.above, turn.by) for turn in turns}
    folded = [
        frozenset(column for column, move in enumerate(turn.moves) if not move.ends and (k, column) not in shown)
        for k, turn in enumerate(turns)
    ]
    tables = [_HandTable(turn, manner, columns) for turn, columns in zip(turns, folded, strict=True)]
    pieces = [_piece(turns, table) for table in tables]
    layout = place_pieces(pieces, 16.0, **(TIGHT if options.style.purpose == "column" else PLAIN))
    inner = sum(1 for player in public.player.tolist() if player >= 0)
    about = (
        f"What the table sees of a game of {', '.join(tree.players)}: {len(turns):,} of {inner:,} public histories, "
        "drawn from left to right, each with a table of the mover's hands by moves, shaded by probability."
    )
    cut = f"({len(turns):,} of {inner:,} public histories are shown)" if any(folded) else ""
    legend = partial(_legend, tables, play.ranges is not None, cut)
    return _composed(tree, options, pieces, [layout], about, legend)


def _piece(turns: Sequence[_Turn], table: _HandTable) -> _Piece:
    turn, label, chance, tip = table.turn, "", None, ""
    if turn.above != NONE:
        move = turns[turn.above].moves[turn.by]
        label, chance = turns[turn.above].columns[move.name], move.chance
        tip = move.name + ("" if chance is None else f": probability {full(chance)}")
    return _Piece(
        history=turn.history,
        above=turn.above,
        player=turn.player,
        width=table.width,
        height=table.height,
        begins=table.width - SIZES.node,  # under the table, whose right side may be anywhere
        label=label,
        line=edge_width(chance),
        tip=tip,
        items=table.items,
    )


def _legend(tables: Sequence[_HandTable], ranged: bool, cut: str, panels: int) -> Iterator[LegendEntry]:
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
        yield from _played(manner, turns)
    if any(move.ends for turn in turns for move in turn.moves):
        said = [("below a move: play ends", INK)]
        if turns[0].reach is not None:
            said = [("below a move: play ends; expected payoff of", INK)]
            said += [(name_of(manner.players[player], player), ink(player)) for player in manner.whose]
        yield LegendEntry.end(tuple(said))
    drawn = (item for table in tables for item in table.items(0.0, 0.0))
    if any(isinstance(item, Text) and ROUGHLY in item.text for item in drawn):
        yield ROUNDED
    if panels > 1:
        yield LegendEntry.again(turns[0].player, manner.badges, panels)
    if cut:
        yield LegendEntry.note("…", f"below a move: play goes on, not shown here {cut}", 0)


def _played(manner: _Manner, turns: Sequence[_Turn]) -> Iterator[LegendEntry]:
    holder = turns[0].heading  # a hand, or an information set
    shades = tuple(
        Box(k * 11.0, -6.0, 11.0, 12.0, shade(turns[0].player, p), "legend", -1, "" if p else FRAME, SIZES.frame_line)
        for k, p in enumerate((0.0, 0.25, 0.5, 1.0))
    )
    yield LegendEntry.said(f"how likely the {holder} makes the move: blank never, full color always", shades, 44.0)
    whose = shorten(manner.players[0], 30) if len(manner.whose) == 1 else "the player who moves"
    value = f"worth: expected payoff of {whose}"
    yield LegendEntry.said(f"reached: chance that play gets there; {value}; all: all {holder}s together")
    if manner.beliefs:
        yield LegendEntry.said(f"belief: how likely the {holder} is, given that play got there")
    if len(turns) > 1:
        yield LegendEntry.widths()
    faded = next((hand.name for turn in turns for hand in turn.hands if hand.never), None)
    if faded is not None:
        name = shorten(faded, 6)
        letters = Text(0, 4, name, SIZES.label, PALE, "legend")
        yield LegendEntry.said(f"grey: the {holder} is never reached", (letters,), letters.width)
    absent = any(turn.absent for turn in turns)
    if absent or any(turn.never for turn in turns):
        yield LegendEntry.note("+n", f"moves never made{', hands that never get' if absent else ''} there", 2)


# --- the game by itself: tables of payoffs by the players' hands

MOST_HANDS = 12  # of a player in a table that can be read at each of many ends
_FEW, _ONCE = 6, 2  # of more tables than this, and so many times as many as differ, each is drawn once, under a letter
_ROW, _CELL_PAD, _BETWEEN, _GAME_LETTERS = 16.0, 8.0, 12.0, 12
_KEY, _KEY_GAP = 16.0, 26.0  # the room of a letter, and between a table and the next one
_DOT = SIZES.end + 5.0  # from the dot of an end to what stands beside it

Size = tuple[float, float]


@dataclass(frozen=True)
class _PayoffTable:
    """Numbers by the hands of player 1, down, and player 2, across; no number for deals that do not happen."""

    corner: str  # what chance has opened
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[tuple[tuple[str, ...], ...], ...]
    colors: tuple[str, ...]

    @cached_property
    def first(self) -> float:
        """The width of the column of names."""
        return max(map(_wide, (self.corner, *self.rows))) + 6.0

    @cached_property
    def column(self) -> float:
        """The width of each column of numbers."""
        return max(*map(_wide, self.columns), *(_numbers_wide(cell) for row in self.cells for cell in row)) + _CELL_PAD

    @property
    def head(self) -> float:
        return HEAD if self.corner or any(self.columns) else (HEAD - _ROW) / 2

    @property
    def size(self) -> Size:
        return self.first + len(self.columns) * self.column, self.head + len(self.rows) * _ROW

    def items(self, x: float, y: float, node: int) -> Iterator[Item]:
        fall, width = _FALL * SIZES.label, self.column
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


_PayoffTables = tuple[_PayoffTable, ...]  # tables side by side: one for each thing that chance may have opened


def _numbers_wide(numbers: Sequence[str]) -> float:
    return sum(map(_wide, numbers)) + 5.0 * max(0, len(numbers) - 1)


def _numbers(numbers: Sequence[str], colors: Sequence[str], middle: float, base: float, node: int) -> Iterator[Text]:
    left = middle - _numbers_wide(numbers) / 2
    for text, color in zip(numbers, colors, strict=False):
        yield Text(left, base, text, SIZES.label, color, "payoff", node)
        left += _wide(text) + 5.0


def _size(tables: _PayoffTables) -> Size:
    sizes = [table.size for table in tables]
    wide = sum(width for width, _ in sizes) + _BETWEEN * max(0, len(sizes) - 1)
    return wide, max((height for _, height in sizes), default=0.0)


def _side_by_side(tables: _PayoffTables, node: int, x: float, y: float) -> Iterator[Item]:
    for table in tables:
        yield from table.items(x, y, node)
        x += table.size[0] + _BETWEEN


class _Game:
    """The words of the picture of a game by itself."""

    def __init__(self, deals: PublicDeals, shown: Sequence[int], folded: frozenset[int]) -> None:
        tree = deals.public.tree
        self.deals, self.shown, self.folded, self.badges = deals, shown, folded, badges(tree.players)
        names = [shortened(tuple(hands), _GAME_LETTERS) for hands in deals.hands]
        self.hands = [tuple(short[hand] for hand in hands) for short, hands in zip(names, deals.hands, strict=True)]
        self.colors = tuple(map(ink, (0,) if has_value(tree) else (0, 1)))
        self.rounded = False
        every = len(deals.hands[0]) * len(deals.hands[1])
        alike = list(deals.deals.values()) == [Fraction(1, every)] * every
        self.each = self._number(percent, Fraction(1, every)) if alike else ""
        dealt = () if alike else (self._chances((), deals.deals),)
        self.start = (*dealt, *(self._chances(seen, at) for seen, at in deals.opened.items()))
        self.ends = {history: self._end(history) for history in shown if history in deals.ends}
        self.letters = self._letters()

    def _number(self, otherwise: Callable[[Number], str], value: Number) -> str:
        text = exact_or(otherwise, value, LONG)
        self.rounded |= ROUGHLY in text
        return text

    def _table(self, corner: Seen, numbers: Mapping[Hands, tuple[str, ...]], colors: tuple[str, ...]) -> _PayoffTable:
        down, across = self.hands
        cells = tuple(
            tuple(numbers.get((row, column), ()) for column in range(len(across))) for row in range(len(down))
        )
        return _PayoffTable(" ".join(corner), down, across, cells, colors)

    def _chances(self, corner: Seen, numbers: Mapping[Hands, Number]) -> _PayoffTable:
        return self._table(corner, {hands: (self._number(percent, p),) for hands, p in numbers.items()}, (INK,))

    def _end(self, history: int) -> _PayoffTables | tuple[str, ...]:
        paid = {
            seen: {
                hands: tuple(self._number(decimal, p[k]) for k in range(len(self.colors))) for hands, p in at.items()
            }
            for seen, at in self.deals.ends[history].items()
        }
        different = {numbers for at in paid.values() for numbers in at.values()}
        return different.pop() if len(different) == 1 else tuple(self._table(*at, self.colors) for at in paid.items())

    def _letters(self) -> dict[_PayoffTables, str]:
        drawn = Counter(end for end in self.ends.values() if isinstance(end[0], _PayoffTable))
        if sum(drawn.values()) <= max(_FEW, _ONCE * len(drawn) - 1):
            return {}
        letters = ("".join(each) for length in count(1) for each in product(ascii_uppercase, repeat=length))
        return dict(zip(drawn, (letter for letter in letters if letter not in self.badges), strict=False))

    def pieces(self) -> Iterator[_Piece]:
        public = self.deals.public
        at = {history: index for index, history in enumerate(self.shown)}
        for history in self.shown:
            width, height, begins, beside = SIZES.node, HEAD, 0.0, None
            if history == 0:
                wide, tall = _size(self.start)
                begins = max(_wide(self._deal) + 2 * SIZES.node + 12.0, wide + SIZES.node + 4.0)
                width, height = begins + SIZES.node, HEAD * 0.75 + tall
            elif history in self.ends:
                (wide, height), beside = self._beside(history)
                width = _DOT + wide
            elif history in self.folded:
                width = SIZES.node + 14.0
            above, player, move = int(public.parent[history]), int(public.player[history]), public.moves[history]
            label, items = shorten(move, 18), partial(self._items, history, begins, beside)
            edge = (label, SIZES.plain_line, move)
            yield _Piece(history, at.get(above, NONE), player, width, height, begins, *edge, items)

    @property
    def _deal(self) -> str:
        return f"deal: {self.each} each" if self.each else "deal"

    def _beside(self, history: int) -> tuple[Size, _Key]:
        """The size of what stands beside the dot of an end, and what draws it from its top left corner."""
        end, fall = self.ends[history], HEAD / 2 + _FALL * SIZES.label
        if isinstance(end[0], str):
            wide = _numbers_wide(end)
            return (wide, HEAD), lambda x, y: _numbers(end, self.colors, x + wide / 2, y + fall, history)
        if end in self.letters:
            letter = Text(0.0, fall, self.letters[end], SIZES.label, INK, "letter", history, bold=True)
            return (letter.width, HEAD), lambda x, y: [replace(letter, x=x, y=y + fall)]
        return _size(end), partial(_side_by_side, end, history)

    def _items(self, history: int, begins: float, beside: _Key | None, x: float, y: float) -> Iterator[Item]:
        middle, player = y + HEAD / 2, int(self.deals.public.player[history])
        if history == 0:
            yield Stroke(((x, middle), (x + begins, middle)), GREY, SIZES.plain_line, "stem", 0, 0)
            yield Mark("diamond", x, middle, SIZES.node, GREY, "chance", 0)
            yield Text(x + SIZES.node + 5.0, middle - 4.0, self._deal, SIZES.label, INK, "action", 0)
            yield from _side_by_side(self.start, 0, x, y + HEAD * 0.75)
        elif history in self.deals.opening:
            yield Mark("diamond", x - SIZES.node - 5.0, middle, 4.0, GREY, "opened", history)
        if beside is not None:
            yield Mark("circle", x, middle, SIZES.end, INK, "end", history)
            yield from beside(x + _DOT, y)
            return
        yield from node_of(x + begins, middle, player, self.badges, "decision")
        if history in self.folded:
            yield Text(x + SIZES.node + 4.0, middle + _FALL * SIZES.label, "…", SIZES.label, PALE, "stub", history)

    def key(self, tables: _PayoffTables, x: float, y: float) -> Iterator[Item]:
        base = y + HEAD / 2 + _FALL * SIZES.label
        yield Text(x, base, self.letters[tables], SIZES.label, INK, "letter", bold=True)
        yield from _side_by_side(tables, NONE, x + _KEY, y)

    def legend(self, panels: int) -> Iterator[LegendEntry]:
        public, hands = self.deals.public, self.deals.hands
        names = [(name_of(name, player), ink(player)) for player, name in enumerate(public.tree.players)]
        for player, (name, color) in enumerate(names):
            yield LegendEntry.node(player, self.badges, name, color)
        yield LegendEntry.node(CHANCE, self.badges, "chances of hands")
        sides = [
            (name, (way, INK)) for name, way, own in zip(names, ("down", "across"), hands, strict=True) if len(own) > 1
        ]
        heads = (("tables: hands of", INK), ("and of", INK))
        said = [(head, *side) for head, side in zip(heads, sides, strict=False)]
        yield LegendEntry((), 0.0, tuple(chain.from_iterable(said)))
        if len(self.deals.deals) < len(hands[0]) * len(hands[1]):
            yield LegendEntry.said("no number: never dealt")
        how = "an end, or its letter: payoffs of" if self.letters else "an end: payoffs of"
        yield LegendEntry.end(((how, INK), *names[: len(self.colors)]))
        if self.deals.opened:
            diamond = Mark("diamond", 4.0, 0, 4.0, GREY, "legend")
            words = "chance opens what stands in a table's corner; its chances beside those of hands"
            yield LegendEntry.said(words, (diamond,), 8.0)
        if self.rounded:
            yield ROUNDED
        if panels > 1:
            yield LegendEntry.again(int(public.player[0]), self.badges, panels)
        if self.folded:
            yield LegendEntry.note("…", "play goes on, not shown here", 0)


def compose_game(tree: GameTree, options: DrawOptions) -> Scene:
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
    level = levels(public.parent.tolist(), [NONE] * len(public))
    shown = [history for history, at in enumerate(level) if options.depth is None or at <= options.depth]
    check_size(len(shown), options, False)
    game = _Game(deals, shown, frozenset(h for h in shown if level[h] == options.depth and public.player[h] >= 0))
    pieces, tables = list(game.pieces()), list(game.letters)
    high = max((piece.height for piece in pieces[1:]), default=HEAD)
    plain = place_pieces(pieces, 4.0 if high == HEAD else _BETWEEN, **PLAIN)
    layouts = [_with_keys(plain, tables, beside) for beside in (False, True)[: 1 + bool(tables)]]
    about = (
        f"The game of {' and '.join(tree.players)} as the table sees it: {len(shown):,} of {len(public):,} "
        "public histories, drawn from left to right, with the chances of the deal at the start and the payoffs by the "
        "two players' hands at each end."
    )
    keys = [partial(game.key, table) for table in tables]
    return _composed(tree, options, pieces, layouts, about, game.legend, keys)


def _with_keys(plain: _PublicLayout, tables: Sequence[_PayoffTables], beside: bool) -> _PublicLayout:
    """*plain* with the tables under letters below it, or *beside* it."""
    sizes = [(_KEY + wide, tall) for wide, tall in map(_size, tables)]
    if beside:
        turned = _lines([(tall, wide) for wide, tall in sizes], plain.height, _BETWEEN, _KEY_GAP)
        keys = [(plain.width + 2 * _KEY_GAP + x, y) for y, x in turned]
    else:
        most = max(plain.width, LEAST_INNER)
        keys = [(x, plain.height + _KEY_GAP + y) for x, y in _lines(sizes, most, _KEY_GAP, _BETWEEN)]
    right = max([plain.width, *(x + wide for (x, _), (wide, _) in zip(keys, sizes, strict=True))])
    bottom = max([plain.height, *(y + tall for (_, y), (_, tall) in zip(keys, sizes, strict=True))])
    return replace(plain, width=right, height=bottom, keys=tuple(keys))


def _lines(sizes: Sequence[Size], most: float, gap: float, between: float) -> list[Point]:
    """Places along and across for things of these sizes, line after line of at most this length."""
    found, along, across, widest = [], 0.0, 0.0, 0.0
    for long, wide in sizes:
        if along and along + long > most:
            along, across, widest = 0.0, across + widest + between, 0.0
        found.append((along, across))
        along, widest = along + long + gap, max(widest, wide)
    return found
