"""Double oracle: exact equilibria from a small part of the game."""

from __future__ import annotations

from .lp import inapplicable
from .protocol import Solver
from .tree_oracle import run_on_tree

SOLVERS = (
    Solver(
        name="oracle",
        summary="double oracle: linear programs on ever larger parts of the game until no move outside improves; exact",
        source="Bosansky, Kiekintveld, Lisy and Pechoucek (JAIR 51, 2014); Koller, Megiddo and von Stengel (STOC 1994)",
        inapplicable=inapplicable,
        run=run_on_tree,
        brackets=True,
    ),
)
