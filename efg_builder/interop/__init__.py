"""Other formats and programs: ``.efg``, ``.nfg`` and ``.ef`` files, Gambit and OpenSpiel."""
