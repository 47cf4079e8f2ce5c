"""``efg-builder sweep`` and ``table``: solve every variant of a game, save the results, and print their rows."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from ..base.errors import ParameterError
from ..base.facts import attributes
from ..base.formats import format_of
from ..base.words import plural
from ..experiments.sweeps import running
from ..experiments.sweeps.store import DONE, TIMEOUT
from ..experiments.sweeps.table import Row, extract, lines, markdown, profiles, read_all, to_csv, to_parquet
from ..experiments.sweeps.variants import Grid, Variant
from ..games.catalogue import key_values, named
from . import NO_EQUILIBRIUM, TIME_LIMIT, echo, options, say
from .common import Progress, check_outputs, ending, print_json, show, variants_of, written

SHOWN_REASONS = 5

MOST_LOOKED_UP = 2_000
"""The maximum number of variants to examine for a warning. More variants would take over a second."""


@click.command("sweep", cls=options.Grouped, first="output timeout workers list-variants method")
@options.variants
@options.output("SQLite file for the rows, e.g. sweep.db.", "path")
@options.workers()
@options.scheduler
@options.method
@options.gap
@options.timeout()
@click.option(
    "--memory",
    type=options.times(2**20, 1, 2**40),
    metavar="MIB",
    help="Memory limit for each variant in MiB, e.g. 4000. A variant that exceeds the limit is stopped and marked. "
    "[default: no limit]",
)
@click.option(
    "--retry-failed", is_flag=True, help="Retry variants that failed or reached a limit, with the new limits."
)
@click.option(
    "--improve",
    is_flag=True,
    help="Continue variants that reached the time limit, with the new limit.",
)
@options.count("--limit", "Maximum number of variants to try in this run, e.g. 10.")
@click.option(
    "--list-variants", "only_list", is_flag=True, help="List the variants, smallest first, without solving them."
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
    """Solve every variant of a game, and write one row per variant to FILE.db; 'efg-builder table' prints the rows.

    Separate several values of a parameter with ';', in quotes for the shell. 2..6 is a range, 0..2:1/4 a range in steps
    of 1/4, dice=1..3,1..3 means all pairs, and * means every choice of a parameter. Invalid combinations are left out.
    --timeout and --gap apply to each variant; at the limit, the variant's bracket is saved. The same command continues
    after an interruption, and several runs can share one file. Long searches save their state in the folder
    FILE.db.states and resume from it.

    Exit code 0: every variant is done; 3: some variants failed or reached the memory limit; 4: some variants reached
    the time limit, and no variant failed.

    \b
    Examples:
      efg-builder sweep liars-dice sides=2..3 dice=1..2,1 wild=highest "order=*" -o sweep.db --timeout 60 --memory 4000
      efg-builder sweep liars-dice sides=2..6 dice=1..3,1..3 --list-variants
    """
    grid = variants_of(words)
    if only_list:
        show(as_json, lambda: _variants(grid), lambda: _list(grid))
        return 0
    if path is None:
        raise ParameterError("name the file for the rows: -o sweep.db")
    if settings["gap"] is None and (warning := hopeless_ones(grid, settings["method"], timeout)):
        say(warning)
    with Progress() as progress:
        summary = running.sweep(grid, path, timeout=timeout, memory=memory, progress=progress, **settings)
    show(
        as_json,
        lambda: {"file": str(path), "counts": dict(summary.counts), "tried": summary.tried, **_left_out(grid)},
        lambda: describe(summary),
    )
    return exit_code(summary)


def hopeless_ones(grid: Grid, method: str, timeout: float | None) -> str:
    """Return a warning about variants that are hard to solve exactly within *timeout*, or "" if there are none."""
    from ..equilibria.solve import AUTO_NODES, warning
    from ..forms.subject import Subject

    large = [one for one in grid.variants if one.nodes is not None and one.nodes > AUTO_NODES][:MOST_LOOKED_UP]
    bad = [one for one in large if warning(Subject(named(one.game).create(one.settings)), method, timeout)]
    if not bad:
        return ""
    limit = "" if timeout is None else f" within {timeout:g} s (--timeout)"
    least = min(bad, key=lambda one: one.nodes or 0)
    first = " ".join([least.game, *(f"{key}={value}" for key, value in least.asked.items())])
    then = (
        "use --timeout or --gap to stop them with a bracket"
        if timeout is None
        else "brackets are saved; --improve continues"
    )
    few = f"{len(bad):,} of {plural(len(grid.variants), 'variant')}"
    return f"{few} will probably not be solved exactly{limit}, e.g. {first}; {then}"


def describe(summary: running.Summary) -> list[str]:
    counts = summary.counts
    states = ", ".join(f"{count:,} {status}" for status, count in sorted(counts.items(), key=lambda one: -one[1]))
    lines = [f"{plural(sum(counts.values()), 'variant')}: {states} ({summary.tried:,} tried in this run)"]
    return [*lines, *_reasons(summary.grid), f"rows in {summary.path}; 'efg-builder table {summary.path}' prints them"]


def _reasons(grid: Grid) -> list[str]:
    lines = [f"{grid.alike:,} more variants are equal to games in the list"] if grid.alike else []
    for reason, count in list(grid.skipped.items())[:SHOWN_REASONS]:
        lines.append(f"{plural(count, 'combination')} left out: {reason}")
    if rest := sum(list(grid.skipped.values())[SHOWN_REASONS:]):
        lines.append(f"{plural(rest, 'combination')} left out for other reasons (--json lists them)")
    return lines


def _left_out(grid: Grid) -> dict[str, object]:
    return attributes(grid, "skipped", "alike")


def _ordered(grid: Grid) -> list[Variant]:
    return sorted(grid.variants, key=lambda one: (one.nodes is None, one.nodes or 0, one.key))


def _variants(grid: Grid) -> dict[str, object]:
    variants = [attributes(one, "key", "nodes", "infosets", "deals") for one in _ordered(grid)]
    return {"variants": variants} | _left_out(grid)


def _list(grid: Grid) -> list[str]:
    rows = [f"{'?' if one.nodes is None else f'{one.nodes:,}':>24}  {one.key}" for one in _ordered(grid)]
    return [*rows, f"{plural(len(rows), 'variant')}, nodes and settings", *_reasons(grid)]


def exit_code(summary: running.Summary) -> int:
    """Return the exit code: 0 if no variant failed or was stopped. Variants left open by ``--limit`` have no effect."""
    bad = {status for status in summary.counts if status not in (DONE, "open", "running")}
    return 0 if not bad else TIME_LIMIT if bad == {TIMEOUT} else NO_EQUILIBRIUM


@click.command("table")
@click.argument("sweeps", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="SWEEP.db ...")
@click.option("--markdown", "as_markdown", is_flag=True, help="Print the table in Markdown.")
@click.option(
    "--extract", "words", metavar='"GAME KEY=VALUE ..."', help="Write the certificate of this variant to -o FILE.json."
)
@options.outputs(
    "Table of all columns (.csv, or .parquet with the 'parquet' extra), plot over the one setting that varies (.svg, "
    ".png), atlas (a folder: a name without an extension) or, with --extract, certificate (.json, .json.gz)."
)
@options.count(
    "--most-nodes",
    "Maximum number of nodes of a variant for which the atlas has a picture and a web page to play on, e.g. 10000. "
    "With 0, no variant has a picture or a page. [default: 300000]",
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
    """Print the rows of a sweep, sorted by settings. Only settings that vary are shown.

    Several files make one table; if two files have the same variant, the row with the narrower bracket is used.

    The printed table rounds brackets outward, and long fractions to decimals; files and --json have the full numbers.
    --extract "liars-dice sides=3" -o FILE.json.gz writes the certificate of that variant. 'efg-builder verify' verifies
    certificates and sweep files.

    -o FOLDER makes an atlas of web pages for a sweep of Liar's Dice. On the page FOLDER/index.html, you choose the
    dice, sides, wild face and order of bids. The page shows the value, favored player, opening, sizes, certificate and
    commands, and works offline. Small variants also have a picture and a web page to play on. The same command
    continues an interrupted run. If FOLDER has files of another version, delete FOLDER first.

    \b
    Examples:
      efg-builder table sweep.db
      efg-builder table sweep.db -o sweep.csv
      efg-builder table sweep.db --markdown
      efg-builder table sweep.db -o atlas
    """
    if words is not None:
        if split := [str(path) for path in sweeps if "=" in path.name and not path.exists()]:
            hint = f'--extract "{" ".join([words, *split])}"'
            raise ParameterError(f"--extract takes the variant in quotation marks: {hint}")
        _extract(sweeps, words, outputs, {"--json": as_json, "--markdown": as_markdown})
        return
    folders = [path for path in outputs if not path.suffix or path.is_dir()]
    outputs = tuple(path for path in outputs if path not in folders)
    check_outputs(outputs, (".csv", ".parquet", ".svg", ".png"))
    if folders:
        _atlas(sweeps, folders, most_nodes)
        if not (outputs or as_json or as_markdown):
            return
    elif most_nodes is not None:
        raise ParameterError("--most-nodes is for an atlas: -o FOLDER")
    _print_rows(sweeps, outputs, as_markdown, as_json)


def _print_rows(sweeps: tuple[Path, ...], outputs: Sequence[Path], as_markdown: bool, as_json: bool) -> None:
    rows = read_all(sweeps)
    with written(outputs, lambda path: _write_rows(sweeps, rows, path)) as wrote:
        if as_json:
            files = [str(path) for path in sweeps]
            head = {"format": format_of("sweep-rows"), "file": files[0], "files": files}
            print_json(head | {"rows": [row.to_json() for row in rows]})
        elif as_markdown:
            echo("\n".join(markdown(rows)), whole=True)
        elif wrote:
            for path in wrote:
                echo(f"wrote {path}")
        else:
            echo("\n".join(lines(rows)))


def _write_rows(sweeps: tuple[Path, ...], rows: Sequence[Row], path: Path) -> Path:
    if ending(path, ".svg", ".png"):
        from ..display.plots.sweep_plot import draw_sweep

        return draw_sweep(rows, profiles(sweeps, rows), path)
    return (to_csv if ending(path, ".csv") else to_parquet)(rows, path)


def _atlas(sweeps: tuple[Path, ...], folders: list[Path], most_nodes: int | None) -> None:
    from ..display.pages.atlas import NODES, write_atlas

    if len(sweeps) > 1:
        raise ParameterError(f"an atlas (-o {folders[0]}) needs one sweep, but {len(sweeps)} are given")
    for folder in folders:
        with Progress() as progress:
            made = write_atlas(sweeps[0], folder, nodes=NODES if most_nodes is None else most_nodes, progress=progress)
        if made.left_out:
            say(f"{plural(made.left_out, 'row')} left out: the atlas is for two-player Liar's Dice")
        files = f"{plural(made.certificates, 'certificate')}, {plural(made.trees, 'picture')}, "
        files += plural(made.play, "page to play on", "pages to play on")
        echo(f"{plural(made.variants, 'variant')}, {made.exact:,} exact; {files}; {made.size / 1e6:.1f} MB")
        echo(f"wrote {made.index}")


def _extract(sweeps: tuple[Path, ...], words: str, outputs: tuple[Path, ...], others: dict[str, bool]) -> None:
    """Write the certificate of the variant *words*. Raises ``ParameterError`` if one of *others* was given too."""
    if not outputs:
        raise ParameterError("--extract writes a certificate; name its file: -o FILE.json.gz")
    combined = [name for name, asked in others.items() if asked]
    if combined:
        raise ParameterError(f"--extract writes one certificate and nothing else; leave out {', '.join(combined)}")
    for path in outputs:
        if not path.name.lower().endswith((".json", ".json.gz")):
            raise ParameterError(f"{path}: name a file that ends in .json or .json.gz")
    name, *rest = words.split() or [""]
    for path in outputs:
        echo(f"wrote {extract(sweeps, name, key_values(tuple(rest), 'settings'), path)}")
