"""Certificates: the JSON layout of a solution, and the verification of a solution from its file alone.

The check computes each player's best response to the strategies in the file over the whole game, and compares the
results with the claim. It imports no solver.
"""

from ...strategies.writing import encode, game_part
from .chain import holds_match, verify_file
from .check import (
    CHECKED_SPARSE,
    Proof,
    carried_tree,
    certified_game,
    read_refined,
    read_solved,
    read_sparse,
    verify_solution,
)
from .reading import DEFAULT_RULE, digests, strategies_part

__all__ = [
    "CHECKED_SPARSE",
    "DEFAULT_RULE",
    "Proof",
    "carried_tree",
    "certified_game",
    "digests",
    "encode",
    "game_part",
    "holds_match",
    "read_refined",
    "read_solved",
    "read_sparse",
    "strategies_part",
    "verify_file",
    "verify_solution",
]
