"""Elo ratings by maximum likelihood, for games of two and of more, and the part that luck has in them.

**Model.** A game is read from its bottom: of those who are still in it one player loses, then one of the rest, and
so on as far as its order tells. With ratings e on the scale of 400 and v_i = 10^(-e_i / 400),

    P(i loses, of those in S) = v_i / (v_j summed over j in S).

Between two players this is Elo's formula (P(1 beats 2) = 1 / (1 + 10^(-(e_1 - e_2) / 400)); Ahle, "Liar's Dice by
Self-Play", the section on ratings; Bradley and Terry 1952). Of more it is Plackett's and Luce's model read from the
last place up: in a round of three one player loses and the two others are even, in a match it is the order in which
players lose their last die. Where several share the last place, each counts as the loser in equal parts.

**Fit.** With t = e ln(10) / 400, q the loss probabilities of S and l who lost, an event adds to the log-likelihood
-t_l - log(sum of exp(-t_j)), to its gradient q - (1 at l), and to its Hessian -(diag(q) - q q'): concave, with one
maximum, which Newton's steps in a trust region find. It exists just where no set of players never lost to the
rest (Ford 1957; Hunter 2004, assumption 1); otherwise ratings are fitted within the groups that are tied together by
losses both ways. Ratings are differences: their mean in a group is 0.

**Intervals.** At 95 %. Were games independent, the covariance would be the inverse Hessian H (on vectors of sum 0).
They are not: seatings share a deal, and pairings the deals of a block. So where there are enough blocks, which are
independent, the covariance is H⁺ B H⁺, B the blocks' own covariance of the gradient ("sandwich", Huber 1967; White
1982), with Student's quantile for their number.

**Skill and luck.** With probability r a game is one of skill, with 1 - r one of pure luck:

    P(1 beats 2) = r / (1 + 10^(-(e_1 - e_2) / 400)) + (1 - r) / 2

is how Ahle ("Liar's Dice by Self-Play", the section on ratings) adds chance to Elo's formula; the tournament there, of
the checkpoints of one net with 10,000 games a pair, made r ≈ 0.20 likeliest. Of more players the loser is the one of
the model above with probability r, and any of the m who are left alike with 1 - r:

    P(i loses, of those in S) = r v_i / (v_j summed over j in S) + (1 - r) / m.

r and the ratings are fitted together. The likelihood of ratings at a given r is not concave, so it is climbed from
several starts, for a row of r (its *profile*); r is where the profile is highest, and its 95 % interval is where twice
the log-likelihood is at most 3.84 below that (the quantile of chi-square with one degree of freedom; Wilks 1938).
It takes games to be independent: sharing deals makes them less so, mostly such that the interval is too wide.

What games can tell: where all differences are small, the formula is 1/2 + r (e_1 - e_2) ln(10) / 1600 in good
approximation, so that r and the scale of ratings stand for each other, and the interval reaches up to 1. Two
players never tell them apart. r is bounded from below by the clearest pairing: nobody wins more than (1 + r) / 2.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf, log
from typing import Any, NamedTuple

import numpy as np

from .tally import order_groups

SCALE = 400 / log(10)
"""Points of Elo's scale to one of the natural one."""

FEWEST_BLOCKS = 10
"""With fewer of them their spread tells little."""

LEVEL = 0.95

STEPS, TOLERANCE = 200, 1e-11


class LossEvent(NamedTuple):
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


def events(order: str, players: Sequence[int]) -> list[tuple[LossEvent, float]]:
    """Who lost among whom in a game that ended in *order* (of places in *players*), with weights."""
    found, left = [], list(range(len(players)))
    for group in reversed(order_groups(order)):
        if len(left) == 1:
            break
        among = tuple(players[k] for k in left)
        found += [(LossEvent(among, players[k]), 1 / len(group)) for k in group]
        left = [k for k in left if k not in group]
        if not left:
            break
    return found


def added_events(orders: Mapping[str, int], players: Sequence[int]) -> Counter[LossEvent]:
    """The events of many games."""
    total: Counter[LossEvent] = Counter()
    for order, times in orders.items():
        for event, weight in events(order, players):
            total[event] += weight * times  # type: ignore[assignment]
    return total


def fit_elo(blocks: Iterable[Mapping[LossEvent, float]], players: int) -> Ratings:
    """The ratings that make the events likeliest. *blocks* are independent parts of the games; one is enough."""
    parts = [part for part in blocks if part]
    total: Counter[LossEvent] = Counter()
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


