"""``efg-builder ranges``: what every equilibrium has in common."""

from __future__ import annotations

from fractions import Fraction

import click

from ..base.rationals import brief
from ..base.words import figure, plural
from ..equilibria.ranges import VERTICES, ActionRange, Ranges, check_players, ranges
from .common import Progress, json_option, max_nodes_option, show, source, timeout_option, words_argument

SHOWN_SETS = 40
"""Information sets in the list, for each player."""


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
    show(as_json, found.to_json, lambda: describe(found))
    return 0


def describe(found: Ranges) -> list[str]:
    """The ranges in lines, set by set, of the sets that own play reaches in some equilibrium."""
    tree = found.tree
    lines = [tree.title, f"value         {tree.players[0]}: {figure(found.value)}"]
    for player, plans in enumerate(found.plans):
        size = "just one" if plans.unique else plural(plans.dimension, "dimension")
        if plans.vertices is not None and not plans.unique:
            size += f", {plural(len(plans.vertices), 'vertex').replace('vertexs', 'vertices')}"
        lines.append(f"optimal plans {tree.players[player]}: {size}; {_forced(found, player)}")
    lines.append(f"verified      {plural(found.verified, 'profile')} that attain the ends of all ranges")
    for player, name in enumerate(tree.players):
        sets = _sets(found, player)
        if sets:
            lines.append(f"{name} (where own play can get to)")
        rows = [(tree.names[k], _row(found, sets[k])) for k in sets]
        width = max((len(label) for label, _ in rows[:SHOWN_SETS]), default=0)
        lines += [f"  {label:<{width}}  {row}" for label, row in rows[:SHOWN_SETS]]
        if len(rows) > SHOWN_SETS:
            lines.append(f"  and {plural(len(rows) - SHOWN_SETS, 'set')} more: --json lists all")
    return [*lines, f"seconds       {found.seconds:.2f}"]


def _sets(found: Ranges, player: int) -> dict[int, list[ActionRange]]:
    """The actions of the player's sets that own play can get to, by set."""
    sets: dict[int, list[ActionRange]] = {}
    for action in found.actions:
        if action.player == player and action.conditional is not None:
            sets.setdefault(action.infoset, []).append(action)
    return sets


def _forced(found: Ranges, player: int) -> str:
    """``all play alike at 5 of the 6 information sets that their own play can get to``."""
    sets = _sets(found, player)
    alike = sum(all(action.forced for action in actions) for actions in sets.values())
    return f"the same play at {alike} of {plural(len(sets), 'information set')} that own play can get to"


def _row(found: Ranges, actions: list[ActionRange]) -> str:
    """``show 1/3, raise 2/3``; ``fold 0 to 2/3, call 1/3 to 1``; a certain action alone; others than those: never."""
    names = found.tree.infosets[actions[0].infoset].actions
    parts = []
    for action in actions:
        assert action.conditional is not None
        low, high = action.conditional
        if high == 0:
            continue
        chance = "" if low == 1 else f" {brief(low)}" if low == high else f" {brief(low)} to {brief(high)}"
        parts.append(names[action.action] + chance)
    return ", ".join(parts)
