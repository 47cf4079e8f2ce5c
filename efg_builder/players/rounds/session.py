"""A session: rounds one after the other, each with a board of its own, and the score over all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from .board import Board
from .rounds import Record


@dataclass(frozen=True)
class Round:
    """A round to be played: the board (game, strategies, payoffs) and the human's seat, from 0."""

    board: Board
    seat: int


Following = Callable[[Sequence[Record]], Round | None]
"""Which round comes after those that were played; None: the session is over.

Rounds alike are ``repeated``; a match is a function that looks at who lost the last round.
"""


def repeated(board: Board, seat: int, rounds: int | None) -> Following:
    """The same round again and again: so many of them, or (None) without end."""

    def following(played: Sequence[Record]) -> Round | None:
        return Round(board, seat) if rounds is None or len(played) < rounds else None

    return following


@dataclass(frozen=True)
class Session:
    """The rounds played so far, and what follows them."""

    following: Following
    records: tuple[Record, ...] = ()

    @property
    def next(self) -> Round | None:
        """The round to be played now."""
        return self.following(self.records)

    def with_record(self, played: Record) -> Session:
        """The session after one more round."""
        return Session(self.following, (*self.records, played))


@dataclass(frozen=True)
class Score:
    """Sums over rounds: ``result = start + luck - price``, and ``skill = start - price`` is the result without luck.

    ``moves`` of the human's, and ``mistakes``: those with a price. ``starts``: how many of the rounds began at which
    worth, in the order in which they were met.
    """

    rounds: int
    result: Fraction
    start: Fraction
    price: Fraction
    luck: Fraction
    moves: int
    mistakes: int
    starts: tuple[tuple[int, Fraction], ...] = ()

    @property
    def skill(self) -> Fraction:
        """What these moves are worth on average."""
        return self.start - self.price


def score(records: Sequence[Record]) -> Score:
    """The score over *records*."""
    steps = [step for each in records for step in each.steps]
    zero = Fraction(0)
    return Score(
        rounds=len(records),
        result=sum((each.result for each in records), zero),
        start=sum((each.start for each in records), zero),
        price=sum((each.price for each in records), zero),
        luck=sum((each.luck for each in records), zero),
        moves=len(steps),
        mistakes=sum(1 for step in steps if step.price),
        starts=tuple((times, start) for start, times in Counter(each.start for each in records).items()),
    )
