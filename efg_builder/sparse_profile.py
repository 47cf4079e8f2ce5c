"""Behavior strategies of games no tree can hold: written down where play gets to, a default move elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from .errors import ProfileError
from .games.protocol import DealtGame, PublicDecision, State
from .profile import Profile, check_distribution
from .tree import GameTree

Behavior = Mapping[str, Fraction]
"""The probability of each action that is played; those left out are not."""


@dataclass(frozen=True, eq=False)
class SparseProfile:
    """A behavior strategy for every player of a dealt game.

    ``strategies[player][history][hand]`` is a :data:`Behavior`: ``history`` as in
    ``PublicDecision.history``, ``hand`` an index. Wherever nothing is written, the player makes the game's
    default move (``DealtGame.default_action``: the one after which play can end soonest).
    Raises ``ProfileError`` where a distribution is negative or does not sum to 1.
    """

    game: DealtGame
    strategies: tuple[Mapping[str, Mapping[int, Behavior]], ...]

    def __post_init__(self) -> None:
        if len(self.strategies) != len(self.game.players):
            raise ProfileError(f"{len(self.strategies)} strategies for {len(self.game.players)} players")
        for player, history, hand, behavior in self:
            label = self.game.infoset_name(player, hand, history)
            check_distribution(tuple(behavior.values()), len(behavior), label)

    def __iter__(self) -> Iterator[tuple[int, str, int, Behavior]]:
        """Everything that is written: (player, history, hand, behavior)."""
        for player, histories in enumerate(self.strategies):
            for history, hands in histories.items():
                for hand, behavior in hands.items():
                    yield player, history, hand, behavior

    def written(self, player: int, history: str) -> Mapping[int, Behavior]:
        """What *player* does at *history*, by hand; empty where the default is all there is."""
        return self.strategies[player].get(history, {})

    def at(self, turn: PublicDecision, hand: int) -> Behavior:
        """What the mover does at *turn* with *hand*, the default included."""
        found = self.written(turn.player, turn.history).get(hand)
        return found or {turn.actions[self.game.default_action(turn)][0]: Fraction(1)}

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """For each player, the information sets that are written down."""
        return tuple(sum(map(len, histories.values())) for histories in self.strategies)

    def on(self, tree: GameTree) -> Profile:
        """The same strategies on the game's tree, or on one that was cut down to some of its actions.

        Raises ``ProfileError`` where the tree has an information set the game does not, or lacks an action
        that is played.
        """
        index = {tree.infosets[k].label: k for k in tree.personal}
        rows: dict[int, tuple[Fraction, ...]] = {}
        for turn in self._turns(self.game.public_root(), index):
            for hand in range(self.game.hand_counts[turn.player]):
                k = index.get(self.game.infoset_name(turn.player, hand, turn.history))
                if k is not None:
                    behavior, actions = self.at(turn, hand), tree.infosets[k].actions
                    rows[k] = tuple(behavior.get(action, Fraction(0)) for action in actions)
        return Profile.from_personal(tree, rows)

    def _turns(self, root: State, labels: Mapping[str, int]) -> Iterator[PublicDecision]:
        """The public decisions of which some information set is in *labels*."""
        stack = [root]
        while stack:
            turn = self.game.public_turn(stack.pop())
            if not isinstance(turn, PublicDecision):
                continue
            hands = range(self.game.hand_counts[turn.player])
            if any(self.game.infoset_name(turn.player, hand, turn.history) in labels for hand in hands):
                yield turn
                stack += [state for _, state in turn.actions]
