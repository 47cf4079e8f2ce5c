"""SQLite files of jobs that several runs share, and the leases with which runs hold jobs.

A held job has the ``status`` ``'running'``, and ``run`` is the id of its run. A claim is an exclusive transaction that
adds 1 to ``tries``. A result is written only if ``run`` and ``tries`` are unchanged. So a run that was wrongly declared
dead cannot write the result of a reopened job.
"""

from __future__ import annotations

import os
import platform
import sqlite3
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from ...base.errors import FileError
from ...base.files import SQLITE, begins_with, check_writable

BUSY = 60.0  # time limit in seconds for waiting until another process has finished writing
BEAT = 5.0  # seconds between two heartbeats of a run
LEASE = 90.0
"""Seconds without a heartbeat, by the local clock, after which a run on another machine is considered dead."""

SAME_PROCESS = 200  # the maximum difference between two readings of a process's start time, in hundredths of a second
OPEN, RUNNING, DONE = "open", "running", "done"
"""The status of an unclaimed job, of a held job, and of a job with a result."""

RUNS = """
CREATE TABLE runs (
    id TEXT PRIMARY KEY, host TEXT NOT NULL, pid INTEGER NOT NULL, began TEXT NOT NULL, beat INTEGER NOT NULL DEFAULT 0
);
"""

_TYPES = {"TEXT": ("text",), "INTEGER": ("integer",), "REAL": ("real", "integer"), "BLOB": ("blob",)}


@dataclass(frozen=True)
class Schema:
    """A type of file: its ``name`` ("a sweep"), the command ``made_by`` that creates it, and its ``tables`` in SQL.

    ``jobs``: the table of jobs. ``keys``: the columns that identify a job. ``order``: the order of claims. ``chosen``:
    the column, with its type (``"key TEXT"``), by which a run selects its jobs.
    """

    name: str
    made_by: str
    application: int
    version: int
    tables: str
    jobs: str
    keys: tuple[str, ...]
    order: str
    chosen: str

    @contextmanager
    def open(self, path: Path, create: bool = False) -> Iterator[sqlite3.Connection]:
        """Connect to the file at *path*; if *create* is true, create a missing file.

        The file uses SQLite's rollback journal. The write-ahead log needs shared memory, which network file systems
        lack. Raises ``FileError`` if the file cannot be opened or has another type.
        """
        if create:
            check_writable(path, database=True)
        elif not path.is_file():
            raise FileError(f"cannot read {path}: there is no such file")
        other = f"{path} is not the file of {self.name}; '{self.made_by}' creates {self.name}"
        if path.is_file() and path.stat().st_size and not begins_with(path, SQLITE):
            raise FileError(other)
        with sqlite_errors(path):
            connection = sqlite3.connect(path, timeout=BUSY, isolation_level=None)
        with closing(connection), sqlite_errors(path):
            connection.row_factory = sqlite3.Row
            connection.execute("PRAGMA synchronous = FULL")
            if create:
                self._make(connection)
            found = [connection.execute(f"PRAGMA {what}").fetchone()[0] for what in ("application_id", "user_version")]
            if found[0] != self.application:
                raise FileError(other)
            if found[1] != self.version:
                known = f"this version of efg-builder needs schema {self.version}"
                raise FileError(f"{path} has schema {found[1]}, but {known}; name another file")
            # Views and triggers are forbidden, because they could run any SQL when a row is read or written.
            for name, sort in connection.execute(
                "SELECT name, type FROM sqlite_master WHERE type NOT IN ('table', 'index')"
            ):
                raise FileError(f"{path}: {name!r} is a {sort}, but the file of {self.name} has only tables")
            yield connection

    def _make(self, connection: sqlite3.Connection) -> None:
        with writing(connection):
            if connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                return
            for statement in filter(str.strip, self.tables.split(";")):
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {self.application}")
            connection.execute(f"PRAGMA user_version = {self.version}")

    def check_types(self, connection: sqlite3.Connection, path: Path) -> None:
        """Raise ``FileError`` if a value does not have its column's type, because SQLite does not enforce types."""
        with closing(sqlite3.connect(":memory:")) as sound:
            sound.executescript(self.tables)
            for (table,) in sound.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
                for _, column, declared, needed, _, key in sound.execute(f"PRAGMA table_info({table})").fetchall():
                    right = (*_TYPES[declared], *(() if needed or key else ("null",)))
                    marks = ", ".join("?" * len(right))
                    wrong = f"SELECT typeof({column}) FROM {table} WHERE typeof({column}) NOT IN ({marks}) LIMIT 1"
                    for (found,) in connection.execute(wrong, right):
                        raise FileError(
                            f"{path} is damaged: {column} in the table {table!r} is {found}, not {right[0]}"
                        )


