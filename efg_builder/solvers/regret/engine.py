"""The base of all engines for regret minimization: rules, strategies and checkpoints.

Counterfactual regret: M. Zinkevich, M. Johanson, M. Bowling and C. Piccione, NIPS 2007.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from math import prod
from typing import Any

import numpy as np

from ...strategies.sparse_profile import SparseProfile
from ...strategies.tree_profile import TreeProfile
from .newton import Floats, MixedSupport

Exact = Callable[[tuple[float, ...]], tuple[Fraction, ...]]
"""A function that converts the probabilities at an information set from floats to fractions."""

COMMON_DENOMINATOR = 2**40
"""The denominator of rounded probabilities."""

SIMPLE_DENOMINATOR, SIMPLE_TOLERANCE = 1_000, 1e-13
"""The maximum denominator of a simple fraction, and the maximum distance at which it replaces a float.

Only about one in ten million random floats is this close to a simple fraction.
"""


def squared(t: int) -> float:
    """Return t squared. The CFR+ paper has the weight t, but t squared was never worse in our measurements."""
    return float(t) ** 2


def discount(t: int, power: float) -> float:
    """Return the factor of regrets before iteration *t* + 1 in discounted CFR."""
    weight: float = float(t) ** power
    return weight / (weight + 1)


@dataclass(frozen=True)
class Rule:
    """A rule of regret minimization.

    ``match(regrets, instant, t)`` updates *regrets* in place and returns nonnegative weights; the next strategy is
    proportional to these weights. *instant* contains each action's counterfactual regret in iteration *t*; ``match``
    may overwrite this array. ``weight(t)``: the weight of iteration *t* in the average plan. The first iteration is 1.
    """

    name: str
    source: str
    match: Callable[[Floats, Floats, int], Floats]
    weight: Callable[[int], float] = squared


def _cut_off(regrets: Floats, instant: Floats, t: int) -> Floats:
    regrets += instant
    return np.maximum(regrets, 0, out=regrets)


def _discounted(power: float, negative: float, regrets: Floats, instant: Floats, t: int) -> Floats:
    """Discount positive regrets with *power*, multiply negative regrets by *negative*, and add *instant*."""
    regrets *= np.where(regrets > 0, discount(t - 1, power), negative)
    regrets += instant
    return np.maximum(regrets, 0, out=instant)


def _predictive(regrets: Floats, instant: Floats, t: int) -> Floats:
    """Cut off regrets at 0, and predict that the next iteration adds the same regrets again."""
    regrets += instant
    np.maximum(regrets, 0, out=regrets)
    instant += regrets
    return np.maximum(instant, 0, out=instant)


RULES = {
    rule.name: rule
    for rule in (
        Rule("cfr+", "O. Tammelin, N. Burch, M. Johanson and M. Bowling, IJCAI 2015", _cut_off),
        Rule(
            "dcfr",
            "N. Brown and T. Sandholm, AAAI 2019: discounted CFR with alpha 1.5, beta 0, gamma 2",
            partial(_discounted, 1.5, 0.5),
        ),
        Rule(
            "dcfr2",
            "N. Brown and T. Sandholm, AAAI 2019: discounted CFR with alpha 2, beta minus infinity, gamma 2",
            partial(_discounted, 2.0, 0.0),
        ),
        Rule("pcfr+", "G. Farina, C. Kroer and T. Sandholm, AAAI 2021: predictive CFR+", _predictive),
    )
}


def rational(row: tuple[float, ...]) -> tuple[Fraction, ...]:
    """Return fractions with the denominator ``COMMON_DENOMINATOR``; the largest fraction absorbs rounding errors."""
    parts = np.rint(np.array(row) * COMMON_DENOMINATOR).astype(np.int64)
    parts[parts.argmax()] += COMMON_DENOMINATOR - parts.sum()
    return tuple(Fraction(int(part), COMMON_DENOMINATOR) for part in parts)


@lru_cache(maxsize=100_000)
def exact_row(row: tuple[float, ...]) -> tuple[Fraction, ...]:
    """Return the probabilities of *row* as simple fractions, if these fractions sum to 1 and are close to the floats.

    Otherwise, the fractions equal the floats, except that the largest fraction absorbs the difference from 1.
    """
    simple = [Fraction(p).limit_denominator(SIMPLE_DENOMINATOR) for p in row]
    if sum(simple) == 1 and all(abs(float(q) - p) <= SIMPLE_TOLERANCE for q, p in zip(simple, row, strict=True)):
        return tuple(simple)
    found = [Fraction(p) for p in row]
    largest = max(range(len(found)), key=found.__getitem__)
    found[largest] += 1 - sum(found)
    return tuple(found)


Arrays = dict[str, Any]
"""Arrays by name, as in a checkpoint."""

MOST = 1e30
"""Upper bound on regrets in a checkpoint. Absolute values below its inverse are read as 0."""


@dataclass(frozen=True)
class TableStrategy:
    """The behavior strategies of all players.

    ``tables``: arrays of probabilities; for bidding games, the tables of bids, then the same number of tables of calls.
    ``part``: the histories of the tables, if the engine covers only a part of the game.
    """

    tables: list[Floats]
    part: Any = None

    @property
    def bids(self) -> list[Floats]:
        return self.tables[: len(self.tables) // 2]

    @property
    def calls(self) -> list[Floats]:
        return self.tables[len(self.tables) // 2 :]

    def copy(self) -> TableStrategy:
        return TableStrategy([table.copy() for table in self.tables], self.part)


class Engine:
    """All players' regrets, strategies and average plans in a game.

    ``strategy``: the strategies in the last iteration. ``plans``: each player's realization weights of moves or
    histories. ``totals``: the weighted sums of plans. ``units``: half the range of each player's payoffs.
    """

    regrets: TableStrategy
    totals: TableStrategy
    strategy: TableStrategy
    plans: list[Any]

    def __init__(self, rule: Rule, units: Sequence[Fraction]) -> None:
        self.rule, self.units, self.iterations = rule, [float(unit) for unit in units], 0
        self.seats = range(len(units))

    def iterate(self) -> None:
        """Run one iteration: update each player's regrets, strategy and average plan in turn."""
        self.iterations += 1
        weight = self.rule.weight(self.iterations)
        for player in self.seats:
            regrets = self.counterfactual_regrets(self.strategy, self.plans, player)
            self.match_regrets(player, regrets)
            self.plans[player] = self.plan(self.strategy, player)
            self.add_to_average(player, weight)

    def counterfactual_regrets(self, strategy: TableStrategy, plans: Sequence[Any], player: int) -> Any:
        """Return the regrets of the player's moves against *strategy*, in the form that ``match_regrets`` takes."""
        raise NotImplementedError

    def match_regrets(self, player: int, instant: Any) -> None:
        """Add the regrets *instant* of this iteration, and update the player's strategy by regret matching."""
        raise NotImplementedError

    def add_to_average(self, player: int, weight: float) -> None:
        """Add the player's current plan to the average with *weight*."""
        raise NotImplementedError

    def normalized(self, given: TableStrategy) -> TableStrategy:
        """Return *given*, normalized to probabilities; uniform at an information set without positive weights."""
        raise NotImplementedError

    def plan(self, strategy: TableStrategy, player: int) -> Any:
        """Return the player's realization weights of moves or histories."""
        raise NotImplementedError

    def gains(self, strategy: TableStrategy) -> list[float]:
        """Return each player's gain from a best response, as a share of ``units``."""
        raise NotImplementedError

    def best_value(self, strategy: TableStrategy, plans: list[Any], player: int) -> float:
        """Return the payoff of a best response, scaled so that the player's payoff range is from -1 to 1."""
        raise NotImplementedError

    def nash_conv(self) -> float:
        """Return the NashConv of the average strategies in a two-player constant-sum game, in payoffs."""
        average = self.average()
        plans = [self.plan(average, player) for player in self.seats]
        return self.units[0] * sum(self.best_value(average, plans, player) for player in self.seats)

    def key(self, strategy: TableStrategy) -> bytes:
        """Return a key that identifies the moves with positive probability."""
        raise NotImplementedError

    def support(self, strategy: TableStrategy, most: int) -> MixedSupport | None:
        """Return the support of the strategy; None if there are more than *most* unknowns or too many histories."""
        raise NotImplementedError

    def written(self, strategy: TableStrategy) -> TreeProfile | SparseProfile:
        raise NotImplementedError

    def with_deviations(self, strategy: TableStrategy, least: float) -> TableStrategy | None:
        """Return the strategy with small weights for moves that gain more than *least*; None if not implemented."""
        return None

    def begin(self, regrets: TableStrategy, totals: TableStrategy, strategy: TableStrategy) -> None:
        self.regrets, self.totals, self.strategy = regrets, totals, strategy
        self.plans = [self.plan(strategy, player) for player in self.seats]

    def last(self) -> TableStrategy:
        return self.strategy.copy()

    def average(self) -> TableStrategy:
        """Return the behavior strategies of the average plans."""
        return self.normalized(self.totals)

    def supported(self, strategy: TableStrategy, least: float) -> TableStrategy:
        """Return the strategy without the moves whose probability is below *least*."""
        cut = [np.where(table < least, 0, table) for table in strategy.tables]
        return self.normalized(TableStrategy(cut, strategy.part))

    def with_solution(self, strategy: TableStrategy, support: MixedSupport, x: Floats) -> TableStrategy:
        """Return the strategy with the probabilities *x* for the unknowns of its support."""
        found = strategy.copy()
        for (table, *place), p in zip(support.where, x.tolist(), strict=True):
            found.tables[table][tuple(place)] = p
        return self.normalized(found)

    def packed(self, strategy: TableStrategy) -> Arrays:
        return {"played": flat(strategy)}

    def unpacked(self, arrays: Arrays) -> TableStrategy:
        """Return the strategy in *arrays*. Raises ``KeyError`` and ``ValueError`` if there is no valid strategy."""
        given = self.unpacked_form(arrays)
        found = read_tables(given, arrays["played"])
        for one, other in zip(found.tables, self.normalized(found).tables, strict=True):
            if not np.allclose(one, other, rtol=0, atol=1e-6):
                raise ValueError("not probabilities")
        return found

    def unpacked_form(self, arrays: Arrays) -> TableStrategy:
        """Return tables with the shapes of the packed strategy."""
        return self.totals

    def state(self) -> Arrays:
        """Return all arrays that ``restore`` needs, without the number of iterations."""
        return {"regrets": flat(self.regrets), "totals": flat(self.totals), **self.packed(self.strategy)}

    def restore(self, arrays: Arrays) -> None:
        """Restore a ``state``. Raises ``KeyError`` and ``ValueError`` if the arrays do not fit."""
        strategy = self.unpacked(arrays)
        regrets = read_tables(strategy, arrays["regrets"], -MOST)
        self.begin(regrets, read_tables(strategy, arrays["totals"]), strategy)


def flat(strategy: TableStrategy) -> Floats:
    return np.concatenate([table.ravel() for table in strategy.tables])


def read_tables(form: TableStrategy, array: Floats, least: float = 0.0) -> TableStrategy:
    """Return tables with the shapes of *form* from an untrusted array.

    Raises ``ValueError`` if the shape or the type is wrong, or if a value is not between *least* and ``MOST``.
    """
    shapes = [table.shape for table in form.tables]
    sizes = list(map(prod, shapes))
    if array.shape != (sum(sizes),) or array.dtype != np.float64 or not np.all((array >= least) & (array <= MOST)):
        raise ValueError("the numbers do not fit")
    # The inverse of a tiny number is not finite.
    parts = np.split(np.where(np.abs(array) < 1 / MOST, 0, array), np.cumsum(sizes)[:-1])
    return TableStrategy([part.reshape(shape) for part, shape in zip(parts, shapes, strict=True)], form.part)
