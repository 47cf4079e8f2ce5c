"""Regret minimisation: CFR+, discounted and predictive, over arrays of a game of bidding or over a tree."""

from .cfr import SOLVERS

__all__ = ["SOLVERS"]
