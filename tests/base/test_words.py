"""Numbers as text."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from efg_builder.base.words import LEFT_OUT, PERCENT_ROUNDED, above, in_text, mixtures, most_won, notation


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
        ({"a": Fraction(1, 200), "b": Fraction(199, 200)}, Fraction(0), "b 99.5%", [PERCENT_ROUNDED, LEFT_OUT]),
        (
            {"a": 0.9181, "b": 0.0001072, "c": 6.306e-05, "d": 0.08031},
            0.002,
            "a 92%, d 8%",
            [PERCENT_ROUNDED, LEFT_OUT],
        ),
        ({"a": 0.9181, "d": 0.0819}, 0.0, "a 92%, d 8%", [PERCENT_ROUNDED]),
        ({"a": 0.75, "d": 0.25}, 0.0, "a 75%, d 25%", []),
        ({"a": 0.9981, "d": 0.0019}, 0.002, "a >99%", [PERCENT_ROUNDED, LEFT_OUT]),
        ({"a": 1 - 1e-9, "b": 1e-9}, 0.0, "a always", []),
        ({f"m{k}": 1 / 128 for k in range(128)}, 0.002, ", ".join(f"m{k} 1%" for k in range(128)), [PERCENT_ROUNDED]),
        ({"1": 0.5, "-2/3": 0.5}, 0.002, '"1" 50%, "-2/3" 50%', []),
        (
            {"bet 1/2": Fraction(1, 3), "bet, all in": Fraction(1, 3), "2x1": Fraction(1, 3)},
            Fraction(0),
            '"bet 1/2" 1/3, "bet, all in" 1/3, 2x1 1/3',
            [],
        ),
        ({"call 2/3": Fraction(1)}, Fraction(0), '"call 2/3" always', []),
    ],
)
def test_moves_are_told_as_far_as_they_are_known(row, regret, shown, notes):
    assert mixtures([row.items()], notation(row.values(), regret), "always") == ([shown], notes)


THIRDS, LONG = [Fraction(1, 3), Fraction(2, 3)], [Fraction(1, 3), Fraction(83, 250), Fraction(251, 750)]


@pytest.mark.parametrize(
    ("row", "shown"),
    [
        (THIRDS, ["1/3", "2/3"]),
        ([*THIRDS, 0.0, 1 - 1e-9], ["1/3", "2/3", "0", "1"]),
        ([Fraction(1, 25), Fraction(24, 25)], ["4%", "96%"]),
        ([Fraction(1, 3), 2 / 3], ["33%", "67%"]),
        # Neighbors with the same whole percent have a decimal, unless the decimal is the same too.
        (LONG, ["33.3%", "33.2%", "33.5%"]),
        ([Fraction(1, 3)] * 2 + [Fraction(3333, 10_000)], ["33%"] * 3),
        # No number but 0 and 1 reads 0% or 100%.
        ([Fraction(1, 300), Fraction(299, 300)], ["0.3%", "99.7%"]),
        ([Fraction(1, 30_000), Fraction(29_999, 30_000)], ["<0.1%", ">99.9%"]),
        ([Fraction(0), Fraction(1), Fraction(1, 30)], ["0%", "100%", "3%"]),
    ],
)
def test_a_table_has_one_notation(row, shown):
    write = notation(row)
    assert [write(p, row) for p in row] == shown
    assert in_text(row) == [f"≈{text}" if rounded(text, p) else text for text, p in zip(shown, row, strict=True)]


def rounded(text, p):
    near = round(Fraction(p)) if isinstance(p, float) and not 1e-6 < p < 1 - 1e-6 else p
    return "%" in text and text[0] not in "<>" and Fraction(text.rstrip("%")) != 100 * Fraction(near)


PROBABILITIES = st.fractions(0, 1) | st.floats(0, 1) | st.fractions(0, 1, max_denominator=24)


@given(st.lists(PROBABILITIES, min_size=1), st.sampled_from([0, 1e-5]))
def test_all_numbers_of_a_table_are_fractions_or_all_are_percent(row, regret):
    write = notation(row, regret)
    texts = [write(p, row) for p in row]
    assert len({"%" in text for text in texts}) == 1
    for text, p in zip(texts, row, strict=True):
        if "%" not in text:
            assert Fraction(text) == round(Fraction(p), 5) or Fraction(text) == p
        elif text[0] not in "<>":
            assert abs(Fraction(text.rstrip("%")) - 100 * Fraction(p)) <= Fraction(1, 2)
        else:
            assert (Fraction(text[1:-1]) > 100 * Fraction(p)) == (text[0] == "<")
    assert write.rounded or all(rounded(text, p) is False for text, p in zip(texts, row, strict=True))


@pytest.mark.parametrize(("chances", "shown"), [([Fraction(99, 100)], "99/100"), ([Fraction(1, 10**12)], "<0.1%")])
def test_chances_stay_as_in_the_rules(chances, shown):
    assert notation(chances, rules=True)(chances[0]) == shown
