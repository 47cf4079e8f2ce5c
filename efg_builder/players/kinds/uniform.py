"""Every legal move as likely as any other."""

from __future__ import annotations

from ...games.protocol import DealtGame
from ...strategies.policy import Policy, uniform_move
from ...strategies.protocol import Strategy
from ...strategies.tree_profile import TreeProfile
from ..find import Player, Table


def _sit(table: Table) -> Strategy:
    if isinstance(table.game, DealtGame):
        return Policy(uniform_move, last_bid_only=True)
    return TreeProfile.uniform(table.tree())


PLAYERS = (Player("uniform", "every legal move as likely as any other; plays any game", _sit),)
