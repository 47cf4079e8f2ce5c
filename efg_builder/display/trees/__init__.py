"""Pictures of game trees: Gambit's layout, colours of the players, and a strategy profile on top.

Each file format is one file here with a tuple ``FORMATS``; nothing else lists them.
"""

from __future__ import annotations

import os
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType
from typing import Protocol

from ...base.errors import ParameterError, PictureTooLargeError, TreeTooLargeError
from ...base.files import write_atomically
from ...base.registry import collect
from ...forms.extensive import GameTree
from ...strategies.sparse_profile import SparseProfile
from ...strategies.tree_profile import TreeProfile
from .options import MAX_NODES, NO_BELIEFS, NO_TABLE, TABLE_HINT, VIEWS, DrawOptions
from .public_view import compose_public
from .scene import Box, Mark, Scene, Stroke, Text
from .subject import HasProfile, HasTree, Judgement, caption_of, subject_of
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
    "Format",
    "HasProfile",
    "HasTree",
    "Judgement",
    "Mark",
    "Scene",
    "Stroke",
    "Text",
    "caption_of",
    "draw",
    "formats",
    "notebook_svg",
    "scene_of",
    "to_svg",
]

_DEFAULT = DrawOptions()
_NOTEBOOK_NODES = 600
"""More nodes than this would push the rest of a notebook out of sight."""


class Format(Protocol):
    """A file format: its name, the suffixes of its files, and how a scene becomes bytes."""

    @property
    def name(self) -> str:
        """One word."""

    @property
    def suffixes(self) -> tuple[str, ...]:
        """With the dot, in small letters."""

    def render(self, scene: Scene) -> bytes:
        """The whole file; equal scenes give equal bytes."""


def formats() -> MappingProxyType[str, Format]:
    """Every file format by name."""
    return collect(__name__, "FORMATS")


def scene_of(
    tree: GameTree | HasTree | TreeProfile | SparseProfile,
    profile: TreeProfile | HasProfile | SparseProfile | None = None,
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
    if options.view == "public":
        return compose_public(subject.tree, subject.profile, options, subject.sparse)
    try:
        return compose_scene(subject.tree, subject.profile, options)
    except PictureTooLargeError as error:
        if not subject.foldable:
            raise
        raise PictureTooLargeError(error.nodes, error.limit, TABLE_HINT) from None


def to_svg(
    tree: GameTree | HasTree | TreeProfile | SparseProfile,
    profile: TreeProfile | HasProfile | SparseProfile | None = None,
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
) -> str:
    """The picture as an SVG document.

    The keywords are those of ``draw``. Raises what ``scene_of`` raises.
    """
    asked = DrawOptions(reach, depth, values, beliefs, caption, max_nodes, table, view=view)
    return write_svg(scene_of(tree, profile, _one(options, asked)))


def draw(
    tree: GameTree | HasTree | TreeProfile | SparseProfile,
    path: str | os.PathLike[str],
    profile: TreeProfile | HasProfile | SparseProfile | None = None,
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
) -> Path:
    """Write the picture to *path*; its suffix chooses the format.

    *profile* may also be a solution. A solution or profile alone is drawn on its own tree: ``draw(solution, "x.svg")``;
    where it was found without a tree, that is the part of the game that is played, or with *table* what the table
    sees of it, all hands together. *reach* folds away every node that the profile reaches with at most this
    probability (0 folds what is never reached, None nothing); *depth* cuts below this many moves from the root.
    *values* writes an expected payoff above each node that is reached and is no end: player 1's in a two-player
    constant-sum game, elsewhere that of the player who moves, and none where chance does. *beliefs* writes below
    each node that is reached its probability within its information set, unless it is the set's only node.
    *caption* is a line under the title, by default a solution's verdict; *max_nodes* is the most nodes to draw
    (None for no limit). *view* ``"public"`` draws one node per public history instead of one per deal, in it a table
    of the mover's hands by moves: see ``DrawOptions``. *options* holds the same in one object, instead of
    the keywords.
    Probabilities in floats of at most a millionth count as 0.

    Raises ``ParameterError`` for an unknown suffix, a keyword out of range, or *beliefs* with *table*, ``FileError``
    where the path cannot be written, and what ``scene_of`` raises.
    """
    asked = _one(options, DrawOptions(reach, depth, values, beliefs, caption, max_nodes, table, view=view))
    suffix = Path(path).suffix.lower()
    by_suffix = {known: format_ for format_ in formats().values() for known in format_.suffixes}
    if suffix not in by_suffix:
        wrong = f"no picture format {suffix!r}" if suffix else "no suffix, which names the picture format"
        raise ParameterError(f"{path}: {wrong}; choose from: {', '.join(by_suffix)}")
    return write_atomically(path, [by_suffix[suffix].render(scene_of(tree, profile, asked))])


def _one(options: DrawOptions | None, asked: DrawOptions) -> DrawOptions:
    """The options object, or else what the keywords asked for. Raises ``ParameterError`` for both at once."""
    if options is None:
        return asked
    if asked != _DEFAULT:
        raise ParameterError("options are given twice: in one object and as keywords")
    return options


def notebook_svg(
    tree: GameTree | HasTree | TreeProfile | SparseProfile,
    profile: TreeProfile | HasProfile | SparseProfile | None = None,
) -> str | None:
    """The picture for a notebook cell, a solution's with its verdict, or None where it would be too large there."""
    try:
        subject = subject_of(tree, profile, _NOTEBOOK_NODES)
    except TreeTooLargeError:
        return None
    return (
        to_svg(subject.tree, subject.profile, caption=subject.caption) if len(subject.tree) <= _NOTEBOOK_NODES else None
    )
