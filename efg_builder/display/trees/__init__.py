"""Pictures of game trees. Each module that writes file formats lists them in ``FORMATS``."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Unpack, cast, overload

from ...base.errors import ParameterError, check_kind, kind_of
from ...base.files import PAGES, REPLACED, check_path, write_atomically
from ...base.parameters import collect
from ...interop.trees import as_subject
from ...strategies.tree_profile import Strategy
from .choose import NOTEBOOK, Shown, Views, fit, picture
from .options import MAX_NODES, VIEWS, DrawOptions, DrawSettings, Style, options_of
from .scene import Box, Format, Mark, Scene, Stroke, Text
from .subject import Drawable, DrawnSubject, Named, Playable, drawable, strategies_in, subject_of
from .svg import write_svg

if TYPE_CHECKING:
    from ...equilibria.solution import Solution

__all__ = ["MAX_NODES", "VIEWS", "Box", "DrawOptions", "Format", "Mark", "Picture", "Scene", "Stroke", "Style", "Text"]

_DEFAULT = DrawOptions()
SOURCES = (".tex", ".gv", ".dot")  # source files, for editing by hand; by default their size has no limit


def formats() -> MappingProxyType[str, Format]:
    return collect(__name__, "FORMATS")


def scene_of(tree: Drawable, profile: Playable | None = None, options: DrawOptions = _DEFAULT) -> Scene:
    """Return the picture of *tree* with *profile*, independent of the file format.

    Without ``options.caption``, a solution's verdict is the caption. Raises the errors of ``DrawOptions.check``,
    ``subject_of`` and ``choose.fit``.
    """
    subject = subject_of(tree, profile, options.view)
    return fit(Views(subject, _headed(subject, options))).scene


def _headed(subject: DrawnSubject, options: DrawOptions) -> DrawOptions:
    return options if options.caption else subject.headed(options)


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
    page : str
        With ``view="explore"``, the page that a notebook shows instead of the picture, as HTML; otherwise empty.

    Examples
    --------
    >>> import efg_builder as eb
    >>> eb.draw("kuhn", depth=2)
    <Picture of 'Kuhn poker: 2 players, 3 cards', 720 x 685 pixels>
    """

    scene: Scene
    page: str = ""

    def __str__(self) -> str:
        return write_svg(self.scene)

    _repr_svg_ = __str__

    def _repr_html_(self) -> str | None:
        from ..markup import render

        return str(render("frame.html", page=self.page)) if self.page else None

    def __repr__(self) -> str:
        scene = self.scene
        width, height = (round(length * scene.scale) for length in (scene.width, scene.height))
        return f"<Picture of {scene.title!r}, {width} x {height} pixels>"


@overload
def draw(
    tree: Drawable,
    path: None = None,
    strategy: Playable | Named | None = None,
    options: DrawOptions | None = None,
    **settings: Unpack[DrawSettings],
) -> Picture: ...


@overload
def draw(
    tree: Drawable,
    path: str | os.PathLike[str],
    strategy: Playable | Named | None = None,
    options: DrawOptions | None = None,
    **settings: Unpack[DrawSettings],
) -> Path: ...


