"""Pictures of game trees: Gambit's layout, colours of the players, and a strategy profile on top.

Each file format is one file here with a tuple ``FORMATS``; nothing else lists them.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import fields, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from ...base.errors import ParameterError, PictureTooLargeError, TreeTooLargeError, nearest
from ...base.files import check_path, write_atomically
from ...base.registry import collect
from .options import MAX_NODES, TABLE_HINT, VIEWS, DrawOptions, Style, style_of
from .public_game import compose_game
from .public_view import compose_public, look_at
from .scene import Box, Format, Mark, Scene, Stroke, Text
from .subject import Drawable, Playable, Subject, caption_of, subject_of, worth_of
from .svg import write_svg
from .tree_view import compose_scene

__all__ = [
    "MAX_NODES",
    "VIEWS",
    "Box",
    "DrawOptions",
    "Drawable",
    "Format",
    "Mark",
    "Playable",
    "Scene",
    "Stroke",
    "Style",
    "Text",
    "caption_of",
    "draw",
    "formats",
    "notebook_svg",
    "scene_of",
    "to_svg",
    "worth_of",
]

_DEFAULT = DrawOptions()
SOURCES = (".tex", ".gv", ".dot", ".ef")
"""Pictures that are changed by hand: they are no slides unless that is asked for."""

_NOTEBOOK_NODES = 600
"""More nodes than this would push the rest of a notebook out of sight."""


def formats() -> MappingProxyType[str, Format]:
    """Every file format by name."""
    return collect(__name__, "FORMATS")


def scene_of(
    tree: Drawable | Subject,
    profile: Playable | None = None,
    options: DrawOptions = _DEFAULT,
) -> Scene:
    """The picture of *tree*, with *profile* on it, before any file format.

    A solution stands for its profile, with its verdict for a caption unless ``options.caption`` is another;
    one without a profile draws the plain tree. A solution or profile in the place of *tree* stands for both. Where it
    was found without a tree, or a ``SparseProfile`` stands there, the picture shows their support tree
    (``support_tree``), or with the view ``"table"`` the public histories without hands (``table_view``).
    Raises ``PictureTooLargeError`` over ``options.max_nodes`` kept nodes, before anything is laid out,
    ``ParameterError`` as ``DrawOptions.check``, and what ``subject.subject_of`` raises. The public view raises
    ``NotApplicableError`` where moves are not seen by all.
    """
    subject = tree if isinstance(tree, Subject) else subject_of(tree, profile, options.view)
    options.check(subject.profile is not None)
    if not options.caption:
        options = replace(options, caption=subject.caption)
    if options.all_ends:
        return compose_game(subject.tree, options)
    if options.view == "public":
        return compose_public(look_at(subject.tree, subject.profile, subject.sparse, options.ranges), options)
    try:
        return compose_scene(subject.tree, subject.profile, options)
    except PictureTooLargeError as error:
        if subject.sparse is None or options.view == "table":
            raise
        raise PictureTooLargeError(error.nodes, error.limit, TABLE_HINT) from None


def to_svg(tree: Drawable, profile: Playable | None = None, options: DrawOptions = _DEFAULT) -> str:
    """The picture as an SVG document. Raises what ``scene_of`` raises."""
    return write_svg(scene_of(tree, profile, options))


def draw(
    tree: Drawable | Subject,
    path: str | os.PathLike[str],
    profile: Playable | None = None,
    options: DrawOptions | None = None,
    **settings: Any,
) -> Path:
    """Write the picture to *path*; its suffix chooses the format.

    *profile* may also be a solution. A solution or profile alone is drawn on its own tree: ``draw(solution, "x.svg")``;
    where it was found without a tree, that is the part of the game that is played, or with ``view="table"`` what the
    table sees of it, all hands together. *settings* are the fields of ``DrawOptions``, which says what they mean;
    *options* holds the same in one object. The caption is by default a solution's verdict.
    The style may be a mapping: ``style={"purpose": "column", "sets": "enclosed"}``.

    Raises ``ParameterError`` for an unknown suffix, for *options* beside settings, and for a setting out of range,
    ``FileError`` where the path cannot be written, and what ``scene_of`` raises.
    """
    if options is not None and settings:
        raise ParameterError("options are given twice: in one object and as keywords")
    if options is None:
        options = _options_of(settings)
    check_path(path)
    suffix = Path(path).suffix.lower()
    by_suffix = {known: format_ for format_ in formats().values() for known in format_.suffixes}
    if suffix not in by_suffix:
        wrong = f"no picture format {suffix!r}" if suffix else "no suffix, which names the picture format"
        raise ParameterError(f"{path}: {wrong}; choose from: {', '.join(by_suffix)}")
    if suffix in SOURCES and options.style.purpose == "auto":
        options = replace(options, style=replace(options.style, purpose="free"))
    return write_atomically(path, [by_suffix[suffix].render(scene_of(tree, profile, options))])


def _options_of(settings: Mapping[str, Any]) -> DrawOptions:
    known = {field.name for field in fields(DrawOptions)}
    for name in settings:
        if name == "table":
            raise ParameterError("table=True is now view='table'")
        if name not in known:
            raise ParameterError(f"draw() has no setting {name!r}; {nearest(name, known)}")
    style = settings.get("style", _DEFAULT.style)
    return DrawOptions(**{**settings, "style": style if isinstance(style, Style) else style_of(style)})


def notebook_svg(tree: Drawable, profile: Playable | None = None) -> str | None:
    """The picture for a notebook cell, a solution's with its verdict, or None where it would be too large there."""
    try:
        subject = subject_of(tree, profile, max_nodes=_NOTEBOOK_NODES)
    except TreeTooLargeError:
        return None
    if len(subject.tree) > _NOTEBOOK_NODES:
        return None
    return to_svg(subject.tree, subject.profile, DrawOptions(caption=subject.caption, style=Style(purpose="free")))
