"""The viewer of game trees: a part of a page, or a page by itself that opens anywhere and asks nothing of any other."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from html import escape
from pathlib import Path

from ...base.errors import ParameterError
from ...base.files import check_writable, write_atomically
from ...forms.extensive import GameTree
from .page import Part, page
from .payload import Shown, view_data

SUFFIXES = (".html", ".htm")
EMBEDDED = 3
"""The level of the heading in a viewer that is a part of a page: parts stand in sections, below their headings."""

_IDENT = re.compile(r"[A-Za-z][A-Za-z0-9_-]*\Z")


def viewer_part(tree: GameTree, shown: Sequence[Shown] = (), ident: str = "view", *, whole: bool = False) -> Part:
    """The viewer of *tree*, with the profiles in *shown* to switch between, as a part of a page.

    *ident*: the identifier of its element, another for each viewer of a page; *whole*: it fills the window.
    Raises ``ParameterError`` for an *ident* that is no identifier, and what ``payload.view_data`` raises.
    """
    if not _IDENT.match(ident):
        raise ParameterError(f"ident={ident!r}: must be a letter, then letters, digits, - or _")
    tag, kind, level = ("main", "efg-viewer efg-whole", 1) if whole else ("section", "efg-viewer", EMBEDDED)
    label = escape(f"The tree of {tree.title or 'the game'}")
    body = (
        f'<{tag} class="{kind}" id="{ident}" data-store="{ident}-data" data-level="{level}" aria-label="{label}">'
        f"<noscript>The tree is drawn by a script in this page: allow scripts to see it.</noscript></{tag}>"
    )
    return Part(body, ("viewer.css",), ("viewer.js",), {f"{ident}-data": view_data(tree, shown)})


def viewer_page(tree: GameTree, shown: Sequence[Shown] = ()) -> str:
    """The viewer as an HTML document; equal trees and profiles give equal text. Raises what the part raises."""
    return page(tree.title or "Game tree", [viewer_part(tree, shown, whole=True)])


def write_viewer(tree: GameTree, shown: Sequence[Shown], path: str | os.PathLike[str]) -> Path:
    """Write the viewer to *path*, a ``.html`` file.

    Raises ``ParameterError`` for another suffix, ``FileError`` where the path cannot be written, and what
    ``payload.view_data`` raises.
    """
    if Path(path).suffix.lower() not in SUFFIXES:
        raise ParameterError(f"{path}: a viewer is a page; its file ends in {' or '.join(SUFFIXES)}")
    check_writable(path)
    return write_atomically(path, [viewer_page(tree, shown).encode("utf-8")])
