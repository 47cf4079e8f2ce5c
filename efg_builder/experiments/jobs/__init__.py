"""Work shared by several runs: a file of jobs, the loop of a run, and the processes that do the work.

``jobs.store`` gives each job in an SQLite file to one run at a time, and takes jobs back from dead runs.
``jobs.running`` is the loop of a run. ``jobs.executors`` has local processes and Dask clusters.
"""
