"""The talk of ``efg-builder play``: rounds one after the other, what is typed, what is said."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..base.errors import EfgBuilderError
from ..base.numbers_in_words import listed
from ..games.bidding import BiddingGame
from ..players import rounds as playing
from ..players.rounds import Board, Following, Pick, Play, Record, Round, Session
from ..players.rounds import words as told
from ..players.typed import understood

Say = Callable[[str], object]


@dataclass(frozen=True)
class Words:
    """What is said around the rounds: once at the ``opening``; before the next one (``heading``), of the rounds played
    and the one to come; after each one (``closing``), of all rounds and the board of the last; and as the score
    (``tally``). ``adviser``: the board of the equilibrium for the board at hand (raises ``EfgBuilderError`` where
    there is none), and ``asked``, what is said to be asked. ``unit``: how moves' values are told.
    """

    opening: str
    heading: Callable[[Sequence[Record], Round], str]
    closing: Callable[[Sequence[Record], Board], Iterable[str]]
    tally: Callable[[Sequence[Record]], Iterable[str]]
    adviser: Callable[[Board], Board]
    unit: told.Unit = told.PAYOFFS
    asked: str = told.EQUILIBRIUM


@dataclass(frozen=True)
class Scene:
    """All there is to play: the ``words``, which round comes next, the score as plain ``data``, and how to ``write``
    the same as a page (raises ``EfgBuilderError`` where that cannot be)."""

    words: Words
    following: Following
    data: Callable[[Sequence[Record]], dict[str, Any]]
    write: Callable[[Path], None]


class _Stopped(Exception):
    """The human stopped."""


def talk(words: Words, session: Session, pick: Pick, tell: Say, pauses: bool) -> Session:
    """Rounds until there are no more, or the human stops; *pauses* after rounds without a move of the human's."""
    tell(words.opening)
    tell("Type ? for help.")
    try:
        while (following := session.next) is not None:
            tell("")
            tell(words.heading(session.records, following))
            play = _round(words, playing.begin(following.board, following.seat, pick), pick, tell)
            session = session.with_record(playing.record(play))
            for line in (*words.closing(session.records, following.board), *words.tally(session.records)):
                tell(line)
            if pauses and not play.steps:
                tell("You had no move. Enter for the next round, q to stop.")
                if understood(_line(), ()).kind == "quit":
                    raise _Stopped
    except _Stopped:
        tell("")
        tell("You stopped; a round that was not finished does not count.")
        for line in words.tally(session.records) if session.records else ():
            tell(line)
    return session


def _round(words: Words, play: Play, pick: Pick, tell: Say) -> Play:
    """The human's turns, up to the end."""
    seen, hand = 0, told.dealt(play)
    if hand:
        tell(hand)
    while True:
        for line in told.happened(play, seen):
            tell(line)
        if play.over:
            return play
        # The hand has just been said before the first turn.
        what = "" if hand and not play.steps else f"{told.known(play)} "
        tell(f"{what}Your move: {listed(play.actions, 'or')}")
        seen = len(play.events)
        play = playing.choose(play, _asked(words, play, tell), pick)


def _asked(words: Words, play: Play, tell: Say) -> str:
    """The human's next move; help and hints come before it."""
    game = play.board.game
    bids = game.bid_names if isinstance(game, BiddingGame) else ()
    while True:
        typed = understood(_line(), play.actions, bids)
        if typed.kind == "move":
            return typed.text
        if typed.kind == "quit":
            raise _Stopped
        for answer in _answers(words, play, typed.kind, typed.text):
            tell(answer)


def _line() -> str:
    """A line that was typed; where there are no more, or nothing to read from, the human has stopped."""
    try:
        line = sys.stdin.readline()
    except (OSError, ValueError, AttributeError):  # closed, or none at all
        line = ""
    if not line:
        raise _Stopped
    return line


def _answers(words: Words, play: Play, kind: str, text: str) -> Iterator[str]:
    if kind == "help":
        yield from told.HELP
    elif kind == "hint":
        yield from told.hint(play.values, words.unit)
    elif kind == "equilibrium":
        try:
            adviser = words.adviser(play.board)
            yield told.advice(play.advice(adviser), play.strayed(adviser), words.asked)
        except EfgBuilderError as error:
            yield f"There is none to ask: {error}"
    else:
        yield text
