"""The decision process (S, O, A, T, R) of Liar's Dice alone: exact, without arrays and without a learner.

After S. Kakatur and A. Chang, "Game 2 Player Liar's Dice", section *Math Formulations*, over the rules of any game of
``liars-dice`` (``Rules`` has LEGAL, COUNT and WIN). Where that text is silent
or at odds with itself, this holds:

- who moves follows from the state: players bid in turn, and so the caller is known too;
- there is no call before the first bid, since there is no D_last;
- nothing follows a state that is over (T as printed would let a bid make it active again);
- bids name at most ``max_quantity`` dice (the text sets no bound: by default all dice on the table).

Players are numbered from 1, as there.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Literal

from ...base.errors import NotApplicableError
from ...games.catalogue import identify
from ...games.liars_dice import LiarsDice
from ...games.liars_dice_rules import Bid, Observation, Rules, State

Action = Bid | Literal["call"]
"""A: a bid (face value, amount), or to call LIAR."""


@dataclass(frozen=True)
class Process:
    """The decision process of ``game``. Raises ``NotApplicableError`` for what is not a plain game of Liar's Dice."""

    game: LiarsDice

    def __post_init__(self) -> None:
        name, _ = identify(self.game) or ("", {})
        if name != "liars-dice":
            title = getattr(self.game, "title", repr(self.game))
            raise NotApplicableError(f"the environment is one of liars-dice, not of {title}")

    @cached_property
    def rules(self) -> Rules:
        """LEGAL, COUNT, WIN, and the observations."""
        return Rules(self.game)

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

    @cached_property
    def _ranks(self) -> dict[Action, int]:
        return {action: rank for rank, action in enumerate(self.actions)}

    def rank(self, action: Action) -> int:
        """The place of *action* in ``actions``: a bid is higher than those before it."""
        return self._ranks[action]

    def legal(self, state: State, action: Action) -> bool:
        """Whether *action* may be taken: a bid where LEGAL(D) says so, a call once there is a bid."""
        return self.rules.allows(state, action)

    def step(self, state: State, action: Action) -> State:
        """The one state that follows. Raises ``ParameterError`` for an action that is not legal."""
        return self.rules.step(state, action)

    def transition(self, then: State, state: State, action: Action) -> Fraction:
        """T(s' | s, a): 1 for the one state that follows a legal action, and 0 otherwise.

        So for an action that is not legal it is 0 everywhere, as printed, and no distribution.
        """
        return Fraction(int(self.legal(state, action) and then == self.step(state, action)))

    def observe(self, state: State, player: int = 1) -> Observation:
        """Omega: what *player* sees of a state, own hand, bids and status; it does not depend on the action."""
        return self.rules.observe(state, player)

    def win(self, state: State) -> int | None:
        """WIN(s, caller), the caller being whose turn it is: the winner of two players; None while the game is active.

        Raises ``ParameterError`` for more players.
        """
        return self.rules.winner(state)

    def reward(self, state: State, player: int = 1) -> Fraction:
        """R at the state that an action led to: 1 where *player* won, -1 where *player* lost, 0 while it goes on.

        With more than two players the loser's 1 is shared by the others; with ``payoff=points`` a loss is 0.
        """
        return Fraction(0) if state.status == "Active" else self.payoffs(self.rules.loser(state))[player - 1]

    def payoffs(self, loser: int | None) -> tuple[Fraction, ...]:
        """What each player has where *loser* (from 1) has lost."""
        players = len(self.game.dice)
        loss = Fraction(0 if self.game.payoff == "points" else -1)
        share = Fraction(1, players - 1)
        return tuple(loss if player == loser else share for player in range(1, players + 1))
