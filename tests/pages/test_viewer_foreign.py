"""The viewer of other people's games: four of Gambit's catalogue and a centipede."""

from pathlib import Path

import pytest

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

# Of each set's line: where it runs, [x, from y, to y], and whose it is; of each node its circle or square.
DRAWN = """() => {
    const { state: s } = window.efgView.view, items = s.sight.order.filter((item) => item.kind === "node");
    const at = (item) => [item.x + item.shift + 10, item.y];
    const lines = [...s.sight.sets].flatMap(([k, members]) => members.slice(1).map((item, n) => {
        const [x, y0] = at(members[n]), [x1, y1] = at(item);
        return { k, x, x1, y0, y1 };
    }));
    return { lines, nodes: items.map((item) => ({ k: s.tree.infoset[item.id], at: at(item), id: item.id })) };
}"""

# Each text in the tree: its colour, what lies behind it, and how opaque it and all around it are.
TEXTS = """() => {
    const parts = (text) => text.match(/[\\d.]+/g).map(Number);
    const ground = parts(getComputedStyle(document.querySelector(".efg-viewer")).backgroundColor).slice(0, 3);
    return [...document.querySelectorAll(".efg-tree text:not(.efg-letter), .efg-tree tspan")].map((each) => {
        let opacity = 1;
        for (let at = each; at; at = at.parentElement) opacity *= Number(getComputedStyle(at).opacity);
        return { text: each.textContent, fill: parts(getComputedStyle(each).fill).slice(0, 3), opacity, ground };
    });
}"""

OUT = """() => {
    const edge = document.querySelector(".efg-tree").getBoundingClientRect();
    const boxes = [...document.querySelectorAll("[role=treeitem]")].map((each) => each.getBoundingClientRect());
    return Math.max(...boxes.flatMap((box) => [box.right - edge.right, edge.left - box.left]));
}"""


def foreign(name):
    return eb.parse_efg(CENTIPEDE) if name == "centipede" else eb.read_efg(CATALOGUE / GAMES[name])


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("foreign")
    for name in [*GAMES, "centipede"]:
        tree = foreign(name)
        shown = [Shown("equilibrium", eb.solve(tree).profile), Shown("uniform", eb.TreeProfile.uniform(tree))]
        write_shown(tree, shown, folder / f"{name}.html")
    return folder


@pytest.fixture
def viewer(opened, pages):
    def opens(name, width=1280, **context):
        page = opened(pages / f"{name}.html", viewport={"width": width, "height": 800}, **context)
        page.wait_for_selector(".efg-ready")
        return page

    return opens


EACH = [*GAMES, "centipede"]


@pytest.mark.parametrize("scheme", [pytest.param("light", marks=pytest.mark.slow), "dark"])
@pytest.mark.parametrize("width", [pytest.param(1280, marks=pytest.mark.slow), 390])
@pytest.mark.parametrize("name", EACH)
@pytest.mark.first(2)
def test_a_checker_finds_nothing_serious(viewer, serious, name, width, scheme):
    page = viewer(name, width, color_scheme=scheme)
    assert serious(page) == []
    page.evaluate("window.efgView.view.acts.compare(1)")
    page.evaluate("window.efgView.view.acts.select(1)")
    if width == 390:
        page.locator(".efg-handle").click()
    assert serious(page) == []


@pytest.mark.parametrize("name", EACH)
def test_small_trees_open_whole_with_all_their_sets(viewer, name):
    page, tree = viewer(name), foreign(name)
    assert page.locator("[role=treeitem]").count() == len(tree)
    assert page.evaluate(OUT) <= 0
    assert page.get_by_role("button", name="Full tree").get_attribute("aria-pressed") == "true"
    sizes = [(tree.infoset == k).sum() for k in tree.personal]
    drawn = [each for each in page.locator(".efg-alike").all() if each.get_attribute("d")]
    assert len(drawn) == sum(size > 1 for size in sizes)


