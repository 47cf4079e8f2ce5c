"""Sums: a bidding game on the sum of two dice, which is solved without its tree."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import efg_builder as eb


@dataclass(frozen=True)
class Sums(eb.BiddingGame):
    """Both roll and bid on the sum; if called, a true bid wins 2, a bluff loses 1."""

    sides: int = 6
    players = "Alice", "Bob"
    constant_sum = 0

    @cached_property
    def hands(self) -> tuple[tuple[str, ...], ...]:
        return (tuple(str(die) for die in range(1, self.sides + 1)),) * 2

    @cached_property
    def deals(self) -> tuple[eb.Deal, ...]:
        dice, chance = range(self.sides), Fraction(1, self.sides**2)
        return tuple(eb.Deal(chance, (a, b)) for a in dice for b in dice)

    @cached_property
    def bid_names(self) -> tuple[str, ...]:
        return tuple(str(total) for total in range(2, 2 * self.sides + 1))

    def settle(self, key: tuple[int, int], deal: eb.Deal) -> eb.End:
        bid, caller = key  # bid 0 is "2", and a hand's index is one less than its die
        gain = -2 if sum(deal.hands) >= bid else 1
        return eb.End((gain, -gain) if caller == 0 else (-gain, gain))
