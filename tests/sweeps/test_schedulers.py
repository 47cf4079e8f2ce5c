"""Executors: plain functions of values, on processes that can die and be stopped."""

import os
import sqlite3
import time
from concurrent.futures import BrokenExecutor, as_completed
from contextlib import closing
from multiprocessing.context import SpawnProcess

import pytest
from processes import gone, until

from efg_builder import NotApplicableError, ParameterError
from efg_builder.experiments.jobs.executors import executor


def square(number):
    return number * number


def die(path):
    """Kills its process the first time, and answers the second."""
    if not os.path.exists(path):
        open(path, "w").close()
        os.kill(os.getpid(), 9)
    return os.getpid()


def refuse():
    raise KeyError("no")


def wait_for_ever(path):
    with open(path, "w") as file:
        file.write(str(os.getpid()))
    time.sleep(600)


def test_work_is_done_elsewhere_and_comes_back():
    with executor(workers=2) as pool:
        assert pool.width() == 2
        futures = [pool.submit(square, number) for number in range(10)]
        assert sorted(future.result() for future in as_completed(futures)) == [n * n for n in range(10)]
        assert pool.submit(os.getpid).result() != os.getpid()
        assert list(pool.map(square, [3, 4])) == [9, 16]
        with pytest.raises(KeyError):
            pool.submit(refuse).result()


def test_a_process_that_dies_takes_only_its_own_task_with_it(tmp_path):
    with executor(workers=2) as pool:
        slow = pool.submit(time.sleep, 2)
        lost = pool.submit(die, str(tmp_path / "mark"))
        with pytest.raises(BrokenExecutor):
            lost.result()
        assert slow.result() is None
        assert pool.submit(die, str(tmp_path / "mark")).result()


def start_and_stop(path):
    with executor(workers=1) as pool:
        future = pool.submit(wait_for_ever, str(path))
        until(lambda: path.exists() and path.read_text())
        raise KeyboardInterrupt(future)


def test_stopping_ends_what_runs(tmp_path):
    with pytest.raises(KeyboardInterrupt) as caught:
        start_and_stop(tmp_path / "pid")
    assert caught.value.args[0].exception()
    until(lambda: gone(int((tmp_path / "pid").read_text())))


def test_cluster_and_workers_do_not_go_together():
    with pytest.raises(ParameterError, match="a cluster"), executor(workers=2, address="tcp://127.0.0.1:1"):
        pass


def test_without_dask_it_is_said_what_is_missing(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "distributed", None)
    with (
        pytest.raises(NotApplicableError, match=r"pip install 'efg-builder\[cluster\]'"),
        executor(address="tcp://127.0.0.1:1"),
    ):
        pass


def test_a_cluster_that_is_not_there(monkeypatch):
    pytest.importorskip("distributed")
    monkeypatch.setattr("efg_builder.experiments.jobs.executors.PATIENCE", "1s")
    for address in ("tcp://127.0.0.1:1", "nonsense://x"):
        with (
            pytest.raises(ParameterError, match=f"--scheduler {address}: cannot be reached"),
            executor(address=address),
        ):
            pass


def test_where_the_system_starts_no_process_the_run_ends_in_a_line(monkeypatch, tmp_path, cli):
    """With too little memory a thread or a process does not start: that once waited for ever."""

    def refused(self):
        raise RuntimeError("can't start new thread")

    path = tmp_path / "s.db"
    monkeypatch.setattr(SpawnProcess, "start", refused)
    code, out, err = cli("sweep", "liars-dice", "sides=2..3", "-o", path, "--workers", "1")
    assert (code, out) == (2, "")
    assert err.splitlines()[-1].startswith(
        "error: --workers 1: the system cannot start another process or thread (can't start new"
    )
    with closing(sqlite3.connect(path)) as db:
        assert [status for (status,) in db.execute("SELECT status FROM variants")] == ["open", "open"]


def test_what_cannot_come_back_is_an_error():
    with executor(workers=1) as pool:
        with pytest.raises(RuntimeError, match="pickle"):
            pool.submit(eval, "lambda: 0").result()
        assert pool.submit(square, 3).result() == 9
