"""Linear programs by pivoting in integers: the same ranges as by HiGHS, and those that floats cannot see."""

from fractions import Fraction as F

import pytest
from random_trees import random_tree

import efg_builder as eb
from efg_builder.solvers.lp import optimal_plans
from efg_builder.solvers.lp.exact import NotExactError

# A chance move of 10^-30, which is 0 to a float program. Player 1 gets 1 only there, and there only by b.
ALMOST = "9" * 30 + "/1" + "0" * 30
TINY = f"""EFG 2 R "Tiny" {{ "P1" "P2" }}
c "" 1 "" {{ "often" {ALMOST} "never" 1/1{"0" * 30} }} 0
p "" 1 1 "one" {{ "a" "b" }} 0
p "" 2 1 "two" {{ "l" "r" }} 0
t "" 1 "" {{ 0 0 }}
t "" 1 "" {{ 0 0 }}
p "" 2 1 "two" {{ "l" "r" }} 0
t "" 1 "" {{ 0 0 }}
t "" 1 "" {{ 0 0 }}
p "" 1 2 "three" {{ "a" "b" }} 0
t "" 1 "" {{ 0 0 }}
t "" 2 "" {{ 1 -1 }}
"""


def shown(game):
    found = eb.ranges(game)
    return found.value, [(a.infoset, a.action, a.low, a.high, a.conditional) for a in found.actions]


def test_a_tiny_probability_has_exact_ranges():
    tree = eb.parse_efg(TINY)
    found = eb.ranges(tree)
    assert found.value == F(1, 10**30)
    assert found["three"]["b"] == (1, 1)
    assert found["one"]["a"] == (0, 1)
    assert found["two"]["l"] == (0, 1)


GAMES = ["kuhn", "dice-poker sides=3", "liars-dice sides=2", *range(40)]


@pytest.mark.parametrize("game", GAMES)
def test_both_ways_give_the_same_ranges(game, monkeypatch):
    tree = eb.build(game) if isinstance(game, str) else random_tree(game)
    try:
        right = shown(tree)
    except eb.NotApplicableError:
        pytest.skip("without perfect recall or without moves")

    def fails(program):
        raise NotExactError("on purpose")

    monkeypatch.setattr(optimal_plans, "solve_exactly", fails)
    monkeypatch.setattr(optimal_plans.rational, "MOST_CELLS", 10**6)
    assert shown(tree) == right


def test_of_a_large_program_the_error_is_told(monkeypatch):
    def fails(program):
        raise NotExactError("on purpose")

    monkeypatch.setattr(optimal_plans, "solve_exactly", fails)
    monkeypatch.setattr(optimal_plans.rational, "MOST_CELLS", 10)
    with pytest.raises(eb.NotSolvedError, match="on purpose"):
        eb.ranges("kuhn")
