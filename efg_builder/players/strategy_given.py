"""From what a user names, a player, a file or a strategy in hand, to what is played."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from pathlib import Path

from ..base.errors import ParameterError, nearest
from ..forms.extensive import GameTree, build
from ..games.protocol import Game
from ..strategies.dense_profile import WideStrategy
from ..strategies.sparse_profile import sparse_of
from ..strategies.strategy_file import StrategyFile, read_strategy
from ..strategies.tree_profile import Profile
from . import Play, Policy, Table, invite, players
from .strategy_choice import AUTO, Arrays, choose, two_bidders
from .strategy_seats import Given

TIMEOUT = 60.0
"""Seconds that a player who solves the game has for it."""


def table_of(
    game: Game | GameTree,
    max_nodes: int,
    timeout: float,
    progress: Callable[[str], None],
    *,
    complete: str | None = None,
    max_memory: int | None = None,
    live: bool = False,
) -> Table:
    """The table at which *game* is played; its tree is built once, when it is first asked for.

    ``live`` as in ``Table``; ``complete`` and ``max_memory``, as in
    ``evaluate``, are for best responses to others.
    """
    if isinstance(game, GameTree):
        table = Table(None, lambda: game, timeout, progress)
    else:
        table = Table(game, cache(partial(build, game, max_nodes=max_nodes)), timeout, progress)

    def respond(word: str) -> Play:
        given = find(word, replace(table, respond=respond))[1]
        arrays = Arrays(max_memory, True, progress, progress)
        return choose(AUTO, table, [given], complete, arrays).exploit(given)

    return replace(table, respond=respond, live=live)


def find(given: object, table: Table) -> tuple[str, Given]:
    """The strategy's name, and what it plays.

    Raises ``ParameterError`` for what is neither a player, a file nor a strategy, and what reading a file or the
    player itself raises.
    """
    if isinstance(given, str | os.PathLike):
        word = os.fspath(given)
        if word.partition(":")[0] in players():
            return word, invite(word)(table)
        return word, _read(word, table)
    if isinstance(given, Policy | Profile | WideStrategy | StrategyFile):
        return _name(given), given
    sparse = sparse_of(given)
    if sparse is not None:
        return "strategies", sparse
    profile = getattr(given, "profile", None)
    if isinstance(profile, Profile):
        return "solution", profile
    hint = "; eb.Policy(function) makes a strategy of a function" if callable(given) else ""
    raise ParameterError(f"evaluate() takes a player's name, a file or a strategy, not {type(given).__name__}{hint}")


def shown(name: str) -> str:
    """A strategy's name as people are told it: of a file without its folders, of a player with its settings."""
    return name if name.partition(":")[0] in players() else os.path.basename(name)


def _name(given: Policy | Profile | WideStrategy | StrategyFile) -> str:
    if isinstance(given, Policy):
        return given.name
    if isinstance(given, StrategyFile):
        return given.source
    return "profile" if isinstance(given, Profile) else "arrays"


def _read(word: str, table: Table) -> Given:
    path = Path(word)
    if not path.suffix and not path.exists():
        problem = f"there is no player {word!r}, and no such file; {nearest(word.partition(':')[0], players())}"
        raise ParameterError(problem)
    if word.lower().endswith(".npz"):
        from ..strategies.dense_file import read_wide

        return read_wide(word, two_bidders(table))
    return read_strategy(word)
