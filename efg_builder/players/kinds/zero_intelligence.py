"""Zero intelligence: call an improbable bid; otherwise make the raise that is least likely to be called correctly.

Source: mu-zhao, "Zero Intelligence" (wiki of the repository Liars_dice). docs/zero-intelligence.md contains the
mathematics, and corrections to this wiki page (*the text*). Moves depend only on the player's own dice and the last
bid.

- **Calling.** Call a bid if its probability is below the call probability, i.e. if its z-score is above ``call_z``.
- **Raising.** Otherwise, make the bid with the largest payoff. ``ties`` chooses among equally good bids.
- **Beliefs.** The number of matching unseen dice, X, is binomial; the text approximates X by a normal variable. For a
  player with s matching dice, a bid on r dice is false if X < r - s. The continuity correction is -1/2; the text has
  +1/2.
- **The payoff of a raise.** Player A has s matching dice, the next player B has X, and all others together have Z. Let
  Y be the number of matching dice outside B's hand. B calls if X <= r - y0, where y0 = min {y : P(Y >= y) < level}. The
  payoff is minus the sum of P(X = x) P(Z < r - s - x) over x <= r - y0.
- **The call level.** At this level, calling costs as much as raising: P(X <= s, X + Z <= y0) + F_Y(y0) = 1, with
  Z ~ N(0, v) and Y = X + Z. For s = 0 and v = 3, y0 = 0.5775, as in the text. The text has lambda = 0.2818; with the
  variance v + 1 of Y, lambda becomes 0.3864.
- **The robust level** is the best level in the worst case (``benchmarks/robust_levels.py``). It is the positive root of
  1 + erf(sqrt(2) level / sqrt(v + 4)) = sqrt(1 + 4/v) exp(-2 level^2 / (v + 4)).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from math import comb, erf, erfc, exp, inf, log1p, sqrt
from statistics import NormalDist
from typing import Literal

from ...base.errors import ParameterError
from ...base.parameters import Choice, Parameter, fraction
from ...base.rationals import Number
from ...games.bidding import DiceBidding
from ...games.protocol import PublicDecision
from ...strategies.policy import Policy
from ...strategies.tree_profile import Strategy
from ..find import Player, Table

Tail = Literal["normal", "exact", "printed"]
"""The distribution: normal with the correction -1/2, exact binomial, or normal with the text's correction +1/2."""

TAILS: tuple[Tail, ...] = ("normal", "exact", "printed")

CORRECTIONS = {"normal": -0.5, "printed": 0.5}

NORMAL = NormalDist()

density = NORMAL.pdf


def deviation(dice: int, chance: Fraction) -> float:
    return sqrt(dice * chance * (1 - chance))


def z_score(needed: int, dice: int, chance: Fraction, tail: Tail = "normal") -> float:
    """Return the number of standard deviations by which *needed* exceeds the mean number of matching *dice*.

    The result includes the continuity correction of *tail*. For ``"exact"``, the result is the normal quantile of the
    exact probability of a false bid, and is infinite if this probability is 0 or 1.
    """
    spread = deviation(dice, chance)
    if tail == "exact" or spread == 0:
        return quantile(below(needed, dice, chance, tail))
    return (needed + CORRECTIONS[tail] - float(dice * chance)) / spread


@lru_cache(maxsize=1 << 16)
def below(needed: int, dice: int, chance: Fraction, tail: Tail) -> Number:
    """Return P(X < needed) for the number X of matching *dice*. Probabilities 0 and 1 are exact with every *tail*."""
    if needed <= 0 or needed > dice:
        return Fraction(int(needed > 0))
    if chance == 1:
        return Fraction(0)
    if tail == "exact":
        counts = range(needed)
        return sum((comb(dice, i) * chance**i * (1 - chance) ** (dice - i) for i in counts), Fraction(0))
    return cumulative(z_score(needed, dice, chance, tail))


