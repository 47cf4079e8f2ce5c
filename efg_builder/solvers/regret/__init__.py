"""Regret minimisation: one set of rules and engines, and two methods that drive them.

In reading order: ``rules``; the engines: ``tree``, and of bidding games, ``bidding``, over all histories, and
``growing``, over those that play leads to; ``cfr``, two players, to a gap; ``many``, any number of players, with
``newton`` and ``state``, its checkpoint.
"""

from . import cfr, many

SOLVERS = (*cfr.SOLVERS, *many.SOLVERS)
"""The methods ``cfr`` and ``many``."""

__all__ = ["SOLVERS"]
