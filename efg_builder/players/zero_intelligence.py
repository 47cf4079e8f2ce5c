"""Zero intelligence: a rule of thumb that counts its own dice, and the mathematics around it.

After mu-zhao, "Zero Intelligence" (wiki of the repository Liars_dice), whose slips are corrected here;
docs/zero-intelligence.md derives each step and names each correction.

- **Beliefs.** Each of the unseen dice counts or not, independently, with the same chance: X, the number that count, is
  binomial, which the text replaces by a normal variable. A bid that needs r dice, of which one holds s, is false where
  X < r - s, the *needed* ones. X takes whole values, so that the continuity correction is -1/2; the text prints +1/2.
- **The payoff of a raise** to r dice where the next player, B, calls by chance alone. A holds s, B holds X, all others
  together Z. B sees Y dice that are not B's own and calls where X <= r - y0, y0 = min {y : P(Y >= y) < level}:
  payoff = - sum over x <= r - y0 of P(X = x) P(Z < r - s - x).
- **The level at which to call**: where calling costs as much as raising. Normal variables stand for dice, and the
  level solves P(X <= s, X + Z <= y0) + F_Y(y0) = 1, Z ~ N(0, v), Y = X + Z. For s = 0 and v = 3 that is y0 = 0.5775, as
  printed; the text's lambda of 0.2818 leaves Y's variance v + 1 out, and is 0.3864 with it.
- **The robust level** does best in the worst case, a race against players who know the level and pool their dice
  (``benchmarks/robust_levels.py``). The derivative of the chance to win it is 0 where
  1 + erf(sqrt(2) level / sqrt(v + 4)) = sqrt(1 + 4/v) exp(-2 level^2 / (v + 4)), at one positive root.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import comb, erf, erfc, exp, inf, log1p, sqrt
from statistics import NormalDist
from typing import Literal

from ..base.errors import ParameterError
from ..base.rationals import Number
from ..games.bidding import DiceBidding

Tail = Literal["normal", "exact", "printed"]
"""How chances are worked out: by normals with the correction -1/2, by exact binomials, or by normals with +1/2."""

TAILS: tuple[Tail, ...] = ("normal", "exact", "printed")

CORRECTIONS = {"normal": -0.5, "printed": 0.5}

NORMAL = NormalDist()

density = NORMAL.pdf


def deviation(dice: int, chance: Fraction) -> float:
    """The standard deviation of the number of *dice* that count, each with that *chance*."""
    return sqrt(dice * chance * (1 - chance))


def z_score(needed: int, dice: int, chance: Fraction, tail: Tail = "normal") -> float:
    """How many standard deviations *needed* lies above the mean of that many unseen *dice*.

    Corrected by -1/2, or as printed by +1/2; of ``"exact"``, what the exact chance that the bid is false is the normal
    distribution's value of. Infinite where nothing is open: too few dice there are, or none can fail to count.
    """
    spread = deviation(dice, chance)
    if tail == "exact" or spread == 0:
        return quantile(below(needed, dice, chance, tail))
    return (needed + CORRECTIONS[tail] - float(dice * chance)) / spread


@lru_cache(maxsize=1 << 16)
def below(needed: int, dice: int, chance: Fraction, tail: Tail) -> Number:
    """P(X < needed): that fewer than *needed* of the *dice* count, each with that *chance*; a fraction where exact.

    What is certain stays so in every tail: 0 where nothing is needed, 1 where more is than there are dice.
    """
    if needed <= 0 or needed > dice:
        return Fraction(int(needed > 0))
    if chance == 1:
        return Fraction(0)
    if tail == "exact":
        counts = range(needed)
        return sum((comb(dice, i) * chance**i * (1 - chance) ** (dice - i) for i in counts), Fraction(0))
    return cumulative(z_score(needed, dice, chance, tail))


def weight(count: int, dice: int, chance: Fraction, tail: Tail) -> Number:
    """P(X = count), the weights of all counts from 0 to *dice* summing to 1.

    By normals it is the mass from 1/2 below to 1/2 above, all that lies beyond 0 and *dice* being theirs. The printed
    correction is no matter of this: it would move all counts by one.
    """
    how: Tail = "exact" if tail == "exact" else "normal"
    return below(count + 1, dice, chance, how) - below(count, dice, chance, how)


def cumulative(z: float) -> float:
    """The standard normal distribution function, accurate in both tails."""
    return 0.5 * erfc(-z / sqrt(2))


def quantile(p: Number) -> float:
    """The inverse of ``cumulative``; infinite at 0 and 1."""
    p = float(p)
    return NORMAL.inv_cdf(p) if 0 < p < 1 else inf if p >= 1 else -inf


@dataclass(frozen=True, slots=True)
class Seats:
    """How many dice A has (``own``), B, who is next (``following``), and all ``others`` together."""

    own: int
    following: int
    others: int

    @property
    def unseen(self) -> int:
        """The dice that A does not see."""
        return self.following + self.others


@lru_cache(maxsize=1 << 12)
def least_doubted(dice: int, chance: Fraction, level: Number, tail: Tail) -> float:
    """y0 = min {y : P(Y >= y) < level}, Y being the number of *dice* that count.

    What of unseen dice is so improbable that a bid which needs it is called. Never below 0; infinite at level 0,
    where nothing is called.
    """
    if level <= 0:
        return inf
    return next(y for y in range(dice + 2) if 1 - below(y, dice, chance, tail) < level)


def payoff(needed: int, held: int, seats: Seats, chance: Fraction, level: Number, tail: Tail = "exact") -> Number:
    """What a raise that holds if *needed* dice count is worth to A, who has *held* of them; from -1 to 0.

    ``chance``: that a die counts; ``level``: the next player calls what is less probable than that. A fraction where
    *tail* is ``"exact"``.
    """
    doubted = least_doubted(seats.own + seats.others, chance, level, tail)
    lost: Number = Fraction(0)
    for count in range(seats.following + 1):
        if count <= needed - doubted:
            false = below(needed - held - count, seats.others, chance, tail)
            lost += weight(count, seats.following, chance, tail) * false
    return -lost


def seats(game: DiceBidding, player: int) -> Seats:
    """Whose dice are whose, as *player* (from 0) sees it who makes a bid: the next one is asked first."""
    own, following = game.dice[player], game.dice[(player + 1) % len(game.dice)]
    return Seats(own, following, sum(game.dice) - own - following)


def expected(game: DiceBidding, player: int, hand: int) -> tuple[Fraction, ...]:
    """How many dice *player* expects to count towards a bid on each face, from 1: the own ones, and the unseen mean."""
    unseen, cup = seats(game, player).unseen, game.cups[player][hand][0]
    faces = range(1, game.sides + 1)
    return tuple(game.matches(cup, face) + unseen * game.counting_chance(face) for face in faces)


def _parts(game: DiceBidding, player: int, hand: int, bid: int) -> tuple[int, int, Fraction]:
    quantity, face = game.bids[bid]
    return game.needed(quantity), game.matches(game.cups[player][hand][0], face), game.counting_chance(face)


def false_chance(game: DiceBidding, player: int, hand: int, bid: int, tail: Tail = "exact") -> Number:
    """The chance p that *bid* (an index) is false, as *player* with that *hand* (an index) sees it."""
    needed, held, chance = _parts(game, player, hand, bid)
    return below(needed - held, seats(game, player).unseen, chance, tail)


def score(game: DiceBidding, player: int, hand: int, bid: int, tail: Tail = "normal") -> float:
    """The z-score of *bid* (an index): see ``beliefs.z_score``."""
    needed, held, chance = _parts(game, player, hand, bid)
    return z_score(needed - held, seats(game, player).unseen, chance, tail)


def raise_payoff(game: DiceBidding, player: int, hand: int, bid: int, level: Number, tail: Tail = "exact") -> Number:
    """What it is worth to make *bid* (an index): see ``payoff``. *level*: a chance, as there."""
    needed, held, chance = _parts(game, player, hand, bid)
    return payoff(needed, held, seats(game, player), chance, level, tail)


def raise_payoffs(
    game: DiceBidding, player: int, hand: int, last: int, level: Number, tail: Tail = "exact"
) -> dict[str, Number]:
    """The payoff of every legal raise by its name, lowest first; *last*: the index of the last bid, -1 for none."""
    return {
        game.bid_names[bid]: raise_payoff(game, player, hand, bid, level, tail)
        for bid in range(last + 1, len(game.bids))
    }


REACH = 40.0
"""Standard deviations within which all solutions lie: beyond, floats know no difference between 1 and the truth."""


@dataclass(frozen=True, slots=True)
class Level:
    """A solution ``y0`` of the indifference equation, and its readings; ``variance``: of what all others hold."""

    y0: float
    variance: float

    @property
    def call_z(self) -> float:
        """The z-score above which a bid is called."""
        return self.y0 / sqrt(self.variance + 1)

    @property
    def call_probability(self) -> float:
        """The chance of holding below which a bid is called: 1 - F_Y(y0)."""
        return cumulative(-self.call_z)

    @property
    def printed(self) -> float:
        """1 - Phi(y0), which the text prints as lambda: Y's variance is left out."""
        return cumulative(-self.y0)


