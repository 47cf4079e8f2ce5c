"""What the viewer shows at first sight, alone and within another page; what can be read on it; keys and search."""

from itertools import pairwise

import numpy as np
import pytest
from looking import READABLE, at_rest, comes, contrast, expect, probe, unreadable
from paths import within

import efg_builder as eb
from efg_builder.display.pages.viewer import Shown, viewer_part, write_shown
from efg_builder.display.trees import colors as style

SCREENS = [(1280, 800), (390, 780)]


@pytest.fixture(scope="module")
def pages(tmp_path_factory, dice):
    """The three-sided game with ranges, alone and as part of a page, and with a second solution of all chances."""
    folder = tmp_path_factory.mktemp("sight")
    tree = eb.build(eb.game("liars-dice", sides=3))
    found = Shown("equilibrium", eb.solve(tree, "lp").profile, "verified", eb.ranges(tree, vertices=0).shares)
    write_shown(tree, [found], folder / "alone.html")
    frame = '<div style="max-width: 57.5rem; margin: 0 auto"><section><h2>The tree</h2>{}</section></div>'
    (folder / "within.html").write_text(within("About a game", frame, viewer_part(tree, [found])), "utf-8")
    return {name: folder / f"{name}.html" for name in ("alone", "within")} | {"two": dice(3)}


@pytest.mark.parametrize("size", SCREENS)
@pytest.mark.parametrize("name", ["alone", "within"])
@pytest.mark.first(2)
def test_it_opens_with_all_in_sight_and_readable(name, size, viewer, pages):
    page = viewer(pages[name], size)
    fit = probe(page, "fit")
    # On a small screen letters must be large enough: the first table is whole, and what follows is a push away.
    assert fit["first" if size[0] < 760 else "out"] <= 0
    assert fit["scale"] >= (0.7 if size[0] >= 760 else 0.92)
    assert fit["wide"] <= 0
    assert max(fit["depths"]) >= 2  # the start and its first moves
    assert max(fit["depths"]) >= 3 or size[0] < 1000
    page.get_by_role("button", name="Full tree").click()
    full = probe(page, "fit")
    assert max(full["depths"]) >= 2
    page.get_by_role("button", name="Public tree").click()
    if (menu := page.get_by_role("button", name="More controls")).is_visible():
        menu.click()
    page.get_by_role("button", name="Fold all but").click()
    assert probe(page, "fit") == fit
    if menu.is_visible():
        menu.click()
    expect(page.locator("select")).to_have_count(0)  # of one entry
    field = page.locator("input[type=search]")
    assert field.get_attribute("placeholder") == "1x1 1x2 or a hand"
    room, needed = probe(field, "room")
    assert needed < room
    page.get_by_role("button", name="Keys and signs").click()
    assert page.get_by_role("dialog").evaluate("(e) => e.scrollTop") == 0
    page.keyboard.press("Escape")
    page.locator("#view-0 .efg-row").first.click()
    found = probe(page, "headings")
    assert set(found) <= {*range(1, 4 if name == "alone" else 6)}
    assert found.count(1) == 1
    assert all(below <= above + 1 for above, below in pairwise(found))


@pytest.mark.parametrize("scheme", [pytest.param("light", marks=pytest.mark.slow), "dark"])
@pytest.mark.slow
def test_controls_can_be_read_however_they_are_touched(viewer, pages, scheme):
    page = viewer(pages["two"], color_scheme=scheme)
    page.locator("#view-0 .efg-row").first.click()
    controls = page.locator(".efg-viewer button:visible, .efg-viewer select, .efg-viewer input")
    assert controls.count() > 12
    for control in controls.all():
        ways = {"as it is": None, "hovered over": control.hover, "focused": control.focus}
        for way, touch in ways.items():
            if touch is not None and not control.is_disabled():
                touch()
            letters, ground = probe(control, "letters")
            assert contrast(letters, ground) >= READABLE, (way, control.evaluate("(e) => e.outerHTML"))


