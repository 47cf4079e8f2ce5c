"""Between Gambit's lists and a tree: the order of its information sets, repairs, and starting points.

Positions, never labels, tie the two together: Gambit renames labels that it finds twice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from ..errors import ProfileError
from ..profile import FLOAT_SUM_TOLERANCE, Profile, check_distribution
from ..rationals import Number, TooLongError, parse, text
from ..tree import CHANCE, NONE, GameTree
from ..tree.checks import first_moves

PLAYED = 1e-9
"""A float probability above this counts as played where it is asked what a player's own play reaches."""

DENOMINATOR = 10**6
"""Bound on the denominators of starting points that are given in floats to an exact routine."""


def order(tree: GameTree) -> list[list[int]]:
    """Each player's information sets (indices in ``tree.infosets``) in Gambit's order.

    That is the order in which they are first met in prefix order of the nodes. Sets that no node is in
    are left out: Gambit never hears of them.
    """
    sets, first = np.unique(tree.infoset, return_index=True)
    found: list[list[int]] = [[] for _ in tree.players]
    for k in sets[np.argsort(first)]:
        if k != NONE and tree.infosets[k].player != CHANCE:
            found[tree.infosets[k].player].append(int(k))
    return found


Rows = Sequence[Sequence[Sequence[str | float]]]
Table = dict[int, tuple[Number, ...]]


def to_profile(tree: GameTree, rows: Rows) -> Profile:
    """The profile that Gambit's *rows* (see :mod:`efg_builder.gambit.adapter`) are on *tree*.

    Gambit leaves anything at information sets that their owner's own play and chance do not reach: a row that
    is no distribution becomes uniform, there and (see :func:`faults`) elsewhere. Floats below 0 by no more
    than the tolerance become 0. Raises ``ProfileError`` where the shape is wrong or a number too long to read.
    """
    table = _table(tree, rows)
    exact = all(isinstance(p, Fraction) for row in table.values() for p in row)
    for k in _bad(tree, table):
        share = Fraction(1, len(tree.infosets[k].actions))
        table[k] = (share if exact else float(share),) * len(tree.infosets[k].actions)
    return Profile.from_personal(tree, table)


def faults(tree: GameTree, rows: Rows) -> list[str]:
    """Where Gambit's *rows* are no distribution although the owner's own play gets there, in sentences."""
    table = _table(tree, rows)
    bad = _bad(tree, table)
    reached = own_reach(tree, table) if bad else ()
    return [
        f"at {tree.infosets[k].label!r}, which is played to, Gambit gives no distribution but "
        f"{', '.join(map(str, table.get(k, ())))}: taken as uniform"
        for k in bad
        if reached[k]
    ]


def _table(tree: GameTree, rows: Rows) -> Table:
    sets = order(tree)
    if [len(r) for r in rows] != [len(s) for s in sets]:
        raise ProfileError("Gambit's information sets are not those of the tree")
    try:
        return {
            k: tuple(_clipped(parse(p) if isinstance(p, str) else float(p)) for p in row)
            for player, numbers in zip(sets, rows, strict=True)
            for k, row in zip(player, numbers, strict=True)
        }
    except TooLongError as error:
        raise ProfileError(f"it has {error}") from None


def _bad(tree: GameTree, table: Table) -> list[int]:
    return [k for k in tree.personal if k not in table or not _is_distribution(table[k])]


def own_reach(tree: GameTree, table: Mapping[int, Sequence[Number]]) -> npt.NDArray[np.bool_]:
    """Which information sets their owner's own moves and chance allow to be reached, whatever all others do.

    Chance counts because Gambit loses what a mixed strategy does after a move of chance that never comes.
    *table* holds the rows, by index in ``tree.infosets``; shape (infosets,). Chance's are all True.
    """
    starts = first_moves(tree)
    played = np.ones(int(starts[-1]), dtype=bool)
    chance = {k: i.probabilities for k, i in enumerate(tree.infosets) if i.probabilities is not None}
    for k, row in {**table, **chance}.items():
        played[starts[k] : starts[k] + len(row)] = [p > (0 if isinstance(p, Fraction) else PLAYED) for p in row]
    reach = np.ones((len(tree), len(tree.players)), dtype=bool)
    for nodes in tree.levels[1:]:
        above = tree.parent[nodes]
        reach[nodes] = reach[above]
        movers = tree.player[above]
        came = played[starts[tree.infoset[above]] + tree.action[nodes]]
        own = movers >= 0
        reach[nodes[own], movers[own]] &= came[own]
        reach[nodes[~own]] &= came[~own, None]
    found = np.array([i.player == CHANCE for i in tree.infosets], dtype=bool)
    decisions = np.flatnonzero(tree.player >= 0)
    np.logical_or.at(found, tree.infoset[decisions], reach[decisions, tree.player[decisions]])
    return found


def from_profile(profile: Profile, *, exact: bool) -> list[list[list[str | float]]]:
    """A profile as Gambit's rows; *exact* ones are rationals that sum to exactly 1."""
    rows: list[list[list[str | float]]] = []
    for sets in order(profile.tree):
        table = [profile.probabilities[k] for k in sets]
        rows.append([_rationals(row) if exact else [float(p) for p in row] for row in table])
    return rows


def _clipped(p: Number) -> Number:
    return 0.0 if isinstance(p, float) and -FLOAT_SUM_TOLERANCE <= p <= 0 else p


def _is_distribution(row: Sequence[Number]) -> bool:
    try:
        check_distribution(row, len(row), "")
    except ProfileError:
        return False
    return True


def _rationals(row: Sequence[Number]) -> list[str | float]:
    near = [p if isinstance(p, Fraction) else Fraction(p).limit_denominator(DENOMINATOR) for p in row]
    total = sum(near)
    return [text(p / total) for p in near]
