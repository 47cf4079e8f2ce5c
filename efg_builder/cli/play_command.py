"""``efg-builder play``: play against the equilibrium, another strategy or named players, in the terminal or on a page.

A session consists of separate rounds (``_Rounds``) or whole matches (``_Matches``). Both classes have the same methods,
in which ``records`` are the rounds played so far. All payoffs and probabilities are exact.
"""

from __future__ import annotations

import random
import re
import time
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import islice, starmap
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import click

from ..base.errors import EfgBuilderError, NotApplicableError, NotSolvedError, ParameterError, PersonLeftError
from ..base.rationals import brief
from ..experiments.matches import Match, read_match, solve_match
from ..experiments.matches import playing as match_words
from ..experiments.matches.playing import MatchTable, PlayedMatch, next_round, played_matches, refused_in_match
from ..forms.hand_names import printed
from ..games.match_rules import MatchRules, match_rules
from ..players import rounds as playing
from ..players.evaluate import unwritten
from ..players.find import Table
from ..players.kinds.equilibrium import NAME as EQUILIBRIUM
from ..players.kinds.person import NAME as PERSON
from ..players.rounds import Board, OpenRound, Opponent, Pick, Record, Score, words
from ..players.rounds.seating import judged, with_bound
from ..players.rounds.words import typed_line, understood
from ..players.spelling import names_of
from ..proof.certificate import holds_match
from ..strategies.sparse_profile import SparseProfile
from . import echo, options, say
from .common import MATCH_GAME, Progress, advised, attributes, check_outputs, print_json, rules_of_match, source


@click.command(
    "play",
    cls=options.Grouped,
    first="strategy solution players seat output",
    epilog="docs/play.md has a table of playable games, opponents and limits.",
)
@options.words
@click.option(
    "--strategy",
    metavar="FILE|NAME",
    help="Opponent: a player's name ('efg-builder evaluate --list-players' lists the names), or a file with a "
    "solution or a strategy (.json, .csv, .npz). [default: equilibrium, which solves the game first]",
)
@options.path("--solution", said="Solution from 'efg-builder solve -o' that the opponent plays.")
@options.refine
@options.gap
@click.option(
    "--advice",
    is_flag=True,
    help="With --strategy and -o: also find an equilibrium, and show its moves on the web page.",
)
@click.option(
    "--size",
    metavar="NUMBER(kB|MB)",
    callback=lambda context, parameter, text: None if text is None else _size(text),
    help="With -o, for strategies found without a tree: maximum size of the web page, e.g. 1MB. Rarely reached "
    "information sets are left out, and the shortened strategy is verified.",
)
@click.option(
    "--match",
    is_flag=False,
    flag_value="",
    metavar="[FILE]",
    help="Play whole matches, until one player has no dice left. With FILE: the match from 'efg-builder match -o'. "
    "Without FILE: the match with the given settings (including loss, next and exact), which is solved first.",
)
@options.count("--seat", "Your seat, e.g. 2; seat 1 moves first.", default=1)
@options.players
@options.rounds
@options.seed()
@options.complete
@options.timeout(on_the_way=True)
@options.output("Write a web page to play on (.html), instead of playing in the terminal.")
@options.as_json
@options.max_nodes
def command(words: tuple[str, ...], **settings: Any) -> None:
    """Play against the equilibrium or another strategy, with hidden dice, hints, and a score that excludes luck.

    The loss of a move is the value of the best move minus the value of the move; the rest of your result is luck. Type
    a move or its first characters, or ? for help. -o writes a single web page that works offline. With --json, the
    moves and prompts are on standard error, and the score is on standard output. If no equilibrium is found within
    --timeout, you play against the best strategy found; the first line of output gives a proved bound on your payoff.
    Exit code 3: no strategy was found; 4: no strategy was found within --timeout; 130: Ctrl-C while solving.

    --players assigns players to the seats in order; the last player takes all remaining seats. Give each player as a
    name, as program:COMMAND, or as person (alias: you) to play at this keyboard. Each player sees only its own hand,
    and there are no hints. All rounds and the sum of the payoffs are printed.

    \b
    Examples:
      efg-builder play liars-dice sides=3
      efg-builder play liars-dice sides=6 dice=2,2 --seat 2 --rounds 3
      efg-builder play dice-poker -o play.html
      efg-builder play liars-dice sides=3 dice=2,2 --match
      efg-builder play liars-dice sides=6 dice=2,2,2 --players person,lowest-raise,uniform
    """
    asked = SimpleNamespace(**settings)
    _check(words, asked)
    chance = random.SystemRandom() if asked.seed is None else random.Random(asked.seed)
    if asked.players:
        _play_seated(words, asked, playing.sampler(chance))
        return
    with Progress() as progress:
        show = (_rounds_asked if asked.match is None else _matches_asked)(words, asked, progress)
        if asked.output is not None:
            show.write(asked.output)
    if asked.output is not None:
        say(f"{asked.output}")
        return
    records = list[Record]()
    for line in _talk(show, playing.sampler(chance), asked.rounds is None, records):
        (say if asked.as_json else echo)(line)
    if asked.as_json:
        print_json(show.data(records))


