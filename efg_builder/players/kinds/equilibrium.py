"""An equilibrium, solved for and verified before play."""

from __future__ import annotations

from ...base.errors import NotSolvedError
from ...equilibria.solving import solve
from ..protocol import Play, Player, Table

NAME = "equilibrium"


def _sit(table: Table) -> Play:
    subject = table.game if table.game is not None else table.tree()
    solution = solve(subject, timeout=table.timeout, progress=table.progress)
    if solution.status != "equilibrium":
        problem = f"{solution.method} came to {solution.status!r}, not to a verified equilibrium"
        why = f": {solution.message}" if solution.message else ""
        more = f"within {table.timeout:g} s{why}; --timeout SECONDS (timeout=) gives it more"
        raise NotSolvedError(f"{NAME}: {problem}, {more}", timed_out=solution.status == "timeout")
    found = solution.sparse.profile if solution.sparse is not None else solution.profile
    assert found is not None
    return found


PLAYERS = (Player(NAME, "solves the game first (--timeout), and plays only what is verified; any game", _sit),)
