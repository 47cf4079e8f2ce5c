"""Players by name. Each is one file in ``.kinds`` with a tuple ``PLAYERS``; nothing else lists them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from ..base.errors import ParameterError, nearest
from ..base.registry import collect
from .protocol import Player, Table

if TYPE_CHECKING:
    from ..strategies.policy import Policy, Uncovered
    from ..strategies.protocol import Strategy


def players() -> MappingProxyType[str, Player]:
    """Every player by name."""
    return collect(f"{__name__}.kinds", "PLAYERS")


def invite(word: str) -> Callable[[Table], Strategy]:
    """How the player *word*, a name with settings (``"NAME:KEY=VALUE:KEY=VALUE"``) or without, sits down at a table.

    Raises ``ParameterError`` for an unknown name, key or value.
    """
    name, _, text = word.partition(":")
    known = players()
    if name not in known:
        raise ParameterError(f"there is no player {name!r}; {nearest(name, known)}")
    return partial(known[name].sit, **known[name].settings(text))


def __getattr__(name: str) -> Any:
    # NumPy comes with the first strategy: an environment's rules do without it.
    if name not in ("Policy", "Uncovered"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from ..strategies import policy

    return getattr(policy, name)


__all__ = ["Player", "Policy", "Table", "Uncovered", "invite", "players"]
