"""Solving, start to end: decide how a game is solved, let a method propose, judge what it proposed."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import isfinite
from numbers import Real
from pathlib import Path

from ..base.errors import ParameterError, TreeTooLargeError
from ..base.files import check_writable
from ..base.parameters import as_text
from ..base.words import PROVING, quiet
from ..forms.extensive import MAX_NODES, GameTree, build
from ..games.protocol import DealtGame, Game
from ..interop.trees import GameLike, subject
from ..proof import check_tolerance, prove_near
from ..solvers.checkpoint import is_state
from ..solvers.gambit.routines import AUTO_TIMEOUT
from ..solvers.protocol import (
    AUTO,
    AUTO_ALONE,
    Facts,
    Request,
    Solver,
    check_options,
    choose,
    countdown,
    two_player_constant_sum_with_recall,
)
from ..solvers.protocol import method as find_method
from .attempts import REFINING, Tolerance, by_rules, form_in_words, on_tree, refined
from .solution import Solution

AUTO_PLAY, AUTO_NODES = ("oracle", "many"), 5_000
"""Of these ``auto`` takes the first that applies, without building the tree, to games with more nodes than this."""

REFINED_NODES = 1_500
"""Of trees with at most so many nodes ``auto`` refines the equilibrium: that takes a quarter of a second."""


def solve(
    game: GameLike,
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
    refine: bool | None = None,
) -> Solution:
    """Solve *game*, or whatever stands for one (``interop.trees.tree``), and verify the answer.

    ``method`` is a name from ``methods`` or ``"auto"``, which takes, of a game of bidding with a tree of more than
    5,000 nodes, ``"oracle"`` (two players, constant sum) or else ``"many"`` without the tree, and otherwise goes by
    ``AUTO_ORDER``: ``"lp"`` where it applies, else ``"backward"`` where that does, else, without perfect recall,
    ``"forgetful"``, else ``"lcp"`` (two players), ``"many"`` and Gambit's routines in turn, each with a part of the
    time, up to the first equilibrium that is verified
    (``details["tried"]`` says how each ended). ``timeout`` bounds the solver in seconds (None: no limit, but 60 s where
    ``"auto"`` goes by turns); building and verifying are not counted. ``tolerance`` is the greatest regret of an
    equilibrium as a fraction of the payoff range (None: 0 for rational profiles, 1e-6 for floats). ``gap``: a bracket
    of the value at most this wide is enough, of games without one a regret this small (None: as narrow as the method
    can; ``Solver.stops_at_gap`` says which stop there, the message of others says that they do not). ``options`` are
    the method's own, as text or plain Python values; with ``"auto"`` those of the one method that it takes then, the
    first that applies. ``progress`` takes lines on what is happening. A long search of the oracle without a tree, or of
    ``"many"``, keeps its state in the file ``checkpoint`` and goes on from the file ``resume`` (and keeps its state
    there where no other is named). A game's tree may have up to ``max_nodes`` nodes. ``refine``: of all equilibria one
    that also plays well after mistakes, a sequential equilibrium; for two players, constant sum and perfect recall
    (with method ``"auto"`` only). None: where that is quick, which is with method ``"auto"``, without options, and with
    at most 1,500 nodes; so every command shows the same equilibrium of a small game.

    Every profile is judged by ``proof``, whatever the method says of it. That one is near a near-equilibrium
    is proved where that is quick (``solution.near``). A method that
    does not apply gives a solution with status ``"not-applicable"``; unknown methods and options, and a
    timeout, gap or tolerance out of range, raise ``ParameterError`` before anything is solved; a game over
    ``max_nodes`` raises ``TreeTooLargeError``; a method that needs a package that is not installed,
    ``NotApplicableError``; a file that cannot be resumed from, ``FileError``. Ctrl-C ends
    ``"oracle"``, ``"gambit-oracle"``, ``"cfr"``, ``"many"`` and ``"extreme"`` with what they have, status
    ``"interrupted"``. In other methods, before there is anything, and while the answer is being verified, it is
    raised as ``KeyboardInterrupt``: no solution claims what was not verified.
    """
    began = time.monotonic()
    game = subject("solve", game, max_nodes=max_nodes)
    settings = {key: as_text(value) for key, value in (options or {}).items()}
    if method != AUTO:
        check_options(method, settings)
    check_tolerance(tolerance)
    request = Request(
        None if timeout is None else _seconds(timeout),
        settings,
        progress or quiet,
        None if gap is None else _gap(gap),
        None if checkpoint is None and resume is None else Path(checkpoint or resume or ""),
        None if resume is None else Path(resume),
    )
    plan = Plan.choose(game, method, refine, settings, max_nodes)
    if checkpoint is not None:
        check_checkpoint(checkpoint)
    plan.check(request)
    found = plan.run(request, tolerance)
    judged = found.judged[0] if found.judged and found.status == "near-equilibrium" else None
    verdict = None if judged is None else judged.verdict
    if judged is not None and verdict is not None and judged.strategy.exact and not verdict.forgetful:
        request.progress(PROVING)
        found = replace(found, near=prove_near(judged.strategy))
    rules = game if isinstance(game, Game) else game.game
    return replace(found, game=rules, seconds=time.monotonic() - began)


@dataclass(frozen=True)
class Plan:
    """How a game is solved, decided before anything is solved.

    ``game``: its rules, or its tree where that was needed to decide. ``method``: the one asked for, or the one that
    ``auto`` takes as options are its. ``by_rules``: the solver that takes the rules without a tree, if one does.
    ``refine``: a refined equilibrium is looked for (True: nothing else is).
    ``limit``: seconds, where none are asked for.
    """

    game: Game | GameTree
    method: str
    by_rules: Solver | None
    refine: bool | None
    limit: float | None
    max_nodes: int

    @classmethod
    def choose(
        cls,
        game: Game | GameTree,
        method: str = AUTO,
        refine: bool | None = None,
        options: Mapping[str, str] | None = None,
        max_nodes: int = MAX_NODES,
    ) -> Plan:
        """Decide how *game* is solved; the arguments are those of ``solve``.

        Given *options*, ``auto`` takes one method, the first that applies, and they are its. Raises ``ParameterError``
        where arguments do not go together or that method lacks an option, and ``TreeTooLargeError``.
        """
        if refine and method != AUTO:
            raise ParameterError(f"refine=True has a method of its own, so it does not go with method={method!r}")
        if refine and options:
            raise ParameterError("refine=True takes no options (--option, options=)")
        alone = None if refine else _solver_by_rules(game, method)
        limit = None
        if method == AUTO and options:
            if alone is None:
                game = _tree(game, max_nodes)
                method = choose(Facts(game)).name
            else:
                method = alone.name
            limit = None if method in (*AUTO_PLAY, *AUTO_ALONE) else AUTO_TIMEOUT
            try:
                check_options(method, options)
            except ParameterError as error:
                other = "an option of another method needs a --method"
                raise ParameterError(f"auto takes {method} for this game, and {error}; {other}") from None
        if method != AUTO or alone is not None:
            refine = False
        elif refine is None:
            small = _small_tree(game, max_nodes)
            game, refine = (game, False) if small is None else (small, None)
        return cls(game, method, alone, refine, limit, max_nodes)

    @property
    def keeps_state(self) -> bool:
        """Whether the state of the search can be kept in a file, and gone on from."""
        if self.by_rules is not None:
            return self.by_rules.keeps_state
        return self.method != AUTO and find_method(self.method).keeps_state_on_trees

    def check(self, request: Request) -> None:
        """Raise ``ParameterError`` where *request* asks for what this way of solving cannot give."""
        if self.refine and request.gap is not None:
            raise ParameterError("refine=True gives an exact equilibrium, so it does not go with a gap")
        if request.checkpoint is not None and not self.keeps_state:
            raise ParameterError(
                "checkpoint and resume are for the method 'oracle' on a game of bidding, and for 'many'"
            )

    def run(self, request: Request, tolerance: Tolerance = None) -> Solution:
        """Solve the game within *request*, and judge the answer by *tolerance*."""
        request = replace(request, timeout=request.timeout or self.limit)
        if self.by_rules is not None:
            assert isinstance(self.game, DealtGame)
            return by_rules(self.game, self.by_rules, request, tolerance)
        tree = _tree(self.game, self.max_nodes)
        if self.refine:
            return refined(Facts(tree), request, tolerance)
        left = countdown(request.timeout)
        if self.refine is None:
            half, facts = None if request.timeout is None else request.timeout / 2, Facts(tree)
            found = refined(facts, replace(request, timeout=half), tolerance)
            if found.status == "equilibrium":
                return replace(found, details={"auto": f"{REFINING}: a small game, {form_in_words(facts)}"})
            request = replace(request, timeout=left())
        return on_tree(tree, self.method, request, tolerance)


def _tree(game: Game | GameTree, max_nodes: int) -> GameTree:
    return build(game, max_nodes=max_nodes) if isinstance(game, Game) else game


def _solver_by_rules(game: Game | GameTree, method: str) -> Solver | None:
    """The solver that takes *game* without a tree, where *method* is or stands for one."""
    if not isinstance(game, Game):
        return None
    if method == AUTO and ((size := game.size()) is None or size.nodes <= AUTO_NODES):
        return None
    solvers = map(find_method, AUTO_PLAY if method == AUTO else [method])
    return next((one for one in solvers if one.play is not None and one.unplayable(game) is None), None)


def _small_tree(game: Game | GameTree, max_nodes: int) -> GameTree | None:
    """The tree of *game*, where ``auto`` refines its equilibrium: of a small game of two players, constant sum."""
    try:
        tree = _tree(game, min(REFINED_NODES, max_nodes))
    except TreeTooLargeError:
        return None
    if len(tree) > REFINED_NODES or two_player_constant_sum_with_recall(Facts(tree)) is not None:
        return None
    return tree


def check_checkpoint(path: str | os.PathLike[str]) -> None:
    """Raise ``ParameterError`` unless the state of a search can be kept at *path*: no other file may be lost for it."""
    if not os.fspath(path).lower().endswith(".npz"):
        raise ParameterError(f"--checkpoint {os.fspath(path)} (checkpoint=): name a file that ends in .npz")
    check_writable(path)
    if os.path.isfile(path) and os.path.getsize(path) and not is_state(path):
        raise ParameterError(f"--checkpoint {os.fspath(path)} (checkpoint=): it is no such state, and would be lost")


def _gap(gap: float | Fraction) -> Fraction:
    if not isinstance(gap, Real) or not isfinite(gap) or gap < 0:
        raise ParameterError(f"gap={gap!r}: must be a finite number from 0 on, as 0.05 or Fraction(1, 20)")
    return Fraction(gap)


def _seconds(timeout: float | Fraction) -> float:
    if not isinstance(timeout, Real) or not isfinite(timeout) or timeout <= 0:
        raise ParameterError(f"timeout={timeout!r}: must be a number of seconds above 0")
    return float(timeout)
