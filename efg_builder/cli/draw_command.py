"""``efg-builder draw``: the tree, with the equilibrium on it."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import click

from ..files import read_text
from ..solution import Solution, read_profile
from .common import max_nodes_option, rational, source, words_argument


@click.command("draw")
@words_argument
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), help="A .svg, .png, .pdf or .gv file.")
@click.option("--solution", type=click.Path(path_type=Path), help="A solution written by 'efg-builder solve -o'.")
@click.option(
    "--reach", type=rational(0, 1), metavar="P", help="Fold away what is reached with probability at most this."
)
@click.option("--depth", type=click.IntRange(min=1), help="Fold away what lies deeper than this many moves.")
@click.option("--values", is_flag=True, help="Show the expected payoffs at every node.")
@click.option("--beliefs", is_flag=True, help="Show how likely each node is within its information set.")
@max_nodes_option
def command(
    words: tuple[str, ...],
    output: Path,
    solution: Path | None,
    reach: Fraction | None,
    depth: int | None,
    values: bool,
    beliefs: bool,
    max_nodes: int,
) -> None:
    """Draw the tree of a game or file, left to right on Gambit's layout."""
    from ..drawing import DrawOptions, draw

    if solution is None and (reach is not None or values or beliefs):
        raise click.UsageError("--reach, --values and --beliefs need a --solution")
    tree = source(words).tree(max_nodes)
    profile = None if solution is None else read_profile(read_text(solution), tree, str(solution))
    draw(tree, output, profile, DrawOptions(reach=reach, depth=depth, values=values, beliefs=beliefs))
    click.echo(f"{output}", err=True)


def caption(solution: Solution) -> str:
    """One line on the solution, for the picture."""
    if solution.value is None or solution.status not in ("equilibrium", "bracket"):
        return ""
    if len(solution.tree.players) == 2 and solution.exact:
        return f"value {solution.value[0]} to {solution.tree.players[0]} (exact)"
    return ""
