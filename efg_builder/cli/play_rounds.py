"""Rounds that are all alike, for ``efg-builder play``: who plays, what is said, and the score as data."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import click

from ..base.errors import EfgBuilderError, ParameterError
from ..base.rationals import to_json
from ..players import Table
from ..players import rounds as playing
from ..players.find import table_of
from ..players.rounds import Board, Opponent, Record, Round
from ..players.rounds import words as told
from ..proof.certificate import holds_match
from . import say
from .common import Source
from .play_talk import Scene, Words


@dataclass(frozen=True)
class Asked:
    """Who is to play against the human, as the options say; ``complete``: what a file's player does elsewhere."""

    strategy: str | None
    solution: Path | None
    refine: bool
    complete: str | None


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
        return _board(self.table, playing.opponent(self.table))


def _board(table: Table, other: Opponent) -> Board:
    subject = table.game if table.game is not None else table.tree()
    return playing.board_for(subject, other.given, table.tree)


def rounds_scene(
    given: Source,
    asked: Asked,
    seat: int,
    rounds: int | None,
    max_nodes: int,
    timeout: float,
    progress: Callable[[str], None],
) -> Scene:
    """So many rounds (None: without end) of the game *given*. Raises ``NotSolvedError``, and what reading raises."""
    if asked.solution is not None and holds_match(asked.solution):
        raise ParameterError(f"{asked.solution} holds a match: --match {asked.solution} plays it")
    subject = given.game if given.game is not None else given.tree(max_nodes)
    table = table_of(subject, max_nodes, timeout, progress, complete=asked.complete)
    other = playing.refined(table) if asked.refine else playing.opponent(table, asked.strategy, asked.solution)
    room = _Room(table, other, _board(table, other))
    progress("working out what moves are worth")
    return Scene(
        words=_words(room),
        following=playing.repeated(room.board, _seat(room.board, seat), rounds),
        data=lambda records: _data(room.board, other, records),
        write=lambda path: _write_page(path, room, seat),
    )


def _seat(board: Board, seat: int) -> int:
    """The seat, from 0, checked, with its values worked out."""
    if seat > len(board.players):
        raise click.UsageError(f"--seat {seat}: this game has seats 1 to {len(board.players)}")
    board.values(seat - 1)
    return seat - 1


def _write_page(output: Path, room: _Room, seat: int) -> None:
    from ..display.pages.play import check_size, write_play

    check_size(room.board)  # before anything is solved for
    seats = seats_left(room.board.players, playing.refused(room.board))
    try:
        adviser = room.equilibrium
    except EfgBuilderError as error:
        say(f"without what the equilibrium would do: {error}")
        adviser = None
    write_play(output, room.board, room.other, adviser, seat - 1, seats)


def seats_left(players: Sequence[str], without: Mapping[int, EfgBuilderError]) -> list[int]:
    """The seats (from 0) but those in *without*; of each of these it is said why."""
    for seat, error in without.items():
        say(f"the page is without seat {seat + 1}: {error}")
    return [seat for seat in range(len(players)) if seat not in without]


def _words(room: _Room) -> Words:
    """What is said around rounds that are all alike."""

    def heading(records: Sequence[Record], following: Round) -> str:
        return f"Round {len(records) + 1}. You are {following.board.players[following.seat]}."

    def closing(records: Sequence[Record], board: Board) -> Iterator[str]:
        yield from told.ended(records[-1], board.game)
        yield from told.mistakes(records[-1])
        yield f"Luck in this round: {told.number(records[-1].luck)}."

    return Words(
        opening=f"{room.board.title}. Against you: {room.other.name} ({room.other.caption}).",
        heading=heading,
        closing=closing,
        tally=lambda records: told.tally(playing.score(records)),
        adviser=lambda board: room.equilibrium,
    )


def _data(board: Board, other: Opponent, records: Sequence[Record]) -> dict[str, Any]:
    """The session as plain data; exact rationals are text such as ``"-1/9"``."""
    total = playing.score(records)
    sums = {name: to_json(getattr(total, name)) for name in ("result", "start", "price", "luck", "skill")}
    return {
        "game": {"title": board.title, "players": list(board.players)},
        "opponent": {"name": other.name, "caption": other.caption, "equilibrium": other.equilibrium},
        "score": {"rounds": total.rounds, **sums, "moves": total.moves, "mistakes": total.mistakes},
        "rounds": [record_part(each) for each in records],
    }


def record_part(each: Record) -> dict[str, Any]:
    """One round; players and seats count from 1, chance is 0."""
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
