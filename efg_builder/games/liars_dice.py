"""One round of Liar's Dice. Players roll in secret and bid in turn until a player calls the last bid."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import Any

from ..base.parameters import Choice, Parameter, integer, integers, truth, word_or
from ..base.words import listed, plural
from .bidding import ORDERS, Bid, DiceBidding, DiceHands, in_a_row, in_order
from .catalogue import GameType
from .protocol import Claim, Deal, End, PublicDecision, PublicEnd, PublicSize, State


@dataclass(frozen=True)
class RoundSettings:
    """The settings of one round of Liar's Dice.

    - ``sides``: the number of sides of each die.
    - ``dice``: the number of dice of each player.
    - ``wild``: the face that counts as every face, or None.
    - ``wild_biddable``: whether a player may bid on the wild face. Only wild dice count toward such a bid.
    - ``order``: the order of bids, one of ``bidding.ORDERS``.
    - ``max_quantity``: the greatest quantity in a bid.
    - ``payoff``: ``"win-loss"`` (the loser pays 1 to the others) or ``"points"`` (the winner gets 1, the loser gets 0).
    """

    sides: int = 2
    dice: tuple[int, ...] = (1, 1)
    wild: int | None = None
    wild_biddable: bool = True
    order: str = "quantity-face"
    max_quantity: int = 2
    payoff: str = "win-loss"


@dataclass(frozen=True)
class LiarsDice(RoundSettings, DiceBidding):
    """One round of Liar's Dice."""

    @property
    def title(self) -> str:
        extras = [f"wild {self.wild}" + ("" if self.wild_biddable else " (not to be bid)")] if self.wild else []
        extras += [self.order] if self.order != "quantity-face" else []
        extras += [f"bids up to {self.max_quantity}"] if self.max_quantity != sum(self.dice) else []
        extras += [self.payoff] if self.payoff != "win-loss" else []
        return ", ".join([f"Liar's Dice: {dice_in_words(self.dice, self.sides)}", *extras])

    @property
    def comment(self) -> str:
        high = self.bid_names[-1]
        held = [",".join([str(min(number, self.sides))] * dice) for number, dice in enumerate(self.dice, start=1)]
        holds = ", ".join(f"{name} holds {hand}" for name, hand in zip(self.players, held, strict=True))
        return (
            f"{high} says that at least {high.partition('x')[0]} of all dice show a {high.partition('x')[2]}; call "
            "challenges the last bid: the caller loses where it holds, the bidder where it does not. "
            f"{' vs '.join(held)}: {holds}."
        )

    @property
    def notes(self) -> tuple[str, ...]:
        total = sum(self.dice)
        if self.max_quantity < total:
            most = f"bids name at most {self.max_quantity} of the {total} dice on the table (max_quantity)"
            return (f"{most}: this is a different game, and its value can differ",)
        if self.max_quantity > total:
            return (f"bids above the {total} dice on the table are always false, and do not affect the value",)
        return ()

    def explain(self) -> tuple[str, ...]:
        notes = (f"{note[0].upper()}{note[1:]}." for note in self.notes)
        roll = f"One round: {dice_in_words(self.dice, self.sides)}. All roll in secret: you see your own dice only."
        said = (roll, _turns(self), _bids(self), _wild_face(self), _higher(self), *notes, _CALL)
        return (*filter(None, said), _payoffs(self))

    @property
    def constant_sum(self) -> Fraction:
        return Fraction(1 if self.payoff == "points" else 0)

    @cached_property
    def bids(self) -> tuple[Bid, ...]:
        faces = [f for f in range(1, self.sides + 1) if f != self.wild or self.wild_biddable]
        return in_order(product(range(1, self.max_quantity + 1), faces), self.order, self.wild)

    @cached_property
    def pays(self) -> tuple[tuple[Fraction, ...], ...]:
        """All players' payoffs, by the loser of the round."""
        seats, loss = range(len(self.dice)), Fraction(0 if self.payoff == "points" else -1)
        share = (self.constant_sum - loss) / (len(self.dice) - 1)
        return tuple(tuple(loss if seat == loser else share for seat in seats) for loser in seats)

    def settle(self, key: Any, deal: Deal) -> End:
        last, caller = key
        players = len(self.dice)
        loser = (caller - 1) % players if self.is_false(last, caller, deal.hands) else caller
        label = f"Player {loser + 1} loses" if players > 2 else f"Player {2 - loser} wins"
        return End(self.pays[loser], label)


