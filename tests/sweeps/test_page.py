"""docs/sweeps.md: its commands run, its code runs, and it names every column."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import efg_builder as eb
from efg_builder.cli import run
from efg_builder.experiments.jobs.claims import LEASE
from efg_builder.experiments.sweeps import running, work
from efg_builder.experiments.sweeps.store import SCHEMA
from efg_builder.experiments.sweeps.table import read
from efg_builder.proof.certificate import verify_solution

PAGE = (Path(__file__).parents[2] / "docs" / "sweeps.md").read_text()
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", PAGE, flags=re.DOTALL)


@pytest.mark.slow
def test_commands_and_code_of_the_page(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for command in [line for kind, text in BLOCKS if kind == "sh" for line in text.splitlines()]:
        assert run(shlex.split(command)[1:]) == 0, capsys.readouterr().err
    assert len(read("sweep.db")) == 2 * 2 * (2 + 3)
    # 1/9: thomasahle/snyd, README.
    assert (
        verify_solution("two-against-one.json.gz").value[0]
        == eb.solve(eb.game("liars-dice", sides=3, dice=(2, 1))).value[0]
    )
    (code,) = [text for kind, text in BLOCKS if kind == "python"]
    Path("script.py").write_text(code)
    done = subprocess.run([sys.executable, "script.py"], capture_output=True, text=True, check=True)
    assert len(done.stdout.splitlines()) == 2 * 3
    assert "3 quantity-face 1/9" in done.stdout.splitlines()


def test_every_column_of_the_file_is_on_the_page():
    columns = re.search(r"CREATE TABLE variants \((.*?)\n\)", SCHEMA, flags=re.DOTALL)[1]
    names = re.findall(r"(\w+) (?:TEXT|INTEGER|REAL)", columns)
    assert len(names) == 32
    described = PAGE[PAGE.index("Table `variants`") :]
    for name in names:
        assert f"`{name.removesuffix('_float')}`" in described, name


def test_figures_of_the_page_are_those_of_the_code():
    assert f"after {LEASE:.0f} seconds without a" in PAGE
    assert work.GRACE == 60
    assert "twice the limit and a minute" in PAGE
    assert running.RETRIES == 2
    assert "up to twice in one run" in PAGE