def weight(count: int, dice: int, chance: Fraction, tail: Tail) -> Number:
    """Return P(X = count) for the number X of matching *dice*.

    For a normal variable, this is the mass from count - 1/2 to count + 1/2. The counts 0 and *dice* include the tails.
    """
    how: Tail = "exact" if tail == "exact" else "normal"
    return below(count + 1, dice, chance, how) - below(count, dice, chance, how)


def cumulative(z: float) -> float:
    """Return the standard normal distribution function at *z*, accurate in both tails."""
    return 0.5 * erfc(-z / sqrt(2))


def quantile(p: Number) -> float:
    """Return the inverse of ``cumulative``; infinite at 0 and 1."""
    p = float(p)
    return NORMAL.inv_cdf(p) if 0 < p < 1 else inf if p >= 1 else -inf


@dataclass(frozen=True, slots=True)
class Seats:
    """The number of dice of player A (``own``), of the next player B (``following``), and of all ``others``."""

    own: int
    following: int
    others: int

    @property
    def unseen(self) -> int:
        """The number of dice that A does not see."""
        return self.following + self.others


@lru_cache(maxsize=1 << 12)
def least_doubted(dice: int, chance: Fraction, level: Number, tail: Tail) -> float:
    """Return y0 = min {y : P(Y >= y) < level} for the number Y of matching *dice*; infinite at level 0."""
    if level <= 0:
        return inf
    return next(y for y in range(dice + 2) if 1 - below(y, dice, chance, tail) < level)


def payoff(needed: int, held: int, seats: Seats, chance: Fraction, level: Number, tail: Tail = "exact") -> Number:
    """Return A's payoff, from -1 to 0, for a raise that needs *needed* matching dice, of which A has *held*.

    A die matches with probability *chance*. The next player calls a bid if its probability is below *level*.
    """
    doubted = least_doubted(seats.own + seats.others, chance, level, tail)
    lost: Number = Fraction(0)
    for count in range(seats.following + 1):
        if count <= needed - doubted:
            false = below(needed - held - count, seats.others, chance, tail)
            lost += weight(count, seats.following, chance, tail) * false
    return -lost


def seats(game: DiceBidding, player: int) -> Seats:
    """Return the seats, with the bidder *player* (from 0) as A."""
    own, following = game.dice[player], game.dice[(player + 1) % len(game.dice)]
    return Seats(own, following, sum(game.dice) - own - following)


def expected(game: DiceBidding, player: int, hand: int) -> tuple[Fraction, ...]:
    """Return the expected number of matching dice for each face, from 1, given the hand of *player*."""
    unseen, cup = seats(game, player).unseen, game.cups[player][hand][0]
    faces = range(1, game.sides + 1)
    return tuple(game.matches(cup, face) + unseen * game.counting_chance(face) for face in faces)


def _parts(game: DiceBidding, player: int, hand: int, bid: int) -> tuple[int, int, Fraction]:
    quantity, face = game.bids[bid]
    return game.needed(quantity), game.matches(game.cups[player][hand][0], face), game.counting_chance(face)


def false_chance(game: DiceBidding, player: int, hand: int, bid: int, tail: Tail = "exact") -> Number:
    """Return the probability of a false *bid* (an index), given the *hand* (an index) of *player*."""
    needed, held, chance = _parts(game, player, hand, bid)
    return below(needed - held, seats(game, player).unseen, chance, tail)


def score(game: DiceBidding, player: int, hand: int, bid: int, tail: Tail = "normal") -> float:
    """Return the z-score of *bid* (an index), as in ``z_score``."""
    needed, held, chance = _parts(game, player, hand, bid)
    return z_score(needed - held, seats(game, player).unseen, chance, tail)


def raise_payoff(game: DiceBidding, player: int, hand: int, bid: int, level: Number, tail: Tail = "exact") -> Number:
    """Return the payoff of *bid* (an index) if the next player calls below *level*, as in ``payoff``."""
    needed, held, chance = _parts(game, player, hand, bid)
    return payoff(needed, held, seats(game, player), chance, level, tail)


