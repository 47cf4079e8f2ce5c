"""Always one bid higher, whatever the dice."""

from __future__ import annotations

from fractions import Fraction

from ...games.protocol import PublicDecision
from ...strategies.policy import Policy
from ...strategies.protocol import Strategy
from ..find import Player, Table

NAME = "lowest-raise"


def play(turn: PublicDecision, hand: int) -> dict[str, Fraction]:
    """The lowest legal bid; where there is none, the call: the first of the moves, since bids stand in their order."""
    return {turn.actions[0][0]: Fraction(1)}


def _sit(table: Table) -> Strategy:
    table.bidding(NAME)
    return Policy(play, last_bid_only=True)


PLAYERS = (Player(NAME, "the lowest legal bid, and a call where there is none; plays games of bidding", _sit),)
