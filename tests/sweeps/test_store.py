"""Rows are claimed once, written once, and taken over from the dead alone."""

import dataclasses
import os
import sqlite3
import subprocess
import sys
import threading

import pytest

from efg_builder import FileError, ParameterError
from efg_builder.experiments.jobs import claims
from efg_builder.experiments.jobs.claims import give_back, live
from efg_builder.experiments.sweeps.store import (
    DONE,
    FAILED,
    MEMORY,
    TIMEOUT,
    TaskOutcome,
    claim,
    counts,
    finish,
    joined,
    retry,
)
from efg_builder.experiments.sweeps.table import read
from efg_builder.experiments.sweeps.variants import grid

TINY = grid("liars-dice", {"sides": "2..4", "dice": "1..2,1..2"}).variants
MANY = grid("liars-dice", {"sides": "2..9", "dice": "1..3,1..3"}).variants


def test_claims_come_smallest_first_and_each_once(tmp_path):
    with joined(tmp_path / "s.db", TINY, "auto", None) as one, joined(tmp_path / "s.db", TINY, "auto", None) as two:
        found = [claim(one, 3), claim(two, 4), claim(one, 100), claim(two, 100)]
        assert [len(each) for each in found] == [3, 4, 5, 0]
        keys = [held.key for each in found for held in each]
        assert sorted(keys) == sorted(variant.key for variant in TINY)
        nodes = {variant.key: variant.nodes for variant in TINY}
        assert [nodes[key] for key in keys] == sorted(nodes.values())
        assert {held.tries for each in found for held in each} == {1}


def test_many_at_once_claim_each_row_once(tmp_path):
    path, taken, errors = tmp_path / "s.db", [], []
    gate = threading.Barrier(6)

    def work():
        try:
            with joined(path, MANY, "auto", None) as mine:
                gate.wait()
                while held := claim(mine, 1):
                    taken.append(held[0].key)
                    assert finish(mine, held[0], TaskOutcome(DONE))
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work) for _ in range(6)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert errors == []
    assert sorted(taken) == sorted(variant.key for variant in MANY)
    assert {(row.figures["status"], row.figures["tries"]) for row in read(path)} == {(DONE, 1)}


def test_a_run_that_leaves_gives_its_rows_back(tmp_path):
    with joined(tmp_path / "s.db", TINY, "auto", None) as one:
        held = claim(one, 5)
        finish(one, held[0], TaskOutcome(DONE))
    with joined(tmp_path / "s.db", TINY, "auto", None) as two:
        assert counts(two) == {"done": 1, "open": len(TINY) - 1}
        assert [each.tries for each in claim(two, 5)] == [2, 2, 2, 2, 1]


def test_a_run_works_on_the_variants_that_it_is_for(tmp_path):
    with joined(tmp_path / "s.db", TINY[:4], "auto", None) as one:
        with joined(tmp_path / "s.db", TINY[3:6], "auto", None) as two:
            assert {held.key for held in claim(two, 100)} == {variant.key for variant in TINY[3:6]}
        assert sum(counts(one).values()) == 4
    assert len(read(tmp_path / "s.db")) == 6


def dead(one):
    """*one* as if its process were gone: the id has been given to another since."""
    one.connection.execute("UPDATE runs SET began = '1' WHERE id = ?", (one.me.id,))


def test_rows_of_a_dead_run_are_taken_over_and_it_writes_nothing_when_it_wakes(tmp_path):
    with joined(tmp_path / "s.db", TINY, "auto", None) as one, joined(tmp_path / "s.db", TINY, "auto", None) as two:
        held = claim(one, 2)
        live(two)
        assert len(claim(two, 100)) == len(TINY) - 2
        dead(one)
        two._beaten = float("-inf")
        live(two)
        again = claim(two, 100)
        assert sorted(each.key for each in again) == sorted(each.key for each in held)
        assert {each.tries for each in again} == {2}
        assert not finish(one, held[0], TaskOutcome(FAILED, error="late"))
        give_back(one, [((held[1].key,), held[1].tries)])
        assert counts(two) == {"running": len(TINY)}
        assert finish(two, again[0], TaskOutcome(DONE))


