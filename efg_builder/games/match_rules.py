"""Rules of matches of Liar's Dice for two or more players, with exact values.

Players play rounds until one player has all remaining dice. With two players, each round is a ``StakedRound``, whose
payoffs are the values of the rest of the match.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from math import floor, log10
from typing import Any, NamedTuple, cast

from ..base.errors import check_kind
from ..base.parameters import Choice, Parameter, as_text, read_settings
from ..base.rationals import ROUGHLY, brief, common_denominator, down, parse, up
from ..base.words import figure, percent
from .bidding import Bid
from .catalogue import GameType, make
from .liars_dice import GAMES as LIARS_DICE
from .liars_dice import LiarsDice, dice_in_words
from .protocol import Deal, End

EXACTS = ("caller-loses-one", "bidder-loses-one")

MOST_DENOMINATOR = 10**9
"""Stakes with a larger common denominator are rounded, because solvers store payoffs in machine integers."""

GRID = 2**30
"""Rounded stakes are multiples of 1 / ``GRID``."""


def lost(loss: str, exact: str, bid: Bid, count: int) -> tuple[bool, int]:
    """Return True if the caller of *bid* loses, and the number of lost dice. *count* is the number of matching dice.

    The loser loses one die if *loss* is ``"one"``. If *loss* is ``"difference"``, the number of lost dice is the
    difference between the quantity of *bid* and *count*. If this difference is 0, one player loses one die: the
    caller (*exact* is ``"caller-loses-one"``) or the bidder (``"bidder-loses-one"``).
    """
    over = count - bid[0]
    caller = over > 0 or (over == 0 and exact == "caller-loses-one")
    return caller, 1 if loss == "one" or over == 0 else abs(over)


@dataclass(frozen=True)
class StakedRound(LiarsDice):
    """A two-player round in which calls cost dice; ``loss`` and ``exact`` are as in ``lost``.

    ``lose1`` contains player 1's payoffs if player 1 loses 1, 2, ... dice. ``lose2`` contains player 1's payoffs if
    player 2 loses 1, 2, ... dice.
    """

    loss: str = "one"
    exact: str = "caller-loses-one"
    lose1: tuple[Fraction, ...] = (Fraction(-1),)
    lose2: tuple[Fraction, ...] = (Fraction(1),)

    @property
    def title(self) -> str:
        stakes = [" ".join(map(_stake, numbers)) for numbers in (self.lose1, self.lose2)]
        rules = [self.loss] + ([self.exact] if self.exact != EXACTS[0] else [])
        return f"{super().title}, loss {', '.join(rules)}, stakes {' | '.join(stakes)}"

    @property
    def comment(self) -> str:
        who = "the caller" if self.exact == EXACTS[0] else "the bidder"
        how = "one die" if self.loss == "one" else "as many dice as the difference between bid and count"
        return (
            f"A call costs the loser {how}; an exact count costs {who} one die. Player 1's payoffs after Player 1 "
            f"loses 1, 2, ... dice: {', '.join(map(_stake, self.lose1))}; after Player 2 does: "
            f"{', '.join(map(_stake, self.lose2))}."
        )

    def explain(self) -> tuple[str, ...]:
        count = "at least as many dice count as" if self.exact == EXACTS[0] else "more dice count than"
        call = (
            f"A call ends the round: all dice are uncovered. If {count} the last bid says, it holds and the caller "
            "loses; otherwise the bidder loses."
        )
        return (*super().explain()[:-2], call, self.comment)

    def needed(self, quantity: int) -> int:
        return quantity if self.exact == EXACTS[0] else quantity + 1

    def settle(self, key: Any, deal: Deal) -> End:
        last, caller = key
        bid = self.bids[last]
        calls, dice = lost(self.loss, self.exact, bid, self.matching(bid[1], deal.hands))
        loser = caller if calls else 1 - caller
        stakes = (self.lose1, self.lose2)[loser]
        dice = min(dice, len(stakes))
        paid = stakes[dice - 1]
        more = " or more" if dice == len(stakes) and self.loss == "difference" else ""
        return End((paid, -paid), f"Player {loser + 1} loses {dice}{more}")


_LOSS = Parameter(
    "loss", "one", Choice("one", "difference"), "cost of a call: one die, or the difference between bid and count"
)
_EXACT = Parameter("exact", EXACTS[0], Choice(*EXACTS), "loser of one die if the count equals the bid")


def _stakes(text: str) -> tuple[Fraction, ...]:
    try:
        return tuple(parse(part) for part in text.split(","))
    except (ValueError, ZeroDivisionError):
        raise ValueError("must be exact numbers, for 1, 2, ... dice lost, like -1/2,-1") from None


def _make(
    loss: str, exact: str, lose1: tuple[Fraction, ...], lose2: tuple[Fraction, ...], **settings: object
) -> StakedRound:
    plain = cast("LiarsDice", LIARS_DICE[0].make(**settings, payoff="win-loss"))
    if len(plain.dice) != 2:
        raise ValueError("dice: a round with stakes is for two players only; write two numbers, e.g. 2,1")
    for name, stakes, dice in (("lose1", lose1, plain.dice[0]), ("lose2", lose2, plain.dice[1])):
        if len(stakes) > (1 if loss == "one" else dice):
            most = "only one with loss=one" if loss == "one" else f"at most {dice}, one for each die"
            raise ValueError(f"{name}: {len(stakes)} numbers, but there can be {most}")
    return StakedRound(**asdict(plain), loss=loss, exact=exact, lose1=lose1, lose2=lose2)


GAMES = (
    GameType(
        name="liars-dice-stakes",
        summary="one round of a match of Liar's Dice: calls cost dice, and payoffs are values of the rest of the match",
        parameters=(
            *(parameter for parameter in LIARS_DICE[0].parameters if parameter.name != "payoff"),
            _LOSS,
            _EXACT,
            Parameter("lose1", "-1", _stakes, "payoffs to player 1 if player 1 loses 1, 2, ... dice"),
            Parameter("lose2", "1", _stakes, "payoffs to player 1 if player 2 loses 1, 2, ... dice"),
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


class Standing(NamedTuple):
    """The state between two rounds: each player's number of ``dice``, and the ``first`` bidder of the next round.

    Players are numbered from 0.
    """

    dice: tuple[int, ...]
    first: int


class Bounds(NamedTuple):
    """Bounds on the value of a match to the first bidder. Values are between -1 and 1."""

    lower: Fraction
    upper: Fraction

    @property
    def middle(self) -> Fraction:
        return (self.lower + self.upper) / 2

    @property
    def width(self) -> Fraction:
        return self.upper - self.lower

    def __neg__(self) -> Bounds:
        return Bounds(-self.upper, -self.lower)


@dataclass(frozen=True)
class MatchRules:
    """The rules of a match: the settings of its rounds, with ``loss`` and ``exact`` as in ``lost``.

    ``next`` is the first bidder of the next round: the ``"loser"`` or the ``"winner"`` of the call. If this player has
    no dice left, the next player in turn with dice bids first.
    """

    sides: int = 6
    dice: tuple[int, ...] = (2, 2)
    wild: int | None = None
    wild_biddable: bool = True
    order: str = "quantity-face"
    loss: str = "one"
    next: str = "loser"
    exact: str = "caller-loses-one"

    @property
    def title(self) -> str:
        plain = LiarsDice(self.sides, self.dice, self.wild, self.wild_biddable, self.order, sum(self.dice))
        exact = "" if self.exact == EXACTS[0] else f", {self.exact}"
        return f"Match of {plain.title}, loss {self.loss}, next {self.next}{exact}"

    @property
    def settings(self) -> dict[str, str]:
        """All parameters as text, as ``match_rules`` accepts them."""
        return {parameter.name: as_text(getattr(self, parameter.name)) for parameter in PARAMETERS}

    def after(self, standing: Standing, caller: int, bid: tuple[int, int], count: int) -> Standing:
        """Return the standing after *caller* (from 0) has called *bid*. *count* is the number of matching dice."""
        calls, dice = lost(self.loss, self.exact, bid, count)
        bidder = next(_around(standing.dice, caller, -1))
        loser, winner = (caller, bidder) if calls else (bidder, caller)
        left = tuple(max(0, n - dice) if player == loser else n for player, n in enumerate(standing.dice))
        first = loser if self.next == "loser" else winner
        return Standing(left, first if left[first] else next(_around(left, first, 1)))

    def winner(self, standing: Standing) -> int | None:
        """Return the winner (from 0); None before the end of the match."""
        alive = [player for player, dice in enumerate(standing.dice) if dice]
        return alive[0] if len(alive) == 1 else None

    def rounds(self) -> tuple[tuple[int, int], ...]:
        """Return each round of a two-player match as (first bidder's dice, other player's dice), fewest dice first."""
        one, two = self.dice
        pairs = {(a, b) for a in range(1, one + 1) for b in range(1, two + 1)}
        return tuple(sorted(pairs | {(b, a) for a, b in pairs}, key=lambda pair: (sum(pair), pair)))

    def stakes(
        self,
        pair: tuple[int, int],
        known: Mapping[tuple[int, int], Bounds],
        turned: Mapping[tuple[int, int], Bounds] | None = None,
    ) -> Stakes:
        """Return the stakes of the round of *pair*, given the *known* values of the rounds with fewer dice.

        *turned* contains the values of the rounds in which the other player bids first; None means the same as *known*.
        """
        other_first = known if turned is None else turned
        mine, other = pair
        most = 1 if self.loss == "one" else max(pair)

        def value(left: tuple[int, int], loser: int) -> Bounds:
            if 0 in left:
                won = Fraction(1 if left[1] == 0 else -1)
                return Bounds(won, won)
            first = loser if self.next == "loser" else 1 - loser
            return known[left] if first == 0 else -other_first[left[::-1]]

        lose1 = [value((mine - k, other), 0) for k in range(1, min(mine, most) + 1)]
        lose2 = [value((mine, other - k), 1) for k in range(1, min(other, most) + 1)]
        return Stakes(tuple(lose1), tuple(lose2))

    def round_of(self, pair: tuple[int, int], stakes: Stakes) -> StakedRound:
        """Return the round of *pair* as a game. Its payoffs are the rounded midpoints of *stakes*."""
        lose1, lose2 = stakes.rounded()
        rules = {key: value for key, value in asdict(self).items() if key != "next"}
        made = make("liars-dice-stakes", rules | {"dice": pair, "lose1": lose1, "lose2": lose2})
        return cast("StakedRound", made)


class Stakes(NamedTuple):
    """Bounds on player 1's value if player 1 (``lose1``) or player 2 (``lose2``) loses 1, 2, ... dice."""

    lose1: tuple[Bounds, ...]
    lose2: tuple[Bounds, ...]

    def rounded(self) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...]]:
        """Return the midpoints of the bounds, rounded to 1 / ``GRID`` if their common denominator is too large."""
        middles = [bounds.middle for side in self for bounds in side]
        if common_denominator(middles) > MOST_DENOMINATOR:
            middles = [Fraction(round(middle * GRID), GRID) for middle in middles]
        return tuple(middles[: len(self.lose1)]), tuple(middles[len(self.lose1) :])

    def around(self, lower: Fraction, upper: Fraction) -> Bounds:
        """Return bounds on the value of the round, given bounds *lower* and *upper* on its value with rounded stakes.

        If each payoff changes by at most e, the value changes by at most e.
        """
        pairs = zip((*self.lose1, *self.lose2), (p for side in self.rounded() for p in side), strict=True)
        ends = [(paid - bounds.lower, bounds.upper - paid) for bounds, paid in pairs]
        below, above = (max(Fraction(0), *side) for side in zip(*ends, strict=True))
        return Bounds(max(Fraction(-1), lower - below), min(Fraction(1), upper + above))


