"""``efg-builder info``: size and form, also of trees far too large to build."""

from __future__ import annotations

import click

from ..forms.size import checkable, facts
from . import echo, options
from .common import print_json, source


@click.command("info")
@options.words
@options.as_json
@options.max_nodes
def command(words: tuple[str, ...], as_json: bool, max_nodes: int) -> None:
    """Size and form of a game: nodes, information sets, perfect recall, constant sum.

    Answers for trees far too large to build; of Liar's Dice without a tree it names the nearest game that was
    measured, and its time (docs/on-paper.md).

    \b
    Examples:
      efg-builder info liars-dice sides=3
      efg-builder info liars-dice sides=6 dice=5,5
    """
    given = source(words)
    subject = given.subject(max_nodes)
    known = checkable(subject)
    from ..equilibria.measured import nearest_measured
    from ..equilibria.solve import Plan

    data = facts(known)
    alone = None if given.game is None else Plan.choose(given.game, refine=False).by_rules
    measured = nearest_measured(given.game) if given.game and alone else None
    if as_json:
        data["measured"] = None if measured is None else measured.to_json()
        print_json(data)
        return
    echo(data["title"])
    for key in ("nodes", "chance_nodes", "decision_nodes", "terminal_nodes", "infosets"):
        echo(f"  {key.replace('_', ' '):<16}{data[key]:>30,}")
    for name, count in zip(data["players"], data["infosets_by_player"], strict=True):
        echo(f"    {name:<14}{count:>30,}")
    checked = "" if data["checked"] else " (by the rules; too large to check node by node)"
    echo(f"  perfect recall  {'yes' if data['perfect_recall'] else 'no'}{checked}")
    total = f"yes, {data['sum']}" if data["constant_sum"] else "no"
    echo(f"  constant sum    {total}")
    if alone is not None:
        by = "the oracle" if alone.name == "oracle" else alone.name
        echo(f"  to be solved    by {by}, without building the tree (--method auto)")
        echo(f"  time to solve   {'not measured' if measured is None else f'{measured} on two cores'}")
    for note in data["notes"]:
        echo(f"  note: {note}")
