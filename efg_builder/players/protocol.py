"""What a player is: a name, and a way to play any game it knows the rules of.

A player sits down at a :class:`Table` and says what it will do, in whichever of these forms suits it:

- a :class:`Policy`: a function from what the player sees, the public turn and the own hand, to probabilities. For
  any number of players and dice; whoever decides move by move (a rule of thumb, a neural net, a person, another
  program) is one.
- a :class:`~efg_builder.sparse_profile.SparseProfile`: what is played where play gets to, a default move elsewhere.
- a :class:`~efg_builder.profile.Profile`: all information sets of a tree, for games that are not dealt.
- a :class:`~efg_builder.wide_strategy.WideStrategy`: arrays over all histories of a two-player game of bidding.

Each tells what to do in every seat.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ..errors import NotApplicableError
from ..games.bidding import BiddingGame
from ..games.protocol import Game, PublicDecision
from ..profile import Profile
from ..rationals import Number
from ..sparse_profile import SparseProfile
from ..tree import GameTree
from ..wide_strategy import WideStrategy


@dataclass(frozen=True, slots=True)
class Policy:
    """A behavior strategy for every seat of a dealt game, as a function.

    ``at(turn, hand)``: the probabilities of the legal moves' labels, those left out being 0; exact fractions where
    they can be. ``turn`` is the public turn: its ``player``, the public ``history`` and the legal ``actions``.
    ``hand`` is the index of the mover's hand in ``game.hands[turn.player]``. ``last_bid_only`` promises, of games of
    bidding, that the answer depends on the mover, the hand and the last bid alone: that is what makes games with
    hundreds of millions of information sets measurable.
    """

    at: Callable[[PublicDecision, int], Mapping[str, Number]]
    last_bid_only: bool = False

    @property
    def name(self) -> str:
        """The function's name, or that of its type where it has none."""
        name = getattr(self.at, "__name__", None)
        return name if isinstance(name, str) else type(self.at).__name__


Play = Policy | SparseProfile | Profile | WideStrategy
"""What a player will do."""


@dataclass(frozen=True)
class Table:
    """What a player is told before play: the rules, where they are known, and a way to the tree.

    ``tree`` builds it when asked, and raises ``TreeTooLargeError``; ``timeout``: seconds to think beforehand;
    ``progress`` takes lines on what is happening.
    """

    game: Game | None
    tree: Callable[[], GameTree]
    timeout: float
    progress: Callable[[str], None]

    @property
    def title(self) -> str:
        """The game's title."""
        return self.game.title if self.game is not None else self.tree().title

    def bidding(self, name: str) -> BiddingGame:
        """The game of bidding that is played here. Raises ``NotApplicableError``, which names the player *name*."""
        if not isinstance(self.game, BiddingGame):
            raise NotApplicableError(f"{name} plays games of bidding only, such as liars-dice; {self.title} is none")
        return self.game


@dataclass(frozen=True)
class Player:
    """A player of the registry. ``sit`` raises ``NotApplicableError`` for games that it cannot play."""

    name: str
    summary: str
    sit: Callable[[Table], Play]
