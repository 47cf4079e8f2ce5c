"""Sweeps: every variant of a game solved, one row each in an SQLite file, resumable after a kill at any moment.

``sweeps.variants`` says which games those are, ``sweeps.store`` keeps the rows, ``sweeps.work`` solves one variant (a
plain function of picklable values), ``sweeps.running`` does so for all, ``sweeps.table`` reads the rows back, and
``sweeps.proving`` proves them.
"""