@contextmanager
def writing(connection: sqlite3.Connection) -> Iterator[None]:
    """Hold an exclusive transaction, so that no other run changes data that this run has read."""
    if connection.in_transaction:  # Ctrl-C came right after a BEGIN, or right before a COMMIT
        connection.execute("ROLLBACK")
    try:
        connection.execute("BEGIN IMMEDIATE")
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


@contextmanager
def sqlite_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        raise FileError(f"{path}: {error}") from error


@dataclass(frozen=True)
class Owner:
    """A run and its process. ``host`` distinguishes machines, boots and containers.

    ``began``, the start time, distinguishes processes with equal IDs. It is empty if the system does not report the
    start time.
    """

    id: str
    host: str
    pid: int
    began: str


def this_run() -> Owner:
    return Owner(uuid.uuid4().hex, this_host(), os.getpid(), process_began(os.getpid()) or "")


def this_host() -> str:
    """Return the scope in which process IDs are unique: machine, boot and container."""
    boot = space = ""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        space = os.readlink("/proc/self/ns/pid")
    except OSError:
        pass
    return " ".join(filter(None, [platform.node(), boot, space]))


def surely_gone(owner: Owner, here: str) -> bool:
    """Return whether *owner* is known to have ended; False for a process on a host other than *here*."""
    if owner.host != here or not owner.began.isdecimal():
        return False
    began = process_began(owner.pid)
    return began is None or (began != "" and abs(int(began) - int(owner.began)) > SAME_PROCESS)


def process_began(pid: int) -> str | None:
    """Return the start time of the process *pid*, in hundredths of a second since the boot.

    The result is None if the process does not exist or has ended, and empty if the time is unknown.
    """
    try:
        import psutil
    except ImportError:  # not installed in a browser, which has one process
        return ""
    try:
        process = psutil.Process(pid)
        if process.status() in (psutil.STATUS_ZOMBIE, psutil.STATUS_DEAD):
            return None
        return str(round(100 * (process.create_time() - psutil.boot_time())))
    except psutil.NoSuchProcess:
        return None
    except (psutil.Error, OSError, RuntimeError):
        return ""


