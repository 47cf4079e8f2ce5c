"""The viewer of game trees: a part of a page, or a self-contained page.

Its data are exact probabilities as text; the page computes reach probabilities, beliefs and values.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, cast

from ...base.errors import (
    NotApplicableError,
    ParameterError,
    ProfileError,
    RecallError,
    check_kind,
    nearest,
)
from ...base.files import write_atomically
from ...base.rationals import Number, brief, text
from ...base.words import distinct, minus
from ...equilibria.ranges import Ranges
from ...forms.extensive import CHANCE, GameTree, constant_sum
from ...forms.hand_names import Label, displayed, relabelled
from ...forms.public_tree import PublicTree, public_tree
from ...proof import best_response
from ...proof.reach import beliefs, reaches
from ...proof.sequential import SequentialVerdict
from ...strategies.sparse_profile import SparseProfile
from ...strategies.tree_profile import TreeProfile
from ..markup import render
from ..trees.options import PAGE_VIEWS
from ..trees.subject import Drawable, Playable, drawable, subject_of
from ..trees.tree_facts import proper_subgames
from .explore import MOST_NODES, explore_data
from .page import Part, check_page, page

FORMAT = 1
"""The version of the data format; the scripts reject any other version."""

MOST_EQUILIBRIA = 20
"""The maximum number of equilibria of one solution on a page."""


@dataclass(frozen=True, eq=False)
class Shown:
    """A profile on the page, with its name in the list of profiles.

    ``ranges`` contains the lowest and the highest probability over all equilibria, by information set and action.
    ``refuted`` is as in ``proof.refinement.Refinement``. ``beliefs`` are the beliefs of a sequential
    equilibrium's proof, by node, at unreached information sets with several nodes.
    """

    name: str
    profile: TreeProfile
    caption: str = ""
    ranges: Mapping[tuple[int, int], tuple[Number, Number]] | None = None
    refuted: Set[int] = frozenset()
    beliefs: Mapping[int, Number] = field(default_factory=dict)


def write_viewer(
    tree: Drawable,
    path: str | os.PathLike[str],
    shown: Mapping[str, Playable] | None = None,
    *,
    ranges: Ranges | None = None,
    view: str | None = None,
) -> Path:
    """Write a page that shows a tree in any browser, without network access.

    The page can fold and unfold the tree, search it and compare profiles.

    Parameters
    ----------
    tree : GameLike, Solution, TreeProfile or SparseProfile
        A tree, any other argument of ``build``, a solution or a profile. Strategies without a tree are shown on the
        game's whole tree up to 50,000 nodes; in a larger game, the page has only the moves that are played.
    path : path-like
        The path of the page, a ``.html`` file.
    shown : mapping of str to Solution, TreeProfile or SparseProfile, optional
        Solutions and profiles to choose from, by their names on the page. Default: *tree*, if it has strategies. A
        solution with several equilibria has an entry for each, such as ``"solution 1 of 4"``.
    ranges : Ranges, optional
        The result of ``eb.ranges``: the page shows the range of each probability over all equilibria.
    view : str, optional
        The first view of the page: ``"tree"`` (every node), ``"public"`` (the public histories) or ``"explore"``
        (probabilities to move). The default is ``"public"`` if there is a public tree, and the tree has more than 60
        nodes or the window is small.

    Returns
    -------
    Path
        The page.

    Raises
    ------
    ParameterError
        If the suffix or *view* is invalid, or if *ranges* are for another tree or given without a solution.
    ProfileError
        If a profile is for another tree.
    NotApplicableError
        If *view* is ``"public"`` and a player does not see all moves.
    FileError
        If the file cannot be written.

    Examples
    --------
    >>> import efg_builder as eb
    >>> eb.write_viewer(eb.solve("kuhn"), "kuhn.html").name
    'kuhn.html'
    """
    check_page(path, "a viewer")
    return write_atomically(path, [viewer_text(tree, shown, ranges=ranges, view=view).encode("utf-8")])


def viewer_text(
    tree: Drawable,
    shown: Mapping[str, Playable] | None = None,
    *,
    ranges: Ranges | None = None,
    view: str | None = None,
) -> str:
    """Return the page of ``write_viewer`` as HTML. Raises the errors of ``write_viewer``, except ``FileError``."""
    tree = drawable(tree)
    first = subject_of(tree)
    if first.only_played and first.sparse is not None and fits_explore(first.sparse):
        first = first.on_whole_tree
    if shown is not None:
        check_kind("write_viewer", shown, Mapping, "solutions by name", 'an example is {"equilibrium": solution}')
    if shown is None:
        shown = {} if tree is first.tree else {"solution": cast("Playable", tree)}
    shown = {name: one for given, several in shown.items() for name, one in _each(given, several)}
    if ranges is not None:
        check_kind("write_viewer", ranges, Ranges, "ranges", "eb.ranges(game) finds the ranges")
    if ranges is not None and ranges.tree.infosets != first.tree.infosets:
        raise ParameterError(f"the ranges are for another tree: {ranges.tree.title!r}, not {first.tree.title!r}")
    if ranges is not None and not shown:
        raise ParameterError("ranges are shown beside probabilities, so give a solution")
    shares = None if ranges is None else ranges.shares
    entries = [shown_on(first.tree, given, name, shares) for name, given in shown.items()]
    label = displayed(first.sparse.game) if first.sparse else None
    return _text(first.tree, entries, view, label, first.only_played)


def fits_explore(profile: SparseProfile) -> bool:
    """Return whether Explore has room for the whole tree of the game of *profile*.

    A page then shows the whole tree, because best responses need the moves that *profile* never makes, too.
    """
    return profile.game.size().nodes <= MOST_NODES


def _each(name: str, given: Playable) -> list[tuple[str, Playable]]:
    """Return *given* under *name*; a solution with several equilibria is several entries, unless one was picked."""
    if getattr(given, "number", 0) != 1:
        return [(name, given)]
    return each_equilibrium(name, given, given.pick)  # type: ignore[union-attr]


def each_equilibrium(name: str, first: Any, pick: Callable[[int], Any]) -> list[tuple[str, Any]]:
    """Return the first equilibria by name if *first* has a place such as ``"1 of 4"``, otherwise only *first*.

    *pick* returns the equilibrium of a number, from 1.
    """
    count = int(first.place.rpartition(" ")[2]) if first.place else 1
    if count < 2:
        return [(name, first)]
    return [(f"{name} {one.place}", one) for one in map(pick, range(1, min(count, MOST_EQUILIBRIA) + 1))]


def shown_on(
    tree: GameTree,
    given: Playable,
    name: str,
    ranges: Mapping[tuple[int, int], tuple[Number, Number]] | None = None,
) -> Shown:
    """Return a solution or a profile as an entry on the page; the caption is its verdict.

    Raises ``ParameterError`` if there is no profile, and ``ProfileError`` if the profile is for another tree.
    """
    subject = subject_of(tree, given)
    if subject.profile is None:
        raise ParameterError(f"{name}: no profile was found, so there is nothing to show")
    profile = TreeProfile(tree, subject.profile.probabilities)
    return Shown(name, profile, subject.caption, ranges, subject.off_path.refuted, _unreached(profile, subject.refined))


def _unreached(profile: TreeProfile, proof: SequentialVerdict | None) -> dict[int, Number]:
    """Return the beliefs of *proof* at unreached information sets with several nodes."""
    if proof is None:
        return {}
    tree, sizes = profile.tree, Counter(profile.tree.infoset.tolist())
    known = enumerate(beliefs(tree, reaches(tree, profile)))
    several = (node for node, belief in known if belief is None and sizes[int(tree.infoset[node])] > 1)
    return {node: proof.beliefs[node] for node in several if node in proof.beliefs}


def exploiters(shown: Shown) -> list[Shown]:
    """Return, for each player with perfect recall, a best response to the other players' strategies in *shown*.

    At information sets that the other players never reach, the player plays as in *shown*.
    """
    profile = shown.profile
    tree, responses = profile.tree, []
    for player, who in enumerate(tree.players):
        try:
            best = best_response(profile, player)
        except RecallError:
            continue
        rows = {k: profile.probabilities[k] for k in tree.personal}
        for k, action in best.actions.items():
            rows[k] = tuple(Fraction(a == action) for a in range(len(rows[k])))
        caption = f"{who} plays a best response to {shown.name}: payoff {minus(brief(best.value))} to {who}"
        responses.append(Shown(f"{who} exploits {shown.name}", TreeProfile.from_personal(tree, rows), caption))
    return responses


def all_different(shown: list[Shown]) -> list[Shown]:
    """Return the entries, renamed where necessary so that no two names are equal."""
    names = distinct([each.name for each in shown])
    return [replace(each, name=name) for name, each in zip(names, shown, strict=True)]


def view_data(
    tree: GameTree,
    shown: Sequence[Shown] = (),
    view: str | None = None,
    label: Label | None = None,
    only_played: bool = False,
) -> dict[str, Any]:
    """Return the data of the viewer as JSON values.

    *label* returns the displayed name of a hand; by default, the tree's rules determine this name. If a displayed name
    differs from the name in files, ``typed`` maps it to the name in files, so that a search finds both names.

    The keys of the data are:

    - ``infoset`` and ``outcome``: for each node in prefix order, its index into ``infosets`` or ``outcomes``, or -1 for
      none. These two lists determine the tree.
    - ``infosets``: [player (-1: chance), label, [actions as indices into ``labels``]]. A chance entry also has a
      list of probabilities.
    - ``public``: the public tree, or null. If it is null, ``no_public`` is the reason.
    - ``solutions``: the profiles. Their ``probabilities`` are indices into ``numbers``, in a list for each information
      set (null for chance).
      ``refuted`` contains the nodes that a negative verdict off the path names, and ``beliefs`` has pairs of
      a node and an index into ``numbers``, for the beliefs of a proof off the path; both are missing if empty.
    - ``subgames``: the first nodes of the proper subgames; missing if there are none, or if every node is one.
    - ``view``: the first view of the page, if *view* is given.
    - ``rules``, ``settings``, ``bluffs`` and ``only_played``: as in ``explore_data``.

    Raises ``ProfileError`` if a profile is for another tree, and ``ParameterError`` if *view* is unknown. Raises
    ``NotApplicableError`` if *view* is public and there is no public tree.
    """
    labels: dict[str, int] = {}
    infosets: list[list[Any]] = []
    named = relabelled(tree, label or displayed(tree.game))
    for infoset, name in zip(named.infosets, named.names, strict=True):
        actions = [labels.setdefault(action, len(labels)) for action in infoset.actions]
        row = [infoset.player, name, actions]
        infosets.append([*row, [text(p) for p in infoset.probabilities]] if infoset.probabilities else row)
    sum_ = constant_sum(tree)
    data: dict[str, Any] = {
        "format": FORMAT,
        "title": tree.title,
        "comment": named.comment,
        "players": list(tree.players),
        "constant_sum": None if sum_ is None else text(sum_),
        "infoset": tree.infoset.tolist(),
        "outcome": tree.outcome.tolist(),
        "node_labels": {str(node): label for node, label in tree.node_labels.items()},
        "outcomes": [[outcome.label, [text(paid) for paid in outcome.payoffs]] for outcome in tree.outcomes],
        "infosets": infosets,
    }
    if named is not tree:
        pairs = ((named.names[k].partition(":")[0], tree.names[k].partition(":")[0]) for k in tree.personal)
        data["typed"] = {shown: hand for shown, hand in pairs if shown != hand}
    try:
        data["public"] = _public(public_tree(named), labels)
    except NotApplicableError as error:
        if view == "public":
            raise NotApplicableError(f'view="public": {error}') from None
        data |= {"public": None, "no_public": str(error)}
    if view is not None:
        if view not in PAGE_VIEWS:
            raise ParameterError(f"view={view!r}: {nearest(view, PAGE_VIEWS)}")
        data["view"] = view
    if begins := proper_subgames(tree):
        data["subgames"] = sorted(begins)
    numbers: dict[str, int] = {}
    data["solutions"] = [_solution(tree, each, numbers) for each in shown]
    return data | explore_data(tree, only_played) | {"labels": list(labels), "numbers": list(numbers)}


def _public(public: PublicTree, labels: dict[str, int]) -> dict[str, Any]:
    return {
        "of": public.of.tolist(),
        "parent": public.parent.tolist(),
        "moves": [labels.setdefault(move, len(labels)) for move in public.moves],
        "player": public.player.tolist(),
        "infosets": [list(sets) for sets in public.infosets],
        "hands": [list(public.hands(history)) for history in range(len(public))],
    }


def _solution(tree: GameTree, shown: Shown, numbers: dict[str, int]) -> dict[str, Any]:
    if shown.profile.tree is not tree:
        raise ProfileError(f"the profile {shown.name!r} is for another tree ({shown.profile.tree.title!r})")
    rows = [
        None if infoset.player == CHANCE else [_number(p, numbers) for p in row]
        for infoset, row in zip(tree.infosets, shown.profile.probabilities, strict=True)
    ]
    ranges = None
    if shown.ranges is not None:
        pairs = shown.ranges.items()
        ranges = [[k, a, _number(low, numbers), _number(high, numbers)] for (k, a), (low, high) in sorted(pairs)]
    found: dict[str, Any] = {"name": shown.name, "caption": shown.caption, "probabilities": rows, "ranges": ranges}
    if shown.refuted:
        found["refuted"] = sorted(shown.refuted)
    if shown.beliefs:
        found["beliefs"] = [[node, _number(p, numbers)] for node, p in shown.beliefs.items()]
    return found


def _number(value: Number, numbers: dict[str, int]) -> int:
    return numbers.setdefault(text(value), len(numbers))


def viewer_part(
    tree: GameTree,
    shown: Sequence[Shown] = (),
    *,
    whole: bool = False,
    view: str | None = None,
    label: Label | None = None,
    only_played: bool = False,
) -> Part:
    """Return the viewer of *tree*, with the profiles in *shown*, as a part of a page.

    If *whole*, the viewer fills the window. *view* is the first view, as in ``write_viewer``. *only_played* is as in
    ``DrawnSubject``. Raises the errors of ``view_data``.
    """
    body = render("viewer.html", whole=whole, title=tree.title)
    return Part(body, ("viewer.css",), ("viewer.js",), {"view-data": view_data(tree, shown, view, label, only_played)})


def write_shown(
    tree: GameTree,
    shown: Sequence[Shown],
    path: str | os.PathLike[str],
    view: str | None = None,
    label: Label | None = None,
    only_played: bool = False,
) -> Path:
    """Write the viewer of *tree* with the profiles in *shown* to *path*, a ``.html`` file.

    *only_played* is as in ``DrawnSubject``. Equal trees and profiles give equal bytes. Raises the errors of
    ``view_data`` and ``check_page``.
    """
    check_page(path, "a viewer")
    return write_atomically(path, [_text(tree, shown, view, label, only_played).encode("utf-8")])


def _text(tree: GameTree, shown: Sequence[Shown], view: str | None, label: Label | None, only_played: bool) -> str:
    part = viewer_part(tree, shown, whole=True, view=view, label=label, only_played=only_played)
    return page(tree.title or "Game tree", part)
