"""The file of an arena, and its results: sampled and expected payoffs of each pairing, and ratings.

``jobs.store`` implements the claims and leases of blocks. Each mean over deals has a 95% confidence interval:
Student's t interval, widened to allow for rare outcomes (``estimate``).
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cached_property
from math import inf, sqrt
from pathlib import Path

from ..._later import later
from ...base.errors import FileError, ParameterError, check_kind
from ...base.rationals import Number
from ...base.strict_json import strict_json
from ..jobs import store as jobs
from ..jobs.store import RUNS, Schema, Store, writing
from .expected import Expected
from .ratings import LEVEL, LossEvent, Ratings, SkillAndLuck, added_events, fit_elo, fit_luck
from .schedule import Contestant, blocks
from .tally import Tally, added

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
    name="an arena",
    made_by="efg-builder arena ... -o FILE.db",
    application=0x45464741,
    version=1,
    tables=TABLES,
    jobs="units",
    keys=("pairing", "block"),
    order="block, pairing",
    chosen="pairing INTEGER",
)
"""The schema of an arena's file. Blocks with lower numbers are claimed first, so that the pairings advance evenly."""


@dataclass(frozen=True)
class Description:
    """The description of an arena in its file.

    ``what``: the unit of play, "rounds" or "matches". ``block``: the number of deals in a block.
    """

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
    """Join the arena at *path* to play *deals* deals of each pairing; create the file if it is missing.

    Raises ``ParameterError`` if the file is for a different game or seed, or contains a player of the same name with
    different content.
    """

    def prepare(connection: sqlite3.Connection) -> list[int]:
        found = _same(connection, path, asked)
        _know(connection, path, players)
        wanted = [_pairing(connection, slots) for slots in pairings]
        connection.executemany(  # reopen a block that needs more deals than it has
            "INSERT INTO units (pairing, block, deals) VALUES (?, ?, ?) ON CONFLICT (pairing, block) DO UPDATE SET "
            "deals = excluded.deals, status = 'open', run = NULL, tally = NULL WHERE excluded.deals > deals",
            [(pairing, *unit) for pairing in wanted for unit in blocks(deals, found.block)],
        )
        return wanted

    return jobs.joined(SCHEMA, path, prepare)


def describe(connection: sqlite3.Connection, path: Path) -> Description | None:
    """Return the description in the file; None if the file is new. Raises ``FileError`` for a damaged file."""
    row = connection.execute("SELECT what, game, settings, title, seats, seed, block FROM arena").fetchone()
    if row is None:
        return None
    try:
        found = Description(**{**row, "settings": strict_json(row["settings"])})
    except (ValueError, TypeError, RecursionError) as error:
        raise FileError(f"{path}: its settings are damaged: {error}") from None
    counted = found.seats >= 1 and found.block >= 1 and found.seed >= 0
    if not isinstance(found.settings, dict) or found.what not in ("rounds", "matches") or not counted:
        raise FileError(f"{path}: the description of the arena is damaged")
    return found


def _same(connection: sqlite3.Connection, path: Path, asked: Description) -> Description:
    found = describe(connection, path)
    if found is None:
        values = {**vars(asked), "settings": json.dumps(dict(asked.settings))}
        places = ", ".join(f":{name}" for name in values)
        connection.execute(f"INSERT INTO arena (id, {', '.join(values)}) VALUES (1, {places})", values)
        return asked
    for name, key in {"unit of play": "what", "game": "title", "settings": "settings", "seed": "seed"}.items():
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
            since = "its file has changed since" if row[0] else "the digest of its file is missing"
            why = f"{since}; give the player another name, or name another file with -o"
            raise ParameterError(f"{path} has games of the player {player.name!r}, but {why}")


def pairing_key(slots: tuple[str, ...]) -> str:
    return json.dumps(sorted(slots))


def _pairing(connection: sqlite3.Connection, slots: tuple[str, ...]) -> int:
    row = pairing_key(slots), json.dumps(slots)
    connection.execute("INSERT INTO pairings (key, slots) VALUES (?, ?) ON CONFLICT DO NOTHING", row)
    return int(connection.execute("SELECT id FROM pairings WHERE key = ?", row[:1]).fetchone()[0])