def groups(total: Mapping[LossEvent, float], players: int) -> list[list[int]]:
    """The players that are tied together by losses both ways, in order: a group lost none to those after it."""
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


def _within(part: Mapping[LossEvent, float], group: Sequence[int]) -> dict[LossEvent, float]:
    """The events among players of *group* alone, numbered as there."""
    place = {k: at for at, k in enumerate(group)}
    found: Counter[LossEvent] = Counter()
    for (among, loser), weight in part.items():
        kept = tuple(place[k] for k in among if k in place)
        if loser in place and len(set(kept)) > 1:
            found[LossEvent(kept, place[loser])] += weight  # type: ignore[assignment]
    return dict(found)


def _fit(
    parts: Sequence[Mapping[LossEvent, float]], players: int, enough: bool
) -> list[tuple[float, float, float, float]]:
    """(rating, low, high, half width of independent games) of each player."""
    from scipy.special import stdtrit

    table = EventArrays.of(parts, players)
    weight = table.weights.sum(axis=0)
    at = likeliest(table, weight)
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
    def of(cls, parts: Sequence[Mapping[LossEvent, float]], players: int) -> EventArrays:
        """The events of *parts*."""
        names = sorted({event for part in parts for event, weight in part.items() if weight})
        width = max((len(event.among) for event in names), default=1)
        among = np.array([[*event.among, *[-1] * (width - len(event.among))] for event in names], dtype=int)
        loser = np.array([event.loser for event in names], dtype=int)
        weights = np.array([[part.get(event, 0.0) for event in names] for part in parts])
        return cls(players, among.reshape(len(names), width), loser, weights)

    def shares(self, at: Any) -> Any:
        """How likely each player is to lose, by event: (events, players), for natural ratings *at*."""
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
        share = self.shares(at)[np.arange(len(self.loser)), self.loser]
        return share / (self.among == self.loser[:, None]).sum(axis=1)

    def slopes(self, at: Any) -> Any:
        """The gradient of the log of ``chance``: (events, players)."""
        found = self.shares(at)
        found[np.arange(len(self.loser)), self.loser] -= 1
        return found

    def hessian(self, share: Any, weight: Any) -> Any:
        """Of the log-likelihood."""
        return -(np.diag(weight @ share) - (share * weight[:, None]).T @ share)


def likeliest(table: EventArrays, weight: Any, prior: float = 0.0) -> Any:
    """The natural ratings, of mean 0, that make events of *weight* likeliest.

    *prior*: half of it times their squares is taken off the log-likelihood, so that there is a maximum whatever the
    events are.
    """

    from scipy.optimize import minimize

    # The mean's square leaves the maximum where it is, and the Hessian regular.
    total, middle = weight.sum(), np.full((table.players, table.players), 1 / table.players**2)

    def loss(at: Any) -> float:
        fits = weight @ np.log(table.chance(at)) - prior / 2 * (at @ at)
        return float(at.mean() ** 2 / 2 - fits / total)

    def slope(at: Any) -> Any:
        return middle @ at - (weight @ table.slopes(at) - prior * at) / total

    def curve(at: Any) -> Any:
        return middle + (prior * np.eye(table.players) - table.hessian(table.shares(at), weight)) / total

    start, options = np.zeros(table.players), {"gtol": TOLERANCE, "maxiter": STEPS}
    at = minimize(loss, start, jac=slope, hess=curve, method="trust-exact", options=options).x
    return at - at.mean()


CHI = 3.841458820694124
"""The 95 % quantile of chi-square with one degree of freedom."""

MOST = 14.0
"""Natural ratings are looked for within so much of 0: some 2,400 points of Elo's scale."""

GRID = 20
"""Values of r for a first look."""

CLOSE = 1e-4
"""How exactly r and its interval are found."""

PRIOR = 1e-3
"""Of the ratings' squares: how much holds a first look back."""

FLAT = 1e-5
"""Log-likelihoods this close are the same."""


@dataclass(frozen=True)
class SkillAndLuck:
    """The likeliest ``r``, its 95 % interval from ``low`` to ``high``, and Elo's ratings ``elo`` (of mean 0) with it.

    ``at_bound``: players whose rating is as far out as is looked. ``gain``: by how much the log-likelihood is above
    that of r = 1, Elo's own formula. ``determined``: whether the games determine r at all (where the interval reaches
    from what the clearest pairing allows up to 1, they do not).
    """

    r: float
    low: float
    high: float
    elo: tuple[float, ...]
    at_bound: tuple[int, ...]
    gain: float

    @property
    def determined(self) -> bool:
        """Whether the games say more of r than a lower bound."""
        return self.high < 1


