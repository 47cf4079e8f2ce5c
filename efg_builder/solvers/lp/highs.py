"""Solve linear programs in floating point with HiGHS' simplex method. No other module imports highspy.

Without highspy, SciPy's copy of HiGHS solves the program, and ``basis`` finds a basis of its solution.

Q. Huangfu and J. A. J. Hall, "Parallelizing the dual revised simplex method", Math. Prog. Comp. 10 (2018).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ..driver import STEP, Iterate, Iterates
from ..protocol import TimeLimit
from .basis import optimal_basis

if TYPE_CHECKING:
    import highspy
    import scipy

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Program:
    """Maximize ``cost @ x`` subject to ``row_lower <= matrix @ x <= row_upper`` and ``x >= lower``.

    Each row is an equation, or has no upper bound.
    """

    matrix: scipy.sparse.csc_matrix
    cost: Floats
    lower: Floats
    row_lower: Floats
    row_upper: Floats


@dataclass(frozen=True)
class Vertex:
    """An optimal vertex: the columns' values, the rows' dual values, and flags of the basic columns and rows.

    A row is basic if its slack is basic. The dual value of a row is the increase in the maximum per unit of its
    right-hand side.
    """

    values: Floats
    duals: Floats
    basic_columns: npt.NDArray[np.bool_]
    basic_rows: npt.NDArray[np.bool_]


class LinearProgramError(Exception):
    """HiGHS returned no optimal vertex."""


class TooSlow(Exception):
    """The linear program takes longer than the algorithm allows, or it is too large."""


SIMPLEX: Mapping[str, str | float] = {
    "solver": "simplex",
    "primal_feasibility_tolerance": 1e-9,
    "dual_feasibility_tolerance": 1e-9,
}

SCIPY_OPTIMAL, SCIPY_LIMIT, SCIPY_UNCLEAR = 0, 1, (3, 4)
"""The statuses of ``scipy.optimize.linprog``: an optimum, the time limit, and an unbounded or unknown program."""


def maximize(
    program: Program, start: Vertex | None = None, *, patience: float | None = None, prefix: str = ""
) -> Iterates[Vertex]:
    """Return an optimal vertex; begin at the basis of *start*. Raises ``LinearProgramError``.

    *patience*: the number of seconds after which ``TooSlow`` is raised. *prefix*: the beginning of the lines of
    progress.
    """
    began, solve = time.monotonic(), _by_scipy if find_spec("highspy") is None else _by_highspy
    # With presolve, HiGHS calls some degenerate programs unbounded; without presolve, it solves them.
    for presolve in (True, False):
        left = yield STEP
        rest = inf if patience is None else patience - (time.monotonic() - began)
        seconds = max(rest if left is None else min(left, rest), 0.01)
        try:
            return (yield from solve(program, start, presolve, seconds, prefix))
        except UnclearError:
            if not presolve:
                raise
        except _Late:
            yield STEP  # raises ``TimeLimit`` if it came first
            raise (TimeLimit if patience is None else TooSlow) from None
    raise AssertionError


class UnclearError(LinearProgramError):
    """HiGHS found no optimum, but perhaps it does so without presolve."""


class _Late(Exception):
    """HiGHS reached its time limit."""


# --- highspy


def _by_highspy(
    program: Program, start: Vertex | None, presolve: bool, seconds: float, prefix: str
) -> Iterates[Vertex]:
    import highspy

    kinds = highspy.HighsModelStatus
    solver = _solver(program, {**SIMPLEX, "presolve": "choose" if presolve else "off"}, seconds)
    if start is not None:
        _check(solver.setBasis(_basis(program, start)), "the basis")
    yield from _run(solver, prefix)
    status = solver.getModelStatus()
    if status == kinds.kTimeLimit:
        raise _Late
    if status != kinds.kOptimal:
        unclear = status in (kinds.kUnbounded, kinds.kUnboundedOrInfeasible, kinds.kUnknown)
        raise (UnclearError if unclear else LinearProgramError)(f"HiGHS: {solver.modelStatusToString(status)}")
    solution, basis = solver.getSolution(), solver.getBasis()
    basic = highspy.HighsBasisStatus.kBasic
    return Vertex(
        np.array(solution.col_value),
        -np.array(solution.row_dual),
        np.array([s == basic for s in basis.col_status], dtype=bool),
        np.array([s == basic for s in basis.row_status], dtype=bool),
    )


def _silent() -> highspy.Highs:
    """Return a solver without output. Since version 1.16, HiGHS prints its version when callbacks are enabled."""
    import highspy

    class Silent(highspy.Highs):
        def enableCallbacks(self) -> None:  # the last call in the constructor
            self.setOptionValue("output_flag", False)
            super().enableCallbacks()  # type: ignore[no-untyped-call]

    return Silent()  # type: ignore[no-untyped-call]


def _solver(program: Program, options: Mapping[str, str | float], seconds: float) -> highspy.Highs:
    solver = _silent()
    for option, value in (
        *(("output_flag", False), ("small_matrix_value", 1e-12), ("time_limit", seconds)),
        *options.items(),
    ):
        _check(solver.setOptionValue(option, value), f"option {option}={value}")
    # A warning means that HiGHS dropped tiny entries. The exact check of the solution detects any resulting error.
    _check(solver.passModel(_model(program)), "the program", allowed=("kOk", "kWarning"))
    return solver


def _model(program: Program) -> highspy.HighsLp:
    import highspy

    lp = highspy.HighsLp()
    rows, columns = program.matrix.shape
    lp.num_row_, lp.num_col_ = rows, columns
    # Minimize the negated objective: in maximization, the signs of HiGHS' dual values depend on the way in which HiGHS
    # ends.
    lp.sense_ = highspy.ObjSense.kMinimize
    lp.col_cost_, lp.col_lower_ = -program.cost, program.lower
    lp.col_upper_ = np.full(columns, np.inf)
    lp.row_lower_, lp.row_upper_ = program.row_lower, program.row_upper
    lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    lp.a_matrix_.start_ = program.matrix.indptr
    lp.a_matrix_.index_ = program.matrix.indices
    lp.a_matrix_.value_ = program.matrix.data
    return lp


def _basis(program: Program, start: Vertex) -> highspy.HighsBasis:
    import highspy

    status = highspy.HighsBasisStatus
    away = [status.kZero if bound == -np.inf else status.kLower for bound in program.lower]
    basis = highspy.HighsBasis()
    basis.col_status = [status.kBasic if b else other for b, other in zip(start.basic_columns, away, strict=True)]
    basis.row_status = [status.kBasic if b else status.kLower for b in start.basic_rows]
    basis.valid = True
    return basis


def _run(solver: highspy.Highs, prefix: str) -> Iterates[None]:
    """Run the solver in a separate thread, so that the time limit and Ctrl-C take effect at HiGHS' next step."""
    began, stop, steps = time.monotonic(), threading.Event(), 0
    last = began
    failed: list[BaseException] = []

    def at_each_step(event: Any) -> None:
        nonlocal steps
        if stop.is_set():
            event.interrupt()
        steps = event.data_out.simplex_iteration_count

    solver.cbSimplexInterrupt.subscribe(at_each_step)

    def solve() -> None:
        try:
            solver.run()
        except BaseException as error:  # the calling thread raises the error again
            failed.append(error)

    thread = threading.Thread(target=solve, daemon=True)
    try:
        thread.start()
    except RuntimeError:  # there are no threads, e.g. in a browser
        solver.run()
        return
    try:
        while thread.is_alive():
            thread.join(0.01)
            now = time.monotonic()
            if now - last >= 0.25 and steps:
                last = now
                yield Iterate(f"{prefix}linear program: {max(steps, 0):,} steps, {now - began:.0f} s")
            elif thread.is_alive():
                yield STEP
    except BaseException:
        stop.set()
        thread.join(5)
        raise
    if failed:
        raise failed[0]


