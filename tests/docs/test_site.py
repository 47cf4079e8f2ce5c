"""The site: it is built without a warning, each link in it leads somewhere, and nothing public is left out."""

import base64
import gzip
import html
import json
import os
import re
import runpy
import subprocess
import sys
from importlib.util import find_spec
from urllib.parse import unquote, urlsplit
from xml.etree.ElementTree import fromstring

import pytest
from paths import DOCS, ROOT

import efg_builder as eb
import gallery
from efg_builder.base.parameters import collect
from efg_builder.cli import COMMANDS, root, run
from efg_builder.players.find import players

WANTED = ("sphinx", "furo", "myst_nb", "sphinx_design", "sphinx_copybutton")
LOOKED_AT = (
    *("index", "howto/index", "reference/index", "tutorials/two-sided", "proof", "oracle"),
    *("howto/picture", "glossary", "faq", "from-gambit", "from-openspiel", "reference/api/solve"),
    *("reference/commands/draw", "about/citation"),
)
"""Pages of each kind, which axe looks at."""
AREAS = runpy.run_path(str(DOCS / "_ext" / "areas.py"))
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(any(find_spec(name) is None for name in WANTED), reason="needs the extra 'docs'"),
]


def moved():
    """The removed pages, each with the page that has its text; the script needs Sphinx, which these tests may lack."""
    return runpy.run_path(str(DOCS / "_ext" / "moved_pages.py"))["MOVED"]


def built(folder, *options, **settings):
    """The site in *folder*, as the one command builds it."""
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html", *options, str(DOCS), str(folder)],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": str(ROOT), "DOCS_REPOSITORY": ""} | settings,
    )
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    return built(tmp_path_factory.mktemp("site"))


@pytest.fixture(scope="module")
def pages(site):
    return {path: path.read_text("utf-8") for path in site.rglob("*.html")}


@pytest.fixture(scope="module")
def variants(site):
    """What the page of the atlas holds of each variant, packed."""
    packed = re.search(r'id="atlas-data">([^<]*)<', (site / "atlas/index.html").read_text("utf-8"))[1]
    return json.loads(gzip.decompress(base64.b64decode(packed)))["variants"]


def test_each_link_and_image_leads_somewhere(site, pages, variants):
    places = {path: set(re.findall(r'\sid="([^"]+)"', text)) for path, text in pages.items()}
    places[site / "atlas/index.html"] |= {each["name"] for each in variants}
    setup = re.search(r'id="setup"[^>]*>([^<]*)<', (site / "try/index.html").read_text("utf-8"))[1]
    places[site / "try/index.html"] |= {f"game={name}" for name in json.loads(setup)["games"]}
    checked, wrong = 0, []
    for path, text in pages.items():
        for found in re.findall(r'\s(?:href|src)="([^"]*)"', text):
            link = urlsplit(html.unescape(found))
            if link.scheme or link.netloc:
                continue
            target = (path.parent / unquote(link.path)).resolve() if link.path else path
            checked += 1
            # A state of a page with bars to move is no place in it.
            place = "" if "view=explore" in link.fragment else unquote(link.fragment)
            if not target.is_file() or (place and target in places and place not in places[target]):
                wrong.append(f"{path.relative_to(site)}: {found}")
    assert not wrong
    assert checked > 5000


def test_an_old_address_leads_to_the_page_that_has_its_text(site, pages):
    for old, new in moved().items():
        text, (page, mark, part) = pages[site / f"{old}.html"], new.partition("#")
        (target,) = re.findall(r'<meta http-equiv="refresh" content="0; url=([^"]+)">', text)
        assert f'<a href="{target}">' in text
        place, _, fragment = target.partition("#")
        assert (site / f"{old}.html").parent.joinpath(place).resolve() == (site / f"{page}.html").resolve()
        assert fragment == part
        assert not mark or f'id="{part}"' in pages[site / f"{page}.html"]
        assert not (DOCS / f"{old}.md").exists()


def test_a_browser_follows_an_old_address(site, browser):
    page = browser.new_page()
    page.goto((site / "howto/checker.html").as_uri())
    page.wait_for_url((site / "proof.html").as_uri() + "#without-this-package")
    page.close()


def test_nothing_is_loaded_from_elsewhere(pages):
    """Links may leave the site; scripts, styles, pictures and frames may not."""
    loaded = r'<(?:script|img|iframe|source|video|object)\b[^>]*\s(?:src|data)="((?:https?:)?//[^"]+)"'
    styles = r'<link\b(?=[^>]*rel="(?:stylesheet|preload|preconnect|icon)")[^>]*href="((?:https?:)?//[^"]+)"'
    assert not [found for text in pages.values() for found in re.findall(f"{loaded}|{styles}", text)]


def test_the_search_knows_titles_and_words(site):
    index = (site / "searchindex.js").read_text("utf-8")
    assert "Why a certificate proves the value" in index
    assert "--checkpoint" in index
    assert "efg_builder" in index


