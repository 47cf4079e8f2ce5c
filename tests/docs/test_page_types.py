"""All pages: a type checker accepts every Python block, in the page's order, and says page and line where not."""

import os
import re
import subprocess
import sys

import pytest
from paths import ROOT
from test_guides import BLOCK, PAGES, name_of

CHECK = (
    *("--strict", "--check-untyped-defs", "--config-file", str(ROOT / "pyproject.toml"), "--no-error-summary"),
    # Short examples may leave out the types of their own functions; what they do with ours is checked.
    *("--allow-untyped-defs", "--allow-incomplete-defs", "--allow-untyped-calls", "--allow-subclassing-any"),
    *("--disable-error-code", "import-untyped"),  # open_spiel
    "--allow-redefinition",  # one block after another of a page
)
OPEN = {
    # NashConv and losses of an evaluation are None for some games.
    "strategies.md",
    # A payoff as a float stands there as a mistake.
    "tutorials/your-own-game.md",
}
"""Pages with errors still, most of them for want of better types in the package."""


def saved(folder):
    """Write the blocks of each page as one module, in their lines, and files that a page saves as modules of their own.

    Gives the page of each module.
    """
    pages = {}
    for page in PAGES:
        text = page.read_text("utf-8")
        parts = {}
        for block in BLOCK.finditer(text):
            kind, file, content = block.groups()
            if kind != "python":
                continue
            name = (
                file if file and not (folder / file).exists() else re.sub(r"\W", "_", f"page_{name_of(page)}") + ".py"
            )
            before = parts.get(name, "")
            empty = text.count("\n", 0, block.start(3)) - before.count("\n")
            parts[name] = before + "\n" * empty + content
        for name, content in parts.items():
            (folder / name).write_text(content, "utf-8")
            pages[name] = name_of(page)
    return pages


@pytest.mark.slow
def test_a_type_checker_accepts_the_blocks_of_all_pages(tmp_path):
    pages = saved(tmp_path)
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *CHECK, "--cache-dir", str(tmp_path / "cache"), *sorted(pages)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env=os.environ | {"MYPYPATH": os.pathsep.join([str(ROOT), str(ROOT / "benchmarks")])},
    )
    assert not done.stderr
    found = re.findall(r"^(.+?\.py):(\d+): error: (.*)$", done.stdout, flags=re.MULTILINE)
    # With these options some comments of the package are unused; its own types have a check of their own.
    errors = [f"{pages[file]}:{line}: {said}" for file, line, said in found if file in pages]
    unexpected = [error for error in errors if error.partition(":")[0] not in OPEN]
    assert not unexpected, "\n".join(unexpected)
    assert {error.partition(":")[0] for error in errors} == OPEN, "a page has no errors any more"
