"""Double oracle: exact equilibria of bidding games, computed from a small part of the game, without a tree.

``search`` contains the algorithm; read it first.
"""

from __future__ import annotations

from functools import partial

from ...forms.bidding_form import no_integer_form
from ..protocol import Solver, no_tree, only_without_tree
from .search import OPTIONS, run_by_rules

SOLVERS = (
    Solver(
        name="oracle",
        summary="double oracle for bidding games: solves growing restricted games as linear programs until no best "
        "response gains; exact",
        source="Bosansky, Kiekintveld, Lisy and Pechoucek (JAIR 51, 2014); Koller, Megiddo and von Stengel (STOC 1994)",
        inapplicable=partial(only_without_tree, instead="lp"),
        run=no_tree,
        parameters=OPTIONS,
        brackets=True,
        stops_at_gap=True,
        keeps_state=True,
        run_by_rules=run_by_rules,
        needs_tree=no_integer_form,
    ),
)
