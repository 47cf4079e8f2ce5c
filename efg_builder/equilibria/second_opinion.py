"""Comparison of a solution with the answer of one of Gambit's routines."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from ..base.facts import attributes
from ..base.formats import COMPUTED
from ..base.rationals import Number
from ..base.words import bare_figure, listed, quiet
from ..forms.extensive import GameTree
from ..games.protocol import Game
from ..interop.gambit import lacking
from ..proof import Verdict
from ..solvers.gambit.routines import PAYOFFS
from ..solvers.protocol import Request, two_player_constant_sum_with_recall
from ..solvers.registry import method
from .solution import Solution
from .solve import in_turn, solve

LIMIT = 5.0
"""Time limit in seconds, excluding the start-up of Gambit's process."""

MOST_LP_NODES = 500
"""Maximum number of nodes for ``lp_solve`` with rational arithmetic.

The routine took up to 3 s on trees of up to 811 nodes, but 119 s on a tree of 1,144 nodes.
"""

ORACLE = "gambit-oracle"
"""The method for larger bidding games: Gambit solves only restricted games."""

MOST_NODES = 300_000
"""Maximum number of nodes. Preparing a larger tree for Gambit takes longer than Gambit's time limit."""

CLOSE = 1e-6
"""Tolerance for float payoffs, multiplied by the payoff range if this range exceeds 1."""

Result = Literal["same", "another-equilibrium", "nothing-to-compare", "disagrees", "no-answer", "not-asked"]


@dataclass(frozen=True)
class SecondOpinion:
    """The answer of one of Gambit's routines, compared with a solution.

    ``method``: the method that calls the routine. ``payoffs``: the expected payoffs under the routine's profile.
    ``seconds``: the routine's computing time, which ``str`` shows after an answer. ``result`` is one of

    - ``"same"``: the value or the payoffs are the same;
    - ``"another-equilibrium"``: a verified equilibrium has other payoffs;
    - ``"disagrees"``: Gambit's value contradicts the solution, its profile is not an equilibrium, or its payoffs do
      not fit the profile;
    - ``"nothing-to-compare"``: only Gambit's answer was verified;
    - ``"no-answer"``: the time limit or Ctrl-C came first;
    - ``"not-asked"``: no routine was run.
    """

    result: Result
    message: str
    method: str = ""
    payoffs: tuple[Number, ...] | None = None
    seconds: float = 0.0

    def __str__(self) -> str:
        return self.message if self.payoffs is None else f"{self.message} ({self.seconds:.2g} s)"

    def to_json(self) -> dict[str, Any]:
        """Return JSON data. ``agrees`` is None if the answers could not be compared."""
        agrees = {"same": True, "another-equilibrium": True, "disagrees": False}.get(self.result)
        return {**attributes(self, "method", "result"), "agrees": agrees, **attributes(self, "payoffs", "message")}


def ask_gambit(
    solution: Solution, tree: GameTree | None, *, timeout: float = LIMIT, progress: Callable[[str], None] = quiet
) -> SecondOpinion:
    """Solve *tree*, the game of *solution*, with Gambit within *timeout* seconds, and compare the answers.

    Gambit runs in a separate process, and its profile is verified. Ctrl-C stops only Gambit.
    """
    if problem := lacking("Gambit"):
        return SecondOpinion("not-asked", f"not asked: {problem}")
    if tree is None:
        return SecondOpinion("not-asked", "not asked: the game was solved without a tree")
    if len(tree) > MOST_NODES:
        return SecondOpinion("not-asked", f"not asked: the tree has more than {MOST_NODES:,} nodes")
    solvers = [method(name) for name in routines(tree, solution.game)]
    by_parts = solution.game if solvers[0].name == ORACLE else None
    if by_parts is None and (problems := list(filter(None, (solver.inapplicable(tree) for solver in solvers)))):
        return SecondOpinion("not-asked", f"not asked: no routine for equilibria applies: {problems[0]}")
    names = listed([_routine(solver.name) for solver in solvers])
    try:
        if by_parts is None:
            tried = in_turn(tree, solvers, Request(timeout, {}, progress), None)
        else:
            tried = (solve(by_parts, ORACLE, timeout=timeout, progress=progress),)
    except KeyboardInterrupt:
        return SecondOpinion("no-answer", f"{names}: stopped by Ctrl-C", solvers[0].name)
    answer = tried[-1]
    seconds = sum(map(_seconds, tried))
    if answer.verdict is None or (answer.status in ("timeout", "interrupted") and not answer.solved):
        why = f"no answer in {timeout:g} s" if answer.status == "timeout" else answer.message or answer.status
        return SecondOpinion("no-answer", f"{names}: {why}", answer.method, None, seconds)
    result, said = compare(solution, answer, answer.verdict)
    return SecondOpinion(result, f"{_routine(answer.method)}: {said}", answer.method, answer.value, seconds)


