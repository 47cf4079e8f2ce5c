"""Decimals that a program wrote for simple fractions are read as these fractions, with one warning."""

import re
import warnings
from fractions import Fraction
from pathlib import Path

import pytest

import efg_builder as eb
from efg_builder.base.errors import NearestFractionsWarning
from efg_builder.base.rationals import simple_fraction
from efg_builder.interop.efg.writer import to_efg

THIRDS = """EFG 2 R "third" { "A" "B" }
c "" 1 "" { "x" 0.3333333333333333 "y" 0.3333333333333333 "z" 0.3333333333333333 } 0
t "" 1 "" { 1 -1 }
t "" 2 "" { 0.3333333333333333 -1 }
t "" 3 "" { 1 -1 }
"""


def as_programs_write(text: str, digits: str) -> str:
    """Write the probabilities of all chance nodes as floats, as OpenSpiel's ``export_gambit`` and C programs do."""

    def line(found: re.Match[str]) -> str:
        return re.sub(r"(?<= )\d+/\d+", lambda number: format(float(Fraction(number[0])), digits), found[0])

    return re.sub("^c .*$", line, text, flags=re.M)


@pytest.mark.parametrize("digits", ["", ".17g", ".12f"])
@pytest.mark.parametrize("name", ["kuhn", "leduc", "liars-dice sides=6", "kuhn cards=13"])
def test_exported_games_are_read_as_they_were(name: str, digits: str) -> None:
    exact = to_efg(eb.build(name))
    text = as_programs_write(exact, digits)
    with pytest.warns(
        NearestFractionsWarning, match=r"of chance read as the nearest simple fractions, e\.g\. 0"
    ) as said:
        assert eb.parse_efg(text) == eb.parse_efg(exact)
    assert len(said) == 1


def test_the_warning_counts_the_numbers_and_payoffs_stay() -> None:
    with pytest.warns(NearestFractionsWarning) as said:
        tree = eb.parse_efg(THIRDS, "third.efg")
    line = "3 probabilities of chance read as the nearest simple fractions, e.g. 0.3333333333333333 as 1/3"
    assert [str(each.message) for each in said] == [f"third.efg: {line}"]
    assert tree.infosets[0].probabilities == (Fraction(1, 3),) * 3
    assert tree.payoffs[1][0] == Fraction("0.3333333333333333")


@pytest.mark.parametrize(
    "numbers",
    [
        ("0.33333333333", "0.33333333333", "0.33333333333"),  # 11 digits: a person may have typed them
        ("0.3333333333333333", "0.3333333333333333", "0.3333333333333999"),  # too far from 1/3
        ("0.3333333333333333", "0.3333333333333333", "0.2500000000000001"),  # simple, but 11/12 in all
    ],
)
def test_other_sums_are_refused_as_before(numbers: tuple[str, str, str]) -> None:
    text = THIRDS
    for number in numbers:
        text = re.sub(' 0[.]3{16} (?="[yz]|})', f" {number}! ", text, count=1)
    with pytest.raises(eb.EfgSyntaxError, match=r"the probabilities sum to .*, not to 1"):
        eb.parse_efg(text.replace("!", ""))


@pytest.mark.parametrize(
    ("numbers", "end"),
    [
        (("0.33333333",) * 3, "sum to 99999999/100000000, not to 1; write 1/3 (found '0.33333333')"),
        (("0.5", "0.167", "0.3333"), "not to 1; write 1/6 (found '0.167')"),
        (("0.30", "0.30", "0.39"), "not to 1 (found '0.30')"),
        (("0.5", "0.25", "1/5"), "not to 1 (found '0.5')"),
    ],
)
def test_rounded_decimals_are_refused_with_their_fraction(numbers: tuple[str, str, str], end: str) -> None:
    text = re.sub("{ .x.*}", '{{ "x" {} "y" {} "z" {} }}'.format(*numbers), THIRDS, count=1)
    with pytest.raises(eb.EfgSyntaxError, match=re.escape(end) + "$"):
        eb.parse_efg(text)


def test_decimals_that_sum_to_one_stay_as_written() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tree = eb.parse_efg(THIRDS.replace("0.3333333333333333 }", "0.3333333333333334 }", 1))
    assert tree.infosets[0].probabilities == (*[Fraction("0.3333333333333333")] * 2, Fraction("0.3333333333333334"))


def test_a_fraction_beside_decimals_stays() -> None:
    with pytest.warns(NearestFractionsWarning, match="2 probabilities"):
        tree = eb.parse_efg(THIRDS.replace("0.3333333333333333", "1/3", 1))
    assert tree.infosets[0].probabilities == (Fraction(1, 3),) * 3


# Rounding to the nearest double is off by at most 2^-54 below 1, which is 5.6 units of 1e-17.
@pytest.mark.parametrize(
    ("text", "fraction"),
    [
        ("0.3333333333333333", "1/3"),
        ("0.66666666666666674", "2/3"),
        ("1.2860082304526749e-04", "1/7776"),
        ("0.30000000000000004", "3/10"),
        ("0.33333333333", None),
        ("1/3", None),
        ("0.123456789012345678", None),
        ("0.006410256410", "1/156"),
        ("0.000000000000", None),
        ("0." + "3" * 101, None),
    ],
)
def test_the_nearest_simple_fraction(text: str, fraction: str | None) -> None:
    assert simple_fraction(text) == (None if fraction is None else Fraction(fraction))


def test_a_layout_is_read_alike() -> None:
    lines = ["player 1", "level 0 node 1 player 0"]
    lines += [f"level 2 node {k} from 1 move {k}~(0.3333333333333333) payoffs {k}" for k in (2, 3, 4)]
    with pytest.warns(NearestFractionsWarning, match="3 probabilities"):
        assert eb.build("\n".join(lines)).infosets[0].probabilities == (Fraction(1, 3),) * 3


def test_the_command_line_says_so_in_one_line(cli, tmp_path: Path) -> None:
    (tmp_path / "third.efg").write_text(THIRDS)
    code, _, said = cli("solve", tmp_path / "third.efg", "-o", tmp_path / "third.json")
    lines = [line for line in said.splitlines() if "warning" in line]
    assert code == 0
    assert len(lines) == 1
    assert lines[0].startswith(f"warning: {tmp_path / 'third.efg'}: 3 probabilities of chance")
    assert cli("verify", tmp_path / "third.json")[0] == 0
    assert cli("verify", tmp_path / "third.json", tmp_path / "third.efg")[0] == 0
