"""Sweeps: every variant of a game solved, one row each in an SQLite file, resumable after a kill at any moment.

``sweeps.variants`` says which games those are, ``sweeps.store`` keeps the rows, ``sweeps.work`` is what is done for one
of them (a plain function of picklable values), ``sweeps.schedulers`` says where, ``sweeps.running`` brings these
together, and ``sweeps.table`` reads the rows back.
"""