@pytest.mark.parametrize("scheme", [pytest.param("light", marks=pytest.mark.slow), "dark"])
def test_cells_have_their_players_colour_and_readable_letters(viewer, tmp_path, scheme, opened):
    tree = eb.build(eb.game("liars-dice", sides=4, max_quantity=1, dice=(1, 1, 1)))
    rows = {}
    for k in tree.personal:  # from almost nothing to almost all, in every colour
        width = len(tree.infosets[k].actions)
        first = (k % 29 + 1) / 30 if width > 1 else 1.0
        rows[k] = (first, *((1 - first) / (width - 1) for _ in range(width - 1)))
    write_shown(tree, [Shown("all", eb.TreeProfile.from_personal(tree, rows))], tmp_path / "all.html")
    page = opened(tmp_path / "all.html", color_scheme=scheme)
    page.wait_for_selector(".efg-ready")
    probe(page, "unfold")
    at_rest(page)
    cells, shades = probe(page, "cells"), set()
    assert len(cells) > 100
    for cell in cells:
        ground = np.asarray(cell["cell"]) + cell["opacity"] * (np.asarray(cell["shade"]) - np.asarray(cell["cell"]))
        shades.add(tuple(cell["shade"]))
        assert contrast(cell["letters"], ground) >= READABLE, cell
    assert len(shades) == 3
    named = probe(page, "shades")
    assert shades == {tuple(int(name[at : at + 2], 16) for at in (1, 3, 5)) for name in named}
    if scheme == "light":
        assert named == [style.ink(player) for player in range(3)]  # as in the pictures


@pytest.mark.slow
def test_ranges_are_in_the_first_view(viewer, pages):
    page = viewer(pages["alone"])
    tree = eb.build(eb.game("liars-dice", sides=3))
    shares, labels = eb.ranges(tree, vertices=0).shares, [infoset.label for infoset in tree.infosets]
    cells = page.locator("#view-0 .efg-row").all()
    heads = page.locator("#view-0 .efg-head").all_text_contents()
    for hand, row in zip("123", cells, strict=True):
        k = labels.index(f"{hand}: start")
        ways = [shares.get((k, tree.infosets[k].actions.index(move))) for move in heads]
        free = [way for way in ways if way is not None and way[0] < way[1]]
        assert row.locator(".efg-free").count() == len(free)
        told = [f"{low}–{high}" for low, high in free]
        assert row.locator(".efg-range").all_text_contents() == told
    # Moves that only other equilibria make have no column, but a name.
    others = {
        tree.infosets[k].actions[a]
        for (k, a), (_, high) in shares.items()
        if labels[k].endswith(": start") and high > 0
    } - set(heads)
    assert others
    assert page.locator("#view-0").get_by_text("other equilibria: ").text_content() == (
        f"other equilibria: {', '.join(sorted(others))}"
    )
    expect(page.locator(".efg-caption")).to_have_text("verified · with ranges over all equilibria", use_inner_text=True)
    legend = page.locator(".efg-legend")
    assert "outlined: free, other equilibria differ" in legend.inner_text()
    page.get_by_role("button", name="Full tree").click()
    assert "outlined" not in legend.inner_text()
    assert "folded away" in legend.inner_text()
    two = viewer(pages["two"])
    two.get_by_label("Solution").select_option(label="uniform")
    expect(two.locator(".efg-free")).to_have_count(0)
    expect(two.locator(".efg-caption")).to_have_text("all moves alike", use_inner_text=True)


