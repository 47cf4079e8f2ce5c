"""``efg-builder matrix``: the normal form, the values of its pure strategies, and a map of it."""

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
    from ..equilibria.strategic import MatrixReport
    from ..proof.pure import Pick

FILES, PICTURES = (".nfg", ".csv"), (".svg", ".png")
LETTERS = 64
"""The most letters of a strategy in words."""

SHOWN = 12
"""The most strategies of a mix that are shown."""

PAIRS = 4
"""The most equilibria in pure strategies that are shown."""


@click.command("matrix")
@words_argument
@outputs_option("A file to write: .svg or .png (a map of the payoffs), .nfg (for Gambit) or .csv.")
@click.option(
    "--chain",
    metavar="START",
    help="Best replies in turn, from a strategy of player 1: its code as printed, or an action, taken where it can be.",
)
@click.option(
    "--max-cells", type=click.IntRange(min=1), metavar="N", help="Refuse larger matrices beforehand (default: 1048576)."
)
@timeout_option()
@json_option
@max_nodes_option
def command(
    words: tuple[str, ...],
    outputs: tuple[Path, ...],
    chain: str | None,
    max_cells: int | None,
    timeout: Fraction | None,
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
    check_outputs(outputs, PICTURES + FILES)
    from ..equilibria.strategic import analyse_matrix
    from ..forms.normal_form import MAX_CELLS, matrix

    form = matrix(source(words).tree(max_nodes), max_cells=max_cells or MAX_CELLS)
    start = None if chain is None else form.strategies[0].find(chain)
    with Progress() as progress:
        limit = None if timeout is None else float(timeout)
        report = analyse_matrix(form, start, timeout=limit, progress=progress)
    for path in outputs:
        _write(report, path)
        say(f"{path}")
    show(as_json, report.to_json, lambda: describe(report))
    return {"done": 0, "timeout": TIME_LIMIT}.get(report.ended, NO_EQUILIBRIUM)


def _write(report: MatrixReport, path: Path) -> None:
    from ..interop.nfg import write_csv, write_nfg

    kind = path.suffix.lower()
    if kind in FILES:
        (write_nfg if kind == ".nfg" else write_csv)(report.form, path)
    else:
        report.draw(path)


def describe(report: MatrixReport) -> list[str]:
    """The report as lines."""
    form = report.form
    rows, columns = form.shape
    one, two = form.tree.players
    lines = [
        form.tree.title,
        f"size       {rows:,} x {columns:,} = {rows * columns:,} cells: reduced pure strategies of {one} x {two}",
        *_equilibria(report),
        *_mixed(report),
    ]
    for player in range(2):
        lines += _pure(report, player)
    return lines + _chain(report)


def _equilibria(report: MatrixReport) -> list[str]:
    count = len(report.equilibria)
    if not count:
        return ["pure       no equilibrium: no two strategies are best replies to each other"]
    one, two = report.form.strategies
    shown = [
        f"{one.code(row)} against {two.code(column)}, paying {', '.join(map(text, report.form.payoff(row, column)))}"
        for row, column in report.equilibria[:PAIRS]
    ]
    most = f"{count:,} equilibria; the first:" if count > 1 else "1 equilibrium:"
    lines = [f"pure       {most} {shown[0]}", *(f"           then {pair}" for pair in shown[1:])]
    left = count - len(shown)
    return [*lines, f"           and {left:,} more (--json lists more)"] if left else lines


def _mixed(report: MatrixReport) -> list[str]:
    mixed, one = report.mixed, report.form.tree.players[0]
    if mixed is None:
        way = "" if report.form.total is not None else "; 'efg-builder solve' looks for an equilibrium"
        return [f"mixed      {report.message}{way}"]
    if not mixed.exact:
        return [f"mixed      from {brief(mixed.lower)} to {brief(mixed.upper)} to {one}: {mixed.message}"]
    value = text(mixed.lower)
    decimal = "" if mixed.lower.denominator == 1 else f" = {float(mixed.lower):.6g}"
    tree = {None: "not proved there", mixed.lower: "the same"}.get(mixed.tree_value, f"another: {mixed.tree_value}")
    proof = f"exact, by linear programs on the matrix; the sequence form's value: {tree}"
    lines = [f"mixed      value {value}{decimal} to {one} ({proof})"]
    for player, name in enumerate(report.form.tree.players):
        side = report.form.strategies[player]
        played = sorted(((w, i) for i, w in enumerate(mixed.mixes[player]) if w), key=lambda entry: -entry[0])
        other, count = report.form.tree.players[1 - player], mixed.replies[player]
        replies = "pure best reply" if count == 1 else "pure best replies"
        lines.append(f"  {name}'s equilibrium strategy; {name} has {count:,} {replies} to {other}'s")
        for weight, i in played[:SHOWN]:
            lines.append(f"    {text(weight):<8} {side.code(i)}  {_words(report, player, i)}")
        if len(played) > SHOWN:
            lines.append(f"    and {len(played) - SHOWN:,} more")
    return lines


def _pure(report: MatrixReport, player: int) -> list[str]:
    play, name = report.pure[player], report.form.tree.players[player]
    other, count = report.form.tree.players[1 - player], report.form.shape[1 - player]
    shown = (
        ("maximin", f"{brief(play.maximin.worth)} is sure", play.maximin, player),
        ("minimax", f"{brief(play.minimax.worth)} is what {other} can hold {name} to", play.minimax, 1 - player),
        (
            "uniform",
            f"{brief(play.against_uniform.worth)} on average over {other}'s strategies",
            play.against_uniform,
            player,
        ),
        ("replies", f"best reply to {play.most_replies.worth} of {other}'s {count:,}", play.most_replies, player),
    )
    return [
        f"{name}'s pure strategies, payoffs to {name}",
        *(f"  {word:<9}{worth}: {_pick(report, pick, who)}" for word, worth, pick, who in shown),
    ]


def _pick(report: MatrixReport, pick: Pick, player: int) -> str:
    first, more = pick.strategies[0], len(pick.strategies) - 1
    others = f" (and {more:,} more)" if more else ""
    return f"{report.form.strategies[player].code(first)}  {_words(report, player, first)}{others}"


def _words(report: MatrixReport, player: int, index: int) -> str:
    return report.form.strategies[player].in_words(index, LETTERS)


def _chain(report: MatrixReport) -> list[str]:
    if report.chain is None:
        return []
    chain, players = report.chain, report.form.tree.players
    lines = ["chain      best replies in turn; of equal ones the last is taken"]
    for number, step in enumerate(chain.steps, start=1):
        paid = "start" if step.payoff is None else f"gets {brief(step.payoff)}"
        equals = f" ({step.equals} do)" if step.equals > 1 else ""
        code = report.form.strategies[step.player].code(step.strategy)
        words = _words(report, step.player, step.strategy)
        lines.append(f"  {number:>2}  {players[step.player]}  {paid:<12} {code}  {words}{equals}")
    if chain.length == 2:
        return [*lines, "  the last two are best replies to each other: an equilibrium"]
    return [*lines, f"  then {chain.back + 1} again: a cycle of {chain.length}"]
