"""SQLite files that several runs write to at once, and which run holds which of their rows.

A row is held by one run at a time: its ``status`` is ``'running'`` and its ``run`` that run's id. It is claimed in a
transaction that excludes all others, with one more ``tries``; a result is written only where run and tries are still
the same, so that a run that was wrongly taken for dead writes nothing when it wakes.
"""

from __future__ import annotations

import os
import platform
import sqlite3
import time
import uuid
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from ...base.errors import FileError
from ...base.files import check_writable

BUSY = 60.0
"""Seconds to wait for another process that writes."""


@dataclass(frozen=True)
class JobKind:
    """A kind of file: what is in it ("a sweep"), the command that makes one, its statements of SQL, and its marks.

    ``application`` says which kind it is, ``version`` which version of its schema.
    """

    name: str
    made_by: str
    application: int
    version: int
    schema: str


@contextmanager
def open_file(kind: JobKind, path: Path, create: bool = False) -> Iterator[sqlite3.Connection]:
    """A connection to the file at *path*; with *create*, a new one where there is none.

    The journal is SQLite's rollback journal, not its write-ahead log: that needs memory shared by all processes, which
    network file systems do not have. Raises ``FileError`` for a file that cannot be opened or is of another kind.
    """
    if create:
        check_writable(path, database=True)
    elif not path.is_file():
        raise FileError(f"cannot read {path}: there is no such file")
    with sqlite_errors(path):
        connection = sqlite3.connect(path, timeout=BUSY, isolation_level=None)
    with closing(connection), sqlite_errors(path):
        connection.row_factory = sqlite3.Row
        connection.execute("PRAGMA synchronous = FULL")
        if create:
            _make(connection, kind)
        found = [connection.execute(f"PRAGMA {what}").fetchone()[0] for what in ("application_id", "user_version")]
        if found[0] != kind.application:
            raise FileError(f"{path} is not the file of {kind.name}; '{kind.made_by}' makes one")
        if found[1] != kind.version:
            known = f"this version of efg-builder knows schema {kind.version}"
            raise FileError(f"{path} has schema {found[1]}, and {known}")
        # A view or a trigger could do anything when a row is read or written, for ever.
        for name, sort in connection.execute(
            "SELECT name, type FROM sqlite_master WHERE type NOT IN ('table', 'index')"
        ):
            raise FileError(f"{path}: {name!r} is a {sort}, and the file of {kind.name} has tables only")
        yield connection


def check_types(connection: sqlite3.Connection, kind: JobKind, path: Path) -> None:
    """Raise ``FileError`` where a cell is not of its column's type: SQLite itself lets it be of any."""
    with closing(sqlite3.connect(":memory:")) as sound:
        sound.executescript(kind.schema)
        for (table,) in sound.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            for _, column, declared, needed, _, key in sound.execute(f"PRAGMA table_info({table})").fetchall():
                right = (*_TYPES[declared], *(() if needed or key else ("null",)))
                marks = ", ".join("?" * len(right))
                wrong = f"SELECT typeof({column}) FROM {table} WHERE typeof({column}) NOT IN ({marks}) LIMIT 1"
                for (found,) in connection.execute(wrong, right):
                    raise FileError(f"{path} is damaged: {column} in the table {table!r} is {found}, not {right[0]}")


_TYPES = {"TEXT": ("text",), "INTEGER": ("integer",), "REAL": ("real", "integer"), "BLOB": ("blob",)}


def _make(connection: sqlite3.Connection, kind: JobKind) -> None:
    with writing(connection):
        if connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            return
        for statement in filter(str.strip, kind.schema.split(";")):
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {kind.application}")
        connection.execute(f"PRAGMA user_version = {kind.version}")


@contextmanager
def writing(connection: sqlite3.Connection) -> Iterator[None]:
    """One transaction that has the file to itself from its start: what it reads stays true until it has written."""
    if connection.in_transaction:  # Ctrl-C came between a BEGIN or a COMMIT and the lines around it
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
    """Turn errors of SQLite into a ``FileError`` that names the file."""
    try:
        yield
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        raise FileError(f"{path}: {error}") from error


BEAT = 5.0
"""Seconds between two signs of life of a run."""

LEASE = 90.0
"""A run on another machine that gives no sign of life for this many seconds (of one's own clock) counts as dead."""

SAME_PROCESS = 200
"""Hundredths of a second by which two readings of the time a process began may differ."""

RUNS = """
CREATE TABLE runs (
    id TEXT PRIMARY KEY, host TEXT NOT NULL, pid INTEGER NOT NULL, began TEXT NOT NULL, beat INTEGER NOT NULL DEFAULT 0
);
"""
"""The table that a file's schema needs for its runs."""


