"""Liar's Dice, one round: roll in secret, bid in turn, call the bluff.

Every player rolls dice behind a cup. In turn, each makes a higher bid on all dice together ("2x3": at
least two threes) or calls the last bid. A call uncovers the dice: where the bid holds, the caller loses,
otherwise the bidder does. There is no call before the first bid. For the rules alone, state by state,
see ``liars_dice.liars_dice_rules``.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import comb, prod

from . import liars_dice_words
from .bidding import BiddingGame
from .dice import Hand, at_least, hand_name, sorted_hands
from .liars_dice_rules import Rules
from .parameters import GameType, Parameter, choice, integer, integers, truth
from .protocol import Claim, Deal, End, PublicDecision, PublicEnd, PublicSize, State

Bid = tuple[int, int]
"""(quantity, face)."""


def bid_name(bid: Bid) -> str:
    """``(2, 3)`` as ``"2x3"``: two threes."""
    return f"{bid[0]}x{bid[1]}"


@dataclass(frozen=True)
class LiarsDice(BiddingGame):
    """One round of Liar's Dice.

    ``dice`` are the dice of each player; ``wild`` is a face that counts as every face, or None;
    ``wild_biddable`` says whether one may bid on the wild face itself (then only it counts);
    ``order`` is ``"quantity-face"`` (1x1 < 1x2 < ... < 2x1), ``"face-quantity"`` (1x1 < 2x1 < ... < 1x2) or
    ``"bluff"`` (quantity-face, but k of the wild face come right after 2k - 1 of the others, as in the board game);
    ``max_quantity`` is the greatest quantity that may be bid;
    ``payoff`` is ``"win-loss"`` (the loser pays 1, shared by the others) or ``"points"`` (1 and 0).
    """

    sides: int = 2
    dice: tuple[int, ...] = (1, 1)
    wild: int | None = None
    wild_biddable: bool = True
    order: str = "quantity-face"
    max_quantity: int = 2
    payoff: str = "win-loss"

    @property
    def players(self) -> tuple[str, ...]:
        """``Player 1``, ``Player 2``, ..."""
        return tuple(f"Player {number}" for number in range(1, len(self.dice) + 1))

    @property
    def title(self) -> str:
        """One line for files and pictures."""
        extras = [f"wild {self.wild}" + ("" if self.wild_biddable else " (not to be bid)")] if self.wild else []
        extras += [self.order] if self.order != "quantity-face" else []
        extras += [f"bids up to {self.max_quantity}"] if self.max_quantity != sum(self.dice) else []
        extras += [self.payoff] if self.payoff != "win-loss" else []
        return ", ".join([f"Liar's Dice: {self._dice_in_words()}", *extras])

    def _dice_in_words(self) -> str:
        if len(set(self.dice)) == 1:
            each = "one" if self.dice[0] == 1 else str(self.dice[0])
            dice_ = f"{each} {self.sides}-sided {'die' if self.dice[0] == 1 else 'dice'} each"
            return dice_ if len(self.dice) == 2 else f"{len(self.dice)} players, {dice_}"
        return f"{' against '.join(map(str, self.dice))} {self.sides}-sided dice"

    @property
    def comment(self) -> str:
        """The rules in a sentence."""
        return liars_dice_words.comment(self)

    @property
    def notes(self) -> tuple[str, ...]:
        """Says what a ``max_quantity`` off the number of dice does to the game."""
        total = sum(self.dice)
        if self.max_quantity < total:
            return (
                f"max_quantity={self.max_quantity} is below the {total} dice on the table: "
                "this is a different game, and its value can differ",
            )
        if self.max_quantity > total:
            return (
                f"bids above the {total} dice on the table can never hold: they make the tree larger "
                "and change no value",
            )
        return ()

    def explain(self) -> tuple[str, ...]:
        """The rules for these parameters, one paragraph each."""
        return liars_dice_words.explain(self)

    @property
    def constant_sum(self) -> Fraction:
        """0, or 1 for points."""
        return Fraction(1 if self.payoff == "points" else 0)

    @cached_property
    def bids(self) -> tuple[Bid, ...]:
        """All bids, lowest first."""
        faces = [f for f in range(1, self.sides + 1) if f != self.wild or self.wild_biddable]
        quantities = range(1, self.max_quantity + 1)
        if self.order == "face-quantity":
            return tuple((q, f) for f in faces for q in quantities)
        if self.order == "bluff":
            return tuple(sorted(((q, f) for q in quantities for f in faces), key=self._in_bluff))
        return tuple((q, f) for q in quantities for f in faces)

    def _in_bluff(self, bid: Bid) -> tuple[int, bool, int]:
        quantity, face = bid
        return (2 * quantity - 1 if face == self.wild else quantity, face == self.wild, face)

    @cached_property
    def bid_names(self) -> tuple[str, ...]:
        """All bids as text: ``"1x1"``."""
        return tuple(map(bid_name, self.bids))

    @cached_property
    def cups(self) -> tuple[tuple[tuple[Hand, Fraction], ...], ...]:
        """Each player's sorted hands with their probabilities."""
        return tuple(sorted_hands(count, self.sides) for count in self.dice)

    @cached_property
    def hands(self) -> tuple[tuple[str, ...], ...]:
        """Each player's hands as text: ``"2"``, ``"2,5"``."""
        return tuple(tuple(hand_name(hand) for hand, _ in mine) for mine in self.cups)

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
        indices = product(*(range(len(mine)) for mine in self.cups))
        return tuple(
            Deal(prod((mine[i][1] for mine, i in zip(self.cups, hands, strict=True)), start=Fraction(1)), hands)
            for hands in indices
        )

    @property
    def hand_probabilities(self) -> tuple[tuple[Fraction, ...], ...]:
        """The dice are independent."""
        return tuple(tuple(chance for _, chance in mine) for mine in self.cups)

    def classes(self, key: Hashable, player: int) -> tuple[int, ...]:
        """How many of the player's dice count towards the bid that was called."""
        assert isinstance(key, tuple)
        face = self.bids[key[0]][1]
        return tuple(self.matches(hand, face) for hand, _ in self.cups[player])

    @property
    def rules(self) -> Rules:
        """The rules alone, without tree or solver: legal moves, transitions, observations, who wins a call."""
        return Rules(self)

    def matches(self, hand: Hand, face: int) -> int:
        """How many dice of *hand* count towards a bid on *face*."""
        return sum(1 for die in hand if die in (face, self.wild))

    def holds(self, bid: Bid, hands: tuple[Hand, ...]) -> bool:
        """Whether *bid* is true of all dice together."""
        quantity, face = bid
        return sum(self.matches(hand, face) for hand in hands) >= self.needed(quantity)

    def needed(self, quantity: int) -> int:
        """How many dice must count for a bid of *quantity* to hold."""
        return quantity

    def is_false(self, bid: int, caller: int, hands: tuple[int, ...]) -> bool:
        """Whether too few of all dice count."""
        return not self.holds(self.bids[bid], tuple(cup[hand][0] for cup, hand in zip(self.cups, hands, strict=True)))

    def public_root(self) -> State:
        """Nobody has bid: (history, index of the last bid, player to move)."""
        return ("", -1, 0)

    def public_turn(self, state: State) -> PublicDecision | PublicEnd:
        """Every higher bid in bid order, then ``call`` once there is a bid."""
        history, last, player = state
        if history is None:
            return PublicEnd(self.called(last, player))
        following = (player + 1) % len(self.dice)
        lead = f"{history} " if history else ""
        actions: list[tuple[str, State]] = [
            (name, (lead + name, index, following))
            for index, name in enumerate(self.bid_names[last + 1 :], start=last + 1)
        ]
        if last >= 0:
            actions.append((self.call, (None, last, player)))
        return PublicDecision(player, history or self.history(()), tuple(actions))

    def settle(self, key: Hashable, deal: Deal) -> End:
        """The caller loses where the bid holds, otherwise the player before the caller does."""
        assert isinstance(key, tuple)
        last, caller = key
        hands = tuple(mine[i][0] for mine, i in zip(self.cups, deal.hands, strict=True))
        players = len(self.dice)
        loser = caller if self.holds(self.bids[last], hands) else (caller - 1) % players
        share = Fraction(1, players - 1)
        loss = Fraction(0 if self.payoff == "points" else -1)
        label = f"Player {loser + 1} loses" if players > 2 else f"Player {2 - loser} wins"
        return End(tuple(loss if player == loser else share for player in range(players)), label)

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

    def public_size(self) -> PublicSize:
        """Histories are subsets of the m bids: C(m, k) of length k, the mover is k modulo the players.

        Play ends after any history but the empty one.
        """
        m, players = len(self.bids), len(self.dice)
        decisions = tuple(sum(comb(m, k) for k in range(i, m + 1, players)) for i in range(players))
        return PublicSize(decisions, 2**m - 1)


