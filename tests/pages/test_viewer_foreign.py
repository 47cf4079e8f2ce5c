"""The viewer of other people's games: four of Gambit's catalogue and a centipede."""

from pathlib import Path

import pytest
from looking import acts, at_rest, expect, probe, unreadable
from small_files import DRIVER

import efg_builder as eb
from efg_builder.display.pages.viewer import Shown, write_shown

pygambit = pytest.importorskip("pygambit", reason="the games come with pygambit")
CATALOGUE = Path(pygambit.__file__).parent / "catalog_data"

GAMES = {
    "Selten's horse": "journals/ijgt/selten1975/fig1.efg",
    "signalling": "books/watson2013/exercise29_6.efg",
    "Bagwell": "journals/geb/bagwell1995.efg",
    "Myerson": "books/myerson1991/fig2_1.efg",
}

CENTIPEDE = """EFG 2 R "A centipede (Rosenthal 1981)" { "Ann" "Bob" } ""
p "" 1 1 "" { "take" "pass" } 0
t "" 1 "" { 1, 0 }
p "" 2 1 "" { "take" "pass" } 0
t "" 2 "" { 0, 2 }
p "" 1 2 "" { "take" "pass" } 0
t "" 3 "" { 3, 1 }
p "" 2 2 "" { "take" "pass" } 0
t "" 4 "" { 2, 4 }
t "" 5 "" { 33/10, 3 }
"""


def foreign(name):
    return eb.parse_efg(CENTIPEDE) if name == "centipede" else eb.read_efg(CATALOGUE / GAMES[name])


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("foreign")
    for name in [*GAMES, "centipede"]:
        tree = foreign(name)
        shown = [Shown("equilibrium", eb.solve(tree).profile), Shown("uniform", eb.TreeProfile.uniform(tree))]
        write_shown(tree, shown, folder / f"{name}.html")
    return {path.stem: path for path in folder.iterdir()}


