"""The rows of a sweep as a run sees them: claimed, finished, given back, taken over from the dead.

A row is ``running`` for one run at a time. It is claimed in a transaction that no other can enter, and what came of it
is written only while it is still the same claim: a run that was taken for dead writes nothing when it wakes.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from ..errors import ParameterError
from .database import opened, told, writing
from .owners import Owner, surely_gone, this_run
from .rows import COLUMNS, DONE, EVIDENCE, OPEN, RETRIED, RUNNING, Outcome, Task, width
from .variants import Variant

BEAT = 5.0
"""Seconds between two signs of life of a run."""

LEASE = 90.0
"""A run on another machine that gave no sign of life for so many seconds (of one's own clock) is taken for dead."""


@dataclass(frozen=True)
class Claim:
    """A row that this run works on: the ``tries``-th time that somebody does."""

    key: str
    game: str
    settings: Mapping[str, str]
    nodes: int | None
    tries: int


@dataclass
class Store:
    """A run's connection to the file, limited to the variants that the run is for."""

    path: Path
    connection: sqlite3.Connection
    me: Owner
    _seen: dict[str, tuple[int, float]] = field(default_factory=dict)
    _beaten: float = float("-inf")


@contextmanager
def joined(path: Path, variants: Sequence[Variant], method: str, gap: str | None) -> Iterator[Store]:
    """Join the sweep at *path*, which is made where there is none, to work on *variants*; new ones become open rows.

    Rows still held at the end are given back. Raises ``FileError``, and ``ParameterError`` where the file is of another
    method or gap: its rows would not be what was asked for.
    """
    with opened(path, create=True) as connection:
        store = Store(path, connection, this_run())
        with writing(connection):
            _same_sweep(store, method, gap)
            rows = [
                (v.key, v.game, json.dumps(dict(v.settings)), json.dumps(dict(v.asked)), *map(_digits, _size(v)))
                for v in variants
            ]
            columns = "key, game, settings, asked, nodes, infosets, deals"
            connection.executemany(
                f"INSERT INTO variants ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING", rows
            )
            me = store.me
            connection.execute(
                "INSERT INTO runs (id, host, pid, began) VALUES (?, ?, ?, ?)", (me.id, me.host, me.pid, me.began)
            )
        connection.execute("CREATE TEMP TABLE wanted (key TEXT PRIMARY KEY)")
        connection.executemany("INSERT INTO wanted VALUES (?)", [(variant.key,) for variant in variants])
        try:
            yield store
        finally:
            leave(store)


def _size(variant: Variant) -> tuple[int | None, int | None, int | None]:
    return variant.nodes, variant.infosets, variant.deals


def _digits(number: int | None) -> str | None:
    # As text: these outgrow 64 bits.
    return None if number is None else str(number)


def _same_sweep(store: Store, method: str, gap: str | None) -> None:
    row = store.connection.execute("SELECT method, gap FROM sweep").fetchone()
    if row is None:
        store.connection.execute("INSERT INTO sweep VALUES (1, ?, ?)", (method, gap))
    elif tuple(row) != (method, gap):
        was = f"--method {row['method']}" + (f" --gap {row['gap']}" if row["gap"] is not None else " without --gap")
        raise ParameterError(f"{store.path} was begun with {was}; go on with that, or name another file")


def claim(store: Store, most: int) -> list[Claim]:
    """Take up to *most* open rows, the smallest games first."""
    with writing(store.connection):
        found = store.connection.execute(
            "UPDATE variants SET status = 'running', run = ?, tries = tries + 1 WHERE status = 'open' AND key IN "
            "(SELECT key FROM variants JOIN wanted USING (key) WHERE status = 'open' "
            "ORDER BY nodes IS NULL, CAST(nodes AS REAL), key LIMIT ?) RETURNING key, game, settings, nodes, tries",
            (store.me.id, most),
        ).fetchall()
    claims = [_claim(row) for row in found]
    return sorted(claims, key=lambda one: (one.nodes is None, one.nodes or 0, one.key))


def _claim(row: sqlite3.Row) -> Claim:
    nodes = None if row["nodes"] is None else int(row["nodes"])
    return Claim(row["key"], row["game"], json.loads(row["settings"]), nodes, row["tries"])


def finish(store: Store, held: Claim, task: Task, outcome: Outcome, starts: int = 1) -> bool:
    """Write what came of *held*; whether it was still ours. *starts*: how often it was begun under this one claim.

    A narrower bracket of an earlier try stays, with its certificate and the figures of that try, where this one did
    not succeed; its status and its error are written all the same.
    """
    with writing(store.connection):
        row = _held(store, held)
        if row is None:
            return False
        kept = outcome.status != DONE and _narrower(row, outcome)
        values = {name: getattr(outcome, name) for name in COLUMNS}
        values |= {"run": None, "tries": held.tries + starts - 1, "timeout": task.timeout, "memory": task.memory}
        values["finished"] = datetime.now(UTC).isoformat(timespec="seconds")
        if kept:
            values = {name: value for name, value in values.items() if name not in EVIDENCE}
        places = ", ".join(f"{name} = :{name}" for name in values)
        store.connection.execute(f"UPDATE variants SET {places} WHERE key = :_key", values | {"_key": held.key})
        if not kept:
            store.connection.execute("DELETE FROM certificates WHERE key = ?", (held.key,))
            if outcome.certificate is not None:
                store.connection.execute("INSERT INTO certificates VALUES (?, ?)", (held.key, outcome.certificate))
    return True


def _held(store: Store, held: Claim) -> sqlite3.Row | None:
    mine = (held.key, store.me.id, held.tries)
    row: sqlite3.Row | None = store.connection.execute(
        "SELECT * FROM variants WHERE key = ? AND status = 'running' AND run = ? AND tries = ?", mine
    ).fetchone()
    return row


def _narrower(row: sqlite3.Row, outcome: Outcome) -> bool:
    before, now = width(row["lower"], row["upper"]), width(outcome.lower, outcome.upper)
    return before is not None and (now is None or before < now)


def give_back(store: Store, held: Claim) -> None:
    """Make *held* an open row again, for anyone to claim."""
    with writing(store.connection):
        if _held(store, held) is not None:
            store.connection.execute("UPDATE variants SET status = 'open', run = NULL WHERE key = ?", (held.key,))


def leave(store: Store) -> None:
    """Give back all rows of this run."""
    with told(store.path), writing(store.connection):
        _bury(store, store.me.id)


def _bury(store: Store, run: str) -> None:
    store.connection.execute(
        "UPDATE variants SET status = 'open', run = NULL WHERE run = ? AND status = 'running'", (run,)
    )
    store.connection.execute("DELETE FROM runs WHERE id = ?", (run,))


def retry(store: Store) -> int:
    """Make the wanted rows that failed or were stopped at a limit open again; how many those are."""
    marks = ", ".join("?" * len(RETRIED))
    with writing(store.connection):
        return store.connection.execute(
            f"UPDATE variants SET status = 'open' WHERE status IN ({marks}) AND key IN (SELECT key FROM wanted)",
            RETRIED,
        ).rowcount


def live(store: Store) -> None:
    """Give a sign of life, and take over the rows of runs that are dead; does nothing when it was done just before."""
    now = time.monotonic()
    if now - store._beaten < BEAT:
        return
    store._beaten = now
    with writing(store.connection):
        me = store.me
        store.connection.execute(
            "INSERT INTO runs (id, host, pid, began) VALUES (?, ?, ?, ?) "
            "ON CONFLICT (id) DO UPDATE SET beat = beat + 1",
            (me.id, me.host, me.pid, me.began),
        )
        for row in store.connection.execute("SELECT * FROM runs WHERE id != ?", (me.id,)).fetchall():
            owner = Owner(row["id"], row["host"], row["pid"], row["began"])
            if surely_gone(owner, me.host) or _silent(store, owner.id, row["beat"], now):
                _bury(store, owner.id)


def _silent(store: Store, run: str, beat: int, now: float) -> bool:
    """Whether *run*'s beat has not changed for long: by this clock alone, as those of two machines may differ."""
    last, since = store._seen.get(run, (None, now))
    if last != beat:
        store._seen[run] = (beat, now)
        return False
    return now - since > LEASE


def counts(store: Store) -> dict[str, int]:
    """How many of the wanted rows have each status."""
    found = store.connection.execute("SELECT status, count(*) FROM variants JOIN wanted USING (key) GROUP BY status")
    return {str(status): int(count) for status, count in found}


def course(store: Store) -> tuple[list[tuple[int, float]], list[int]]:
    """Nodes and seconds of the wanted rows that are settled, and the nodes of those that are not."""
    query = "SELECT nodes, seconds, status FROM variants JOIN wanted USING (key) WHERE nodes IS NOT NULL"
    settled, ahead = [], []
    for nodes, seconds, status in store.connection.execute(query):
        if status in (OPEN, RUNNING):
            ahead.append(int(nodes))
        elif seconds is not None:
            settled.append((int(nodes), float(seconds)))
    return settled, ahead
