"""The nearest measured game: held against the recorded searches, never against the clock."""

import pytest
from sweeps_here import sweeps_here

import efg_builder as eb
import frame
from efg_builder.equilibria.measured import SECONDS, nearest_measured
from efg_builder.equilibria.solve import warning
from efg_builder.forms.subject import Subject

RECORDED = frame.load("oracle")["games"].values()


def test_the_table_is_that_of_the_benchmark():
    """benchmarks/oracle.py wrote it."""
    assert sum(map(len, SECONDS.values())) == len(RECORDED)
    for one in RECORDED:
        settings = {**one["settings"], "dice": ",".join(map(str, one["settings"]["dice"]))}
        found = nearest_measured(eb.game("liars-dice", **settings))
        assert found.same
        assert (found.seconds, found.exact) == (one["seconds"], one["exact"])


@pytest.mark.parametrize(
    ("settings", "timeout", "warned"),
    [
        ({"dice": "3,3"}, None, True),
        ({"dice": "3,3"}, 5.0, True),
        ({"dice": "6,6"}, None, True),
        ({"dice": "2,2"}, None, False),
        ({"dice": "2,2"}, 1.0, True),
        ({"dice": "2,2"}, 10.0, False),
        ({"dice": "1,1,1"}, None, False),
    ],
)
def test_a_search_that_may_not_end_is_warned_of(settings, timeout, warned):
    said = warning(Subject(eb.game("liars-dice", sides=6, **settings)), "auto", timeout)
    assert bool(said) == warned
    assert "\n" not in said
    assert not warned or "--checkpoint FILE.npz" in said


@pytest.mark.parametrize("command", ["solve", pytest.param("run", marks=pytest.mark.slow)])
def test_the_commands_warn_in_a_line(command, cli, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    _, _, err = cli(command, "liars-dice", "sides=6", "dice=2,2", "--timeout", "0.2")
    assert "this game took 3.5 s on two cores. The time limit" in err
    assert "on two cores" not in cli(command, "liars-dice", "sides=2", "--timeout", "5")[2]


def test_a_sweep_warns_of_all_at_once(cli, tmp_path):
    words = ("liars-dice", "sides=2;6", "dice=1,1;2,2", "--limit", "1", "--timeout", "2")
    with sweeps_here():
        _, _, err = cli("sweep", *words, "-o", tmp_path / "s.db")
    warning = "1 of 4 variants will probably not be solved exactly within 2 s (--timeout), e.g. liars-dice sides=6"
    assert f"{warning} dice=2,2;" in err
    with sweeps_here():
        _, _, err = cli("sweep", *words, "--gap", "1", "-o", tmp_path / "gap.db")
    assert "probably" not in err
