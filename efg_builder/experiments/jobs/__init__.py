"""Jobs that several runs share: the SQLite file (``store``), the loop (``running``) and processes (``executors``)."""
