"""A level that is drawn: less to be exploited by those who know how it is drawn.

The race is that of ``robust_levels``, but A's level is a random L, drawn once, independent
of the hands, with density psi; the others know psi. Holding Y = y, they call at a number K of their choice, or wait for
A (K infinite).

- Waiting wins where A's call fails: F_L(y / sqrt(v)).
- A call at K wins where A called first, wrongly (X + L sqrt(v) < K and L < y / sqrt(v)), and where the others call
  first and rightly (X + L sqrt(v) > K and X < K - y):

    omega_B(K) = integral over l < y/sqrt(v) of psi(l) F_X(K - l sqrt(v)) dl
               + integral over x < K - y of f_X(x) [1 - F_L((K - x)/sqrt(v))] dx.

The text's inner bound of the second integral reads (K - l)/sigma; it must be (K - x)/sigma, from X + L sigma > K, and
its derivative is that of the right one. Integrated over x first, the second part is
integral over l > y/sqrt(v) of psi(l) [F_X(K - y) - F_X(K - l sqrt(v))] dl, which is how it is worked out here.

A level that hardly varies brings back the fixed one: K = (y + level sqrt(v)) / 2, and omega_A.
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
"""Of each Gauss-Legendre rule."""

GRID = 241
"""Of so many calls one is looked for that is near the best."""

REACH = 8.5
"""Standard deviations beyond which a normal variable is left out; less than 1e-16 lies there."""


@dataclass(frozen=True)
class RandomLevel:
    """How a level is drawn: ``density`` psi and ``cumulative`` F_L of arrays; 0 and 1 outside ``[low, high]``."""

    density: Callable[[Values], Values]
    cumulative: Callable[[Values], Values]
    low: float
    high: float


def normal_level(mean: float, deviation: float) -> RandomLevel:
    """A normal level. Raises ``ParameterError`` for a *deviation* that is not above 0."""
    _above_zero("deviation", deviation)
    edge = REACH * deviation
    return RandomLevel(
        lambda level: np.exp(-(((level - mean) / deviation) ** 2) / 2) / (deviation * sqrt(2 * pi)),
        lambda level: _phi((level - mean) / deviation),
        mean - edge,
        mean + edge,
    )


def uniform_level(low: float, high: float) -> RandomLevel:
    """All levels from *low* to *high* alike. Raises ``ParameterError`` where that is no interval."""
    _above_zero("high - low", high - low)
    return RandomLevel(
        lambda level: ((level >= low) & (level <= high)) / (high - low),
        lambda level: np.clip((level - low) / (high - low), 0.0, 1.0),
        low,
        high,
    )


def others_win(call: float, y: float, level: RandomLevel, variance: float) -> float:
    """omega_B: how often the others win who hold *y* and call at *call* (infinite: never)."""
    spread = spread_of(variance)
    if call == inf:
        return float(level.cumulative(np.array(y / spread)))
    return float(_won(np.array([call]), y, level, spread)[0])


def slope(call: float, y: float, level: RandomLevel, variance: float) -> float:
    """The derivative of omega_B by the call, as in the text; where it is 0 a call may be best.

    Its third part, (1/sqrt(v)) times the integral of f_X(x) psi((K - x)/sqrt(v)) over x < K - y, is taken over the
    level (K - x)/sqrt(v), which is then above y/sqrt(v).
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
    """The call that wins most often for others who hold *y*, infinite for waiting, and how often that wins.

    Looked for on a grid over all calls that can matter, then refined beside its best point. Where calling gains no
    more than 1e-12 over waiting, it is waiting.
    """
    from scipy.optimize import minimize_scalar

    spread = spread_of(variance)
    waiting = others_win(inf, y, level, variance)
    # A call below all that A can hold comes too early, one above A's latest is never made.
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
    """The chance that A wins the race if the others respond best to how the level is drawn; good to about 1e-6."""
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
    """omega_B at each of the *calls*."""
    cut = min(max(y / spread, level.low), level.high)
    at, weights = _rule(level.low, cut)
    total = _phi(calls[:, None] - at * spread) @ (weights * level.density(at))
    at, weights = _rule(cut, level.high)
    first = _phi(calls - y)[:, None] - _phi(calls[:, None] - at * spread)
    won: Values = total + first @ (weights * level.density(at))
    return won


def _rule(low: float, high: float) -> tuple[Values, Values]:
    """Nodes and weights on ``[low, high]``; weights of 0 where it is empty."""
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
