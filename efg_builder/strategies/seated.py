"""Several strategies of one game, each in a seat of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from ..base.rationals import Number
from ..base.words import quiet
from ..forms.extensive import GameTree
from ..games.protocol import DealtGame, Game, PublicDecision
from .dense_rows import DenseRows
from .protocol import Strategy, Written
from .sparse_profile import SparseProfile
from .tree_profile import TreeProfile


@dataclass(frozen=True, eq=False)
class Seated:
    """The strategy in which ``strategies[player]`` plays the seat of *player* (from 0). It keeps its rows."""

    strategies: tuple[Strategy, ...]
    name: str = "seated"
    written: Written | None = None
    _rows: dict[int, DenseRows | None] = field(default_factory=dict)

    @property
    def game(self) -> Game | None:
        """That of all of them."""
        return self.strategies[0].game

    @property
    def exact(self) -> bool:
        """Whether all of them are."""
        return all(strategy.exact for strategy in self.strategies)

    def at(self, turn: PublicDecision, hand: int) -> Mapping[str, Number]:
        """What the mover's strategy does."""
        return self.strategies[turn.player].at(turn, hand)

    def on(self, tree: GameTree) -> TreeProfile:
        """Each player's sets from that player's strategy."""
        profiles = [strategy.on(tree) for strategy in self.strategies]
        rows = {k: profiles[tree.infosets[k].player].probabilities[k] for k in tree.personal}
        return TreeProfile.from_personal(tree, rows, self.name)

    def sparse(self) -> SparseProfile | None:
        """Where all of them have such a form."""
        forms = [strategy.sparse() for strategy in self.strategies]
        found = tuple(form.strategies[player] for player, form in enumerate(forms) if form is not None)
        if len(found) < len(forms) or not isinstance(self.game, DealtGame):
            return None
        return SparseProfile(self.game, found, self.name)

    def dense(self, player: int, progress: Callable[[str], None] = quiet) -> DenseRows | None:
        """The rows of that player's strategy."""
        if player not in self._rows:
            self._rows[player] = self.strategies[player].dense(player, progress)
        return self._rows[player]
