"""Solving, start to end: choose a method, let it propose, judge what it proposed."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from math import isfinite
from numbers import Real
from pathlib import Path

from .analysis import check_tolerance, verify, verify_sparse
from .errors import NotApplicableError, ParameterError, check_kind
from .games.parameters import as_text
from .games.protocol import DealtGame, Game
from .profile import Profile
from .refining import refined_solution
from .solution import Judged, JudgedSparse, Solution
from .solvers import AUTO, AUTO_ORDER, Facts, Found, Request, Solver, check_options, choose
from .solvers import method as find_method
from .tree import MAX_NODES, GameTree, build

AUTO_PLAY, AUTO_NODES = "oracle", 5_000
"""What ``auto`` takes, without building the tree, for games of bidding with more nodes than this."""

AUTO_TIMEOUT = 60.0
"""Seconds that ``auto`` gives one of Gambit's routines where no limit is set."""

STOP_AT_GAP = ("oracle", "gambit-oracle")
"""The methods that stop as soon as their bracket is as narrow as the gap asked for; all others go on to their end."""


def solve(
    game: Game | GameTree,
    method: str = AUTO,
    *,
    timeout: float | Fraction | None = None,
    tolerance: float | Fraction | None = None,
    gap: float | Fraction | None = None,
    options: Mapping[str, object] | None = None,
    progress: Callable[[str], None] | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    resume: str | os.PathLike[str] | None = None,
    max_nodes: int = MAX_NODES,
    refine: bool = False,
) -> Solution:
    """Solve *game* and verify the answer.

    ``method`` is a name from :func:`efg_builder.solvers.methods` or ``"auto"``, which takes, of a game of
    bidding with a tree of more than 5,000 nodes, the oracle without the tree, and otherwise what
    :func:`efg_builder.solvers.choose` says. ``timeout`` bounds the
    solver in seconds (None: no limit, but 60 s where ``"auto"`` takes one of Gambit's routines); building and
    verifying are not counted. ``tolerance`` is the greatest regret of an equilibrium as a fraction of the
    payoff range (None: 0 for rational profiles, 1e-6 for floats). ``gap``: a bracket of the value at most this wide
    is enough (None: as narrow as the method can; ``STOP_AT_GAP`` names the methods that stop there, the message of
    others says that they do not). ``options`` are the method's own, as
    text or plain Python values. ``progress`` takes lines on what is happening. A long search of the oracle without a
    tree keeps its state in the file ``checkpoint`` and goes on from the file ``resume`` (and keeps its state there
    where no other is named). A game's tree may have up to ``max_nodes`` nodes. ``refine``: of all equilibria one that
    also plays well after mistakes, a sequential equilibrium; for two players, constant sum and perfect recall
    (:mod:`.refining`, with method ``"auto"`` only).

    Every profile is judged by :mod:`efg_builder.analysis`, whatever the method says of it. A method that
    does not apply gives a solution with status ``"not-applicable"``; unknown methods and options, and a
    timeout, gap or tolerance out of range, raise ``ParameterError`` before anything is done; a game over
    ``max_nodes`` raises ``TreeTooLargeError``; a file that cannot be resumed from, ``FileError``. Ctrl-C ends
    ``"oracle"`` and ``"gambit-oracle"`` with what they have, status ``"interrupted"``. In other methods, before there
    is anything, and while the answer is being verified, it is raised as ``KeyboardInterrupt``: no solution claims
    what was not verified.
    """
    began = time.monotonic()
    check_kind("solve", game, (Game, GameTree), "a game or a tree", "eb.game(...) makes a game")
    settings = {key: as_text(value) for key, value in (options or {}).items()}
    check_options(method, settings)
    check_tolerance(tolerance)
    request = Request(
        None if timeout is None else _seconds(timeout),
        settings,
        progress or (lambda line: None),
        None if gap is None else _gap(gap),
        None if checkpoint is None and resume is None else Path(checkpoint or resume or ""),
        None if resume is None else Path(resume),
    )
    if refine and method != AUTO:
        raise ParameterError(f"refine=True has a method of its own, so it does not go with method={method!r}")
    solver = _without_tree(game, method) if not refine else None
    if solver is not None:
        assert isinstance(game, DealtGame)
        return _play(game, solver, request, tolerance, began)
    if checkpoint is not None or resume is not None:
        raise ParameterError("checkpoint and resume are for the method 'oracle' on a game of bidding")
    rules, tree = (game, build(game, max_nodes=max_nodes)) if isinstance(game, Game) else (None, game)
    found = refined_solution(tree, request, tolerance, began) if refine else None
    return replace(found or _on_tree(tree, method, request, tolerance, began), game=rules)


