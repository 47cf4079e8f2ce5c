"""Measure the oracle and make ``docs/oracle.md`` anew: ``python docs/measure.py``.

Each game of ``oracle_games.py`` is solved within a time limit in a process of its own, its certificate is
proved in another, and what that came to stands in ``oracle.json`` at once, so that a run can be broken off and
gone on with (``--missing``). What is not run again stays, and a wider bracket never replaces a narrower one
unless ``--force`` is given. In the end the page and its plots are made (``--render``: only that).
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from fnmatch import fnmatch
from fractions import Fraction
from pathlib import Path
from typing import Any

from oracle_games import GAMES, Measured

from efg_builder.base.files import write_atomically
from efg_builder.proof.certificate import encode

DOCS = Path(__file__).parent

KEPT_BYTES = 300_000
"""Larger certificates are measured and not kept."""

ABOUT = "What the oracle came to, game by game, in the words of docs/measure.py, which writes this file."

Records = dict[str, dict[str, Any]]


def read(folder: Path) -> Records:
    """The records in *folder*, by the name of the game."""
    path = folder / "oracle.json"
    found: Records = json.loads(path.read_text())["games"] if path.exists() else {}
    return found


def write(folder: Path, records: Records) -> None:
    """Write them, in the order of the list."""
    order = {game.name: number for number, game in enumerate(GAMES)}
    games = {name: records[name] for name in sorted(records, key=lambda name: order.get(name, len(order)))}
    write_atomically(
        folder / "oracle.json", [part.encode() for part in (*encode({"about": ABOUT, "games": games}), "\n")]
    )


def measure(game: Measured, limit: float, folder: Path, force: bool = False) -> str:
    """Solve and prove *game*, keep what is better than before; returns a line on it."""
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / f"{game.name}.json.gz"
        try:
            found = _step(2 * limit + 300, "solve", json.dumps(game.settings), str(limit), str(path))
            proved = _step(None, "verify", str(path))
        except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
            return f"{game.name}: failed: {(error.stderr or '').strip().splitlines()[-1:] or error}"
        agrees = all(found[bound] == proved[bound] for bound in ("lower", "upper"))
        record = {"settings": game.settings, "limit": limit, "cores": os.cpu_count(), **found, **proved}
        record |= {"proved": agrees, "published": _published(game, record), "certificate": None}
        records = read(folder)
        old = records.get(game.name)
        if not force and old is not None and Fraction(old["gap"]) < Fraction(record["gap"]):
            return f"{_line(game, record)}; not kept: the gap was {float(Fraction(old['gap'])):.3g}"
        records[game.name] = record
        record["certificate"] = _keep(path, folder)
        write(folder, records)
    return _line(game, record)


def _step(timeout: float | None, *words: str) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, str(DOCS / "measure_one.py"), *words],
        capture_output=True,
        text=True,
        check=True,
        timeout=timeout,
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def _keep(path: Path, folder: Path) -> str | None:
    """Put a small certificate where it belongs; returns its place."""
    target = folder / "certificates" / path.name
    if path.stat().st_size > KEPT_BYTES:
        target.unlink(missing_ok=True)
        return None
    target.parent.mkdir(exist_ok=True)
    shutil.move(path, target)
    return f"certificates/{path.name}"


def _published(game: Measured, record: dict[str, Any]) -> dict[str, Any] | None:
    """The published value, and whether it lies within what was proved."""
    if game.published is None:
        return None
    inside = Fraction(record["lower"]) <= Fraction(game.published["value"]) <= Fraction(record["upper"])
    return {**game.published, "agrees": inside}


def _line(game: Measured, record: dict[str, Any]) -> str:
    what = f"value {record['lower']}" if record["exact"] else f"gap {float(Fraction(record['gap'])):.3g}"
    proof = "proved" if record["proved"] else "NOT PROVED"
    return f"{game.name}: {record['status']}, {what}, {record['seconds']:.1f} s, {record['peak_mib']} MiB, {proof}"


def chosen(only: Iterable[str] | None, missing: bool, folder: Path) -> list[Measured]:
    """The games to run. *only*: names or patterns such as ``3v1-*``."""
    wanted = list(only or ["*"])
    for pattern in wanted:
        if not any(fnmatch(game.name, pattern) for game in GAMES):
            raise SystemExit(f"no game is called {pattern}; --list shows all")
    there = read(folder) if missing else {}
    return [g for g in GAMES if g.name not in there and any(fnmatch(g.name, pattern) for pattern in wanted)]


def main(words: list[str] | None = None) -> None:
    """Measure and render."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", metavar="NAME", help="these games only; patterns as in 3v1-*")
    parser.add_argument("--missing", action="store_true", help="only games that were not measured yet")
    parser.add_argument("--limit", type=float, metavar="SECONDS", help="for each game (default: its own)")
    parser.add_argument("--force", action="store_true", help="keep the new result even where it is worse")
    parser.add_argument("--render", action="store_true", help="only make page and plots from oracle.json")
    parser.add_argument("--list", action="store_true", help="only list the games and their limits")
    parser.add_argument("--folder", type=Path, default=DOCS, help="where results go (default: %(default)s)")
    given = parser.parse_args(words)
    games = chosen(given.only, given.missing, given.folder)
    if given.list:
        print(*(f"{game.name:<16}{game.limit:>6.0f} s" for game in games), sep="\n")
        return
    for game in [] if given.render else games:
        print(measure(game, given.limit or game.limit, given.folder, given.force), flush=True)
    from oracle_page import render  # matplotlib, which is not needed before

    render(given.folder)


if __name__ == "__main__":
    main()