def finish(store: Store, units: Sequence[sqlite3.Row], results: Sequence[tuple[Tally, float]]) -> None:
    """Write the result and the computing time in seconds of each unit that this run still holds."""
    with writing(store.connection):
        for unit, (tally, spent) in zip(units, results, strict=True):
            store.write(unit, status="done", run=None, tally=tally.to_json(), seconds=spent)


def pairings_without_expectation(store: Store) -> list[int]:
    """Return the wanted pairings whose expected payoffs are missing or must be recomputed."""
    rows = store.connection.execute(
        "SELECT id FROM pairings JOIN wanted ON pairing = id "
        # The pattern matches only the key, because quotes inside a JSON string are escaped.
        "WHERE expected IS NULL OR expected LIKE '%\"again\": true%' ORDER BY id"
    )
    return [int(row[0]) for row in rows]


def expect(store: Store, pairing: int, expected: str) -> None:
    with writing(store.connection):
        store.connection.execute("UPDATE pairings SET expected = ? WHERE id = ?", (expected, pairing))


# --- means

SAME = 1e-12  # a variance below this fraction of the squared range is a rounding error: all deals had the same result
CLOSE = 1e-9  # differences of at most this size are treated as rounding errors
FEW = 40  # if each outcome occurs more often than this, the mean is nearly normal, and Student's interval is valid
DAMAGE = (ValueError, KeyError, TypeError, AttributeError, ArithmeticError, RecursionError)


@dataclass(frozen=True)
class Estimate:
    """A mean over deals, its standard error, and a 95% confidence interval."""

    mean: float
    error: float
    low: float
    high: float


def estimate(total: float, squares: float, deals: int, low: float, high: float) -> Estimate:
    """Estimate the mean of numbers between *low* and *high*, from their sum and sum of squares over *deals* deals.

    If every number is *low* or *high*, the interval is the Clopper-Pearson interval (Biometrika 1934). Otherwise, it is
    Student's interval, widened to the interval of the most skewed two-point distribution with this mean and variance.
    The widening decreases linearly to 0 as the number of deals with the rare value rises from ``FEW`` to twice ``FEW``.
    """
    from scipy.special import stdtrit

    mean, tail = total / deals, (1 - LEVEL) / 2
    if deals < 2 or high <= low:
        return Estimate(mean, inf if deals < 2 else 0.0, low, high)
    variance = max(0.0, (squares - total * mean) / deals)
    if variance <= SAME * (high - low) ** 2:
        variance = 0.0
    error = sqrt(variance / (deals - 1))
    if abs((low + high) * total - squares - deals * low * high) <= CLOSE * deals * (high - low) ** 2:
        ends = binomial((mean - low) / (high - low) * deals, deals, tail)
        return Estimate(mean, error, *(low + share * (high - low) for share in ends))
    half = float(stdtrit(deals - 1, 1 - tail)) * error
    least = mean - _reach(mean - low, variance, deals, tail, half)
    most = mean + _reach(high - mean, variance, deals, tail, half)
    return Estimate(mean, error, max(least, low), min(most, high))


def _reach(room: float, variance: float, deals: int, tail: float, half: float) -> float:
    """Return the distance from the sampled mean to one end of the interval.

    *room* is the distance from the mean to the rare value of a two-point distribution. If the variance is v, the common
    value is at distance v / room on the other side of the mean, and the rare value has probability v / (v + room^2).
    *half* is the half-width of Student's interval.
    """
    if room <= 0:
        return 0.0
    below = variance / room
    share = variance / (variance + room * room)
    lopsided = binomial(share * deals, deals, tail)[1] * (room + below) - below
    part = min(max(2 - share * deals / FEW, 0.0), 1.0)
    return half + part * max(lopsided - half, 0.0)


def binomial(count: float, deals: int, tail: float) -> tuple[float, float]:
    """Return the Clopper-Pearson interval for *count* successes (perhaps a fraction) in *deals* trials.

    *tail* is the probability on each side of the interval.
    """
    from scipy.special import betaincinv

    count = min(max(count, 0.0), float(deals))
    if abs(count - round(count)) <= CLOSE * deals:
        count = float(round(count))
    low = float(betaincinv(count, deals - count + 1, tail)) if count else 0.0
    high = float(betaincinv(count + 1, deals - count, 1 - tail)) if count < deals else 1.0
    return low, high


