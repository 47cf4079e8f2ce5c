"""One round of Liar's Dice within a match: a call costs dice.

The rules of bidding are those of ``games.liars_dice``. The payoffs of a call depend on who loses how many dice. They
are rational numbers: the values of the match with the dice that are left (``games.match_rules``).
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction

from ..base.parameters import Parameter, choice
from ..base.rationals import brief, parse
from .bidding import Bid
from .catalogue import GameType
from .liars_dice import GAMES as LIARS_DICE
from .liars_dice import LiarsDice
from .protocol import Deal, End

LOSSES = ("one", "difference")
EXACTS = ("caller-loses-one", "bidder-loses-one")


def lost(loss: str, exact: str, bid: Bid, count: int) -> tuple[bool, int]:
    """Whether the caller loses the call of *bid* where *count* dice count, and how many dice the loser loses.

    ``loss``: ``"one"`` die, or the ``"difference"`` between bid and count. An exact count costs one die: the caller's
    (``"caller-loses-one"``, the bid holds), or the bidder's (``"bidder-loses-one"``).
    """
    over = count - bid[0]
    caller = over > 0 or (over == 0 and exact == "caller-loses-one")
    return caller, 1 if loss == "one" or over == 0 else abs(over)


@dataclass(frozen=True)
class StakedRound(LiarsDice):
    """A round of two players whose calls cost dice.

    ``loss`` and ``exact`` as in ``lost``. ``lose1`` are the payoffs to player 1 where player 1 loses 1, 2, ...
    dice, the last number standing for all more; ``lose2`` those where player 2 does. Player 2 has the opposite.
    """

    loss: str = "one"
    exact: str = "caller-loses-one"
    lose1: tuple[Fraction, ...] = (Fraction(-1),)
    lose2: tuple[Fraction, ...] = (Fraction(1),)

    @property
    def title(self) -> str:
        """One line for files and pictures."""
        stakes = [" ".join(map(brief, numbers)) for numbers in (self.lose1, self.lose2)]
        rules = [self.loss] + ([self.exact] if self.exact != EXACTS[0] else [])
        return f"{super().title}, loss {', '.join(rules)}, stakes {' | '.join(stakes)}"

    @property
    def comment(self) -> str:
        """The rules in a sentence."""
        who = "the caller" if self.exact == EXACTS[0] else "the bidder"
        how = "one die" if self.loss == "one" else "as many dice as bid and count differ by"
        return (
            f"A call costs the loser {how}, an exact count {who} one; payoffs to Player 1 by dice lost: "
            f"Player 1 {', '.join(map(brief, self.lose1))}; Player 2 {', '.join(map(brief, self.lose2))}."
        )

    def explain(self) -> tuple[str, ...]:
        """The rules for these parameters, one paragraph each."""
        count = "at least as many dice count as" if self.exact == EXACTS[0] else "more dice count than"
        call = (
            f"A call ends the round: all dice are uncovered. Where {count} the last bid says, it holds and the caller "
            "loses; otherwise the other player, who made the bid, does."
        )
        return (*super().explain()[:-2], call, self.comment)

    def needed(self, quantity: int) -> int:
        """How many dice must count for a bid of *quantity* to hold."""
        return quantity if self.exact == EXACTS[0] else quantity + 1

    def settle(self, key: Hashable, deal: Deal) -> End:
        """The loser of the call loses dice; the payoffs are the stakes for that number of dice."""
        assert isinstance(key, tuple)
        last, caller = key
        bid = self.bids[last]
        count = sum(self.matches(mine[i][0], bid[1]) for mine, i in zip(self.cups, deal.hands, strict=True))
        calls, dice = lost(self.loss, self.exact, bid, count)
        loser = caller if calls else 1 - caller
        stakes = (self.lose1, self.lose2)[loser]
        dice = min(dice, len(stakes))
        paid = stakes[dice - 1]
        more = " or more" if dice == len(stakes) and self.loss == "difference" else ""
        return End((paid, -paid), f"Player {loser + 1} loses {dice}{more}")


def _stakes(text: str) -> tuple[Fraction, ...]:
    try:
        return tuple(parse(part) for part in text.split(","))
    except (ValueError, ZeroDivisionError):
        raise ValueError("must be exact numbers, for 1, 2, ... dice lost, like -1/2,-1") from None


def _make(
    loss: str, exact: str, lose1: tuple[Fraction, ...], lose2: tuple[Fraction, ...], **settings: object
) -> StakedRound:
    plain = LIARS_DICE[0].make(**settings, payoff="win-loss")
    assert isinstance(plain, LiarsDice)
    if len(plain.dice) != 2:
        raise ValueError("dice: a round with stakes is for two players, like 2,1")
    for name, stakes, dice in (("lose1", lose1, plain.dice[0]), ("lose2", lose2, plain.dice[1])):
        if len(stakes) > (1 if loss == "one" else dice):
            most = "one number with loss=one" if loss == "one" else f"at most {dice}, one for each die"
            raise ValueError(f"{name}: {len(stakes)} numbers, and there can be {most}")
    values = {name: getattr(plain, name) for name in LiarsDice.__dataclass_fields__}
    return StakedRound(**values, loss=loss, exact=exact, lose1=lose1, lose2=lose2)


GAMES = (
    GameType(
        name="liars-dice-stakes",
        summary="one round of a match of Liar's Dice: calls cost dice, and payoffs are what the dice are worth",
        parameters=(
            *(parameter for parameter in LIARS_DICE[0].parameters if parameter.name != "payoff"),
            Parameter("loss", "one", choice(*LOSSES), "what a call costs: one die, or the difference of bid and count"),
            Parameter("exact", EXACTS[0], choice(*EXACTS), "who loses one die where the count is just the bid"),
            Parameter("lose1", "-1", _stakes, "payoffs to player 1 where player 1 loses 1, 2, ... dice"),
            Parameter("lose2", "1", _stakes, "payoffs to player 1 where player 2 loses 1, 2, ... dice"),
        ),
        sources=("M. Lanctot, lanctot/iioos (Bluff: loss=difference, winner starts, order=bluff)",),
        make=_make,
        small=(
            {},
            {"dice": "2,1", "loss": "difference", "lose1": "-1/3,-1", "lose2": "1"},
            {"sides": 3, "exact": "bidder-loses-one", "lose1": "-2/7", "lose2": "5/6"},
        ),
    ),
)
