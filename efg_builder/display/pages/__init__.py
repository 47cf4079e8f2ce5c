"""Pages for a browser: one file each, that asks nothing of any other.

What a page shows goes in as data (``viewer.view_data``); the scripts beside it are bundled from ``src/`` by the one
command in ``package.json``.
"""
