"""Solve a game: choose methods, run them, and verify the strategies."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from math import floor, log10
from pathlib import Path
from typing import Any

from ..base.errors import ParameterError, TreeTooLargeError, check_argument
from ..base.files import check_writable
from ..base.formats import COMPUTED
from ..base.parameters import as_text, check_gap, check_seconds
from ..base.rationals import to_json
from ..base.words import VERIFYING, progress_of, quiet
from ..forms.extensive import MAX_NODES, GameTree, constant_sum, has_perfect_information
from ..forms.recall import has_perfect_recall, lacks_recall, solvable
from ..forms.sequence_form import sequence_form
from ..forms.subject import Subject
from ..games.protocol import Game
from ..interop.gambit import lacking
from ..interop.trees import GameLike, as_subject
from ..proof import check_tolerance, verify
from ..proof.sequential import verify_sequential
from ..solvers.driver import Driver, interrupting_once, is_state
from ..solvers.gambit.routines import AUTO_TIMEOUT, LEAST_TIMEOUT
from ..solvers.lp.exact import NotExactError
from ..solvers.lp.highs import LinearProgramError
from ..solvers.lp.refine import quasi_perfect
from ..solvers.protocol import (
    Found,
    Progress,
    Request,
    Solver,
    TimeLimit,
    countdown,
    two_player_constant_sum_with_recall,
)
from ..solvers.registry import AUTO, AUTO_ALONE, applicable, check_options, choose, methods, solver_of
from ..solvers.registry import method as find_method
from ..strategies.sparse_profile import SparseProfile
from ..strategies.tree_profile import TreeProfile
from .learning import RESUMED, CurvePoint, completed, recorder
from .solution import Judged, Solution, judge, judge_off_path, with_near
from .solution_facts import ALL, SEVERAL

AUTO_PLAY, AUTO_NODES = ("oracle", "many"), 5_000
"""``auto`` tries the methods ``AUTO_PLAY``, without a tree, if a game has more than ``AUTO_NODES`` nodes."""

REFINED_NODES = 1_500
"""Maximum number of nodes of a tree for which ``auto`` tries refinement. At this size, refinement takes 0.25 s."""

Tolerance = float | Fraction | None

REFINING = "quasi-perfect"
"""The name of the method that finds refined equilibria."""

FORGETFUL = "forgetful"
BEHAVIOR = (
    "without perfect recall: no behavior or mixed strategy gains more than the regret, but mixed equilibria may differ"
)
"""A note on verification without perfect recall (Kuhn 1953; Wichardt 2008)."""

VERIFYING_SECONDS = 10.0
"""The time for exact verification in seconds, if less is left of the time limit."""

IN_FLOATS = "the time limit came before the end of the exact verification, so the strategy is rounded to floats"

NO_TIME = 1e-9
"""The time limit of a method in seconds if building the tree took all of the time."""

LEAST_SHARE = 0.01
"""Minimum time limit of a method in seconds, even if less time is left."""

UNSOLVED = 10**14
"""No game with more nodes than this has been solved exactly, except for the measured games (docs/oracle.md)."""


def solve(
    game: GameLike,
    method: str | Solver | Callable[[GameTree], Any] = AUTO,
    *,
    timeout: float | Fraction | None = None,
    tolerance: float | Fraction | None = None,
    gap: float | Fraction | None = None,
    options: Mapping[str, object] | None = None,
    progress: Callable[[str], None] | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    resume: str | os.PathLike[str] | None = None,
    max_nodes: int = MAX_NODES,
    refine: bool | None = None,
    curve: bool = False,
) -> Solution:
    """Find an equilibrium of *game*, and verify it by best responses over all nodes.

    Parameters
    ----------
    game : GameLike
        Rules, a tree, a name such as ``"kuhn"``, a file, or a game from pygambit or OpenSpiel.
    method : str, Solver or callable, default "auto"
        A name from ``methods``, or a function that takes a ``GameTree`` and returns a profile. ``"auto"`` runs one
        method, or several methods in turn until an equilibrium is found; ``details["tried"]`` lists these methods.
        ``"auto"`` builds no tree for bidding games with more than 5,000 nodes.
    timeout : float, optional
        Time limit of building the tree and of the search in seconds, above 0. By default, the limit is 60 s for the
        search if ``"auto"`` tries several methods; otherwise there is no limit.
    tolerance : float or Fraction, optional
        Maximum regret of an equilibrium, as a share of the payoff range. The default is 0 for rational strategies, and
        1e-6 for floats.
    gap : float or Fraction, optional
        A method may stop when the width of its bracket, or its regret, is at most this number.
    options : mapping, optional
        Options of the method, as text or Python values. With ``"auto"``, only the first method that applies is run,
        with these options.
    progress : callable, optional
        Called with one line of text at a time. Its exceptions end the call, and pass through unchanged. Its first
        ``KeyboardInterrupt`` has the effect of Ctrl-C.
    checkpoint, resume : str or path, optional
        Files that end in ``.npz``. ``"oracle"`` and ``"many"`` save the search to *checkpoint*, and continue the search
        saved in *resume*.
    max_nodes : int, default 5,000,000
        Maximum number of nodes in the tree.
    refine : bool, optional
        Whether to find a sequential equilibrium (only for two players, constant sum and perfect recall). By default,
        ``"auto"`` without *options* first looks for a sequential equilibrium in trees with up to 1,500 nodes.
    curve : bool, default False
        Whether to verify the strategies also during the search, at growing intervals, for ``solution.curve`` and
        ``solution.draw_curve``. Needs a method that iterates, such as ``"cfr"``.

    Returns
    -------
    Solution
        The best strategy found and its verdict. ``status`` is ``"not-applicable"`` if the method does not apply to the
        game. After Ctrl-C, the methods ``"oracle"``, ``"gambit-oracle"``, ``"cfr"``, ``"many"`` and ``"extreme"``
        return the strategies found so far.

    Raises
    ------
    ParameterError
        If an argument is invalid. No method is run.
    TreeTooLargeError
        If the tree has more than *max_nodes* nodes.
    FileError
        If the checkpoint in *resume* cannot be read.
    NotApplicableError
        If a package that the method needs is not installed.
    NotSolvedError
        If the tree is not built within *timeout*, or if a function given as *method* raises an error, or returns no
        strategy.

    Examples
    --------
    >>> import efg_builder as eb
    >>> solution = eb.solve("kuhn")
    >>> solution.value[0], solution.exact
    (Fraction(-1, 18), True)
    >>> eb.solve("liars-dice sides=2", "lp", timeout=60).status
    'equilibrium'
    """
    began = time.monotonic()
    progress = interrupting_once(progress_of("solve", progress))
    driver = Driver(Request(check_seconds(timeout), progress=progress))
    about = as_subject("solve", game, max_nodes=max_nodes, progress=driver.build)
    check_argument("solve", "options", options, options is None or isinstance(options, Mapping), "a mapping")
    check_argument("solve", "refine", refine, refine is None or isinstance(refine, bool), "True, False or None")
    check_argument("solve", "curve", curve, isinstance(curve, bool), "True or False")
    points = list[CurvePoint]()
    for name, path in (("checkpoint", checkpoint), ("resume", resume)):
        right = path is None or isinstance(path, str | os.PathLike)
        check_argument("solve", name, path, right, "the path of a .npz file")
    settings = {key: as_text(value) for key, value in (options or {}).items()}
    if not isinstance(method, str | Solver) and callable(method):
        method = solver_of(method)
    if method != AUTO:
        check_options(method, settings)
    check_tolerance(tolerance)
    request = Request(
        None,
        settings,
        progress,
        check_gap(gap),
        None if checkpoint is None and resume is None else Path(checkpoint or resume or ""),
        None if resume is None else Path(resume),
        recorder(points) if curve else None,
    )
    plan = Plan.choose(about, method, refine, settings, driver.build)
    if checkpoint is not None:
        check_checkpoint(checkpoint)
    plan.check(request)
    solution = with_near(plan.run(request, driver, tolerance), request.progress)
    if resume is not None:
        solution = replace(solution, details={**solution.details, RESUMED: True})
    solution = replace(solution, game=about.rules, seconds=time.monotonic() - began)
    return replace(solution, curve=completed(points, solution)) if curve else solution


@dataclass(frozen=True)
class Plan:
    """The chosen method for a game.

    ``game``: the game, which keeps a tree that was built for this choice. ``method``: the requested method, or the
    method to which the options belong. ``by_rules``: the solver if it needs no tree, otherwise None. ``refine``: True
    to compute only a refined equilibrium, None to try refinement first. ``limit``: the default time limit in seconds.
    """

    game: Subject
    method: str | Solver
    by_rules: Solver | None
    refine: bool | None
    limit: float | None

    @classmethod
    def choose(
        cls,
        given: Game | GameTree | Subject,
        method: str | Solver = AUTO,
        refine: bool | None = None,
        options: Mapping[str, str] | None = None,
        progress: Progress = quiet,
    ) -> Plan:
        """Return the plan for the arguments of ``solve``. *progress*: see ``forms.extensive.build``.

        With *options*, ``auto`` uses only the first method that applies. Raises ``ParameterError`` if the arguments
        cannot be combined, or an option does not belong to the method. Raises ``TreeTooLargeError`` if the tree is too
        large.
        """
        if refine and method != AUTO:
            raise ParameterError(
                f"--refine (refine=True) uses its own method, so it cannot be combined with the method '{method}'"
            )
        if refine and options:
            raise ParameterError("--refine (refine=True) takes no options (--option, options=)")
        game = Subject.of(given)
        by_rules = None if refine else solver_by_rules(game, method)
        limit = None
        if method == AUTO and options:
            method = (by_rules or choose(game.tree(progress=progress))).name
            limit = None if method in (*AUTO_PLAY, *AUTO_ALONE) else AUTO_TIMEOUT
            try:
                check_options(method, options)
            except ParameterError as error:
                other = "an option of another method requires --method METHOD (method=)"
                raise ParameterError(f"auto takes {method} for this game, and {error}; {other}") from None
        if method != AUTO or by_rules is not None:
            refine = False
        elif refine is None:
            refine = None if _may_be_refined(game, progress) else False
        return cls(game, method, by_rules, refine, limit)

    @property
    def solver(self) -> Solver | None:
        """The solver that will run; None if ``auto`` chooses it for the tree."""
        return self.by_rules or (None if self.method == AUTO else find_method(self.method))

    @property
    def keeps_state(self) -> bool:
        """Whether the search can be saved to a file and resumed."""
        solver = self.solver
        return solver is not None and solver.solves.resumes and (solver is self.by_rules or solver.run is not None)

    def check(self, request: Request) -> None:
        """Raise ``ParameterError`` if this plan does not support the gap, checkpoint or curve of *request*."""
        if self.refine and request.gap is not None:
            raise ParameterError(
                "--refine (refine=True) gives an exact equilibrium, so it cannot be combined with a gap (--gap, gap=)"
            )
        if request.watch is not None and (self.solver is None or not self.solver.solves.iterates):
            names = ", ".join(one.name for one in _with_curves(self.game, request.progress)) or "none for this game"
            given = f"{self.method} does not" if self.method != AUTO else "auto takes others for this game"
            raise ParameterError(
                f"a learning curve (-o curve.svg, curve=True) needs a method that iterates (--method, method=): "
                f"{names}; {given}. 'efg-builder draw' draws the tree"
            )
        if request.checkpoint is not None and not self.keeps_state:
            both = "--checkpoint and --resume (checkpoint=, resume=)"
            raise ParameterError(f"{both} are for the method 'oracle' on a bidding game, and for 'many'")

    def run(self, request: Request, driver: Driver, tolerance: Tolerance = None) -> Solution:
        """Solve the game in the remaining time of *driver*, and verify the strategies at *tolerance*."""

        def in_time(share: float = 1) -> Request:
            left = driver.left()
            seconds = self.limit if left is None else max(left, NO_TIME)
            return replace(request, timeout=None if seconds is None else seconds * share)

        if self.by_rules is not None:
            return attempt(self.game.given, self.by_rules, in_time(), tolerance)
        tree = self.game.tree(progress=driver.build)
        if self.refine is not False:
            solution = refined(tree, in_time(1 if self.refine else 0.5), tolerance)
            if self.refine:
                return solution
            if solution.status == "equilibrium":
                return replace(solution, details={"auto": f"{REFINING}: a small game, {form_in_words(tree)}"})
        return on_tree(tree, self.method, in_time(), tolerance)


def solver_by_rules(game: Subject, method: str | Solver = AUTO) -> Solver | None:
    """Return the solver that needs no tree for *game*, or None."""
    rules = game.given_rules
    if rules is None:
        return None
    solvers = map(find_method, AUTO_PLAY if method == AUTO else [method])
    solver = next((one for one in solvers if one.needs_tree(rules) is None), None)
    # Count the nodes last, because this may take a walk over the public tree of a user's game.
    if solver is not None and method == AUTO and ((size := rules.size()) is None or size.nodes <= AUTO_NODES):
        return None
    return solver


def _with_curves(game: Subject, progress: Progress) -> Iterator[Solver]:
    """Yield the methods with learning curves that apply to *game* and are installed."""
    for one in methods().values():
        if not one.solves.iterates or one.lacking() is not None:
            continue
        if game.given_rules is not None and one.needs_tree(game.given_rules) is None:
            yield one
        elif one.solves.players in (None, len(game.players)):  # otherwise, do not build the tree in vain
            with suppress(TreeTooLargeError):
                if one.inapplicable(game.tree(progress=progress)) is None:
                    yield one


def _may_be_refined(game: Subject, progress: Progress) -> bool:
    """Return whether the tree is small, with two players, a constant sum and perfect recall."""
    try:
        tree = game.tree(min(REFINED_NODES, game.max_nodes), progress)
    except TreeTooLargeError:
        return False
    return len(tree) <= REFINED_NODES and two_player_constant_sum_with_recall(tree) is None


def check_checkpoint(path: str | os.PathLike[str]) -> None:
    """Raise ``ParameterError`` if *path* cannot be written, or is a file that is not a checkpoint."""
    if not os.fspath(path).lower().endswith(".npz"):
        raise ParameterError(f"--checkpoint {os.fspath(path)} (checkpoint=): name a file that ends in .npz")
    check_writable(path)
    if os.path.isfile(path) and os.path.getsize(path) and not is_state(path):
        raise ParameterError(
            f"--checkpoint {os.fspath(path)} (checkpoint=): this file is not a saved search, and would be overwritten"
        )


def warning(game: Subject, method: str, timeout: float | None) -> str:
    """Return a warning if the search may not find the exact value in *timeout* seconds, otherwise an empty string.

    With a *timeout*, warn if a measured game that is no larger than *game* took longer. Without a *timeout*, warn if
    *game* has more than ``UNSOLVED`` nodes.
    """
    solver = solver_by_rules(game, method)
    if solver is None or solver.name != "oracle" or game.rules is None:
        return ""
    size = game.size()
    if timeout is None and size is not None and size.nodes <= UNSOLVED:
        return ""  # every measured game up to ``UNSOLVED`` nodes was solved
    from .measured import nearest_measured

    near = nearest_measured(game.rules)
    if near is not None and near.within and (not near.exact if timeout is None else near.seconds > timeout):
        reason = f"{near} on two cores"
    elif timeout is None and size is not None:
        reason = f"10^{floor(log10(size.nodes))} nodes: efg-builder has not solved a game of this size exactly"
    else:
        return ""
    stop = "The time limit stops" if timeout is not None else "Ctrl-C, --timeout SECONDS or --gap NUMBER stops"
    result = "the search with the best strategies found and bounds on the value"
    return f"{reason}. {stop} {result}; --checkpoint FILE.npz saves the search"


# Running methods and verifying their strategies by best responses.


def on_tree(tree: GameTree, method: str | Solver, request: Request, tolerance: Tolerance) -> Solution:
    """Solve a tree, and verify the strategies by best responses over all nodes."""
    first = choose(tree) if method == AUTO else find_method(method)
    lacks = first.inapplicable(tree)
    if lacks is not None:
        says = "auto has no method for this game" if method == AUTO else f"{method} does not apply"
        if first.solves.recall and not has_perfect_recall(tree):
            lacks = _lacks_recall(tree)
        message = f"{says}: {lacks}{_instead_of_all(first, tree)}"
        return Solution(tree=tree, method=str(method), status="not-applicable", message=message, tolerance=tolerance)
    if problem := first.lacking():
        raise problem
    if method == AUTO and first.name not in AUTO_ALONE:
        return _by_turns(tree, tuple(applicable(tree)), request, tolerance)
    solution = attempt(tree, first, request, tolerance)
    message = "; ".join(filter(None, [solution.message, _no_gap(first, request)]))
    why = {"auto": f"{first.name}: {form_in_words(tree)}"} if method == AUTO else {}
    return replace(solution, message=message, details={**solution.details, **why})


def _instead_of_all(solver: Solver, tree: GameTree) -> str:
    other = find_method(SEVERAL)
    if solver.name not in ALL or other.inapplicable(tree) is not None or other.lacking() is not None:
        return ""
    return f"; --method (method=) {SEVERAL} finds several equilibria"


def _lacks_recall(tree: GameTree) -> str:
    other = find_method(FORGETFUL).inapplicable(tree)
    else_ = f"{FORGETFUL} does not apply: {other}; evaluate computes the payoffs of strategies"
    return f"{lacks_recall(tree)}; {else_ if other else f'{FORGETFUL} applies'}"


def attempt(game: GameTree | Game, solver: Solver, request: Request, tolerance: Tolerance) -> Solution:
    """Run *solver*, which must apply to *game*, and verify each of its strategies over all nodes.

    If *game* is not a tree, no tree is built. The strategy with the smallest regret comes first.
    """
    began, left = time.monotonic(), countdown(request.timeout)
    answer = solver.solve(game, request)
    if answer.strategies:
        request.progress(VERIFYING)
    seconds = left()
    proving = Driver(replace(request, timeout=None if seconds is None else max(seconds, VERIFYING_SECONDS)))
    judged = tuple(sorted((_judge_in_time(each, tolerance, proving) for each in answer.strategies), key=_regret))
    if solver.several or not judged or judged[0].verdict is None or judged[0].verdict.lower is None:
        # After the time limit, further verdicts off the path are left out.
        refined = [judge_off_path(one) if not n or not proving.late else one for n, one in enumerate(judged)]
        judged = tuple(sorted(refined, key=lambda one: (_regret(one), one.off_path.rank)))
    if (rounded := sum(not one.strategy.exact for one in judged)) and any(one.exact for one in answer.strategies):
        rounding = IN_FLOATS if len(judged) == 1 else f"{IN_FLOATS} ({rounded} of {len(judged)} strategies)"
        ended = "timeout" if answer.ended == "done" else answer.ended
        answer = replace(answer, ended=ended, message="; ".join(filter(None, [answer.message, rounding])))
    status, message = _status(solver, answer, judged)
    about = Subject.of(game)
    rules = about.given_rules
    return Solution(
        tree=about.given_tree,
        game=rules,
        method=solver.name,
        status=status,
        message="" if rules is not None and status == "equilibrium" else message,
        seconds=time.monotonic() - began,
        judged=judged,
        several=solver.several,
        tolerance=tolerance,
        details=answer.details,
        refined=judged[0].off_path.proof if judged else None,
    )


def _judge_in_time(strategy: TreeProfile | SparseProfile, tolerance: Tolerance, driver: Driver) -> Judged:
    """Return the strategy and its verdict; after the time limit, round the probabilities to floats before."""
    try:
        return judge(strategy, tolerance, driver.step)
    except TimeLimit:
        profile = strategy.tree_profile
        if profile is None:
            raise
        rows = {k: [float(p) for p in profile.probabilities[k]] for k in profile.tree.personal}
        return judge(TreeProfile.from_personal(profile.tree, rows, profile.name), tolerance)


def _regret(judged: Judged) -> float:
    return float(judged.verdict.regret) if judged.verdict else float("inf")


def _status(solver: Solver, answer: Found, judged: tuple[Judged, ...]) -> tuple[str, str]:
    if answer.ended == "timeout":
        return "timeout", answer.message or "the time limit came first"
    if answer.ended == "interrupted":
        return "interrupted", answer.message or "stopped before the end"
    if not judged:
        return "no-result", answer.message or f"{solver.name} returned no profile"
    verdict = judged[0].verdict
    if verdict is None:
        return "no-result", "a player has imperfect recall, so the profile was not verified"
    behavior = BEHAVIOR if verdict.forgetful else ""
    if verdict.equilibrium:
        return "equilibrium", "; ".join(filter(None, [answer.message, behavior]))
    gain = f"a player gains {float(verdict.regret):.3g} by deviating"
    if solver.solves.exact:
        return "not-an-equilibrium", "; ".join(filter(None, [gain, answer.message]))
    status = "near-equilibrium" if verdict.lower is None else "bracket"
    solved = status == "near-equilibrium" and verdict.near  # needs no reason, as an equilibrium does not
    return status, "; ".join(filter(None, [answer.message or ("" if solved else gain), behavior]))


def _by_turns(tree: GameTree, solvers: Sequence[Solver], request: Request, tolerance: Tolerance) -> Solution:
    """Run *solvers* in turn, because a method that solves some games may never end in other games."""
    own_limit = request.timeout is None
    tried = in_turn(tree, solvers, replace(request, timeout=request.timeout or AUTO_TIMEOUT), tolerance)
    # Choose the first method that found an equilibrium, otherwise the first method with the smallest regret.
    best = min(tried, key=lambda each: (not each.solved, _least(each)))
    status = best.status
    stopped = [each.status for each in tried if each.status in ("interrupted", "timeout")]
    if not best.solved and stopped:
        status = stopped[-1]
    limit = f"auto's limit of {AUTO_TIMEOUT:g} s" if own_limit else "the time limit"
    stops = _no_gap(solvers[tried.index(best)], request)
    clauses = [*_messages(tried, limit, form_in_words(tree)), stops]
    if not best.solved and (problem := lacking("none of Gambit's routines was tried: each")):
        clauses.append(str(problem))
    message = "; ".join(filter(None, clauses))
    names = ", ".join(each.method for each in tried)
    more = {"auto": f"{names}: {form_in_words(tree)}", "tried": list(map(_as_tried, tried))}
    return replace(best, status=status, message=message, details={**best.details, **more})


def _least(solution: Solution) -> float:
    return _regret(solution.judged[0]) if solution.judged else float("inf")


def _as_tried(attempted: Solution) -> dict[str, object]:
    return {
        "method": attempted.method,
        "status": attempted.status,
        "regret": None if attempted.verdict is None else to_json(attempted.regret),
        "message": attempted.message,
    }


def in_turn(tree: GameTree, solvers: Sequence[Solver], request: Request, tolerance: Tolerance) -> tuple[Solution, ...]:
    """Run *solvers* in this order until a solver finds a verified equilibrium or a regret of at most ``request.gap``.

    The first of several solvers may use half of the time limit. The rest is divided equally among the other solvers,
    but each of them may use ``LEAST_TIMEOUT`` seconds if enough time is left. The limits exclude the start-up of
    Gambit. Exact verification may take ``VERIFYING_SECONDS`` more.
    """
    tried: list[Solution] = []
    seconds = request.timeout
    for place, solver in enumerate(solvers):
        share = None
        if seconds is not None:
            if tried and seconds <= 0:
                break
            parts = len(solvers) - place
            share = min(seconds, max(seconds / (parts if tried else min(parts, 2)), LEAST_TIMEOUT))
            share = max(round(share, 2), LEAST_SHARE)
        solution = attempt(tree, solver, replace(request, timeout=share), tolerance)
        computed = solution.details.get(COMPUTED)
        if seconds is not None and share is not None:
            used = computed if isinstance(computed, float) else solution.seconds
            seconds -= max(used, share) if solution.status == "timeout" else used
        if solution.status == "timeout" and solution.verdict is not None and solution.verdict.equilibrium:
            # An equilibrium was found before the time limit.
            message = IN_FLOATS if IN_FLOATS in solution.message else ""
            solution = replace(solution, status="equilibrium", message=message)
        tried.append(solution)
        enough = request.gap is not None and _least(solution) <= request.gap
        if solution.solved or enough or solution.status == "interrupted":
            break
    return tuple(tried)


def _messages(tried: Sequence[Solution], limit: str, form: str) -> list[str]:
    if tried[-1].solved:
        *before, last = tried
        ended = [f"{each.method}: {each.message}" for each in before]
        earlier = ["before it, " + "; ".join(ended)] if ended else []
        return [f"auto took {last.method}: {form}", last.message, *earlier]
    stopped = [each.method for each in tried if each.status == "timeout"]
    ended = [f"{each.method}: {each.message}" for each in tried if each.status != "timeout"]
    if not stopped:
        return ended
    them, were = ", ".join(stopped), "were" if stopped[1:] else "was"
    return [f"{them} {were} stopped at {limit}", "--timeout SECONDS (timeout=) allows more time", *ended]


def refined(tree: GameTree, request: Request, tolerance: Tolerance) -> Solution:
    """Return a sequential equilibrium, verified at all information sets.

    The status is ``not-applicable`` unless the game has two players, a constant sum and perfect recall.
    """
    none = Solution(tree, method=REFINING, status="no-result", tolerance=tolerance)
    lacks = two_player_constant_sum_with_recall(tree)
    if lacks is not None:
        return replace(none, status="not-applicable", message=f"refining does not apply: {lacks}")
    request.progress("building the sequence form")
    try:
        refinement = Driver(request).complete(quasi_perfect(sequence_form(solvable(tree))))
    except TimeLimit:
        message = "the time limit was reached before an equilibrium was refined"
        return replace(none, status="timeout", message=message)
    except (LinearProgramError, NotExactError) as error:
        hint = "without --refine (refine=True), 'solve' may find an equilibrium"
        return replace(none, message=f"no equilibrium was refined: {error}; {hint}")
    request.progress(VERIFYING)
    profile = TreeProfile.from_personal(tree, refinement.rows)
    verdict, checked = verify(profile, tolerance), verify_sequential(profile, refinement.mistakes)
    solution = replace(none, judged=(Judged(profile, verdict),))
    if not verdict.equilibrium:
        gain = f"{float(verdict.regret):.3g}"
        return replace(solution, status="not-an-equilibrium", message=f"a player gains {gain} by deviating")
    if not checked.sequential:
        gain = f"{float(checked.gain):.3g}"
        return replace(solution, message=f"after a mistake, a player gains {gain} by choosing another action")
    return replace(solution, status="equilibrium", refined=checked)


def form_in_words(tree: GameTree) -> str:
    """Return, in words, the properties of a game that determine the choice of a method."""
    players = "one player" if len(tree.players) == 1 else f"{len(tree.players)} players"
    sums = "no constant sum" if constant_sum(tree) is None else "constant sum"
    recall = "perfect recall" if has_perfect_recall(tree) else "imperfect recall"
    known = "perfect information" if has_perfect_information(tree) else recall
    return f"{players}, {sums}, {known}"


def _no_gap(solver: Solver, request: Request) -> str:
    if request.gap is None or solver.stops_at_gap:
        return ""
    stopping = [name for name, other in methods().items() if other.stops_at_gap]
    return f"{solver.name} does not stop at a gap (--gap); {', '.join(stopping)} do"
