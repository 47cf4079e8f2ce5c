"""The viewer in a real browser, as people use it, and on paper."""

import re
from fractions import Fraction

import numpy as np
import pytest
from looking import acts, at_rest, expect, probe

import efg_builder as eb
from efg_builder.proof.reach import beliefs, reaches


def state(page, expression):
    return page.evaluate(f"() => {{ const v = window.efgView.view, s = v.state; return {expression}; }}")


def items(page):
    return page.locator("[role=treeitem]")


def active(page):
    """What a screen reader is told of: the element that has the focus within the tree."""
    ident = page.get_attribute("svg[role=tree]", "aria-activedescendant")
    return page.locator(f"[id='{ident}']")


def test_opens_at_the_public_tree_unfolded_to_what_is_played(viewer, dice):
    page = viewer(dice(3))
    assert page.title() == "Liar's Dice: one three-sided die each"
    expect(page.locator("h1")).to_have_text(page.title(), use_inner_text=True)
    expect(page.get_by_role("button", name="Public tree")).to_have_attribute("aria-pressed", "true")
    labels = [each.get_attribute("aria-label") for each in items(page).all()]
    assert labels[0].startswith("Start; Player 1 to move with 3 hands; reached 1; value to Player 1 −1/9")
    assert any("never made" in label for label in labels)
    assert all("never reached" not in label for label in labels)


def test_of_three_players_all_payoffs_are_told_where_nobody_moves(viewer, tmp_path):
    solution = eb.solve(eb.game("liars-dice", dice="1,1,1"))
    page = viewer(eb.write_viewer(solution, tmp_path / "a.html"))
    ends = items(page).filter(has_text="ends").all_text_contents()
    assert ends
    for text in ends:
        told = text.partition("value")[2].replace("−", "-").split(",")
        assert len(told) == 3
        assert sum(map(Fraction, told)) == 0
    page = viewer(eb.write_viewer(solution, tmp_path / "a.html", view="tree"))
    expect(page.get_by_role("button", name="Full tree")).to_have_attribute("aria-pressed", "true")
    assert "5/16, −1/4, −1/16" in items(page).first.text_content()


def test_a_click_unfolds_and_folds(viewer, dice):
    page = viewer(dice(3))
    stand_in = items(page).filter(has_text="never made").first
    before, waiting = items(page).count(), int(stand_in.text_content().split()[0])
    stand_in.click()
    expect(items(page)).to_have_count(before + waiting - 1)
    assert not items(page).filter(has_text=f"+{waiting} never made").count()
    page.locator("#view-0 .efg-fold").click()
    expect(items(page)).to_have_count(1)
    expect(page.locator("#view-0")).to_have_attribute("aria-expanded", "false")
    page.locator("#view-0 .efg-fold").click()
    expect(page.locator("#view-0")).to_have_attribute("aria-expanded", "true")


def test_the_full_tree_is_a_button_away_and_hovering_shows_a_node(viewer, dice):
    page = viewer(dice(2))
    page.get_by_role("button", name="Full tree").click()
    assert items(page).first.get_attribute("aria-label").startswith("Start; chance moves")
    expect(items(page).filter(has_text="1 vs 2")).to_have_count(0)  # a label of a line, which is none of a node's
    expect(page.locator(".efg-lines").get_by_text("1 vs 2")).to_have_count(1)
    expect(page.locator(".efg-panel h2")).to_have_text("Chance", use_inner_text=True)
    page.locator("[role=treeitem][aria-level='2']").first.hover()
    expect(page.locator(".efg-panel h2")).to_have_text("Player 1", use_inner_text=True)
    page.wait_for_function("() => document.querySelectorAll('.efg-lit').length === 2")
    page.mouse.move(5, 5)
    expect(page.locator(".efg-panel h2")).to_have_text("Chance", use_inner_text=True)


WALK = [
    # The keys, and what is then told of the active element in an attribute.
    ("v ArrowRight", "aria-level", "2"),
    ("", "aria-label", "1 vs 1, 1/4; Player 1 to move; hand 1"),
    ("ArrowDown", "aria-label", "1 vs 2, 1/4"),
    ("", "aria-posinset", "2"),
    ("Enter", "aria-expanded", "false"),
    ("ArrowRight", "aria-expanded", "true"),
    ("ArrowRight", "aria-level", "3"),
    ("ArrowDown", "aria-label", "3 moves that are never made"),
    ("Space", "aria-label", "never reached"),
    ("ArrowLeft ArrowLeft", "aria-level", "2"),
    ("ArrowUp", "aria-label", "1 vs 1"),
    ("End Home", "aria-level", "1"),
]


