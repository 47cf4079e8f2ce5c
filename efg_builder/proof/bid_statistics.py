"""Bids as the table meets them: how often each is made, how often it is a bluff or false, and who calls it.

Worked out over public histories, with each player's hands and own moves as one row of weights: where hands are
independent, so is the way each player has come. So it takes a step for each public history that is reached, however
many deals there are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from math import prod

from ..base.rationals import Number, is_played
from ..games.bidding import BiddingGame
from ..games.protocol import DealtGame, PublicDecision, State
from ..strategies.dealt_profile import dealt
from ..strategies.protocol import Strategy
from ..strategies.sparse_profile import SparseProfile

Ways = tuple[Mapping[int, Number], ...]
"""For each player, how likely each hand is together with the own moves so far."""

Played = Callable[[PublicDecision, int], Mapping[str, Number]]
"""What the mover plays at a turn with a hand: the actions of positive probability."""


@dataclass(frozen=True)
class Answer:
    """One hand of the player who answers a bid: how likely it is there, and how often it then calls."""

    hand: str
    held: Number
    called: Number


@dataclass(frozen=True)
class BidFigures:
    """A bid that ``player`` makes, all rounds together, whatever was bid before.

    ``made`` is the probability that the player makes it in a round. Given that: ``bluff`` is how often no own die
    bears it out, ``false`` how often it does not hold, ``called`` how often ``answerer``, who moves next, calls it.
    ``answers``: by the answerer's hands, those that get there, in the hands' order. Players count from 0.
    """

    player: int
    answerer: int
    bid: str
    made: Number
    bluff: Number
    false: Number
    called: Number
    answers: tuple[Answer, ...]


@dataclass
class _Sums:
    """Probabilities added up over all histories that end with a player's bid."""

    made: Number = Fraction(0)
    bluff: Number = Fraction(0)
    false: Number = Fraction(0)
    held: dict[int, Number] = field(default_factory=dict)
    called: dict[int, Number] = field(default_factory=dict)


def bid_figures(profile: Strategy, game: BiddingGame) -> tuple[BidFigures, ...]:
    """The figures of every bid that is made, player by player, lowest bids first.

    Exact where *profile* is. Of floats, those of a solver's noise count as 0. Empty where hands are not independent.
    """
    if game.hand_probabilities is None:
        return ()
    sums: dict[tuple[int, int], _Sums] = {}
    truth = _Truth(game)
    played = played_by(profile, game)
    for turn, ways, last in _bid_at(game, played):
        bidder = (turn.player - 1) % len(game.players)
        at = sums.setdefault((bidder, last), _Sums())
        others = [sum(way.values()) for way in ways]
        at.made += prod(others)
        at.false += truth.false(last, turn.player, ways)
        without = prod(others[:bidder] + others[bidder + 1 :])
        for hand, weight in ways[bidder].items():
            claim = game.claim(bidder, hand, game.bid_names[last])
            at.bluff += weight * without if claim is not None and claim.matching == 0 else 0
        without = prod(others[: turn.player] + others[turn.player + 1 :])
        for hand, weight in ways[turn.player].items():
            p = played(turn, hand).get(game.call, Fraction(0))
            at.held[hand] = at.held.get(hand, Fraction(0)) + weight * without
            at.called[hand] = at.called.get(hand, Fraction(0)) + weight * without * p
    return tuple(_figures(game, *key, sums[key]) for key in sorted(sums))


def _figures(game: BiddingGame, player: int, bid: int, at: _Sums) -> BidFigures:
    answerer = (player + 1) % len(game.players)
    names = game.hands[answerer]
    answers = (
        Answer(names[hand], at.held[hand] / at.made, at.called[hand] / at.held[hand]) for hand in sorted(at.held)
    )
    bluff, false, called = (part / at.made for part in (at.bluff, at.false, sum(at.called.values(), Fraction(0))))
    return BidFigures(player, answerer, game.bid_names[bid], at.made, bluff, false, called, tuple(answers))


def played_by(profile: Strategy, game: DealtGame) -> Played:
    """How to ask *profile*, on the whole tree of *game* or without one, what is played; noise counts as nothing."""
    strategy = dealt(profile, game)

    def played(turn: PublicDecision, hand: int) -> Mapping[str, Number]:
        return {action: p for action, p in strategy.at(turn, hand).items() if is_played(p)}

    return profile.played if isinstance(profile, SparseProfile) else played


def _bid_at(game: BiddingGame, played: Played) -> Iterator[tuple[PublicDecision, Ways, int]]:
    """The public turns that are reached, but for the first: with the ways there, and the last bid's index."""
    assert game.hand_probabilities is not None
    start: Ways = tuple(dict(enumerate(chances)) for chances in game.hand_probabilities)
    bids = {name: index for index, name in enumerate(game.bid_names)}
    stack: list[tuple[State, Ways, int]] = [(game.public_root(), start, -1)]
    while stack:
        state, ways, last = stack.pop()
        turn = game.public_turn(state)
        if not isinstance(turn, PublicDecision):
            continue
        if last >= 0:
            yield turn, ways, last
        onward: dict[str, dict[int, Number]] = {}
        for hand, weight in ways[turn.player].items():
            for action, p in played(turn, hand).items():
                onward.setdefault(action, {})[hand] = weight * p
        before, after = ways[: turn.player], ways[turn.player + 1 :]
        stack += [
            (then, (*before, onward[action], *after), bids[action])
            for action, then in reversed(turn.actions)
            if action in onward and action in bids
        ]


class _Truth:
    """Which bids are false, by what matters of the hands: deals in which that is the same are settled once."""

    def __init__(self, game: BiddingGame) -> None:
        self.game = game
        self._known: dict[tuple[int, int], tuple[list[dict[int, list[int]]], dict[tuple[int, ...], bool]]] = {}

    def false(self, bid: int, caller: int, ways: Ways) -> Number:
        """How likely it is to come here with a bid that is false."""
        classes, lies = self._table(bid, caller)
        weights = [
            {number: sum(way.get(hand, Fraction(0)) for hand in hands) for number, hands in mine.items()}
            for mine, way in zip(classes, ways, strict=True)
        ]
        parts = (prod(mine[k] for mine, k in zip(weights, held, strict=True)) for held, lie in lies.items() if lie)
        return sum(parts, start=Fraction(0))

    def _table(self, bid: int, caller: int) -> tuple[list[dict[int, list[int]]], dict[tuple[int, ...], bool]]:
        """Each player's hands by class; and for each combination of classes whether the bid is false."""
        if (bid, caller) not in self._known:
            key, classes = self.game.called(bid, caller), []
            for player in range(len(self.game.players)):
                mine: dict[int, list[int]] = {}
                for hand, number in enumerate(self.game.classes(key, player)):
                    mine.setdefault(number, []).append(hand)
                classes.append(mine)
            lies = {}
            for held in product(*classes):
                hands = tuple(mine[k][0] for mine, k in zip(classes, held, strict=True))
                lies[held] = self.game.is_false(bid, caller, hands)
            self._known[bid, caller] = (classes, lies)
        return self._known[bid, caller]
