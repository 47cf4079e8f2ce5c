"""From what a user names, a player, a file or a strategy in hand, to what is played."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

from .errors import NotApplicableError, ParameterError, TreeTooLargeError, nearest
from .games.bidding import BiddingGame
from .games.protocol import Game
from .players import Policy, Table, invite, players
from .profile import Profile
from .sparse_profile import sparse_of
from .strategy_file import StrategyFile, read_strategy
from .strategy_seats import Given
from .tree import GameTree, build
from .wide_strategy import WideStrategy

TIMEOUT = 60.0
"""Seconds that a player who solves the game has for it."""


def table_of(game: Game | GameTree, max_nodes: int, timeout: float, progress: Callable[[str], None]) -> Table:
    """The table at which *game* is played; its tree is built once, when it is first asked for."""
    if isinstance(game, GameTree):
        return Table(None, lambda: game, timeout, progress)
    return Table(game, cache(partial(_built, game, max_nodes)), timeout, progress)


def _built(game: Game, max_nodes: int) -> GameTree:
    try:
        return build(game, max_nodes=max_nodes)
    except TreeTooLargeError as error:
        wide = isinstance(game, BiddingGame) and len(game.players) == 2
        instead = "arrays do without it: --method wide (method=)" if wide else ""
        raise TreeTooLargeError(error.nodes, error.budget, error.exact, instead) from None


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
        from .wide_file import read_wide

        return read_wide(word, two_bidders(table))
    return read_strategy(word)


def two_bidders(table: Table) -> BiddingGame:
    """The two-player game of bidding that is played. Raises ``NotApplicableError`` for any other."""
    if not isinstance(table.game, BiddingGame) or len(table.game.players) != 2:
        raise NotApplicableError(f"{table.title}: arrays are for two-player games of bidding, such as liars-dice")
    return table.game
