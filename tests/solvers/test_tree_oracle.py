"""Double oracle on explicit trees: its best responses, its restricted games, and that its answers are exact."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_trees import assert_solved, qualifying, random_tree
from test_lp import BUDGET, matrix_game, published

import efg_builder as eb

# --- answers ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("tree", list(qualifying()))
def test_small_games_are_solved_exactly(tree, gambit_here):
    assert_solved(tree, "oracle")
    assert_solved(tree, "gambit-oracle")
    assert_solved(tree, "gambit-oracle", routine="gambit-lcp")


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 7), st.sampled_from([Fraction(0), Fraction(-7, 3)]))
def test_random_games_are_solved_exactly(seed, depth, total):
    assert_solved(random_tree(seed, depth, total), "oracle")


@pytest.mark.parametrize("seed", range(25))
def test_random_games_are_solved_exactly_by_gambit(seed, gambit_here):
    tree = random_tree(seed, 5)
    assert_solved(tree, "gambit-oracle")
    assert_solved(tree, "gambit-oracle", routine="gambit-lcp")


@pytest.mark.parametrize(("chosen", "value"), list(published()))
def test_published_values_are_proved(chosen, value):
    solution = eb.solve(eb.build(eb.game("liars-dice", **chosen), max_nodes=BUDGET), "oracle")
    assert solution.status == "equilibrium"
    assert solution.lower == solution.upper == solution.value[0] == value


@pytest.mark.parametrize(("sides", "value"), [(3, "-1/9"), (4, "-1/8"), (5, "-3/25"), (6, "-1/9")])
def test_gambit_solves_what_it_never_could(sides, value):
    # Directly, Gambit takes two minutes for three sides; this takes a second or two for each restricted game.
    solution = eb.solve(eb.game("liars-dice", sides=sides), "gambit-oracle")
    assert solution.exact
    assert solution.regret == 0
    assert solution.lower == solution.upper == Fraction(value)


def test_gambits_other_routine():
    solution = eb.solve(eb.game("liars-dice", sides=3), "gambit-oracle", options={"routine": "gambit-lcp"})
    assert solution.regret == 0
    assert solution.value[0] == Fraction(-1, 9)


GAMES = {
    "the default is bad": """EFG 2 R "t" { "A" "B" } ""
p "" 1 1 "a" { "stop" "on" } 0
t "" 1 "" { -5 5 }
p "" 2 1 "b" { "stop" "on" } 0
t "" 2 "" { 9 -9 }
p "" 1 2 "c" { "l" "r" } 0
p "" 2 2 "d" { "l" "r" } 0
t "" 3 "" { 1 -1 }
t "" 4 "" { 0 0 }
p "" 2 2 "d" { "l" "r" } 0
t "" 5 "" { 0 0 }
t "" 6 "" { 3 -3 }
""",
    "one player moves, once": """EFG 2 R "t" { "A" "B" } ""
p "" 1 1 "a" { "c" "d" } 0
t "" 1 "" { 1/3 -1/3 }
t "" 2 "" { 2 -2 }
""",
    "the other player moves, once": """EFG 2 R "t" { "A" "B" } ""
p "" 2 1 "a" { "c" "d" } 0
t "" 1 "" { 1/3 -1/3 }
t "" 2 "" { -2 2 }
""",
    "nobody moves": """EFG 2 R "t" { "A" "B" } ""
c "" 1 "c" { "x" 1/3 "y" 2/3 } 0
t "" 1 "" { 1 0 }
t "" 2 "" { 0 1 }
""",
    "nothing happens": """EFG 2 R "t" { "A" "B" } ""
t "" 1 "" { 1 0 }
""",
    "nothing is at stake": """EFG 2 R "t" { "A" "B" } ""
p "" 1 1 "a" { "c" "d" } 0
t "" 1 "" { 1 2 }
p "" 2 1 "b" { "c" "d" } 0
t "" 1
t "" 1
""",
    "chance comes last": """EFG 2 R "t" { "A" "B" } ""
p "" 1 1 "a" { "l" "r" } 0
p "" 2 1 "b" { "l" "r" } 0
c "" 1 "c" { "x" 1/3 "y" 2/3 } 0
t "" 1 "" { 7/2 -7/2 }
t "" 2 "" { -1 1 }
t "" 3 "" { -2 2 }
p "" 2 1 "b" { "l" "r" } 0
t "" 4 "" { -1/5 1/5 }
c "" 2 "c" { "x" 1/2 "y" 1/2 } 0
t "" 5 "" { 0 0 }
t "" 6 "" { 1 -1 }
""",
    "paid on the way": """EFG 2 R "t" { "A" "B" } ""
p "" 1 1 "a" { "l" "r" } 1 "ante" { -1/2 5/2 }
p "" 2 1 "b" { "l" "r" } 2 "fee" { 1 -1 }
t "" 0
t "" 3 "" { 4 -4 }
p "" 2 1 "b" { "l" "r" } 0
t "" 3 "" { 4 -4 }
p "" 1 2 "c" { "only" } 4 "toll" { -3 3 }
p "" 1 3 "d" { "l" "r" } 0
t "" 0
t "" 2 "fee" { 1 -1 }
""",
    "chance may never come": """EFG 2 R "t" { "A" "B" } ""
c "" 1 "c" { "x" 0 "y" 1 } 0
p "" 1 1 "a" { "l" "r" } 0
t "" 1 "" { 7 -7 }
t "" 2 "" { -1 1 }
p "" 1 2 "b" { "l" "r" } 0
t "" 3 "" { 0 0 }
p "" 2 1 "d" { "l" "r" } 0
t "" 4 "" { 2 -2 }
t "" 5 "" { 1 -1 }
""",
}


@pytest.mark.parametrize("text", GAMES.values(), ids=GAMES)
def test_odd_games(text, gambit_here):
    tree = eb.parse_efg(text)
    for method in ("oracle", "gambit-oracle"):
        assert_solved(tree, method)
    assert_solved(tree, "gambit-oracle", routine="gambit-lcp")


def test_the_values_of_odd_games():
    assert eb.solve(eb.parse_efg(GAMES["the default is bad"]), "oracle").value == (Fraction(3, 4), Fraction(-3, 4))
    # In all, A gets 1/2 or 9/2 after l, and 7/2 or -5/2 after r, as B goes left or right; together they get 2.
    assert eb.solve(eb.parse_efg(GAMES["paid on the way"]), "oracle").value == (Fraction(17, 10), Fraction(3, 10))


@pytest.mark.parametrize(("match", "differ"), [(10**12 + 1, 10**12), (10**200, -(10**200)), (Fraction(1, 10**15), -1)])
def test_payoffs_in_any_units(match, differ, gambit_here):
    tree = matrix_game([[match, differ], [differ, match]])
    for method in ("oracle", "gambit-oracle"):
        assert assert_solved(tree, method).value[0] == Fraction(match + differ) / 2
