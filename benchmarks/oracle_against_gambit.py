"""Double oracle and direct methods side by side in one run: ``python benchmarks/oracle_against_gambit.py``.

All solve the same tree exactly and are verified; methods are run in turn, several times. The table shows the
medians, verifying included, and how many times longer each takes than the quickest. ``--large`` adds Gambit's
linear program on the whole tree of three sides (two minutes). ``--quick`` is one round of two sides.
"""

from __future__ import annotations

import argparse
import statistics

import efg_builder as eb

Row = tuple[int, str, float, float]
"""Sides, method, median seconds, and how many times as long as the quickest."""


def compare(sides: int, methods: list[str], rounds: int) -> list[Row]:
    """Median seconds of each method on one die each, run in turn; the values must be equal and exact."""
    tree = eb.build(eb.game("liars-dice", sides=sides))
    seconds: dict[str, list[float]] = {method: [] for method in methods}
    values, messages = set(), {}
    for _ in range(rounds):
        for method in methods:
            solution = eb.solve(tree, method)
            assert solution.exact, solution.message
            assert solution.value is not None
            seconds[method].append(solution.seconds)
            values.add(solution.value[0])
            messages[method] = solution.message
    assert len(values) == 1
    medians = {method: statistics.median(taken) for method, taken in seconds.items()}
    quickest = min(medians.values())
    rows = [(sides, method, median, median / quickest) for method, median in medians.items()]
    print(f"\n{tree.title}: {len(tree):,} nodes, value {values.pop()}")
    for _, method, median, ratio in rows:
        print(f"{method:<16}{median:>10.3f} s{ratio:>10.1f} x   {messages[method]}", flush=True)
    return rows


def main(arguments: list[str] | None = None) -> list[Row]:
    """Print the tables and return their rows."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--quick", action="store_true")
    chosen = parser.parse_args(arguments)
    ours = ["oracle", "lp"]
    rows = compare(2, ["gambit-lp", "gambit-oracle", *ours], 1 if chosen.quick else 5)
    if chosen.quick:
        return rows
    rows += compare(3, ["gambit-oracle", *ours], 5)
    if chosen.large:
        rows += compare(3, ["gambit-lp", "gambit-oracle", *ours], 1)
    rows += compare(6, ["gambit-oracle", *ours], 3)
    return rows


if __name__ == "__main__":
    main()