def test_the_atlas_is_part_of_it(site, variants):
    assert 'href="atlas/index.html"' in (site / "variants.html").read_text("utf-8")
    assert len(list((site / "atlas/play").glob("*.html"))) > 100
    links = {link for each in variants for link in re.findall(r'href="([^"#]+)"', each["markup"])}
    assert len(links) > 300
    assert not [link for link in links if not (site / "atlas" / unquote(link)).is_file()]


def test_every_public_name_has_a_place(site):
    text = "".join(path.read_text("utf-8") for path in (site / "reference/api").glob("*.html"))
    places = set(re.findall(r'\sid="efg_builder\.(\w+)"', text))
    assert places - set(AREAS["WORDS"]) == set(eb.__all__)
    for area in AREAS["AREAS"].values():
        for name, module in area.returned.items():
            assert f'id="efg_builder.{module}.{name}"' in text


def test_signatures_show_values_and_link_types(site):
    for path in (site / "reference/api").glob("*.html"):
        for shown in re.findall(r'<dt class="sig.*?</dt>', path.read_text("utf-8"), flags=re.DOTALL):
            assert not re.search(r"&lt;(?:object|function|factory|efg)", shown), path.name
            without_links = re.sub(r"<a .*?</a>|sig-name.*?</span></span>", "", shown, flags=re.DOTALL)
            words = set(re.findall(r'<span class="pre">([A-Z]\w+)</span>', without_links))
            assert not words & {*eb.__all__, *AREAS["WORDS"], "Ranges", "Match"}, path.name


def test_every_option_of_every_command_has_a_place(site):
    for name in COMMANDS:
        text = (site / f"reference/commands/{name}.html").read_text("utf-8")
        places = set(re.findall(rf'\sid="cmdoption-efg-builder-{name}-([\w-]+)"', text))
        shown = [one for one in root.get_command(None, name).params if not getattr(one, "hidden", False)]
        options = [one.opts for one in shown if one.param_type_name == "option"]
        assert places >= {max(names, key=len).lstrip("-") for names in options}, name


@pytest.mark.parametrize(
    ("page", "listed"),
    [("games", lambda: collect("efg_builder.games", "GAMES")), ("methods", eb.methods), ("players", players)],
)
def test_every_setting_is_listed(site, page, listed):
    _, *sections = (site / f"reference/lists/{page}.html").read_text("utf-8").split("<h2>")
    said = {each.partition("<")[0]: re.findall("<dt>(.*?)</dt>", each) for each in sections}
    assert {name: [html.unescape(re.sub("<[^>]+>", "", key)) for key in keys] for name, keys in said.items()} == {
        name: [f"{parameter.name}={parameter.default}" for parameter in one.parameters]
        for name, one in listed().items()
    }


def test_pages_can_be_edited_where_the_repository_has_an_address(tmp_path):
    address = "https://example.org/someone/efg"
    folder = built(tmp_path, "-D", "atlas=0", DOCS_REPOSITORY=address)
    page = (folder / "your-own-game.html").read_text("utf-8")
    assert f'href="{address}/tree/main/docs/games"' in page
    assert f'href="{address}/edit/main/docs/your-own-game.md"' in page
    # Nobody edits what is made of the package.
    assert address not in (folder / "reference/commands/solve.html").read_text("utf-8")
    assert f'href="{address}"' in (folder / "index.html").read_text("utf-8")
    citation = re.sub("<[^>]+>", "", (folder / "about/citation.html").read_text("utf-8"))
    assert f"url = {{{address}}}" in citation


def test_words_beside_code_are_apart_and_options_stay_whole(site):
    """In the pages of the commands: no lost blank after an option, and none that a line may break."""
    for path in sorted((site / "reference/commands").glob("*.html")):
        text = path.read_text("utf-8")
        assert not re.findall(r"</code>[\w'(][^<]*", text), path.name
        assert not re.findall(r"[\w'](?=<code)[^>]*>", text), path.name
        for classes, word in re.findall(r'<code class="([^"]*)"><span class="pre">(--?[\w-]+)</span></code>', text):
            assert "option" in classes.split(), (path.name, word)
    assert ".option" in (site / "_static/site.css").read_text("utf-8")


def elements(svg):
    return [(each.tag, each.text, each.attrib) for each in fromstring(svg).iter() if each.get("viewBox") is None]


def test_a_dark_page_shows_what_draw_makes_for_one(tmp_path):
    dark = runpy.run_path(str(DOCS / "_ext" / "dark_pictures.py"))["dark"]
    for name, words in gallery.commands(tmp_path).items():
        if words[0] == "draw" and "--colors" not in words:
            for colors in ("plain", "dark"):
                assert run([*words[:-1], str(tmp_path / f"{colors}.svg"), "--colors", colors]) == 0
            light, twin = ((tmp_path / f"{colors}.svg").read_text("utf-8") for colors in ("plain", "dark"))
            assert elements(dark(light)) == elements(twin), name


def test_each_picture_follows_the_page_and_opens_by_itself(pages):
    """Furo shows one of the two twins, and the light one on paper; a click opens the one that is shown."""
    total = 0
    for path, text in pages.items():
        light, dark = (
            re.findall(rf'<a class="picture only-{kind} [^>]*href="([^"]+)"><img [^>]*src="\1"', text)
            for kind in ("light", "dark")
        )
        assert dark == [link.replace("_images/", "_images/dark-") for link in light], path
        assert sorted(light + dark) == sorted(re.findall(r'<img [^>]*src="([^"]*_images/[^"]+\.svg)"', text)), path
        total += len(light)
    assert total > 30


