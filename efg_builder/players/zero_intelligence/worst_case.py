"""The worst case: a race against players who know A's level and pool their dice.

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

from itertools import pairwise
from math import erf, exp, inf, pi, sqrt

from ...base.errors import ParameterError
from .beliefs import cumulative
from .level import density


def worst_case(level: float, variance: float) -> float:
    """omega_A: the chance that A wins the race, by the integral; its payoff in points of 1 and -1 is twice that less 1.

    ``level``: a z-score; ``variance``: how many players there are against A. Raises ``ParameterError`` where that is
    not above 0. Absolute error below 1e-13.
    """
    from scipy.integrate import quad

    spread = spread_of(variance)

    def won(x: float) -> float:
        return density(x) * (cumulative(level) - cumulative(level - 2 * x / spread))

    # The pieces end where F_Y turns and the density ends: quad could miss these places.
    return 2 * sum(float(quad(won, a, b, epsabs=1e-15, epsrel=1e-13)[0]) for a, b in _pieces(level * spread / 2))


def slope(level: float, variance: float) -> float:
    """The derivative of ``worst_case`` by the level, in closed form.

    2 * integral of f_X(x) [f_Y(level s) - f_Y(level s - 2x)] s dx over x > 0, s = sqrt(variance). The first part is
    the normal density at the level; in the second, the exponent's square is completed:
    density(level) - (1/sqrt(2 pi a)) (1 + erf(sqrt(2) level / sqrt(v + 4))) exp(-level^2 v / (2 (v + 4))), a = 1 + 4/v.
    """
    spread_of(variance)
    ahead = 1 + erf(sqrt(2 / (variance + 4)) * level)
    behind = exp(-level * level * variance / (2 * (variance + 4))) / sqrt(2 * pi * (1 + 4 / variance))
    return density(level) - behind * ahead


def slope_by_integral(level: float, variance: float) -> float:
    """The same as ``slope``, by the integral that the text differentiates to."""
    from scipy.integrate import quad

    spread = spread_of(variance)

    def grown(x: float) -> float:
        return density(x) * (density(level) - density(level - 2 * x / spread))

    return 2 * sum(float(quad(grown, a, b, epsabs=1e-15, epsrel=1e-13)[0]) for a, b in _pieces(level * spread / 2))


def _pieces(turn: float) -> list[tuple[float, float]]:
    """From 0 to where a normal density ends in floats, cut at *turn* where that lies within."""
    end = 39.0
    cuts = sorted({0.0, 1.0, 4.0, *([turn] if 0 < turn < end else []), end})
    return list(pairwise(cuts))


def spread_of(variance: float) -> float:
    """The standard deviation of what the others hold. Raises ``ParameterError`` for a *variance* not above 0."""
    if not 0 < variance < inf:
        raise ParameterError(f"variance={variance:g}: must be above 0, and finite")
    return sqrt(variance)
