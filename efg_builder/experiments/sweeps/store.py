"""The SQLite file of a sweep: a row for each variant, with its outcome and its certificate.

A worker receives a ``Task`` and returns a ``TaskOutcome``. ``jobs.store`` implements claims and leases.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path

from ...base.errors import FileError, ParameterError
from ...base.files import unpack
from ...base.rationals import parse
from ..jobs import store as jobs
from ..jobs.store import RUNS, Schema, Store, writing
from .variants import Variant

OPEN, RUNNING, DONE, FAILED, TIMEOUT, MEMORY = STATUSES = ("open", "running", "done", "failed", "timeout", "memory")

RETRIED = (FAILED, TIMEOUT, MEMORY)  # the statuses of rows that ``--retry-failed`` retries


@dataclass(frozen=True)
class Task:
    """A variant to solve.

    ``gap``: the bracket's width at which the search stops, an exact number as text (None: search for the exact value).
    ``timeout``: time limit in seconds (None: no limit). ``memory``: memory limit in bytes (None: no limit). ``tries``:
    the number of claims of the row, including this claim. ``folder``: the folder in which the module ``work`` saves the
    states of searches (None: states are not saved).
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
    """The outcome of a task. Every field except ``certificate`` is a column of the table ``variants``.

    ``value`` is player 1's payoff in a verified equilibrium; ``lower`` and ``upper`` are verified bounds on the value.
    These three numbers are exact, as text, and the ``*_float`` fields are for sorting. ``outcome``: the solution's
    status. ``columns``: the number of both players' sequences in the last restricted game. ``seconds``: the wall-clock
    time of solving and verifying. ``cpu_seconds``, ``peak_bytes``: the processor time and the peak memory of the
    process and its children. ``certificate``: the solution's JSON, compressed with gzip.
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

EVIDENCE = {*COLUMNS, "timeout", "memory", "finished"} - {"status", "error"}
"""The columns that a worse try does not overwrite: the bounds, and the data of the try that proved them."""

TABLES = f"""
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

SCHEMA = Schema(
    name="a sweep",
    made_by="efg-builder sweep ... -o FILE.db",
    application=0x45464753,
    version=1,
    tables=TABLES,
    jobs="variants",
    keys=("key",),
    order="nodes IS NULL, CAST(nodes AS REAL), key",
    chosen="key TEXT",
)
"""The schema of a sweep's file, with the SQLite application ID "EFGS". Smaller games are claimed first."""

opened = SCHEMA.open
"""Connect to the sweep at a path; ``create=True`` creates a missing file. Raises ``FileError``."""


def width(lower: str | None, upper: str | None) -> Fraction | None:
    return None if lower is None or upper is None else parse(upper) - parse(lower)


def first_line(text: str) -> str:
    """Return the first nonblank line of *text*, or a default."""
    return next((line.strip() for line in text.splitlines() if line.strip()), "no reason was given")


def certificate(connection: sqlite3.Connection, key: object) -> object:
    """Return the compressed certificate of the row *key*; None if the row has no certificate."""
    found = connection.execute("SELECT data FROM certificates WHERE key = ?", (key,)).fetchone()
    return None if found is None else found["data"]


def unpacked(data: object) -> str:
    """Return the text of a compressed certificate. Raises ``FileError`` for a damaged certificate."""
    if not isinstance(data, bytes):
        raise FileError("the certificate is damaged: it is not bytes")
    try:
        return unpack(data, "the certificate is damaged").decode()
    except UnicodeDecodeError as error:
        raise FileError(f"the certificate is damaged: {error}") from None


def joined(path: Path, variants: Sequence[Variant], method: str, gap: str | None) -> AbstractContextManager[Store]:
    """Join the sweep at *path*, creating it if it is missing; new *variants* become open rows.

    Raises ``FileError``, and ``ParameterError`` if the sweep has another method or gap.
    """

    def prepare(connection: sqlite3.Connection) -> list[str]:
        row = connection.execute("SELECT method, gap FROM sweep").fetchone()
        if row is None:
            connection.execute("INSERT INTO sweep VALUES (1, ?, ?)", (method, gap))
        elif tuple(row) != (method, gap):
            was = f"--method {row['method']}" + (f" --gap {row['gap']}" if row["gap"] is not None else " without --gap")
            raise ParameterError(f"{path} was begun with {was}; use the same options, or name another file")
        for one in variants:
            sizes = (None if size is None else str(size) for size in (one.nodes, one.infosets, one.deals))
            connection.execute(  # sizes are stored as text, because they may exceed 64 bits
                "INSERT INTO variants (key, game, settings, asked, nodes, infosets, deals) VALUES (?, ?, ?, ?, ?, ?, ?)"
                " ON CONFLICT DO NOTHING",
                (one.key, one.game, json.dumps(dict(one.settings)), json.dumps(dict(one.asked)), *sizes),
            )
        return [one.key for one in variants]

    return jobs.joined(SCHEMA, path, prepare)


def finish(
    store: Store,
    job: sqlite3.Row,
    outcome: TaskOutcome,
    timeout: float | None = None,
    memory: int | None = None,
) -> bool:
    """Write the outcome of *job*; return whether this run still held the job.

    *timeout* and *memory* were the limits of the job. If this try failed, a narrower bracket of an earlier try remains
    with its certificate, and only the status and the error are overwritten.
    """
    with writing(store.connection):
        row = store.held(job)
        if row is None:
            return False
        before, now = width(row["lower"], row["upper"]), width(outcome.lower, outcome.upper)
        stays = outcome.status != DONE and before is not None and (now is None or before < now)
        values = {name: getattr(outcome, name) for name in COLUMNS}
        values |= {"run": None, "timeout": timeout, "memory": memory}
        values["finished"] = datetime.now(UTC).isoformat(timespec="seconds")
        store.write(job, **{name: value for name, value in values.items() if not (stays and name in EVIDENCE)})
        if not stays:
            store.connection.execute("DELETE FROM certificates WHERE key = ?", (job["key"],))
            if outcome.certificate is not None:
                store.connection.execute("INSERT INTO certificates VALUES (?, ?)", (job["key"], outcome.certificate))
    return True


def retry(store: Store, statuses: Sequence[str] = RETRIED) -> None:
    change = "UPDATE variants SET status = 'open' WHERE status = ? AND key IN (SELECT key FROM wanted)"
    with writing(store.connection):
        store.connection.executemany(change, [(status,) for status in statuses])


def all_settled(store: Store) -> bool:
    """Return whether all rows are settled, including the rows of other runs."""
    found = store.connection.execute("SELECT 1 FROM variants WHERE status IN (?, ?) LIMIT 1", (OPEN, RUNNING))
    return found.fetchone() is None


def sizes_and_times(store: Store) -> tuple[list[tuple[int, float]], list[int]]:
    """Return the tree size and solve time of each settled row of this run, and the tree size of each unsettled row."""
    settled, ahead = [], []
    query = f"SELECT nodes, seconds, status FROM {store.wanted} WHERE nodes IS NOT NULL"
    for nodes, seconds, status in store.connection.execute(query):
        if status in (OPEN, RUNNING):
            ahead.append(int(nodes))
        elif seconds is not None:
            settled.append((int(nodes), float(seconds)))
    return settled, ahead
