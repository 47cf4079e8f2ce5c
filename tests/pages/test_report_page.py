"""The report in a real browser: on a screen, on a phone, in the dark, on paper, and without scripts."""

import base64
from functools import cache
from pathlib import Path

import pytest
from looking import expect, probe
from paper import filled

import catalogue
import efg_builder as eb
from efg_builder.cli import run

GAMES = {
    "sides-3": ("liars-dice", "sides=3"),
    "poker": ("dice-poker",),
    "mia": ("mia",),
    "two-against-one": ("liars-dice", "sides=6", "dice=2,1"),
}

EACH = [name if name == "sides-3" else pytest.param(name, marks=pytest.mark.slow) for name in GAMES]


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("reports")

    @cache
    def written(name):
        assert run(["report", *GAMES[name], "-o", str(folder / f"{name}.html")]) == 0
        return folder / f"{name}.html"

    return written


@pytest.mark.parametrize("name", EACH)
def test_it_opens_on_every_screen_and_on_paper(name, viewer, pages):
    page = viewer(pages(name))
    expect(page.locator("h1:visible")).to_have_count(1)
    assert page.locator("#view [role=treeitem]").count() > 1
    # Each entry of the contents leads to a heading with its words.
    for link in page.locator("nav a").all():
        target = page.locator(link.get_attribute("href"))
        assert target.locator("h2").first.inner_text() == link.inner_text()
    page.locator("nav a").nth(3).click()
    assert page.evaluate("document.querySelector(location.hash).getBoundingClientRect().top") < 100
    for width in (360, 768, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    # What is wider than the page scrolls in its own frame, which the keyboard reaches, and says so on a phone.
    expect(page.locator(".report .frame:not([tabindex='0'])")).to_have_count(0)
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("(f => f.scrollWidth <= f.clientWidth)(document.querySelector('.sizes').parentElement)")
    for frame in page.locator(".report .frame, .report .picture").all():
        wide = frame.evaluate("f => f.scrollWidth > f.clientWidth + 1")
        # The browser draws the hint with the next frame, which may take a while on a busy machine.
        hinted = "([f, wide]) => (getComputedStyle(f, '::after').opacity > 0.5) === wide"
        page.wait_for_function(hinted, arg=[frame.element_handle(), wide])
        if wide:
            frame.evaluate("f => { f.scrollLeft = f.scrollWidth }")
            page.wait_for_function("f => getComputedStyle(f, '::after').opacity < 0.1", arg=frame.element_handle())
    # The width of the paper between its margins, in pixels; letters in points.
    page.set_viewport_size({"width": 729, "height": 900})
    page.emulate_media(media="print")
    letters = probe(page, "pictureLetters")
    assert len(letters) == 2
    assert min(letters) >= 5.99
    for absent in (".efg-viewer", "#explore", "nav a[href='#explore']"):
        expect(page.locator(absent)).to_be_hidden()
    page.emulate_media(media="null")
    paper = page.pdf(prefer_css_page_size=True)
    # A4 in points; the last sheet ends where the report does.
    assert b"/MediaBox [0 0 594.95996 841.91998]" in paper or b"/MediaBox [0 0 595" in paper
    fills = filled(paper)
    assert len(fills) <= 7
    assert all(full > 0.7 for full in sorted(fills)[1:])


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", EACH)
@pytest.mark.first(1)
@pytest.mark.slow
def test_no_serious_finding(name, scheme, viewer, pages, serious):
    assert serious(viewer(pages(name), color_scheme=scheme)) == []


def test_page_and_picture_are_dark_on_a_dark_screen_only(opened, pages):
    dark = opened(pages("sides-3"), color_scheme="dark")
    light = opened(pages("sides-3"))
    shades = """['backgroundColor', 'fill'].map((name, k) => getComputedStyle(document.querySelector(
        ['.report', '.picture svg rect'][k]))[name].match(/\\d+/g).reduce((a, b) => a + Number(b), 0))"""
    assert max(dark.evaluate(shades)) < 120
    assert min(light.evaluate(shades)) > 700
    dark.emulate_media(media="print")
    assert min(dark.evaluate(shades)) > 700


def test_without_scripts_it_is_read_as_well(opened, pages):
    page = opened(pages("sides-3"), java_script_enabled=False)
    for section in page.locator("section[aria-labelledby]").all():
        assert section.locator("h2").first.is_visible()
    expect(page.locator(".picture svg")).to_have_count(2)
    expect(page.locator(".picture svg").first).to_be_visible()
    expect(page.locator("#sheet svg")).to_be_visible()
    expect(page.locator("#bids table").first).to_be_visible()


@pytest.mark.parametrize("name", [EACH[0], EACH[-1]])
def test_the_certificate_is_saved_as_a_file_that_is_proved(name, viewer, pages, tmp_path):
    page = viewer(pages(name), accept_downloads=True)
    link = page.locator("#certificate-file")
    file = tmp_path / "certificate.json.gz"
    assert link.get_attribute("download") == file.name
    file.write_bytes(base64.b64decode(link.get_attribute("href").partition(",")[2]))
    with page.expect_download() as download:
        link.click()
    assert Path(download.value.path()).read_bytes() == file.read_bytes()
    assert run(["verify", str(file), *GAMES[name]]) == 0


FOREIGN = {
    "horse": "journals/ijgt/selten1975/fig1",
    "centipede": "books/shohamleytonbrown2008/fig5_9",
    "signalling": "books/watson2013/fig29_1",
    "bagwell": "journals/geb/bagwell1995",
    "myerson": "books/myerson1991/fig2_1",
}
PATHS = dict(catalogue.games())


@pytest.fixture(scope="module")
def foreign(tmp_path_factory):
    folder = tmp_path_factory.mktemp("foreign")

    @cache
    def written(name, short=False):
        if not PATHS:
            pytest.skip("the installed pygambit has no catalogue")
        return eb.write_report(PATHS[FOREIGN[name]], folder / f"{name}-{short}.html", short=short)

    return written


@pytest.mark.parametrize("name", FOREIGN)
@pytest.mark.first(1)
def test_of_a_small_foreign_game_the_whole_tree_stands_under_the_summary(name, viewer, foreign, axe):
    tree = eb.read_efg(PATHS[FOREIGN[name]])
    for scheme in ("light", "dark"):
        for size in ((390, 844), (1280, 720)):
            page = viewer(foreign(name), size, color_scheme=scheme)
            expect(page.locator("header + section")).to_have_attribute("id", "picture")
            words = page.locator("#picture svg").inner_html()
            for action in {action for infoset in tree.infosets for action in infoset.actions}:
                assert any(f">{action}{end}" in words for end in ("<", " ", ":<"))
            assert axe(page) == []
    fills = filled(page.pdf(prefer_css_page_size=True))
    assert len(fills) <= 4
    assert all(full > 0.7 for full in sorted(fills)[1:])


@pytest.mark.parametrize("name", [*FOREIGN, *GAMES])
@pytest.mark.first(1)
def test_a_handout_is_one_sheet(name, opened, foreign, axe, tmp_path):
    """Value, how to play and the proof, on one sheet from which nothing is cut off, and the picture can be read."""
    path = tmp_path / "r.html"
    if name in GAMES:
        assert run(["report", *GAMES[name], "--short", "-o", str(path)]) == 0
    page = opened(path if name in GAMES else foreign(name, short=True))
    assert axe(page) == []
    for words in ("average", "How to play", "The proof", "efg-builder verify"):
        assert words in page.locator("main").inner_text()
    (full,) = filled(page.pdf(prefer_css_page_size=True))
    assert 0.6 < full < 0.95
    page.set_viewport_size({"width": 729, "height": 1000})
    page.emulate_media(media="print")
    sizes = "[...document.querySelectorAll('main p.note')].map(each => parseFloat(getComputedStyle(each).fontSize))"
    assert all(size < 12 for size in page.evaluate(sizes))
    assert page.evaluate("(sheet => sheet.scrollHeight - sheet.clientHeight)(document.querySelector('main'))") <= 0
    assert all(least >= 5 for least in probe(page, "pictureLetters"))
