"""``efg-builder arena``: players against each other, their table and their ratings."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..base.errors import ParameterError
from ..forms.extensive import MAX_NODES
from ..players.spelling import names_of
from . import options
from .common import Progress, ending, rules_of_match, show, source, written

if TYPE_CHECKING:
    from ..experiments.arena import Standings

DATABASES, PICTURES = (".db", ".sqlite", ".sqlite3"), (".svg", ".png")


@click.command("arena")
@click.argument("words", nargs=-1, metavar="GAME [KEY=VALUE ...] | FILE.efg | FILE.py:CLASS")
@options.players
@options.count("--games", "Games of each pairing.", high=10**9, default=10_000)
@click.option("--match", "matches", is_flag=True, help="Play whole matches, with the settings of 'efg-builder match'.")
@options.seed(0)
@options.workers()
@options.timeout(on_the_way=True)
@options.outputs("Keep all in a SQLite file (.db), write the meetings (.csv), draw the ratings (.svg or .png).")
@options.path("--show", said="The table of a file; nothing is played.", metavar="FILE.db")
@options.as_json
def command(
    words: tuple[str, ...],
    players: tuple[str, ...],
    matches: bool,
    outputs: tuple[Path, ...],
    show: Path | None,
    as_json: bool,
    **settings: Any,
) -> None:
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
    kept = [path for path in outputs if ending(path, *DATABASES)]
    others = [path for path in outputs if path not in kept]
    if show is not None and (words or players or kept):
        raise ParameterError("--show prints the table of a file and takes no game, players or -o FILE.db")
    if len(kept) > 1:
        raise ParameterError(f"-o {kept[0]} and -o {kept[1]}: an arena is kept in one file; leave one out")
    path = kept[0] if kept else None
    for each in others:
        check_target(each, (".csv", *PICTURES), (".db", ".csv", *PICTURES))
    if show is not None:
        _tell(read_standings(show), others, as_json)
        return
    subject = rules_of_match(words, "--match") if matches else source(words).subject(MAX_NODES)
    if not players:
        listed = "'efg-builder evaluate --list-players' lists them"
        raise ParameterError(f"name who plays: --players uniform,always-call ({listed})")
    with Progress() as progress:
        found = run_arena(subject, names_of(players), path=path, progress=progress, **settings)
    _tell(found, others, as_json)


def _tell(found: Standings, paths: Sequence[Path], as_json: bool) -> None:
    from ..experiments.arena.report import rated, to_csv, to_data

    def write(path: Path) -> None:
        if ending(path, ".csv"):
            to_csv(found, path)
        else:
            from ..display.plots.arena_plot import draw_ratings

            draw_ratings(rated(found), path)

    with written(paths, write, tell="wrote "):
        show(as_json, lambda: to_data(found), lambda: str(found).splitlines())
