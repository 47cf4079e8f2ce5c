"""Double oracles: restricted games that grow by best responses (Bosansky et al., JAIR 2014)."""

from .oracle import SOLVERS

__all__ = ["SOLVERS"]
