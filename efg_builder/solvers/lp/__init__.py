"""Linear programs of the sequence form: HiGHS finds an optimal basis, which is then solved exactly."""

from .lp import SOLVERS

__all__ = ["SOLVERS"]
