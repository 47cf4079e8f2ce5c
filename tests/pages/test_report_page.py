"""The report in a real browser: on a screen, on a phone, in the dark, on paper, and without scripts."""

import base64
from functools import cache
from pathlib import Path

import pytest
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


def ready(page):
    page.wait_for_selector(".efg-ready")
    return page


@pytest.mark.parametrize("name", EACH)
def test_it_opens_without_errors_and_asks_for_nothing(name, opened, pages):
    page = ready(opened(pages(name)))
    assert page.locator("h1:visible").count() == 1
    # Each entry of the contents leads to a heading with its words.
    for link in page.locator("nav a").all():
        target = page.locator(link.get_attribute("href"))
        assert target.locator("h2").first.inner_text() == link.inner_text()
    page.locator("nav a").nth(3).click()
    assert page.evaluate("document.querySelector(location.hash).getBoundingClientRect().top") < 100


@pytest.mark.parametrize("name", EACH)
def test_no_width_scrolls_sideways(name, opened, pages):
    page = ready(opened(pages(name)))
    for width in (360, 768, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    # What is wider than the page scrolls in its own frame, which the keyboard reaches.
    assert page.locator(".report .frame:not([tabindex='0'])").count() == 0


@pytest.mark.parametrize("scheme", [pytest.param("light", marks=pytest.mark.slow), "dark"])
@pytest.mark.parametrize("name", EACH)
@pytest.mark.slow
def test_no_serious_finding(name, scheme, opened, pages, serious):
    assert serious(ready(opened(pages(name), color_scheme=scheme))) == []


def test_the_dark_is_dark(opened, pages):
    shade = "getComputedStyle(document.querySelector('.report')).backgroundColor"
    light, dark = (
        opened(pages("sides-3"), color_scheme=scheme).evaluate(
            f"{shade}.match(/\\d+/g).slice(0, 3).reduce((a, b) => a + Number(b), 0)"
        )
        for scheme in ("light", "dark")
    )
    assert light > 700
    assert dark < 120


def test_without_scripts_it_is_read_as_well(opened, pages):
    page = opened(pages("sides-3"), java_script_enabled=False)
    for section in page.locator("section[aria-labelledby]").all():
        assert section.locator("h2").first.is_visible()
    assert page.locator(".picture svg").is_visible()
    assert page.locator("#bids table").first.is_visible()


def test_on_paper_the_picture_stands_for_the_viewer(opened, pages):
    page = ready(opened(pages("sides-3")))
    page.emulate_media(media="print")
    assert not page.locator(".efg-viewer").is_visible()
    assert page.locator(".picture svg").is_visible()
    assert not page.locator("#explore").is_visible()
    assert not page.locator("nav a[href='#explore']").is_visible()
    paper = page.pdf(prefer_css_page_size=True)
    assert paper.startswith(b"%PDF")
    # A4 in points.
    assert b"/MediaBox [0 0 594.95996 841.91998]" in paper or b"/MediaBox [0 0 595" in paper


@pytest.mark.parametrize("name", EACH)
def test_on_paper_no_letter_of_the_picture_is_below_six_points(name, opened, pages):
    page = ready(opened(pages(name)))
    # The width of the paper between its margins, in pixels.
    page.set_viewport_size({"width": 729, "height": 900})
    page.emulate_media(media="print")
    assert page.locator(".picture svg:visible").count() == 1
    least = page.evaluate(
        """[...document.querySelectorAll('.picture svg')].filter(svg => svg.getBoundingClientRect().width).map(svg => {
          const scale = svg.getScreenCTM().a
          const sizes = [...svg.querySelectorAll('text')].map(t => parseFloat(getComputedStyle(t).fontSize))
          return Math.min(...sizes) * scale
        })[0] * 0.75"""
    )
    assert least >= 5.99


@pytest.mark.parametrize("name", EACH)
def test_on_a_phone_no_number_is_cut_without_a_hint(name, opened, pages):
    page = ready(opened(pages(name), viewport={"width": 390, "height": 844}))
    assert page.evaluate("(f => f.scrollWidth <= f.clientWidth)(document.querySelector('.sizes').parentElement)")
    frames = page.locator(".report .frame, .report .picture")
    for index in range(frames.count()):
        frame = frames.nth(index)
        wide, hint = frame.evaluate(
            "f => [f.scrollWidth > f.clientWidth + 1, Number(getComputedStyle(f, '::after').opacity)]"
        )
        assert (hint > 0.5) == wide
        if wide:
            frame.evaluate("f => { f.scrollLeft = f.scrollWidth }")
            page.wait_for_function("f => getComputedStyle(f, '::after').opacity < 0.1", arg=frame.element_handle())


@pytest.mark.parametrize("name", [EACH[0], EACH[-1]])
def test_the_certificate_is_saved_as_a_file_that_is_proved(name, opened, pages, tmp_path):
    page = ready(opened(pages(name), accept_downloads=True))
    link = page.locator("#certificate-file")
    assert link.get_attribute("download") == "certificate.json.gz"
    file = tmp_path / "certificate.json.gz"
    file.write_bytes(base64.b64decode(link.get_attribute("href").partition(",")[2]))
    with page.expect_download() as download:
        link.click()
    assert Path(download.value.path()).read_bytes() == file.read_bytes()
    assert run(["verify", str(file), *GAMES[name]]) == 0


def test_the_viewer_in_it_is_alive(opened, pages):
    page = ready(opened(pages("sides-3")))
    assert page.locator("#view [role=treeitem]").count() > 1


FOREIGN = {
    "horse": "journals/ijgt/selten1975/fig1",
    "centipede": "books/shohamleytonbrown2008/fig5_9",
    "signalling": "books/watson2013/fig29_1",
    "bagwell": "journals/geb/bagwell1995",
    "poker": "books/myerson1991/fig2_1",
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
def test_of_a_small_foreign_game_the_whole_tree_stands_under_the_summary(name, opened, foreign, axe):
    tree = eb.read_efg(PATHS[FOREIGN[name]])
    for scheme in ("light", "dark"):
        for width, height in ((390, 844), (1280, 720)):
            page = ready(opened(foreign(name), viewport={"width": width, "height": height}, color_scheme=scheme))
            assert page.locator("header + section").get_attribute("id") == "picture"
            words = page.locator("#picture svg").inner_html()
            for action in {action for infoset in tree.infosets for action in infoset.actions}:
                assert f">{action}<" in words or f">{action} " in words
            assert axe(page) == []


@pytest.mark.parametrize("name", FOREIGN)
@pytest.mark.first(1)
def test_a_handout_of_a_foreign_game_is_one_sheet(name, opened, foreign, axe):
    handed_out(opened(foreign(name, short=True)), axe)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.first(1)
@pytest.mark.slow
def test_a_handout_is_one_sheet(name, opened, axe, tmp_path):
    assert run(["report", *GAMES[name], "--short", "-o", str(tmp_path / "r.html")]) == 0
    handed_out(opened(tmp_path / "r.html"), axe)


def handed_out(page, axe):
    """Value, how to play and the proof, on one sheet from which nothing is cut off, and the picture can be read."""
    assert axe(page) == []
    for words in ("average", "How to play", "The proof", "efg-builder verify"):
        assert words in page.locator("main").inner_text()
    (full,) = filled(page.pdf(prefer_css_page_size=True))
    assert 0.6 < full < 0.95
    page.set_viewport_size({"width": 729, "height": 1000})
    page.emulate_media(media="print")
    assert page.evaluate("(sheet => sheet.scrollHeight - sheet.clientHeight)(document.querySelector('main'))") <= 0
    scales = page.evaluate(
        """[...document.querySelectorAll('.picture svg')].map(svg => svg.getScreenCTM().a * 0.75 * Math.min(
          ...[...svg.querySelectorAll('text')].map(t => parseFloat(getComputedStyle(t).fontSize))))"""
    )
    assert all(least >= 5 for least in scales)
    page.emulate_media(media="null")


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.first(1)
def test_no_sheet_is_half_empty(name, opened, pages):
    fills = filled(ready(opened(pages(name))).pdf(prefer_css_page_size=True))
    assert len(fills) <= 7
    assert all(full > 0.7 for full in sorted(fills)[1:])  # the last one ends where the report does


@pytest.mark.parametrize("name", FOREIGN)
@pytest.mark.slow
def test_no_sheet_of_a_foreign_game_is_half_empty(name, opened, foreign):
    fills = filled(ready(opened(foreign(name))).pdf(prefer_css_page_size=True))
    assert len(fills) <= 4
    assert all(full > 0.7 for full in sorted(fills)[1:])
