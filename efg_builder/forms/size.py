"""The size and properties of a game before solving, even if the tree is too large to build."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ..base.rationals import text
from ..games.protocol import Game
from .extensive import NODE_COUNTS, GameTree, constant_sum
from .recall import forgotten, has_perfect_recall, solvable
from .subgames import subgames
from .subject import Subject

CHECKED_NODES = 200_000
"""Maximum number of nodes of a tree that is built to check the game's properties."""


def size_and_properties(game: Game | GameTree | Subject) -> dict[str, Any]:
    """Return the size and properties of *game* as JSON data.

    If ``checked`` is true, the properties were checked on the tree; otherwise they follow from the rules.
    """
    subject = Subject.of(game)
    size: Any = subject.size()
    if subject.given_tree is None and (size is None or size.nodes <= CHECKED_NODES):
        subject = Subject.of(subject.tree())
        size = subject.size()
    tree, rules = subject.given_tree, subject.rules
    total: Fraction | int | None
    if tree is not None:
        total, recall = constant_sum(tree), has_perfect_recall(tree)
    else:
        total, recall = None if rules is None else rules.constant_sum, True
    counts, owned = {key: getattr(size, key) for key in NODE_COUNTS}, list(size.infosets)
    return {
        "title": subject.title,
        "players": list(subject.players),
        **counts,
        "infosets": sum(owned),
        "infosets_by_player": owned,
        "perfect_recall": recall,
        "forgotten": [] if tree is None else [each.to_json(tree) for each in forgotten(tree)],
        "proper_subgames": None if tree is None else len(subgames(tree)) - 1,
        "constant_sum": total is not None,
        "sum": None if total is None else text(total),
        "checked": tree is not None,
        "notes": [*([] if rules is None else rules.notes), *([] if tree is None else _on_forced_moves(tree))],
    }


def _on_forced_moves(tree: GameTree) -> list[str]:
    """Return a note if perfect recall holds only without forced moves."""
    forced = "perfect recall: moves at information sets with one action do not count, because they reveal nothing"
    return [] if solvable(tree) is tree else [forced]
