"""The robust level: the one that does best in the worst case (``zero_intelligence.worst_case``), in three ways that
agree.

From the derivative of omega_A follows, once its second part is divided by its first,

    1 + erf(sqrt(2) level / sqrt(v + 4)) = sqrt(1 + 4/v) exp(-2 level^2 / (v + 4)).

The text prints erf(-2 level / (v + 4)) instead, which has other roots; ``as_printed`` solves that. With
u = -sqrt(2) level / sqrt(v + 4) the right equation reads erfcx(u) = exp(u^2) erfc(u) = sqrt(1 + 4/v), and erfcx falls
all the way: so there is exactly one root, it is positive, and omega_A rises before it and falls after it.
"""

from __future__ import annotations

from math import erf, exp, log1p, sqrt

from .worst_case import slope_by_integral, spread_of, worst_case


def by_closed_form(variance: float) -> float:
    """The robust level, a z-score, as the root of the corrected closed form. *variance*: how many play against A.

    Raises ``ParameterError`` where *variance* is not above 0.
    """
    from scipy.optimize import brentq

    return float(brentq(closed_form, 0.0, highest(variance), args=(variance,), xtol=1e-15, rtol=1e-14))


def highest(variance: float) -> float:
    """A z-score that no robust level exceeds: of a positive one the left side is at least 1, so the right one is."""
    spread_of(variance)
    return sqrt((variance + 4) / 4 * log1p(4 / variance))


def closed_form(level: float, variance: float) -> float:
    """The left side of the corrected closed form less the right one."""
    right = sqrt(1 + 4 / variance) * exp(-2 * level**2 / (variance + 4))
    return 1 + erf(sqrt(2 / (variance + 4)) * level) - right


def by_derivative(variance: float) -> float:
    """The same as the root of the derivative of omega_A, which is integrated numerically."""
    from scipy.optimize import brentq

    return float(brentq(slope_by_integral, 0.0, highest(variance), args=(variance,), xtol=1e-14, rtol=1e-14))


def by_maximum(variance: float) -> float:
    """The same as the place of the largest omega_A, looked for without any derivative; good to about 1e-8."""
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
