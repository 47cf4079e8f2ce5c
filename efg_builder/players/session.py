"""A person's session in the terminal: the options of ``play``, rounds against one opponent, and the dialog.

A ``Session`` consists of separate rounds (``Rounds``) or whole matches (``experiments.matches.session``). In its
methods, ``records`` are the rounds played so far. All payoffs and probabilities are exact.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from fractions import Fraction
from functools import cached_property
from itertools import islice, starmap
from pathlib import Path
from typing import Any, Protocol

from ..base.errors import EfgBuilderError, ParameterError
from ..base.facts import attributes
from ..base.rationals import brief
from ..forms.extensive import MAX_NODES
from ..forms.hand_names import printed
from . import TIMEOUT
from . import rounds as playing
from .find import Table
from .kinds.equilibrium import NAME as EQUILIBRIUM
from .kinds.person import NAME as PERSON
from .rounds import Board, OpenRound, Opponent, Pick, Record, Score, words
from .rounds.boards import Event
from .rounds.seating import Chair, LiveRound, live_rounds
from .rounds.words import typed_line, understood


@dataclass(frozen=True, kw_only=True)
class PlayOptions:
    """The options of ``play``, by the names of its parameters; ``words`` name the game.

    Raises ``ParameterError`` for options that exclude each other.
    """

    words: tuple[str, ...] = ()
    strategy: str | None = None
    solution: Path | None = None
    refine: bool | None = None
    gap: Fraction | None = None
    advice: bool = False
    size: int | None = None
    match: str | None = None
    seat: int = 1
    players: tuple[str, ...] = ()
    rounds: int | None = None
    seed: int | None = None
    complete: str | None = None
    timeout: float = TIMEOUT
    output: Path | None = None
    as_json: bool = False
    max_nodes: int = MAX_NODES

    def __post_init__(self) -> None:
        for problem in self._problems():
            raise ParameterError(problem)

    def _problems(self) -> Iterator[str]:
        given = {option.name for option in fields(self) if getattr(self, option.name) != option.default}
        own = given & {"strategy", "solution", "refine", "complete"}
        if "players" in given and (own or given & {"advice", "seat", "output", "match", "size"}):
            yield (
                "--players fills all seats and plays in the terminal; it can be combined with --rounds, --seed, "
                "--timeout, --gap, --json and --max-nodes"
            )
        opponents = (self.strategy not in (None, EQUILIBRIUM), "solution" in given, bool(given & {"refine", "gap"}))
        if sum(opponents) > 1:
            yield "--strategy, --solution, and --refine or --gap for solving exclude each other; use one"
        if "advice" in given and not given >= {"output", "strategy"}:
            yield "--advice needs -o and --strategy; in the terminal, type 'e'"
        if "match" in given and (own or "gap" in given):
            yield "--match is played against its equilibrium; leave out --strategy, --solution and options of solving"
        if "size" in given and ("output" not in given or "match" in given):
            yield "--size needs -o, and does not apply to --match"
        if self.words == ("-",) and "output" not in given:
            yield "your moves are read from standard input: name the game's file instead of -"
        if "output" in given and given & {"as_json", "rounds", "seed"}:
            yield "--json, --rounds and --seed are for playing in the terminal, not for a page (-o)"


class Session(Protocol):
    """Rounds of a person, one after the other.

    ``asked`` is the adviser's name, in the form that begins a sentence, and ``adviser`` returns the adviser's board.
    """

    @property
    def unit(self) -> words.Unit: ...

    @property
    def asked(self) -> str: ...

    @property
    def opening(self) -> str: ...

    def adviser(self, board: Board) -> Board: ...

    def next_round(self, records: Sequence[Record]) -> tuple[Board, int] | None:
        """Return the board and the human's seat for the next round, or None if there is no next round."""

    def heading(self, records: Sequence[Record]) -> str: ...

    def closing(self, records: Sequence[Record]) -> Iterator[str]: ...

    def tally(self, records: Sequence[Record], last: bool = True) -> Iterable[str]:
        """Return the lines of the score. Before the *last* round of a session, return a single line."""

    def data(self, records: Sequence[Record]) -> dict[str, Any]:
        """Return the session as JSON values."""


@dataclass(frozen=True, eq=False)
class Rounds:
    """Rounds against one opponent.

    ``seat`` is the human's seat, from 0. ``rounds`` is the number of rounds; None for no limit.
    """

    table: Table
    other: Opponent
    board: Board
    seat: int
    rounds: int | None
    unit: words.Unit = words.PAYOFFS

    @property
    def asked(self) -> str:
        return words.SOLUTION if self.other.solved and not self.other.equilibrium else words.EQUILIBRIUM

    @cached_property
    def solution(self) -> Board:
        """The board of the adviser. If the opponent is not a solution, the game is solved: ``EfgBuilderError``."""
        return self.board if self.other.solved else board_of(self.table, playing.opponent(self.table))

    def adviser(self, board: Board) -> Board:
        return self.solution

    @property
    def opening(self) -> str:
        return f"{self.board.title}. Against you: {self.other.name} ({self.other.caption})."

    def next_round(self, records: Sequence[Record]) -> tuple[Board, int] | None:
        return (self.board, self.seat) if self.rounds is None or len(records) < self.rounds else None

    def heading(self, records: Sequence[Record]) -> str:
        return f"Round {len(records) + 1}. You are {self.board.players[self.seat]}."

    def closing(self, records: Sequence[Record]) -> Iterator[str]:
        yield from words.ended(records[-1], self.board.game)
        yield from words.mistakes(records[-1], game=self.board.game)
        yield f"Luck in this round: {words.number(records[-1].luck)}."

    def tally(self, records: Sequence[Record], last: bool = True) -> Iterable[str]:
        total = playing.score(records)
        return words.tally(total) if last else (words.score_line(total),)

    def data(self, records: Sequence[Record]) -> dict[str, Any]:
        return {
            "game": attributes(self.board, "title", "players"),
            "opponent": attributes(self.other, "name", "caption", "equilibrium"),
            "score": score_data(playing.score(records)),
            "rounds": [round_data(each) for each in records],
        }


