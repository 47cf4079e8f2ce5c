"""Regret matching: how regrets add up, what the next strategy is proportional to, how much later plans weigh.

M. Zinkevich, M. Johanson, M. Bowling and C. Piccione, "Regret minimization in games with incomplete information", NIPS
2007, is where counterfactual regret comes from; each rule names its own source. What both engines share stands here:
``RULES``, the rules by name; ``rational`` and ``exact_row``, from probabilities in floats to fractions.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[Any]
"""Floats of 32 or 64 bits."""

Exact = Callable[[tuple[float, ...]], tuple[Fraction, ...]]
"""What makes fractions of the probabilities of a row."""

GRAIN = 2**40
"""The denominator to which probabilities are rounded."""

SIMPLE, NEAR = 1_000, 1e-13
"""Denominators that are looked for first, up to; and how near a float is to such a fraction that is taken for it: that
happens by chance once in ten million."""

LEAST = 1e-12
"""Realization weights up to this count as zero; in large games more is left out."""


@dataclass(frozen=True)
class Rule:
    """A rule of regret minimisation.

    ``match(regrets, gained, t)`` adds to *regrets*, in place, what each action *gained* over the strategy in
    iteration *t* (from 1 on), and returns what the next strategy is proportional to, at least 0; *gained* may
    be overwritten. In the average, the plan of iteration t weighs ``t ** power``.
    """

    name: str
    source: str
    power: float
    match: Callable[[Floats, Floats, int], Floats]


def _cut_off(regrets: Floats, gained: Floats, t: int) -> Floats:
    """Regrets never fall below zero."""
    regrets += gained
    return np.maximum(regrets, 0, out=regrets)


def _discounted(regrets: Floats, gained: Floats, t: int) -> Floats:
    """Old regrets are discounted, the negative ones faster: alpha = 1.5, beta = 0."""
    weight = (t - 1) ** 1.5
    regrets *= np.where(regrets > 0, regrets.dtype.type(weight / (weight + 1)), regrets.dtype.type(0.5))
    regrets += gained
    return np.maximum(regrets, 0, out=gained)


def _forgiving(regrets: Floats, gained: Floats, t: int) -> Floats:
    """Negative regrets are forgotten in the next iteration."""
    weight = (t - 1) ** 2.0
    regrets *= np.where(regrets > 0, regrets.dtype.type(weight / (weight + 1)), regrets.dtype.type(0.0))
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
        Rule(
            "cfr+",
            "O. Tammelin, N. Burch, M. Johanson and M. Bowling, IJCAI 2015",
            2.0,
            _cut_off,
        ),
        Rule(
            "dcfr",
            "N. Brown and T. Sandholm, AAAI 2019: discounted CFR with alpha 1.5, beta 0, gamma 2",
            2.0,
            _discounted,
        ),
        Rule(
            "dcfr2",
            "N. Brown and T. Sandholm, AAAI 2019: discounted CFR with alpha 2, beta minus infinity, gamma 2",
            2.0,
            _forgiving,
        ),
        Rule(
            "pcfr+",
            "G. Farina, C. Kroer and T. Sandholm, AAAI 2021: predictive CFR+",
            2.0,
            _predictive,
        ),
    )
}
"""All rules by name. CFR+ averages with weights t in its source; t squared was never worse in our measurements."""


def rational(row: tuple[float, ...]) -> tuple[Fraction, ...]:
    """Probabilities in parts of ``GRAIN`` that sum to exactly 1: the largest takes what rounding leaves."""
    parts = np.rint(np.array(row) * GRAIN).astype(np.int64)
    parts[parts.argmax()] += GRAIN - parts.sum()
    return tuple(Fraction(int(part), GRAIN) for part in parts)


@lru_cache(maxsize=100_000)
def exact_row(row: tuple[float, ...]) -> tuple[Fraction, ...]:
    """The probabilities of *row*, which sum to about 1, in fractions.

    Simple ones where all are within ``NEAR`` of such that sum to 1; else just the floats, and the largest takes what
    is left to 1.
    """
    simple = [Fraction(p).limit_denominator(SIMPLE) for p in row]
    if sum(simple) == 1 and all(abs(float(q) - p) <= NEAR for q, p in zip(simple, row, strict=True)):
        return tuple(simple)
    found = [Fraction(p) for p in row]
    largest = max(range(len(found)), key=found.__getitem__)
    found[largest] += 1 - sum(found)
    return tuple(found)
