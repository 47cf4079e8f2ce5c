"""Every command of the README runs, and says what the README says."""

import re
import subprocess
import sys

import pytest
from paths import ROOT

from efg_builder.cli import run

README = (ROOT / "README.md").read_text()
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", README, flags=re.DOTALL)
LINES = [line.partition("#") for kind, text in BLOCKS if kind == "sh" for line in text.splitlines()]
OURS = [(command.strip(), said.strip()) for command, _, said in LINES if command.startswith("efg-builder")]
# A game of two dice a side takes seconds by any command, and so does a tournament; tests of their own hold both.
LARGE = [pair for pair in OURS if "sides=6 dice=2,2 " in pair[0] or "arena" in pair[0]]
TESTED = [pytest.param(*pair, marks=pytest.mark.slow) if pair in LARGE else pair for pair in OURS]

# What a comment with numbers in it says of the output, as patterns that must be found there.
CLAIMS = {
    "125 nodes, 32 information sets": (r"(?m)^ *nodes +125$", r"(?m)^ *infosets +32$"),
    "212027/771552, exact": (r"(?m)^value +Player 1: 212027/771552 ", r"(?m)^regret        0 \(exact: "),
    "value 0, proved": (r"(?m)^value +Player 1: 0$", r"(?m)^regret        0 \(exact: "),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("readme")


@pytest.mark.parametrize(("command", "said"), TESTED)
def test_commands_of_the_readme(command, said, folder, monkeypatch, capsys, in_process):
    # One folder and the README's order: later commands use the files of earlier ones.
    monkeypatch.chdir(folder)
    assert run(command.split()[1:]) == 0
    out, err = capsys.readouterr()
    assert out or "-o" in command
    assert said in CLAIMS or not re.search(r"\d", said), "what does the output show of this?"
    for pattern in CLAIMS.get(said, ()):
        assert re.search(pattern, out + err)


def test_the_readme_makes_the_claims_that_are_tested():
    assert set(CLAIMS) <= {said for _, said in OURS}


@pytest.mark.parametrize("code", [text for kind, text in BLOCKS if kind == "python"])
def test_python_of_the_readme(code, tmp_path):
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    said = re.findall(r"print\(.*\)\s+# (.*)", code)
    assert done.stdout.splitlines() == said
    assert {path.name for path in tmp_path.iterdir()} == {"game.efg", "game.svg", "solution.json"}


def test_the_summary_in_the_readme_is_what_run_prints(tmp_path, capsys):
    shown = next(text for kind, text in BLOCKS if kind == "text")
    assert run(["run", "liars-dice", "sides=3", "--out", str(tmp_path)]) == 0
    assert capsys.readouterr().out.startswith(shown)


def test_ci_runs_the_test_command_as_printed():
    script = (ROOT / ".ci" / "run").read_text()
    assert "<!-- tests -->" in script
    command = README.split("<!-- tests -->")[1].split("```")[1].splitlines()[1]
    assert command.endswith("-m pytest")


def test_readme_links_exist():
    for link in re.findall(r"\]\(([^)]+)\)", README):
        assert (ROOT / link).exists()