def _check(words: tuple[str, ...], asked: SimpleNamespace) -> None:
    page, solved_for = asked.output is not None, asked.refine is not None or asked.gap is not None
    own = any(given is not None for given in (asked.strategy, asked.solution, asked.refine, asked.complete))
    opponents = (asked.strategy not in (None, EQUILIBRIUM), asked.solution is not None, solved_for)
    elsewhere = own or page or asked.match is not None or asked.size is not None
    for wrong, problem in (
        (
            asked.players and (asked.advice or asked.seat != 1 or elsewhere),
            "--players fills all seats and plays in the terminal; it can be combined with --rounds, --seed, "
            "--timeout, --gap, --json and --max-nodes",
        ),
        (sum(opponents) > 1, "--strategy, --solution, and --refine or --gap for solving exclude each other; use one"),
        (
            asked.advice and not (page and asked.strategy is not None),
            "--advice needs -o and --strategy; in the terminal, type 'e'",
        ),
        (
            asked.match is not None and (own or asked.gap is not None),
            "--match is played against its equilibrium; leave out --strategy, --solution and options of solving",
        ),
        (
            asked.size is not None and (not page or asked.match is not None),
            "--size needs -o, and does not apply to --match",
        ),
        (
            words == ("-",) and not page,
            "your moves are read from standard input: name the game's file instead of -",
        ),
        (
            page and (asked.as_json or asked.rounds is not None or asked.seed is not None),
            "--json, --rounds and --seed are for playing in the terminal, not for a page (-o)",
        ),
    ):
        if wrong:
            raise click.UsageError(problem)
    check_outputs([asked.output] * page, [".html"])


def _matches_asked(words: tuple[str, ...], asked: SimpleNamespace, progress: Progress) -> _Matches:
    if asked.seat > 2:
        raise ParameterError(f"--seat {asked.seat}: a match has seats 1 and 2")
    table = MatchTable(_match_named(asked.match, words, asked.timeout, progress), asked.seat - 1)
    progress("computing the values of moves")
    table.worth(table.opening)  # raise an error now instead of during a game
    return _Matches(table, asked.rounds)


def _rounds_asked(words: tuple[str, ...], asked: SimpleNamespace, progress: Progress) -> _Rounds:
    given = source(words)
    if asked.solution is not None and holds_match(asked.solution):
        raise ParameterError(f"{asked.solution} contains a match: --match {asked.solution} plays it")
    limits = {name: getattr(asked, name) for name in ("complete", "gap", "refine")}
    table = Table(given.subject(asked.max_nodes), asked.max_nodes, asked.timeout, progress, **limits)
    whole = asked.output is not None and asked.size is None
    try:
        with advised(given.game):
            other = playing.opponent(table, asked.strategy, asked.solution, prove=whole)
    except NotSolvedError as error:
        if error.timed_out:
            raise
        raise NotSolvedError(f"{error}; --strategy NAME needs no equilibrium") from error
    if line := unwritten(other.given, table):
        say(line)
    if asked.size is not None:
        other = _cut(other, table, asked.size)
    board = _board(table, other)
    progress("computing the values of moves")
    if asked.seat > len(board.players):
        raise click.UsageError(f"--seat {asked.seat}: this game has seats 1 to {len(board.players)}")
    board.values(asked.seat - 1)  # raise an error now instead of during a game
    if not other.caption:
        other = with_bound(other, board, asked.seat - 1)
    return _Rounds(table, other, board, asked.seat - 1, asked.rounds, asked.advice)


