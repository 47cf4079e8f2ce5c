"""A sweep and a match on 1 and on 2 workers, one after the other in one run: what the simulation is held against.

``python on_paper_runs.py`` prints one line of JSON. Each is done on 1, 2, 2 and 1 workers, because what else the
machine does changes meanwhile.
"""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from efg_builder.experiments.jobs.executors import executor
from efg_builder.experiments.matches import solve_match
from efg_builder.experiments.sweeps.running import sweep
from efg_builder.experiments.sweeps.table import read
from efg_builder.experiments.sweeps.variants import grid
from efg_builder.games.match_rules import match_rules

SWEEP = {"sides": "2..6", "dice": "1..2,1..2", "order": "*"}
MATCH = {"sides": "6", "dice": "3,2", "order": "face-quantity"}
WORKERS = (1, 2, 2, 1)


def sweep_on(workers: int) -> dict[str, Any]:
    """Seconds of the whole sweep, and of each variant in the order in which they are begun."""
    with tempfile.TemporaryDirectory() as folder:
        path, began = Path(folder) / "run.db", time.monotonic()
        sweep(grid("liars-dice", SWEEP), path, workers=workers)
        whole = time.monotonic() - began
        rows = sorted(read(path), key=lambda row: (int(row.figures["nodes"]), row.figures["key"]))
    return {"workers": workers, "whole": round(whole, 3), "tasks": [row.figures["seconds"] for row in rows]}


def match_on(workers: int) -> dict[str, Any]:
    """Seconds of the whole match, and of each of its rounds."""
    began = time.monotonic()
    with executor(workers=workers) as pool:
        match = solve_match(match_rules(MATCH), executor=pool)
    whole = time.monotonic() - began
    tasks = [round(each.seconds, 3) for each in match.rounds]
    return {"workers": workers, "whole": round(whole, 3), "tasks": tasks}


def runs() -> dict[str, Any]:
    """Both, on each number of workers, with how many tasks the machine had to do on average meanwhile."""
    done: dict[str, Any] = {"sweep": SWEEP, "match": MATCH}
    kinds: tuple[tuple[str, Callable[[int], dict[str, Any]]], ...] = (("sweeps", sweep_on), ("matches", match_on))
    for name, run in kinds:
        done[name] = [run(workers) for workers in WORKERS]
    return done | {"load": round(_load(), 1)}


def _load() -> float:
    import os

    return os.getloadavg()[1] if hasattr(os, "getloadavg") else float("nan")


if __name__ == "__main__":
    print(json.dumps(runs()))
