"""Players by name. Each is one file here with a tuple ``PLAYERS``; nothing else lists them."""

from __future__ import annotations

from types import MappingProxyType

from ..registry import collect
from .protocol import Play, Player, Policy, Table


def players() -> MappingProxyType[str, Player]:
    """Every player by name."""
    return collect(__name__, "PLAYERS")


__all__ = ["Play", "Player", "Policy", "Table", "players"]
