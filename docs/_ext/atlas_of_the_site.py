"""The atlas of the 270 variants, ``atlas/index.html``, made after each HTML build.

A second build into the same folder makes only missing pages. ``-D atlas=0`` omits the atlas.
"""

from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.util.display import progress_message

from efg_builder.display.pages.atlas import write_atlas

SWEEP = Path(__file__).parents[2] / "outputs" / "liars-dice-variants.db"


def add(app: Sphinx, failed: Exception | None) -> None:
    """Write the atlas into the site."""
    if failed is None and app.builder.format == "html" and app.config.atlas:
        with progress_message("making the atlas"):
            write_atlas(SWEEP, Path(app.outdir) / "atlas")


def setup(app: Sphinx) -> dict[str, Any]:
    """Register with Sphinx."""
    app.add_config_value("atlas", True, "", bool)
    app.connect("build-finished", add)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
