"""Jobs in a file are claimed once, written once, and taken over from the dead alone: of a sweep and of an arena."""

import dataclasses
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
from processes import PATIENCE, below, gone, kill, start, until
from runs import solvers, statuses, table
from sweeps_here import sweeps_here

import efg_builder as eb
from efg_builder.experiments.arena import read_standings, run_arena
from efg_builder.experiments.arena import results as arena
from efg_builder.experiments.arena.report import to_data
from efg_builder.experiments.arena.schedule import contestants
from efg_builder.experiments.arena.tally import Tally
from efg_builder.experiments.jobs import store as jobs
from efg_builder.experiments.jobs.executors import InProcess
from efg_builder.experiments.sweeps import store as sweeps
from efg_builder.experiments.sweeps.running import sweep
from efg_builder.experiments.sweeps.store import DONE, FAILED, TaskOutcome
from efg_builder.experiments.sweeps.table import read
from efg_builder.experiments.sweeps.variants import grid

NAMES = ("uniform", "always-call", "lowest-raise")
PAIRS = (NAMES[:2], NAMES[1:], NAMES[::2])
VARIANTS = grid("liars-dice", {"sides": "2..4", "dice": "1..2,1..2"}).variants
DESCRIPTION = arena.Description("rounds", "liars-dice", {}, "a game", 2, 0, 5)
SUMS = ((0.0,) * 2,) * 4 + ((0.0,) * 4,) * 2


class Sweep:
    """What the suite needs of a user of the store: its 12 jobs in the order of claims, and how a job ends."""

    keys = [(one.key,) for one in sorted(VARIANTS, key=lambda one: (one.nodes, one.key))]
    words = ("sweep", "liars-dice", "sides=2;3", "wild=none;highest", "order=quantity-face;face-quantity")
    long = ("sweep", "liars-dice", "sides=5", "dice=2,1", "wild=highest", "order=*")

    def joined(self, path, part=slice(None)):
        return sweeps.joined(path, VARIANTS[part], "auto", None)

    def finish(self, store, job):
        return sweeps.finish(store, job, TaskOutcome(DONE))

    def result(self, path, out):
        return table(path), out["counts"]

    def is_busy(self, path, run):
        return solvers(run.pid)


class Arena:
    keys = [(pairing, block) for block in range(4) for pairing in (1, 2, 3)]
    words = ("arena", "liars-dice", "sides=5", "--players", ",".join(NAMES), "--games", "60000", "--seed", "3")
    long = (*words[:-4], "--games", "2000000")

    def joined(self, path, part=slice(None)):
        return arena.joined(path, DESCRIPTION, contestants(NAMES), PAIRS[part], 20)

    def finish(self, store, job):
        found = store.held(job) is not None
        arena.finish(store, [job], [(Tally(5, 10, *SUMS, {"0=1": 10}, 0.0, 0.0), 0.1)])
        return found

    def result(self, path, out):
        assert to_data(read_standings(path)) == out
        return out

    def is_busy(self, path, run):
        return statuses(path).get("running")


each = pytest.mark.parametrize("user", [Sweep(), Arena()], ids=["sweep", "arena"])


def keys(user, found):
    names = sweeps.SCHEMA.keys if isinstance(user, Sweep) else arena.SCHEMA.keys
    return [tuple(job[name] for name in names) for job in found]


@each
def test_claims_come_in_order_and_each_once(user, tmp_path):
    with user.joined(tmp_path / "s.db") as one, user.joined(tmp_path / "s.db") as two:
        found = [one.claim(3), two.claim(4), one.claim(100), two.claim(100), one.claim(-1)]
        assert [len(part) for part in found] == [3, 4, 5, 0, 0]
        assert keys(user, [job for part in found for job in part]) == user.keys
        assert {job["tries"] for part in found for job in part} == {1}


