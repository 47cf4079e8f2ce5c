"""Gambit's routines, each in its own process, and a double oracle whose restricted games Gambit solves."""

from . import oracle, routines

SOLVERS = (*routines.SOLVERS, *oracle.SOLVERS)
