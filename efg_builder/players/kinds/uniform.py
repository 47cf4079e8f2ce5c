"""Every legal move as likely as any other."""

from __future__ import annotations

from fractions import Fraction

from ...games.protocol import DealtGame, PublicDecision
from ...strategies.tree_profile import uniform as uniform_profile
from ..protocol import Play, Player, Policy, Table


def play(turn: PublicDecision, hand: int) -> dict[str, Fraction]:
    """The same probability for each move, exactly."""
    share = Fraction(1, len(turn.actions))
    return {action: share for action, _ in turn.actions}


def _sit(table: Table) -> Play:
    if isinstance(table.game, DealtGame):
        return Policy(play, last_bid_only=True)
    return uniform_profile(table.tree())


PLAYERS = (Player("uniform", "every legal move as likely as any other; plays any game", _sit),)
