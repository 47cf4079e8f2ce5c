"""A mean over deals, and its 95 % interval: Student's, and never narrower than what rare outcomes ask for."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, sqrt

from ...base.rationals import Number
from .ratings import LEVEL

SAME = 1e-12
"""A variance below this part of the squared range is rounding: all deals came out alike."""

CLOSE = 1e-9
"""A mean this close to the exact one is the exact one, but for rounding."""


FEW = 40
"""From so many on, how often an outcome came is nearly normal: Student's interval begins to be right."""


@dataclass(frozen=True)
class Estimate:
    """A mean over deals, its standard error, and a 95 % interval."""

    mean: float
    error: float
    low: float
    high: float


def estimate(total: float, squares: float, deals: int, low: float, high: float) -> Estimate:
    """From a sum and a sum of squares over so many deals of figures between *low* and *high*.

    Where deals came out as *low* or *high* and nothing between, the interval is Clopper's and Pearson's (*The use of
    confidence or fiducial limits illustrated in the case of the binomial*, Biometrika 1934). Otherwise it is Student's,
    which is too short where the spread is that of few deals; so on each side it goes as far as the interval for the
    most lopsided outcomes with this mean and spread (a value, and now and then the end of the range), unless the latter
    came ``FEW`` times, and in part up to twice that. Where all deals came out alike that is how likely an outcome
    can be, not to have shown in so many deals.
    """
    from scipy.special import stdtrit

    mean, tail = total / deals, (1 - LEVEL) / 2
    if deals < 2 or high <= low:
        return Estimate(mean, inf if deals < 2 else 0.0, low, high)
    variance = max(0.0, (squares - total * mean) / deals)
    if variance <= SAME * (high - low) ** 2:
        variance = 0.0
    error = sqrt(variance / (deals - 1))
    if abs((low + high) * total - squares - deals * low * high) <= CLOSE * deals * (high - low) ** 2:
        ends = binomial((mean - low) / (high - low) * deals, deals, tail)
        return Estimate(mean, error, *(low + share * (high - low) for share in ends))
    half = float(stdtrit(deals - 1, 1 - tail)) * error
    least = mean - _reach(mean - low, variance, deals, tail, half)
    most = mean + _reach(high - mean, variance, deals, tail, half)
    return Estimate(mean, error, max(least, low), min(most, high))


def _reach(room: float, variance: float, deals: int, tail: float, half: float) -> float:
    """How far above the sampled mean the true one can be, if deals are a value and rarely *room* above that mean.

    Between the two limits it goes over from that to *half*, so that more such deals never make it jump.

    Of two values, one of them *room* above the mean, the mean and the variance tell the other, v / room below the
    mean, and how often the upper one came: v / (v + room^2).
    """
    if room <= 0:
        return 0.0
    below = variance / room
    share = variance / (variance + room * room)
    lopsided = binomial(share * deals, deals, tail)[1] * (room + below) - below
    part = min(max(2 - share * deals / FEW, 0.0), 1.0)
    return half + part * max(lopsided - half, 0.0)


def binomial(count: float, deals: int, tail: float) -> tuple[float, float]:
    """Clopper's and Pearson's interval of a chance from *count* (whole or not) of *deals*, with *tail* on each side."""
    from scipy.special import betaincinv

    count = min(max(count, 0.0), float(deals))
    if abs(count - round(count)) <= CLOSE * deals:
        count = float(round(count))
    low = float(betaincinv(count, deals - count + 1, tail)) if count else 0.0
    high = float(betaincinv(count + 1, deals - count, 1 - tail)) if count < deals else 1.0
    return low, high


def apart(sampled: Estimate, exact: Number) -> float | None:
    """How many standard errors a sampled mean is above the exact one; None where all deals came out alike.

    Those have no standard error, and are 0 above where they came out as the exact mean.
    """
    gap = sampled.mean - float(exact)
    if abs(gap) <= CLOSE:
        return 0.0
    return gap / sampled.error if sampled.error else None
