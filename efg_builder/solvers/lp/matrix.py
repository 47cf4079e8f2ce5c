"""Optimal mixed strategies of a constant-sum normal form, by a pair of dual linear programs.

Sources: J. von Neumann, 1928 (the minimax theorem); G. B. Dantzig, "A proof of the equivalence of the programming
problem and the game problem", 1951.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from ...base.errors import NotApplicableError
from ...base.rationals import exact_row
from ...base.words import quiet
from ...forms.normal_form import NormalForm
from ..driver import Driver, Iterates
from ..protocol import Ended, Progress, Request, TimeLimit
from .exact import ExactProgram, IntegerMatrix, exact_program, solve_nearly
from .highs import LinearProgramError

DENOMINATOR = 10**6
"""Maximum denominator of the probabilities if the basis cannot be solved exactly."""

Objects = npt.NDArray[np.object_]
Flags = npt.NDArray[np.bool_]

Mix = tuple[Fraction, ...]
"""The probabilities of a player's pure strategies."""


@dataclass(frozen=True)
class FoundMixes:
    """Both players' mixed strategies (None if no optimum was found), the outcome, and the reason for the outcome."""

    mixes: tuple[Mix, Mix] | None
    ended: Ended = "done"
    message: str = ""


def solve_matrix(form: NormalForm, timeout: float | None = None, progress: Progress = quiet) -> FoundMixes:
    """Return optimal mixed strategies, or nearly optimal strategies if the basis cannot be solved exactly.

    Raises ``NotApplicableError`` if the payoffs do not sum to a constant.
    """
    if form.total is None:
        raise NotApplicableError("the linear programs on the matrix require payoffs that sum to a constant")
    payoffs = _centered(form)
    every = np.ones(form.shape[1], dtype=bool)
    try:
        one, two, problem = Driver(Request(timeout, progress=progress)).complete(_optimal(payoffs, every))
    except TimeLimit:
        return FoundMixes(None, "timeout", "HiGHS reached no optimum of the matrix within the time limit")
    except LinearProgramError as error:
        return FoundMixes(None, "failed", str(error))
    return FoundMixes((one, two), message=problem)


def best_mixture(gains: Objects, weak: bool) -> Iterates[tuple[Mix, Mix]]:
    """Return the mixture of rows with the best minimum gain; if *weak*, the best sum of gains, all of them at least 0.

    Some row of *gains* must be 0. The second mixture, of columns, proves that no mixture is better: if no mixture of
    rows has a positive minimum (*weak*: a positive sum), then no row has a positive gain against it.
    """
    if not weak:
        rows, columns, _ = yield from _optimal(gains, np.ones(gains.shape[1], dtype=bool))
        return rows, columns
    last = gains.shape[1]
    with_sums = np.concatenate([gains, gains.sum(axis=1, keepdims=True)], axis=1)
    rows, columns, _ = yield from _optimal(with_sums, np.arange(last + 1) == last)
    return rows, tuple(price + columns[last] for price in columns[:last])


def _optimal(payoffs: Objects, bounded: Flags) -> Iterates[tuple[Mix, Mix, str]]:
    """Return the solution of ``_program``, its dual solution, and the reason if they are not exact."""
    weights, prices, problem = yield from solve_nearly(_program(payoffs, bounded))
    one, two = weights[: len(payoffs)].tolist(), (-prices[:-1]).tolist()
    if problem:
        one, two = exact_row(one, DENOMINATOR), exact_row(two, DENOMINATOR)
    return tuple(one), tuple(two), problem


def _program(payoffs: Objects, bounded: Flags) -> ExactProgram:
    """Return the program that maximizes v such that the mixture x of rows gets at least v in each *bounded* column.

    In the other columns, the mixture gets at least 0. Rows: ``x A_j - v >= 0`` or ``x A_j >= 0``, then ``sum(x) = 1``.
    Columns: x, then v.
    """
    n, m = payoffs.shape
    i, j = (place.ravel() for place in np.indices((n, m)))
    (lower,) = np.nonzero(bounded)
    entries = np.concatenate([payoffs.ravel(), np.full(len(lower), -1, dtype=object), np.ones(n, dtype=object)])
    rows = np.concatenate([j, lower, np.full(n, m)])
    columns = np.concatenate([i, np.full(len(lower), n), np.arange(n)])
    used = np.flatnonzero(entries != 0)
    return exact_program(
        IntegerMatrix(rows[used], columns[used], entries[used], m + 1, n + 1),
        objective=n,
        unit_row=m,
        free=np.arange(n + 1) == n,
        equal=np.arange(m + 1) == m,
        payoffs=payoffs.ravel(),
    )


def _centered(form: NormalForm) -> Objects:
    """Return twice player 1's payoffs, minus the sum of the largest and the smallest payoff.

    With centered payoffs, floats can distinguish large payoffs that are close together.
    """
    cells = form.cells[0].astype(object)
    centered: Objects = 2 * cells - (cells.min() + cells.max())
    return centered
