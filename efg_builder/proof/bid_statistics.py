"""Bids under a strategy profile: how often each is made, is a bluff, is false, and is called.

One pass over the public histories that are reached. Each player has a row of weights, one for each hand. Where hands
are independent, so are these rows, and no deal is listed; where they are not, each history sums over the deals.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from math import prod
from typing import NamedTuple

from ..base.rationals import Number, is_played
from ..games.bidding import BiddingGame
from ..games.protocol import DealtGame, PublicDecision, State
from ..strategies.dealt_profile import dealt
from ..strategies.protocol import Strategy
from ..strategies.sparse_profile import SparseProfile

Rows = tuple[Mapping[int, Number], ...]
"""For each player and hand, the probability of the player's own moves, times that of the hand where independent."""

Played = Callable[[PublicDecision, int], Mapping[str, Number]]
"""The mover's actions of positive probability at a turn with a hand."""


class Reached(NamedTuple):
    """A public turn that play reaches: the last ``action`` (empty at the start), and the ``rows`` of all players.

    ``held``: for each hand of the mover, the probability that it is held and that play reaches the turn.
    """

    turn: PublicDecision
    action: str
    rows: Rows
    held: Mapping[int, Number]


@dataclass(frozen=True)
class Answer:
    """One hand of the player who answers a bid: its probability there, and how often it then calls."""

    hand: str
    held: Number
    called: Number


@dataclass(frozen=True)
class BidFigures:
    """A bid of ``player``, over all histories that lead to it.

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

    Exact where *profile* is. Floats that are a solver's noise count as 0. Empty where hands are not independent.
    """
    if game.hand_probabilities is None:
        return ()
    sums: dict[tuple[int, int], _Sums] = {}
    bids = {name: index for index, name in enumerate(game.bid_names)}
    false_bids = _FalseBids(game)
    played = played_by(profile, game)
    for turn, action, rows, held in reached_turns(game, played):
        if action not in bids:
            continue
        bidder, bid = (turn.player - 1) % len(game.players), bids[action]
        at = sums.setdefault((bidder, bid), _Sums())
        at.made += sum(held.values())
        at.false += false_bids.probability(bid, turn.player, rows)
        others = prod(sum(row.values()) for player, row in enumerate(rows) if player != bidder)
        for hand, weight in rows[bidder].items():
            claim = game.claim(bidder, hand, action)
            at.bluff += weight * others if claim is not None and claim.matching == 0 else 0
        for hand, weight in held.items():
            at.held[hand] = at.held.get(hand, Fraction(0)) + weight
            at.called[hand] = at.called.get(hand, Fraction(0)) + weight * played(turn, hand).get(game.call, Fraction(0))
    return tuple(_figures(game, *key, sums[key]) for key in sorted(sums))


def bluff_shares(profile: Strategy, game: DealtGame) -> dict[int, Number]:
    """By player: of all claims that the player makes, the share that no own die bears out.

    A player who never makes a claim is left out. Exact where *profile* is.
    """
    claims: dict[int, Number] = {}
    bluffs: dict[int, Number] = {}
    played = played_by(profile, game)
    for turn, _, _, held in reached_turns(game, played):
        for hand, weight in held.items():
            for action, p in played(turn, hand).items():
                claim = game.claim(turn.player, hand, action)
                if claim is not None:
                    claims[turn.player] = claims.get(turn.player, Fraction(0)) + weight * p
                    bluff = weight * p if claim.matching == 0 else Fraction(0)
                    bluffs[turn.player] = bluffs.get(turn.player, Fraction(0)) + bluff
    return {player: bluffs[player] / claims[player] for player in sorted(claims)}


def _figures(game: BiddingGame, player: int, bid: int, at: _Sums) -> BidFigures:
    answerer = (player + 1) % len(game.players)
    names = game.hands[answerer]
    answers = (
        Answer(names[hand], at.held[hand] / at.made, at.called[hand] / at.held[hand]) for hand in sorted(at.held)
    )
    bluff, false, called = (part / at.made for part in (at.bluff, at.false, sum(at.called.values(), Fraction(0))))
    return BidFigures(player, answerer, game.bid_names[bid], at.made, bluff, false, called, tuple(answers))


def played_by(profile: Strategy, game: DealtGame) -> Played:
    """The behavior of *profile*, on the whole tree of *game* or without one; a solver's noise counts as 0."""
    strategy = dealt(profile, game)

    def played(turn: PublicDecision, hand: int) -> Mapping[str, Number]:
        return {action: p for action, p in strategy.at(turn, hand).items() if is_played(p)}

    return profile.played if isinstance(profile, SparseProfile) else played


def reached_turns(game: DealtGame, played: Played) -> Iterator[Reached]:
    """All public turns that are reached under *played*, each before those that follow it."""
    chances = game.hand_probabilities
    start: Rows = tuple(dict(enumerate(row)) for row in chances or ([Fraction(1)] * n for n in game.hand_counts))
    stack: list[tuple[State, str, Rows]] = [(game.public_root(), "", start)]
    while stack:
        state, action, rows = stack.pop()
        turn = game.public_turn(state)
        if not isinstance(turn, PublicDecision):
            continue
        held = _held(game, turn.player, rows, independent=chances is not None)
        yield Reached(turn, action, rows, held)
        onward: dict[str, dict[int, Number]] = {}
        for hand in held:
            for move, p in played(turn, hand).items():
                onward.setdefault(move, {})[hand] = rows[turn.player][hand] * p
        before, after = rows[: turn.player], rows[turn.player + 1 :]
        stack += [
            (then, move, (*before, onward[move], *after)) for move, then in reversed(turn.actions) if move in onward
        ]


def _held(game: DealtGame, player: int, rows: Rows, *, independent: bool) -> dict[int, Number]:
    if independent:
        others = prod((sum(row.values()) for other, row in enumerate(rows) if other != player), start=Fraction(1))
        return {hand: weight * others for hand, weight in rows[player].items()}
    found: dict[int, Number] = {}
    for deal in game.deals:
        if all(hand in row for row, hand in zip(rows, deal.hands, strict=True)):
            weight = prod((row[hand] for row, hand in zip(rows, deal.hands, strict=True)), start=deal.probability)
            found[deal.hands[player]] = found.get(deal.hands[player], Fraction(0)) + weight
    return dict(sorted(found.items()))


class _FalseBids:
    """Which bids are false: deals in which all hands are of one class are settled once."""

    def __init__(self, game: BiddingGame) -> None:
        self.game = game
        self._known: dict[tuple[int, int], tuple[list[dict[int, list[int]]], dict[tuple[int, ...], bool]]] = {}

    def probability(self, bid: int, caller: int, rows: Rows) -> Number:
        """The probability that play reaches the turn with these *rows* and that *bid* is false."""
        classes, lies = self._table(bid, caller)
        weights = [
            {number: sum(row.get(hand, Fraction(0)) for hand in hands) for number, hands in mine.items()}
            for mine, row in zip(classes, rows, strict=True)
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
