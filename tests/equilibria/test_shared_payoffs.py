"""Games in which all players get the same payoffs: a poor equilibrium is not the result of the game."""

import pytest

import efg_builder as eb
from efg_builder.equilibria.solution import SHARED_PAYOFFS

# Two players who meet at x or at y, after a player may end the game with 1 each; y is worth 10 to both.
MEET = """EFG 2 R "Meet" { "A" "B" }
p "" 1 1 "a" { "x" "y" } 0
p "" 2 1 "b" { "x" "y" } 0
t "" 1 "" { 8 8 }
t "" 2 "" { 0 0 }
p "" 2 1 "b" { "x" "y" } 0
t "" 2 "" { 0 0 }
t "" 3 "" { 10 10 }
"""


@pytest.mark.parametrize(("move", "said"), [("x", True), ("y", False)])
def test_a_poor_one_is_said_to_be_poor(move, said):
    tree = eb.parse_efg(MEET)
    found = eb.solve(tree, lambda tree: {"a": {move: 1}, "b": {move: 1}})
    assert found.status == "equilibrium"
    assert (SHARED_PAYOFFS in str(found)) is said


def test_a_list_of_all_and_other_games_have_no_such_line():
    assert SHARED_PAYOFFS not in str(eb.solve(eb.parse_efg(MEET), "extreme"))
    assert SHARED_PAYOFFS not in str(eb.solve(eb.parse_efg(MEET.replace("8 8", "8 7")), "extreme"))
    assert SHARED_PAYOFFS not in str(eb.solve("kuhn"))


def test_a_coin_that_decides_with_whom_one_plays_makes_no_better_equilibrium():
    """With perfect information and equal payoffs, backward induction gives the most that both can get."""
    known = MEET.replace('p "" 2 1 "b" { "x" "y" } 0\nt "" 2', 'p "" 2 2 "c" { "x" "y" } 0\nt "" 2', 1)
    assert SHARED_PAYOFFS not in str(eb.solve(eb.parse_efg(known)))