@each
def test_many_at_once_claim_each_job_once(user, tmp_path):
    taken, errors, gate = [], [], threading.Barrier(6)

    def work():
        try:
            with user.joined(tmp_path / "s.db") as mine:
                gate.wait()
                while found := mine.claim(1):
                    taken.extend(keys(user, found))
                    assert user.finish(mine, found[0])
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (errors, sorted(taken)) == ([], sorted(user.keys))
    assert statuses(tmp_path / "s.db", "status || tries") == {"done1": 12}


@each
def test_a_run_gives_its_jobs_back_and_works_on_those_that_it_is_for(user, tmp_path):
    with user.joined(tmp_path / "s.db") as one:
        found = one.claim(5)
        user.finish(one, found[0])
    with user.joined(tmp_path / "s.db") as two:
        assert two.counts() == {"done": 1, "open": 11}
        assert [job["tries"] for job in two.claim(5)] == [2, 2, 2, 2, 1]
    with user.joined(tmp_path / "s.db", slice(2)) as few:
        assert sum(few.counts().values()) == len(few.claim(100)) + few.counts().get("done", 0) < 12
    assert statuses(tmp_path / "s.db") == {"done": 1, "open": 11}


@each
def test_jobs_of_a_dead_run_are_taken_over_and_it_writes_nothing_when_it_wakes(user, tmp_path):
    with user.joined(tmp_path / "s.db") as one, user.joined(tmp_path / "s.db") as two:
        held = one.claim(2)
        two.live()
        assert len(two.claim(100)) == 10
        # As if its process were gone, and the id had been given to another since.
        one.connection.execute("UPDATE runs SET began = '1' WHERE id = ?", (one.me.id,))
        two._beaten = float("-inf")
        two.live()
        again = two.claim(100)
        assert (keys(user, again), {job["tries"] for job in again}) == (keys(user, held), {2})
        assert not user.finish(one, held[0])
        one.give_back(held)
        assert two.counts() == {"running": 12}
        assert user.finish(two, again[0])


@each
def test_a_run_elsewhere_is_dead_only_after_its_lease(user, tmp_path, monkeypatch):
    clock = [0.0]
    monkeypatch.setattr(jobs.time, "monotonic", lambda: clock[0])
    with user.joined(tmp_path / "s.db") as far, user.joined(tmp_path / "s.db") as near:
        far.me = dataclasses.replace(far.me, host="elsewhere")
        far.connection.execute("UPDATE runs SET host = 'elsewhere' WHERE id = ?", (far.me.id,))
        before = far.claim(2)
        near.live()
        for _ in range(5):  # while it gives signs of life, its rows are its own
            clock[0] += jobs.LEASE - 1
            far.live()
            near.live()
        assert near.counts()["running"] == 2
        clock[0] += jobs.LEASE - 1
        near.live()
        assert near.counts()["running"] == 2
        clock[0] += jobs.BEAT
        near.live()
        assert near.counts() == {"open": 12}
        far.live()  # it was only slow: it is a run again
        (again,) = far.claim(1)
        assert keys(user, [again]) == keys(user, before[:1])
        assert not user.finish(far, before[0])  # of its claim before
        assert user.finish(far, again)


def test_a_process_is_told_from_one_that_has_its_number():
    me, here = jobs.this_run(), jobs.this_host()
    assert not jobs.surely_gone(me, here)
    assert jobs.surely_gone(dataclasses.replace(me, began="1"), here)
    assert not jobs.surely_gone(dataclasses.replace(me, began="1", host="elsewhere"), here)
    assert not jobs.surely_gone(dataclasses.replace(me, began=""), here)
    other = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    theirs = jobs.Owner("x", here, other.pid, jobs.process_began(other.pid))
    assert not jobs.surely_gone(theirs, here)
    other.kill()
    os.waitid(os.P_PID, other.pid, os.WEXITED | os.WNOWAIT)
    assert jobs.surely_gone(theirs, here)  # ended, though nobody has asked how
    other.communicate()
    assert jobs.surely_gone(theirs, here)


