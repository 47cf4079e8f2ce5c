"""The atlas of a sweep: its figures are those of the rows, its files prove and play, and a browser can use it."""

import base64
import gzip
import html
import json
import re
import shlex
import shutil
import sqlite3
from contextlib import closing
from fractions import Fraction

import pytest
from looking import expect
from paths import ROOT
from sweeps_here import sweeps_here

from efg_builder.cli import run
from efg_builder.display.pages.atlas import CERTIFICATE_BYTES, NODES, write_atlas
from efg_builder.experiments.sweeps.table import read
from efg_builder.proof.certificate import verify_file

SWEEPS = (
    ("sides=2..3", "dice=1,1;2,1;1,2", "wild=none;highest", "order=quantity-face"),
    ("sides=2", "dice=1,1;2,1", "wild=none;highest", "order=face-quantity"),
    ("dice=1,1,1",),
)
BRACKET = "liars-dice sides=3 dice=2,1 wild=none"
FAILED = "liars-dice sides=3 dice=1,2 wild=none"


def change(path, like, words):
    """Change the one row whose key begins with *like*, under quantity-face; it loses its certificate."""
    with closing(sqlite3.connect(path)) as db, db:
        (key,) = db.execute(
            "SELECT key FROM variants WHERE key LIKE ? AND key LIKE '%order=quantity-face%'", (f"{like}%",)
        ).fetchone()
        db.execute(f"UPDATE variants SET {words} WHERE key = ?", (key,))
        db.execute("DELETE FROM certificates WHERE key = ?", (key,))


@pytest.fixture(scope="module")
def sweep(tmp_path_factory):
    path = tmp_path_factory.mktemp("sweep") / "sweep.db"
    with sweeps_here():
        for words in SWEEPS:
            assert run(["sweep", "liars-dice", *words, "--workers", "1", "-o", str(path)]) == 0
    # 1/9 is what is proved of it (thomasahle/snyd, README): of this bracket it lies in the middle.
    change(path, BRACKET, "status = 'timeout', exact = 0, value = NULL, lower = '1/10', upper = '11/90', timeout = 7")
    change(path, FAILED, "status = 'failed', exact = 0, value = NULL, lower = NULL, upper = NULL, error = 'no <luck>'")
    return path


@pytest.fixture(scope="module")
def atlas(sweep, tmp_path_factory):
    folder = tmp_path_factory.mktemp("atlas")
    return write_atlas(sweep, folder)


def stored(index):
    packed = re.search(r'id="atlas-data">([^<]*)<', index.read_text())[1]
    return json.loads(gzip.decompress(base64.b64decode(packed)))


def entry(atlas, name):
    (found,) = [each for each in stored(atlas.index)["variants"] if each["name"] == name]
    return found


def words(markup):
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", markup)).split())


def name(row):
    dice, wild = row.settings["dice"].replace(",", "-against-"), row.settings["wild"]
    return (
        f"{dice}_{row.settings['sides']}-sided_{'plain' if wild == 'none' else 'wild-highest'}_{row.settings['order']}"
    )


@pytest.mark.slow
def test_the_figures_are_those_of_the_rows(sweep, atlas):
    rows = [row for row in read(sweep) if row.settings["dice"] != "1,1,1"]
    assert (atlas.variants, atlas.exact, atlas.left_out) == (len(rows), len(rows) - 2, 1) == (16, 14, 1)
    assert {each["name"] for each in stored(atlas.index)["variants"]} == set(map(name, rows))
    for row in rows:
        said = entry(atlas, name(row))["markup"]
        assert f'<data value="{row.figures["nodes"]}">{int(row.figures["nodes"]):,}</data>' in said
        assert f'<data value="{row.figures["infosets"]}">' in said
        if row.figures["exact"]:
            assert f'<strong><data value="{row.figures["value"]}">' in said
            assert ", exact and proved" in said


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("1/2001", "wins about 50 of 100 rounds. Player 1 is ahead by less than 0.1 rounds."),
        ("-1/500", "wins 49.9 of 100 rounds. Player 2 is ahead by 0.2 rounds."),
        ("0", "wins 50 of 100 rounds. Neither player is ahead."),
    ],
)
def test_a_small_lead_is_one(sweep, tmp_path, value, said):
    other = tmp_path / "sweep.db"
    shutil.copy(sweep, other)
    change(other, BRACKET, f"status = 'done', exact = 1, value = '{value}', lower = '{value}', upper = '{value}'")
    made = write_atlas(other, tmp_path / "atlas", nodes=0)
    assert said in words(entry(made, "2-against-1_3-sided_plain_quantity-face")["markup"])


