"""Games of bidding: hands are dealt, each bid is higher than the last, and a call of the last bid ends play."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import combinations_with_replacement, pairwise, product
from math import comb, factorial, prod
from types import MappingProxyType
from typing import Literal

from ..base.words import player_names
from .protocol import Claim, Deal, DealtGame, PublicDecision, PublicEnd, PublicSize, State

Hand = tuple[int, ...]
"""The faces of a hand of dice, sorted: ``(2, 5)``."""


FACES = "⚀⚁⚂⚃⚄⚅"
"""The faces of a die, from 1 on."""


def sorted_hands(dice: int, sides: int) -> tuple[tuple[Hand, Fraction], ...]:
    """All sorted hands of *dice* fair dice with *sides* sides, with their exact probabilities.

    Two dice of six sides give 21 hands: a pair with 1/36, two different faces with 2/36.
    """
    hands = combinations_with_replacement(range(1, sides + 1), dice)
    orders = ((hand, factorial(dice) // prod(map(factorial, Counter(hand).values()))) for hand in hands)
    return tuple((hand, Fraction(count, sides**dice)) for hand, count in orders)


def at_least(needed: int, dice: int, p: Fraction) -> Fraction:
    """The probability that at least *needed* of *dice* count, each with probability *p*: a binomial tail."""
    counts = range(max(needed, 0), dice + 1)
    return sum((comb(dice, i) * p**i * (1 - p) ** (dice - i) for i in counts), Fraction(0))


# The orders of bids: which of two bids is the higher.

Bid = tuple[int, int]
"""(quantity, face)."""


def _bluff(bid: Bid, wild: int | None) -> tuple[int, ...]:
    """As quantity-face, but k of the wild face come right after 2k - 1 of the others, as in the board game Bluff."""
    quantity, face = bid
    return 2 * quantity - 1 if face == wild else quantity, face == wild, face


ORDERS: Mapping[str, Callable[[Bid, int | None], tuple[int, ...]]] = MappingProxyType(
    {"quantity-face": lambda bid, wild: bid, "face-quantity": lambda bid, wild: bid[::-1], "bluff": _bluff}
)
"""By name, the key by which bids are compared: of two bids, that with the greater key is the higher."""


def in_order(bids: Iterable[Bid], order: str, wild: int | None) -> tuple[Bid, ...]:
    """*bids* in one of ``ORDERS``, lowest first."""
    return tuple(sorted(bids, key=lambda bid: ORDERS[order](bid, wild)))


def in_a_row(names: Sequence[str]) -> str:
    """``1x1 < 1x2 < 2x1 < 2x2``; of more than twelve names the first and the last three."""
    return " < ".join(names if len(names) <= 12 else [*names[:3], "...", *names[-3:]])


# The games.


class DiceHands(DealtGame):
    """A dealt game in which each player's hand is some dice, or what comes as dice do, such as digits."""

    pictures: Literal["dice"] | None = "dice"

    @property
    @abstractmethod
    def sides(self) -> int:
        """Sides of each die."""

    @property
    @abstractmethod
    def dice(self) -> tuple[int, ...]:
        """The number of dice of each player."""

    @cached_property
    def players(self) -> tuple[str, ...]:
        """``Player 1``, ``Player 2``, ..."""
        return player_names(len(self.dice))

    @cached_property
    def cups(self) -> tuple[tuple[tuple[Hand, Fraction], ...], ...]:
        """Each player's sorted hands with their probabilities."""
        return tuple(sorted_hands(count, self.sides) for count in self.dice)

    @cached_property
    def hands(self) -> tuple[tuple[str, ...], ...]:
        """Each player's hands as text: ``"2"``, ``"2,5"``."""
        return tuple(tuple(",".join(map(str, hand)) for hand, _ in mine) for mine in self.cups)

    @cached_property
    def hand_names(self) -> tuple[tuple[str, ...], ...]:
        """Each player's hands as die faces, if such dice have them: ``"⚁⚄"``."""
        if self.pictures is None or self.sides > len(FACES):
            return self.hands
        return tuple(tuple("".join(FACES[face - 1] for face in hand) for hand, _ in mine) for mine in self.cups)

    @property
    def hand_counts(self) -> tuple[int, ...]:
        """C(n + sides - 1, n) sorted hands of n dice."""
        return tuple(comb(count + self.sides - 1, count) for count in self.dice)

    @property
    def deal_count(self) -> int:
        """Hands combine freely."""
        return prod(self.hand_counts)

    @cached_property
    def deals(self) -> tuple[Deal, ...]:
        """All combinations of hands; the dice are independent."""
        numbered = ([(index, chance) for index, (_, chance) in enumerate(cup)] for cup in self.cups)
        both = (zip(*each, strict=True) for each in product(*numbered))
        return tuple(Deal(prod(chances, start=Fraction(1)), hands) for hands, chances in both)

    @property
    def hand_probabilities(self) -> tuple[tuple[Fraction, ...], ...]:
        """The dice are independent."""
        return tuple(tuple(chance for _, chance in mine) for mine in self.cups)


