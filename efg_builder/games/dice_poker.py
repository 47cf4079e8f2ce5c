"""Dice poker: one die each, one bet and one call.

The game is from FiveThirtyEight's Riddler, and is a small version of von Neumann's poker.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Literal

from ..base.parameters import Parameter, integer, positive
from .bidding import FACES
from .catalogue import GameType
from .protocol import Deal, DealtGame, End, PublicDecision, PublicEnd, State


@dataclass(frozen=True)
class DicePoker(DealtGame):
    """Dice poker. Each die has ``sides`` sides (2 or more); ``ante`` and ``bet`` are in the unit of the payoffs."""

    sides: int = 6
    ante: Fraction = Fraction(1)
    bet: Fraction = Fraction(1)

    players = ("A", "B")
    comment = "A shows down or raises, B calls or folds; the higher die wins, equal dice split."
    constant_sum = Fraction(0)
    pictures: Literal["dice"] = "dice"

    @property
    def title(self) -> str:
        return f"Dice poker: {self.sides} sides, ante {self.ante}, bet {self.bet}"

    def explain(self) -> tuple[str, ...]:
        both = self.ante + self.bet
        return (
            f"Two players, A and B. Each puts an ante of {self.ante} into the pot and rolls one die with {self.sides} "
            "sides in secret: you see your own die and not the other's.",
            f"A moves first. A either shows, and both dice are uncovered, or raises and adds {self.bet} to the pot.",
            f"After a raise B moves. B either folds, and A takes the pot without showing a die, or calls and adds "
            f"{self.bet} too, and both dice are uncovered.",
            "If dice are uncovered, the higher one takes the pot; equal dice split it, and nobody gains or loses.",
            f"So a round without a raise wins or loses {self.ante}, one with a raise and a call {both}, and a fold "
            f"costs B {self.ante}.",
        )

    @property
    def hands(self) -> tuple[tuple[str, ...], ...]:
        return (tuple(str(face) for face in range(1, self.sides + 1)),) * 2

    @property
    def hand_names(self) -> tuple[tuple[str, ...], ...]:
        return (tuple(FACES[: self.sides]),) * 2 if self.sides <= len(FACES) else self.hands

    @cached_property
    def deals(self) -> tuple[Deal, ...]:
        chance = Fraction(1, self.sides**2)
        return tuple(Deal(chance, (a, b)) for a in range(self.sides) for b in range(self.sides))

    def public_root(self) -> State:
        return "start"

    def public_turn(self, state: State) -> PublicDecision | PublicEnd:
        if state == "start":
            return PublicDecision(0, "start", (("show", "show"), ("raise", "raise")))
        if state == "raise":
            return PublicDecision(1, "raise", (("fold", "fold"), ("call", "call")))
        return PublicEnd(state)

    def settle(self, key: Hashable, deal: Deal) -> End:
        """Return the payoffs: a fold costs B the ante; otherwise the higher die wins the other player's stake."""
        if key == "fold":
            return End((self.ante, -self.ante), "B folds")
        stake = self.ante + (self.bet if key == "call" else 0)
        a, b = deal.hands
        sign = (a > b) - (a < b)
        winner = {1: "A wins", 0: "split", -1: "B wins"}[sign]
        return End((sign * stake, -sign * stake), winner if not sign else f"{winner} {stake}")


GAMES = (
    GameType(
        name="dice-poker",
        summary="one die each: A shows down or raises, B calls or folds, the higher die wins",
        parameters=(
            Parameter("sides", "6", integer(2, 1000), "number of sides of each die"),
            Parameter("ante", "1", positive, "payment of each player before looking at the die"),
            Parameter("bet", "1", positive, "size of the raise"),
        ),
        sources=("FiveThirtyEight Riddler, 'Can You Deal With These Card Game Puzzles?'",),
        make=DicePoker,
        small=({"sides": 2}, {"sides": 6}, {"sides": 3, "ante": "1/2", "bet": "2/3"}),
    ),
)
