"""The robust level: the one that does best in the worst case (``zero_intelligence.worst_case``).

From the derivative of omega_A follows, once its second part is divided by its first,

    1 + erf(sqrt(2) level / sqrt(v + 4)) = sqrt(1 + 4/v) exp(-2 level^2 / (v + 4)).

The text prints erf(-2 level / (v + 4)) instead, which has other roots. With u = -sqrt(2) level / sqrt(v + 4) the right
equation reads erfcx(u) = exp(u^2) erfc(u) = sqrt(1 + 4/v), and erfcx falls all the way: so there is exactly one root,
it is positive, and omega_A rises before it and falls after it. ``benchmarks/robust_levels.py`` finds the same root in
two other ways.
"""

from __future__ import annotations

from math import erf, exp, log1p, sqrt

from .worst_case import spread_of


def by_closed_form(variance: float) -> float:
    """The robust level, a z-score, as the root of the corrected closed form. *variance*: how many play against A.

    Raises ``ParameterError`` where *variance* is not above 0.
    """
    from scipy.optimize import brentq

    def left_less_right(level: float) -> float:
        right = sqrt(1 + 4 / variance) * exp(-2 * level**2 / (variance + 4))
        return 1 + erf(sqrt(2 / (variance + 4)) * level) - right

    return float(brentq(left_less_right, 0.0, highest(variance), xtol=1e-15, rtol=1e-14))


def highest(variance: float) -> float:
    """A z-score that no robust level exceeds: of a positive one the left side is at least 1, so the right one is."""
    spread_of(variance)
    return sqrt((variance + 4) / 4 * log1p(4 / variance))
