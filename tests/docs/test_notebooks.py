"""The notebooks run, tell what they told when they were written, and their figures are right."""

import html
import re

import notebook_runner as runner
import pytest

PATHS = sorted(runner.NOTEBOOKS.glob("*.ipynb"))
NAMES = [path.stem for path in PATHS]
TAG = "one-of-many"
"""Of a cell whose outputs show one equilibrium of many: another version of a solver may come upon another."""

MOST_BYTES = 600_000

# What each notebook has to come to, beside where it is known from.
FIGURES = {
    "liars-dice": [
        "125 nodes, 32 information sets",  # the F# post
        "3         1,144   9,208",  # the same post's 9,208, and the tree without bids that no dice can bear out
        "4         8,177   2,097,137",  # the same post
        "one two-sided die each: equilibrium",
        "one three-sided die each: timeout",
        "-1/9 True",  # published values: thomasahle/snyd, README
        "Player 2: 1/9 = 0.1111",
        "honest 0.1667 = 1/6",
        "always-call 0.8611 = 31/36",
        "equilibrium 0.0000 = 0",
        "14,797,504,072 nodes, 352,321,536 information sets",  # 1 + 441 (2^25 - 1) and 2 * 21 * 2^23
        "-97993266983069/5815959611262048",  # docs/oracle.md
        "Proved: Liar's Dice: 2 six-sided dice each",
    ],
    "dice-poker": [
        "equilibria without mixing: 0",  # the Riddler's 64 x 64 grid
        "B gets 1/9 fold at 1; otherwise call",  # $0.11 there
        "A gets 1/6 raise at 4, 5, 6; otherwise show",  # $0.17 there
        "value to A: 5/54 proved",  # 0.0926 there
        "a polytope with 6 vertices",
        "one strategy only",
        "B calls a two with 1/2: NashConv 0",  # the solution published there
        "B calls a two with 1/3: NashConv 1/216",
        "a sequential equilibrium: True",
        "2: 5/9, 3: 5/9, 4: 5/9",
    ],
}


def words(outputs):
    """What a cell tells, in words between single blanks."""
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", runner.told(outputs))).split())


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_running_gives_what_is_committed_and_the_figures_are_right(name, tmp_path):
    """``python tests/notebook_runner.py`` makes the outputs anew."""
    notebook = runner.read(runner.NOTEBOOKS / f"{name}.ipynb")
    found, compared = runner.run(notebook, tmp_path), 0
    told = "\n".join(map(words, found))
    for figure in FIGURES[name]:
        assert " ".join(figure.split()) in told
    for cell, outputs in zip(runner.code_cells(notebook), found, strict=True):
        assert [kinds(output) for output in cell["outputs"]] == [kinds(output) for output in outputs]
        if TAG not in cell["metadata"].get("tags", ()):
            assert words(cell["outputs"]) == words(outputs)
            compared += bool(words(outputs))
    assert compared >= 6


def kinds(output):
    """What sort of output it is: printed, or the ways in which it shows itself."""
    return output["output_type"], sorted(output.get("data", ()))


@pytest.mark.parametrize("path", PATHS, ids=NAMES)
def test_it_is_a_notebook_and_small(path):
    assert path.stat().st_size < MOST_BYTES
    notebook = runner.read(path)
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    ids = [cell["id"] for cell in notebook["cells"]]
    assert len(set(ids)) == len(ids)
    counts = [cell["execution_count"] for cell in runner.code_cells(notebook)]
    assert counts == list(range(1, len(counts) + 1))
    text = path.read_text(encoding="utf-8")
    assert "Traceback" not in text
    assert "<script" not in text


@pytest.mark.first(1)
@pytest.mark.parametrize("path", PATHS, ids=NAMES)
def test_it_runs_in_jupyter(path, tmp_path):
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    notebook = nbformat.read(path, as_version=4)
    resources = {"metadata": {"path": str(tmp_path)}}
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3", resources=resources).execute()
    told = "\n".join(words(cell["outputs"]) for cell in runner.code_cells(notebook))
    for figure in FIGURES[path.stem]:
        assert " ".join(figure.split()) in told
    for ours, theirs in zip(runner.code_cells(runner.read(path)), runner.code_cells(notebook), strict=True):
        shown = {kind for output in theirs["outputs"] for kind in output.get("data", ())}
        assert shown >= {kind for output in ours["outputs"] for kind in output.get("data", ())}
