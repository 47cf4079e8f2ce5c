"""What a strategy is: its forms, and how it is read, completed and written. Nobody plays or judges here."""

from .dealt_profile import DealtProfile, dealt
from .dense_profile import DenseProfile
from .policy import Policy, Uncovered
from .protocol import Strategy, Written, named
from .reading import read_strategy
from .sparse_profile import SparseProfile
from .tree_profile import TreeProfile
from .writing import write_strategy

__all__ = [
    "DealtProfile",
    "DenseProfile",
    "Policy",
    "SparseProfile",
    "Strategy",
    "TreeProfile",
    "Uncovered",
    "Written",
    "dealt",
    "named",
    "read_strategy",
    "write_strategy",
]
