"""A game of the data set: the words that name it, and its tree, made from the rules of this package."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from ...base.errors import FileError, ParameterError
from ...base.rationals import parse, text
from ...forms.extensive import MAX_NODES, GameTree, build
from ...games.catalogue import GameType, identify, known
from ...games.protocol import Game
from ...interop.efg import read_efg
from ...interop.gambit import lacking

GAMBIT = "gambit-catalogue"
"""The family of the games that pygambit contains."""


@dataclass(frozen=True)
class Instance:
    """One game of the data set.

    ``family``: the part of the list; ``game`` and the settings ``asked`` for make the game, and ``rake`` is the share
    of each win that the house keeps (0: none). In the family ``gambit-catalogue``, ``game`` is the path in pygambit's
    folder of games.
    """

    family: str
    game: str
    asked: Mapping[str, str] = field(default_factory=dict)
    rake: Fraction = Fraction(0)

    def to_json(self) -> dict[str, Any]:
        """The names that make the game, as plain data."""
        return {"family": self.family, "game": self.game, "asked": dict(self.asked), "rake": text(self.rake)}

    @property
    def _kind(self) -> GameType:
        return known(self.game)

    @property
    def _rules(self) -> Game:
        return self._kind.create(self.asked)

    @property
    def rules(self) -> Game | None:
        """The game of the catalogue that this is, unchanged; None where there is none."""
        return None if self.family == GAMBIT or self.rake else self._rules

    @property
    def slug(self) -> str:
        """The name: letters, digits, ``-``, ``_`` and ``.``; settings at their defaults are left out."""
        words = [GAMBIT.partition("-")[0], self.game]
        if self.family != GAMBIT:
            defaults = {one.name: one.default for one in self._kind.parameters}
            always = {next(iter(defaults), ""), "dice"}
            words = [f"{k}-{v}" for k, v in self.asked.items() if k in always or v != defaults[k]]
            words = [self.game, *words, *([f"rake-{text(self.rake)}"] if self.rake else [])]
        short = "_".join(words).lower()
        return re.sub(r"[^a-z0-9._-]", lambda sign: {",": ".", "/": "."}.get(sign[0], "-"), short)

    @property
    def settings(self) -> str | None:
        """All settings as words, with the rake; None where there are none."""
        found = None if self.family == GAMBIT else identify(self._rules)
        words = [f"{key}={value}" for key, value in (found[1] if found else {}).items()]
        return " ".join([*words, *([f"rake={text(self.rake)}"] if self.rake else [])]) or None

    @property
    def licence(self) -> str:
        """The SPDX identifier of the licence: pygambit's for its games, else that of this package."""
        return "GPL-2.0-or-later" if self.family == GAMBIT else "MIT"

    def source(self, tree: GameTree) -> str:
        """The authors of the game, whose tree is *tree*."""
        if self.family == GAMBIT:
            return " ".join(f"pygambit's catalogue, {self.game}: {tree.comment or tree.title}".split())
        return "; ".join(self._kind.sources)

    def tree(self, max_nodes: int = MAX_NODES) -> GameTree:
        """Build the tree. Raises ``ParameterError`` for an unknown game, ``NotApplicableError`` without pygambit, and
        ``TreeTooLargeError``."""
        if self.family == GAMBIT:
            if lack := lacking(f"the family {GAMBIT}"):
                raise lack
            if self.game not in (games := gambit_games()):
                raise ParameterError(f"the installed pygambit has no game {self.game!r}")
            return read_efg(games[self.game], max_nodes=max_nodes)
        tree = build(self._rules, max_nodes=max_nodes)
        return raked(tree, self.rake) if self.rake else tree


def instance_of(data: object) -> Instance:
    """Read what ``Instance.to_json`` wrote. Raises ``FileError`` and, for an unknown setting, ``ParameterError``."""
    try:
        match data:
            case {"family": str(family), "game": str(game), "asked": dict(asked), "rake": str(rake)}:
                found = Instance(family, game, asked, parse(rake))
                if found.to_json() == data and all(isinstance(value, str) for value in asked.values()):
                    return found
    except (ValueError, ZeroDivisionError):
        pass
    raise FileError("the row does not name a game: 'asked' needs family, game, asked and rake, as text")


def raked(tree: GameTree, share: Fraction) -> GameTree:
    """Return *tree* with *share* of each win kept by the house: the payoffs no longer sum to a constant."""
    title = f"{tree.title}, the house keeps {share} of what is won"
    won = ([u * (1 - share) if u > 0 else u for u in outcome.payoffs] for outcome in tree.outcomes)
    pairs = zip(tree.outcomes, won, strict=True)
    return replace(tree, title=title, outcomes=tuple(o._replace(payoffs=tuple(u)) for o, u in pairs))


def gambit_games() -> dict[str, Path]:
    """The games that the installed pygambit contains, by their path in its folder; empty without pygambit."""
    found = importlib.util.find_spec("pygambit")
    places = found.submodule_search_locations if found is not None else None
    folder = Path(next(iter(places))) / "catalog_data" if places else None
    files = sorted(folder.rglob("*.efg")) if folder is not None else ()
    return {path.relative_to(folder or path).with_suffix("").as_posix(): path for path in files}