# --- the front page, cards, copy buttons


def test_the_front_page_names_the_version_and_leads_to_license_and_citation(site, pages):
    front = pages[site / "index.html"]
    assert f"efg_builder {eb.__version__}" in front
    for page in ("changelog", "license", "citation", "contributing"):
        assert f'href="about/{page}.html"' in front
    assert "_static/favicon.svg" in front
    assert all('name="description"' in text for path, text in pages.items() if path.parent == site / "howto")
    assert (ROOT / "LICENSE").read_text("utf-8").splitlines()[0] in pages[site / "about/license.html"]


@pytest.mark.parametrize("name", ["index", "howto/index", "reference/index"])
def test_a_list_of_pages_is_cards_with_a_sentence_each(site, pages, name):
    """The same list is plain Markdown in the repository: no directive stands between its entries."""
    text = (DOCS / f"{name}.md").read_text("utf-8")
    assert "```{" not in text
    entries = re.findall(r"(?m)^- (.+(?:\n  .+)*)", text)
    assert all(re.search(r"\)[.:]\s+\S.*[.]$|>`: .*[.]$", entry, re.DOTALL) for entry in entries)
    cards = re.findall(r'<div class="sd-card-body.*?</div>', pages[site / f"{name}.html"], re.DOTALL)
    assert len(cards) == len(entries) > 2
    assert all(len(re.findall("<p", card)) == 2 for card in cards)


def test_each_page_leads_to_try_it(site, pages):
    old = {site / f"{name}.html" for name in moved()}
    for path, text in pages.items():
        if path not in old and path.relative_to(site).parts[0] not in ("atlas", "try", "_static", "kuhn.html"):
            assert re.search(r'class="announcement-content">\s*<a href="(?:\.\./)*try/index\.html"', text), path


def test_comments_of_a_shell_are_not_copied(site, pages):
    assert 'class="c1 c1-Shell"' in pages[site / "howto/picture.html"]
    assert ".c1-Shell" in (site / "_static/copybutton.js").read_text("utf-8")


# --- in a browser


@pytest.mark.parametrize("width", [1280, 390])
def test_the_bars_of_the_front_page_move(site, browser, width):
    """The page opens with a bluff that is too frequent; with less of it, the bounds meet at -1/18 (Kuhn 1950)."""
    page = browser.new_page(viewport={"width": width, "height": 844})
    page.goto((site / "index.html").as_uri())
    live = page.frame_locator("iframe.live")
    # The sentence above the frame names the bar, which is in sight.
    bar = live.get_by_role("slider", name="J").first
    assert bar.bounding_box()["y"] < 844
    game = page.frames[1]
    game.wait_for_selector(".efg-ready")
    assert game.evaluate("efg.state().bounds") == ["-1/6", "-1/18"]
    bar.focus()
    for _ in range(10):
        if game.evaluate("new Set(efg.state().bounds).size") == 1:
            break
        page.keyboard.press("ArrowRight")
    assert game.evaluate("efg.state().bounds") == ["-1/18", "-1/18"]
    page.close()


def test_no_block_is_wider_than_its_column(site, pages, browser):
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    cut = {}
    for path in sorted(pages.keys() - {site / f"{old}.html" for old in moved()}):
        if path.relative_to(site).parts[0] not in ("atlas", "_static"):
            page.goto(path.as_uri())
            blocks = "article pre, article .table-wrapper, article .output, article img"
            wide = f"[...document.querySelectorAll('{blocks}')].filter(b => b.scrollWidth > b.clientWidth + 1).length"
            if count := page.evaluate(wide):
                cut[path.relative_to(site).as_posix()] = count
    page.close()
    assert not cut


def test_a_shadow_is_at_the_edge_of_what_scrolls_on_a_phone(site, browser):
    page = browser.new_page(viewport={"width": 390, "height": 900})
    scrolls = """[...document.querySelectorAll("article *")].filter(one => one.scrollWidth > one.clientWidth + 1
        && /auto|scroll/.test(getComputedStyle(one).overflowX)).map(one => getComputedStyle(one).backgroundImage)"""
    shadows = []
    for name in ("commands", "comparison", *LOOKED_AT):
        page.goto((site / f"{name}.html").as_uri())
        shadows += page.evaluate(scrolls)
    page.close()
    assert len(shadows) > 20
    assert all("gradient" in shadow for shadow in shadows)


@pytest.mark.parametrize("colors", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_axe_finds_nothing(site, browser, width, colors):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed").Axe()
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=colors)
    found = {}
    for name in LOOKED_AT:
        page.goto((site / f"{name}.html").as_uri())
        if broken := [rule["id"] for rule in axe.run(page).response["violations"]]:
            found[name] = broken
        assert page.evaluate("document.documentElement.scrollWidth") <= width, name
    page.close()
    assert not found
