"""Strategies in several representations: conversion, reading and writing."""

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
