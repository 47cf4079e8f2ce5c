"""Compare our speed with pygambit's on small games, in a loop in one process: ``python benchmarks/small_games.py``.

Times are CPU milliseconds per game, with the tree already in memory. Our times include verification: ``solve`` with
``refine=False``, with the default (a sequential equilibrium), and with the method ``lcp``. Gambit's ``lp_solve`` and
``lcp_solve`` use exact fractions. The script fills two tables of ``docs/comparison.md``. ``--quick`` only prints the
first game.
"""

from __future__ import annotations

import argparse
import io
import random
import time
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

import pygambit

import efg_builder as eb
import frame
from lcp import messages_and_answers, raked

RANDOM, MILLISECONDS, ROUNDS = 1_000, 300, 5
"""The number of random games; the minimum CPU milliseconds of a measurement; the number of rounds."""

HEADS = (
    "game | nodes | efg_builder | refined | lp_solve | speedup",
    "game | nodes | lcp | lcp_solve | speedup",
)


class Coin(eb.Game):
    """Alice sees a coin and may claim heads; Bob folds or doubts."""

    players = "Alice", "Bob"

    def turn(self, state: str) -> eb.Chance | eb.Decision | eb.End:
        """Return the turn at *state*, which is the history as text."""
        if state == "":
            return eb.Chance("coin", (("heads", Fraction(1, 2), "H"), ("tails", Fraction(1, 2), "T")))
        if state in ("H", "T"):
            return eb.Decision(0, state, (("claim", state + "c"), ("give up", state + "g")))
        if state.endswith("c"):
            return eb.Decision(1, "a claim", (("fold", state + "f"), ("doubt", state + "d")))
        if state.endswith("g"):
            return eb.End((Fraction(-1), Fraction(1)))
        won = Fraction(1 if state.endswith("f") else 2 if state[0] == "H" else -2)
        return eb.End((won, -won))


def random_trees(zero_sum: bool) -> Iterator[eb.GameTree]:
    """Yield games of 15 to 53 nodes: chance draws a type, player 1 sends a message, player 2 answers."""
    size = random.Random(1).randint
    for seed in range(RANDOM):
        types, messages, answers = size(2, 4), size(2, 3), size(2, 3)
        yield messages_and_answers(
            f"random {seed}", seed, types, messages, answers, shown=bool(size(0, 1)), zero_sum=zero_sum
        )


def cpu(run: Callable[[eb.GameTree], object], games: Sequence[eb.GameTree], least: float) -> float:
    """Return the CPU milliseconds per game, measured over at least *least* milliseconds."""
    began, passes = time.process_time(), 0
    while not passes or time.process_time() - began < least / 1000:
        passes += 1
        for one in games:
            run(one)
    return 1000 * (time.process_time() - began) / passes / len(games)


def measured(trees: Sequence[eb.GameTree], general: Sequence[eb.GameTree], rounds: int) -> dict[str, float]:
    """Return each method's median CPU milliseconds; the games in *general* have no constant sum."""
    theirs = {id(tree): pygambit.read_efg(io.StringIO(tree.to_efg())) for tree in (*trees, *general)}

    def ours(tree: eb.GameTree, method: str = "auto", refine: bool | None = False) -> None:
        assert eb.solve(tree, method, refine=refine).exact

    ways: dict[str, tuple[Callable[[eb.GameTree], object], Sequence[eb.GameTree]]] = {
        "ours": (ours, trees),
        "refined": (lambda tree: ours(tree, refine=None), trees),
        "lp_solve": (lambda tree: pygambit.nash.lp_solve(theirs[id(tree)]), trees),
        "lcp": (lambda tree: ours(tree, "lcp", None), general),
        "lcp_solve": (lambda tree: pygambit.nash.lcp_solve(theirs[id(tree)]), general),
    }
    taken: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(rounds):
        for name, (run, games) in ways.items():
            taken[name].append(cpu(run, games, MILLISECONDS if len(games) == 1 else 0))
    return {name: round(sorted(times)[rounds // 2], 3) for name, times in taken.items()}


def row(name: str, nodes: str, each: dict[str, float]) -> list[str]:
    ratios = each["lp_solve"] / each["ours"], each["lcp_solve"] / each["lcp"]
    words = [f"{each[way]:.2f} ms" for way in ("ours", "refined", "lp_solve")] + [f"{ratios[0]:.1f}"]
    return [name, nodes, *words, *(f"{each[way]:.2f} ms" for way in ("lcp", "lcp_solve")), f"{ratios[1]:.1f}"]


def tables(rows: Sequence[Sequence[str]]) -> list[str]:
    return [
        *frame.table(HEADS[0], [row[:6] for row in rows]),
        "",
        *frame.table(HEADS[1], [[*row[:2], *row[6:]] for row in rows]),
    ]


def main(arguments: list[str] | None = None) -> list[list[str]]:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    quick = parser.parse_args(arguments).quick
    named = {"Coin bluff": eb.build(Coin()), "Kuhn poker": eb.build(eb.game("kuhn"))}
    named["Liar's Dice, 2 sides"] = eb.build(eb.game("liars-dice", sides=2))
    raked_games = [raked("kuhn"), raked("liars-dice", sides=2)]
    general = dict(zip(named, [named["Coin bluff"], *raked_games], strict=True))
    rows = []
    for name, tree in named.items():
        found = measured([tree], [general[name]], 1 if quick else ROUNDS)
        rows.append(row(name, f"{len(tree):,}", found))
        print(" | ".join(rows[-1]), flush=True)
        if quick:
            return rows
    found = measured([*random_trees(True)], [*random_trees(False)], 3)
    rows.append(row(f"{RANDOM:,} random games, each", "15 to 53", found))
    print(" | ".join(rows[-1]), flush=True)
    frame.fill("comparison", {"small games": tables(rows)})
    return rows


if __name__ == "__main__":
    main()
