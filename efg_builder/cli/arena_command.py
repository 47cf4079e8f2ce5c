"""``efg-builder arena``: players against each other, their table and their ratings."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..base.errors import NotSolvedError, ParameterError
from ..games.match_rules import MatchRules, match_rules
from ..games.protocol import Game
from ..players.strategy_given import TIMEOUT
from . import NO_EQUILIBRIUM, TIME_LIMIT, say
from .common import Progress, json_option, key_values, print_json, source, timeout_option

if TYPE_CHECKING:
    from ..experiments.arena import Standings

GAMES = 10_000
GAME = "liars-dice"


@click.command("arena")
@click.argument("words", nargs=-1, metavar="GAME [KEY=VALUE ...]")
@click.option(
    "--players",
    "lists",
    multiple=True,
    metavar="A,B,...",
    help="Who plays, as 'evaluate --players' lists them, or files; a pattern in quotes stands for all files that fit. "
    "May be given again.",
)
@click.option("--player", "singles", multiple=True, metavar="NAME", help="One more player, whose name may have commas.")
@click.option(
    "--games",
    type=click.IntRange(1, 10**9),
    metavar="N",
    default=GAMES,
    show_default=True,
    help="Games of each pairing.",
)
@click.option("--match", "matches", is_flag=True, help="Play whole matches, with the settings of 'efg-builder match'.")
@click.option(
    "--seed", type=click.IntRange(0, 2**32 - 1), metavar="N", default=0, show_default=True, help="Decides all chance."
)
@click.option(
    "--workers",
    type=click.IntRange(1, 4096),
    metavar="N",
    help="Processes on this machine (default: one for each core; 1: none but this one).",
)
@timeout_option("How long players that solve the game may take for it.", f"{TIMEOUT:g}")
@click.option("-o", "--output", "path", type=click.Path(path_type=Path), help="Keep all in this SQLite file.")
@click.option(
    "--show", type=click.Path(path_type=Path), metavar="FILE.db", help="The table of a file; nothing is played."
)
@click.option("--csv", "csv_file", type=click.Path(path_type=Path), metavar="FILE", help="Write the meetings (.csv).")
@click.option("--plot", type=click.Path(path_type=Path), metavar="FILE", help="Draw the ratings (.svg or .png).")
@json_option
def command(
    words: tuple[str, ...],
    lists: tuple[str, ...],
    singles: tuple[str, ...],
    games: int,
    matches: bool,
    seed: int,
    workers: int | None,
    timeout: Fraction,
    path: Path | None,
    show: Path | None,
    csv_file: Path | None,
    plot: Path | None,
    as_json: bool,
) -> int:
    """Let players play each other: every pairing, on the same deals, in all seats, for single rounds or whole matches.

    Prints who gets what from whom, with 95 % intervals, and the exact value where the game is small; Elo ratings by
    maximum likelihood; and r, the part of skill where the rest is luck. With -o FILE.db the same command goes on
    where it was interrupted or killed, more --games or players add to what is there, and any number of runs may work on
    one file. Exit code 3: a player that solves found no equilibrium; 4: not within its time limit.

    \b
    Examples:
      efg-builder arena liars-dice sides=3 --players uniform,always-call,equilibrium --games 1000 -o arena.db
      efg-builder arena liars-dice sides=2 dice=2,2 --match --players uniform,lowest-raise --games 500 --workers 1
      efg-builder arena --show arena.db --plot ratings.svg
    """
    from ..display.plots.paper import KINDS, check_kind_of_plot
    from ..experiments.arena import read_standings, run_arena
    from ..experiments.arena.contestants import spelled
    from ..experiments.arena.report import check_apart, check_target

    if show is not None and (words or lists or singles or path is not None):
        raise ParameterError("--show prints the table of a file and takes no game, players or -o")
    check_apart([("-o", path), ("--show", show), ("--csv", csv_file), ("--plot", plot)])
    if csv_file is not None:
        check_target(csv_file, (".csv",))
    if plot is not None:
        check_kind_of_plot(plot)
        check_target(plot, KINDS)
    if show is not None:
        return _tell(read_standings(show), csv_file, plot, as_json)
    subject = _subject(words, matches)
    if not lists and not singles:
        listed = "'efg-builder evaluate --players' lists them"
        raise ParameterError(f"name who plays: --players uniform,always-call ({listed})")
    with Progress() as progress:
        try:
            found = run_arena(
                subject,
                spelled(lists, singles),
                games,
                path=path,
                seed=seed,
                workers=workers,
                timeout=float(timeout),
                progress=progress,
            )
        except NotSolvedError as error:
            say(f"error: {error}")
            return TIME_LIMIT if error.timed_out else NO_EQUILIBRIUM
    return _tell(found, csv_file, plot, as_json)


def _subject(words: tuple[str, ...], matches: bool) -> Game | MatchRules:
    if matches:
        if not words or words[0] != GAME:
            given = repr(words[0]) if words else "nothing"
            raise ParameterError(f"--match plays {GAME}, but {given} was given")
        return match_rules(dict(key_values(words[1:], "settings")))
    given_ = source(words)
    if given_.game is None:
        raise ParameterError(f"{given_.file}: an arena needs the rules of a game, such as liars-dice, not a tree")
    return given_.game


def _tell(found: Standings, csv_file: Path | None, plot: Path | None, as_json: bool) -> int:
    from ..experiments.arena.report import lines, rated, to_csv, to_data

    if csv_file is not None:
        say(f"wrote {to_csv(found, csv_file)}")
    if plot is not None:
        from ..display.plots.arena_plot import draw_ratings

        say(f"wrote {draw_ratings(rated(found), plot)}")
    if as_json:
        print_json(to_data(found))
        return 0
    for line in lines(found):
        click.echo(line)
    return 0
