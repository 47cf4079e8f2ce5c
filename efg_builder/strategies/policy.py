"""Strategies defined by functions, such as a heuristic, a neural network, a person or another program."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from numbers import Real
from typing import Any

import numpy as np

from ..base.errors import (
    FAILURES,
    PASSED_ON,
    ParameterError,
    PlayerError,
    ProfileError,
    check_argument,
    check_functions,
    check_kind,
    misspelled,
)
from ..base.rationals import Number
from ..base.words import quiet
from ..forms.bidding_form import bids_at, class_size, last_bid
from ..forms.extensive import GameTree
from ..games.bidding import BiddingGame
from ..games.protocol import DealtGame, PublicDecision
from .dense_profile import DenseProfile
from .dense_rows import ByLastBid, DenseRows, blocks
from .sparse_profile import SparseProfile, towards
from .tree_profile import Strategy, TreeProfile, Written, check_distribution, check_tree


@dataclass(frozen=True, slots=True)
class Uncovered:
    """The end of a round, as the player at ``seat`` (from 0) sees it.

    ``hands``: the names of all players' hands. ``history``: the public history before the ``last`` move.
    """

    seat: int
    hands: tuple[str, ...]
    history: str
    last: str
    payoffs: tuple[Fraction, ...]


@dataclass(frozen=True, eq=False)
class Policy(Strategy):
    """A behavior strategy for every seat of a dealt game, defined by a function.

    Parameters
    ----------
    function : callable
        ``function(turn, hand)`` returns a mapping from moves to probabilities; omitted moves have probability 0.
        Fractions give exact results. ``turn`` has the mover ``player`` (from 0), the public ``history``, and the legal
        ``actions`` as pairs (label, next state). ``hand`` is an index in ``game.hands[turn.player]``.
    last_bid_only : bool, default False
        Whether, in a bidding game, the answer depends only on the mover, the hand and the last bid (not checked). Such
        policies can be evaluated at hundreds of millions of information sets.
    arrays : callable, optional
        A function without arguments that returns the strategy as a ``DenseProfile``, for two-player bidding games.
    on_end : callable, optional
        A function that receives an ``Uncovered`` at the end of each round.
    game : DealtGame, optional
        The game. If it is given, every answer is checked.
    name : str, optional
        A name for reports. The default is the name of *function*.

    Raises
    ------
    ParameterError
        If *function* is not a function, or *game* is not a dealt game.

    Examples
    --------
    >>> import efg_builder as eb
    >>> def lowest(turn, hand):
    ...     return {turn.actions[0][0]: 1}
    >>> eb.evaluate("kuhn", eb.Policy(lowest)).matches[0].nash_conv
    Fraction(2, 1)
    """

    function: Callable[[PublicDecision, int], Mapping[str, Number]]
    last_bid_only: bool = False
    arrays: Callable[[], DenseProfile] | None = None
    on_end: Callable[[Uncovered], None] | None = None
    game: DealtGame = None  # type: ignore[assignment]
    name: str = ""

    def __post_init__(self) -> None:
        check_argument("Policy", "function", self.function, self.function is not None, "a function")
        check_functions("Policy", function=self.function, arrays=self.arrays, on_end=self.on_end)
        if self.game is not None:
            check_kind("Policy", self.game, DealtGame, "a dealt game", "eb.game('liars-dice') makes a dealt game")
        if not self.name:
            name = getattr(self.function, "__name__", type(self.function).__name__)
            object.__setattr__(self, "name", str(name))

    @property
    def policy(self) -> Policy:
        """The policy itself."""
        return self

    def of(self, game: DealtGame) -> Policy:
        """Return the policy for *game*, so that its answers are checked."""
        check_kind("Policy.of", game, DealtGame, "a dealt game", "eb.game('liars-dice') makes a dealt game")
        return replace(self, game=game)

    def on(self, tree: GameTree) -> TreeProfile:
        """Return the profile on *tree*. If the policy has no rules, use the rules of the tree.

        Raises ``ParameterError`` if neither the policy nor the tree has the rules of a dealt game. The other exceptions
        are the same as for ``Strategy.on``.
        """
        if self.game is not None:
            return super().on(tree)
        check_tree("on", tree)
        dealt = None if tree.game is None else tree.game.dealt_game
        if dealt is None:
            raise ParameterError(
                f"neither {self.name} nor the tree has the rules of a dealt game; call Policy.of(game) first"
            )
        return self.of(dealt).on(tree)

    def at(self, turn: PublicDecision, hand: int) -> Mapping[str, Number]:
        """Return the function's answer, checked if the game is known; omitted moves have probability 0.

        *hand* is an index in ``game.hands[turn.player]``. Raises ``ProfileError`` if the answer is not a distribution
        over the legal moves, or the function raises an exception other than ``PlayerError``.
        """
        if self.game is None:
            return self.function(turn, hand)
        try:
            behavior = self.function(turn, hand)
        except (PlayerError, *PASSED_ON):
            raise  # the message of a ``PlayerError`` already names the player
        except FAILURES as error:
            said = f": {error}" if str(error) else ""
            raise self._error(turn, hand, f"it raised {type(error).__name__}{said}") from error
        legal, label = [a for a, _ in turn.actions], self.game.infoset_name(turn.player, hand, turn.history)
        if not isinstance(behavior, Mapping):
            right = f"probabilities by move such as {{{legal[0]!r}: 1}}"
            raise self._error(turn, hand, f"it returned {type(behavior).__name__}, not {right}")
        for action, p in behavior.items():
            if action not in legal:
                raise self._error(
                    turn, hand, f"{action!r} is not a move at {label!r}; {misspelled(str(action), legal)}"
                )
            if not isinstance(p, Real):
                raise self._error(turn, hand, f"the probability of {action!r} is {type(p).__name__}, not a number")
        try:
            check_distribution(tuple(behavior.values()), len(behavior), label)
        except ProfileError as error:
            raise self._error(turn, hand, str(error)) from None
        return behavior

    def _error(self, turn: PublicDecision, hand: int, problem: str) -> ProfileError:
        label, mover = self.game.infoset_name(turn.player, hand, turn.history), self.game.players[turn.player]
        where = f"policy {self.name!r} at {label!r} ({mover}, hand {hand}, history {turn.history!r})"
        return ProfileError(f"{where}: {problem}")

    def _rows_of(self, game: BiddingGame, player: int, progress: Callable[[str], None]) -> DenseRows:
        if self.arrays is not None:
            made = self.arrays()
            if made.game != game:
                raise ProfileError(f"the arrays are for {made.game.title!r}, not for {game.title!r}")
            return made.dense(player)
        return self._by_last_bid(game, player) if self.last_bid_only else super()._rows_of(game, player, progress)

    def _by_last_bid(self, game: BiddingGame, player: int) -> ByLastBid:
        m, hands = len(game.bid_names), game.hand_counts[player]
        table, bids = np.zeros((m + 1, hands, m)), {name: bid for bid, name in enumerate(game.bid_names)}
        # The first entry of each block represents all histories with the same last bid.
        for start, _ in blocks(class_size(m), class_size(m)):
            turn = towards(game, game.history(bids_at(player, start))).turns[-1]
            for hand in range(hands):
                for action, p in self.at(turn, hand).items():
                    if action in bids:
                        table[last_bid(player, start) + 1, hand, bids[action]] = p
        return ByLastBid(player, table)


def uniform_move(turn: PublicDecision, hand: int) -> dict[str, Fraction]:
    """Return equal probabilities, as fractions, for all legal moves."""
    share = Fraction(1, len(turn.actions))
    return {action: share for action, _ in turn.actions}


@dataclass(frozen=True, eq=False)
class Seated(Strategy):
    """A strategy in which ``strategies[player]`` (from 0) plays for *player*. Dense rows are cached."""

    strategies: tuple[Strategy, ...]
    name: str = "seated"
    written: Written | None = None
    _rows: dict[int, DenseRows | None] = field(default_factory=dict)

    @property
    def game(self) -> Any:
        return self.strategies[0].game

    @property
    def exact(self) -> bool:
        return all(strategy.exact for strategy in self.strategies)

    def at(self, turn: PublicDecision, hand: int) -> Mapping[str, Number]:
        return self.strategies[turn.player].at(turn, hand)

    def on(self, tree: GameTree) -> TreeProfile:
        """Return the profile on *tree*, with each player's probabilities from that player's strategy."""
        profiles = [strategy.on(tree) for strategy in self.strategies]
        rows = {k: profiles[tree.infosets[k].player].probabilities[k] for k in tree.personal}
        return TreeProfile.from_personal(tree, rows, self.name)

    def sparse(self) -> SparseProfile | None:
        """Return a sparse profile; None unless all strategies have sparse profiles."""
        dealt = None if self.game is None else self.game.dealt_game
        if dealt is None:
            return None
        mixed = []
        for player, strategy in enumerate(self.strategies):
            form = strategy.sparse()
            if form is None:
                return None
            mixed.append(form.strategies[player])
        return SparseProfile(dealt, tuple(mixed), self.name)

    def dense(self, player: int, progress: Callable[[str], None] = quiet) -> DenseRows | None:
        if player not in self._rows:
            self._rows[player] = self.strategies[player].dense(player, progress)
        return self._rows[player]
