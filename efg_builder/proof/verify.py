"""The verdict on a profile: its value, what each player could gain, and so whether it is an equilibrium."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import isfinite
from numbers import Real

from ..base.errors import ParameterError
from ..base.rationals import Number
from ..forms.extensive import constant_sum, payoff_range
from ..strategies.tree_profile import Profile
from .best_response import best_response, values

DEFAULT_TOLERANCE = 1e-6
"""Greatest regret of an equilibrium in floats, as a fraction of the payoff range."""

ROUNDING = 1e-13
"""What floats may lose in working out a regret, as a fraction of the largest payoff."""


@dataclass(frozen=True)
class Verdict:
    """A profile, judged by best responses over the whole tree.

    ``value``: each player's expected payoff; ``best_responses``: the most each could get against the
    others; ``regret``: the largest gain of any one player; ``reach``: of each information set;
    ``lower`` and ``upper``: bounds on player 1's value of a two-player constant-sum game, from the two
    best responses alone (None for other games); ``equilibrium``: regret within the tolerance.
    """

    value: tuple[Number, ...]
    best_responses: tuple[Number, ...]
    regret: Number
    reach: tuple[Number, ...]
    lower: Number | None
    upper: Number | None
    equilibrium: bool
    exact: bool


def check_tolerance(tolerance: float | Fraction | None) -> None:
    """Raise ``ParameterError`` for a tolerance that is negative or no finite number."""
    if tolerance is not None and not (isinstance(tolerance, Real) and tolerance >= 0 and isfinite(tolerance)):
        raise ParameterError(f"tolerance={tolerance!r}: must be a finite number from 0 on")


def verify(profile: Profile, tolerance: float | Fraction | None = None) -> Verdict:
    """Judge *profile*: in exact arithmetic where it is rational, otherwise in floats.

    An exact profile must have regret 0 unless *tolerance* is given; one in floats may have regret up to
    *tolerance* (1e-6 where None) times the payoff range, and rounding. Raises ``NotApplicableError`` without
    perfect recall, and what ``check_tolerance`` raises.
    """
    check_tolerance(tolerance)
    tree = profile.tree
    found = values(profile)
    best = tuple(best_response(profile, player).value for player in range(len(tree.players)))
    zero: Number = Fraction(0) if profile.exact else 0.0
    regret = max((b - v for b, v in zip(best, found.value, strict=True)), default=zero)
    total = constant_sum(tree) if len(tree.players) == 2 else None
    lower = upper = None
    if total is not None:
        lower, upper = (total if profile.exact else float(total)) - best[1], best[0]
    if tolerance is None:
        tolerance = 0.0 if profile.exact else DEFAULT_TOLERANCE
    allowed = _fraction(tolerance) * payoff_range(tree)
    if not profile.exact:
        allowed += Fraction(ROUNDING) * max((abs(u) for row in tree.payoffs for u in row), default=Fraction(0))
    return Verdict(found.value, best, max(regret, zero), found.reach, lower, upper, regret <= allowed, profile.exact)


def _fraction(number: float | Fraction) -> Fraction:
    return number if isinstance(number, Fraction) else Fraction(float(number))
