"""``efg-builder table``: the rows of a sweep."""

from __future__ import annotations

from pathlib import Path

import click

from ..errors import ParameterError
from ..sweeps.table import extract, lines, read, to_csv, to_parquet
from .common import json_option, key_values, print_json


@click.command("table")
@click.argument("sweep", type=click.Path(path_type=Path), metavar="SWEEP.db")
@click.option("--csv", "csv_file", type=click.Path(path_type=Path), metavar="FILE", help="Write all columns as CSV.")
@click.option(
    "--parquet", type=click.Path(path_type=Path), metavar="FILE", help="Write all columns as Parquet (extra 'parquet')."
)
@click.option(
    "--extract", "words", metavar='"GAME KEY=VALUE ..."', help="Give back the certificate of one variant (-o)."
)
@click.option("-o", "--output", type=click.Path(path_type=Path), help="The file for --extract: .json or .json.gz.")
@json_option
def command(
    sweep: Path, csv_file: Path | None, parquet: Path | None, words: str | None, output: Path | None, as_json: bool
) -> None:
    """Print the rows of a sweep, sorted by their settings; of these, those that vary.

    A bracket is rounded outwards, and a long fraction is shown as a decimal; --csv, --parquet and --json have both in
    full. --extract "liars-dice sides=3" -o FILE.json.gz gives back what proves that row: 'efg-builder verify' takes it.

    \b
    Examples:
      efg-builder table sweep.db
      efg-builder table sweep.db --csv sweep.csv
    """
    if (words is None) != (output is None):
        raise ParameterError("--extract and -o go together: what to give back, and the file to write it to")
    if words is not None and output is not None:
        if not output.name.lower().endswith((".json", ".json.gz")):
            raise ParameterError(f"{output}: name a file that ends in .json or .json.gz")
        name, *rest = words.split() or [""]
        click.echo(f"wrote {extract(sweep, name, dict(key_values(tuple(rest), 'settings')), output)}")
        return
    rows = read(sweep)
    wrote = [to_csv(rows, csv_file)] if csv_file is not None else []
    wrote += [to_parquet(rows, parquet)] if parquet is not None else []
    if as_json:
        print_json({"file": str(sweep), "rows": [row.to_json() for row in rows]})
    elif wrote:
        for path in wrote:
            click.echo(f"wrote {path}")
    else:
        for line in lines(rows):
            click.echo(line)
