"""docs/architecture.md: the diffs are applied to a copy of the package, and the copy then has what each diff adds."""

import os
import re
import shutil
import subprocess
import sys

import pytest
from paths import DOCS, PACKAGE, TESTS

*DIFFS, CHANGE = re.findall(r"```diff\n(.*?)```", (DOCS / "architecture.md").read_text("utf-8"), flags=re.S)
"""The diffs that each add a file, and the diff that changes Liar's Dice."""

USED = {
    "games/odds_and_evens.py": ("solve odds-and-evens prize=2", '"1" 1/2, "2" 1/2'),
    "solvers/uniform.py": ("solve kuhn --method uniform", "regret"),
    "players/kinds/first_move.py": ("evaluate kuhn --strategy first-move", "NashConv"),
    "display/trees/words_only.py": ("draw kuhn -o kuhn.words", "kuhn.words"),
}
"""For each file that a diff adds, a command that needs the file, and a part of its output."""


def added(diff):
    """Return the path and the text of the file that *diff* adds."""
    lines = diff.splitlines()
    assert lines[0] == "--- /dev/null", "a diff adds a new file and changes no other"
    assert all(line.startswith("+") for line in lines[1:])
    return lines[1].removeprefix("+++ efg_builder/"), "".join(f"{line[1:]}\n" for line in lines[2:])


def changed(folder, diff):
    """Apply *diff*, whose hunks have no line numbers, to the files in *folder*, and return their paths."""
    paths = []
    for part in re.split(r"(?m)^--- a/", diff)[1:]:
        path, *hunks = re.split(r"(?m)^(?:\+\+\+ b/|@@).*\n", part)
        paths.append(path.strip())
        text = (folder / path.strip()).read_text("utf-8")
        for hunk in filter(None, hunks):
            lines = hunk.splitlines(keepends=True)
            old, new = ("".join(line[1:] for line in lines if line[0] in signs) for signs in (" -", " +"))
            assert text.count(old) == 1, old
            text = text.replace(old, new)
        (folder / path.strip()).write_text(text, "utf-8")
    return paths


@pytest.fixture(scope="module")
def copied(tmp_path_factory):
    """A folder with a copy of the package to which the diffs were applied."""
    folder = tmp_path_factory.mktemp("copied")
    shutil.copytree(PACKAGE, folder / "efg_builder", ignore=shutil.ignore_patterns("__pycache__", "node_modules"))
    for path, text in map(added, DIFFS):
        assert not (folder / "efg_builder" / path).exists()
        (folder / "efg_builder" / path).write_text(text, "utf-8")
    return folder


def run_in(folder, *words):
    environment = os.environ | {"PYTHONPATH": str(folder)}
    return subprocess.run([sys.executable, "-m", *words], cwd=folder, env=environment, capture_output=True, text=True)


def test_the_page_has_a_diff_for_each():
    assert [path for path, _ in map(added, DIFFS)] == list(USED)


@pytest.mark.parametrize("path", USED)
def test_one_new_file_adds_it(copied, path):
    command, part = USED[path]
    done = run_in(copied, "efg_builder", *command.split())
    assert part in done.stdout + done.stderr
    assert run_in(copied, "ruff", "format", "--check", "--line-length", "120", f"efg_builder/{path}").returncode == 0


def test_an_added_method_passes_the_conformance_tests(copied):
    file = TESTS / "solvers" / "test_conformance.py"
    done = run_in(copied, "pytest", "-n", "0", "-q", "-p", "no:cacheprovider", str(file), "-k", "uniform")
    assert done.returncode == 0, done.stdout


def test_a_payoff_of_liars_dice_needs_both_files(copied):
    for path in changed(copied, CHANGE):
        assert run_in(copied, "ruff", "format", "--check", "--line-length", "120", path).returncode == 0
    words = ["solve", "liars-dice", "sides=3", "payoff=double", "--method", "oracle", "-o", "double.json"]
    assert "Player 1: -2/9" in run_in(copied, "efg_builder", *words).stdout
    checked = run_in(copied, "efg_builder.proof.checker", "double.json")
    assert checked.returncode == 0, checked.stdout
