"""Regret minimization: engines (``tree``; ``histories`` and ``growing`` for bidding games) and two methods."""

from . import cfr, many

SOLVERS = (*cfr.SOLVERS, *many.SOLVERS)
__all__ = ["SOLVERS"]
