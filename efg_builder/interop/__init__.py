"""Foreign formats and programs: ``.efg`` and ``.nfg`` files, Gambit, OpenSpiel."""
