"""Whole sweeps: killed and resumed, two at once, with failures, and what is printed of them."""

import json
import signal

import pytest
from processes import below, gone, kill, until
from runs import solvers, start, statuses, table

from efg_builder.experiments.sweeps.running import Limits, sweep
from efg_builder.experiments.sweeps.table import read
from efg_builder.experiments.sweeps.variants import grid

FEW = ("liars-dice", "sides=2;3", "wild=none;highest", "order=quantity-face;face-quantity")
FOUR = FEW[:3]
SLOW = ("liars-dice", "sides=5", "dice=2,1", "wild=highest", "order=*")
SLOWER_THAN_ITS_START = ("liars-dice", "sides=4", "dice=2,1", "wild=highest", "order=*")


def settings(words):
    return dict(word.split("=") for word in words[1:])


def games(words):
    return grid(words[0], settings(words))


def killed_at(path, words, done):
    """Start, kill once *done* rows are done while more are on the way, and see that nothing is left running."""
    run = start(path, *words)
    until(lambda: statuses(path).get("done", 0) >= done and solvers(run.pid))
    assert run.poll() is None, "it was done before it could be killed"
    left = below(run.pid)
    kill(run.pid)
    run.communicate()
    until(lambda: all(map(gone, left)))
    assert statuses(path).get("running", 0) > 0


def finished(run):
    out, err = run.communicate(timeout=900)
    assert run.returncode == 0, err
    return out


@pytest.mark.slow
def test_a_sweep_killed_twice_and_resumed_gives_the_same_table(tmp_path):
    straight, broken, words = tmp_path / "straight.db", tmp_path / "broken.db", (*FOUR, "--workers", "2")
    finished(start(straight, *words))
    killed_at(broken, words, 1)
    killed_at(broken, words, 2)
    finished(start(broken, *words))
    assert len(table(straight)) == len(games(FOUR).variants)
    assert table(broken) == table(straight)
    assert {row.figures["status"] for row in read(broken)} == {"done"}
    assert 1 < max(row.figures["tries"] for row in read(broken)) <= 3
    assert {row.figures["tries"] for row in read(straight)} == {1}


@pytest.mark.slow
def test_two_sweeps_into_one_file_at_once_lose_and_double_nothing(tmp_path):
    runs = [start(tmp_path / "s.db", *FEW, "--workers", "1") for _ in range(2)]
    tried = [json.loads(finished(run))["tried"] for run in runs]
    keys, rows = [variant.key for variant in games(FEW).variants], read(tmp_path / "s.db")
    assert sum(tried) == len(rows) == len(keys)
    assert [(row.figures["status"], row.figures["tries"]) for row in rows] == [("done", 1)] * len(keys)
    assert sorted(row.figures["key"] for row in rows) == sorted(keys)


def test_ctrl_c_gives_the_rows_back_and_leaves_nothing_running(tmp_path):
    path = tmp_path / "s.db"
    run = start(path, *SLOW, "--workers", "2")
    until(lambda: len(solvers(run.pid)) == 2)
    left = below(run.pid)
    run.send_signal(signal.SIGINT)
    out, err = run.communicate(timeout=60)
    assert (run.returncode, out, err.splitlines()[-1]) == (130, "", "interrupted")
    assert "Traceback" not in err
    assert statuses(path).get("running", 0) == 0
    assert statuses(path)["open"] >= 1
    until(lambda: all(map(gone, left)))


def test_a_worker_that_is_killed_costs_its_variant_one_try(tmp_path):
    path = tmp_path / "s.db"
    run = start(path, *SLOWER_THAN_ITS_START, "--workers", "1")
    waits, _ = until(lambda: solvers(run.pid))[0]
    kill(waits)
    finished(run)
    assert sorted(row.figures["tries"] for row in read(path)) == [1, 1, 2]
    assert {row.figures["status"] for row in read(path)} == {"done"}


@pytest.mark.slow
def test_a_solver_that_is_killed_is_a_failed_row_and_stops_nobody(tmp_path, capsys):
    path = tmp_path / "s.db"
    run = start(path, *SLOW, "--workers", "1")
    _, solver = until(lambda: solvers(run.pid))[0]
    kill(solver)
    out, _ = run.communicate()
    assert (run.returncode, json.loads(out)["counts"]) == (3, {"done": 2, "failed": 1})
    (failed,) = [row for row in read(path) if row.figures["status"] == "failed"]
    assert failed.figures["error"].startswith("its process was ended by SIGKILL")
    run = start(path, *SLOW, "--workers", "1")
    out, _ = run.communicate()
    assert (run.returncode, json.loads(out)["tried"]) == (3, 0)
    assert json.loads(finished(start(path, *SLOW, "--retry-failed")))["tried"] == 1
    assert [row.figures["value"] for row in read(path)] != [None] * 3
    assert {row.figures["status"] for row in read(path)} == {"done"}


@pytest.mark.slow
def test_limits_fail_only_what_meets_them(tmp_path):
    path = tmp_path / "s.db"
    found = grid("liars-dice", {"sides": "2;6", "dice": "1,1;2,2", "wild": "highest"})
    summary = sweep(found, path, workers=2, limits=Limits(timeout=1.5))
    assert summary.counts == {"done": 3, "timeout": 1}
    rows = {(row.settings["sides"], row.settings["dice"]): row.figures for row in read(path)}
    # -7/258: OpenSpiel, sequence_form_lp_test.py.
    assert rows["6", "1,1"]["value"] == "-7/258"
    late = rows["6", "2,2"]
    assert (late["value"], late["exact"], late["timeout"]) == (None, False, 1.5)
    assert -1 < late["lower_float"] < late["upper_float"] < 1
    summary = sweep(found, path, workers=2, limits=Limits(memory=90 * 2**20), retry_failed=True)
    assert (summary.counts, summary.tried) == ({"done": 3, "memory": 1}, 1)
    then = {(row.settings["sides"], row.settings["dice"]): row.figures for row in read(path)}["6", "2,2"]
    assert (then["lower"], then["upper"], then["tries"]) == (late["lower"], late["upper"], 2)
    assert then["error"] == "over the memory limit of 90 MiB"


def test_a_run_can_stop_early_and_a_larger_grid_goes_on(tmp_path):
    path, said = tmp_path / "s.db", []
    summary = sweep(games(FEW), path, workers=1, limit=2, progress=said.append)
    assert (summary.tried, summary.counts) == (2, {"done": 2, "open": 6})
    assert said[0] in ("0 of 8 variants, 1 running", "1 of 8 variants")
    assert not [line for line in said if "waiting" in line]
    summary = sweep(games(FOUR), path, workers=2)
    assert summary.counts == {"done": 4}
    assert len(read(path)) == 8
