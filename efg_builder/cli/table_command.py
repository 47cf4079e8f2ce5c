"""``efg-builder table``: the rows of a sweep."""

from __future__ import annotations

from pathlib import Path

import click

from ..base.errors import ParameterError
from ..experiments.sweeps.table import extract, lines, markdown, read_all, to_csv, to_parquet
from . import echo
from .common import check_outputs, json_option, key_values, output_option, path_option, print_json


@click.command("table")
@click.argument("sweeps", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="SWEEP.db ...")
@path_option("--csv", "csv_file", said="Write all columns as CSV.", metavar="FILE")
@path_option("--parquet", said="Write all columns as Parquet (extra 'parquet').", metavar="FILE")
@click.option("--markdown", "as_markdown", is_flag=True, help="Print the table in Markdown, for a paper or a page.")
@click.option(
    "--extract", "words", metavar='"GAME KEY=VALUE ..."', help="Give back the certificate of one variant (-o)."
)
@output_option("The file for --extract: .json or .json.gz.")
@json_option
def command(
    sweeps: tuple[Path, ...],
    csv_file: Path | None,
    parquet: Path | None,
    as_markdown: bool,
    words: str | None,
    output: Path | None,
    as_json: bool,
) -> None:
    """Print the rows of a sweep, sorted by their settings; of these, those that vary.

    Several files are one table; where two have the same variant, it is the better row: the narrower bracket.

    A bracket is rounded outwards, and a long fraction is shown as a decimal; --csv, --parquet and --json have both in
    full. --extract "liars-dice sides=3" -o FILE.json.gz gives back what proves that row: 'efg-builder verify' takes it,
    and the file of the sweep as well.

    \b
    Examples:
      efg-builder table sweep.db
      efg-builder table sweep.db --csv sweep.csv
      efg-builder table sweep.db --markdown
    """
    if (words is None) != (output is None):
        raise ParameterError("--extract and -o go together: what to give back, and the file to write it to")
    if words is not None and output is not None:
        others = {"--csv": csv_file, "--parquet": parquet, "--json": as_json, "--markdown": as_markdown}
        given = [name for name, value in others.items() if value]
        if given:
            raise ParameterError(f"--extract gives back one certificate and nothing else; leave out {', '.join(given)}")
        if not output.name.lower().endswith((".json", ".json.gz")):
            raise ParameterError(f"{output}: name a file that ends in .json or .json.gz")
        name, *rest = words.split() or [""]
        echo(f"wrote {extract(sweeps, name, key_values(tuple(rest), 'settings'), output)}")
        return
    for file, ending in ((csv_file, ".csv"), (parquet, ".parquet")):
        check_outputs([] if file is None else [file], [ending])
    rows = read_all(sweeps)
    wrote = [to_csv(rows, csv_file)] if csv_file is not None else []
    wrote += [to_parquet(rows, parquet)] if parquet is not None else []
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