def test_a_run_elsewhere_is_dead_only_after_its_lease(tmp_path, monkeypatch):
    clock = [0.0]
    monkeypatch.setattr(claims.time, "monotonic", lambda: clock[0])
    with joined(tmp_path / "s.db", TINY, "auto", None) as far, joined(tmp_path / "s.db", TINY, "auto", None) as near:
        far.me = dataclasses.replace(far.me, host="elsewhere")
        far.connection.execute("UPDATE runs SET host = 'elsewhere' WHERE id = ?", (far.me.id,))
        claim(far, 2)
        live(near)
        for _ in range(5):  # while it gives signs of life, its rows are its own
            clock[0] += claims.LEASE - 1
            live(far)
            live(near)
        assert counts(near)["running"] == 2
        clock[0] += claims.LEASE - 1
        live(near)
        assert counts(near)["running"] == 2
        clock[0] += claims.BEAT
        live(near)
        assert counts(near) == {"open": len(TINY)}
        live(far)  # it was only slow: it is a run again
        assert len(claim(far, 1)) == 1


def test_a_process_is_told_from_one_that_has_its_number():
    me, here = claims.this_run(), claims.this_host()
    assert not claims.surely_gone(me, here)
    assert claims.surely_gone(dataclasses.replace(me, began="1"), here)
    assert not claims.surely_gone(dataclasses.replace(me, began="1", host="elsewhere"), here)
    assert not claims.surely_gone(dataclasses.replace(me, began=""), here)
    other = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    theirs = claims.Owner("x", here, other.pid, claims.process_began(other.pid))
    assert not claims.surely_gone(theirs, here)
    other.kill()
    os.waitid(os.P_PID, other.pid, os.WEXITED | os.WNOWAIT)
    assert claims.surely_gone(theirs, here)  # ended, though nobody has asked how
    other.communicate()
    assert claims.surely_gone(theirs, here)


FIGURES = ("seconds", "cpu_seconds", "peak_bytes", "worker", "timeout", "memory")
"""Of the try that proved what stands in the row."""


def test_failures_are_tried_again_when_asked_and_a_narrower_bracket_stays(tmp_path):
    path = tmp_path / "s.db"
    bracket = {"lower": "-1/3", "lower_float": -1 / 3, "upper": "1/3", "upper_float": 1 / 3, "method": "oracle"}
    bracket |= {"seconds": 9.5, "cpu_seconds": 9.75, "peak_bytes": 7 << 20, "worker": "far:1"}
    ends = [
        TaskOutcome(TIMEOUT, **bracket, certificate=b"old"),
        TaskOutcome(MEMORY),
        TaskOutcome(FAILED, error="why"),
        TaskOutcome(DONE),
    ]
    with joined(path, TINY[:4], "auto", None) as one:
        for held, outcome in zip(claim(one, 4), ends, strict=True):
            finish(one, dataclasses.replace(held, timeout=1.0), outcome)
        one.connection.execute("UPDATE variants SET finished = 'then' WHERE status = 'timeout'")
        assert claim(one, 4) == []
        assert retry(one) == 3
        first, *rest = claim(one, 4)
        assert len(rest) == 2
        wider = TaskOutcome(
            TIMEOUT, lower="-1/2", lower_float=-0.5, upper="1/2", upper_float=0.5, method="lp", error="slow"
        )
        wider = dataclasses.replace(wider, seconds=1.25, cpu_seconds=1.5, peak_bytes=9 << 20, worker="near:2")
        finish(one, dataclasses.replace(first, timeout=2.0, memory=5), dataclasses.replace(wider, certificate=b"new"))
        row = one.connection.execute("SELECT * FROM variants WHERE key = ?", (first.key,)).fetchone()
        assert [row[name] for name in ("lower", "upper", "method")] == ["-1/3", "1/3", "oracle"]
        assert [row[name] for name in ("status", "error", "timeout", "tries")] == ["timeout", "slow", 1.0, 2]
        assert [row[name] for name in FIGURES] == [9.5, 9.75, 7 << 20, "far:1", 1.0, None]
        assert row["finished"] == "then"
        assert [tuple(each) for each in one.connection.execute("SELECT * FROM certificates")] == [(first.key, b"old")]
        retry(one)
        (again,) = claim(one, 4)
        exact = TaskOutcome(DONE, value="0", lower="0", upper="0", exact=True, certificate=b"exact")
        exact = dataclasses.replace(exact, seconds=4.0, cpu_seconds=4.5, peak_bytes=3 << 20, worker="here:3")
        finish(one, dataclasses.replace(again, memory=6), exact)
        assert [each["data"] for each in one.connection.execute("SELECT data FROM certificates")] == [b"exact"]
        row = one.connection.execute("SELECT * FROM variants WHERE key = ?", (first.key,)).fetchone()
        assert [row[name] for name in ("status", "lower", "upper", "error", "tries")] == ["done", "0", "0", None, 3]
        assert [row[name] for name in FIGURES] == [4.0, 4.5, 3 << 20, "here:3", None, 6]
        assert row["finished"] != "then"


