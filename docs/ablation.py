"""What each part of the oracle is worth: ``python docs/ablation.py``, into ``docs/ablation.json``.

The same games with one part changed at a time, each run in a process of its own. A run that is not done within
the limit counts as "more than" the limit. ``measure.py --render`` puts the table into the page.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from oracle_games import GAMES, make

import efg_builder as eb
from efg_builder.base.files import write_atomically
from efg_builder.proof.certificate import encode
from efg_builder.solvers.lp import highs
from efg_builder.solvers.oracle import response, search

DOCS = Path(__file__).parent

NAMES = ("2v2-6", "3v1-6", "2v1-6-highest", "3v3-4")
LIMIT = 60.0

MIDDLE_CUT, MIDDLE_ENDS = 1e-5, 1e-4
"""Weights below the first are noise of the interior point method; from the second gap on the simplex method goes on."""


def nothing() -> None:
    """Change nothing."""


def cold() -> None:
    """Each restricted game's linear program is solved from nothing."""
    warm = search.maximise
    search.maximise = lambda program, seconds, report, start=None: warm(program, seconds, report)


def middle() -> None:
    """Interior point method without crossover while the gap is wide, then simplex from nothing in each round."""
    simplex, round_, wide = search.maximise, search.Oracle.round, [True]
    cut = search.CUT

    def maximise(program: Any, seconds: Any, report: Any, start: Any = None) -> highs.Vertex:
        if not wide[0]:
            return simplex(program, seconds, report)
        point = highs.interior(program, seconds, report)
        rows, columns = program.matrix.shape
        return highs.Vertex(point.values, point.duals, np.zeros(columns, dtype=bool), np.ones(rows, dtype=bool))

    def one_round(oracle: Any, share: float, patience: float | None) -> int:
        wide[0] = wide[0] and oracle.search.gap > MIDDLE_ENDS
        search.CUT = MIDDLE_CUT if wide[0] else cut
        return round_(oracle, share, patience)

    search.maximise, search.Oracle.round = maximise, one_round  # type: ignore[method-assign]


def best_only() -> None:
    """Of the moves that improve at an information set only the best is added."""
    every = response._Walk.level

    def level(walk: Any, at: Any, threshold: Any) -> Any:
        found = every(walk, at, threshold)
        best = found.best[:, None, :] == np.arange(found.better.shape[1])[None, :, None]
        return dataclasses.replace(found, better=found.better & best)

    response._Walk.level = level


def share(part: float) -> Callable[[], None]:
    """Moves are added that gain more than this part of the gap."""

    def change() -> None:
        search.SHARE = part

    return change


def devex() -> None:
    """Devex pricing in the simplex method instead of HiGHS' choice."""
    highs.SIMPLEX = {**highs.SIMPLEX, "simplex_dual_edge_weight_strategy": 1}


CHANGES: dict[str, Callable[[], None]] = {
    "as it is": nothing,
    "simplex from nothing in each round": cold,
    "interior point, simplex at the end": middle,
    "one best move at an information set": best_only,
    "moves that gain 10 % of the gap": share(0.1),
    "moves that gain 30 % of the gap": share(0.3),
    "Devex pricing": devex,
}


def run_one(name: str, change: str, limit: float) -> dict[str, Any]:
    """Solve with one change, in this process."""
    eb.solve(eb.game("liars-dice"), "oracle")
    CHANGES[change]()
    game = next(game for game in GAMES if game.name == name)
    solution = eb.solve(make(game.settings), "oracle", timeout=limit, options={"master": "lp"})
    assert solution.upper is not None
    assert solution.lower is not None
    return {
        "limit": limit,
        "exact": solution.exact,
        "gap": float(solution.upper - solution.lower),
        "seconds": round(solution.seconds, 2),
        "rounds": solution.details["rounds"],
        "sequences": sum(solution.details["sequences"]),
    }


def main(words: list[str] | None = None) -> None:
    """Run all, or those asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", default=NAMES, metavar="NAME", help="these games (default: four)")
    parser.add_argument("--change", nargs="+", default=list(CHANGES), choices=list(CHANGES), metavar="CHANGE")
    parser.add_argument("--limit", type=float, default=LIMIT, metavar="SECONDS")
    parser.add_argument("--here", action="store_true", help="one run in this process, printed as JSON")
    given = parser.parse_args(words)
    if given.here:
        print(json.dumps(run_one(given.only[0], given.change[0], given.limit)))
        return
    path = DOCS / "ablation.json"
    found = json.loads(path.read_text()) if path.exists() else {}
    for name in given.only:
        for change in given.change:
            command = [sys.executable, __file__, "--here", "--limit", str(given.limit), "--only", name]
            done = subprocess.run([*command, "--change", change], capture_output=True, text=True, check=True)
            found.setdefault(name, {})[change] = json.loads(done.stdout)
            print(name, change, done.stdout.strip(), flush=True)
            write_atomically(path, [part.encode() for part in (*encode(found), "\n")])


if __name__ == "__main__":
    main()
