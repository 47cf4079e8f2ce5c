"""The same command writes the same bytes: a file holds what was found, and no times."""

import shlex
from itertools import count
from pathlib import Path
from typing import Any

import pytest

import efg_builder as eb
from efg_builder.interop.gambit import child

SOLVED = {
    "kuhn": "auto",
    "dice-poker sides=3": "extreme",
    "liars-dice sides=4": "oracle",
    "liars-dice sides=2 dice=1,1,1": "auto",
    "liars-dice sides=3": "cfr",
    "dice-poker": "gambit-lp",
}


@pytest.fixture
def ever_slower(in_process: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Gambit takes one second more at each call."""
    run, seconds = child.run, count(1)

    def slower(*given: Any, **options: Any) -> child.GambitAnswer:
        answer = run(*given, **options)
        answer.seconds = float(next(seconds))
        return answer

    monkeypatch.setattr(child, "run", slower)


@pytest.mark.parametrize("ending", [".json", ".json.gz", ".csv"])
@pytest.mark.parametrize("words", SOLVED)
def test_solving_twice_writes_the_same_file(words: str, ending: str, tmp_path: Path, ever_slower: None) -> None:
    solutions = [eb.solve(words, SOLVED[words]) for _ in range(2)]
    one, two = (found.write(tmp_path / f"{k}{ending}").read_bytes() for k, found in enumerate(solutions))
    assert one == two
    assert all(found.seconds > 0 for found in solutions)


def test_a_solution_equals_only_itself() -> None:
    one, two = eb.solve("kuhn"), eb.solve("kuhn")
    assert one != two
    assert len({one, two, one}) == 2
    assert one.to_json() == two.to_json()


COMMANDS = (
    "run kuhn --out .",
    "match liars-dice sides=2 dice=1,1 -o match.json",
    "sweep liars-dice sides=2..3 -o sweep.db --workers 1",
    "table sweep.db --extract 'liars-dice sides=2' -o row.json",
    "exam kuhn --solution outputs/kuhn.json --count 5 --answers -o exam.jsonl",
    "evaluate liars-dice sides=2..3 --players uniform -o losses.json",
    "evaluate kuhn --strategy uniform -o best.json",
)
"""Run in this order: a command reads what those before it wrote."""

MEASURED = (".db", ".db-wal", ".db-shm")
"""A sweep's rows have the seconds that each variant took; its certificates have none."""


def test_commands_write_the_same_files_twice(cli, tmp_path, monkeypatch, ever_slower):
    written = []
    for name in ("one", "two"):
        folder = tmp_path / name
        folder.mkdir()
        monkeypatch.chdir(folder)
        for command in COMMANDS:
            code, out, err = cli(*shlex.split(command))
            assert code == 0, (command, out, err)
        files = (path for path in folder.rglob("*") if path.is_file() and path.suffix not in MEASURED)
        written.append({path.relative_to(folder).as_posix(): path.read_bytes() for path in files})
    one, two = written
    assert len(one) >= 10
    assert one.keys() == two.keys()
    assert [name for name in one if one[name] != two[name]] == []
