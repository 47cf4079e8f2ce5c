"""Sweeps: every variant of a game solved, one row each in an SQLite file, resumable after a kill at any moment.

:mod:`.variants` says which games those are, :mod:`.store` keeps the rows, :mod:`.work` is what is done for one
of them (a plain function of picklable values), :mod:`.schedulers` says where, :mod:`.running` brings these together,
and :mod:`.table` reads the rows back.
"""
