"""The robust level of zero intelligence in two other ways than the package's closed form, and as the text prints it.

**The worst case** is a race against players who know A's level and pool their dice.

A holds X ~ N(0, 1); the others, who play as one, hold Y ~ N(0, v), v being how many they are. A number z rises from
minus infinity; either side may call at any time, and the caller gains the point where z exceeds X + Y, otherwise the
other side does. (The text prints that the caller gains where z is less; its own derivation has it this way round.)
A calls at z = X + level * sqrt(v), and nothing that happens changes this; the others know the level, and Y, not X.

**Their best response.** Where Y >= level * sqrt(v), A's call comes at z <= X + Y and fails: they wait and win. Where
Y = y is less, A's call would succeed, so they must call first, and not too early: a call at z wins where A has not
called yet, X > z - level * sqrt(v), and the bid is false, X < z - y. That interval has always the same length; the
normal density is largest over it when 0 is its middle: z = (y + level * sqrt(v)) / 2.

**What A has left.** A wins in Omega_1, calling first: 2 X + level * sqrt(v) < Y < level * sqrt(v); and in Omega_2,
where the others call a bid that holds: 2 X + Y >= level * sqrt(v) > Y. (The text gives both to B, and takes their mass
for A's payoff, which it is.) They are mirror images in X, so that the chance that A wins is

    omega_A(level) = 2 * integral over x > 0 of f_X(x) [F_Y(level sqrt(v)) - F_Y(level sqrt(v) - 2x)] dx.

No opponents can do worse to A: A's moves depend on A's dice alone, so that pooling takes nothing from the others.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from math import erf, exp, inf, sqrt

from efg_builder.base.errors import ParameterError
from efg_builder.players.kinds.zero_intelligence import cumulative, density, highest_robust_level


def worst_case(level: float, variance: float) -> float:
    """omega_A: the chance that A wins the race, by the integral; its payoff in points of 1 and -1 is twice that less 1.

    ``level``: a z-score; ``variance``: how many players there are against A. Raises ``ParameterError`` where that is
    not above 0. Absolute error below 1e-13.
    """
    spread = spread_of(variance)
    return integral(lambda x: cumulative(level) - cumulative(level - 2 * x / spread), level * spread / 2)


def integral(function: Callable[[float], float], turn: float) -> float:
    """Twice the integral over x > 0 of f_X(x) times *function*, which turns at *turn*.

    It ends where a normal density ends in floats, and is cut where quad could miss the bulk.
    """
    from scipy.integrate import quad

    end = 39.0
    cuts = sorted({0.0, 1.0, 4.0, *([turn] if 0 < turn < end else []), end})
    return 2 * sum(
        float(quad(lambda x: density(x) * function(x), low, high, epsabs=1e-15, epsrel=1e-13)[0])
        for low, high in pairwise(cuts)
    )


def spread_of(variance: float) -> float:
    """The standard deviation of what the others hold. Raises ``ParameterError`` for a *variance* not above 0."""
    if not 0 < variance < inf:
        raise ParameterError(f"variance={variance:g}: must be above 0, and finite")
    return sqrt(variance)


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

    return float(brentq(slope, 0.0, highest_robust_level(variance), args=(variance,), xtol=1e-14, rtol=1e-14))


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