def fit_luck(blocks: Iterable[Mapping[LossEvent, float]], players: int) -> SkillAndLuck | None:
    """Fit r and the ratings to the events of all *blocks*; None where there are none."""
    table = EventArrays.of([part for part in blocks if part], players)
    if not len(table.loser):
        return None
    weight = table.weights.sum(axis=0)
    profile = _Profile(table, weight)
    rs = [k / GRID for k in range(1, GRID + 1)]
    # Down afresh, then up: each r starts from its neighbours on both sides too.
    for r in reversed(rs):
        profile.climb(r, fresh=True)
    for r in rs:
        profile.climb(r)
    best = max(rs, key=lambda r: (profile(r), r))
    best = _highest(profile, max(best - 1 / GRID, CLOSE), min(best + 1 / GRID, 1.0))
    top = profile(best)
    if top - profile(1.0) < FLAT:
        best, top = 1.0, max(top, profile(1.0))
    floor = top - CHI / 2
    low = _edge(profile, floor, CLOSE, best)
    high = _edge(profile, floor, 1.0, best)
    at = profile.ratings(best)
    bound = tuple(k for k, x in enumerate(at) if abs(x) >= MOST - 1e-6)
    elo = tuple(float(x) * SCALE for x in at - at.mean())
    return SkillAndLuck(best, low, high, elo, bound, float(top - profile(1.0)))


class _Profile:
    """The log-likelihood at r, with the ratings that make it highest; what was found helps find more."""

    def __init__(self, table: EventArrays, weight: Any) -> None:
        self._table, self._weight = table, weight
        self._found: dict[float, tuple[float, Any]] = {}
        # Elo's own as a start, held back where they are not finite.
        self._start = likeliest(table, weight, PRIOR)

    def __call__(self, r: float) -> float:
        if r not in self._found:
            self.climb(r)
        return self._found[r][0]

    def climb(self, r: float, fresh: bool = False) -> None:
        """Look for ratings at *r*, from where its neighbours ended; where *fresh*, from what is small too."""
        near = sorted(self._found, key=lambda other: abs(other - r))[: 3 if r in self._found else 2]
        starts = [self._found[other][1] for other in near]
        if fresh:
            starts += [np.clip(self._start / scale, -MOST, MOST) for scale in (r, r**0.5)]
        tried = [self._climbed(r, start) for start in starts]
        if r in self._found:
            tried.append(self._found[r])
        self._found[r] = max(tried, key=lambda one: one[0])

    def ratings(self, r: float) -> Any:
        """The natural ratings at *r*."""
        self(r)
        return self._found[r][1]

    def _climbed(self, r: float, start: Any) -> tuple[float, Any]:
        from scipy.optimize import minimize

        table, weight = self._table, self._weight
        total = weight.sum()
        left = (table.among >= 0).sum(axis=1)

        def loss(at: Any) -> tuple[float, Any]:
            skill = table.chance(at)
            chance = r * skill + (1 - r) / left
            slope = table.slopes(at) * (r * skill / chance)[:, None]
            return -float(weight @ np.log(chance)) / total, -(weight @ slope) / total

        bounds = [(-MOST, MOST)] * table.players
        options = {"maxiter": 500, "ftol": 1e-14, "gtol": 1e-9}
        found = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds, options=options)
        return -float(found.fun) * total, found.x


def _highest(profile: Callable[[float], float], low: float, high: float) -> float:
    """Where the profile is highest between *low* and *high*."""
    from scipy.optimize import minimize_scalar

    within = minimize_scalar(lambda r: -profile(r), bounds=(low, high), method="bounded", options={"xatol": CLOSE}).x
    return max((low, float(within), high), key=profile)


def _edge(profile: Callable[[float], float], floor: float, end: float, best: float) -> float:
    """Where the profile goes through *floor* between *best*, where it is above, and *end*; *end* where it does not."""
    from scipy.optimize import brentq

    if profile(end) >= floor:
        return 0.0 if end <= CLOSE else end
    return float(brentq(lambda r: profile(r) - floor, *sorted((best, end)), xtol=CLOSE))
