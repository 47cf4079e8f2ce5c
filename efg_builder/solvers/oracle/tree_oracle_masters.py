"""Masters: what solves the restricted games of a double oracle. Each is one function."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from types import MappingProxyType
from typing import Literal

import numpy as np

from ...base.errors import ProfileError
from ...forms.extensive import NONE, TERMINAL, GameTree, Outcome
from ...forms.extensive.checks import scaled_payoffs
from ...forms.sequence_form import PlayerSequences, sequence_form
from ...interop.efg import efg_chunks
from ...interop.gambit import child
from ...interop.gambit.mapping import to_profile
from ...strategies.tree_profile import Profile
from ..lp.highs import Floats, LinearProgramError, TimeLimit
from ..lp.lp import FLOAT_ZERO, exact_behavior, optimum
from ..lp.rational import NotExactError
from ..protocol import Left, Progress

Master = Callable[[GameTree, Left, Progress], Profile]
"""An equilibrium of a game, in rationals or in floats; what it is at sets its own play does not reach is of no
account. Raises ``MasterError``, or ``TimeLimit`` where what is left did not suffice."""


class MasterError(Exception):
    """The restricted game was not solved; the message says why."""


def near(tree: GameTree, left: Left, progress: Progress) -> Profile:
    """An equilibrium in floats, by HiGHS' simplex method."""
    try:
        found = optimum(sequence_form(tree), left, progress)
    except TimeLimit:
        raise
    except LinearProgramError as error:
        raise MasterError(str(error)) from error
    one, two = map(_behavior, found.form.players, found.plans)
    return Profile.from_personal(tree, one | two)


def _behavior(side: PlayerSequences, plan: Floats) -> dict[int, tuple[float, ...]]:
    """Behavior in floats by index in ``tree.infosets``: uniform where the plan does not lead."""
    weights = np.where(plan > FLOAT_ZERO, plan, 0.0)
    rows = {}
    for k, first, width in zip(side.infosets.tolist(), side.first.tolist(), side.widths.tolist(), strict=True):
        row = weights[first : first + width]
        total = float(row.sum())
        rows[k] = tuple((row / total).tolist()) if total else (1.0 / width,) * width
    return rows


def exact(tree: GameTree, left: Left, progress: Progress) -> Profile:
    """An equilibrium in rationals, by HiGHS' simplex method and its last basis."""
    try:
        found = optimum(sequence_form(tree), left, progress)
        return Profile.from_personal(tree, exact_behavior(found, left, progress))
    except TimeLimit:
        raise
    except (LinearProgramError, NotExactError) as error:
        if (seconds := left()) is not None and seconds <= 0:
            raise TimeLimit(str(error)) from error
        raise MasterError(str(error)) from error


def gambit(routine: Literal["lp_solve", "lcp_solve"]) -> Master:
    """An equilibrium in rationals by a routine of Gambit's, which is given the game as ``.efg``."""

    def solve(tree: GameTree, left: Left, progress: Progress) -> Profile:
        simple = simplified(tree)
        answer = child.run(efg_chunks(simple), routine, {}, left(), progress)
        if answer.rows:
            try:
                return Profile(tree, to_profile(simple, answer.rows[0]).probabilities)
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
    # Whole sets go: a set of which some nodes stayed would tell its owner something that others forgot.
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
