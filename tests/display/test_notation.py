"""One notation in each picture and table: fractions or percent, and ≈ before a rounded number that stands alone."""

import re
from contextlib import suppress
from fractions import Fraction
from functools import cache
from xml.etree import ElementTree

import pytest
from paths import DOCS
from random_trees import random_tree

import efg_builder as eb
from efg_builder.base.errors import NotApplicableError
from efg_builder.base.words import PERCENT_ROUNDED
from efg_builder.display.trees import DrawOptions, Style, scene_of
from efg_builder.equilibria.ranges import ranges
from efg_builder.proof.reach import expected_payoffs

NAMED = {
    "kuhn": "kuhn",
    "kuhn with 5 cards": ("kuhn", {"cards": 5}),
    "two sides": ("liars-dice", {"sides": 2}),
    "three sides": ("liars-dice", {"sides": 3}),
    "two against one": ("liars-dice", {"sides": 2, "dice": (2, 1)}),
    "dice poker": "dice-poker",
    "mia": "mia",
    "horse": DOCS / "games" / "horse.py",
    "quiche": DOCS / "games" / "quiche.py",
    "bagwell": DOCS / "games" / "bagwell.py",
}
RANDOM = [f"random {seed}" for seed in range(4)]
GAMES = [*NAMED, *RANDOM]

PROBABILITY = re.compile(r"(?<![\w.−-])(≈?[<>]?\d+(?:\.\d+)?%|≈?\d+/\d+)(?![\w/])")


@cache
def solved(name):
    if name in RANDOM:
        return eb.solve(random_tree(int(name.split()[1]), depth=4))
    given = NAMED[name]
    return eb.solve(eb.game(given[0], **given[1]) if isinstance(given, tuple) else str(given))


def kinds(texts):
    return {"percent" if "%" in text else "fraction" for text in texts if text not in ("0", "1", "")}


def check_table(texts, legend, where):
    assert len(kinds(texts)) <= 1, (where, texts)
    assert not [text for text in texts if "≈" in text], where
    if any("%" in text and "." not in text and text not in ("0%", "100%") for text in texts):
        shown = [Fraction(text.strip("<>%")) for text in texts if "%" in text]
        assert legend or all(number == int(number) for number in shown), where


def scenes(solution):
    free = Style(purpose="free")
    for beliefs in (False, True):
        yield scene_of(solution, options=DrawOptions(beliefs=beliefs, values=True, style=free))
    with suppress(NotApplicableError):  # not all players see all moves
        yield scene_of(solution, options=DrawOptions(view="public", beliefs=True, style=free))
        yield scene_of(solution, options=DrawOptions(view="public", depth=1, style=free))


@pytest.mark.parametrize("name", GAMES)
def test_a_picture_has_one_notation(name):
    solution = solved(name)
    chance = {n for n in range(1, len(solution.tree)) if solution.tree.player[solution.tree.parent[n]] < 0}
    for number, scene in enumerate(scenes(solution)):
        public = number >= 2
        shown = [
            text.text.removeprefix("reached ")
            for text in scene.texts
            if text.role in ("cell", "reach")
            or (text.role == "belief" and text.text != "belief")
            or (text.role == "probability" and (public or text.node not in chance))
        ]
        legend = " ".join(text.text for text in scene.texts if text.role == "legend")
        check_table([part for text in shown for part in text.split(" to ")], PERCENT_ROUNDED in legend, (name, number))


@pytest.mark.parametrize("name", GAMES)
def test_a_rounded_payoff_in_a_picture_says_so(name):
    solution = solved(name)
    values = {value for row in expected_payoffs(solution.tree, solution.profile) for value in row}
    for scene in scenes(solution):
        for text in scene.texts:
            if text.role not in ("value", "payoff", "result"):
                continue
            for shown in re.findall(r"≈? ?−?\d+\.\d+", text.text):
                assert "≈" in shown or Fraction(shown.replace("−", "-")) in values, shown


