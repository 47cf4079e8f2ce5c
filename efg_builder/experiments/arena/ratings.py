"""Elo ratings by maximum likelihood, for games of two and of more.

**Model.** A game is read from its bottom: of those who are still in it one player loses, then one of the rest, and
so on as far as its order tells. With ratings e on the scale of 400 and v_i = 10^(-e_i / 400),

    P(i loses, of those in S) = v_i / (v_j summed over j in S).

Between two players this is Elo's formula (P(1 beats 2) = 1 / (1 + 10^(-(e_1 - e_2) / 400)); Ahle, "Liar's Dice by
Self-Play", the section on ratings; Bradley and Terry 1952). Of more it is Plackett's and Luce's model read from the
last place up: in a round of three one player loses and the two others are even, in a match it is the order in which
players lose their last die. Where several share the last place, each counts as the loser in equal parts.

**Fit.** With t = e ln(10) / 400, q the loss probabilities of S and l who lost, an event adds to the log-likelihood
-t_l - log(sum of exp(-t_j)), to its gradient q - (1 at l), and to its Hessian -(diag(q) - q q'): concave, and Newton's
steps, halved where they are too long, end at the maximum. It exists just where no set of players never lost to the
rest (Ford 1957; Hunter 2004, assumption 1); otherwise ratings are fitted within the groups that are tied together by
losses both ways. Ratings are differences: their mean in a group is 0.

**Intervals.** At 95 %. Were games independent, the covariance would be the inverse Hessian H (on vectors of sum 0).
They are not: seatings share a deal, and pairings the deals of a block. So where there are enough blocks, which are
independent, the covariance is H⁺ B H⁺, B the blocks' own covariance of the gradient ("sandwich", Huber 1967; White
1982), with Student's quantile for their number.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf, log
from typing import Any, NamedTuple

from .tally import order_groups

SCALE = 400 / log(10)
"""Points of Elo's scale to one of the natural one."""

FEWEST_BLOCKS = 10
"""With fewer of them their spread tells little."""

LEVEL = 0.95

STEPS, TOLERANCE = 200, 1e-11


class Event(NamedTuple):
    """Of the players ``among`` (indices; one may be there more than once), the one at index ``loser`` lost."""

    among: tuple[int, ...]
    loser: int


@dataclass(frozen=True)
class Ratings:
    """Elo's ratings of players numbered from 0, the mean of each group being 0.

    ``groups``: players who are tied together by losses both ways, the better group first (where that is so); from one
    group to another no rating is finite. ``low`` and ``high`` are 95 % intervals, ``alone`` half their width were all
    games independent. ``blocks``: how many the intervals go by (0: they are those of independent games).
    """

    elo: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    alone: tuple[float, ...]
    groups: tuple[tuple[int, ...], ...]
    blocks: int


def events(order: str, players: Sequence[int]) -> list[tuple[Event, float]]:
    """Who lost among whom in a game that ended in *order* (of places in *players*), with weights."""
    found, left = [], list(range(len(players)))
    for group in reversed(order_groups(order)):
        if len(left) == 1:
            break
        among = tuple(players[k] for k in left)
        found += [(Event(among, players[k]), 1 / len(group)) for k in group]
        left = [k for k in left if k not in group]
        if not left:
            break
    return found


def added_events(orders: Mapping[str, int], players: Sequence[int]) -> Counter[Event]:
    """The events of many games."""
    total: Counter[Event] = Counter()
    for order, times in orders.items():
        for event, weight in events(order, players):
            total[event] += weight * times  # type: ignore[assignment]
    return total


def fit_elo(blocks: Iterable[Mapping[Event, float]], players: int) -> Ratings:
    """The ratings that make the events likeliest. *blocks* are independent parts of the games; one is enough."""
    parts = [part for part in blocks if part]
    total: Counter[Event] = Counter()
    for part in parts:
        total.update(part)
    elo, low, high, alone = [0.0] * players, [-inf] * players, [inf] * players, [inf] * players
    found = groups(total, players)
    enough = len(parts) >= FEWEST_BLOCKS
    for group in found:
        if len(group) > 1:
            kept = [_within(part, group) for part in parts]
            for k, figures in zip(group, _fit(kept, len(group), enough), strict=True):
                elo[k], low[k], high[k], alone[k] = figures
    shown = tuple(map(tuple, found))
    return Ratings(tuple(elo), tuple(low), tuple(high), tuple(alone), shown, len(parts) if enough else 0)


def groups(total: Mapping[Event, float], players: int) -> list[list[int]]:
    """The players that are tied together by losses both ways, in order: a group lost none to those after it."""
    import numpy as np
    from scipy.sparse.csgraph import connected_components

    beats = np.zeros((players, players))
    for (among, loser), weight in total.items():
        for other in among:
            if other != loser and weight > 0:
                beats[other, loser] = 1
    number, label = connected_components(beats, connection="strong")
    reach = (beats + np.eye(players) > 0).astype(float)
    for _ in range(players.bit_length()):
        reach = ((reach @ reach) > 0).astype(float)
    sets = [[k for k in range(players) if label[k] == one] for one in range(number)]
    # Who reaches more is above: along a chain of groups this is their order.
    return sorted(sets, key=lambda group: (-reach[group[0]].sum(), group))


