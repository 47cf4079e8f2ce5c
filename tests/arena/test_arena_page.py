"""docs/arena.md: its commands and its code run, and print what it says."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from efg_builder.cli import run
from efg_builder.experiments.arena import expected, ratings, schedule

PAGE = (Path(__file__).parents[2] / "docs" / "arena.md").read_text()
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", PAGE, flags=re.DOTALL)


@pytest.mark.slow
def test_commands_and_code_of_the_page(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    printed = []
    for command in [line for kind, text in BLOCKS if kind == "sh" for line in text.splitlines()]:
        assert run(shlex.split(command)[1:]) == 0, capsys.readouterr().err
        printed.append(capsys.readouterr().out)
    assert {path.name for path in tmp_path.iterdir()} == {"arena.db", "ratings.svg", "meetings.csv"}
    (shown,) = [text for kind, text in BLOCKS if kind == "text"]
    assert shown in printed[0]
    assert printed[1] == printed[0]
    (code,) = [text for kind, text in BLOCKS if kind == "python"]
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == re.findall(r"print\(.*\)\s+# (.*)", code)


def test_limits_of_the_page_are_those_of_the_code():
    assert f"up to {expected.NODES:,} nodes" in PAGE
    assert f"some {round(expected.ENTRIES, -4):,} entries" in PAGE
    assert f"about {schedule.BLOCKS} blocks" in PAGE
    assert f"below {ratings.FEWEST_BLOCKS} blocks" in PAGE
