"""What a round is played on: rules, the strategy in every seat, and what moves are worth against it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

from ...base.errors import NotApplicableError
from ...base.rationals import Number
from ...games.protocol import Decision, Game, State, Turn

Row = tuple[Fraction, ...]
"""One number for each action of a turn, in order."""


@dataclass(frozen=True)
class Values:
    """What moves of one player are worth against the strategy in the other seats.

    ``start``: what playing as well as can be gets before anything happened. ``at(state)``: the value of each action
    at the information set to which *state*, where the player moves, belongs; see the package for its definition.
    """

    start: Fraction
    at: Callable[[State], Row]


class Board(Protocol):
    """Rules and strategies together; states are the board's own, and turns are those of ``games.protocol``."""

    @property
    def game(self) -> Game | None:
        """The rules, where they are known."""

    @property
    def title(self) -> str:
        """The game's title."""

    @property
    def players(self) -> tuple[str, ...]:
        """The players' names."""

    @property
    def open(self) -> bool:
        """Whether every player sees the others' moves as they are made."""

    def root(self) -> State:
        """The state before anything happened."""

    def turn(self, state: State) -> Turn:
        """Whose turn it is; action labels differ, and payoffs at an end are those of the whole way there."""

    def behavior(self, state: State, turn: Decision) -> Row:
        """How likely the strategy makes each action; sums to exactly 1."""

    def values(self, player: int) -> Values:
        """What moves are worth to *player* (from 0) where the strategy plays all other seats."""

    def hand(self, state: State, player: int) -> str:
        """What *player* holds, as text; empty where the rules know no hands."""

    def uncovered(self, state: State) -> tuple[tuple[str, str], ...]:
        """At the end of a round, what was hidden: (whose or of what, what)."""


def refused(board: Board) -> dict[int, NotApplicableError]:
    """The seats (from 0) that nobody can take on *board*, and why: what its ``values`` raises for them."""
    found = {}
    for seat in range(len(board.players)):
        try:
            board.values(seat)
        except NotApplicableError as error:
            found[seat] = error
    return found


def one_line(label: str) -> str:
    """A label as it can be shown within a line: letters that do not print are blanks, and so is each run of blanks."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in label).split())


def exact(row: Sequence[Number]) -> Row:
    """A distribution in fractions: floats as what they are exactly, and all divided by their sum."""
    numbers = [Fraction(p) for p in row]
    total = sum(numbers, Fraction(0))
    return tuple(numbers) if total == 1 else tuple(p / total for p in numbers)
