"""One door for whatever is a strategy outside this package: a file, a mapping, or a profile of pygambit's."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any

from ..base.surface import is_gambits
from ..forms.extensive import GameTree, build
from ..games.protocol import Game
from ..strategies.reading import strategy_from_file
from ..strategies.tree_profile import Strategy
from .gambit.mapping import read_gambit
from .trees import GameLike, subject


def read_strategy(
    path: str | os.PathLike[str] | Mapping[str, Any],
    game: GameLike,
    complete: str | None = None,
    *,
    tree: Callable[[], GameTree] | None = None,
) -> Strategy:
    """The strategy for *game* in the file at *path*; a mapping (as of a ``.json``) and pygambit's results will do too.

    *complete* completes a file that leaves information sets out: ``"default"`` (the default move of a dealt game) or
    ``"uniform"``; None: the default move if the game has one. *tree* gives the tree of a game that is not dealt (None:
    it is built). Raises ``FileError``; ``ProfileError``, which names the line or the key, for what is no strategy of
    this game; ``ParameterError`` for a completion that the game lacks, and ``NotApplicableError`` for arrays of a game
    that has none.
    """
    rules = subject("read_strategy", game)
    if not is_gambits(path):
        return strategy_from_file(path, rules, complete, tree)
    if isinstance(rules, Game):
        rules = build(rules) if tree is None else tree()
    return read_gambit(path, rules)
