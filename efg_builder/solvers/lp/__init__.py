"""Linear programs. HiGHS solves the sequence form in floats, and the optimal vertex is then computed in rationals."""

from .lp import SOLVERS

__all__ = ["SOLVERS"]
