"""The viewer's full tree looks as in the pictures, shows the likely and the chosen, and needs but a keyboard."""

import re
from collections import Counter
from fractions import Fraction
from itertools import pairwise

import pytest
from looking import acts, at_rest, comes, contrast, expect, moved, probe

import efg_builder as eb
from efg_builder.display.pages.viewer import Shown, shown_on, write_shown
from efg_builder.display.trees.colors import NEVER, ink
from efg_builder.display.trees.sizes import edge_width
from efg_builder.proof.reach import reaches

OUTSIDE = """EFG 2 R "outside option" { "A" "B" }
p "" 1 1 "door" { "out" "in" } 0
t "" 1 { 2 2 }
p "" 1 2 "row" { "T" "W" } 0
p "" 2 1 "col" { "T" "W" } 0 t "" 2 { 3 1 } t "" 3 { 0 0 }
p "" 2 1 "col" { "T" "W" } 0 t "" 4 { 0 0 } t "" 5 { 1 3 }
"""


@pytest.fixture(scope="module")
def trees(tmp_path_factory):
    """Pages that open with the full tree, and the six-sided game, each with an equilibrium."""
    folder = tmp_path_factory.mktemp("trees")
    games = {"kuhn": eb.game("kuhn")} | {f"sides {n}": eb.game("liars-dice", sides=n) for n in (2, 3)}
    for name, game in games.items():
        tree = eb.build(game)
        write_shown(tree, [Shown("equilibrium", eb.solve(tree).profile)], folder / f"{name}.html", "tree")
    tree = eb.build(eb.game("liars-dice", sides=6))
    write_shown(tree, [Shown("equilibrium", eb.solve(tree).profile)], folder / "sides 6.html")
    return folder


def struck(drawn):
    """Words and chips on a branch, a node or each other, words on a band, and nodes on a branch or band of others."""
    met = []
    texts = [(each["of"], each["box"]) for each in drawn["words"]] + [
        (each["of"], each["box"]) for each in drawn["chips"]
    ]
    for number, (of, (left, top, right, bottom)) in enumerate(texts):
        middle = (top + 3, bottom - 3)  # above and below, a box of letters is blank
        for branch in drawn["branches"]:
            met += [
                (of, "branch", branch["of"])
                for piece in pairwise(branch["points"])
                if through(piece, left + 1, middle[0], right - 1, middle[1])
            ]
        met += [
            (of, "node", node["of"])
            for node in drawn["nodes"]
            if node["node"] and left - 8 < node["at"][0] < right + 8 and middle[0] - 8 < node["at"][1] < middle[1] + 8
        ]
        met += [
            (of, "text", other)
            for other, box in texts[:number]
            if left < box[2] - 1 and box[0] < right - 1 and middle[0] < box[3] - 3 and box[1] + 3 < middle[1]
        ]
    for word in drawn["words"]:
        left, top, right, bottom = word["box"]
        for band in drawn["bands"]:
            if (
                abs((left + right) / 2 - band["x"]) < (right - left + band["width"]) / 2
                and band["from"] < bottom
                and top < band["to"]
            ):
                met.append((word["of"], "band", band["k"]))
    for node in drawn["nodes"]:
        x, y = node["at"]
        for branch in drawn["branches"]:
            if node["of"] not in (branch["of"], branch["above"]) and node["node"]:
                met += [
                    (node["of"], "branch", branch["of"])
                    for piece in pairwise(branch["points"])
                    if through(piece, x - 6, y - 6, x + 6, y + 6)
                ]
        for band in drawn["bands"]:
            if node["node"] and node["k"] != band["k"] and abs(x - band["x"]) < 18 and band["from"] < y < band["to"]:
                met.append((node["of"], "band", band["k"]))
    return met


def through(piece, left, top, right, bottom):
    """Whether a piece of a line, which goes to the right, meets a rectangle."""
    (x0, y0), (x1, y1) = piece
    low, high = max(x0, left), min(x1, right)
    if low > high or x0 == x1:
        return False
    heights = [y0 + (y1 - y0) * (x - x0) / (x1 - x0) for x in (low, high)]
    return min(heights) < bottom and max(heights) > top


