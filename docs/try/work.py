"""Answer the requests of the page *Try it*. This runs in the browser's Python, and in tests without a browser.

Requests and answers are JSON, so that nothing but text passes between a player's program and the page.
"""

from __future__ import annotations

import ast
import io
import json
import re
import runpy
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from importlib.abc import MetaPathFinder
from pathlib import Path
from typing import Any

import efg_builder as eb
import efg_builder.proof

OWN = "program.py"
"""The file of a class from the editor."""

DATA = re.compile(r'id="view-data">([A-Za-z0-9+/=]+)<')
"""The packed data of the viewer in its page: the page *Try it* has scripts of its own for them."""

FILES = {
    "tree.svg": "Picture",
    "report.html": "Report",
    "probabilities.csv": "Table",
    "game.efg": "File for Gambit",
    "certificate.json": "Certificate",
}
"""The files of a solution for download, with their names on the page."""

LATER = ("scipy", "highspy")
"""The libraries that the page loads while it already solves small games."""

MOST_CHECKED = 20_000
"""The maximum number of nodes of a tree for which the certificate contains the tree, and is checked at once."""

_latest: dict[str, eb.Solution] = {}
"""The latest ``solution``, and the ``certificate`` that was checked."""


class Later(MetaPathFinder):
    """Hides the libraries that are still on their way: half of one is worse than none."""

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> None:
        if fullname.partition(".")[0] in LATER:
            raise ModuleNotFoundError(f"{fullname} is still being loaded", name=fullname.partition(".")[0])


def hide() -> Callable[[], None]:
    """Hide the libraries that come later, and return the function that shows them."""
    later = Later()
    sys.meta_path.insert(0, later)
    return lambda: sys.meta_path.remove(later)


def solve(request: str, say: Callable[[str], None] | None = None) -> str:
    """Solve the game in *request*, and return the answer for the page.

    A request has ``kind`` ``"catalogue"`` (with ``name`` and ``settings``), ``"file"`` or ``"class"`` (with ``text``).
    The answer has ``title``, ``figures``, ``warnings``, ``script`` (which checked the certificate), ``proved`` (whether
    it proved it), ``said`` (what it said) and ``data`` (of the viewer), or else ``error``, ``line`` (in the class, or
    null), ``spent`` (whether Python has no memory left) and ``needs`` (whether the libraries that come later are
    missing).
    """
    _latest.clear()
    try:
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always", UserWarning)
            solution = eb.solve(_game(json.loads(request)), progress=say)
        _latest["solution"] = solution
        said = str(solution)
        figures = said.partition("\nstrategy ")[0].partition("\n")
        others = re.search(r"\nothers .*", said)
        shown = solution if solution.profile or solution.sparse else solution.subject
        page = eb.write_viewer(shown, "page.html").read_text("utf-8")
        answer = {
            "title": figures[0],
            # "--json" is an option of the command line.
            "figures": figures[2].replace(" (beliefs: --json)", "") + (others[0] if others else ""),
            "warnings": [str(each.message) for each in warned if issubclass(each.category, UserWarning)],
            **_checked(solution),
            "data": DATA.search(page)[1],  # type: ignore[index] # each page has it
        }
    except BaseException as error:  # the page shows whatever stopped a stranger's program
        answer = _stopped(error)
    return json.dumps(answer)


def made(name: str) -> bytes:
    """Return the file *name*, one of ``FILES``, for the latest solution."""
    solution = _latest["solution"]
    path = Path(name)
    if name == "game.efg":
        eb.build(solution.subject if solution.tree is None else solution.tree).write(path)
    elif name == "certificate.json":
        _latest.get("certificate", solution).write(path)
    elif name == "tree.svg":
        solution.draw(path)
    elif name == "report.html":
        solution.report(path)
    else:
        solution.write(path)
    return path.read_bytes()


