"""The subject of a picture: a tree, a profile and the caption."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import numpy as np

from ...base.errors import ParameterError, ProfileError, TreeTooLargeError, check_kind, kind_of
from ...base.rationals import Number
from ...base.words import LONG, above, amount, listed, minus, most_won
from ...forms.extensive import MAX_NODES as BUDGET
from ...forms.extensive import GameTree, build, revisits
from ...forms.hand_names import displayed_tree
from ...interop.trees import tree_of
from ...proof.reach import reaches
from ...proof.refinement import UNCHECKED, Refinement, refinement
from ...proof.sequential import SequentialVerdict, prove_sequential
from ...strategies.reached import support_tree, table_view
from ...strategies.sparse_profile import SparseProfile
from ...strategies.tree_profile import Strategy, TreeProfile
from .options import MAX_NODES, VIEWS, DrawOptions

if TYPE_CHECKING:
    from ...equilibria.solution import Solution
    from ...interop.trees import GameLike
    from ...proof import Verdict

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
class DrawnStrategies:
    """Strategies of all players, with a caption, and with the verdict that the caption states.

    ``form`` is None if no strategies were found. ``equilibrium``: whether a player's strategies are an equilibrium.
    ``refined``, ``place`` and ``off_path`` are as in ``DrawnSubject``. ``solution``: the solution that was computed for
    the picture, which may have more equilibria.
    """

    form: TreeProfile | SparseProfile | None
    caption: str
    equilibrium: bool = False
    verdict: Verdict | None = None
    refined: SequentialVerdict | None = None
    place: str = ""
    off_path: Refinement = UNCHECKED
    solution: Solution | None = None

    @property
    def tree(self) -> GameTree | None:
        return None if self.form is None else self.form.tree

    @property
    def profile(self) -> TreeProfile | None:
        return None if self.form is None else self.form.tree_profile

    @property
    def sparse(self) -> SparseProfile | None:
        return None if self.form is None else self.form.sparse_profile


@dataclass(frozen=True)
class DrawnSubject:
    """The tree to draw, its profile, and the caption, which is empty if nothing was verified.

    ``refined`` is the proof that the profile is a sequential equilibrium. ``sparse`` contains strategies found without
    a tree. ``view`` is the view for which the tree was made. ``place`` and ``off_path`` are as in ``Solution``.
    ``only_played``: whether the tree is a support tree, which has only the moves of positive probability.
    """

    tree: GameTree
    profile: TreeProfile | None
    caption: str
    verdict: Verdict | None = None
    refined: SequentialVerdict | None = None
    sparse: SparseProfile | None = None
    view: str = VIEWS[0]
    place: str = ""
    off_path: Refinement = UNCHECKED
    only_played: bool = False

    @cached_property
    def sequential(self) -> SequentialVerdict | None:
        """The proof of a sequential equilibrium, with beliefs off the equilibrium path; None if there is no proof."""
        if self.refined or self.profile is None or self.verdict is None or not self.verdict.equilibrium:
            return self.refined
        return prove_sequential(self.profile) or refinement(self.profile).proof

    @cached_property
    def on_whole_tree(self) -> DrawnSubject:
        """This subject on the game's whole tree, if its strategies were found without a tree."""
        if self.sparse is None:
            return self
        tree = build(self.sparse.game)
        return replace(self, tree=tree, profile=self.sparse.on(tree), only_played=False)

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
    own = strategies_in(shown)
    playing = own if given is None else strategies_in(given)
    tree: Any = _tree_of(shown) if own is None else getattr(shown, "tree", None)
    sparse = own.sparse if tree is None and own is not None else None
    if view == "table":
        return _table_of(tree, playing, max_nodes)
    if given is not None and playing is None:
        raise ParameterError(f"expected a solution or a profile, not {kind_of(given)}")
    if sparse is not None:
        budget = max_nodes
        if view is None and not (part and sparse.game.deal_count <= MAX_NODES):
            budget = min(max_nodes, MAX_NODES)
        try:
            tree = support_tree(sparse, max_nodes=budget)
        except TreeTooLargeError:
            if view not in (None, "sheet"):
                raise
            return _table_of(None, own, max_nodes, view or "table")
    check_kind(
        "draw", tree if tree is not None else shown, GameTree, "a tree or a solution", "eb.build(game) makes a tree"
    )
    if playing is None:
        return DrawnSubject(tree, None, "", view=view or VIEWS[0])
    drawn = _drawn_on(tree, _fitting(tree, playing), playing, view or VIEWS[0])
    return replace(drawn, only_played=sparse is not None)


def strategies_in(given: Any) -> DrawnStrategies | None:
    """Return the strategies to draw if *given* is a profile, a solution or a subject; otherwise None."""
    if isinstance(given, Strategy):
        form = given.tree_profile if given.tree_profile is not None else given.sparse_profile
        return None if form is None else DrawnStrategies(form, "")
    if not hasattr(given, "profile"):
        return None
    names = ("caption", "verdict", "refined", "place", "off_path")
    known = {name: getattr(given, name) for name in names if hasattr(given, name)}
    sparse = getattr(given, "sparse", None)
    form = given.profile if sparse is None else sparse
    return DrawnStrategies(form, **{"caption": "", **known})


def drawable(given: Drawable) -> GameTree | Playable:
    """Return *given* if it is a tree or contains strategies, otherwise its tree. Raises ``ParameterError``."""
    return _tree_of(given) if strategies_in(given) is None else cast("Playable", given)


def _tree_of(given: Drawable) -> GameTree:
    return tree_of("draw", given, "a tree or a solution")


def _table_of(
    tree: GameTree | None, playing: DrawnStrategies | None, max_nodes: int, view: str = "table"
) -> DrawnSubject:
    if playing is None or playing.sparse is None:
        way = "'efg-builder solve GAME --method oracle -o FILE' (eb.solve(game, \"oracle\"))"
        need = "this view needs strategies found without a tree"
        raise ParameterError(f"view='table': {need}; {way} finds them for bidding games")
    if tree is not None and tree.title != playing.sparse.game.title:
        raise _other(playing.sparse.game.title, tree)
    seen = table_view(playing.sparse, max_nodes=max_nodes)
    return _drawn_on(seen.tree, seen, playing, view)


def _drawn_on(tree: GameTree, profile: TreeProfile | None, playing: DrawnStrategies, view: str) -> DrawnSubject:
    caption, verdict, refined, place = playing.caption, playing.verdict, playing.refined, playing.place
    if not caption and verdict is not None:
        caption = caption_of(tree.players, verdict, refined is not None, place, playing.off_path)
    return DrawnSubject(tree, profile, caption, verdict, refined, playing.sparse, view, place, playing.off_path)


def _fitting(tree: GameTree, playing: DrawnStrategies) -> TreeProfile | None:
    sparse, profile = playing.sparse, playing.profile
    if sparse is not None:
        if sparse.game.title != tree.title:
            raise _other(sparse.game.title, tree)
        return sparse.on(tree)
    if profile is not None and profile.tree is not tree:
        same = profile.tree.infosets == tree.infosets and np.array_equal(profile.tree.infoset, tree.infoset)
        if not same or not np.array_equal(profile.tree.action, tree.action):
            raise _other(profile.tree.title, tree)
    return profile


def _other(title: str, tree: GameTree) -> ProfileError:
    return ProfileError(f"the profile is for another game ({title!r}, not {tree.title!r})")
