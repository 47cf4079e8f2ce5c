"""Of all equilibria one that also plays well after mistakes: found, and verified at every information set."""

from __future__ import annotations

import time
from fractions import Fraction

from ..forms.extensive import GameTree
from ..forms.sequence_form import sequence_form
from ..proof import verify
from ..proof.sequential import verify_sequential
from ..solvers import Facts
from ..solvers.lp.highs import LinearProgramError, TimeLimit
from ..solvers.lp.rational import NotExactError
from ..solvers.lp.refine import quasi_perfect
from ..solvers.protocol import Request, countdown, two_player_constant_sum_with_recall
from ..strategies.tree_profile import Profile
from .solution import Judged, Solution

METHOD = "quasi-perfect"
"""What a solution names as its method."""


def refined_solution(tree: GameTree, request: Request, tolerance: float | Fraction | None, began: float) -> Solution:
    """A sequential equilibrium of a two-player constant-sum game with perfect recall.

    Without one that passed the check at every information set, the status says so: nothing unverified is called
    refined.
    """

    def ended(status: str, message: str) -> Solution:
        return Solution(tree, METHOD, status, message, time.monotonic() - began, tolerance=tolerance)

    lacking = two_player_constant_sum_with_recall(Facts(tree))
    if lacking is not None:
        return ended("not-applicable", f"refining does not apply: {lacking}")
    request.progress("building the sequence form")
    try:
        found = quasi_perfect(sequence_form(tree), countdown(request.timeout), request.progress)
    except TimeLimit:
        return ended("timeout", "the time limit came before an equilibrium was refined")
    except (LinearProgramError, NotExactError) as error:
        return ended("no-result", f"no equilibrium was refined: {error}; without --refine (refine=) one can be found")
    request.progress("verifying")
    profile = Profile.from_personal(tree, found.rows)
    verdict, refined = verify(profile, tolerance), verify_sequential(profile, found.mistakes)
    status, message = "equilibrium", ""
    if not verdict.equilibrium:
        status, message = "not-an-equilibrium", f"a player gains {float(verdict.regret):.3g} by deviating"
    elif not refined.sequential:
        status, message = "no-result", f"after a mistake a player gains {float(refined.gain):.3g} by another action"
    return Solution(
        *(tree, METHOD, status, message, time.monotonic() - began),
        judged=(Judged(profile, verdict),),
        tolerance=tolerance,
        refined=refined if status == "equilibrium" else None,
    )
