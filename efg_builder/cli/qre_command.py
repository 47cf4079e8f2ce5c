"""``efg-builder qre``: logit quantal responses along Gambit's branch, judged here."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

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

FILES = (".svg", ".png", ".csv")


@click.command("qre")
@words_argument
@outputs_option("A file to write: .svg or .png (a plot) or .csv (all points).")
@timeout_option(on_the_way=True)
@click.option(
    "--max-regret",
    type=click.FloatRange(min=0, max=1, min_open=True, max_open=True),
    metavar="NUMBER",
    default=1e-6,
    show_default=True,
    help="Follow the branch until nobody gains more than this fraction of the payoff range.",
)
@click.option(
    "--points",
    type=click.IntRange(min=2),
    metavar="N",
    default=200,
    show_default=True,
    help="Verify and keep at most this many points, evenly spaced along the branch.",
)
@json_option
@max_nodes_option
def command(
    words: tuple[str, ...],
    outputs: tuple[Path, ...],
    timeout: Fraction,
    max_regret: float,
    points: int,
    as_json: bool,
    max_nodes: int,
) -> int:
    """Logit quantal response equilibria: what players do who make mistakes, the fewer the larger lambda is.

    Gambit traces the principal branch of the agent form (McKelvey and Palfrey 1998) from random play towards an
    equilibrium, for as long as --timeout says; what it has by then is shown. Regrets and the logit condition are
    checked here. Lambda is per unit of payoff.

    \b
    Examples:
      efg-builder qre dice-poker -o quantal.svg
      efg-builder qre liars-dice sides=2 -o quantal.csv
    """
    check_outputs(outputs, FILES)
    from ..equilibria.qre import quantal_branch

    tree = source(words).tree(max_nodes)
    with Progress() as progress:
        branch = quantal_branch(tree, timeout=float(timeout), max_regret=max_regret, points=points, progress=progress)
    if outputs and not branch.points:
        say(f"nothing written to {', '.join(map(str, outputs))}: the branch has no points")

    def write(path: Path) -> None:
        (branch.write if path.suffix.lower() == ".csv" else branch.draw)(path)
        say(f"{path}")

    with written(outputs if branch.points else (), write):
        show(as_json, branch.to_json, lambda: str(branch).splitlines())
    return {"done": 0, "timeout": TIME_LIMIT}.get(branch.ended, NO_EQUILIBRIUM)
