"""``efg-builder play``: against the equilibrium, or any other strategy, in the terminal or on a page."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

import click

from .. import playing
from ..errors import EfgBuilderError, NotSolvedError
from ..players import Table
from ..playing import Board, Opponent, Pick, Play, Record, Session
from ..playing import words as told
from ..playing.typed import listed, understood
from ..rationals import to_json
from ..strategy_given import TIMEOUT, table_of
from ..strategy_seats import COMPLETIONS
from . import NO_EQUILIBRIUM, TIME_LIMIT, say
from .common import (
    Progress,
    check_outputs,
    json_option,
    max_nodes_option,
    print_json,
    source,
    timeout_option,
    words_argument,
)

Say = Callable[[str], object]


@dataclass(frozen=True, eq=False)
class _Room:
    """Who plays on what; the equilibrium is solved for when it is first asked for, unless it is the opponent."""

    table: Table
    other: Opponent
    board: Board

    @cached_property
    def equilibrium(self) -> Board:
        """The board of the equilibrium. Raises ``EfgBuilderError`` where none was found and verified."""
        if self.other.equilibrium:
            return self.board
        return _board(self.table, playing.opponent(self.table), None)


def _board(table: Table, other: Opponent, complete: str | None) -> Board:
    subject = table.game if table.game is not None else table.tree()
    return playing.board_for(subject, other.given, table.tree, complete)


@click.command("play")
@words_argument
@click.option(
    "--strategy",
    metavar="FILE|NAME",
    help="Who plays against you: a player's name ('evaluate --players' lists them), a solution, a strategy as JSON or "
    ".csv, or arrays (.npz). [default: equilibrium, solved for first]",
)
@click.option(
    "--solution", type=click.Path(path_type=Path), help="Play against a solution written by 'efg-builder solve -o'."
)
@click.option("--refine", is_flag=True, help="Play against an equilibrium that plays well after mistakes too.")
@click.option(
    "--seat", type=click.IntRange(min=1), metavar="N", default=1, show_default=True, help="Your seat; 1 moves first."
)
@click.option("--rounds", type=click.IntRange(min=1), metavar="N", help="How many rounds (default: until you stop).")
@click.option("--seed", type=int, metavar="N", help="Equal seeds and moves give equal rounds.")
@click.option(
    "--complete",
    type=click.Choice(COMPLETIONS),
    help="What a file's player does at information sets that are not in it. [default: as 'evaluate' has it]",
)
@timeout_option("How long solving the game may take.", f"{TIMEOUT:g}")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), help="Write a page to play on (.html) instead of playing here."
)
@json_option
@max_nodes_option
def command(
    words: tuple[str, ...],
    strategy: str | None,
    solution: Path | None,
    refine: bool,
    seat: int,
    rounds: int | None,
    seed: int | None,
    output: Path | None,
    as_json: bool,
    max_nodes: int,
    timeout: Fraction,
    complete: str | None,
) -> int:
    """Play against the equilibrium, or any strategy: hidden dice, hints, and a score with its luck taken out.

    Each of your moves is held against the best there was, so that a mistake has a price; what prices do not account
    for is luck. Type a move or as much of it as is clear, ? for help. With -o the same as one page for a browser,
    which needs no network. With --json the talk goes to stderr and the score to stdout. Exit code 3: no equilibrium
    could be verified; 4: not within the time limit.

    \b
    Examples:
      efg-builder play liars-dice sides=3
      efg-builder play liars-dice sides=6 dice=2,2 --seat 2 --rounds 3
      efg-builder play dice-poker -o play.html
    """
    if sum((strategy is not None, solution is not None, refine)) > 1:
        raise click.UsageError("--strategy, --solution and --refine each name an opponent: give one of them")
    if output is not None:
        check_outputs([output], [".html"])
        if as_json or rounds is not None or seed is not None:
            raise click.UsageError("--json, --rounds and --seed are for playing here, not for a page (-o)")
    given = source(words)
    with Progress() as progress:
        subject = given.game if given.game is not None else given.tree(max_nodes)
        table = table_of(subject, max_nodes, float(timeout), progress)
        try:
            other = playing.refined(table) if refine else playing.opponent(table, strategy, solution)
        except NotSolvedError as error:
            say(f"error: {error}")
            return TIME_LIMIT if error.timed_out else NO_EQUILIBRIUM
        room = _Room(table, other, _board(table, other, complete))
        progress("working out what moves are worth")
        following = playing.repeated(room.board, _seat(room.board, seat), rounds)
        if output is not None:
            _write_page(output, room, seat)
    if output is not None:
        say(f"{output}")
        return 0
    chance = random.SystemRandom() if seed is None else random.Random(seed)
    tell: Say = say if as_json else click.echo
    session = _talk(room, Session(following), playing.sampler(chance), tell, pauses=rounds is None)
    if as_json:
        print_json(to_data(room.board, other, session.records))
    return 0


def _seat(board: Board, seat: int) -> int:
    """The seat, from 0, checked, with its values worked out."""
    if seat > len(board.players):
        raise click.UsageError(f"--seat {seat}: this game has seats 1 to {len(board.players)}")
    board.values(seat - 1)
    return seat - 1


def _write_page(output: Path, room: _Room, seat: int) -> None:
    from ..web.play import check_size, write_play

    check_size(room.board)  # before anything is solved for
    try:
        adviser = room.equilibrium
    except EfgBuilderError as error:
        say(f"without what the equilibrium would do: {error}")
        adviser = None
    write_play(output, room.board, room.other, adviser, seat - 1)


class _Stopped(Exception):
    """The human stopped."""


def _talk(room: _Room, session: Session, pick: Pick, tell: Say, pauses: bool) -> Session:
    """Rounds until there are no more, or the human stops; *pauses* after rounds without a move of the human's."""
    tell(f"{room.board.title}. Against you: {room.other.name} ({room.other.caption}).")
    tell("Type ? for help.")
    try:
        while (following := session.next) is not None:
            tell("")
            tell(f"Round {len(session.records) + 1}. You are {following.board.players[following.seat]}.")
            play = _round(room, playing.begin(following.board, following.seat, pick), pick, tell)
            session = session.with_record(playing.record(play))
            for line in _closing(session.records[-1], room):
                tell(line)
            for line in told.tally(playing.score(session.records)):
                tell(line)
            if pauses and not play.steps:
                tell("You had no move. Enter for the next round, q to stop.")
                if understood(_line(), ()).kind == "quit":
                    raise _Stopped
    except _Stopped:
        tell("")
        tell("You stopped; a round that was not finished does not count.")
        for line in told.tally(playing.score(session.records)) if session.records else ():
            tell(line)
    return session


