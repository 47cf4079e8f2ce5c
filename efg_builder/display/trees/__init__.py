"""Pictures of game trees. Each module that writes file formats lists them in ``FORMATS``."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias, Unpack, cast, overload

import numpy as np

from ...base.errors import (
    NotApplicableError,
    ParameterError,
    PictureTooLargeError,
    PictureTooSmallError,
    ProfileError,
    TreeTooLargeError,
    check_kind,
    kind_of,
)
from ...base.files import REPLACED, check_path, write_atomically
from ...base.parameters import collect
from ...base.rationals import Number
from ...base.words import LONG, above, amount, minus, most_won
from ...forms.extensive import MAX_NODES as BUDGET
from ...forms.extensive import GameTree
from ...forms.hand_names import displayed_tree
from ...interop.trees import subject, tree_of
from ...proof.sequential import SequentialVerdict, prove_sequential
from ...strategies.reached import support_tree, table_view
from ...strategies.sparse_profile import SparseProfile, sparse_of
from ...strategies.tree_profile import Strategy, TreeProfile
from .options import MAX_NODES, VIEWS, DrawOptions, DrawSettings, Style, options_of
from .payoff_tables import fit_game
from .public_play import PublicPlay
from .public_view import fit_public
from .scene import Box, Format, Mark, Scene, Stroke, Text
from .sheet import Fitted
from .svg import write_svg
from .tree_view import TABLE_NODES, fit_tree, reach_that_fits

if TYPE_CHECKING:
    from ...equilibria.solution import Solution
    from ...interop.trees import GameLike
    from ...proof import Verdict

__all__ = ["MAX_NODES", "VIEWS", "Box", "DrawOptions", "Format", "Mark", "Picture", "Scene", "Stroke", "Style", "Text"]

_DEFAULT = DrawOptions()
NOTEBOOK_NODES = 600  # the maximum number of nodes in a notebook's folded picture, so that other cells stay in view
SOURCES = (".tex", ".gv", ".dot")  # source files, for editing by hand; by default their size has no limit


def formats() -> MappingProxyType[str, Format]:
    return collect(__name__, "FORMATS")


def scene_of(tree: Drawable | Subject, profile: Playable | None = None, options: DrawOptions = _DEFAULT) -> Scene:
    """Return the picture of *tree* with *profile*, independent of the file format. Raises the errors of ``fit``."""
    return fit(tree, profile, options).scene


def fit(tree: Drawable | Subject, profile: Playable | None = None, options: DrawOptions = _DEFAULT) -> Fitted:
    """Return the layout and the size of the picture of *tree* with *profile*.

    Without ``options.caption``, a solution's verdict is the caption. Raises ``PictureTooLargeError`` if more than
    ``options.max_nodes`` nodes remain after folding, ``PictureTooSmallError`` if the text would be too small, and the
    errors of ``DrawOptions.check`` and ``subject_of``. For the public view, also raises ``NotApplicableError`` if a
    player does not see all moves.
    """
    given = tree if isinstance(tree, Subject) else subject_of(tree, profile, options.view)
    subject = given.displayed
    options.check(subject.profile is not None)
    if not options.caption:
        options = given.headed(options)
    play = cache(lambda: PublicPlay(subject.tree, subject.profile, subject.sparse, options.ranges))

    def fit_with(options: DrawOptions) -> Fitted:
        if options.all_ends:
            return fit_game(subject.tree, options)
        if options.view == "public":
            return fit_public(play(), options)
        # Both trees have the same node numbers, so use the cached proof for the given tree.
        return fit_tree(subject.tree, subject.profile, options, given.believed(options))

    try:
        return fit_with(options)
    except PictureTooLargeError as error:
        if subject.sparse is None or options.view != "tree":
            raise
        table = "--view table (view='table') averages over hands"
        hint = f"{table}; fold with --reach, or cut below a depth with --depth"
        raise PictureTooLargeError(error.nodes, error.limit, hint) from None
    except PictureTooSmallError as error:
        less = _draws_less(options, subject.profile is not None, fit_with)
        raise PictureTooSmallError(error.purpose, error.letters, error.least, error.hint + less) from None


def _draws_less(options: DrawOptions, played: bool, fit_with: Callable[[DrawOptions], Fitted]) -> str:
    """Return the end of an error message: settings that make the picture fit and hide as little as possible."""
    fits = [f"--{name} {value}" for name, value in _less(options, played, fit_with)]
    return f"; {' or '.join(fits)} {'make' if len(fits) > 1 else 'makes'} the picture smaller" if fits else ""


def _less(options: DrawOptions, played: bool, fit_with: Callable[[DrawOptions], Fitted]) -> Iterator[tuple[str, Any]]:
    ways: dict[str, list[Any]] = {"reach": [Fraction(0)], "view": ["public"]} if played else {}
    if played and options.view == "public":
        ways = {"reach": [Fraction(1, part) for part in (100, 50, 20, 10, 5, 3, 2)]}
    ways["depth"] = [depth for depth in (4, 3, 2, 1) if options.depth is None or depth < options.depth]
    for name, values in ways.items():
        for value in values:
            with suppress(PictureTooSmallError, PictureTooLargeError, NotApplicableError, ParameterError):
                fit_with(replace(options, **{name: value}))
                yield name, value
                break


def to_svg(tree: Drawable, profile: Playable | None = None, options: DrawOptions = _DEFAULT) -> str:
    """Return the picture as an SVG document. Raises the errors of ``scene_of``."""
    return write_svg(scene_of(tree, profile, options))


@dataclass(frozen=True, repr=False)
class Picture:
    """A picture for notebooks, the result of ``draw`` without a path.

    Jupyter, VS Code and Colab display a picture that ends a cell. ``str(picture)`` is SVG.

    Attributes
    ----------
    scene : Scene
        The shapes and texts of the picture.

    Examples
    --------
    >>> import efg_builder as eb
    >>> eb.draw("kuhn", depth=2)
    <Picture of 'Kuhn poker: 2 players, 3 cards', 720 x 685 pixels>
    """

    scene: Scene

    def __str__(self) -> str:
        return write_svg(self.scene)

    _repr_svg_ = __str__

    def __repr__(self) -> str:
        scene = self.scene
        width, height = (round(length * scene.scale) for length in (scene.width, scene.height))
        return f"<Picture of {scene.title!r}, {width} x {height} pixels>"


@overload
def draw(
    tree: Drawable | Subject,
    path: None = None,
    strategy: Playable | Named | None = None,
    options: DrawOptions | None = None,
    **settings: Unpack[DrawSettings],
) -> Picture: ...


@overload
def draw(
    tree: Drawable | Subject,
    path: str | os.PathLike[str],
    strategy: Playable | Named | None = None,
    options: DrawOptions | None = None,
    **settings: Unpack[DrawSettings],
) -> Path: ...


def draw(
    tree: Drawable | Subject,
    path: str | os.PathLike[str] | None = None,
    strategy: Playable | Named | None = None,
    options: DrawOptions | None = None,
    **settings: Unpack[DrawSettings],
) -> Path | Picture:
    """Draw a game tree, with or without strategies, to a file or for a notebook.

    Without a *path*, the size has no limit. A tree of more than ``max_nodes`` nodes is then folded, and the caption
    states this. If a solution was found without a tree, the picture shows the moves that the strategies make.

    Parameters
    ----------
    tree : GameLike, Solution, TreeProfile or SparseProfile
        A tree, any argument of ``build``, or strategies with their own tree.
    path : path-like, optional
        The file; its suffix selects the format: ``.svg``, ``.png``, ``.pdf``, ``.tex``, ``.gv`` or ``.dot``.
    strategy : Solution, Strategy, str, path or mapping, optional
        The strategies to draw on *tree*, in any form that ``evaluate`` accepts, such as ``"equilibrium"``.
    options : DrawOptions, optional
        The settings as one object, instead of keywords.
    **settings
        The fields of ``DrawOptions`` and of ``Style``, such as ``view="public"``, ``width=600``, ``colors="dark"``. As
        on the command line, ``solution`` is a solution or the path of its file, ``which`` is the number of an
        equilibrium of a solution that has several, and ``all`` is ``all_ends``.

    Returns
    -------
    Path or Picture
        The path of the file; without *path*, a picture for notebooks.

    Raises
    ------
    ParameterError
        If a suffix or a setting is invalid, or both *options* and settings are given.
    ProfileError
        If the strategies are for another game.
    PictureTooLargeError
        If more than ``max_nodes`` nodes remain and no folding fits.
    PictureTooSmallError
        If the text would be too small for the picture's purpose.
    NotApplicableError
        If the view is public and a player does not see all moves.
    FileError
        If the file cannot be written.

    Examples
    --------
    >>> import efg_builder as eb
    >>> solution = eb.solve("kuhn")
    >>> str(eb.draw(solution, values=True, direction="down"))[:4]
    '<svg'
    >>> eb.draw("kuhn", strategy="equilibrium")
    <Picture of 'Kuhn poker: 2 players, 3 cards', 720 x 918 pixels>
    """
    if options is not None and settings:
        raise ParameterError("options are given twice: in one object and as keywords")
    if options is not None:
        check_kind("draw", options, DrawOptions, "DrawOptions as options", "its fields may also be keywords")
    if "profile" in settings:  # the name of this setting in the previous release
        if strategy is not None:
            raise ParameterError("strategies are given twice: as strategy= and by its former name profile=")
        strategy = settings.pop("profile")  # type: ignore[typeddict-item]
    if "table" in settings:
        raise ParameterError("table=True is now view='table'")
    if "all" in settings:
        settings["all_ends"] = settings.pop("all")
    if (solution := settings.pop("solution", None)) is not None:
        if strategy is not None:
            raise ParameterError("strategies are given twice: as strategy= and as solution=")
        strategy = _stored(tree, solution)
    if (which := settings.pop("which", None)) is not None:
        tree, strategy = _picked(tree, strategy, which)
    chosen = options is not None or "view" in settings
    options = options_of(settings, "draw()") if options is None else options
    if isinstance(path, Strategy) or hasattr(path, "profile"):
        raise ParameterError(f"draw() takes the path of a file, not {kind_of(path)}; strategies are given as strategy=")
    if path is not None:
        check_path(path)
    if strategy is not None and not isinstance(strategy, TreeProfile | SparseProfile) and not _solved(strategy):
        tree, strategy = _played(tree, strategy), None
    profile = cast("Playable | None", strategy)
    if path is None:
        return _picture(tree, profile, options, options.view if chosen else None)
    suffix = Path(path).suffix.lower()
    by_suffix = {known: format_ for format_ in formats().values() for known in format_.suffixes}
    if suffix not in by_suffix:
        hint = "; eb.write_viewer writes pages" if suffix == ".html" else REPLACED.get(suffix, "")
        wrong = f"no picture format {suffix!r}" if suffix else "no suffix for the picture format"
        raise ParameterError(f"{path}: {wrong}; choose from: {', '.join(by_suffix)}{hint}")
    options = _free(options) if suffix in SOURCES else options
    return write_atomically(path, [by_suffix[suffix].render(scene_of(tree, profile, options))])


def _solved(given: object) -> bool:
    return hasattr(given, "profile")


def _played(shown: Drawable | Subject, strategy: object) -> Playable:
    from ...equilibria.solve import solve
    from ...players.find import Table, drawn_form, find

    about: Any = shown
    if isinstance(shown, Subject | Strategy) or _solved(shown):
        about = getattr(shown, "game", None) or about.tree
    about = subject("draw", about, "a tree or a solution")
    if isinstance(strategy, str) and strategy == "equilibrium":
        solution = solve(about)
        _ = solution.strategy  # raises an error if there is no strategy
        return solution
    table = Table(about)
    return drawn_form(strategy, find(strategy, table, "draw"), table)[1]


def _stored(tree: Drawable | Subject, solution: Solution | str | os.PathLike[str]) -> Solution:
    """Return *solution*, which may be the path of its file."""
    from ...equilibria.stored import read_solution

    if not isinstance(solution, str | os.PathLike):
        return solution
    return read_solution(solution, None if isinstance(tree, Subject) else drawable(tree))  # type: ignore[arg-type]


def _picked(tree: Any, strategy: Any, which: int) -> tuple[Any, Any]:
    """Return *tree* and *strategy*, where the solution shows its equilibrium number *which*."""
    for given in (strategy, tree):
        if hasattr(given, "pick"):
            return (tree, given.pick(which)) if given is strategy else (given.pick(which), None)
    raise ParameterError(f"which={which!r}: only a solution has numbered equilibria, e.g. eb.solve(game, 'extreme')")


def _free(options: DrawOptions) -> DrawOptions:
    """Return *options* without a size limit, unless they specify a purpose."""
    if options.style.purpose != "auto":
        return options
    return replace(options, style=replace(options.style, purpose="free"))


def _picture(tree: Drawable | Subject, profile: Playable | None, options: DrawOptions, view: str | None) -> Picture:
    """Return the picture for a notebook. Fold a tree that is too large, unless *options* already fold it."""
    options, whole = _free(options), options.reach is None and options.depth is None
    subject = tree if isinstance(tree, Subject) else subject_of(tree, profile, view, part=not whole)
    options = replace(options, view="table") if subject.view == "table" else options
    if whole and options.view == "table" and subject.profile is not None:
        most = TABLE_NODES if view is None else MAX_NODES
        options = replace(options, reach=reach_that_fits(subject.profile, options, most))
    try:
        return Picture(scene_of(subject, options=options))
    except PictureTooLargeError:
        played = subject.profile is not None and not options.all_ends
        small = replace(options, max_nodes=min(NOTEBOOK_NODES, options.max_nodes or NOTEBOOK_NODES))
        less = next(_less(small, played, lambda options: fit(subject, options=options)), None)
        if not whole or less is None:
            raise
    name, value = less
    part = f"drawn with {name}={value}, as the tree has {len(subject.tree):,} nodes"
    options = options if options.caption else subject.headed(options)
    caption = "; ".join(filter(None, [options.caption, part]))
    return Picture(scene_of(subject, options=replace(options, caption=caption, **{name: value})))


# --- the subject of a picture: a tree, a profile and the caption


MOST_NAMED = 3  # the maximum number of players whose names accompany the payoffs beside the title


def caption_of(players: tuple[str, ...], verdict: Verdict, sequential: bool = False, place: str = "") -> str:
    """Return the kind of equilibrium with its payoffs, or an upper bound on the gain from deviating.

    *place*: the number of the equilibrium among several, such as ``"1 of 4"``.
    """
    if verdict.equilibrium:
        return f"{_kind(verdict, sequential, place)}, {payoffs_of(players, verdict.value, verdict.lower is not None)}"
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


def _kind(verdict: Verdict, sequential: bool, place: str) -> str:
    kind = f"{'exact ' if verdict.exact else ''}{'sequential ' if sequential else ''}equilibrium {place}".rstrip()
    return kind[0].upper() + kind[1:]


Playable: TypeAlias = "TreeProfile | Solution | SparseProfile"
"""Strategies to draw on a tree."""

Named: TypeAlias = "Strategy | str | os.PathLike[str] | Mapping[str, Any]"
"""Strategies in any form that ``evaluate`` accepts: a name, a file, a mapping or a strategy object."""

Drawable: TypeAlias = "GameLike | Solution | TreeProfile | SparseProfile"
"""A tree, an argument of ``build``, or strategies with their own tree."""


@dataclass(frozen=True)
class Subject:
    """The tree to draw, its profile, and the caption, which is empty if nothing was verified.

    ``refined`` is the proof that the profile is a sequential equilibrium. ``sparse`` contains strategies found without
    a tree. ``view`` is the view for which the tree was made. ``place`` is as in ``Solution``.
    """

    tree: GameTree
    profile: TreeProfile | None
    caption: str
    verdict: Verdict | None = None
    refined: SequentialVerdict | None = None
    sparse: SparseProfile | None = None
    view: str = VIEWS[0]
    place: str = ""

    @cached_property
    def sequential(self) -> SequentialVerdict | None:
        """The proof of a sequential equilibrium, with beliefs off the equilibrium path; None if there is no proof."""
        if self.refined or self.profile is None or self.verdict is None or not self.verdict.equilibrium:
            return self.refined
        return prove_sequential(self.profile)

    @cached_property
    def displayed(self) -> Subject:
        """This subject, with the display names of hands."""
        played = self.sparse or self.profile
        tree = displayed_tree(self.tree, played.game if played else None)
        if tree is self.tree:
            return self
        return replace(self, tree=tree, profile=self.profile and TreeProfile(tree, self.profile.probabilities))

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
        return replace(options, caption=_kind(found, self.refined is not None, self.place), result=result)


def subject_of(
    shown: Drawable,
    given: Playable | None = None,
    view: str | None = VIEWS[0],
    *,
    max_nodes: int = BUDGET,
    part: bool = False,
) -> Subject:
    """Return the tree *shown* with the profile *given*; a solution or a profile alone supplies its own tree.

    Strategies that were found without a tree get a support tree of at most *max_nodes* nodes, or a public tree if
    *view* is ``"table"``. If *view* is None, a public tree replaces a support tree that is too large. The
    limit is then at most ``MAX_NODES`` nodes, unless *part* is true and the game has at most ``MAX_NODES`` deals.

    Raises ``ProfileError`` if the profile is for another tree, and ``TreeTooLargeError`` if a tree is too large. Raises
    ``ParameterError`` for other types, or for ``"table"`` without sparse strategies.
    """
    shown = drawable(shown)  # now a tree or strategies
    if view == "table":
        return _table_of(shown, given if given is not None else shown, max_nodes)
    if given is not None and not isinstance(given, TreeProfile | SparseProfile) and not _solved(given):
        raise ParameterError(f"expected a solution or a profile, not {kind_of(given)}")
    if isinstance(shown, GameTree):
        if given is None:
            return Subject(shown, None, "", view=view or VIEWS[0])
        known = (_verdict_of(shown, given), getattr(given, "verdict", None), getattr(given, "refined", None))
        place = getattr(given, "place", "")
        return Subject(shown, _fitting(shown, given), *known, sparse_of(given), view or VIEWS[0], place)
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
    """Return *given* if it is a tree or contains strategies, otherwise its tree. Raises ``ParameterError``."""
    if isinstance(given, GameTree | TreeProfile | SparseProfile) or hasattr(given, "profile"):
        return cast("GameTree | Playable", given)
    return tree_of("draw", given, "a tree or a solution")


def _table_of(shown: object, given: object, max_nodes: int) -> Subject:
    sparse = sparse_of(given)
    if sparse is None:
        way = "'efg-builder solve GAME --method oracle -o FILE' (eb.solve(game, \"oracle\"))"
        need = "this view needs strategies found without a tree"
        raise ParameterError(f"view='table': {need}; {way} finds them for bidding games")
    if isinstance(shown, GameTree) and shown.title != sparse.game.title:
        raise _other(sparse.game.title, shown)
    seen = table_view(sparse, max_nodes=max_nodes)
    known = (_verdict_of(seen.tree, given), getattr(given, "verdict", None))
    return Subject(seen.tree, seen, *known, sparse=sparse, view="table")


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
    verdict: Verdict | None = getattr(given, "verdict", None)
    if verdict is None:
        return ""
    return caption_of(tree.players, verdict, getattr(given, "refined", None) is not None, getattr(given, "place", ""))
