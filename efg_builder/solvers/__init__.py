"""Solvers, which compute strategies for a game or tree. Each algorithm is a file or folder with a tuple ``SOLVERS``."""