@dataclass(frozen=True)
class SpotOn(RoundSettings, DiceHands):
    """One round of Liar's Dice with the call that the last bid is exactly right ("spot on", or *calza* in Perudo).

    Play can end in two ways after each bid. The game is therefore not a ``BiddingGame``, and is solved on its tree.
    """

    @cached_property
    def plain(self) -> LiarsDice:
        """The same round without the action ``exact``."""
        return LiarsDice(**asdict(self))

    @property
    def title(self) -> str:
        return f"{self.plain.title}, spot on"

    @property
    def comment(self) -> str:
        return f"{self.plain.comment} exact says that the last bid is exactly right, and wins where it is."

    @property
    def notes(self) -> tuple[str, ...]:
        return (*self.plain.notes, "exact ends play as a call does, so this game is solved on its tree only")

    def explain(self) -> tuple[str, ...]:
        *rules, payoffs = self.plain.explain()
        exact = (
            "In place of a call you may say that the last bid is exactly right. Then, too, all dice are uncovered. If "
            "exactly as many dice count as the bid says, you win; otherwise you lose."
        )
        if len(self.dice) > 2:
            exact += " The others then pay the winner 1 together, in equal shares."
        return (*rules, exact, payoffs)

    @property
    def constant_sum(self) -> Fraction:
        return self.plain.constant_sum

    def public_root(self) -> State:
        """Return the root of the plain round. After ``exact``, a state is ("exact", index of the last bid, caller)."""
        return self.plain.public_root()

    def public_turn(self, state: State) -> PublicDecision | PublicEnd:
        if state[0] == "exact":
            return PublicEnd(state)
        turn = self.plain.public_turn(state)
        if isinstance(turn, PublicEnd) or turn.actions[-1][0] != self.plain.call:
            return turn
        _, last, player = state
        return turn._replace(actions=(*turn.actions, ("exact", ("exact", last, player))))

    def settle(self, key: Any, deal: Deal) -> End:
        """Return the payoffs. After ``exact``, the caller wins 1 from the others or pays 1 to them, in equal shares.

        With ``payoff="points"``, the winner gets 1 and the loser gets 0.
        """
        if key[0] != "exact":
            return self.plain.settle(key, deal)
        _, last, player = key
        quantity, face = self.plain.bids[last]
        right = self.plain.matching(face, deal.hands) == quantity
        share = Fraction(1, len(self.dice) - 1)
        if self.payoff == "points":
            own, other = Fraction(right), Fraction(not right)
        else:
            own, other = (Fraction(1), -share) if right else (Fraction(-1), share)
        payoffs = tuple(own if seat == player else other for seat in range(len(self.dice)))
        return End(payoffs, f"Player {player + 1} is {'right' if right else 'wrong'}")

    def claim(self, player: int, hand: int, action: str) -> Claim | None:
        return None if action == "exact" else self.plain.claim(player, hand, action)

    def public_size(self) -> PublicSize:
        plain = self.plain.public_size()
        return PublicSize(plain.decisions, 2 * plain.ends)


# The rules in words.

