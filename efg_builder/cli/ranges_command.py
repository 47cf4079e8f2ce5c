"""``efg-builder ranges``: what every equilibrium has in common."""

from __future__ import annotations

from fractions import Fraction

import click

from ..equilibria.ranges import VERTICES, check_players, ranges
from .common import Progress, json_option, max_nodes_option, show, source, timeout_option, words_argument


@click.command("ranges")
@words_argument
@click.option(
    "--vertices",
    type=click.IntRange(min=0),
    metavar="N",
    default=VERTICES,
    show_default=True,
    help="List the vertices of a player's optimal plans (in the JSON) where there are at most this many.",
)
@timeout_option()
@json_option
@max_nodes_option
def command(words: tuple[str, ...], vertices: int, timeout: Fraction | None, as_json: bool, max_nodes: int) -> int:
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
        check_players(given.subject(max_nodes))
        tree = given.tree(max_nodes)
        found = ranges(tree, vertices=vertices, timeout=timeout, progress=progress)
    show(as_json, found.to_json, lambda: str(found).splitlines())
    return 0