def test_arrows_walk_and_unfold(viewer, dice):
    page = viewer(dice(2))
    page.focus("svg[role=tree]")
    for keys, attribute, told in WALK:
        for key in keys.split():
            page.keyboard.press(key)
        assert told in active(page).get_attribute(attribute), keys
    assert items(page).filter(has=page.locator("xpath=self::*[@aria-selected='true']")).count() <= 1


SEARCHES = [
    # What is searched for, the button that is pressed then, the hits, and what is shown in which part of the page.
    ("1x2 2x2", None, "1 of 1", ".efg-history", "1x2 › 2x2"),
    ("3: 1x2 2x2", None, "1 of 1", ".efg-panel", "3: 1x2 2x2"),
    (None, "Full tree", "", "", ""),
    ("1x2 2x2", None, "1 of 9, none played", "", ""),
    (None, "Next hit", "2 of 9, none played", ".efg-history", "1x2 › 2x2"),
    (None, "Previous hit", "1 of 9, none played", "", ""),
    (None, "Previous hit", "9 of 9, none played", "", ""),
    ("no such thing", None, "nothing found", "", ""),
]


@pytest.mark.parametrize("text", ["2: 1x2", "\u2681: 1x2", "2", "\u2681", "1 vs 2", "\u2680 vs \u2681"])
def test_a_hand_is_shown_by_its_name_and_found_by_either(viewer, tmp_path, text):
    page = viewer(eb.write_viewer(eb.solve("liars-dice sides=2"), tmp_path / "a.html", view="tree"))
    page.fill("input[type=search]", text)
    page.keyboard.press("Enter")
    assert active(page).get_attribute("aria-label").startswith("\u2680 vs \u2681" if " vs " in text else "")
    assert page.locator(".efg-hits").inner_text() != ""
    assert "no " not in page.locator(".efg-hits").inner_text().lower()
    page.goto(page.url.partition("#")[0] + "#view=full&at=1+vs+2,1x2")
    page.wait_for_selector(".efg-ready")
    expect(page.locator(".efg-history")).to_have_text("\u2680 vs \u2681 \u203a 1x2", use_inner_text=True)


def test_search_finds_histories_hands_and_information_sets(viewer, dice):
    page = viewer(dice(3))
    page.focus("svg[role=tree]")
    page.keyboard.press("/")
    for text, button, hits, part, shown in SEARCHES:
        if text is not None:
            page.fill("input[type=search]", text)
            page.keyboard.press("Enter")
        else:
            page.get_by_role("button", name=button).click()
        if hits:
            expect(page.locator(".efg-hits")).to_have_text(hits, use_inner_text=True)
        if part:
            assert shown in page.locator(part).first.inner_text()
        assert active(page).is_visible()
    page.fill("input[type=search]", "2")
    page.keyboard.press("Enter")
    assert "hand 2" in active(page).get_attribute("aria-label")


def test_an_information_set_is_lit_and_folded_members_are_told(viewer, dice):
    page = viewer(dice(2))
    page.get_by_role("button", name="Full tree").click()
    tree = eb.build(eb.game("liars-dice", sides=2))
    first = int(np.flatnonzero(tree.depth == 1)[0])
    k = int(tree.infoset[first])
    members = [int(node) for node in np.flatnonzero(tree.infoset == k)]
    page.locator(f"#view-{first}").click()
    lit = {int(each.get_attribute("id").removeprefix("view-")) for each in page.locator(".efg-node.efg-lit").all()}
    assert lit == set(members)
    expect(page.locator(".efg-same")).to_have_count(1)
    panel = page.locator(".efg-panel")
    assert "2 nodes that the player cannot distinguish: 2 shown, 0 folded away" in panel.inner_text()
    # The second player's set, with one member folded away by folding the node above it.
    deeper = int(tree.infoset[int(np.flatnonzero(tree.player == 1)[0])])
    nodes = [int(node) for node in np.flatnonzero(tree.infoset == deeper)]
    state(page, f"v.acts.goto({nodes[0]})")
    above = int(tree.parent[nodes[1]])
    state(page, f"s.sight.index.has({nodes[1]}) ? v.acts.toggle({above}, false) : null")
    state(page, f"v.acts.goto({nodes[0]})")
    assert "1 shown, 1 folded away" in panel.inner_text()
    expect(page.locator(".efg-node.efg-holds")).to_have_count(1)
    page.get_by_role("button", name="Unfold them").click()
    assert "2 shown, 0 folded away" in panel.inner_text()
    expect(page.locator(".efg-node.efg-lit")).to_have_count(2)


