"""Mia (Meyer, Maexchen) with one life: roll in secret, announce a higher rank, and be believed or doubted.

Players roll during play, so Mia is not a ``DealtGame``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import comb
from typing import Literal

from ..base.parameters import Parameter, integer
from .bidding import in_a_row, sorted_hands
from .catalogue import GameType
from .protocol import Chance, Decision, End, Game, Size, State, Turn


@dataclass(frozen=True)
class Mia(Game):
    """Mia with two dice of ``sides`` sides each and at most ``max_rolls`` rolls (0: no limit)."""

    sides: int = 2
    max_rolls: int = 0

    players = ("Player 1", "Player 2")
    constant_sum = Fraction(0)
    pictures: Literal["rolls"] = "rolls"

    @property
    def title(self) -> str:
        bound = f", at most {self.max_rolls} roll{'s' * (self.max_rolls > 1)}" if self.max_rolls else ""
        return f"Mia: two dice of {self.sides} sides{bound}"

    def verb(self, action: str) -> str:
        return action if action in ("doubt", "believe") else f"announce {action}"

    @property
    def comment(self) -> str:
        ranks = " < ".join(name for name, _ in self.ranks) if self.sides <= 4 else "the pairs < 21"
        return (
            f"Roll in secret, announce higher, truly or not; the other doubts, or believes and rolls. Ranks: {ranks}."
        )

    def explain(self) -> tuple[str, ...]:
        ranks = [name for name, _ in self.ranks]
        return (
            f"Two players and a cup with two dice of {self.sides} sides. Player 1 rolls in secret and announces a "
            "rank, truly or not.",
            f"Two dice are read as a number, the higher die first. Two different dice rank below pairs, and 21, which "
            f"is Mia, above all: {in_a_row(ranks)}.",
            "The other player doubts or believes. A doubt uncovers the cup: if the roll is at least as high as "
            "announced, the doubter loses; if it is lower, the announcer does.",
            "A player who believes takes the cup without looking, rolls both dice again in secret, and must announce a "
            "higher rank than the last. Then the other player doubts or believes. "
            f"{ranks[-1]} can only be doubted.",
            *(f"{note[0].upper()}{note[1:]}." for note in self.notes),
            "The loser pays 1 to the winner: payoffs are 1 and -1.",
            "Moves are written in order, with rolls in brackets: (11) 22 means that 11 was rolled and 22 announced. "
            "Nobody sees the other's rolls.",
        )

    @property
    def notes(self) -> tuple[str, ...]:
        if self.rolls < len(self.ranks):
            return (f"after roll {self.rolls} the answer can only be a doubt: the unbounded game differs",)
        return ()

    @cached_property
    def ranks(self) -> tuple[tuple[str, Fraction], ...]:
        """The name and probability of each rank, lowest first."""
        rolls = [((high, low), chance) for (low, high), chance in sorted_hands(2, self.sides)]
        rolls.sort(key=lambda roll: (roll[0] == (2, 1), roll[0][0] == roll[0][1], roll[0]))
        return tuple((f"{high}{low}", chance) for (high, low), chance in rolls)

    @property
    def rolls(self) -> int:
        return min(self.max_rolls or len(self.ranks), len(self.ranks))

    def size(self) -> Size:
        """Return the size. With R ranks, C(R-1, k) R^k rolls and C(R, k) R^k answers follow k announcements."""
        r, last = len(self.ranks), self.rolls
        rolls = sum(comb(r - 1, k) * r**k for k in range(last))
        answers = sum(comb(r, k) * r**k for k in range(1, last + 1))
        infosets = [0, 0]
        for k in range(last):  # player k % 2 has rolled k // 2 + 1 times
            infosets[k % 2] += comb(r - 1, k) * r ** (k // 2 + 1)
        for k in range(1, last + 1):  # player k % 2 has rolled k // 2 times and answers
            infosets[k % 2] += comb(r, k) * r ** (k // 2)
        return Size(rolls, rolls * r + answers, answers, tuple(infosets))

    def root(self) -> State:
        """Return the empty rolls, the empty announcements, and the phase ``roll``."""
        return ((), (), "roll")

    def turn(self, state: State) -> Turn:
        rolls, announced, phase = state
        if phase == "roll":
            branches = enumerate(self.ranks)
            return Chance(
                " ".join(["roll", *self._history(state, range(2))]),
                tuple((name, p, ((*rolls, rank), announced, "announce")) for rank, (name, p) in branches),
            )
        if phase == "announce":
            lowest = announced[-1] + 1 if announced else 0
            higher = range(lowest, len(self.ranks))
            return Decision(
                len(announced) % 2,
                self._knowledge(state),
                tuple((self.ranks[b][0], (rolls, (*announced, b), "answer")) for b in higher),
            )
        if phase == "answer":
            actions = [("doubt", (rolls, announced, "over"))]
            if announced[-1] + 1 < len(self.ranks) and len(rolls) < self.rolls:
                actions.insert(0, ("believe", (rolls, announced, "roll")))
            return Decision(len(announced) % 2, self._knowledge(state), tuple(actions))
        announcer = (len(announced) - 1) % 2
        winner = announcer if rolls[-1] >= announced[-1] else 1 - announcer
        payoff = Fraction(1 if winner == 0 else -1)
        return End((payoff, -payoff), f"Player {winner + 1} wins")

    def _knowledge(self, state: State) -> str:
        """Return the name of the mover's information set: all announcements and the mover's rolls."""
        return " ".join(self._history(state, [len(state[1]) % 2]))

    def _history(self, state: State, seen: Sequence[int]) -> list[str]:
        rolls, announced, _ = state
        words = []
        for k, rank in enumerate(rolls):
            if k % 2 in seen:
                words.append(f"({self.ranks[rank][0]})")
            if k < len(announced):
                words.append(self.ranks[announced[k]][0])
        return words


GAMES = (
    GameType(
        name="mia",
        summary="Mia (Meyer): roll two dice in secret, announce higher, be believed or doubted",
        parameters=(
            Parameter("sides", "2", integer(2, 20), "number of sides of both dice"),
            Parameter("max_rolls", "0", integer(0, 10_000), "maximum number of rolls; 0: no limit"),
        ),
        sources=("the pub game Meyer / Maexchen, one life, without the rule of passing on unseen",),
        make=Mia,
        small=({}, {"sides": 3, "max_rolls": 2}),
    ),
)
