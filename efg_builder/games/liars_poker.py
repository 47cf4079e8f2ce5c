"""One round of Liar's Poker, as in OpenSpiel's ``python_liars_poker``.

Players bid on the digits of all hands, until all players except the last bidder challenge the last bid. This game has
at most nine digits. In OpenSpiel, the tenth digit is 0 in hands but 10 in bids, so it never counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import Any, NamedTuple

from ..base.parameters import Parameter, integer
from ..base.words import plural
from .bidding import Bid, DiceHands, at_least, bid_name, in_a_row
from .catalogue import GameType
from .liars_dice import NUMBERS
from .protocol import Claim, Deal, End, PublicDecision, PublicEnd, PublicSize, State


class Said(NamedTuple):
    """A state: the past moves, the index of the last bid (or -1), its bidder, its challenges, and the rebid flag."""

    words: tuple[str, ...]
    last: int
    bidder: int
    challenges: int
    rebid: bool


@dataclass(frozen=True)
class LiarsPoker(DiceHands):
    """Liar's Poker with ``seats`` players. Each hand has ``hand_length`` digits from 1 to ``num_digits``."""

    hand_length: int = 1
    num_digits: int = 2
    seats: int = 2

    comment = (
        "2x1 means that all hands together have at least two ones; if all others challenge a bid, the bidder may rebid "
        "once or challenge; a true last bid wins 1 from each other player, and a false last bid loses 1 to each."
    )
    constant_sum = Fraction(0)
    pictures = None

    @property
    def sides(self) -> int:
        return self.num_digits

    @property
    def dice(self) -> tuple[int, ...]:
        return (self.hand_length,) * self.seats

    @property
    def title(self) -> str:
        holds = f"{NUMBERS[self.hand_length]} digit{'s' * (self.hand_length > 1)}"
        return f"Liar's Poker: {self.seats} players, {holds} each, from 1 to {self.num_digits}"

    def explain(self) -> tuple[str, ...]:
        first = self.players[0]
        return (
            f"{plural(self.seats, 'player')}. Each gets {plural(self.hand_length, 'digit')} from 1 to "
            f"{self.num_digits}; all digits are equally likely, and nobody else sees them.",
            f"A bid is about all {self.seats * self.hand_length} digits together: 2x1 says that at least two "
            "of them are ones. A bid is higher than another if it names more digits, or as many of a greater digit: "
            f"{in_a_row(self.bid_names)}.",
            f"{first} begins with a bid. In turn, each player bids higher than the last bid, or challenges it. "
            "A challenge does not end the round, for the next player may still bid higher.",
            "When everybody else has challenged a bid, its bidder moves again. The bidder either challenges too, which "
            "ends the round, or makes a higher bid, called a rebid. When everybody else has challenged a rebid, the "
            "round ends. If somebody bids higher, the same rules apply to that bid.",
            "At the end all hands are uncovered. If the last bid holds, its bidder gets 1 from each of the others; "
            "otherwise the bidder pays 1 to each of the others.",
        )

    @cached_property
    def bids(self) -> tuple[Bid, ...]:
        return tuple(product(range(1, self.seats * self.hand_length + 1), range(1, self.num_digits + 1)))

    @cached_property
    def bid_names(self) -> tuple[str, ...]:
        return tuple(map(bid_name, self.bids))

    def public_root(self) -> State:
        return Said((), -1, -1, 0, False)

    def public_turn(self, state: State) -> PublicDecision | PublicEnd:
        words, last, bidder, challenges, rebid = state
        if challenges == self.seats - rebid:
            return PublicEnd((last, bidder))
        player = (bidder + 1 + challenges) % self.seats
        actions: list[tuple[str, State]] = [
            (name, Said((*words, name), index, player, 0, player == bidder))
            for index, name in enumerate(self.bid_names[last + 1 :], start=last + 1)
        ]
        if last >= 0:
            actions.append(("challenge", Said((*words, "challenge"), last, bidder, challenges + 1, rebid)))
        return PublicDecision(player, " ".join(words) or "start", tuple(actions))

    def settle(self, key: Any, deal: Deal) -> End:
        last, bidder = key
        quantity, digit = self.bids[last]
        holds = sum(self.cups[0][hand][0].count(digit) for hand in deal.hands) >= quantity
        sign = 1 if holds else -1
        payoffs = tuple(Fraction(sign * (self.seats - 1 if player == bidder else -1)) for player in range(self.seats))
        return End(payoffs, f"Player {bidder + 1} {'wins' if holds else 'loses'}")

    def claim(self, player: int, hand: int, action: str) -> Claim | None:
        if action == "challenge":
            return None
        quantity, digit = self.bids[self.bid_names.index(action)]
        mine, others = self.cups[player][hand][0].count(digit), (self.seats - 1) * self.hand_length
        return Claim(mine, 1 - at_least(quantity - mine, others, Fraction(1, self.num_digits)))

    def public_size(self) -> PublicSize:
        """Return the size of the public tree, computed from the highest bid down to the lowest.

        Seats are numbered from the bidder. Bids and rebids are counted separately.
        """
        seats = range(self.seats)
        moves, ends = [0 for _ in seats], 0
        rebid_moves, rebid_ends = [0 for _ in seats], 0
        for _ in self.bids:
            # After a bid, each of the other players moves once and may make any higher bid.
            others = [sum(moves) - moves[seat] + (seat > 0) for seat in seats]
            others_ends = (self.seats - 1) * ends + 1
            moves = [moves[seat] + others[seat] + rebid_moves[seat] + (seat == 0) for seat in seats]
            ends += others_ends + rebid_ends
            rebid_moves = [rebid_moves[seat] + others[seat] for seat in seats]
            rebid_ends += others_ends
        return PublicSize(tuple(moves[seat] + (seat == 0) for seat in seats), ends)


GAMES = (
    GameType(
        name="liars-poker",
        summary="Liar's Poker: bid on the digits of all hands, until everybody else challenges",
        parameters=(
            Parameter("hand_length", "1", integer(1, 10), "number of digits in each hand"),
            Parameter("num_digits", "2", integer(2, 9), "number of different digits: 1, 2, ..."),
            Parameter("seats", "2", integer(2, 10), "number of players"),
        ),
        sources=("OpenSpiel, python_liars_poker",),
        make=LiarsPoker,
    ),
)
