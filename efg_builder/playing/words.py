"""A round in words: what is known, what happened, how it ended, and what it comes to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from ..games.bidding import BiddingGame
from ..games.liars_dice import LiarsDice
from ..games.protocol import Game
from ..rationals import text
from ..tree import CHANCE
from .rounds import Event, Play, Record, Step
from .session import Score
from .typed import listed

_LETTERS = 9
"""Longer fractions are shown as decimals."""

HELP = (
    "Type a move, or as much of it as tells it from the others; bids can be typed as 1x2, 1 x 2 or 1 2.",
    "h  what each move is worth against this opponent    e  what the equilibrium would do",
    "q  stop, with the score                             ?  this help",
)


def number(value: Fraction) -> str:
    """A short fraction as it is, a long one as a decimal."""
    exact = text(value)
    return exact if len(exact) <= _LETTERS else f"{float(value):.4f}"


def known(play: Play) -> str:
    """What the human knows besides the moves: the hand, or the whole information set where there are no hands."""
    hand = play.board.hand(play.state, play.seat)
    if hand:
        return f"You hold {hand}."
    return "" if play.over else f"You know: {getattr(play.turn, 'infoset', '')}"


def happened(play: Play, since: int) -> Iterator[str]:
    """What others were seen to do after the first *since* events."""
    for event in play.events[since:]:
        if event.player not in (CHANCE, play.seat) and play.board.open:
            yield f"{play.board.players[event.player]}{_does(event.action, play.board.game)}"


def _does(action: str, game: Game | None) -> str:
    if isinstance(game, BiddingGame):
        return " calls." if action == game.call else f" bids {action}."
    return f": {action}."


def ended(record: Record, game: Game | None) -> Iterator[str]:
    """How the round ended: all moves, what had been hidden, why, and what the human gets."""
    names = ["You" if player == record.seat else name for player, name in enumerate(record.players)]
    moves = [f"{names[event.player]} {event.action}" for event in record.events if event.player != CHANCE]
    yield f"Moves: {', '.join(moves)}." if moves else "Nobody had a choice."
    yield f"Uncovered: {'; '.join(f'{_whose(whose, record)} {what}' for whose, what in record.uncovered)}."
    if isinstance(game, LiarsDice):
        yield from _called(record, game)
    elif record.ending:
        yield f"{record.ending}."
    yield gets(record.result)


def _whose(name: str, record: Record) -> str:
    if name not in record.players:
        return f"{name}:"
    return "you" if name == record.players[record.seat] else name


def gets(payoff: Fraction) -> str:
    """``You win 1.``"""
    if payoff:
        return f"You {'win' if payoff > 0 else 'lose'} {number(abs(payoff))}."
    return "You get 0."


def _called(record: Record, game: LiarsDice) -> Iterator[str]:
    """Whether the bid that was called holds."""
    made: list[Event] = [event for event in record.events if event.player != CHANCE]
    quantity, face = game.bids[game.bid_names.index(made[-2].action)]
    hands = [tuple(map(int, hand.split(","))) for _, hand in record.uncovered]
    there = sum(game.matches(hand, face) for hand in hands)
    wild = f" or the wild {game.wild}" if game.wild not in (None, face) else ""
    dice = "1 die shows" if there == 1 else f"{there or 'no'} dice show"
    holds = "holds" if there >= quantity else "does not hold"
    yield f"The bid {made[-2].action} {holds}: {dice} {face}{wild}."
    loser = made[-1].player if there >= quantity else made[-2].player
    if len(record.players) > 2 and loser != record.seat:  # else what you get says it
        yield f"{record.players[loser]} loses."


def mistakes(steps: Sequence[Step]) -> Iterator[str]:
    """One line for each move that cost something."""
    for step in steps:
        if step.price:
            best = [action for action, value in step.values.items() if value == step.best]
            what = (
                f"{step.action} was worth {number(step.values[step.action])}, {listed(best, 'or')} {number(step.best)}"
            )
            yield f"At {step.infoset}: {what}. Price {number(step.price)}."


def hint(values: Mapping[str, Fraction]) -> Iterator[str]:
    """The best moves, and what all others would cost."""
    best = max(values.values())
    good = [action for action, value in values.items() if value == best]
    yield f"Best against this opponent: {listed(good, 'or')}, worth {number(best)} on average."
    costly = [f"{action} {number(best - value)}" for action, value in values.items() if value < best]
    if costly:
        yield f"What the others would cost: {', '.join(costly)}."


def advice(chances: Mapping[str, Fraction], strayed: bool) -> str:
    """What the equilibrium would do; *strayed*: after a move that it never makes."""
    parts = [f"{action} {float(p):.1%}" for action, p in chances.items() if p]
    note = " It never gets here by its own moves, so this is no advice to rely on." if strayed else ""
    return f"The equilibrium would play {', '.join(parts)}.{note}"


def tally(score: Score) -> Iterator[str]:
    """The score: result, what the moves were worth, and luck."""
    rounds = "1 round" if score.rounds == 1 else f"{score.rounds} rounds"
    yield f"Score after {rounds}: {number(score.result)}"
    slips = "no mistake" if not score.mistakes else f"{score.mistakes} of {score.moves} moves were mistakes"
    yield f"  best play  {number(score.start):>9}   what it is worth on average"
    yield f"  mistakes   {number(-score.price):>9}   {slips}"
    yield f"  luck       {number(score.luck):>9}   the rest: dice and the others' choices, 0 on average"
    yield f"  so your play was worth {number(score.skill)}, whatever the luck."
