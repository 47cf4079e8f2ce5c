"""``efg-builder play``: play against the equilibrium, a strategy or named players, in the terminal or on a page."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..base.errors import EfgBuilderError, NotApplicableError, NotSolvedError, ParameterError, PersonLeftError
from ..experiments.matches import Match
from ..experiments.matches.playing import MatchTable, caption, refused_in_match
from ..experiments.matches.session import Matches, complete_match, solved_within
from ..players import rounds as playing
from ..players.evaluate import unwritten
from ..players.find import Table
from ..players.kinds.person import NAME as PERSON
from ..players.rounds import Opponent, Pick, Record
from ..players.rounds.seating import judged, seated, with_bound
from ..players.session import PlayOptions, Rounds, SeatedRounds, Session, board_of, talk
from ..players.spelling import names_of
from ..proof.certificate import holds_match
from . import echo, options, say
from .common import MATCH_GAME, Progress, advised, check_outputs, print_json, rules_of_match, source

if TYPE_CHECKING:
    from ..display.pages.page import Part

YOU = "you"


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
    type=options.page_size,
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
    asked = PlayOptions(words=words, **settings)
    check_outputs([] if asked.output is None else [asked.output], [".html"])
    pick = playing.sampler(random.SystemRandom() if asked.seed is None else random.Random(asked.seed))
    if asked.players:
        _play_seated(asked, pick)
        return
    with Progress() as progress:
        show, part = _rounds(asked, progress) if asked.match is None else _matches(asked, progress)
        if asked.output is not None:
            from ..display.pages.play import write_play

            write_play(asked.output, part())
    if asked.output is not None:
        say(f"{asked.output}")
        return
    records = list[Record]()
    for line in talk(show, pick, asked.rounds is None, records):
        (say if asked.as_json else echo)(line)
    if asked.as_json:
        print_json(show.data(records))


def _rounds(asked: PlayOptions, progress: Progress) -> tuple[Session, Callable[[], Part]]:
    named = source(asked.words)
    if asked.solution is not None and holds_match(asked.solution):
        raise ParameterError(f"{asked.solution} contains a match: --match {asked.solution} plays it")
    game = named.subject(asked.max_nodes)
    table = Table(game, asked.timeout, progress, asked.complete, gap=asked.gap, refine=asked.refine)
    whole = asked.output is not None and asked.size is None
    try:
        with advised(game):
            other = playing.opponent(table, asked.strategy, asked.solution, prove=whole)
    except NotSolvedError as error:
        if error.timed_out:
            raise
        raise NotSolvedError(f"{error}; --strategy NAME needs no equilibrium") from error
    if line := unwritten(other.given, table):
        say(line)
    if asked.size is not None:
        other = _cut(other, table, asked.size)
    board = board_of(table, other)
    progress("computing the values of moves")
    if asked.seat > len(board.players):
        raise ParameterError(f"--seat {asked.seat}: this game has seats 1 to {len(board.players)}")
    board.values(asked.seat - 1)  # raise an error now instead of during a game
    if not other.caption:
        other = with_bound(other, board, asked.seat - 1)
    show = Rounds(table, other, board, asked.seat - 1, asked.rounds)
    return show, lambda: _rounds_part(show, asked.advice)


def _cut(other: Opponent, table: Table, size: int) -> Opponent:
    from ..display.pages.play import cut_to_size

    whole = other.given.sparse_profile
    if whole is None:
        raise NotApplicableError(f"--size is for strategies found without a tree; {other.name} was not")
    table.progress("cutting the strategy")
    part = cut_to_size(whole, other, size)
    table.progress("verifying")
    if part is whole:
        return judged(other.name, whole, table) if other.solved else other
    opponent = judged(f"{other.name}, cut", part, table) if other.solved else replace(other, given=part)
    sets = f"{sum(part.sizes):,} of {sum(whole.sizes):,} information sets"
    kept = f"{sets} are left, with probabilities rounded to thousandths"
    before = f"; before, {other.caption}" if other.caption else ""
    say(f"{other.name}: {kept}; {opponent.caption}{before}")
    return opponent


def _rounds_part(show: Rounds, advice: bool) -> Part:
    """Return the page's part. It gives advice if the opponent is a solution, or if solving for *advice* succeeds."""
    from ..display.pages.play import check_size, play_part

    check_size(show.board)  # before the game is solved for advice
    seats = _seats_left(show.board.players, playing.refused(show.board))
    adviser = show.board if show.other.solved else None
    if advice:
        try:
            adviser = show.solution
        except EfgBuilderError as error:
            say(f"the page has no advice from the equilibrium: {error}")
    return play_part(show.board, show.other, adviser, show.seat, seats)


def _matches(asked: PlayOptions, progress: Progress) -> tuple[Session, Callable[[], Part]]:
    if asked.seat > 2:
        raise ParameterError(f"--seat {asked.seat}: a match has seats 1 and 2")
    table = MatchTable(_match_named(asked, progress), asked.seat - 1)
    progress("computing the values of moves")
    table.worth(table.opening)  # raise an error now instead of during a game
    return Matches(table, asked.rounds), lambda: _match_part(table)


def _match_named(asked: PlayOptions, progress: Progress) -> Match:
    given, words = asked.match or "", asked.words
    if given == MATCH_GAME or ("=" in given and not Path(given).exists()):  # click parsed the first word as a file
        given, words = "", (given, *words) if given == MATCH_GAME else (*words, given)
    if not given:
        return solved_within(rules_of_match(words, "--match"), asked.timeout, progress)
    if words:
        raise ParameterError(f"--match {given} names the match: it takes no game, but {words[0]!r} was given")
    return complete_match(given, progress)


def _match_part(table: MatchTable) -> Part:
    from ..display.pages.play import match_part

    seats = _seats_left(table.players, refused_in_match(table))
    return match_part(table, caption(table.match), seats)


def _seats_left(players: Sequence[str], without: Mapping[int, EfgBuilderError]) -> list[int]:
    """Return the seats (from 0) that are not in *without*. Print the reason for each omitted seat."""
    for seat, error in without.items():
        say(f"the page lacks seat {seat + 1}: {error}")
    return [seat for seat in range(len(players)) if seat not in without]


def _play_seated(asked: PlayOptions, pick: Pick) -> None:
    """Play rounds among the named players. Print each round and the total payoffs, even if an error ends play."""
    names = [PERSON if name == YOU else name for name in names_of(asked.players)]
    if seat := next((name for name in names if name.isdecimal()), None):
        raise ParameterError(
            f"{seat!r} is not a player: --players takes names, as in person,uniform; "
            "--seat N is for play without --players"
        )
    subject, notes = source(asked.words).subject(asked.max_nodes), list[str]()
    with Progress() as progress:
        table = Table(subject, asked.timeout, progress, gap=asked.gap, note=notes.append)
        show = SeatedRounds(table, seated(table, names))
    for line in dict.fromkeys(notes):
        say(line)
    rounds = 1 if asked.rounds is None and not show.person else asked.rounds
    try:
        for line in show.play(pick, rounds):
            if not asked.as_json:
                echo(line)
    except PersonLeftError:
        if rounds is not None:
            raise
    finally:
        if asked.as_json:
            print_json(show.data())
        else:
            for line in show.tally():
                echo(line)
