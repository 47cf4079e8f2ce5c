"""An equilibrium, solved for and verified before play."""

from __future__ import annotations

from ...base.errors import NotSolvedError
from ...equilibria.solve import solve
from ...strategies.protocol import Strategy
from ..find import Player, Table

NAME = "equilibrium"


def _sit(table: Table) -> Strategy:
    subject = table.game if table.game is not None else table.tree()
    solution = solve(subject, timeout=table.timeout, progress=table.progress)
    if solution.status != "equilibrium":
        problem = f"{solution.method} came to {solution.status!r}, not to a verified equilibrium"
        why = f": {solution.message}" if solution.message else ""
        more = f"within {table.timeout:g} s{why}; --timeout SECONDS (timeout=) gives it more"
        raise NotSolvedError(f"{NAME}: {problem}, {more}", timed_out=solution.status == "timeout")
    assert solution.strategy is not None
    return solution.strategy


PLAYERS = (Player(NAME, "solves the game first (--timeout), and plays only what is verified; any game", _sit),)
