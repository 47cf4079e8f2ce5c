"""Who plays against the human: an equilibrium, a refined one, a solution's file, or any strategy there is."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace

from ...base.errors import NotApplicableError
from ...base.words import above, most_won, nobody_gains, quiet
from ...equilibria.solution import EMPTY_THREATS, has_unchecked
from ...forms.extensive import GameTree
from ...games.protocol import DealtGame, Game
from ...proof import Verdict, verify
from ...proof.certificate import read_solved
from ...strategies.policy import Policy
from ...strategies.sparse_profile import SparseProfile
from ...strategies.tree_profile import Strategy, TreeProfile, dealt
from ..find import Table, find, shown
from ..kinds.equilibrium import NAME as EQUILIBRIUM
from .boards import Board, OnTable, OnTree, on_table_rows, on_tree_rows

QUICK_SETS = 20_000
"""Written information sets up to which sparse strategies are proved within a second or so."""


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


def opponent(
    table: Table, strategy: object = None, solution: str | os.PathLike[str] | None = None, *, prove: bool = True
) -> Opponent:
    """The strategy *strategy* (as ``evaluate`` takes them) or in the file *solution*; else solved for.

    That is, as the table says, an equilibrium, or the best strategy found in the time. Without *prove* nothing is
    proved of sparse strategies in a file with more than ``QUICK_SETS`` information sets: the caption is empty. Raises
    ``NotSolvedError`` where there is none, and what reading raises.
    """
    if solution is not None:
        found = read_solved(solution, table.subject, table.tree)
        name = os.path.basename(os.fspath(solution))
        if not prove and isinstance(found, SparseProfile) and sum(found.sizes) > QUICK_SETS:
            return Opponent(name, "", found, solved=True)
        return judged(name, found, table)
    if strategy is None or strategy == EQUILIBRIUM:
        return judged(EQUILIBRIUM, find(EQUILIBRIUM, table), table)
    given = find(strategy, table)
    return Opponent(shown(given.name), "as given, nothing verified", given)


def judged(name: str, given: Strategy, table: Table) -> Opponent:
    """*given*, a solution by that *name*, with what is proved of it here and now."""
    if isinstance(given, Policy):
        return Opponent(name, "not verified", given)
    try:
        verdict = verify(given)
    except NotApplicableError as error:
        return Opponent(name, f"not verified: {error}", given)
    if verdict.equilibrium:
        what = "" if name == EQUILIBRIUM else "an equilibrium: "
        threats = f"; {EMPTY_THREATS}" if _may_threaten(name, given, verdict) else ""
        return Opponent(name, f"{what}verified{', exact' if verdict.exact else ''}{threats}", given, True, True)
    named = "the best strategy found" if name == EQUILIBRIUM else name
    return Opponent(named, f"proved: {_how_good(verdict, table)}", given, solved=True)


def _may_threaten(name: str, given: Strategy, verdict: Verdict) -> bool:
    """Whether *given* may rest on an empty threat. Backward induction solves trees of perfect information."""
    if name == EQUILIBRIUM and isinstance(given, TreeProfile):
        met = given.tree.infoset[given.tree.player >= 0]
        if len(met) == len(set(met.tolist())):
            return False
    return has_unchecked(given, verdict)


def with_bound(other: Opponent, board: Board, seat: int) -> Opponent:
    """*other*, of which nothing was proved, with what the best play of the human in *seat* against it shows."""
    best = above(board.values(seat).start)
    return replace(other, caption=f"proved: you get at most {best} a round on average as {board.players[seat]}")


def _how_good(verdict: Verdict, table: Table) -> str:
    """What is proved of a solution that is no equilibrium: of two players who divide a constant sum, what you get."""
    if verdict.lower is None or verdict.upper is None:
        return nobody_gains(verdict.regret)
    players = table.game.players if table.game is not None else table.tree().players
    return f"you get {most_won(players, verdict.value, verdict.lower, verdict.upper)}"


def board_for(
    subject: Game | GameTree, given: Strategy, tree: Callable[[], GameTree], progress: Callable[[str], None] = quiet
) -> Board:
    """The board on which *given* plays all seats but the human's. *progress* as in ``OnTable``.

    Games of one deal of independent hands need no tree, of any size; for others *tree* is asked for
    it. Raises ``ProfileError`` where the strategy does not fit, and what *tree* raises.
    """
    if isinstance(subject, DealtGame) and subject.hand_probabilities is not None:
        played = dealt(given, subject)
        sparse = played if isinstance(played, SparseProfile) else None
        return OnTable(subject, on_table_rows(played), progress=progress, sparse=sparse)
    game = subject if isinstance(subject, Game) else None
    return OnTree(tree(), on_tree_rows(given, tree()), game)
