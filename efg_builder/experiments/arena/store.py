"""The SQLite file of an arena: players, pairings, and units of games to be played with their results.

A run joins the file, claims units and finishes them; ``jobs.claims`` says how runs hold units, and what becomes of
those of dead ones.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from ...base.errors import FileError, ParameterError
from ..jobs.claims import RUNS, JobKind, Store, at_work, check_types, enter, open_file, writing
from .contestants import Contestant
from .schedule import blocks
from .tally import Tally

SCHEMA = f"""
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

KIND = JobKind("an arena", "efg-builder arena ... -o FILE.db", 0x45464741, 1, SCHEMA)
"""Marked "EFGA"."""

opened = partial(open_file, KIND)
"""A connection to the arena at a path; with ``create=True``, a new one where there is none. Raises ``FileError``."""


@dataclass(frozen=True)
class Description:
    """What a file has the results of: ``what`` ("rounds" or "matches"), and the game's name, settings, title, seats."""

    what: str
    game: str
    settings: Mapping[str, str]
    title: str
    seats: int
    seed: int
    block: int


@dataclass(frozen=True)
class ClaimedUnit:
    """A unit that this run holds, claimed for the time ``tries``. ``slots`` are the players' names."""

    pairing: int
    slots: tuple[str, ...]
    block: int
    deals: int
    tries: int


@dataclass
class ArenaStore(Store):
    """A run's connection to the file of the arena that ``description`` describes."""

    description: Description = field(kw_only=True)


@contextmanager
def joined(
    path: Path,
    asked: Description,
    players: Sequence[Contestant],
    pairings: Sequence[tuple[str, ...]],
    deals: int,
) -> Iterator[ArenaStore]:
    """Join the arena at *path*, made where there is none, to play *deals* deals of each of *pairings*.

    Units still held at the end are given back. Raises ``FileError``, and ``ParameterError`` where the file is of
    another game or seed, or knows a player of that name with another content.
    """
    with opened(path, create=True) as connection:
        check_types(connection, KIND, path)
        with writing(connection):
            found = _same(connection, path, asked)
            _know(connection, path, players)
            wanted = [_pairing(connection, slots) for slots in pairings]
            for pairing in wanted:
                _units(connection, pairing, blocks(deals, found.block))
            store = ArenaStore(path, connection, "units", ("pairing", "block"), description=found)
            enter(store)
        with at_work(store, "pairing INTEGER", wanted):
            yield store


def describe(connection: sqlite3.Connection, path: Path) -> Description | None:
    """The description in the file at *path*; None while there is none. Raises ``FileError`` where it is damaged."""
    row = connection.execute("SELECT what, game, settings, title, seats, seed, block FROM arena").fetchone()
    if row is None:
        return None
    try:
        found = Description(row[0], row[1], json.loads(row[2]), row[3], row[4], row[5], row[6])
    except (ValueError, TypeError, RecursionError) as error:
        raise FileError(f"{path}: its settings are damaged: {error}") from None
    counted = found.seats >= 1 and found.block >= 1 and found.seed >= 0
    if not isinstance(found.settings, dict) or found.what not in ("rounds", "matches") or not counted:
        raise FileError(f"{path}: what it is an arena of is damaged")
    return found


def _same(connection: sqlite3.Connection, path: Path, asked: Description) -> Description:
    found = describe(connection, path)
    if found is None:
        values = (asked.what, asked.game, json.dumps(dict(asked.settings)), asked.title, asked.seats)
        connection.execute("INSERT INTO arena VALUES (1, ?, ?, ?, ?, ?, ?, ?)", (*values, asked.seed, asked.block))
        return asked
    for name, was, now in (
        ("play", found.what, asked.what),
        ("game", found.title, asked.title),
        ("settings", dict(found.settings), dict(asked.settings)),
        ("seed", found.seed, asked.seed),
    ):
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
    """The key of a pairing: its players, whatever their order."""
    return json.dumps(sorted(slots))


