"""Counts and sums over a block of games of one pairing.

A deal is played in all its seatings. The mean over the seatings is one observation: deals are independent, but the
games of a deal are not. So sums of squares are over deals, and means divide by the number of deals.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache, reduce
from math import isfinite

from ...base.strict_json import strict_json
from .play import Contest, Draws
from .schedule import seatings

Vector = tuple[float, ...]

MOST_DEALS = 10**9  # the maximum number of deals in a block
ROUNDING = 1e-9  # the maximum rounding error of a sum of floats, as a fraction of the sum's maximum


@dataclass(frozen=True)
class Tally:
    """The sums over the games of a pairing.

    ``paid``, ``paid2``: the sum and the sum of squares of each player's payoffs over all deals. ``score``, ``score2``:
    the same sums of the scores. Each deal contributes its mean over the seatings. A player's score is the share of
    opponents that the player beats; a tie counts half. ``seat``, ``seat2``: the same sums of the payoff of player p in
    seat s, at index ``p * seats + s``. ``orders``: the number of games by final order, such as ``"0>1"`` or
    ``"0=2>1"``, best player first. ``low``, ``high``: the lowest and the highest payoff of a game.
    """

    deals: int
    games: int
    paid: Vector
    paid2: Vector
    score: Vector
    score2: Vector
    seat: Vector
    seat2: Vector
    orders: Mapping[str, int]
    low: float
    high: float

    def to_json(self) -> str:
        return json.dumps({field.name: getattr(self, field.name) for field in fields(self)})

    @classmethod
    def from_json(cls, text: str, players: int) -> Tally:
        """Read the text of ``to_json``. Raises ``ValueError`` or ``TypeError``."""
        data = strict_json(text)
        if not isinstance(data, dict) or set(data) != {field.name for field in fields(cls)}:
            raise ValueError("the data are not the sums of a block")
        values = data | {name: tuple(map(number, data[name])) for name in _lengths(players)}
        if any(len(values[name]) != length for name, length in _lengths(players).items()):
            raise ValueError(f"the sums are not for {players} players")
        deals, orders = data["deals"], data["orders"]
        if type(deals) is not int or not 1 <= deals <= MOST_DEALS or data["games"] != deals * players:
            raise ValueError(f"deals must be from 1 to {MOST_DEALS:,}, and games must be {players} times deals")
        for order, times in orders.items():
            if sorted(k for group in order_groups(order) for k in group) != list(range(players)):
                raise ValueError(f"orders: {order!r} is not an order of {players} players")
            if type(times) is not int or times < 1:
                raise ValueError(f"orders: {order!r} cannot occur {times!r} times")
        if sum(orders.values()) != deals * players:
            raise ValueError(f"orders: there are {sum(orders.values())} games instead of {deals * players}")
        found = cls(**values | {name: number(data[name]) for name in ("low", "high")})
        found._check_sums()
        return found

    def _check_sums(self) -> None:
        """Raise ``ValueError`` if the sums are impossible for scores, or for payoffs from ``low`` to ``high``."""
        n = len(self.paid)
        for name, low, high in (("paid", self.low, self.high), ("score", 0.0, 1.0), ("seat", self.low, self.high)):
            for total, squares in zip(getattr(self, name), getattr(self, f"{name}2"), strict=True):
                scale = ROUNDING * self.deals * max(1.0, abs(low), abs(high)) ** 2
                within = low * self.deals - scale <= total <= high * self.deals + scale
                if not within or not total / self.deals * total - scale <= squares <= scale / ROUNDING + scale:
                    raise ValueError(
                        f"{name}: the sums {total!r} and {squares!r} (squares) are impossible for {self.deals} deals"
                    )
        for slot in range(n):
            if abs(sum(self.seat[slot * n : slot * n + n]) - n * self.paid[slot]) > n * scale:
                raise ValueError(f"seat: the sums by seat of player {slot} contradict the sum of all payoffs")


def _lengths(players: int) -> dict[str, int]:
    return dict.fromkeys(("paid", "paid2", "score", "score2"), players) | dict.fromkeys(("seat", "seat2"), players**2)


def number(given: object) -> float:
    """Return *given* as a float. Raises ``ValueError`` unless it is a finite number."""
    if isinstance(given, bool) or not isinstance(given, int | float) or not isfinite(given):
        raise ValueError(f"{given!r} is not a finite number")
    return float(given)


def count(contest: Contest, pairing: Sequence[int], seed: int, block: int, deals: int) -> Tally:
    """Play the first *deals* deals of *block* in all seatings; *pairing* has the indices of the players."""
    n = len(pairing)
    draws = Draws(seed, block, deals, n)
    orders = draws.orders() if n > 2 else [list(range(n))] * deals
    sums = {name: [0.0] * length for name, length in _lengths(n).items()}
    arrivals: Counter[tuple[int, ...]] = Counter()
    low, high = float("inf"), float("-inf")
    for game in range(deals):
        paid, score = [0.0] * n, [0.0] * n
        for slots in seatings(orders[game]):
            outcome = contest.play([pairing[slot] for slot in slots], draws, game)
            got, points = outcome.paid, scores(outcome.ranks)
            arrived = [0] * n
            for place, slot in enumerate(slots):
                paid[slot] += got[place]
                score[slot] += points[place]
                sums["seat"][slot * n + place] += got[place]
                sums["seat2"][slot * n + place] += got[place] * got[place]
                arrived[slot] = outcome.ranks[place]
            arrivals[tuple(arrived)] += 1
            low, high = min(low, *got), max(high, *got)
        for slot in range(n):
            x, y = paid[slot] / n, score[slot] / n
            for name, term in (("paid", x), ("paid2", x * x), ("score", y), ("score2", y * y)):
                sums[name][slot] += term
    named = {order_text(each): times for each, times in sorted(arrivals.items())}
    vectors = {name: tuple(total) for name, total in sums.items()}
    return Tally(deals=deals, games=deals * n, orders=named, low=low, high=high, **vectors)


@cache
def scores(ranks: tuple[int, ...]) -> tuple[float, ...]:
    """Return the share of other seats that each seat beats; a tie counts half."""
    others = len(ranks) - 1
    return tuple((sum(r > mine for r in ranks) + (sum(r == mine for r in ranks) - 1) / 2) / others for mine in ranks)


def order_text(ranks: Sequence[int]) -> str:
    """Return ranks as text, best player first: ``(0, 2, 0)`` is ``"0=2>1"``."""
    levels = sorted(set(ranks))
    return ">".join("=".join(str(k) for k, rank in enumerate(ranks) if rank == level) for level in levels)


def order_groups(text: str) -> list[list[int]]:
    """Return the groups of players in *text*: ``"0=2>1"`` is ``[[0, 2], [1]]``."""
    return [[int(k) for k in group.split("=")] for group in text.split(">")]


def added(tallies: Iterable[Tally]) -> Tally | None:
    """Return the sum of *tallies*, added in order (float addition is not associative); None if there are none."""
    given = list(tallies)
    return reduce(_two, given) if given else None


def _two(one: Tally, two: Tally) -> Tally:
    vectors = {
        name: tuple(a + b for a, b in zip(getattr(one, name), getattr(two, name), strict=True))
        for name in _lengths(len(one.paid))
    }
    orders, ends = Counter(one.orders) + Counter(two.orders), (min(one.low, two.low), max(one.high, two.high))
    deals, games = one.deals + two.deals, one.games + two.games
    return Tally(deals=deals, games=games, orders=dict(sorted(orders.items())), low=ends[0], high=ends[1], **vectors)
