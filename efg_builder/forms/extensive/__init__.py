"""Game trees: building, checking, measuring."""

from .build import MAX_NODES, build, tile, walk
from .checks import constant_sum, has_perfect_recall, payoff_range, problems
from .model import CHANCE, NONE, TERMINAL, GameTree, Infoset, Outcome

__all__ = [
    "CHANCE",
    "MAX_NODES",
    "NONE",
    "TERMINAL",
    "GameTree",
    "Infoset",
    "Outcome",
    "build",
    "constant_sum",
    "has_perfect_recall",
    "payoff_range",
    "problems",
    "tile",
    "walk",
]
