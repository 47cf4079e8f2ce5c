"""The page *Try it*, ``try/index.html``, made after each HTML build."""

import runpy
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

BUILD = Path(__file__).parents[1] / "try" / "build.py"


def add(app: Sphinx, failed: Exception | None) -> None:
    """Write the page into the site."""
    if failed is None and app.builder.format == "html":
        runpy.run_path(str(BUILD))["build"](Path(app.outdir) / "try", site=True)


def setup(app: Sphinx) -> dict[str, Any]:
    """Register with Sphinx."""
    app.connect("build-finished", add)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
