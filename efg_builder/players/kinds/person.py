"""A person at the keyboard, who is asked for each move on standard error, and answers on standard input."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import starmap

from ...base.errors import NotApplicableError, PersonLeftError
from ...base.rationals import brief
from ...base.words import listed_in_short
from ...forms.hand_names import printed, printed_hands
from ...games.bidding import BiddingGame
from ...games.protocol import DealtGame, PublicDecision
from ...strategies.policy import Policy, Uncovered
from ...strategies.tree_profile import Strategy
from ..find import Player, Table
from ..rounds.words import MOVES_HELP, typed_line, understood
from .program import moves_made

NAME = "person"

HELP = (
    MOVES_HELP,
    "q  leave the table    ?  this help, and all legal moves",
)


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _line(who: str) -> str:
    line = typed_line()
    if not line:
        raise PersonLeftError(f"{NAME}: {who} is to move, and standard input has ended")
    return line


def _moves(game: DealtGame, moves: list[str]) -> str:
    if isinstance(game, BiddingGame):
        moves = [f"{game.players[k % len(game.players)]} {move}" for k, move in enumerate(moves)]
    return listed_in_short(moves, "and then")


def _seen(game: DealtGame, turn: PublicDecision, hand: int) -> Iterator[str]:
    made = moves_made(game, turn.history)
    so_far = f"So far: {_moves(game, made)}." if made else "You begin."
    yield f"{game.players[turn.player]}, you hold {printed_hands(game)[turn.player][hand]}. {so_far}"
    yield f"Your move: {listed_in_short([action for action, _ in turn.actions], 'or')} (? for help)"


def _ask(game: DealtGame, turn: PublicDecision) -> str:
    who, legal = game.players[turn.player], [action for action, _ in turn.actions]
    while True:
        typed = understood(_line(who), legal)
        if typed.kind == "move":
            return typed.text
        if typed.kind == "quit":
            raise PersonLeftError(f"{NAME}: {who} has left the table")
        if typed.kind == "help":
            for line in (*HELP, f"Legal moves: {' '.join(legal)}"):
                _say(line)
        else:
            _say(typed.text or "There are no hints at this table; 'efg-builder play' without --players gives hints.")


def _ended(game: DealtGame, end: Uncovered) -> Iterator[str]:
    names = [f"{name} (you)" if seat == end.seat else name for seat, name in enumerate(game.players)]
    yield f"{_moves(game, [*moves_made(game, end.history), end.last])}."
    hands = starmap(printed(game), enumerate(end.hands))
    yield f"Uncovered: {'; '.join(f'{name} {hand}' for name, hand in zip(names, hands, strict=True))}."
    paid = end.payoffs[end.seat]
    yield f"You {'lose' if paid < 0 else 'get'} {brief(abs(paid))}."


def _sit(table: Table) -> Strategy:
    if table.live and table.subject.given_dealt is None:
        problem = "here a person plays dealt games only, such as liars-dice"
        raise NotApplicableError(f"{NAME}: {problem}; use 'efg-builder play' without --players for {table.title}")
    game = table.dealt(NAME)
    if not table.live:
        problem = "a complete strategy is needed here"
        raise NotApplicableError(f"{NAME} answers one move at a time, during a game; {problem}")

    def person(turn: PublicDecision, hand: int) -> Mapping[str, Fraction]:
        for line in _seen(game, turn, hand):
            _say(line)
        return {_ask(game, turn): Fraction(1)}

    def ended(end: Uncovered) -> None:
        for line in _ended(game, end):
            _say(line)

    return Policy(person, on_end=ended)


PLAYERS = (Player(NAME, "a person at the keyboard, who types each move; plays dealt games", _sit),)