@dataclass(frozen=True)
class Owner:
    """A run. ``host`` tells machines, their boots and their containers apart; ``began`` processes of one number.

    ``began`` is empty where the system does not say when a process began.
    """

    id: str
    host: str
    pid: int
    began: str


def this_run() -> Owner:
    """A new run, of this process."""
    return Owner(uuid.uuid4().hex, this_host(), os.getpid(), process_began(os.getpid()) or "")


def this_host() -> str:
    """Names the scope of process numbers: the machine, since it was booted, and the container."""
    boot = space = ""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        space = os.readlink("/proc/self/ns/pid")
    except OSError:
        pass
    return " ".join(filter(None, [platform.node(), boot, space]))


def surely_gone(owner: Owner, here: str) -> bool:
    """Whether *owner* is a process of this host (*here*) that no longer runs. False where that cannot be known."""
    if owner.host != here or not owner.began.isdecimal():
        return False
    began = process_began(owner.pid)
    return began is None or (began != "" and abs(int(began) - int(owner.began)) > SAME_PROCESS)


def process_began(pid: int) -> str | None:
    """When process *pid* began, in hundredths of a second since the boot; None where there is no such process.

    A process that has ended and is not yet collected is gone too. Empty where the system does not say.
    """
    import psutil

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
    """A run's connection to the file at ``path``, whose rows to be held are in ``table``.

    ``keys`` are the columns that name a row there.
    """

    path: Path
    connection: sqlite3.Connection
    table: str
    keys: tuple[str, ...]
    me: Owner = field(default_factory=this_run)
    _seen: dict[str, tuple[int, float]] = field(default_factory=dict, kw_only=True)
    _beaten: float = field(default=float("-inf"), kw_only=True)

    @property
    def mine(self) -> str:
        """The condition in SQL that this run still holds a row, with the parameters of ``held``."""
        return " AND ".join([*(f"{key} = ?" for key in self.keys), "status = 'running'", "run = ?", "tries = ?"])

    def held(self, key: Sequence[object], tries: int) -> tuple[object, ...]:
        """The parameters of ``mine`` for the row *key*, claimed for the time *tries*."""
        return (*key, self.me.id, tries)


@contextmanager
def at_work(store: Store, column: str, wanted: Iterable[object]) -> Iterator[None]:
    """The run *store* at work on the rows whose *column* (as in ``"key TEXT"``) is one of *wanted*.

    The temporary table ``wanted`` has them. Rows still held at the end are given back.
    """
    store.connection.execute(f"CREATE TEMP TABLE wanted ({column} PRIMARY KEY)")
    store.connection.executemany("INSERT INTO wanted VALUES (?)", [(each,) for each in wanted])
    try:
        yield
    finally:
        with sqlite_errors(store.path), writing(store.connection):
            _bury(store, store.me.id)


def enter(store: Store) -> None:
    """Enter *store* among the runs at work, or give its sign of life; within a transaction."""
    me = store.me
    store.connection.execute(
        "INSERT INTO runs (id, host, pid, began) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET beat = beat + 1",
        (me.id, me.host, me.pid, me.began),
    )


def live(store: Store) -> None:
    """Give a sign of life, and take over the rows of dead runs; does nothing within ``BEAT`` seconds of the last."""
    now = time.monotonic()
    if now - store._beaten < BEAT:
        return
    store._beaten = now
    with writing(store.connection):
        enter(store)
        for row in store.connection.execute("SELECT * FROM runs WHERE id != ?", (store.me.id,)).fetchall():
            owner = Owner(row["id"], row["host"], row["pid"], row["began"])
            if surely_gone(owner, store.me.host) or _silent(store, owner.id, row["beat"], now):
                _bury(store, owner.id)


def _silent(store: Store, other: str, beat: int, now: float) -> bool:
    """Whether *other*'s beat has not changed for long: by this clock alone, as those of two machines may differ."""
    last, since = store._seen.get(other, (None, now))
    if last != beat:
        store._seen[other] = (beat, now)
        return False
    return now - since > LEASE


def _bury(store: Store, run: str) -> None:
    store.connection.execute(
        f"UPDATE {store.table} SET status = 'open', run = NULL WHERE run = ? AND status = 'running'", (run,)
    )
    store.connection.execute("DELETE FROM runs WHERE id = ?", (run,))


def give_back(store: Store, claimed: Iterable[tuple[Sequence[object], int]]) -> None:
    """Make rows of this run, each by its key and its tries, open again for any run to claim."""
    with writing(store.connection):
        store.connection.executemany(
            f"UPDATE {store.table} SET status = 'open', run = NULL WHERE {store.mine}",
            [store.held(key, tries) for key, tries in claimed],
        )
