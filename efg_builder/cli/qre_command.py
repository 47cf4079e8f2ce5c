"""``efg-builder qre``: logit quantal responses along Gambit's branch, judged here."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from . import NO_EQUILIBRIUM, TIME_LIMIT, options, say
from .common import Progress, answer, check_outputs, ending, source

FILES = (".svg", ".png", ".csv")


@click.command("qre")
@options.words
@options.outputs("A file to write: .svg or .png (a plot) or .csv (all points).")
@options.timeout(on_the_way=True)
@click.option(
    "--max-regret",
    type=click.FloatRange(min=0, max=1, min_open=True, max_open=True),
    metavar="NUMBER",
    default=1e-6,
    show_default=True,
    help="Follow the branch until nobody gains more than this fraction of the payoff range.",
)
@options.count(
    "--points", "Verify and keep at most this many points, evenly spaced along the branch.", low=2, default=200
)
@options.as_json
@options.max_nodes
def command(words: tuple[str, ...], outputs: tuple[Path, ...], as_json: bool, max_nodes: int, **settings: Any) -> int:
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
        branch = quantal_branch(tree, progress=progress, **settings)
    if outputs and not branch.points:
        say(f"nothing written to {', '.join(map(str, outputs))}: the branch has no points")
        outputs = ()
    answer(branch, as_json, outputs, lambda path: (branch.write if ending(path, ".csv") else branch.draw)(path))
    return {"done": 0, "timeout": TIME_LIMIT}.get(branch.ended, NO_EQUILIBRIUM)