def raise_payoffs(
    game: DiceBidding, player: int, hand: int, last: int, level: Number, tail: Tail = "exact"
) -> dict[str, Number]:
    """Return the payoff of each legal raise, lowest first. *last* is the last bid's index, or -1."""
    return {
        game.bid_names[bid]: raise_payoff(game, player, hand, bid, level, tail)
        for bid in range(last + 1, len(game.bids))
    }


REACH = 40.0
"""An upper bound on solutions of the equations, in standard deviations. Beyond it, floats round the distribution
function to 0 or 1.
"""


@dataclass(frozen=True, slots=True)
class Level:
    """A solution ``y0`` of the indifference equation. ``variance`` is the variance of all others' matching dice."""

    y0: float
    variance: float

    @property
    def call_z(self) -> float:
        """The z-score above which a bid is called."""
        return self.y0 / sqrt(self.variance + 1)

    @property
    def call_probability(self) -> float:
        """The probability 1 - F_Y(y0), below which a bid is called."""
        return cumulative(-self.call_z)

    @property
    def printed(self) -> float:
        """The value 1 - Phi(y0), which is lambda in the text. The text omits the variance of Y."""
        return cumulative(-self.y0)


def cost_of_calling(y: float, variance: float) -> float:
    """Return P(Y >= y), the probability of a true bid if the bid needs *y* from the unseen dice."""
    _check(variance)
    return cumulative(-y / sqrt(variance + 1))


def cost_of_raising(y: float, strength: float, variance: float) -> float:
    """Return P(X <= s, X + Z <= y), the probability of a false raise that is called.

    *strength* is s, in standard deviations of one player. *variance* is the variance of Z.
    """
    from scipy.integrate import quad

    _check(variance)
    if variance == 0:
        return cumulative(min(strength, y))
    spread = sqrt(variance)

    def false_and_called(x: float) -> float:
        return cumulative((y - x) / spread) * density(x)

    # The interval is split in two, so that the quadrature does not miss the bulk of the integrand.
    cut = min(strength, 0.0)
    parts = [(-inf, cut), *([(cut, strength)] if strength > cut else [])]
    return sum(float(quad(false_and_called, low, high, epsabs=1e-14, epsrel=1e-13)[0]) for low, high in parts)


def indifference(strength: float = 0.0, variance: float = 3.0) -> Level:
    """Return the level at which calling costs as much as raising. The defaults are for five average players."""
    from scipy.optimize import brentq

    _check(variance)

    def excess(y: float) -> float:
        return cost_of_raising(y, strength, variance) - cost_of_calling(y, variance)

    edge = REACH * sqrt(variance + 1) + abs(strength)
    return Level(float(brentq(excess, -edge, edge, xtol=1e-13, rtol=1e-14)), variance)


def _check(variance: float) -> None:
    if not 0 <= variance < inf:
        raise ParameterError(f"variance={variance:g}: must be 0 or more, and finite")


def robust_level(variance: float) -> float:
    """Return the robust level, a z-score: the root of the corrected closed form. *variance* must be above 0."""
    from scipy.optimize import brentq

    def left_less_right(level: float) -> float:
        right = sqrt(1 + 4 / variance) * exp(-2 * level**2 / (variance + 4))
        return 1 + erf(sqrt(2 / (variance + 4)) * level) - right

    return float(brentq(left_less_right, 0.0, highest_robust_level(variance), xtol=1e-15, rtol=1e-14))


def highest_robust_level(variance: float) -> float:
    """Return an upper bound on the robust level: the level at which the equation's right side is 1."""
    if not 0 < variance < inf:
        raise ParameterError(f"variance={variance:g}: must be above 0, and finite")
    return sqrt((variance + 4) / 4 * log1p(4 / variance))


# --- the player

NAME = "zero-intelligence"

SOLVED, PRINTED, HERE, ROBUST = LEVELS = ("indifference", "printed", "table", "robust")

TIES = ("highest", "lowest", "uniform")