def _size(text: str) -> int:
    found = re.fullmatch(r"(\d+(?:\.\d+)?) ?([kM])B", text)
    if found is None:
        raise click.BadParameter(f"{text!r} is not a size such as 500kB or 1MB")
    return int(Fraction(found[1]) * {"k": 10**3, "M": 10**6}[found[2]])


def _cut(other: Opponent, table: Table, size: int) -> Opponent:
    from ..display.pages.play import cut_to_size

    given = other.given
    if not isinstance(given, SparseProfile):
        raise NotApplicableError(f"--size is for strategies found without a tree; {other.name} was not")
    table.progress("cutting the strategy")
    left = cut_to_size(given, other, size)
    table.progress("verifying")
    if left is given:
        return judged(other.name, given, table) if other.solved else other
    found = judged(f"{other.name}, cut", left, table) if other.solved else replace(other, given=left)
    sets = f"{sum(left.sizes):,} of {sum(given.sizes):,} information sets"
    kept = f"{sets} are left, with probabilities rounded to thousandths"
    before = f"; before, {other.caption}" if other.caption else ""
    say(f"{other.name}: {kept}; {found.caption}{before}")
    return found


YOU = "you"


@dataclass(frozen=True, eq=False)
class _Rounds:
    """Rounds against one opponent.

    ``seat`` is the human's seat, from 0. ``rounds`` is the number of rounds; None for no limit. If ``advice`` is
    true and the opponent cannot give advice, the game is solved for the page. ``asked`` is the adviser's name, in the
    form that begins a sentence. ``adviser`` returns the adviser's board.
    """

    table: Table
    other: Opponent
    board: Board
    seat: int
    rounds: int | None
    advice: bool = False
    unit: words.Unit = words.PAYOFFS

    @property
    def asked(self) -> str:
        return words.SOLUTION if self.other.solved and not self.other.equilibrium else words.EQUILIBRIUM

    @cached_property
    def solution(self) -> Board:
        # If the opponent is not a solution, solve the game here. This may raise ``EfgBuilderError``.
        return self.board if self.other.solved else _board(self.table, playing.opponent(self.table))

    def adviser(self, board: Board) -> Board:
        return self.solution

    @property
    def opening(self) -> str:
        return f"{self.board.title}. Against you: {self.other.name} ({self.other.caption})."

    def next_round(self, records: Sequence[Record]) -> tuple[Board, int] | None:
        """Return the board and the human's seat for the next round, or None if there is no next round."""
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
            "score": _score_data(playing.score(records)),
            "rounds": [_round_data(each) for each in records],
        }

    def write(self, path: Path) -> None:
        """Write the page. It gives advice if the opponent is a solution, or if solving for ``advice`` succeeds."""
        from ..display.pages.play import check_size, play_part, write_play

        check_size(self.board)  # before the game is solved for advice
        seats = _seats_left(self.board.players, playing.refused(self.board))
        adviser = self.board if self.other.solved else None
        if self.advice:
            try:
                adviser = self.solution
            except EfgBuilderError as error:
                say(f"the page has no advice from the equilibrium: {error}")
        write_play(path, play_part(self.board, self.other, adviser, self.seat, seats))


def _board(table: Table, other: Opponent) -> Board:
    return playing.board_for(table.subject, other.given, table.tree, table.progress)


