"""The common parts of all engines of regret minimization: rules, strategies, and the state in a file.

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
from .newton import Floats, Look, MixedSupport, never

Exact = Callable[[tuple[float, ...]], tuple[Fraction, ...]]
"""What makes fractions of the probabilities of a row."""

COMMON_DENOMINATOR = 2**40
"""The denominator to which probabilities are rounded."""

SIMPLE_DENOMINATOR, SIMPLE_TOLERANCE = 1_000, 1e-13
"""Denominators that are looked for first, up to; and how near a float is to such a fraction that is taken for it: that
happens by chance once in ten million."""


def _squared(t: int) -> float:
    """CFR+ averages with weights t in its source; t squared was never worse in our measurements."""
    return float(t) ** 2


@dataclass(frozen=True)
class Rule:
    """A rule of regret minimization.

    ``match(regrets, gained, t)`` adds to *regrets*, in place, what each action *gained* over the strategy in
    iteration *t* (from 1 on), and returns what the next strategy is proportional to, at least 0; *gained* may
    be overwritten. ``weight(t)``: the weight of iteration t's plan in the average.
    """

    name: str
    source: str
    match: Callable[[Floats, Floats, int], Floats]
    weight: Callable[[int], float] = _squared


def _cut_off(regrets: Floats, gained: Floats, t: int) -> Floats:
    regrets += gained
    return np.maximum(regrets, 0, out=regrets)


def _discounted(power: float, kept: float, regrets: Floats, gained: Floats, t: int) -> Floats:
    """Old regrets are discounted by *power* of time, the negative ones to the part that is *kept*."""
    weight = (t - 1) ** power
    regrets *= np.where(regrets > 0, weight / (weight + 1), kept)
    regrets += gained
    return np.maximum(regrets, 0, out=gained)


def _predictive(regrets: Floats, gained: Floats, t: int) -> Floats:
    """Regrets are cut off at zero, and played is what they would be if the next gain was the last one again."""
    regrets += gained
    np.maximum(regrets, 0, out=regrets)
    gained += regrets
    return np.maximum(gained, 0, out=gained)


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
"""All rules by name."""


def rational(row: tuple[float, ...]) -> tuple[Fraction, ...]:
    """Probabilities over ``COMMON_DENOMINATOR`` that sum to exactly 1: the largest takes what rounding leaves."""
    parts = np.rint(np.array(row) * COMMON_DENOMINATOR).astype(np.int64)
    parts[parts.argmax()] += COMMON_DENOMINATOR - parts.sum()
    return tuple(Fraction(int(part), COMMON_DENOMINATOR) for part in parts)


@lru_cache(maxsize=100_000)
def exact_row(row: tuple[float, ...]) -> tuple[Fraction, ...]:
    """The probabilities of *row*, which sum to about 1, in fractions.

    Simple ones if all are within ``SIMPLE_TOLERANCE`` of such that sum to 1; else just the floats, and the largest
    takes what is left to 1.
    """
    simple = [Fraction(p).limit_denominator(SIMPLE_DENOMINATOR) for p in row]
    if sum(simple) == 1 and all(abs(float(q) - p) <= SIMPLE_TOLERANCE for q, p in zip(simple, row, strict=True)):
        return tuple(simple)
    found = [Fraction(p) for p in row]
    largest = max(range(len(found)), key=found.__getitem__)
    found[largest] += 1 - sum(found)
    return tuple(found)


Arrays = dict[str, Any]
"""Arrays by name, as a file has them."""

MOST = 1e30
"""No regret in a file is larger, and none that is not 0 smaller than the inverse."""


@dataclass(frozen=True)
class TableStrategy:
    """Behavior strategies of all players as an engine keeps them.

    ``tables``: of games of bidding, first those of bids, then as many of calls. ``part``: the histories of the tables,
    where the engine keeps a part of the game.
    """

    tables: list[Floats]
    part: Any = None

    @property
    def bids(self) -> list[Floats]:
        """The tables of bids."""
        return self.tables[: len(self.tables) // 2]

    @property
    def calls(self) -> list[Floats]:
        """The tables of calls."""
        return self.tables[len(self.tables) // 2 :]

    def copy(self) -> TableStrategy:
        """An independent copy."""
        return TableStrategy([table.copy() for table in self.tables], self.part)


class Engine:
    """All players' regrets, strategies and average plans in one game.

    ``strategy``: that of the last iteration. ``plans``: the probability, by own play, of coming to each move or
    history. ``units``: half the range of each player's payoffs. ``look`` is called within long passes and may raise.
    """

    regrets: TableStrategy
    totals: TableStrategy
    strategy: TableStrategy
    plans: list[Any]

    def __init__(self, rule: Rule, units: Sequence[Fraction]) -> None:
        self.rule, self.units, self.iterations = rule, [float(unit) for unit in units], 0
        self.look: Look = never
        self.seats = range(len(units))

    def iterate(self) -> None:
        """One iteration: each player's regrets and plan in turn."""
        raise NotImplementedError

    def normalized(self, given: TableStrategy) -> TableStrategy:
        """The strategy proportional to what is *given*."""
        raise NotImplementedError

    def plan(self, strategy: TableStrategy, player: int) -> Any:
        """The probability, by own play, of coming to each move or history."""
        raise NotImplementedError

    def gains(self, strategy: TableStrategy) -> list[float]:
        """What each player could gain by deviating, as a share of half the range of its payoffs."""
        raise NotImplementedError

    def best_value(self, strategy: TableStrategy, plans: list[Any], player: int) -> float:
        """The payoff of a best response to the *strategy*, as a share of half the range, from its middle."""
        raise NotImplementedError

    def nash_conv(self) -> float:
        """The gains of both players against the averages of a two-player constant-sum game, summed, in payoffs."""
        average = self.average()
        plans = [self.plan(average, player) for player in self.seats]
        return self.units[0] * sum(self.best_value(average, plans, player) for player in self.seats)

    def key(self, strategy: TableStrategy) -> bytes:
        """What moves are played, as a key."""
        raise NotImplementedError

    def support(self, strategy: TableStrategy, most: int) -> MixedSupport | None:
        """The support of the strategy; None where it has more than *most* unknowns, or leads to too much."""
        raise NotImplementedError

    def written(self, strategy: TableStrategy) -> TreeProfile | SparseProfile:
        """The strategy in fractions."""
        raise NotImplementedError

    def with_deviations(self, strategy: TableStrategy, least: float) -> TableStrategy | None:
        """The strategy with a little of the moves that gain more than *least*; None if the engine cannot."""
        return None

    def begin(self, regrets: TableStrategy, totals: TableStrategy, strategy: TableStrategy) -> None:
        """Go on from these."""
        self.regrets, self.totals, self.strategy = regrets, totals, strategy
        self.plans = [self.plan(strategy, player) for player in self.seats]

    def last(self) -> TableStrategy:
        """The strategies of the last iteration."""
        return self.strategy.copy()

    def average(self) -> TableStrategy:
        """The behavior strategies of the average plans."""
        return self.normalized(self.totals)

    def supported(self, strategy: TableStrategy, least: float) -> TableStrategy:
        """The strategy without the moves of a probability below *least*."""
        cut = [np.where(table < least, 0, table) for table in strategy.tables]
        return self.normalized(TableStrategy(cut, strategy.part))

    def with_solution(self, strategy: TableStrategy, support: MixedSupport, x: Floats) -> TableStrategy:
        """The strategy with the probabilities *x* at the unknowns of its support: their table and place in it."""
        found = strategy.copy()
        for (table, *place), p in zip(support.where, x.tolist(), strict=True):
            found.tables[table][tuple(place)] = p
        return self.normalized(found)

    def packed(self, strategy: TableStrategy) -> Arrays:
        """The strategy as arrays, for a file."""
        return {"played": flat(strategy)}

    def unpacked(self, arrays: Arrays) -> TableStrategy:
        """The strategy again. Raises ``KeyError`` and ``ValueError`` where it is none."""
        given = self.unpacked_form(arrays)
        found = read_tables(given, arrays["played"])
        for one, other in zip(found.tables, self.normalized(found).tables, strict=True):
            if not np.allclose(one, other, rtol=0, atol=1e-6):
                raise ValueError("no probabilities")
        return found

    def unpacked_form(self, arrays: Arrays) -> TableStrategy:
        """Tables in the form of those that were packed."""
        return self.totals

    def state(self) -> Arrays:
        """All that an equal engine needs to go on, but its number of iterations."""
        return {"regrets": flat(self.regrets), "totals": flat(self.totals), **self.packed(self.strategy)}

    def restore(self, arrays: Arrays) -> None:
        """Go back to a ``state``. Raises ``KeyError`` and ``ValueError`` where it does not fit."""
        strategy = self.unpacked(arrays)
        regrets = read_tables(strategy, arrays["regrets"], -MOST)
        self.begin(regrets, read_tables(strategy, arrays["totals"]), strategy)


def flat(strategy: TableStrategy) -> Floats:
    """The numbers of all tables one after the other; shape (count,)."""
    return np.concatenate([table.ravel() for table in strategy.tables])


def read_tables(form: TableStrategy, array: Floats, least: float = 0.0) -> TableStrategy:
    """Tables of this *form* from finite numbers from *least* on in an untrusted array. Raises ``ValueError``."""
    shapes = [table.shape for table in form.tables]
    sizes = list(map(prod, shapes))
    if array.shape != (sum(sizes),) or array.dtype != np.float64 or not np.all((array >= least) & (array <= MOST)):
        raise ValueError("the numbers do not fit")
    # The inverse of a tiny number is not finite.
    parts = np.split(np.where(np.abs(array) < 1 / MOST, 0, array), np.cumsum(sizes)[:-1])
    return TableStrategy([part.reshape(shape) for part, shape in zip(parts, shapes, strict=True)], form.part)
