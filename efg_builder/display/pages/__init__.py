"""Pages for a browser: each is one self-contained file.

The contents are data (``viewer.view_data``); the scripts are bundled from ``src/`` by the command in ``package.json``.
"""
