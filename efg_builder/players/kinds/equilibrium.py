"""An equilibrium, solved for before play, or the best strategy that was found in the time."""

from __future__ import annotations

from ...base.errors import NotSolvedError
from ...equilibria.solution import EMPTY_THREATS, may_threaten
from ...equilibria.solve import solve
from ...strategies.tree_profile import Strategy
from ..find import Player, Table

NAME = "equilibrium"


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
    if solution.strategy is None or solution.verdict is None or (table.verified and not verified):
        nothing = "nothing to play" if solution.strategy is None else "no equilibrium"
        problem = f"{solution.method} ended with {solution.status!r}, and found {nothing}"
        why = f": {solution.message}" if solution.message else ""
        more = "; --timeout SECONDS (timeout=) gives it more" if late and "--timeout" not in why else ""
        limit = f" within {table.timeout:g} s" if late else ""
        raise NotSolvedError(f"{NAME}: {problem}{limit}{why}{more}", timed_out=late)
    if may_threaten(solution):
        table.note(f"{NAME}: {EMPTY_THREATS}")
    return solution.strategy


PLAYERS = (
    Player(
        NAME,
        "solves the game first, and plays the equilibrium, or the best that it finds within --timeout; any game",
        _sit,
    ),
)
