"""Elo ratings by maximum likelihood for two or more players per game, and the share of luck.

**Model.** The final order of a game is read from the last place up. At each step, the last player in the set S of
remaining players loses. Let e_i be the Elo rating of player i, and v_i = 10^(-e_i / 400). Then

    P(i loses among S) = v_i / (v_j summed over j in S).

For two players, this is Elo's formula (Bradley and Terry 1952). For more players, it is the Plackett-Luce model, from
the last place up. If several players share the last place, each counts as the loser with equal weight.

**Fit.** Let t = e ln(10) / 400 be the natural ratings, q the loss probabilities of S, and l the loser. A loss event
adds -t_l - log(sum of exp(-t_j)) to the log-likelihood, q - (1 at l) to its gradient, and -(diag(q) - q q') to its
Hessian, so the log-likelihood is concave. A maximum exists if and only if every proper subset of the players contains a
player who lost to a player outside the subset (Ford 1957; Hunter 2004, assumption 1). Otherwise, ratings are fitted
within groups of players who are linked by losses in both directions. The mean rating of each group is 0.

**Intervals** are 95% confidence intervals. Blocks are independent, but games are not: each deal is played in several
seatings, and all pairings play the same deals in a block. Let H be the negative Hessian on vectors of sum 0, H⁺ its
pseudoinverse, and B the covariance of the sum of the blocks' gradients. With at least ``FEWEST_BLOCKS`` blocks, the
ratings have the covariance H⁺ B H⁺ ("sandwich", Huber 1967; White 1982), and the quantile is from Student's t
distribution. With fewer blocks, the covariance is H⁺, and the quantile is normal.

**Skill and luck.** A game is decided by skill with probability r, otherwise by luck (Ahle, "Liar's Dice by Self-Play",
the section on ratings). For m players in S,

    P(i loses among S) = r v_i / (v_j summed over j in S) + (1 - r) / m.

The likelihood is not concave, so r and the ratings are fitted together from several starting points. The 95%
confidence interval of r contains each value whose profile log-likelihood is at most 3.84 / 2 below the maximum
(Wilks 1938). This interval assumes independent games.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf, log
from typing import Any, NamedTuple

import numpy as np

from .tally import order_groups

SCALE = 400 / log(10)  # Elo points per unit of natural ratings
FEWEST_BLOCKS = 10  # the minimum number of blocks for an estimate of their covariance
LEVEL = 0.95

STEPS, TOLERANCE = 200, 1e-11


class LossEvent(NamedTuple):
    """The event that player ``loser`` lost among the players ``among`` (indices, perhaps repeated)."""

    among: tuple[int, ...]
    loser: int


@dataclass(frozen=True)
class Ratings:
    """The Elo ratings of players, who are numbered from 0.

    Attributes
    ----------
    elo, low, high : tuple of float
        The ratings, with mean 0 in each group, and the ends of their 95% intervals. The ends are infinite for a group
        of one player.
    alone : tuple of float
        Half the width of the intervals under the assumption that all games are independent.
    groups : tuple of tuples of int
        Groups of players who are linked by losses in both directions, better groups first. Only ratings within a group
        can be compared.
    blocks : int
        The number of blocks that give the covariance; 0 if the intervals assume that games are independent.
    """

    elo: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    alone: tuple[float, ...]
    groups: tuple[tuple[int, ...], ...]
    blocks: int


def events(order: str, players: Sequence[int]) -> list[tuple[LossEvent, float]]:
    """Return the loss events of a game, with weights; *order* contains indices into *players* (``Tally.orders``)."""
    found, left = [], list(range(len(players)))
    for group in reversed(order_groups(order)):
        if len(left) > 1:
            among = tuple(players[k] for k in left)
            found += [(LossEvent(among, players[k]), 1 / len(group)) for k in group]
        left = [k for k in left if k not in group]
    return found


def added_events(orders: Mapping[str, int], players: Sequence[int]) -> Counter[LossEvent]:
    total: Counter[LossEvent] = Counter()
    for order, times in orders.items():
        for event, weight in events(order, players):
            total[event] += weight * times  # type: ignore[assignment]
    return total


def fit_elo(blocks: Iterable[Mapping[LossEvent, float]], players: int) -> Ratings:
    """Return the maximum likelihood ratings; *blocks* contain the loss events of independent blocks of games."""
    parts = [part for part in blocks if part]
    total: Counter[LossEvent] = Counter()
    for part in parts:
        total.update(part)
    figures = [(0.0, -inf, inf, inf)] * players
    found = groups(total, players)
    enough = len(parts) >= FEWEST_BLOCKS
    for group in found:
        if len(group) > 1:
            kept = [_within(part, group) for part in parts]
            for k, each in zip(group, _fit(kept, len(group), enough), strict=True):
                figures[k] = each
    elo, low, high, alone = zip(*figures, strict=True)
    return Ratings(elo, low, high, alone, tuple(map(tuple, found)), len(parts) if enough else 0)


def groups(total: Mapping[LossEvent, float], players: int) -> list[list[int]]:
    """Return the groups of players linked by losses in both directions; no player lost to a player of a later group."""
    from scipy.sparse.csgraph import connected_components, shortest_path

    beats = np.zeros((players, players))
    for (among, loser), weight in total.items():
        beats[[other for other in among if other != loser and weight > 0], loser] = 1
    number, label = connected_components(beats, connection="strong")
    reached = np.isfinite(shortest_path(beats, unweighted=True)).sum(axis=1)
    sets = [[k for k in range(players) if label[k] == one] for one in range(number)]
    # Sort by the number of players reached along chains of wins. A group that lost to another group reaches fewer.
    return sorted(sets, key=lambda group: (-reached[group[0]], group))


def _within(part: Mapping[LossEvent, float], group: Sequence[int]) -> dict[LossEvent, float]:
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
    """Return (rating, low, high, half-width for independent games) of each player, in Elo points."""
    from scipy.special import stdtrit

    table = EventArrays.of(parts, players)
    weight = table.weights.sum(axis=0)
    at = likeliest(table, weight)
    share, slope = table.shares(at), table.slopes(at)
    hessian = -table.hessian(share, weight)
    # Adding a constant makes the matrix invertible, and changes nothing on vectors of sum 0.
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
    players: int
    among: Any  # [event, place], padded with -1
    loser: Any  # [event]
    weights: Any  # [block, event]

    @classmethod
    def of(cls, parts: Sequence[Mapping[LossEvent, float]], players: int) -> EventArrays:
        names = sorted({event for part in parts for event, weight in part.items() if weight})
        width = max((len(event.among) for event in names), default=1)
        among = np.array([[*event.among, *[-1] * (width - len(event.among))] for event in names], dtype=int)
        loser = np.array([event.loser for event in names], dtype=int)
        weights = np.array([[part.get(event, 0.0) for event in names] for part in parts])
        return cls(players, among.reshape(len(names), width), loser, weights)

    def shares(self, at: Any) -> Any:
        """Return each player's probability of losing, at the natural ratings *at*, as [event, player]."""
        there = self.among >= 0
        low = np.where(there, -at[self.among], -np.inf)
        odds = np.exp(low - low.max(axis=1, keepdims=True))
        odds /= odds.sum(axis=1, keepdims=True)
        found = np.zeros((len(self.loser), self.players))
        rows = np.broadcast_to(np.arange(len(self.loser))[:, None], odds.shape)
        np.add.at(found, (rows[there], self.among[there]), odds[there])
        return found

    def chance(self, at: Any) -> Any:
        """Return each event's probability.

        If ``among`` contains the loser several times, this is the probability of one particular entry.
        """
        share = self.shares(at)[np.arange(len(self.loser)), self.loser]
        return share / (self.among == self.loser[:, None]).sum(axis=1)

    def slopes(self, at: Any) -> Any:
        """Return the gradient of the logarithm of ``chance``, as [event, player]."""
        found = self.shares(at)
        found[np.arange(len(self.loser)), self.loser] -= 1
        return found

    def hessian(self, share: Any, weight: Any) -> Any:
        return -(np.diag(weight @ share) - (share * weight[:, None]).T @ share)


