"""The runs at work on a file: their signs of life, and rows that are given back when a run ends or is dead.

A row is held by one run at a time: its ``status`` is ``'running'`` and its ``run`` that run's id. It is claimed in a
transaction that no other can enter, with one more ``tries``; who writes what came of it makes sure that run and tries
are still the same, so that a run that was taken for dead writes nothing when it wakes.
"""

from __future__ import annotations

import sqlite3
import time
from dataclasses import dataclass, field
from pathlib import Path

from .file import told, writing
from .owners import Owner, surely_gone

BEAT = 5.0
"""Seconds between two signs of life of a run."""

LEASE = 90.0
"""A run on another machine that gave no sign of life for so many seconds (of one's own clock) is taken for dead."""

RUNS = """
CREATE TABLE runs (
    id TEXT PRIMARY KEY, host TEXT NOT NULL, pid INTEGER NOT NULL, began TEXT NOT NULL, beat INTEGER NOT NULL DEFAULT 0
);
"""
"""The table that a file's schema needs for its runs."""


@dataclass
class Presence:
    """A run's connection to the file at ``path``, whose rows to be held are in ``table``."""

    path: Path
    connection: sqlite3.Connection
    me: Owner
    table: str
    _seen: dict[str, tuple[int, float]] = field(default_factory=dict, kw_only=True)
    _beaten: float = field(default=float("-inf"), kw_only=True)


def present(run: Presence) -> None:
    """Enter *run* among those at work, or give its sign of life; within a transaction."""
    me = run.me
    run.connection.execute(
        "INSERT INTO runs (id, host, pid, began) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET beat = beat + 1",
        (me.id, me.host, me.pid, me.began),
    )


def live(run: Presence) -> None:
    """Give a sign of life, and take over what dead runs held; does nothing when it was done just before."""
    now = time.monotonic()
    if now - run._beaten < BEAT:
        return
    run._beaten = now
    with writing(run.connection):
        present(run)
        for row in run.connection.execute("SELECT * FROM runs WHERE id != ?", (run.me.id,)).fetchall():
            owner = Owner(row["id"], row["host"], row["pid"], row["began"])
            if surely_gone(owner, run.me.host) or _silent(run, owner.id, row["beat"], now):
                _bury(run, owner.id)


def _silent(run: Presence, other: str, beat: int, now: float) -> bool:
    """Whether *other*'s beat has not changed for long: by this clock alone, as those of two machines may differ."""
    last, since = run._seen.get(other, (None, now))
    if last != beat:
        run._seen[other] = (beat, now)
        return False
    return now - since > LEASE


def leave(run: Presence) -> None:
    """Give back all rows of *run*."""
    with told(run.path), writing(run.connection):
        _bury(run, run.me.id)


def _bury(run: Presence, who: str) -> None:
    run.connection.execute(
        f"UPDATE {run.table} SET status = 'open', run = NULL WHERE run = ? AND status = 'running'", (who,)
    )
    run.connection.execute("DELETE FROM runs WHERE id = ?", (who,))
