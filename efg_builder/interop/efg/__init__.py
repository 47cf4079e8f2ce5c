"""Gambit's ``.efg`` format (EFG 2)."""

from .reader import parse_efg, read_efg
from .writer import efg_chunks, portable_tree, renamed, to_efg, write_efg

__all__ = ["efg_chunks", "parse_efg", "portable_tree", "read_efg", "renamed", "to_efg", "write_efg"]
