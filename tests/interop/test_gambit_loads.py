"""Gambit loads each file with the node count that the formula gives."""

import io
import os

import pygambit
import pytest

import efg_builder as eb

# 1 + D (2^(m+1) - 1) with D = sides^2 deals and m bids; up to the sides as in "A Roll of the Liar's Dice" (F# Advent
# Calendar 2015).
SMALL = [(2, "dice", 125), (2, "sides", 125), (3, "dice", 1144), (3, "sides", 9208), (4, "dice", 8177)]
LARGE = [(5, "dice", 51176), (6, "dice", 294877)]  # minutes: Gambit reads labelled sets slowly
LARGEST = (4, "sides", 2097137)
"""A quarter of an hour: not where slow tests have a limit of time."""

LIMITED = pytest.mark.skipif("EFG_SLOW_SECONDS" in os.environ, reason="takes a quarter of an hour")


@pytest.mark.parametrize(
    ("sides", "quantity", "nodes"),
    [
        *SMALL,
        *(pytest.param(*case, marks=pytest.mark.slow) for case in LARGE),
        pytest.param(*LARGEST, marks=[pytest.mark.slow, LIMITED]),
    ],
)
def test_gambit_counts_the_same_nodes(sides, quantity, nodes):
    game = eb.game("liars-dice", sides=sides, max_quantity=quantity)
    tree = eb.build(game)
    assert len(tree) == game.size().nodes == nodes
    theirs = pygambit.read_efg(io.StringIO(tree.to_efg()))
    # Gambit writes a line for each node.
    assert sum(line[:2] in ("c ", "p ", "t ") for line in theirs.to_efg().splitlines()) == nodes


def test_gambits_own_text_reads_back_as_the_same_game():
    tree = eb.build(eb.game("liars-dice", sides=3))
    theirs = pygambit.read_efg(io.StringIO(tree.to_efg())).to_efg()
    assert eb.parse_efg(theirs).equals(tree)
