"""Work that several runs share: the one place for files, claims, processes and progress.

``jobs.claims`` opens an SQLite file that many processes write to, says which run holds which row of it and takes rows
back from dead runs, ``jobs.executors`` (and ``jobs.dask_pool``, for clusters) says where work is done,
and ``jobs.progress`` runs the loop that joins them and estimates the time left.
"""
