"""Sweeps: the solutions of all variants of a game, one row each in an SQLite file, resumable at any moment.

``sweeps.variants`` lists the games, ``sweeps.store`` has the file, ``sweeps.work`` solves one variant (a plain function
of picklable values), ``sweeps.running`` solves all, ``sweeps.table`` reads the rows, and ``sweeps.proving`` proves
them.
"""
