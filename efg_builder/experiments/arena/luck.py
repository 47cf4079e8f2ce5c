"""The model of skill and luck: with probability r a game is one of skill, with 1 - r one of pure luck.

    P(1 beats 2) = r / (1 + 10^(-(e_1 - e_2) / 400)) + (1 - r) / 2

is how Ahle ("Liar's Dice by Self-Play", the section on ratings) adds chance to Elo's formula; the tournament there, of
the checkpoints of one net with 10,000 games a pair, made r ≈ 0.20 likeliest. Of more players the loser is the one of
``arena.ratings`` with probability r, and any of the m who are left alike with 1 - r:

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

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from .ratings import SCALE, Event, EventArrays, newton

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

    ``at_bound``: players whose rating is at the bound of the search. ``gain``: by how much the log-likelihood is above
    that of r = 1, Elo's own formula. ``determined``: whether the games determine r at all (where the interval reaches
    from the bound that the clearest pairing sets up to 1, they do not).
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


def fit_luck(blocks: Iterable[Mapping[Event, float]], players: int) -> SkillAndLuck | None:
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
        self._start = newton(table, weight, PRIOR)

    def __call__(self, r: float) -> float:
        if r not in self._found:
            self.climb(r)
        return self._found[r][0]

    def climb(self, r: float, fresh: bool = False) -> None:
        """Look for ratings at *r*, from where its neighbours ended; where *fresh*, from what is small too."""
        import numpy as np

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
        import numpy as np
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
    """Where the profile is highest between *low* and *high*, by golden sections."""
    ratio = (5**0.5 - 1) / 2
    inner = [high - ratio * (high - low), low + ratio * (high - low)]
    while high - low > CLOSE:
        if profile(inner[0]) >= profile(inner[1]):
            high, inner = inner[1], [inner[1] - ratio * (inner[1] - low), inner[0]]
        else:
            low, inner = inner[0], [inner[1], inner[0] + ratio * (high - inner[0])]
    return max((low, (low + high) / 2, high), key=profile)


def _edge(profile: Callable[[float], float], floor: float, end: float, best: float) -> float:
    """Where the profile goes through *floor* between *best*, where it is above, and *end*; *end* where it does not."""
    if profile(end) >= floor:
        return 0.0 if end <= CLOSE else end
    inside, outside = best, end
    while abs(inside - outside) > CLOSE:
        middle = (inside + outside) / 2
        if profile(middle) >= floor:
            inside = middle
        else:
            outside = middle
    return inside
