"""Every file format: the right kind of file, the same bytes every time, the same things in it."""

import re
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace

import pytest
from test_draw_fold_and_limits import absent_minded
from test_draw_picture import mixed, scene, tree_of

from efg_builder.base.errors import FileError, ParameterError
from efg_builder.display.trees import DrawOptions, Style, draw, formats, notebook_svg, scene_of, to_svg
from efg_builder.display.trees.svg import write_svg
from efg_builder.forms.extensive import build
from efg_builder.games.catalogue import game
from efg_builder.strategies.tree_profile import TreeProfile

MAGIC = {"svg": b"<svg ", "png": b"\x89PNG\r\n\x1a\n", "pdf": b"%PDF-", "gv": b"digraph ", "tex": b"% "}


def test_the_formats_are_those_promised():
    assert sorted(formats()) == ["gv", "pdf", "png", "svg", "tex"]


@pytest.mark.parametrize("name", MAGIC)
def test_each_format_writes_its_kind_of_file_whatever_the_names_the_same_each_time(name, tmp_path):
    tree = absent_minded()
    profile, options = TreeProfile.uniform(tree), DrawOptions(values=True)
    one, two = (draw(tree, tmp_path / f"{k}.{name.upper()}", profile, options).read_bytes() for k in "ab")
    assert one.startswith(MAGIC[name])
    assert one == two


def test_an_unknown_suffix_is_refused_with_the_formats(tmp_path):
    with pytest.raises(ParameterError, match=r"\.jpg.*\.gv.*\.pdf.*\.png.*\.svg"):
        draw(tree_of("two sides"), tmp_path / "tree.jpg")
    with pytest.raises(ParameterError, match="no suffix") as error:
        draw(tree_of("two sides"), tmp_path / "tree")
    assert str(error.value).count(".svg") == 1
    with pytest.raises(FileError):
        draw(tree_of("two sides"), tmp_path / "nowhere" / "tree.svg")
    assert list(tmp_path.iterdir()) == []


def test_keywords_options_and_solutions_draw_the_same(tmp_path):
    tree, profile = tree_of("two sides"), mixed("two sides")
    solved, unsolved = SimpleNamespace(profile=profile), SimpleNamespace(profile=None)
    asked = DrawOptions(reach=0, depth=3, values=True, beliefs=True, caption="so", max_nodes=99)
    one = to_svg(tree, profile, asked)
    assert one == write_svg(scene_of(tree, solved, asked))
    assert draw(tree, tmp_path / "a.svg", profile, asked).read_text() == one
    keywords = draw(
        tree, tmp_path / "b.svg", profile, reach=0, depth=3, values=True, beliefs=True, caption="so", max_nodes=99
    )
    assert keywords.read_text() == one
    free = DrawOptions(style=Style(purpose="free"))
    assert to_svg(tree, unsolved, free) == to_svg(tree, None, free) == notebook_svg(tree, unsolved)
    assert to_svg(tree, unsolved) == to_svg(tree)
    with pytest.raises(ParameterError, match="twice"):
        draw(tree, tmp_path / "c.svg", profile, asked, depth=2)
    with pytest.raises(ParameterError, match="reach"):
        draw(tree, tmp_path / "c.svg", profile, reach=2)


def test_a_profile_of_an_equal_tree_is_drawn():
    again = build(game("liars-dice", sides=2))
    assert to_svg(again, mixed("two sides")) == to_svg(tree_of("two sides"), mixed("two sides"))


def test_the_graphviz_source_holds_the_tree_and_every_place():
    pygraphviz = pytest.importorskip("pygraphviz")
    tree = tree_of("two sides")
    graph = pygraphviz.AGraph(string=formats()["gv"].render(scene("played")).decode())
    nodes = {str(n) for n in graph.nodes()}
    assert {f"n{n}" for n in range(len(tree))} <= nodes
    assert all(graph.get_node(n).attr["pos"].endswith("!") for n in nodes)
    edges = {(a, b) for a, b in graph.edges() if not graph.get_edge(a, b).attr["constraint"]}
    assert {(f"n{tree.parent[n]}", f"n{n}") for n in range(1, len(tree))} <= edges
    assert graph.get_edge("n0", "n1").attr["label"] == "1 vs 1  1/4"


