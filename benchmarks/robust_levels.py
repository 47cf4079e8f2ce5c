"""The robust level of zero intelligence: two methods besides the package's closed form, and the printed formula.

**The worst case** is a race against players who know A's level and pool their dice.

A holds X ~ N(0, 1). The v other players act as one player and hold Y ~ N(0, v). A number z rises from minus infinity,
and either player may call at any time. The caller wins if z exceeds X + Y; otherwise the opponent wins. (The text
prints that the caller wins if z is less, but its derivation uses the rule above.) A always calls at z = X + level *
sqrt(v). The others know the level and Y, but not X.

**The others' best response.** If Y >= level * sqrt(v), A's call comes at z <= X + Y and fails, so the others wait and
win. If Y = y is less, A's call would succeed, so the others must call first, but not too early. A call at z wins if A
has not called yet, X > z - level * sqrt(v), and the bid is false, X < z - y. The length of this interval does not
depend on z. The interval's normal probability is largest if its midpoint is 0: z = (y + level * sqrt(v)) / 2.

**A's wins.** In the region Omega_1, A calls first: 2 X + level * sqrt(v) < Y < level * sqrt(v). In the region Omega_2,
the others call a true bid: 2 X + Y >= level * sqrt(v) > Y. (The text assigns both regions to B, but correctly uses
their probability as A's payoff.) The regions are mirror images in X, so A's probability of winning is

    omega_A(level) = 2 * integral over x > 0 of f_X(x) [F_Y(level sqrt(v)) - F_Y(level sqrt(v) - 2x)] dx.

No opponents can give A less: A's moves depend only on A's dice, so pooling costs the others nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from math import erf, exp, inf, sqrt

from efg_builder.base.errors import ParameterError
from efg_builder.players.kinds.zero_intelligence import cumulative, density, highest_robust_level


def worst_case(level: float, variance: float) -> float:
    """Return omega_A, A's probability of winning the race. With payoffs of ±1, A's expected payoff is 2 omega_A - 1.

    ``level``: a z-score. ``variance``: the number of players against A. The absolute error is below 1e-13. Raises
    ``ParameterError`` if the variance is not positive.
    """
    spread = spread_of(variance)
    return integral(lambda x: cumulative(level) - cumulative(level - 2 * x / spread), level * spread / 2)


def integral(function: Callable[[float], float], turn: float) -> float:
    """Return twice the integral over x > 0 of f_X(x) times *function*, which has a bend at *turn*.

    The range ends where the normal density is 0 in floats, and is split so that ``quad`` finds the peak.
    """
    from scipy.integrate import quad

    end = 39.0
    cuts = sorted({0.0, 1.0, 4.0, *([turn] if 0 < turn < end else []), end})
    return 2 * sum(
        float(quad(lambda x: density(x) * function(x), low, high, epsabs=1e-15, epsrel=1e-13)[0])
        for low, high in pairwise(cuts)
    )


def spread_of(variance: float) -> float:
    """Return the standard deviation of the others' hands. Raises ``ParameterError`` if *variance* is not positive."""
    if not 0 < variance < inf:
        raise ParameterError(f"variance={variance:g}: must be above 0, and finite")
    return sqrt(variance)


def slope(level: float, variance: float) -> float:
    """Return the derivative of ``worst_case`` with respect to the level, by the text's integral.

    Let s = sqrt(v) and a = 1 + 4/v. The integrand is f_X(x) [f_Y(level s) - f_Y(level s - 2x)] s. Completing the square
    in the exponent of the second term gives the closed form density(level) - (1/sqrt(2 pi a)) (1 + erf(sqrt(2) level /
    sqrt(v + 4))) exp(-level^2 v / (2 (v + 4))).
    """
    spread = spread_of(variance)
    return integral(lambda x: density(level) - density(level - 2 * x / spread), level * spread / 2)


def by_derivative(variance: float) -> float:
    """Return the robust level as the root of ``slope``."""
    from scipy.optimize import brentq

    return float(brentq(slope, 0.0, highest_robust_level(variance), args=(variance,), xtol=1e-14, rtol=1e-14))


def by_maximum(variance: float) -> float:
    """Return the robust level as the maximizer of omega_A, without derivatives; the error is about 1e-8."""
    from scipy.optimize import minimize_scalar

    spread_of(variance)
    found = minimize_scalar(
        lambda level: -worst_case(level, variance), bracket=(0.0, 1.0), method="brent", options={"xtol": 1e-10}
    )
    return float(found.x)


def as_printed(variance: float) -> float:
    """Return the positive root of the closed form as printed, which is not the robust level."""
    from scipy.optimize import brentq

    spread_of(variance)

    def printed(level: float) -> float:
        right = sqrt(1 + 4 / variance) * exp(-2 * level**2 / (variance + 4))
        return erf(-2 * level / (variance + 4)) + 1 - right

    top = 1.0
    while printed(top) < 0:  # the right side falls faster for large levels
        top *= 2
    return float(brentq(printed, 0.0, top, xtol=1e-14))
