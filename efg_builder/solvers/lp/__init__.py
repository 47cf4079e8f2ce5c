"""Linear programs: the sequence form solved in floats by HiGHS, and its vertex found exactly."""

from .lp import SOLVERS

__all__ = ["SOLVERS"]