def apart(sampled: Estimate, exact: Number) -> float | None:
    """Return the sampled mean minus the exact mean, in standard errors; None if the means differ and the error is 0."""
    gap = sampled.mean - float(exact)
    if abs(gap) <= CLOSE:
        return 0.0
    return gap / sampled.error if sampled.error else None


@dataclass(frozen=True)
class Meeting:
    """The games of a pairing.

    Attributes
    ----------
    players : tuple of str
        The players' names. In the methods, *place* is an index into this tuple, and *seat* is a seat of the game.
    tally : Tally
        The sums over the games of the pairing.
    expected : Expected or None
        The expected payoffs, if they were computed.
    """

    players: tuple[str, ...]
    tally: Tally
    expected: Expected | None

    @property
    def games(self) -> int:
        """The number of games played."""
        return self.tally.games

    def paid(self, place: int) -> Estimate:
        """Return the mean payoff of the player at *place* over all seats."""
        return self._estimate("paid", place, self.tally.low, self.tally.high)

    def score(self, place: int) -> Estimate:
        """Return the mean share of opponents that the player at *place* beats; a tie counts half."""
        return self._estimate("score", place, 0.0, 1.0)

    def in_seat(self, place: int, seat: int) -> Estimate:
        """Return the mean payoff of the player at *place* in *seat*."""
        return self._estimate("seat", place * len(self.players) + seat, self.tally.low, self.tally.high)

    def _estimate(self, name: str, k: int, low: float, high: float) -> Estimate:
        return estimate(getattr(self.tally, name)[k], getattr(self.tally, f"{name}2")[k], self.tally.deals, low, high)

    def first(self, place: int) -> float:
        """Return the share of games that the player at *place* won alone."""
        alone = sum(times for order, times in self.tally.orders.items() if order.split(">")[0] == str(place))
        return alone / self.games

    def exact(self, place: int) -> Number | None:
        """Return the expected payoff of the player at *place*, accurate to ``expected.error``; None if unknown."""
        return self.expected.mean[place] if self.expected is not None and self.expected.mean else None

    def exact_in_seat(self, place: int, seat: int) -> Number | None:
        """Return the expected payoff of the player at *place* in *seat*; None if unknown."""
        if self.expected is None or not self.expected.seat:
            return None
        return self.expected.seat[place * len(self.players) + seat]

    def off(self, place: int) -> float | None:
        """Return the sampled mean minus the exact mean, in standard errors; None if this is undefined."""
        exact = self.exact(place)
        return None if exact is None else apart(self.paid(place), exact)


@dataclass(frozen=True)
class Standings:
    """The results of an arena; the text of this object is the output of ``efg-builder arena``.

    Attributes
    ----------
    about : Description
        The game, the seed and the number of seats.
    players : tuple of str
        The players' names.
    meetings : tuple of Meeting
        The pairings with games, in the order of the players.
    blocks : tuple of mappings
        The loss events of each block with their weights, from which the ratings are computed.
    open : int
        The number of requested games that have not been played yet.

    Examples
    --------
    >>> import efg_builder as eb
    >>> eb.run_arena("kuhn", ["uniform", "equilibrium"], games=100, workers=1)
    <Standings of 'Kuhn poker: 2 players, 3 cards': 2 players, 100 rounds>
    """

    about: Description
    players: tuple[str, ...]
    meetings: tuple[Meeting, ...]
    blocks: tuple[Mapping[LossEvent, float], ...]
    open: int = 0

    def __repr__(self) -> str:
        return f"<Standings of {self.about.title!r}: {len(self.players)} players, {self.games:,} {self.about.what}>"

    def __str__(self) -> str:
        return "\n".join(later("Standings.__str__")(self))

    @property
    def games(self) -> int:
        """The number of games in all pairings."""
        return sum(meeting.games for meeting in self.meetings)

    @cached_property
    def elo(self) -> Ratings:
        """The Elo ratings by maximum likelihood."""
        return fit_elo(self.blocks, len(self.players))

    @cached_property
    def luck(self) -> SkillAndLuck | None:
        """The model of skill and luck; None if no game was played."""
        return fit_luck(self.blocks, len(self.players))

    def totals(self) -> list[tuple[int, float, float]]:
        """Return each player's number of games, mean payoff and mean score.

        A game in which the player has two seats counts twice.
        """
        found = []
        for name in self.players:
            held = [(m, k) for m in self.meetings for k, other in enumerate(m.players) if other == name]
            games = sum(m.games for m, _ in held)
            share = [m.games / games for m, _ in held] if games else []
            means = [
                sum(w * figure(m, k).mean for w, (m, k) in zip(share, held, strict=True))
                for figure in (Meeting.paid, Meeting.score)
            ]
            found.append((games, means[0], means[1]))
        return found


