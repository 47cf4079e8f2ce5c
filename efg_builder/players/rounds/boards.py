"""The board of a round: the rules, the strategy in every seat, and the values of moves against this strategy.

``OnTable`` is for dealt games of any size. Its values come from the recursion of ``proof.sparse`` over public
histories. ``OnTree`` is for any game with a tree. Both have the same methods:

- ``dealt``: the rules of a dealt game, otherwise None;
- ``open``: whether every player sees all moves;
- ``deal(pick)``: the state after the deal, or before the first move;
- ``behavior(state, turn)``: the probability of each action; the sum is 1;
- ``reach(state)``: the reach probability of the mover's information set if all players play by the strategy;
- ``states(most)``: a state at each information set, unless there are more than *most*;
- ``holding(player, hand, public)``: a state in which *player* moves with *hand* at the public state *public*;
- ``values(player)``: the values of moves against the strategy in all other seats;
- ``hand``: a player's hand, empty in a game without hands;
- ``seen``: the events that the mover has seen;
- ``uncovered``: the hand of each player, or the outcome of each chance event.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import prod
from typing import cast

import numpy as np

from ...base.errors import NotApplicableError
from ...base.rationals import Number
from ...base.words import distinct, quiet
from ...forms.extensive import CHANCE, NONE, GameTree, Infoset
from ...forms.public_tree import public_tree
from ...forms.subject import Subject
from ...games.protocol import Chance, Deal, DealtGame, Decision, End, Game, PublicDecision, State, Turn
from ...proof import best_response, values
from ...proof.sparse import Ends, Reaches, Weights, Worths, parted, played, respond, respond_at
from ...strategies.sparse_profile import SparseProfile, alike_openings, towards
from ...strategies.tree_profile import Strategy, TreeProfile

Row = tuple[Fraction, ...]  # one number for each action of a turn, in order
Rows = Callable[[PublicDecision, int], Mapping[str, Fraction]]
"""A strategy for all seats: the positive probabilities at a public turn with a hand (its index)."""

Pick = Callable[[Sequence[Fraction]], int]  # a random draw, from probabilities to an index
MAX_TURNS = 20_000  # maximum number of the human's turns that the opponents reach; more turns take minutes


@dataclass(frozen=True)
class Event:
    """An action of ``player`` (from 0), or the outcome of the chance event ``label`` (``player`` is -1)."""

    player: int
    action: str
    label: str = ""


@dataclass(frozen=True)
class Values:
    """One player's values, as defined in ``players.rounds``. ``at(state)`` returns the value of each action."""

    start: Fraction
    at: Callable[[State], Row]


def single_spaced(label: str) -> str:
    """Return *label* as a person types it: without repeated blanks, and without blanks at its ends."""
    return " ".join(label.split())


def exact(row: Sequence[Number]) -> Row:
    """Convert a distribution exactly to fractions, and normalize it."""
    numbers = [Fraction(p) for p in row]
    total = sum(numbers, Fraction(0))
    return tuple(numbers) if total == 1 else tuple(p / total for p in numbers)


