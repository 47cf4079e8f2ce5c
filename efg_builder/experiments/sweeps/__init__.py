"""Sweeps: the solutions of all variants of a game, one row each in a SQLite file. A sweep can be resumed at any time.

``sweeps.variants`` lists the games. ``sweeps.store`` defines the file. ``sweeps.work`` solves one variant with a
function that any executor can run. ``sweeps.running`` solves all variants. ``sweeps.table`` reads the rows, and
``sweeps.proving`` proves them.
"""
