"""Time solvers of linear programs on games of the data set: ``python benchmarks/library_solvers.py [DIR]``.

HiGHS' simplex, IPX, HiPO and PDLP solvers read ``game.mps``. Gambit's ``lp_solve`` reads ``game.efg``, and computes
with floats and with exact fractions. The solvers run one after another, each in a separate process with one thread.
Only solving is timed. Games that are missing in the folder DIR (by default, a temporary folder) are made first. The
script fills the table of ``docs/library.md``. ``--quick`` only prints the first game.
"""

from __future__ import annotations

import argparse
import importlib
import subprocess
import tempfile
import time
from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pygambit

import frame
from efg_builder.base.errors import EfgBuilderError
from efg_builder.experiments.library import Instance, Record, read_record
from library import KEPT, MADE, instances, make_library

LIMIT = 10
"""Time limit for a solver, in seconds."""

START = 5
"""Additional seconds for starting a process and reading the file."""

WRONG = 1e-5
"""The table shows a value's error above this threshold, relative to the largest payoff or 1."""

ABOUT = "Seconds of each solver on the same linear programs, and its error, by benchmarks/library_solvers.py."

CHOSEN = (
    "kuhn_cards-20",
    "dice-poker_sides-14",
    "liars-dice_sides-3_dice-1.1",
    "leduc_suits-2",
    "liars-dice-spot-on_sides-2_dice-2.1",
    "liars-poker_hand_length-1_num_digits-3",
    "liars-dice-stakes_sides-2_dice-2.2_loss-difference_lose1--1.-2_lose2-1.2",
    "liars-dice_sides-4_dice-1.1",
    "leduc_suits-3_ranks-4",
    "liars-dice_sides-3_dice-2.1_wild-1",
    "liars-dice_sides-2_dice-2.3",
    "liars-dice_sides-5_dice-1.1",
    "liars-dice_sides-6_dice-1.1",
)
"""The measured games. Every solver solves some games within a second; some solvers exceed the limit on other games."""

HIGHS = ("simplex", "ipx", "hipo", "pdlp")
"""Values of HiGHS' option ``solver``."""

GAMBIT = {"Gambit, floats": False, "Gambit, rationals": True}

WRITTEN = {
    "ipx": "IPX",
    "hipo": "HiPO",
    "pdlp": "PDLP",
    "Gambit, floats": "Gambit in floating point",
    "Gambit, rationals": "Gambit with exact fractions",
}
"""The solvers' names on the page."""

HEAD = ["game", "simplex", "IPX", "HiPO", "PDLP", "Gambit, floating point"]


def highs(path: str, solver: str, limit: float) -> dict[str, Any]:
    """Run HiGHS on the program at *path*; return ``seconds`` and ``value``, or ``problem``."""
    highspy: Any = importlib.import_module("highspy")
    model = highspy.Highs()
    model.setOptionValue("output_flag", False)
    if model.setOptionValue("solver", solver) != highspy.HighsStatus.kOk:
        return {"problem": "absent"}
    model.setOptionValue("time_limit", float(limit))
    model.setOptionValue("threads", 1)
    if model.readModel(path) != highspy.HighsStatus.kOk:
        return {"problem": "unread"}
    # Minimize -v0, because the PDLP of HiGHS 1.15.1 returns "Unknown" at the optimum if it maximizes v0.
    for column, cost in enumerate(model.getLp().col_cost_):
        model.changeColCost(column, -cost)
    model.changeObjectiveSense(highspy.ObjSense.kMinimize)
    began = time.perf_counter()
    model.run()
    seconds = time.perf_counter() - began
    status = model.getModelStatus()
    if status == highspy.HighsModelStatus.kTimeLimit:
        return {"problem": "limit"}
    if status != highspy.HighsModelStatus.kOptimal:
        return {"problem": model.modelStatusToString(status)}
    return {"seconds": seconds, "value": -model.getObjectiveValue()}


def gambit(path: str, rational: bool) -> dict[str, Any]:
    """Run Gambit's ``lp_solve`` on the tree at *path*; return ``seconds`` and player 1's ``value``."""
    game = pygambit.read_efg(path)
    began = time.perf_counter()
    found = pygambit.nash.lp_solve(game, rational=rational)
    seconds = time.perf_counter() - began
    return {"seconds": seconds, "value": float(found.equilibrium.payoffs[next(iter(game.players))])}


