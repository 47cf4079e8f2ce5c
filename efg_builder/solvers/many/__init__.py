"""Equilibria of any number of players, by regret minimisation and Newton's method."""

from .many import SOLVERS

__all__ = ["SOLVERS"]
"""The method ``many``."""
