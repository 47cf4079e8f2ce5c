"""Gambit's routines, each in its own process, and a double oracle in which Gambit solves the restricted games."""

from . import oracle, routines

SOLVERS = (*routines.SOLVERS, *oracle.SOLVERS)
