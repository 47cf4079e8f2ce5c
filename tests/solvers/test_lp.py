"""The exact linear program, against published values and against what it must never claim."""

import random
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_files import cells_in_integers, matrix_tree

import efg_builder as eb
from efg_builder.solvers.lp import exact, lp
from efg_builder.solvers.lp.exact import NotExactError


@pytest.fixture(autouse=True, scope="module")
def in_floats():
    """Without the solver of small games."""
    with cells_in_integers(0):
        yield


def test_where_no_exact_vertex_is_to_be_had_the_answer_is_a_bracket(monkeypatch):
    def refuse(*_):
        raise NotExactError("made to fail")

    monkeypatch.setattr(exact, "exact_optimum", refuse)
    monkeypatch.setattr(lp, "DENOMINATOR", 10)
    solution = eb.solve(eb.game("liars-dice", sides=4, dice="2,1"), "lp")
    assert solution.status == "bracket"
    assert not solution.exact
    assert solution.lower < Fraction(345, 1696) < solution.upper  # published_values.json
    assert solution.regret > 0
    assert "made to fail" in solution.message


@pytest.mark.parametrize(
    ("match", "differ"),
    [
        (10**9 + 1, 10**9),
        (10**12 + 1, 10**12),
        (10**30 + 1, 10**30),
        (10**15, -1),
        (Fraction(1, 10**15), -1),
        (10**200, -(10**200)),
    ],
)
def test_matching_pennies_in_any_units(match, differ):
    solution = eb.solve(matrix_tree([[match, differ], [differ, match]]), "lp")
    assert solution.exact
    assert solution.value[0] == Fraction(match + differ) / 2


@settings(max_examples=40)
@given(st.integers(2, 6), st.integers(0, 30), st.integers(0, 10**6))
def test_matrices_with_many_digits_are_solved_exactly(size, digits, seed):
    rng = random.Random(seed)
    unit = 10**digits
    rows = [[Fraction(rng.randint(-100 * unit, 100 * unit), unit) for _ in range(size)] for _ in range(size)]
    assert eb.solve(matrix_tree(rows), "lp").exact


@pytest.mark.parametrize("digits", [3, 5, 7, 9])
def test_large_and_small_stakes_in_one_game(digits):
    # HiGHS, in floats, takes the small ones for noise; exact pricing does not.
    for seed in range(8):
        rng = random.Random(100 * seed + digits)
        size = rng.choice([3, 4, 6])
        rows = [
            [Fraction(rng.randint(-9, 9)) * (10**digits if rng.random() < 0.4 else 1) for _ in range(size)]
            for _ in range(size)
        ]
        assert eb.solve(matrix_tree(rows), "lp").exact


def test_a_near_optimum_is_not_taken_for_the_optimum():
    rows = [[-5, 4, 200000, -2], [-6, -600000, 500000, 0], [2, -400000, 1, -7], [0, 6, 0, 500000]]
    assert eb.solve(matrix_tree(rows), "lp").value[0] == Fraction(500003, 16667250004)
