"""How a player decides in one game: the probabilities of the moves at a public turn, with a hand."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from ...base.errors import NotApplicableError, ProfileError
from ...base.rationals import Number
from ...games.bid_index import class_size
from ...games.bidding import BiddingGame
from ...games.liars_dice import LiarsDice
from ...games.match_rules import match_rules
from ...games.protocol import DealtGame, PublicDecision
from ...players import Policy
from ...players.rounds.on_table import on_table_rows
from ...proof.certificate.reading import read_strategies
from ...strategies.protocol import Strategy
from ...strategies.tree_profile import FLOAT_SUM_TOLERANCE
from ..matches import Match

Answer = Callable[[PublicDecision, int], Mapping[str, Number]]

AT_ONCE = 1 << 21
"""Probabilities that a policy with arrays is asked for all at once."""


@dataclass(frozen=True, eq=False)
class Mover:
    """A player in its chair. ``by_last_bid``: what it does depends on seat, hand and last bid alone.

    ``answer`` checks what a policy says, and names it where that is wrong; ``unchecked``, where there is one, is the
    policy itself.
    """

    answer: Answer
    by_last_bid: bool = False
    unchecked: Answer | None = None

    def row(self, turn: PublicDecision, hand: int) -> list[float]:
        """The probabilities of the turn's actions. Raises ``ProfileError`` for what is no behavior."""
        if self.unchecked is not None:
            with contextlib.suppress(Exception):  # asked again, it is named
                found = self.unchecked(turn, hand)
                if _sound(found, turn):
                    return [float(found.get(action, 0)) for action, _ in turn.actions]
        found = self.answer(turn, hand)
        row = [float(found.get(action, 0)) for action, _ in turn.actions]
        if not (min(row) >= 0 and abs(sum(row) - 1) <= FLOAT_SUM_TOLERANCE):  # nan fails too
            raise ProfileError(f"at {turn.history!r}, hand {hand}: {row} are no probabilities of the moves there")
        return row


def _sound(found: Mapping[str, Number], turn: PublicDecision) -> bool:
    """Whether ``Policy.at`` would let it pass, of what it is quick to tell."""
    numbers = list(found.values())
    kinds = set(map(type, numbers))
    if not found.keys() <= {action for action, _ in turn.actions} or min(numbers) < 0:
        return False
    if kinds <= {float}:
        return abs(sum(map(float, numbers)) - 1) <= FLOAT_SUM_TOLERANCE / 2  # nan is not
    return kinds <= {Fraction} and sum(numbers, Fraction(0)) == 1


def mover(given: Strategy, game: DealtGame) -> Mover:
    """How *given* plays *game*, in every seat."""
    if not isinstance(given, Policy):
        return Mover(on_table_rows(given))
    if given.arrays is not None and _few(game):
        return Mover(on_table_rows(given.arrays()))
    return Mover(given.at, given.last_bid_only and isinstance(game, BiddingGame), given.function)


def _few(game: DealtGame) -> bool:
    """Whether *game* has arrays, and small ones."""
    if not isinstance(game, BiddingGame) or len(game.players) != 2:
        return False
    return class_size(len(game.bid_names)) * sum(game.hand_counts) <= AT_ONCE


def in_match(match: Match, game: DealtGame, name: str) -> Mover:
    """How the equilibrium of *match* plays the round *game*. Raises ``NotApplicableError`` where that is none of it."""
    pair = game.dice if isinstance(game, LiarsDice) else ()
    found = next((each for each in match.rounds if each.pair == pair), None)
    if found is None or not isinstance(game, LiarsDice) or not _same_round(match, game):
        raise NotApplicableError(f"{name} is {match.rules.title!r}, and {game.title!r} is no round of it")
    staked = match.rules.round_of(found.pair, match.rules.stakes(found.pair, match.bounds))
    return Mover(read_strategies(staked, found.solution["strategies"]).played)


def _same_round(match: Match, game: LiarsDice) -> bool:
    """Whether hands and bids of *game* are those of the rounds of *match*."""
    ours = {key: getattr(game, key) for key in ("sides", "dice", "wild", "wild_biddable", "order")}
    theirs = match_rules(match.rules.settings | {"dice": game.dice})
    return game.max_quantity == sum(game.dice) and all(getattr(theirs, key) == ours[key] for key in ours)
