"""Measure the kernel of Coq: ``python benchmarks/kernel.py`` makes the table of ``docs/proof.md``.

The script needs ``coqc``.
"""

from __future__ import annotations

import argparse
import subprocess
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


USED = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_utime + used.ru_stime, used.ru_maxrss)
"""
"""Prints the CPU seconds and peak memory of a command, in KiB on Linux. A peak starts at that of the parent process,
so this must run in a small one."""


def used(command: list[str], folder: str) -> tuple[float, float]:
    """Return the CPU seconds and the peak memory of *command*, in MiB."""
    run = [sys.executable, "-S", "-c", USED, *command]
    done = subprocess.run(run, cwd=folder, capture_output=True, text=True, check=True)
    seconds, peak = map(float, done.stdout.split())
    return seconds, peak / 1024


def measured(game: str) -> dict[str, Any]:
    solution = eb.solve(game, "lp")
    assert solution.profile is not None
    assert solution.value is not None
    with tempfile.TemporaryDirectory() as folder:
        value = Fraction(solution.value[0])
        made = kernel.write_theorem(solution.game, solution.profile.on_tree(), value, Path(folder))
        asked = kernel.ask_kernel(made)
        assert asked.accepted, asked.said
        seconds, peaks = zip(*(used(command, folder) for command in made.commands()), strict=True)
    return {
        "game": game,
        "statement": made.statement,
        "nodes": len(solution.tree or ()),
        "seconds": seconds[-1],
        "all_seconds": sum(seconds),
        "peak_mib": round(max(peaks)),
    }


def parts(data: dict[str, Any]) -> dict[str, list[str]]:
    rows = []
    for each in data["games"]:
        rules = "its tree" if " game " in each["statement"] else "its rules"
        cells = [f"{each['nodes']:,}", f"{each['seconds']:.1f}", f"{each['peak_mib']:,} MiB"]
        rows.append([f"`{each['game']}`", rules, *cells])
    return {"kernel": frame.table("game | stated by | nodes | CPU seconds | memory", rows, left=2)}


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
