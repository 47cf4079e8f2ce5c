"""Gambit loads each file with the node count that the formula gives."""

import io

import pygambit
import pytest

import efg_builder as eb

SMALL = [
    (2, "dice", 125),
    (3, "dice", 1144),
    (3, "sides", 9208),
    (4, "dice", 8177),
    (5, "dice", 51176),
]
LARGE = [(6, "dice", 294877), (4, "sides", 2097137)]  # minutes: Gambit reads labelled sets slowly


@pytest.mark.parametrize(
    ("sides", "quantity", "nodes"), [*SMALL, *(pytest.param(*case, marks=pytest.mark.slow) for case in LARGE)]
)
def test_gambit_counts_the_same_nodes(sides, quantity, nodes):
    tree = eb.build(eb.game("liars-dice", sides=sides, max_quantity=quantity))
    assert len(tree) == nodes
    theirs = pygambit.read_efg(io.StringIO(tree.to_efg()))
    # Gambit writes a line for each node.
    assert sum(line[:2] in ("c ", "p ", "t ") for line in theirs.to_efg().splitlines()) == nodes


def test_gambits_own_text_reads_back_as_the_same_game():
    tree = eb.build(eb.game("liars-dice", sides=3))
    theirs = pygambit.read_efg(io.StringIO(tree.to_efg())).to_efg()
    assert eb.parse_efg(theirs).equals(tree)
