"""What a player is: a name, and a way to play any game it knows the rules of.

A player sits down at a ``Table`` and says what it will do, in whichever of these forms suits it:

- a ``Policy``: a function from what the player sees, the public turn and the own hand, to probabilities. For
  any number of players and dice; whoever decides move by move (a rule of thumb, a neural net, a person, another
  program) is one.
- a ``SparseProfile``: what is played where play gets to, a default move elsewhere.
- a ``Profile``: all information sets of a tree, for games that are not dealt.
- a ``WideStrategy``: arrays over all histories of a two-player game of bidding.

Each tells what to do in every seat.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ..base.errors import NotApplicableError, ParameterError
from ..base.rationals import Number
from ..forms.extensive import GameTree
from ..games.bidding import BiddingGame
from ..games.parameters import Parameter, read_settings
from ..games.protocol import Game, PublicDecision
from ..strategies.dense_profile import WideStrategy
from ..strategies.sparse_profile import SparseProfile
from ..strategies.tree_profile import Profile


@dataclass(frozen=True, slots=True)
class Uncovered:
    """The end of a round, as everybody at the table sees it.

    ``seat``: of the player who is told (from 0); ``hands``: the names of all hands; ``history``: the public history
    before the last move; ``last``: that move; ``payoffs``: one for each player.
    """

    seat: int
    hands: tuple[str, ...]
    history: str
    last: str
    payoffs: tuple[Fraction, ...]


@dataclass(frozen=True, slots=True)
class Policy:
    """A behavior strategy for every seat of a dealt game, as a function.

    ``at(turn, hand)``: the probabilities of the legal moves' labels, those left out being 0; exact fractions where
    they can be. ``turn`` is the public turn: its ``player``, the public ``history`` and the legal ``actions``.
    ``hand`` is the index of the mover's hand in ``game.hands[turn.player]``. ``last_bid_only`` promises, of games of
    bidding, that the answer depends on the mover, the hand and the last bid alone: that is what makes games with
    hundreds of millions of information sets measurable. ``wide()``, where there is one, gives the same strategy as
    arrays over all histories of the two-player game of bidding that was sat down to, for those that are quicker at
    answering everything at once. ``told``, where there is one, is called when a round that was played is uncovered.
    """

    at: Callable[[PublicDecision, int], Mapping[str, Number]]
    last_bid_only: bool = False
    wide: Callable[[], WideStrategy] | None = None
    told: Callable[[Uncovered], None] | None = None

    @property
    def name(self) -> str:
        """The function's name, or that of its type where it has none."""
        name = getattr(self.at, "__name__", None)
        return name if isinstance(name, str) else type(self.at).__name__


Play = Policy | SparseProfile | Profile | WideStrategy
"""What a player will do."""


def _nobody(word: str) -> Play:
    raise NotApplicableError(f"no best response to {word!r}: this table knows of no other players")


@dataclass(frozen=True)
class Table:
    """What a player is told before play: the rules, where they are known, and a way to the tree.

    ``tree`` builds it when asked, and raises ``TreeTooLargeError``; ``timeout``: seconds to think beforehand;
    ``progress`` takes lines on what is happening. ``respond(word)`` is, for each seat, a best response to the player or
    file that *word* names in all other seats; it raises what finding and measuring that one raises. ``live`` promises
    that a policy is asked for each move when it comes to it, in play, and not at all information sets beforehand: only
    then a person can sit down.
    """

    game: Game | None
    tree: Callable[[], GameTree]
    timeout: float
    progress: Callable[[str], None]
    respond: Callable[[str], Play] = _nobody
    live: bool = False

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
    """A player of the registry.

    ``sit(table, **settings)`` raises ``NotApplicableError`` for games that it cannot play. ``parameters`` can be set
    with the name: ``"zero-intelligence:call_z=0.3:tail=exact"``. Where there is one parameter that is nearly always
    given, such as a file, ``main`` is its name, and ``"NAME:VALUE"`` sets it: all text after the first colon.
    """

    name: str
    summary: str
    sit: Callable[..., Play]
    parameters: tuple[Parameter, ...] = ()
    main: str = ""

    def settings(self, text: str) -> dict[str, Any]:
        """What *text*, all that follows the name and a colon, sets; every parameter has a value.

        Raises ``ParameterError``, which names player, key and value.
        """
        known = {parameter.name for parameter in self.parameters}
        words = text.split(":") if text else []
        if self.main and words and words[0].partition("=")[0] not in known:
            given = {self.main: text}
        else:
            pairs = [word.partition("=") for word in words]
            for key, equals, _ in pairs:
                if not equals:
                    raise ParameterError(
                        f"{self.name}: {key!r} sets nothing; KEY=VALUE, with ':' between them, is right"
                    )
            given = {key: value for key, _, value in pairs}
        return read_settings(self.name, self.parameters, given)