@dataclass(frozen=True, eq=False)
class _Matches:
    """Consecutive matches at one ``table``. ``matches`` is the number of matches; None for no limit."""

    table: MatchTable
    matches: int | None
    unit: words.Unit = match_words.CHANCES

    @property
    def asked(self) -> str:
        return match_words.adviser(self.table.match)

    def adviser(self, board: Board) -> Board:
        return board

    @property
    def opening(self) -> str:
        match = self.table.match
        proved = match_words.caption(match)
        known = f"({proved})" if match_words.is_equilibrium(match) else proved
        return f"{self.table.rules.title}. Against you: {match_words.opponent(match)} {known}."

    def next_round(self, records: Sequence[Record]) -> tuple[Board, int] | None:
        return next_round(self.table, records, self.matches)

    def heading(self, records: Sequence[Record]) -> str:
        done = played_matches(self.table, records)
        if not done or self.table.rules.winner(done[-1].standing) is not None:
            return match_words.heading(self.table, len(done) + 1, 1, self.table.opening)
        return match_words.heading(self.table, len(done), len(done[-1].records) + 1, done[-1].standing)

    def closing(self, records: Sequence[Record]) -> Iterator[str]:
        return match_words.closing(self.table, played_matches(self.table, records)[-1])

    def tally(self, records: Sequence[Record], last: bool = True) -> Iterable[str]:
        """Return the lines of the score; during a match, only the first line, with the probability of winning."""
        done = played_matches(self.table, records)
        whole = last or self.table.rules.winner(done[-1].standing) is not None
        return islice(match_words.tally(self.table, done), None if whole else 1)

    def data(self, records: Sequence[Record]) -> dict[str, Any]:
        """Return the matches as JSON values: values from -1 to 1 as exact text, and winners numbered from 1."""
        table = self.table
        return {
            "match": table.rules.settings,
            "title": table.rules.title,
            "opponent": {"name": match_words.opponent(table.match), "caption": match_words.caption(table.match)},
            "seat": table.human + 1,
            "matches": [self._match_data(each) for each in played_matches(table, records)],
        }

    def _match_data(self, played: PlayedMatch) -> dict[str, Any]:
        winner = self.table.rules.winner(played.standing)
        rounds = [
            {"dice": before.dice, "first": before.first + 1} | _round_data(record)
            for before, record in zip(played.standings[:-1], played.records, strict=True)
        ]
        return {
            "winner": None if winner is None else winner + 1,
            "dice": played.standing.dice,
            "score": _score_data(played.score(self.table.worth(self.table.opening))),
            "rounds": rounds,
        }

    def write(self, path: Path) -> None:
        from ..display.pages.play import match_part, write_play

        seats = _seats_left(self.table.players, refused_in_match(self.table))
        write_play(path, match_part(self.table, match_words.caption(self.table.match), seats))


def _match_named(given: str, words: tuple[str, ...], timeout: float, progress: Progress) -> Match:
    """Return the match in the file *given*, verified again. Without a file, solve the match that *words* specify."""
    if given == MATCH_GAME or ("=" in given and not Path(given).exists()):  # click parsed the first word as a file
        given, words = "", (given, *words) if given == MATCH_GAME else (*words, given)
    if not given:
        return _solved(rules_of_match(words, "--match"), timeout, progress)
    if words:
        raise ParameterError(f"--match {given} names the match: it takes no game, but {words[0]!r} was given")
    if not holds_match(given):
        raise ParameterError(f"--match {given}: not a match; 'efg-builder match ... -o match.json.gz' writes a match")
    progress(f"proving {given} again")
    match = read_match(given)
    if not match.complete:
        resume = f"'efg-builder match {_named(match.rules)} --resume {given} -o {given}' continues"
        raise NotApplicableError(f"{given}: not all rounds of the match are solved; {resume}")
    return match


def _named(rules: MatchRules) -> str:
    plain = match_rules({}).settings
    return " ".join([MATCH_GAME, *(f"{key}={value}" for key, value in rules.settings.items() if value != plain[key])])