def board_of(table: Table, other: Opponent) -> Board:
    return playing.board_for(table.subject, other.given, table.progress)


@dataclass(frozen=True, eq=False)
class SeatedRounds:
    """Rounds among named players in the ``chairs`` at ``table``; ``played`` contains the rounds so far."""

    table: Table
    chairs: tuple[Chair, ...]
    played: list[LiveRound] = field(default_factory=list)

    @property
    def person(self) -> bool:
        """Whether a person has a chair."""
        return any(chair.name == PERSON for chair in self.chairs)

    @property
    def totals(self) -> list[Fraction]:
        return [sum((each.payoffs[seat] for each in self.played), Fraction(0)) for seat in range(len(self.chairs))]

    def play(self, pick: Pick, rounds: int | None) -> Iterator[str]:
        """Play *rounds* rounds, or an endless sequence. Yield a line on each round."""
        players, label = self.table.subject.players, printed(self.table.game)
        for each in islice(live_rounds(self.chairs, pick), rounds):
            self.played.append(each)
            moves = ", ".join(f"{players[event.player]} {event.action}" for event in each.events)
            hands = " | ".join(starmap(label, enumerate(each.hands)))
            yield ": ".join(filter(None, (f"Round {len(self.played)}", hands, moves, each.ending)))

    def tally(self) -> list[str]:
        """Return a line with each player's total payoff; none before the first round."""
        seats = zip(self.table.subject.players, self.chairs, self.totals, strict=True)
        return [f"{player}, {chair.name}: {brief(total)}" for player, chair, total in seats] if self.played else []

    def data(self) -> dict[str, Any]:
        rounds = [
            {"hands": each.hands, "moves": _events_data(each.events), **attributes(each, "payoffs", "ending")}
            for each in self.played
        ]
        game = attributes(self.table.subject, "title", "players")
        return {"game": game, "seats": [each.name for each in self.chairs], "totals": self.totals, "rounds": rounds}


def score_data(total: Score) -> dict[str, Any]:
    return attributes(total, "rounds", "result", "start", "price", "luck", "skill", "moves", "mistakes")


def round_data(each: Record) -> dict[str, Any]:
    """Return a round as JSON values. Players and seats are numbered from 1; chance is 0."""
    return {
        "seat": each.seat + 1,
        "events": _events_data(each.events),
        **attributes(each, "uncovered", "payoffs", "result", "start", "price", "luck"),
        "steps": [attributes(step, "infoset", "action", "values", "price") for step in each.steps],
    }


def _events_data(events: Sequence[Event]) -> list[tuple[int, str]]:
    return [(event.player + 1, event.action) for event in events]


class _Stopped(Exception):
    pass


def talk(show: Session, pick: Pick, pauses: bool, records: list[Record]) -> Iterator[str]:
    """Play until the last round, or until the human stops.

    If *pauses* is true, wait after rounds in which the human had no move.
    """
    yield from (show.opening, "Type ? for help.")
    try:
        while (following := show.next_round(records)) is not None:
            yield from ("", show.heading(records))
            now = yield from _round(show, playing.begin(*following, pick), pick)
            records.append(playing.record(now))
            yield from (*show.closing(records), *show.tally(records, last=show.next_round(records) is None))
            if pauses and not now.steps:
                yield "You had no move. Press Enter for the next round, q to stop."
                if not (line := typed_line()) or understood(line, ()).kind == "quit":
                    raise _Stopped
    except _Stopped:
        yield from ("", "You stopped; an unfinished round does not count.")
        yield from show.tally(records) if records else ()


def _round(show: Session, now: OpenRound, pick: Pick) -> Generator[str, None, OpenRound]:
    """Play a round to its end. Before each of the human's moves, answer requests for help and hints."""
    seen, hand = 0, words.dealt(now)
    yield from filter(None, [hand])
    while True:
        yield from words.happened(now, seen)
        if now.over:
            return now
        # The hand was shown just before the first turn, and is not repeated there.
        if not hand or now.steps:
            yield words.known(now)
        yield words.asked(now)
        seen = len(now.events)
        move = ""
        while not move:
            line = typed_line()
            typed = understood(line, now.actions, words.numbers(now))
            if not line or typed.kind == "quit":
                raise _Stopped
            if typed.kind == "move":
                move = typed.text
            else:
                yield from _answers(show, now, typed.kind, typed.text)
        now = playing.choose(now, move, pick)


def _answers(show: Session, now: OpenRound, kind: str, text: str) -> Iterator[str]:
    if kind == "help":
        yield from words.help_lines(show.asked)
    elif kind in ("hint", "hints"):
        others = len(now.board.players) - 1
        yield from words.hint(now.values, show.unit, whole=kind == "hints", opponents=others)
    elif kind == "equilibrium":
        try:
            adviser = show.adviser(now.board)
            yield words.advice(now.advice(adviser), now.strayed(adviser), show.asked)
        except EfgBuilderError as error:
            yield f"There is no such advice: {error}"
    else:
        yield text
