"""docs/games.md: its tables are what comes out."""

import re
from fractions import Fraction

import pytest
from paths import ROOT

import efg_builder as eb

PAGE = (ROOT / "docs" / "games.md").read_text()


def rows(heading):
    """The rows of the table under a heading, as cells."""
    part = PAGE.split(f"## {heading}\n")[1].split("\n## ")[0]
    lines = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in part.splitlines() if line.startswith("|")
    ]
    return lines[2:]


@pytest.mark.parametrize("row", rows("Kuhn poker"), ids=lambda row: row[0])
def test_kuhn_poker(row):
    cards, nodes, value, decimal, _ = row
    game = eb.game("kuhn", cards=int(cards))
    assert (f"{game.size().nodes:,}", str(eb.solve(game, "lp").value[0])) == (nodes, value)
    assert decimal == f"{float(Fraction(value)):.6f}"


def test_leduc():
    (value,) = re.findall(r"(?m)^> (-\d+/\d+) = -0\.085606424078\.\.\.$", PAGE)
    assert eb.solve(eb.game("leduc"), "lp").value[0] == Fraction(value)
    assert str(float(Fraction(value))).startswith("-0.085606424078")
    assert f"{eb.game('leduc', seats=3, ranks=2, raises=1).size().nodes:,} nodes" in PAGE
    assert f"{eb.game('leduc', seats=3, raises=1).size().nodes:,} nodes" in PAGE


@pytest.mark.parametrize("row", rows("Liar's Poker"), ids=lambda row: f"{row[0]} of {row[1]}")
def test_liars_poker(row):
    length, digits, nodes, value, theirs = row
    game = eb.game("liars-poker", hand_length=int(length), num_digits=int(digits))
    assert (f"{game.size().nodes:,}", str(eb.solve(game, "lp").value[0])) == (nodes, value)
    assert float(theirs) == pytest.approx(float(Fraction(value)), abs=1e-7)


@pytest.mark.parametrize("row", rows("Spot on"), ids=lambda row: row[0])
def test_spot_on(row):
    name, without, value = row
    chosen = {"dice": "2,1"} if "against" in name else {"sides": name.split()[0]}
    assert str(eb.solve(eb.game("liars-dice", **chosen), "lp").value[0]) == without
    assert str(eb.solve(eb.game("liars-dice-spot-on", **chosen), "lp").value[0]) == value
