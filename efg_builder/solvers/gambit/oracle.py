"""Double oracle with Gambit: its exact routines, on small games, find exact equilibria of large ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial
from types import MappingProxyType
from typing import Literal

import numpy as np

from ...base.errors import ProfileError
from ...base.parameters import Parameter, choice
from ...forms.extensive import NONE, TERMINAL, GameTree, Outcome, scaled_payoffs
from ...interop.efg import efg_chunks
from ...interop.gambit import child, lacking
from ...interop.gambit.mapping import to_profile
from ...strategies.tree_profile import TreeProfile
from ..lp.highs import TimeLimit
from ..oracle.tree import SHARE, Master, MasterError, Phase, run_phases
from ..protocol import Found, Left, Progress, Request, Solver, read_options, two_player_constant_sum_with_recall


def gambit(routine: Literal["lp_solve", "lcp_solve"]) -> Master:
    """An equilibrium in rationals by a routine of Gambit's, which is given the game as ``.efg``."""

    def solve(tree: GameTree, left: Left, progress: Progress) -> TreeProfile:
        simple = simplified(tree)
        answer = child.run(efg_chunks(simple), routine, {}, left(), progress)
        if answer.rows:
            try:
                return TreeProfile(tree, to_profile(simple, answer.rows[0]).probabilities)
            except ProfileError as error:
                raise MasterError(f"a profile of Gambit's is none on its tree: {error}") from error
        if answer.ended == "timeout":
            raise TimeLimit(answer.message)
        raise MasterError(answer.message or "Gambit found no equilibrium")

    return solve


def simplified(tree: GameTree) -> GameTree:
    """The same two-player constant-sum game, smaller for Gambit: all paid at the end, zero-sum, no forced moves.

    Gambit's tableaux shrink most by the last: 493 nodes take it 0.4 s instead of 6. Information sets stay in
    their table, without nodes.
    """
    paid, _ = scaled_payoffs(tree)
    ends = tree.player == TERMINAL
    amounts, place = np.unique(paid[ends, 0], return_inverse=True)
    outcome = np.full(len(tree), NONE, dtype=np.int32)
    outcome[ends] = place
    outcomes = [Outcome(k, str(u), (Fraction(u), Fraction(-u))) for k, u in enumerate(amounts.tolist(), start=1)]
    return _without_forced_moves(replace(tree, outcome=outcome, outcomes=tuple(outcomes)))


def _without_forced_moves(tree: GameTree) -> GameTree:
    """The game without the nodes at which there is one thing to do; payoffs there would be lost."""
    # Whole sets are removed: if some nodes of a set stayed, its owner could distinguish what the set hides.
    forced = np.array([len(i.actions) == 1 for i in tree.infosets], dtype=bool)
    gone = np.append(forced, False)[tree.infoset]  # index -1: an end of play
    parent, action = tree.parent.copy(), tree.action.copy()
    for nodes in tree.levels[1:]:
        moved = nodes[gone[tree.parent[nodes]]]
        parent[moved], action[moved] = parent[tree.parent[moved]], action[tree.parent[moved]]
    number = np.append(np.cumsum(~gone) - 1, NONE).astype(np.int32)  # index -1: the root has no parent
    return replace(
        tree,
        parent=number[parent[~gone]],
        action=action[~gone],
        infoset=tree.infoset[~gone],
        outcome=tree.outcome[~gone],
        node_labels=MappingProxyType({}),
    )


ROUTINES: Mapping[str, Master] = {"gambit-lp": gambit("lp_solve"), "gambit-lcp": gambit("lcp_solve")}
"""The masters, by the names of the methods that run the same routines on whole games."""

OPTIONS = (
    Parameter(
        name="routine",
        default="gambit-lp",
        read=choice(*ROUTINES),
        help="what solves the restricted games: gambit-lp (default) or gambit-lcp",
    ),
)


def run(tree: GameTree, request: Request) -> Found:
    """One exact equilibrium, or what ``run_phases`` gives where it ends before.

    Raises ``ParameterError`` for its options before it starts.
    """
    routine = read_options("gambit-oracle", OPTIONS, request.options)["routine"]
    return run_phases(tree, request, [Phase(ROUTINES[routine], SHARE, Fraction(0), exact=True)])


SOLVERS = (
    Solver(
        name="gambit-oracle",
        summary="double oracle: Gambit solves ever larger parts of the game until no move outside improves; exact",
        source="Bosansky, Kiekintveld, Lisy and Pechoucek (JAIR 51, 2014); Koller, Megiddo and von Stengel (STOC 1994)",
        inapplicable=two_player_constant_sum_with_recall,
        run=run,
        parameters=OPTIONS,
        brackets=True,
        stops_at_gap=True,
        lacking=partial(lacking, "gambit-oracle"),
    ),
)