def _within(part: Mapping[Event, float], group: Sequence[int]) -> dict[Event, float]:
    """The events among players of *group* alone, numbered as there."""
    place = {k: at for at, k in enumerate(group)}
    found: Counter[Event] = Counter()
    for (among, loser), weight in part.items():
        kept = tuple(place[k] for k in among if k in place)
        if loser in place and len(set(kept)) > 1:
            found[Event(kept, place[loser])] += weight  # type: ignore[assignment]
    return dict(found)


def _fit(parts: Sequence[Mapping[Event, float]], players: int, enough: bool) -> list[tuple[float, float, float, float]]:
    """(rating, low, high, half width of independent games) of each player."""
    import numpy as np
    from scipy.special import stdtrit

    table = EventArrays.of(parts, players)
    weight = table.weights.sum(axis=0)
    at = newton(table, weight)
    share, slope = table.shares(at), table.slopes(at)
    hessian = -table.hessian(share, weight)
    # The ones make it regular, and vanish on vectors of sum 0.
    ones = np.ones((players, players)) / players
    inverse = np.linalg.inv(hessian + ones) - ones
    tail = (1 + LEVEL) / 2
    alone = stdtrit(inf, tail) * np.sqrt(np.maximum(np.diag(inverse), 0))
    half = alone
    if enough:
        scores = table.weights @ slope
        spread = scores - scores.mean(axis=0)
        count = len(parts)
        middle = spread.T @ spread * count / (count - 1)
        half = stdtrit(count - 1, tail) * np.sqrt(np.maximum(np.diag(inverse @ middle @ inverse), 0))
    columns = (at, at - half, at + half, alone)
    return [tuple(float(x) * SCALE for x in row) for row in zip(*columns, strict=True)]  # type: ignore[misc]


@dataclass(frozen=True, eq=False)
class EventArrays:
    """Events as arrays: ``among`` (events, most players of one) padded with -1, ``loser`` (events),
    ``weights`` (blocks, events)."""

    players: int
    among: Any
    loser: Any
    weights: Any

    @classmethod
    def of(cls, parts: Sequence[Mapping[Event, float]], players: int) -> EventArrays:
        """The events of *parts*."""
        import numpy as np

        names = sorted({event for part in parts for event, weight in part.items() if weight})
        width = max((len(event.among) for event in names), default=1)
        among = np.array([[*event.among, *[-1] * (width - len(event.among))] for event in names], dtype=int)
        loser = np.array([event.loser for event in names], dtype=int)
        weights = np.array([[part.get(event, 0.0) for event in names] for part in parts])
        return cls(players, among.reshape(len(names), width), loser, weights)

    def shares(self, at: Any) -> Any:
        """How likely each player is to lose, by event: (events, players), for natural ratings *at*."""
        import numpy as np

        there = self.among >= 0
        low = np.where(there, -at[self.among], -np.inf)
        odds = np.exp(low - low.max(axis=1, keepdims=True))
        odds /= odds.sum(axis=1, keepdims=True)
        found = np.zeros((len(self.loser), self.players))
        rows = np.broadcast_to(np.arange(len(self.loser))[:, None], odds.shape)
        np.add.at(found, (rows[there], self.among[there]), odds[there])
        return found

    def chance(self, at: Any) -> Any:
        """How likely what happened is, by event: one of the places where the loser sits."""
        import numpy as np

        share = self.shares(at)[np.arange(len(self.loser)), self.loser]
        return share / (self.among == self.loser[:, None]).sum(axis=1)

    def slopes(self, at: Any) -> Any:
        """The gradient of the log of ``chance``: (events, players)."""
        import numpy as np

        found = self.shares(at)
        found[np.arange(len(self.loser)), self.loser] -= 1
        return found

    def hessian(self, share: Any, weight: Any) -> Any:
        """Of the log-likelihood."""
        import numpy as np

        return -(np.diag(weight @ share) - (share * weight[:, None]).T @ share)


def newton(table: EventArrays, weight: Any, prior: float = 0.0) -> Any:
    """The natural ratings, of mean 0, that make events of *weight* likeliest.

    *prior*: half of it times their squares is taken off the log-likelihood, so that there is a maximum whatever the
    events are.
    """
    import numpy as np

    def value(at: Any) -> float:
        return float(weight @ np.log(table.chance(at)) - prior / 2 * (at @ at))

    at, every = np.zeros(table.players), np.ones((table.players, table.players)) * weight.sum()
    now = value(at)
    for _ in range(STEPS):
        gradient = weight @ table.slopes(at) - prior * at
        curve = every + prior * np.eye(table.players) - table.hessian(table.shares(at), weight)
        step, size = np.linalg.solve(curve, gradient), 1.0
        while size > 1e-9 and not value(at + size * step) >= now:
            size /= 2
        then = at + size * step
        done = np.abs(then - at).max() < TOLERANCE
        at, now = then - then.mean(), value(then)
        if done:
            break
    return at