def read_standings(path: str | os.PathLike[str], only: Collection[str] | None = None) -> Standings:
    """Read the results of an arena from its file.

    Parameters
    ----------
    path : str or path
        The file that ``run_arena(..., path=...)`` wrote.
    only : collection of str, optional
        The names of the players to include. By default, all players are included.

    Returns
    -------
    Standings
        The results of the games played so far.

    Raises
    ------
    FileError
        If the file cannot be read or is damaged.

    Examples
    --------
    >>> import efg_builder as eb
    >>> table = eb.run_arena("kuhn", ["uniform", "equilibrium"], games=100, path="arena.db", workers=1)
    >>> eb.read_standings("arena.db").games
    100
    """
    check_kind("read_standings", path, (str, os.PathLike), "the path of a file", "run_arena(..., path=) writes one")
    hint = "for example, write ['uniform', 'always-call']"
    if only is not None:
        check_kind("read_standings", only, (list, tuple, Set), "a list of names as only", hint)
    with SCHEMA.open(Path(path)) as connection:
        SCHEMA.check_types(connection, Path(path))
        about = describe(connection, Path(path))
        if about is None:
            raise FileError(f"{path}: it has no games")
        names = [str(row[0]) for row in connection.execute("SELECT name FROM players ORDER BY place")]
        players = tuple(name for name in names if only is None or name in only)
        index = {name: k for k, name in enumerate(players)}
        meetings, blocks, ahead = [], dict[int, Counter[LossEvent]](), 0
        for pairing, slots, expected in read_pairings(connection, Path(path), about.seats):
            if not set(slots) <= set(index):
                continue
            try:
                played, waiting = _units(connection, pairing, len(slots))
            except DAMAGE as error:
                raise FileError(f"{path}: pairing {pairing} is damaged: {error}") from None
            ahead += waiting * about.seats
            total = added(played.values())
            if total is None:
                continue
            meetings.append(Meeting(slots, total, expected))
            numbers = [index[name] for name in slots]
            for block, tally in played.items():
                blocks.setdefault(block, Counter()).update(added_events(tally.orders, numbers))
    meetings.sort(key=lambda meeting: [index[name] for name in meeting.players])
    return Standings(about, players, tuple(meetings), tuple(dict(blocks[k]) for k in sorted(blocks)), ahead)


def read_pairings(
    connection: sqlite3.Connection, path: Path, seats: int
) -> Iterator[tuple[int, tuple[str, ...], Expected | None]]:
    """Yield each pairing's id, players and expected payoffs. Raises ``FileError`` for damaged rows."""
    for row in connection.execute("SELECT id, key, slots, expected FROM pairings ORDER BY id").fetchall():
        try:
            slots = tuple(map(str, strict_json(row["slots"])))
            expected = None if row["expected"] is None else Expected.from_json(row["expected"], seats)
            if len(slots) != seats:
                raise ValueError("the number of players is wrong")
            if row["key"] != pairing_key(slots):
                raise ValueError(f"the key {row['key']!r:.100} does not fit the seats {row['slots']!r:.100}")
        except DAMAGE as error:
            raise FileError(f"{path}: pairing {row['id']} is damaged: {error}") from None
        yield int(row["id"]), slots, expected


def _units(connection: sqlite3.Connection, pairing: int, players: int) -> tuple[dict[int, Tally], int]:
    rows = connection.execute("SELECT block, deals, tally FROM units WHERE pairing = ? ORDER BY block", (pairing,))
    played, waiting = dict[int, Tally](), 0
    for block, deals, tally in rows:
        if tally is None:
            if deals < 0:
                raise ValueError(f"block {block} has {deals!r} deals")
            waiting += deals
        else:
            found = Tally.from_json(tally, players)
            if found.deals != deals:
                raise ValueError(f"block {block} has {deals!r} deals, but its sums are over {found.deals} deals")
            played[int(block)] = found
    return played, waiting
