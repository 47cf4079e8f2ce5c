"""Reduced pure strategies of any number of players, with or without perfect recall, and their payoffs.

A *reduced* pure strategy specifies an action only at the information sets that the player's own actions can reach (B.
von Stengel, Handbook of Game Theory 3, 2002, section 4). Without perfect recall, too, strategies that differ only at
other information sets have equal payoffs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .extensive import TERMINAL, GameTree, chance_reach, scaled_payoffs
from .recall import forced_nodes

NOT_REACHED = -1
"""The entry for an information set that the strategy does not reach."""

INT64 = 2**62

Path = tuple[tuple[int, int], ...]
"""The player's moves on a path, without forced moves: pairs of a column of ``choices`` and an action."""

Flags = npt.NDArray[np.bool_]
Choices = npt.NDArray[np.int32]
Cells = npt.NDArray[np.int64] | npt.NDArray[np.object_]


class TooManyError(Exception):
    """There are more strategies or cells than asked for."""


@dataclass(frozen=True)
class Plans:
    """A player's reduced pure strategies.

    ``infosets``: the player's information sets with at least two actions, by index in ``tree.infosets``. ``choices``:
    the actions, shape (strategies, information sets); ``NOT_REACHED`` where the strategy does not lead. ``paths``: the
    player's different paths to terminal nodes. ``ends``: the index in ``paths`` of each terminal node.
    """

    infosets: tuple[int, ...]
    choices: Choices
    paths: tuple[Path, ...]
    ends: npt.NDArray[np.intp]

    def allowed(self) -> Flags:
        """Return, for each strategy and each path, whether the strategy plays it."""
        return np.column_stack(
            [np.ones(len(self.choices), dtype=bool), *(_plays(self.choices, path) for path in self.paths)]
        )[:, 1:]


def reduced_plans(tree: GameTree, player: int, most: int) -> Plans:
    """Return the reduced pure strategies of *player* (from 0). Raises ``TooManyError`` if they are more than *most*."""
    forced = forced_nodes(tree)
    mine = [k for k, node in tree.first_nodes.items() if tree.infosets[k].player == player and not forced[node]]
    column = {k: c for c, k in enumerate(mine)}
    path: list[Path] = [()] * len(tree)
    ways: list[dict[Path, None]] = [{} for _ in mine]
    for node in range(len(tree)):
        if node:
            above = int(tree.parent[node])
            c = column.get(int(tree.infoset[above]))
            path[node] = path[above] if c is None else (*path[above], (c, int(tree.action[node])))
        c = column.get(int(tree.infoset[node]))
        if c is not None:
            ways[c][path[node]] = None
    choices = np.full((1, len(mine)), NOT_REACHED, dtype=np.int32)
    for c, k in enumerate(mine):
        # Without perfect recall, a path may contain information sets whose actions are chosen later.
        known = {tuple(move for move in way if move[0] < c) for way in ways[c]}
        led = np.logical_or.reduce([_plays(choices, way) for way in known])
        width = len(tree.infosets[k].actions)
        times = np.where(led, width, 1)
        if times.sum() > most:
            raise TooManyError
        before = np.repeat(np.cumsum(times) - times, times)
        choices = np.repeat(choices, times, axis=0)
        choices[:, c] = np.where(np.repeat(led, times), np.arange(len(choices)) - before, NOT_REACHED)
    ends = [path[node] for node in np.flatnonzero(tree.player == TERMINAL).tolist()]
    paths = {way: index for index, way in enumerate(dict.fromkeys(ends))}
    return Plans(tuple(mine), _reduced(choices, ways), tuple(paths), np.array([paths[way] for way in ends]))


def _plays(choices: Choices, way: Path) -> Flags:
    plays: Flags = np.ones(len(choices), dtype=bool)
    for c, action in way:
        plays &= choices[:, c] == action
    return plays


def _reduced(choices: Choices, ways: list[dict[Path, None]]) -> Choices:
    """Return the different rows of *choices* after their entries at unreached information sets are removed."""
    while True:
        led = [np.logical_or.reduce([_plays(choices, way) for way in reached]) for reached in ways]
        reached = np.where(np.column_stack(led), choices, NOT_REACHED) if led else choices
        if np.array_equal(reached, choices):
            return np.unique(choices, axis=0) if len(ways) else choices
        choices = reached.astype(np.int32)


def payoff_cells(tree: GameTree, plans: tuple[Plans, ...], most: int) -> Iterator[Cells]:
    """Yield each player's expected payoffs: an integer array with an axis for each player, in units of one fraction.

    Raises ``TooManyError`` if a step needs more than *most* numbers.
    """
    ends = np.flatnonzero(tree.player == TERMINAL)
    paid, chance = scaled_payoffs(tree)[0], chance_reach(tree)[0]
    combinations, where = np.unique(np.column_stack([side.ends for side in plans]), axis=0, return_inverse=True)
    for player in range(len(plans)):
        yield _contracted(combinations, where.ravel(), paid[ends, player] * chance[ends], plans, most)


def _contracted(
    paths: npt.NDArray[np.intp],
    where: npt.NDArray[np.intp],
    worth: npt.NDArray[np.object_],
    plans: tuple[Plans, ...],
    most: int,
) -> Cells:
    """Return, for each combination of strategies, the sum of *worth* over the terminal nodes that all of them allow."""
    kind = np.int64 if sum(map(abs, worth)) < INT64 else object
    sums = np.zeros(len(paths), dtype=object)
    np.add.at(sums, where, worth)
    table = sums.astype(kind)[None, :]  # [strategies of the players so far, remaining combination of paths]
    for side in plans:
        rest, group = np.unique(paths[:, 1:], axis=0, return_inverse=True)
        if table.shape[0] * len(side.choices) * len(rest) > most:
            raise TooManyError
        allowed, group = side.allowed()[:, paths[:, 0]], group.ravel()
        longer = np.zeros((table.shape[0], len(side.choices), len(rest)), dtype=kind)
        for number in range(len(rest)):
            here = group == number
            longer[:, :, number] = table[:, here] @ allowed[:, here].T.astype(kind)
        table, paths = longer.reshape(-1, len(rest)), rest
    return table.reshape([len(side.choices) for side in plans])
