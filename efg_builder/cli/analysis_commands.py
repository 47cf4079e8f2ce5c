"""``efg-builder ranges``, ``matrix`` and ``qre``: all equilibria, all strategies and all quantal responses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ..equilibria import ranges as all_ranges
from . import NO_EQUILIBRIUM, TIME_LIMIT, options, say
from .common import Progress, answer, check_outputs, ending, source

TABLES = (".nfg", ".csv")


@click.command("ranges")
@options.words
@options.count(
    "--vertices",
    "List the vertices of a player's optimal plans (in the JSON) where there are at most this many.",
    low=0,
    default=all_ranges.VERTICES,
)
@options.timeout()
@options.as_json
@options.max_nodes
def ranges(words: tuple[str, ...], vertices: int, timeout: float | None, as_json: bool, max_nodes: int) -> None:
    """The least and the greatest probability of each action over ALL equilibria, exactly.

    For two players, constant sum and perfect recall. What is not given a range is forced. Where a player's own
    play can avoid an information set, its ranges are over the equilibria in which it does not. Exit code 4: the time
    limit came first; 3: a linear program could not be solved exactly.

    \b
    Examples:
      efg-builder ranges dice-poker
      efg-builder ranges liars-dice sides=3 --json
    """
    given = source(words)
    with Progress() as progress:
        all_ranges.check_players(given.subject(max_nodes))
        found = all_ranges.ranges(given.tree(max_nodes), vertices=vertices, timeout=timeout, progress=progress)
    answer(found, as_json)


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
def matrix(
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
    check_outputs(outputs, (".svg", ".png", *TABLES))
    from ..equilibria.strategic import analyse_matrix, matrix
    from ..forms.normal_form import MAX_CELLS
    from ..interop.nfg import write_form

    form = matrix(source(words).tree(max_nodes), max_cells=max_cells or MAX_CELLS)
    start = None if chain is None else form.strategies[0].find(chain)
    with Progress() as progress:
        report = analyse_matrix(form, start, timeout=timeout, progress=progress)
    answer(
        report, as_json, outputs, lambda path: write_form(form, path) if ending(path, *TABLES) else report.draw(path)
    )
    return {"done": 0, "timeout": TIME_LIMIT}.get(report.ended, NO_EQUILIBRIUM)


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
def qre(words: tuple[str, ...], outputs: tuple[Path, ...], as_json: bool, max_nodes: int, **settings: Any) -> int:
    """Logit quantal response equilibria: what players do who make mistakes, the fewer the larger lambda is.

    Gambit traces the principal branch of the agent form (McKelvey and Palfrey 1998) from random play towards an
    equilibrium, for as long as --timeout says; what it has by then is shown. Regrets and the logit condition are
    checked here. Lambda is per unit of payoff.

    \b
    Examples:
      efg-builder qre dice-poker -o quantal.svg
      efg-builder qre liars-dice sides=2 -o quantal.csv
    """
    check_outputs(outputs, (".svg", ".png", ".csv"))
    from ..equilibria.qre import quantal_branch

    tree = source(words).tree(max_nodes)
    with Progress() as progress:
        branch = quantal_branch(tree, progress=progress, **settings)
    if outputs and not branch.points:
        say(f"nothing written to {', '.join(map(str, outputs))}: the branch has no points")
        outputs = ()
    answer(branch, as_json, outputs, lambda path: (branch.write if ending(path, ".csv") else branch.draw)(path))
    return {"done": 0, "timeout": TIME_LIMIT}.get(branch.ended, NO_EQUILIBRIUM)
