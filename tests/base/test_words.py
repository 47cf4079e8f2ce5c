"""Numbers for people."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from efg_builder.base.words import above, most_won


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
    """Player 1 is sure of -1/3, so that player 2 gets at most 1/3; of a constant sum of 1, at most 4/3."""
    low, high = Fraction(-1, 3), Fraction(1, 4)
    said = "at most 0.25 a round on average as A, "
    assert most_won(("A", "B"), (Fraction(0), Fraction(0)), low, high) == f"{said}0.34 as B"
    assert most_won(("A", "B"), (Fraction(1), Fraction(0)), low, high) == f"{said}1.4 as B"
    assert most_won(("A", "B"), (0.0, 0.0), 0.125, high) == f"{said}-0.12 as B"
