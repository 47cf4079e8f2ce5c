"""Players that work before play: an equilibrium or the best strategy found in the time, and a best response."""

from __future__ import annotations

from ...base.errors import NotApplicableError, NotSolvedError
from ...base.parameters import Parameter
from ...equilibria.solution import EMPTY_THREATS, may_threaten
from ...equilibria.solve import solve
from ...strategies.tree_profile import Strategy
from ..find import Player, Table

NAME = "equilibrium"
ANSWER = "best-response"


def _sit(table: Table) -> Strategy:
    solution = solve(
        table.subject,
        timeout=table.timeout,
        gap=table.gap,
        refine=table.refine,
        progress=table.progress,
        max_nodes=table.max_nodes,
    )
    if solution.status == "interrupted":
        raise KeyboardInterrupt
    late, verified = solution.status == "timeout", solution.solved
    if solution.verdict is None or (table.verified and not verified):
        nothing = "nothing to play" if not solution.judged else "no equilibrium"
        problem = f"{solution.method} ended with {solution.status!r}, and found {nothing}"
        why = f": {solution.message}" if solution.message else ""
        more = "; --timeout SECONDS (timeout=) gives it more" if late and "--timeout" not in why else ""
        limit = f" within {table.timeout:g} s" if late else ""
        raise NotSolvedError(f"{NAME}: {problem}{limit}{why}{more}", timed_out=late)
    if may_threaten(solution):
        table.note(f"{NAME}: {EMPTY_THREATS}")
    return solution.strategy


DEEPEST = 20  # at most so many best responses may be nested, each to the next


def _respond(table: Table, opponent: str) -> Strategy:
    if not opponent:
        raise NotApplicableError(
            f"{ANSWER}: to whom? {ANSWER}:uniform answers the player 'uniform', {ANSWER}:FILE a file"
        )
    if (depth := opponent.count(f"{ANSWER}:")) >= DEEPEST:
        raise NotApplicableError(f"{ANSWER}: {depth + 1} of them one in another; at most {DEEPEST} are worked out")
    table.progress(f"{ANSWER}: working out what answers {opponent} best")
    return table.respond(opponent)


PLAYERS = (
    Player(
        NAME,
        "solves the game first, and plays the equilibrium, or the best that it finds within --timeout; any game",
        _sit,
    ),
    Player(
        ANSWER,
        "gets the most that can be got where the given player or file plays all other seats; any game",
        _respond,
        (Parameter("opponent", "", str, "whom to answer: a player with its settings, or a file"),),
        main="opponent",
    ),
)
