"""Double oracle: exact equilibria of bidding games, computed from a small part of the game, without a tree.

``search`` contains the algorithm; read it first.
"""

from __future__ import annotations

from dataclasses import replace

from ..protocol import Solver
from .search import OPTIONS, SOLVES, SOURCE, run_by_rules

SOLVERS = (
    Solver(
        name="oracle",
        summary="double oracle for bidding games: solves growing restricted games as linear programs until no best "
        "response gains; exact",
        source=SOURCE,
        solves=replace(SOLVES, instead="lp", resumes=True),
        parameters=OPTIONS,
        run_by_rules=run_by_rules,
    ),
)
