"""Double oracle: exact equilibria of bidding games, computed from a small part of the game, without a tree.

``search`` contains the algorithm; read it first.
"""

from __future__ import annotations

from ...forms.bidding_form import no_integer_form
from ..protocol import Solver, Solves
from .search import OPTIONS, run_by_rules

SOLVERS = (
    Solver(
        name="oracle",
        summary="double oracle for bidding games: solves growing restricted games as linear programs until no best "
        "response gains; exact",
        source="Bosansky, Kiekintveld, Lisy and Pechoucek (JAIR 51, 2014); Koller, Megiddo and von Stengel (STOC 1994)",
        solves=Solves(
            players=2,
            constant_sum=True,
            limit_by_rules=no_integer_form,
            instead="lp",
            exact=False,
            stops_at_gap=True,
            resumes=True,
        ),
        parameters=OPTIONS,
        run_by_rules=run_by_rules,
    ),
)
