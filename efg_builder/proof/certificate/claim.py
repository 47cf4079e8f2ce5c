"""What a solution's file says, held against what is right, number by number."""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from ...base.errors import CertificateError
from ...base.rationals import Number, brief, from_json, to_json
from ...forms.extensive import GameTree, payoff_range
from .. import Verdict

STOPPED = ("timeout", "interrupted")
"""Ends before the end: they claim no more than their bounds and regret."""

CLAIMS = ("equilibrium", "near-equilibrium", "bracket", "not-an-equilibrium", *STOPPED)
"""What a solution with strategies can claim to be."""

AGREEMENT = 1e-9
"""Floats worked out twice may differ by this, as a fraction of the payoff range."""


def check_game(found: Mapping[str, Any], right: Mapping[str, Any]) -> None:
    """Hold the part on the game against the game's own."""
    for key in [*right, *found]:
        # As text: to Python 1144.0 is 1144, and true is 1.
        if (
            key not in found
            or key not in right
            or json.dumps(found[key], sort_keys=True) != json.dumps(right[key], sort_keys=True)
        ):
            said, is_ = word(found.get(key)), word(right.get(key))
            raise CertificateError("game", f"{key} is {said} in the file, but {is_} by the rules")


def check_claim(data: Mapping[str, Any], verdict: Verdict, by_own: bool, slack: Fraction = Fraction(0)) -> None:
    """Hold every number of the claim, and its status, against the verdict.

    ``by_own``: whether the verdict is an equilibrium, of floats by the tolerance that the file names.
    """
    for key in ("value", "lower", "upper", "regret"):
        check_number(key, data.get(key), getattr(verdict, key), "claim", slack)
    if ("regrets" in data) != (verdict.lower is None):
        raise CertificateError("claim", "regrets belong to games without bounds, and to nothing else")
    if verdict.lower is None:
        check_number("regrets", data["regrets"], verdict.regrets, "claim", slack)
    exact = verdict.exact and verdict.regret == 0
    if data.get("exact") is not exact:
        raise CertificateError("claim", f"exact is {word(data.get('exact'))}, but should be {word(exact)}")
    status = data.get("status")
    if status not in CLAIMS:
        raise CertificateError("claim", f"the solution claims nothing: its status is {word(status)}")
    own = tolerance_of(data)
    if status == "equilibrium" and not verdict.equilibrium:
        gain = f"a player gains {brief(verdict.regret)} by deviating"
        by = "" if own is None else f" by the file's own tolerance of {brief(own)} of the payoff range"
        raise CertificateError("claim", f"status is {word(status)}{by}, but {gain}; --tolerance (tolerance=) allows it")
    if status in ("near-equilibrium", "bracket", "not-an-equilibrium") and by_own:
        allowed = "" if own is None else f" more than the file's own tolerance of {brief(own)} of the payoff range"
        raise CertificateError("claim", f"status is {word(status)}, but no player gains{allowed} by deviating")
    if status == "near-equilibrium" and verdict.lower is not None:
        raise CertificateError("claim", "a near-equilibrium of two players who divide a constant sum is a bracket")
    if status == "bracket" and verdict.lower is None:
        raise CertificateError("claim", "a bracket needs two players who divide a constant sum")


def check_number(key: str, said: object, right: object, place: str, slack: Fraction) -> None:
    """Fractions must be the same text; floats may differ by *slack*."""
    if isinstance(right, tuple):
        if not isinstance(said, list) or len(said) != len(right):
            raise CertificateError(place, f"{key} is not a list of {len(right)} numbers")
        for one, other in zip(said, right, strict=True):
            check_number(key, one, other, place, slack)
        return
    if isinstance(right, float) and isinstance(said, float) and abs(said - right) <= slack:
        return
    shown = None if right is None else to_json(right)  # type: ignore[arg-type]
    if isinstance(right, float) or type(said) is not type(shown) or said != shown:
        raise CertificateError(place, f"{key} is {word(said)} in the file, but {word(shown)} by the best responses")


def tolerance_of(data: Mapping[str, Any]) -> Number | None:
    """Return the tolerance that the file names, as a fraction of the payoff range; None for anything else."""
    try:
        tolerance = from_json(data.get("tolerance"))
    except (ValueError, ZeroDivisionError):
        return None
    return tolerance if tolerance >= 0 else None


def slack_of(tree: GameTree) -> Fraction:
    """How far floats that were worked out twice may lie apart."""
    return Fraction(AGREEMENT) * payoff_range(tree)


def word(value: object) -> str:
    """A value of the file for a message, cut short."""
    shown = json.dumps(value)
    return shown if len(shown) <= 60 else f"{shown[:57]}..."
