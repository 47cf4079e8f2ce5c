"""``efg-builder matrix``: the normal form, the values of its pure strategies, and a map of it."""

from __future__ import annotations

from pathlib import Path

import click

from . import NO_EQUILIBRIUM, TIME_LIMIT, options
from .common import Progress, answer, check_outputs, ending, source

FILES, PICTURES = (".nfg", ".csv"), (".svg", ".png")


@click.command("matrix")
@options.words
@options.outputs("A file to write: .svg or .png (a map of the payoffs), .nfg (for Gambit) or .csv.")
@click.option(
    "--chain",
    metavar="START",
    help="Best replies in turn, from a strategy of player 1: its code as printed, or an action, taken where it can be.",
)
@options.count("--max-cells", "Refuse larger matrices beforehand (default: 1048576).")
@options.timeout()
@options.as_json
@options.max_nodes
def command(
    words: tuple[str, ...],
    outputs: tuple[Path, ...],
    chain: str | None,
    max_cells: int | None,
    timeout: float | None,
    as_json: bool,
    max_nodes: int,
) -> int:
    """The reduced normal form (strategic form) of a two-player game: every plan against every plan, exact.

    Lists the equilibria in pure strategies, the pure strategies that do best by four measures, and, where the payoffs
    sum to a constant, the value and an equilibrium in mixed strategies. A strategy is printed as a code, as in Gambit:
    a digit for each of the player's information sets, 1 for the first action there, * where earlier choices of the
    player's own do not lead.

    \b
    Examples:
      efg-builder matrix dice-poker --chain raise -o map.svg
      efg-builder matrix liars-dice sides=2 -o matrix.nfg -o matrix.csv
    """
    check_outputs(outputs, PICTURES + FILES)
    from ..equilibria.strategic import analyse_matrix, matrix
    from ..forms.normal_form import MAX_CELLS
    from ..interop.nfg import write_form

    form = matrix(source(words).tree(max_nodes), max_cells=max_cells or MAX_CELLS)
    start = None if chain is None else form.strategies[0].find(chain)
    with Progress() as progress:
        report = analyse_matrix(form, start, timeout=timeout, progress=progress)
    answer(report, as_json, outputs, lambda path: write_form(form, path) if ending(path, *FILES) else report.draw(path))
    return {"done": 0, "timeout": TIME_LIMIT}.get(report.ended, NO_EQUILIBRIUM)
