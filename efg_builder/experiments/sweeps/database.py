"""The SQLite file of a sweep: its schema, and what is in it."""

from __future__ import annotations

import gzip
import io
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ...base.errors import FileError
from ...base.files import DENSEST, FREELY, UNPACKED
from .. import jobs as joint_file
from .rows import STATUSES

SCHEMA = f"""
CREATE TABLE sweep (id INTEGER PRIMARY KEY CHECK (id = 1), method TEXT NOT NULL, gap TEXT);
{joint_file.RUNS}
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

KIND = joint_file.Kind("a sweep", "efg-builder sweep ... -o FILE.db", 0x45464753, 1, SCHEMA)
"""Marked "EFGS"."""


@contextmanager
def opened(path: Path, create: bool = False) -> Iterator[sqlite3.Connection]:
    """A connection to the sweep at *path*; with *create*, a new one where there is none. Raises ``FileError``."""
    with joint_file.opened(KIND, path, create) as connection:
        yield connection


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
