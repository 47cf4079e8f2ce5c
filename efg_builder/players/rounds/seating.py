"""Who plays against the human: an equilibrium, a refined one, a solution's file, or any strategy there is."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass

from ...base.errors import NotApplicableError, NotSolvedError
from ...base.rationals import brief
from ...equilibria.solving import solve
from ...forms.extensive import GameTree
from ...games.protocol import DealtGame, Game
from ...proof import Verdict, verify, verify_sparse
from ...proof.certificate import read_sparse
from ...strategies.profile_file import read_solution
from ...strategies.sparse_profile import SparseProfile
from ...strategies.tree_profile import Profile
from .. import Table
from ..strategy_given import find, shown
from ..strategy_seats import Given, Ground
from .board import Board
from .on_table import OnTable, on_table_rows, suits
from .on_tree import OnTree, on_tree_rows

EQUILIBRIUM = "equilibrium"


@dataclass(frozen=True, eq=False)
class Opponent:
    """A strategy for all seats: its name, what is known of it in a line, and the strategy as it was given.

    ``equilibrium``: whether it was verified to be one.
    """

    name: str
    caption: str
    given: Given
    equilibrium: bool = False


def opponent(table: Table, strategy: object = None, solution: str | os.PathLike[str] | None = None) -> Opponent:
    """The strategy *strategy* (as ``evaluate`` takes them) or in the file *solution*; else solved for.

    Raises ``NotSolvedError`` where no equilibrium was found and verified, and what reading raises.
    """
    if solution is not None:
        return _judged(os.path.basename(os.fspath(solution)), _solution(table, solution))
    if strategy is None or strategy == EQUILIBRIUM:
        return _judged(EQUILIBRIUM, find(EQUILIBRIUM, table)[1])
    name, given = find(strategy, table)
    return Opponent(shown(name), "as given, nothing verified", given)


def refined(table: Table) -> Opponent:
    """An equilibrium that plays well after mistakes too, verified. Raises ``NotSolvedError`` where there is none."""
    subject = table.game if table.game is not None else table.tree()
    found = solve(subject, refine=True, timeout=table.timeout, progress=table.progress)
    if found.status != "equilibrium" or found.profile is None:
        problem = f"no refined equilibrium: {found.message or found.status}"
        raise NotSolvedError(problem, timed_out=found.status == "timeout")
    return _judged("refined equilibrium", found.profile)


def _solution(table: Table, path: str | os.PathLike[str]) -> Given:
    sparse = read_sparse(path, table.game if table.game is not None else table.tree())
    return sparse if sparse is not None else read_solution(path, table.tree())


def _judged(name: str, given: Given) -> Opponent:
    try:
        verdict = _verdict(given)
    except NotApplicableError as error:
        return Opponent(name, f"not verified: {error}", given)
    if verdict is None:
        return Opponent(name, "not verified", given)
    if not verdict.equilibrium:
        return Opponent(name, f"not an equilibrium: a player can gain {brief(verdict.regret)}", given)
    what = "" if name.endswith(EQUILIBRIUM) else "an equilibrium: "
    return Opponent(name, f"{what}verified{', exact' if verdict.exact else ''}", given, equilibrium=True)


def _verdict(given: Given) -> Verdict | None:
    if isinstance(given, SparseProfile):
        return verify_sparse(given)
    return verify(given) if isinstance(given, Profile) else None


def board_for(
    subject: Game | GameTree, given: Given, tree: Callable[[], GameTree], complete: str | None = None
) -> Board:
    """The board on which *given* plays all seats but the human's.

    Games of two players and one deal of independent hands need no tree, of any size; for others *tree* is asked for
    it. *complete*: what a file's player does where nothing is written (``"default"``, ``"uniform"``, or by the game).
    Raises ``ProfileError`` where the strategy does not fit, and what *tree* raises.
    """
    if isinstance(subject, DealtGame) and suits(subject):
        return OnTable(subject, on_table_rows(given, subject, complete))
    game = subject if isinstance(subject, Game) else None
    ground = Ground(tree(), game)
    return OnTree(ground.tree, on_tree_rows(given, ground, complete), game)
