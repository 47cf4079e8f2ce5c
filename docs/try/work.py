"""Answer the requests of the page *Try it*. This runs in the browser's Python, and in tests without a browser.

Requests and answers are JSON, so that nothing but text passes between a player's program and the page.
"""

from __future__ import annotations

import io
import json
import re
import runpy
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from importlib.abc import MetaPathFinder
from pathlib import Path
from typing import Any

import efg_builder as eb
import efg_builder.proof

OWN = "own.py"
"""The file of a class from the editor."""

FILES = ("game.efg", "certificate.json", "probabilities.csv", "tree.svg", "report.html")
"""The files of a solution for download."""

LATER = ("scipy", "highspy")
"""The libraries that the page loads while it already solves small games."""

MOST_CHECKED = 20_000
"""The maximum number of nodes of a tree for which the certificate contains the tree, and is checked at once."""

_latest: list[eb.Solution] = []


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
    The answer has ``title``, ``figures``, ``proved``, ``script`` (which proved it), ``page`` (HTML) and ``files``, or
    else ``error``, ``line`` (in the class, or null), ``spent`` (whether Python has no memory left) and ``needs``
    (whether the libraries that come later are missing).
    """
    _latest.clear()
    try:
        solution = eb.solve(_game(json.loads(request)), progress=say)
        _latest.append(solution)
        figures = str(solution).partition("\nstrategy ")[0].partition("\n")
        page = eb.write_viewer(solution if solution.profile or solution.sparse else solution.subject, "page.html")
        answer = {
            "title": figures[0],
            "figures": figures[2].replace(" (beliefs: --json)", ""),  # an option of the command line
            **_checked(solution),
            "page": page.read_text("utf-8"),
            "files": FILES,
        }
    except Exception as error:  # the page shows whatever stopped a stranger's program
        answer = _stopped(error)
    return json.dumps(answer)


def made(name: str) -> bytes:
    """Return the file *name*, one of ``FILES``, for the latest solution."""
    (solution,) = _latest
    path = Path(name)
    if name == "game.efg":
        eb.build(solution.subject if solution.tree is None else solution.tree).write(path)
    elif name == "certificate.json":
        _certificate(solution).write(path)
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
        return str(request["text"])
    Path(OWN).write_text(request["text"], "utf-8")
    classes = re.findall(r"^class (\w+)", request["text"], re.MULTILINE)
    own: eb.Game = eb.game(":".join([OWN, *classes[-1:]]))
    return own


def _certificate(solution: eb.Solution) -> eb.Solution:
    """Return *solution* as one whose file contains the tree, if it is small: a script can then check it alone."""
    tree, profile = solution.tree, solution.profile
    if tree is None or profile is None or len(tree) > MOST_CHECKED or "efg" in solution.to_json()["game"]:
        return solution
    alone = eb.parse_efg(tree.to_efg())  # it has the same nodes in the same order, but other numbers of sets
    same = dict(zip(alone.infoset.tolist(), tree.infoset.tolist(), strict=True))
    rows = {k: profile.probabilities[same[k]] for k in alone.personal}
    return eb.solve(alone, lambda _: eb.TreeProfile.from_personal(alone, rows))


def _checked(solution: eb.Solution) -> dict[str, str]:
    """Return what a script that imports nothing of the package proves of the certificate, and its name."""
    certificate = _certificate(solution)
    if certificate.tree is not None and "efg" not in certificate.to_json()["game"]:
        return {"proved": "", "script": ""}
    certificate.write("certificate.json")
    script = "checker.py" if certificate.tree is None else "tree_checker.py"
    main = runpy.run_path(str(Path(efg_builder.proof.__file__).with_name(script)))["main"]
    with redirect_stdout(io.StringIO()) as printed:
        main(["certificate.json"])
    _, _, said = printed.getvalue().strip().partition(": proved: ")
    return {"proved": said, "script": script if said else ""}


def _stopped(error: Exception) -> dict[str, Any]:
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
