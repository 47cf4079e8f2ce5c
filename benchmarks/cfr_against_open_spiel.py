"""Compare our regret minimization with OpenSpiel's: ``python benchmarks/cfr_against_open_spiel.py``.

Both run CFR+ with alternating updates on OpenSpiel's ``liars_dice``: one six-sided die each, the highest face wild.
OpenSpiel's C++ ``CFRPlusSolver`` works on the tree; our solver works on arrays. The first table shows the median times
and their ratio. A second table compares our update rules at equal gaps. ``--rules`` makes only this table, and does not
need ``open_spiel``. ``--quick`` runs one round with three sides.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import efg_builder as eb
import frame
from efg_builder.forms.bidding_form import BiddingForm
from efg_builder.solvers.regret.engine import RULES
from efg_builder.solvers.regret.part import BiddingRegrets

GAMES: dict[str, dict[str, Any]] = {
    "1v1, 6 sides": {"sides": 6},
    "1v1, 6 sides, joker": {"sides": 6, "wild": 1, "wild_biddable": False},
    "1v1, 6 sides, highest wild": {"sides": 6, "wild": "highest"},
    "2v1, 4 sides": {"sides": 4, "dice": (2, 1)},
    "1v2, 4 sides, highest wild": {"sides": 4, "dice": (1, 2), "wild": "highest"},
}
GAPS = (1e-2, 1e-3, 1e-4, 1e-5, 1e-6)


def ours(sides: int) -> BiddingRegrets:
    """Return our solver for OpenSpiel's game."""
    game: Any = eb.game("liars-dice", sides=sides, wild=sides)
    return BiddingRegrets(BiddingForm(game), RULES["cfr+"])


def against_open_spiel(sides: int, rounds: int) -> dict[str, float]:
    """Return the median seconds of one iteration, by name."""
    import pyspiel

    game = pyspiel.load_game(f"liars_dice(dice_sides={sides})")
    theirs = pyspiel.CFRPlusSolver(game)
    engines: dict[str, tuple[Callable[[], Any], int]] = {
        "OpenSpiel CFRPlusSolver": (theirs.evaluate_and_update_policy, 3),
        "efg_builder": (ours(sides).iterate, 300),
    }

    def iterations(name: str) -> None:
        iterate, count = engines[name]
        for _ in range(count):
            iterate()

    taken = frame.in_turn({name: lambda name=name: iterations(name) for name in engines}, rounds)  # type: ignore[misc]
    medians = {name: taken[name] / count for name, (_, count) in engines.items()}
    slowest = medians["OpenSpiel CFRPlusSolver"]
    print(f"\n{eb.game('liars-dice', sides=sides, wild=sides).title}: one iteration, both players")
    for name, median in medians.items():
        print(f"{name:<26}{1e3 * median:>10.3f} ms   OpenSpiel takes {slowest / median:>7.1f} times as long")
    return medians


def to_equal_gaps(settings: dict[str, Any], rule: str, limit: float) -> list[tuple[int, float] | None]:
    """Return the iterations and seconds until each NashConv of ``GAPS``; None if *limit* seconds are not enough."""
    game: Any = eb.game("liars-dice", **settings)
    regrets = BiddingRegrets(BiddingForm(game), RULES[rule])
    found: list[tuple[int, float] | None] = []
    spent, due = 0.0, 1
    while len(found) < len(GAPS) and spent < limit:
        began = time.perf_counter()
        regrets.iterate()
        spent += time.perf_counter() - began
        if regrets.iterations >= due:
            due += 1 + due // 20
            gap = regrets.nash_conv()
            found += [(regrets.iterations, spent)] * sum(gap <= wanted for wanted in GAPS[len(found) :])
    return found + [None] * (len(GAPS) - len(found))


def rules(limit: float) -> None:
    """Print each update rule's iterations and seconds until equal gaps."""
    heads = "".join(f"{f'to {gap:g}':>18}" for gap in GAPS)
    for name, settings in GAMES.items():
        print(f"\n{name}\n{'':<18}{heads}")
        for rule in RULES:
            row = to_equal_gaps(settings, rule, limit)
            cells = "".join(f"{'-' if cell is None else f'{cell[0]} it {cell[1]:.2f} s':>18}" for cell in row)
            print(f"{rule:<18}{cells}", flush=True)


def main(arguments: list[str] | None = None) -> dict[str, float]:
    """Print the tables, and return the medians of the first table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--rules", action="store_true", help="only compare our rules at equal gaps")
    parser.add_argument("--limit", type=float, default=20.0, help="time limit for one rule on one game, in seconds")
    chosen = parser.parse_args(arguments)
    medians = {} if chosen.rules else against_open_spiel(3 if chosen.quick else 6, 1 if chosen.quick else 5)
    if not chosen.quick:
        rules(chosen.limit)
    return medians


if __name__ == "__main__":
    main()
