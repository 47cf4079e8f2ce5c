"""``efg-builder table``: the rows of a sweep, as text, file or atlas."""

from __future__ import annotations

from pathlib import Path

import click

from ..base.errors import ParameterError
from ..base.words import plural
from ..experiments.sweeps.table import extract, lines, markdown, read_all, to_csv, to_parquet
from . import echo, options, say
from .common import Progress, check_outputs, ending, key_values, print_json, written


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
def command(
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