def test_a_try_that_proves_no_less_brings_its_own_figures(tmp_path):
    """A bracket as wide as the one before, and no bracket where there was none, are those of the later try."""
    path, bounds = tmp_path / "s.db", {"lower_float": 0.0, "upper_float": 1.0}
    tries = [
        (TaskOutcome(TIMEOUT, seconds=1.0, worker="a:1"), 1.0),
        (TaskOutcome(MEMORY, seconds=2.0, worker="b:2"), 2.0),
        (TaskOutcome(TIMEOUT, lower="0", upper="1", **bounds, seconds=3.0, worker="c:3", certificate=b"c"), 3.0),
        (TaskOutcome(TIMEOUT, lower="1/2", upper="3/2", **bounds, seconds=4.0, worker="d:4", certificate=b"d"), 4.0),
        (TaskOutcome(FAILED, error="why", seconds=5.0, worker="e:5"), 4.0),
    ]
    with joined(path, TINY[:1], "auto", None) as one:
        for number, (outcome, stands) in enumerate(tries, start=1):
            (held,) = claim(one, 1)
            finish(one, dataclasses.replace(held, timeout=float(number)), outcome)
            row = one.connection.execute("SELECT * FROM variants").fetchone()
            assert [row[name] for name in ("seconds", "timeout", "tries")] == [stands, stands, number]
            assert (row["status"], row["error"]) == (outcome.status, outcome.error)
            retry(one)
        assert (row["worker"], row["lower"]) == ("d:4", "1/2")


def test_a_file_of_another_method_or_of_another_kind_is_refused(tmp_path):
    path = tmp_path / "s.db"
    with joined(path, TINY, "lp", "1/100"):
        pass
    for method, gap in (("auto", "1/100"), ("lp", None)):
        with (
            pytest.raises(ParameterError, match="was begun with --method lp --gap 1/100"),
            joined(path, [], method, gap),
        ):
            pass
    for name, content in (("text.db", b"not a database, but long enough to be one " * 40), ("other.db", None)):
        if content is None:
            other = sqlite3.connect(tmp_path / name)
            other.execute("CREATE TABLE theirs (x)")
            other.close()
        else:
            (tmp_path / name).write_bytes(content)
        before = (tmp_path / name).read_bytes()
        with pytest.raises(FileError, match=name), joined(tmp_path / name, TINY, "auto", None):
            pass
        with pytest.raises(FileError, match=name):
            read(tmp_path / name)
        assert (tmp_path / name).read_bytes() == before
    with pytest.raises(FileError, match="no such file"):
        read(tmp_path / "none.db")
    with pytest.raises(FileError, match="there is no folder"), joined(tmp_path / "no" / "s.db", TINY, "auto", None):
        pass
    changed = sqlite3.connect(path)
    changed.execute("PRAGMA user_version = 2")
    changed.close()
    with pytest.raises(FileError, match="has schema 2"):
        read(path)
