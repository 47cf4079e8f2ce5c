"""``efg-builder sweep`` and ``table``: every variant of a game solved into one file, and its rows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ..base.errors import ParameterError
from ..base.words import plural
from ..experiments.sweeps import running
from ..experiments.sweeps.store import DONE, TIMEOUT
from ..experiments.sweeps.table import extract, lines, markdown, read_all, to_csv, to_parquet
from ..experiments.sweeps.variants import Grid, Variant
from ..games.catalogue import key_values, named
from . import NO_EQUILIBRIUM, TIME_LIMIT, echo, options, say
from .common import Progress, attributes, check_outputs, ending, print_json, show, variants_of, written

SHOWN_REASONS = 5

MOST_LOOKED_UP = 2_000
"""Of more variants not all are looked up: that would take a second."""


@click.command("sweep")
@options.variants
@options.output("The SQLite file.", "path")
@options.workers()
@options.scheduler
@options.method
@options.gap
@options.timeout()
@click.option(
    "--memory",
    type=options.times(2**20, 1, 2**40),
    metavar="MIB",
    help="A variant with more memory is stopped, and its row says so (default: no limit).",
)
@click.option("--retry-failed", is_flag=True, help="Try those again that failed or met a limit, with today's limits.")
@click.option(
    "--improve",
    is_flag=True,
    help="Go on with those that met the time limit, from where they were, with today's limit.",
)
@options.count("--limit", "Try at most this many variants in this run.")
@click.option(
    "--list-variants", "only_list", is_flag=True, help="List the variants, smallest first, and solve nothing."
)
@options.as_json
def sweep(
    words: tuple[str, ...],
    path: Path | None,
    timeout: float | None,
    memory: int | None,
    only_list: bool,
    as_json: bool,
    **settings: Any,
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
    found = variants_of(words)
    if only_list:
        show(as_json, lambda: _variants(found), lambda: _list(found))
        return 0
    if path is None:
        raise ParameterError("name the file for the rows: -o sweep.db")
    if settings["gap"] is None and (warning := hopeless_ones(found, settings["method"], timeout)):
        say(warning)
    with Progress() as progress:
        summary = running.sweep(found, path, timeout=timeout, memory=memory, progress=progress, **settings)
    show(
        as_json,
        lambda: {"file": str(path), "counts": dict(summary.counts), "tried": summary.tried, **_left_out(found)},
        lambda: describe(summary),
    )
    return exit_code(summary)


def hopeless_ones(found: Grid, method: str, timeout: float | None) -> str:
    """One line on the variants that are not to be solved exactly within the time; empty where there are none."""
    from ..equilibria.solve import AUTO_NODES, warning

    large = [one for one in found.variants if one.nodes is not None and one.nodes > AUTO_NODES][:MOST_LOOKED_UP]
    bad = [one for one in large if warning(named(one.game).create(one.settings), method, timeout)]
    if not bad:
        return ""
    limit = "" if timeout is None else f" within {timeout:g} s (--timeout)"
    least = min(bad, key=lambda one: one.nodes or 0)
    first = " ".join([least.game, *(f"{key}={value}" for key, value in least.asked.items())])
    then = "--timeout or --gap end them as brackets" if timeout is None else "brackets are kept, and --improve goes on"
    return f"{len(bad):,} of {plural(len(found.variants), 'variant')} will hardly be exact{limit}, as {first}; {then}"


def describe(summary: running.Summary) -> list[str]:
    """The result of the run in lines."""
    counts = summary.counts
    states = ", ".join(f"{count:,} {status}" for status, count in sorted(counts.items(), key=lambda one: -one[1]))
    lines = [f"{plural(sum(counts.values()), 'variant')}: {states} ({summary.tried:,} tried in this run)"]
    return [*lines, *_reasons(summary.grid), f"rows in {summary.path}; 'efg-builder table {summary.path}' prints them"]


def _reasons(found: Grid) -> list[str]:
    lines = [f"{found.alike:,} more are games that are there already"] if found.alike else []
    for reason, count in list(found.skipped.items())[:SHOWN_REASONS]:
        lines.append(f"{plural(count, 'combination')} left out: {reason}")
    if rest := sum(list(found.skipped.values())[SHOWN_REASONS:]):
        lines.append(f"{plural(rest, 'combination')} left out for other reasons (--json lists them)")
    return lines


def _left_out(found: Grid) -> dict[str, object]:
    return attributes(found, "skipped", "alike")


def _ordered(found: Grid) -> list[Variant]:
    return sorted(found.variants, key=lambda one: (one.nodes is None, one.nodes or 0, one.key))


def _variants(found: Grid) -> dict[str, object]:
    variants = [attributes(one, "key", "nodes", "infosets", "deals") for one in _ordered(found)]
    return {"variants": variants} | _left_out(found)


def _list(found: Grid) -> list[str]:
    rows = [f"{'?' if one.nodes is None else f'{one.nodes:,}':>24}  {one.key}" for one in _ordered(found)]
    return [*rows, f"{plural(len(rows), 'variant')}, nodes and settings", *_reasons(found)]


def exit_code(summary: running.Summary) -> int:
    """0 where there is nothing that failed or was stopped (with ``--limit`` some may be open)."""
    bad = {status for status in summary.counts if status not in (DONE, "open", "running")}
    return 0 if not bad else TIME_LIMIT if bad == {TIMEOUT} else NO_EQUILIBRIUM


@click.command("table")
@click.argument("sweeps", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="SWEEP.db ...")
@click.option("--markdown", "as_markdown", is_flag=True, help="Print the table in Markdown, for a paper or a page.")
@click.option(
    "--extract", "words", metavar='"GAME KEY=VALUE ..."', help="Give back the certificate of one variant (-o)."
)
@options.outputs(
    "Write all columns: .csv or .parquet (extra 'parquet'). A folder (a name without an ending) becomes an atlas. With "
    "--extract the certificate: .json or .json.gz."
)
@options.count(
    "--most-nodes",
    "In an atlas: pictures and pages to play on for variants of at most so many nodes; 0: for none.  [default: 300000]",
    low=0,
)
@options.as_json
def table(
    sweeps: tuple[Path, ...],
    as_markdown: bool,
    words: str | None,
    outputs: tuple[Path, ...],
    most_nodes: int | None,
    as_json: bool,
) -> None:
    """Print the rows of a sweep, sorted by their settings; of these, those that vary.

    Several files are one table; where two have the same variant, it is the better row: the narrower bracket.

    A bracket is rounded outwards, and a long fraction is shown as a decimal; files and --json have both in
    full. --extract "liars-dice sides=3" -o FILE.json.gz gives back what proves that row: 'efg-builder verify' takes it,
    and the file of the sweep as well.

    -o FOLDER makes an atlas of a sweep of Liar's Dice: FOLDER/index.html is a page on which one chooses dice, sides,
    wild face and order. It shows the value of the variant, who is ahead, how to open, sizes, the certificate, and
    commands, and needs no network. Small variants also have a picture and a page to play on. An interrupted run is
    gone on with by the same command; for files of another version delete FOLDER first.

    \b
    Examples:
      efg-builder table sweep.db
      efg-builder table sweep.db -o sweep.csv
      efg-builder table sweep.db --markdown
      efg-builder table sweep.db -o atlas
    """
    if words is not None:
        _extract(sweeps, words, outputs, {"--json": as_json, "--markdown": as_markdown})
        return
    folders = [path for path in outputs if not path.suffix or path.is_dir()]
    outputs = tuple(path for path in outputs if path not in folders)
    check_outputs(outputs, (".csv", ".parquet"))
    if folders:
        _atlas(sweeps, folders, most_nodes)
        if not (outputs or as_json or as_markdown):
            return
    elif most_nodes is not None:
        raise ParameterError("--most-nodes is for an atlas: -o FOLDER")
    rows = read_all(sweeps)
    with written(outputs, lambda path: (to_csv if ending(path, ".csv") else to_parquet)(rows, path)) as wrote:
        if as_json:
            files = [str(path) for path in sweeps]
            print_json({"file": files[0], "files": files, "rows": [row.to_json() for row in rows]})
        elif as_markdown:
            echo("\n".join(markdown(rows)))
        elif wrote:
            for path in wrote:
                echo(f"wrote {path}")
        else:
            echo("\n".join(lines(rows)))


def _atlas(sweeps: tuple[Path, ...], folders: list[Path], most_nodes: int | None) -> None:
    from ..display.pages.atlas import NODES, write_atlas

    if len(sweeps) > 1:
        raise ParameterError(f"an atlas (-o {folders[0]}) is of one sweep; {len(sweeps)} are given")
    for folder in folders:
        with Progress() as progress:
            made = write_atlas(sweeps[0], folder, nodes=NODES if most_nodes is None else most_nodes, progress=progress)
        if made.left_out:
            say(f"{plural(made.left_out, 'row')} left out: the atlas is of Liar's Dice for two players")
        files = f"{plural(made.certificates, 'certificate')}, {plural(made.trees, 'picture')}, "
        files += plural(made.play, "page to play on", "pages to play on")
        echo(f"{plural(made.variants, 'variant')}, {made.exact:,} exact; {files}; {made.size / 1e6:.1f} MB")
        echo(f"wrote {made.index}")


def _extract(sweeps: tuple[Path, ...], words: str, outputs: tuple[Path, ...], others: dict[str, bool]) -> None:
    """Write the certificate of the variant *words*. Raises ``ParameterError`` where *others* are asked for too."""
    if not outputs:
        raise ParameterError("--extract gives back a certificate; name the file to write it to: -o FILE.json.gz")
    given = [name for name, asked in others.items() if asked]
    if given:
        raise ParameterError(f"--extract gives back one certificate and nothing else; leave out {', '.join(given)}")
    for path in outputs:
        if not path.name.lower().endswith((".json", ".json.gz")):
            raise ParameterError(f"{path}: name a file that ends in .json or .json.gz")
    name, *rest = words.split() or [""]
    for path in outputs:
        echo(f"wrote {extract(sweeps, name, key_values(tuple(rest), 'settings'), path)}")
