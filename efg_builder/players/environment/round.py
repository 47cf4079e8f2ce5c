"""One round under way in an environment: the roll, the moves, and what is seen and paid.

Both environments are thin over this. Nothing here needs their libraries.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, cast

import numpy as np

from ...base.errors import ParameterError, nearest
from ...games.bidding import Hand, bid_name, hand_name
from ...games.catalogue import make
from ...games.liars_dice import LiarsDice
from ...games.liars_dice_rules import State
from ...games.protocol import PublicDecision
from . import encoding
from .definition import Action, Process

OF_THE_TEXT = {"sides": 6, "dice": (1, 1), "order": "face-quantity"}
"""The default game: sides and order of bids as in the text, which leaves the dice open."""

ILLEGAL = ("lose", "raise")
"""What an illegal action does: it loses the round, or raises ``ParameterError``."""

RENDER_MODES = ("ansi",)
"""How a round can be shown: as a line of text."""


@dataclass(frozen=True)
class Round:
    """A round: the state of the process, the hands by index, and the last public turn of the game.

    ``forfeit``: who lost it by an illegal action (from 1), or None.
    """

    process: Process
    state: State
    hands: tuple[int, ...]
    turn: PublicDecision
    forfeit: int | None = None

    @property
    def mover(self) -> int:
        """Whose turn it is, from 1; once it is over, who made the last move."""
        return self.process.rules.mover(self.state)

    @property
    def over(self) -> bool:
        """Whether it is at its end."""
        return self.state.status == "GameOver"

    @property
    def loser(self) -> int | None:
        """Who lost, from 1; None while it goes on."""
        return self.forfeit or self.process.rules.loser(self.state)

    @property
    def payoffs(self) -> tuple[Fraction, ...]:
        """What each player has: zeros while it goes on."""
        players = len(self.process.game.dice)
        return self.process.payoffs(self.loser) if self.over else (Fraction(0),) * players

    def act(self, action: Action, illegal: str) -> Round:
        """The round after *action* of the mover; one that is not legal does what *illegal* says.

        Raises ``ParameterError`` for an action that is not legal where *illegal* is ``"raise"``.
        """
        if illegal == "lose" and not self.process.legal(self.state, action):
            return replace(self, state=self.state._replace(status="GameOver"), forfeit=self.mover)
        then = self.process.step(self.state, action)
        if isinstance(action, str):
            return replace(self, state=then)
        turn = self.process.game.public_turn(dict(self.turn.actions)[bid_name((action.amount, action.face))])
        assert isinstance(turn, PublicDecision)
        return replace(self, state=then, turn=turn)

    def seen(self, player: int) -> encoding.Vector:
        """The observation of *player* (from 1) as a vector."""
        return encoding.encode(self.process, self.process.observe(self.state, player))

    @property
    def mask(self) -> encoding.Vector:
        """Which actions are legal."""
        return encoding.mask(self.process, self.state)

    @property
    def info(self) -> dict[str, Any]:
        """What is uncovered at the end: ``loser`` and (of two players) ``winner``, from 1, ``hands``, and ``illegal``,
        whether it was lost by an illegal action. Nothing before.
        """
        if not self.over:
            return {}
        assert self.loser is not None
        hands = tuple(map(hand_name, self.state.hands))
        found = {"loser": self.loser, "hands": hands, "illegal": self.forfeit is not None}
        return found | ({"winner": 3 - self.loser} if len(hands) == 2 else {})

    def line(self, player: int) -> str:
        """The round in a line, as *player* (from 1) sees it; all hands once it is over."""
        numbered = enumerate(self.state.hands, start=1)
        hands = [f"Player {n}: {hand_name(hand) if self.over or n == player else '?'}" for n, hand in numbered]
        bids = " ".join(bid_name((bid.amount, bid.face)) for bid in self.state.bids) or "no bid yet"
        then = f"Player {self.mover} to move"
        if self.over:
            how = f"Player {self.forfeit} made an illegal move" if self.forfeit else f"Player {self.mover} calls"
            then = f"{how}: Player {self.loser} loses"
        return f"{', '.join(hands)} | {bids} | {then}"


def process_of(
    game: LiarsDice | None, settings: Mapping[str, object], illegal: str, render_mode: str | None
) -> Process:
    """The process of *game*, or of the game with these settings over ``OF_THE_TEXT``.

    Raises ``ParameterError`` where both are given, a setting is wrong, or *illegal* or *render_mode* is none of those
    that there are, and ``NotApplicableError`` for other games.
    """
    for key, value, choices in (("illegal", illegal, ILLEGAL), ("render_mode", render_mode, (None, *RENDER_MODES))):
        if value not in choices:
            raise ParameterError(f"{key}={value!r}: {nearest(str(value), map(str, choices))}")
    if game is not None and settings:
        raise ParameterError(f"{next(iter(settings))}=: the game is given already; leave its settings out")
    return Process(game if game is not None else cast(LiarsDice, make("liars-dice", OF_THE_TEXT | dict(settings))))


def roll(process: Process, rng: np.random.Generator, options: Mapping[str, Any] | None) -> Round:
    """The start of a round: dice rolled, or the hands in ``options["hands"]``, one for each player.

    Raises ``ParameterError`` for hands that the game does not deal.
    """
    game = process.game
    given = (options or {}).get("hands")
    if given is None:
        hands = tuple(tuple(sorted(rng.integers(1, game.sides + 1, count).tolist())) for count in game.dice)
    else:
        hands = _dealt(game, given)
    turn = game.public_turn(game.public_root())
    assert isinstance(turn, PublicDecision)
    index = tuple(names.index(hand_name(hand)) for names, hand in zip(game.hands, hands, strict=True))
    return Round(process, State(hands), index, turn)


def _dealt(game: LiarsDice, given: Any) -> tuple[Hand, ...]:
    try:
        hands = tuple(tuple(sorted(int(die) for die in hand)) for hand in given)
    except (TypeError, ValueError):
        hands = ()
    faces = range(1, game.sides + 1)
    if tuple(map(len, hands)) != game.dice or any(die not in faces for hand in hands for die in hand):
        right = tuple((1,) * count for count in game.dice)
        raise ParameterError(f"hands={given!r}: {game.title} does not deal them; right is, say, hands={right}")
    return hands
