"""Variants that are broken off: they go on from their state, and end as they would have."""

import signal

import pytest
from processes import kill, until
from runs import solvers, start, table

from efg_builder.experiments.sweeps import work
from efg_builder.experiments.sweeps.running import Limits, sweep
from efg_builder.experiments.sweeps.states import folder_of, forget, kept, state_file
from efg_builder.experiments.sweeps.store import DONE, TIMEOUT, Task
from efg_builder.experiments.sweeps.table import read
from efg_builder.experiments.sweeps.variants import grid

HARD = {"sides": "6", "dice": "2,2", "wild": "highest"}
"""Far more than the seconds that a test has."""


def games(settings):
    return grid("liars-dice", settings)


WAY = ("note", "rounds", "columns")
"""A search that goes on begins its linear programs from other bases, and may end by another way, at the same value."""


def same(path):
    return [{k: v for k, v in row.items() if k not in WAY} for row in table(path)]


@pytest.mark.slow
def test_killed_in_the_middle_and_resumed_ends_with_the_same_row(tmp_path):
    words = ("liars-dice", "sides=5", "dice=2,2", "--workers", "1")
    straight, broken = tmp_path / "straight.db", tmp_path / "broken.db"
    assert start(straight, *words).wait(300) == 0
    run, folder = start(broken, *words), folder_of(broken)
    until(lambda: list(folder.glob("*.npz")) and solvers(run.pid))
    kill(run.pid)
    run.communicate()
    assert list(folder.glob("*-1.npz"))
    assert start(broken, *words).wait(300) == 0
    assert same(broken) == same(straight)
    (row,) = read(broken)
    assert row.figures["tries"] == 2
    assert row.figures["note"].endswith(work.ON)
    assert not folder.exists()
    assert not folder_of(straight).exists()


def test_ctrl_c_leaves_the_state(tmp_path):
    path = tmp_path / "s.db"
    run = start(path, "liars-dice", *(f"{key}={value}" for key, value in HARD.items()), "--workers", "1")
    until(lambda: list(folder_of(path).glob("*.npz")))
    run.send_signal(signal.SIGINT)
    run.communicate(timeout=60)
    assert run.returncode == 130
    assert [file.name[-6:] for file in folder_of(path).iterdir()] == ["-1.npz"]


def test_after_the_time_limit_improve_goes_on(tmp_path):
    path, found = tmp_path / "s.db", games(HARD)
    assert sweep(found, path, workers=1, limits=Limits(timeout=1.5)).counts == {TIMEOUT: 1}
    (first,) = read(path)
    assert first.figures["error"] == "the time limit came first"
    # Without it, the row stays.
    assert sweep(found, path, workers=1, limits=Limits(timeout=1.5)).tried == 0
    assert sweep(found, path, workers=1, limits=Limits(timeout=3.0), improve=True).tried == 1
    (second,) = read(path)
    assert second.figures["error"] == f"the time limit came first; {work.ON}"
    assert second.figures["rounds"] >= first.figures["rounds"]
    # The state of the first try is not needed any more.
    assert [file.name[-6:] for file in folder_of(path).iterdir()] == ["-2.npz"]


def test_improve_leaves_failed_rows_alone(tmp_path):
    path, found = tmp_path / "s.db", games({"sides": "2"})
    assert sweep(found, path, workers=1, method="gambit-logit", limits=Limits(memory=2**20)).counts == {"memory": 1}
    assert sweep(found, path, workers=1, method="gambit-logit", improve=True).tried == 0


def given(folder, tries, timeout=1.5, settings=HARD):
    return work.solve_variant(Task("key", "liars-dice", settings, timeout=timeout, tries=tries, folder=str(folder)))


@pytest.mark.slow
def test_a_damaged_state_is_begun_anew_with_a_line(tmp_path):
    given(tmp_path, 1)
    (state,) = kept(tmp_path, "key")
    whole = state.read_bytes()
    for damaged in (b"", b"bad", whole[: len(whole) // 2], whole[:200] + b"x" * 50 + whole[250:]):
        state.write_bytes(damaged)
        again = given(tmp_path, 2)
        assert again.status == TIMEOUT
        assert f"begun anew, as its state {state.name} is of no use: " in again.error
        assert "\n" not in again.error
        assert again.certificate is not None
        forget([state_file(tmp_path, "key", 2)])


@pytest.mark.slow
def test_the_state_of_another_game_is_of_no_use(tmp_path):
    given(tmp_path, 1)
    other = given(tmp_path, 2, 60.0, {"sides": "5", "dice": "2,1"})
    assert other.status == DONE
    assert "begun anew, as its state" in other.note
    assert "it is of" in other.note


def test_two_tries_never_have_one_file(tmp_path):
    """A run that was wrongly taken for dead goes on writing: to its own file."""
    assert state_file(tmp_path, "a", 1) != state_file(tmp_path, "a", 2) != state_file(tmp_path, "b", 2)
    for tries in (2, 10, 1):
        state_file(tmp_path, "a", tries).touch()
    state_file(tmp_path, "b", 3).touch()
    assert kept(tmp_path, "a") == [state_file(tmp_path, "a", tries) for tries in (1, 2, 10)]


@pytest.mark.slow
def test_two_sweeps_at_once_do_not_take_the_same_state(tmp_path):
    """Of one file each row has one run; another file has another folder."""
    words = ("liars-dice", "sides=5", "dice=2,1;1,2;2,2", "--workers", "1")
    paths = [tmp_path / "one.db", tmp_path / "one.db", tmp_path / "two.db"]
    runs = [start(path, *words) for path in paths]
    assert [run.wait(300) for run in runs] == [0, 0, 0]
    for path in paths:
        assert [(row.figures["status"], row.figures["tries"], row.figures["note"]) for row in read(path)] == [
            (DONE, 1, None)
        ] * 3
        assert not folder_of(path).exists()


def test_a_worker_that_does_not_see_the_folder_solves_all_the_same(tmp_path):
    assert given(tmp_path / "nowhere", 1, 60.0, {"sides": "4", "dice": "2,1"}).value == "345/1696"
    assert not (tmp_path / "nowhere").exists()
    # No state is kept of small trees.
    assert given(tmp_path, 1, 60.0, {"sides": "3"}).note is None
    assert not list(tmp_path.iterdir())
