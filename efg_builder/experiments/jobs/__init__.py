"""Jobs that several runs share: their SQLite file (``store``), a run's loop (``running``) and processes
(``executors``).
"""
