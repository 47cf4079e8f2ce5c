"""At which level to call: where calling costs as much as raising.

Normal variables stand for dice: A and B hold S = s and X ~ N(0, 1), all others together Z ~ N(0, v), v being how many
they are. The bid is r, and A's unseen Y = X + Z ~ N(0, v + 1).

- To call costs A a die where the bid holds: P(Y + s >= r) = 1 - F_Y(y0), with y0 = r - s.
- To raise by next to nothing costs A a die where B calls, who by the same rule does so if X <= r - y0 = s, and the
  bid is false, X + Z < r - s = y0: together P(X <= s, X + Z <= y0).

Equal, they say  P(X <= s, X + Z <= y0) + F_Y(y0) = 1.  For s = 0 and v = 3 that is y0 = 0.5775, as printed.

**The readings of lambda.** The text calls it a probability when B's calls are modelled, a z-score when it says when
to call, and prints 0.2818 = 1 - Phi(y0). But Y has variance v + 1 = 4, so that lambda = 1 - F_Y(y0) is
1 - Phi(y0/2) = 0.3864. Here ``call_probability`` is this 0.3864 (call what is less probable), ``call_z`` = y0/2 =
0.2887 (call what scores higher); the two say the same. ``printed`` is 0.2818, which belongs to a z-score of y0.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, sqrt

from ...base.errors import ParameterError
from .beliefs import cumulative, density

REACH = 40.0
"""Standard deviations within which all solutions lie: beyond, floats know no difference between 1 and the truth."""


@dataclass(frozen=True, slots=True)
class Level:
    """A solution ``y0`` of the indifference equation, and its readings; ``variance``: of what all others hold."""

    y0: float
    variance: float

    @property
    def call_z(self) -> float:
        """The z-score above which a bid is called."""
        return self.y0 / sqrt(self.variance + 1)

    @property
    def call_probability(self) -> float:
        """The chance of holding below which a bid is called: 1 - F_Y(y0)."""
        return cumulative(-self.call_z)

    @property
    def printed(self) -> float:
        """1 - Phi(y0), which the text prints as lambda: Y's variance is left out."""
        return cumulative(-self.y0)


def cost_of_calling(y: float, variance: float) -> float:
    """P(Y >= y): the chance that a bid which needs *y* of unseen players holds."""
    _check(variance)
    return cumulative(-y / sqrt(variance + 1))


def cost_of_raising(y: float, strength: float, variance: float) -> float:
    """P(X <= s, X + Z <= y): that the next player calls the raise, and it is false.

    ``strength`` is A's own s, in standard deviations of one player; ``variance`` that of all others together.
    """
    from scipy.integrate import quad

    _check(variance)
    if variance == 0:
        return cumulative(min(strength, y))
    spread = sqrt(variance)

    def false_and_called(x: float) -> float:
        return cumulative((y - x) / spread) * density(x)

    # In two parts, so that the bulk of the integrand is not missed.
    cut = min(strength, 0.0)
    parts = [(-inf, cut), *([(cut, strength)] if strength > cut else [])]
    return sum(float(quad(false_and_called, low, high, epsabs=1e-14, epsrel=1e-13)[0]) for low, high in parts)


def indifference(strength: float = 0.0, variance: float = 3.0) -> Level:
    """The level at which calling costs as much as raising. Raises ``ParameterError`` for a *variance* below 0.

    The default is the text's: a player of average dice, and three others besides the next one.
    """
    from scipy.optimize import brentq

    _check(variance)

    def excess(y: float) -> float:
        return cost_of_raising(y, strength, variance) - cost_of_calling(y, variance)

    edge = REACH * sqrt(variance + 1) + abs(strength)
    return Level(float(brentq(excess, -edge, edge, xtol=1e-13, rtol=1e-14)), variance)


def _check(variance: float) -> None:
    if not 0 <= variance < inf:
        raise ParameterError(f"variance={variance:g}: must be 0 or more, and finite")
