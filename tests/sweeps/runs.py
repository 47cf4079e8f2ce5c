"""Sweeps in processes of their own, to be watched and killed."""

import json
import sqlite3
from contextlib import closing, suppress

import processes
import psutil
from processes import below, children

from efg_builder.experiments.sweeps import store
from efg_builder.experiments.sweeps.table import read

CHANCE = ("tries", "seconds", "cpu_seconds", "peak_mib", "worker", "finished")
"""The figures that may differ between two runs of one sweep."""


def start(path, *words):
    """``efg-builder sweep`` on its way."""
    return processes.start("sweep", *words, "-o", path, "--json")


def fill(path, variants, ends, method="auto", gap=None, **limits):
    """Write the outcomes that the function *ends* has for the settings of *variants*; rows without one stay open."""
    with store.joined(path, variants, method, gap) as found:
        for job in found.claim(1000):
            outcome = ends(json.loads(job["settings"]))
            if outcome is not None:
                store.finish(found, job, outcome, **limits)
    return path


def table(path):
    """The rows without what is up to chance."""
    return [{k: v for k, v in row.to_json().items() if k not in CHANCE} for row in read(path)]


def statuses(path, what="status"):
    """How many jobs of a sweep or an arena have each status (or other column); empty while there is no table."""
    with suppress(sqlite3.OperationalError), closing(sqlite3.connect(path, timeout=60)) as db:
        for (name,) in db.execute("SELECT name FROM sqlite_master WHERE name IN ('variants', 'units')").fetchall():
            return dict(db.execute(f"SELECT {what}, count(*) FROM {name} GROUP BY 1").fetchall())
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