def met(drawn):
    """Nodes of other sets that a line runs through, nearer than the radius of a node."""
    return [
        (line["k"], node["id"])
        for line in drawn["lines"]
        for node in drawn["nodes"]
        if node["k"] != line["k"] and abs(node["at"][0] - line["x"]) < 12 and line["y0"] < node["at"][1] < line["y1"]
    ]


@pytest.mark.parametrize("name", EACH)
def test_a_line_of_a_set_meets_no_node_of_another(viewer, name):
    drawn = viewer(name).evaluate(DRAWN)
    assert all(line["x"] == line["x1"] for line in drawn["lines"])  # members stand below each other
    assert met(drawn) == []


def test_payoffs_stand_at_their_ends(opened, tmp_path):
    """Beside all lanes of sets: 9 pixels from the square to the first payoff, whatever its lane."""
    page = opened(eb.write_viewer(eb.build(eb.game("liars-dice", sides=2)), tmp_path / "a.html"))
    page.wait_for_function("window.efgView")
    page.evaluate("(v => { v.look('full'); v.unfoldAll(); v.fit(); })(window.efgView.view.acts)")
    page.wait_for_function("document.querySelectorAll('.efg-end').length > 20")
    gaps = page.evaluate("""() => [...document.querySelectorAll(".efg-end")].map((end) =>
        end.parentNode.querySelector(".efg-payoff").getAttribute("x") - end.getAttribute("x") - 10)""")
    assert set(gaps) == {9}


def test_lanes_of_a_whole_dice_game(opened, tmp_path):
    tree = eb.build(eb.game("liars-dice", sides=2))
    page = opened(eb.write_viewer(tree, tmp_path / "a.html", view="tree"))
    page.wait_for_selector(".efg-ready")
    page.get_by_role("button", name="Unfold all").click()
    drawn = page.evaluate(DRAWN)
    assert len(drawn["nodes"]) == len(tree) == 125
    assert len(drawn["lines"]) == sum((tree.infoset == k).sum() - 1 for k in tree.personal)
    assert met(drawn) == []


def test_sets_of_members_at_unlike_depths_stand_in_one_column(opened, tmp_path):
    """Selten's horse has such a set; a set that play passes twice cannot, and its line leads around."""
    absent = 'EFG 2 R "driver" { "A" } ""\np "" 1 1 "x" { "off" "on" } 0\nt "" 1 "" { 0 }\n'
    absent += 'p "" 1 1 "x" { "off" "on" } 0\nt "" 2 "" { 4 }\nt "" 3 "" { 1 }\n'
    write_shown(eb.parse_efg(absent), (), tmp_path / "absent.html")
    page = opened(tmp_path / "absent.html")
    page.wait_for_selector(".efg-ready")
    assert page.locator(".efg-alike").count() == 1
    assert "Q" in page.locator(".efg-alike").get_attribute("d")


def test_unfold_all_of_a_large_tree_stops_with_a_word(opened, tmp_path):
    tree = eb.build(eb.game("liars-dice", sides=3, max_quantity=3))
    page = opened(eb.write_viewer(tree, tmp_path / "a.html", view="tree"))
    page.wait_for_selector(".efg-ready")
    page.keyboard.press("*")
    count = page.evaluate("window.efgView.view.state.sight.order.length")
    assert 500 < count <= 2000
    note = page.locator(".efg-note").inner_text()
    assert note == f"The tree has 9,208 nodes. The first levels are unfolded, {count:,} nodes: the limit is 2,000."


def linear(colour):
    parts = [part / 255 for part in colour]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", EACH)
@pytest.mark.first(3)
def test_nothing_off_the_path_is_faded(viewer, name, scheme):
    texts = viewer(name, color_scheme=scheme).evaluate(TEXTS)
    assert len(texts) > 10
    for each in texts:
        assert each["opacity"] == 1, each
        one, other = sorted((linear(each["fill"]), linear(each["ground"])))
        assert (other + 0.05) / (one + 0.05) >= 4.5, each  # WCAG 2.1, success criterion 1.4.3


