"""What somebody believes of dice that cannot be seen: each counts or not, independently, with the same chance.

So the number X that count is binomial; the text replaces it by a normal variable. Of a bid that needs r dice in all,
of which one holds s, the *needed* ones are r - s: the bid is false where X < r - s.

**The continuity correction.** X takes whole values, so P(X < r - s) is the normal's mass below r - s - 1/2, and the
z-score of the bid is (r - 1/2 - s - mean)/deviation. The text prints +1/2, which is the score of P(X <= r - s), and
contradicts its own p = F_X(r - s - 1). On its example (36 unseen dice, 12 needed, each counting with 1/3) the exact
chance that the bid is false is 0.4376; -1/2 gives 0.4298 and +1/2 gives 0.5702.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import comb, erfc, inf, sqrt
from statistics import NormalDist
from typing import Literal

from ...base.rationals import Number

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
