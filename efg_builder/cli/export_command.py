"""``efg-builder export``: the sequence form, for solvers elsewhere."""

from __future__ import annotations

from pathlib import Path

import click

from . import options, say
from .common import check_outputs, source


@click.command("export")
@options.words
@options.outputs("A file to write: .mps or .lp (a linear program) or .npz (all matrices, exact).", required=True)
@options.max_nodes
def command(words: tuple[str, ...], outputs: tuple[Path, ...], max_nodes: int) -> None:
    """The sequence form of a game of two players with perfect recall, for solvers elsewhere.

    Where the payoffs sum to a constant, .mps and .lp hold the linear program of player 1: its value is the game's to
    player 1. Comments say what each row and column stands for. Their numbers are decimals of 17 digits. .npz holds the
    constraints and both players' payoff matrices, exact, with names, whether the payoffs sum to a constant or not.

    \b
    Examples:
      efg-builder export dice-poker -o poker.lp
      efg-builder export liars-dice sides=3 -o game.mps -o game.npz
    """
    from ..interop.sequence_files import SUFFIXES, write_sequence_form

    check_outputs(outputs, SUFFIXES)
    tree = source(words).tree(max_nodes)
    for path in outputs:
        write_sequence_form(tree, path)
        say(f"{path}")
