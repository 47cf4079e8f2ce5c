"""Draw the bounds on a value that regret minimization proves: ``python benchmarks/bracket.py``.

The picture is ``docs/bracket.svg``. After each number of iterations, exact best responses to the average strategies
give a lower and an upper bound on the value of the game.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import efg_builder as eb
import frame
from efg_builder.display.plots import style

GAME = "liars-dice sides=6"
ITERATIONS = (*range(1, 33), *range(34, 65, 2))


def bounds(iterations: int) -> tuple[Fraction, Fraction]:
    """Return the proved lower and upper bounds after this number of iterations."""
    solution = eb.solve(GAME, "cfr", options={"iterations": iterations})
    assert solution.lower is not None
    assert solution.upper is not None
    return Fraction(solution.lower), Fraction(solution.upper)


def draw(path: Path) -> None:
    value = eb.solve(GAME, "oracle").value[0]
    lower, upper = zip(*(map(float, bounds(number)) for number in ITERATIONS), strict=True)
    with frame.plot(path, 4.8, 3.6) as figure:
        axis = figure.subplots()
        blue, orange = style.FILLS[0], style.DARK[1]
        axis.fill_between(ITERATIONS, lower, upper, color=blue, alpha=0.14, linewidth=0)
        axis.plot(ITERATIONS, upper, color=blue, linewidth=2)
        axis.plot(ITERATIONS, lower, color=blue, linewidth=2)
        axis.axhline(float(value), color=orange, linewidth=1.4, linestyle=(0, (4, 2)))
        axis.text(4.2, 0.06, "upper bound", color=blue, fontsize=11)
        axis.text(5, -0.158, "lower bound", color=blue, fontsize=11)
        axis.text(64, float(value) + 0.012, f"value {value}".replace("-", "−"), color=orange, fontsize=11, ha="right")
        axis.set_xscale("log", base=2)
        axis.set_xticks([1, 2, 4, 8, 16, 32, 64], ["1", "2", "4", "8", "16", "32", "64"])
        axis.set_yticks([-0.15, -0.1, -0.05, 0, 0.05, 0.1, 0.15])
        axis.minorticks_off()
        axis.set_xlim(1, 64)
        axis.set_xlabel("iterations", fontsize=11)
        axis.tick_params(labelsize=10)
        axis.set_title("expected payoff of player 1", loc="left", fontsize=11, fontweight="bold")
        figure.tight_layout()


if __name__ == "__main__":
    draw(frame.ROOT / "docs" / "bracket.svg")
