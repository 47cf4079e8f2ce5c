"""Who plays against the human: an equilibrium, a refined one, a solution's file, or any strategy there is."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass

from ...base.errors import NotApplicableError
from ...base.words import nobody_gains, quiet
from ...forms.extensive import GameTree
from ...games.protocol import DealtGame, Game
from ...proof import verify
from ...proof.certificate import read_solved
from ...strategies.dealt_profile import dealt
from ...strategies.policy import Policy
from ...strategies.protocol import Strategy
from ..find import Table, find, shown
from ..kinds.equilibrium import NAME as EQUILIBRIUM
from .boards import Board, OnTable, OnTree, on_table_rows, on_tree_rows


@dataclass(frozen=True, eq=False)
class Opponent:
    """A strategy for all seats: its name, what is known of it in a line, and the strategy as it was given.

    ``equilibrium``: whether it was verified to be one. ``solved``: whether it is a solution, if only nearly an
    equilibrium, so that nobody knows better what to do.
    """

    name: str
    caption: str
    given: Strategy
    equilibrium: bool = False
    solved: bool = False


def opponent(table: Table, strategy: object = None, solution: str | os.PathLike[str] | None = None) -> Opponent:
    """The strategy *strategy* (as ``evaluate`` takes them) or in the file *solution*; else solved for.

    That is, as the table says, an equilibrium, or the best strategy found in the time. Raises ``NotSolvedError`` where
    there is none, and what reading raises.
    """
    if solution is not None:
        found = read_solved(solution, table.game if table.game is not None else table.tree(), table.tree)
        return _judged(os.path.basename(os.fspath(solution)), found)
    if strategy is None or strategy == EQUILIBRIUM:
        return _judged(EQUILIBRIUM, find(EQUILIBRIUM, table))
    given = find(strategy, table)
    return Opponent(shown(given.name), "as given, nothing verified", given)


def _judged(name: str, given: Strategy) -> Opponent:
    if isinstance(given, Policy):
        return Opponent(name, "not verified", given)
    try:
        verdict = verify(given)
    except NotApplicableError as error:
        return Opponent(name, f"not verified: {error}", given)
    if verdict.equilibrium:
        what = "" if name == EQUILIBRIUM else "an equilibrium: "
        return Opponent(name, f"{what}verified{', exact' if verdict.exact else ''}", given, True, True)
    named = "the best strategy found" if name == EQUILIBRIUM else name
    return Opponent(named, f"proved: {nobody_gains(verdict.regret)}", given, solved=True)


def board_for(
    subject: Game | GameTree, given: Strategy, tree: Callable[[], GameTree], progress: Callable[[str], None] = quiet
) -> Board:
    """The board on which *given* plays all seats but the human's. *progress* as in ``OnTable``.

    Games of one deal of independent hands need no tree, of any size; for others *tree* is asked for
    it. Raises ``ProfileError`` where the strategy does not fit, and what *tree* raises.
    """
    if isinstance(subject, DealtGame) and subject.hand_probabilities is not None:
        return OnTable(subject, on_table_rows(dealt(given, subject)), progress=progress)
    game = subject if isinstance(subject, Game) else None
    return OnTree(tree(), on_tree_rows(given, tree()), game)
