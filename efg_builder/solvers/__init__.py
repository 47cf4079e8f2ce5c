"""Solvers: from a game or a tree to candidate strategies. Each algorithm is one folder with a tuple ``SOLVERS``."""
