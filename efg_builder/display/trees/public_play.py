"""The data at each public history with strategies: the mover's hands, and the probabilities of the moves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from ...base.errors import NotApplicableError
from ...base.rationals import Number
from ...base.words import full
from ...forms.extensive import CHANCE, NONE, GameTree
from ...forms.public_tree import PublicTree, public_tree
from ...proof.reach import expected_payoffs, reaches, settled
from ...strategies.sparse_profile import SparseProfile
from ...strategies.tree_profile import TreeProfile
from .options import DrawOptions
from .sizes import shortened

Range = tuple[Number, Number]  # the lowest and the highest probability
MANY_HANDS = 8
"""If a player has at most this number of hands, unreached hands are listed; otherwise, they are only counted."""

_VIEW_LETTERS = 18


@dataclass(frozen=True)
class HandCell:
    """The probability of a move with one hand."""

    shade: Number  # the probability; without a profile, its lower bound
    shown: tuple[Number, ...]  # the probability, both ends of a range, or nothing for 0
    known: str  # the end of the tooltip
    untold: bool = False  # whether the range is unknown: in every equilibrium, the hand's own moves avoid the history


@dataclass(frozen=True)
class HandRow:
    """A row of a table: a hand, or several hands that make the only move."""

    names: tuple[str, ...]
    likely: Number | None  # the belief: the probability of the hand at the history; None without a profile
    cells: tuple[HandCell, ...]
    opened: str = ""  # the outcome of public chance moves, e.g. a card

    @property
    def name(self) -> str:
        """The hand's name, or the number of hands."""
        return self.names[0] if len(self.names) == 1 else f"all {len(self.names)}"

    @property
    def never(self) -> bool:
        """Whether the hand never reaches the history."""
        return self.likely == 0


@dataclass(frozen=True)
class Move:
    """A move: a column of the table."""

    name: str
    then: int  # the next public history
    chance: Number | None  # the mean probability over hands; None without a profile
    ends: bool
    pays: tuple[Number, ...]  # the players' expected payoffs if the move ends play; empty without a profile


@dataclass(frozen=True)
class Turn:
    """A public history with its table."""

    history: int
    above: int  # the index of the previous turn, -1 for none
    by: int  # the column of the move from the previous turn to this turn
    player: int
    path: tuple[str, ...]
    hands: tuple[HandRow, ...]
    moves: tuple[Move, ...]
    never: int  # the number of moves that no hand makes
    absent: int  # the number of unreached hands that are not listed
    reach: Number | None  # the reach probability; None without a profile
    value: tuple[Number, ...] | None  # each player's expected payoff
    heading: str = "hand"  # the heading of the column of hands

    @cached_property
    def rows(self) -> Mapping[str, str]:
        return shortened(tuple(dict.fromkeys(hand.name for hand in self.hands)), _VIEW_LETTERS)

    @cached_property
    def columns(self) -> Mapping[str, str]:
        return shortened(tuple(move.name for move in self.moves), _VIEW_LETTERS)


