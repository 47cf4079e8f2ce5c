"""The table of an arena: each meeting's sampled and exact payoffs, read back from its file, and the ratings.

A mean over deals has a 95 % interval: Student's, and never narrower than rare outcomes require (``estimate``).
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import inf, sqrt
from pathlib import Path

from ...base.errors import FileError
from ...base.files import check_path
from ...base.rationals import Number
from ...base.surface import later
from .expected import Expected
from .ratings import LEVEL, LossEvent, Ratings, SkillAndLuck, added_events, fit_elo, fit_luck
from .store import SCHEMA, Description, describe, pairing_key
from .tally import Tally, added

SAME = 1e-12
"""A variance below this part of the squared range is rounding: all deals came out alike."""

CLOSE = 1e-9
"""A mean this close to the exact one is the exact one, but for rounding."""

FEW = 40
"""From this count on, the count of an outcome is nearly normal, and Student's interval begins to be right."""

DAMAGE = (ValueError, KeyError, TypeError, AttributeError, ArithmeticError, RecursionError)
"""Errors raised by damaged rows."""


@dataclass(frozen=True)
class Estimate:
    """A mean over deals, its standard error, and a 95 % interval."""

    mean: float
    error: float
    low: float
    high: float


def estimate(total: float, squares: float, deals: int, low: float, high: float) -> Estimate:
    """Estimate the mean of figures between *low* and *high*, from their sum and sum of squares over *deals* deals.

    If deals came out as *low* or *high* and nothing between, the interval is Clopper's and Pearson's (*The use of
    confidence or fiducial limits illustrated in the case of the binomial*, Biometrika 1934). Otherwise it is Student's,
    which is too short for rare outcomes; so each side goes as far as the interval for the most lopsided outcomes with
    this mean and spread, unless these came ``FEW`` times, and in part up to twice that.
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
    """How far above the sampled mean the true one can be, if deals are a value and rarely *room* above that mean.

    Of two values, one of them *room* above the mean, the mean and the variance tell the other, v / room below the
    mean, and how often the upper one came: v / (v + room^2). From ``FEW`` such deals to twice that it goes over to
    *half*, so that more of them never make it jump.
    """
    if room <= 0:
        return 0.0
    below = variance / room
    share = variance / (variance + room * room)
    lopsided = binomial(share * deals, deals, tail)[1] * (room + below) - below
    part = min(max(2 - share * deals / FEW, 0.0), 1.0)
    return half + part * max(lopsided - half, 0.0)


def binomial(count: float, deals: int, tail: float) -> tuple[float, float]:
    """Clopper's and Pearson's interval of a chance from *count* (whole or not) of *deals*, with *tail* on each side."""
    from scipy.special import betaincinv

    count = min(max(count, 0.0), float(deals))
    if abs(count - round(count)) <= CLOSE * deals:
        count = float(round(count))
    low = float(betaincinv(count, deals - count + 1, tail)) if count else 0.0
    high = float(betaincinv(count + 1, deals - count, 1 - tail)) if count < deals else 1.0
    return low, high


def apart(sampled: Estimate, exact: Number) -> float | None:
    """How many standard errors a sampled mean is above the exact one; None where all deals came out alike.

    Those have no standard error, and are 0 above where they came out as the exact mean.
    """
    gap = sampled.mean - float(exact)
    if abs(gap) <= CLOSE:
        return 0.0
    return gap / sampled.error if sampled.error else None


@dataclass(frozen=True)
class Meeting:
    """A pairing: the players by place, the sums of their games, and their expected payoffs."""

    players: tuple[str, ...]
    tally: Tally
    expected: Expected | None

    @property
    def games(self) -> int:
        """How many were played."""
        return self.tally.games

    def paid(self, place: int) -> Estimate:
        """The mean payoff of the player at *place*, over all seats."""
        return self._estimate("paid", place, self.tally.low, self.tally.high)

    def score(self, place: int) -> Estimate:
        """The mean part of the others that the player beats, a tie being half: of two players, how often it wins."""
        return self._estimate("score", place, 0.0, 1.0)

    def in_seat(self, place: int, seat: int) -> Estimate:
        """The mean payoff of the player at *place* in that seat."""
        return self._estimate("seat", place * len(self.players) + seat, self.tally.low, self.tally.high)

    def _estimate(self, name: str, k: int, low: float, high: float) -> Estimate:
        return estimate(getattr(self.tally, name)[k], getattr(self.tally, f"{name}2")[k], self.tally.deals, low, high)

    def first(self, place: int) -> float:
        """How often the player at *place* came first alone: of matches, how often it won."""
        alone = sum(times for order, times in self.tally.orders.items() if order.split(">")[0] == str(place))
        return alone / self.games

    def exact(self, place: int) -> Number | None:
        """What the player at *place* gets on average, exactly or to ``expected.error``; None where that is unknown."""
        return self.expected.mean[place] if self.expected is not None and self.expected.mean else None

    def exact_in_seat(self, place: int, seat: int) -> Number | None:
        """The same in that seat."""
        if self.expected is None or not self.expected.seat:
            return None
        return self.expected.seat[place * len(self.players) + seat]

    def off(self, place: int) -> float | None:
        """The sampled mean less the exact one, in standard errors; None where one of them is missing.

        None too where all deals came out alike, but not as the exact mean: there are no standard errors then.
        """
        exact = self.exact(place)
        return None if exact is None else apart(self.paid(place), exact)


@dataclass(frozen=True)
class Standings:
    """The table of an arena: ``meetings`` in the order of the players, and what each block of games says.

    ``open``: games that were asked for and are not played. As text it is what ``efg-builder arena`` prints.
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
        """All games played."""
        return sum(meeting.games for meeting in self.meetings)

    @cached_property
    def elo(self) -> Ratings:
        """Elo ratings by maximum likelihood."""
        return fit_elo(self.blocks, len(self.players))

    @cached_property
    def luck(self) -> SkillAndLuck | None:
        """The model of skill and luck; None where nothing was played."""
        return fit_luck(self.blocks, len(self.players))

    def totals(self) -> list[tuple[int, float, float]]:
        """For each player: games (counted once for each of its seats), mean payoff and mean score."""
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
    """The table of the arena at *path*, of the players *only* (None: of all). Raises ``FileError``."""
    check_path(path)
    with SCHEMA.open(Path(path)) as connection:
        SCHEMA.check_types(connection, Path(path))
        about = describe(connection, Path(path))
        if about is None:
            raise FileError(f"{path}: nothing was ever played in it")
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
    """The number, the players and the expected payoffs of each pairing.

    Raises ``FileError`` where they are damaged, the key is of other players, or a mean is not that of its seats.
    """
    for row in connection.execute("SELECT id, key, slots, expected FROM pairings ORDER BY id").fetchall():
        try:
            slots = tuple(map(str, json.loads(row["slots"])))
            expected = None if row["expected"] is None else Expected.from_json(row["expected"], seats)
            if len(slots) != seats:
                raise ValueError("it is of another number of players")
            if row["key"] != pairing_key(slots):
                raise ValueError(f"its key {row['key']!r:.100} is not that of its seats {row['slots']!r:.100}")
        except DAMAGE as error:
            raise FileError(f"{path}: pairing {row['id']} is damaged: {error}") from None
        yield int(row["id"]), slots, expected


def _units(connection: sqlite3.Connection, pairing: int, players: int) -> tuple[dict[int, Tally], int]:
    """What was played, by block, and how many deals are not."""
    rows = connection.execute("SELECT block, deals, tally FROM units WHERE pairing = ? ORDER BY block", (pairing,))
    played, waiting = dict[int, Tally](), 0
    for block, deals, tally in rows:
        if tally is None:
            if deals < 0:
                raise ValueError(f"block {block} is of {deals!r} deals")
            waiting += deals
        else:
            found = Tally.from_json(tally, players)
            if found.deals != deals:
                raise ValueError(f"block {block} is of {deals!r} deals, and its sums are of {found.deals}")
            played[int(block)] = found
    return played, waiting
