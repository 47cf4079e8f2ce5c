"""The size and properties of a game before solving, even if the tree is too large to build."""

from __future__ import annotations

from typing import Any

from ..base.rationals import text
from ..games.protocol import Game
from .extensive import NODE_COUNTS, GameTree, build, constant_sum, has_perfect_recall

CHECKED_NODES = 200_000
"""Maximum number of nodes of a tree that is built to check the game's properties."""


def checkable(game: Game | GameTree) -> Game | GameTree:
    """Return the tree of *game* if the tree is small enough to check its properties; otherwise return *game*."""
    if isinstance(game, GameTree):
        return game
    size = game.size()
    return build(game) if size is None or size.nodes <= CHECKED_NODES else game


def facts(game: Game | GameTree) -> dict[str, Any]:
    """Return the size and properties of *game* as JSON data.

    If ``checked`` is true, the properties were checked on the tree; otherwise they follow from the rules.
    """
    game = checkable(game)
    if isinstance(game, GameTree):
        counts, owned, rules = dict(game.node_counts), list(game.infoset_counts), game.game
        total, recall = constant_sum(game), has_perfect_recall(game)
    else:
        size: Any = game.size()  # known, because the tree of a game of unknown size is built
        total, recall, rules = game.constant_sum, True, game
        counts, owned = {key: getattr(size, key) for key in NODE_COUNTS}, list(size.infosets)
    return {
        "title": game.title,
        "players": list(game.players),
        **counts,
        "infosets": sum(owned),
        "infosets_by_player": owned,
        "perfect_recall": recall,
        "constant_sum": total is not None,
        "sum": None if total is None else text(total),
        "checked": isinstance(game, GameTree),
        "notes": [] if rules is None else list(rules.notes),
    }
