"""Solvers: from a tree to candidate profiles."""
