"""``efg-builder play``: against the equilibrium, or any other strategy, in the terminal or on a page."""

from __future__ import annotations

import random
from fractions import Fraction
from pathlib import Path

import click

from ..base.errors import ParameterError
from ..players import rounds as playing
from ..players.find import TIMEOUT, table_of
from ..proof.certificate import holds_match
from ..strategies.reading import COMPLETIONS
from . import say
from .common import (
    Progress,
    check_outputs,
    json_option,
    max_nodes_option,
    output_option,
    path_option,
    print_json,
    source,
    timeout_option,
    words_argument,
)
from .play import Matches, Rounds, Say, match_named, matches_of, rounds_of, talk


@click.command("play")
@words_argument
@click.option(
    "--strategy",
    metavar="FILE|NAME",
    help="Who plays against you: a player's name ('evaluate --players' lists them), a solution, a strategy as JSON or "
    ".csv, or arrays (.npz). [default: equilibrium, solved for first]",
)
@path_option("--solution", said="Play against a solution written by 'efg-builder solve -o'.")
@click.option("--refine", is_flag=True, help="Play against an equilibrium that plays well after mistakes too.")
@click.option(
    "--match",
    is_flag=False,
    flag_value="",
    metavar="[FILE]",
    help="Play whole matches, until one side has no dice left: the match of these settings (loss, next and exact are "
    "settings too), solved first, or the one in a FILE of 'efg-builder match -o'.",
)
@click.option(
    "--seat", type=click.IntRange(min=1), metavar="N", default=1, show_default=True, help="Your seat; 1 moves first."
)
@click.option(
    "--rounds",
    type=click.IntRange(min=1),
    metavar="N",
    help="How many rounds, or matches with --match (default: until you stop).",
)
@click.option("--seed", type=int, metavar="N", help="Equal seeds and moves give equal rounds.")
@click.option(
    "--complete",
    type=click.Choice(COMPLETIONS),
    help="What a file's player does at information sets that are not in it. [default: as 'evaluate' has it]",
)
@timeout_option("How long solving the game may take.", f"{TIMEOUT:g}")
@output_option("Write a page to play on (.html) instead of playing here.")
@json_option
@max_nodes_option
def command(
    words: tuple[str, ...],
    strategy: str | None,
    solution: Path | None,
    refine: bool,
    match: str | None,
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
      efg-builder play liars-dice sides=3 dice=2,2 --match
    """
    if sum((strategy is not None, solution is not None, refine)) > 1:
        raise click.UsageError("--strategy, --solution and --refine each name an opponent: give one of them")
    if match is not None and (strategy is not None or solution is not None or refine or complete is not None):
        raise click.UsageError("--match is played against its equilibrium: without --strategy, --solution and the like")
    if output is not None:
        check_outputs([output], [".html"])
        if as_json or rounds is not None or seed is not None:
            raise click.UsageError("--json, --rounds and --seed are for playing here, not for a page (-o)")
    with Progress() as progress:
        show: Rounds | Matches
        if match is not None:
            if seat > 2:
                raise ParameterError(f"--seat {seat}: a match has seats 1 to 2")
            show = matches_of(match_named(match, words, float(timeout), progress), seat, rounds, progress)
        else:
            given = source(words)
            if solution is not None and holds_match(solution):
                raise ParameterError(f"{solution} holds a match: --match {solution} plays it")
            subject = given.subject(max_nodes)
            table = table_of(subject, max_nodes, float(timeout), progress, complete=complete)
            other = playing.refined(table) if refine else playing.opponent(table, strategy, solution)
            show = rounds_of(table, other, seat, rounds, progress)
        if output is not None:
            show.write(output)
    if output is not None:
        say(f"{output}")
        return 0
    chance = random.SystemRandom() if seed is None else random.Random(seed)
    tell: Say = say if as_json else click.echo
    records = talk(show, playing.sampler(chance), tell, pauses=rounds is None)
    if as_json:
        print_json(show.data(records))
    return 0
