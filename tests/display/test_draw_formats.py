"""Every file format: the right kind of file, the same bytes every time, the same things in it; TikZ that compiles."""

import re
import shutil
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from paths import DOCS
from test_draw_fold_and_limits import absent_minded
from test_draw_picture import PICTURES, mixed, scene, tree_of

import efg_builder as eb
from efg_builder.base.errors import FileError, ParameterError, PictureTooSmallError
from efg_builder.display.trees import DrawOptions, Mark, Scene, Style, draw, formats, scene_of, to_svg
from efg_builder.display.trees.options import LINES, VIEWS
from efg_builder.display.trees.scene import painted
from efg_builder.display.trees.svg import write_svg
from efg_builder.display.trees.tex import comment, escaped, write_tex
from efg_builder.forms.extensive import GameTree, Infoset, Outcome, build
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
    assert to_svg(tree, unsolved, free) == to_svg(tree, None, free) == str(draw(tree, None, unsolved))
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
    assert graph.get_edge("n0", "n1").attr["label"] == "1 vs 1"


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
        assert (picture.mode, picture.convert("RGB").getpixel((0, 0))) == ("P", (255, 255, 255))
        assert picture.text["Title"].startswith("Dice poker")
        widths = [float(page[1]), float(drawn[1]) * 0.75, picture.width / 2 * 0.75]
    assert all(most - 0.5 < width <= most for width in widths)
    assert 228.5 < float(unit[1]) * float(wide[1]) <= 229.5


def test_words_begin_where_their_room_does_in_graphviz(tmp_path):
    tree = build(game("kuhn"))
    rows = {k: (Fraction(1), *(Fraction(0) for _ in tree.infosets[k].actions[1:])) for k in tree.personal}
    source = draw(tree, tmp_path / "x.gv", TreeProfile.from_personal(tree, rows), style={"purpose": "free"}).read_text()
    title = next(line for line in source.splitlines() if "Kuhn poker" in line and "label=" in line)
    middle, width = (float(re.search(rf'{name}="?([\d.]+)', title)[1]) for name in ("pos", "width"))
    assert re.search(r'label="[^"]*\\l"', title)
    assert "DejaVu Sans Bold" in title
    assert middle - 72 * width / 2 == pytest.approx(22, abs=0.1)  # the margin


HOSTILE = "\\ { } $x$ % & # _ ^ ~ \\end{document} \\input|\"'`<>[]"
LABELS = (HOSTILE, "--- ,, '' ``", "Zoë, naïve Łódź", "中 \U0001f3b2", "\\", "%", "{", "]", "−1 … ≤ ·")


def hostile_tree():
    """One player who chooses among labels that mean something to TeX."""
    sets = (Infoset(0, 1, HOSTILE, LABELS),)
    count = len(LABELS)
    columns = ([-1] + [0] * count, [-1, *range(count)], [0] + [-1] * count, [-1] + [0] * count)
    arrays = [np.array(column, dtype=np.int32) for column in columns]
    paid = (Outcome(1, "", (Fraction(1, 3), Fraction(-2))),)
    return GameTree(HOSTILE, (HOSTILE, "100%"), *arrays, sets, paid, comment=HOSTILE)


def body(text):
    """The lines of the picture, without comments."""
    lines = text.partition("\\useasboundingbox")[2].splitlines()[1:-2]
    return [line for line in lines if not line.startswith("%")]


def balanced(text):
    """Whether braces match, those that are escaped left out."""
    depth = 0
    for brace in re.findall(r"(?<!\\)(?:\\\\)*([{}])", text):
        depth += 1 if brace == "{" else -1
        if depth < 0:
            return False
    return depth == 0


# --- the text


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("2x1 of Liar's Dice: one die", "2x1 of Liar's Dice: one die"),
        ("\\{}$%&#_", r"\textbackslash{}\{\}\$\%\&\#\_"),
        ("^~<1>", r"\textasciicircum{}\textasciitilde{}\textless{}1\textgreater{}"),
        ("a--b---''", "a-{}-b-{}-{}-'{}'"),
        ("−1/9, é e\u0301 ï Ł 中", r"$-$1/9, \'{e} \'{e} \"{\i} \L{} {[}U+4E2D{]}"),
        ("a\nb\x07", "a b "),
    ],
)
def test_escaped(text, source):
    assert escaped(text) == source


@given(st.text(max_size=30))
def test_whatever_the_text_it_stays_in_its_group(text):
    source = escaped(text)
    assert source.isascii()
    assert source.isprintable()
    assert balanced(source)
    # Nothing of what begins a command, a comment, a formula or a column is left but what this module writes.
    rest = re.sub(r"\\(?:text[a-z]+|dots|ss|ae|AE|o|O|l|L|i|j)\{\}|\\[{}$%&#_]|\$(?:-|\\cdot|\\leq)\$", "", source)
    rest = re.sub(r"\\['`^~=.\"urHvc]\{(?:[A-Za-z]|\\[ij])\}", "", rest).replace("{[}", "").replace("{]}", "")
    assert not set(rest.replace("{}", "")) & set("\\${}%&#_^~")
    assert comment(text).isascii()
    assert "\n" not in comment(text)


