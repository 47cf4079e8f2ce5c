"""Liar's Dice as a decision process, as numbers, in rounds, and as the environments that learners expect.

``environment.gym`` is a ``gymnasium.Env`` in which one seat is the learner's, ``environment.aec`` a
``pettingzoo.AECEnv`` of all seats; both need the extra ``env``.

The process (S, O, A, T, R) is exact, after S. Kakatur and A. Chang, "Game 2 Player Liar's Dice", section *Math
Formulations*, over the rules of any game of ``liars-dice``. Where that text is silent or at odds with itself, this
holds:

- who moves follows from the state: players bid in turn, and so the caller is known too;
- there is no call before the first bid, since there is no D_last;
- nothing follows a state that is over (T as printed would let a bid make it active again);
- bids name at most ``max_quantity`` dice (the text sets no bound: by default all dice on the table).

Players are numbered from 1, as there.

For learners an action is an index: bid b of the game's m bids, lowest first, then, m, the call. An observation is a
vector of whole numbers: how many of the player's dice show each face (``sides`` entries), for each bid whether it was
made (m), and whether the round is over (1). Each bid is higher than the one before, so that their set gives their
order: nothing of an observation is lost.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal, cast

import numpy as np
import numpy.typing as npt

from ...base.errors import NotApplicableError, ParameterError, ProfileError, nearest, not_installed
from ...games.bidding import Hand, bid_name, hand_name
from ...games.catalogue import identify
from ...games.catalogue import make as make_game
from ...games.liars_dice import LiarsDice
from ...games.liars_dice_rules import Bid, Observation, Rules, State
from ...games.protocol import PublicDecision
from ...strategies.policy import Policy

Vector = npt.NDArray[np.int8]

Action = Bid | Literal["call"]
"""A: a bid (face value, amount), or to call LIAR."""

OF_THE_TEXT = {"sides": 6, "dice": (1, 1), "order": "face-quantity"}
"""The default game: sides and order of bids as in the text, which leaves the dice open."""

CHOICES = {"illegal": ("lose", "raise"), "render_mode": (None, "ansi")}
"""An illegal action loses the round or raises ``ParameterError``; a round is shown as a line of text."""


@dataclass(frozen=True)
class Process(Rules):
    """The decision process of ``game``; its rules have LEGAL, COUNT, T, WIN and the observations.

    Raises ``NotApplicableError`` for what is not a plain game of Liar's Dice.
    """

    game: LiarsDice

    def __post_init__(self) -> None:
        name, _ = identify(self.game) or ("", {})
        if name != "liars-dice":
            title = getattr(self.game, "title", repr(self.game))
            raise NotApplicableError(f"the environment is one of liars-dice, not of {title}")

    @cached_property
    def bids(self) -> tuple[Bid, ...]:
        """Every bid of the game, lowest first."""
        return tuple(Bid(face, quantity) for quantity, face in self.game.bids)

    @cached_property
    def actions(self) -> tuple[Action, ...]:
        """A: every bid of the game, lowest first, then the call."""
        return (*self.bids, "call")

    @cached_property
    def starts(self) -> tuple[tuple[State, Fraction], ...]:
        """The states after the roll, hands sorted, with their probabilities: fair dice, uniform over all rolls."""
        cups = self.game.cups
        return tuple(
            (State(tuple(cup[hand][0] for cup, hand in zip(cups, deal.hands, strict=True))), deal.probability)
            for deal in self.game.deals
        )

    def rank(self, action: Action) -> int:
        """The place of *action* in ``actions``: a bid is higher than those before it."""
        return len(self.bids) if isinstance(action, str) else self._rank[action]

    def transition(self, then: State, state: State, action: Action) -> Fraction:
        """T(s' | s, a): 1 for the one state that follows a legal action, and 0 otherwise.

        So for an action that is not legal it is 0 everywhere, as printed, and no distribution.
        """
        return Fraction(int(self.legal(state, action) and then == self.step(state, action)))

    def reward(self, state: State, player: int = 1) -> Fraction:
        """R at the state that an action led to: 1 where *player* won, -1 where *player* lost, 0 while it goes on.

        With more than two players the loser's 1 is shared by the others; with ``payoff=points`` a loss is 0.
        """
        return Fraction(0) if state.status == "Active" else self.payoffs(self.loser(state))[player - 1]

    def payoffs(self, loser: int | None) -> tuple[Fraction, ...]:
        """What each player has where *loser* (from 1) has lost."""
        players = len(self.game.dice)
        loss = Fraction(0 if self.game.payoff == "points" else -1)
        share = Fraction(1, players - 1)
        return tuple(loss if player == loser else share for player in range(1, players + 1))

    @property
    def highest(self) -> Vector:
        """The greatest value of each entry of an observation, whoever sees it; the least is 0."""
        return np.array([max(self.game.dice)] * self.game.sides + [1] * len(self.actions), np.int8)

    def encode(self, seen: Observation) -> Vector:
        """*seen* as a vector of sides + m + 1 entries."""
        faces = [seen.hand.count(face) for face in range(1, self.game.sides + 1)]
        return np.array([*faces, *(bid in seen.bids for bid in self.bids), seen.status == "GameOver"], np.int8)

    def decode(self, vector: npt.ArrayLike) -> Observation:
        """What ``encode`` made a vector of. Raises ``ParameterError`` for a vector of another length."""
        row, sides = np.asarray(vector), self.game.sides
        if row.shape != self.highest.shape:
            raise ParameterError(f"an observation has the shape {self.highest.shape}, not {row.shape}")
        hand = tuple(face for face in range(1, sides + 1) for _ in range(int(row[face - 1])))
        bids = tuple(bid for bid, made in zip(self.bids, row[sides:-1], strict=True) if made)
        return Observation(hand, bids, "GameOver" if row[-1] else "Active")

    def mask(self, state: State) -> Vector:
        """1 for each action that is legal at *state*, 0 for each that is not; m + 1 entries."""
        found = np.zeros(len(self.actions), np.int8)
        if state.status == "Active":
            found[self.rank(state.bids[-1]) + 1 if state.bids else 0 :] = 1
            found[-1] = bool(state.bids)
        return found

    def action(self, number: Any) -> Action:
        """The action of that index. Raises ``ParameterError`` for what is no index of an action."""
        if number not in range(len(self.actions)):
            most = len(self.actions) - 1
            raise ParameterError(f"{number!r} is no action; actions are the whole numbers from 0 to {most}")
        return self.actions[int(number)]


@dataclass(frozen=True)
class DiceRound:
    """One round of both environments: the state, the hands by index, and the last public turn of the game.

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
        return self.process.mover(self.state)

    @property
    def over(self) -> bool:
        """Whether it is at its end."""
        return self.state.status == "GameOver"

    @property
    def loser(self) -> int | None:
        """Who lost, from 1; None while it goes on."""
        return self.forfeit or self.process.loser(self.state)

    @property
    def payoffs(self) -> tuple[Fraction, ...]:
        """What each player has: zeros while it goes on."""
        return self.process.payoffs(self.loser) if self.over else (Fraction(0),) * len(self.hands)

    def act(self, action: Action, illegal: str) -> DiceRound:
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

    def seen(self, player: int) -> Vector:
        """The observation of *player* (from 1) as a vector."""
        return self.process.encode(self.process.observe(self.state, player))

    @property
    def mask(self) -> Vector:
        """Which actions are legal."""
        return self.process.mask(self.state)

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
    for key, value in (("illegal", illegal), ("render_mode", render_mode)):
        if value not in CHOICES[key]:
            raise ParameterError(f"{key}={value!r}: {nearest(str(value), map(str, CHOICES[key]))}")
    if game is not None and settings:
        raise ParameterError(f"{next(iter(settings))}=: the game is given already; leave its settings out")
    return Process(game if game is not None else cast(LiarsDice, make_game("liars-dice", OF_THE_TEXT | dict(settings))))


def roll(process: Process, rng: np.random.Generator, options: Mapping[str, Any] | None) -> DiceRound:
    """The start of a round: dice rolled, or the hands in ``options["hands"]``.

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
    return DiceRound(process, State(hands), index, turn)


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


# --- environments, and strategies from what was learned

Act = Callable[[Vector, Vector], int | npt.ArrayLike]
"""An observation and the mask of legal actions to an action's index, or to a weight for each action."""


def make(**settings: Any) -> Any:
    """A ``gymnasium.Env``: ``LiarsDiceEnv`` with these settings.

    Raises ``NotApplicableError`` where gymnasium is not installed, and what the environment raises.
    """
    return _module("gym", "gymnasium").LiarsDiceEnv(**settings)


def make_aec(**settings: Any) -> Any:
    """A ``pettingzoo.AECEnv``: ``aec.env`` with these settings.

    Raises ``NotApplicableError`` where PettingZoo is not installed, and what the environment raises.
    """
    return _module("aec", "pettingzoo").env(**settings)


def _module(name: str, library: str) -> Any:
    try:
        return importlib.import_module(f".{name}", __name__)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in ("gymnasium", "pettingzoo"):
            raise
        raise not_installed("this environment", library, "env") from None


def as_policy(game: LiarsDice, act: Act) -> Policy:
    """The strategy that asks *act* at every information set, for all seats of *game*.

    Weights (m + 1 of them, not negative) are taken of legal actions only and divided by their sum, in floats. When
    asked, the policy raises ``ProfileError`` for an illegal action, and for weights that are of another shape,
    negative, not finite, or all 0.
    """
    process = Process(game)
    labels = [*game.bid_names, game.call]

    def learnt(turn: PublicDecision, hand: int) -> dict[str, Any]:
        bids = tuple(process.bids[bid] for bid in game.bids_of(turn.history))
        own = game.cups[turn.player][hand][0]
        mask = process.mask(State((), bids))
        found = np.asarray(act(process.encode(Observation(own, bids, "Active")), mask))
        if found.ndim == 0:
            return {labels[_index(found.item(), mask)]: 1}
        if found.shape != mask.shape:
            raise ProfileError(f"weights of shape {found.shape}; one for each of the {len(mask)} actions is right")
        kept = np.where(mask, found, 0).astype(float)
        if not (np.isfinite(kept).all() and (kept >= 0).all() and kept.any()):
            raise ProfileError("weights must be finite, not negative, and not 0 for all legal actions")
        return {labels[k]: float(kept[k] / kept.sum()) for k in np.flatnonzero(kept)}

    return Policy(learnt)


def _index(action: Any, mask: Vector) -> int:
    if action not in range(len(mask)) or not mask[int(action)]:
        raise ProfileError(f"the action {action!r} is not legal; legal are {np.flatnonzero(mask).tolist()}")
    return int(action)
