"""The same game in the form that the strictest readers of ``.efg`` take."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import count

import numpy as np

from ...forms.extensive.checks import scaled_payoffs
from ...forms.extensive.model import NONE, TERMINAL, GameTree, Infoset, Ints, Outcome


def portable_tree(tree: GameTree) -> GameTree:
    """An equal game with an outcome at every end of play and none before, information sets numbered from 1.

    What was paid on the way is added to what the end pays. The tree itself where nothing needs to change.
    """
    infosets = _renumbered(tree)
    outcome, outcomes = _paid_at_the_end(tree)
    if infosets is tree.infosets and outcome is tree.outcome:
        return tree
    return replace(tree, infosets=infosets, outcome=outcome, outcomes=outcomes)


def _renumbered(tree: GameTree) -> tuple[Infoset, ...]:
    """The information sets with the ranks of their numbers among those that nodes of the player have."""
    used = np.unique(tree.infoset[tree.infoset != NONE]).tolist()
    numbers: dict[int, list[int]] = {}
    for index in used:
        numbers.setdefault(tree.infosets[index].player, []).append(tree.infosets[index].number)
    ranks = {(who, number): rank for who, mine in numbers.items() for rank, number in enumerate(sorted(mine), 1)}
    if all(number == rank for (_, number), rank in ranks.items()):
        return tree.infosets
    table = list(tree.infosets)
    for index in used:
        table[index] = table[index]._replace(number=ranks[table[index].player, table[index].number])
    return tuple(table)


def _paid_at_the_end(tree: GameTree) -> tuple[Ints, tuple[Outcome, ...]]:
    ends = tree.player == TERMINAL
    if (tree.outcome[~ends] == NONE).all():
        if (tree.outcome[ends] != NONE).all():
            return tree.outcome, tree.outcomes
        numbers = {outcome.number for outcome in tree.outcomes}
        free = next(number for number in count(1) if number not in numbers)
        nothing = Outcome(free, "nothing", tree.payoffs[NONE])
        filled = np.where(ends & (tree.outcome == NONE), np.int32(len(tree.outcomes)), tree.outcome)
        return filled, (*tree.outcomes, nothing)
    paid, scale = scaled_payoffs(tree)
    table: dict[tuple[str, tuple[int, ...]], int] = {}
    outcome = np.full(len(tree), NONE, dtype=np.int32)
    for node in np.flatnonzero(ends).tolist():
        label = "" if tree.outcome[node] == NONE else tree.outcomes[tree.outcome[node]].label
        outcome[node] = table.setdefault((label, tuple(paid[node])), len(table))
    outcomes = (
        Outcome(number, label, tuple(Fraction(p, scale) for p in row)) for number, (label, row) in enumerate(table, 1)
    )
    return outcome, tuple(outcomes)