def likeliest(table: EventArrays, weight: Any, prior: float = 0.0) -> Any:
    """Return the maximum likelihood natural ratings, with mean 0.

    *weight*: the weight of each event. *prior*: the weight of the squared ratings.
    """
    from scipy.optimize import minimize

    # A penalty on the squared mean makes the Hessian invertible without moving the maximum.
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


@dataclass(frozen=True)
class LuckSettings:
    chi: float = 3.841458820694124  # the 95% quantile of chi-square with one degree of freedom
    bound: float = 14.0  # the largest natural rating, about 2,400 Elo points
    starts: int = 8  # the number of starting values of r
    close: float = 1e-4  # the minimum r, and the tolerance of the ends of its interval
    prior: float = 1e-3  # the weight of squared ratings in the initial fit, to keep its ratings finite
    flat: float = 1e-5  # the largest difference of log-likelihoods that is ignored


LUCK = LuckSettings()


@dataclass(frozen=True)
class SkillAndLuck:
    """Elo ratings with luck: a game is decided by skill with probability ``r``, otherwise by luck.

    Attributes
    ----------
    r, low, high : float
        The maximum likelihood estimate of r, and the ends of its 95% confidence interval.
    elo : tuple of float
        The ratings, with mean 0.
    at_bound : tuple of int
        The players whose rating is at the bound of the search.
    gain : float
        The gain in log-likelihood over r = 1, that is, over Elo's formula.
    """

    r: float
    low: float
    high: float
    elo: tuple[float, ...]
    at_bound: tuple[int, ...]
    gain: float

    @property
    def determined(self) -> bool:
        """Whether r has an upper bound below 1."""
        return self.high < 1


