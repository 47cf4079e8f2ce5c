"""The subject of a picture: a tree, a profile and the caption."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import numpy as np

from ...base.errors import ParameterError, ProfileError, TreeTooLargeError, check_kind, kind_of
from ...base.rationals import Number
from ...base.words import LONG, above, amount, listed, minus, most_won
from ...forms.extensive import MAX_NODES as BUDGET
from ...forms.extensive import GameTree, revisits
from ...forms.hand_names import displayed_tree
from ...interop.trees import tree_of
from ...proof.reach import reaches
from ...proof.refinement import UNCHECKED, Refinement, refinement
from ...proof.sequential import SequentialVerdict, prove_sequential
from ...strategies.reached import support_tree, table_view
from ...strategies.sparse_profile import SparseProfile, sparse_of
from ...strategies.tree_profile import Strategy, TreeProfile
from .options import MAX_NODES, VIEWS, DrawOptions

if TYPE_CHECKING:
    from ...equilibria.solution import Solution
    from ...interop.trees import GameLike
    from ...proof import Verdict
    from .strategies import DrawnStrategies

MOST_NAMED = 3  # the maximum number of players whose names accompany the payoffs beside the title


def caption_of(
    players: tuple[str, ...],
    verdict: Verdict,
    sequential: bool = False,
    place: str = "",
    off_path: Refinement = UNCHECKED,
) -> str:
    """Return the kind of equilibrium with its payoffs, or an upper bound on the gain from deviating.

    *place*: the number of the equilibrium among several, such as ``"1 of 4"``. *off_path*: its verdict off the path,
    which is stated if it is negative.
    """
    if verdict.equilibrium:
        payoffs = payoffs_of(players, verdict.value, verdict.lower is not None)
        return f"{_kind(verdict, sequential, place, off_path)}, {payoffs}"
    said = f"ε-equilibrium, ε = {above(verdict.regret)}: no player gains more by deviating"
    if verdict.lower is None or verdict.upper is None:
        return said
    return f"{said}; an opponent gets {minus(most_won(players, verdict.value, verdict.lower, verdict.upper))}"


def payoffs_of(players: Sequence[str], payoffs: Sequence[Number], one: bool, what: str = "value") -> str:
    """Return all players' payoffs in words; if *one*, return only the first player's payoff, named *what*."""
    shown = [amount(payoff, LONG, digits=4) for payoff in payoffs]
    if one or len(shown) == 1:
        return f"{what if one else 'payoff'} {shown[0]} to {players[0]}"
    return f"payoffs ({', '.join(shown)})"


def _kind(verdict: Verdict, sequential: bool, place: str, off_path: Refinement) -> str:
    kind = f"{'exact ' if verdict.exact else ''}{'sequential ' if sequential else ''}equilibrium {place}".rstrip()
    kind = kind[0].upper() + kind[1:]
    if not off_path.refuted:
        return kind
    said = str(off_path)
    return f"{kind}, {said}" if off_path.empty is not None else f"{kind}, {said.replace(': ', ' (', 1)})"


Playable: TypeAlias = "TreeProfile | Solution | SparseProfile | DrawnStrategies | DrawnSubject"
"""Strategies to draw on a tree."""

Named: TypeAlias = "Strategy | str | os.PathLike[str] | Mapping[str, Any]"
"""Strategies in any form that ``evaluate`` accepts: a name, a file, a mapping or a strategy object."""

Drawable: TypeAlias = "GameLike | Playable"
"""A tree, an argument of ``build``, or strategies with their own tree."""


@dataclass(frozen=True)
class DrawnSubject:
    """The tree to draw, its profile, and the caption, which is empty if nothing was verified.

    ``refined`` is the proof that the profile is a sequential equilibrium. ``sparse`` contains strategies found without
    a tree. ``view`` is the view for which the tree was made. ``place`` and ``off_path`` are as in ``Solution``.
    """

    tree: GameTree
    profile: TreeProfile | None
    caption: str
    verdict: Verdict | None = None
    refined: SequentialVerdict | None = None
    sparse: SparseProfile | None = None
    view: str = VIEWS[0]
    place: str = ""
    off_path: Refinement = field(default_factory=Refinement)

    @cached_property
    def sequential(self) -> SequentialVerdict | None:
        """The proof of a sequential equilibrium, with beliefs off the equilibrium path; None if there is no proof."""
        if self.refined or self.profile is None or self.verdict is None or not self.verdict.equilibrium:
            return self.refined
        return prove_sequential(self.profile) or refinement(self.profile).proof

    @cached_property
    def displayed(self) -> DrawnSubject:
        """This subject, with the display names of hands."""
        played = self.sparse or self.profile
        tree = displayed_tree(self.tree, played.game if played else None)
        if tree is self.tree:
            return self
        return replace(self, tree=tree, profile=self.profile and TreeProfile(tree, self.profile.probabilities))

    def about_beliefs(self, view: str | None) -> str:
        """Return a message if beliefs need an explanation, or a picture of *view* shows none; otherwise return ""."""
        profile, tree = self.profile, self.tree
        if profile is None or view == "public":
            return ""
        sizes = Counter(tree.infoset.tolist())
        believed = self.sequential.beliefs if self.sequential else dict(enumerate(reaches(tree, profile)))
        sets = {k for node, k in enumerate(tree.infoset.tolist()) if believed.get(node)}
        if any(sizes[k] > 1 for k in sets.intersection(tree.personal)):
            again = {int(tree.infoset[node]) for node in revisits(tree)}
            twice = listed([repr(tree.names[k]) for k in sorted(again)])
            return f"a path meets {twice} twice: a belief there is a share of the expected visits" if again else ""
        return "--beliefs has nothing to show: no information set with several nodes is reached"

    def believed(self, options: DrawOptions) -> SequentialVerdict | None:
        """Return the proof whose beliefs a picture with *options* shows."""
        return self.sequential if options.beliefs and options.view == VIEWS[0] else self.refined

    def headed(self, options: DrawOptions) -> DrawOptions:
        """Return *options* with the caption and, for an equilibrium, with its payoffs beside the title."""
        found = self.verdict
        if found is None or not found.equilibrium:
            return replace(options, caption=self.caption)
        payoffs = [amount(payoff, LONG, digits=4) for payoff in found.value]
        result = (payoffs[0], f"value to {self.tree.players[0]}")
        if len(payoffs) == 1:
            result = (payoffs[0], f"payoff of {self.tree.players[0]}")
        elif found.lower is None:
            players = "" if len(payoffs) > MOST_NAMED else f" of {', '.join(self.tree.players)}"
            result = (f"({', '.join(payoffs)})", f"payoffs{players}")
        caption = _kind(found, self.refined is not None, self.place, self.off_path)
        return replace(options, caption=caption, result=result)


def subject_of(
    shown: Drawable,
    given: Playable | None = None,
    view: str | None = VIEWS[0],
    *,
    max_nodes: int = BUDGET,
    part: bool = False,
) -> DrawnSubject:
    """Return the tree *shown* with the profile *given*; a solution or a profile alone supplies its own tree.

    A subject is returned unchanged.

    Strategies that were found without a tree get a support tree of at most *max_nodes* nodes, or a public tree if
    *view* is ``"table"``. If *view* is None, a public tree replaces a support tree that is too large. The
    limit is then at most ``MAX_NODES`` nodes, unless *part* is true and the game has at most ``MAX_NODES`` deals.

    Raises ``ProfileError`` if the profile is for another tree, and ``TreeTooLargeError`` if a tree is too large. Raises
    ``ParameterError`` for other types, or for ``"table"`` without sparse strategies.
    """
    if isinstance(shown, DrawnSubject):
        return shown
    shown = drawable(shown)  # now a tree or strategies
    if view == "table":
        return _table_of(shown, given if given is not None else shown, max_nodes)
    if given is not None and not isinstance(given, TreeProfile | SparseProfile) and not is_solution(given):
        raise ParameterError(f"expected a solution or a profile, not {kind_of(given)}")
    if isinstance(shown, GameTree):
        if given is None:
            return DrawnSubject(shown, None, "", view=view or VIEWS[0])
        known = (_verdict_of(shown, given), getattr(given, "verdict", None), getattr(given, "refined", None))
        known_off_path = (getattr(given, "place", ""), getattr(given, "off_path", UNCHECKED))
        return DrawnSubject(shown, _fitting(shown, given), *known, sparse_of(given), view or VIEWS[0], *known_off_path)
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


def is_solution(given: object) -> bool:
    return hasattr(given, "profile")


def drawable(given: Drawable) -> GameTree | Playable:
    """Return *given* if it is a tree or contains strategies, otherwise its tree. Raises ``ParameterError``."""
    if isinstance(given, GameTree | TreeProfile | SparseProfile) or is_solution(given):
        return cast("GameTree | Playable", given)
    return tree_of("draw", given, "a tree or a solution")


def _table_of(shown: object, given: object, max_nodes: int) -> DrawnSubject:
    sparse = sparse_of(given)
    if sparse is None:
        way = "'efg-builder solve GAME --method oracle -o FILE' (eb.solve(game, \"oracle\"))"
        need = "this view needs strategies found without a tree"
        raise ParameterError(f"view='table': {need}; {way} finds them for bidding games")
    if isinstance(shown, GameTree) and shown.title != sparse.game.title:
        raise _other(sparse.game.title, shown)
    seen = table_view(sparse, max_nodes=max_nodes)
    known = (_verdict_of(seen.tree, given), getattr(given, "verdict", None))
    return DrawnSubject(seen.tree, seen, *known, sparse=sparse, view="table")


def _fitting(tree: GameTree, given: Playable) -> TreeProfile | None:
    sparse = sparse_of(given)
    if sparse is not None:
        if sparse.game.title != tree.title:
            raise _other(sparse.game.title, tree)
        return sparse.on(tree)
    profile = given if isinstance(given, TreeProfile) else given.profile  # type: ignore[union-attr]
    if profile is not None and profile.tree is not tree:
        same = profile.tree.infosets == tree.infosets and np.array_equal(profile.tree.infoset, tree.infoset)
        if not same or not np.array_equal(profile.tree.action, tree.action):
            raise _other(profile.tree.title, tree)
    return profile


def _other(title: str, tree: GameTree) -> ProfileError:
    return ProfileError(f"the profile is for another game ({title!r}, not {tree.title!r})")


def _verdict_of(tree: GameTree, given: object) -> str:
    caption, verdict = getattr(given, "caption", None), getattr(given, "verdict", None)
    if isinstance(caption, str):
        return caption
    if verdict is None:
        return ""
    sequential, off_path = getattr(given, "refined", None) is not None, getattr(given, "off_path", UNCHECKED)
    return caption_of(tree.players, verdict, sequential, getattr(given, "place", ""), off_path)
