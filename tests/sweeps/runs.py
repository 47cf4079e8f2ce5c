"""Sweeps in processes of their own, to be watched and killed."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

from efg_builder.experiments.sweeps.memory import _children
from efg_builder.experiments.sweeps.table import read

PATIENCE = 120
"""Seconds after which a test that waits fails; no test asserts a time."""

CHANCE = ("tries", "seconds", "cpu_seconds", "peak_mib", "worker", "finished", "certificate_bytes")
"""What two runs of one sweep may differ in. (The certificate has the seconds, and so its size varies.)"""


def start(path, *words):
    """``efg-builder sweep`` on its way."""
    command = [sys.executable, "-m", "efg_builder", "sweep", *words, "-o", str(path), "--json"]
    return subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # Where the tests run in the background, they inherit an ignored SIGINT.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )


def table(path):
    """The rows without what is up to chance."""
    return [{k: v for k, v in row.to_json().items() if k not in CHANCE} for row in read(path)]


def statuses(path):
    """How many rows have each status; empty while there is no table."""
    try:
        with closing(sqlite3.connect(path, timeout=60)) as db:
            return dict(db.execute("SELECT status, count(*) FROM variants GROUP BY status").fetchall())
    except sqlite3.OperationalError:
        return {}


def until(condition):
    """Wait for *condition* to give something true, and return that."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if found := condition():
            return found
        time.sleep(0.02)
    raise AssertionError("waited in vain")


def below(pid):
    """All processes below *pid*."""
    found = []
    for child in _children(pid):
        found += [child, *below(child)]
    return found


def solvers(pid):
    """(process that waits, process that solves) below *pid*: those that solve a variant at present."""
    pairs = []
    for one in [pid, *below(pid)]:
        for child in _children(one):
            try:
                if b"efg_builder.experiments.sweeps.worker" in Path(f"/proc/{child}/cmdline").read_bytes():
                    pairs.append((one, child))
            except OSError:
                pass
    return pairs


def gone(pid):
    """Whether *pid* does not run (it may wait to be collected)."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] in ("Z", "X")
    except OSError:
        return True


def kill(pid):
    os.kill(pid, signal.SIGKILL)
