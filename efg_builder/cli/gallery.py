"""The gallery in ``outputs/`` and ``visualizations/``: ``python -m efg_builder.cli.gallery [FOLDER]`` makes it anew.

The files come out byte for byte the same with the same versions of the solvers, but for the times in ``.json``.
"""

from __future__ import annotations

import sys
from pathlib import Path

from . import run

RUNS: tuple[tuple[str, ...], ...] = (
    ("liars-dice", "sides=2"),
    ("liars-dice", "sides=3"),
    ("dice-poker",),
)

PUBLIC: tuple[tuple[str, ...], ...] = (
    ("liars-dice", "sides=3"),
    ("dice-poker",),
)
"""The games of which the public histories are drawn too, in a picture ``public-NAME.svg``."""


def make(folder: Path) -> None:
    """Write the whole gallery below *folder*. Raises ``RuntimeError`` where a command fails."""
    for words in RUNS:
        # No reports: they carry the viewer's scripts, so that each of them would change whenever these do.
        _do("run", *words, "--no-report", "--out", str(folder))
    for words in PUBLIC:
        name = "_".join(words).replace("=", "-")
        solution, picture = folder / "outputs" / f"{name}.json", folder / "visualizations" / f"public-{name}.svg"
        _do("draw", *words, "--solution", str(solution), "--view", "public", "-o", str(picture))


def _do(*words: str) -> None:
    code = run(words)
    if code:
        raise RuntimeError(f"efg-builder {' '.join(words)}: exit code {code}")


if __name__ == "__main__":
    make(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
