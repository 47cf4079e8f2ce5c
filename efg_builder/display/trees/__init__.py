"""Pictures of game trees: Gambit's layout, colours of the players, and a strategy profile on top.

Each file format is one file here with a tuple ``FORMATS``; nothing else lists them.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType
from typing import Any

from ...base.errors import ParameterError, PictureTooLargeError, TreeTooLargeError
from ...base.files import check_path, write_atomically
from ...base.registry import collect
from .options import MAX_NODES, NO_BELIEFS, NO_TABLE, TABLE_HINT, VIEWS, DrawOptions, Style, style_of
from .public_game import compose_game
from .public_view import compose_public, look_at
from .scene import Box, Format, Mark, Scene, Stroke, Text
from .subject import Drawable, Playable, caption_of, subject_of, worth_of
from .svg import write_svg
from .tree_view import compose_scene

__all__ = [
    "MAX_NODES",
    "NO_BELIEFS",
    "NO_TABLE",
    "TABLE_HINT",
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
    tree: Drawable,
    profile: Playable | None = None,
    options: DrawOptions = _DEFAULT,
) -> Scene:
    """The picture of *tree*, with *profile* on it, before any file format.

    A solution stands for its profile, with its verdict for a caption unless ``options.caption`` is another;
    one without a profile draws the plain tree. A solution or profile in the place of *tree* stands for both. Where it
    was found without a tree, or a ``SparseProfile`` stands there, the picture shows their support tree
    (``support_tree``), or with ``options.table`` the public histories without hands (``table_view``).
    Raises ``PictureTooLargeError`` over ``options.max_nodes`` kept nodes, before anything is laid out,
    ``ParameterError`` for ``options.reach``, ``values`` or ``beliefs`` without a profile, and what
    ``subject.subject_of`` raises. The public view raises ``NotApplicableError`` where moves are not seen by all.
    """
    subject = subject_of(tree, profile, table=options.table)
    if not options.caption:
        options = replace(options, caption=subject.caption)
    if options.all_ends:
        if subject.profile is not None:
            raise ParameterError("all_ends with strategies: it draws the game by itself; leave one of the two out")
        return compose_game(subject.tree, options)
    if options.view == "public":
        return compose_public(look_at(subject.tree, subject.profile, subject.sparse, options.ranges), options)
    try:
        return compose_scene(subject.tree, subject.profile, options)
    except PictureTooLargeError as error:
        if not subject.foldable:
            raise
        raise PictureTooLargeError(error.nodes, error.limit, TABLE_HINT) from None


def to_svg(tree: Drawable, profile: Playable | None = None, options: DrawOptions = _DEFAULT) -> str:
    """The picture as an SVG document. Raises what ``scene_of`` raises."""
    return write_svg(scene_of(tree, profile, options))


def draw(
    tree: Drawable,
    path: str | os.PathLike[str],
    profile: Playable | None = None,
    options: DrawOptions | None = None,
    *,
    reach: Fraction | float | None = None,
    depth: int | None = None,
    values: bool = False,
    beliefs: bool = False,
    caption: str = "",
    max_nodes: int | None = MAX_NODES,
    table: bool = False,
    view: str = VIEWS[0],
    style: Style | Mapping[str, Any] = _DEFAULT.style,
    all_ends: bool = False,
) -> Path:
    """Write the picture to *path*; its suffix chooses the format.

    *profile* may also be a solution. A solution or profile alone is drawn on its own tree: ``draw(solution, "x.svg")``;
    where it was found without a tree, that is the part of the game that is played, or with *table* what the table
    sees of it, all hands together. *caption* is by default a solution's verdict. The other keywords are those of
    ``DrawOptions``, which says what they mean; *options* holds the same in one object, instead of the keywords.
    *style* may be a mapping: ``{"purpose": "column", "sets": "enclosed"}``.

    Raises ``ParameterError`` for an unknown suffix, for *options* beside keywords, and for a keyword out of range,
    ``FileError`` where the path cannot be written, and what ``scene_of`` raises.
    """
    looks = style if isinstance(style, Style) else style_of(style)
    asked = DrawOptions(
        reach, depth, values, beliefs, caption, max_nodes, table, view=view, style=looks, all_ends=all_ends
    )
    if options is not None and asked != _DEFAULT:
        raise ParameterError("options are given twice: in one object and as keywords")
    check_path(path)
    suffix = Path(path).suffix.lower()
    by_suffix = {known: format_ for format_ in formats().values() for known in format_.suffixes}
    if suffix not in by_suffix:
        wrong = f"no picture format {suffix!r}" if suffix else "no suffix, which names the picture format"
        raise ParameterError(f"{path}: {wrong}; choose from: {', '.join(by_suffix)}")
    chosen = options or asked
    if suffix in SOURCES and chosen.style.purpose == "auto":
        chosen = replace(chosen, style=replace(chosen.style, purpose="free"))
    return write_atomically(path, [by_suffix[suffix].render(scene_of(tree, profile, chosen))])


def notebook_svg(tree: Drawable, profile: Playable | None = None) -> str | None:
    """The picture for a notebook cell, a solution's with its verdict, or None where it would be too large there."""
    try:
        subject = subject_of(tree, profile, _NOTEBOOK_NODES)
    except TreeTooLargeError:
        return None
    if len(subject.tree) > _NOTEBOOK_NODES:
        return None
    return to_svg(subject.tree, subject.profile, DrawOptions(caption=subject.caption, style=Style(purpose="free")))
