"""Solving, start to end: choose a method, let it propose, judge what it proposed."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction

from .analysis import verify
from .errors import NotApplicableError, ParameterError
from .games.protocol import Game
from .profile import Profile
from .solution import Judged, Solution
from .solvers import AUTO, AUTO_ORDER, Facts, Found, Request, Solver, choose
from .solvers import method as find_method
from .tree import GameTree, build

AUTO_TIMEOUT = 60.0
"""Seconds that ``auto`` gives one of Gambit's routines where no limit is set."""


def solve(
    game: Game | GameTree,
    method: str = AUTO,
    *,
    timeout: float | None = None,
    tolerance: float | Fraction | None = None,
    options: Mapping[str, str] | None = None,
    progress: Callable[[str], None] | None = None,
) -> Solution:
    """Solve *game* and verify the answer.

    ``method`` is a name from :func:`efg_builder.solvers.methods` or ``"auto"``. ``timeout`` bounds the
    solver in seconds (None: no limit, but 60 s where ``"auto"`` takes one of Gambit's routines); building and
    verifying are not counted. ``tolerance`` is the greatest regret of an equilibrium as a fraction of the
    payoff range (None: 0 for rational profiles, 1e-6 for floats). ``options`` are the method's own, as
    text. ``progress`` takes lines on what is happening.

    Every profile is judged by :func:`efg_builder.analysis.verify`, whatever the method says of it. A method that
    does not apply gives a solution with status ``"not-applicable"``; unknown methods and options raise
    ``ParameterError``.
    """
    began = time.monotonic()
    tree = build(game) if isinstance(game, Game) else game
    if not isinstance(tree, GameTree):
        raise ParameterError(f"solve() takes a game or a tree, not {type(game).__name__}; eb.game(...) makes a game")
    facts = Facts(tree)
    solver = choose(facts) if method == AUTO else find_method(method)
    hint = ""
    if method == AUTO and timeout is None and solver.name != AUTO_ORDER[0]:
        # Gambit's routines can run for ever where they do not suit a game.
        timeout, hint = AUTO_TIMEOUT, f"; auto gives {solver.name} {AUTO_TIMEOUT:g} s, a time limit of your own more"
    lacking = solver.inapplicable(facts)
    if lacking is not None:
        message = f"{solver.name} does not apply: {lacking}"
        return Solution(tree, solver.name, "not-applicable", message, time.monotonic() - began)
    report = progress or (lambda line: None)
    found = solver.run(tree, Request(timeout, dict(options or {}), report))
    if found.profiles:
        report("verifying")
    judged = tuple(_judge(profile, tolerance) for profile in found.profiles)
    judged = tuple(sorted(judged, key=_regret))
    solution = Solution(tree, solver.name, "", found.message, 0.0, judged, solver.several)
    status, message = _status(solver, found, judged)
    if status == "timeout":
        message += hint
    return replace(solution, status=status, message=message, seconds=time.monotonic() - began)


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
