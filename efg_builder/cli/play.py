"""A session of ``efg-builder play``: rounds that are all alike or whole matches, and the talk around them.

``Rounds`` and ``Matches`` have the same methods. ``records`` are the rounds played so far; all numbers are exact.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import click

from ..base.errors import EfgBuilderError, NotApplicableError, NotSolvedError, ParameterError
from ..base.rationals import to_json
from ..base.words import listed_in_short
from ..experiments.matches import Match, read_match, solve_match
from ..experiments.matches import words as match_words
from ..experiments.matches.playing import MatchTable, PlayedMatch, next_round, played_matches, refused_in_match
from ..games.bidding import BiddingGame
from ..games.match_rules import MatchRules, match_rules
from ..players import rounds as playing
from ..players.find import Table
from ..players.rounds import Board, OpenRound, Opponent, Pick, Record, Score, words
from ..players.typed import typed_line, understood
from ..proof.certificate import holds_match
from . import say
from .common import MATCH_GAME, rules_of_match

Say = Callable[[str], object]
Progress = Callable[[str], None]

MATCH_FILE = "match.json.gz"


@dataclass(frozen=True, eq=False)
class Rounds:
    """Rounds on one ``board`` against one opponent. ``seat``: the human's, from 0; ``rounds``: None is without end."""

    table: Table
    other: Opponent
    board: Board
    seat: int
    rounds: int | None
    unit: words.Unit = words.PAYOFFS
    asked: str = words.EQUILIBRIUM

    @cached_property
    def equilibrium(self) -> Board:
        """The equilibrium's board, solved for here unless it is the opponent's. Raises ``EfgBuilderError``."""
        return self.board if self.other.equilibrium else board_of(self.table, playing.opponent(self.table))

    @property
    def opening(self) -> str:
        """The first line: the game and the opponent."""
        return f"{self.board.title}. Against you: {self.other.name} ({self.other.caption})."

    def next_round(self, records: Sequence[Record]) -> tuple[Board, int] | None:
        """The next round's board and the human's seat there; None after the last one."""
        return (self.board, self.seat) if self.rounds is None or len(records) < self.rounds else None

    def heading(self, records: Sequence[Record]) -> str:
        """The line before the next round."""
        return f"Round {len(records) + 1}. You are {self.board.players[self.seat]}."

    def closing(self, records: Sequence[Record]) -> Iterator[str]:
        """The lines after the last of *records*: its end, mistakes and luck."""
        yield from words.ended(records[-1], self.board.game)
        yield from words.mistakes(records[-1])
        yield f"Luck in this round: {words.number(records[-1].luck)}."

    def tally(self, records: Sequence[Record]) -> Iterable[str]:
        """The score in lines."""
        return words.tally(playing.score(records))

    def adviser(self, board: Board) -> Board:
        """The board whose strategy gives advice on *board*. Raises ``EfgBuilderError`` where there is none."""
        return self.equilibrium

    def data(self, records: Sequence[Record]) -> dict[str, Any]:
        """The session as plain data; exact rationals are text such as ``"-1/9"``."""
        other = self.other
        return {
            "game": {"title": self.board.title, "players": list(self.board.players)},
            "opponent": {"name": other.name, "caption": other.caption, "equilibrium": other.equilibrium},
            "score": _score_data(playing.score(records)),
            "rounds": [_round_data(each) for each in records],
        }

    def write(self, path: Path) -> None:
        """Write the same as a page, without advice where no equilibrium is found."""
        from ..display.pages.play import check_size, write_play

        check_size(self.board)  # before anything is solved for
        seats = _seats_left(self.board.players, playing.refused(self.board))
        try:
            adviser = self.equilibrium
        except EfgBuilderError as error:
            say(f"without the equilibrium's moves: {error}")
            adviser = None
        write_play(path, self.board, self.other, adviser, self.seat, seats)


def rounds_of(table: Table, other: Opponent, seat: int, rounds: int | None, progress: Progress) -> Rounds:
    """Rounds against *other*; *seat* counts from 1.

    Raises ``click.UsageError`` for a seat that does not exist, and what the board raises.
    """
    board = board_of(table, other)
    progress("computing the values of moves")
    if seat > len(board.players):
        raise click.UsageError(f"--seat {seat}: this game has seats 1 to {len(board.players)}")
    board.values(seat - 1)
    return Rounds(table, other, board, seat - 1, rounds)


def board_of(table: Table, other: Opponent) -> Board:
    """The board on which *other* plays all seats but the human's."""
    subject = table.game if table.game is not None else table.tree()
    return playing.board_for(subject, other.given, table.tree)


