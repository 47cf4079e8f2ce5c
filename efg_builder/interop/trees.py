"""The tree of a game, given as rules, a tree, a name, a file, or a Gambit or OpenSpiel game."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

from ..base.errors import ParameterError, check_budget, kind_of
from ..base.files import is_game_file, is_rules_file, read_text
from ..base.foreign import is_gambits, is_open_spiels
from ..base.words import quiet
from ..forms.extensive import MAX_NODES, GameTree
from ..forms.subject import Subject
from ..games.catalogue import in_words
from ..games.protocol import Game
from .ef import CONTENT as LAYOUT
from .ef import parse_ef
from .efg.reader import parse_efg
from .nfg import parse_nfg
from .open_spiel import tree as open_spiel_tree
from .payoff_tables import parse_csv

GameLike: TypeAlias = "Game | GameTree | Subject | str | os.PathLike[str]"
"""Any argument of ``build``. pygambit and OpenSpiel have no type hints, so type checkers accept their games."""

_CONTENT = re.compile(r"\ufeff?\s*(?:EFG|NFG)\s")
_STRATEGIC = re.compile(r"\ufeff?\s*NFG\s")


def build(game: GameLike, *, max_nodes: int = MAX_NODES) -> GameTree:
    """Return the whole tree of a game.

    Parameters
    ----------
    game : GameLike
        Rules, a tree, a name with settings such as ``"liars-dice sides=3"`` or ``"own.py:Coin"``, the path or the text
        of an ``.efg``, ``.nfg`` or ``.ef`` file, the path of a ``.csv`` table of payoffs, or a pygambit or OpenSpiel
        game.
    max_nodes : int, default 5,000,000
        Maximum number of nodes. A million nodes take about 200 MB.

    Returns
    -------
    GameTree
        The tree. The tree of a file has the names in the file. A strategic form becomes a tree of simultaneous moves.

    Raises
    ------
    TreeTooLargeError
        If the tree has more than *max_nodes* nodes.
    ParameterError
        If the argument is not a game, or its name is unknown.
    RulesError
        If the rules do not define a valid game. The message names the state.
    FileError
        If a file cannot be read.
    EfgSyntaxError
        If a text is not a complete game. The message contains the line and column.

    Examples
    --------
    >>> import efg_builder as eb
    >>> eb.build("kuhn")
    <GameTree 'Kuhn poker: 2 players, 3 cards': 55 nodes, 12 information sets>
    """
    return tree_of("build", game, "a game", max_nodes)


def tree_of(
    call: str,
    given: Any,
    wanted: str = "a tree",
    max_nodes: int = MAX_NODES,
    progress: Callable[[str], None] = quiet,
) -> GameTree:
    """Return the tree of *given*, the argument of *call*. *progress*: see ``forms.extensive.build``.

    Raises the errors of ``build``, with messages that describe valid arguments as *wanted*.
    """
    return as_subject(call, given, wanted, max_nodes, progress).tree(max_nodes, progress)


def as_subject(
    call: str,
    given: Any,
    wanted: str = "a game or a tree",
    max_nodes: int = MAX_NODES,
    progress: Callable[[str], None] = quiet,
) -> Subject:
    """Return *given*, the argument of *call*, as a subject, without building a tree from rules.

    A subject is returned unchanged. An OpenSpiel game becomes a tree. Raises the errors of ``tree_of``.
    """
    check_budget(call, "max_nodes", max_nodes)
    if not isinstance(given, Game | GameTree | Subject):
        given = _rules_or_tree(call, given, wanted, max_nodes, progress)
    return Subject.of(given, max_nodes)


def _rules_or_tree(
    call: str, given: Any, wanted: str, max_nodes: int, progress: Callable[[str], None]
) -> Game | GameTree:
    if isinstance(given, str) and (_CONTENT.match(given) or ("\n" in given and LAYOUT.match(given))):
        return parse_tree(given, max_nodes=max_nodes)
    named = isinstance(given, str) and (is_game_file(given) or _is_there(given))
    if named or isinstance(given, os.PathLike):
        return read_tree(given, max_nodes=max_nodes)
    # Other pygambit objects do not have this method.
    if is_gambits(given) and hasattr(given, "to_nfg"):
        content = given.to_efg() if hasattr(given, "get_infosets") else given.to_nfg()
        tree = parse_tree(str(content), "pygambit's game", max_nodes=max_nodes)
        object.__setattr__(tree, "origin", given)
        return tree
    if is_open_spiels(given) and (hasattr(given, "new_initial_state") or hasattr(given, "get_game")):
        return open_spiel_tree(given, max_nodes, progress)
    if isinstance(given, str):
        return in_words(given)
    if isinstance(given, type) and issubclass(given, Game):
        raise ParameterError(f"{call}() takes {wanted}, not a class; {given.__name__}(...) is a game")
    hint = "a game can be a name, e.g. 'kuhn' or 'liars-dice sides=3'; help(eb.build) lists all forms"
    raise ParameterError(f"{call}() takes {wanted}, not {kind_of(given)}; {hint}")


def _is_there(path: str) -> bool:
    """Return whether *path* is a file or pipe, but not a rules file.

    A folder is excluded, because its name may be the name of a game.
    """
    return os.path.exists(path) and not os.path.isdir(path) and not is_rules_file(path)


def read_tree(path: str | os.PathLike[str], *, max_nodes: int | None = None) -> GameTree:
    """Return the game in an ``.efg``, ``.nfg``, ``.ef`` or ``.csv`` file.

    Raises ``FileError`` and the errors of ``parse_tree``.
    """
    return parse_tree(read_text(path), str(path), max_nodes=max_nodes)


def parse_tree(text: str, source: str = "", *, max_nodes: int | None = None) -> GameTree:
    """Return the game in *text*. The beginning of *text* or the suffix of *source* determines the format.

    Raises the errors of ``parse_ef``, ``parse_nfg``, ``parse_csv`` and ``parse_efg``.
    """
    parse = parse_nfg if _STRATEGIC.match(text) else parse_efg
    suffix = Path(source.lower().removesuffix(".gz")).suffix
    if suffix == ".ef" or LAYOUT.match(text):
        parse = parse_ef
    elif suffix == ".csv":
        parse = parse_csv
    return parse(text, source, max_nodes=max_nodes)
