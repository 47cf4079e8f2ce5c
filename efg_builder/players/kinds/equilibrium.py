"""Players that compute a strategy before play: an equilibrium, or a best response."""

from __future__ import annotations

from ...base.errors import NotApplicableError, NotSolvedError
from ...base.parameters import Parameter
from ...equilibria.solution import Solution
from ...equilibria.solution_facts import EMPTY_THREATS, may_threaten
from ...equilibria.solve import solve
from ...strategies.tree_profile import Strategy
from ..find import Player, Table

NAME = "equilibrium"
ANSWER = "best-response"


def solved(table: Table) -> Solution:
    """Return the solution that the equilibrium player plays. Raises ``NotSolvedError`` if there is none."""
    solution = solve(
        table.subject,
        timeout=table.timeout,
        gap=table.gap,
        refine=table.refine,
        progress=table.progress,
    )
    if solution.status == "interrupted":
        raise KeyboardInterrupt
    late, verified = solution.status == "timeout", solution.solved
    if solution.verdict is None or (table.verified and not verified):
        nothing = "nothing to play" if not solution.judged else "no equilibrium"
        problem = f"{solution.method} ended with {solution.status!r}, and found {nothing}"
        why = f": {solution.message}" if solution.message else ""
        more = "; --timeout SECONDS (timeout=) allows more time" if late and "--timeout" not in why else ""
        limit = f" within {table.timeout:g} s" if late else ""
        raise NotSolvedError(f"{NAME}: {problem}{limit}{why}{more}", timed_out=late)
    if may_threaten(solution):
        table.note(f"{NAME}: {EMPTY_THREATS}")
    elif solution.off_path.rank > 1:
        table.note(f"{NAME}: {solution.off_path}")
    return solution


def _sit(table: Table) -> Strategy:
    return solved(table).strategy


DEEPEST = 20  # maximum number of nested best responses


def _respond(table: Table, opponent: str) -> Strategy:
    if not opponent:
        raise NotApplicableError(f"{ANSWER}: the opponent is missing; write {ANSWER}:PLAYER or {ANSWER}:FILE")
    if (depth := opponent.count(f"{ANSWER}:")) >= DEEPEST:
        raise NotApplicableError(f"{ANSWER}: {depth + 1} nested best responses; the limit is {DEEPEST}")
    table.progress(f"{ANSWER}: computing a best response to {opponent}")
    return table.respond(opponent)


PLAYERS = (
    Player(
        NAME,
        "solves the game first, and plays the equilibrium or the best strategy found within --timeout; plays any game",
        _sit,
    ),
    Player(
        ANSWER,
        "makes a best response to the given player or file in all other seats; plays any game",
        _respond,
        (Parameter("opponent", "", str, "the opponent: a player with its settings, or a file"),),
        main="opponent",
    ),
)
