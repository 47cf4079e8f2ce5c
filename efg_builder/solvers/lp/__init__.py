"""Linear programs: HiGHS solves the sequence form in floats, then its vertex is computed in rationals."""

from .lp import SOLVERS

__all__ = ["SOLVERS"]