def fit_luck(blocks: Iterable[Mapping[LossEvent, float]], players: int) -> SkillAndLuck | None:
    """Fit r and the ratings to the events of all *blocks*; return None if there are no events."""
    from scipy.optimize import brentq, minimize

    table = EventArrays.of([part for part in blocks if part], players)
    if not len(table.loser):
        return None
    weight, left = table.weights.sum(axis=0), (table.among >= 0).sum(axis=1)
    total, elo = weight.sum(), likeliest(table, weight, LUCK.prior)

    def loss(x: Any) -> tuple[float, Any]:
        r, at = x[0], x[1:]
        skill = table.chance(at)
        chance = r * skill + (1 - r) / left
        slopes = table.slopes(at) * (r * skill / chance)[:, None]
        gradient = np.concatenate(([weight / chance @ (skill - 1 / left)], weight @ slopes))
        return -float(weight @ np.log(chance)) / total, -gradient / total

    def climb(r: float, starts: Sequence[Any], fixed: bool) -> tuple[float, float, Any]:
        """Return the highest log-likelihood found from *starts*, and the r and the ratings at this maximum."""
        bounds = [(r, r) if fixed else (LUCK.close, 1.0), *[(-LUCK.bound, LUCK.bound)] * players]
        how = {"jac": True, "method": "L-BFGS-B", "options": {"maxiter": 500, "ftol": 1e-14, "gtol": 1e-9}}
        tried = [minimize(loss, [r, *np.clip(at, *bounds[1])], bounds=bounds, **how) for at in starts]
        best = min(tried, key=lambda found: found.fun)
        return -float(best.fun) * total, float(best.x[0]), best.x[1:]

    grid = [k / LUCK.starts for k in range(1, LUCK.starts + 1)]
    top, r, at = max((climb(k, [elo / k**0.5], False) for k in grid), key=lambda one: one[0])

    def profile(k: float) -> float:
        return climb(k, [at * (r / k), elo / k], True)[0]

    def edge(end: float) -> float:
        """Return the end of r's interval between r and the limit *end*."""
        if profile(end) >= top - LUCK.chi / 2:
            return 0.0 if end <= LUCK.close else end
        return float(brentq(lambda k: profile(k) - top + LUCK.chi / 2, *sorted((r, end)), xtol=LUCK.close))

    pure = climb(1.0, [at, 4 * elo], True)
    if top - pure[0] < LUCK.flat:
        top, r, at = max(top, pure[0]), 1.0, pure[2]
    bound = tuple(k for k, x in enumerate(at) if abs(x) >= LUCK.bound - 1e-6)
    points = tuple(float(x) * SCALE for x in at - at.mean())
    return SkillAndLuck(r, edge(LUCK.close), edge(1.0), points, bound, float(top - pure[0]))