def _pairing(connection: sqlite3.Connection, slots: tuple[str, ...]) -> int:
    key = pairing_key(slots)
    connection.execute(
        "INSERT INTO pairings (key, slots) VALUES (?, ?) ON CONFLICT DO NOTHING", (key, json.dumps(slots))
    )
    return int(connection.execute("SELECT id FROM pairings WHERE key = ?", (key,)).fetchone()[0])


def _units(connection: sqlite3.Connection, pairing: int, wanted: Sequence[tuple[int, int]]) -> None:
    """Make what is missing; a block of which more is wanted now than was played is open again."""
    connection.executemany(
        "INSERT INTO units (pairing, block, deals) VALUES (?, ?, ?) ON CONFLICT (pairing, block) DO UPDATE SET "
        "deals = excluded.deals, status = 'open', run = NULL, tally = NULL WHERE excluded.deals > deals",
        [(pairing, block, deals) for block, deals in wanted],
    )


def claim(store: ArenaStore, most: int) -> list[ClaimedUnit]:
    """Take up to *most* open units, those of the first blocks first, so that all pairings grow alike."""
    with writing(store.connection):
        rows = store.connection.execute(
            "UPDATE units SET status = 'running', run = ?, tries = tries + 1 WHERE (pairing, block) IN "
            "(SELECT pairing, block FROM units JOIN wanted USING (pairing) WHERE status = 'open' "
            "ORDER BY block, pairing LIMIT ?) RETURNING pairing, block, deals, tries",
            (store.me.id, most),
        ).fetchall()
        names = dict(store.connection.execute("SELECT id, slots FROM pairings JOIN wanted ON pairing = id").fetchall())
    found = [ClaimedUnit(row[0], _slots(store.path, names[row[0]]), row[1], row[2], row[3]) for row in rows]
    for one in found:
        if not all(number >= 0 for number in (one.block, one.deals)):
            raise FileError(f"{store.path}: block {one.block!r} of pairing {one.pairing} is damaged")
    return sorted(found, key=lambda one: (one.block, one.pairing))


def _slots(path: Path, given: str) -> tuple[str, ...]:
    """The players' names of a pairing. Raises ``FileError``."""
    try:
        found = json.loads(given)
    except (ValueError, TypeError, RecursionError):
        found = None
    if not isinstance(found, list) or not all(isinstance(name, str) for name in found):
        raise FileError(f"{path}: a pairing is damaged: {given!r:.100} is no list of players")
    return tuple(found)


def finish(store: ArenaStore, held: Sequence[ClaimedUnit], results: Sequence[tuple[Tally, float]]) -> None:
    """Write the results of *held*, each with its seconds, where this run still holds it."""
    with writing(store.connection):
        store.connection.executemany(
            f"UPDATE units SET status = 'done', run = NULL, tally = ?, seconds = ? WHERE {store.mine} AND deals = ?",
            [
                (tally.to_json(), spent, *store.held((one.pairing, one.block), one.tries), one.deals)
                for one, (tally, spent) in zip(held, results, strict=True)
            ],
        )


def counts(store: ArenaStore) -> dict[str, int]:
    """How many games of the wanted pairings have each status."""
    found = store.connection.execute("SELECT status, sum(deals) FROM units JOIN wanted USING (pairing) GROUP BY status")
    return {str(status): int(deals) * store.description.seats for status, deals in found}


def pairings_without_expectation(store: ArenaStore) -> list[tuple[int, tuple[str, ...]]]:
    """The wanted pairings whose expected payoffs nobody has computed, or whose computation is to be tried again."""
    rows = store.connection.execute(
        "SELECT id, slots FROM pairings JOIN wanted ON pairing = id "
        # Within a text of JSON its quotes are escaped: only the key itself reads so.
        "WHERE expected IS NULL OR expected LIKE '%\"again\": true%' ORDER BY id"
    )
    return [(int(row[0]), _slots(store.path, row[1])) for row in rows]


def expect(store: ArenaStore, pairing: int, expected: str) -> None:
    """Write the expected payoffs of *pairing*."""
    with writing(store.connection):
        store.connection.execute("UPDATE pairings SET expected = ? WHERE id = ?", (expected, pairing))