def _closing(record: Record, room: _Room) -> Iterator[str]:
    yield from told.ended(record, room.board.game)
    yield from told.mistakes(record.steps)
    yield f"Luck in this round: {told.number(record.luck)}."


def _round(room: _Room, play: Play, pick: Pick, tell: Say) -> Play:
    """The human's turns, up to the end."""
    seen = 0
    while True:
        for line in told.happened(play, seen):
            tell(line)
        if play.over:
            return play
        seen = len(play.events)
        tell(f"{told.known(play)} Your move: {listed(play.actions, 'or')}")
        play = playing.choose(play, _asked(room, play, tell), pick)


def _asked(room: _Room, play: Play, tell: Say) -> str:
    """The human's next move; help and hints come before it."""
    while True:
        typed = understood(_line(), play.actions)
        if typed.kind == "move":
            return typed.text
        if typed.kind == "quit":
            raise _Stopped
        for answer in _answers(room, play, typed.kind, typed.text):
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


def _answers(room: _Room, play: Play, kind: str, text: str) -> Iterator[str]:
    if kind == "help":
        yield from told.HELP
    elif kind == "hint":
        yield from told.hint(play.values)
    elif kind == "equilibrium":
        try:
            yield told.advice(play.advice(room.equilibrium), play.strayed(room.equilibrium))
        except EfgBuilderError as error:
            yield f"There is none to ask: {error}"
    else:
        yield text


def to_data(board: Board, other: Opponent, records: tuple[Record, ...]) -> dict[str, Any]:
    """The session as plain data; exact rationals are text such as ``"-1/9"``."""
    total = playing.score(records)
    sums = {name: to_json(getattr(total, name)) for name in ("result", "start", "price", "luck", "skill")}
    return {
        "game": {"title": board.title, "players": list(board.players)},
        "opponent": {"name": other.name, "caption": other.caption, "equilibrium": other.equilibrium},
        "score": {"rounds": total.rounds, **sums, "moves": total.moves, "mistakes": total.mistakes},
        "rounds": [_record(each) for each in records],
    }


def _record(each: Record) -> dict[str, Any]:
    steps = [
        {
            "infoset": step.infoset,
            "action": step.action,
            "values": {action: to_json(value) for action, value in step.values.items()},
            "price": to_json(step.price),
        }
        for step in each.steps
    ]
    return {
        "seat": each.seat + 1,
        "events": [[event.player + 1, event.action] for event in each.events],
        "uncovered": [list(pair) for pair in each.uncovered],
        "payoffs": [to_json(payoff) for payoff in each.payoffs],
        **{name: to_json(getattr(each, name)) for name in ("result", "start", "price", "luck")},
        "steps": steps,
    }