@pytest.mark.parametrize("unfolded", [False, True])
@pytest.mark.parametrize("name", ["kuhn", "sides 2", "sides 3"])
@pytest.mark.first(2)
def test_branches_run_from_node_to_node_and_through_no_words(viewer, trees, name, unfolded):
    page = viewer(trees / f"{name}.html")
    page.get_by_role("button", name="Unfold all" if unfolded else "Fold all but").click()
    at_rest(page)
    drawn = probe(page, "scene")
    assert len(drawn["branches"]) > 8
    for branch in drawn["branches"]:
        assert branch["points"][0] == pytest.approx(branch["from"])
        assert branch["points"][-1] == pytest.approx(branch["to"])
        # Straight; where words would have no room, it is slanted and then level.
        assert len(branch["points"]) == 2 or branch["points"][1][1] == pytest.approx(branch["to"][1])
        assert len(branch["points"]) == 2 or (name, unfolded) != ("kuhn", True)
    assert struck(drawn) == []
    boxes = page.locator(".efg-die + text").all_text_contents()
    assert boxes
    assert all(text.startswith("hand ") for text in boxes)
    assert page.locator(".efg-chip").count() == page.locator(".efg-value").count() > 0


@pytest.mark.parametrize("size", [(1280, 800), (390, 844)])
@pytest.mark.parametrize(("name", "nodes"), [("sides 3", (127, 1144)), ("sides 6", (8191, 294877))])
def test_what_is_unfolded_can_be_read_at_once(viewer, trees, name, nodes, size):
    """On opening and as much as "Unfold all" shows: whole in the window, on a phone pushed sideways only."""
    page, phone = viewer(trees / f"{name}.html", size), size[0] < 760
    for kind, count in zip(("public", "full"), nodes, strict=True):
        acts(page, f"look('{kind}')")
        for unfold in ("", "unfoldAll()"):
            if unfold:
                acts(page, unfold)
            at_rest(page)
            found, view = probe(page, "inSight"), "window.efgView.view.state"
            assert found["start"]
            assert found["best"] or phone
            assert found["scale"] >= (0.92 if phone else 0.7)
            edges = page.evaluate("() => [...document.querySelectorAll('[role=treeitem]')].map((e) => e.id)")
            for ident in edges:
                assert max(probe(page.locator(f"[id='{ident}']"), "sticksOutOfTree")[2 if phone else 0 :]) <= 0
            keys = page.evaluate(f"{view}.sight.order.filter((i) => i.kind === 'node').map((i) => i.key)")
            assert len(keys) > (1 if phone else 2)
        words = f"Unfolded as far as letters can be read: {count - len(keys):,} more nodes are folded away. "
        expect(page.locator(".efg-note")).to_contain_text(words, use_inner_text=True)


def test_moves_never_made_are_unfolded_after_those_that_are(viewer, trees):
    page = viewer(trees / "sides 3.html")
    acts(page, "look('public')")
    keys = "window.efgView.view.state.sight.order.filter((i) => i.kind === 'node').map((i) => i.key)"
    made = page.evaluate(keys)
    acts(page, "unfoldAll()")
    assert set(made) < set(page.evaluate(keys))
    acts(page, "fold()")
    assert page.evaluate(keys) == made


def test_a_name_that_ends_in_a_digit_has_a_colon_and_a_single_action_no_band(viewer, tmp_path):
    page = viewer(eb.write_viewer(eb.solve("mia"), tmp_path / "mia.html", view="tree"))
    tree = eb.build("mia")
    lines = page.locator(".efg-line text").evaluate_all(
        "all => all.map((e) => [...e.children].map((t) => t.textContent))"
    )
    assert ["22:", "1/4"] in lines
    assert ["believe"] in lines
    assert all(line[0].endswith(":") == line[0].rstrip(":")[-1].isdigit() for line in lines if len(line) == 2)
    probe(page, "unfoldEvery")
    bands = {band["k"] for band in probe(page, "scene")["bands"]}
    members = Counter(int(k) for k in tree.infoset if k >= 0)
    single = {k for k in tree.personal if len(tree.infosets[k].actions) == 1 and members[k] > 1}
    assert single
    assert bands
    assert bands <= {k for k in tree.personal if members[k] > 1} - single