def draw(
    tree: Drawable,
    path: str | os.PathLike[str] | None = None,
    strategy: Playable | Named | None = None,
    options: DrawOptions | None = None,
    **settings: Unpack[DrawSettings],
) -> Path | Picture:
    """Draw a game tree, with or without strategies, to a file or for a notebook.

    Without a *path*, the size has no limit. A tree of more than ``max_nodes`` nodes is then folded, and the caption
    states this. If a solution was found without a tree, the picture shows the moves that the strategies make. Without
    a *view*, a file has the same picture as from the command ``draw``: ranges are shown in the public view if the tree
    is too large for a slide.

    Parameters
    ----------
    tree : GameLike, Solution, TreeProfile or SparseProfile
        A tree, any argument of ``build``, or strategies with their own tree.
    path : path-like, optional
        The file; its suffix selects the format: ``.svg``, ``.png``, ``.pdf``, ``.tex``, ``.gv`` or ``.dot``. An
        ``.html`` file is the page of ``write_viewer``, with ``view`` and ``ranges`` as the only settings.
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
        The path of the file; without *path*, a picture for notebooks. With ``view="explore"``, a notebook shows the
        page instead of the picture.

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
    if "table" in settings:
        raise ParameterError("table=True is now view='table'")
    if "all" in settings:
        settings["all_ends"] = settings.pop("all")
    tree, strategy = _to_draw(tree, strategy, cast("dict[str, Any]", settings))
    paged = _page_settings(settings, path)
    chosen = options is not None or "view" in settings
    options = options_of(settings, "draw()") if options is None else options
    if isinstance(path, Strategy) or strategies_in(path) is not None:
        raise ParameterError(f"draw() takes the path of a file, not {kind_of(path)}; strategies are given as strategy=")
    if path is not None:
        check_path(path)
    if strategy is not None and strategies_in(strategy) is None:
        tree, strategy = _played(tree, strategy), None
    profile = cast("Playable | None", strategy)
    if paged is not None:
        return _paged(tree, path, profile, options, paged)
    view = options.view if chosen else None
    if path is None:
        return Picture(_in_notebook(tree, profile, options, view))
    return write(path, lambda: _in_file(path, tree, profile, options, view))


def _page_settings(settings: DrawSettings, path: object) -> dict[str, Any] | None:
    """Take the view of a page out of *settings*, and return the settings of the page; None if a picture is drawn."""
    to_file = isinstance(path, str | os.PathLike) and Path(path).suffix.lower() in PAGES
    if not to_file and (path is not None or settings.get("view") != "explore"):
        return None
    paged = {name: value for name, value in settings.items() if name in ("view", "ranges")}
    if to_file and len(paged) < len(settings):
        name = next(name for name in settings if name not in paged)
        raise ParameterError(f"{name}= is for pictures; a page has its own controls, and takes only view= and ranges=")
    settings.pop("view", None)
    return paged


def _paged(
    tree: Any, path: Any, profile: Playable | None, options: DrawOptions, paged: dict[str, Any]
) -> Path | Picture:
    """Write the page, or return it with the picture that replaces it where no scripts run."""
    from ..pages.card import write_card
    from ..pages.viewer import viewer_text, write_viewer

    if paged.get("view") == "card":
        return write_card(path, strategies_in(tree if profile is None else profile))
    shown = None if profile is None else {"solution": profile}
    if path is not None:
        return write_viewer(tree, path, shown, **paged)
    return Picture(_in_notebook(tree, profile, options, None), page=viewer_text(tree, shown, **paged))


def _to_draw(tree: Any, strategy: Any, settings: dict[str, Any]) -> tuple[Any, Any]:
    """Return what to draw, and its strategies; take the *settings* that name strategies."""
    for name, called in (("profile", "by its former name profile="), ("solution", "as solution=")):
        found = settings.pop(name, None)
        if found is not None and strategy is not None:
            raise ParameterError(f"strategies are given twice: as strategy= and {called}")
        if found is not None:
            strategy = _stored(tree, found) if name == "solution" else found
    which = settings.pop("which", None)
    return (tree, strategy) if which is None else _picked(tree, strategy, which)


def write(path: str | os.PathLike[str], scene: Callable[[], Scene]) -> Path:
    """Write the picture that *scene* returns; the suffix of *path* selects the format. Raises ``ParameterError``."""
    suffix = Path(path).suffix.lower()
    by_suffix = {known: format_ for format_ in formats().values() for known in format_.suffixes}
    if suffix not in by_suffix:
        hint = REPLACED.get(suffix, "")
        wrong = f"no picture format {suffix!r}" if suffix else "no suffix for the picture format"
        raise ParameterError(f"{path}: {wrong}; choose from: {', '.join(by_suffix)}{hint}")
    return write_atomically(path, [by_suffix[suffix].render(scene())])


def save(path: str | os.PathLike[str], subject: DrawnSubject, shown: Shown) -> Path:
    """Write the picture *shown* of *subject*, in the size that suits the format."""
    scene = _in_format(path, subject, shown)
    return write(path, lambda: scene)


def _in_format(path: str | os.PathLike[str], subject: DrawnSubject, shown: Shown) -> Scene:
    options = suited(path, shown.options)
    return (shown.picture if options is shown.options else fit(Views(subject, options))).scene


def suited(path: str | os.PathLike[str], options: DrawOptions) -> DrawOptions:
    """Return *options* for the format of *path*: source files have no size limit by default."""
    return _free(options) if Path(path).suffix.lower() in SOURCES else options


def _played(shown: Drawable, strategy: object) -> Playable:
    from ...equilibria.solve import solve
    from ...players.find import Table, drawn_form, find

    about: Any = shown
    if isinstance(shown, Strategy) or strategies_in(shown) is not None:
        about = getattr(shown, "game", None) or about.tree
    about = as_subject("draw", about, "a tree or a solution")
    if isinstance(strategy, str) and strategy == "equilibrium":
        solution = solve(about)
        _ = solution.strategy  # raises an error if there is no strategy
        return solution
    table = Table(about)
    return drawn_form(strategy, find(strategy, table, "draw"), table)[1]


def _stored(tree: Drawable, solution: Solution | str | os.PathLike[str]) -> Solution:
    """Return *solution*, which may be the path of its file."""
    from ...equilibria.stored import read_solution

    if not isinstance(solution, str | os.PathLike):
        return solution
    return read_solution(solution, None if isinstance(tree, DrawnSubject) else drawable(tree))  # type: ignore[arg-type]


def _picked(tree: Any, strategy: Any, which: int) -> tuple[Any, Any]:
    """Return *tree* and *strategy*; a solution then shows its equilibrium number *which*."""
    for given in (strategy, tree):
        if hasattr(given, "pick"):
            return (tree, given.pick(which)) if given is strategy else (given.pick(which), None)
    raise ParameterError(f"which={which!r}: only a solution has numbered equilibria, e.g. eb.solve(game, 'extreme')")


def _free(options: DrawOptions) -> DrawOptions:
    """Return *options* without a size limit, unless they specify a purpose."""
    if options.style.purpose != "auto":
        return options
    return replace(options, style=replace(options.style, purpose="free"))


def _asked(
    tree: Drawable, profile: Playable | None, options: DrawOptions, view: str | None
) -> tuple[DrawnSubject, DrawOptions]:
    """Return the subject of a picture, and *options* with its view and caption. If *view* is None, it is chosen."""
    subject = subject_of(tree, profile, view, part=options.folds)
    return subject, _headed(subject, replace(options, view="table") if subject.view == "table" else options)


def _in_notebook(tree: Drawable, profile: Playable | None, options: DrawOptions, view: str | None) -> Scene:
    """Return the picture for a notebook. Fold a tree that is too large, unless *options* already fold it."""
    subject, options = _asked(tree, profile, _free(options), view)
    return picture(subject, options, view, NOTEBOOK).picture.scene


def _in_file(
    path: str | os.PathLike[str], tree: Drawable, profile: Playable | None, options: DrawOptions, view: str | None
) -> Scene:
    """Return the picture for a file."""
    subject, options = _asked(tree, profile, options, view)
    # Ranges are shown in another view if the tree does not fit on a slide, in every format.
    shown = picture(subject, options if options.ranges is not None else suited(path, options), view)
    return _in_format(path, subject, shown)
