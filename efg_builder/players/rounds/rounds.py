"""One round, from the deal to the end: values only, nothing is changed in place.

Whatever is drawn at random is asked of a *pick*: given the probabilities, it returns an index. ``sampler`` draws,
a test can try all.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ...base.errors import ParameterError, nearest
from ...base.rationals import common_denominator
from ...forms.extensive import CHANCE
from ...games.protocol import Chance, Decision, End, State
from .board import Board

Pick = Callable[[Sequence[Fraction]], int]


def sampler(source: random.Random) -> Pick:
    """Draws with exactly the probabilities asked for."""

    def pick(chances: Sequence[Fraction]) -> int:
        scale = common_denominator(chances)
        drawn = source.randrange(scale)
        for index, chance in enumerate(chances):
            drawn -= chance.numerator * (scale // chance.denominator)
            if drawn < 0:
                return index
        raise AssertionError("probabilities sum to 1")

    return pick


@dataclass(frozen=True)
class Event:
    """Something that happened: a move of ``player`` (from 0), or of chance (-1)."""

    player: int
    action: str


@dataclass(frozen=True)
class Step:
    """A move of the human's: where, with what ``hand`` (empty where the rules know none), which, and what each action
    was worth there."""

    state: State
    infoset: str
    action: str
    values: Mapping[str, Fraction]
    hand: str = ""

    @property
    def best(self) -> Fraction:
        """What the best action was worth."""
        return max(self.values.values())

    @property
    def price(self) -> Fraction:
        """What the move cost: 0 where it was as good as any."""
        return self.best - self.values[self.action]


@dataclass(frozen=True)
class Play:
    """A round under way: it is the human's turn, or over (``turn`` is an ``End``). ``seat`` counts from 0."""

    board: Board
    seat: int
    state: State
    turn: Decision | End
    events: tuple[Event, ...] = ()
    steps: tuple[Step, ...] = ()

    @property
    def over(self) -> bool:
        """Whether the round is at its end."""
        return isinstance(self.turn, End)

    @property
    def actions(self) -> tuple[str, ...]:
        """The legal moves; none at the end."""
        return () if isinstance(self.turn, End) else tuple(action for action, _ in self.turn.actions)

    @property
    def values(self) -> dict[str, Fraction]:
        """What each legal move is worth."""
        return dict(zip(self.actions, self.board.values(self.seat).at(self.state), strict=True)) if self.actions else {}

    def advice(self, of: Board) -> dict[str, Fraction]:
        """How likely the strategy of the board *of*, one of the same game, makes each legal move here."""
        return _told(of, self.state) if self.actions else {}

    def strayed(self, of: Board) -> bool:
        """Whether the human made a move that the strategy of the board *of* never makes there."""
        return any(not _told(of, step.state)[step.action] for step in self.steps)


def _told(board: Board, state: State) -> dict[str, Fraction]:
    turn = board.turn(state)
    assert isinstance(turn, Decision)
    return dict(zip((action for action, _ in turn.actions), board.behavior(state, turn), strict=True))


@dataclass(frozen=True)
class Record:
    """A round that is over.

    ``payoffs`` of all players, ``ending`` the outcome's name, ``uncovered`` what had been hidden, ``start`` what
    playing best was worth before the deal. ``result`` is ``start + luck - price``.
    """

    players: tuple[str, ...]
    seat: int
    events: tuple[Event, ...]
    steps: tuple[Step, ...]
    payoffs: tuple[Fraction, ...]
    ending: str
    uncovered: tuple[tuple[str, str], ...]
    start: Fraction

    @property
    def result(self) -> Fraction:
        """The human's payoff."""
        return self.payoffs[self.seat]

    @property
    def price(self) -> Fraction:
        """What the human's moves cost, in all."""
        return sum((step.price for step in self.steps), Fraction(0))

    @property
    def luck(self) -> Fraction:
        """What neither the start nor the human's moves account for; 0 on average, however the human plays."""
        return self.result - self.start + self.price


def begin(board: Board, seat: int, pick: Pick) -> Play:
    """Deal, and let the others play up to the human's first turn.

    Raises ``ParameterError`` for a seat that does not exist, and what ``board.values`` raises.
    """
    if seat not in range(len(board.players)):
        raise ParameterError(f"there is no seat {seat + 1}: this game has seats 1 to {len(board.players)}")
    board.values(seat)  # fails now rather than in mid-game
    return _advanced(board, seat, board.root(), (), (), pick)


def choose(play: Play, action: str, pick: Pick) -> Play:
    """The human makes a move, and the others go on. Raises ``ParameterError`` for what is not a legal move."""
    if isinstance(play.turn, End):
        raise ParameterError(f"{action!r}: the round is over")
    if action not in play.actions:
        raise ParameterError(f"{action!r} is not a legal move; {nearest(action, play.actions)}")
    step = Step(play.state, play.turn.infoset, action, play.values, play.board.hand(play.state, play.seat))
    events = (*play.events, Event(play.seat, action))
    return _advanced(play.board, play.seat, dict(play.turn.actions)[action], events, (*play.steps, step), pick)


def _advanced(
    board: Board, seat: int, state: State, events: tuple[Event, ...], steps: tuple[Step, ...], pick: Pick
) -> Play:
    while True:
        turn = board.turn(state)
        if isinstance(turn, End) or (isinstance(turn, Decision) and turn.player == seat):
            return Play(board, seat, state, turn, events, steps)
        if isinstance(turn, Chance):
            name, _, then = turn.branches[pick([p for _, p, _ in turn.branches])]
            events, state = (*events, Event(CHANCE, name)), then
        else:
            name, then = turn.actions[pick(board.behavior(state, turn))]
            events, state = (*events, Event(turn.player, name)), then


def record(play: Play) -> Record:
    """What is left of a round that is over."""
    assert isinstance(play.turn, End)
    board = play.board
    return Record(
        *(board.players, play.seat, play.events, play.steps, play.turn.payoffs, play.turn.label),
        uncovered=board.uncovered(play.state),
        start=board.values(play.seat).start,
    )
