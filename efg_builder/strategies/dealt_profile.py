"""Profiles on the tree of a dealt game, which can be asked by public turn and hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from ..base.errors import ProfileError
from ..base.rationals import Number
from ..base.words import quiet
from ..games.protocol import DealtGame, Game, PublicDecision
from .dense_rows import DenseRows
from .protocol import Asked, Strategy
from .sparse_profile import Behavior, SparseProfile
from .tree_profile import TreeProfile


@dataclass(frozen=True, eq=False, repr=False)
class DealtProfile(TreeProfile, Asked):
    """A ``TreeProfile`` of the dealt game ``rules``, whose tree it may be on."""

    rules: DealtGame | None = None

    @property
    def game(self) -> DealtGame:  # type: ignore[override]
        """The rules."""
        assert self.rules is not None
        return self.rules

    def at(self, turn: PublicDecision, hand: int) -> dict[str, Number]:
        """The row of that information set. Raises ``ProfileError`` where the tree is of another game."""
        k = self.tree.by_label.get(self.game.infoset_name(turn.player, hand, turn.history))
        if k is None or self.tree.infosets[k].actions != tuple(action for action, _ in turn.actions):
            raise ProfileError(f"the profile is not one of {self.game.title!r}: it is of {self.tree.title!r}")
        return dict(zip(self.tree.infosets[k].actions, self.probabilities[k], strict=True))

    def sparse(self) -> SparseProfile | None:
        """What differs from the default move, canonical; None where some of it is in floats."""
        if not self.exact:
            return None
        strategies: tuple[dict[str, dict[int, Behavior]], ...] = tuple({} for _ in self.game.players)
        for turn in self.game.turns():
            for hand in range(self.game.hand_counts[turn.player]):
                behavior = {action: Fraction(p) for action, p in self.at(turn, hand).items()}
                strategies[turn.player].setdefault(turn.history, {})[hand] = behavior
        return SparseProfile(self.game, strategies, self.name).canonical()

    def dense(self, player: int, progress: Callable[[str], None] = quiet) -> DenseRows | None:
        """As asked at all information sets."""
        return Asked.dense(self, player, progress)


Any = TypeVar("Any", bound=Strategy)


def dealt(strategy: Any, game: Game | None) -> Any | DealtProfile:
    """*strategy*, or where it is a profile on a tree and *game* is dealt, the same with its rules."""
    if isinstance(strategy, TreeProfile) and not isinstance(strategy, DealtProfile) and isinstance(game, DealtGame):
        return DealtProfile(strategy.tree, strategy.probabilities, strategy.name, strategy.written, game)
    return strategy
