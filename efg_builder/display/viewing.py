"""The page that shows a tree: what is put into it to look at and to switch between."""

from __future__ import annotations

import os
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

from ..base.errors import ParameterError
from ..base.naming import distinct
from ..base.rationals import Number, brief
from ..equilibria.ranges import Ranges
from ..forms.extensive import GameTree
from ..proof import best_response
from ..strategies.sparse_profile import SparseProfile
from ..strategies.tree_profile import Profile
from .pages.payload import Shown
from .pages.viewer import write_viewer as _write
from .trees.subject import HasProfile, HasTree, subject_of

Playable = Profile | HasProfile | SparseProfile


def write_viewer(
    tree: GameTree | HasTree | Profile | SparseProfile,
    path: str | os.PathLike[str],
    shown: Mapping[str, Playable] | None = None,
    *,
    ranges: Ranges | None = None,
) -> Path:
    """Write *path*, a ``.html`` file that shows *tree* in any browser, without a request to anywhere.

    *shown*: solutions or profiles to switch between and compare, by the names that the page gives them. A solution or
    profile alone is shown on its own tree: ``write_viewer(solution, "game.html")``. *ranges*, of
    ``ranges``, tells beside each probability what it can be over all equilibria.

    Raises ``ParameterError`` for another suffix, for *ranges* of another tree or where nothing is shown, ``FileError``
    where the path cannot be written, and ``ProfileError`` for another tree's profile.
    """
    first = subject_of(tree)
    if shown is None:
        shown = {} if isinstance(tree, GameTree) else {"solution": tree}
    if ranges is not None and ranges.tree.infosets != first.tree.infosets:
        raise ParameterError(f"ranges of another tree: {ranges.tree.title!r}, not {first.tree.title!r}")
    if ranges is not None and not shown:
        raise ParameterError("ranges stand beside probabilities: give a solution to show with them")
    shares = None if ranges is None else ranges.shares
    entries = [shown_on(first.tree, given, name, shares) for name, given in shown.items()]
    return _write(first.tree, entries, path)


def shown_on(
    tree: GameTree,
    given: Playable,
    name: str,
    ranges: Mapping[tuple[int, int], tuple[Number, Number]] | None = None,
    caption: str | None = None,
) -> Shown:
    """A solution or profile as an entry of the page, with its verdict for a caption unless that is another.

    Raises ``ParameterError`` where there is no profile in it, ``ProfileError`` for one of another tree.
    """
    subject = subject_of(tree, given)
    if subject.profile is None:
        raise ParameterError(f"{name}: no profile was found, so there is nothing to show")
    said = subject.caption if caption is None else caption
    return Shown(name, Profile(tree, subject.profile.probabilities), said, ranges)


def exploiters(shown: Shown) -> list[Shown]:
    """For each player a best response to what is *shown* of the others, who play on as they do.

    Where the others never let play get, the player does as shown. Raises ``NotApplicableError`` without perfect
    recall.
    """
    profile = shown.profile
    tree, found = profile.tree, []
    for player, who in enumerate(tree.players):
        best = best_response(profile, player)
        rows = {k: profile.probabilities[k] for k in tree.personal}
        for k, action in best.actions.items():
            rows[k] = tuple(Fraction(a == action) for a in range(len(rows[k])))
        caption = f"{who} plays a best response to {shown.name}: worth {brief(best.value).replace('-', '−')} to {who}"
        found.append(Shown(f"{who} exploits {shown.name}", Profile.from_personal(tree, rows), caption))
    return found


def all_different(shown: list[Shown]) -> list[Shown]:
    """The same entries, with names that differ."""
    names = distinct([each.name for each in shown])
    return [Shown(name, s.profile, s.caption, s.ranges) for name, s in zip(names, shown, strict=True)]