# --- the document


@pytest.mark.parametrize("picture", PICTURES)
def test_each_node_edge_and_word_is_one_line(picture):
    shown = scene(picture)
    text = write_tex(shown)
    lines = body(text)
    assert text.isascii()
    assert all(line.startswith("\\") and line.endswith(";") and balanced(line) for line in lines)
    nodes = {mark.node for mark in shown.marks if mark.node >= 0}
    assert sum(line.startswith("\\coordinate") for line in lines) == len(nodes)
    badges = sum(1 for item in shown.texts if item.role == "badge")
    # A badge stands in its node's line; a node has a line for its place too.
    assert len(lines) == len(nodes) + len(list(painted(shown))) - badges
    drawn = [line for line in lines if line.startswith("\\draw")]
    assert len(drawn) == len(shown.strokes)
    for stroke, line in zip(shown.strokes, drawn, strict=True):
        if stroke.role == "edge":
            assert line.endswith(f"(n{stroke.node});")
        if stroke.role == "infoset" and stroke.round:
            assert f"(n{stroke.source})" in line
            assert f"(n{stroke.node})" in line


def test_colours_and_styles_are_named_at_the_top_and_all_are_used():
    text = write_tex(scene("all shown"))
    head, _, rest = text.partition("\\begin{document}")
    colors = re.findall(r"\\definecolor\{(\w+)\}\{HTML\}\{[0-9A-F]{6}\}", head)
    assert {"ink", "grey", "player1", "player2", "player2text"} <= set(colors)
    assert len(colors) == len(set(colors))
    styles = re.findall(r"  (efg [a-z0-9 ]+)/\.style", head)
    assert {"efg action", "efg payoff", "efg decision", "efg chance"} <= set(styles)
    for name in colors:
        assert re.search(rf"[\[= ]{name}[\],]", rest), name
    used = set(re.findall(r"\\node\[(efg [a-z0-9 ]+),", rest))
    assert used == set(styles)


def test_a_public_card_is_a_diamond_in_tikz():
    card = Mark("diamond", 10, 20, 3, "#666666", "card")
    assert "(10,17) -- (13,20) -- (10,23) -- (7,20) -- cycle;" in write_tex(Scene(40, 40, "", "", (card,)))


def test_large_pictures_stay_below_the_longest_length_of_tex():
    small = scene("plain")
    for width, unit in ((small.width, 0.75), (100_000.0, 0.14)):
        (found,) = re.findall(r"\[x=([\d.]+)pt", write_tex(replace(small, width=width)))
        assert float(found) == unit
        assert float(found) * width < 16_383


def test_hostile_labels_are_text_and_nothing_else(tmp_path):
    for tree in (hostile_tree(), absent_minded()):
        text = draw(tree, tmp_path / "x.tex", TreeProfile.uniform(tree)).read_text("ascii")
        assert text.count("\\begin{document}") == text.count("\\end{document}") == 1
        assert text.endswith("\\end{tikzpicture}\n\\end{document}\n")
        assert all(balanced(line) for line in body(text))
        assert "\\input" not in text.replace("\\textbackslash{}input", "").partition("\\begin{document}")[2]


COLUMNS = re.findall(r"^\| ([^|]+) \| \d+ \| ([\d.]+)(?: ¹)? \|", (DOCS / "gallery.md").read_text(), re.MULTILINE)


@pytest.mark.parametrize(
    ("row", "name"),
    [
        *((0, "horse.py"), (2, "centipede.py"), (3, "quiche.py"), (4, "bagwell.py")),
        *((5, "dice-poker sides=2"), (6, "kuhn"), (7, "liars-dice sides=2")),
    ],
)
def test_letters_in_a_column_are_as_high_as_the_gallery_says(row, name):
    kind, *chosen = name.split()
    settings = {"sides": 2} if chosen else {}
    tree = build(game(str(DOCS / "games" / kind) if kind.endswith(".py") else kind, **settings))
    try:
        shown = scene_of(tree, None, DrawOptions(style=Style(purpose="column")))
        high = 0.75 * shown.scale * max(text.size for text in shown.texts if text.role == "action")
    except PictureTooSmallError as error:
        high = 0.75 * error.letters
        assert high < 6
    assert COLUMNS[row][1] == f"{high:.1f}", COLUMNS[row]


# --- the compiler


LATEX = shutil.which("pdflatex")
needs_latex = pytest.mark.skipif(
    LATEX is None, reason="pdflatex is not installed: the text of the source is tested alone"
)