def _without_tree(game: Game | GameTree, method: str) -> Solver | None:
    """The solver that takes *game* without a tree, where *method* is or stands for one."""
    if not isinstance(game, Game) or (method == AUTO and not _large(game)):
        return None
    solver = find_method(AUTO_PLAY if method == AUTO else method)
    return solver if solver.play is not None and solver.unplayable(game) is None else None


def _large(game: Game) -> bool:
    size = game.size()
    return size is not None and size.nodes > AUTO_NODES


def _play(
    game: DealtGame, solver: Solver, request: Request, tolerance: float | Fraction | None, began: float
) -> Solution:
    """Solve without a tree, and judge by best responses over all of public play."""
    assert solver.play is not None
    found = solver.play(game, request)
    request.progress("verifying")
    verdict = verify_sparse(found.profile, tolerance)
    reached = "equilibrium" if verdict.equilibrium else "bracket"
    status = found.ended if found.ended in ("timeout", "interrupted") else reached
    message = "" if status == "equilibrium" else found.message
    seconds = time.monotonic() - began
    sparse = JudgedSparse(found.profile, verdict)
    return Solution(
        *(None, solver.name, status, message, seconds),
        game=game,
        sparse=sparse,
        tolerance=tolerance,
        details=found.details,
    )


def _on_tree(
    tree: GameTree, method: str, request: Request, tolerance: float | Fraction | None, began: float
) -> Solution:
    """Solve a tree, and judge by best responses over all its nodes."""
    facts = Facts(tree)
    solver = choose(facts) if method == AUTO else find_method(method)
    limited = method == AUTO and request.timeout is None and solver.name != AUTO_ORDER[0]
    if limited:
        # Gambit's routines can run for ever where they do not suit a game.
        request = replace(request, timeout=AUTO_TIMEOUT)
    lacking = solver.inapplicable(facts)
    if lacking is not None:
        message = f"{solver.name} does not apply: {lacking}"
        seconds = time.monotonic() - began
        return Solution(tree, solver.name, "not-applicable", message, seconds, tolerance=tolerance)
    found = solver.run(tree, request)
    if found.profiles:
        request.progress("verifying")
    judged = tuple(_judge(profile, tolerance) for profile in found.profiles)
    judged = tuple(sorted(judged, key=_regret))
    status, message = _status(solver, found, judged)
    if status == "timeout" and limited:
        # What was said first is that there was a limit; what else was said stays.
        stopped = f"{solver.name} was stopped at auto's limit of {AUTO_TIMEOUT:g} s"
        message = "; ".join([f"{stopped}; --timeout SECONDS (timeout=) gives it more", *message.split("; ")[1:]])
    if request.gap is not None and solver.name not in STOP_AT_GAP:
        message = "; ".join(filter(None, [message, _no_gap(solver)]))
    seconds = time.monotonic() - began
    several = solver.several
    return Solution(
        tree, solver.name, status, message, seconds, judged, several, tolerance=tolerance, details=found.details
    )


def _no_gap(solver: Solver) -> str:
    return f"{solver.name} does not stop at a gap (--gap); {' and '.join(STOP_AT_GAP)} do"


def _gap(gap: float | Fraction) -> Fraction:
    if not isinstance(gap, Real) or not isfinite(gap) or gap < 0:
        raise ParameterError(f"gap={gap!r}: must be a finite number from 0 on")
    return Fraction(gap)


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
