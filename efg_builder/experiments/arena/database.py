"""The SQLite file of an arena: its schema, and how it is opened."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .. import jobs as joint_file

SCHEMA = f"""
CREATE TABLE arena (
    id INTEGER PRIMARY KEY CHECK (id = 1), what TEXT NOT NULL, game TEXT NOT NULL, settings TEXT NOT NULL,
    title TEXT NOT NULL, seats INTEGER NOT NULL, seed INTEGER NOT NULL, block INTEGER NOT NULL
);
{joint_file.RUNS}
CREATE TABLE players (place INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, digest TEXT NOT NULL);
CREATE TABLE pairings (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, slots TEXT NOT NULL, expected TEXT);
CREATE TABLE units (
    pairing INTEGER NOT NULL REFERENCES pairings (id), block INTEGER NOT NULL, deals INTEGER NOT NULL,
    status TEXT NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'running', 'done')),
    run TEXT, tries INTEGER NOT NULL DEFAULT 0, tally TEXT, seconds REAL,
    PRIMARY KEY (pairing, block)
);
"""


KIND = joint_file.Kind("an arena", "efg-builder arena ... -o FILE.db", 0x45464741, 1, SCHEMA)
"""Marked "EFGA"."""


@contextmanager
def opened(path: Path, create: bool = False) -> Iterator[sqlite3.Connection]:
    """A connection to the arena at *path*; with *create*, a new one where there is none. Raises ``FileError``."""
    with joint_file.opened(KIND, path, create) as connection:
        yield connection