def compiled(text, folder, before="", without=""):
    """The PDF. *before*: what TeX is told first; *without*: a file that TeX shall not find."""
    source = before + text if not without else text.replace("{" + without + "}", "{not-installed}")
    (folder / "x.tex").write_text(source, "ascii")
    words = [str(LATEX), "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "x.tex"]
    done = subprocess.run(words, cwd=folder, capture_output=True, timeout=120)
    log = (folder / "x.log").read_text("latin-1") if (folder / "x.log").exists() else done.stdout.decode("latin-1")
    if "tikz.sty' not found" in log:
        pytest.skip("pdflatex has no tikz.sty: the text of the source is tested alone")
    assert done.returncode == 0, log[-2000:]
    assert "Missing character" not in log
    return (folder / "x.pdf").read_bytes()


@needs_latex
@pytest.mark.parametrize("picture", ["all shown", "mia"])
def test_it_compiles_as_it_is(picture, tmp_path):
    shown = scene(picture)
    pdf = compiled(write_tex(shown), tmp_path, "\\pdfobjcompresslevel=0 ")
    assert pdf.startswith(b"%PDF-")
    (page,) = re.findall(rb"/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)\s*\]", pdf)
    # A PDF measures in 72nds of an inch, TeX's points are 72.27 to the inch.
    for measured, pixels in zip(page, (shown.width, shown.height), strict=True):
        assert abs(float(measured) * 72.27 / 72 - 0.75 * pixels) < 0.5


COLUMN = r"""\documentclass[twocolumn]{article}
\usepackage{tikz}\usetikzlibrary{shapes.geometric}
\begin{document}\noindent
%s
\end{document}
"""


@needs_latex
def test_fragments_fit_a_column_of_article(tmp_path):
    """All in one document, each in a paragraph of its own: an overfull line is one of a picture."""
    pictures = []
    for name, lines in product(("horse", "quiche", "bagwell"), LINES):
        style = Style(purpose="column", lines=lines, fragment=True)
        tree = build(game(str(DOCS / "games" / f"{name}.py")))
        pictures.append(write_tex(scene_of(tree, None, DrawOptions(style=style))))
    assert compiled(COLUMN % "\n\n\\noindent\n".join(pictures), tmp_path).startswith(b"%PDF-")
    assert "Overfull" not in (tmp_path / "x.log").read_text("latin-1")


@needs_latex
def test_public_views_and_hostile_labels_compile(tmp_path):
    pictures = [(tree_of("two sides"), "public"), *((hostile_tree(), view) for view in VIEWS[:2])]
    for tree, view in [*pictures, (absent_minded(), "tree")]:
        compiled(write_tex(scene_of(tree, TreeProfile.uniform(tree), DrawOptions(view=view))), tmp_path)


@needs_latex
@pytest.mark.parametrize("missing", ["standalone.cls", "lmodern.sty"])
def test_it_compiles_without_what_may_be_missing(missing, tmp_path):
    assert compiled(write_tex(scene("poker")), tmp_path, without=missing).startswith(b"%PDF-")


MINE = {"1: start": {"check": Fraction(1)}}


@pytest.mark.parametrize("strategy", ["uniform", MINE, eb.Policy(lambda turn, hand: {turn.actions[0][0]: 1})])
def test_strategies_are_drawn_by_what_evaluate_takes(strategy):
    drawn = str(eb.draw("kuhn", strategy=strategy))
    assert drawn == str(eb.draw(eb.solve("kuhn"), strategy=strategy))
    assert drawn != str(eb.draw("kuhn"))


def test_the_equilibrium_is_drawn_by_its_name_and_by_the_old_keyword():
    solution = eb.solve("kuhn")
    assert str(eb.build("kuhn").draw(strategy="equilibrium")) == str(solution.draw())
    assert str(eb.draw("kuhn", strategy=eb.read_strategy(MINE, "kuhn"))) == str(eb.draw("kuhn", strategy=MINE))
    assert str(eb.draw("kuhn", profile=solution)) == str(solution.draw())


def test_strategies_in_place_of_a_path_are_named(tmp_path):
    solution = eb.solve("kuhn")
    for strategy, kind in ((solution, "Solution"), (solution.strategy, "TreeProfile")):
        with pytest.raises(ParameterError, match=f"takes the path of a file, not {kind}; .* as strategy="):
            eb.draw("kuhn", strategy)
    with pytest.raises(ParameterError, match=r"there is no player 'naive'.*uniform"):
        eb.draw("kuhn", tmp_path / "a.svg", strategy="naive")
    with pytest.raises(ParameterError, match=r"draw\(\) takes a player's name, a file, .*, not int 5"):
        eb.draw("kuhn", strategy=5)
