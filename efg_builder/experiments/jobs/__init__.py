"""Work shared by several runs: a file of jobs, the loop of a run, and the processes that do the work.

``jobs.store`` assigns each job in a SQLite file to one run at a time, and reopens the jobs of dead runs.
``jobs.running`` contains the loop of a run. ``jobs.executors`` provides local processes and Dask clusters.
"""
