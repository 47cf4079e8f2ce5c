"""Measure the kernel of Coq: ``python benchmarks/kernel.py`` makes the table of ``docs/proof.md``.

The script needs ``coqc``.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from fractions import Fraction
from pathlib import Path
from typing import Any

import efg_builder as eb
import frame
from efg_builder.proof import kernel

GAMES = (
    "kuhn",
    "dice-poker",
    "leduc",
    "liars-dice sides=3",
    "liars-dice sides=4",
    "liars-dice sides=6",
    "liars-dice sides=3 dice=2,1",
)


def measured(game: str) -> dict[str, Any]:
    solution = eb.solve(game, "lp")
    assert solution.profile is not None
    assert solution.value is not None
    with tempfile.TemporaryDirectory() as folder:
        value = Fraction(solution.value[0])
        made = kernel.write_theorem(solution.game, solution.profile.on_tree(), value, Path(folder))
        asked = kernel.ask_kernel(made)
    assert asked.accepted, asked.said
    return {
        "game": game,
        "statement": made.statement,
        "nodes": len(solution.tree or ()),
        "seconds": asked.seconds["Theorem"],
        "all_seconds": sum(asked.seconds.values()),
    }


def parts(data: dict[str, Any]) -> dict[str, list[str]]:
    rows = []
    for each in data["games"]:
        rules = "its tree" if " game " in each["statement"] else "its rules"
        cells = [f"{each['nodes']:,}", f"{each['seconds']:.1f}"]
        rows.append([f"`{each['game']}`", rules, *cells])
    return {"kernel": frame.table("game | stated by | nodes | seconds", rows, left=2)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--render", action="store_true", help="only make the page")
    if not parser.parse_args().render:
        if not kernel.is_installed():
            sys.exit("coqc is not installed")
        frame.keep("kernel", {"games": [frame.own_process(measured, game) for game in GAMES]})
    frame.fill("proof", parts(frame.load("kernel")))


if __name__ == "__main__":
    main()
