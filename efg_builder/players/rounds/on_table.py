"""A board for dealt games of two players, of any size: values by recursion over public histories.

What moves are worth comes from the recursion of ``proof.sparse``. A strategy that makes the default move where nothing
is written leads to few histories, so that the size of the game hardly matters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from ...base.errors import NotApplicableError
from ...games.protocol import DealtGame, Decision, PublicDecision, State, Turn
from ...proof.sparse import Ends, Weights, parted, respond
from ...strategies.policy import Policy
from ...strategies.protocol import Strategy
from ...strategies.sparse_profile import SparseProfile
from .board import Row, Values, exact

Rows = Callable[[PublicDecision, int], Mapping[str, Fraction]]
"""A strategy for both seats: at a public turn and with a hand (its index), the probabilities; those left out are 0."""

MAX_TURNS = 20_000
"""Own turns that the opponent's strategy may lead to: more would take minutes."""


def suits(game: object) -> bool:
    """Whether *game* can be played on this board: two players, one deal of independent hands, then public play."""
    return isinstance(game, DealtGame) and len(game.players) == 2 and game.hand_probabilities is not None


@dataclass(frozen=True, eq=False)
class OnTable:
    """See ``Board``; a state is None before the deal, then the deal and the public state.

    ``names``: what the players are called here, where not as in the rules.
    """

    game: DealtGame
    rows: Rows
    open: bool = True
    names: tuple[str, ...] = ()
    _known: dict[int, Values] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """The game's title."""
        return self.game.title

    @property
    def players(self) -> tuple[str, ...]:
        """The players' names."""
        return self.names or self.game.players

    def root(self) -> State:
        """Nothing has been dealt."""
        return self.game.root()

    def turn(self, state: State) -> Turn:
        """The game's own."""
        return self.game.turn(state)

    def behavior(self, state: State, turn: Decision) -> Row:
        """What the mover's hand plays."""
        deal, public = state
        found = self.rows(_decision(self.game, public), deal.hands[turn.player])
        return tuple(found.get(action, Fraction(0)) for action, _ in turn.actions)

    def hand(self, state: State, player: int) -> str:
        """The name of the hand."""
        hand: int = state[0].hands[player]
        return self.game.hands[player][hand]

    def uncovered(self, state: State) -> tuple[tuple[str, str], ...]:
        """Both hands."""
        return tuple((name, self.hand(state, player)) for player, name in enumerate(self.players))

    def values(self, player: int) -> Values:
        """By one pass over all that the opponent's strategy leads to.

        Raises ``NotApplicableError`` where that is more than ``MAX_TURNS`` own turns, or play is too deep.
        """
        if player not in self._known:
            self._known[player] = _values(self, player)
        return self._known[player]


def _decision(game: DealtGame, public: State) -> PublicDecision:
    turn = game.public_turn(public)
    assert isinstance(turn, PublicDecision)
    return turn


@dataclass(frozen=True)
class _Turn:
    """An own turn: ``reach``, how likely the opponent (over all hands) plays towards it, and each action's worth by
    own hand, weighted by that."""

    reach: Fraction
    worths: tuple[Weights, ...]


def _values(board: OnTable, player: int) -> Values:
    game, found, entered = board.game, dict[str, _Turn](), list[PublicDecision]()

    def enter(turn: PublicDecision) -> None:
        entered.extend([turn] * (turn.player == player))
        if len(entered) > MAX_TURNS:
            what = f"the strategy leads to more than {MAX_TURNS:,} turns of yours, too many to say what moves are worth"
            raise NotApplicableError(f"{game.title}: {what}; play against a sparse one, such as the oracle's")

    def leave(turn: PublicDecision, reach: Weights, worths: list[Weights]) -> None:
        found[turn.history] = _Turn(Fraction(sum(reach[1]), reach[0]), tuple(worths))

    def moves(turn: PublicDecision, reach: Weights) -> Iterator[tuple[int, Weights]]:
        behaviors = {hand: board.rows(turn, hand) for hand, weight in enumerate(reach[1]) if weight}
        return parted(turn, reach, behaviors)

    start, _ = respond(game, player, moves, Ends(game, None), enter, leave)

    def at(state: State) -> Row:
        deal, public = state
        hand, here = deal.hands[player], found[_decision(game, public).history]
        return tuple(Fraction(row[hand], d) / here.reach for d, row in here.worths)

    return Values(start, at)


def on_table_rows(strategy: Strategy, keep: bool = True) -> Rows:
    """*strategy* by public turn and hand. With *keep* it is asked once for the same. Raises what asking raises."""
    if isinstance(strategy, SparseProfile):
        return strategy.played
    known: dict[tuple[int, str, int], dict[str, Fraction]] = {}

    def rows(turn: PublicDecision, hand: int) -> dict[str, Fraction]:
        by_last = isinstance(strategy, Policy) and strategy.last_bid_only
        key = turn.player, turn.history.rpartition(" ")[2] if by_last else turn.history, hand
        if key in known:
            return known[key]
        behavior = strategy.at(turn, hand)
        row = dict(zip(behavior, exact(tuple(behavior.values())), strict=True))
        return known.setdefault(key, row) if keep else row

    return rows
