"""Numbers for people."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from efg_builder.base.words import above


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
    ],
)
def test_a_bound_in_two_digits(value, shown):
    assert above(value) == shown


@given(st.fractions(min_value=0))
def test_it_is_never_below_the_number(value):
    assert Fraction(above(value)) >= value
