"""Three players: a card each, in or out by turns, the highest card that is in takes the pot."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import permutations

import efg_builder as eb


@dataclass(frozen=True)
class Guts(eb.DealtGame):
    """Each antes one and gets a card; in turn everybody is in for one more, or out."""

    cards: int = 3
    players = "Ann", "Bea", "Cid"

    @cached_property
    def hands(self):
        return (tuple(str(card) for card in range(1, self.cards + 1)),) * 3

    @cached_property
    def deals(self):
        deals = list(permutations(range(self.cards), 3))
        return tuple(eb.Deal(Fraction(1, len(deals)), hands) for hands in deals)

    def public_turn(self, moves):
        if len(moves) == 3:
            return eb.PublicEnd(moves)
        return eb.PublicDecision(len(moves), " ".join(moves), (("in", (*moves, "in")), ("out", (*moves, "out"))))

    def public_root(self):
        return ()

    def settle(self, moves, deal):
        paid = [2 if move == "in" else 1 for move in moves]
        winner = max(range(3), key=lambda who: (moves[who] == "in", deal.hands[who]))
        return eb.End(
            tuple(sum(paid) * (who == winner) - paid[who] for who in range(3)), f"{self.players[winner]} wins"
        )
