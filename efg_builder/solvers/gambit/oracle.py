"""Double oracle with Gambit: its exact routines, on small games, find exact equilibria of large ones."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from ...forms.extensive import GameTree
from ..lp.lp import inapplicable
from ..oracle.tree_oracle import SHARE, Phase, run_phases
from ..oracle.tree_oracle_masters import Master, gambit
from ..protocol import Found, Request, Solver
from .options import Option, read_options

ROUTINES: Mapping[str, Master] = {"gambit-lp": gambit("lp_solve"), "gambit-lcp": gambit("lcp_solve")}
"""What solves the restricted games, by the names of the methods that run the same routines on whole games."""


def routine(text: str) -> str:
    """Reads the name of a routine."""
    if text not in ROUTINES:
        raise ValueError(f"must be {' or '.join(ROUTINES)}")
    return text


OPTIONS = {"routine": Option(routine, "what solves the restricted games: gambit-lp (default) or gambit-lcp")}


def run(tree: GameTree, request: Request) -> Found:
    """One exact equilibrium, or what ``run_phases`` gives where it ends before.

    Raises ``ParameterError`` for its options before it starts.
    """
    chosen = read_options("gambit-oracle", OPTIONS, request.options).get("routine", "gambit-lp")
    return run_phases(tree, request, [Phase(ROUTINES[chosen], SHARE, Fraction(0), exact=True)])


SOLVERS = (
    Solver(
        name="gambit-oracle",
        summary="double oracle: Gambit solves ever larger parts of the game until no move outside improves; exact",
        source="Bosansky, Kiekintveld, Lisy and Pechoucek (JAIR 51, 2014); Koller, Megiddo and von Stengel (STOC 1994)",
        inapplicable=inapplicable,
        run=run,
        options={key: option.help for key, option in OPTIONS.items()},
        brackets=True,
        stops_at_gap=True,
    ),
)
