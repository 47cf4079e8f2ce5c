"""``efg-builder atlas``: the page on which the variants of a sweep are chosen."""

from __future__ import annotations

from pathlib import Path

import click

from ..base.words import plural
from . import echo, say
from .common import FilePath, Progress


@click.command("atlas")
@click.argument("sweep", type=click.Path(path_type=Path), metavar="SWEEP.db")
@click.option(
    "-o",
    "--output",
    "folder",
    type=FilePath(),
    metavar="DIR",
    required=True,
    help="The folder, which is made where it is not there: DIR/index.html is the page.",
)
@click.option(
    "--most-nodes",
    type=click.IntRange(min=0),
    metavar="N",
    help="Pictures and pages to play on for variants of at most so many nodes; 0: for none.  [default: 300000]",
)
def command(sweep: Path, folder: Path, most_nodes: int | None) -> None:
    """Make an atlas of a sweep of Liar's Dice: a page on which one chooses dice, sides, wild face and order.

    The page shows the value of the variant, who is ahead, how to open, sizes, the certificate, and commands. It needs
    no network. Small variants also have a picture and a page to play on. Nothing is solved: all comes from the sweep's
    file. An interrupted run is gone on with by the same command; for files of another version delete DIR first.

    \b
    Example:
      efg-builder atlas sweep.db -o atlas
    """
    from ..display.pages.atlas import NODES, write_atlas

    with Progress() as progress:
        made = write_atlas(sweep, folder, nodes=NODES if most_nodes is None else most_nodes, progress=progress)
    if made.left_out:
        say(f"{plural(made.left_out, 'row')} left out: the atlas is of Liar's Dice for two players")
    files = f"{plural(made.certificates, 'certificate')}, {plural(made.trees, 'picture')}, "
    files += plural(made.play, "page to play on", "pages to play on")
    echo(f"{plural(made.variants, 'variant')}, {made.exact:,} exact; {files}; {made.size / 1e6:.1f} MB")
    echo(f"wrote {made.index}")
