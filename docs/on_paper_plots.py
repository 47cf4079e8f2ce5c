"""The plots of ``on-paper.md``; the same bytes each time."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from on_paper_fit import FIGURES, Row, exact_rows, said
from on_paper_scenarios import WORKERS, Scenario
from on_paper_tables import Data
from oracle_plots import STYLE, _save  # which chooses how matplotlib writes

import matplotlib.pyplot as plt  # isort: skip

KINDS = {
    ("plain", "quantity-face"): ("plain", "#4c78a8", "o"),
    ("plain", "face-quantity"): ("plain, by faces", "#4c78a8", "^"),
    ("joker", "quantity-face"): ("joker", "#d18f00", "o"),
    ("joker", "face-quantity"): ("joker, by faces", "#d18f00", "^"),
    ("highest", "quantity-face"): ("highest wild", "#c8553d", "o"),
    ("highest", "face-quantity"): ("highest wild, by faces", "#c8553d", "^"),
}

PARTS = {
    "linear programs": "#4c78a8",
    "writing them down": "#9db9d8",
    "best responses": "#d18f00",
    "regret minimisation": "#2a9d8f",
    "exact finish": "#c8553d",
    "exact best responses": "#e8a598",
    "verification": "#7b4fa3",
    "rest": "#bbbbbb",
}

LINES = ("#4c78a8", "#c8553d", "#d18f00", "#888888", "#2a9d8f", "#7b4fa3", "#333333", "#d17fb0")
MARKS = ("o", "s", "^", "v", "D", "P", "X", "*")

PANELS = (("sequences", "sequences in the last restricted game"), ("seconds", "seconds to solve and verify"))


def predicted(rows: Sequence[Row], data: Data, path: Path) -> None:
    """Measured figures over those that the models say."""
    with plt.rc_context(STYLE):
        figure, axes = plt.subplots(1, 2, figsize=(9.6, 4.9))
        for axis, (name, title) in zip(axes, PANELS, strict=True):
            _panel(axis, rows, data["fits"][name]["weights"], name)
            axis.set_title(title, loc="left", fontsize=10, fontweight="bold")
            axis.set_xlabel("as the model says")
        axes[0].set_ylabel("measured")
        axes[0].legend(loc="upper left", frameon=False, fontsize=8, handletextpad=0.2)
        figure.tight_layout()
        _save(figure, path)


def _panel(axis: Any, rows: Sequence[Row], weights: dict[str, float], name: str) -> None:
    of, there = FIGURES[name], exact_rows(rows)
    for (rules, order), (label, colour, mark) in KINDS.items():
        some = [row for row in there if (row["rules"], row["order"]) == (rules, order)]
        axis.plot(
            [said(weights, row) for row in some], [of(row) for row in some], mark, ms=4.5, color=colour, label=label
        )
        if name == "seconds":
            over = [row for row in rows if not row["exact"] and (row["rules"], row["order"]) == (rules, order)]
            style: dict[str, Any] = {"ms": 5.5, "color": colour, "markerfacecolor": "white"}
            axis.plot([said(weights, row) for row in over], [of(row) for row in over], mark, **style)
    if name == "seconds":
        axis.annotate("hollow: not done by then", (0.97, 0.04), xycoords="axes fraction", ha="right", fontsize=8.5)
    axis.set_xscale("log")
    axis.set_yscale("log")
    low, high = (pick(*axis.get_xlim(), *axis.get_ylim()) for pick in (min, max))
    axis.plot([low, high], [low, high], color="#999999", linewidth=0.9, zorder=0)
    if name == "seconds":
        axis.set_xticks([10.0**k for k in range(-2, 7, 2)])
    axis.minorticks_off()
    for one in (axis.xaxis, axis.yaxis):
        one.set_major_formatter(lambda number, _: f"{number:,.0f}" if number >= 1 else f"{number:g}")


def shares(data: Data, path: Path) -> None:
    """What the work is made of."""
    games = data["profile"]
    with plt.rc_context(STYLE):
        figure, axis = plt.subplots(figsize=(9.6, 3.9))
        left = [0.0] * len(games)
        for part, colour in PARTS.items():
            widths = [100 * one["parts"][part] / one["seconds"] for one in games.values()]
            axis.barh(range(len(games)), widths, left=left, color=colour, label=part, height=0.66)
            left = [before + width for before, width in zip(left, widths, strict=True)]
        axis.set_yticks(range(len(games)), [f"{name} ({one['seconds']:.1f} s)" for name, one in games.items()])
        axis.invert_yaxis()
        axis.set_xlim(0, 100)
        axis.xaxis.set_major_formatter("{x:g}%")
        axis.grid(visible=False, axis="y")
        figure.legend(loc="upper center", ncols=4, frameon=False, fontsize=8.5)
        figure.tight_layout(rect=(0, 0, 1, 0.87))
        _save(figure, path)


def speedups(all_of_them: Sequence[Scenario], path: Path) -> None:
    """How many times as fast so many workers are."""
    with plt.rc_context(STYLE):
        figure, axis = plt.subplots(figsize=(9.6, 5.2))
        axis.plot(WORKERS, WORKERS, color="#bbbbbb", linewidth=0.9, linestyle="--", label="as many times as workers")
        for one, colour, mark in zip(all_of_them, LINES, MARKS, strict=True):
            alone = one.seconds(1)
            gains = [alone / one.seconds(workers) for workers in WORKERS]
            axis.plot(WORKERS, gains, color=colour, linewidth=1.3, marker=mark, ms=4.5, label=one.name)
        axis.set_xscale("log", base=2)
        axis.set_yscale("log", base=2)
        axis.set_xticks(WORKERS, [str(workers) for workers in WORKERS])
        axis.yaxis.set_major_formatter("{x:g}")
        axis.set_ylim(0.9, 80)
        axis.minorticks_off()
        axis.set_xlabel("workers")
        axis.set_title("times as fast as one worker (simulated)", loc="left", fontsize=10, fontweight="bold")
        axis.legend(loc="upper left", frameon=False, fontsize=8.5)
        figure.tight_layout()
        _save(figure, path)
