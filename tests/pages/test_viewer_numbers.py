"""The viewer's numbers against Python's, hostile labels, and an accessibility checker's findings."""

import json
import math
import random
import shutil
import subprocess
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from looking import expect, probe
from small_files import UNSEEN

import efg_builder as eb
from efg_builder.base import words
from efg_builder.display.pages.viewer import Shown, write_shown
from efg_builder.forms.extensive import CHANCE
from efg_builder.forms.public_tree import public_tree
from efg_builder.proof.reach import beliefs, expected_payoffs, reaches

GAMES = {
    "two sides": ("liars-dice", {"sides": 2}),
    "three sides": ("liars-dice", {"sides": 3}),
    "dice poker": ("dice-poker", {}),
    "mia": ("mia", {}),
    "three players": ("liars-dice", {"dice": (1, 1, 1), "max_quantity": 1, "sides": 2}),
}

SMALL = {
    "percent": [0, 1e-9, 5.37e-7, 0.0001, 0.00052, 0.00077, 0.163, 0.99999, 1],
    "decimal": [0, -7.19e-6, 1e-9, 0.000143, 0.25, -3, 875.125, 12345.678],
}
"""Numbers that a page and a picture write."""


NEEDS_NODE = pytest.mark.skipif(shutil.which("node") is None, reason="needs Node.js")


def by_node(imports, result):
    """What *result*, an expression in JavaScript, is in the pages' own arithmetic."""
    source = f"import {imports} from './numbers.js'; console.log(JSON.stringify({result}))"
    command = ["node", "--input-type=module", "--eval", source]
    folder = Path(words.__file__).parents[1] / "display" / "pages" / "src"
    return json.loads(subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout)


@NEEDS_NODE
@pytest.mark.parametrize("how", SMALL)
def test_pages_write_numbers_as_pictures_do(how):
    shown = [getattr(words, how)(value) for value in SMALL[how]]
    assert by_node(f"{{ {how} }}", f"{SMALL[how]}.map((x) => {how}(x))") == shown
    assert not any("e" in text for text in shown)


WRITTEN = [
    ("shareText", 1 / 3, "1/3", "1/3"),
    ("shareText", 1 / 3, None, "≈33%"),
    ("shareText", 1 / 8, "125/1000", "1/8"),
    ("shareText", 0.12345678, "12345678/100000000", "≈12%"),
    ("shareText", 0.25, "25000000001/100000000000", "≈25%"),
    ("shareText", 0.96, "24/25", "96%"),
    ("shareText", 1, "1", "1"),
    ("shareText", 1, None, "1"),
    ("shareText", 0, None, "0"),
    ("shareText", 1e-7, None, "<0.1%"),
    ("shareInFull", 1 / 3, "1/3", "1/3 ≈ 33.3%"),
    ("shareInFull", 1 / 4, "1/4", "1/4 = 25%"),
    ("shareInFull", 0.25, None, "≈25%"),
    ("amountText", -1 / 9, "-1/9", "−1/9"),
    ("amountText", -1 / 9, None, "≈−0.111"),
    ("amountText", 1.74, None, "≈1.74"),
    ("amountText", 3, None, "3"),
    ("amountInFull", 25.6, "128/5", "128/5 = 25.6"),
    ("amountInFull", 443 / 250, "443/250", "443/250 = 1.772"),
    ("amountInFull", 1 / 3, "1/3", "1/3 ≈ 0.333"),
]
"""How, of what number, what is known of it exactly, what is written: the fraction is that number."""


@NEEDS_NODE
def test_a_fraction_stands_where_it_fits_and_what_is_rounded_says_so():
    exact = "exact && numbers.times(numbers.fraction(exact), [1n, 1n])"
    given = json.dumps([each[:3] for each in WRITTEN])
    shown = by_node("* as numbers", f"{given}.map(([how, x, exact]) => numbers[how](x, {exact}))")
    assert shown == [each[3] for each in WRITTEN]


def tables(count):
    """Rows of probabilities: simple fractions, long fractions, both, and neighbors with the same whole percent."""
    rng = random.Random(7)
    for _ in range(count):
        parts = [rng.randint(0, 9) for _ in range(rng.randint(1, 5))]
        total = sum(parts) or 1
        row = [Fraction(part, total) for part in parts]
        yield (
            row
            if rng.random() < 0.4
            else [*row, Fraction(rng.randint(0, 999), 1000), Fraction(1, rng.randint(1, 3000))]
        )


