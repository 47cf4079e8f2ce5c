"""``efg-builder ranges``: what every equilibrium has in common."""

from __future__ import annotations

import click

from ..equilibria.ranges import VERTICES, check_players, ranges
from . import options
from .common import Progress, answer, source


@click.command("ranges")
@options.words
@options.count(
    "--vertices",
    "List the vertices of a player's optimal plans (in the JSON) where there are at most this many.",
    low=0,
    default=VERTICES,
)
@options.timeout()
@options.as_json
@options.max_nodes
def command(words: tuple[str, ...], vertices: int, timeout: float | None, as_json: bool, max_nodes: int) -> None:
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
        found = ranges(given.tree(max_nodes), vertices=vertices, timeout=timeout, progress=progress)
    answer(found, as_json)