@dataclass(frozen=True, eq=False)
class OnTable:
    """A board of a dealt game. A state is None before the deal, then a pair of the deal and the public state.

    ``names`` replaces the players' names in the rules. ``sparse`` is the strategy of ``rows``, if it is sparse.
    """

    game: DealtGame
    rows: Rows
    open: bool = True
    names: tuple[str, ...] = ()
    progress: Callable[[str], None] = quiet
    sparse: SparseProfile | None = None
    _known: dict[int, Values] = field(default_factory=dict)

    @property
    def dealt(self) -> DealtGame:
        return self.game

    @property
    def title(self) -> str:
        return self.game.title

    @property
    def players(self) -> tuple[str, ...]:
        return self.names or self.game.players

    def root(self) -> State:
        return self.game.root()

    def deal(self, pick: Pick) -> State:
        game = self.game
        if game.hand_probabilities is None:
            hands = game.deals[pick([deal.probability for deal in game.deals])].hands
        else:  # draw the hands one by one, without a list of all deals
            hands = tuple(map(pick, game.hand_probabilities))
        return Deal(Fraction(1), hands), game.public_root()

    def holding(self, player: int, hand: int, public: State) -> State:
        """Return a state with *hand*; the hands of the other players are arbitrary."""
        return Deal(Fraction(1), tuple(hand if p == player else 0 for p in range(len(self.game.players)))), public

    def states(self, most: int) -> Iterator[State]:
        game, size = self.game, self.game.size()
        ahead = [game.public_root()] if sum(size.infosets) <= most else []
        while ahead:
            public = ahead.pop()
            turn = game.public_turn(public)
            if isinstance(turn, PublicDecision):
                ahead += [then for _, then in turn.actions]
                yield from (self.holding(turn.player, hand, public) for hand in range(game.hand_counts[turn.player]))

    def reach(self, state: State) -> Fraction:
        deal, public = state
        here = decision(self.game, public)
        way = towards(self.game, here.history)
        weights = [list(own) for own in self.game.hand_probabilities or ()]  # hands are independent (``board_for``)
        for before, action in zip(way.turns, way.moves, strict=False):
            label = before.actions[action][0]
            own = weights[before.player]
            own[:] = [p and p * self.rows(before, hand).get(label, Fraction(0)) for hand, p in enumerate(own)]
        held: Fraction = weights.pop(here.player)[deal.hands[here.player]]
        return held * prod(map(sum, weights))

    def turn(self, state: State) -> Turn:
        return self.game.turn(state)

    def behavior(self, state: State, turn: Decision) -> Row:
        deal, public = state
        played = self.rows(decision(self.game, public), deal.hands[turn.player])
        return tuple(played.get(action, Fraction(0)) for action, _ in turn.actions)

    def hand(self, state: State, player: int) -> str:
        hand: int = state[0].hands[player]
        return str(self.game.hands[player][hand])

    def seen(self, state: State) -> tuple[Event, ...]:
        way = towards(self.game, decision(self.game, state[1]).history)
        steps = zip(way.turns, way.moves, strict=False)
        return tuple(Event(turn.player, turn.actions[action][0]) for turn, action in steps)

    def uncovered(self, state: State) -> tuple[tuple[str, str], ...]:
        return tuple((name, self.hand(state, player)) for player, name in enumerate(self.players))

    def values(self, player: int) -> Values:
        """Return the values, computed in one pass over the turns of *player* that the other strategies reach.

        Raises ``NotApplicableError`` if there are too many of these turns.
        """
        if player not in self._known:
            self._known[player] = _values(self, player)
        return self._known[player]


def decision(game: DealtGame, public: State) -> PublicDecision:
    """Return the turn at *public*, a state at which a player moves."""
    return cast("PublicDecision", game.public_turn(public))


def _values(board: OnTable, player: int) -> Values:
    game, ends, entered = board.game, Ends(board.game), 0
    # For each turn of the player: the opponents' reach probability p (over all hands), and p times the payoff of each
    # action for each hand of the player. The first turns are computed at once; a later turn is computed when play
    # reaches it.
    computed: dict[str, tuple[Fraction, list[Worths]]] = {}

    def enter(turn: PublicDecision) -> None:
        nonlocal entered
        if turn.player == player:
            entered += 1
            board.progress(f"computing the values of moves: {entered:,} of your turns (at most {MAX_TURNS:,})")
        if entered > MAX_TURNS:
            what = f"the strategy reaches more than {MAX_TURNS:,} of your turns, too many to compute values of moves"
            way = "use a solution of 'solve', or play without hints ('play --players')"
            raise NotApplicableError(f"{game.title}: {what}; {way}")

    def leave(turn: PublicDecision, reaches: Reaches, worths: list[Worths]) -> None:
        others = (Fraction(sum(reach[1]), reach[0]) for other, reach in enumerate(reaches) if other != player)
        computed[turn.history] = prod(others, start=Fraction(1)), worths

    def moves(turn: PublicDecision, reach: Weights) -> Iterator[tuple[int, Weights]]:
        if board.sparse is not None:
            return played(board.sparse, turn, reach)
        behaviors = {hand: board.rows(turn, hand) for hand, weight in enumerate(reach[1]) if weight}
        return parted(turn, reach, behaviors)

    alike = alike_openings(board.sparse) if board.sparse is not None and player == 0 else {}
    start, _ = respond(game, player, moves, ends, enter, leave, first=True, alike=alike)

    def at(state: State) -> Row:
        deal, public = state
        turn = decision(game, public)
        if turn.history not in computed:
            way = towards(game, turn.history)
            steps = list(zip(way.turns, way.moves, strict=False))  # the last of ``way.turns`` is *turn*
            leave(turn, *respond_at(game, player, moves, ends, steps, turn))
        reach, worths = computed[turn.history]
        return tuple(each.of(deal.hands[player]) / reach for each in worths)

    return Values(start, at)