@dataclass(frozen=True)
class _Flow:
    """The reach probability of each public history and each information set."""

    history: Sequence[Number]
    infoset: Sequence[Number]
    worth: Sequence[Sequence[Number]]  # [history, player]: the expected payoff times the reach probability

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
    """The data for pictures of the public histories of *tree* with *profile*.

    If *tree* is the support tree of ``sparse``, the game of ``sparse`` supplies the moves and hands that the tree
    lacks. Raises ``NotApplicableError`` if *tree* has no public tree, or if no player moves.
    """

    tree: GameTree
    profile: TreeProfile | None
    sparse: SparseProfile | None = None
    ranges: Mapping[tuple[int, int], Range] | None = None
    blanks: bool = False  # whether a turn lists the same moves and hands whatever the profile

    def __post_init__(self) -> None:
        if not self.public.infosets[0]:
            reason = f"no player moves in {self.tree.title!r}, so there is no table to draw"
            raise NotApplicableError(f'view="public": {reason}')

    @cached_property
    def public(self) -> PublicTree:
        return public_tree(self.tree)

    @cached_property
    def flow(self) -> _Flow | None:
        """The reach probabilities and expected payoffs; None without a profile, and on a worksheet."""
        return None if self.profile is None or self.blanks else _flow(self.public, self.profile)

    def turn(self, history: int, above: int, by: int) -> Turn:
        """Return the turn at *history*. The previous turn has the index *above*; *by* is the column of its move."""
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
        if len(hands) > MANY_HANDS and len(moves) == 1 and self.flow:  # all hands make the only move
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
            never=len(legal) - len(moves),
            absent=len(hands) - len(listed),
            reach=None if self.flow is None else self.flow.history[history],
            value=None if self.flow is None else self.flow.mean(history),
            heading="hand" if self.public.holds_hands(history) else "information set",
        )

    def _moves(self, history: int) -> list[Move]:
        """Return the moves at *history* with a positive probability in the profile or the ranges.

        Without a profile, or if the history is unreached, return all moves.
        """
        public, flow = self.public, self.flow
        here = None if flow is None else flow.history[history]
        found = []
        for then in public.children[history]:
            move, ends = public.moves[then], bool(public.player[then] < CHANCE)
            if flow is None or not here:
                found.append(Move(move, then, None, ends, ()))
            elif flow.history[then] or self._free(history, move):
                found.append(Move(move, then, flow.history[then] / here, ends, (flow.mean(then) or ()) if ends else ()))
        return found

    def _free(self, history: int, move: str) -> bool:
        sets = self.public.tree.infosets
        return self.ranges is not None and any(
            self.ranges.get((k, sets[k].actions.index(move)), (0, 0))[1] > 0
            for k in self.public.infosets[history]
            if move in sets[k].actions and (self.flow is None or self.flow.infoset[k] > 0)
        )

    def hands(self, history: int) -> Iterator[tuple[str, int, str, Number | None]]:
        """Yield the public cards, the information set, the name and the belief of each of the mover's hands."""
        groups: dict[str, list[int]] = {}
        for k in self.public.infosets[history]:
            groups.setdefault(self.public.opened.get(k, ""), []).append(k)
        for card, sets in groups.items():
            for k, name in zip(sets, self.public.hands_of(sets), strict=True):
                yield card, k, name, self._belief(history, k)

    def _belief(self, history: int, k: int) -> Number | None:
        if self.flow is None:
            return None
        reach = self.flow.history[history]
        return self.flow.infoset[k] / reach if reach else Fraction(0)

    def rank(self, card: str, name: str) -> tuple[int, str, int]:
        """Return a sort key of hands: by public cards, then by strength, as at the first history."""
        return self._ranks.get(card, 0), card, self._ranks.get(name, 0)

    @cached_property
    def _ranks(self) -> Mapping[str, int]:
        return {name: number for number, name in enumerate(self.public.hands(0))}

    def _hands(self, history: int, moves: Sequence[str]) -> list[HandRow]:
        found = [
            HandRow((name,), likely, tuple(self._cell(k, move, likely) for move in moves), card)
            for card, k, name, likely in self.hands(history)
        ]
        if len({row.opened for row in found}) > 1:
            found.sort(key=lambda row: self.rank(row.opened, row.name))
        return found

    def _cell(self, k: int, move: str, likely: Number | None) -> HandCell:
        actions = self.public.tree.infosets[k].actions
        a = actions.index(move) if move in actions else NONE
        p = None if self.profile is None or a == NONE else settled(self.profile.probabilities[k][a])
        if self.blanks:
            return HandCell(p or Fraction(0), () if p is None else (p,), "")
        return _cell(likely, p, self.ranges is not None, (self.ranges or {}).get((k, a)))


def turns_of(play: PublicPlay, options: DrawOptions) -> list[Turn]:
    """Return the turns at the shown public histories, in prefix order.

    The shown histories are the start and all histories up to ``options.depth``. With a profile, histories after the
    start must also have a reach probability above ``options.reach`` (0 if None).
    """
    limit = options.reach or 0
    found: list[Turn] = []
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


def _cell(likely: Number | None, p: Number | None, ranged: bool = False, ends: Range | None = None) -> HandCell:
    """Return the cell for a hand with belief *likely* and move probability *p*.

    *p* is None if the move is illegal, or if its probability is unknown. *ends* is the range of *p*, if known. *ranged*
    is true if the picture shows ranges.
    """
    known = "" if ends is None else f" ({full(ends[0])} to {full(ends[1])})"
    if likely == 0:  # the move of an unreached hand has no effect and may be arbitrary
        return HandCell(Fraction(0), (), f" (never gets here){known}")
    share = ends[0] if p is None and ends is not None else p or Fraction(0)
    shown = ends if ends is not None and ends[0] < ends[1] else (share,) if share else ()
    untold = not shown and ranged and ends is None and p is None
    return HandCell(share, shown, ("" if likely is None else f" {full(share)}") + known, untold)


def _all_hands(hands: list[HandRow], sparse: SparseProfile, player: int, columns: int) -> list[HandRow]:
    known = {hand.name: hand for hand in hands}
    every = sparse.game.hand_names[player]
    if not known.keys() <= set(every):
        return hands
    return [known.get(name) or HandRow((name,), Fraction(0), (_cell(0, None),) * columns) for name in every]


def _legal(sparse: SparseProfile, path: Sequence[str]) -> list[str]:
    game = sparse.game
    state = game.public_root()
    for move in path:
        state = dict(game.public_turn(state).actions)[move]  # type: ignore[union-attr]
    return [name for name, _ in game.public_turn(state).actions]  # type: ignore[union-attr]
