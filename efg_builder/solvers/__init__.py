"""Solvers: from a game or tree to candidate strategies. Each algorithm is a file or folder with a tuple ``SOLVERS``."""
