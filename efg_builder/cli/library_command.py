"""``efg-builder library``: several hundred games with proved values, for people who write solvers."""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase
from pathlib import Path

import click

from ..base.errors import ParameterError
from ..base.version import __version__
from ..base.words import plural
from . import NO_EQUILIBRIUM
from .common import Progress, json_option, output_option, show, workers_option

SHOWN = 10
"""Lines on what went wrong; --json has all."""


@click.command("library")
@click.argument("patterns", nargs=-1, metavar="[PATTERN ...]")
@output_option("The folder of the library.", "folder")
@workers_option("1")
@click.option("--list-instances", "only_list", is_flag=True, help="List the names of the games, and make nothing.")
@click.option(
    "--check", is_flag=True, help="Prove all certificates in the folder by the stand-alone checkers, and make nothing."
)
@json_option
def command(
    patterns: tuple[str, ...], folder: Path | None, workers: int | None, only_list: bool, check: bool, as_json: bool
) -> int:
    """Make a library of games with proved values: more than 300 games in the folder -o FOLDER.

    Each has a folder with the tree (.efg), the linear program (.mps, two players with a constant sum), and a
    certificate of the value, or of an equilibrium. index.csv, index.json and datapackage.json describe all that is
    there. PATTERN takes a part: 'kuhn*', 'liars-dice_sides-2*'. The same command goes on where a run ended; what is
    there and whole stays as it is. The games of pygambit's catalogue are there where pygambit is installed.

    Exit code 0: all are there, or proved; 3: some are not.

    \b
    Examples:
      efg-builder library --list-instances
      efg-builder library -o library kuhn_cards-3 dice-poker_sides-6
      efg-builder library -o library --check
    """
    from ..experiments.library.checking import check_library, unlisted
    from ..experiments.library.index import write_index
    from ..experiments.library.instances import GAMBIT, instances
    from ..experiments.library.making import make_library
    from ..interop.gambit import lacking

    listed = instances()
    lack = lacking(f"the family {GAMBIT}")
    missed = [pattern for pattern in patterns if not any(fnmatchcase(one.slug, pattern) for one in listed)]
    if missed:
        problem = f"no instance is called {' or '.join(missed)}; --list-instances lists the names"
        raise ParameterError(f"{problem}; {lack}" if lack else problem)
    wanted = [one for one in listed if not patterns or any(fnmatchcase(one.slug, pattern) for pattern in patterns)]
    if only_list:
        show(as_json, lambda: {"instances": [one.slug for one in wanted]}, lambda: [one.slug for one in wanted])
        return 0
    if folder is None:
        raise ParameterError("name the folder for the library: -o library")
    if check:
        if not folder.is_dir():
            raise ParameterError(f"there is no folder {folder} to check; without --check it is made")
        with Progress() as progress:
            checked = check_library(folder, wanted, progress)
        wrong = dict(checked.wrong)
        if not patterns:
            problem = f"it is not in the list of efg-builder {__version__}"
            wrong |= dict.fromkeys(unlisted(folder, listed), f"{problem}; {lack}" if lack else problem)
        good = f"{plural(len(checked.proved), 'certificate')} proved, {len(wrong):,} not"
        data = {"folder": str(folder), "proved": dict(checked.proved), "wrong": wrong}
        show(as_json, lambda: data, lambda: [good, *_lines(wrong)])
        return NO_EQUILIBRIUM if wrong or not checked.proved else 0
    try:
        with Progress() as progress:
            made = make_library(folder, wanted, workers=workers or 1, progress=progress)
    finally:
        # What an interrupted run has made is described too.
        count = write_index(folder, listed) if (folder / "instances").is_dir() else 0
    words = f"{plural(count, 'instance')} in {folder}: {len(made.made):,} made, {len(made.kept):,} there already"
    data = {"folder": str(folder), "made": list(made.made), "kept": list(made.kept), "failed": dict(made.failed)}
    left_out = [f"left out: {lack}"] if lack and (not patterns or unlisted(folder, listed)) else []
    show(as_json, lambda: data, lambda: [words, *_lines(made.failed), *left_out])
    return NO_EQUILIBRIUM if made.failed else 0


def _lines(problems: Mapping[str, str]) -> list[str]:
    lines = [f"{slug}: {problem}" for slug, problem in list(problems.items())[:SHOWN]]
    return [*lines, *([f"and {len(problems) - SHOWN:,} more (--json)"] if len(problems) > SHOWN else [])]
