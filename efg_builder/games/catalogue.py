"""The catalogue of games. Each game is one file here with a tuple ``GAMES``; nothing else lists them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from ..base.errors import ParameterError, nearest
from ..base.parameters import Parameter, as_text, read_settings
from ..base.registry import collect
from .protocol import Game


@dataclass(frozen=True, slots=True)
class GameType:
    """A game of the catalogue: how it is called, what can be set, who wrote of it, and how it is made."""

    name: str
    summary: str
    parameters: tuple[Parameter, ...]
    sources: tuple[str, ...]
    make: Callable[..., Game]
    small: tuple[Mapping[str, object], ...] = ({},)
    """Settings whose trees are small enough for tests that every game must pass."""

    def __repr__(self) -> str:
        return f"<GameType {self.name!r}: {self.summary}>"

    def create(self, settings: Mapping[str, object]) -> Game:
        """The game with *settings* (text or plain Python values).

        Raises ``ParameterError`` naming the key, the value and what would be right.
        """
        values = read_settings(self.name, self.parameters, settings)
        try:
            return self.make(**values)
        except ValueError as error:
            raise ParameterError(f"{self.name}: {error}") from None


def catalogue() -> MappingProxyType[str, GameType]:
    """Every game by name."""
    return collect("efg_builder.games", "GAMES")


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
