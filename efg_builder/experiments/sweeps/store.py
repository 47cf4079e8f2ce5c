"""The rows of a sweep as a run sees them: claimed, finished, given back, taken over from the dead.

How runs hold rows, and what becomes of those of dead ones, is in ``jobs.runs``.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from ...base.errors import ParameterError
from ..jobs import Presence, leave, present, this_run, writing
from .database import opened
from .rows import COLUMNS, DONE, EVIDENCE, OPEN, RETRIED, RUNNING, Outcome, Task, width
from .variants import Variant

TABLE = "variants"


@dataclass(frozen=True)
class Claim:
    """A row that this run works on: the ``tries``-th time that somebody does."""

    key: str
    game: str
    settings: Mapping[str, str]
    nodes: int | None
    tries: int


Store = Presence
"""A run's connection to the file, limited to the variants that the run is for."""


@contextmanager
def joined(path: Path, variants: Sequence[Variant], method: str, gap: str | None) -> Iterator[Store]:
    """Join the sweep at *path*, which is made where there is none, to work on *variants*; new ones become open rows.

    Rows still held at the end are given back. Raises ``FileError``, and ``ParameterError`` where the file is of another
    method or gap: its rows would not be what was asked for.
    """
    with opened(path, create=True) as connection:
        store = Store(path, connection, this_run(), TABLE)
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
            present(store)
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


def retry(store: Store) -> int:
    """Make the wanted rows that failed or were stopped at a limit open again; how many those are."""
    marks = ", ".join("?" * len(RETRIED))
    with writing(store.connection):
        return store.connection.execute(
            f"UPDATE variants SET status = 'open' WHERE status IN ({marks}) AND key IN (SELECT key FROM wanted)",
            RETRIED,
        ).rowcount


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
