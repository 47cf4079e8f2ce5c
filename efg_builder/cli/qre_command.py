"""``efg-builder qre``: logit quantal responses along Gambit's branch, judged here."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..base.rationals import brief, text
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
)

if TYPE_CHECKING:
    from ..equilibria.qre import QuantalBranch

FILES = (".svg", ".png", ".csv")
ROWS, COLUMNS = 16, 12
"""The most points and probabilities of the branch that are printed."""


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
    for path in outputs if branch.points else ():
        (branch.write if path.suffix.lower() == ".csv" else branch.draw)(path)
        say(f"{path}")
    if outputs and not branch.points:
        say(f"nothing written to {', '.join(map(str, outputs))}: the branch has no points")
    show(as_json, branch.to_json, lambda: describe(branch))
    return {"done": 0, "timeout": TIME_LIMIT}.get(branch.ended, NO_EQUILIBRIUM)


def describe(branch: QuantalBranch) -> list[str]:
    """The branch as lines."""
    head = [branch.tree.title, f"branch     {branch.traced:,} points traced by Gambit: {branch.ended}"]
    if branch.message:
        head.append(f"           {branch.message}")
    if not branch.points:
        return [*head, *_nothing(branch)]
    for before, after in branch.bifurcations:
        head.append(
            f"splits     between lambda {before:.4g} and {after:.4g}: Gambit goes round by a slightly changed game "
            "and follows one of the parts"
        )
    return [*head, *_end(branch), *_table(branch)]


def _nothing(branch: QuantalBranch) -> list[str]:
    if branch.ended != "timeout":
        return []
    size = f"{len(branch.tree):,} nodes, {len(branch.tree.personal):,} information sets"
    return [
        f"try        a longer --timeout or a smaller game: this one has {size}, and Gambit's first step takes long on "
        "hundreds of nodes; 'efg-builder solve' finds an equilibrium without the branch"
    ]


def _end(branch: QuantalBranch) -> list[str]:
    end = branch.points[-1]
    value = ", ".join(f"{float(v):.6g}" for v in end.value)
    lines = [
        f"end        lambda {end.precision:.6g}: pays {value}; a player gains at most {end.regret:.3g} by deviating",
        f"checked    probabilities are logit responses to each other to within "
        f"{max(point.residual for point in branch.points):.1g}, at all points kept",
    ]
    if branch.limit is None:
        return [*lines, "limit      no exact equilibrium in short fractions is next to the end"]
    paid = ", ".join(map(text, branch.limit.value))
    near = f"within {branch.limit.distance:.1g} of the end where play reaches"
    return [*lines, f"limit      an exact equilibrium that pays {paid} is {near}"]


def _table(branch: QuantalBranch) -> list[str]:
    from ..equilibria.qre import courses

    shown, count = courses(branch, COLUMNS), len(courses(branch))
    players = branch.tree.players
    heads = [(f"{players[c.player]}", c.name, c.action) for c in shown]
    widths = [max(6, *map(len, head)) for head in heads]
    lines = [
        f"{word:>9}{second:>10}  " + "  ".join(f"{head[row]:>{w}}" for head, w in zip(heads, widths, strict=True))
        for row, (word, second) in enumerate((("", ""), ("", ""), ("lambda", "NashConv")))
    ]
    last = len(branch.points) - 1
    rows = sorted({round(step * last / (ROWS - 1)) for step in range(ROWS)})
    sets = f"the {len(shown)} of {count} information sets that change most" if len(shown) < count else "every choice"
    title = f"table      how often an action is taken, at {sets} (rows: player, information set, action)"
    for at in rows:
        point = branch.points[at]
        cells = "  ".join(f"{c.probabilities[at]:>{w}.4f}" for c, w in zip(shown, widths, strict=True))
        lines.append(f"{point.precision:>9.4g}{point.nash_conv:>10.3g}  {cells}")
    if branch.limit is not None:
        exact = [branch.limit.profile.probabilities[c.infoset][c.index] for c in shown]
        cells = "  ".join(f"{brief(p):>{w}}" for p, w in zip(exact, widths, strict=True))
        lines.append(f"{'limit':>9}{'0':>10}  {cells}")
    return [title, *(line.rstrip() for line in lines)]