def test_branches_and_nodes_look_as_in_the_pictures(viewer, trees):
    """Branches have the player's color and are as wide as likely, or thin and grey; unreached nodes are hollow."""
    page = viewer(trees / "kuhn.html")
    tree, profile = eb.build(eb.game("kuhn")), eb.solve(eb.game("kuhn")).profile
    color = {f"rgb{tuple(int(fill[at : at + 2], 16) for at in (1, 3, 5))}": fill for fill in map(ink, (-1, 0, 1))}
    color[f"rgb{tuple(int(NEVER[at : at + 2], 16) for at in (1, 3, 5))}"] = NEVER
    reach = reaches(tree, profile)
    for branch in probe(page, "scene")["branches"]:
        node, above = branch["of"], branch["above"]
        k, player = tree.infoset[above], int(tree.player[above])
        p = profile.probabilities[k][tree.action[node]]
        assert color[branch["color"]] == (ink(player) if p else NEVER)
        share = p if reach[node] else p / 3
        assert branch["width"] == pytest.approx(edge_width(share if player >= 0 else None), abs=0.01)
    hollow = page.locator(".efg-out > :is(.efg-who, .efg-end)")
    assert hollow.count() == sum(p == 0 for p in reach)
    assert hollow.evaluate_all("all => [...new Set(all.map((e) => getComputedStyle(e).fill))]") == [
        "rgb(255, 255, 255)"
    ]


VISIBLE = 3.0
"""The least contrast of a line: of branches and of the edges of bands and chips (WCAG 2.1, 1.4.11)."""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_lines_can_be_seen(viewer, trees, scheme):
    page = viewer(trees / "kuhn.html", color_scheme=scheme)
    for kind in (".efg-way:not(.efg-unmade)", ".efg-unmade", ".efg-rim", ".efg-chip"):
        for line, ground in page.locator(kind).evaluate_all(STROKES):
            assert contrast(line, ground) >= VISIBLE, kind


STROKES = """(all) => {
  const rgb = (text) => {
    const parts = text.match(/[\\d.]+/g).map(Number).slice(0, 3);
    return text.startsWith("color(") ? parts.map((part) => 255 * part) : parts;
  };
  const ground = rgb(getComputedStyle(document.querySelector(".efg-viewer")).backgroundColor);
  return all.map((each) => [rgb(getComputedStyle(each).stroke), ground]);
}"""


def test_moves_probabilities_and_payoffs_are_written_as_in_the_picture(viewer, trees, tmp_path):
    page = viewer(trees / "kuhn.html")
    written = Counter(page.locator(":is(.efg-move, .efg-chance, .efg-payoff)").all_text_contents())
    drawn = eb.draw(eb.solve(eb.game("kuhn")), tmp_path / "kuhn.svg").read_text("utf-8")
    pictured = Counter(re.findall(r"<text[^>]*>([^<]*)</text>", drawn))
    others = {"1", "2"}  # letters in nodes too
    compared = [text for text in written if text not in others and " vs " not in text]
    assert len(compared) > 6
    assert {text: written[text] for text in compared} == {text: pictured[text] for text in compared}
    for kind in ("Full tree", "Public tree"):
        page.get_by_role("button", name=kind).click()
        texts = page.locator(".efg-tree text").all_text_contents()
        assert [text for text in texts if "%" in text or re.search(r"\+\d+$", text)] == []


@pytest.mark.parametrize("kind", ["full", "public"])
def test_what_is_unfolded_comes_into_sight(viewer, trees, kind):
    page = viewer(trees / "sides 3.html")
    acts(page, f"look('{kind}')")
    for step in range(6):
        page.evaluate(UNFOLD, step)
        at_rest(page)
        assert probe(page, "familyInSight", page.evaluate("window.efgView.view.state.selected")) == [True, True], step


