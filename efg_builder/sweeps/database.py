"""The SQLite file of a sweep: its schema, how it is opened, and its errors as ours."""

from __future__ import annotations

import gzip
import io
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from ..errors import FileError
from ..files import DENSEST, FREELY, UNPACKED, check_writable
from .rows import STATUSES

APPLICATION, VERSION = 0x45464753, 1
"""What the file says it is: "EFGS", and the version of its schema."""

BUSY = 60.0
"""Seconds to wait for another process that is writing."""

SCHEMA = f"""
CREATE TABLE sweep (id INTEGER PRIMARY KEY CHECK (id = 1), method TEXT NOT NULL, gap TEXT);
CREATE TABLE runs (
    id TEXT PRIMARY KEY, host TEXT NOT NULL, pid INTEGER NOT NULL, began TEXT NOT NULL, beat INTEGER NOT NULL DEFAULT 0
);
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


@contextmanager
def opened(path: Path, create: bool = False) -> Iterator[sqlite3.Connection]:
    """A connection to the sweep at *path*; with *create*, a new one where there is none.

    The journal is SQLite's rollback journal, not its write-ahead log: that needs memory shared by all processes, which
    network file systems do not have. Raises ``FileError`` for a file that cannot be opened or is no sweep.
    """
    if create:
        check_writable(path)
    elif not path.is_file():
        raise FileError(f"cannot read {path}: there is no such file")
    with told(path):
        connection = sqlite3.connect(path, timeout=BUSY, isolation_level=None)
    with closing(connection), told(path):
        connection.row_factory = sqlite3.Row
        connection.execute("PRAGMA synchronous = FULL")
        if create:
            _make(connection)
        found = [connection.execute(f"PRAGMA {what}").fetchone()[0] for what in ("application_id", "user_version")]
        if found[0] != APPLICATION:
            raise FileError(f"{path} is not the file of a sweep; 'efg-builder sweep ... -o FILE.db' makes one")
        if found[1] != VERSION:
            raise FileError(f"{path} has schema {found[1]}, and this version of efg-builder knows schema {VERSION}")
        yield connection


def _make(connection: sqlite3.Connection) -> None:
    with writing(connection):
        if connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            return
        for statement in filter(str.strip, SCHEMA.split(";")):
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
        connection.execute(f"PRAGMA user_version = {VERSION}")


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
def told(path: Path) -> Iterator[None]:
    """Turns SQLite's errors into a ``FileError`` that names the file."""
    try:
        yield
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        raise FileError(f"{path}: {error}") from error


def unpacked(data: object) -> str:
    """The text of a certificate, from what the table ``certificates`` has. Raises ``FileError`` where it is damaged."""
    try:
        if not isinstance(data, bytes):
            raise EOFError("it is no bytes")
        # As with files: a small one cannot ask for unbounded memory.
        most = min(UNPACKED, max(FREELY, DENSEST * len(data)))
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as packed:
            found = packed.read(most + 1)
        if len(found) > most:
            raise EOFError(f"it unpacks to more than {most >> 20} MiB")
        return found.decode()
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise FileError(f"the certificate is damaged: {error}") from None
