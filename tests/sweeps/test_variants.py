"""The table of 270 variants: page, table and certificates say the same, and what small games say when solved anew."""

import csv
import json
import random
import sys
from fractions import Fraction
from pathlib import Path

import pytest

import efg_builder as eb
from efg_builder.sweeps.table import extract, read, to_csv
from efg_builder.sweeps.variants import grid

DOCS = Path(__file__).parents[2] / "docs"
sys.path.insert(0, str(DOCS))

import variants as page  # noqa: E402

ROWS = read(page.SWEEP)
KNOWN = page.bounds(ROWS)
EXACT = [row for row in ROWS if row.figures["exact"]]
SMALL = [row for row in EXACT if int(row.figures["nodes"]) <= 5_000]


def test_they_are_the_variants_of_the_two_commands_on_the_page():
    both = {"sides": "2..6", "dice": "1..3,1..3", "order": "quantity-face;face-quantity"}
    one = grid("liars-dice", {**both, "wild": "none;highest"}).variants
    two = grid("liars-dice", {**both, "wild": 1, "wild_biddable": "false"}).variants
    assert {row.figures["key"] for row in ROWS} == {each.key for each in (*one, *two)}
    assert len(ROWS) == len({page.cell(row) for row in ROWS}) == 270


def test_page_and_table_are_made_from_the_file(tmp_path):
    text = (DOCS / "variants.md").read_text()
    assert page.filled(text, ROWS) == text
    assert to_csv(ROWS, tmp_path / "again.csv").read_bytes() == page.TABLE.read_bytes()
    with page.TABLE.open() as file:
        assert len(list(csv.DictReader(file))) == 270


@pytest.mark.parametrize("row", SMALL, ids=lambda row: row.figures["key"][11:])
def test_small_ones_solved_anew_over_the_tree(row):
    # Another solver (the sequence form's linear program over the whole tree) than the oracle of the larger ones.
    found = eb.solve(eb.build(eb.game(row.game, **row.settings)), method="lp")
    assert found.exact
    assert str(found.value[0]) == row.figures["value"]


def test_values_are_those_of_the_oracle_page():
    records = json.loads((DOCS / "oracle.json").read_text())["games"]
    both = 0
    for name, record in records.items():
        dice, sides, *wild = name.split("-")
        where = (int(sides), tuple(map(int, dice.split("v"))), *wild)
        kind = {(): "plain", ("joker",): "joker", ("highest",): "highest wild"}[tuple(wild)]
        found = KNOWN.get((where[0], where[1], kind, "quantity-face"))
        if found is not None:
            both += 1
            low, high = (Fraction(record[end]) for end in ("lower", "upper"))
            assert low <= found[1]
            assert found[0] <= high
    assert both >= 40


def _proves(row, folder):
    path = extract(page.SWEEP, row.game, row.settings, folder / "certificate.json.gz")
    proof = eb.verify_solution(path)
    assert proof.exact
    assert str(proof.value[0]) == row.figures["value"]


@pytest.mark.parametrize("row", random.Random(6).sample(EXACT, 12), ids=lambda row: row.figures["key"][11:])
def test_certificates_prove_the_values(row, tmp_path):
    _proves(row, tmp_path)


@pytest.mark.slow
def test_all_certificates_prove_their_values(tmp_path):
    for row in EXACT:
        _proves(row, tmp_path)


def test_starting_means_the_same_for_both_players():
    for sides, dice, wild, order in KNOWN:
        one, two = (page.starting(KNOWN, sides, pair, wild, order) for pair in (dice, dice[::-1]))
        assert one == two


def test_what_starting_is_worth_on_a_game_by_hand():
    # Published for one three-sided die each: -1/9 to the first mover, who so wins 4/9 of all games; 5/9 answering.
    assert page.starting(KNOWN, 3, (1, 1), "plain", "quantity-face") == (Fraction(-1, 9), Fraction(-1, 9))
    # 2v1: 1/4 and 1v2: 0 on two sides. The one with two dice wins 5/8 or 1/2 of all games.
    assert page.with_more_dice(KNOWN, 2, (1, 2), "plain", "quantity-face") == (Fraction(9, 16), Fraction(9, 16))


@pytest.mark.parametrize(
    ("bounds", "expected"),
    [
        ((Fraction(1, 3), Fraction(1, 3)), "+33.3"),
        ((Fraction(-1, 7), Fraction(1, 7)), "[-14.3, +14.3]"),
        (None, "not run"),
    ],
)
def test_brackets_are_rounded_outwards(bounds, expected):
    assert page.decimals(bounds, 100, 1) == expected
