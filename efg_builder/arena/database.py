"""The SQLite file of an arena: its schema, and how it is opened."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from ..errors import FileError
from ..files import check_writable
from ..sweeps.database import BUSY, told, writing

APPLICATION, VERSION = 0x45464741, 1
"""What the file says it is: "EFGA", and the version of its schema."""

SCHEMA = """
CREATE TABLE arena (
    id INTEGER PRIMARY KEY CHECK (id = 1), what TEXT NOT NULL, game TEXT NOT NULL, settings TEXT NOT NULL,
    title TEXT NOT NULL, seats INTEGER NOT NULL, seed INTEGER NOT NULL, block INTEGER NOT NULL
);
CREATE TABLE runs (
    id TEXT PRIMARY KEY, host TEXT NOT NULL, pid INTEGER NOT NULL, began TEXT NOT NULL, beat INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE players (place INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, digest TEXT NOT NULL);
CREATE TABLE pairings (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, slots TEXT NOT NULL, expected TEXT);
CREATE TABLE units (
    pairing INTEGER NOT NULL REFERENCES pairings (id), block INTEGER NOT NULL, deals INTEGER NOT NULL,
    status TEXT NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'running', 'done')),
    run TEXT, tries INTEGER NOT NULL DEFAULT 0, tally TEXT, seconds REAL,
    PRIMARY KEY (pairing, block)
);
"""


@contextmanager
def opened(path: Path, create: bool = False) -> Iterator[sqlite3.Connection]:
    """A connection to the arena at *path*; with *create*, a new one where there is none.

    Raises ``FileError`` for a file that cannot be opened or is no arena.
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
            raise FileError(f"{path} is not the file of an arena; 'efg-builder arena ... -o FILE.db' makes one")
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
