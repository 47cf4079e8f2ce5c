"""``efg-builder matrix``: the normal form, the values of its pure strategies, and a map of it."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import click

from . import NO_EQUILIBRIUM, TIME_LIMIT, say
from .common import (
    Progress,
    check_outputs,
    json_option,
    max_nodes_option,
    outputs_option,
    show,
    source,
    timeout_option,
    words_argument,
    written,
)

if TYPE_CHECKING:
    from ..equilibria.strategic import MatrixReport

FILES, PICTURES = (".nfg", ".csv"), (".svg", ".png")


@click.command("matrix")
@words_argument
@outputs_option("A file to write: .svg or .png (a map of the payoffs), .nfg (for Gambit) or .csv.")
@click.option(
    "--chain",
    metavar="START",
    help="Best replies in turn, from a strategy of player 1: its code as printed, or an action, taken where it can be.",
)
@click.option(
    "--max-cells", type=click.IntRange(min=1), metavar="N", help="Refuse larger matrices beforehand (default: 1048576)."
)
@timeout_option()
@json_option
@max_nodes_option
def command(
    words: tuple[str, ...],
    outputs: tuple[Path, ...],
    chain: str | None,
    max_cells: int | None,
    timeout: Fraction | None,
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

    form = matrix(source(words).tree(max_nodes), max_cells=max_cells or MAX_CELLS)
    start = None if chain is None else form.strategies[0].find(chain)
    with Progress() as progress:
        limit = None if timeout is None else float(timeout)
        report = analyse_matrix(form, start, timeout=limit, progress=progress)
    with written(outputs, lambda path: _write(report, path)):
        show(as_json, report.to_json, lambda: str(report).splitlines())
    return {"done": 0, "timeout": TIME_LIMIT}.get(report.ended, NO_EQUILIBRIUM)


def _write(report: MatrixReport, path: Path) -> None:
    from ..interop.nfg import write_form

    if path.suffix.lower() in FILES:
        write_form(report.form, path)
    else:
        report.draw(path)
    say(f"{path}")