def _check(status: object, what: str, allowed: tuple[str, ...] = ("kOk",)) -> None:
    # If a call fails, HiGHS continues silently, so every return code is checked.
    if getattr(status, "name", "") not in allowed:
        raise LinearProgramError(f"HiGHS rejected {what}")


# --- SciPy


def _by_scipy(program: Program, start: Vertex | None, presolve: bool, seconds: float, prefix: str) -> Iterates[Vertex]:
    """Use the HiGHS in SciPy, which takes no basis and returns none, and shows no progress."""
    from scipy.optimize import linprog

    yield Iterate(f"{prefix}linear program")
    matrix, lower = program.matrix, program.lower
    equal = program.row_lower == program.row_upper
    tolerances = {key: value for key, value in SIMPLEX.items() if key.endswith("_tolerance")}
    found = linprog(
        -program.cost,
        A_ub=-matrix[~equal],
        b_ub=-program.row_lower[~equal],
        A_eq=matrix[equal],
        b_eq=program.row_lower[equal],
        bounds=np.stack([lower, np.full(len(lower), np.inf)], axis=1),
        method="highs-ds",
        options={"presolve": presolve, "time_limit": seconds, **tolerances},
    )
    if found.status == SCIPY_LIMIT:
        raise _Late
    if found.status != SCIPY_OPTIMAL:
        raise (UnclearError if found.status in SCIPY_UNCLEAR else LinearProgramError)(f"HiGHS: {found.message}")
    duals = np.empty(len(equal))
    duals[~equal], duals[equal] = found.ineqlin.marginals, -found.eqlin.marginals
    moved = np.abs(found.x - np.where(np.isfinite(lower), lower, 0.0))
    loose = np.where(equal, 0.0, matrix @ found.x - program.row_lower)
    prices = program.cost - matrix.T @ duals
    columns, rows = optimal_basis(matrix, moved, np.abs(prices), loose, np.abs(duals), np.isinf(lower))
    return Vertex(found.x, duals, columns, ~rows)
