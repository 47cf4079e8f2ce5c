"""The table of 270 variants: page, table and certificates say the same, and what small games say when solved anew."""

import csv
import random
from fractions import Fraction

import pytest

import efg_builder as eb
import frame
import variants as page
from efg_builder.experiments.sweeps.table import extract, read, to_csv
from efg_builder.experiments.sweeps.variants import grid
from efg_builder.proof.certificate import verify_solution

DOCS = frame.ROOT / "docs"
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
    assert frame.filled(text, page.parts(ROWS)) == text
    assert to_csv(ROWS, tmp_path / "again.csv").read_bytes() == page.TABLE.read_bytes()
    with page.TABLE.open() as file:
        assert len(list(csv.DictReader(file))) == 270


def test_limits_are_those_of_the_table():
    longer = [row.figures["timeout"] for row in ROWS if row.figures["timeout"] != 60]
    assert f"gave {len(longer)} variants a limit of {min(longer):g} to {max(longer):g} seconds" in TEXT


@pytest.mark.parametrize("row", SMALL, ids=lambda row: row.figures["key"][11:])
def test_small_ones_solved_anew_over_the_tree(row):
    # Another solver (the sequence form's linear program over the whole tree) than the oracle of the larger ones.
    found = eb.solve(eb.build(eb.game(row.game, **row.settings)), method="lp")
    assert found.exact
    assert str(found.value[0]) == row.figures["value"]


def test_values_are_those_of_the_oracle_page():
    records = frame.load("oracle")["games"]
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


@pytest.mark.parametrize("row", random.Random(6).sample(EXACT, 12), ids=lambda row: row.figures["key"][11:])
def test_certificates_prove_the_values(row, tmp_path):
    path = extract(page.SWEEP, row.game, row.settings, tmp_path / "certificate.json.gz")
    proof = verify_solution(path)
    assert proof.exact
    assert str(proof.value[0]) == row.figures["value"]


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


TEXT = " ".join((DOCS / "variants.md").read_text().split())
MORE_SIDES = page.SIDES[1:]


def verdict(found):
    """1 if starting is better, -1 if answering is, 0 if both are equal, None if the bounds do not decide it."""
    low, high = found
    return 1 if low > 0 else -1 if high < 0 else 0 if low == high == 0 else None


def compared(one, other):
    if one[0] > other[1]:
        return "more"
    if one[1] < other[0]:
        return "less"
    return "same" if one == other and one[0] == one[1] else "not settled"


def all_starts(pairs=page.MATCHES, sides=MORE_SIDES, wilds=page.WILDS, orders=page.ORDERS):
    return {
        where: page.starting(KNOWN, *where)
        for where in ((s, pair, wild, order) for s in sides for pair in pairs for wild in wilds for order in orders)
    }


def test_starting_is_good_with_three_dice_or_more():
    verdicts = {where: verdict(found) for where, found in all_starts(page.MATCHES[1:]).items()}
    settled = [where for where, sign in verdicts.items() if sign is not None]
    assert [where for where in settled if verdicts[where] != 1] == [(6, (2, 2), "plain", "quantity-face")]
    assert f"in all {len(settled)} settled cases but one" in TEXT
    assert page.decimals(page.starting(KNOWN, 6, (2, 2), "plain", "quantity-face"), 100, 1) == "-1.7"


def test_with_one_die_each_and_plain_rules_answering_is_better():
    found = all_starts(page.MATCHES[:1], wilds=("plain",)).values()
    assert {one[0] == one[1] for one in found} == {True}
    assert (max(one[0] for one in found), min(one[0] for one in found)) == (Fraction(-1, 9), Fraction(-1, 8))


def test_more_dice_outweigh_starting():
    for (sides, (one, two), _, _), (low, high) in KNOWN.items():
        if sides > 2 and one > two:
            assert low > 0 or high > 0 > low  # ahead, or not settled
    fewer = [
        (where, low) for where, (low, _) in KNOWN.items() if where[0] > 2 and where[1][0] < where[1][1] and low > 0
    ]
    assert {where[1] for where, _ in fewer} == {(2, 3)}
    assert max(low for _, low in fewer) == Fraction(5, 243)  # 51.03 rounds of a hundred
    assert f"in only {len(fewer)} variants" in TEXT


def counted(pairs):
    found = [compared(one, other) for one, other in pairs]
    return {word: found.count(word) for word in ("more", "less", "same", "not settled")}


def said(what, counts):
    """The row of the page's table of comparisons."""
    cells = (what, *map(str, counts.values()))
    return f"| {' | '.join(cells)} |"


@pytest.mark.parametrize("wild", page.WILDS[1:])
def test_what_a_wild_face_does_to_starting(wild):
    starts = all_starts(wilds=(wild,)).items()
    counts = counted((found, page.starting(KNOWN, *where[:2], "plain", where[3])) for where, found in starts)
    assert said(f"{wild}, against plain", counts) in TEXT


@pytest.mark.parametrize("wild", page.WILDS)
def test_what_the_order_does_to_starting(wild):
    one, other = (all_starts(wilds=(wild,), orders=(each,)) for each in ("face-quantity", "quantity-face"))
    counts = counted(zip(one.values(), other.values(), strict=True))
    assert said(f"face-quantity, against quantity-face, {wild}", counts) in TEXT


def test_what_more_dice_are_worth_with_a_wild_face_on_six_sides():
    found = {
        (pair, wild, order): compared(
            page.with_more_dice(KNOWN, 6, pair, wild, order), page.with_more_dice(KNOWN, 6, pair, "plain", order)
        )
        for pair in page.MATCHES
        if pair[0] < pair[1]
        for wild in page.WILDS[1:]
        for order in page.ORDERS
    }
    assert "same" not in found.values()
    assert [where for where, word in found.items() if word == "more"] == [((1, 3), "highest wild", "quantity-face")]
    less, settled = (sum(word in words for word in found.values()) for words in (("less",), ("less", "more")))
    assert f"in {less} of {settled} settled cases" in TEXT


def test_values_by_the_number_of_throws():
    for order in page.ORDERS:
        exact = [(where, low) for where, (low, high) in KNOWN.items() if where[3] == order and low == high]
        simple = [where for where, low in exact if (low * Fraction(where[0]) ** sum(where[1])).denominator == 1]
        assert f"{len(simple)} of {len(exact)}" in TEXT


def test_a_list_with_commas_is_shown_with_semicolons():
    right = r"""must be none, highest or a whole number from 1 to 20; ';' separates values: "wild=none;highest"$"""
    with pytest.raises(eb.ParameterError, match=right):
        grid("liars-dice", {"wild": "none,highest"})
    assert grid("liars-dice", {"wild": "none;highest"}).variants
    with pytest.raises(eb.ParameterError, match=r"must be none, highest or a whole number from 1 to 20$"):
        grid("liars-dice", {"wild": "none,lowest"})
