"""The robust level of zero intelligence in two other ways than the package's closed form, and as the text prints it."""

from __future__ import annotations

from math import erf, exp, sqrt
from statistics import NormalDist

from efg_builder.players.zero_intelligence.robust import highest
from efg_builder.players.zero_intelligence.worst_case import integral, spread_of, worst_case

density = NormalDist().pdf


def slope(level: float, variance: float) -> float:
    """The derivative of ``worst_case`` by the level, as the integral that the text differentiates to.

    Over f_X(x) [f_Y(level s) - f_Y(level s - 2x)] s, s = sqrt(variance). In closed form, once the second part's
    exponent is completed to a square: density(level) - (1/sqrt(2 pi a)) (1 + erf(sqrt(2) level / sqrt(v + 4)))
    exp(-level^2 v / (2 (v + 4))), a = 1 + 4/v.
    """
    spread = spread_of(variance)
    return integral(lambda x: density(level) - density(level - 2 * x / spread), level * spread / 2)


def by_derivative(variance: float) -> float:
    """The robust level as the root of ``slope``."""
    from scipy.optimize import brentq

    return float(brentq(slope, 0.0, highest(variance), args=(variance,), xtol=1e-14, rtol=1e-14))


def by_maximum(variance: float) -> float:
    """The same as the place of the largest omega_A, found without any derivative; good to about 1e-8."""
    from scipy.optimize import minimize_scalar

    spread_of(variance)
    found = minimize_scalar(
        lambda level: -worst_case(level, variance), bracket=(0.0, 1.0), method="brent", options={"xtol": 1e-10}
    )
    return float(found.x)


def as_printed(variance: float) -> float:
    """The root above 0 of the closed form as it is printed, which is not the robust level."""
    from scipy.optimize import brentq

    spread_of(variance)

    def printed(level: float) -> float:
        right = sqrt(1 + 4 / variance) * exp(-2 * level**2 / (variance + 4))
        return erf(-2 * level / (variance + 4)) + 1 - right

    top = 1.0
    while printed(top) < 0:  # the right side falls faster in the end
        top *= 2
    return float(brentq(printed, 0.0, top, xtol=1e-14))
