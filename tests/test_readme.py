"""Every command of the README runs, and says what the README says."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from efg_builder.cli import run

README = (Path(__file__).parent.parent / "README.md").read_text()
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", README, flags=re.DOTALL)
COMMANDS = [line.split("#")[0].strip() for kind, text in BLOCKS if kind == "sh" for line in text.splitlines()]
OURS = [command for command in COMMANDS if command.startswith("efg-builder")]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("readme")


@pytest.mark.parametrize("command", OURS)
def test_commands_of_the_readme(command, folder, monkeypatch, capsys):
    # One folder and the README's order: later commands use the files of earlier ones.
    monkeypatch.chdir(folder)
    assert run(command.split()[1:]) == 0
    assert capsys.readouterr().out or "-o" in command


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
    script = (Path(__file__).parent.parent / ".ci" / "run").read_text()
    assert "<!-- tests -->" in script
    command = README.split("<!-- tests -->")[1].split("```")[1].splitlines()[1]
    assert command.endswith("-m pytest")


def test_readme_links_exist():
    for link in re.findall(r"\]\(([^)]+)\)", README):
        assert (Path(__file__).parent.parent / link).exists()
