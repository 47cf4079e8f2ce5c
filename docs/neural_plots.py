"""The plots of ``neural.md``, from the records in ``neural.json``; the same bytes each time."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from statistics import median
from typing import Any

from efg_builder.display.plots.style import FILLS, GREY, INK, style, write_figure

SEATS = ("as player 1", "as player 2")
TITLES = {"value": "value net, self-play", "deep-cfr": "deep regret minimisation"}


def draw(data: dict[str, Any], values: dict[str, str], folder: Path) -> None:
    """Draw what has been measured."""
    from matplotlib.figure import Figure

    folder.mkdir(exist_ok=True)
    games, kinds = list(values), list(TITLES)
    with style():
        figure = Figure(figsize=(9.6, 6.0))
        axes = figure.subplots(len(kinds), len(games), sharey=True, squeeze=False)
        for row, kind in enumerate(kinds):
            for column, game in enumerate(games):
                _panel(axes[row][column], data["runs"], kind, game, float(Fraction(values[game])))
                axes[row][column].set_title(f"{game}, {TITLES[kind]}", loc="left", fontsize=9, fontweight="bold")
            axes[row][0].set_ylabel("what a best response wins")
        for axis in axes[-1]:
            axis.set_xlabel("seconds of training (one core)")
        _legend(figure)
        figure.tight_layout(rect=(0, 0, 1, 0.95))
    write_figure(figure, folder / "exploitability.svg", "What a best response wins from the nets, over training")


def _panel(axis: Any, runs: dict[str, Any], kind: str, game: str, value: float) -> None:
    for seat in range(2):
        colour, least = FILLS[seat], (-value, value)[seat]
        axis.axhline(least, color=colour, linestyle=(0, (4, 3)), linewidth=1.0)
        courses = [
            [(p["seconds"], p["best_response"][1 - seat], p["steps"]) for p in run["points"]]
            for run in runs.values()
            if (run["kind"], run["game"]) == (kind, game) and "options" not in run
        ]
        for course in courses:
            axis.plot([x for x, _, _ in course], [y for _, y, _ in course], color=colour, linewidth=0.8, alpha=0.45)
        steps = sorted({step for course in courses for _, _, step in course})
        at = [[(x, y) for course in courses for x, y, step in course if step == mark] for mark in steps]
        xs, ys = [median(x for x, _ in points) for points in at], [median(y for _, y in points) for points in at]
        axis.plot(xs, ys, color=colour, linewidth=2.2, marker="o", markersize=3)
    axis.grid(color="#e6e6e6", linewidth=0.6)
    axis.set_axisbelow(True)
    axis.set_xlim(left=0)


def _legend(figure: Any) -> None:
    from matplotlib.lines import Line2D

    marks = [Line2D([], [], color=FILLS[seat], linewidth=2.2, label=f"the net sits {SEATS[seat]}") for seat in range(2)]
    marks.append(Line2D([], [], color=GREY, linewidth=0.8, label="each run (bold: the median)"))
    dashes = Line2D([], [], color=GREY, linestyle=(0, (4, 3)), linewidth=1.0, label="the least possible: equilibrium")
    figure.legend(handles=[*marks, dashes], loc="upper left", ncols=4, frameon=False, fontsize=8.5, labelcolor=INK)