@pytest.mark.slow
def test_no_format_needs_a_font_or_a_program_of_the_system(tmp_path):
    """In an empty environment, with no font but matplotlib's own, the same bytes come out."""
    code = (
        "import sys, matplotlib.font_manager as fonts\n"
        "fonts.findSystemFonts = lambda *a, **k: []\n"
        f"sys.path[:0] = {[str(Path(__file__).parent), *sys.path]!r}\n"
        "from test_draw_picture import scene\n"
        "from efg_builder.display.trees import formats\n"
        "for name in ('png', 'pdf'):\n"
        f"    open({str(tmp_path)!r} + '/x.' + name, 'wb').write(formats()[name].render(scene('poker')))\n"
    )
    empty = {"HOME": str(tmp_path), "MPLCONFIGDIR": str(tmp_path / "config"), "PATH": ""}
    subprocess.run([sys.executable, "-c", code], env=empty, check=True, capture_output=True, timeout=120)
    for name in ("png", "pdf"):
        assert (tmp_path / f"x.{name}").read_bytes() == formats()[name].render(scene("poker"))


def test_nothing_heavy_is_imported_before_it_is_needed():
    code = "import sys, efg_builder.display.trees as d; d.formats(); print([m for m in sys.modules])"
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    assert not re.search(r"'(matplotlib|graphviz|pygambit|pygraphviz)'", loaded)


def test_a_column_fits_into_the_column_of_latex(tmp_path):
    from PIL import Image

    tree, most = build(game("dice-poker", sides=2)), 229.5 * 72 / 72.27  # TeX points in points
    for suffix in ("pdf", "svg", "png", "tex"):
        draw(tree, tmp_path / f"x.{suffix}", style=Style(purpose="column", fragment=suffix == "tex"))
    page = re.search(rb"/MediaBox \[ ?0 0 ([\d.]+)", (tmp_path / "x.pdf").read_bytes())
    drawn = re.search(r'width="([\d.]+)"', (tmp_path / "x.svg").read_text())
    tikz = (tmp_path / "x.tex").read_text()
    unit, wide = re.search(r"\[x=([\d.]+)pt", tikz), re.search(r"\(0,0\) rectangle \(([\d.]+),", tikz)
    with Image.open(tmp_path / "x.png") as picture:
        assert (picture.mode, len(picture.getcolors()) <= 128) == ("P", True)
        assert picture.text["Title"].startswith("Dice poker")
        widths = [float(page[1]), float(drawn[1]) * 0.75, picture.width / 2 * 0.75]
    assert all(most - 0.5 < width <= most for width in widths)
    assert 228.5 < float(unit[1]) * float(wide[1]) <= 229.5


def test_words_begin_where_their_room_does_and_dashes_are_dashes_in_graphviz(tmp_path):
    tree = build(game("kuhn"))
    rows = {k: (Fraction(1), *(Fraction(0) for _ in tree.infosets[k].actions[1:])) for k in tree.personal}
    source = draw(tree, tmp_path / "x.gv", TreeProfile.from_personal(tree, rows), style={"purpose": "free"}).read_text()
    title = next(line for line in source.splitlines() if "Kuhn poker" in line and "label=" in line)
    middle, width = (float(re.search(rf'{name}="?([\d.]+)', title)[1]) for name in ("pos", "width"))
    assert re.search(r'label="[^"]*\\l"', title)
    assert "DejaVu Sans Bold" in title
    assert middle - 72 * width / 2 == pytest.approx(22, abs=0.1)  # the margin
    assert "style=dashed" in source
    assert "style=dotted" in source
