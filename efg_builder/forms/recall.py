"""Recall: the players' memory of their own moves, and the tree without forced moves.

A player has *perfect recall* if, at all nodes of each of the player's information sets, the player's previous moves are
the same (H. W. Kuhn, "Extensive games and the problem of information", 1953). A move at an information set with only
one action is *forced*: it tells nothing, so a player forgets nothing by it.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from .extensive import NONE, TERMINAL, GameTree, Outcome, first_moves, kept, own_sequences, payoffs_in_all

Flags = npt.NDArray[np.bool_]


@kept
def has_perfect_recall(tree: GameTree) -> bool:
    """Return whether all players have perfect recall; forced moves do not count."""
    return _remembers(tree) or _remembers(tree, forced=False)


def _remembers(tree: GameTree, forced: bool = True) -> bool:
    """Return whether the mover's previous move is the same at all nodes of each information set.

    If not *forced*, ignore the information sets with one action.
    """
    last = own_sequences(tree, forced)
    nodes = np.flatnonzero(tree.player >= 0)
    if not forced:
        nodes = nodes[~forced_nodes(tree)[nodes]]
    sets, sequences = tree.infoset[nodes], last[nodes, tree.player[nodes]]
    pairs = np.unique(sets * (first_moves(tree)[-1] + 1) + sequences)
    return len(pairs) == len(np.unique(sets))


def forced_nodes(tree: GameTree) -> Flags:
    """Return flags of the nodes at which a player has only one action; shape (nodes,)."""
    widths = np.array([len(infoset.actions) for infoset in tree.infosets] + [0])
    flags: Flags = (tree.player >= 0) & (widths[tree.infoset] == 1)
    return flags


def solvable(tree: GameTree) -> GameTree:
    """Return the tree in which a solver finds the strategies of *tree*.

    It is the tree without forced moves if these moves alone hide the players' perfect recall, otherwise *tree* itself.
    The indices in ``infosets`` are the same.
    """
    return without_forced_moves(tree) if has_perfect_recall(tree) and not _remembers(tree) else tree


@kept
def without_forced_moves(tree: GameTree) -> GameTree:
    """Return the tree without the nodes at which a player has only one action.

    Payoffs of a removed node are added to the payoffs of the terminal nodes after it. ``infosets`` stays, so that
    indices of information sets, and strategies, fit both trees.
    """
    return without_nodes(tree, forced_nodes(tree))


def without_nodes(tree: GameTree, gone: Flags) -> GameTree:
    """Return *tree* without the nodes in *gone*, each of which has one action; see ``without_forced_moves``."""
    if not gone.any():
        return tree
    parent, action = tree.parent.copy(), tree.action.copy()
    for nodes in tree.levels[1:]:
        above = tree.parent[nodes]
        removed = nodes[gone[above]]
        parent[removed], action[removed] = parent[tree.parent[removed]], action[tree.parent[removed]]
    stay = np.flatnonzero(~gone)
    place = np.full(len(tree) + 1, NONE, dtype=np.int32)  # the last entry, index -1, is for the root's parent
    place[stay] = np.arange(len(stay))
    outcome, outcomes = tree.outcome, tree.outcomes
    if (outcome[gone] != NONE).any():
        outcome, outcomes = _paid_at_the_end(tree)
    return GameTree(
        tree.title,
        tree.players,
        place[parent[stay]],
        action[stay],
        tree.infoset[stay],
        outcome[stay],
        tree.infosets,
        outcomes,
        tree.comment,
        {int(place[node]): label for node, label in tree.node_labels.items() if not gone[node]},
    )


def _paid_at_the_end(tree: GameTree) -> tuple[npt.NDArray[np.int32], tuple[Outcome, ...]]:
    paid = payoffs_in_all(tree)
    outcome, numbers = np.full(len(tree), NONE, dtype=np.int32), dict[tuple[Fraction, ...], int]()
    for node in np.flatnonzero(tree.player == TERMINAL).tolist():
        outcome[node] = numbers.setdefault(paid(node), len(numbers))
    return outcome, tuple(Outcome(1 + number, f"{1 + number}", row) for row, number in numbers.items())


# Information that players forget.


class Forgotten(NamedTuple):
    """Something that a player forgets at an information set, whose nodes the player cannot tell apart.

    ``kind``: "own move" if the player has chosen different actions at one information set before, "own knowledge" if
    the player has been at different information sets before, "absent-minded" if one path has two nodes of the
    information set. ``at``: the index of the information set where the player made the moves, or knew the
    difference. ``nodes``: two nodes of ``infoset``.
    """

    kind: Literal["own move", "own knowledge", "absent-minded"]
    infoset: int
    at: int
    nodes: tuple[int, int]

    def to_json(self, tree: GameTree) -> dict[str, Any]:
        """Return the names and the two histories as JSON data."""
        return {
            "kind": self.kind,
            "player": tree.infosets[self.infoset].player + 1,
            "infoset": tree.names[self.infoset],
            "at": tree.names[self.at],
            "histories": [history(tree, node) for node in self.nodes],
            "text": self.in_words(tree),
        }

    def in_words(self, tree: GameTree) -> str:
        """Return a clause that names the player, the forgotten move or knowledge, the place, and the two histories."""
        player, name = tree.players[tree.infosets[self.infoset].player], repr(tree.names[self.infoset])
        one, other = (history(tree, node) for node in self.nodes)
        if self.kind == "absent-minded":
            return f"{player} reaches {name} {one}, and again {other}"
        what = "the move made" if self.kind == "own move" else f"what {player} knew"
        return f"at {name}, {player} forgets {what} at {tree.names[self.at]!r} ({one}; {other})"


def history(tree: GameTree, node: int) -> str:
    """Return the moves before *node* in words, e.g. "after deal J, bet"."""
    moves: list[str] = []
    while node:
        above = int(tree.parent[node])
        infoset = tree.infosets[tree.infoset[above]]
        moves.append(infoset.actions[tree.action[node]] or f"action {int(tree.action[node]) + 1}")
        node = above
    return "after " + ", ".join(reversed(moves)) if moves else "at the start"


@kept
def forgotten(tree: GameTree) -> tuple[Forgotten, ...]:
    """Return a ``Forgotten`` for each information set without recall, in the order of play."""
    if has_perfect_recall(tree):
        return ()
    last, forced = own_sequences(tree, forced=False), forced_nodes(tree)
    first: dict[int, int] = {}
    differences: dict[int, Forgotten] = {}
    for node in np.flatnonzero((tree.player >= 0) & ~forced).tolist():
        k, player = int(tree.infoset[node]), int(tree.player[node])
        other = first.setdefault(k, node)
        if k not in differences and last[node, player] != last[other, player]:
            differences[k] = _difference(tree, other, node)
    return tuple(differences[k] for k in first if k in differences)


def lacks_recall(tree: GameTree, player: int | None = None) -> str:
    """Return a clause that names a player without perfect recall, and the forgotten move or knowledge.

    *player*: the player to name. By default, it is the first player who forgets something.
    """
    first = next(each for each in forgotten(tree) if player in (None, tree.infosets[each.infoset].player))
    return f"{tree.players[tree.infosets[first.infoset].player]} lacks perfect recall: {first.in_words(tree)}"


def _difference(tree: GameTree, one: int, other: int) -> Forgotten:
    """Return the ``Forgotten`` of an information set with the nodes *one* and *other*."""
    k = int(tree.infoset[one])
    mine, others = own_moves(tree, one), own_moves(tree, other)
    for node, moves in ((one, mine), (other, others)):
        if any(at == k for at, _, _ in moves):
            return Forgotten("absent-minded", k, k, (next(above for at, _, above in moves if at == k), node))
    same = 0
    while same < min(len(mine), len(others)) and mine[same][:2] == others[same][:2]:
        same += 1
    longer = mine if same < len(mine) else others
    at = longer[same][0]
    chosen = same < len(mine) and same < len(others) and mine[same][0] == others[same][0]
    return Forgotten("own move" if chosen else "own knowledge", k, at, (one, other))


def own_moves(tree: GameTree, node: int) -> list[tuple[int, int, int]]:
    """Return the moves of *node*'s mover before it: information set, action and node, without forced moves."""
    player, moves = int(tree.player[node]), []
    while node:
        above = int(tree.parent[node])
        k = int(tree.infoset[above])
        if tree.player[above] == player and len(tree.infosets[k].actions) > 1:
            moves.append((k, int(tree.action[node]), above))
        node = above
    return moves[::-1]