def _around(dice: tuple[int, ...], player: int, step: int) -> Iterator[int]:
    """Yield the other players with dice, in the direction *step* (1 or -1) from *player*."""
    for k in range(1, len(dice) + 1):
        other = (player + step * k) % len(dice)
        if dice[other] and other != player:
            yield other


_DEFAULTS = {"sides": "6", "dice": "2,2"}

PARAMETERS: tuple[Parameter, ...] = (
    *(
        replace(each, default=_DEFAULTS.get(each.name, each.default))
        for each in LIARS_DICE[0].parameters
        if each.name not in ("max_quantity", "payoff")
    ),
    _LOSS,
    Parameter(
        *("next", "loser", Choice("loser", "winner")),
        "first bidder of the next round: the loser or the winner of the call",
    ),
    _EXACT,
)


def match_rules(settings: Mapping[str, object]) -> MatchRules:
    """Return the rules of a match of Liar's Dice: rounds until only one player has dice left.

    Parameters
    ----------
    settings : mapping of str to object
        Parameters as Python values or as text. ``sides`` (default 6), ``dice`` per player (default 2,2), ``wild``,
        ``wild_biddable`` and ``order`` are the same as in ``eb.game("liars-dice")``. ``loss`` is the cost of a call:
        ``"one"`` die (default) or the ``"difference"`` between bid and count. ``next`` is the first bidder of the next
        round: the ``"loser"`` (default) or the ``"winner"``. After an exact count, ``exact`` names the player who loses
        a die: ``"caller-loses-one"`` (default) or ``"bidder-loses-one"``.

    Returns
    -------
    MatchRules
        The rules, for ``eb.solve_match`` and ``eb.run_arena``.

    Raises
    ------
    ParameterError
        If a parameter does not exist or a value is invalid. The message suggests a valid name or value.

    Examples
    --------
    >>> import efg_builder as eb
    >>> rules = eb.match_rules({"sides": 3, "dice": (2, 1)})
    >>> rules.rounds()
    ((1, 1), (1, 2), (2, 1))
    """
    check_kind(
        "match_rules", settings, Mapping, "a mapping of settings", "for example, write eb.match_rules({'dice': '2,2'})"
    )
    values = read_settings("match liars-dice", PARAMETERS, settings)
    rounds = {key: value for key, value in settings.items() if key not in ("loss", "next", "exact")}
    # The constructor of a round checks these settings and converts words such as "highest" to values.
    plain = cast("LiarsDice", make("liars-dice", {"sides": values["sides"], "dice": values["dice"]} | rounds))
    return MatchRules(**values | {"wild": plain.wild, "wild_biddable": plain.wild_biddable})


