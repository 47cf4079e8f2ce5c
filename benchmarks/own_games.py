"""Make the table of commands that take games from files, in docs/your-own-game.md.

``python benchmarks/own_games.py [--root ROOT]`` runs every command on four games and fills the table.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import shlex
import tempfile
from pathlib import Path

import frame
from efg_builder.cli import run

GAMES = tuple(f"docs/games/{name}" for name in ("river.py:River", "guts.py:Guts", "quiche.py:Quiche", "coin.py:Coin"))

COMMANDS = (
    "info GAME",
    "build GAME -o g.efg",
    "run GAME --out out",
    "solve GAME -o g.json",
    "verify g.json GAME",
    "ranges GAME",
    "matrix GAME",
    "qre GAME --timeout 5",
    "draw GAME --strategy equilibrium -o g.svg",
    "draw GAME --strategy equilibrium -o g.html",
    "report GAME -o report.html",
    "play GAME -o play.html",
    "sit GAME --players uniform,equilibrium --rounds 2 --seed 1",
    "train GAME -o g.npz",
    "evaluate GAME --strategy uniform",
    "evaluate GAME --players uniform",
    "arena GAME --players uniform,equilibrium --games 100 --workers 1",
    "sweep GAME -o g.db",
    "table g.db",
    "match GAME",
)
"""The commands; some commands read files that earlier commands write."""


def answer(command: str, game: str, root: Path) -> tuple[int, str]:
    """Run *command* on *game*; return the exit code and the last line of stderr."""
    out, err = io.StringIO(), io.StringIO()
    words = shlex.split(command.replace("GAME", str(root / game)))
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run(words)
    return code, err.getvalue().strip().rpartition("\n")[2]


def answers(root: Path) -> dict[str, dict[str, tuple[int, str]]]:
    """Return the exit code and the last line of stderr by command and game."""
    here = Path.cwd()
    found: dict[str, dict[str, tuple[int, str]]] = {command: {} for command in COMMANDS}
    for game in GAMES:
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                for command in COMMANDS:
                    found[command][game] = answer(command, game, root)
            finally:
                os.chdir(here)
    return found


def table(found: dict[str, dict[str, tuple[int, str]]]) -> list[str]:
    """Return the table of the commands that do not support all games: their exit code is not 0 for some game."""
    heads = ("command", *(Path(game.partition(":")[0]).name for game in GAMES))
    rows = [
        (f"`{command.replace(' g.', ' FILE.')}`", *("yes" if row[game][0] == 0 else "–" for game in GAMES))
        for command, row in found.items()
        if any(row[game][0] for game in GAMES)
    ]
    return frame.table(heads, rows, left=len(heads))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=Path, default=frame.ROOT, help="the root of the repository")
    given = parser.parse_args()
    found = answers(given.root)
    for command, row in found.items():
        for game, (code, said) in row.items():
            if code:
                print(f"{command}: {game}: {code}: {said}")
    frame.fill("your-own-game", {"table": table(found)}, given.root)


if __name__ == "__main__":
    main()