@each
def test_a_file_of_another_kind_is_refused_and_stays_as_it_is(user, tmp_path):
    (tmp_path / "text.db").write_bytes(b"not a database, but long enough to be one " * 40)
    for name, statement in {
        "theirs.db": "CREATE TABLE theirs (x)",
        "later.db": "PRAGMA user_version = 2",
        "view.db": "CREATE VIEW evil AS SELECT 1",
        "trigger.db": "CREATE TRIGGER evil AFTER DELETE ON runs BEGIN SELECT 1; END",
    }.items():
        if name != "theirs.db":
            with user.joined(tmp_path / name):
                pass
        with closing(sqlite3.connect(tmp_path / name)) as db:
            db.execute(statement)
    other = (Arena if isinstance(user, Sweep) else Sweep)()
    with other.joined(tmp_path / "other.db"):
        pass
    schema = sweeps.SCHEMA if isinstance(user, Sweep) else arena.SCHEMA
    for name, said in {
        "text.db": f"is not the file of {schema.name}",
        "theirs.db": f"is not the file of {schema.name}",
        "other.db": f"is not the file of {schema.name}",
        "later.db": "has schema 2",
        "view.db": "'evil' is a view",
        "trigger.db": "'evil' is a trigger",
        "none/s.db": "there is no folder",
    }.items():
        path = tmp_path / name
        before = path.read_bytes() if path.exists() else None
        with pytest.raises(eb.FileError, match=said), user.joined(path):
            pass
        if before is not None:
            with pytest.raises(eb.FileError, match=said), schema.open(path):
                pass
            assert path.read_bytes() == before
    with pytest.raises(eb.FileError, match="no such file"), schema.open(tmp_path / "none.db"):
        pass


# --- whole runs, in processes of their own


def begun(path, *words):
    return start(*words, "-o", path, "--json")


def finished(run):
    out, err = run.communicate(timeout=900)
    assert run.returncode == 0, err
    return json.loads(out)


@pytest.mark.slow
@each
def test_a_run_killed_twice_and_resumed_gives_the_same_result(user, tmp_path):
    straight, broken, words = tmp_path / "straight.db", tmp_path / "broken.db", (*user.words, "--workers", "2")
    whole = user.result(straight, finished(begun(straight, *words)))
    for done in (1, 3):
        run = begun(broken, *words)
        until(lambda done=done, run=run: statuses(broken).get("done", 0) >= done and user.is_busy(broken, run))
        assert run.poll() is None, "it was done before it could be killed"
        left = below(run.pid)
        kill(run.pid)
        run.communicate()
        until(lambda left=left: all(map(gone, left)))
        assert statuses(broken)["running"] > 0
    assert user.result(broken, finished(begun(broken, *user.words, "--workers", "1"))) == whole
    assert {*statuses(broken)} == {"done"}
    assert 1 < max(statuses(broken, "tries")) <= 3
    assert {*statuses(straight, "tries")} == {1}


@pytest.mark.slow
@each
def test_two_runs_at_once_lose_and_double_nothing(user, tmp_path):
    path, straight = tmp_path / "two.db", tmp_path / "one.db"
    runs = [begun(path, *user.words, "--workers", 1) for _ in range(2)]
    found = [user.result(path, finished(run)) for run in runs]
    assert found[0] == found[1] == user.result(straight, finished(begun(straight, *user.words, "--workers", 1)))
    assert {*statuses(path, "status || tries")} == {"done1"}
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("SELECT count(*) FROM runs").fetchone() == (0,)


@each
def test_ctrl_c_gives_the_jobs_back_and_leaves_nothing_running(user, tmp_path):
    path = tmp_path / "s.db"
    run = begun(path, *user.long, "--workers", "2")
    until(lambda: user.is_busy(path, run))
    left = below(run.pid)
    run.send_signal(signal.SIGINT)
    out, err = run.communicate(timeout=PATIENCE)
    assert (run.returncode, out, err.splitlines()[-1]) == (130, "", "interrupted")
    assert "Traceback" not in err
    assert statuses(path).get("running", 0) == 0
    assert statuses(path)["open"] >= 1
    until(lambda: all(map(gone, left)))