NUMBERS = (
    *("no", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)


def dice_in_words(dice: Sequence[int], sides: int | None = None) -> str:
    """Describe the dice for a title, with or without *sides*: ``one six-sided die each``, ``2 against 1 dice``.

    A number of sides up to twelve is spelled out, because it may follow another number. ``proof/checker.py`` has the
    same rule.
    """
    sided = "" if sides is None else f"{NUMBERS[sides] if sides < len(NUMBERS) else sides}-sided "
    if len(set(dice)) > 1:
        return f"{' against '.join(map(str, dice))} {sided}dice"
    each = f"one {sided}die each" if dice[0] == 1 else f"{dice[0]} {sided}dice each"
    return each if len(dice) == 2 else f"{len(dice)} players, {each}"


def _turns(game: LiarsDice) -> str:
    first, *others = game.players
    return (
        f"{first} begins, then {listed(others)}, and so on in turn. The mover bids higher than the last bid, or calls "
        "it. The first move must be a bid, for there is nothing to call."
    )


def _bids(game: LiarsDice) -> str:
    face = max(face for _, face in game.bids if face != game.wild or game.sides == 1)
    quantity, table = min(2, game.max_quantity), plural(sum(game.dice), "die", "dice")
    few = f"at least {quantity} show a {face}" if quantity > 1 else f"at least 1 shows a {face}"
    says = f"The bid {quantity}x{face} says: of the {table} on the table, {few}"
    return f"A bid is about all dice together. {says}."


def _wild_face(game: LiarsDice) -> str:
    if game.wild is None:
        return ""
    counts = f"A die that shows a {game.wild} is wild: it counts as every face"
    if not game.wild_biddable:
        return f"{counts}. Nobody may bid on the face {game.wild} itself."
    return f"{counts}. Bids on the face {game.wild} itself are allowed; only dice that show it count for such bids."


def _higher(game: LiarsDice) -> str:
    names = game.bid_names
    how = "it names more dice, or as many dice and a higher face"
    if game.order == "face-quantity":
        how = "it names a higher face, or the same face and more dice"
    if game.order == "bluff":
        wild = game.wild
        how += f"; but bids on the {wild} stand apart: 1x{wild} comes right after all other bids of one die, 2x{wild} "
        how += f"after all other bids of three dice, 3x{wild} after all other bids of five dice, and so on"
    if len(names) == 1:
        return f"There is just one bid, {names[0]}, so only a call can follow it."
    return (
        f"A bid is higher than another if {how}. That makes {len(names)} bids: {in_a_row(names)}. "
        f"After {names[-1]}, the highest, only a call is possible."
    )


_CALL = (
    "A call ends the round: all dice are uncovered. If at least as many dice count as the last bid says, it holds and "
    "the caller loses; if they are fewer, the player before, who made the bid, loses."
)


def _payoffs(game: LiarsDice) -> str:
    players = len(game.dice)
    if game.payoff == "points":
        return "The winner gets 1 point, and the loser gets 0."
    if players == 2:
        return "The loser pays 1 to the winner: payoffs are 1 and -1."
    share = Fraction(1, players - 1)
    return f"The loser pays 1, which the other {players - 1} players share: {share} each."


# The catalogue.


def _make(
    sides: int,
    dice: tuple[int, ...],
    wild: int | str,
    wild_biddable: bool,
    order: str,
    max_quantity: int | str,
    payoff: str,
) -> LiarsDice:
    face = {"none": None, "highest": sides}[wild] if isinstance(wild, str) else wild
    if face is not None and face > sides:
        raise ValueError(f"wild={face}: a die of {sides} sides has no such face")
    if payoff == "points" and len(dice) != 2:
        raise ValueError("payoff=points is for two players only; use win-loss")
    if order == "bluff" and (face is None or not wild_biddable):
        raise ValueError("order=bluff needs a wild face on which players may bid, e.g. wild=highest")
    quantity = max_quantity
    if isinstance(quantity, str):
        quantity = {"dice": sum(dice), "sides": sides}[quantity]
    # Without a wild face, wild_biddable has no effect. It is then set to true, so that equal games compare equal.
    return LiarsDice(sides, dice, face, wild_biddable or face is None, order, quantity, payoff)


def _make_spot_on(**settings: Any) -> SpotOn:
    return SpotOn(**asdict(_make(**settings)))


PARAMETERS = (
    Parameter("sides", "2", integer(2, 20), "number of sides of each die"),
    Parameter("dice", "1,1", integers(1, 10, 2, 10), "number of dice of each player, in the order of play"),
    Parameter(
        "wild",
        "none",
        word_or(integer(1, 20), "none", "highest"),
        "face that counts as every face: a number, highest or none",
    ),
    Parameter("wild_biddable", "true", truth, "true if the wild face itself may be bid"),
    Parameter(
        "order",
        "quantity-face",
        Choice(*ORDERS),
        "order of bids. quantity-face: more dice, then a higher face; face-quantity: the reverse; bluff: a bid on k "
        "wild dice follows the bids on 2k-1 other dice",
    ),
    Parameter(
        "max_quantity",
        "dice",
        word_or(integer(1, 100), "dice", "sides"),
        "greatest quantity in a bid: dice (all dice on the table), sides, or a number",
    ),
    Parameter(
        "payoff",
        "win-loss",
        Choice("win-loss", "points"),
        "win-loss: the loser pays 1 to the others; points: the winner gets 1, and the loser gets 0",
    ),
)

GAMES = (
    GameType(
        name="liars-dice",
        summary="one round of Liar's Dice (Dudo, Perudo, Bluff): bid higher or call",
        parameters=PARAMETERS,
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
    GameType(
        name="liars-dice-spot-on",
        summary="one round of Liar's Dice with the call that the last bid is exactly right (Perudo)",
        parameters=PARAMETERS,
        sources=("Perudo, the call of 'calza'; en.wikipedia.org/wiki/Dudo, 'spot on'",),
        make=_make_spot_on,
        small=(
            {},
            {"payoff": "points"},
            {"dice": "1,1,1", "max_quantity": 1},
            {"sides": 3, "wild": 1, "wild_biddable": False},
        ),
    ),
)
