"""Tutorials and how-to pages: every command and program runs, in the page's order, and gives what the page shows.

Of a page's blocks, ``sh`` and ``python`` are run, in one folder and with one set of Python's names; a block with
``file=NAME`` is saved there; a ``text`` block directly after a run one is what it prints, with ``...`` for lines left
out, ``<word>`` for what differs from run to run, and ``> `` before a line that is typed. ``bash`` is not run.
"""

import contextlib
import io
import re
import shlex
import shutil
import subprocess
import sys

import pytest
from paths import DOCS, ROOT

from efg_builder.cli import run
from efg_builder.equilibria.solution import versions

PAGES = sorted(
    path for room in ("tutorials", "howto") for path in (DOCS / room).glob("*.md") if path.name != "index.md"
)
SLOW = {"howto/phone.md", "howto/resume.md", "howto/sweep.md", "tutorials/two-to-six-sides.md"}
BLOCK = re.compile(r"^```(\w+)(?: file=(\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PICTURES = sorted(
    path for room in ("tutorials", "howto") for kind in ("svg", "png") for path in (DOCS / room).glob(f"*.{kind}")
)
MADE_WITH = {"highspy": "1.16.0", "pygambit": "17.0.0b2"}
"""Another version of a solver may find another of many equilibria, or Gambit another layout."""


def name_of(path):
    return path.relative_to(DOCS).as_posix()


class Typed(io.StringIO):
    """Standard input that shows what is typed, as a terminal does."""

    def readline(self, *args):
        """The next line, shown where it stands on the page."""
        line = super().readline(*args)
        if line:
            sys.stdout.write(f"> {line}")
        return line


def steps(page):
    """What the page has a reader do: kind, file to save or none, content, and what is shown of the output, or none."""
    text = page.read_text("utf-8")
    found = list(BLOCK.finditer(text))
    after = [*found[1:], None]
    for block, then in zip(found, after, strict=True):
        kind, file, content = block.groups()
        if kind == "text":
            continue
        shown = then and then[1] == "text" and not text[block.end() : then.start()].strip()
        yield kind, file, content, then[3] if shown else None


def do(kind, content, typed, names):
    """What the commands or the program of a block print, standard output and error as they come."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        if kind == "python":
            exec(compile(content, "page", "exec"), names)
            return said.getvalue()
        for line in content.splitlines():
            command, *words = shlex.split(line, comments=True)
            expected = re.search(r"# exit code (\d+)$", line)
            if command == "efg-builder":
                sys.stdin = Typed(typed)
                code = run(words)
            else:
                assert command == "python", line
                ended = subprocess.run([sys.executable, *words], capture_output=True, text=True, check=False)
                said.write(ended.stdout + ended.stderr)
                code = ended.returncode
            assert code == (int(expected[1]) if expected else 0), f"{line}\n{said.getvalue()}"
    return said.getvalue()


def pattern(shown):
    """The regular expression of an output as a page shows it."""
    lines = []
    for line in shown.splitlines():
        if line.strip() == "...":
            lines.append("(?:.*\n)*?")
        else:
            lines.append(re.sub(r"(?:\\ )*<\w+>", r" *\\S.*?", re.escape(line)) + " *\n")
    return "".join(lines)


def follow(page, folder, monkeypatch, check):
    """Do all that *page* says in *folder*; *check* is called with each step's output and what the page shows of it."""
    monkeypatch.chdir(folder)
    monkeypatch.setattr("efg_builder.cli.common.QUIET", float("inf"))  # or a busy machine would tell of its progress
    monkeypatch.setattr("sys.stdin", sys.stdin)
    names = {"__name__": "__main__"}
    for kind, file, content, shown in steps(page):
        if file:
            (folder / file).write_text(content, "utf-8")
        elif kind in ("sh", "python"):
            typed = "".join(f"{line}\n" for line in re.findall(r"(?m)^> (.*)$", shown or ""))
            said = do(kind, content, typed, names)
            check(content, said, shown)


def agree(content, said, shown):
    """Nothing is shown, or just what is printed."""
    if shown is not None:
        assert re.fullmatch(pattern(shown), said), f"{content}\nprints\n{said}\nbut shown is\n{shown}"


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """The folder of each page, with what its commands have made, once it has been followed."""
    return {page: tmp_path_factory.mktemp(page.stem) for page in PAGES}


@pytest.mark.parametrize(
    "page",
    [pytest.param(page, marks=pytest.mark.slow if name_of(page) in SLOW else ()) for page in PAGES],
    ids=name_of,
)
def test_the_page_is_what_happens(page, folders, monkeypatch):
    if "environment.make" in page.read_text("utf-8"):
        pytest.importorskip("gymnasium", reason="needs gymnasium and pettingzoo (the extra 'env')")
    for name in ("checker.py", "tree_checker.py"):
        if f"python {name}" in page.read_text("utf-8"):
            shutil.copy(ROOT / "efg_builder" / "proof" / name, folders[page])
    follow(page, folders[page], monkeypatch, agree)
    pictures = [path for path in PICTURES if path.parent == page.parent and f"({path.name})" in page.read_text("utf-8")]
    if any(versions()[part] != version for part, version in MADE_WITH.items()):
        return
    for path in pictures:
        assert (folders[page] / path.name).read_bytes() == path.read_bytes(), path


def test_pictures_are_small_and_shown():
    shown = {page.parent / name for page in PAGES for name in re.findall(r"!\[[^\]]+\]\(([^)]+)\)", page.read_text())}
    assert set(PICTURES) <= shown
    assert all(path.stat().st_size < 60_000 for path in PICTURES)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_all_blocks_are_tested(page):
    text = page.read_text("utf-8")
    blocks = BLOCK.findall(text)
    assert text.count("```") == 2 * len(blocks)
    shown = [shown for kind, _, _, shown in steps(page) if kind in ("sh", "python") and shown is not None]
    assert len(shown) == sum(kind == "text" for kind, _, _ in blocks), "an output that stands after no command"
    assert all(re.sub(r"(?m)^\.\.\.$|\s", "", output) for output in shown)
    for kind, file, content in blocks:
        assert file or kind in ("sh", "python", "text", "bash", "tex"), kind
        lines = [line for line in content.splitlines() if line.startswith("efg-builder")]
        assert kind in ("sh", "bash") or file or kind == "text" or not lines
        if kind == "bash":  # what takes a cluster or hours
            assert all(line.split()[1] in ("sweep", "table", "match") for line in lines), content
