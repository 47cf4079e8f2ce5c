"""Models of the work of the oracle, fitted to what was measured, and how wrong each is on what it was not fitted to.

A row is a game and what it took. A model says that a figure is a constant times powers of the number of bids and of
both players' hands, times a factor for each of three rules: least squares of the logarithms.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil, comb, erfc, exp, log, pi, sqrt
from statistics import median
from typing import Any

import numpy as np

Row = dict[str, Any]

TERMS = (
    *("constant", "bids", "hands of player 1", "hands of player 2"),
    *("joker", "highest wild", "by faces", "wild by faces"),
)
"""Powers of the second to fourth; factors for the rest."""

FEWEST = 1000
"""Games of fewer sequences are over in a moment, and say nothing of larger ones."""

STEPS = 200
"""Steps of the EM algorithm."""

SHARE = 0.9
"""Predictions are given with the factor that this share of them keeps to."""


@dataclass(frozen=True)
class Model:
    """``weights`` of ``TERMS``, fitted to ``rows`` games, and to ``over`` that were not done in the time they had.

    ``scatter``: a standard deviation of the residuals, as a factor. ``unseen``: the factors by which predictions are
    off for pairs of dice that were left out of the fit, one pair at a time: the median, that which 90 % keep to, and
    the worst; ``larger``: the same where the smaller half of the games predicts the larger.
    """

    weights: tuple[float, ...]
    rows: int
    over: int
    scatter: float
    unseen: tuple[float, float, float]
    larger: tuple[float, float, float]

    def to_json(self) -> dict[str, Any]:
        """Plain data, to six digits."""
        return {
            "weights": {name: _digits(weight) for name, weight in zip(TERMS, self.weights, strict=True)},
            "rows": self.rows,
            "over": self.over,
            "scatter": _digits(self.scatter),
            "unseen": [_digits(one) for one in self.unseen],
            "larger": [_digits(one) for one in self.larger],
        }


def _digits(number: float) -> float:
    return float(f"{number:.6g}")


def game(dice: Sequence[int], sides: int, rules: str = "plain", order: str = "quantity-face") -> Row:
    """A game of plain rules, with a joker, or with the highest face wild, as a row without figures."""
    one, two = (comb(count + sides - 1, count) for count in dice)
    bids = sum(dice) * (sides - (rules == "joker"))
    return {
        **{"dice": list(dice), "sides": sides, "rules": rules, "order": order},
        **{"bids": bids, "hands": [one, two], "infosets": (one + two) << (bids - 1)},
    }


def features(row: Row) -> Any:
    """The numbers that the weights of a model go with."""
    one, two = row["hands"]
    joker, highest, faces = row["rules"] == "joker", row["rules"] == "highest", row["order"] == "face-quantity"
    flags = (joker, highest, faces, faces and (joker or highest))
    return np.array([1.0, log(row["bids"]), log(one), log(two), *map(float, flags)])


def fit(rows: Sequence[Row], figure: Callable[[Row], float], over: Sequence[Row] = ()) -> Model:
    """The model of *figure* over *rows*; of the games *over* it is known only that it is more than what is there."""
    weights, spread = _least_squares(rows, figure, over)
    off: list[float] = []
    for family in sorted({tuple(row["dice"]) for row in rows}):
        parts = [
            [row for row in some if (tuple(row["dice"]) == family) == wanted]
            for some in (rows, over)
            for wanted in (True, False)
        ]
        off += _off(parts[1], parts[0], figure, parts[3])
    ordered = sorted(rows, key=lambda row: row["infosets"])
    half = len(ordered) // 2
    largest = ordered[half - 1]["infosets"]
    larger = _off(ordered[:half], ordered[half:], figure, [row for row in over if row["infosets"] <= largest])
    return Model(tuple(map(float, weights)), len(rows), len(over), exp(spread), _factors(off), _factors(larger))


def _least_squares(rows: Sequence[Row], figure: Callable[[Row], float], over: Sequence[Row]) -> tuple[Any, float]:
    """Weights, and the standard deviation of the residuals of logarithms.

    Games of which only a lower bound is known take the mean of what is above it, again and again: the EM algorithm
    for J. Tobin's model (Econometrica 26, 1958), as of A. P. Dempster, N. M. Laird and D. B. Rubin (J. R. Stat. Soc. B
    39, 1977).
    """
    table = np.array([features(row) for row in (*rows, *over)])
    least = np.array([log(figure(row)) for row in (*rows, *over)])
    known, logs, spread = len(rows), least.copy(), 0.0
    for _ in range(STEPS if over else 1):
        weights = np.linalg.lstsq(table, logs, rcond=None)[0]
        means = table @ weights
        squares = (logs - means) ** 2
        if over:
            z = (least[known:] - means[known:]) / (spread or 1.0)
            above = np.array([_above(one) for one in z])
            squares[known:] += (spread or 1.0) ** 2 * (1 + z * above - above**2)
            logs[known:] = means[known:] + (spread or 1.0) * above
        spread = float(np.sqrt(squares.sum() / (len(logs) - len(TERMS))))
    return weights, spread


def _above(z: float) -> float:
    """The mean of a standard normal number that is more than *z*."""
    tail = erfc(z / sqrt(2)) / 2
    return z if tail < 1e-12 else exp(-z * z / 2) / sqrt(2 * pi) / tail


def _off(
    seen: Sequence[Row], unseen: Sequence[Row], figure: Callable[[Row], float], over: Sequence[Row]
) -> list[float]:
    weights, _ = _least_squares(seen, figure, over)
    return [abs(float(features(row) @ weights) - log(figure(row))) for row in unseen]


def _factors(logs: Sequence[float]) -> tuple[float, float, float]:
    ordered = sorted(logs)
    return exp(median(ordered)), exp(ordered[ceil(SHARE * len(ordered)) - 1]), exp(ordered[-1])


def power(points: Sequence[tuple[float, float]]) -> tuple[float, float, float]:
    """y = c x^e: the exponent e, the constant c, and the standard deviation of the residuals as a factor."""
    table = np.array([[log(x), 1.0] for x, _ in points])
    logs = np.array([log(y) for _, y in points])
    (exponent, constant), *_ = np.linalg.lstsq(table, logs, rcond=None)
    residuals = logs - table @ np.array([exponent, constant])
    return float(exponent), exp(constant), exp(float(np.sqrt(residuals @ residuals / max(1, len(points) - 2))))


def two_costs(points: Sequence[tuple[float, float, float]]) -> tuple[float, float, float]:
    """y = a x1 + b x2, neither below 0, by least squares of the relative errors: a, b and the median factor off."""
    table = np.array([[one / y, two / y] for one, two, y in points])
    a, b = np.linalg.lstsq(table, np.ones(len(points)), rcond=None)[0]
    if a < 0 or b < 0:
        column = 0 if b < 0 else 1
        only = float(table[:, column].sum() / (table[:, column] ** 2).sum())
        a, b = (only, 0.0) if column == 0 else (0.0, only)
    off = [abs(log(float(row @ np.array([a, b])))) for row in table]
    return float(a), float(b), exp(median(off))


def exact_rows(rows: Sequence[Row]) -> list[Row]:
    """Those that the oracle solved exactly, and that are not over in milliseconds."""
    return [row for row in rows if row["exact"] and row["method"] == "oracle" and row["sequences"] >= FEWEST]


BASE_MIB = 70.0
"""A process with all libraries loaded, before it solves anything."""


def memory(row: Row) -> float:
    """Bytes above that for each sequence."""
    return float((row["peak_mib"] - BASE_MIB) * 2**20 / row["sequences"])


def by_programs(rows: Sequence[Row]) -> list[Row]:
    """Exact games that are large enough for memory to tell."""
    return [row for row in exact_rows(rows) if row["sequences"] > 5000]


def by_regrets(rows: Sequence[Row]) -> list[Row]:
    """Those that ended as brackets while regrets were minimised."""
    return [row for row in rows if not row["exact"] and (row["sequences"] or 0) > 100_000]


def bytes_each(rows: Sequence[Row]) -> dict[str, float]:
    """The median of ``memory`` for both ways to solve restricted games."""
    ways = (("linear programs", by_programs(rows)), ("regret minimisation", by_regrets(rows)))
    return {name: _digits(median(map(memory, some))) for name, some in ways}


FIGURES: dict[str, Callable[[Row], float]] = {
    "sequences": lambda row: float(row["sequences"]),
    "seconds": lambda row: max(float(row["seconds"]), 0.01),
    "certificate bytes": lambda row: float(row["certificate_bytes"]),
    "seconds to prove": lambda row: max(float(row["proof_seconds"]), 0.001),
}
"""What is modelled."""


def models(rows: Sequence[Row]) -> dict[str, Model]:
    """A model of each figure, from the games that were solved exactly."""
    there = exact_rows(rows)
    over = [row for row in rows if row["method"] == "oracle" and not row["exact"]]
    return {
        name: fit([row for row in there if _known(row, figure)], figure, over if name == "seconds" else ())
        for name, figure in FIGURES.items()
    }


def said(weights: dict[str, float], row: Row) -> float:
    """What the model of these weights says of a game."""
    return float(exp(features(row) @ np.array([weights[name] for name in TERMS])))


def _known(row: Row, figure: Callable[[Row], float]) -> bool:
    try:
        return figure(row) > 0
    except TypeError:
        return False
