"""``efg-builder ranges``, ``matrix`` and ``qre``: ranges over all equilibria, normal form, quantal responses."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import click

from ..equilibria import ranges as all_ranges
from . import NO_EQUILIBRIUM, TIME_LIMIT, options, say
from .common import Progress, answer, built, check_outputs, ending, source

TABLES = (".nfg", ".csv")


@click.command("ranges")
@options.words
@options.count(
    "--vertices",
    "Maximum number of vertices to list in the JSON for each player's optimal plans. If there are more, no vertices "
    "are listed.",
    low=0,
    default=all_ranges.VERTICES,
)
@options.timeout()
@options.as_json
@options.max_nodes
def ranges(words: tuple[str, ...], vertices: int, timeout: float | None, as_json: bool, max_nodes: int) -> None:
    """Compute the exact lowest and highest probability of each action over ALL equilibria.

    The game must have two players, a constant sum and perfect recall. An action without a range has the same
    probability in every equilibrium. The ranges at an information set cover only the equilibria in which the player's
    own moves can reach it. Exit code 3: a linear program could not be solved exactly; 4: the time limit was reached.

    \b
    Examples:
      efg-builder ranges dice-poker
      efg-builder ranges liars-dice sides=3 --json
    """
    named = source(words)
    with Progress() as progress:
        game = named.subject(max_nodes)
        all_ranges.check_players(game)
        found = all_ranges.ranges(built(game), vertices=vertices, timeout=timeout, progress=progress)
    answer(found, as_json)


@click.command("matrix")
@options.words
@options.outputs("Map of the payoffs (.svg, .png), Gambit file (.nfg) or table (.csv).")
@click.option(
    "--chain",
    metavar="START",
    help="Strategy of player 1 at the start of a sequence of alternating best responses: its printed code, or an "
    "action that is chosen whenever possible.",
)
@click.option(
    "--dominance",
    type=click.Choice(["strict", "weak"]),
    help="Eliminate strategies that are strictly or weakly dominated, also by mixed strategies: in each round, all of "
    "both players at once.",
)
@options.count("--max-cells", "Maximum number of matrix cells. A larger matrix causes an error. [default: 1048576]")
@options.timeout()
@options.as_json
@options.max_nodes
def matrix(
    words: tuple[str, ...],
    outputs: tuple[Path, ...],
    chain: str | None,
    dominance: Literal["strict", "weak"] | None,
    max_cells: int | None,
    timeout: float | None,
    as_json: bool,
    max_nodes: int,
) -> int:
    """Compute the exact reduced normal form (strategic form) of a two-player game.

    The output lists the equilibria in pure strategies, and the best pure strategies by four measures. For a
    constant-sum game, it also has the value and an equilibrium in mixed strategies. A strategy is printed as a code, as
    in Gambit. The code has one digit for each of the player's information sets: 1 is the first action, and * means that
    the player's earlier choices avoid the information set.

    \b
    Examples:
      efg-builder matrix dice-poker --chain raise -o map.svg
      efg-builder matrix kuhn --dominance weak
      efg-builder matrix liars-dice sides=2 -o matrix.nfg -o matrix.csv
    """
    check_outputs(outputs, (".svg", ".png", *TABLES))
    from ..equilibria.strategic import analyse_matrix, matrix
    from ..forms.normal_form import MAX_CELLS
    from ..interop.nfg import write_form

    form = matrix(source(words).tree(max_nodes), max_cells=max_cells or MAX_CELLS)
    start = None if chain is None else form.strategies[0].find(chain)
    with Progress() as progress:
        report = analyse_matrix(form, start, eliminate=dominance, timeout=timeout, progress=progress)
    answer(
        report, as_json, outputs, lambda path: write_form(form, path) if ending(path, *TABLES) else report.draw(path)
    )
    return {"done": 0, "timeout": TIME_LIMIT}.get(report.ended, NO_EQUILIBRIUM)


@click.command("qre")
@options.words
@options.outputs("Plot (.svg, .png) or all points (.csv).")
@options.timeout(on_the_way=True)
@click.option(
    "--max-regret",
    type=click.FloatRange(min=0, max=1, min_open=True, max_open=True),
    metavar="NUMBER",
    default=1e-6,
    show_default=True,
    help="Stop when no player can gain more than this fraction of the payoff range by deviating, e.g. 1e-4.",
)
@options.count(
    "--points", "Maximum number of points to verify and list, evenly spaced along the branch.", low=2, default=200
)
@click.option(
    "--lambda",
    "at",
    type=click.FloatRange(min=0, min_open=True),
    multiple=True,
    metavar="NUMBER",
    help="Find only the point of the branch with this lambda, e.g. 2. May be repeated.",
)
@options.as_json
@options.max_nodes
def qre(words: tuple[str, ...], outputs: tuple[Path, ...], as_json: bool, max_nodes: int, **settings: Any) -> int:
    """Compute logit quantal response equilibria: players make mistakes, which become rarer as lambda grows.

    Gambit traces the principal branch of the agent form (McKelvey and Palfrey 1998) from uniform play towards an
    equilibrium. At the time limit, the points found so far are printed. efg-builder verifies the regrets and the logit
    condition. Lambda is per unit of payoff.

    \b
    Examples:
      efg-builder qre dice-poker -o quantal.svg
      efg-builder qre dice-poker --lambda 1 --lambda 10
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
