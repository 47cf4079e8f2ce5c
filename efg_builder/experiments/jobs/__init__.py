"""Work that several runs share: one file of jobs, one loop, and the processes that do the work.

``jobs.store`` opens an SQLite file to which many processes write; it gives each job to one run at a time and takes jobs
back from dead runs. ``jobs.running`` is the loop of a run. ``jobs.executors`` (and ``jobs.dask_pool``, for clusters)
are the places where work is done. Sweeps and arenas use them.
"""
