"""Double oracles: exact equilibria from a small part of the game, with or without a tree.

Restricted games grow by best responses over the whole game (Bosansky et al., JAIR 2014).

Without a tree, for games of bidding (``solvers.bidding_model``), in reading order: ``support``, the restricted game
and the plans on it; ``master``, its linear program; ``response``, best responses over the whole game, and
``compiled_response``; ``regret``, the restricted game by regret minimisation, and ``kernel``, that compiled; ``state``,
the bracket and its checkpoint; ``search``, the algorithm.
On a tree (``solvers.tree_model``): ``tree``.
"""

from __future__ import annotations

from ...base.errors import ParameterError
from ...forms.extensive import GameTree
from ..bidding_model import unplayable
from ..protocol import Found, Request, Solver, two_player_constant_sum_with_recall
from .search import OPTIONS, play
from .tree import run_on_tree


def on_tree(tree: GameTree, request: Request) -> Found:
    """``run_on_tree``, which has no options. Raises ``ParameterError``."""
    for name in request.options:
        raise ParameterError(f"option {name!r} is for games of bidding that are solved without a tree")
    return run_on_tree(tree, request)


SOLVERS = (
    Solver(
        name="oracle",
        summary="double oracle: linear programs on ever larger parts of the game until no move outside improves; "
        "exact, and without a tree for games of bidding",
        source="Bosansky, Kiekintveld, Lisy and Pechoucek (JAIR 51, 2014); Koller, Megiddo and von Stengel (STOC 1994)",
        inapplicable=two_player_constant_sum_with_recall,
        run=on_tree,
        parameters=OPTIONS,
        brackets=True,
        stops_at_gap=True,
        keeps_state=True,
        play=play,
        unplayable=unplayable,
    ),
)
