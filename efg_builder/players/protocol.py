"""What a player is: a name, and a way to play any game it knows the rules of.

A player sits down at a ``Table`` and says what it will do in every seat, as a ``Strategy`` in whichever form suits it:
a ``Policy``, a function from what the player sees to probabilities, for any number of players and dice; a
``SparseProfile``, a ``TreeProfile`` (for games that are not dealt), or a ``DenseProfile``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..base.errors import NotApplicableError, ParameterError
from ..base.parameters import Parameter, read_settings
from ..games.bidding import BiddingGame
from ..games.protocol import Game

if TYPE_CHECKING:
    from ..forms.extensive import GameTree
    from ..strategies.protocol import Strategy


def _nobody(word: str) -> Strategy:
    raise NotApplicableError(f"no best response to {word!r}: this table knows of no other players")


@dataclass(frozen=True)
class Table:
    """What a player knows before play: the rules, where they are known, and a way to the tree.

    ``tree`` builds it when asked, and raises ``TreeTooLargeError``; ``timeout``: seconds to think beforehand;
    ``progress`` takes lines on what is happening. ``respond(word)`` is, for each seat, a best response to the player or
    file that *word* names in all other seats; it raises what finding and measuring that one raises. ``live`` promises
    that a policy is asked for each move during play, and not at all information sets beforehand: only
    then a person can sit down. ``complete``: how files are completed where they say nothing, as in ``read_strategy``.
    """

    game: Game | None
    tree: Callable[[], GameTree]
    timeout: float
    progress: Callable[[str], None]
    respond: Callable[[str], Strategy] = _nobody
    live: bool = False
    complete: str | None = None

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
    sit: Callable[..., Strategy]
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