def _sit(
    table: Table,
    call_probability: Fraction | None,
    call_z: Fraction | None,
    level: str,
    tail: Tail,
    ties: str,
    spread: Fraction,
) -> Strategy:
    game = table.rules(NAME, DiceBidding, "the game liars-dice")
    if call_probability is not None and call_z is not None:
        raise ParameterError(f"{NAME}: call_probability and call_z both set the level; set only one of them")

    index = {name: bid for bid, name in enumerate(game.bid_names)}

    @cache
    def level_of(player: int) -> Number:
        if call_probability is not None:
            return call_probability
        return named_level(level, game, player) if call_z is None else cumulative(-float(call_z))

    @cache
    def worth(player: int, hand: int, bid: int) -> Number:
        return raise_payoff(game, player, hand, bid, level_of(player), tail)

    @cache
    def answer(player: int, hand: int, last: int) -> Mapping[str, Number]:
        bids = range(last + 1, len(game.bids))
        called: Number = Fraction(0)
        if last >= 0:
            called = call_chance(1 - false_chance(game, player, hand, last, tail), level_of(player), float(spread))
        if not bids or called == 1:
            return {game.call: Fraction(1)}
        worths = [worth(player, hand, bid) for bid in bids]
        most = max(worths)
        best = [bid for bid, value in zip(bids, worths, strict=True) if value == most]
        chosen = best if ties == "uniform" else best[:1] if ties == "lowest" else best[-1:]
        share = (1 - called) / len(chosen)
        return {game.bid_names[bid]: share for bid in chosen} | ({game.call: called} if called else {})

    def zero_intelligence(turn: PublicDecision, hand: int) -> Mapping[str, Number]:
        last = -1 if turn.actions[-1][0] != game.call else index[turn.history.rpartition(" ")[2]]
        return answer(turn.player, hand, last)

    return Policy(zero_intelligence, last_bid_only=True)


def named_level(word: str, game: DiceBidding, player: int) -> float:
    """Return the call probability of *word*, one of ``LEVELS``, in the seat of *player* (from 0).

    ``"indifference"`` is 0.3864 and ``"printed"`` is 0.2818, as in the module's docstring. For ``"table"``, the
    variance is the number of the others' dice divided by the number of the next player's dice. For ``"robust"``, the
    variance is the number of unseen dice divided by the number of the player's dice.
    """
    at = seats(game, player)
    if word == ROBUST:
        return cumulative(-robust_level(at.unseen / at.own))
    if word == HERE:
        return indifference(variance=at.others / at.following).call_probability
    found = indifference()
    return found.printed if word == PRINTED else found.call_probability


def call_chance(holds: Number, level: Number, spread: float) -> Number:
    """Return the probability of calling a bid that is true with probability *holds*: 1 if *holds* < *level*, else 0.

    With a *spread* above 0, the z-score of the level is drawn from a normal distribution at each turn.
    """
    if not spread or not 0 < holds < 1 or not 0 < level < 1:
        return Fraction(int(holds < level))
    return cumulative((quantile(level) - quantile(holds)) / spread)


_call_probability = fraction("none, or a number from 0 to 1", 0, 1)
_call_z = fraction("none, or a number of standard deviations")
_spread = fraction("0 or more standard deviations", 0)

PLAYERS = (
    Player(
        NAME,
        "calls a bid that its own dice make improbable, else makes the raise least likely to be called correctly; "
        "plays Liar's Dice of any size",
        _sit,
        (
            Parameter("call_probability", "none", _call_probability, "the probability below which a bid is called"),
            Parameter("call_z", "none", _call_z, "the z-score above which a bid is called"),
            Parameter(
                "level",
                SOLVED,
                Choice(*LEVELS),
                "the call level if neither is set: indifference (0.3864), printed (0.2818), table (indifference at "
                "this table) or robust (best in the worst case)",
            ),
            Parameter(
                "tail", TAILS[0], Choice(*TAILS), "distribution: normal, exact (binomial), or printed (as published)"
            ),
            Parameter("ties", TIES[0], Choice(*TIES), "choice among equally good raises: highest, lowest or uniform"),
            Parameter(
                "spread", "0", _spread, "standard deviation in z of a random call level, which is drawn at each turn"
            ),
        ),
    ),
)