def on_table_rows(strategy: Strategy, keep: bool = True) -> Rows:
    """Return *strategy* as a function of public turn and hand. *keep*: whether to cache its results."""
    if (sparse := strategy.sparse_profile) is not None:
        return sparse.played
    cached: dict[tuple[int, str, int], dict[str, Fraction]] = {}

    def rows(turn: PublicDecision, hand: int) -> dict[str, Fraction]:
        key = turn.player, turn.history.rpartition(" ")[2] if strategy.last_bid_only else turn.history, hand
        if key in cached:
            return cached[key]
        behavior = strategy.at(turn, hand)
        row = dict(zip(behavior, exact(tuple(behavior.values())), strict=True))
        return cached.setdefault(key, row) if keep else row

    return rows


@dataclass(frozen=True, eq=False)
class OnTree:
    """A board on a tree, with the probabilities at each information set. A state is a node.

    Labels are made unique and single-spaced, because players also type them.
    """

    tree: GameTree
    rows: Sequence[Row]
    game: Game | None = None
    _known: dict[int, Values] = field(default_factory=dict)

    @cached_property
    def dealt(self) -> DealtGame | None:
        return None if self.game is None else Subject.of(self.game).dealt

    @property
    def title(self) -> str:
        return single_spaced(self.tree.title)

    @cached_property
    def players(self) -> tuple[str, ...]:
        return distinct(map(single_spaced, self.tree.players), empty=True)

    @cached_property
    def open(self) -> bool:
        """Whether public histories can be distinguished, as in ``forms.public_tree``."""
        try:
            public_tree(self.tree)
        except NotApplicableError:
            return False
        return True

    @cached_property
    def _labels(self) -> tuple[str, ...]:
        labels = [single_spaced(name) for name in self.tree.names]
        for player in range(CHANCE, len(self.tree.players)):
            mine = [k for k, infoset in enumerate(self.tree.infosets) if infoset.player == player]
            for k, name in zip(mine, distinct(labels[k] for k in mine), strict=True):
                labels[k] = name
        return tuple(labels)

    @cached_property
    def places(self) -> dict[tuple[int, str], int]:
        """One node of each information set, by player and name."""
        first = np.unique(self.tree.infoset, return_index=True)[1]
        turns = ((self.turn(node), node) for node in first.tolist())
        return {(turn.player, turn.infoset): node for turn, node in turns if isinstance(turn, Decision)}

    @cached_property
    def _reaches(self) -> Sequence[Fraction]:
        return values(TreeProfile(self.tree, tuple(self.rows))).reach  # type: ignore[return-value]

    def reach(self, state: State) -> Fraction:
        return self._reaches[int(self.tree.infoset[state])]

    def states(self, most: int) -> Iterator[State]:
        yield from self.places.values() if len(self.places) <= most else ()

    def holding(self, player: int, hand: int, public: State) -> State:
        game = cast("DealtGame", self.dealt)
        return self.places[player, game.infoset_name(player, hand, decision(game, public).history)]

    def deal(self, pick: Pick) -> State:
        return self.root()

    @cached_property
    def _paid(self) -> list[Row]:
        paid: list[Row] = []
        for above, outcome in zip(self.tree.parent.tolist(), self.tree.outcome.tolist(), strict=True):
            here = self.tree.payoffs[outcome]
            paid.append(here if above == NONE else tuple(a + b for a, b in zip(paid[above], here, strict=True)))
        return paid

    def root(self) -> State:
        return 0

    def turn(self, state: State) -> Turn:
        k, outcome = int(self.tree.infoset[state]), int(self.tree.outcome[state])
        if k == NONE:
            return End(self._paid[state], single_spaced(self.tree.outcomes[outcome].label) if outcome != NONE else "")
        infoset, children = self.tree.infosets[k], self.tree.children(state)
        names = distinct(map(single_spaced, infoset.actions))
        if infoset.probabilities is not None:
            return Chance(self._labels[k], tuple(zip(names, infoset.probabilities, children, strict=True)))
        return Decision(infoset.player, self._labels[k], tuple(zip(names, children, strict=True)))

    def behavior(self, state: State, turn: Decision) -> Row:
        return self.rows[int(self.tree.infoset[state])]

    def hand(self, state: State, player: int) -> str:
        """Return the hand in a dealt game; empty in other games, whose information sets name all observations."""
        return "" if self.dealt is None else dict(self.uncovered(state)).get(self.players[player], "")

    def seen(self, state: State) -> tuple[Event, ...]:
        """Return the mover's moves, and the other moves on the paths to all nodes of the information set."""
        tree, here = self.tree, int(self.tree.infoset[state])
        mover, way = tree.infosets[here].player, self._way(state)
        common = {k for k, each in enumerate(way) if each.player != mover}
        for (node,) in np.argwhere(tree.infoset == here).tolist():
            if not common:
                break
            other_way = self._way(node)
            common = {k for k in common if k < len(other_way) and _alike(way[k], other_way[k])}
        return tuple(each for k, each in enumerate(way) if each.player == mover or k in common)

    def _way(self, node: int) -> list[Event]:
        steps = [(event, distinct(map(single_spaced, event.actions))[action]) for event, action in self._steps(node)]
        return [Event(event.player, action, single_spaced(event.label)) for event, action in reversed(steps)]

    def _steps(self, node: int) -> Iterator[tuple[Infoset, int]]:
        """Yield the information set and the index of the action for each step to *node*, the last step first."""
        while node:
            above = int(self.tree.parent[node])
            yield self.tree.infosets[int(self.tree.infoset[above])], int(self.tree.action[node])
            node = above

    def uncovered(self, state: State) -> tuple[tuple[str, str], ...]:
        """Return the hands in a dealt game, and the chance events on the path in other games."""
        way = list(self._steps(state))
        if self.dealt is not None:
            hands = self.dealt.deals[way[-1][1]].hands
            return tuple((name, self.dealt.hands[p][hands[p]]) for p, name in enumerate(self.players))
        rolls = [(event, event.actions[action]) for event, action in reversed(way) if event.player == CHANCE]
        return tuple((single_spaced(event.label), single_spaced(action)) for event, action in rolls)

    def values(self, player: int) -> Values:
        """Return the values, computed by backward induction. Raises ``NotApplicableError`` without perfect recall."""
        if player not in self._known:
            self._known[player] = _tree_values(self, player)
        return self._known[player]


