"""Double oracle: exact equilibria from a small part of the game, with or without a tree."""

from __future__ import annotations

from math import prod

from ...base.errors import ParameterError
from ...forms.extensive import GameTree
from ...games.bidding import BiddingGame
from ...games.protocol import Game
from ..lp.lp import inapplicable
from ..protocol import Found, Request, Solver
from .bidding_oracle import play
from .tree_oracle import run_on_tree

MOST_NUMBERS = 40_000_000
"""Bids times hands times hands, at most: tables of these numbers are kept in memory (six dice a side: 15 million)."""


def on_tree(tree: GameTree, request: Request) -> Found:
    """``run_on_tree``, which has no options. Raises ``ParameterError``."""
    if "master" in request.options:
        raise ParameterError("option 'master' is for games of bidding that are solved without a tree")
    return run_on_tree(tree, request)


def unplayable(game: Game) -> str | None:
    """Why *game* needs a tree to be solved, or None."""
    if not isinstance(game, BiddingGame):
        return "it is not a game of bidding"
    if len(game.players) != 2:
        return f"the game has {len(game.players)} players, not two"
    if game.constant_sum is None:
        return "the payoffs do not sum to a constant"
    if len(game.bid_names) * prod(game.hand_counts) > MOST_NUMBERS:
        return "there are too many hands"
    if game.hand_probabilities is None:
        return "the hands are not independent"
    return None


SOLVERS = (
    Solver(
        name="oracle",
        summary="double oracle: linear programs on ever larger parts of the game until no move outside improves; "
        "exact, and without a tree for games of bidding",
        source="Bosansky, Kiekintveld, Lisy and Pechoucek (JAIR 51, 2014); Koller, Megiddo and von Stengel (STOC 1994)",
        inapplicable=inapplicable,
        run=on_tree,
        options={"master": "without a tree: lp, regret, or auto (lp while one takes under 10 s; only lp is exact)"},
        brackets=True,
        stops_at_gap=True,
        keeps_state=True,
        play=play,
        unplayable=unplayable,
    ),
)
