"""The viewer in windows of other sizes, and on paper."""

import re

import pytest
from looking import acts, probe

import efg_builder as eb
from efg_builder.display.pages.viewer import Shown, write_shown

MILLIMETRE = 72 / 25.4
"""In points, the unit of a PDF's page."""


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    tree = eb.build(eb.game("liars-dice", sides=2))
    write_shown(
        tree,
        [Shown("equilibrium", eb.solve(tree, "lp").profile, "verified"), Shown("u", eb.TreeProfile.uniform(tree))],
        found := tmp_path_factory.mktemp("paper") / "page.html",
    )
    return found


def sheets(pdf):
    """Width and height of each page in millimetres."""
    boxes = re.findall(rb"/MediaBox ?\[([\d. ]+)\]", pdf)
    return [tuple(round(float(part) / MILLIMETRE) for part in box.split()[2:]) for box in boxes]


def test_no_ring_of_the_keyboard_is_printed(viewer, path):
    page = viewer(path)
    page.keyboard.press("ArrowRight")
    ring = "getComputedStyle(document.querySelector('.efg-tree')).outlineStyle"
    assert page.evaluate(ring) == "solid"
    page.emulate_media(media="print")
    assert page.evaluate(ring) == "none"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.first(1)
def test_the_whole_tree_prints_on_one_sheet(viewer, path, scheme):
    page = viewer(path, color_scheme=scheme)
    acts(page, "look('full')", "unfoldAll()", "zoom(2)")
    before = page.evaluate("window.efgView.view.state.window.transform.toString()")
    assert page.locator("[role=treeitem]").count() < 125
    assert sheets(page.pdf(prefer_css_page_size=True)) == [(210, 297)]
    # What stands on it, as the browser lays it out.
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    assert page.locator("[role=treeitem]").count() == 125  # all nodes of the game
    assert probe(page, "out") <= 6  # the rings around nodes, which are not printed, stand out a little
    assert not page.locator(".efg-panel").is_visible()
    assert not page.locator(".efg-tools").is_visible()
    ground = page.evaluate("getComputedStyle(document.querySelector('.efg-viewer')).getPropertyValue('--paper').trim()")
    assert ground == "#ffffff"
    page.emulate_media(media="null")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator(".efg-panel").is_visible()
    assert page.evaluate("window.efgView.view.state.window.transform.toString()") == before


def test_a_wide_tree_prints_on_a_sheet_turned_sideways(viewer, path):
    page = viewer(path)
    acts(page, "look('full')", "fold()", "toggle(0, false)", "toggle(0)", "toggle(1)")
    page.evaluate("window.efgView.view.acts.goto(17)")
    acts(page, "look('public')")
    assert sheets(page.pdf(prefer_css_page_size=True)) == [(297, 210)]
    acts(page, "toggle(0, false)")
    assert len(sheets(page.pdf(prefer_css_page_size=True))) == 1


@pytest.mark.parametrize("kind", ["public", "full"])
def test_it_is_fitted_anew_when_the_window_changes(viewer, path, kind):
    page = viewer(path)
    acts(page, f"look('{kind}')")
    for width, height in [(900, 700), (1280, 800), (1000, 800)]:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(200)
        assert probe(page, "out") <= 0, (width, height)


def test_what_the_reader_has_enlarged_stays_so(viewer, path):
    page = viewer(path)
    acts(page, "zoom(1.5)")
    scale = "window.efgView.view.state.window.transform.k"
    before = page.evaluate(scale)
    page.set_viewport_size({"width": 1000, "height": 700})
    page.wait_for_timeout(200)
    assert page.evaluate(scale) == before
