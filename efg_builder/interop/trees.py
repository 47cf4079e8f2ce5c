"""One door for whatever stands for a game: rules, a tree, a name, a file, a game of Gambit or OpenSpiel."""

from __future__ import annotations

import os
import re
from typing import Any, TypeAlias

from ..base.errors import ParameterError, check_budget, kind_of
from ..base.files import is_rules_file, read_text
from ..base.surface import is_gambits, is_open_spiels
from ..forms.extensive import MAX_NODES, GameTree
from ..forms.extensive import build as build_rules
from ..games.catalogue import in_words
from ..games.protocol import Game
from .ef import CONTENT as LAYOUT
from .ef import parse_ef
from .efg.reader import parse_efg
from .nfg import parse_nfg
from .open_spiel import tree as open_spiel_tree

GameLike: TypeAlias = "Game | GameTree | str | os.PathLike[str]"
"""Anything that stands for a game: see ``build``. (pygambit and OpenSpiel have no types, so their games pass.)"""

_CONTENT = re.compile(r"\ufeff?\s*(?:EFG|NFG)\s")
_STRATEGIC = re.compile(r"\ufeff?\s*NFG\s")
_LAYOUT_ENDINGS = (".ef", ".ef.gz")
_ENDINGS = (".efg", ".nfg", ".efg.gz", ".nfg.gz", *_LAYOUT_ENDINGS)


def build(game: GameLike, *, max_nodes: int = MAX_NODES) -> GameTree:
    """The whole tree of whatever stands for a game.

    That is a game, a tree, a name with settings as on the command line (``"liars-dice sides=3"``, ``"own.py:Coin"``), a
    ``.efg``, ``.nfg`` or ``.ef`` file by path or text, or a game of pygambit or OpenSpiel. All names are kept. In the
    tree of a strategic form the players choose in turn and unseen (``parse_nfg``). Raises ``ParameterError`` for
    anything else, ``RulesError`` where rules make no game, ``FileError``, ``EfgSyntaxError``, which says the line and
    column, for a text that is not one whole game, and ``TreeTooLargeError`` above *max_nodes* nodes.
    """
    return tree_of("build", game, "a game", max_nodes)


def tree_of(call: str, given: Any, wanted: str = "a tree", max_nodes: int = MAX_NODES) -> GameTree:
    """The tree of *given*, the argument of *call*; *wanted* stands in the error. Raises as ``tree``."""
    found = subject(call, given, wanted, max_nodes)
    return build_rules(found, max_nodes=max_nodes) if isinstance(found, Game) else found


def subject(call: str, given: Any, wanted: str = "a game or a tree", max_nodes: int = MAX_NODES) -> Game | GameTree:
    """The game or tree that *given* is, or else its tree, as ``tree_of``: a game is left unbuilt."""
    check_budget(call, "max_nodes", max_nodes)
    if isinstance(given, Game | GameTree):
        return given
    if isinstance(given, str) and (_CONTENT.match(given) or ("\n" in given and LAYOUT.match(given))):
        return parse_tree(given, max_nodes=max_nodes)
    if isinstance(given, os.PathLike):
        return read_tree(given, max_nodes=max_nodes)
    if isinstance(given, str) and (given.lower().endswith(_ENDINGS) or _is_there(given)):
        return read_tree(given, max_nodes=max_nodes)
    # What pygambit has beside games has no such method.
    if is_gambits(given) and hasattr(given, "to_nfg"):
        content = given.to_efg() if hasattr(given, "get_infosets") else given.to_nfg()
        return parse_tree(str(content), "pygambit's game", max_nodes=max_nodes)
    if is_open_spiels(given) and (hasattr(given, "new_initial_state") or hasattr(given, "get_game")):
        return open_spiel_tree(given, max_nodes)
    if isinstance(given, str):
        return in_words(given)
    hint = "a game is also named, as 'kuhn' or 'liars-dice sides=3'; help(eb.build) lists all that stands for one"
    raise ParameterError(f"{call}() takes {wanted}, not {kind_of(given)}; {hint}")


def _is_there(path: str) -> bool:
    """Whether there is a file, or a pipe, of that name; a folder may have the name of a game, and a game its rules."""
    return os.path.exists(path) and not os.path.isdir(path) and not is_rules_file(path)


def read_tree(path: str | os.PathLike[str], *, max_nodes: int | None = None) -> GameTree:
    """The game in the file at *path*, ``.efg``, ``.nfg`` or ``.ef``. Raises ``FileError``, and as ``parse_tree``."""
    return parse_tree(read_text(path), str(path), max_nodes=max_nodes)


def parse_tree(text: str, source: str = "", *, max_nodes: int | None = None) -> GameTree:
    """The game in *text*, by its beginning or *source*. Raises as ``parse_ef``, ``parse_nfg`` and ``parse_efg``."""
    parse = parse_nfg if _STRATEGIC.match(text) else parse_efg
    if source.lower().endswith(_LAYOUT_ENDINGS) or LAYOUT.match(text):
        parse = parse_ef
    return parse(text, source, max_nodes=max_nodes)
