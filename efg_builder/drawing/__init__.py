"""Pictures of game trees: Gambit's layout, colours of the players, and a strategy profile on top.

Each file format is one file here with a tuple ``FORMATS``; nothing else lists them.
"""

from __future__ import annotations

import os
from pathlib import Path
from types import MappingProxyType
from typing import Protocol

from ..errors import ParameterError, nearest
from ..files import write_atomically
from ..profile import Profile
from ..registry import collect
from ..tree import GameTree
from .compose import compose_scene
from .options import MAX_NODES, DrawOptions
from .scene import Mark, Scene, Stroke, Text
from .svg import write_svg

__all__ = [
    "MAX_NODES",
    "DrawOptions",
    "Format",
    "Mark",
    "Scene",
    "Stroke",
    "Text",
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


def scene_of(tree: GameTree, profile: Profile | None = None, options: DrawOptions = _DEFAULT) -> Scene:
    """The picture of *tree*, with *profile* on it, before any file format.

    Raises ``PictureTooLargeError`` over ``options.max_nodes`` kept nodes, before anything is laid out, and
    ``ParameterError`` for ``options.reach`` without a profile.
    """
    return compose_scene(tree, profile, options)


def to_svg(tree: GameTree, profile: Profile | None = None, options: DrawOptions = _DEFAULT) -> str:
    """The picture as an SVG document. Raises what :func:`scene_of` raises."""
    return write_svg(scene_of(tree, profile, options))


def draw(
    tree: GameTree,
    path: str | os.PathLike[str],
    profile: Profile | None = None,
    options: DrawOptions = _DEFAULT,
) -> Path:
    """Write the picture to *path*; its suffix chooses the format.

    Raises ``ParameterError`` for an unknown suffix, ``FileError`` where the path cannot be written, and
    what :func:`scene_of` raises.
    """
    suffix = Path(path).suffix.lower()
    by_suffix = {known: format_ for format_ in formats().values() for known in format_.suffixes}
    if suffix not in by_suffix:
        wrong = f"no picture format {suffix!r}" if suffix else "no suffix to tell the picture format"
        raise ParameterError(f"{path}: {wrong}; {nearest(suffix, by_suffix)} (formats: {', '.join(by_suffix)})")
    return write_atomically(path, [by_suffix[suffix].render(scene_of(tree, profile, options))])


def notebook_svg(tree: GameTree, profile: Profile | None = None) -> str | None:
    """The picture for a notebook cell, or None where it would be too large there."""
    return to_svg(tree, profile) if len(tree) <= _NOTEBOOK_NODES else None
