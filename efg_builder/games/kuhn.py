"""Kuhn poker: one card each and one bet, with the rules and payoffs of OpenSpiel's ``kuhn_poker``."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import permutations
from math import perm
from typing import Any

from ..base.parameters import Parameter, integer
from ..base.words import listed, player_names, plural
from .catalogue import GameType
from .protocol import Deal, DealtGame, End, PublicDecision, PublicEnd, State

RANKS = "89TJQKA"
"""The names of the cards, from low to high. No name equals another card's number."""


@dataclass(frozen=True)
class KuhnPoker(DealtGame):
    """Kuhn poker with ``cards`` cards, numbered from 1, and ``seats`` players, where ``seats`` < ``cards``."""

    cards: int = 3
    seats: int = 2

    comment = "Check or bet 1; after a bet the others call or fold; of those left in, the highest card takes the pot."
    constant_sum = Fraction(0)
    hand_probabilities = None  # The hands are dependent: no two players hold the same card.

    @cached_property
    def players(self) -> tuple[str, ...]:
        return player_names(self.seats)

    @property
    def title(self) -> str:
        return f"Kuhn poker: {self.seats} players, {self.cards} cards"

    def explain(self) -> tuple[str, ...]:
        first, *others = self.players
        unseen, named = self.cards - self.seats, self.hand_names[0]
        order = ", numbered from 1" if named == self.hands[0] else f": {', '.join(named)}, from low to high"
        return (
            f"{plural(self.seats, 'player')} and a deck of {self.cards} cards{order}. "
            "Each puts 1 into the pot and gets one card, which nobody else sees. "
            f"{plural(unseen, 'card')} {'remains' if unseen == 1 else 'remain'} hidden from everybody.",
            f"{first} moves first, then {listed(others)}. As long as nobody has bet, you check, and pay nothing, or "
            "bet and put another 1 into the pot. If everybody checks, the cards are uncovered.",
            "After a bet everybody else calls or folds, in turn. A call puts another 1 into the pot; a fold gives up "
            "the money already paid. There is only one bet. Then the cards are uncovered.",
            "The highest card of the players who did not fold takes the pot. If all others have folded, the bettor "
            "takes it, and no card is shown.",
            "A player's payoff is the money taken minus the money paid. Payoffs sum to 0.",
        )

    @property
    def hands(self) -> tuple[tuple[str, ...], ...]:
        return (tuple(str(card) for card in range(1, self.cards + 1)),) * self.seats

    @cached_property
    def hand_names(self) -> tuple[tuple[str, ...], ...]:
        if self.cards > len(RANKS):
            return self.hands
        top = RANKS[:-1] if self.cards == 3 else RANKS  # as in Leduc hold'em
        return (tuple(top[-self.cards :]),) * self.seats

    @cached_property
    def deals(self) -> tuple[Deal, ...]:
        chance = Fraction(1, self.deal_count)
        return tuple(Deal(chance, hands) for hands in permutations(range(self.cards), self.seats))

    @property
    def deal_count(self) -> int:
        return perm(self.cards, self.seats)

    def public_root(self) -> State:
        return ()

    def public_turn(self, state: State) -> PublicDecision | PublicEnd:
        """Return the turn. Play ends when everybody has checked, or when all other players have answered a bet."""
        bets = state.index("bet") if "bet" in state else None
        if len(state) == self.seats if bets is None else len(state) == bets + self.seats:
            return PublicEnd(state)
        actions = ("check", "bet") if bets is None else ("fold", "call")
        history = " ".join(state) or "start"
        return PublicDecision(len(state) % self.seats, history, tuple((move, (*state, move)) for move in actions))

    def settle(self, key: Any, deal: Deal) -> End:
        """Return the payoffs: the bettor and the callers have paid 2, and the other players have paid 1.

        The highest card among the players who did not fold takes the pot.
        """
        bold = {place % self.seats for place, move in enumerate(key) if move in ("bet", "call")}
        paid = [2 if player in bold else 1 for player in range(self.seats)]
        winner = max(bold or range(self.seats), key=deal.hands.__getitem__)
        payoffs = (Fraction(sum(paid) * (player == winner) - paid[player]) for player in range(self.seats))
        return End(tuple(payoffs), f"Player {winner + 1} takes {sum(paid)}")


def _make(cards: int, seats: int) -> KuhnPoker:
    if cards <= seats:
        raise ValueError(f"cards={cards}: must be more than the number of players, seats={seats}")
    return KuhnPoker(cards, seats)


GAMES = (
    GameType(
        name="kuhn",
        summary="Kuhn poker: one card each, one bet of 1; two players or more",
        parameters=(
            Parameter(
                "cards", "3", integer(3, 1000), "number of different cards in the deck; more than the number of players"
            ),
            Parameter("seats", "2", integer(2, 10), "number of players"),
        ),
        sources=(
            "H. W. Kuhn, 'A simplified two-person poker', Contributions to the Theory of Games I (1950)",
            "D. Szafron, R. Gibson and N. Sturtevant, 'A parameterized family of equilibrium profiles for three-player "
            "Kuhn poker', AAMAS 2013",
            "OpenSpiel, kuhn_poker",
        ),
        make=_make,
        small=({}, {"cards": 5}, {"cards": 4, "seats": 3}),
    ),
)
