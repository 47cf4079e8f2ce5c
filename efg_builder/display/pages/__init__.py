"""Pages for a browser; each page is one self-contained file.

The contents are data (``viewer.view_data``). The command in ``package.json`` bundles the scripts from ``src/``.
"""
