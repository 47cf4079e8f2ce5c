"""Read, rewrite, draw and solve every game of pygambit's catalogue: ``python benchmarks/catalogue.py``.

Fill ``docs/comparison.md`` and save its data. ``tests/interop/test_catalogue.py`` compares the page and the data with a
rerun.
"""

from __future__ import annotations

import argparse
import importlib.util
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import efg_builder as eb
import frame
from efg_builder.display.trees import scene_of, to_svg
from efg_builder.forms.size import size_and_properties
from efg_builder.interop.gambit import adapter
from sound import problems

TIMEOUT = 60
"""Time limit for solving a game, in seconds."""

ABOUT = "Results for every extensive-form game in pygambit's catalogue. benchmarks/catalogue.py writes this file."

Record = dict[str, Any]


def folder() -> Path | None:
    found = importlib.util.find_spec("pygambit")
    places = found.submodule_search_locations if found is not None else None
    path = Path(next(iter(places))) / "catalog_data" if places else None
    return path if path is not None and path.is_dir() else None


def games() -> Iterator[tuple[str, Path]]:
    """Yield the name and the path of every extensive game, sorted by name."""
    root = folder()
    if root is not None:
        for path in sorted(root.rglob("*.efg")):
            yield path.relative_to(root).with_suffix("").as_posix(), path


def record(path: Path, timeout: float = TIMEOUT) -> Record:
    """Return the results for a game; ``read``, ``rewrite`` and ``draw`` are ``"ok"`` or an error."""
    tree = eb.read_efg(path)
    known = size_and_properties(tree)
    solution = eb.solve(tree, timeout=timeout)
    regret = solution.regret if solution.verdict is not None else None
    return {
        "title": tree.title,
        "players": len(tree.players),
        "nodes": len(tree),
        "sum": known["sum"],
        "recall": known["perfect_recall"],
        "read": "; ".join(problems(tree)) or "ok",
        "rewrite": _rewritten(path, tree),
        "draw": _drawn(tree, solution),
        "method": solution.method,
        "status": solution.status,
        "regret": str(regret) if isinstance(regret, Fraction) else regret,
        "message": solution.message,
        "seconds": round(solution.seconds, 3),
    }


def _rewritten(path: Path, tree: eb.GameTree) -> str:
    """Return "ok" if our file describes the same game for us and for Gambit; otherwise, return the problem."""
    theirs = eb.parse_efg(adapter.read(path.read_text(encoding="utf-8")).to_efg())
    for portable in (False, True):
        text = tree.to_efg(portable=portable)
        if not portable and eb.parse_efg(text) != tree:
            return "differs"
        again = eb.parse_efg(adapter.read(text).to_efg())
        if not (again == theirs if not portable else _shape(again) == _shape(theirs)):
            return "differs to Gambit" + " (portable)" * portable
    return "ok"


def _shape(tree: eb.GameTree) -> tuple[Any, ...]:
    """Return the data that a portable file preserves, without the spelling of labels and the nodes of payoffs."""
    paid: list[tuple[Fraction, ...]] = []
    for node in range(len(tree)):
        above = paid[int(tree.parent[node])] if node else (Fraction(0),) * len(tree.players)
        paid.append(tuple(a + b for a, b in zip(above, tree.payoffs[tree.outcome[node]], strict=True)))
    ends = [u for node, u in enumerate(paid) if tree.is_terminal(node)]
    sets = [tree.infosets[k] for k in tree.infoset.tolist() if k >= 0]
    first: dict[int, int] = {}
    which = [first.setdefault(k, len(first)) for k in tree.infoset.tolist() if k >= 0]
    movers = [(infoset.player, len(infoset.actions), infoset.probabilities) for infoset in sets]
    return tree.parent.tolist(), ends, which, movers


def _drawn(tree: eb.GameTree, solution: eb.Solution) -> str:
    marks = Counter(mark.node for mark in scene_of(solution if solution.profile is not None else tree).marks)
    ends = sum(1 for node in range(len(tree)) if tree.is_terminal(node) and marks[node] == 1)
    to_svg(tree)
    if ends != tree.node_counts["terminal_nodes"]:
        return f"{ends} ends of {tree.node_counts['terminal_nodes']}"
    return "ok" if all(marks[node] == 1 for node in range(len(tree))) else "nodes are missing"


def parts(records: dict[str, Record]) -> dict[str, list[str]]:
    solved = sum(each["status"] == "equilibrium" for each in records.values())
    exact = sum(each["regret"] == "0" for each in records.values())
    exactly = "all" if exact == solved else exact
    forgetful = sum(not each["recall"] for each in records.values())
    both = sum(each["status"] == "equilibrium" and not each["recall"] for each in records.values())
    slowest = max(each["seconds"] for each in records.values())
    perfect = len(records) - forgetful
    remembering = f"all {perfect}" if solved - both == perfect else f"{solved - both} of the {perfect}"
    counts = (
        f"efg_builder solves and verifies {solved} of the {len(records)} games, {exactly} of them exactly. It solves "
        f"{remembering} games with perfect recall, and {both} of the {forgetful} "
        "games without perfect recall. For games without perfect recall, the proof covers deviations to all behavior "
        "strategies ([verification](equilibria.md#players-without-perfect-recall)). "
        f"The slowest game takes {slowest:.2f} s."
    )
    return {"counts": [counts]}


def main() -> None:
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    paths = dict(games())
    if not paths:
        raise SystemExit("the installed pygambit has no catalogue")
    for path in paths.values():
        record(path)  # loads all modules before the first measurement
    records = {name: record(path) for name, path in paths.items()}
    frame.keep("catalogue", {"about": ABOUT, "timeout": TIMEOUT, "games": records})
    frame.fill("comparison", parts(records))


if __name__ == "__main__":
    main()
