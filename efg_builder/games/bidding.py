"""Bidding games: each bid is higher than the last bid, and a call of the last bid ends play."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import combinations_with_replacement, pairwise, product
from math import comb, factorial, prod
from types import MappingProxyType
from typing import Any, Literal

from ..base.words import player_names
from .checks import settle
from .protocol import Claim, Deal, DealtGame, PublicDecision, PublicEnd, PublicSize, State

Hand = tuple[int, ...]
"""The sorted faces of a player's dice, e.g. ``(2, 5)``."""


FACES = "⚀⚁⚂⚃⚄⚅"


def sorted_hands(dice: int, sides: int) -> tuple[tuple[Hand, Fraction], ...]:
    """Return all sorted hands of *dice* fair dice with *sides* sides, each with its exact probability."""
    hands = combinations_with_replacement(range(1, sides + 1), dice)
    orders = ((hand, factorial(dice) // prod(map(factorial, Counter(hand).values()))) for hand in hands)
    return tuple((hand, Fraction(count, sides**dice)) for hand, count in orders)


def at_least(needed: int, dice: int, p: Fraction) -> Fraction:
    """Return the probability that at least *needed* of *dice* dice count; each counts with probability *p*."""
    counts = range(max(needed, 0), dice + 1)
    return sum((comb(dice, i) * p**i * (1 - p) ** (dice - i) for i in counts), Fraction(0))


# The orders of bids.

Bid = tuple[int, int]
"""The quantity and the face."""


def _bluff(bid: Bid, wild: int | None) -> tuple[int, ...]:
    """Return the sort key of a bid in the board game Bluff.

    Bids are ordered by quantity, then by face. A bid of quantity k on the wild face follows the bids of quantity 2k - 1
    on other faces.
    """
    quantity, face = bid
    return 2 * quantity - 1 if face == wild else quantity, face == wild, face


ORDERS: Mapping[str, Callable[[Bid, int | None], tuple[int, ...]]] = MappingProxyType(
    {"quantity-face": lambda bid, wild: bid, "face-quantity": lambda bid, wild: bid[::-1], "bluff": _bluff}
)
"""The name of each order of bids, with its sort key. A higher bid has a greater key."""


def in_order(bids: Iterable[Bid], order: str, wild: int | None) -> tuple[Bid, ...]:
    return tuple(sorted(bids, key=lambda bid: ORDERS[order](bid, wild)))


def in_a_row(names: Sequence[str]) -> str:
    """Join *names* in the form ``1x1 < 1x2 < 2x1``; of more than twelve names, keep only the first and last three."""
    return " < ".join(names if len(names) <= 12 else [*names[:3], "...", *names[-3:]])


# The games.


class DiceHands(DealtGame):
    """A dealt game whose hands are dice or random digits."""

    pictures: Literal["dice"] | None = "dice"

    @property
    @abstractmethod
    def sides(self) -> int:
        """The number of sides of each die."""

    @property
    @abstractmethod
    def dice(self) -> tuple[int, ...]:
        """The number of dice of each player."""

    @cached_property
    def players(self) -> tuple[str, ...]:
        return player_names(len(self.dice))

    @cached_property
    def cups(self) -> tuple[tuple[tuple[Hand, Fraction], ...], ...]:
        """Each player's sorted hands with their probabilities."""
        return tuple(sorted_hands(count, self.sides) for count in self.dice)

    @cached_property
    def hands(self) -> tuple[tuple[str, ...], ...]:
        """The name of each hand, e.g. ``"2,5"``."""
        return tuple(tuple(",".join(map(str, hand)) for hand, _ in mine) for mine in self.cups)

    @cached_property
    def hand_names(self) -> tuple[tuple[str, ...], ...]:
        """The faces of each hand, e.g. ``"⚁⚄"``; the same as ``hands`` for digits, and with more than six sides."""
        if self.pictures is None or self.sides > len(FACES):
            return self.hands
        return tuple(tuple("".join(FACES[face - 1] for face in hand) for hand, _ in mine) for mine in self.cups)

    @property
    def hand_counts(self) -> tuple[int, ...]:
        """The number of sorted hands of each player: C(n + sides - 1, n) for n dice."""
        return tuple(comb(count + self.sides - 1, count) for count in self.dice)

    @property
    def deal_count(self) -> int:
        return prod(self.hand_counts)

    @cached_property
    def deals(self) -> tuple[Deal, ...]:
        numbered = ([(index, chance) for index, (_, chance) in enumerate(cup)] for cup in self.cups)
        both = (zip(*each, strict=True) for each in product(*numbered))
        return tuple(Deal(prod(chances, start=Fraction(1)), hands) for hands, chances in both)

    @property
    def hand_probabilities(self) -> tuple[tuple[Fraction, ...], ...]:
        return tuple(tuple(chance for _, chance in mine) for mine in self.cups)


class BiddingGame(DealtGame):
    """A dealt game whose public histories are the subsets of its ordered bids.

    The mover makes a higher bid, or ends play with a call of the last bid. The actions of a turn are the higher bids in
    order and, except at the root, the call. Payoffs depend only on the called bid, the caller and the deal. A subclass
    defines ``players``, ``hands``, ``deals``, ``bid_names`` and ``settle``. If two players' hands are independent and
    the sum of payoffs is constant, such a game is solved without its tree.

    Examples
    --------
    >>> from fractions import Fraction
    >>> import efg_builder as eb
    >>> class Higher(eb.BiddingGame):
    ...     players = "Alice", "Bob"
    ...     hands = (("1", "2", "3"),) * 2
    ...     deals = tuple(eb.Deal(Fraction(1, 9), (a, b)) for a in range(3) for b in range(3))
    ...     bid_names = "1", "2", "3"
    ...
    ...     def settle(self, key, deal):
    ...         bid, caller = key
    ...         gain = -1 if max(deal.hands) >= bid else 1
    ...         return eb.End((gain, -gain) if caller == 0 else (-gain, gain))
    >>> eb.solve(Higher(), "oracle").value[0]
    Fraction(1, 3)
    """

    call = "call"

    @property
    def bidding_game(self) -> BiddingGame:
        """The game itself."""
        return self

    @property
    @abstractmethod
    def bid_names(self) -> tuple[str, ...]:
        """The labels of all bids, lowest first."""

    def history(self, bids: Iterable[int]) -> str:
        """Return the public history after *bids* (indices, in order), as in ``PublicDecision.history``."""
        return " ".join(self.bid_names[bid] for bid in bids) or "start"

    def bids_of(self, history: str) -> tuple[int, ...]:
        """Return the indices of the bids in *history*. Raises ``ValueError`` unless its words are increasing bids."""
        names = [] if history == self.history(()) else history.split(" ")
        bids = tuple(map(self.bid_names.index, names))
        if any(one >= other for one, other in pairwise(bids)):
            raise ValueError(f"the bids of {history!r} do not rise")
        return bids

    def called(self, bid: int, caller: int) -> Hashable:
        """Return the key of the public end after *caller* has called the bid with index *bid*."""
        return (bid, caller)

    def is_false(self, bid: int, caller: int, hands: tuple[int, ...]) -> bool:
        """Return whether the bid *bid* (an index) is false if *caller* calls it.

        *hands* contains the index of each player's hand. By default, a bid is false if the caller's payoff is
        greater than the bidder's payoff.
        """
        paid = settle(self, self.called(bid, caller), Deal(Fraction(1), hands)).payoffs
        return paid[caller] > paid[(caller - 1) % len(self.players)]

    def default_action(self, turn: PublicDecision) -> int:
        """Return the index of the call; at the root, of the lowest bid."""
        return len(turn.actions) - 1 if turn.actions[-1][0] == self.call else 0

    def default_in_words(self) -> str:
        """Return the default moves as text: the call, and the lowest bid at the root."""
        return f"{self.call}; {self.bid_names[0]} if there is no bid to call"

    def verb(self, action: str) -> str:
        """Return ``"call"``, or a bid such as ``"bid 1x2"``."""
        return "call" if action == self.call else f"bid {action}"

    def public_root(self) -> State:
        """Return the state before the first bid: (history, index of the last bid, mover)."""
        return ("", -1, 0)

    def public_turn(self, state: State) -> PublicDecision | PublicEnd:
        """Return the higher bids and, after a bid, the call; the end after a call."""
        history, last, player = state
        if history is None:
            return PublicEnd(self.called(last, player))
        following = (player + 1) % len(self.players)
        lead = f"{history} " if history else ""
        actions: list[tuple[str, State]] = [
            (name, (lead + name, index, following))
            for index, name in enumerate(self.bid_names[last + 1 :], start=last + 1)
        ]
        if last >= 0:
            actions.append((self.call, (None, last, player)))
        return PublicDecision(player, history or self.history(()), tuple(actions))

    def public_size(self) -> PublicSize:
        """Return the size, which depends only on the number m of bids and the number of players.

        C(m, k) histories contain k bids, and their mover is k modulo the number of players. Play can end after every
        nonempty history.
        """
        m, players = len(self.bid_names), len(self.players)
        decisions = tuple(sum(comb(m, k) for k in range(i, m + 1, players)) for i in range(players))
        return PublicSize(decisions, 2**m - 1)


class DiceBidding(DiceHands, BiddingGame):
    """A bidding game with dice: a bid states the minimum number of dice, among all players' dice, that show a face.

    Subclasses define ``sides`` and ``dice``, as in ``DiceHands``, and also ``wild`` and ``order``. ``wild`` is the face
    that counts as every face, or None. ``order`` is a key of ``ORDERS``.
    """

    wild: int | None
    order: str = "quantity-face"

    @property
    @abstractmethod
    def bids(self) -> tuple[Bid, ...]:
        """All bids, lowest first."""

    @cached_property
    def bid_names(self) -> tuple[str, ...]:
        return tuple(map(bid_name, self.bids))

    def classes(self, key: Any, player: int) -> tuple[int, ...]:
        """Return, for each hand of *player*, the number of dice that count toward the called bid."""
        face = self.bids[key[0]][1]
        return tuple(self.matches(hand, face) for hand, _ in self.cups[player])

    def matches(self, hand: Hand, face: int) -> int:
        """Return the number of dice in *hand* that count toward a bid on *face*."""
        return sum(1 for die in hand if die in (face, self.wild))

    def needed(self, quantity: int) -> int:
        """Return the minimum number of matching dice for a true bid of *quantity*."""
        return quantity

    def matching(self, face: int, hands: tuple[int, ...]) -> int:
        """Return the number of dice in all *hands* (indices) that count toward a bid on *face*."""
        return sum(self.matches(cup[hand][0], face) for cup, hand in zip(self.cups, hands, strict=True))

    def is_false(self, bid: int, caller: int, hands: tuple[int, ...]) -> bool:
        quantity, face = self.bids[bid]
        return self.matching(face, hands) < self.needed(quantity)

    def counting_chance(self, face: int) -> Fraction:
        """Return the probability that an unseen die counts toward a bid on *face*."""
        return Fraction(len({face, self.wild or face}), self.sides)

    def claim(self, player: int, hand: int, action: str) -> Claim | None:
        if action == self.call:
            return None
        quantity, face = self.bids[self.bid_names.index(action)]
        mine = self.matches(self.cups[player][hand][0], face)
        others = sum(self.dice) - self.dice[player]
        return Claim(mine, 1 - at_least(self.needed(quantity) - mine, others, self.counting_chance(face)))


def bid_name(bid: Bid) -> str:
    return f"{bid[0]}x{bid[1]}"
