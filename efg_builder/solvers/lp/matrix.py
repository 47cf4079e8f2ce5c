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
from ..driver import Driver
from ..protocol import Ended, Progress, Request, TimeLimit
from .exact import ExactProgram, IntegerMatrix, exact_program, solve_nearly
from .highs import LinearProgramError

DENOMINATOR = 10**6
"""Maximum denominator of the probabilities if the basis cannot be solved exactly."""

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
    try:
        weights, prices, problem = Driver(Request(timeout, progress=progress)).complete(solve_nearly(_program(form)))
    except TimeLimit:
        return FoundMixes(None, "timeout", "HiGHS reached no optimum of the matrix within the time limit")
    except LinearProgramError as error:
        return FoundMixes(None, "failed", str(error))
    one, two = weights[: form.shape[0]].tolist(), (-prices[:-1]).tolist()
    if problem:
        one, two = exact_row(one, DENOMINATOR), exact_row(two, DENOMINATOR)
    return FoundMixes((tuple(one), tuple(two)), message=problem)


def _program(form: NormalForm) -> ExactProgram:
    """Return the program that maximizes v such that player 1's payoff against each column is at least v.

    Rows: ``x A_j - v >= 0``, then ``sum(x) = 1``. Columns: x, then v.
    """
    n, m = form.shape
    payoffs = _centered(form)
    i, j = (place.ravel() for place in np.indices((n, m)))
    entries = np.concatenate([payoffs.ravel(), np.full(m, -1, dtype=object), np.ones(n, dtype=object)])
    rows = np.concatenate([j, np.arange(m), np.full(n, m)])
    columns = np.concatenate([i, np.full(m, n), np.arange(n)])
    used = np.flatnonzero(entries != 0)
    return exact_program(
        IntegerMatrix(rows[used], columns[used], entries[used], m + 1, n + 1),
        objective=n,
        unit_row=m,
        free=np.arange(n + 1) == n,
        equal=np.arange(m + 1) == m,
        payoffs=payoffs.ravel(),
    )


def _centered(form: NormalForm) -> npt.NDArray[np.object_]:
    """Return twice player 1's payoffs, minus the sum of the largest and the smallest payoff.

    With centered payoffs, floats can distinguish large payoffs that are close together.
    """
    cells = form.cells[0].astype(object)
    centered: npt.NDArray[np.object_] = 2 * cells - (cells.min() + cells.max())
    return centered