def dies(*_):
    os._exit(9)


def dies_once(task):
    """As a worker that is killed: the first one that is sent the job."""
    mark = Path(os.environ["DIED"])
    if not mark.exists():
        mark.touch()
        dies()
    return TaskOutcome(DONE)


def test_a_worker_that_is_killed_costs_its_variant_one_try(tmp_path, monkeypatch):
    monkeypatch.setenv("DIED", str(tmp_path / "mark"))
    monkeypatch.setattr("efg_builder.experiments.sweeps.running.solve_variant", dies_once)
    assert sweep(grid("liars-dice", {"sides": "2..4"}), tmp_path / "s.db", workers=1).counts == {DONE: 3}
    assert sorted(row.figures["tries"] for row in read(tmp_path / "s.db")) == [1, 1, 2]


class Dying(InProcess):
    """Processes each of which dies at its task, as the one above does."""

    def submit(self, *_):
        future = Future()
        future.set_exception(BrokenProcessPool())
        return future


def test_a_job_whose_worker_dies_again_and_again_ends(tmp_path, monkeypatch):
    for name in ("arena", "sweeps"):
        monkeypatch.setattr(f"efg_builder.experiments.{name}.running.executor", lambda *_, **__: Dying())
    with pytest.raises(eb.NotSolvedError, match="its worker died 3 times"):
        run_arena(eb.game("liars-dice", sides=3), NAMES, 100, path=tmp_path / "a.db")
    assert {*statuses(tmp_path / "a.db")} == {"open"}
    found = sweep(grid("liars-dice", {"sides": "2"}), tmp_path / "s.db", workers=1)
    assert (found.counts, found.tried) == ({FAILED: 1}, 1)
    (row,) = read(tmp_path / "s.db")
    assert (row.figures["error"], row.figures["tries"]) == ("its worker died 3 times", 3)


class Dropping(InProcess):
    """A cluster that cancels all work."""

    def submit(self, *_):
        future = Future()
        future.cancel()
        future.set_running_or_notify_cancel()
        return future


def test_cancelled_work_ends_the_run_with_a_line(tmp_path, monkeypatch):
    for name in ("arena", "sweeps"):
        monkeypatch.setattr(f"efg_builder.experiments.{name}.running.executor", lambda *_, **__: Dropping())
    for work in (
        partial(sweep, grid("liars-dice", {"sides": "2"}), tmp_path / "s.db"),
        partial(run_arena, eb.game("liars-dice", sides=3), NAMES, 100, path=tmp_path / "a.db"),
    ):
        with pytest.raises(eb.NotSolvedError, match="the cluster dropped its work; repeat the command to continue"):
            work()
    assert [{*statuses(tmp_path / name)} for name in ("s.db", "a.db")] == [{"open"}] * 2


# --- a file that an earlier release wrote


def test_a_file_of_an_earlier_release_is_read_resumed_and_improved(tmp_path):
    path = Path(shutil.copy(Path(__file__).parents[2] / "outputs" / "liars-dice-variants.db", tmp_path / "s.db"))
    before, games = statuses(path), grid("liars-dice", {"sides": "2;3"})
    assert len(read(path)) == sum(before.values()) == 270
    with closing(sqlite3.connect(path)) as db:
        method, gap = db.execute("SELECT method, gap FROM sweep").fetchone()
        for one, status in zip(games.variants, ("open", "timeout"), strict=True):
            assert db.execute("UPDATE variants SET status = ? WHERE key = ?", (status, one.key)).rowcount == 1
        db.commit()
    more = partial(sweep, path=path, workers=1, method=method, gap=gap)
    with sweeps_here():
        assert (more(games).tried, more(games, improve=True, timeout=60.0).tried) == (1, 1)
    assert statuses(path) == before