@NEEDS_NODE
def test_pages_and_pictures_have_the_same_notation():
    rows = list(tables(300))
    given = json.dumps([[str(p) for p in row] for row in rows])
    both = (
        "const pairs = row.map((text) => [float(text), fraction(text)]), write = notationOf(pairs);"
        "return [pairs.map(([p, exact]) => write(p, exact, pairs.map(([q]) => q))), inText(pairs)];"
    )
    shown = by_node("{ float, fraction, inText, notationOf }", f"{given}.map((row) => {{ {both} }})")
    for row, (table, sentence) in zip(rows, shown, strict=True):
        write = words.notation(row)
        assert table == [write(p, row) for p in row]
        assert sentence == words.in_text(row)


def blunders(tree):
    """A profile that is no equilibrium, with zeros, unlike numbers, and in floats a solver's noise."""
    rows = {}
    for k in tree.personal:
        width = len(tree.infosets[k].actions)
        weights = [Fraction((7 * k + 3 * a) % 5, 1) for a in range(width)]
        total = sum(weights) or Fraction(1)
        rows[k] = tuple(w / total for w in weights) if sum(weights) else (Fraction(1), *[Fraction(0)] * (width - 1))
    return eb.TreeProfile.from_personal(tree, rows)


def in_floats(profile):
    """The same in floats, zeros and ones but for a noise that counts as none."""
    tree, rows = profile.tree, {}
    for k in tree.personal:
        row = [float(p) for p in profile.probabilities[k]]
        if 0.0 in row and len(row) > 1:
            noise = row.index(0.0)
            row[noise] = 1e-9
            row[max(range(len(row)), key=row.__getitem__)] -= 1e-9
        rows[k] = tuple(row)
    return eb.TreeProfile.from_personal(tree, rows)


def worths(profile):
    """By set and action what the action is worth, by beliefs under uniform own play: those of the others' moves."""
    tree, found = profile.tree, {}
    values = expected_payoffs(tree, profile)
    children = [np.flatnonzero(tree.parent == node).tolist() for node in range(len(tree))]
    for player in range(len(tree.players)):
        rows = {
            k: (1.0 / len(tree.infosets[k].actions),) * len(tree.infosets[k].actions)
            if tree.infosets[k].player == player
            else profile.probabilities[k]
            for k in tree.personal
        }
        there = beliefs(tree, reaches(tree, eb.TreeProfile.from_personal(tree, rows)))
        for k in tree.personal:
            members = np.flatnonzero(tree.infoset == k).tolist()
            if tree.infosets[k].player == player:
                known = all(there[node] is not None for node in members)
                found[k] = [
                    sum(float(there[node] * values[children[node][a]][player]) for node in members) if known else None
                    for a in range(len(tree.infosets[k].actions))
                ]
    return found


EACH = [pytest.param(name, marks=pytest.mark.slow) if name not in ("two sides", "mia") else name for name in GAMES]


@pytest.fixture(scope="module", params=EACH)
def game(request, tmp_path_factory):
    name, settings = GAMES[request.param]
    tree = eb.build(eb.game(name, **settings))
    profiles = [blunders(tree), in_floats(blunders(tree))]
    if request.param != "three players":
        profiles.append(eb.solve(tree).profile)
    path = tmp_path_factory.mktemp("numbers") / "page.html"
    write_shown(tree, [Shown(f"p{n}", each) for n, each in enumerate(profiles)], path, "public")
    return tree, profiles, path


@pytest.fixture
def measured(viewer, game):
    """The tree, and each profile with what the page says of it."""
    tree, profiles, path = game
    page = viewer(path)
    return tree, list(zip(profiles, probe(page, "numbers"), strict=True))


def test_reach_values_beliefs_and_regret_are_pythons(measured):
    tree, both = measured
    for profile, shown in both:
        reach, values = reaches(tree, profile), expected_payoffs(tree, profile)
        assert shown["reach"] == pytest.approx([float(p) for p in reach], abs=1e-12)
        for player in range(len(tree.players)):
            assert shown["values"][player] == pytest.approx([float(row[player]) for row in values], abs=1e-9)
        totals = np.bincount(
            tree.infoset[tree.infoset >= 0], [float(p) for p, k in zip(reach, tree.infoset, strict=True) if k >= 0]
        )
        expected = worths(profile)
        for k in tree.personal:
            facts = shown["sets"][k]
            assert facts["reach"] == pytest.approx(totals[k], abs=1e-12)
            assert [a["label"] for a in facts["actions"]] == list(tree.infosets[k].actions)
            got = [a["worth"] for a in facts["actions"]]
            if expected[k][0] is None:
                assert all(each is None or math.isnan(each) for each in got)
                continue
            # Floats that sum to 1 but for a noise are settled where they weigh a way, as in the pictures.
            assert got == pytest.approx(expected[k], abs=1e-6)
            assert [a["regret"] for a in facts["actions"]] == pytest.approx([max(got) - w for w in got], abs=1e-12)


