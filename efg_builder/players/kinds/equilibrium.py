"""An equilibrium, solved for before play, or the best strategy that was found in the time."""

from __future__ import annotations

from ...base.errors import NotSolvedError
from ...equilibria.solve import solve
from ...strategies.protocol import Strategy
from ..find import Player, Table

NAME = "equilibrium"


def _sit(table: Table) -> Strategy:
    subject = table.game if table.game is not None else table.tree()
    solution = solve(subject, timeout=table.timeout, gap=table.gap, refine=table.refine, progress=table.progress)
    if solution.status == "interrupted":
        raise KeyboardInterrupt
    if solution.strategy is None or solution.verdict is None:
        problem = f"{solution.method} ended with {solution.status!r}, and found nothing to play"
        why = f": {solution.message}" if solution.message else ""
        more = f"within {table.timeout:g} s{why}; --timeout SECONDS (timeout=) gives it more"
        raise NotSolvedError(f"{NAME}: {problem}, {more}", timed_out=solution.status == "timeout")
    return solution.strategy


PLAYERS = (
    Player(
        NAME,
        "solves the game first, and plays the equilibrium, or the best that it finds within --timeout; any game",
        _sit,
    ),
)
