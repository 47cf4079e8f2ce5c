"""Compare exact solvers, ours and Gambit's, on two-player games without a constant sum: ``python benchmarks/lcp.py``.

Both solvers run Lemke's method on the sequence form. Our ``lcp`` uses floats, then solves the last basis exactly; its
time includes verification. Gambit's ``lcp_solve`` uses exact fractions in a separate process. The table shows the time
of each call, and two speedups: over Gambit's call, and over Gambit's computation alone. The script fills the table of
``docs/equilibria.md``. ``--quick`` only prints the first game.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

import efg_builder as eb
import frame

LIMIT = 300
"""Time limit for Gambit, in seconds."""

ABOUT = "Seconds of lcp, verifying included, and of gambit-lcp on the same trees, in the words of benchmarks/lcp.py."

HEAD = "game | nodes | lcp | gambit-lcp | speedup | speedup without start-up"


def raked(name: str, **settings: Any) -> eb.GameTree:
    """Return a catalogue game in which the house takes a tenth of each win."""
    tree = eb.build(eb.game(name, **settings))
    won = (less_share(outcome.payoffs) for outcome in tree.outcomes)
    return replace(tree, outcomes=tuple(o._replace(payoffs=u) for o, u in zip(tree.outcomes, won, strict=True)))


def less_share(payoffs: tuple[Fraction, ...]) -> tuple[Fraction, ...]:
    return tuple(u * Fraction(9, 10) if u > 0 else u for u in payoffs)


def matrix(size: int, seed: int = 1) -> eb.GameTree:
    return messages_and_answers(f"matrix {size} x {size}", seed, types=1, messages=size, answers=size, shown=False)


def signals(types: int, messages: int, answers: int, seed: int = 1) -> eb.GameTree:
    """Return a signaling game: chance draws a type, player 1 learns it and sends a message, and player 2 answers."""
    return messages_and_answers(f"signals {types}, {messages}, {answers}", seed, types, messages, answers, shown=True)


def messages_and_answers(
    title: str, seed: int, types: int, messages: int, answers: int, *, shown: bool, zero_sum: bool = False
) -> eb.GameTree:
    """Return a game: chance draws a type, player 1 sends a message (observed if *shown*), and player 2 answers."""
    pay = random.Random(seed).randint
    lines = [f'EFG 2 R "{title}" {{ "Player 1" "Player 2" }}']
    lines.append('c "" 1 "type" { ' + " ".join(f'"{t}" 1/{types}' for t in range(types)) + " } 0")
    end = 0
    for kind in range(types):
        lines.append(f'p "" 1 {kind + 1} "" {{ ' + " ".join(f'"m{m}"' for m in range(messages)) + " } 0")
        for message in range(messages):
            choices = " ".join(f'"a{a}"' for a in range(answers))
            lines.append(f'p "" 2 {message + 1 if shown else 1} "" {{ {choices} }} 0')
            for _ in range(answers):
                end += 1
                mine = pay(-99, 99)
                lines.append(f't "" {end} "" {{ {mine}, {-mine if zero_sum else pay(-99, 99)} }}')
    return eb.parse_efg("\n".join(lines) + "\n")


def games() -> Iterator[tuple[str, eb.GameTree]]:
    """Yield the measured games by family and size."""
    for sides in (12, 16, 20, 24):
        yield f"dice poker, {sides} sides, a tenth to the house", raked("dice-poker", sides=sides)
    for size in (60, 70):
        yield f"random matrix, {size} x {size}", matrix(size)
    for types, messages, answers in ((5, 5, 20), (4, 6, 30), (8, 8, 8), (9, 9, 9), (15, 15, 15)):
        yield f"signals: {types} types, {messages} messages, {answers} answers", signals(types, messages, answers)
    for sides in (3, 4):
        yield f"Liar's Dice, {sides} sides, a tenth to the house", raked("liars-dice", sides=sides)


def measured(tree: eb.GameTree, limit: float = LIMIT) -> dict[str, Any]:
    """Return the seconds of both solvers; Gambit's seconds are None if Gambit exceeds *limit*."""
    found: dict[str, eb.Solution] = {}

    def solve() -> None:
        found["ours"] = eb.solve(tree, "lcp")
        assert found["ours"].regret == 0, found["ours"].message

    def gambit() -> None:
        found["theirs"] = eb.solve(tree, "gambit-lcp", timeout=limit)

    solve()  # imports are not measured
    ours, theirs = frame.in_turn({"": solve}, 3)[""], frame.in_turn({"": gambit}, 1)[""]
    ended = found["theirs"].status == "equilibrium"
    return {
        "nodes": len(tree),
        "sequences": sum(len(tree.infosets[k].actions) for k in tree.personal) + 2,
        "lcp": round(ours, 4),
        "gambit-lcp": round(theirs, 2) if ended else None,
        "computed": found["theirs"].details["gambit_seconds"] if ended else None,
    }


def row(name: str, each: dict[str, Any], limit: float = LIMIT) -> list[str]:
    whole, computed, ended = each["gambit-lcp"], each["computed"], each["gambit-lcp"] is not None
    return [
        name,
        f"{each['nodes']:,}",
        f"{each['lcp']:.3f} s",
        f"{whole:.1f} s" if ended else f"over {limit:g} s",
        f"{whole / each['lcp']:,.0f}" if ended else f"over {limit / each['lcp']:,.0f}",
        f"{computed / each['lcp']:,.0f}" if ended else "",
    ]


def parts(figures: dict[str, dict[str, Any]], limit: float) -> dict[str, list[str]]:
    return {"lcp": frame.table(HEAD, [row(name, each, limit) for name, each in figures.items()])}


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    quick = parser.parse_args(arguments).quick
    figures: dict[str, dict[str, Any]] = {}
    for name, tree in games():
        figures[name] = measured(tree)
        print(" | ".join(row(name, figures[name])), flush=True)
        if quick:
            return
    frame.keep("lcp", {"about": ABOUT, "limit": LIMIT, "games": figures})
    frame.fill("equilibria", parts(figures, LIMIT))


if __name__ == "__main__":
    main()
