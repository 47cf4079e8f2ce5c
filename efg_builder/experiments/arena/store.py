"""The SQLite file of an arena: players, pairings, and units of games to be played with their results.

A run joins the file, claims units and finishes them; ``jobs.store`` has claims and leases.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from ...base.errors import FileError, ParameterError
from ..jobs import store as jobs
from ..jobs.store import RUNS, Schema, Store, writing
from .schedule import Contestant, blocks
from .tally import Tally

TABLES = f"""
CREATE TABLE arena (
    id INTEGER PRIMARY KEY CHECK (id = 1), what TEXT NOT NULL, game TEXT NOT NULL, settings TEXT NOT NULL,
    title TEXT NOT NULL, seats INTEGER NOT NULL, seed INTEGER NOT NULL, block INTEGER NOT NULL
);
{RUNS}
CREATE TABLE players (place INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, digest TEXT NOT NULL);
CREATE TABLE pairings (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, slots TEXT NOT NULL, expected TEXT);
CREATE TABLE units (
    pairing INTEGER NOT NULL REFERENCES pairings (id), block INTEGER NOT NULL, deals INTEGER NOT NULL,
    status TEXT NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'running', 'done')),
    run TEXT, tries INTEGER NOT NULL DEFAULT 0, tally TEXT, seconds REAL,
    PRIMARY KEY (pairing, block)
);
"""

SCHEMA = Schema(
    *("an arena", "efg-builder arena ... -o FILE.db", 0x45464741, 1, TABLES, "units", ("pairing", "block")),
    order="block, pairing",
    chosen="pairing INTEGER",
)
"""Marked "EFGA"; the first blocks are claimed first, so that all pairings grow alike."""


@dataclass(frozen=True)
class Description:
    """The contents of a file: ``what`` ("rounds" or "matches"), and the game's name, settings, title and seats."""

    what: str
    game: str
    settings: Mapping[str, str]
    title: str
    seats: int
    seed: int
    block: int


def joined(
    path: Path, asked: Description, players: Sequence[Contestant], pairings: Sequence[tuple[str, ...]], deals: int
) -> AbstractContextManager[Store]:
    """Join the arena at *path*, made if there is none, to play *deals* deals of each of *pairings*.

    Raises ``FileError``, and ``ParameterError`` if the file is of another game or seed, or knows a player of that name
    with another content.
    """

    def prepare(connection: sqlite3.Connection) -> list[int]:
        found = _same(connection, path, asked)
        _know(connection, path, players)
        wanted = [_pairing(connection, slots) for slots in pairings]
        connection.executemany(  # a block of which more is wanted now than was played is open again
            "INSERT INTO units (pairing, block, deals) VALUES (?, ?, ?) ON CONFLICT (pairing, block) DO UPDATE SET "
            "deals = excluded.deals, status = 'open', run = NULL, tally = NULL WHERE excluded.deals > deals",
            [(pairing, *unit) for pairing in wanted for unit in blocks(deals, found.block)],
        )
        return wanted

    return jobs.joined(SCHEMA, path, prepare)


def describe(connection: sqlite3.Connection, path: Path) -> Description | None:
    """Return the description in the file at *path*; None while there is none. Raises ``FileError`` if it is damaged."""
    row = connection.execute("SELECT what, game, settings, title, seats, seed, block FROM arena").fetchone()
    if row is None:
        return None
    try:
        found = Description(**{**row, "settings": json.loads(row["settings"])})
    except (ValueError, TypeError, RecursionError) as error:
        raise FileError(f"{path}: its settings are damaged: {error}") from None
    counted = found.seats >= 1 and found.block >= 1 and found.seed >= 0
    if not isinstance(found.settings, dict) or found.what not in ("rounds", "matches") or not counted:
        raise FileError(f"{path}: what it is an arena of is damaged")
    return found


def _same(connection: sqlite3.Connection, path: Path, asked: Description) -> Description:
    found = describe(connection, path)
    if found is None:
        values = {**vars(asked), "settings": json.dumps(dict(asked.settings))}
        places = ", ".join(f":{name}" for name in values)
        connection.execute(f"INSERT INTO arena (id, {', '.join(values)}) VALUES (1, {places})", values)
        return asked
    for name, key in {"play": "what", "game": "title", "settings": "settings", "seed": "seed"}.items():
        was, now = getattr(found, key), getattr(asked, key)
        if was != now:
            raise ParameterError(f"{path} was begun with the {name} {was!r}, not {now!r}; name another file with -o")
    return found


def _know(connection: sqlite3.Connection, path: Path, players: Sequence[Contestant]) -> None:
    for player in players:
        row = connection.execute("SELECT digest FROM players WHERE name = ?", (player.name,)).fetchone()
        if row is None:
            connection.execute("INSERT INTO players (name, digest) VALUES (?, ?)", (player.name, player.digest))
        elif row[0] != player.digest:
            since = "its file has changed since" if row[0] else "it does not say with which file"
            why = f"{since}; give it another name, or name another file with -o"
            raise ParameterError(f"{path} has games of the player {player.name!r}, but {why}")


def pairing_key(slots: tuple[str, ...]) -> str:
    """Return the key of a pairing: its players, whatever their order."""
    return json.dumps(sorted(slots))


def _pairing(connection: sqlite3.Connection, slots: tuple[str, ...]) -> int:
    row = pairing_key(slots), json.dumps(slots)
    connection.execute("INSERT INTO pairings (key, slots) VALUES (?, ?) ON CONFLICT DO NOTHING", row)
    return int(connection.execute("SELECT id FROM pairings WHERE key = ?", row[:1]).fetchone()[0])


def finish(store: Store, units: Sequence[sqlite3.Row], results: Sequence[tuple[Tally, float]]) -> None:
    """Write the results of *units*, each with its seconds, if this run still holds them."""
    with writing(store.connection):
        for unit, (tally, spent) in zip(units, results, strict=True):
            store.write(unit, status="done", run=None, tally=tally.to_json(), seconds=spent)


def pairings_without_expectation(store: Store) -> list[int]:
    """List the wanted pairings whose expected payoffs are to be computed, or tried again."""
    rows = store.connection.execute(
        "SELECT id FROM pairings JOIN wanted ON pairing = id "
        # Within a text of JSON its quotes are escaped: only the key itself reads so.
        "WHERE expected IS NULL OR expected LIKE '%\"again\": true%' ORDER BY id"
    )
    return [int(row[0]) for row in rows]


def expect(store: Store, pairing: int, expected: str) -> None:
    """Write the expected payoffs of *pairing*."""
    with writing(store.connection):
        store.connection.execute("UPDATE pairings SET expected = ? WHERE id = ?", (expected, pairing))