def _game(request: dict[str, Any]) -> eb.Game | str:
    if request["kind"] == "catalogue":
        settings = {key: value for key, value in request["settings"].items() if value}
        chosen: eb.Game = eb.game(request["name"], **settings)
        return chosen
    if request["kind"] == "file":
        text = str(request["text"]).lstrip("\ufeff \t\r\n")
        if not text.startswith(("EFG", "NFG")):
            raise eb.FileError("this is no .efg or .nfg file of Gambit: such a file begins with EFG or NFG")
        return text
    Path(OWN).write_text(request["text"], "utf-8")
    own: eb.Game = eb.game(":".join([OWN, *_games_in(request["text"])[-1:]]))
    return own


def _games_in(program: str) -> list[str]:
    """Return the names of the classes in *program* that are games by the names of their bases."""
    try:
        body = ast.parse(program).body
    except SyntaxError:
        return []  # the package says where it is
    classes = [each for each in body if isinstance(each, ast.ClassDef)]
    return [each.name for each in classes if any(ast.unparse(base).endswith("Game") for base in each.bases)]


def _certificate(solution: eb.Solution) -> eb.Solution:
    """Return *solution* as one whose file contains the tree, if it is small: a script can then check it alone.

    Its claim is about the equilibrium alone; what holds after mistakes is left out.
    """
    tree, profile = solution.tree, solution.profile
    if tree is None or profile is None or len(tree) > MOST_CHECKED or _has_tree(solution):
        return solution
    alone = eb.parse_efg(tree.to_efg())  # it has the same nodes in the same order, but other numbers of sets
    same = dict(zip(alone.infoset.tolist(), tree.infoset.tolist(), strict=True))
    rows = {k: profile.probabilities[same[k]] for k in alone.personal}

    def method(_: eb.GameTree) -> eb.TreeProfile:
        return eb.TreeProfile.from_personal(alone, rows)

    method.__name__ = solution.method
    return eb.solve(alone, method)


def _has_tree(solution: eb.Solution) -> bool:
    """Return whether the file of *solution* contains the tree."""
    return "efg" in solution.to_json()["game"]


def _checked(solution: eb.Solution) -> dict[str, Any]:
    """Return what a script that imports nothing of the package says of the certificate."""
    if solution.profile is None and solution.sparse is None:
        return {"script": "", "proved": False, "said": "No strategies were found, so there is nothing to prove."}
    certificate = _latest["certificate"] = _certificate(solution)
    if certificate.tree is not None and not _has_tree(certificate):
        said = f"The tree has more than {MOST_CHECKED:,} nodes, so no second script has checked the answer here."
        return {"script": "", "proved": False, "said": said}
    certificate.write("certificate.json")
    script = "checker.py" if certificate.tree is None else "tree_checker.py"
    main = runpy.run_path(str(Path(efg_builder.proof.__file__).with_name(script)))["main"]
    with redirect_stdout(io.StringIO()) as printed:
        code = main(["certificate.json"])
    _, _, said = printed.getvalue().strip().partition("certificate.json: ")
    return {"script": script, "proved": code == 0 and said.startswith("proved: "), "said": said}


def _stopped(error: BaseException) -> dict[str, Any]:
    lines = [line for each in _chain(error) for line in _lines(each)]
    said = str(error) if isinstance(error, eb.EfgBuilderError) else f"{type(error).__name__}: {error}"
    spent = isinstance(error, MemoryError)
    if spent:
        said = "This needs more memory than a browser gives. Try a smaller game."
    found = re.search(rf"\b{re.escape(OWN)}, line (\d+)", said)
    needs = any(isinstance(each, ModuleNotFoundError) and each.name in LATER for each in _chain(error))
    line = int(found[1]) if found else next(iter(lines), None)
    return {"error": said, "line": line, "spent": spent, "needs": needs}


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _lines(error: BaseException) -> list[int]:
    """Return the lines of the class that *error* passed through, the latest first."""
    frames = traceback.extract_tb(error.__traceback__)
    return [frame.lineno for frame in reversed(frames) if Path(frame.filename).name == OWN and frame.lineno]