@dataclass
class Store:
    """A run's connection to a file; the temporary table ``wanted`` selects the run's jobs."""

    schema: Schema
    path: Path
    connection: sqlite3.Connection
    me: Owner = field(default_factory=this_run)
    _seen: dict[str, tuple[int, float]] = field(default_factory=dict)
    _beaten: float = float("-inf")

    def __post_init__(self) -> None:
        column = self.schema.chosen.partition(" ")[0]
        self.wanted = f"{self.schema.jobs} JOIN wanted USING ({column})"
        self._is = " AND ".join(f"{key} = :{key}" for key in self.schema.keys)
        self._is_mine = f"{self._is} AND status = 'running' AND run = :run AND tries = :tries"

    def claim(self, most: int) -> list[sqlite3.Row]:
        """Claim up to *most* open jobs in the schema's order, and add 1 to the ``tries`` of each job."""
        jobs, keys = self.schema.jobs, ", ".join(self.schema.keys)
        query = f"SELECT {keys} FROM {self.wanted} WHERE status = 'open' ORDER BY {self.schema.order} LIMIT ?"
        take = f"UPDATE {jobs} SET status = 'running', run = :run, tries = tries + 1 WHERE {self._is} RETURNING *"
        with writing(self.connection):
            found = self.connection.execute(query, (max(most, 0),)).fetchall()
            return [self.connection.execute(take, {**row, "run": self.me.id}).fetchall()[0] for row in map(dict, found)]

    def held(self, job: sqlite3.Row) -> sqlite3.Row | None:
        """Return the current row of *job*; None if this run lost the job."""
        query = f"SELECT * FROM {self.schema.jobs} WHERE {self._is_mine}"
        found: sqlite3.Row | None = self.connection.execute(query, self._named(job)).fetchone()
        return found

    def write(self, job: sqlite3.Row, **values: object) -> bool:
        """Set columns of *job*, within the caller's transaction; return whether this run still held the job."""
        places = ", ".join(f"{name} = :_{name}" for name in values)
        new = {f"_{name}": value for name, value in values.items()}
        change = f"UPDATE {self.schema.jobs} SET {places} WHERE {self._is_mine}"
        return self.connection.execute(change, self._named(job) | new).rowcount == 1

    def _named(self, job: sqlite3.Row) -> dict[str, object]:
        return {name: job[name] for name in (*self.schema.keys, "tries")} | {"run": self.me.id}

    def give_back(self, jobs: Iterable[sqlite3.Row]) -> None:
        with writing(self.connection):
            for job in jobs:
                self.write(job, status=OPEN, run=None)

    def counts(self, what: str = "count(*)") -> Mapping[str, int]:
        """Return the SQL aggregate *what* of the wanted jobs, by status."""
        found = self.connection.execute(f"SELECT status, {what} FROM {self.wanted} GROUP BY status")
        return {str(status): int(number) for status, number in found}

    def enter(self) -> None:
        """Add this run to the table of runs, or send its heartbeat, within the caller's transaction."""
        self.connection.execute(
            "INSERT INTO runs (id, host, pid, began) VALUES (?, ?, ?, ?) "
            "ON CONFLICT (id) DO UPDATE SET beat = beat + 1",
            (self.me.id, self.me.host, self.me.pid, self.me.began),
        )

    def live(self) -> None:
        """Send a heartbeat and reopen the jobs of dead runs, at most every ``BEAT`` seconds."""
        now = time.monotonic()
        if now - self._beaten < BEAT:
            return
        self._beaten = now
        with writing(self.connection):
            self.enter()
            for row in self.connection.execute("SELECT * FROM runs WHERE id != ?", (self.me.id,)).fetchall():
                owner = Owner(row["id"], row["host"], row["pid"], row["began"])
                if surely_gone(owner, self.me.host) or self._is_silent(owner.id, row["beat"], now):
                    self._bury(owner.id)

    def _is_silent(self, other: str, beat: int, now: float) -> bool:
        # Use only the local clock, because the clocks of machines differ.
        last, since = self._seen.get(other, (None, now))
        if last != beat:
            self._seen[other] = (beat, now)
            return False
        return now - since > LEASE

    def _bury(self, run: str) -> None:
        self.connection.execute(
            f"UPDATE {self.schema.jobs} SET status = 'open', run = NULL WHERE run = ? AND status = 'running'", (run,)
        )
        self.connection.execute("DELETE FROM runs WHERE id = ?", (run,))


@contextmanager
def joined(schema: Schema, path: Path, prepare: Callable[[sqlite3.Connection], Iterable[object]]) -> Iterator[Store]:
    """Join the file at *path*, creating it if it is missing; at the end, reopen the jobs that this run still holds.

    In one transaction, *prepare* checks the file, adds jobs, and returns the values that select this run's jobs.
    """
    with schema.open(path, create=True) as connection:
        schema.check_types(connection, path)
        store = Store(schema, path, connection)
        with writing(connection):
            wanted = list(prepare(connection))
            store.enter()
        connection.execute(f"CREATE TEMP TABLE wanted ({schema.chosen} PRIMARY KEY)")
        connection.executemany("INSERT INTO wanted VALUES (?)", [(each,) for each in wanted])
        try:
            yield store
        finally:
            with sqlite_errors(path), writing(connection):
                store._bury(store.me.id)
