"""What ``on_paper.py`` measures by itself: shares of the work, full-width passes, and proofs.

``python on_paper_measure.py profile NAME`` and ``... wide NAME`` are done in processes of their own, and print
one line of JSON. Shares and costs are in seconds of a core, which a busy machine changes less than those of the clock.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from measure_one import peak
from oracle_games import make

import efg_builder as eb
from efg_builder.equilibria import solve as solving
from efg_builder.solvers.oracle import bidding_large, bidding_programs, bidding_regret, bidding_search

PROFILED = {
    "2v1, 6 sides": {"sides": 6, "dice": [2, 1]},
    "2v2, 5 sides": {"sides": 5, "dice": [2, 2]},
    "2v2, 6 sides": {"sides": 6, "dice": [2, 2]},
    "3v1, 6 sides": {"sides": 6, "dice": [3, 1]},
    "3v2, 4 sides": {"sides": 4, "dice": [3, 2]},
    "3v3, 4 sides": {"sides": 4, "dice": [3, 3]},
    "2v1, 6 sides, highest wild": {"sides": 6, "dice": [2, 1], "wild": "highest"},
    "3v1, 6 sides, highest wild, by faces": {
        **{"sides": 6, "dice": [3, 1], "wild": "highest", "order": "face-quantity"},
    },
}
"""Games of some seconds each."""

UNSEEN = {
    "1v1, 10 sides": {"sides": 10, "dice": [1, 1]},
    "1v1, 8 sides, highest wild": {"sides": 8, "dice": [1, 1], "wild": "highest"},
    "2v1, 8 sides": {"sides": 8, "dice": [2, 1]},
    "1v2, 7 sides, joker": {"sides": 7, "dice": [1, 2], "wild": 1, "wild_biddable": False},
    "2v2, 7 sides, by faces": {"sides": 7, "dice": [2, 2], "order": "face-quantity"},
    "4v1, 5 sides": {"sides": 5, "dice": [4, 1]},
    "4v2, 4 sides, by faces": {"sides": 4, "dice": [4, 2], "order": "face-quantity"},
}
"""Games beyond those that the models are fitted to: more sides, or more dice."""

WIDE = {
    "1v1, 6 sides": {"sides": 6, "dice": [1, 1]},
    "2v1, 5 sides": {"sides": 5, "dice": [2, 1]},
    "2v1, 6 sides": {"sides": 6, "dice": [2, 1]},
    "2v2, 5 sides": {"sides": 5, "dice": [2, 2]},
}

LIMIT = 300.0
ITERATIONS = 5

PARTS: tuple[tuple[Any, str, str], ...] = (
    (bidding_programs, "maximise", "linear programs"),
    (bidding_programs, "master", "writing them down"),
    (bidding_programs, "exact_optimum", "exact finish"),
    (bidding_programs, "respond_both", "exact best responses"),
    (bidding_search, "respond_both", "best responses"),
    (bidding_large, "respond_both", "best responses"),
    (bidding_regret.Regrets, "iterate", "regret minimisation"),
    (solving, "verify", "verification"),
)
"""Where a part of the work is called, by what name, and what it is."""


def profile(settings: dict[str, Any]) -> dict[str, Any]:
    """Solve, and tell how long each part took: every linear program and every pair of best responses too."""
    game = make(settings)
    eb.solve(eb.game("liars-dice"), "oracle")
    seconds: dict[str, float] = dict.fromkeys((what for _, _, what in PARTS), 0.0)
    programs: list[list[float]] = []
    responses: list[list[float]] = []
    for place, name, what in PARTS:
        setattr(place, name, _timed(getattr(place, name), what, seconds, programs, responses))
    base, began = peak(), time.process_time()
    found = eb.solve(game, "oracle", timeout=LIMIT)
    total = time.process_time() - began
    rounded = {what: round(taken, 3) for what, taken in seconds.items()}
    return {
        "settings": settings,
        "exact": found.exact,
        "sequences": sum(found.details["sequences"]),  # type: ignore[call-overload]
        "seconds": round(total, 3),
        "parts": rounded | {"rest": round(total - sum(seconds.values()), 3)},
        "base_mib": base,
        "peak_mib": peak(),
        "programs": programs,
        "responses": responses,
    }


def _timed(
    function: Callable[..., Any],
    what: str,
    seconds: dict[str, float],
    programs: list[list[float]],
    responses: list[list[float]],
) -> Callable[..., Any]:
    def call(*words: Any, **named: Any) -> Any:
        began = time.process_time()
        try:
            answer = function(*words, **named)
        finally:
            taken = time.process_time() - began
            seconds[what] += taken
        if what == "linear programs":
            rows, columns = words[0].matrix.shape
            programs.append([rows, columns, words[0].matrix.nnz, round(taken, 4)])
        if what == "best responses":
            tables = [words[0].lines[player].matrix.size for player in range(2)]
            products = sum(one.visited * table for one, table in zip(answer, tables, strict=True))
            responses.append([products, sum(one.visited for one in answer), round(taken, 5)])
        return answer

    return call


def wide(settings: dict[str, Any]) -> dict[str, Any]:
    """Seconds of one iteration of regret minimisation over all histories, and of one best response."""
    from efg_builder.solvers.cfr.regret_arrays import RegretArrays, memory
    from efg_builder.solvers.cfr.regret_rules import RULES
    from efg_builder.solvers.oracle.bidding import bidding

    game = make(settings)
    model = bidding(game)  # type: ignore[arg-type]
    base, arrays = peak(), RegretArrays(model, RULES["dcfr"])
    arrays.iterate()
    began = time.process_time()
    for _ in range(ITERATIONS):
        arrays.iterate()
    iterated = time.process_time()
    arrays.best(0, arrays.average(1))
    return {
        "settings": settings,
        "bids": model.bids,
        "hands": list(model.hands),
        "iteration": round((iterated - began) / ITERATIONS, 5),
        "best_response": round(time.process_time() - iterated, 5),
        "bytes": memory(model.bids, model.hands),
        "peak_bytes": (peak() - base) << 20,
    }


def measured() -> dict[str, Any]:
    """All that is measured, as ``on-paper.json`` has it."""
    from on_paper_runs import runs

    return {
        "profile": {name: own_process("profile", name) for name in PROFILED},
        "unseen": {name: brief(own_process("profile", name)) for name in UNSEEN},
        "wide": {name: own_process("wide", name) for name in WIDE},
        "runs": runs(),
    }


def brief(found: dict[str, Any]) -> dict[str, Any]:
    """A profile without its linear programs and best responses one by one."""
    return {key: value for key, value in found.items() if key not in ("programs", "responses", "parts")}


def own_process(*words: str) -> dict[str, Any]:
    """A step of this file in a process of its own."""
    done = subprocess.run(
        [sys.executable, str(Path(__file__)), *words], capture_output=True, text=True, check=True, timeout=900
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def proofs(path: Path) -> dict[str, float]:
    """Seconds of a core that proving each certificate of the sweep at *path* takes, by key."""
    return dict(_proofs(path))


def _proofs(path: Path) -> Iterator[tuple[str, float]]:
    import tempfile
    from contextlib import closing
    from sqlite3 import connect

    with closing(connect(f"file:{path}?mode=ro", uri=True)) as db, tempfile.TemporaryDirectory() as folder:
        eb.solve(eb.game("liars-dice"), "oracle")
        for key, data in db.execute("SELECT key, data FROM certificates ORDER BY key"):
            file = Path(folder) / "one.json.gz"
            file.write_bytes(data)
            began = time.process_time()
            eb.verify_solution(file)
            yield key, round(time.process_time() - began, 4)


if __name__ == "__main__":
    step, name = sys.argv[1:]
    print(json.dumps(profile((PROFILED | UNSEEN)[name]) if step == "profile" else wide(WIDE[name])))