def test_a_hand_of_the_public_tree_shows_its_information_set(viewer, dice):
    page = viewer(dice(3))
    page.locator("#view-0 .efg-row").nth(1).click()
    panel = page.locator(".efg-panel").inner_text()
    assert "2: start" in panel
    assert "≈ 33.3%" not in panel
    (exact,) = set(page.locator(".efg-bar[title^='1/3']").evaluate_all("all => all.map((each) => each.title)"))
    assert exact == "1/3 ≈ 33.3%"  # on hover
    assert "Can be" in panel
    assert "0 to 1" in panel
    page.focus("svg[role=tree]")
    page.keyboard.press("3")
    expect(page.locator(".efg-panel")).to_contain_text("3: start", use_inner_text=True)
    page.locator(".efg-panel").get_by_role("button", name="3 vs 1").click()  # on to the deal itself
    expect(page.get_by_role("button", name="Full tree")).to_have_attribute("aria-pressed", "true")
    assert active(page).get_attribute("aria-label").startswith("3 vs 1")


def test_the_panel_tells_exact_reach_values_and_regret(viewer, dice):
    page = viewer(dice(3))
    page.get_by_role("button", name="Full tree").click()
    tree = eb.build(eb.game("liars-dice", sides=3))
    profile = eb.solve(tree, "lp").profile
    reach = reaches(tree, profile)
    node = max(np.flatnonzero(tree.player == 1).tolist(), key=lambda each: (reach[each], each))
    state(page, f"v.acts.goto({node})")
    panel = page.locator(".efg-panel").inner_text()
    assert f"= {reach[node]} ≈ " in panel  # the product of the moves on the way: 1/9, no whole percents
    believed = beliefs(tree, reach)[node]
    assert f"{believed} " in panel or f"{believed}\n" in panel or believed == 1
    assert "Regret" in panel


def test_switching_solutions_marks_what_changed(viewer, dice):
    page = viewer(dice(3))
    expect(page.locator(".efg-diff")).to_have_count(0)
    page.get_by_label("Solution").select_option(label="uniform")
    expect(page.locator(".efg-caption")).to_have_text("all moves alike", use_inner_text=True)
    expect(page.get_by_label("Compare with")).to_have_value("-1")  # stays as it is until the reader chooses
    expect(page.locator(".efg-diff")).to_have_count(0)
    page.get_by_label("Compare with").select_option(label="equilibrium")
    assert "▲ was −1/9" in page.locator("#view-0").text_content()
    assert page.locator(".efg-differs").count() > 0
    expect(page.get_by_label("Compare with")).to_have_value("0")
    page.get_by_label("Compare with").select_option(label="nothing")
    expect(page.locator(".efg-diff")).to_have_count(0)
    page.focus("svg[role=tree]")
    page.keyboard.press("s")
    expect(page.get_by_label("Solution")).to_have_value("0")
    expect(page.get_by_label("Compare with")).to_have_value("-1")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("Compare with: marks what differs", use_inner_text=True)


def test_a_narrow_screen_has_a_sheet_and_no_sideways_scrolling(viewer, dice):
    page = viewer(dice(3), (390, 780), has_touch=True)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    expect(page.locator("#view-0")).to_be_visible()
    expect(page.locator(".efg-panel")).to_be_hidden()
    page.locator("#view-0 .efg-row").first.tap()
    handle = page.locator(".efg-handle")
    assert handle.inner_text() == "Player 1 · the start"
    handle.tap()
    expect(page.locator(".efg-panel")).to_contain_text("1: start", use_inner_text=True)
    box = page.locator(".efg-stage").bounding_box()
    assert box["height"] > 150
    page.wait_for_function("""() => {
        const at = document.getElementById('view-0').getBoundingClientRect();
        return at.bottom > 0 && at.bottom <= document.querySelector('.efg-stage').getBoundingClientRect().bottom;
    }""")


def test_zoom_fit_and_what_is_out_of_sight(viewer, dice):
    page = viewer(dice(3))
    scale = "s.window.transform.k"
    before = state(page, scale)
    page.get_by_role("button", name="Larger").click()
    assert state(page, scale) == pytest.approx(1.25 * before)
    page.focus("svg[role=tree]")
    page.keyboard.press("-")
    page.keyboard.press("-")
    assert state(page, scale) == pytest.approx(0.8 * before)
    page.keyboard.press("0")
    assert state(page, scale) == pytest.approx(before)
    box = page.locator(".efg-stage").bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2 - 3000, box["y"] + 20, steps=4)
    page.mouse.up()
    page.wait_for_function("() => document.querySelectorAll('[role=treeitem]').length === 1")  # the chosen one stays