def _alike(one: Event, other: Event) -> bool:
    """Whether both events are the same move. Equal chance events may have different labels, so labels are ignored."""
    return (one.player, one.action) == (other.player, other.action)


def _tree_values(board: OnTree, player: int) -> Values:
    tree = board.tree
    best = best_response(TreeProfile(tree, tuple(board.rows)), player)

    def at(state: State) -> Row:
        k = int(tree.infoset[state])
        if not best.reach.get(k):
            never = f"the other players never reach {board.turn(state).infoset!r}"  # type: ignore[union-attr]
            raise NotApplicableError(f"{never}, so the values of moves are unknown there")
        actions = range(len(tree.infosets[k].actions))
        return tuple(Fraction(best.gains[k, action]) / Fraction(best.reach[k]) for action in actions)

    return Values(Fraction(best.value), at)


def on_tree_rows(strategy: Strategy, tree: GameTree) -> tuple[Row, ...]:
    """Return the row of *strategy* at each information set of *tree*, including chance. Raises ``ProfileError``."""
    return tuple(map(exact, strategy.on(tree).probabilities))


Board = OnTable | OnTree


def decision_at(board: Board, state: State) -> Decision:
    """Return the turn at *state*, at which a player moves."""
    return cast("Decision", board.turn(state))


def refused(board: Board) -> dict[int, NotApplicableError]:
    """Return the seats (from 0) that a human cannot take, with the errors of ``board.values``."""
    errors = {}
    for seat in range(len(board.players)):
        try:
            board.values(seat)
        except NotApplicableError as error:
            errors[seat] = error
    return errors
