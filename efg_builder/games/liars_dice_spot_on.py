"""One round of Liar's Dice with the exact call of Perudo ("spot on", *calza*).

The rules of bidding are those of ``games.liars_dice``. Beside the call there is ``exact``: it says that the last bid is
exactly right. All dice are uncovered, and where just as many count as the bid says, the one who said so wins, otherwise
loses. In Perudo the one who said so gets a die back or loses one, and nobody else's dice change. In one round the
winner is paid by all others alike, as a loser of a call pays all others alike.

Play can end in two ways after each bid, so this is no ``BiddingGame``: it is solved on its tree.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Literal

from .catalogue import GameType
from .liars_dice import GAMES as LIARS_DICE
from .liars_dice import LiarsDice
from .protocol import Deal, DealtGame, End, PublicDecision, PublicEnd, PublicSize, State


@dataclass(frozen=True)
class SpotOn(DealtGame):
    """A round of Liar's Dice, with the same settings, in which a bid may be said to be exactly right."""

    sides: int = 2
    dice: tuple[int, ...] = (1, 1)
    wild: int | None = None
    wild_biddable: bool = True
    order: str = "quantity-face"
    max_quantity: int = 2
    payoff: str = "win-loss"

    pictures: Literal["dice"] = "dice"

    @cached_property
    def plain(self) -> LiarsDice:
        """The same round without ``exact``."""
        return LiarsDice(**{name: getattr(self, name) for name in LiarsDice.__dataclass_fields__})

    @property
    def players(self) -> tuple[str, ...]:
        """``Player 1``, ``Player 2``, ..."""
        return self.plain.players

    @property
    def title(self) -> str:
        """One line for files and pictures."""
        return f"{self.plain.title}, spot on"

    @property
    def comment(self) -> str:
        """The rules in a sentence."""
        return f"{self.plain.comment} exact says that the last bid is exactly right, and wins where it is."

    @property
    def notes(self) -> tuple[str, ...]:
        """Those of the round without ``exact``, and that there must be a tree."""
        return (*self.plain.notes, "exact ends play as a call does, so this game is solved on its tree only")

    def explain(self) -> tuple[str, ...]:
        """The rules for these parameters, one paragraph each, what is paid last."""
        *rules, payoffs = self.plain.explain()
        exact = (
            "In place of a call you may say that the last bid is exactly right. Then too all dice are uncovered. Where "
            "just as many dice count as the bid says, no more and no fewer, you win; otherwise you lose."
        )
        if len(self.dice) > 2:
            exact += " Who wins so is paid 1 by the others together, each the same share."
        return (*rules, exact, payoffs)

    @property
    def constant_sum(self) -> Fraction:
        """0, or 1 for points."""
        return self.plain.constant_sum

    @property
    def hands(self) -> tuple[tuple[str, ...], ...]:
        """The names of each player's hands."""
        return self.plain.hands

    @property
    def hand_counts(self) -> tuple[int, ...]:
        """How many hands each player can have."""
        return self.plain.hand_counts

    @property
    def hand_probabilities(self) -> tuple[tuple[Fraction, ...], ...] | None:
        """The probability of each hand of each player: hands are independent."""
        return self.plain.hand_probabilities

    @property
    def deals(self) -> tuple[Deal, ...]:
        """All combinations of hands."""
        return self.plain.deals

    @property
    def deal_count(self) -> int:
        """How many deals there are."""
        return self.plain.deal_count

    def public_root(self) -> State:
        """That of the round without ``exact``; after ``exact`` a state is (index of the last bid, who said it)."""
        return self.plain.public_root()

    def public_turn(self, state: State) -> PublicDecision | PublicEnd:
        """The moves of the round without ``exact``, and ``exact`` once there is a bid."""
        if state[0] == "exact":
            return PublicEnd(state)
        turn = self.plain.public_turn(state)
        if isinstance(turn, PublicEnd) or turn.actions[-1][0] != self.plain.call:
            return turn
        _, last, player = state
        return turn._replace(actions=(*turn.actions, ("exact", ("exact", last, player))))

    def settle(self, key: Hashable, deal: Deal) -> End:
        """After ``exact``: who said it wins 1 of the others together, or pays 1 to them together."""
        assert isinstance(key, tuple)
        if key[0] != "exact":
            return self.plain.settle(key, deal)
        _, last, player = key
        quantity, face = self.plain.bids[last]
        hands = (mine[hand][0] for mine, hand in zip(self.plain.cups, deal.hands, strict=True))
        right = sum(self.plain.matches(hand, face) for hand in hands) == quantity
        share = Fraction(1, len(self.dice) - 1)
        if self.payoff == "points":
            own, other = Fraction(right), Fraction(not right)
        else:
            own, other = (Fraction(1), -share) if right else (Fraction(-1), share)
        payoffs = tuple(own if seat == player else other for seat in range(len(self.dice)))
        return End(payoffs, f"Player {player + 1} is {'right' if right else 'wrong'}")

    def public_size(self) -> PublicSize:
        """As without ``exact``, with two ends in place of one."""
        plain = self.plain.public_size()
        return PublicSize(plain.decisions, 2 * plain.ends)


def _make(**settings: object) -> SpotOn:
    plain = LIARS_DICE[0].make(**settings)
    assert isinstance(plain, LiarsDice)
    return SpotOn(**{name: getattr(plain, name) for name in LiarsDice.__dataclass_fields__})


GAMES = (
    GameType(
        name="liars-dice-spot-on",
        summary="one round of Liar's Dice in which one may also say that the last bid is exactly right (Perudo)",
        parameters=LIARS_DICE[0].parameters,
        sources=("Perudo, the call of 'calza'; en.wikipedia.org/wiki/Dudo, 'spot on'",),
        make=_make,
        small=(
            {},
            {"payoff": "points"},
            {"dice": "1,1,1", "max_quantity": 1},
            {"sides": 3, "wild": 1, "wild_biddable": False},
        ),
    ),
)