def test_the_public_tree_sums_up_what_the_table_sees(measured):
    tree, both = measured
    public = public_tree(tree)
    open_ = tree.player != CHANCE
    for profile, shown in both:
        reach = np.array([float(p) for p in reaches(tree, profile)])
        values = np.array([[float(v) for v in row] for row in expected_payoffs(tree, profile)])
        total = np.bincount(public.of[open_], reach[open_], len(public))
        assert shown["publicReach"] == pytest.approx(total.tolist(), abs=1e-12)
        for player in range(len(tree.players)):
            worth = np.bincount(public.of[open_], (reach * values[:, player])[open_], len(public))
            for history in range(len(public)):
                got = shown["publicValue"][history][player]
                if total[history] == 0:
                    assert got is None
                else:
                    assert got == pytest.approx(worth[history] / total[history], abs=1e-9)


def test_exact_numbers_are_pythons(measured):
    tree, both = measured
    checked = 0
    for profile, shown in both:
        reach, values = reaches(tree, profile), expected_payoffs(tree, profile)
        believed = beliefs(tree, reach)
        for node, got in enumerate(shown["exact"]):
            if not profile.exact:
                continue
            assert Fraction(got["reach"]) == reach[node]
            if got["value"] is not None:
                assert Fraction(got["value"]) == values[node][0]
                checked += 1
            if tree.player[node] >= 0 and believed[node] is not None:
                assert Fraction(got["belief"]) == believed[node]
    assert checked > 50


HOSTILE = "<img src=x onerror=alert(1)>"
TITLE = f"{HOSTILE}</title></script><script>document.title='owned'</script>"
HOSTILE_FILE = f"""EFG 2 R "{TITLE}" {{ "{HOSTILE}" "<b>B</b>" }} ""
c "{HOSTILE}" 1 "{HOSTILE}" {{ "{HOSTILE}" 1/2 "</script><script>alert(2)</script>" 1/2 }} 0
p "" 1 1 "<i>h</i>: {HOSTILE}" {{ "<u>l</u>" "{HOSTILE}" }} 0
t "" 1 "<s>won</s>" {{ 1, -1 }}
t "" 2 "" {{ 0, 0 }}
p "" 1 1 "<i>h</i>: {HOSTILE}" {{ "<u>l</u>" "{HOSTILE}" }} 0
t "" 1 "<s>won</s>" {{ 1, -1 }}
t "" 2 "" {{ 0, 0 }}
"""


def test_labels_of_foreign_files_are_text(opened, tmp_path):
    tree = eb.parse_efg(HOSTILE_FILE)
    write_shown(
        tree,
        [Shown(HOSTILE, eb.TreeProfile.uniform(tree), HOSTILE), Shown("2", eb.TreeProfile.uniform(tree))],
        tmp_path / "hostile.html",
    )
    page = opened(tmp_path / "hostile.html")
    dialogs = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    page.wait_for_selector(".efg-ready")
    for kind in ("public", "full"):
        page.evaluate(f"window.efgView.view.acts.look('{kind}')")
        ids = page.evaluate("[...window.efgView.view.state.sight.index.keys()]")
        for key in ids:
            page.evaluate("(key) => window.efgView.view.acts.select(key)", key)
    assert page.title() == tree.title
    assert page.locator("h1").inner_text().startswith("<img")
    assert HOSTILE in page.locator("select").first.inner_text()
    for tag in ("img", "b:not(.efg-panel b)", "i", "u", "s", "svg script"):
        expect(page.locator(tag)).to_have_count(0)
    assert dialogs == []


def test_without_a_public_tree_the_reason_is_told(viewer, tmp_path):
    write_shown(eb.parse_efg(UNSEEN), (), tmp_path / "plain.html")
    page = viewer(tmp_path / "plain.html")
    assert page.get_by_role("button", name="Public tree").is_disabled()
    assert page.locator("[role=treeitem]").count() > 1
    page.focus("svg[role=tree]")
    page.keyboard.press("v")
    expect(page.locator(".efg-note")).to_contain_text("no public tree", use_inner_text=True)
    expect(page.locator(".efg-caption")).to_contain_text("The tree without a solution", use_inner_text=True)
