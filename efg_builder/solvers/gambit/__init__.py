"""Gambit's routines, each in a process of its own, and Gambit as the master of a double oracle."""

from . import oracle, routines

SOLVERS = (*routines.SOLVERS, *oracle.SOLVERS)
