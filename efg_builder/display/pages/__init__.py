"""Pages for a browser; each page is one self-contained file. The command in ``package.json`` bundles their scripts."""
