"""``efg-builder report``: everything about a game and its solution, on one page to hand out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ..display.pages.page import SUFFIXES
from ..display.report import write_report
from ..display.report.about import asks_to_refine, commands_of, read_for_report
from ..equilibria.solution import Solution
from . import options as opts
from .common import Progress, check_outputs, show, source, written
from .solve_command import exit_code, solve_with


@click.command("report")
@opts.words
@opts.output("A .html file.", required=True)
@opts.path("--solution", "file", said="A solution written by 'efg-builder solve -o', instead.")
@click.option("--short", is_flag=True, help="A handout: one sheet of A4 in print.")
@opts.solving
@opts.gap
@opts.max_nodes
def command(
    words: tuple[str, ...], output: Path, file: Path | None, short: bool, max_nodes: int, **settings: Any
) -> int:
    """One page on GAME for people: rules, value, how to open, when to bluff and to call, the proof.

    It is one file that needs nothing else, for screen and paper; with --short a handout of one sheet. Without
    --solution the game is solved first, as by 'solve'. Exit codes are those of 'solve': the page says so where there
    is no verified equilibrium.

    \b
    Examples:
      efg-builder report liars-dice sides=3 -o report.html
      efg-builder report liars-dice sides=6 dice=2,1 -o report.html
      efg-builder report dice-poker --short -o handout.html
    """
    check_outputs([output], SUFFIXES)
    given = asked_for(settings)
    if file is not None and given:
        asked = _option(*next(iter(given.items())))[0]
        raise click.UsageError(f"{asked} is for solving, so it does not go with --solution")
    subject = source(words)
    progress = Progress()
    with progress:
        if file is None:
            solution = solve_with(subject, max_nodes, progress, **settings)
        else:
            solution = read_for_report(file, subject.subject(max_nodes))

    def write(path: Path) -> None:
        with progress:
            report_on(solution, words, path, given, progress, file, short)

    with written([output], write, tell="") as files:
        if not files:
            show(False, solution.to_json, lambda: str(solution).splitlines())
    return exit_code(solution, settings["gap"])


def asked_for(settings: dict[str, Any]) -> dict[str, Any]:
    """Those of *settings* that stand on the command line."""
    context, typed = click.get_current_context(), click.core.ParameterSource.COMMANDLINE
    return {name: value for name, value in settings.items() if context.get_parameter_source(name) is typed}


def report_on(
    solution: Solution,
    words: tuple[str, ...],
    output: Path,
    asked: dict[str, Any],
    progress: Progress,
    file: Path | None = None,
    short: bool = False,
) -> Path:
    """Write the report on *solution*; it shows the command: *words*, and the options *asked* for, by name."""
    options = [word for name, value in asked.items() if name != "refine" for word in _option(name, value)]
    extra = [] if file is None else ["--solution", file.name]
    refine = asked.get("refine") if file is None else asks_to_refine(solution)
    commands = commands_of(words, str(output), options, extra=extra, refine=refine)
    name = "" if file is None else file.name
    return write_report(solution, output, short=short, commands=commands, file=name, progress=progress)


def _option(name: str, value: Any) -> list[str]:
    if name == "options":
        return [word for setting in value for word in ("--option", setting)]
    if name == "refine":
        return ["--refine" if value else "--no-refine"]
    return [f"--{name}", f"{value:g}" if isinstance(value, float) else str(value)]
