"""Whole sweeps: with failures, limits and earlier tries, and states of searches that are broken off."""

import signal

import pytest
from processes import PATIENCE, kill, until
from runs import solvers, start, table

from efg_builder import ParameterError
from efg_builder.experiments.sweeps import work
from efg_builder.experiments.sweeps.running import sweep
from efg_builder.experiments.sweeps.store import (
    DONE,
    FAILED,
    MEMORY,
    TIMEOUT,
    Task,
    TaskOutcome,
    finish,
    joined,
    retry,
)
from efg_builder.experiments.sweeps.table import read
from efg_builder.experiments.sweeps.variants import grid
from efg_builder.experiments.sweeps.work import folder_of, forget, kept, state_file


def test_a_run_can_stop_early_and_a_larger_grid_goes_on(tmp_path):
    path, said, four = tmp_path / "s.db", [], grid("liars-dice", {"sides": "2;3", "wild": "none;highest"})
    summary = sweep(four, path, workers=1, limit=1, progress=said.append)
    assert (summary.tried, summary.counts) == (1, {"done": 1, "open": 3})
    assert said[0] in ("0 of 4 variants, 1 running", "1 of 4 variants")
    assert not [line for line in said if "waiting" in line]
    assert sweep(four, path, workers=1, limit=-1).tried == 0
    summary = sweep(grid("liars-dice", {"sides": "2;3"}), path, workers=2)
    assert summary.counts == {"done": 2}
    assert len(read(path)) == 4


# --- rows that are tried again


def bracket(status, low, high, error=None, **more):
    return TaskOutcome(status, lower=low, lower_float=0.0, upper=high, upper_float=0.0, error=error, **more)


TRIES = [
    (TaskOutcome(TIMEOUT), 1),
    (TaskOutcome(MEMORY), 2),
    (bracket(TIMEOUT, "0", "1"), 3),
    (bracket(TIMEOUT, "1/2", "3/2"), 4),
    (TaskOutcome(FAILED, error="why"), 4),
    (bracket(TIMEOUT, "0", "2", "slow"), 4),
    (bracket(MEMORY, "1", "4/3"), 7),
    (bracket(DONE, "0", "2"), 8),
]
"""How tries end, and the try whose bracket, certificate and figures the row then has: the narrowest, or one that is
done."""


def test_failures_are_tried_again_when_asked_and_a_narrower_bracket_stays(tmp_path):
    with joined(tmp_path / "s.db", grid("liars-dice", {"sides": "2;3"}).variants, "auto", None) as one:
        finish(one, one.claim(1)[0], TaskOutcome(DONE))
        for number, (outcome, stands) in enumerate(TRIES, start=1):
            found = {"seconds": number, "cpu_seconds": number, "peak_bytes": number, "method": f"m{number}"}
            found |= {"certificate": b"%d" % number, "worker": f"w{number}"}
            (held,) = one.claim(4)
            one.connection.execute("UPDATE variants SET finished = 'then' WHERE finished IS NOT NULL")
            finish(one, held, TaskOutcome(**{**vars(outcome), **found}), timeout=number, memory=number)
            row = one.connection.execute("SELECT * FROM variants WHERE key = ?", (held["key"],)).fetchone()
            assert [row[name] for name in ("status", "error", "tries")] == [outcome.status, outcome.error, number]
            assert [row[name] for name in ("lower", "upper")] == [
                TRIES[stands - 1][0].lower,
                TRIES[stands - 1][0].upper,
            ]
            names = ("seconds", "cpu_seconds", "peak_bytes", "timeout", "memory", "method", "worker")
            assert [row[name] for name in names] == [stands] * 5 + [f"m{stands}", f"w{stands}"]
            assert (row["finished"] == "then") == (stands < number)
            assert [tuple(kept) for kept in one.connection.execute("SELECT * FROM certificates")] == [
                (held["key"], b"%d" % stands)
            ]
            assert one.claim(4) == []
            retry(one)
        assert one.counts() == {DONE: 2}


def test_a_file_of_another_method_is_refused(tmp_path):
    variants = grid("liars-dice", {"sides": "2"}).variants
    with joined(tmp_path / "s.db", variants, "lp", "1/100"):
        pass
    for method, gap in (("auto", "1/100"), ("lp", None)):
        with (
            pytest.raises(ParameterError, match="was begun with --method lp --gap 1/100"),
            joined(tmp_path / "s.db", [], method, gap),
        ):
            pass


# --- states

HARD = {"sides": "6", "dice": "2,2", "wild": "highest"}
"""Far more than the seconds that a test has."""


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
    run.communicate(timeout=PATIENCE)
    assert run.returncode == 130
    assert [file.name[-6:] for file in folder_of(path).iterdir()] == ["-1.npz"]


@pytest.mark.slow
def test_after_the_time_limit_improve_goes_on(tmp_path):
    path, found = tmp_path / "s.db", grid("liars-dice", HARD)
    assert sweep(found, path, workers=1, timeout=1.0).counts == {TIMEOUT: 1}
    (first,) = read(path)
    assert first.figures["error"] == "the time limit came first"
    # Without it, the row stays.
    assert sweep(found, path, workers=1, timeout=1.0).tried == 0
    assert sweep(found, path, workers=1, timeout=1.5, improve=True).tried == 1
    (second,) = read(path)
    assert second.figures["error"] == f"the time limit came first; {work.ON}"
    assert second.figures["rounds"] >= first.figures["rounds"]
    # The state of the first try is not needed any more.
    assert [file.name[-6:] for file in folder_of(path).iterdir()] == ["-2.npz"]


def given(folder, tries, timeout=1.5, settings=HARD):
    return work.solve_variant(Task("key", "liars-dice", settings, timeout=timeout, tries=tries, folder=str(folder)))


@pytest.mark.slow
def test_a_damaged_state_or_one_of_another_game_is_begun_anew_with_a_line(tmp_path):
    given(tmp_path, 1)
    (state,) = kept(tmp_path, "key")
    whole = state.read_bytes()
    for damaged in (b"", b"bad", whole[: len(whole) // 2], whole[:200] + b"x" * 50 + whole[250:]):
        state.write_bytes(damaged)
        again = given(tmp_path, 2)
        assert again.status == TIMEOUT
        assert f"started again, because its state {state.name} is unusable: " in again.error
        assert "\n" not in again.error
        assert again.certificate is not None
        forget([state_file(tmp_path, "key", 2)])
    state.write_bytes(whole)
    other = given(tmp_path, 2, 60.0, {"sides": "5", "dice": "2,1"})
    assert other.status == DONE
    assert "started again, because its state" in other.note
    assert "it belongs to" in other.note


def test_two_tries_never_have_one_file(tmp_path):
    """A run that was wrongly taken for dead goes on writing: to its own file."""
    assert state_file(tmp_path, "a", 1) != state_file(tmp_path, "a", 2) != state_file(tmp_path, "b", 2)
    for tries in (2, 10, 1):
        state_file(tmp_path, "a", tries).touch()
    state_file(tmp_path, "b", 3).touch()
    assert kept(tmp_path, "a") == [state_file(tmp_path, "a", tries) for tries in (1, 2, 10)]


def test_a_worker_that_does_not_see_the_folder_solves_all_the_same(tmp_path):
    assert given(tmp_path / "nowhere", 1, 60.0, {"sides": "4", "dice": "2,1"}).value == "345/1696"
    assert not (tmp_path / "nowhere").exists()
    # No state is kept of small trees.
    assert given(tmp_path, 1, 60.0, {"sides": "3"}).note is None
    assert not list(tmp_path.iterdir())
