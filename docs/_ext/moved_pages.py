"""Pages at the addresses of removed pages. Each leads to the page that has its text now, so that old links work."""

from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.util.osutil import relative_uri

MOVED = {
    "explanation": "index#explanation",
    "results": "index#results",
    "which-command": "howto/index",
    "howto/checker": "proof#without-this-package",
    "howto/finish-for-gambit": "from-gambit#solve-a-game-that-gambit-does-not-finish",
    "howto/match": "matches",
    "howto/measure": "strategies",
    "howto/own-solver": "python#a-solver-of-your-own",
    "howto/play": "play",
    "howto/sweep": "sweeps",
    "tutorials/index": "index#tutorials",
    "tutorials/many-players": "many-players",
}
"""Each removed page, and the page that has its text."""

PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="description" content="This page has moved.">
<meta http-equiv="refresh" content="0; url={address}">
<link rel="canonical" href="{address}">
<title>This page has moved</title>
{script}</head>
<body><p>This page has moved: <a href="{address}">{address}</a></p></body>
</html>
"""


def add(app: Sphinx, failed: Exception | None) -> None:
    """Write the pages into the site."""
    if failed is None and app.builder.format == "html":
        for old, new in MOVED.items():
            page, mark, part = new.partition("#")
            path = Path(app.outdir, f"{old}.html")
            path.parent.mkdir(parents=True, exist_ok=True)
            address = relative_uri(f"{old}.html", f"{page}.html") + mark + part
            # A link to a heading leads to the heading, if the new page has it.
            script = "" if part else f'<script>location.replace("{address}" + location.hash)</script>\n'
            path.write_text(PAGE.format(address=address, script=script), "utf-8")


def setup(app: Sphinx) -> dict[str, Any]:
    """Register with Sphinx."""
    app.connect("build-finished", add)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
