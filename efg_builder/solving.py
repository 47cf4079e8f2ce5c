"""Solving, start to end: choose a method, let it propose, judge what it proposed."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from fractions import Fraction
from math import isfinite
from numbers import Real

from .analysis import check_tolerance, verify
from .errors import NotApplicableError, ParameterError, check_kind
from .games.parameters import as_text
from .games.protocol import Game
from .profile import Profile
from .solution import Judged, Solution
from .solvers import AUTO, AUTO_ORDER, Facts, Found, Request, Solver, check_options, choose
from .solvers import method as find_method
from .tree import MAX_NODES, GameTree, build

AUTO_TIMEOUT = 60.0
"""Seconds that ``auto`` gives one of Gambit's routines where no limit is set."""


def solve(
    game: Game | GameTree,
    method: str = AUTO,
    *,
    timeout: float | Fraction | None = None,
    tolerance: float | Fraction | None = None,
    options: Mapping[str, object] | None = None,
    progress: Callable[[str], None] | None = None,
    max_nodes: int = MAX_NODES,
) -> Solution:
    """Solve *game* and verify the answer.

    ``method`` is a name from :func:`efg_builder.solvers.methods` or ``"auto"``. ``timeout`` bounds the
    solver in seconds (None: no limit, but 60 s where ``"auto"`` takes one of Gambit's routines); building and
    verifying are not counted. ``tolerance`` is the greatest regret of an equilibrium as a fraction of the
    payoff range (None: 0 for rational profiles, 1e-6 for floats). ``options`` are the method's own, as
    text or plain Python values. ``progress`` takes lines on what is happening. A game's tree may have up to
    ``max_nodes`` nodes.

    Every profile is judged by :func:`efg_builder.analysis.verify`, whatever the method says of it. A method that
    does not apply gives a solution with status ``"not-applicable"``; unknown methods and options, and a
    timeout or tolerance out of range, raise ``ParameterError`` before anything is done; a game over ``max_nodes``
    raises ``TreeTooLargeError``.
    """
    began = time.monotonic()
    check_kind("solve", game, (Game, GameTree), "a game or a tree", "eb.game(...) makes a game")
    settings = {key: as_text(value) for key, value in (options or {}).items()}
    check_options(method, settings)
    check_tolerance(tolerance)
    if timeout is not None:
        timeout = _seconds(timeout)
    rules, tree = (game, build(game, max_nodes=max_nodes)) if isinstance(game, Game) else (None, game)
    facts = Facts(tree)
    solver = choose(facts) if method == AUTO else find_method(method)
    limited = method == AUTO and timeout is None and solver.name != AUTO_ORDER[0]
    if limited:
        # Gambit's routines can run for ever where they do not suit a game.
        timeout = AUTO_TIMEOUT
    lacking = solver.inapplicable(facts)
    if lacking is not None:
        message = f"{solver.name} does not apply: {lacking}"
        seconds = time.monotonic() - began
        return Solution(tree, solver.name, "not-applicable", message, seconds, game=rules, tolerance=tolerance)
    report = progress or (lambda line: None)
    found = solver.run(tree, Request(timeout, settings, report))
    if found.profiles:
        report("verifying")
    judged = tuple(_judge(profile, tolerance) for profile in found.profiles)
    judged = tuple(sorted(judged, key=_regret))
    status, message = _status(solver, found, judged)
    if status == "timeout" and limited:
        # What was said first is that there was a limit; what else was said stays.
        stopped = f"{solver.name} was stopped at auto's limit of {AUTO_TIMEOUT:g} s"
        message = "; ".join([f"{stopped}; --timeout SECONDS (timeout=) gives it more", *message.split("; ")[1:]])
    seconds = time.monotonic() - began
    return Solution(
        tree, solver.name, status, message, seconds, judged, solver.several, game=rules, tolerance=tolerance
    )


def _seconds(timeout: float | Fraction) -> float:
    if not isinstance(timeout, Real) or not isfinite(timeout) or timeout <= 0:
        raise ParameterError(f"timeout={timeout!r}: must be a number of seconds above 0")
    return float(timeout)


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
