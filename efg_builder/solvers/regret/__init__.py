"""Regret minimization: the methods ``cfr`` and ``many``, and the engines ``tree``, ``histories`` and ``growing``."""

from . import cfr, many

SOLVERS = (*cfr.SOLVERS, *many.SOLVERS)
__all__ = ["SOLVERS"]
