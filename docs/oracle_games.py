"""The games that ``measure.py`` runs, from the quickest to the hardest, and what others published on them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import efg_builder as eb
from efg_builder.games.protocol import Game

PUBLISHED = Path(__file__).parent.parent / "tests" / "published_values.json"

LIMIT = 60.0
"""Seconds for a game that is not in ``LIMITS``."""

LIMITS = {
    "3v3-4": 300.0,
    "2v1-6-highest": 300.0,
    "1v3-6": 600.0,
    "3v2-4": 600.0,
    "2v3-4": 600.0,
    "3v2-5": 600.0,
    "2v3-5": 600.0,
    "3v2-6": 3600.0,
    "2v3-6": 3600.0,
    "3v3-5": 3600.0,
    "3v3-6": 3600.0,
    "2v2-6-joker": 3600.0,
    "4v4-6": 3600.0,
    "5v5-6": 3600.0,
}
"""Seconds for the hard games."""

RULES: dict[str, dict[str, Any]] = {
    "plain": {},
    "joker": {"wild": 1, "wild_biddable": False},
    "highest": {"wild": "highest"},
}
"""No wild face; face 1 is wild and may not be bid; the highest face is wild and may be bid."""


@dataclass(frozen=True)
class Measured:
    """One game of the list."""

    dice: tuple[int, int]
    sides: int
    rules: str = "plain"

    @property
    def name(self) -> str:
        """``3v1-6``, or ``2v1-6-joker``."""
        return f"{self.dice[0]}v{self.dice[1]}-{self.sides}" + ("" if self.rules == "plain" else f"-{self.rules}")

    @property
    def settings(self) -> dict[str, Any]:
        """The settings of ``eb.game("liars-dice", ...)``."""
        return {"sides": self.sides, "dice": list(self.dice), **RULES[self.rules]}

    @property
    def limit(self) -> float:
        """Seconds that a run may take unless it is told otherwise."""
        return LIMITS.get(self.name, LIMIT)

    @property
    def published(self) -> dict[str, str] | None:
        """What others say the value is, and who, or None."""
        for entry in _published():
            wild = {None: "plain", 1: "joker", "highest face": "highest"}[entry["wild"]]
            if (tuple(entry["dice"]), wild) == (self.dice, self.rules) and str(self.sides) in entry["values"]:
                return {"value": entry["values"][str(self.sides)], "source": entry["source"]}
        return None


@cache
def _published() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(PUBLISHED.read_text())["liars_dice"]
    return found


def make(settings: dict[str, Any]) -> Game:
    """The game of *settings* (plain data)."""
    return eb.game("liars-dice", **{key: tuple(v) if isinstance(v, list) else v for key, v in settings.items()})


def _one(*dice: int, sides: range, rules: str = "plain") -> list[Measured]:
    return [Measured((dice[0], dice[1]), count, rules) for count in sides]


SIX = range(6, 7)

GAMES: tuple[Measured, ...] = (
    *_one(1, 1, sides=range(2, 7)),
    *_one(1, 1, sides=range(2, 7), rules="joker"),
    *_one(1, 1, sides=SIX, rules="highest"),
    *_one(2, 1, sides=range(2, 7)),
    *_one(1, 2, sides=range(2, 7)),
    *_one(2, 1, sides=SIX, rules="joker"),
    *_one(1, 2, sides=SIX, rules="joker"),
    *_one(2, 2, sides=range(2, 7)),
    *_one(3, 1, sides=range(3, 7)),
    *_one(1, 3, sides=range(3, 7)),
    *_one(2, 1, sides=range(5, 7), rules="highest"),
    *_one(3, 2, sides=range(3, 7)),
    *_one(2, 3, sides=range(3, 7)),
    *_one(3, 3, sides=range(3, 7)),
    *_one(2, 2, sides=SIX, rules="joker"),
    *_one(4, 4, sides=SIX),
    *_one(5, 5, sides=SIX),
)
"""Every game with a published value is among them."""