def _wild(text: str) -> int | str | None:
    if text in ("none", "highest"):
        return None if text == "none" else text
    if not text.isascii() or not text.isdigit() or len(text) > 4 or int(text) < 1:
        raise ValueError("must be none, highest or a face")
    return int(text)


def _max_quantity(text: str) -> int | str:
    if text in ("dice", "sides"):
        return text
    try:
        return integer(1, 100)(text)
    except ValueError:
        raise ValueError("must be dice, sides or a whole number from 1 to 100") from None


def _make(
    sides: int,
    dice: tuple[int, ...],
    wild: int | str | None,
    wild_biddable: bool,
    order: str,
    max_quantity: int | str,
    payoff: str,
) -> LiarsDice:
    face = sides if wild == "highest" else wild
    if isinstance(face, int) and face > sides:
        raise ValueError(f"wild={face}: a die of {sides} sides has no such face")
    if payoff == "points" and len(dice) != 2:
        raise ValueError("payoff=points: is for two players; use win-loss")
    if order == "bluff" and (face is None or not wild_biddable):
        raise ValueError("order=bluff: needs a wild face that may be bid, as wild=highest")
    quantity = {"dice": sum(dice), "sides": sides}.get(str(max_quantity), max_quantity)
    assert not isinstance(face, str)
    assert isinstance(quantity, int)
    # Without a wild face there is none to forbid; equal games then compare equal.
    return LiarsDice(sides, dice, face, wild_biddable or face is None, order, quantity, payoff)