def in_a_line(rules: MatchRules) -> str:
    """Return the settings in one line: ``3 against 2 three-sided dice; a lost call costs one die; ...``."""
    lost = "one die"
    if rules.loss == "difference":
        lost = "as many dice as the difference between bid and count"
    parts = [dice_in_words(rules.dice, rules.sides), *_bids(rules), f"a lost call costs {lost}"]
    if rules.exact != EXACTS[0] or rules.loss == "difference":
        parts.append(f"a bid that is met exactly costs the {rules.exact.partition('-')[0]} one die")
    return "; ".join((*parts, f"the {rules.next} starts the next round"))


def _bids(rules: MatchRules) -> list[str]:
    said = []
    if rules.wild is not None:
        bid = "" if rules.wild_biddable else ", and no bid may name that face"
        said.append(f"dice showing {rules.wild} count as every face{bid}")
    if rules.order == "face-quantity":
        said.append("a higher bid names a higher face, or the same face and more dice")
    elif rules.order == "bluff":
        said.append(f"bids on {rules.wild}s rank as in the board game Bluff")
    return said


def _stake(number: Fraction) -> str:
    """Return *number* as in a match's title. A title identifies the game in certificates, so it has no sign ``≈``."""
    return brief(number).removeprefix(ROUGHLY)


def in_words(bounds: Bounds) -> str:
    """Return an exact value or its bounds as text. The lower bound is rounded down, and the upper bound up."""
    low, high = bounds
    if low == high:
        return figure(low, letters=24)
    digits = max(6, 2 - floor(log10(bounds.width)))
    return f"from {down(low, digits)} to {up(high, digits)}"


def wins(bounds: Bounds) -> str:
    """Return the winning percentage of a player with value *bounds*: one number, or a range if the ends differ."""
    low, high = ((1 + end) / 2 for end in bounds)
    if percent(low) == percent(high):
        return percent(low)
    return f"{down(100 * low, 1)}% to {up(100 * high, 1)}%"