def routines(tree: GameTree, game: Game | None = None) -> tuple[str, ...]:
    """Return the names of the methods to try, in order: one name for two players, two names for more players."""
    if two_player_constant_sum_with_recall(tree) is None:
        by_parts = game is not None and len(tree) > MOST_LP_NODES and method(ORACLE).needs_tree(game) is None
        return (ORACLE,) if by_parts else ("gambit-lp",)
    return ("gambit-lcp",) if len(tree.players) == 2 else ("gambit-enumpoly", "gambit-logit")


def compare(solution: Solution, theirs: Solution, verdict: Verdict) -> tuple[Result, str]:
    """Compare Gambit's answer *theirs* and its *verdict* with *solution*; return the result and a description."""
    mine, computed, slack = solution.verdict, verdict.value, CLOSE * max(1.0, float(verdict.spread))
    reported = theirs.details.get(PAYOFFS)
    if isinstance(reported, list):
        # The verified profile has the smallest regret, so it may not be the first profile that Gambit reported.
        read = [[Fraction(payoff) if isinstance(payoff, str) else payoff for payoff in one] for one in reported]
        if not any(_equal(one, computed, slack) for one in read):
            pays = f"it reports payoffs {_written(read[0])} for a profile that pays {_written(computed)}"
            return "disagrees", f"DISAGREES: {pays}"
    value = theirs.lower is not None and len(computed) == 2
    said = f"value {bare_figure(computed[0])}" if value else f"payoffs {_written(computed)}"
    if not verdict.equilibrium:
        return "disagrees", (
            f"DISAGREES: {said}, but its profile is not an equilibrium: a player gains {bare_figure(verdict.regret)}"
            f"{_proved(solution)}"
        )
    if mine is None:
        return "nothing-to-compare", f"{said}, a verified equilibrium"
    if solution.lower is not None and solution.upper is not None:
        gain = Fraction(verdict.regret)
        if Fraction(solution.lower) - gain <= Fraction(computed[0]) <= Fraction(solution.upper) + gain:
            return "same", f"{said}, {'as proved' if solution.exact else 'within the proved bounds'}"
        return "disagrees", f"DISAGREES: {said}{_proved(solution)}"
    if _equal(computed, mine.value, slack):
        return "same", f"{said}, {'as proved' if solution.exact else 'the same'}"
    return "another-equilibrium", f"{said}, another equilibrium (verified)"


def _seconds(answer: Solution) -> float:
    computed = answer.details.get(COMPUTED)
    return computed if isinstance(computed, float) else answer.seconds


def _proved(solution: Solution) -> str:
    return "; the answer above is proved by best responses over the whole game" if solution.exact else ""


def _equal(some: Sequence[Number], others: Sequence[Number], slack: float) -> bool:
    """Compare exactly if all payoffs are rational, otherwise within *slack*."""
    pairs = list(zip(some, others, strict=True))
    if all(isinstance(payoff, Fraction) for pair in pairs for payoff in pair):
        return all(a == b for a, b in pairs)
    return all(abs(float(a) - float(b)) <= slack for a, b in pairs)


def _written(payoffs: Sequence[Any]) -> str:
    return f"({', '.join(bare_figure(payoff) for payoff in payoffs)})"


def _routine(name: str) -> str:
    """Return the name of the ``pygambit.nash`` function that the method *name* calls."""
    return (
        "lp_solve on restricted games" if name == ORACLE else f"{name.removeprefix('gambit-').replace('-', '_')}_solve"
    )
