"""Call whatever is bid."""

from __future__ import annotations

from ...strategies.protocol import Strategy
from ...strategies.sparse_profile import SparseProfile
from ..find import Player, Table

NAME = "always-call"


def _sit(table: Table) -> Strategy:
    # In games of bidding just this is the default move, so that nothing needs to be written.
    game = table.bidding(NAME)
    return SparseProfile(game, tuple({} for _ in game.players))


PLAYERS = (Player(NAME, "a call wherever there is one, otherwise the lowest bid; plays games of bidding", _sit),)
