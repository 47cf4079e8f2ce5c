"""``efg-builder solve`` and ``report``: find a verified equilibrium, and write a page about it."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import click

from ..base.errors import ParameterError
from ..base.files import PAGES, check_writable
from ..base.words import WRITING
from ..equilibria import solve as solver
from ..equilibria.solution import Solution
from ..equilibria.solution_files import CURVES, SUFFIXES
from ..forms.subject import Subject
from ..games.catalogue import key_values
from ..solvers.registry import AUTO, methods
from . import INTERRUPTED, NO_EQUILIBRIUM, TIME_LIMIT, echo, listing, say
from . import options as opts
from .common import Progress, advised, check_outputs, ending, show, source, written


def _list_methods() -> None:
    for each in methods().values():
        listing(each.name, each.summary)
        echo(f"    {each.source}")
        for option, about in each.options.items():
            echo(f"      --option {option}=...  {about}")


@click.command("solve", cls=opts.Grouped, first="output method timeout gap json")
@opts.words
@opts.solving
@click.option(
    "--all", "every", is_flag=True, help="List all equilibria of a small game, extreme or pure (--method all)."
)
@opts.gap
@opts.path("--checkpoint", said="Save the state of the search to this file, e.g. state.npz (methods oracle and many).")
@opts.path("--resume", said="Resume the search from this checkpoint, and keep the checkpoint up to date.")
@opts.outputs(
    "File for the solution (.json, .json.gz), which 'draw' and 'verify' read, or for a table of its probabilities "
    "(.csv). With -, the JSON is printed. Or plot of the bounds proved during the search (.svg, .png, .pdf), if the "
    "method iterates, e.g. --method cfr.",
    stdout=True,
)
@opts.as_json
@opts.max_nodes
@opts.listing("--list-methods", _list_methods, "List the methods and their settings, then exit.")
def solve(
    words: tuple[str, ...],
    outputs: tuple[Path, ...],
    as_json: bool,
    max_nodes: int,
    every: bool,
    **settings: Any,
) -> int:
    """Find an equilibrium and verify it by best responses in the whole game.

    Bidding games that are too large for a tree are solved without a tree (--method oracle). In Python,
    solution.to_gambit() passes an equilibrium to pygambit, and efg_builder.interop.open_spiel passes games and
    equilibria to OpenSpiel.

    Exit code 0: a verified equilibrium, or the requested gap. 3: no verified equilibrium, for example only a bracket
    (from cfr without --gap and --tolerance). 4: the time limit was reached. 130: the command was interrupted. In cases
    4 and 130, the result so far is verified and printed.

    \b
    Examples:
      efg-builder solve liars-dice sides=3
      efg-builder solve liars-dice sides=6 dice=2,1 -o solution.json
      efg-builder solve leduc --method cfr --gap 0.001 -o curve.svg
    """
    for path in outputs:
        check_writable(path)
        if path != opts.STDOUT and not path.name.lower().endswith((*SUFFIXES, *CURVES)):
            kinds = f"{', '.join(SUFFIXES)}, and its learning curve as {', '.join(CURVES)}"
            raise ParameterError(f"{path}: a solution is written as {kinds}")
    if every:
        if settings["method"] not in (AUTO, "all"):
            raise ParameterError(f"--all means --method all, which excludes --method {settings['method']}")
        settings["method"] = "all"
    settings["curve"] = any(ending(path, *CURVES) for path in outputs)
    progress = Progress()
    with progress:
        solution = solve_with(source(words).subject(max_nodes), progress, **settings)

    def write(path: Path) -> None:
        with progress:
            progress(f"{WRITING} {path}")
            (solution.draw_curve if ending(path, *CURVES) else solution.write)(path)

    if not solution.judged and solution.lower is None:
        for path in outputs:
            if path != opts.STDOUT:
                say(f"{path} is not written: neither a strategy nor a bound was found")
        outputs = tuple(path for path in outputs if path == opts.STDOUT)
    # Write the files before printing, because the reader of a pipe may end early.
    with written(outputs, write) as files:
        if opts.STDOUT not in outputs:
            kept = [f"{'curve   ' if ending(path, *CURVES) else 'solution'}      {path}" for path in files]
            show(as_json, solution.to_json, lambda: [*str(solution).splitlines(), *kept])
    return exit_code(solution, settings["gap"])


def solve_with(game: Subject, progress: Progress, *, options: tuple[str, ...], **settings: Any) -> Solution:
    """Call ``equilibria.solve.solve`` with the command line's settings. *options* are settings of the method."""
    values = key_values(options, "--option")
    if not settings["gap"] and (said := solver.warning(game, settings["method"], settings["timeout"])):
        say(said)
    with advised(game):
        return solver.solve(game, options=values, progress=progress, **settings)


def exit_code(solution: Solution, gap: Fraction | None = None) -> int:
    """Return the exit code for *solution*. A requested *gap*, once reached, counts as success."""
    if solution.solved or (gap is not None and solution.verdict is not None and solution.regret <= gap):
        return 0
    lower, upper = solution.lower, solution.upper
    if gap is not None and lower is not None and upper is not None and Fraction(upper) - Fraction(lower) <= gap:
        return 0
    return {"timeout": TIME_LIMIT, "interrupted": INTERRUPTED}.get(solution.status, NO_EQUILIBRIUM)


@click.command("report", cls=opts.Grouped, first="output solution short method timeout")
@opts.words
@opts.output("File for the report (.html).", required=True)
@opts.path("--solution", "file", said="Solution from 'efg-builder solve -o', to use instead of solving the game.")
@click.option("--short", is_flag=True, help="Write a handout of one A4 sheet.")
@opts.solving
@opts.gap
@opts.max_nodes
def report(
    words: tuple[str, ...], output: Path, file: Path | None, short: bool, max_nodes: int, **settings: Any
) -> int:
    """Write a report on GAME: its rules, value, opening bids, optimal bluffs and calls, and the proof.

    The report is one file for screen and print, and works offline. --short writes a handout of one sheet. Without
    --solution, the game is solved first, as by 'solve', with the exit codes of 'solve'. If no verified equilibrium is
    found, the report states this.

    \b
    Examples:
      efg-builder report liars-dice sides=3 -o report.html
      efg-builder report liars-dice sides=6 dice=2,1 -o report.html
      efg-builder report dice-poker --short -o handout.html
    """
    from ..equilibria.stored import read_solution

    check_outputs([output], PAGES)
    typed = opts.asked_for(settings)
    if file is not None and typed:
        asked = _option(*next(iter(typed.items())))[0]
        raise click.UsageError(f"{asked} is for solving, which --solution replaces; leave one of the two out")
    named = source(words)
    progress = Progress()
    with progress:
        game = named.subject(max_nodes)
        if file is None:
            solution = solve_with(game, progress, **settings)
        else:
            solution = replace(read_solution(file, game), method="file")

    def write(path: Path) -> None:
        with progress:
            report_on(solution, words, path, typed, progress, file, short)

    with written([output], write, tell="") as files:
        if not files:
            show(False, solution.to_json, lambda: str(solution).splitlines())
    return 0 if file is not None and files else exit_code(solution, settings["gap"])


def report_on(
    solution: Solution,
    words: tuple[str, ...],
    output: Path,
    asked: dict[str, Any],
    progress: Progress,
    file: Path | None = None,
    short: bool = False,
) -> Path:
    """Write the report on *solution*. Its command lines contain *words* and the typed options, *asked* (by name)."""
    from ..display.report import write_report
    from ..display.report.about import asks_to_refine, commands_of

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