def _solved(rules: MatchRules, timeout: float, progress: Progress) -> Match:
    end = time.monotonic() + timeout

    def keep(match: Match, _: object) -> None:
        late = not match.complete and time.monotonic() > end
        if late or match.rounds[-1].solution["status"] == "timeout":
            file = "match.json.gz"
            limit = f"--timeout {timeout:g}"  # for each round, whose bracket is used in the other rounds
            way = f"run 'efg-builder match {_named(rules)} {limit} -o {file}', then 'efg-builder play --match {file}'"
            problem = f"the match was not solved within {timeout:g} s (--timeout); {way}"
            raise NotSolvedError(problem, timed_out=True)

    return solve_match(rules, timeout=timeout, progress=progress, keep=keep)


def _seats_left(players: Sequence[str], without: Mapping[int, EfgBuilderError]) -> list[int]:
    """Return the seats (from 0) that are not in *without*. Print the reason for each omitted seat."""
    for seat, error in without.items():
        say(f"the page lacks seat {seat + 1}: {error}")
    return [seat for seat in range(len(players)) if seat not in without]


def _score_data(total: Score) -> dict[str, Any]:
    return attributes(total, "rounds", "result", "start", "price", "luck", "skill", "moves", "mistakes")


def _round_data(each: Record) -> dict[str, Any]:
    """Return a round as JSON values. Players and seats are numbered from 1; chance is 0."""
    return {
        "seat": each.seat + 1,
        "events": _events_data(each.events),
        **attributes(each, "uncovered", "payoffs", "result", "start", "price", "luck"),
        "steps": [attributes(step, "infoset", "action", "values", "price") for step in each.steps],
    }


def _events_data(events: Sequence[Any]) -> list[tuple[int, str]]:
    return [(event.player + 1, event.action) for event in events]


class _Stopped(Exception):
    pass


def _talk(show: _Rounds | _Matches, pick: Pick, pauses: bool, records: list[Record]) -> Iterator[str]:
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


def _round(show: _Rounds | _Matches, now: OpenRound, pick: Pick) -> Generator[str, None, OpenRound]:
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


def _answers(show: _Rounds | _Matches, now: OpenRound, kind: str, text: str) -> Iterator[str]:
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


def _play_seated(words: tuple[str, ...], asked: SimpleNamespace, pick: Pick) -> None:
    """Play rounds among the named players. Print each round and the total payoffs, even if an error ends play."""
    from ..players.rounds.seating import LiveRound, live_rounds, seated

    names = [PERSON if name == YOU else name for name in names_of(asked.players)]
    if seat := next((name for name in names if name.isdecimal()), None):
        raise ParameterError(
            f"{seat!r} is not a player: --players takes names, as in person,uniform; "
            "--seat N is for play without --players"
        )
    subject, notes = source(words).subject(asked.max_nodes), list[str]()
    with Progress() as progress:
        table = Table(subject, asked.max_nodes, asked.timeout, progress, gap=asked.gap, note=notes.append)
        chairs = seated(table, names)
    for line in dict.fromkeys(notes):
        say(line)
    who = [chair.name for chair in chairs]
    label = printed(table.game)
    played: list[LiveRound] = []
    count = 1 if asked.rounds is None and PERSON not in who else asked.rounds
    try:
        for each in islice(live_rounds(chairs, pick), count):
            played.append(each)
            if not asked.as_json:
                moves = ", ".join(f"{subject.players[event.player]} {event.action}" for event in each.events)
                hands = " | ".join(starmap(label, enumerate(each.hands)))
                shown = (f"Round {len(played)}", hands, moves, each.ending)
                echo(": ".join(filter(None, shown)))
    except PersonLeftError:
        if count is not None:
            raise
    finally:
        totals = [sum((each.payoffs[seat] for each in played), Fraction(0)) for seat in range(len(who))]
        if asked.as_json:
            game = attributes(subject, "title", "players")
            rounds = [
                {"hands": each.hands, "moves": _events_data(each.events), **attributes(each, "payoffs", "ending")}
                for each in played
            ]
            print_json({"game": game, "seats": who, "totals": totals, "rounds": rounds})
        elif played:
            for name, total, chair in zip(subject.players, totals, who, strict=True):
                echo(f"{name}, {chair}: {brief(total)}")
