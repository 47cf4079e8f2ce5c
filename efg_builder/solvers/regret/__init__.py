"""Regret minimisation: one set of rules and engines, and two methods that drive them.

In reading order: ``engine``, what all engines share; ``tree``; of bidding games, ``bidding``, over all histories, and
``growing``, over those that play leads to; ``cfr``, two players, to a gap; ``many``, any number of players, with
``newton``.
"""

from . import cfr, many

SOLVERS = (*cfr.SOLVERS, *many.SOLVERS)
"""The methods ``cfr`` and ``many``."""

__all__ = ["SOLVERS"]
