"""One method, or several in turn, let loose on a tree; every profile proposed is judged by best responses."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from ..base.errors import NotApplicableError
from ..base.rationals import to_json
from ..forms.extensive import GameTree
from ..proof import verify
from ..solvers import Found, Request, Solver
from ..solvers.gambit.routines import LEAST_TIMEOUT
from ..solvers.protocol import countdown
from ..strategies.tree_profile import Profile
from .solution import Judged


@dataclass(frozen=True)
class Attempt:
    """How *solver* fared: what it ``found``, the verdicts (least regret first), and what they come to.

    ``status`` and ``message`` are as in ``Solution``; ``seconds`` cover solving and judging.
    """

    solver: Solver
    found: Found
    judged: tuple[Judged, ...]
    status: str
    message: str
    seconds: float

    @property
    def regret(self) -> float:
        """The least regret of a profile found; infinite where there is none that could be judged."""
        return _regret(self.judged[0]) if self.judged else float("inf")

    def to_json(self) -> dict[str, Any]:
        """``method``, ``status``, ``regret`` (of the best profile, or None), ``message``, ``seconds``."""
        verdict = self.judged[0].verdict if self.judged else None
        return {
            "method": self.solver.name,
            "status": self.status,
            "regret": None if verdict is None else to_json(verdict.regret),
            "message": self.message,
            "seconds": round(self.seconds, 3),
        }


def attempt(tree: GameTree, solver: Solver, request: Request, tolerance: float | Fraction | None) -> Attempt:
    """Let *solver*, which must apply, propose profiles for *tree*, and judge each over all of its nodes."""
    began = time.monotonic()
    found = solver.run(tree, request)
    if found.profiles:
        request.progress("verifying")
    judged = tuple(sorted((_judge(profile, tolerance) for profile in found.profiles), key=_regret))
    status, message = _status(solver, found, judged)
    return Attempt(solver, found, judged, status, message, time.monotonic() - began)


def in_turn(
    tree: GameTree, solvers: Sequence[Solver], request: Request, tolerance: float | Fraction | None
) -> tuple[Attempt, ...]:
    """Let *solvers* try one after the other, in this order, up to the first verified equilibrium.

    Of a time limit the first may use half and each later one an equal part of what is then left, but not less
    than ``LEAST_TIMEOUT`` seconds; what one does not use is left to the others. A profile found before a routine was
    stopped counts like any other. Judging is not bounded.
    """
    tried: list[Attempt] = []
    left = countdown(request.timeout)
    for place, solver in enumerate(solvers):
        remaining = left()
        if remaining is not None:
            if tried and remaining <= 0:
                break
            parts = len(solvers) - place
            share = max(remaining / (parts if tried else min(parts, 2)), LEAST_TIMEOUT)
            remaining = min(remaining, round(share, 2))
        tried.append(_counting(attempt(tree, solver, replace(request, timeout=remaining), tolerance)))
        if tried[-1].status == "equilibrium":
            break
    return tuple(tried)


def best(tried: Iterable[Attempt]) -> Attempt:
    """The one that found an equilibrium, otherwise the one with the least regret; of several the first."""
    return min(tried, key=lambda one: (one.status != "equilibrium", one.regret))


def _counting(one: Attempt) -> Attempt:
    """A routine that was stopped after it had found an equilibrium has found one."""
    verdict = one.judged[0].verdict if one.judged else None
    if one.status == "timeout" and verdict is not None and verdict.equilibrium:
        return replace(one, status="equilibrium", message="")
    return one


def _judge(profile: Profile, tolerance: float | Fraction | None) -> Judged:
    try:
        return Judged(profile, verify(profile, tolerance))
    except NotApplicableError:
        return Judged(profile, None)


def _regret(judged: Judged) -> float:
    return float(judged.verdict.regret) if judged.verdict else float("inf")


def _status(solver: Solver, found: Found, judged: tuple[Judged, ...]) -> tuple[str, str]:
    if found.ended == "timeout":
        return "timeout", found.message or "the time limit came first"
    if found.ended == "interrupted":
        return "interrupted", found.message or "stopped before the end"
    if not judged:
        return "no-result", found.message or f"{solver.name} returned no profile"
    verdict = judged[0].verdict
    if verdict is None:
        return "no-result", "a player has imperfect recall, so the profile was not verified"
    if verdict.equilibrium:
        return "equilibrium", found.message
    if solver.brackets and verdict.lower is not None:
        return "bracket", found.message
    regret = f"a player gains {float(verdict.regret):.3g} by deviating"
    return "not-an-equilibrium", f"{regret}; {found.message}" if found.message else regret
