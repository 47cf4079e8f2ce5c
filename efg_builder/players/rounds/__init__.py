"""A person against a strategy: rounds, the values of moves, and the score without luck.

The *human* has one seat, and a known strategy plays all other seats. This package does no input or output.

- The *value* Q(I, a) of a move a at the human's information set I is the expected payoff of a, followed by best play.
  The beliefs at I follow from Bayes' rule. V(I) is the maximum of Q(I, a) over all a. The *start* is V before the deal.
- The *loss* of a move (the attribute ``price``) is V(I) - Q(I, a). The *luck* of a round is the rest of the result:
  result = start + luck - losses.
- The mean of luck is 0 for any strategy of the human, because Q(I, a) is the mean of V at the human's next turn, or of
  the payoff if no turn follows. (Compare the advantage sum estimators of Zinkevich et al., "Optimal unbiased estimators
  for evaluating agent performance", AAAI 2006.)

All numbers are exact: the floats of a strategy are converted to fractions and normalized. Rounds and scores are
immutable. Every random draw calls a *pick*, a function from probabilities to an index.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import cast

from ...base.errors import ParameterError, misspelled
from ...base.rationals import common_denominator
from ...forms.extensive import CHANCE
from ...games.protocol import Chance, Decision, End, State
from .boards import Board, Event, Pick, Values, decision_at, refused
from .seating import Opponent, board_for, opponent

__all__ = ["Board", "Event", "Opponent", "Pick", "Values", "board_for", "opponent", "refused"]


def sampler(source: random.Random) -> Pick:
    """Return a pick that draws with exactly the given probabilities."""

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
class Step:
    """A move of the human, with the values of all actions.

    ``seen``: in a game without hands, the events that the human saw.
    """

    state: State
    infoset: str
    action: str
    values: Mapping[str, Fraction]
    hand: str = ""
    seen: tuple[Event, ...] = ()

    @property
    def best(self) -> Fraction:
        return max(self.values.values())

    @property
    def price(self) -> Fraction:
        """The loss of the move; 0 for a best move."""
        return self.best - self.values[self.action]


@dataclass(frozen=True)
class OpenRound:
    """A round at the human's turn, or a finished round, whose ``turn`` is an ``End``. Seats are numbered from 0."""

    board: Board
    seat: int
    state: State
    turn: Decision | End
    events: tuple[Event, ...] = ()
    steps: tuple[Step, ...] = ()

    @property
    def over(self) -> bool:
        return isinstance(self.turn, End)

    @property
    def actions(self) -> tuple[str, ...]:
        return () if isinstance(self.turn, End) else tuple(action for action, _ in self.turn.actions)

    @property
    def values(self) -> dict[str, Fraction]:
        return dict(zip(self.actions, self.board.values(self.seat).at(self.state), strict=True)) if self.actions else {}

    def advice(self, of: Board) -> dict[str, Fraction]:
        """Return the probability of each legal move under the strategy of *of*, a board of the same game."""
        return _behavior(of, self.state) if self.actions else {}

    def strayed(self, of: Board) -> bool:
        """Whether the human has made a move of probability 0 under the strategy of *of*, a board of the same game."""
        return any(not _behavior(of, step.state)[step.action] for step in self.steps)


def _behavior(board: Board, state: State) -> dict[str, Fraction]:
    turn = decision_at(board, state)
    return dict(zip((action for action, _ in turn.actions), board.behavior(state, turn), strict=True))


@dataclass(frozen=True)
class Record:
    """A finished round. ``ending`` is the name of the outcome. ``uncovered`` lists the hands or the chance events."""

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
        return self.payoffs[self.seat]

    @property
    def price(self) -> Fraction:
        """The sum of the losses of the human's moves."""
        return sum((step.price for step in self.steps), Fraction(0))

    @property
    def luck(self) -> Fraction:
        """The result minus the start plus the losses; the mean of luck is 0."""
        return self.result - self.start + self.price


def begin(board: Board, seat: int, pick: Pick) -> OpenRound:
    """Deal, and play to the human's first turn. Raises the errors of ``board.values``."""
    if seat not in range(len(board.players)):
        raise ParameterError(f"there is no seat {seat + 1}: this game has seats 1 to {len(board.players)}")
    board.values(seat)  # raise its errors now, not during the round
    return _advanced(board, seat, board.root(), (), (), pick)


def choose(now: OpenRound, action: str, pick: Pick) -> OpenRound:
    """Make the human's move, and play to the human's next turn. Raises ``ParameterError`` for an illegal move."""
    if isinstance(now.turn, End):
        raise ParameterError(f"{action!r}: the round is over")
    if action not in now.actions:
        raise ParameterError(f"{action!r} is not a legal move; {misspelled(action, now.actions)}")
    board, hand = now.board, now.board.hand(now.state, now.seat)
    seen = () if hand else board.seen(now.state)
    step = Step(now.state, now.turn.infoset, action, now.values, hand, seen)
    events = (*now.events, Event(now.seat, action))
    return _advanced(now.board, now.seat, dict(now.turn.actions)[action], events, (*now.steps, step), pick)


def _advanced(
    board: Board, seat: int, state: State, events: tuple[Event, ...], steps: tuple[Step, ...], pick: Pick
) -> OpenRound:
    while True:
        turn = board.turn(state)
        if isinstance(turn, End) or (isinstance(turn, Decision) and turn.player == seat):
            return OpenRound(board, seat, state, turn, events, steps)
        if isinstance(turn, Chance):
            name, _, then = turn.branches[pick([Fraction(p) for _, p, _ in turn.branches])]
            events, state = (*events, Event(CHANCE, name)), then
        else:
            name, then = turn.actions[pick(board.behavior(state, turn))]
            events, state = (*events, Event(turn.player, name)), then


def record(now: OpenRound) -> Record:
    """Return the record of a finished round."""
    board, end = now.board, cast("End", now.turn)
    return Record(
        players=board.players,
        seat=now.seat,
        events=now.events,
        steps=now.steps,
        payoffs=end.payoffs,
        ending=end.label,
        uncovered=board.uncovered(now.state),
        start=board.values(now.seat).start,
    )


@dataclass(frozen=True)
class Score:
    """Sums over rounds.

    ``mistakes`` is the number of moves with a positive loss. ``starts`` contains (number of rounds, start value) for
    each distinct start value.
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
        """The result without luck."""
        return self.start - self.price


def score(records: Sequence[Record]) -> Score:
    steps = [step for each in records for step in each.steps]
    sums = ("result", "start", "price", "luck")
    return Score(
        rounds=len(records),
        **{name: sum((getattr(each, name) for each in records), Fraction(0)) for name in sums},
        moves=len(steps),
        mistakes=sum(1 for step in steps if step.price),
        starts=tuple((times, start) for start, times in Counter(each.start for each in records).items()),
    )