SAID = [
    # Published for one three-sided die each: -1/9 to the first mover, who so wins 4/9 of all rounds.
    ("1-against-1", "Player 1, who starts, wins about 44.4 of 100 rounds. Player 2 is ahead by 11.1 rounds."),
    ("1-against-1", "−1/9 (about −0.1111)"),
    # (1 + 1/10) / 2 and (1 + 11/90) / 2, rounded outwards.
    ("2-against-1", "wins between 55.0 and 56.2 of 100 rounds. Player 1 is ahead by between 10.0 and 12.3 rounds."),
    ("2-against-1", "between 0.100000 and 0.122223 , proved"),
    ("2-against-1", "has no strategies"),
    ("2-against-1", "efg-builder solve liars-dice sides=3 dice=2,1 wild=none order=quantity-face --timeout 7 -o"),
    ("1-against-2", "The value is unknown: the sweep reports: no <luck>."),
]


def test_what_is_said_of_a_variant(atlas):
    for name, said in SAID:
        assert said in words(entry(atlas, f"{name}_3-sided_plain_quantity-face")["markup"])
    for name in ("1-against-1", "2-against-1", "1-against-2"):  # what is read aloud is text
        found = entry(atlas, f"{name}_3-sided_plain_quantity-face")
        assert any(said in found["said"] for of, said in SAID if of == name)
        assert "<luck>" not in found["markup"]
    assert not (atlas.index.parent / "certificates" / "2-against-1_3-sided_plain_quantity-face.json.gz").exists()


def test_first_bids_add_up_and_are_told_hand_by_hand(atlas):
    told = [each["markup"] for each in stored(atlas.index)["variants"] if "First bids" in each["markup"]]
    assert len(told) == 14
    for markup in told:
        assert sum(map(Fraction, re.findall(r'<td class="bar"><data value="([^"]+)">', markup))) == 1
    # The hands of one two-sided die.
    one = entry(atlas, "1-against-1_2-sided_wild-highest_face-quantity")["markup"]
    assert re.findall(r"<li><strong>(.*?)</strong>: ", one) == ["\u2680", "\u2681"]


def test_files_are_linked_and_certificates_prove(sweep, atlas):
    folder = atlas.index.parent
    values = {name(row): row.figures["value"] for row in read(sweep)}
    for each in stored(atlas.index)["variants"]:
        links = re.findall(r'href="([^"#]+)"', each["markup"])
        assert all((folder / link).is_file() for link in links)
        if len(links) == 3:
            proof = verify_file(folder / "certificates" / f"{each['name']}.json.gz")
            assert str(proof.value[0]) == values[each["name"]]
    assert atlas.certificates == atlas.trees == atlas.play == 14
    assert {path.suffix for path in (folder / "trees").iterdir()} == {".svg"}


def commands(found):
    return [shlex.split(html.unescape(each))[1:] for each in re.findall(r"<code>(.*?)</code>", found["markup"])]


def test_its_commands_run(sweep, tmp_path, monkeypatch):
    made = write_atlas(sweep, tmp_path, nodes=0)
    assert (made.trees, made.play, made.certificates) == (0, 0, 14)
    monkeypatch.chdir(tmp_path)
    for name in ("1-against-1_3-sided_plain_quantity-face", "2-against-1_3-sided_plain_quantity-face"):
        found = commands(entry(made, name))
        assert sorted(each[0] for each in found)[:2] == ["draw", "play"]
        for each in found:
            assert run(each) == 0, each


def test_files_stay_until_the_certificate_is_another(sweep, atlas, tmp_path):
    place = tmp_path / "again"
    write_atlas(sweep, place)
    before = {path: path.stat().st_mtime_ns for path in place.rglob("*.*")}
    one, other = place / "play" / "1-against-1_2-sided_plain_quantity-face.html", place / "trees"
    one.unlink()
    # The certificate of another sweep: its picture and page are not those of this one.
    changed = place / "certificates" / "2-against-1_2-sided_plain_quantity-face.json.gz"
    changed.write_bytes(gzip.compress(b"{}"))
    write_atlas(sweep, place)
    anew = {path.name for path, when in before.items() if path.stat().st_mtime_ns != when}
    name = "2-against-1_2-sided_plain_quantity-face"
    assert anew == {"index.html", one.name, f"{name}.json.gz", f"{name}.svg", f"{name}.html"}
    assert len(list(other.iterdir())) == 14


def test_interrupted_it_goes_on(sweep, tmp_path):
    lines = []

    def stop(line):
        lines.append(line)
        if len(lines) == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_atlas(sweep, tmp_path, progress=stop)
    assert lines[4].startswith("5 of 16: ")
    assert not (tmp_path / "index.html").exists()
    assert len(list((tmp_path / "play").iterdir())) == 4
    assert write_atlas(sweep, tmp_path).play == 14


