"""What the viewer remembers: its address over a reload, Back and Forward, undo and redo."""

import pytest
from looking import acts, expect, probe
from paths import within

import efg_builder as eb
from efg_builder.display.pages.viewer import viewer_part, write_shown


@pytest.fixture
def at(viewer, dice):
    def opens(address="", **context):
        page = viewer(dice(2), **context)
        if address:
            page.evaluate("(address) => { location.hash = address; }", address)
            page.reload()
        page.wait_for_selector(".efg-ready")
        return page

    return opens


def settled(page, part):
    """Waits until the address, which lags behind, has this in it."""
    page.wait_for_function("(part) => location.hash.includes(part)", arg=part)


def test_the_address_brings_back_what_was_looked_at(at):
    page = at()
    assert page.evaluate("location.hash") == ""  # of its own it writes none
    page.get_by_role("button", name="Full tree").click()
    page.get_by_label("Solution").select_option(label="uniform")
    page.get_by_label("Compare with").select_option(label="equilibrium")
    acts(page, "toggle(1, false)", "toggle(32)", "select(32)")
    settled(page, "at=1+vs+2&s=2&with=1")
    before = probe(page, "shown")
    page.reload()
    page.wait_for_selector(".efg-ready")
    assert probe(page, "shown") == before
    expect(page.get_by_label("Solution")).to_have_value("1")
    expect(page.get_by_label("Compare with")).to_have_value("0")
    acts(page, "look('public')", "row(1)")
    settled(page, "hand=2")
    before = probe(page, "shown")
    page.reload()
    page.wait_for_selector(".efg-ready")
    assert probe(page, "shown") == before
    acts(page, "show(0)", "compare(-1)", "select('never 0')")
    settled(page, "at=~never")
    page.reload()
    page.wait_for_selector(".efg-ready")
    assert probe(page, "shown")["at"] == "never 0"


def test_an_address_written_by_hand_unfolds_the_way(at):
    page = at("view=full&at=2+vs+1,1x2,2x1&s=2")
    expect(page.locator(".efg-history")).to_have_text("2 vs 1 › 1x2 › 2x1", use_inner_text=True)
    assert probe(page, "shown")["now"] == 1
    expect(page.locator(".efg-note")).to_have_text("", use_inner_text=True)


def test_an_address_of_another_tree_is_told(at):
    page = at("view=full&at=2+vs+1,9x9")
    expect(page.locator(".efg-history")).to_have_text("2 vs 1", use_inner_text=True)
    assert 'There is no move "9x9" here' in page.locator(".efg-note").inner_text()
    for odd in ("view=none&at=%E0%A4%A&s=99&open=*&shown=a:b,7:-1&hand=x", "at=,,,&with=-3&shown=0:1e9"):
        page = at(odd)  # nothing of it is there, and nothing breaks
        assert page.locator("[role=treeitem]").count() > 0
    page = at("seed=7")  # another page's anchor is left alone
    assert page.evaluate("location.hash") == "#seed=7"
    assert probe(page, "shown")["at"] == 0


def test_back_and_forward_go_by_trees_and_solutions(at):
    page = at()
    start = probe(page, "shown")
    page.get_by_role("button", name="Full tree").click()
    acts(page, "select(1)", "select(0)", "select(1)")  # no entries of the history
    settled(page, "at=1+vs+1")
    full = probe(page, "shown")
    page.get_by_label("Solution").select_option(label="uniform")
    page.go_back()
    page.wait_for_function("() => window.efgView.view.state.now === 0")
    assert probe(page, "shown") == full
    page.go_back()
    page.wait_for_function("() => window.efgView.view.state.view.kind === 'public'")
    assert probe(page, "shown") == start
    page.go_forward()
    page.wait_for_function("() => window.efgView.view.state.view.kind === 'full'")
    assert probe(page, "shown") == full


def test_undo_and_redo_of_folding_and_choosing(at):
    page = at()
    undo, redo = (page.get_by_role("button", name=name) for name in ("Undo", "Redo"))
    expect(undo).to_be_disabled()
    page.keyboard.press("v")
    seen = [probe(page, "shown")]
    for key in ("ArrowRight", "ArrowLeft", "ArrowRight", "*", "ArrowDown", "s"):
        page.keyboard.press(key)
        if (now := probe(page, "shown")) != seen[-1]:
            seen.append(now)
    assert len(seen) > 5
    for each in seen[-2::-1]:
        page.keyboard.press("Control+z")
        assert probe(page, "shown") == each
    for each in seen[1:-1]:
        page.keyboard.press("Control+Shift+Z")
        assert probe(page, "shown") == each
    redo.click()
    assert probe(page, "shown") == seen[-1]
    expect(redo).to_be_disabled()
    undo.click()
    assert probe(page, "shown") == seen[-2]
    page.focus("svg[role=tree]")
    page.keyboard.press("Home")  # something else: what was undone is gone
    expect(redo).to_be_disabled()
    kind = probe(page, "shown")["kind"]
    page.keyboard.press("/")
    page.keyboard.type("1x2")
    page.keyboard.press("Control+z")  # the search field's own
    assert probe(page, "shown")["kind"] == kind


def test_a_button_copies_the_address(at):
    page = at(permissions=["clipboard-read", "clipboard-write"])
    acts(page, "look('full')", "select(1)")
    page.get_by_role("button", name="Copy link").click()
    page.wait_for_function("() => document.querySelector('.efg-note').textContent.startsWith('Copied')")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == page.evaluate("location.href")
    assert "at=1+vs+1" in copied


def test_a_viewer_within_another_page_leaves_its_address_alone(viewer, tmp_path):
    tree = eb.build(eb.game("liars-dice", sides=2))
    (tmp_path / "within.html").write_text(within("A page", "{}", viewer_part(tree)), "utf-8")
    page = viewer(tmp_path / "within.html")
    acts(page, "look('full')", "select(1)")
    page.wait_for_timeout(400)
    assert page.evaluate("location.hash") == ""
    expect(page.get_by_role("button", name="Copy link")).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    assert probe(page, "shown")["at"] == 0


def test_moves_without_a_name_have_a_number(viewer, tmp_path):
    text = 'EFG 2 R "g" { "A" "B" } ""\np "" 1 1 "x" { "" "a,b&c=d" "same" "same" } 0\n'
    ends = "".join(f't "" {n + 1} "" {{ {n}, {-n} }}\n' for n in range(4))
    write_shown(eb.parse_efg(text + ends), (), tmp_path / "odd.html")
    page = viewer(tmp_path / "odd.html")
    for node, written in [(1, "at=~1&"), (2, "at=a%2Cb%26c%3Dd&"), (4, "at=~4&")]:
        acts(page, f"goto({node})")
        settled(page, written)
        page.reload()
        page.wait_for_selector(".efg-ready")
        assert probe(page, "shown")["at"] == node