GAMES = (
    GameType(
        name="liars-dice",
        summary="one round of Liar's Dice (Dudo, Perudo, Bluff): bid higher or call",
        parameters=(
            Parameter("sides", "2", integer(2, 20), "sides of each die"),
            Parameter("dice", "1,1", integers(1, 10, 2, 10), "dice of each player, in the order of play"),
            Parameter("wild", "none", _wild, "a face that counts as every face: none, a face, or highest"),
            Parameter("wild_biddable", "true", truth, "whether the wild face itself may be bid"),
            Parameter(
                "order",
                "quantity-face",
                choice("quantity-face", "face-quantity", "bluff"),
                "which bids are higher: more dice, or else a higher face; or the reverse; bluff: k wild ones after "
                "2k-1 others",
            ),
            Parameter(
                "max_quantity",
                "dice",
                _max_quantity,
                "greatest quantity to bid: dice (all on the table), sides, or a number",
            ),
            Parameter(
                "payoff",
                "win-loss",
                choice("win-loss", "points"),
                "win-loss: the loser pays 1 to the others; points: the winner has 1, the loser 0",
            ),
        ),
        sources=(
            "'A Roll of the Liar's Dice' (F# Advent Calendar 2015)",
            "T. D. Ahle, 'Liar's Dice by Self-Play' (2022)",
            "S. Kakatur and A. Chang, 'Game 2 Player Liar's Dice' (face-quantity order)",
        ),
        make=_make,
        small=(
            {},
            {"sides": 3},
            {"dice": "2,1"},
            {"dice": "1,1,1"},
            {"sides": 3, "wild": 1, "wild_biddable": False},
            {"sides": 3, "wild": "highest"},
            {"order": "face-quantity", "payoff": "points"},
            {"max_quantity": 1},
            {"sides": 3, "wild": "highest", "order": "bluff"},
        ),
    ),
)
