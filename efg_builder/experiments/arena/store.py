"""The units of an arena as a run sees them: claimed, finished, given back, taken over from the dead.

How runs hold units, and what becomes of those of dead ones, is in ``jobs.runs``.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ...base.errors import FileError, ParameterError
from ..jobs import Presence, leave, present, this_run, writing
from .contestants import Contestant
from .database import opened
from .schedule import blocks
from .tally import Tally

TABLE = "units"


@dataclass(frozen=True)
class Description:
    """What a file is of: ``what`` ("rounds" or "matches"), the game's name and settings, its title and seats."""

    what: str
    game: str
    settings: Mapping[str, str]
    title: str
    seats: int
    seed: int
    block: int


@dataclass(frozen=True)
class Claim:
    """A unit that this run works on: the ``tries``-th time that somebody does. ``slots`` are the players' names."""

    pairing: int
    slots: tuple[str, ...]
    block: int
    deals: int
    tries: int


@dataclass
class Store(Presence):
    """A run's connection to the file, limited to the pairings that the run is for."""

    description: Description


@contextmanager
def joined(
    path: Path,
    asked: Description,
    players: Sequence[Contestant],
    pairings: Sequence[tuple[str, ...]],
    deals: int,
) -> Iterator[Store]:
    """Join the arena at *path*, made where there is none, to play *deals* deals of each of *pairings*.

    Units still held at the end are given back. Raises ``FileError``, and ``ParameterError`` where the file is of
    another game or seed, or knows a player of that name with another content.
    """
    with opened(path, create=True) as connection:
        with writing(connection):
            found = _same(connection, path, asked)
            _know(connection, path, players)
            wanted = [_pairing(connection, slots) for slots in pairings]
            for pairing in wanted:
                _units(connection, pairing, blocks(deals, found.block))
            store = Store(path, connection, this_run(), TABLE, found)
            present(store)
        connection.execute("CREATE TEMP TABLE wanted (pairing INTEGER PRIMARY KEY)")
        connection.executemany("INSERT INTO wanted VALUES (?)", [(pairing,) for pairing in wanted])
        try:
            yield store
        finally:
            leave(store)


def describe(connection: sqlite3.Connection, path: Path) -> Description | None:
    """What the file at *path* is of; None while nobody has said so. Raises ``FileError`` where that is damaged."""
    row = connection.execute("SELECT what, game, settings, title, seats, seed, block FROM arena").fetchone()
    if row is None:
        return None
    try:
        found = Description(row[0], row[1], json.loads(row[2]), row[3], row[4], row[5], row[6])
    except (ValueError, TypeError, RecursionError) as error:
        raise FileError(f"{path}: its settings are damaged: {error}") from None
    if not isinstance(found.settings, dict) or found.what not in ("rounds", "matches") or not _counted(found):
        raise FileError(f"{path}: what it is an arena of is damaged")
    return found


def _counted(found: Description) -> bool:
    numbers = (found.seats, found.block, found.seed + 1) if type(found.seed) is int else (0,)
    return all(type(number) is int and number >= 1 for number in numbers)


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


def _pairing(connection: sqlite3.Connection, slots: tuple[str, ...]) -> int:
    key = json.dumps(sorted(slots))
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


def claim(store: Store, most: int) -> list[Claim]:
    """Take up to *most* open units, those of the first blocks first, so that all pairings grow alike."""
    with writing(store.connection):
        rows = store.connection.execute(
            "UPDATE units SET status = 'running', run = ?, tries = tries + 1 WHERE (pairing, block) IN "
            "(SELECT pairing, block FROM units JOIN wanted USING (pairing) WHERE status = 'open' "
            "ORDER BY block, pairing LIMIT ?) RETURNING pairing, block, deals, tries",
            (store.me.id, most),
        ).fetchall()
        names = dict(store.connection.execute("SELECT id, slots FROM pairings JOIN wanted ON pairing = id").fetchall())
    found = [Claim(row[0], _slots(store.path, names[row[0]]), row[1], row[2], row[3]) for row in rows]
    for one in found:
        if not all(type(number) is int and number >= 0 for number in (one.block, one.deals)):
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


def finish(store: Store, held: Sequence[Claim], tallies: Sequence[Tally], seconds: Sequence[float]) -> None:
    """Write what came of *held*, each where it is still ours."""
    rows = [
        (tally.to_json(), spent, one.pairing, one.block, store.me.id, one.tries, one.deals)
        for one, tally, spent in zip(held, tallies, seconds, strict=True)
    ]
    with writing(store.connection):
        store.connection.executemany(
            "UPDATE units SET status = 'done', run = NULL, tally = ?, seconds = ? "
            "WHERE pairing = ? AND block = ? AND status = 'running' AND run = ? AND tries = ? AND deals = ?",
            rows,
        )


def give_back(store: Store, held: Sequence[Claim]) -> None:
    """Make *held* open again, for anyone to claim."""
    rows = [(one.pairing, one.block, store.me.id, one.tries) for one in held]
    with writing(store.connection):
        store.connection.executemany(
            "UPDATE units SET status = 'open', run = NULL "
            "WHERE pairing = ? AND block = ? AND status = 'running' AND run = ? AND tries = ?",
            rows,
        )


def counts(store: Store) -> dict[str, int]:
    """How many games of the wanted pairings have each status."""
    found = store.connection.execute("SELECT status, sum(deals) FROM units JOIN wanted USING (pairing) GROUP BY status")
    return {str(status): int(deals) * store.description.seats for status, deals in found}


def unexpected(store: Store) -> list[tuple[int, tuple[str, ...]]]:
    """The wanted pairings of which nobody has worked out what is to be expected, or only that to try again."""
    rows = store.connection.execute(
        "SELECT id, slots FROM pairings JOIN wanted ON pairing = id "
        # Within a text of JSON its quotes are escaped: only the key itself reads so.
        "WHERE expected IS NULL OR expected LIKE '%\"again\": true%' ORDER BY id"
    )
    return [(int(row[0]), _slots(store.path, row[1])) for row in rows]


def expect(store: Store, pairing: int, expected: str) -> None:
    """Write what is to be expected of *pairing*."""
    with writing(store.connection):
        store.connection.execute("UPDATE pairings SET expected = ? WHERE id = ?", (expected, pairing))
