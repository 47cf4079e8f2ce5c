"""Numbers as text."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from efg_builder.base.words import LEFT_OUT, above, mixtures, most_won


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (Fraction(0), "0"),
        (Fraction(3612, 10**6), "0.0037"),
        (0.25, "0.25"),
        (Fraction(1, 3), "0.34"),
        (Fraction(7), "7.0"),
        (Fraction(1234), "1234"),
        (Fraction(1, 7 * 10**400), "1e-400"),
        (Fraction(10**400, 7), "1e+400"),
        (Fraction(-3612, 10**6), "-0.0036"),
        (Fraction(-1, 7 * 10**400), "-1e-401"),
    ],
)
def test_a_bound_in_two_digits(value, shown):
    assert above(value) == shown


@given(st.fractions())
def test_it_is_never_below_the_number(value):
    assert Fraction(above(value)) >= value


def test_who_plays_against_bounds_gets_no_more_than_they_allow():
    """Player 1 is guaranteed -1/3, so player 2 gets at most 1/3; with a constant sum of 1, at most 4/3."""
    low, high = Fraction(-1, 3), Fraction(1, 4)
    said = "at most 0.25 a round on average as A, "
    assert most_won(("A", "B"), (Fraction(0), Fraction(0)), low, high) == f"{said}0.34 as B"
    assert most_won(("A", "B"), (Fraction(1), Fraction(0)), low, high) == f"{said}1.4 as B"
    assert most_won(("A", "B"), (0.0, 0.0), 0.125, high) == f"{said}-0.12 as B"


@pytest.mark.parametrize(
    ("row", "regret", "shown", "notes"),
    [
        ({"a": Fraction(1, 3), "b": Fraction(2, 3), "c": Fraction(0)}, Fraction(0), "a 1/3, b 2/3", []),
        ({"a": Fraction(1, 200), "b": Fraction(199, 200)}, Fraction(0), "b 99.5%", [LEFT_OUT]),
        ({"a": 0.9181, "b": 0.0001072, "c": 6.306e-05, "d": 0.08031}, 0.002, "a 92%, d 8%", [LEFT_OUT]),
        ({"a": 0.9181, "d": 0.0819}, 0.0, "a 91.8%, d 8.19%", []),
        ({"a": 0.9981, "d": 0.0019}, 0.002, "a >99%", [LEFT_OUT]),
        ({"a": 1 - 1e-9, "b": 1e-9}, 0.0, "a always", []),
        ({f"{k}": 1 / 128 for k in range(128)}, 0.002, ", ".join(f"{k} 1%" for k in range(128)), []),
    ],
)
def test_moves_are_told_as_far_as_they_are_known(row, regret, shown, notes):
    assert mixtures([row.items()], regret, "always") == ([shown], notes)
