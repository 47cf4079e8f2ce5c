"""Everything a picture of public histories says, as numbers, before it has a place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ...base.rationals import Number
from ...forms.extensive import CHANCE, NONE
from ...forms.extensive.checks import scaled_payoffs
from ...forms.public_tree import PublicTree
from ...proof.reach import reaches, settled
from ...strategies.sparse_profile import SparseProfile
from ...strategies.tree_profile import Profile
from .options import DrawOptions

MANY_HANDS = 8
"""Where a player has more hands than this, those that never get somewhere are counted there instead of listed."""


@dataclass(frozen=True)
class Hand:
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
    hands: tuple[Hand, ...]
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


def turns_of(
    public: PublicTree, profile: Profile | None, options: DrawOptions, sparse: SparseProfile | None
) -> list[Turn]:
    """The public histories that are shown, in prefix order.

    With a profile, those reached with more than ``options.reach`` (None counts as 0: what is never reached is
    never shown); no deeper than ``options.depth``; the start always. *sparse* are strategies of which the tree
    holds no more than what they play: they know the moves and hands that are left out.
    """
    look = _Look(public, profile, None if profile is None else _flow(public, profile), sparse)
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
class _Look:
    """At one public history after the other."""

    public: PublicTree
    profile: Profile | None
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

    def _hands(self, history: int, moves: Sequence[str]) -> list[Hand]:
        found, flow = [], self.flow
        for k, name in zip(self.public.infosets[history], self.public.hands(history), strict=True):
            likely = None
            if flow is not None:
                likely = flow.infoset[k] / flow.history[history] if flow.history[history] else Fraction(0)
            row: Mapping[str, Number] = {}
            if self.profile is not None:
                actions = self.public.tree.infosets[k].actions
                row = dict(zip(actions, map(settled, self.profile.probabilities[k]), strict=True))
            found.append(Hand((name,), likely, tuple(row.get(move) for move in moves)))
        return found


def _flow(public: PublicTree, profile: Profile) -> _Flow:
    tree = public.tree
    paid, scale = scaled_payoffs(tree)
    players = range(len(tree.players))
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
            continue
        for player in players:
            worth[of[node]][player] += likely * Fraction(int(paid[node][player]), scale)
    for then in range(len(public) - 1, 0, -1):  # prefix order: what follows comes later
        for player in players:
            worth[public.parent[then]][player] += worth[then][player]
    return _Flow(history, infoset, [tuple(row) for row in worth])


def _mean(flow: _Flow, history: int) -> tuple[Number, ...] | None:
    likely = flow.history[history]
    return tuple(total / likely for total in flow.worth[history]) if likely else None


def _joined(hands: Sequence[Hand]) -> tuple[Hand, ...]:
    """Hands that all make the one move there is, in one row."""
    names = tuple(hand.name for hand in hands)
    return (Hand(names, sum((hand.likely or 0 for hand in hands), start=Fraction(0)), hands[0].cells),)


def _all_hands(hands: list[Hand], sparse: SparseProfile, player: int, columns: int) -> list[Hand]:
    """*hands*, and those that never get there, in the order of the game."""
    known = {hand.name: hand for hand in hands}
    every = sparse.game.hands[player]
    if not known.keys() <= set(every):
        return hands
    return [known.get(name) or Hand((name,), Fraction(0), (None,) * columns) for name in every]


def _legal(sparse: SparseProfile, path: Sequence[str]) -> list[str]:
    """The moves that there are after those of *path*, in the order of the game."""
    game = sparse.game
    state = game.public_root()
    for move in path:
        state = dict(game.public_turn(state).actions)[move]  # type: ignore[union-attr]
    return [name for name, _ in game.public_turn(state).actions]  # type: ignore[union-attr]
