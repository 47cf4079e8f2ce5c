"""Strategies as the exact probabilities that a board asks for."""

from __future__ import annotations

from fractions import Fraction

from ...forms.extensive import GameTree
from ...games.protocol import PublicDecision
from ...strategies.policy import Policy
from ...strategies.protocol import Strategy
from ...strategies.sparse_profile import SparseProfile
from .board import Row, exact
from .on_table import Rows


def on_table_rows(strategy: Strategy, keep: bool = True) -> Rows:
    """*strategy* by public turn and hand, raising what it raises. With *keep* it is asked but once for the same."""
    if isinstance(strategy, SparseProfile):
        return strategy.played
    known: dict[tuple[int, str, int], dict[str, Fraction]] = {}

    def rows(turn: PublicDecision, hand: int) -> dict[str, Fraction]:
        by_last = isinstance(strategy, Policy) and strategy.last_bid_only
        key = turn.player, turn.history.rpartition(" ")[2] if by_last else turn.history, hand
        if key in known:
            return known[key]
        behavior = strategy.at(turn, hand)
        row = dict(zip(behavior, exact(tuple(behavior.values())), strict=True))
        return known.setdefault(key, row) if keep else row

    return rows


def on_tree_rows(strategy: Strategy, tree: GameTree) -> tuple[Row, ...]:
    """*strategy* at each information set of the tree, chance included. Raises ``ProfileError``."""
    return tuple(map(exact, strategy.on(tree).probabilities))
