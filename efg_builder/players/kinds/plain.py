"""Players who do the same whatever they hold: all moves alike, a call wherever there is one, always one bid higher."""

from __future__ import annotations

from fractions import Fraction

from ...games.protocol import DealtGame, PublicDecision
from ...strategies.policy import Policy, uniform_move
from ...strategies.sparse_profile import SparseProfile
from ...strategies.tree_profile import Strategy, TreeProfile
from ..find import Player, Table


def _uniform(table: Table) -> Strategy:
    if isinstance(table.game, DealtGame):
        return Policy(uniform_move, last_bid_only=True)
    return TreeProfile.uniform(table.tree())


def _always_call(table: Table) -> Strategy:
    # In games of bidding just this is the default move, so that nothing needs to be written.
    game = table.bidding("always-call")
    return SparseProfile(game, tuple({} for _ in game.players))


def lowest_raise(turn: PublicDecision, hand: int) -> dict[str, Fraction]:
    """The lowest legal bid; where there is none, the call: the first of the moves, since bids stand in their order."""
    return {turn.actions[0][0]: Fraction(1)}


def _lowest_raise(table: Table) -> Strategy:
    table.bidding("lowest-raise")
    return Policy(lowest_raise, last_bid_only=True)


PLAYERS = (
    Player("uniform", "every legal move as likely as any other; plays any game", _uniform),
    Player(
        "always-call", "a call wherever there is one, otherwise the lowest bid; plays games of bidding", _always_call
    ),
    Player(
        "lowest-raise", "the lowest legal bid, and a call where there is none; plays games of bidding", _lowest_raise
    ),
)
