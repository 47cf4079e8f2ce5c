"""Solvers: from a game or a tree to candidate strategies. Each algorithm is a file or folder with a tuple ``SOLVERS``."""