def test_what_is_no_sweep_is_refused_in_a_line(sweep, tmp_path, capsys):
    (tmp_path / "file").write_text("x")
    for words in (
        (tmp_path / "file", "-o", tmp_path / "a"),
        (sweep, "-o", tmp_path / "file"),
        (tmp_path / "no.db", "-o", tmp_path / "a"),
    ):
        assert run(["table", *map(str, words)]) == 2
        err = capsys.readouterr().err
        assert err.startswith("error: ")
        assert err.count("\n") == 1
    assert run(["sweep", "kuhn", "--workers", "1", "-o", str(tmp_path / "kuhn.db")]) == 0
    capsys.readouterr()
    assert run(["table", str(tmp_path / "kuhn.db"), "-o", str(tmp_path / "a")]) == 2
    assert "no row is two-player Liar's Dice" in capsys.readouterr().err
    assert not (tmp_path / "a").exists()


# --- in a browser; ``opened`` fails where anything was asked of the network, or went wrong


def ready(page):
    page.wait_for_selector("body[data-ready]")
    return page


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.first(1)
@pytest.mark.slow
def test_axe_finds_nothing_and_nothing_sticks_out(scheme, width, opened, atlas, axe):
    page = ready(opened(atlas.index, viewport={"width": width, "height": 844}, color_scheme=scheme))
    for each in stored(atlas.index)["variants"][::5]:
        page.evaluate("name => { location.hash = name }", each["name"])
        page.wait_for_function("said => document.getElementById('said').textContent === said", arg=each["said"])
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert axe(page) == []
    # Numbers are never cut: the frame of the sizes does not scroll.
    assert page.evaluate("(f => f.scrollWidth <= f.clientWidth)(document.querySelector('.sizes').parentElement)")


def test_chosen_by_keyboard(opened, atlas):
    page = ready(opened(atlas.index))
    assert page.locator("#name").inner_text().startswith("One three-sided die each; no wild face")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    page.wait_for_function("() => location.hash === '#2-against-1_3-sided_plain_quantity-face'")
    expect(page.locator(".verdict")).to_contain_text("between 55.0 and 56.2", use_inner_text=True)
    # What is not in the sweep (two dice each) leads to the nearest that is.
    page.get_by_role("group", name="Dice of Player 2").get_by_label("2").check()
    page.wait_for_function("() => location.hash === '#1-against-2_3-sided_plain_quantity-face'")
    expect(page.locator("#map [aria-current]")).to_have_attribute("href", "#1-against-2_3-sided_plain_quantity-face")
    page.locator("#map [aria-current]").focus()
    page.keyboard.press("ArrowUp")
    page.wait_for_function("() => location.hash === '#1-against-1_3-sided_plain_quantity-face'")
    page.go_back()
    page.wait_for_function("() => document.getElementById('said').textContent.includes('1 against 2')")


def test_the_address_and_the_tables_lead_to_a_variant(opened, atlas):
    page, rest = ready(opened(atlas.index)), "_3-sided_plain_quantity-face"
    names = {each["name"] for each in stored(atlas.index)["variants"]}
    assert {link.get_attribute("href")[1:] for link in page.locator("#map td a").all()} == names
    for name, shown in (("1-against-1", "44.4"), ("2-against-1", "55–57"), ("1-against-2", "?")):
        expect(page.locator(f"#map a[href='#{name}{rest}']")).to_have_text(shown, use_inner_text=True)
    page.locator("#map a[href='#1-against-1_2-sided_plain_face-quantity']").click()
    page.wait_for_function("() => location.hash === '#1-against-1_2-sided_plain_face-quantity'")
    page.evaluate("location.hash = '2-against-1_2-sided_wild-highest_face-quantity'")
    page.reload()
    assert ready(page).locator("#name").inner_text().startswith("2 against 1 two-sided dice; wild: the highest face")
    chosen = page.locator("#choice input:checked + span").all_inner_texts()
    assert chosen == ["2", "1", "2", "the highest face", "a higher face"]
    page.evaluate("location.hash = '%'")  # no variant, and no encoded letter either: the first is shown
    page.reload()
    assert ready(page).locator("#name").inner_text().startswith("One three-sided die each")


def test_without_scripts_the_tables_are_read(opened, atlas):
    page = opened(atlas.index, java_script_enabled=False)
    expect(page.locator("#map table").first).to_be_visible()
    expect(page.locator("noscript p")).to_be_visible()
    expect(page.locator("#choice")).to_be_hidden()


def test_limits_of_the_page_are_those_of_the_code():
    text = (ROOT / "docs" / "variants.md").read_text()
    assert f"at most {NODES:,} nodes" in text
    assert f"at most {CERTIFICATE_BYTES // 1000} kB" in text
    assert "index.html#1-against-1_3-sided_plain_quantity-face" in text