@pytest.mark.parametrize("name", ["alone", "within"])
def test_keys_work_right_after_loading(viewer, pages, name):
    page = viewer(pages[name])
    if name == "within":
        page.locator(".efg-viewer").scroll_into_view_if_needed()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("1,144 nodes", use_inner_text=True)
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_be_hidden()
    page.keyboard.press("v")
    expect(page.get_by_role("button", name="Full tree")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("/")
    page.keyboard.type("v?1")  # written, not done
    expect(page.locator("input[type=search]")).to_have_value("v?1")
    expect(page.locator("dialog")).to_be_hidden()
    page.get_by_role("button", name="Fit").click()
    page.keyboard.press("v")  # beside the tree too
    expect(page.get_by_role("button", name="Public tree")).to_have_attribute("aria-pressed", "true")


def test_arrows_walk_right_after_loading_where_the_viewer_is_the_page(viewer, pages):
    page = viewer(pages["alone"])
    page.keyboard.press("ArrowRight")
    comes(page, "window.efgView.view.state.selected !== 0")
    comes(page, "document.activeElement.getAttribute('role') === 'tree'")
    page = viewer(pages["within"])
    page.locator(".efg-viewer").scroll_into_view_if_needed()
    page.keyboard.press("ArrowRight")  # the page's own
    assert page.evaluate("window.efgView.view.state.selected") == 0


def test_the_other_tree_is_at_the_chosen_history_and_the_page_follows_its_own_width(viewer, pages):
    page = viewer(pages["within"])
    moves = page.evaluate("""() => {
        const { state: s, acts } = window.efgView.view;
        acts.select(s.sight.root.children[0].children[0].id);
        return document.querySelector(".efg-history").textContent;
    }""")
    page.get_by_role("button", name="Full tree").click()
    assert page.locator(".efg-history").inner_text().endswith(f"› {moves}")
    expect(page.locator("[role=treeitem][aria-selected=true]")).to_have_count(1)
    page.get_by_role("button", name="Public tree").click()
    expect(page.locator(".efg-history")).to_have_text(moves, use_inner_text=True)
    expect(page.locator(".efg-handle")).to_be_hidden()
    page.evaluate("document.querySelector('.efg-viewer').parentElement.style.maxWidth = '30rem'")
    page.locator(".efg-handle").wait_for(state="visible")


def test_a_cell_that_differs_says_what_it_was(viewer, pages):
    page = viewer(pages["two"])
    expect(page.locator("select")).to_have_count(2)
    page.get_by_label("Compare with").select_option(label="uniform")
    at_rest(page)
    rows = page.locator("#view-0 .efg-row")
    assert rows.count() == 3
    for row in rows.all():
        assert row.locator(".efg-differs").count() == row.get_by_text("was 17%", exact=True).count() > 0


def test_hits_that_are_played_come_first(viewer, pages):
    page = viewer(pages["alone"])
    page.keyboard.press("v")
    page.fill("input[type=search]", "1x3 2x3")
    page.keyboard.press("Enter")
    played = []
    count = int(page.locator(".efg-hits").inner_text().split(" of ")[1].split(",")[0])
    for _ in range(count):
        selected = page.evaluate("window.efgView.view.state.selected")
        played.append(page.evaluate("(id) => window.efgView.view.under(0).measures.reach[id] > 0", selected))
        page.get_by_role("button", name="Next hit").click()
    assert 0 < sum(played) < count
    assert played == sorted(played, reverse=True)
    expect(page.locator(".efg-hits")).to_have_text(f"1 of {count}, {sum(played)} of them played", use_inner_text=True)


@pytest.mark.parametrize("name", ["alone", "two"])
def test_on_a_phone_letters_and_targets_are_large(viewer, pages, name):
    page = viewer(pages[name], (390, 844), has_touch=True)
    for kind in ("Public tree", "Full tree"):
        page.get_by_role("button", name=kind).click()
        for control in (".efg-handle", ".efg-menu", ".efg-menu"):  # opens the details, opens the menu instead, shuts it
            page.locator(control).click()
            assert min(probe(page, "letterSizes")) >= 10
            found = probe(page, "targets")
            assert len(found) > 9
            assert [each for each in found if min(each[1:]) < 43.9] == []


def test_on_a_phone_the_first_table_of_a_large_game_fits(opened, tmp_path):
    tree = eb.build(eb.game("liars-dice", sides=4, max_quantity=3))
    path = eb.write_viewer(tree, tmp_path / "a.html", {"u": eb.TreeProfile.uniform(tree)})
    page = opened(path, viewport={"width": 390, "height": 844})
    page.wait_for_selector(".efg-ready")
    fit = probe(page, "fit")
    assert fit["first"] <= 0
    assert fit["scale"] >= 0.92
    heads = page.locator("#view-0 .efg-head").count()
    assert 3 <= heads < 12  # of the twelve bids as many as there is room for, and how many more there are
    expect(page.locator("#view-0").get_by_text(f"+{12 - heads}")).to_have_count(1)


@pytest.mark.parametrize("size", SCREENS)
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.first(2)
@pytest.mark.slow
def test_texts_of_pictures_can_be_read(viewer, pages, scheme, size):
    """Which axe does not look at: the viewer with ranges, and compared."""
    for name in ("alone", "two"):
        page = viewer(pages[name], size, color_scheme=scheme)
        menu = page.get_by_role("button", name="More controls")
        if menu.is_visible():  # on a phone
            menu.click()
        for kind in ("Public tree", "Full tree"):
            page.get_by_role("button", name=kind).click()
            if name == "two":
                page.get_by_label("Compare with").select_option(label="uniform")
            at_rest(page)
            found = probe(page, "painted")
            assert len(found) > 20
            assert unreadable(found) == []


@pytest.fixture(scope="module")
def kuhn(tmp_path_factory):
    """Kuhn poker, of 55 nodes, with an equilibrium."""
    return eb.write_viewer(eb.solve("kuhn"), tmp_path_factory.mktemp("kuhn") / "a.html")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_small_game_on_a_phone_opens_on_the_public_tree_with_the_tree_in_sight(viewer, kuhn, serious, scheme):
    page = viewer(kuhn, (390, 844), has_touch=True, color_scheme=scheme)
    expect(page.get_by_role("button", name="Public tree")).to_have_attribute("aria-pressed", "true")
    assert page.locator(".efg-stage").bounding_box()["height"] > 844 * 2 / 3
    assert probe(page, "fit")["first"] <= 0
    assert probe(page, "inSight")["start"]
    menu = page.get_by_role("button", name="More controls")
    for shown in (False, True):
        assert page.get_by_role("button", name="Unfold all").is_visible() == shown
        assert page.get_by_role("searchbox").is_visible() == shown
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        expect(menu).to_have_attribute("aria-expanded", "true" if shown else "false")
        if not shown:
            menu.click()
    assert contrast(*probe(menu, "letters")) >= READABLE
    assert serious(page) == []
    wide = viewer(kuhn)
    expect(wide.get_by_role("button", name="Full tree")).to_have_attribute("aria-pressed", "true")
    expect(wide.locator(".efg-menu")).to_be_hidden()


def test_the_menu_of_a_phone_needs_but_a_keyboard(viewer, kuhn):
    page = viewer(kuhn, (390, 844))
    menu, undo = page.locator(".efg-menu"), page.get_by_role("button", name="Undo")
    page.locator(".efg-tab").last.press("Tab")
    expect(menu).to_be_focused()
    page.keyboard.press("Enter")
    expect(undo).to_be_visible()
    page.keyboard.press("Tab")  # nothing to undo: on to the search
    expect(page.get_by_role("searchbox")).to_be_focused()
    page.keyboard.press("Escape")
    expect(undo).to_be_hidden()
    expect(menu).to_have_attribute("aria-expanded", "false")
    page.keyboard.press("/")
    expect(page.get_by_role("searchbox")).to_be_focused()
    page.get_by_role("button", name="Fold all but").press("Enter")  # done with the whole window for the tree
    expect(menu).to_have_attribute("aria-expanded", "false")
    comes(page, "document.activeElement.getAttribute('role') === 'tree'")
    menu.press("Space")
    page.locator(".efg-handle").press("Enter")  # the details instead
    expect(undo).to_be_hidden()
    expect(page.locator(".efg-panel")).to_be_visible()
