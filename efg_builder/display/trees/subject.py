"""What is to be drawn: a tree, the profile on it, and the line under the title that says what is known of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias, cast

import numpy as np

from ...base.errors import ParameterError, ProfileError, TreeTooLargeError, check_kind
from ...base.rationals import Number, brief
from ...base.words import above, minus, most_won
from ...forms.extensive import MAX_NODES as BUDGET
from ...forms.extensive import GameTree
from ...interop.trees import tree_of
from ...strategies.sparse_profile import SparseProfile, sparse_of
from ...strategies.support_tree import support_tree
from ...strategies.table_view import table_view
from ...strategies.tree_profile import TreeProfile
from .options import MAX_NODES, VIEWS

if TYPE_CHECKING:
    from ...equilibria.solution import Solution
    from ...interop.trees import GameLike
    from ...proof import Verdict


MOST_NAMED = 3
"""Where there are more players than this, a caption gives their payoffs without their names."""


def caption_of(players: tuple[str, ...], verdict: Verdict) -> str:
    """One line on a profile: whether it is an equilibrium, and what it is worth."""
    if not verdict.equilibrium:
        said = f"not quite an equilibrium: nobody gains more than {above(verdict.regret)} by playing otherwise"
        if verdict.lower is None or verdict.upper is None:
            return said
        return f"{said}; against this one gets {minus(most_won(players, verdict.value, verdict.lower, verdict.upper))}"
    names = players if verdict.lower is None else players[:1]
    return f"equilibrium{' (exact)' if verdict.exact else ''}, {worth_of(names, verdict.value)}"


def worth_of(players: Sequence[str], payoffs: Sequence[Number]) -> str:
    """Return the payoffs of some players in words, without the players' names if there are many."""
    shown = [minus(brief(payoff)) for payoff in payoffs]
    if len(players) > MOST_NAMED:
        return f"payoffs ({', '.join(shown)})"
    return "worth " + ", ".join(f"{payoff} to {name}" for payoff, name in zip(shown, players, strict=False))


Playable: TypeAlias = "TreeProfile | Solution | SparseProfile"
"""Strategies to draw on a tree; those of a solution with its verdict for a caption."""

Drawable: TypeAlias = "GameLike | Solution | TreeProfile | SparseProfile"
"""A tree, or what stands for one, or strategies that bring their own."""


@dataclass(frozen=True)
class Subject:
    """A tree, the profile on it (or None), and a line on the profile (empty where nothing was verified).

    ``sparse``: the strategies themselves, where they were found without a tree. ``view``: the view that it is for.
    """

    tree: GameTree
    profile: TreeProfile | None
    caption: str
    sparse: SparseProfile | None = None
    view: str = VIEWS[0]


def subject_of(
    shown: Drawable,
    given: Playable | None = None,
    view: str | None = VIEWS[0],
    *,
    max_nodes: int = BUDGET,
    part: bool = False,
) -> Subject:
    """The tree *shown* with the profile *given* on it; a solution or a profile alone brings its own tree.

    That is the tree it was found on; for sparse strategies their support tree, of up to *max_nodes* nodes, or for the
    *view* ``"table"`` what the table sees of them. No view (None) is a support tree that may make a picture, whole or,
    where only a *part* is asked for, folded, and else the table's. Raises ``ProfileError`` for another tree's profile,
    ``TreeTooLargeError``, and ``ParameterError`` for what is none of these, and for the table without sparse
    strategies.
    """
    shown = drawable(shown)  # after this a tree, or what has strategies
    if view == "table":
        return _table_of(shown, given if given is not None else shown, max_nodes)
    if given is not None and not isinstance(given, TreeProfile | SparseProfile) and not hasattr(given, "profile"):
        hint = "eb.read_strategy(path, game) reads a file"
        raise ParameterError(f"draw() takes a solution or a profile to draw, not {type(given).__name__}; {hint}")
    if isinstance(shown, GameTree):
        sparse = None if given is None else sparse_of(given)
        return Subject(shown, _fitting(shown, given), _verdict_of(shown, given), sparse, view or VIEWS[0])
    sparse = sparse_of(shown)
    tree = getattr(shown, "tree", None)
    if not isinstance(tree, GameTree) and sparse is not None:
        budget = max_nodes
        if view is None and not (part and sparse.game.deal_count <= MAX_NODES):
            budget = min(max_nodes, MAX_NODES)
        try:
            tree = support_tree(sparse, max_nodes=budget)
        except TreeTooLargeError:
            if view is not None:
                raise
            return _table_of(shown, shown, max_nodes)
    check_kind(
        "draw", tree if tree is not None else shown, GameTree, "a tree or a solution", "eb.build(game) makes a tree"
    )
    return subject_of(tree, given if given is not None else shown, view)  # type: ignore[arg-type]


def drawable(given: Drawable) -> GameTree | Playable:
    """*given* itself where it has strategies, else its tree (``interop.trees.tree``). Raises ``ParameterError``."""
    if isinstance(given, GameTree | TreeProfile | SparseProfile) or hasattr(given, "profile"):
        return cast("GameTree | Playable", given)
    return tree_of("draw", given, "a tree or a solution")


def _table_of(shown: object, given: object, max_nodes: int) -> Subject:
    """What the table sees of the strategies *given*, which must be sparse, and of the game that is *shown*."""
    sparse = sparse_of(given)
    if sparse is None:
        hint = 'such as --method oracle, eb.solve(game, "oracle"), finds for games of bidding'
        raise ParameterError(f"view='table': this needs strategies without a tree, {hint}")
    if isinstance(shown, GameTree) and shown.title != sparse.game.title:
        raise _other(sparse.game.title, shown)
    seen = table_view(sparse, max_nodes=max_nodes)
    return Subject(seen.tree, seen, _verdict_of(seen.tree, given), sparse, "table")


def _fitting(tree: GameTree, given: Playable | None) -> TreeProfile | None:
    """The profile itself. Raises ``ProfileError`` where it is one of another tree."""
    sparse = None if given is None else sparse_of(given)
    if sparse is not None:
        if sparse.game.title != tree.title:
            raise _other(sparse.game.title, tree)
        return sparse.on(tree)
    profile = given if given is None or isinstance(given, TreeProfile) else given.profile  # type: ignore[union-attr]
    if profile is not None and profile.tree is not tree:
        same = profile.tree.infosets == tree.infosets and np.array_equal(profile.tree.infoset, tree.infoset)
        if not same or not np.array_equal(profile.tree.action, tree.action):
            raise _other(profile.tree.title, tree)
    return profile


def _other(title: str, tree: GameTree) -> ProfileError:
    return ProfileError(f"the profile is one of another game ({title!r}, not {tree.title!r})")


def _verdict_of(tree: GameTree, given: object) -> str:
    """A solution's verdict in words; empty for a bare profile, or where nothing was verified."""
    verdict: Verdict | None = getattr(given, "verdict", None)
    return "" if verdict is None else caption_of(tree.players, verdict)
