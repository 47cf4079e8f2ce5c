"""``efg-builder arena``: players against each other, their table and their ratings."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..base.errors import ParameterError
from ..forms.extensive import MAX_NODES, GameTree
from ..games.match_rules import MatchRules
from ..games.protocol import Game
from ..players.names import names_of
from . import say
from .common import (
    Command,
    Progress,
    json_option,
    outputs_option,
    path_option,
    players_option,
    rules_of_match,
    seed_option,
    show,
    source,
    timeout_option,
    workers_option,
    written,
)

if TYPE_CHECKING:
    from ..experiments.arena import Standings

GAMES = 10_000

DATABASES, PICTURES = (".db", ".sqlite", ".sqlite3"), (".svg", ".png")


@click.command("arena", cls=Command, old={"--player": "--players", "--csv": "-o", "--plot": "-o"})
@click.argument("words", nargs=-1, metavar="GAME [KEY=VALUE ...] | FILE.efg | FILE.py:CLASS")
@players_option()
@click.option(
    "--games",
    type=click.IntRange(1, 10**9),
    metavar="N",
    default=GAMES,
    show_default=True,
    help="Games of each pairing.",
)
@click.option("--match", "matches", is_flag=True, help="Play whole matches, with the settings of 'efg-builder match'.")
@seed_option(0)
@workers_option()
@timeout_option(on_the_way=True)
@outputs_option("Keep all in a SQLite file (.db), write the meetings (.csv), draw the ratings (.svg or .png).")
@path_option("--show", said="The table of a file; nothing is played.", metavar="FILE.db")
@json_option
def command(
    words: tuple[str, ...],
    players: tuple[str, ...],
    games: int,
    matches: bool,
    seed: int,
    workers: int | None,
    timeout: Fraction,
    outputs: tuple[Path, ...],
    show: Path | None,
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
      efg-builder arena --show arena.db -o meetings.csv -o ratings.svg
    """
    from ..experiments.arena import read_standings, run_arena
    from ..experiments.arena.report import check_apart, check_target

    check_apart([("--show", show), *(("-o", path) for path in outputs)])
    kept = [path for path in outputs if path.suffix.lower() in DATABASES]
    others = [path for path in outputs if path not in kept]
    if show is not None and (words or players or kept):
        raise ParameterError("--show prints the table of a file and takes no game, players or -o FILE.db")
    if len(kept) > 1:
        raise ParameterError(f"-o {kept[0]} and -o {kept[1]}: an arena is kept in one file; leave one out")
    path = kept[0] if kept else None
    for each in others:
        check_target(each, (".csv", *PICTURES), (".db", ".csv", *PICTURES))
    if show is not None:
        return _tell(read_standings(show), others, as_json)
    subject = _subject(words, matches)
    if not players:
        listed = "'efg-builder evaluate --list-players' lists them"
        raise ParameterError(f"name who plays: --players uniform,always-call ({listed})")
    with Progress() as progress:
        found = run_arena(
            subject,
            names_of(players),
            games,
            path=path,
            seed=seed,
            workers=workers,
            timeout=float(timeout),
            progress=progress,
        )
    return _tell(found, others, as_json)


def _subject(words: tuple[str, ...], matches: bool) -> Game | GameTree | MatchRules:
    if matches:
        return rules_of_match(words, "--match")
    return source(words).subject(MAX_NODES)


def _tell(found: Standings, paths: Sequence[Path], as_json: bool) -> int:
    from ..experiments.arena.report import rated, to_csv, to_data

    def write(path: Path) -> None:
        if path.suffix.lower() == ".csv":
            say(f"wrote {to_csv(found, path)}")
        else:
            from ..display.plots.arena_plot import draw_ratings

            say(f"wrote {draw_ratings(rated(found), path)}")

    with written(paths, write):
        show(as_json, lambda: to_data(found), lambda: str(found).splitlines())
    return 0
