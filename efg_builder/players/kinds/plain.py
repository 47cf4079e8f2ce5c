"""Players that ignore their hands: uniform, always calling, and always making the lowest bid."""

from __future__ import annotations

from fractions import Fraction

from ...games.protocol import PublicDecision
from ...strategies.policy import Policy, uniform_move
from ...strategies.sparse_profile import SparseProfile
from ...strategies.tree_profile import Strategy, TreeProfile
from ..find import Player, Table


def _uniform(table: Table) -> Strategy:
    if table.subject.given_dealt is not None:
        return Policy(uniform_move, last_bid_only=True)
    return TreeProfile.uniform(table.tree())


def _always_call(table: Table) -> Strategy:
    # In bidding games, the call is the default move, so no rows are needed.
    game = table.bidding("always-call")
    return SparseProfile(game, tuple({} for _ in game.players))


def lowest_raise(turn: PublicDecision, hand: int) -> dict[str, Fraction]:
    """Play the first action: the lowest legal bid, or the call after the highest bid."""
    return {turn.actions[0][0]: Fraction(1)}


def _lowest_raise(table: Table) -> Strategy:
    table.bidding("lowest-raise")
    return Policy(lowest_raise, last_bid_only=True)


PLAYERS = (
    Player("uniform", "makes all legal moves with equal probability; plays any game", _uniform),
    Player("always-call", "calls if it can, else makes the lowest bid; plays bidding games", _always_call),
    Player("lowest-raise", "makes the lowest legal bid, or calls if there is none; plays bidding games", _lowest_raise),
)
