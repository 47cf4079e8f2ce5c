"""``efg-builder build``: the .efg file of a game."""

from __future__ import annotations

from pathlib import Path

import click

from ..base.words import plural
from . import options, say
from .common import check_outputs, size_in_words, source


@click.command("build")
@options.words
@options.output("The file to write; - writes to standard output.", required=True, stdout=True)
@click.option(
    "--portable", is_flag=True, help="For the strictest readers too: ASCII, everything restated at every node."
)
@options.max_nodes
def command(words: tuple[str, ...], output: Path, portable: bool, max_nodes: int) -> None:
    """Write the .efg file of a game, which Gambit opens (or rewrite a FILE.efg, or a FILE.nfg as one).

    \b
    Examples:
      efg-builder build liars-dice sides=2 -o game.efg
      efg-builder build dice-poker -o -
      efg-builder build strategic.nfg -o game.efg
    """
    from ..interop.efg import respelled, write_efg

    if output.suffix:
        check_outputs([output], (".efg",))
    tree = source(words).tree(max_nodes)
    write_efg(tree, output, portable=portable)
    if changed := respelled(tree, portable=portable):
        label, spelled = next(iter(changed.items()))
        was = label if label.isprintable() else repr(label)
        say(f"{plural(len(changed), 'label')} spelled otherwise for Gambit's reader: {was} is now {spelled}")
    say(f"{'standard output' if output == options.STDOUT else output}: {size_in_words(tree)}")
