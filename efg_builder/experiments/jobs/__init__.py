"""Work that several runs share: one file of jobs, one loop, and the processes that do the work.

``jobs.store`` gives each job in an SQLite file to one run at a time, and takes jobs back from dead runs;
``jobs.running`` is the loop of a run, and ``jobs.executors`` are the places where work is done.
"""
