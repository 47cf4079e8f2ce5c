"""Solving, start to end: choose a method, let it propose, judge what it proposed."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import isfinite
from numbers import Real
from pathlib import Path

from ..base.errors import ParameterError, check_kind
from ..forms.extensive import MAX_NODES, GameTree, build
from ..games.parameters import as_text
from ..games.protocol import DealtGame, Game
from ..proof import check_tolerance, verify
from ..solvers import AUTO, AUTO_ORDER, Facts, Request, Solver, applicable, check_options, choose, methods
from ..solvers import method as find_method
from .attempts import Attempt, attempt, best, in_turn
from .refining import refined_solution
from .solution import JudgedSparse, Solution

AUTO_PLAY, AUTO_NODES = "oracle", 5_000
"""What ``auto`` takes, without building the tree, for games of bidding with more nodes than this."""

AUTO_TIMEOUT = 60.0
"""Seconds that ``auto`` gives Gambit's routines, one after the other, where no limit is set."""


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

    ``method`` is a name from ``methods`` or ``"auto"``, which takes, of a game of
    bidding with a tree of more than 5,000 nodes, the oracle without the tree, and otherwise goes by
    ``AUTO_ORDER``: ``"lp"`` where it applies, else Gambit's routines in turn, each with a part
    of the time, up to the first equilibrium that is verified (``details["tried"]`` says how each ended).
    ``timeout`` bounds the solver in seconds (None: no limit, but 60 s where ``"auto"`` takes Gambit's routines);
    building and verifying are not counted. ``tolerance`` is the greatest regret of an equilibrium as a fraction of the
    payoff range (None: 0 for rational profiles, 1e-6 for floats). ``gap``: a bracket of the value at most this wide
    is enough (None: as narrow as the method can; ``Solver.stops_at_gap`` says which stop there, the message of
    others says that they do not). ``options`` are the method's own, as text or plain Python values; with ``"auto"``
    those of the one method that it takes then, the first that applies. ``progress`` takes lines on what is happening.
    A long search of the oracle without a tree keeps its state in the file ``checkpoint`` and goes on from the file
    ``resume`` (and keeps its state there where no other is named). A game's tree may have up to ``max_nodes`` nodes.
    ``refine``: of all equilibria one that also plays well after mistakes, a sequential equilibrium; for two players,
    constant sum and perfect recall (``equilibria.refining``, with method ``"auto"`` only).

    Every profile is judged by ``proof``, whatever the method says of it. A method that
    does not apply gives a solution with status ``"not-applicable"``; unknown methods and options, and a
    timeout, gap or tolerance out of range, raise ``ParameterError`` before anything is solved; a game over
    ``max_nodes`` raises ``TreeTooLargeError``; a file that cannot be resumed from, ``FileError``. Ctrl-C ends
    ``"oracle"`` and ``"gambit-oracle"`` with what they have, status ``"interrupted"``. In other methods, before there
    is anything, and while the answer is being verified, it is raised as ``KeyboardInterrupt``: no solution claims
    what was not verified.
    """
    began = time.monotonic()
    check_kind("solve", game, (Game, GameTree), "a game or a tree", "eb.game(...) makes a game")
    settings = {key: as_text(value) for key, value in (options or {}).items()}
    if method != AUTO:
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
    if refine and gap is not None:
        raise ParameterError("refine=True gives an exact equilibrium, so it does not go with a gap")
    if refine and settings:
        raise ParameterError("refine=True takes no options (--option, options=)")
    rules = game if isinstance(game, Game) else None
    if method == AUTO and settings:
        game, method, limit = with_options(game, settings, request.timeout, max_nodes)
        request = replace(request, timeout=None if limit is None else float(limit))
    solver = without_tree(game, method) if not refine else None
    if (checkpoint is not None or resume is not None) and (solver is None or not solver.keeps_state):
        raise ParameterError("checkpoint and resume are for the method 'oracle' on a game of bidding")
    if solver is not None:
        assert isinstance(game, DealtGame)
        return _play(game, solver, request, tolerance, began)
    tree = build(game, max_nodes=max_nodes) if isinstance(game, Game) else game
    found = refined_solution(tree, request, tolerance, began) if refine else None
    return replace(found or _on_tree(tree, method, request, tolerance, began), game=rules)


def with_options(
    game: Game | GameTree, options: Iterable[str], timeout: float | Fraction | None, max_nodes: int = MAX_NODES
) -> tuple[Game | GameTree, str, float | Fraction | None]:
    """What ``auto`` does where it is given *options*: it takes one method, the first that applies, and they are its.

    Returns *game*, as its tree where the method needs that, the method's name, and the time limit in seconds:
    *timeout*, or, where that is None and the method is one of Gambit's, what ``auto`` gives these. Raises
    ``ParameterError``, which names the method, where it lacks one of the options, and ``TreeTooLargeError``.
    """
    if without_tree(game) is not None:
        name = AUTO_PLAY
    else:
        game = build(game, max_nodes=max_nodes) if isinstance(game, Game) else game
        name = choose(Facts(game)).name
    try:
        check_options(name, options)
    except ParameterError as error:
        other = "an option of another method needs a --method"
        raise ParameterError(f"auto takes {name} for this game, and {error}; {other}") from None
    return game, name, AUTO_TIMEOUT if timeout is None and name not in (AUTO_PLAY, AUTO_ORDER[0]) else timeout


def without_tree(game: Game | GameTree, method: str = AUTO) -> Solver | None:
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
    # What has no effect is left out here, so that all that is counted and written is the same.
    profile = found.profile.canonical()
    verdict = verify(profile, tolerance)
    reached = "equilibrium" if verdict.equilibrium else "bracket"
    status = found.ended if found.ended in ("timeout", "interrupted") else reached
    message = "" if status == "equilibrium" else found.message
    seconds = time.monotonic() - began
    sparse = JudgedSparse(profile, verdict)
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
    solvers = applicable(facts) if method == AUTO else (find_method(method),)
    if not solvers:
        lacking = f"auto has no method for this game: {choose(facts).inapplicable(facts)}"
        return Solution(tree, AUTO, "not-applicable", lacking, time.monotonic() - began, tolerance=tolerance)
    if method == AUTO and solvers[0].name != AUTO_ORDER[0]:
        return _by_turns(facts, solvers, request, tolerance, began)
    lacking_ = solvers[0].inapplicable(facts)
    if lacking_ is not None:
        message = f"{solvers[0].name} does not apply: {lacking_}"
        seconds = time.monotonic() - began
        return Solution(tree, solvers[0].name, "not-applicable", message, seconds, tolerance=tolerance)
    one = attempt(tree, solvers[0], request, tolerance)
    message = "; ".join(filter(None, [one.message, _no_gap(one.solver, request)]))
    why = {"auto": f"{one.solver.name}: {_form(facts)}"} if method == AUTO else {}
    return _answer(tree, one, one.status, message, tolerance, began, why)


def _by_turns(
    facts: Facts, solvers: tuple[Solver, ...], request: Request, tolerance: float | Fraction | None, began: float
) -> Solution:
    """Let Gambit's routines try in turn: each suits some games and can run for ever on others."""
    limited = request.timeout is None
    tried = in_turn(facts.tree, solvers, replace(request, timeout=request.timeout or AUTO_TIMEOUT), tolerance)
    one = best(tried)
    status = one.status
    if status != "equilibrium" and any(each.status == "timeout" for each in tried):
        status = "timeout"
    limit = f"auto's limit of {AUTO_TIMEOUT:g} s" if limited else f"the limit of {request.timeout:g} s"
    message = "; ".join(filter(None, [*_told(tried, status, limit, _form(facts)), _no_gap(one.solver, request)]))
    names = ", ".join(each.solver.name for each in tried)
    more = {"auto": f"{names}: {_form(facts)}", "tried": [each.to_json() for each in tried]}
    return _answer(facts.tree, one, status, message, tolerance, began, more)


def _told(tried: Sequence[Attempt], status: str, limit: str, form: str) -> list[str]:
    """What was tried and how it ended, in clauses; *limit* is what stopped those that were stopped."""
    if status == "equilibrium":
        *before, last = tried
        ended = [f"{each.solver.name}: {each.message}" for each in before]
        return [
            f"auto took {last.solver.name}: {form}",
            last.message,
            *(["before it, " + "; ".join(ended)] * bool(ended)),
        ]
    stopped = [each.solver.name for each in tried if each.status == "timeout"]
    ended = [f"{each.solver.name}: {each.message}" for each in tried if each.status != "timeout"]
    if not stopped:
        return ended
    them, were, it = ", ".join(stopped), *(("were", "them") if stopped[1:] else ("was", "it"))
    return [f"{them} {were} stopped at {limit}", f"--timeout SECONDS (timeout=) gives {it} more", *ended]


def _answer(
    tree: GameTree,
    one: Attempt,
    status: str,
    message: str,
    tolerance: float | Fraction | None,
    began: float,
    more: Mapping[str, object],
) -> Solution:
    seconds = time.monotonic() - began
    return Solution(
        *(tree, one.solver.name, status, message, seconds, one.judged, one.solver.several),
        tolerance=tolerance,
        details={**one.found.details, **more},
    )


def _form(facts: Facts) -> str:
    """What the choice of a method goes by."""
    players = "one player" if facts.players == 1 else f"{facts.players} players"
    sums = "payoffs of no constant sum" if facts.constant_sum is None else "constant sum"
    return f"{players}, {sums}, {'perfect' if facts.perfect_recall else 'imperfect'} recall"


def _no_gap(solver: Solver, request: Request) -> str:
    if request.gap is None or solver.stops_at_gap:
        return ""
    stopping = [name for name, other in methods().items() if other.stops_at_gap]
    return f"{solver.name} does not stop at a gap (--gap); {', '.join(stopping)} do"


def _gap(gap: float | Fraction) -> Fraction:
    if not isinstance(gap, Real) or not isfinite(gap) or gap < 0:
        raise ParameterError(f"gap={gap!r}: must be a finite number from 0 on")
    return Fraction(gap)


def _seconds(timeout: float | Fraction) -> float:
    if not isinstance(timeout, Real) or not isfinite(timeout) or timeout <= 0:
        raise ParameterError(f"timeout={timeout!r}: must be a number of seconds above 0")
    return float(timeout)
