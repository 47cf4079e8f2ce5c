"""The figures by which ``efg-builder info`` predicts seconds and memory: ``python benchmarks/forecast.py``.

Writes ``efg_builder/equilibria/forecast.json`` anew from the measurements that are kept: the models and searches of
``on-paper.json`` and ``oracle.json``, ``many.json``, ``lcp.json``, and the trees of ``forecast.json``, which
``--measure`` measures again. ``python benchmarks/on_paper.py --sweep FILE`` makes the models themselves.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from math import exp, log
from pathlib import Path
from typing import Any

import numpy as np

import efg_builder as eb
import frame
import on_paper_models as models
from efg_builder.base.files import write_atomically
from efg_builder.proof.certificate import encode
from oracle import load_libraries

ABOUT = "Seconds and memory of trees solved by lp, in the words of benchmarks/forecast.py."

TREES: tuple[tuple[str, dict[str, str]], ...] = (
    *(("kuhn", {"cards": str(cards)}) for cards in (20, 40, 80, 120)),
    *(("leduc", {"ranks": str(ranks)}) for ranks in (4, 5, 6, 8)),
    ("leduc", {"ranks": "4", "raises": "3"}),
    ("leduc", {"ranks": "3", "suits": "3"}),
    *(("dice-poker", {"sides": str(sides)}) for sides in (30, 60, 100)),
    *(("mia", {"sides": "3", "max_rolls": rolls}) for rolls in ("0", "4")),
    *(("liars-poker", {"num_digits": str(digits)}) for digits in (3, 4)),
    ("liars-poker", {"hand_length": "2", "num_digits": "2"}),
    *(("liars-dice", {"sides": sides}) for sides in ("4", "5")),
    *(("liars-dice", {"sides": sides, "dice": "2,1"}) for sides in ("3", "4")),
    ("liars-dice", {"sides": "5", "wild": "highest"}),
    ("liars-dice", {"sides": "3", "dice": "2,2"}),
    ("liars-dice-spot-on", {"sides": "4"}),
)
"""Games of two players whose trees are solved by lp."""

MOST_NODES = 400_000
LIMIT = 120.0


def measure(name: str, settings: dict[str, str]) -> dict[str, Any]:
    """One tree solved by lp, with how long it took to build."""
    load_libraries()
    began = time.process_time()
    tree = eb.build(eb.game(name, **settings), max_nodes=MOST_NODES)
    built, base = time.process_time() - began, frame.peak_mib()
    solution = eb.solve(tree, "lp", timeout=LIMIT)
    return {
        **{"game": name, "settings": settings, "nodes": len(tree), "sequences": sequences(tree)},
        **{"build": round(built, 3), "seconds": round(time.process_time() - began - built, 3)},
        **{"status": solution.status, "base_mib": base, "peak_mib": frame.peak_mib()},
    }


def sequences(tree: eb.GameTree) -> int:
    """The sequences of all players."""
    return len(tree.players) + sum(len(tree.infosets[k].actions) for k in tree.personal)


def power(rows: Sequence[dict[str, Any]], figure: str) -> dict[str, Any]:
    """``figure`` as a constant times powers of nodes and sequences; ``off``: the worst factor, each game left out."""
    table = np.array([[1.0, log(row["nodes"]), log(row["sequences"])] for row in rows])
    logs = np.array([log(max(row[figure], 0.01)) for row in rows])
    weights = np.linalg.lstsq(table, logs, rcond=None)[0]
    off = 0.0
    for left in range(len(rows)):
        seen = [one for one in range(len(rows)) if one != left]
        said = table[left] @ np.linalg.lstsq(table[seen], logs[seen], rcond=None)[0]
        off = max(off, abs(float(said - logs[left])))
    return {
        "weights": [_digits(weight) for weight in weights],
        "off": _digits(exp(off)),
        "games": len(rows),
        "nodes": [min(row["nodes"] for row in rows), max(row["nodes"] for row in rows)],
    }


def _digits(number: float) -> float:
    return float(f"{number:.4g}")


def of_oracle(root: Path) -> dict[str, Any]:
    """The oracle's models and searches."""
    data = frame.load("on-paper", root)
    fits, rows = data["fits"], models.all_rows(data, root)
    each = sorted(models.memory_each(models.by_programs(rows)))
    searches = [
        [*row["dice"], row["sides"], row["rules"], row["order"], row["exact"], row["seconds"], row["peak_mib"]]
        for row in [*rows, *unseen(data)]
        if row["method"] == "oracle"
    ]
    return {
        "seconds": {key: fits["seconds"][key] for key in ("weights", "unseen")},
        "sequences": {key: fits["sequences"][key] for key in ("weights", "unseen")},
        "bytes": [round(each[0]), round(each[-1])],
        "base_mib": models.BASE_MIB,
        "searches": searches,
    }


def unseen(data: models.Data) -> list[models.Row]:
    """The games beyond those that the models are fitted to."""
    return [
        models.of_settings(one["settings"]) | {key: one[key] for key in ("exact", "seconds", "peak_mib")} | ORACLE
        for one in data["unseen"].values()
    ]


ORACLE = {"method": "oracle"}


def figures(root: Path = frame.ROOT) -> dict[str, Any]:
    """All that the package is given."""
    trees = [row for row in frame.load("forecast", root)["trees"] if row["status"] == "equilibrium"]
    general = [row | {"seconds": row["lcp"]} for row in frame.load("lcp", root)["games"].values()]
    lp, lcp = power(trees, "seconds"), power(general, "seconds")
    many = frame.load("many", root)["games"].values()
    return {
        "about": "Made by benchmarks/forecast.py from benchmarks/data; read by forecast.py.",
        "oracle": of_oracle(root),
        "lp": lp | {"mib": power([row | {"mib": row["peak_mib"] - models.BASE_MIB} for row in trees], "mib")},
        "lcp": lcp,
        "many": [[one["settings"], one["status"], one["seconds"]] for one in many],
    }


def main() -> None:
    """Measure where that is asked for, fit and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--measure", action="store_true", help="measure the trees anew")
    parser.add_argument("--root", type=Path, default=frame.ROOT, help="of the repository, or of a copy")
    given = parser.parse_args()
    if given.measure:
        found = []
        for name, settings in TREES:
            found.append(frame.own_process(measure, name, settings, timeout=4 * LIMIT))
            frame.tell(str(found[-1]))
        frame.keep("forecast", {"about": ABOUT, "trees": found}, given.root)
    text = encode(figures(given.root))
    path = given.root / "efg_builder" / "equilibria" / "forecast.json"
    write_atomically(path, [part.encode() for part in (*text, "\n")])


if __name__ == "__main__":
    main()
