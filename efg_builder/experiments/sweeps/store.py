"""The SQLite file of a sweep: a row for each variant, with its outcome and its certificate.

``Task`` is what goes to a worker, ``TaskOutcome`` what comes back. A run joins the file, claims rows and finishes them;
``jobs.claims`` says how runs hold rows, and what becomes of those of dead ones.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from fractions import Fraction
from functools import partial
from pathlib import Path

from ...base.errors import FileError, ParameterError
from ...base.files import unpack
from ...base.rationals import parse
from ..jobs.claims import RUNS, JobKind, Store, at_work, check_types, enter, open_file, writing
from .variants import Variant

OPEN, RUNNING, DONE, FAILED, TIMEOUT, MEMORY = STATUSES = ("open", "running", "done", "failed", "timeout", "memory")
"""``open`` and ``running`` are not settled; ``--retry-failed`` retries the last three."""

RETRIED = (FAILED, TIMEOUT, MEMORY)


@dataclass(frozen=True)
class Task:
    """One variant to solve. ``timeout`` is in seconds, ``memory`` in bytes, ``gap`` exact as text; None: no limit.

    ``tries``: how often its row was claimed, this time included. ``folder``: of the states of searches (``states``).
    """

    key: str
    game: str
    settings: Mapping[str, str]
    method: str = "auto"
    gap: str | None = None
    timeout: float | None = None
    memory: int | None = None
    tries: int = 0
    folder: str | None = None


@dataclass(frozen=True)
class TaskOutcome:
    """How a task ended. Fields are columns of the same name of the table ``variants``, but for ``certificate``.

    ``value`` is player 1's payoff in a verified equilibrium, ``lower`` and ``upper`` are proved bounds on it, all as
    exact text, with ``*_float`` to sort by. ``outcome`` is the solution's own status, ``columns`` counts the sequences
    of both players in the last restricted game. ``seconds`` are solving and verifying by the clock, ``cpu_seconds``
    the processor time of the process and all that it started, its start included, and ``peak_bytes`` their memory.
    ``certificate`` is the solution's JSON, gzip-compressed.
    """

    status: str
    outcome: str | None = None
    value: str | None = None
    value_float: float | None = None
    lower: str | None = None
    lower_float: float | None = None
    upper: str | None = None
    upper_float: float | None = None
    exact: bool = False
    regret: str | None = None
    method: str | None = None
    rounds: int | None = None
    columns: int | None = None
    seconds: float | None = None
    cpu_seconds: float | None = None
    peak_bytes: int | None = None
    versions: str | None = None
    note: str | None = None
    error: str | None = None
    worker: str | None = None
    certificate: bytes | None = None


COLUMNS = tuple(field.name for field in fields(TaskOutcome) if field.name != "certificate")
"""The columns of the table ``variants`` that an outcome fills."""

EVIDENCE = (
    *("outcome", "value", "value_float", "lower", "lower_float", "upper", "upper_float", "exact", "regret"),
    *("method", "rounds", "columns", "versions", "note"),
    *("seconds", "cpu_seconds", "peak_bytes", "worker", "timeout", "memory", "finished"),
)
"""The columns that a try which found less leaves as they were: bounds, and figures of the try that proved them."""

SCHEMA = f"""
CREATE TABLE sweep (id INTEGER PRIMARY KEY CHECK (id = 1), method TEXT NOT NULL, gap TEXT);
{RUNS}
CREATE TABLE variants (
    key TEXT PRIMARY KEY, game TEXT NOT NULL, settings TEXT NOT NULL, asked TEXT NOT NULL,
    nodes TEXT, infosets TEXT, deals TEXT,
    status TEXT NOT NULL DEFAULT 'open' CHECK (status IN {STATUSES}),
    tries INTEGER NOT NULL DEFAULT 0, run TEXT,
    outcome TEXT, value TEXT, value_float REAL, lower TEXT, lower_float REAL, upper TEXT, upper_float REAL,
    exact INTEGER NOT NULL DEFAULT 0, regret TEXT,
    method TEXT, rounds INTEGER, columns INTEGER, seconds REAL, cpu_seconds REAL, peak_bytes INTEGER,
    versions TEXT, note TEXT, error TEXT, worker TEXT,
    timeout REAL, memory INTEGER, finished TEXT
);
CREATE TABLE certificates (key TEXT PRIMARY KEY REFERENCES variants (key), data BLOB NOT NULL);
"""

KIND = JobKind("a sweep", "efg-builder sweep ... -o FILE.db", 0x45464753, 1, SCHEMA)
"""Marked "EFGS"."""


def width(lower: str | None, upper: str | None) -> Fraction | None:
    """The width of a bracket from its exact text; None where there is none."""
    return None if lower is None or upper is None else parse(upper) - parse(lower)


def one_line(text: str) -> str:
    """The first line of *text*, or of what an exception says; never empty."""
    return next((line.strip() for line in text.splitlines() if line.strip()), "no reason was given")


opened = partial(open_file, KIND)
"""A connection to the sweep at a path; with ``create=True``, a new one where there is none. Raises ``FileError``."""


def unpacked(data: object) -> str:
    """The text of a certificate, from what the table ``certificates`` has. Raises ``FileError`` where it is damaged."""
    if not isinstance(data, bytes):
        raise FileError("the certificate is damaged: it is no bytes")
    try:
        return unpack(data, "the certificate is damaged").decode()
    except UnicodeDecodeError as error:
        raise FileError(f"the certificate is damaged: {error}") from None


@contextmanager
def joined(path: Path, variants: Sequence[Variant], method: str, gap: str | None) -> Iterator[Store]:
    """Join the sweep at *path*, which is made where there is none, to work on *variants*; new ones become open rows.

    Rows still held at the end are given back. Raises ``FileError``, and ``ParameterError`` where the file is of another
    method or gap: its rows would not be what was asked for.
    """
    with opened(path, create=True) as connection:
        check_types(connection, KIND, path)
        store = Store(path, connection, "variants", ("key",))
        with writing(connection):
            _same_sweep(store, method, gap)
            rows = [
                (v.key, v.game, json.dumps(dict(v.settings)), json.dumps(dict(v.asked)), *_sizes(v)) for v in variants
            ]
            columns = "key, game, settings, asked, nodes, infosets, deals"
            connection.executemany(
                f"INSERT INTO variants ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING", rows
            )
            enter(store)
        with at_work(store, "key TEXT", [variant.key for variant in variants]):
            yield store


def _sizes(variant: Variant) -> Iterator[str | None]:
    for size in (variant.nodes, variant.infosets, variant.deals):
        yield None if size is None else str(size)  # as text: sizes outgrow 64 bits


def _same_sweep(store: Store, method: str, gap: str | None) -> None:
    row = store.connection.execute("SELECT method, gap FROM sweep").fetchone()
    if row is None:
        store.connection.execute("INSERT INTO sweep VALUES (1, ?, ?)", (method, gap))
    elif tuple(row) != (method, gap):
        was = f"--method {row['method']}" + (f" --gap {row['gap']}" if row["gap"] is not None else " without --gap")
        raise ParameterError(f"{store.path} was begun with {was}; go on with that, or name another file")


def claim(store: Store, most: int, like: Task = Task("", "", {})) -> list[Task]:
    """Take up to *most* open rows, the smallest games first, to be solved by the method and the limits of *like*."""
    with writing(store.connection):
        found = store.connection.execute(
            "UPDATE variants SET status = 'running', run = ?, tries = tries + 1 WHERE status = 'open' AND key IN "
            "(SELECT key FROM variants JOIN wanted USING (key) WHERE status = 'open' "
            "ORDER BY nodes IS NULL, CAST(nodes AS REAL), key LIMIT ?) RETURNING key, game, settings, nodes, tries",
            (store.me.id, most),
        ).fetchall()
    found.sort(key=lambda row: (row["nodes"] is None, int(row["nodes"] or 0), row["key"]))
    return [
        replace(like, key=key, game=game, settings=json.loads(settings), tries=tries)
        for key, game, settings, _, tries in found
    ]


def finish(store: Store, held: Task, outcome: TaskOutcome, starts: int = 1) -> bool:
    """Write the outcome of *held*; whether this run still held it. *starts*: how often this one claim was begun.

    A narrower bracket of an earlier try stays, with its certificate and the figures of that try, where this one did
    not succeed; its status and its error are written all the same.
    """
    with writing(store.connection):
        mine = store.held([held.key], held.tries)
        row = store.connection.execute(f"SELECT * FROM variants WHERE {store.mine}", mine).fetchone()
        if row is None:
            return False
        kept = outcome.status != DONE and _narrower(row, outcome)
        values = {name: getattr(outcome, name) for name in COLUMNS}
        values |= {"run": None, "tries": held.tries + starts - 1, "timeout": held.timeout, "memory": held.memory}
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


def _narrower(row: sqlite3.Row, outcome: TaskOutcome) -> bool:
    before, now = width(row["lower"], row["upper"]), width(outcome.lower, outcome.upper)
    return before is not None and (now is None or before < now)


def retry(store: Store, statuses: Sequence[str] = RETRIED) -> int:
    """Make the wanted rows of these *statuses* open again; how many those are."""
    marks = ", ".join("?" * len(statuses))
    with writing(store.connection):
        return store.connection.execute(
            f"UPDATE variants SET status = 'open' WHERE status IN ({marks}) AND key IN (SELECT key FROM wanted)",
            tuple(statuses),
        ).rowcount


def all_settled(store: Store) -> bool:
    """Whether nothing in the file is open or running, wanted here or not."""
    found = store.connection.execute("SELECT 1 FROM variants WHERE status IN (?, ?) LIMIT 1", (OPEN, RUNNING))
    return found.fetchone() is None


def counts(store: Store) -> dict[str, int]:
    """How many of the wanted rows have each status."""
    found = store.connection.execute("SELECT status, count(*) FROM variants JOIN wanted USING (key) GROUP BY status")
    return {str(status): int(count) for status, count in found}


def sizes_and_times(store: Store) -> tuple[list[tuple[int, float]], list[int]]:
    """Nodes and seconds of the wanted rows that are settled, and the nodes of those that are not."""
    query = "SELECT nodes, seconds, status FROM variants JOIN wanted USING (key) WHERE nodes IS NOT NULL"
    settled, ahead = [], []
    for nodes, seconds, status in store.connection.execute(query):
        if status in (OPEN, RUNNING):
            ahead.append(int(nodes))
        elif seconds is not None:
            settled.append((int(nodes), float(seconds)))
    return settled, ahead
