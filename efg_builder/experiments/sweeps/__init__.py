"""Sweeps: the solutions of all variants of a game, one row each in a SQLite file. A sweep can be resumed at any time.

``variants`` lists the games, ``store`` defines the file, and ``work`` solves one variant. ``running`` solves all
variants, ``table`` reads the rows, and ``proving`` verifies them.
"""
