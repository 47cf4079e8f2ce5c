"""Foreign formats and programs: ``.efg``, ``.nfg`` and ``.ef`` files, Gambit, OpenSpiel."""
