"""The same sweep on a Dask cluster."""

import json
import threading

import pytest
from processes import kill, until
from runs import solvers, start, statuses, table

distributed = pytest.importorskip("distributed", reason="needs Dask (the extra 'cluster')")

from efg_builder.experiments.jobs.executors import executor  # noqa: E402
from efg_builder.experiments.sweeps.running import sweep  # noqa: E402
from efg_builder.experiments.sweeps.table import read  # noqa: E402
from efg_builder.experiments.sweeps.variants import grid  # noqa: E402

FEW = {"sides": "2;3", "dice": "1,1;2,1", "wild": "none;1;highest"}
SLOW = {"sides": "5", "dice": "2,1", "wild": "highest", "order": "*"}


@pytest.fixture(scope="module")
def cluster():
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
    ) as made:
        yield made


@pytest.mark.slow
def test_a_cluster_gives_the_same_rows(cluster, tmp_path):
    found = grid("liars-dice", FEW)
    there = sweep(found, tmp_path / "there.db", scheduler=cluster.scheduler_address)
    here = sweep(found, tmp_path / "here.db", workers=2)
    assert there.counts == here.counts == {"done": 12}
    assert table(tmp_path / "there.db") == table(tmp_path / "here.db")
    assert {row.figures["tries"] for row in read(tmp_path / "there.db")} == {1}
    assert len({row.figures["worker"] for row in read(tmp_path / "there.db")}) == 2


@pytest.mark.slow
def test_a_worker_killed_in_the_middle_costs_its_variant_nothing(cluster, tmp_path):
    path, ended = tmp_path / "s.db", []
    found = grid("liars-dice", SLOW)

    def work():
        ended.append(sweep(found, path, scheduler=cluster.scheduler_address))

    thread = threading.Thread(target=work)
    thread.start()
    nannies = [worker.pid for worker in cluster.workers.values()]
    waits, _ = until(lambda: [pair for pid in nannies for pair in solvers(pid)])[0]
    kill(waits)
    thread.join()
    assert ended[0].counts == {"done": 3}
    assert [row.figures["value"] is None for row in read(path)] == [False] * 3


@pytest.mark.slow
def test_work_of_a_sweep_that_is_gone_ends_on_the_workers(cluster, tmp_path):
    words = ["liars-dice", "sides=6", "dice=2,2", "wild=highest", "--scheduler", cluster.scheduler_address]
    run = start(tmp_path / "s.db", *words)
    nannies = [worker.pid for worker in cluster.workers.values()]
    until(lambda: [pair for pid in nannies for pair in solvers(pid)])
    kill(run.pid)
    run.communicate()
    until(lambda: not [pair for pid in nannies for pair in solvers(pid)])
    fine = start(tmp_path / "t.db", "liars-dice", "--scheduler", cluster.scheduler_address)
    out, _ = fine.communicate()
    assert json.loads(out)["counts"] == {"done": 1}


@pytest.mark.slow
def test_without_workers_it_says_what_it_waits_for_and_claims_nothing(tmp_path):
    path, said, ended = tmp_path / "s.db", [], []
    found = grid("liars-dice", {"sides": "2;3"})
    with distributed.LocalCluster(n_workers=0, threads_per_worker=1, dashboard_address=None, silence_logs=50) as none:
        address = none.scheduler_address

        def work():
            ended.append(sweep(found, path, scheduler=address, progress=said.append))

        thread = threading.Thread(target=work)
        thread.start()
        until(lambda: len(said) > 1)
        assert set(said) == {f"0 of 2 variants, waiting for workers at {address}: none yet"}
        assert statuses(path) == {"open": 2}
        # Somebody else may have what waits here.
        here = sweep(grid("liars-dice", {"sides": "2"}), path, workers=1)
        assert here.counts == {"done": 1}
        none.scale(1)
        thread.join()
    assert (ended[0].counts, ended[0].tried) == ({"done": 2}, 1)
    assert [row.figures["tries"] for row in read(path)] == [1, 1]


def add(one, other):
    return one + other


def test_any_plain_function_can_be_scheduled():
    # Threads of this process: the other tests have clusters of processes, and are slow.
    here = {"processes": False, "dashboard_address": None, "silence_logs": 50}
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, **here) as cluster,
        executor(address=cluster.scheduler.address) as pool,
    ):
        assert pool.width() == 2
        futures = [pool.submit(add, n, 1) for n in range(3)]
        assert [future.result() for future in futures] == [1, 2, 3]


@pytest.mark.slow
def test_a_cluster_that_goes_away_ends_the_run_and_the_same_command_goes_on(tmp_path):
    path = tmp_path / "s.db"
    words = ["liars-dice", "sides=5", "dice=2,1", "wild=highest", "--scheduler"]
    with distributed.LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None, silence_logs=50) as one:
        run = start(path, *words, one.scheduler_address)
        until(lambda: solvers(next(iter(one.workers.values())).pid))
    out, err = run.communicate(timeout=120)
    assert (run.returncode, out) == (3, "")
    said = err.splitlines()[-1]
    assert said.startswith("error: ")
    assert "; repeat the command to continue" in said
    assert "Traceback" not in err
    assert statuses(path) == {"open": 1}
    with distributed.LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None, silence_logs=50) as two:
        out, err = start(path, *words, two.scheduler_address).communicate(timeout=120)
        assert json.loads(out)["counts"] == {"done": 1}, err
