"""How strategies are measured: over the tree, sparsely or over arrays, by the size of the game and their form."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ..base.errors import NotApplicableError, ParameterError, nearest
from ..base.machine import memory_here
from ..games.bidding import BiddingGame
from ..games.protocol import DealtGame
from ..strategies.dense_profile import WideStrategy
from . import Table
from .strategy_measures import Measure, OnArrays, OnSupport, OnTree
from .strategy_seats import Given, Ground

AUTO = "auto"

METHODS = (AUTO, "tree", "sparse", "wide")
"""How to measure; ``auto`` takes the one that suits the game and the strategies."""

SMALL_NODES, TREE_NODES = 5_000, 400_000
"""``auto`` measures over the tree up to the first size, and up to the second what is not sparse."""

MEMORY_SHARE = 0.75
"""Of the machine's memory, what arrays may take where no limit is set."""

GIB = 1 << 30


@dataclass(frozen=True)
class Arrays:
    """What arrays may take: ``max_memory`` bytes (None: three quarters of the machine's).

    ``exploiter``: one is wanted too, which takes memory. ``announce`` is told of the memory before it is taken, and
    ``progress`` of how far the work has come.
    """

    max_memory: int | None
    exploiter: bool
    announce: Callable[[str], None]
    progress: Callable[[str], None]

    @property
    def limit(self) -> int:
        """In bytes."""
        if self.max_memory is not None:
            return self.max_memory
        there = memory_here()
        return 8 * GIB if there is None else int(MEMORY_SHARE * there)


def choose(method: str, table: Table, givens: Sequence[Given], complete: str | None, arrays: Arrays) -> Measure:
    """The measure that *method* names, or that suits the game and the strategies.

    Raises ``ParameterError`` for a method that does not exist, ``NotApplicableError`` where it does not suit or needs
    more memory than it may take, and ``TreeTooLargeError``.
    """
    if method not in METHODS:
        raise ParameterError(f"there is no method {method!r} to measure; {nearest(method, METHODS)}")
    game = table.game
    if method == AUTO:
        method = _suits(table, givens, complete)
    if method == "sparse":
        if not isinstance(game, DealtGame):
            raise NotApplicableError(f"{table.title}: only dealt games are measured without a tree; use --method tree")
        return OnSupport(game, complete)
    if method == "wide":
        bidding = two_bidders(table)
        return OnArrays(bidding, complete, _kind(bidding, givens, arrays), arrays.progress)
    return OnTree(Ground(table.tree(), game), complete)


def two_bidders(table: Table) -> BiddingGame:
    """The two-player game of bidding that is played. Raises ``NotApplicableError`` for any other."""
    if not isinstance(table.game, BiddingGame) or len(table.game.players) != 2:
        raise NotApplicableError(f"{table.title}: arrays are for two-player games of bidding, such as liars-dice")
    return table.game


def _suits(table: Table, givens: Sequence[Given], complete: str | None) -> str:
    """What ``auto`` takes."""
    game = table.game
    if any(isinstance(given, WideStrategy) for given in givens):
        return "wide"
    size = game.size() if game is not None else None
    if size is None or size.nodes <= SMALL_NODES or not isinstance(game, DealtGame):
        return "tree"
    if len(game.players) == 2 and game.constant_sum is not None:
        sparse = OnSupport(game, complete)
        if all(sparse.form(given, player) is not None for given in givens for player in range(2)):
            return "sparse"
        if isinstance(game, BiddingGame) and size.nodes > TREE_NODES:
            return "wide"
    return "tree"


def _kind(game: BiddingGame, givens: Sequence[Given], arrays: Arrays) -> Any:
    """64 bits where memory allows, or else 32. Raises ``NotApplicableError`` where neither fits."""
    import numpy as np

    from ..proof.wide import memory
    from .strategy_wide import held

    beside = sum(held(given, player, game) for given in givens for player in range(2))
    histories = 2 ** (len(game.bid_names) - 1)
    beside += arrays.exploiter * histories * sum(game.hand_counts)
    for kind in (np.float64, np.float32):
        needed = memory(game, kind) + beside
        if needed <= arrays.limit:
            bits = 8 * np.dtype(kind).itemsize
            arrays.announce(f"arrays of {histories:,} histories a player, {bits} bits: {_size(needed)} of memory")
            return kind
    raise NotApplicableError(
        f"{game.title}: arrays over all {2 * histories:,} histories need {_size(needed)} of memory, over the limit "
        f"of {_size(arrays.limit)}; a larger one is set by --max-memory (max_memory=)"
    )


def _size(count: int) -> str:
    unit, name = (GIB, "GiB") if count >= GIB else (GIB >> 10, "MiB")
    return f"{count / unit:,.3g} {name}"