def cost_of_calling(y: float, variance: float) -> float:
    """P(Y >= y): the chance that a bid which needs *y* of unseen players holds."""
    _check(variance)
    return cumulative(-y / sqrt(variance + 1))


def cost_of_raising(y: float, strength: float, variance: float) -> float:
    """P(X <= s, X + Z <= y): that the next player calls the raise, and it is false.

    ``strength`` is A's own s, in standard deviations of one player; ``variance`` that of all others together.
    """
    from scipy.integrate import quad

    _check(variance)
    if variance == 0:
        return cumulative(min(strength, y))
    spread = sqrt(variance)

    def false_and_called(x: float) -> float:
        return cumulative((y - x) / spread) * density(x)

    # In two parts, so that the bulk of the integrand is not missed.
    cut = min(strength, 0.0)
    parts = [(-inf, cut), *([(cut, strength)] if strength > cut else [])]
    return sum(float(quad(false_and_called, low, high, epsabs=1e-14, epsrel=1e-13)[0]) for low, high in parts)


def indifference(strength: float = 0.0, variance: float = 3.0) -> Level:
    """The level at which calling costs as much as raising. Raises ``ParameterError`` for a *variance* below 0.

    The default is the text's: a player of average dice, and three others besides the next one.
    """
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
    """The robust level, a z-score, as the root of the corrected closed form. *variance*: how many play against A.

    Raises ``ParameterError`` where *variance* is not above 0.
    """
    from scipy.optimize import brentq

    def left_less_right(level: float) -> float:
        right = sqrt(1 + 4 / variance) * exp(-2 * level**2 / (variance + 4))
        return 1 + erf(sqrt(2 / (variance + 4)) * level) - right

    return float(brentq(left_less_right, 0.0, highest_robust_level(variance), xtol=1e-15, rtol=1e-14))


def highest_robust_level(variance: float) -> float:
    """A z-score that no robust level exceeds: of a positive one the left side is at least 1, so the right one is."""
    if not 0 < variance < inf:
        raise ParameterError(f"variance={variance:g}: must be above 0, and finite")
    return sqrt((variance + 4) / 4 * log1p(4 / variance))