class BiddingGame(DealtGame):
    """A dealt game whose public histories are the subsets of its ordered bids.

    Players move in turn. A move is any bid above the last one, or, once there is a bid, the call that ends play:
    in ``public_turn``, the bids in their order and then the call. What an end pays depends on the bid that is called,
    on who calls it and on the deal, and on nothing before them.
    """

    call = "call"
    """The label of the action that ends play."""

    @property
    @abstractmethod
    def bid_names(self) -> tuple[str, ...]:
        """The labels of all bids, lowest first."""

    def history(self, bids: Iterable[int]) -> str:
        """The public history of these bids (indices, in order), as in ``PublicDecision.history``."""
        return " ".join(self.bid_names[bid] for bid in bids) or "start"

    def bids_of(self, history: str) -> tuple[int, ...]:
        """The inverse of ``history``. Raises ``ValueError`` where a word is no bid, or bids do not rise."""
        names = [] if history == self.history(()) else history.split(" ")
        bids = tuple(map(self.bid_names.index, names))
        if any(one >= other for one, other in pairwise(bids)):
            raise ValueError(f"the bids of {history!r} do not rise")
        return bids

    def called(self, bid: int, caller: int) -> Hashable:
        """The key of the public end at which the player *caller* has called *bid* (an index)."""
        return (bid, caller)

    def is_false(self, bid: int, caller: int, hands: tuple[int, ...]) -> bool:
        """Whether *bid* (an index) does not hold when the *hands* (by index) are uncovered at the call of *caller*.

        By default: whether the call pays its caller more than the bidder.
        """
        paid = self.settle(self.called(bid, caller), Deal(Fraction(1), hands)).payoffs
        return paid[caller] > paid[(caller - 1) % len(self.players)]

    def default_action(self, turn: PublicDecision) -> int:
        """The call; where there is no bid to call, the lowest bid."""
        return len(turn.actions) - 1 if turn.actions[-1][0] == self.call else 0

    def public_root(self) -> State:
        """No bid yet: (history, index of the last bid, player to move)."""
        return ("", -1, 0)

    def public_turn(self, state: State) -> PublicDecision | PublicEnd:
        """Every higher bid in the order of bids, then ``call`` once there is a bid."""
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
        """C(m, k) histories of length k, where the player k modulo the number of players moves.

        Play ends after any history but the empty one.
        """
        m, players = len(self.bid_names), len(self.players)
        decisions = tuple(sum(comb(m, k) for k in range(i, m + 1, players)) for i in range(players))
        return PublicSize(decisions, 2**m - 1)


class DiceBidding(DiceHands, BiddingGame):
    """A game of bidding on dice: a hand is some dice, a bid says how many of all dice show a face.

    ``sides`` of each die, ``dice`` of each player, ``wild``, the face that counts as every face, or None, and the
    ``order`` of bids, one of ``ORDERS``.
    """

    wild: int | None
    order: str = "quantity-face"

    @property
    @abstractmethod
    def bids(self) -> tuple[Bid, ...]:
        """All bids, lowest first."""

    @cached_property
    def bid_names(self) -> tuple[str, ...]:
        """All bids as text: ``"2x3"``, two threes."""
        return tuple(map(bid_name, self.bids))

    def classes(self, key: Hashable, player: int) -> tuple[int, ...]:
        """The number of the player's dice that count towards the bid that was called."""
        assert isinstance(key, tuple)
        face = self.bids[key[0]][1]
        return tuple(self.matches(hand, face) for hand, _ in self.cups[player])

    def matches(self, hand: Hand, face: int) -> int:
        """How many dice of *hand* count towards a bid on *face*."""
        return sum(1 for die in hand if die in (face, self.wild))

    def needed(self, quantity: int) -> int:
        """How many dice must count for a bid of *quantity* to hold."""
        return quantity

    def matching(self, face: int, hands: tuple[int, ...]) -> int:
        """The number of dice of all *hands* (by index) that count towards a bid on *face*."""
        return sum(self.matches(cup[hand][0], face) for cup, hand in zip(self.cups, hands, strict=True))

    def is_false(self, bid: int, caller: int, hands: tuple[int, ...]) -> bool:
        """Whether too few of all dice count."""
        quantity, face = self.bids[bid]
        return self.matching(face, hands) < self.needed(quantity)

    def counting_chance(self, face: int) -> Fraction:
        """The probability that an unseen die counts towards a bid on *face*."""
        return Fraction(len({face, self.wild or face}), self.sides)

    def claim(self, player: int, hand: int, action: str) -> Claim | None:
        """A bid claims that many dice; a call claims nothing."""
        if action == self.call:
            return None
        quantity, face = self.bids[self.bid_names.index(action)]
        mine = self.matches(self.cups[player][hand][0], face)
        others = sum(self.dice) - self.dice[player]
        return Claim(mine, 1 - at_least(self.needed(quantity) - mine, others, self.counting_chance(face)))


def bid_name(bid: Bid) -> str:
    """``(2, 3)`` as ``"2x3"``: two threes."""
    return f"{bid[0]}x{bid[1]}"