def test_large_trees_are_paged_and_limited(viewer, tmp_path):
    chances = " ".join(f'"d{n}" 1/300' for n in range(300))
    ends = "".join(f't "" {n + 1} "" {{ {n}, {-n} }}\n' for n in range(300))
    tree = eb.parse_efg(f'EFG 2 R "dense" {{ "A" "B" }} ""\nc "" 1 "" {{ {chances} }} 0\n{ends}')
    page = viewer(eb.write_viewer(tree, tmp_path / "wide.html"))
    if state(page, "s.view.kind") == "public":
        page.get_by_role("button", name="Full tree").click()
    shown = state(page, "s.sight.order.length")
    assert shown == 26  # the start, moves that fit, and what stands for the others
    assert probe(page, "out") <= 0
    state(page, "v.acts.toggle('more 0')")
    assert state(page, "s.sight.order.length") == shown + 80
    page.wait_for_function("() => location.hash.includes('shown=0:104')")
    page.reload()
    page.wait_for_selector(".efg-ready")
    assert state(page, "s.sight.order.length") == shown + 80
    page.fill("input[type=search]", "d299")
    page.keyboard.press("Enter")
    assert active(page).get_attribute("aria-label").startswith("d299")


# --- in windows of other sizes, and on paper


MILLIMETRE = 72 / 25.4
"""In points, the unit of a PDF's page."""


def sheets(pdf):
    """Width and height of each page in millimetres."""
    boxes = re.findall(rb"/MediaBox ?\[([\d. ]+)\]", pdf)
    return [tuple(round(float(part) / MILLIMETRE) for part in box.split()[2:]) for box in boxes]


def test_no_ring_of_the_keyboard_is_printed(viewer, dice):
    page = viewer(dice(2))
    page.keyboard.press("ArrowRight")
    ring = "getComputedStyle(document.querySelector('.efg-tree')).outlineStyle"
    assert page.evaluate(ring) == "solid"
    page.emulate_media(media="print")
    assert page.evaluate(ring) == "none"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.first(1)
def test_the_whole_tree_prints_on_one_sheet(viewer, dice, scheme):
    page = viewer(dice(2), color_scheme=scheme)
    acts(page, "look('full')")
    probe(page, "unfoldEvery")
    acts(page, "zoom(2)")
    before = page.evaluate("window.efgView.view.state.window.transform.toString()")
    assert page.locator("[role=treeitem]").count() < 125
    assert sheets(page.pdf(prefer_css_page_size=True)) == [(210, 297)]
    # What stands on it, as the browser lays it out.
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    expect(page.locator("[role=treeitem]")).to_have_count(125)  # all nodes of the game
    assert probe(page, "out") <= 6  # the rings around nodes, which are not printed, stand out a little
    expect(page.locator(".efg-panel")).to_be_hidden()
    expect(page.locator(".efg-tools")).to_be_hidden()
    ground = page.evaluate("getComputedStyle(document.querySelector('.efg-viewer')).getPropertyValue('--paper').trim()")
    assert ground == "#ffffff"
    page.emulate_media(media="null")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(page.locator(".efg-panel")).to_be_visible()
    assert page.evaluate("window.efgView.view.state.window.transform.toString()") == before


def test_of_a_large_tree_the_part_in_sight_is_printed_in_letters_that_can_be_read(viewer, dice):
    page = viewer(dice(3))
    acts(page, "look('full')")
    probe(page, "unfoldEvery")
    assert len(sheets(page.pdf(prefer_css_page_size=True))) == 1
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    expect(page.locator(".efg-part")).to_contain_text("1,144", use_inner_text=True)
    page.set_viewport_size({"width": 1047, "height": 718})  # of A4 turned sideways, at 96 pixels to the inch
    width = page.evaluate(
        "document.querySelector('.efg-tree').getScreenCTM().a * window.efgView.view.state.window.transform.k"
    )
    assert 13 * width * 0.75 >= 4  # points
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(page.locator(".efg-part")).to_have_count(0)


def test_a_wide_tree_prints_on_a_sheet_turned_sideways(viewer, dice):
    page = viewer(dice(2))
    acts(page, "look('full')", "fold()", "toggle(0, false)", "toggle(0)", "toggle(1)")
    page.evaluate("window.efgView.view.acts.goto(17)")
    acts(page, "look('public')")
    assert sheets(page.pdf(prefer_css_page_size=True)) == [(297, 210)]
    acts(page, "toggle(0, false)")
    assert len(sheets(page.pdf(prefer_css_page_size=True))) == 1


@pytest.mark.parametrize("kind", ["public", "full"])
def test_it_is_fitted_anew_when_the_window_changes(viewer, dice, kind):
    page = viewer(dice(2))
    acts(page, f"look('{kind}')")
    for width, height in [(900, 700), (1280, 800), (1000, 800)]:
        page.set_viewport_size({"width": width, "height": height})
        at_rest(page)
        assert probe(page, "out") <= 0, (width, height)


def test_what_the_reader_has_enlarged_stays_so(viewer, dice):
    page = viewer(dice(2))
    acts(page, "zoom(1.5)")
    scale = "window.efgView.view.state.window.transform.k"
    before = page.evaluate(scale)
    page.set_viewport_size({"width": 1000, "height": 700})
    at_rest(page)
    assert page.evaluate(scale) == before
