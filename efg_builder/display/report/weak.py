"""Bluffs where moves claim nothing: a bet with a hand that never gains when hands are shown."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from itertools import chain

from ...base.rationals import Number
from ...games.protocol import DealtGame, PublicDecision, PublicEnd, State
from ...proof.bid_statistics import played_by
from .about import About
from .markup import listed, often

MOST_STEPS = 100_000
"""Deals times ends that are gone through; of larger games nothing is said."""


def bets(about: About) -> list[str]:
    """Each such bet in the strategies, in a sentence, as markup; nothing of games with claims, which tell bluffs."""
    game, strategies = about.dealt, about.strategies
    if game is None or strategies is None or about.bidding is not None or len(game.players) != 2:
        return []
    if game.deal_count * game.public_size().ends > MOST_STEPS:
        return []
    played = played_by(strategies, game)
    found: list[str] = []
    for turn in game.turns():
        for hand, name in enumerate(game.hands[turn.player]):
            row = played(turn, hand)
            found += [
                _told(game, turn, name, move, p, gains)
                for move, p in row.items()
                if (gains := only_unshown(game, turn, hand, move))
            ]
    return found


def only_unshown(game: DealtGame, turn: PublicDecision, hand: int, move: str) -> tuple[str, ...]:
    """The moves that end play, nothing shown, and so alone can make *move* with *hand* (an index) gain at *turn*.

    Empty where the hand may gain at an end that depends on the hands, too, or where nothing can be gained.
    """
    gains = []
    for last, state in _ends(game, dict(turn.actions)[move], move):
        key = game.public_turn(state)
        assert isinstance(key, PublicEnd)
        every = {game.settle(key.key, deal).payoffs[turn.player] for deal in game.deals}
        mine = {game.settle(key.key, d).payoffs[turn.player] for d in game.deals if d.hands[turn.player] == hand}
        if len(every) > 1 and max(mine) > 0:
            return ()
        if len(every) == 1 and max(mine) > 0:
            gains.append(last)
    # A move that ends play itself bets on nobody's giving up.
    return tuple(dict.fromkeys(gains)) if move not in gains else ()


def _told(game: DealtGame, turn: PublicDecision, hand: str, move: str, p: Number, gains: tuple[str, ...]) -> str:
    who, other = (escape(game.players[player]) for player in (turn.player, 1 - turn.player))
    given = listed([f"<em>{escape(each)}</em>" for each in gains])
    return (
        f"<strong>A bluff</strong>: with hand {escape(hand)}, {who} makes the move <em>{escape(move)}</em> in "
        f"{often(p)} of the cases. With that hand {who} never gains where hands are shown, so the move pays only if "
        f"{other} answers with {given}."
    )


def _ends(game: DealtGame, state: State, move: str) -> Iterator[tuple[str, State]]:
    """The ends that *state*, which came by *move*, leads to, each with the move that leads to it."""
    turn = game.public_turn(state)
    if isinstance(turn, PublicDecision):
        return chain.from_iterable(_ends(game, then, last) for last, then in turn.actions)
    return iter([(move, state)])
