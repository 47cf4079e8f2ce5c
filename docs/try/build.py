"""Make the page *Try it*: ``python docs/try/build.py -o FOLDER``. The package runs in it, in the browser's Python.

The page loads Python from Pyodide's own address. With ``--pyodide FOLDER``, a folder with a distribution of Pyodide,
the page has a copy of what it needs, for a classroom without a net: ``python3 -m http.server -d FOLDER`` serves it.
"""

from __future__ import annotations

import argparse
import json
import re
import runpy
import shutil
import sys
import tempfile
import zipfile
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
DOCS = HERE.parent
sys.path.insert(0, str(DOCS.parent))

import efg_builder as eb  # noqa: E402 - found by the line above

PYODIDE = "https://cdn.jsdelivr.net/pyodide/v314.0.7/full/"
"""The address of Pyodide: a version with numpy, scipy and highspy."""

FIRST, LATER = ("numpy", "jinja2", "lazy-loader"), ("scipy", "highspy")
"""The packages of Pyodide that the page loads; small games need only the first, and highspy may be missing."""

BEGINS = {("liars-dice", "sides"): "3"}
"""Settings with which a game begins on the page, unlike its defaults."""

OWN = ("try.js", "try.css", "worker.js", "frame.html", "favicon.svg", "efg_builder.zip")
"""The files of the page beside ``index.html`` and ``offline.js``."""

CORE = (
    "pyodide.mjs",
    "pyodide.asm.js",
    "pyodide.asm.mjs",
    "pyodide.asm.wasm",
    "python_stdlib.zip",
    "pyodide-lock.json",
)
"""The files of Pyodide itself; each version has most of them."""

KUHN = "your-own-game.md"
"""The page in which Kuhn poker is written as a class."""


def build(folder: Path, pyodide: str = PYODIDE, site: bool = False) -> Path:
    """Write the page into *folder*, and return the path of ``index.html``.

    *pyodide* is an address, or a folder whose files are copied. With *site*, the page links to the site around it.
    Raises ``FileNotFoundError`` if the folder lacks files.
    """
    folder.mkdir(parents=True, exist_ok=True)
    pyodide, work = f"{pyodide.rstrip('/')}/", runpy.run_path(str(HERE / "work.py"))
    if "://" not in pyodide:
        copy_pyodide(Path(pyodide), folder / "pyodide")
        pyodide = "pyodide/"
    package = package_zip()
    version = sha256(
        package + b"".join(path.read_bytes() for path in sorted(HERE.iterdir()) if path.is_file())
    ).hexdigest()[:12]
    setup = {
        "pyodide": pyodide,
        "version": version,
        "first": FIRST,
        "later": LATER,
        "files": work["FILES"],
        "games": games(),
        "templates": templates(),
    }
    words = {
        "setup": json.dumps(setup).replace("<", "\\u003c"),
        "source": pyodide if "://" in pyodide else "",
        "pyodide": pyodide,
        "version": version,
        "files": json.dumps(OWN),
        "home": ' <a href="../index.html">About efg_builder</a>' if site else "",
        "reference": '<a href="../your-own-game.html">How to write a game</a>' if site else "",
    }
    for name in ("index.html", "offline.js"):
        text = (HERE / name).read_text("utf-8")
        filled = re.sub(r"\{\{ (\w+) \}\}", lambda found: words[found[1]], text)
        (folder / name).write_text(filled, "utf-8")
    for name in ("try.js", "try.css", "worker.js"):
        shutil.copyfile(HERE / name, folder / name)
    (folder / "frame.html").write_text(frame(work["DATA"]), "utf-8")
    shutil.copyfile(DOCS / "_static" / "favicon.svg", folder / "favicon.svg")
    (folder / "efg_builder.zip").write_bytes(package)
    return folder / "index.html"


def games() -> dict[str, Any]:
    """Return what the form needs of each game of the catalogue, Liar's Dice first."""
    return {
        kind.name: {
            "summary": kind.summary,
            "parameters": [
                {
                    "name": each.name,
                    "value": BEGINS.get((kind.name, each.name), str(each.default)),
                    "choices": each.choices,
                    "help": each.help,
                }
                for each in kind.parameters
            ],
        }
        for kind in sorted(eb.catalogue().values(), key=lambda kind: (kind.name != "liars-dice", kind.name))
    }


def templates() -> dict[str, str]:
    """Return the programs to begin with, by name."""
    found = re.search(r"```python file=kuhn.py\n(.*?)```", (DOCS / KUHN).read_text("utf-8"), re.DOTALL)
    assert found is not None
    examples = {name: (DOCS / "games" / f"{name}.py").read_text("utf-8") for name in ("coin", "entry")}
    return {"a coin bluff": examples["coin"], "Kuhn poker": found[1], "market entry": examples["entry"]}


def frame(data: re.Pattern[str]) -> str:
    """Return the page of the viewer with DATA in place of its data: no script in it comes from the reader's program."""
    with tempfile.TemporaryDirectory() as folder:
        tree = eb.build("kuhn")
        page = eb.write_viewer(tree, Path(folder) / "page.html").read_text("utf-8")
    return data.sub('id="view-data">DATA<', page).replace(tree.title, "The game")


def package_zip() -> bytes:
    """Return the package and ``work.py`` as a zip file; equal sources give equal bytes."""
    root, made = Path(eb.__file__).parent, BytesIO()
    files = {path.relative_to(root.parent): path for path in sorted(root.rglob("*")) if path.is_file()}
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, path in (files | {Path("work.py"): HERE / "work.py"}).items():
            if not {"__pycache__", "src"} & set(name.parts):
                archive.writestr(zipfile.ZipInfo(name.as_posix()), path.read_bytes(), zipfile.ZIP_DEFLATED)
    return made.getvalue()


def copy_pyodide(source: Path, folder: Path) -> None:
    """Copy what the page needs from a distribution of Pyodide: its core, and packages with what they depend on."""
    if not (source / "pyodide-lock.json").is_file():
        raise FileNotFoundError(f"{source} is no distribution of Pyodide: it has no pyodide-lock.json")
    lock = json.loads((source / "pyodide-lock.json").read_text("utf-8"))["packages"]
    names, left = set(), [name for name in FIRST + LATER if name in lock]
    while left:
        name = left.pop()
        names.add(name)
        left += {other for other in lock[name]["depends"] if other in lock} - names
    files = [name for name in CORE if (source / name).exists()] + [lock[name]["file_name"] for name in sorted(names)]
    if missing := [name for name in files if not (source / name).exists()]:
        raise FileNotFoundError(f"{source} is no complete distribution of Pyodide: it has no {', '.join(missing)}")
    folder.mkdir(parents=True, exist_ok=True)
    for name in files:
        shutil.copyfile(source / name, folder / name)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FOLDER", help="the folder of the page")
    parser.add_argument("--pyodide", default=PYODIDE, metavar="ADDRESS", help="an address or a folder [%(default)s]")
    words = parser.parse_args()
    try:
        print(build(words.output, words.pyodide))
    except OSError as error:
        parser.exit(2, f"error: {error}\n")


if __name__ == "__main__":
    main()
