"""SQLite files that several runs write to at once: how they are opened, and their errors as ``FileError``."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from ...base.errors import FileError
from ...base.files import check_writable

BUSY = 60.0
"""Seconds to wait for another process that writes."""


@dataclass(frozen=True)
class Kind:
    """A kind of file: what is in it ("a sweep"), the command that makes one, its statements of SQL, and its marks.

    ``application`` says which kind it is, ``version`` which version of its schema.
    """

    name: str
    made_by: str
    application: int
    version: int
    schema: str


@contextmanager
def open_file(kind: Kind, path: Path, create: bool = False) -> Iterator[sqlite3.Connection]:
    """A connection to the file at *path*; with *create*, a new one where there is none.

    The journal is SQLite's rollback journal, not its write-ahead log: that needs memory shared by all processes, which
    network file systems do not have. Raises ``FileError`` for a file that cannot be opened or is of another kind.
    """
    if create:
        check_writable(path)
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
        yield connection


def _make(connection: sqlite3.Connection, kind: Kind) -> None:
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
