"""What a strategy is, and how one form of it becomes another.

Four forms, one file each: ``TreeProfile`` (a table over a tree), ``SparseProfile`` (written down where play reaches),
``DenseProfile`` (arrays over all histories) and ``Policy`` (a function). A strategy of a dealt game can be asked, by
public turn and hand; all other forms follow from the answers (``Asked``), and a form overrides what it can do faster.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Protocol, TypeGuard, TypeVar

import numpy as np

from ..base.errors import NotApplicableError, ParameterError
from ..base.rationals import Number
from ..base.words import quiet
from ..forms.extensive import GameTree
from ..games.bid_index import class_size, locate
from ..games.bidding import BiddingGame
from ..games.protocol import DealtGame, Game, PublicDecision
from .dense_rows import ArrayRows, DenseRows, Elsewhere
from .tree_profile import TreeProfile

if TYPE_CHECKING:
    from .sparse_profile import SparseProfile

MOST_ASKED = 2_000_000
"""Information sets at which a strategy is asked one by one, at most, to write it as arrays."""

PROGRESS_EVERY = 256
"""Histories between two lines of progress."""


@dataclass(frozen=True, slots=True)
class Written:
    """How much of a strategy stands in its file: ``sets[player]`` information sets; elsewhere it was completed."""

    sets: tuple[int, ...]
    elsewhere: Elsewhere


class Strategy(Protocol):
    """A behavior strategy for every seat of one game.

    ``game`` are the rules, None where only a tree is known. ``exact``: whether every probability is rational.
    ``written``: how much of it stands in its file; None for a strategy that needed no completion.
    """

    @property
    def name(self) -> str:
        """What it is called."""

    @property
    def game(self) -> Game | None:
        """The rules."""

    @property
    def exact(self) -> bool:
        """Whether every probability is rational."""

    @property
    def written(self) -> Written | None:
        """How much of it stands in its file."""

    def at(self, turn: PublicDecision, hand: int) -> Mapping[str, Number]:
        """The mover's probabilities by move, at the public *turn* with *hand* (an index); those left out are 0.

        Raises ``NotApplicableError`` where the game is not dealt.
        """

    def on(self, tree: GameTree) -> TreeProfile:
        """The same on the game's tree. Raises ``ProfileError`` where it is another game's."""

    def sparse(self) -> SparseProfile | None:
        """The same, written down where it is not the default move; None where it has no such exact form."""

    def dense(self, player: int, progress: Callable[[str], None] = quiet) -> DenseRows | None:
        """The rows of *player* (from 0) over all histories; None but for two players who bid."""


def is_strategy(value: object) -> TypeGuard[Strategy]:
    """Whether *value* has what a ``Strategy`` has."""
    return all(hasattr(value, needed) for needed in ("at", "on", "sparse", "dense"))


def check_strategy(call: str, value: object) -> None:
    """Raise ``ParameterError`` unless *value*, the argument of *call*, is a ``Strategy``."""
    if not is_strategy(value):
        hint = "solution.strategy is one" if hasattr(value, "strategy") else "eb.evaluate(...) takes names and files"
        raise ParameterError(f"{call}() takes a strategy, not {type(value).__name__}; {hint}")


class Asked:
    """The conversions of a strategy of a dealt game that follow from ``at`` alone."""

    game: DealtGame
    name: str
    written: Written | None = None

    def at(self, turn: PublicDecision, hand: int) -> Mapping[str, Number]:
        """See ``Strategy``."""
        raise NotImplementedError

    @cached_property
    def exact(self) -> bool:
        """Whether every answer is rational; asks at all information sets."""
        return all(
            isinstance(p, Fraction | int)
            for turn in self.game.turns()
            for hand in range(self.game.hand_counts[turn.player])
            for p in self.at(turn, hand).values()
        )

    def on(self, tree: GameTree) -> TreeProfile:
        """The same on the game's tree, or on one that was cut down to some of its actions.

        Raises ``ProfileError`` where the tree has an information set that the game has not, or lacks an action that
        is played.
        """
        index, name, rows = tree.by_label, self.game.infoset_name, dict[int, tuple[Number, ...]]()

        def known(turn: PublicDecision) -> bool:
            hands = range(self.game.hand_counts[turn.player])
            return any(name(turn.player, hand, turn.history) in index for hand in hands)

        for turn in self.game.turns(known):
            for hand in range(self.game.hand_counts[turn.player]):
                k = index.get(name(turn.player, hand, turn.history))
                if k is not None:
                    behavior = self.at(turn, hand)
                    rows[k] = tuple(behavior.get(action, Fraction(0)) for action in tree.infosets[k].actions)
        return TreeProfile.from_personal(tree, rows, self.name, self.written)

    def sparse(self) -> SparseProfile | None:
        """None: answers alone do not say where the default move is made."""
        return None

    def dense(self, player: int, progress: Callable[[str], None] = quiet) -> DenseRows | None:
        """See ``dense_rows``."""
        return dense_rows(self, self.game, player, progress)


def bidding_of_two(game: Game | None) -> BiddingGame | None:
    """*game* where it is a game of bidding for two players, which alone has arrays; else None."""
    return game if isinstance(game, BiddingGame) and len(game.players) == 2 else None


def dense_rows(
    strategy: Strategy, rules: DealtGame, player: int, progress: Callable[[str], None] = quiet
) -> DenseRows | None:
    """The answers of *strategy* at all information sets. Raises ``NotApplicableError`` above ``MOST_ASKED`` of them."""
    game = bidding_of_two(rules)
    if game is None:
        return None
    m, hands = len(game.bid_names), game.hand_counts[player]
    sets, done = class_size(m) * hands, 0
    if sets > MOST_ASKED:
        raise NotApplicableError(
            f"{game.title}: policy {strategy.name!r} would have to be asked at {sets:,} information sets, more than "
            f"{MOST_ASKED:,}; one that looks at the hand and the last bid alone is asked seldom: "
            "eb.Policy(function, last_bid_only=True); or, of a program, program:last_bid_only=true:command=COMMAND;"
            " of any other, write the probabilities into an .npz file (docs/strategies.md, 'As arrays')"
        )
    array, bids = np.zeros((class_size(m), hands)), {name: bid for bid, name in enumerate(game.bid_names)}
    for turn in game.turns():
        if turn.player != player:
            continue
        if done % PROGRESS_EVERY == 0:
            progress(f"{game.players[player]}, policy {strategy.name!r}: asked at {done * hands:,} of {sets:,} sets")
        index, done = locate(game.bids_of(turn.history))[1], done + 1
        for hand in range(hands):
            for action, p in strategy.at(turn, hand).items():
                if action in bids:
                    array[index | 1 << bids[action] >> 1, hand] = p
    return ArrayRows(array)


Named = TypeVar("Named", bound=Strategy)


def named(strategy: Named, name: str) -> Named:
    """*strategy* under another name; nothing is checked again."""
    found = copy.copy(strategy)
    object.__setattr__(found, "name", name)
    return found