UNFOLD = """(step) => {
  const { state: s, acts } = window.efgView.view, { open } = s.folds[s.view.kind];
  const folded = s.sight.order.filter((i) => i.kind !== "node" || (s.view.size(i.id) > 1 && !open.has(i.id)));
  acts.toggle(folded[Math.floor((folded.length * step) / 6)].key, true);
}"""


def test_the_chosen_node_is_kept_from_tree_to_tree(viewer, trees):
    page = viewer(trees / "sides 3.html")
    selected = "window.efgView.view.state.selected"
    for node in (0, 1, 2, 40, 700, 1143):
        acts(page, f"goto({node})")
        moves = page.locator(".efg-history").inner_text()
        page.keyboard.press("v")
        seen = page.locator(".efg-history").inner_text()
        assert seen == (moves.partition(" › ")[2] or "the start")  # without the deal, which the table does not see
        page.keyboard.press("v")
        assert page.evaluate(selected) == node
        assert probe(page, "familyInSight", node)[0]


def test_all_is_done_by_keyboard(viewer, trees):
    """Tab goes once around all controls, the tree and the panel, each with a ring; the focus is never lost."""
    page = viewer(trees / "sides 3.html")
    focused = "document.activeElement"
    met = []
    while True:
        moved(page, "Tab")
        if page.evaluate(f"{focused} === document.body"):
            break
        assert page.evaluate(f"getComputedStyle({focused}).outlineStyle") == "solid"
        met.append(page.evaluate(f"{focused}.getAttribute('aria-label') || {focused}.textContent"))
    stops = page.locator(".efg-viewer :is(button:enabled, input, select, [tabindex='0']):visible")
    assert len(met) == len(set(met)) == stops.count()
    page.keyboard.press("v")
    page.keyboard.press("ArrowRight")
    page.locator(".efg-panel button").first.focus()  # the hand of the public tree, or a member of the set
    page.keyboard.press("Enter")
    comes(page, f"{focused}.closest('.efg-panel') !== null")
    page.get_by_role("button", name="Undo").focus()
    while page.evaluate(f"{focused}.tagName") == "BUTTON":
        page.keyboard.press("Enter")  # until there is nothing left to undo
    comes(page, f"{focused}.getAttribute('role') === 'tree'")
    page.keyboard.press("?")
    assert page.get_by_role("dialog").evaluate("(e) => e.scrollTop") == 0
    page.keyboard.press("Escape")
    comes(page, f"{focused}.getAttribute('role') === 'tree'")


def test_an_arc_opens_a_subgame_and_a_ring_marks_it_where_a_player_gains(viewer, tmp_path):
    solution = eb.solve(eb.parse_efg(OUTSIDE), "all")
    numbers = [next(k for k, one in enumerate(solution.judged, 1) if one.off_path.rank == rank) for rank in (0, 3)]
    shown = [shown_on(solution.tree, solution.pick(number), f"{number}") for number in numbers]
    page = viewer(write_shown(solution.tree, shown, tmp_path / "two.html", "tree"), (1280, 720))
    marks = "['opening', 'refuted'].map((kind) => document.querySelectorAll('.efg-' + kind).length)"
    assert page.evaluate(marks) == [1, 0]
    acts(page, "show(1)")
    at_rest(page)
    assert page.evaluate(marks) == [1, 1]
    assert not struck(probe(page, "scene"))


def test_the_panel_has_the_beliefs_of_the_proof_off_the_path(viewer, tmp_path):
    solution = eb.solve(eb.parse_efg(OUTSIDE), "all")
    mixed = next(
        k
        for k, one in enumerate(solution.judged, 1)
        if one.off_path.kind == "sequential" and one.strategy.probabilities[1] == (Fraction(3, 4), Fraction(1, 4))
    )
    page = viewer(write_shown(solution.tree, [shown_on(solution.tree, solution.pick(mixed), "m")], tmp_path / "m.html"))
    acts(page, "look('full')", "node(3)")  # B's information set after in
    at_rest(page)
    panel = page.locator(".efg-panel")
    assert "Never reached: beliefs of the proof" in panel.inner_text()
    assert {"3/4", "1/4"} <= set(panel.inner_text().split())
