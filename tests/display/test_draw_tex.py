"""TikZ: one line per node and edge, any label escaped, and a document that pdflatex takes as it is."""

import re
import shutil
import subprocess
from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from paths import DOCS
from test_draw_fold_and_limits import absent_minded
from test_draw_picture import PICTURES, scene, tree_of

from efg_builder.base.errors import PictureTooSmallError
from efg_builder.display.trees import DrawOptions, Style, draw, scene_of
from efg_builder.display.trees.options import PAGE_VIEWS
from efg_builder.display.trees.tex import comment, escaped, write_tex
from efg_builder.forms.extensive import GameTree, Infoset, Outcome, build
from efg_builder.games.catalogue import game
from efg_builder.strategies.tree_profile import TreeProfile

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
        ("2x1", "2x1"),
        ("Liar's Dice: one three-sided die", "Liar's Dice: one three-sided die"),
        ("\\", r"\textbackslash{}"),
        ("{}", r"\{\}"),
        ("$%&#_", r"\$\%\&\#\_"),
        ("^~", r"\textasciicircum{}\textasciitilde{}"),
        ("a--b---", "a-{}-b-{}-{}-"),
        ("''", "'{}'"),
        ("<1>", r"\textless{}1\textgreater{}"),
        ("−1/9", "$-$1/9"),
        ("é", r"\'{e}"),
        ("e\u0301", r"\'{e}"),
        ("ï", r"\"{\i}"),
        ("Ł", r"\L{}"),
        ("中", "{[}U+4E2D{]}"),
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
    assert len(lines) == len(nodes) + len(shown.items) - badges
    drawn = [line for line in lines if line.startswith("\\draw")]
    assert len(drawn) == len(shown.strokes)
    for stroke, line in zip(shown.strokes, drawn, strict=True):
        if stroke.role == "edge":
            assert line.endswith(f"(n{stroke.node});")
        if stroke.role == "infoset":
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
    for name, sets in product(("horse", "quiche", "bagwell"), ("lines", "enclosed")):
        style = Style(purpose="column", sets=sets, fragment=True)
        tree = build(game(str(DOCS / "games" / f"{name}.py")))
        pictures.append(write_tex(scene_of(tree, None, DrawOptions(style=style))))
    assert compiled(COLUMN % "\n\n\\noindent\n".join(pictures), tmp_path).startswith(b"%PDF-")
    assert "Overfull" not in (tmp_path / "x.log").read_text("latin-1")


@needs_latex
def test_public_views_and_hostile_labels_compile(tmp_path):
    pictures = [(tree_of("two sides"), "public"), *((hostile_tree(), view) for view in PAGE_VIEWS)]
    for tree, view in [*pictures, (absent_minded(), "tree")]:
        compiled(write_tex(scene_of(tree, TreeProfile.uniform(tree), DrawOptions(view=view))), tmp_path)


@needs_latex
@pytest.mark.parametrize("missing", ["standalone.cls", "lmodern.sty"])
def test_it_compiles_without_what_may_be_missing(missing, tmp_path):
    assert compiled(write_tex(scene("poker")), tmp_path, without=missing).startswith(b"%PDF-")