EACH = [*GAMES, "centipede"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("name", ["liars-dice", *EACH])
@pytest.mark.first(2)
@pytest.mark.slow
def test_a_checker_finds_nothing_serious(viewer, pages, dice, serious, name, width, scheme):
    page = viewer(pages.get(name) or dice(2), (width, 800), color_scheme=scheme)
    for looks in ("select(0)", "compare(1)", "row(1)", "look('full')", "select(1)", "help()"):
        if looks != "row(1)" or name == "liars-dice":
            acts(page, looks)
        if width == 390 and looks == "row(1)":
            page.locator(".efg-handle").click()
        assert serious(page) == [], looks


def met(drawn):
    """Nodes of other sets that a line runs through, nearer than the radius of a node."""
    return [
        (line["k"], node["id"])
        for line in drawn["lines"]
        for node in drawn["nodes"]
        if node["k"] != line["k"] and abs(node["at"][0] - line["x"]) < 12 and line["y0"] < node["at"][1] < line["y1"]
    ]


def test_lanes_of_a_whole_dice_game(viewer, tmp_path):
    tree = eb.build(eb.game("liars-dice", sides=2))
    page = viewer(eb.write_viewer(tree, tmp_path / "a.html", view="tree"))
    probe(page, "unfoldEvery")
    drawn = probe(page, "drawn")
    choices = [k for k in tree.personal if len(tree.infosets[k].actions) > 1]
    assert len(drawn["nodes"]) == len(tree) == 125
    assert len(drawn["lines"]) == sum((tree.infoset == k).sum() - 1 for k in choices)
    assert met(drawn) == []
    # Payoffs stand in columns, one below another.
    acts(page, "fit()")
    page.wait_for_function("() => document.querySelectorAll('.efg-end').length > 20")
    ends = page.evaluate("""() => [...document.querySelectorAll(".efg-end")].map((end) =>
        [...end.parentNode.querySelectorAll(".efg-payoff")].map((text) => text.getAttribute("x")).join())""")
    assert len(set(ends)) == 1


def test_sets_of_members_at_unlike_depths_stand_in_one_column(viewer, tmp_path):
    """Selten's horse has such a set; a set that play passes twice cannot, and its line leads around."""
    write_shown(eb.parse_efg(DRIVER), (), tmp_path / "absent.html")
    page = viewer(tmp_path / "absent.html")
    expect(page.locator(".efg-band")).to_have_count(1)
    assert "Q" in page.locator(".efg-rim").get_attribute("d")


@pytest.mark.parametrize("name", EACH)
def test_small_trees_open_whole_and_readable_with_all_their_sets(viewer, pages, name):
    page, tree = (
        viewer(pages[name], color_scheme="dark" if name in ("Bagwell", "centipede") else "light"),
        foreign(name),
    )
    expect(page.locator("[role=treeitem]")).to_have_count(len(tree))
    assert probe(page, "outSideways") <= 0
    expect(page.get_by_role("button", name="Full tree")).to_have_attribute("aria-pressed", "true")
    sizes = [(tree.infoset == k).sum() for k in tree.personal]
    assert page.locator(".efg-band").count() == sum(size > 1 for size in sizes)
    drawn = probe(page, "drawn")
    assert all(line["x"] == line["x1"] for line in drawn["lines"])  # members stand below each other
    assert met(drawn) == []
    texts = probe(page, "texts")
    assert len(texts) > 10
    assert {each["opacity"] for each in texts} == {1}  # nothing off the path is faded
    assert unreadable(texts) == []


def test_selten_s_point_can_be_seen(viewer, pages):
    """Player 3's move, which play never comes to: in her color, and thin; all payoffs in their colors."""
    page = viewer(pages["Selten's horse"])
    assert page.locator(".efg-out .efg-letter").all_text_contents() == ["3", "3"]
    expect(page.locator(".efg-payoff.efg-of2")).to_have_count(5)
    widths = page.locator(".efg-line.efg-of2 .efg-way:not(.efg-unmade)").evaluate_all(
        "all => all.map((each) => parseFloat(getComputedStyle(each).strokeWidth))"
    )
    assert widths == pytest.approx([1 + 3.4 / 3] * 2, abs=0.01)
    tree, legend = (page.locator(part).bounding_box() for part in (".efg-tree", ".efg-legend"))
    assert tree["y"] + tree["height"] <= legend["y"] + 0.5  # which covers nothing


def test_chance_has_its_probabilities_in_a_tree_alone_and_where_floats_are_played(viewer, tmp_path):
    tree, chances = foreign("Bagwell"), ".efg-lines .efg-chance"
    page = viewer(eb.write_viewer(tree, tmp_path / "a.html"))
    # Bagwell 1995: the follower sees amiss with 1/100.
    assert sorted(page.locator(chances).all_text_contents()) == ["1/100", "1/100", "99/100", "99/100"]
    said = page.locator("[role=treeitem]").evaluate_all("all => all.map((each) => each.getAttribute('aria-label'))")
    assert sum("99/100" in each for each in said) == 2
    floats = eb.TreeProfile.from_personal(tree, dict.fromkeys(tree.personal, (0.25, 0.75)))
    write_shown(tree, [Shown("floats", floats)], tmp_path / "b.html")
    page = viewer(tmp_path / "b.html")
    assert {"1/100", "99/100", "25%", "75%"} == set(page.locator(chances).all_text_contents())
    expect(page.locator(".efg-legend")).to_contain_text("percentages are rounded", use_inner_text=True)


@pytest.mark.parametrize("width", [1280, 768])
@pytest.mark.parametrize("name", ["Bagwell", "sides 3", "sides 3 full"])
@pytest.mark.first(2)
def test_comparing_pushes_nothing_out_of_the_window(viewer, pages, tmp_path, name, width):
    path = pages.get(name)
    if name.startswith("sides"):
        tree = eb.build(eb.game("liars-dice", sides=3))
        shown = [Shown("lp", eb.solve(tree, "lp").profile), Shown("uniform", eb.TreeProfile.uniform(tree))]
        write_shown(tree, shown, path := tmp_path / "a.html", view="tree" if name.endswith("full") else None)
    page = viewer(path, (width, 900))
    expect(page.locator(".efg-compared")).to_be_hidden()
    page.get_by_label("Compare with").select_option(label="uniform")
    at_rest(page)
    assert page.locator(".efg-diff").count() > 4
    assert probe(page, "outSideways") <= 0
    assert page.locator(".efg-panel").evaluate("(panel) => panel.scrollWidth <= panel.clientWidth")
    expect(page.locator(".efg-compared")).to_have_text(
        "▲ larger, ▼ smaller than in uniform, with the value there", use_inner_text=True
    )


def test_of_a_large_tree_what_is_reached_is_exact_and_no_more_than_two_thousand_nodes_are_in_sight(viewer, tmp_path):
    tree = eb.build(game := eb.game("liars-dice", sides=3, max_quantity=3))
    solution = eb.solve(game)
    page = viewer(eb.write_viewer(tree, tmp_path / "a.html", {"equilibrium": solution}))
    start, count = page.locator("#view-0").text_content(), "window.efgView.view.state.sight.order.length"
    assert f"value {str(solution.value[0]).replace('-', '−')}" in start
    assert "\u2680 · 1/3" in start
    acts(page, "look('full')")
    page.keyboard.press("*")
    more = 9208 - page.evaluate("window.efgView.view.state.sight.order.filter((i) => i.kind === 'node').length")
    assert more > 9000
    words = f"Unfolded as far as letters can be read: {more:,} more nodes are folded away."
    expect(page.locator(".efg-note")).to_contain_text(words, use_inner_text=True)
    page = viewer(eb.write_viewer(tree, tmp_path / "b.html", view="tree"))
    probe(page, "unfoldDeals", 1990)
    closed = "s.sight.order.find((i) => s.view.size(i.id) > 99 && !s.folds.full.open.has(i.id))"
    before = page.evaluate(count)
    for _ in range(4):
        page.evaluate(f"() => {{ const v = window.efgView.view, s = v.state; v.acts.toggle({closed}.key, true); }}")
    assert 1990 <= before <= page.evaluate(count) <= 2000
    expect(page.locator(".efg-note")).to_contain_text("nodes is shown", use_inner_text=True)
    assert page.locator("[role=treeitem]").count() < 400
    page.get_by_role("button", name="Fold all but").click()
    assert page.evaluate(count) < 100
