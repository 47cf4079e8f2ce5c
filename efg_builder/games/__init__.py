"""The catalogue of games. Each game is one file here with a tuple ``GAMES``; nothing else lists them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ..base.errors import ParameterError, nearest
from ..base.registry import collect
from .parameters import GameType, as_text
from .protocol import Game


def catalogue() -> MappingProxyType[str, GameType]:
    """Every game by name."""
    return collect(__name__, "GAMES")


def game(name: str, /, **settings: object) -> Game:
    """The rules of a game, exact: ``game("liars-dice", sides=3, dice=(2, 1))``.

    Settings are text or plain Python values; what can be set is in ``catalogue``.
    Raises ``ParameterError`` for an unknown game, key or value.
    """
    return make(name, settings)


def make(name: str, settings: Mapping[str, object]) -> Game:
    """``game`` with the settings in a mapping."""
    known = catalogue()
    if name not in known:
        raise ParameterError(f"there is no game {name!r}; {nearest(name, known)}")
    return known[name].create(settings)


def identify(game: Game) -> tuple[str, dict[str, str]] | None:
    """The name and the settings, all of them, that make *game*; None where it is not of the catalogue."""
    for name, kind in catalogue().items():
        settings = {p.name: as_text(getattr(game, p.name)) for p in kind.parameters if hasattr(game, p.name)}
        if len(settings) == len(kind.parameters):
            try:
                same = kind.create(settings) == game
            except ParameterError:
                continue
            if same:
                return name, settings
    return None
