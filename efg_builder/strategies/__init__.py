"""Strategies: their forms, and reading, completing and writing them. Playing and verifying are elsewhere."""

from .dense_profile import DenseProfile
from .policy import Policy, Uncovered
from .sparse_profile import SparseProfile
from .tree_profile import Strategy, TreeProfile, Written, dealt, named
from .writing import write_strategy

__all__ = [
    "DenseProfile",
    "Policy",
    "SparseProfile",
    "Strategy",
    "TreeProfile",
    "Uncovered",
    "Written",
    "dealt",
    "named",
    "write_strategy",
]
