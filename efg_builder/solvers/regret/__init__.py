"""Regret minimization: the methods ``cfr`` and ``many``, and the engines ``tree`` and ``part``."""

from . import cfr, many

SOLVERS = (*cfr.SOLVERS, *many.SOLVERS)
__all__ = ["SOLVERS"]
