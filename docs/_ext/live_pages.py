"""The live pages of the site, made after each HTML build: *Try it*, and a game whose probabilities can be moved.

A picture after the comment ``<!-- live ADDRESS -->`` is a still of such a page: the repository shows the picture, and
the site shows the page in a frame, whose title is the picture's text.
"""

import html
import re
import runpy
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

import efg_builder as eb

BUILD = Path(__file__).parents[1] / "try" / "build.py"
GAME = "kuhn"
STILL = re.compile(r"<!-- live (\S+) -->\n!\[([^\]]*)\]\([^)]*\)")


def show(_: Sphinx, __: str, source: list[str]) -> None:
    """Put the live page in the place of its still, on a page without a list of its headings."""
    text, count = STILL.subn(
        lambda found: f'<iframe class="live" src="{html.escape(found[1])}" title="{html.escape(found[2])}"></iframe>',
        source[0],
    )
    source[0] = f"---\nhide-toc: true\n---\n{text}" if count else text


def add(app: Sphinx, failed: Exception | None) -> None:
    """Write the pages into the site."""
    if failed is None and app.builder.format == "html":
        runpy.run_path(str(BUILD))["build"](Path(app.outdir) / "try", site=True)
        eb.draw(GAME, Path(app.outdir) / f"{GAME}.html", strategy="equilibrium", view="explore")


def setup(app: Sphinx) -> dict[str, Any]:
    """Register with Sphinx."""
    app.connect("source-read", show)
    app.connect("build-finished", add)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