@pytest.mark.parametrize("name", GAMES)
def test_the_printed_tables_have_one_notation(name):
    solution, tables = solved(name), [[]]
    for line in str(solution).splitlines():
        if line.startswith("  ") and not line.startswith("       "):
            tables[-1].append(line)
        elif tables[-1]:
            tables.append([])
    for lines in filter(None, tables):
        rounded = any(PERCENT_ROUNDED in line for line in lines)
        numbers = [p for line in lines if not line.startswith("  (") for p in PROBABILITY.findall(line)]
        check_table(numbers, rounded, name)
    bluffs = [line for line in str(solution).splitlines() if line.startswith("bluffs")]
    assert len(kinds(p for line in bluffs for p in PROBABILITY.findall(line))) <= 1


@pytest.mark.parametrize("name", ["kuhn", "kuhn with 5 cards", "two sides", "three sides", "dice poker", "mia"])
def test_ranges_have_one_notation(name):
    told = str(ranges(solved(name).tree)).splitlines()
    rows = [line for line in told if re.match(r" +\S+: ", line)]
    check_table([p for line in rows for p in PROBABILITY.findall(line)], any(PERCENT_ROUNDED in t for t in told), name)


def tables_of(page):
    root = ElementTree.fromstring(re.search(r"<main.*</main>", page, re.DOTALL)[0])
    for table in root.iter("table"):
        yield table.get("aria-label"), [data for cell in table.iter("td") for data in cell.iter("data")]


@pytest.mark.parametrize("name", ["kuhn", "three sides", "mia", "random 3"])
def test_the_tables_of_a_report_have_one_notation(name, tmp_path):
    page = eb.write_report(solved(name), tmp_path / "x.html").read_text()
    found = [(label, data) for label, data in tables_of(page) if data and "numbers" not in label]
    assert found
    for label, data in found:
        texts = ["".join(each.itertext()) for each in data]
        check_table(texts, PERCENT_ROUNDED.capitalize() in page, (name, label))
        for each, text in zip(data, texts, strict=True):
            exact = Fraction(each.get("value"))
            assert (
                "%" not in text
                or len(each.get("value")) > 60
                or Fraction(each.get("title", text.strip("%")))
                in (
                    exact,
                    100 * exact,
                )
            )


@pytest.mark.parametrize("name", GAMES)
def test_a_notebook_table_has_one_notation(name):
    html = solved(name).profile._repr_html_()
    cells = re.findall(r"<td[^>]*>([^<]*)</td>", html)
    reached = re.findall(r"\(reached ([^)]*)\)", html)
    check_table([text for text in (*cells, *reached) if text != "·"], PERCENT_ROUNDED in html, name)


def test_the_value_of_a_long_game_has_its_sign_everywhere(tmp_path):
    """Payoffs with 20 digits: the head, the caption and the description round the value."""
    text = (
        'EFG 2 R "long" { "A" "B" } ""\\np "" 1 1 "" { "l" "r" } 0\\np "" 2 1 "" { "a" "b" } 0\\n'
        't "" 1 "" { 2.7182818284500000000 -2.7182818284500000000 }\\nt "" 2 "" { 0 0 }\\np "" 2 1 "" { "a" "b" } 0\\n'
        't "" 3 "" { 0 0 }\\nt "" 4 "" { 1.2800000000000002487 -1.2800000000000002487 }\\n'
    ).replace("\\n", "\n")
    solution = eb.solve(eb.parse_efg(text))
    scene = scene_of(solution)
    assert next(t.text for t in scene.texts if t.role == "result") == "≈0.8702"
    assert "value ≈0.8702 to A" in scene.description
    narrow = scene_of(solution, options=DrawOptions(style=Style(width=200)))
    assert "≈0.8702" in narrow.description
    page = eb.write_report(solution, tmp_path / "x.html", short=True).read_text()
    assert re.search(r">≈0\.8702<|about 0\.8702", page)
    assert "≈0.8702" in repr(solution._repr_svg_())
