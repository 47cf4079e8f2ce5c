"""Make the gallery in ``outputs/`` and ``visualizations/``, and the slides in ``docs/lecture/``.

Run ``python benchmarks/gallery.py [FOLDER]``.

With the same versions of the solvers, the files are identical, except for the times in ``.json`` files.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

from efg_builder.cli import run

RUNS: tuple[tuple[str, ...], ...] = (
    ("liars-dice", "sides=2"),
    ("liars-dice", "sides=3"),
    ("dice-poker",),
)

DRAWN: Mapping[str, tuple[str, ...]] = {
    "slide-played.svg": ("liars-dice", "sides=2", "--strategy", "equilibrium", "--reach", "0", "--values", "--beliefs"),
    "public-liars-dice_sides-3.svg": ("liars-dice", "sides=3", "--strategy", "equilibrium", "--view", "public"),
    "game-liars-dice.svg": ("liars-dice", "sides=2", "--view", "public", "--all"),
    "game-kuhn.svg": ("kuhn", "--view", "public", "--all"),
    "public-dice-poker.svg": ("dice-poker", "--strategy", "equilibrium", "--view", "public"),
    "kuhn.svg": ("kuhn", "--strategy", "equilibrium"),
    "kuhn-public.svg": ("kuhn", "--strategy", "equilibrium", "--view", "public"),
    "mia.svg": ("mia", "--strategy", "equilibrium", "--reach", "0"),
    "three-players.svg": ("liars-dice", "dice=1,1,1", "sides=2", "--strategy", "equilibrium", "--view", "public"),
    "table.svg": ("liars-dice", "sides=4", "dice=2,1", "--strategy", "equilibrium", "--view", "public", "--depth", "1"),
    "sheet-leduc.svg": ("leduc", "--strategy", "equilibrium", "--view", "sheet"),
    "sheet-two-against-one.svg": (
        *("liars-dice", "sides=6", "dice=2,1", "--strategy", "equilibrium", "--view", "sheet"),
    ),
    "horse.svg": ("docs/games/horse.py", "--strategy", "equilibrium", "--values", "--beliefs"),
    "centipede.svg": ("docs/games/centipede.py", "--strategy", "equilibrium"),
    "quiche.svg": ("docs/games/quiche.py", "--strategy", "equilibrium", "--beliefs"),
    "bagwell.svg": ("docs/games/bagwell.py", "--strategy", "equilibrium"),
    "column-horse.svg": ("docs/games/horse.py", "--for", "column", "--direction", "down"),
    "column-bagwell.svg": ("docs/games/bagwell.py", "--for", "column", "--strategy", "equilibrium"),
    "page-kuhn.svg": ("kuhn", "--strategy", "equilibrium", "--for", "page", "--colors", "grey"),
}
"""More pictures of docs/gallery.md: file name and arguments of ``draw``."""

SHEET = ("draw", "kuhn", "--view", "public", "--blanks")
A4 = ("--aspect", "297:210", "--width", "1123")
SOLVED = ("--strategy", "equilibrium")
SLIDES: Mapping[str, tuple[str, ...]] = {
    "1-game": ("draw", "kuhn", "--for", "slide"),
    "2-worksheet": (*SHEET, "--for", "slide"),
    "4-equilibrium": ("draw", "kuhn", *SOLVED, "--view", "public", "--for", "slide"),
    "5-tree": ("draw", "kuhn", *SOLVED, "--values", "--for", "slide"),
    "6-sheet": ("draw", "kuhn", *SOLVED, "--view", "sheet", "--for", "slide"),
    "7-bounds": ("solve", "kuhn", "--method", "cfr", "--gap", "0.001"),
    "8-answers": (*SHEET, *SOLVED, "--for", "slide"),
}
HANDOUTS: Mapping[str, tuple[str, ...]] = {
    "worksheet": (*SHEET, *A4),
    "answers": (*SHEET, *SOLVED, *A4),
}
"""The files of docs/tutorials/lecture.md: names without endings, and commands without output files."""
LECTURE = {name: (words, (".png", ".pdf")) for name, words in SLIDES.items()}
LECTURE |= {name: (words, (".pdf", ".svg")) for name, words in HANDOUTS.items()}
"""The same commands by name, with the endings of their files."""

ROOT = Path(__file__).resolve().parents[1]


def commands(folder: Path) -> dict[str, tuple[str, ...]]:
    """Return the command that makes each picture below *folder*, by file name."""
    made: dict[str, tuple[str, ...]] = {}
    for words in RUNS:
        # Reports are omitted, because every change of the viewer's scripts would change every report.
        made["_".join(words).replace("=", "-") + ".svg"] = ("run", *words, "--no-report", "--out", str(folder))
    for name, (game, *rest) in DRAWN.items():
        path = str(ROOT / game) if game.endswith(".py") else game
        made[name] = ("draw", path, *rest, "-o", str(folder / "visualizations" / name))
    return made


def make(folder: Path) -> None:
    """Write the gallery below *folder*. Raises ``RuntimeError`` if a command fails."""
    for words in commands(folder).values():
        code = run(words)
        if code:
            raise RuntimeError(f"efg-builder {' '.join(words)}: exit code {code}")


def make_lecture(folder: Path) -> None:
    """Write the slides and handouts into *folder*. Raises ``RuntimeError`` if a command fails."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, (words, endings) in LECTURE.items():
        outputs = [word for ending in endings for word in ("-o", str(folder / f"{name}{ending}"))]
        code = run([*words, *outputs])
        if code:
            raise RuntimeError(f"efg-builder {' '.join(words)}: exit code {code}")


if __name__ == "__main__":
    root = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    make(root)
    make_lecture(root / "docs" / "lecture")