def test_selten_s_point_can_be_seen(viewer):
    """Player 3's move, which play never comes to: dashed, with its probability; all payoffs in their colours."""
    page = viewer("Selten's horse")
    assert page.locator(".efg-way.efg-offpath").count() == 2
    assert page.locator(".efg-out .efg-letter").all_text_contents() == ["3", "3"]
    assert page.locator(".efg-payoff.efg-ink2").count() == 5
    dashes = page.evaluate("getComputedStyle(document.querySelector('.efg-offpath')).strokeDasharray")
    assert dashes != "none"


def test_a_tree_alone_has_the_probabilities_of_chance(opened, tmp_path):
    page = opened(eb.write_viewer(foreign("Bagwell"), tmp_path / "a.html"))
    shares = page.locator(".efg-lines .efg-chance").all_text_contents()
    # Bagwell 1995: the follower sees amiss with 1/100.
    assert sorted(shares) == ["1/100", "1/100", "99/100", "99/100"]
    said = page.locator("[role=treeitem]").evaluate_all("all => all.map((each) => each.getAttribute('aria-label'))")
    assert sum("99/100" in each for each in said) == 2


def test_chance_keeps_its_fractions_where_floats_are_played(opened, tmp_path):
    tree = foreign("Bagwell")
    floats = dict.fromkeys(tree.personal, (0.25, 0.75))
    write_shown(tree, [Shown("floats", eb.TreeProfile.from_personal(tree, floats))], tmp_path / "a.html")
    page = opened(tmp_path / "a.html")
    page.wait_for_selector(".efg-ready")
    chances = page.locator(".efg-lines .efg-chance").all_text_contents()
    assert {"1/100", "99/100", "≈25%", "≈75%"} == set(chances)


@pytest.mark.parametrize("width", [1280, 768])
@pytest.mark.parametrize("name", ["Bagwell", "sides 3", "sides 3 full"])
@pytest.mark.first(2)
def test_comparing_pushes_nothing_out_of_the_window(opened, pages, tmp_path, name, width):
    path = pages / f"{name}.html"
    if name.startswith("sides"):
        tree = eb.build(eb.game("liars-dice", sides=3))
        shown = [Shown("lp", eb.solve(tree, "lp").profile), Shown("uniform", eb.TreeProfile.uniform(tree))]
        write_shown(tree, shown, path := tmp_path / "a.html", view="tree" if name.endswith("full") else None)
    page = opened(path, viewport={"width": width, "height": 900})
    page.wait_for_selector(".efg-ready")
    assert not page.locator(".efg-compared").is_visible()
    page.get_by_label("Compare with").select_option(label="uniform")
    page.wait_for_timeout(200)
    assert page.locator(".efg-diff").count() > 4
    assert page.evaluate(OUT) <= 0
    assert page.locator(".efg-panel").evaluate("(panel) => panel.scrollWidth <= panel.clientWidth")
    assert page.locator(".efg-compared").inner_text() == "▲ larger, ▼ smaller than in uniform, and what it was there"


def test_the_legend_covers_nothing(viewer):
    page = viewer("Selten's horse")
    tree, legend = (page.locator(part).bounding_box() for part in (".efg-tree", ".efg-legend"))
    assert tree["y"] + tree["height"] <= legend["y"] + 0.5


def test_of_a_large_tree_what_is_reached_is_exact(opened, tmp_path):
    tree = eb.build(game := eb.game("liars-dice", sides=3, max_quantity=3))
    solution = eb.solve(game)
    assert len(tree) == 9208
    page = opened(eb.write_viewer(tree, tmp_path / "a.html", {"equilibrium": solution}))
    page.wait_for_selector(".efg-ready")
    start = page.locator("#view-0").text_content()
    assert f"value {str(solution.value[0]).replace('-', '−')}" in start
    assert "1 · 1/3" in start
