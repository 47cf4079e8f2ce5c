"""``efg-builder solve``: an equilibrium, verified."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import click

from ..base.errors import ParameterError
from ..base.files import check_writable
from ..base.words import WRITING
from ..equilibria.solution import SUFFIXES, Solution
from ..equilibria.solve import solve, warning
from ..solvers.protocol import AUTO, methods
from . import INTERRUPTED, NO_EQUILIBRIUM, TIME_LIMIT, echo, options, say
from .common import Progress, Source, advised, key_values, show, source, written


def _list_methods() -> None:
    for solver in methods().values():
        click.echo(f"{click.style(solver.name, bold=True)}  {solver.summary}\n    {solver.source}")
        for option, about in solver.options.items():
            echo(f"      --option {option}=...  {about}")


@click.command("solve")
@options.words
@options.solving
@click.option(
    "--all", "every", is_flag=True, help="All extreme equilibria of a small game of two players: --method extreme."
)
@options.gap
@options.path("--checkpoint", said="Keep the state of oracle or many in this file (.npz).")
@options.path("--resume", said="Go on from such a file, and keep it up to date.")
@options.outputs(
    "Write the solution as JSON (.json, .json.gz), for 'draw' and 'verify', or as a table (.csv); - writes the JSON "
    "to standard output.",
    stdout=True,
)
@options.as_json
@options.max_nodes
@options.listing("--list-methods", _list_methods, "List the methods and their settings, and do nothing else.")
def command(
    words: tuple[str, ...],
    outputs: tuple[Path, ...],
    as_json: bool,
    max_nodes: int,
    every: bool,
    **settings: Any,
) -> int:
    """Find an equilibrium and verify it by best responses over the whole game.

    Games of bidding too large for a tree are solved without one (--method oracle). In Python, solution.to_gambit()
    hands an equilibrium on to pygambit, and efg_builder.interop.open_spiel games and equilibria to OpenSpiel.

    Exit code 0: a verified equilibrium, or the asked-for gap; 3: none (a bracket only, as cfr gives without --gap or
    --tolerance); 4: time limit, 130: interrupted (what was found by then is given, verified like any other).

    \b
    Examples:
      efg-builder solve liars-dice sides=3
      efg-builder solve liars-dice sides=6 dice=2,1 -o solution.json
    """
    for path in outputs:
        check_writable(path)
        if path != options.STDOUT and not path.name.lower().endswith(SUFFIXES):
            raise ParameterError(f"{path}: a solution is written as {', '.join(SUFFIXES)}")
    if every:
        if settings["method"] not in (AUTO, "extreme"):
            raise ParameterError(f"--all is --method extreme, so it does not go with --method {settings['method']}")
        settings["method"] = "extreme"
    progress = Progress()
    with progress:
        solution = solve_with(source(words), max_nodes, progress, **settings)

    def write(path: Path) -> None:
        with progress:
            progress(f"{WRITING} {path}")
            solution.write(path)

    if solution.strategy is None and solution.lower is None:
        for path in outputs:
            if path != options.STDOUT:
                say(f"{path} is not written: neither a strategy nor a bound was found")
        outputs = tuple(path for path in outputs if path == options.STDOUT)
    # Before anything is printed: a reader of a pipe may be gone by then.
    with written(outputs, write) as files:
        if options.STDOUT not in outputs:
            kept = [f"solution      {path}" for path in files]
            show(as_json, solution.to_json, lambda: [*str(solution).splitlines(), *kept])
    return exit_code(solution, settings["gap"])


def solve_with(
    given: Source, max_nodes: int, progress: Progress, *, options: tuple[str, ...], **settings: Any
) -> Solution:
    """``equilibria.solve.solve`` with the command line's settings; *options* reach the method that ``auto`` takes."""
    values = key_values(options, "--option")
    subject = given.subject(max_nodes)
    if not settings["gap"] and (said := warning(subject, settings["method"], settings["timeout"])):
        say(said)
    with advised(given.game):
        return solve(subject, options=values, progress=progress, max_nodes=max_nodes, **settings)


def exit_code(solution: Solution, gap: Fraction | None = None) -> int:
    """The command line's verdict."""
    if solution.solved or (gap is not None and solution.regret is not None and solution.regret <= gap):
        return 0
    lower, upper = solution.lower, solution.upper
    if gap is not None and lower is not None and upper is not None and Fraction(upper) - Fraction(lower) <= gap:
        return 0
    return {"timeout": TIME_LIMIT, "interrupted": INTERRUPTED}.get(solution.status, NO_EQUILIBRIUM)
