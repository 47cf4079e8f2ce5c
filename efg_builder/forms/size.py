"""The facts of a game before it is solved: its size and its form, also where the tree could never be built."""

from __future__ import annotations

from collections import Counter
from typing import Any

from ..base.rationals import text
from ..games.protocol import Game
from .extensive import GameTree, build, constant_sum, has_perfect_recall

CHECKED_NODES = 200_000
"""Trees of a game up to this size are built, and their form checked node by node."""


def checkable(game: Game | GameTree) -> Game | GameTree:
    """The tree of *game*, where it is small enough for its form to be checked; else *game* as it is."""
    if isinstance(game, GameTree):
        return game
    size = game.size()
    return build(game) if size is None or size.nodes <= CHECKED_NODES else game


def facts(game: Game | GameTree) -> dict[str, Any]:
    """Size and form as plain data.

    ``checked`` says whether perfect recall and constant sum were checked on the tree's nodes; where the tree is
    too large for that they follow from the rules.
    """
    game = checkable(game)
    if isinstance(game, GameTree):
        return _of_tree(game)
    size = game.size()
    assert size is not None
    return {
        "title": game.title,
        "players": list(game.players),
        "nodes": size.nodes,
        "chance_nodes": size.chance_nodes,
        "decision_nodes": size.decision_nodes,
        "terminal_nodes": size.terminal_nodes,
        "infosets": sum(size.infosets),
        "infosets_by_player": list(size.infosets),
        "perfect_recall": True,  # the protocol's information sets name everything a player has seen
        "constant_sum": game.constant_sum is not None,
        "sum": None if game.constant_sum is None else text(game.constant_sum),
        "checked": False,
        "notes": list(game.notes),
    }


def _of_tree(tree: GameTree) -> dict[str, Any]:
    total = constant_sum(tree)
    owners = Counter(tree.infosets[k].player for k in tree.personal)
    return {
        "title": tree.title,
        "players": list(tree.players),
        **tree.node_counts,
        "infosets": len(tree.personal),
        "infosets_by_player": [owners[player] for player in range(len(tree.players))],
        "perfect_recall": has_perfect_recall(tree),
        "constant_sum": total is not None,
        "sum": None if total is None else text(total),
        "checked": True,
        "notes": [] if tree.game is None else list(tree.game.notes),
    }