@dataclass(frozen=True, eq=False)
class Matches:
    """Matches at one ``table``, one after the other. ``matches``: how many, None is without end."""

    table: MatchTable
    matches: int | None
    unit: words.Unit = match_words.CHANCES

    @property
    def asked(self) -> str:
        """Whose strategy gives advice, at the start of a sentence."""
        return match_words.adviser(self.table.match)

    @property
    def opening(self) -> str:
        """The first line: the match and the opponent."""
        match = self.table.match
        proved = match_words.caption(match)
        known = f"({proved})" if match_words.is_equilibrium(match) else proved
        return f"{self.table.rules.title}. Against you: {match_words.opponent(match)} {known}."

    def next_round(self, records: Sequence[Record]) -> tuple[Board, int] | None:
        """The next round's board and the human's seat there; None after the last match."""
        return next_round(self.table, records, self.matches)

    def heading(self, records: Sequence[Record]) -> str:
        """The line before the next round: the numbers of match and round, and the dice left."""
        done = played_matches(self.table, records)
        if not done or self.table.rules.winner(done[-1].standing) is not None:
            return match_words.heading(self.table, len(done) + 1, 1, self.table.opening)
        return match_words.heading(self.table, len(done), len(done[-1].records) + 1, done[-1].standing)

    def closing(self, records: Sequence[Record]) -> Iterator[str]:
        """The lines after the last of *records*: its end, mistakes and luck, and the winner of the match."""
        return match_words.closing(self.table, played_matches(self.table, records)[-1])

    def tally(self, records: Sequence[Record]) -> Iterable[str]:
        """The score in lines."""
        return match_words.tally(self.table, played_matches(self.table, records))

    def adviser(self, board: Board) -> Board:
        """The board whose strategy gives advice on *board*: itself."""
        return board

    def data(self, records: Sequence[Record]) -> dict[str, Any]:
        """The matches as plain data: values from -1 to 1, exact rationals as text, and the winners (from 1)."""
        table = self.table
        return {
            "match": table.rules.settings,
            "title": table.rules.title,
            "opponent": {"name": match_words.opponent(table.match), "caption": match_words.caption(table.match)},
            "seat": table.human + 1,
            "matches": [self._course_data(course) for course in played_matches(table, records)],
        }

    def _course_data(self, course: PlayedMatch) -> dict[str, Any]:
        winner = self.table.rules.winner(course.standing)
        rounds = [
            {"dice": list(before.dice), "first": before.first + 1} | _round_data(record)
            for before, record in zip(course.standings[:-1], course.records, strict=True)
        ]
        return {
            "winner": None if winner is None else winner + 1,
            "dice": list(course.standing.dice),
            "score": _score_data(course.score(self.table.worth(self.table.opening))),
            "rounds": rounds,
        }

    def write(self, path: Path) -> None:
        """Write the same as a page."""
        from ..display.pages.play import write_match

        seats = _seats_left(self.table.players, refused_in_match(self.table))
        write_match(path, self.table, match_words.caption(self.table.match), seats)


def matches_of(match: Match, seat: int, matches: int | None, progress: Progress) -> Matches:
    """Matches by the rules and strategies of *match*; *seat* counts from 1. Raises what the table raises."""
    progress("computing the values of moves")
    table = MatchTable(match, seat - 1)
    table.worth(table.opening)
    return Matches(table, matches)


def match_named(given: str, words: tuple[str, ...], timeout: float, progress: Progress) -> Match:
    """The match in the file *given*, proved again, or (where that names none) the one of *words*, solved first.

    Raises ``ParameterError``, ``NotSolvedError`` where solving takes longer than *timeout* seconds, and what reading
    the file raises.
    """
    if given == MATCH_GAME or ("=" in given and not Path(given).exists()):  # the first of the words, taken for a file
        given, words = "", (given, *words) if given == MATCH_GAME else (*words, given)
    if not given:
        return _solved(rules_of_match(words, "--match"), timeout, progress)
    if words:
        raise ParameterError(f"--match {given} names the match: it takes no game, but {words[0]!r} was given")
    if not holds_match(given):
        raise ParameterError(f"--match {given}: it holds no match; 'efg-builder match ... -o match.json.gz' writes one")
    progress(f"proving {given} again")
    match = read_match(given)
    if not match.complete:
        resume = f"'efg-builder match {_named(match.rules)} --resume {given} -o {given}' goes on"
        raise NotApplicableError(f"{given}: not all rounds of the match are solved; {resume}")
    return match


