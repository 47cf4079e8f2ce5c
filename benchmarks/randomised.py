"""A random level: opponents who know its distribution exploit it less than a fixed level.

The race is defined in ``robust_levels``. Here A's level is a random number L, drawn once and independently of the
hands, with density psi and distribution F_L. The others know psi. Holding Y = y, they call at a number K of their
choice, or wait for A (K infinite).

- If they wait, they win if A's call fails, with probability F_L(y / sqrt(v)).
- If they call at K, they win in two cases. Either A calls first and is wrong (X + L sqrt(v) < K and L < y / sqrt(v)),
  or the others call first and are right (X + L sqrt(v) > K and X < K - y):

    omega_B(K) = integral over l < y/sqrt(v) of psi(l) F_X(K - l sqrt(v)) dl
               + integral over x < K - y of f_X(x) [1 - F_L((K - x)/sqrt(v))] dx.

In the text, the inner bound of the second integral is (K - l)/sigma. It must be (K - x)/sigma, because X + L sigma > K;
the text's derivative has the right bound. This module integrates the second part over x first:
integral over l > y/sqrt(v) of psi(l) [F_X(K - y) - F_X(K - l sqrt(v))] dl.

A constant level gives the result of the fixed level: K = (y + level sqrt(v)) / 2, and omega_A.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import erf, exp, inf, pi, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from efg_builder.base.errors import ParameterError
from robust_levels import spread_of

Values = NDArray[np.float64]

NODES = 96
"""The number of nodes of each Gauss-Legendre rule."""

GRID = 241
"""The number of calls on the initial grid of the search."""

REACH = 8.5
"""The number of standard deviations at which normal variables are cut off; the probability beyond is below 1e-16."""


@dataclass(frozen=True)
class RandomLevel:
    """A distribution of levels: the functions ``density`` (psi) and ``cumulative`` (F_L), on the interval ``[low,
    high]``.
    """

    density: Callable[[Values], Values]
    cumulative: Callable[[Values], Values]
    low: float
    high: float


def normal_level(mean: float, deviation: float) -> RandomLevel:
    """Return a normal level. Raises ``ParameterError`` if *deviation* is not positive."""
    _above_zero("deviation", deviation)
    edge = REACH * deviation
    return RandomLevel(
        lambda level: np.exp(-(((level - mean) / deviation) ** 2) / 2) / (deviation * sqrt(2 * pi)),
        lambda level: _phi((level - mean) / deviation),
        mean - edge,
        mean + edge,
    )


def uniform_level(low: float, high: float) -> RandomLevel:
    """Return a uniform level from *low* to *high*. Raises ``ParameterError`` if *low* is not below *high*."""
    _above_zero("high - low", high - low)
    return RandomLevel(
        lambda level: ((level >= low) & (level <= high)) / (high - low),
        lambda level: np.clip((level - low) / (high - low), 0.0, 1.0),
        low,
        high,
    )


def others_win(call: float, y: float, level: RandomLevel, variance: float) -> float:
    """Return omega_B: the others' probability of winning if they hold *y* and call at *call* (infinite: never)."""
    spread = spread_of(variance)
    if call == inf:
        return float(level.cumulative(np.array(y / spread)))
    return float(_won(np.array([call]), y, level, spread)[0])


def slope(call: float, y: float, level: RandomLevel, variance: float) -> float:
    """Return the derivative of omega_B with respect to the call, as in the text; a call with derivative 0 may be best.

    The third term, (1/sqrt(v)) times the integral of f_X(x) psi((K - x)/sqrt(v)) over x < K - y, is integrated over the
    level l = (K - x)/sqrt(v), from y/sqrt(v) on.
    """
    spread = spread_of(variance)
    cut = min(max(y / spread, level.low), level.high)
    total = exp(-((call - y) ** 2) / 2) / sqrt(2 * pi) * (1 - float(level.cumulative(np.array(y / spread))))
    for sign, low, high in ((1, level.low, cut), (-1, cut, level.high)):
        at, weights = _rule(low, high)
        normal = np.exp(-((call - at * spread) ** 2) / 2) / sqrt(2 * pi)
        total += sign * float(weights @ (level.density(at) * normal))
    return total


def best_call(y: float, level: RandomLevel, variance: float) -> tuple[float, float]:
    """Return the others' best call if they hold *y* (infinite: waiting), and its probability of winning.

    The search refines the best point of a grid. If calling gains at most 1e-12 over waiting, return waiting.
    """
    from scipy.optimize import minimize_scalar

    spread = spread_of(variance)
    waiting = others_win(inf, y, level, variance)
    # A call below A's lowest hand is too early; a call above A's latest call is never made.
    calls = np.linspace(-REACH + min(y, level.low * spread), REACH + level.high * spread, GRID)
    won = _won(calls, y, level, spread)
    top = int(np.argmax(won))
    near = calls[max(top - 1, 0)], calls[min(top + 1, GRID - 1)]
    found = minimize_scalar(
        lambda call: -others_win(call, y, level, variance), bounds=near, method="bounded", options={"xatol": 1e-10}
    )
    best = max((float(won[top]), float(calls[top])), (-float(found.fun), float(found.x)))
    return (best[1], best[0]) if best[0] > waiting + 1e-12 else (inf, waiting)


def worst_case(level: RandomLevel, variance: float) -> float:
    """Return A's probability of winning against best responses to the distribution; the error is about 1e-6."""
    spread = spread_of(variance)
    low, high = max(-REACH * spread, 2 * -REACH + level.low * spread), REACH * spread
    cuts = sorted({low, *(min(max(edge * spread, low), high) for edge in (level.low, level.high)), high})
    lost = 0.0
    for a, b in pairwise(cuts):
        at, weights = _rule(a, b)
        normal = np.exp(-((at / spread) ** 2) / 2) / (spread * sqrt(2 * pi))
        lost += float(weights @ (normal * np.array([best_call(float(y), level, variance)[1] for y in at])))
    return 1 - lost - _mass_below(low / spread)


def _won(calls: Values, y: float, level: RandomLevel, spread: float) -> Values:
    """Return omega_B at each of the *calls*."""
    cut = min(max(y / spread, level.low), level.high)
    at, weights = _rule(level.low, cut)
    total = _phi(calls[:, None] - at * spread) @ (weights * level.density(at))
    at, weights = _rule(cut, level.high)
    first = _phi(calls - y)[:, None] - _phi(calls[:, None] - at * spread)
    won: Values = total + first @ (weights * level.density(at))
    return won


def _rule(low: float, high: float) -> tuple[Values, Values]:
    """Return nodes and weights on ``[low, high]``; the weights of an empty interval are 0."""
    nodes, weights = _legendre(NODES)
    half = (high - low) / 2
    return low + half * (nodes + 1), half * weights


@lru_cache(maxsize=4)
def _legendre(count: int) -> tuple[Values, Values]:
    nodes, weights = np.polynomial.legendre.leggauss(count)
    return nodes, weights


def _phi(z: Any) -> Values:
    from scipy.special import ndtr

    values: Values = ndtr(z)
    return values


def _mass_below(z: float) -> float:
    return (1 + erf(z / sqrt(2))) / 2


def _above_zero(name: str, value: float) -> None:
    if not 0 < value < inf:
        raise ParameterError(f"{name}={value:g}: must be above 0, and finite")
