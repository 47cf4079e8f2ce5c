"""``efg-builder sweep``: every variant of a game solved, into one file."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import click

from ..base.errors import ParameterError
from ..base.words import plural
from ..experiments.sweeps.running import Limits, Summary, sweep
from ..experiments.sweeps.store import DONE, TIMEOUT
from ..experiments.sweeps.variants import Grid, grid
from ..games.catalogue import named
from . import NO_EQUILIBRIUM, TIME_LIMIT, echo, say
from .common import (
    Command,
    Progress,
    gap_option,
    json_option,
    key_values,
    method_option,
    output_option,
    print_json,
    rational,
    scheduler_option,
    show,
    timeout_option,
    workers_option,
)

SHOWN_REASONS = 5

MOST_LOOKED_UP = 2_000
"""Of more variants not all are looked up: that would take a second."""


@click.command("sweep", cls=Command, old={"--list": "--list-variants"})
@click.argument("words", nargs=-1, metavar="GAME [KEY=VALUE;VALUE ...]")
@output_option("The SQLite file.", "path")
@workers_option()
@scheduler_option
@method_option
@gap_option
@timeout_option()
@click.option(
    "--memory",
    type=rational(1, 2**40),
    metavar="MIB",
    help="A variant with more memory is stopped, and its row says so (default: no limit).",
)
@click.option("--retry-failed", is_flag=True, help="Try those again that failed or met a limit, with today's limits.")
@click.option(
    "--improve",
    is_flag=True,
    help="Go on with those that met the time limit, from where they were, with today's limit.",
)
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Try at most this many variants in this run.")
@click.option(
    "--list-variants", "only_list", is_flag=True, help="List the variants, smallest first, and solve nothing."
)
@json_option
def command(
    words: tuple[str, ...],
    path: Path | None,
    workers: int | None,
    scheduler: str | None,
    method: str,
    gap: Fraction | None,
    timeout: Fraction | None,
    memory: Fraction | None,
    retry_failed: bool,
    improve: bool,
    limit: int | None,
    only_list: bool,
    as_json: bool,
) -> int:
    """Solve every variant of a game, one row each in the file -o FILE.db, which 'efg-builder table' prints.

    VALUES are separated by ';' (in quotes, for the shell), 2..6 is a range, dice=1..3,1..3 are all pairs, and * is
    every choice of a parameter. Combinations that are no game are left out. --timeout and --gap are for each variant;
    the bracket by then is kept. The same command goes on where a run was
    interrupted or killed, and any number of runs may work on one file at once. Long searches keep their state in the
    folder FILE.db.states, and go on from it.

    Exit code 0: every variant is done; 3: some failed or met the memory limit; 4: some met the time limit, no more.

    \b
    Examples:
      efg-builder sweep liars-dice sides=2..3 dice=1..2,1 wild=highest "order=*" -o sweep.db --timeout 60 --memory 4000
      efg-builder sweep liars-dice sides=2..6 dice=1..3,1..3 --list-variants
    """
    if not words:
        raise ParameterError("name a game; 'efg-builder games' lists the games")
    found = grid(words[0], key_values(words[1:], "settings"))
    if only_list:
        _list(found, as_json)
        return 0
    if path is None:
        raise ParameterError("name the file for the rows: -o sweep.db")
    if gap is None and (warning := hopeless_ones(found, method, timeout)):
        say(warning)
    limits = Limits(None if timeout is None else float(timeout), None if memory is None else int(memory * 2**20))
    with Progress() as progress:
        summary = sweep(
            found,
            path,
            workers=workers,
            scheduler=scheduler,
            method=method,
            gap=gap,
            limits=limits,
            retry_failed=retry_failed,
            improve=improve,
            limit=limit,
            progress=progress,
        )
    show(
        as_json,
        lambda: {"file": str(path), "counts": dict(summary.counts), "tried": summary.tried, **_left_out(found)},
        lambda: describe(summary),
    )
    return exit_code(summary)


def hopeless_ones(found: Grid, method: str, timeout: Fraction | None) -> str:
    """One line on the variants that are not to be solved exactly within the time; empty where there are none."""
    from ..equilibria.solve import AUTO_NODES, warning

    large = [one for one in found.variants if one.nodes is not None and one.nodes > AUTO_NODES][:MOST_LOOKED_UP]
    seconds = None if timeout is None else float(timeout)
    bad = [one for one in large if warning(named(one.game).create(one.settings), method, seconds)]
    if not bad:
        return ""
    limit = "" if timeout is None else f" within {float(timeout):g} s (--timeout)"
    least = min(bad, key=lambda one: one.nodes or 0)
    first = " ".join([least.game, *(f"{key}={value}" for key, value in least.asked.items())])
    then = "--timeout or --gap end them as brackets" if timeout is None else "brackets are kept, and --improve goes on"
    return f"{len(bad):,} of {plural(len(found.variants), 'variant')} will hardly be exact{limit}, as {first}; {then}"


def describe(summary: Summary) -> list[str]:
    """The result of the run in lines."""
    counts = summary.counts
    states = ", ".join(f"{count:,} {status}" for status, count in sorted(counts.items(), key=lambda one: -one[1]))
    lines = [f"{plural(sum(counts.values()), 'variant')}: {states} ({summary.tried:,} tried in this run)"]
    return [*lines, *_reasons(summary.grid), f"rows in {summary.path}; 'efg-builder table {summary.path}' prints them"]


def _reasons(found: Grid) -> list[str]:
    lines = [f"{found.alike:,} more are games that are there already"] if found.alike else []
    for reason, count in list(found.skipped.items())[:SHOWN_REASONS]:
        lines.append(f"{plural(count, 'combination')} left out: {reason}")
    rest = sum(list(found.skipped.values())[SHOWN_REASONS:])
    return [
        *lines,
        *([f"{plural(rest, 'combination')} left out for other reasons (--json lists them)"] if rest else []),
    ]


def _left_out(found: Grid) -> dict[str, object]:
    return {"skipped": dict(found.skipped), "alike": found.alike}


def _list(found: Grid, as_json: bool) -> None:
    ordered = sorted(found.variants, key=lambda one: (one.nodes is None, one.nodes or 0, one.key))
    if as_json:
        variants = [{"key": v.key, "nodes": v.nodes, "infosets": v.infosets, "deals": v.deals} for v in ordered]
        print_json({"variants": variants, **_left_out(found)})
        return
    for one in ordered:
        echo(f"{one.nodes:>24,}  {one.key}" if one.nodes is not None else f"{'?':>24}  {one.key}")
    for line in [f"{plural(len(ordered), 'variant')}, nodes and settings", *_reasons(found)]:
        echo(line)


def exit_code(summary: Summary) -> int:
    """0 where there is nothing that failed or was stopped (with ``--limit`` some may be open)."""
    bad = {status for status in summary.counts if status not in (DONE, "open", "running")}
    return 0 if not bad else TIME_LIMIT if bad == {TIMEOUT} else NO_EQUILIBRIUM
