"""Letting a method propose, and judging what it proposed: one method, several in turn, or a refined equilibrium."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from ..base.errors import NotApplicableError
from ..base.rationals import to_json
from ..base.words import VERIFYING
from ..forms.extensive import GameTree
from ..forms.sequence_form import sequence_form
from ..games.protocol import DealtGame
from ..interop.gambit import lacking
from ..proof import verify
from ..proof.sequential import verify_sequential
from ..solvers.gambit.routines import AUTO_TIMEOUT, COMPUTED, LEAST_TIMEOUT
from ..solvers.lp.highs import LinearProgramError, TimeLimit
from ..solvers.lp.rational import NotExactError
from ..solvers.lp.refine import quasi_perfect
from ..solvers.protocol import (
    AUTO,
    AUTO_ALONE,
    Facts,
    Found,
    Request,
    Solver,
    applicable,
    choose,
    countdown,
    methods,
    two_player_constant_sum_with_recall,
)
from ..solvers.protocol import method as find_method
from ..strategies.sparse_profile import SparseProfile
from ..strategies.tree_profile import TreeProfile
from .solution import Judged, Solution

Tolerance = float | Fraction | None

REFINING = "quasi-perfect"
"""What a refined solution names as its method."""

ALL, SEVERAL = "extreme", "gambit-enumpoly"
"""The method that lists all extreme equilibria of two players, and one that finds several of more players."""

FORGETFUL = "forgetful"
"""The method for games without perfect recall."""

BEHAVIOR = (
    "without perfect recall: no behavior or mixed strategy gains more than the regret, but mixed equilibria may differ"
)
"""What was verified where a player forgets (Kuhn 1953; Wichardt 2008)."""

LEAST_SHARE = 0.01
"""Seconds; no routine is given less, however little time is left."""


def by_rules(game: DealtGame, solver: Solver, request: Request, tolerance: Tolerance) -> Solution:
    """Solve without a tree, and judge by best responses over all of public play."""
    assert solver.play is not None
    found = solver.play(game, request)
    request.progress(VERIFYING)
    # What has no effect is left out here, so that all that is counted and written is the same.
    kept = [one.canonical() for one in found.strategies if isinstance(one, SparseProfile)]
    judged = tuple(Judged(one, verify(one, tolerance)) for one in kept)
    status, message = _status(solver, found, judged)
    return Solution(
        tree=None,
        game=game,
        method=solver.name,
        status=status,
        message="" if status == "equilibrium" else message,
        judged=judged,
        tolerance=tolerance,
        details=found.details,
    )


def on_tree(tree: GameTree, method: str, request: Request, tolerance: Tolerance) -> Solution:
    """Solve a tree, and judge by best responses over all its nodes."""
    facts = Facts(tree)
    first = choose(facts) if method == AUTO else find_method(method)
    lacks = first.inapplicable(facts)
    if lacks is not None:
        says = "auto has no method for this game" if method == AUTO else f"{method} does not apply"
        if not facts.perfect_recall and first.name != FORGETFUL:
            lacks = _lacks_recall(facts)
        message = f"{says}: {lacks}{_instead_of_all(first, facts)}"
        return Solution(tree=tree, method=method, status="not-applicable", message=message, tolerance=tolerance)
    if problem := first.lacking():
        raise problem
    if method == AUTO and first.name not in AUTO_ALONE:
        return _by_turns(facts, tuple(applicable(facts)), request, tolerance)
    one = attempt(tree, first, request, tolerance)
    message = "; ".join(filter(None, [one.message, _no_gap(first, request)]))
    why = {"auto": f"{first.name}: {form_in_words(facts)}"} if method == AUTO else {}
    return replace(one, message=message, details={**one.details, **why})


def _instead_of_all(solver: Solver, facts: Facts) -> str:
    """The method that finds several equilibria where *solver*, which lists all of two players, does not apply."""
    other = find_method(SEVERAL)
    if solver.name != ALL or other.inapplicable(facts) is not None or other.lacking() is not None:
        return ""
    return f"; --method (method=) {SEVERAL} finds several"


def _lacks_recall(facts: Facts) -> str:
    """Why a method does not apply to a game of imperfect recall, whatever else it lacks."""
    other = find_method(FORGETFUL).inapplicable(facts)
    else_ = f"{FORGETFUL} does not apply: {other}; evaluate tells what strategies pay"
    return f"a player does not have perfect recall; {else_ if other else f'{FORGETFUL} applies'}"


def attempt(tree: GameTree, solver: Solver, request: Request, tolerance: Tolerance) -> Solution:
    """Let *solver*, which must apply, propose strategies for *tree*, and judge each over all of its nodes.

    The one of least regret comes first.
    """
    began = time.monotonic()
    found = solver.run(tree, request)
    if found.strategies:
        request.progress(VERIFYING)
    judged = tuple(sorted((_judge(strategy, tolerance) for strategy in found.strategies), key=_regret))
    status, message = _status(solver, found, judged)
    return Solution(
        tree=tree,
        method=solver.name,
        status=status,
        message=message,
        seconds=time.monotonic() - began,
        judged=judged,
        several=solver.several,
        tolerance=tolerance,
        details=found.details,
    )


def _judge(strategy: TreeProfile | SparseProfile, tolerance: Tolerance) -> Judged:
    try:
        return Judged(strategy, verify(strategy, tolerance))
    except NotApplicableError:
        return Judged(strategy, None)


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
    message = "; ".join(filter(None, [found.message, BEHAVIOR if verdict.forgetful else ""]))
    if verdict.equilibrium:
        return "equilibrium", message
    if solver.brackets:
        return "near-equilibrium" if verdict.lower is None else "bracket", message
    regret = f"a player gains {float(verdict.regret):.3g} by deviating"
    return "not-an-equilibrium", f"{regret}; {found.message}" if found.message else regret


def _by_turns(facts: Facts, solvers: Sequence[Solver], request: Request, tolerance: Tolerance) -> Solution:
    """Let methods try in turn: each suits some games and can run for ever on others."""
    own_limit = request.timeout is None
    tried = in_turn(facts.tree, solvers, replace(request, timeout=request.timeout or AUTO_TIMEOUT), tolerance)
    # The one that found an equilibrium, otherwise the one of least regret; of several the first.
    one = min(tried, key=lambda each: (not each.solved, _least(each)))
    status = one.status
    stopped = [each.status for each in tried if each.status in ("interrupted", "timeout")]
    if not one.solved and stopped:
        status = stopped[-1]
    limit = f"auto's limit of {AUTO_TIMEOUT:g} s" if own_limit else f"the limit of {request.timeout:g} s"
    stops = _no_gap(solvers[tried.index(one)], request)
    clauses = [*_messages(tried, status, limit, form_in_words(facts)), stops]
    if not one.solved and (problem := lacking("of Gambit's routines none was tried: each")):
        clauses.append(str(problem))
    message = "; ".join(filter(None, clauses))
    names = ", ".join(each.method for each in tried)
    more = {"auto": f"{names}: {form_in_words(facts)}", "tried": list(map(_as_tried, tried))}
    return replace(one, status=status, message=message, details={**one.details, **more})


def _least(one: Solution) -> float:
    """The least regret of a strategy found; infinite where there is none that could be judged."""
    return _regret(one.judged[0]) if one.judged else float("inf")


def _as_tried(one: Solution) -> dict[str, object]:
    """How a method fared that ``auto`` tried, as plain data."""
    return {
        "method": one.method,
        "status": one.status,
        "regret": None if one.regret is None else to_json(one.regret),
        "message": one.message,
        "seconds": round(one.seconds, 3),
    }


def in_turn(tree: GameTree, solvers: Sequence[Solver], request: Request, tolerance: Tolerance) -> tuple[Solution, ...]:
    """Let *solvers* try one after the other, in this order, up to the first verified equilibrium.

    Of a time limit the first may use half and each later one an equal part of what is then left, but not less
    than ``LEAST_TIMEOUT`` seconds; what one does not use is left to the others. The seconds are those in which Gambit
    computes: on a busy machine a process may take longer to start than a small game takes to be solved. A profile found
    before a routine was stopped counts like any other. Judging is not bounded.
    """
    tried: list[Solution] = []
    left = request.timeout
    for place, solver in enumerate(solvers):
        share = None
        if left is not None:
            if tried and left <= 0:
                break
            parts = len(solvers) - place
            share = min(left, max(left / (parts if tried else min(parts, 2)), LEAST_TIMEOUT))
            share = max(round(share, 2), LEAST_SHARE)
        one = attempt(tree, solver, replace(request, timeout=share), tolerance)
        computed = one.details.get(COMPUTED)
        if left is not None and share is not None:
            used = computed if isinstance(computed, float) else one.seconds
            left -= max(used, share) if one.status == "timeout" else used
        tried.append(_counting(one))
        enough = request.gap is not None and _least(one) <= request.gap
        if tried[-1].solved or enough or one.status == "interrupted":
            break
    return tuple(tried)


def _counting(one: Solution) -> Solution:
    """A routine that was stopped after it had found an equilibrium has found one."""
    if one.status == "timeout" and one.verdict is not None and one.verdict.equilibrium:
        return replace(one, status="equilibrium", message="")
    return one


def _messages(tried: Sequence[Solution], status: str, limit: str, form: str) -> list[str]:
    """What was tried and how it ended, in clauses; *limit* is what stopped those that were stopped."""
    if tried[-1].solved:
        *before, last = tried
        ended = [f"{each.method}: {each.message}" for each in before]
        return [
            f"auto took {last.method}: {form}",
            last.message,
            *(["before it, " + "; ".join(ended)] * bool(ended)),
        ]
    stopped = [each.method for each in tried if each.status == "timeout"]
    ended = [f"{each.method}: {each.message}" for each in tried if each.status != "timeout"]
    if not stopped:
        return ended
    them, were, it = ", ".join(stopped), *(("were", "them") if stopped[1:] else ("was", "it"))
    return [f"{them} {were} stopped at {limit}", f"--timeout SECONDS (timeout=) gives {it} more", *ended]


def refined(facts: Facts, request: Request, tolerance: Tolerance) -> Solution:
    """Of all equilibria one that also plays well after mistakes: a sequential equilibrium.

    For two-player constant-sum games with perfect recall.

    Without one that passed the check at every information set, the status says so: nothing unverified is called
    refined.
    """
    tree = facts.tree

    def ended(status: str, message: str) -> Solution:
        return Solution(tree=tree, method=REFINING, status=status, message=message, tolerance=tolerance)

    lacking = two_player_constant_sum_with_recall(facts)
    if lacking is not None:
        return ended("not-applicable", f"refining does not apply: {lacking}")
    request.progress("building the sequence form")
    try:
        found = quasi_perfect(sequence_form(tree), countdown(request.timeout), request.progress)
    except TimeLimit:
        return ended("timeout", "the time limit came before an equilibrium was refined")
    except (LinearProgramError, NotExactError) as error:
        return ended("no-result", f"no equilibrium was refined: {error}; without --refine (refine=) one can be found")
    request.progress(VERIFYING)
    profile = TreeProfile.from_personal(tree, found.rows)
    verdict, checked = verify(profile, tolerance), verify_sequential(profile, found.mistakes)
    status, message = "equilibrium", ""
    if not verdict.equilibrium:
        status, message = "not-an-equilibrium", f"a player gains {float(verdict.regret):.3g} by deviating"
    elif not checked.sequential:
        status, message = "no-result", f"after a mistake a player gains {float(checked.gain):.3g} by another action"
    return Solution(
        tree=tree,
        method=REFINING,
        status=status,
        message=message,
        judged=(Judged(profile, verdict),),
        tolerance=tolerance,
        refined=checked if status == "equilibrium" else None,
    )


def form_in_words(facts: Facts) -> str:
    """What the choice of a method goes by."""
    players = "one player" if facts.players == 1 else f"{facts.players} players"
    sums = "payoffs of no constant sum" if facts.constant_sum is None else "constant sum"
    recall = "perfect recall" if facts.perfect_recall else "imperfect recall"
    known = "perfect information" if facts.perfect_information else recall
    return f"{players}, {sums}, {known}"


def _no_gap(solver: Solver, request: Request) -> str:
    if request.gap is None or solver.stops_at_gap:
        return ""
    stopping = [name for name, other in methods().items() if other.stops_at_gap]
    return f"{solver.name} does not stop at a gap (--gap); {', '.join(stopping)} do"
