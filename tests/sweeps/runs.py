"""Sweeps in processes of their own, to be watched and killed."""

import sqlite3
from contextlib import closing, suppress

import processes
import psutil
from processes import below, children

from efg_builder.experiments.sweeps.table import read

CHANCE = ("tries", "seconds", "cpu_seconds", "peak_mib", "worker", "finished", "certificate_bytes")
"""What two runs of one sweep may differ in. (The certificate has the seconds, and so its size varies.)"""


def start(path, *words):
    """``efg-builder sweep`` on its way."""
    return processes.start("sweep", *words, "-o", path, "--json")


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


def solvers(pid):
    """(process that waits, process that solves) below *pid*: those that solve a variant at present."""
    pairs = []
    for one in [pid, *below(pid)]:
        for child in children(one):
            with suppress(psutil.Error):
                if "efg_builder.experiments.sweeps.work" in psutil.Process(child).cmdline():
                    pairs.append((one, child))
    return pairs
