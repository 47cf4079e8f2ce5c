"""What chance decides in a block of games, from the seed alone: the same for everyone who plays that block.

Each array has a generator of its own, seeded by (seed, block, turn, part) (NumPy's ``SeedSequence``): so what a block
holds depends neither on the order in which blocks are played, nor on who plays, nor on how much was asked for before.
Numbers are uniform in [0, 1). They belong to a seat: whoever sits there rolls the same dice, and decides by the same
numbers, which is what makes games of different players comparable ("common random numbers").
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import Any

MOVES = 8
"""Moves of a seat for which numbers are drawn at a time."""

_ORDER, _HANDS, _MOVES = 0, 1, 2

MOST_SEED = 2**32 - 1
"""Seeds are at most this: larger ones take more than one word, and two lists of words could be alike."""


@dataclass(frozen=True, eq=False)
class Draws:
    """The numbers for the first ``deals`` games of block ``block`` at ``seats`` seats.

    Games are numbered from 0 within the block, ``turn`` is the round of a match (0 where there is only one).
    """

    seed: int
    block: int
    deals: int
    seats: int
    _known: dict[tuple[int, int], Any] = field(default_factory=dict)

    def _array(self, turn: int, part: int, *shape: int) -> Any:
        if (turn, part) not in self._known:
            import numpy as np

            generator = np.random.default_rng(np.random.SeedSequence([self.seed, self.block, turn, part]))
            self._known[turn, part] = generator.random((self.deals, *shape))
        return self._known[turn, part]

    def orders(self) -> list[list[int]]:
        """For each game a random order of as many players as there are seats, all orders alike."""
        order: list[list[int]] = self._array(0, _ORDER, self.seats).argsort(axis=1, kind="stable").tolist()
        return order

    def hands(self, game: int, turn: int) -> list[float]:
        """What decides the hand of each seat."""
        return self._list(turn, _HANDS, self.seats)[game]  # type: ignore[no-any-return]

    def moves(self, game: int, turn: int) -> Moves:
        """What decides the moves of each seat."""
        return Moves(partial(self._part, game, turn))

    def _part(self, game: int, turn: int, part: int) -> list[list[float]]:
        return self._list(turn, _MOVES + part, self.seats, MOVES)[game]  # type: ignore[no-any-return]

    def _list(self, turn: int, part: int, *shape: int) -> list[Any]:
        found = self._array(turn, part, *shape)
        if not isinstance(found, list):
            # Plain numbers: reading them one by one from an array takes several times as long.
            found = self._known[turn, part] = found.tolist()
        known: list[Any] = found
        return known


class Moves:
    """The numbers of one round: ``row(k)`` for the moves 8 k to 8 k + 7 of every seat, drawn when first asked for."""

    __slots__ = ("_draw", "_rows")

    def __init__(self, draw: partial[list[list[float]]]) -> None:
        self._draw = draw
        self._rows: list[list[list[float]]] = []

    def row(self, part: int) -> list[list[float]]:
        """One list of ``MOVES`` numbers for each seat."""
        while len(self._rows) <= part:
            self._rows.append(self._draw(len(self._rows)))
        return self._rows[part]
