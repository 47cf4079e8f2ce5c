"""What public play tells of a hand, where it is known how its owner plays: a posterior by Bayes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from ..base.errors import NotApplicableError, ProfileError
from ..base.rationals import Number
from ..games.bid_index import locate
from ..games.bidding import BiddingGame
from ..games.protocol import PublicDecision
from ..strategies.sparse_profile import SparseProfile
from ..strategies.tree_profile import Profile
from .protocol import Play, Policy

Answers = Callable[[PublicDecision, int], Mapping[str, Number]]
"""A strategy for all seats: at a public turn and with a hand (its index), the probabilities; those left out are 0."""

Beliefs = tuple[tuple[Fraction, ...], ...]
"""For each player the probability of each hand, as public play shows it to somebody who holds none of the dice."""

KEPT = 20_000
"""Public histories whose beliefs are kept; more are worked out anew."""


class _Seen(NamedTuple):
    turn: PublicDecision
    beliefs: Beliefs


def answers(play: Play, game: BiddingGame) -> Answers:
    """How *play* answers in *game*. Raises ``ProfileError`` where it is a strategy of another game."""
    if isinstance(play, Policy):
        return play.at
    if isinstance(play, Profile):
        return _of_profile(play, game)
    if play.game != game:
        raise ProfileError(f"the strategies are of {play.game.title!r}, not of {game.title!r}")
    if isinstance(play, SparseProfile):
        return play.at
    number = {name: bid for bid, name in enumerate(game.bid_names)}

    def at(turn: PublicDecision, hand: int) -> dict[str, Number]:
        array: Any = play.arrays[turn.player]
        entry = locate(number[name] for name in _names(game, turn.history))[1]
        bids = [action for action, _ in turn.actions if action != game.call]
        found: dict[str, Number] = {name: float(array[entry | 1 << number[name] >> 1, hand]) for name in bids}
        return found | {game.call: max(1.0 - sum(found.values()), 0.0)}

    return at


def _of_profile(play: Profile, game: BiddingGame) -> Answers:
    index = {play.tree.infosets[k].label: k for k in play.tree.personal}

    def at(turn: PublicDecision, hand: int) -> dict[str, Number]:
        k = index[game.infoset_name(turn.player, hand, turn.history)]
        return dict(zip(play.tree.infosets[k].actions, play.probabilities[k], strict=True))

    return at


def _names(game: BiddingGame, history: str) -> list[str]:
    return [] if history == game.history(()) else history.split(" ")


def after_bids(game: BiddingGame, rows: Answers) -> Callable[[str], Beliefs]:
    """A function of the public history that gives everybody's ``Beliefs``, all players playing as *rows* say.

    Hands are dealt independently and each bid depends on its maker's hand alone, so each player's posterior is its
    own prior times the probabilities of its own bids, divided by their sum. A bid that none of the hands still
    possible would have made has no posterior: it is passed over, and what the other bids told stands.

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