def _named(rules: MatchRules) -> str:
    """The words for *rules*, without settings that change nothing."""
    plain = match_rules({}).settings
    return " ".join([MATCH_GAME, *(f"{key}={value}" for key, value in rules.settings.items() if value != plain[key])])


def _solved(rules: MatchRules, timeout: float, progress: Progress) -> Match:
    """The match, solved within *timeout* seconds in all. Raises ``NotSolvedError``."""
    end = time.monotonic() + timeout

    def keep(match: Match, _: object) -> None:
        late = not match.complete and time.monotonic() > end
        if late or match.rounds[-1].solution["status"] == "timeout":
            way = f"'efg-builder match {_named(rules)} -o {MATCH_FILE}', then 'efg-builder play --match {MATCH_FILE}'"
            problem = f"the match was not solved within {timeout:g} s (--timeout); {way}"
            raise NotSolvedError(problem, timed_out=True)

    return solve_match(rules, timeout=timeout, progress=progress, keep=keep)


def _seats_left(players: Sequence[str], without: Mapping[int, EfgBuilderError]) -> list[int]:
    """The seats (from 0) but those in *without*, each of which is named on stderr with the reason."""
    for seat, error in without.items():
        say(f"the page is without seat {seat + 1}: {error}")
    return [seat for seat in range(len(players)) if seat not in without]


def _score_data(total: Score) -> dict[str, Any]:
    sums = {name: to_json(getattr(total, name)) for name in ("result", "start", "price", "luck", "skill")}
    return {"rounds": total.rounds, **sums, "moves": total.moves, "mistakes": total.mistakes}


def _round_data(each: Record) -> dict[str, Any]:
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


class _Stopped(Exception):
    """The human stopped."""


def talk(show: Rounds | Matches, pick: Pick, show_line: Say, pauses: bool) -> tuple[Record, ...]:
    """Play rounds until there are no more, or the human stops; *pauses* after rounds without a move of the human's."""
    records: tuple[Record, ...] = ()
    show_line(show.opening)
    show_line("Type ? for help.")
    try:
        while (following := show.next_round(records)) is not None:
            show_line("")
            show_line(show.heading(records))
            now = _round(show, playing.begin(*following, pick), pick, show_line)
            records = (*records, playing.record(now))
            for line in (*show.closing(records), *show.tally(records)):
                show_line(line)
            if pauses and not now.steps:
                show_line("You had no move. Enter for the next round, q to stop.")
                if understood(_line(), ()).kind == "quit":
                    raise _Stopped
    except _Stopped:
        show_line("")
        show_line("You stopped; a round that was not finished does not count.")
        for line in show.tally(records) if records else ():
            show_line(line)
    return records


def _round(show: Rounds | Matches, now: OpenRound, pick: Pick, show_line: Say) -> OpenRound:
    """The human's turns, up to the end."""
    seen, hand = 0, words.dealt(now)
    if hand:
        show_line(hand)
    while True:
        for line in words.happened(now, seen):
            show_line(line)
        if now.over:
            return now
        # The hand has just been shown before the first turn.
        known = "" if hand and not now.steps else f"{words.known(now)} "
        show_line(f"{known}Your move: {listed_in_short(now.actions, 'or')}")
        seen = len(now.events)
        now = playing.choose(now, _move(show, now, show_line), pick)


def _move(show: Rounds | Matches, now: OpenRound, show_line: Say) -> str:
    """The human's next move; help and hints come before it."""
    game = now.board.game
    bids = game.bid_names if isinstance(game, BiddingGame) else ()
    while True:
        typed = understood(_line(), now.actions, bids)
        if typed.kind == "move":
            return typed.text
        if typed.kind == "quit":
            raise _Stopped
        for answer in _answers(show, now, typed.kind, typed.text):
            show_line(answer)


def _line() -> str:
    """A typed line. Raises ``_Stopped`` where there are no more."""
    line = typed_line()
    if not line:
        raise _Stopped
    return line


def _answers(show: Rounds | Matches, now: OpenRound, kind: str, text: str) -> Iterator[str]:
    if kind == "help":
        yield from words.HELP
    elif kind == "hint":
        yield from words.hint(now.values, show.unit)
    elif kind == "equilibrium":
        try:
            adviser = show.adviser(now.board)
            yield words.advice(now.advice(adviser), now.strayed(adviser), show.asked)
        except EfgBuilderError as error:
            yield f"There is none to ask: {error}"
    else:
        yield text
