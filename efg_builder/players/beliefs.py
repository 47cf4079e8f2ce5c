"""What public play tells of a hand, where it is known how its owner plays: a posterior by Bayes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import NamedTuple

from ..base.errors import NotApplicableError
from ..base.rationals import Number
from ..games.bidding import BiddingGame
from ..games.protocol import PublicDecision

Answers = Callable[[PublicDecision, int], Mapping[str, Number]]
"""A strategy for all seats: at a public turn and with a hand (its index), the probabilities; those left out are 0."""

Beliefs = tuple[tuple[Fraction, ...], ...]
"""For each player the probability of each hand, as public play shows it to somebody who holds none of the dice."""

KEPT = 20_000
"""Public histories whose beliefs are kept; more are worked out anew."""


class _Seen(NamedTuple):
    turn: PublicDecision
    beliefs: Beliefs


def _names(game: BiddingGame, history: str) -> list[str]:
    return [] if history == game.history(()) else history.split(" ")


def after_bids(game: BiddingGame, rows: Answers) -> Callable[[str], Beliefs]:
    """A function of the public history that gives everybody's ``Beliefs``, all players playing as *rows* say.

    Hands are dealt independently and each bid depends on its maker's hand alone, so each player's posterior is its
    own prior times the probabilities of its own bids, divided by their sum. A bid that none of the hands still
    possible would have made has no posterior: it is passed over, and the posterior from the other bids stands.

    Raises ``NotApplicableError`` where hands are not dealt independently.
    """
    prior = game.hand_probabilities
    if prior is None:
        raise NotApplicableError(f"{game.title}: hands depend on each other, so that no bid tells of one hand alone")
    start = game.public_turn(game.public_root())
    assert isinstance(start, PublicDecision)
    known: dict[tuple[str, ...], _Seen] = {}

    def beliefs(history: str) -> Beliefs:
        names = tuple(_names(game, history))
        length = len(names)
        while length and names[:length] not in known:
            length -= 1
        seen = known[names[:length]] if length else _Seen(start, prior)
        if len(known) > KEPT:
            known.clear()
        for at in range(length, len(names)):
            seen = known[names[: at + 1]] = _after(game, rows, seen, names[at])
        return seen.beliefs

    return beliefs


def _after(game: BiddingGame, rows: Answers, seen: _Seen, name: str) -> _Seen:
    """What is known after the bid *name*."""
    turn, player = seen.turn, seen.turn.player
    weights = [p * _chance(rows(turn, hand), name) if p else p for hand, p in enumerate(seen.beliefs[player])]
    total, found = sum(weights, Fraction(0)), list(seen.beliefs)
    if total:
        found[player] = tuple(weight / total for weight in weights)
    then = game.public_turn(dict(turn.actions)[name])
    assert isinstance(then, PublicDecision)
    return _Seen(then, tuple(found))


def _chance(row: Mapping[str, Number], name: str) -> Fraction:
    return Fraction(row.get(name, 0))
