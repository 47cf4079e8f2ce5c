"""All pages: every command and program runs, in the page's order, and gives what the page shows.

Of a page's blocks, ``sh`` and ``python`` are run, in one folder and with one set of Python's names; a block with
``file=NAME`` is saved there; a ``text`` block directly after a run one is what it prints, with ``...`` for lines left
out, ``↳`` before the rest of a long line, ``<word>`` for what differs from run to run, and ``> `` before a line that is
typed. A comment with a figure, behind a command or above it, is what that prints; those behind ``print`` are all that a
program prints. ``bash`` is not run, but must be right.
"""

import contextlib
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path

import click
import pytest
from paths import DOCS, ROOT, unwrapped
from sweeps_here import sweeps_here

import public_exam
from efg_builder.cli import root, run
from efg_builder.equilibria.solution_files import versions

BLOCK = re.compile(r"^```(\w+)(?: file=(\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PAGES = [path for path in (ROOT / "README.md", *sorted(DOCS.glob("**/*.md"))) if BLOCK.search(path.read_text("utf-8"))]
SLOW = {
    f"{name}.md"
    for name in (
        *("arena", "variants", "commands", "equilibria", "gallery", "library", "many-players", "matches"),
        *("neural", "oracle", "play", "sweeps", "viewer", "your-own-game", "zero-intelligence", "from-gambit"),
        *("tutorials/two-to-six-sides", "howto/index", "howto/long-search"),
    )
}
TOLD_OF = {"players.md", "proof.md", "your-own-game.md"}
"""One text of each of these pages is not what a block before it prints; other tests hold it."""
BEFORE = {
    "play.md": "efg-builder match liars-dice sides=2 dice=2,2 -o match.json.gz",
    "viewer.md": "efg-builder solve liars-dice sides=3 -o a.json\nefg-builder solve liars-dice sides=3 -o b.json",
}
"""What a reader has done before."""
GIVEN = {
    **{name: ROOT / name for name in ("benchmarks", "docs/games", "docs/players", "outputs/liars-dice-variants.db")},
    **{name: DOCS / name for name in ("certificates", "coin.json", "exam/", "proof.json")},
    **{name: ROOT / "efg_builder" / "proof" / name for name in ("checker.py", "tree_checker.py")},
}
"""What a page takes from the repository."""
NEEDS = {"import pyspiel": "pyspiel", "efg-builder train": "torch"}
"""Blocks with these words are left out where the module is not installed."""
PICTURES = sorted(
    path for room in ("tutorials", "howto") for kind in ("svg", "png") for path in (DOCS / room).glob(f"*.{kind}")
)
MADE_WITH = {"highspy": "1.16.0", "pygambit": "17.0.0b2"}
"""Another version of a solver may find another of many equilibria, or Gambit another layout."""


def name_of(path):
    return path.relative_to(ROOT).as_posix().removeprefix("docs/")


class Typed(io.StringIO):
    """Standard input that shows what is typed, as a terminal does."""

    def readline(self, *args):
        """The next line, shown where it stands on the page."""
        line = super().readline(*args)
        if line:
            sys.stdout.write(f"> {line}")
        return line


def joined(content):
    """The commands of a block, each on one line."""
    return re.sub(r" *\\\n *", " ", content)


def steps(page):
    """What the page has a reader do: kind, file to save or none, content, and what is shown of the output, or none."""
    text = page.read_text("utf-8")
    found = list(BLOCK.finditer(text))
    after = [*found[1:], None]
    for block, then in zip(found, after, strict=True):
        kind, file, content = block.groups()
        if kind == "text":
            continue
        if kind == "sh":
            content = joined(content)
        shown = then and then[1] == "text" and not text[block.end() : then.start()].strip()
        yield kind, file, content, then[3] if shown else None


def do(kind, content, typed, names):
    """What the commands or the program of a block print, standard output and error as they come."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said), sweeps_here():
        if kind == "python":
            before = set(Path().rglob("*"))
            # In a thread, because a browser of other tests may have an event loop in this one.
            with ThreadPoolExecutor(1) as thread:
                thread.submit(exec, compile(content, "page", "exec"), names).result()
            named = {Path(name) for name in re.findall(r"\"([^\"\n]+)\"", content)}
            assert {path for path in set(Path().rglob("*")) - before if path.is_file()} <= named
            for name in re.findall(r"\.(?:write\(|draw\(|write_\w+\(\w+, )\"([^\"]+\.\w+)\"", content):
                assert Path(name).is_file(), name
            return said.getvalue()
        above = ""
        for line in content.splitlines():
            if line.startswith("# "):
                above = line.removeprefix("# ").removesuffix(":")
                continue
            begin = len(said.getvalue())
            command, *words = shlex.split(line, comments=True)
            if command == "efg-builder":
                sys.stdin = Typed(typed)
                code = run([re.sub(r"\bpython3 ", f"{shlex.quote(sys.executable)} ", word) for word in words])
            else:
                assert command == "python", line
                ended = subprocess.run([sys.executable, *words], capture_output=True, text=True, check=False)
                said.write(ended.stdout + ended.stderr)
                code = ended.returncode
            comment, above = (re.findall(r"[ ]# (.*)$", line) or [above])[0], ""
            expected = re.fullmatch(r"exit code (\d+)", comment)
            printed = said.getvalue()[begin:]
            assert code == (int(expected[1]) if expected else 0), f"{line}\n{said.getvalue()}"
            assert expected or borne_out(comment, printed), f"{line}\n{printed}"
            assert printed or "-o" in words, f"{line}\nprints nothing"
            if code == 0 and "--list-variants" not in words:
                missing = [name for option, name in pairwise(words) if option == "-o" and not Path(name).exists()]
                assert set(missing) <= {"-"}, line
    return said.getvalue()


def borne_out(comment, printed):
    """Whether a command prints what its comment says with a figure: sizes, a value, or the beginning of a line."""
    if not re.search(r"\d", comment):
        return True
    sizes = re.findall(r"([\d,]+) (nodes|information sets)\b", comment)
    if sizes:
        rows = {"nodes": "nodes", "information sets": "infosets"}
        return all(re.search(rf"(?m)^ *{rows[row]} +{count}$", printed) for count, row in sizes)
    value = re.fullmatch(r"(?:value )?(-?\d+(?:[/.]\d+)?)(?:, (exact|proved)|[;:] .*)?", comment)
    if value:
        exact = not value[2] or re.search(r"(?m)^regret +0 \(exact: ", printed)
        return bool(exact and re.search(rf"(?m)^value +(?:.*: )?{value[1]}(?: =| \(rounded|$)", printed))
    begin = re.sub(r"(?:\\ )+", " +", re.escape(comment))
    return bool(re.search(rf"(?m)^ *{begin}(?![\w/.])", printed))


def pattern(shown):
    """The regular expression of an output as a page shows it."""
    lines = []
    for line in unwrapped(shown).splitlines():
        if line.strip() == "...":
            lines.append("(?:.*\n)*?")
        else:
            lines.append(re.sub(r"(?:\\ )*<\w+>", r" *\\S.*?", re.escape(line)) + " *\n")
    return "".join(lines)


def follow(page, folder, monkeypatch):
    """Do all that *page* says in *folder*; gives the modules for want of which steps were left out."""
    monkeypatch.chdir(folder)
    monkeypatch.setattr("efg_builder.cli.common.QUIET", float("inf"))  # or a busy machine would tell of its progress
    monkeypatch.setattr("sys.stdin", sys.stdin)
    names, lacking = {"__name__": "__main__"}, set()
    all_run = "".join(content for kind, file, content, _ in steps(page) if kind in ("sh", "python") and not file)
    for name, source in GIVEN.items():
        if re.search(rf"\b{re.escape(name)}\b", all_run) and f"-o {name}" not in all_run:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (shutil.copytree if source.is_dir() else shutil.copyfile)(source, folder / name)
    if "benchmarks/library.py" in all_run:  # it copies the public exam
        shutil.copytree(DOCS / "exam", folder / "docs" / "exam", dirs_exist_ok=True)
        for _, solution, _ in public_exam.GAMES.values():
            (folder / solution).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / solution, folder / solution)
    do("sh", BEFORE.get(name_of(page), ""), "", names)
    for kind, file, content, shown in steps(page):
        needed = {module for words, module in NEEDS.items() if words in content and find_spec(module) is None}
        lacking |= needed
        if file:
            (folder / file).write_text(content, "utf-8")
        elif kind in ("sh", "python") and not needed:
            typed = "".join(f"{line}\n" for line in re.findall(r"(?m)^> (.*)$", shown or ""))
            said = do(kind, content, typed, names)
            behind = re.findall(r"(?m)^ *print\(.*\) +# (.*)$", content)
            assert not behind or said.splitlines() == behind, f"{content}\nprints\n{said}"
            if shown is not None:
                assert re.fullmatch(pattern(shown), said), f"{content}\nprints\n{said}\nbut shown is\n{shown}"
    return lacking


@pytest.mark.parametrize(
    "page",
    [pytest.param(page, marks=pytest.mark.slow if name_of(page) in SLOW else ()) for page in PAGES],
    ids=name_of,
)
def test_the_page_is_what_happens(page, tmp_path, monkeypatch):
    lacking = follow(page, tmp_path, monkeypatch)
    pictures = [path for path in PICTURES if made_on(page, path)]
    if all(versions()[part] == version for part, version in MADE_WITH.items()):
        for path in pictures:
            assert (tmp_path / path.name).read_bytes() == path.read_bytes(), path
    if lacking:
        pytest.skip(f"all but what needs {', '.join(sorted(lacking))}")


def made_on(page, path):
    """Whether a page shows a picture and makes it. The front page only shows."""
    text = page.read_text("utf-8")
    return f"({Path(os.path.relpath(path, page.parent)).as_posix()})" in text and path.name in "".join(
        content for kind, file, content, _ in steps(page) if kind in ("sh", "python") and not file
    )


def test_pictures_are_small_and_shown():
    assert all(any(made_on(page, path) for page in PAGES) for path in PICTURES)
    names = [(page, name) for page in PAGES for name in re.findall(r"!\[[^\]]+\]\(([^)]+)\)", page.read_text())]
    shown = {(page.parent / name).resolve() for page, name in names}
    assert set(PICTURES) <= shown
    assert all(path.stat().st_size < 60_000 for path in PICTURES)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_all_blocks_are_tested(page):
    text = page.read_text("utf-8")
    blocks = BLOCK.findall(text)
    assert text.count("```") == 2 * (len(blocks) + text.count("```{"))
    shown = [shown for kind, _, _, shown in steps(page) if kind in ("sh", "python") and shown is not None]
    told_of = sum(kind == "text" for kind, _, _ in blocks) - len(shown)
    assert told_of == (name_of(page) in TOLD_OF), "an output that stands after no command"
    assert all(re.sub(r"(?m)^\.\.\.$|\s", "", output) for output in shown)
    for kind, file, content in blocks:
        assert file or kind in ("sh", "python", "text", "bash", "tex", "csv", "json", "toml", "diff", "js"), kind
        lines = [line for line in content.splitlines() if line.startswith("efg-builder")]
        assert kind in ("sh", "bash") or file or kind == "text" or not lines
        if kind == "bash":  # what takes a cluster or minutes
            assert all(line.split()[1] in ("solve", "sweep", "table", "match", "verify") for line in lines), content


@pytest.mark.parametrize(
    "line",
    [
        line
        for page in PAGES
        for kind, _, content in BLOCK.findall(page.read_text("utf-8"))
        for line in joined(content).splitlines()
        if not line.startswith("# ") and (kind == "bash" or (kind == "sh" and any(words in content for words in NEEDS)))
    ],
)
def test_what_may_not_be_run_has_options_that_there_are(line):
    command, *words = shlex.split(re.sub(r"\$\w+", "1", line), comments=True)
    if command == "efg-builder":
        name, *words = words
        root.get_command(click.Context(root), name).make_context(name, words)
    elif command == "python":
        script = (ROOT / words[0]).read_text("utf-8")
        assert all(f'"{word}"' in script for word in words if word.startswith("--"))
    else:
        assert command in (".", "python3", ".venv/bin/python", ".venv/bin/sphinx-build")