def measured(folder: Path, record: Record, limit: float = LIMIT) -> dict[str, Any]:
    own = folder / "instances" / record["slug"]
    runs: dict[str, Any] = {}
    for solver in HIGHS:
        runs[solver] = _run(highs, str(own / "game.mps"), solver, limit, seconds=limit)
    for name, rational in GAMBIT.items():
        there = (own / "game.efg").exists()
        runs[name] = _run(gambit, str(own / "game.efg"), rational, seconds=limit) if there else {"problem": "no file"}
        if runs[name].get("seconds", 0) > limit:
            runs[name] = {"problem": "limit"}
    value = Fraction(record["value"])
    for each in runs.values():
        if "value" in each:
            each["off"] = abs(each.pop("value") - float(value))
    sizes = {name: record[name] for name in ("lp_rows", "lp_columns", "lp_nonzeros")}
    return sizes | {"value": record["value"], "runs": runs}


def _run(function: Any, *words: Any, seconds: float) -> dict[str, Any]:
    try:
        return frame.own_process(function, *words, timeout=seconds + START)
    except subprocess.TimeoutExpired:
        return {"problem": "limit"}
    except subprocess.SubprocessError as error:
        lines = (getattr(error, "stderr", "") or str(error)).strip().splitlines()
        return {"problem": "failed", "said": lines[-1][:200] if lines else ""}


def cell(run: dict[str, Any], base: float | None, limit: float) -> str:
    """Return the seconds with the ratio to simplex, or the problem."""
    if "seconds" not in run:
        problem = str(run["problem"])
        return {"limit": f"over {limit:g} s", "no file": ""}.get(problem, problem)
    ratio = "" if base is None else f" ({run['seconds'] / base:.2g})"
    wrong = f", off by {run['off']:.0e}" if run["off"] > WRONG else ""
    return f"{run['seconds']:.3f} s{ratio}{wrong}"


def row(slug: str, each: dict[str, Any], limit: float) -> list[str]:
    base = each["runs"]["simplex"].get("seconds")
    first = cell(each["runs"]["simplex"], None, limit)
    rest = [cell(each["runs"][name], base, limit) for name in (*HIGHS[1:], next(iter(GAMBIT)))]
    return [f"`{slug}`", first, *rest]


def parts(data: dict[str, Any]) -> dict[str, list[str]]:
    games, limit = data["games"], data["limit"]
    within = {
        name: sum("seconds" in each["runs"][name] for each in games.values())
        for name in next(iter(games.values()))["runs"]
    }
    words = [f"{WRITTEN.get(name, name)} {count}" for name, count in within.items()]
    said = (
        f"The solvers are from HiGHS {data['highs']} and pygambit {data['pygambit']}. "
        f"Games solved within {limit} s, out of {len(games)}: {', '.join(words)}."
    )
    return {"solvers": [said, "", *frame.table(HEAD, [row(slug, each, limit) for slug, each in games.items()])]}


def chosen() -> list[Instance]:
    by_slug = {one.slug: one for one in instances()}
    return [by_slug[slug] for slug in CHOSEN]


def measure(folder: Path, wanted: Iterable[Instance], limit: float = LIMIT) -> dict[str, Any]:
    """Measure the games, and print a row for each. Raises ``EfgBuilderError`` if a game cannot be made."""
    highspy: Any = importlib.import_module("highspy")
    wanted = list(wanted)
    made = make_library(folder, wanted, progress=frame.tell)
    if problems := [f"{slug}: {said}" for slug, said in made.items() if said not in (MADE, KEPT)]:
        raise EfgBuilderError(f"not made: {'; '.join(problems)}")
    games: dict[str, Any] = {}
    for one in wanted:
        games[one.slug] = measured(folder, read_record(folder / "instances" / one.slug), limit)
        print(" | ".join(row(one.slug, games[one.slug], limit)), flush=True)
    version = highspy.Highs().version()
    return {"about": ABOUT, "limit": limit, "highs": version, "pygambit": pygambit.__version__, "games": games}


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, metavar="DIR")
    parser.add_argument("--quick", action="store_true")
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as other:
        data = measure(given.folder or Path(other), chosen()[:1] if given.quick else chosen())
    if not given.quick:
        frame.keep("library", data)
        frame.fill("library", parts(data))


if __name__ == "__main__":
    main()
