"""Games in which all players get the same payoffs: a poor equilibrium is not the result of the game."""

import re

import pytest
from small_files import matrix_tree

import efg_builder as eb
from efg_builder.equilibria.solution_facts import OTHERS_PAY, SHARED_PAYOFFS

MEET = matrix_tree([[(8, 8), (0, 0)], [(0, 0), (10, 10)]])
"""Two players who meet at either of two places; the second is better for both."""

# A coin decides who chooses. Both get 10 and 1 by the best choices, 11/2 on average.
COIN = """EFG 2 R "Coin" { "A" "B" }
c "" 1 "coin" { "heads" 1/2 "tails" 1/2 } 0
p "" 1 1 "a" { "x" "y" } 0
t "" 1 "" { 10 10 }
t "" 2 "" { 0 0 }
p "" 2 1 "b" { "x" "y" } 0
t "" 3 "" { 1 1 }
t "" 2 "" { 0 0 }
"""


@pytest.mark.parametrize(("move", "said"), [("0", True), ("1", False)])
def test_a_poor_one_is_said_to_be_poor(move, said):
    found = eb.solve(MEET, lambda tree: {"first": {move: 1}, "second": {move: 1}})
    assert found.status == "equilibrium"
    assert (SHARED_PAYOFFS in str(found)) is said


def test_a_list_of_all_and_other_games_have_no_such_line():
    assert SHARED_PAYOFFS not in str(eb.solve(MEET, "extreme"))
    assert SHARED_PAYOFFS not in str(eb.solve(matrix_tree([[(8, 7), (0, 0)], [(0, 0), (10, 10)]]), "extreme"))
    assert SHARED_PAYOFFS not in str(eb.solve("kuhn"))


FORGETFUL = """EFG 2 R "One sees a coin, and has forgotten it later" { "One" "Two" }
c "" 1 "coin" { "heads" 1/2 "tails" 1/2 } 0
p "" 1 1 "heads" { "stop" "go" } 0
t "" 1 "" { 1, -1 }
p "" 2 1 "two" { "call" "fold" } 0
p "" 1 3 "later" { "x" "y" } 0
t "" 2 "" { 2, -2 }
t "" 3 "" { -1, 1 }
t "" 1 "" { 1, -1 }
p "" 1 2 "tails" { "stop" "go" } 0
t "" 3 "" { -1, 1 }
p "" 2 1 "two" { "call" "fold" } 0
p "" 1 3 "later" { "x" "y" } 0
t "" 4 "" { -2, 2 }
t "" 2 "" { 2, -2 }
t "" 1 "" { 1, -1 }
"""


@pytest.mark.parametrize("constant", [True, False])
def test_equilibria_of_a_constant_sum_game_pay_the_same(constant):
    # With ten times Two's payoffs, the equilibrium is the same, but the sum is not constant.
    text = FORGETFUL if constant else re.sub(r", -?[12]", r"\g<0>0", FORGETFUL)
    found = eb.solve(eb.parse_efg(text))
    assert (found.status, len(found.equilibria), found.lower is None) == ("equilibrium", 1, not constant)
    assert (OTHERS_PAY in str(found)) is not constant


def test_a_value_below_the_best_end_is_not_poor_with_perfect_information():
    """Backward induction gives the most that both can get, though a coin keeps it below the best end."""
    found = eb.solve(eb.parse_efg(COIN))
    assert (found.status, float(found.value[0])) == ("equilibrium", 5.5)
    assert SHARED_PAYOFFS not in str(found)
