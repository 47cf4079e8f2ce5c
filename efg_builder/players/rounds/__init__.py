"""A person against a strategy: rounds, what moves are worth, the score with its luck taken out. No input, no output.

One seat is the person's, the *human's* below; a known strategy plays all others. Against it, everything the human can
do has a worth:

- At an information set I of the human's, the *value of a move* a, Q(I, a), is what the human gets on average from
  there on by making it and then playing as well as can be. On average: over hidden hands as they are likely given
  what the human has seen (own hand, public moves, and by Bayes the others' strategy), over the others' moves and over
  chance. V(I) = max over a of Q(I, a) is the best there is.
- The *start* V0 is what playing best is worth before the deal.
- The *price* of a move is V(I) - Q(I, a): 0 for a best move, and never negative. The prices are the human's part.
- *Luck* is all the rest of the result: the deal, and what the others and chance do by random choice,

      result = start + luck - prices,

  and its mean is 0 however the human plays, because Q(I, a) is the mean of what comes after a: of V at the next set of
  the human's, or of the payoff where there is none. So start - prices is the result without its luck, and a round's
  luck is its result minus that. (A baseline for a known strategy: compare the advantage sum estimators of Zinkevich
  et al., "Optimal unbiased estimators for evaluating agent performance", AAAI 2006.)

All is exact. Where a strategy is in floats, it is what those floats are exactly, divided by their sum.

A round goes from the deal to the end; rounds and scores are values, nothing is changed in place. Every random draw is
made by a *pick*: given the probabilities, it returns an index. ``sampler`` draws, a test can try all indices.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ...base.errors import ParameterError, nearest
from ...base.rationals import common_denominator
from ...forms.extensive import CHANCE
from ...games.protocol import Chance, Decision, End, State
from .boards import Board, Event, Pick, Values, refused
from .seating import Opponent, board_for, opponent

__all__ = ["Board", "Event", "Opponent", "Pick", "Values", "board_for", "opponent", "refused"]


def sampler(source: random.Random) -> Pick:
    """Draws with exactly the given probabilities."""

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
    """A move of the human's: the information set, the ``hand`` (empty where the rules have none), the action, and the
    value of each action there. ``seen``: what the human has seen, where there is no hand."""

    state: State
    infoset: str
    action: str
    values: Mapping[str, Fraction]
    hand: str = ""
    seen: tuple[Event, ...] = ()

    @property
    def best(self) -> Fraction:
        """The value of the best action."""
        return max(self.values.values())

    @property
    def price(self) -> Fraction:
        """What the move cost: 0 where it was as good as any."""
        return self.best - self.values[self.action]


@dataclass(frozen=True)
class OpenRound:
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
        """The value of each legal move."""
        return dict(zip(self.actions, self.board.values(self.seat).at(self.state), strict=True)) if self.actions else {}

    def advice(self, of: Board) -> dict[str, Fraction]:
        """How likely the strategy of the board *of*, one of the same game, makes each legal move here."""
        return _behavior(of, self.state) if self.actions else {}

    def strayed(self, of: Board) -> bool:
        """Whether the human made a move that the strategy of the board *of* never makes there."""
        return any(not _behavior(of, step.state)[step.action] for step in self.steps)


def _behavior(board: Board, state: State) -> dict[str, Fraction]:
    turn = board.turn(state)
    assert isinstance(turn, Decision)
    return dict(zip((action for action, _ in turn.actions), board.behavior(state, turn), strict=True))


@dataclass(frozen=True)
class Record:
    """A round that is over.

    ``payoffs`` of all players, ``ending`` the outcome's name, ``uncovered`` what had been hidden, ``start`` the value
    of best play before the deal. ``result`` is ``start + luck - price``.
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
        """The sum of the prices of the human's moves."""
        return sum((step.price for step in self.steps), Fraction(0))

    @property
    def luck(self) -> Fraction:
        """What neither the start nor the human's moves account for; its mean is 0, however the human plays."""
        return self.result - self.start + self.price


def begin(board: Board, seat: int, pick: Pick) -> OpenRound:
    """Deal, and let the others play up to the human's first turn.

    Raises ``ParameterError`` for a seat that does not exist, and what ``board.values`` raises.
    """
    if seat not in range(len(board.players)):
        raise ParameterError(f"there is no seat {seat + 1}: this game has seats 1 to {len(board.players)}")
    board.values(seat)  # fails now rather than in mid-game
    return _advanced(board, seat, board.root(), (), (), pick)


def choose(now: OpenRound, action: str, pick: Pick) -> OpenRound:
    """The human makes a move, and the others go on. Raises ``ParameterError`` for what is not a legal move."""
    if isinstance(now.turn, End):
        raise ParameterError(f"{action!r}: the round is over")
    if action not in now.actions:
        raise ParameterError(f"{action!r} is not a legal move; {nearest(action, now.actions)}")
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
    """The record of a round that is over."""
    assert isinstance(now.turn, End)
    board = now.board
    return Record(
        players=board.players,
        seat=now.seat,
        events=now.events,
        steps=now.steps,
        payoffs=now.turn.payoffs,
        ending=now.turn.label,
        uncovered=board.uncovered(now.state),
        start=board.values(now.seat).start,
    )


@dataclass(frozen=True)
class Score:
    """Sums over rounds: ``result = start + luck - price``, and ``skill = start - price`` is the result without luck.

    ``moves`` of the human's, and ``mistakes``: those with a price. ``starts``: how many of the rounds began at which
    value, in the order in which they were met.
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
        """The mean result of these moves."""
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
