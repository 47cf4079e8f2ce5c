"""The plots of ``oracle.md``, from the records in ``oracle.json``; the same bytes each time."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from oracle_games import GAMES

Records = dict[str, dict[str, Any]]

COLOURS = {2: "#4c78a8", 3: "#2a9d8f", 4: "#d18f00", 5: "#c8553d", 6: "#7b4fa3", 8: "#6b4e3d", 10: "#333333"}
"""By the number of dice on the table."""

FAMILIES = ((1, 1), (2, 1), (1, 2), (2, 2), (3, 1), (1, 3), (3, 2), (2, 3), (3, 3), (4, 4), (5, 5))

STYLE: dict[Any, Any] = {
    "svg.hashsalt": "efg_builder",
    "svg.fonttype": "path",
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#e6e6e6",
    "grid.linewidth": 0.6,
    "axes.axisbelow": True,
}

COURSES = {
    "2v2-6": ("2v2 six sides", "#d18f00"),
    "3v1-6": ("3v1 six sides", "#2a9d8f"),
    "3v3-4": ("3v3 four sides", "#7b4fa3"),
    "2v1-6-highest": ("2v1 six sides, highest face wild", "#4c78a8"),
    "2v2-6-joker": ("2v2 six sides, joker", "#888888"),
    "3v2-6": ("3v2 six sides", "#c8553d"),
}
"""The games whose gap is shown over time."""

FLOOR = 1e-7
"""Where a gap of 0 is drawn."""

PANELS: tuple[tuple[str, Callable[[dict[str, Any]], float]], ...] = (
    ("sequences in the restricted game", lambda record: sum(record["sequences"])),
    ("rounds", lambda record: record["rounds"]),
    ("histories visited by both best responses", lambda record: sum(record["visited"])),
    ("seconds", lambda record: max(record["seconds"], 0.01)),
)


def growth(records: Records, path: Path) -> None:
    """How the work grows with the game, plain rules."""
    with plt.rc_context(STYLE):
        figure, axes = plt.subplots(2, 2, figsize=(9.6, 7.4), sharex=True)
        for axis, (title, figure_of) in zip(axes.flat, PANELS, strict=True):
            axis.set_title(title, loc="left", fontsize=10, fontweight="bold")
            axis.set_xscale("log")
            if title == "rounds":
                axis.set_ylim(0, 1.08 * max(record["rounds"] for record in records.values()))
            else:
                axis.set_yscale("log")
                axis.yaxis.set_major_formatter("{x:,g}")
            axis.minorticks_off()
            for dice in FAMILIES:
                _family(axis, records, dice, figure_of)
        for axis in axes[1]:
            axis.set_xlabel("information sets of the whole game")
        _legend(figure, records)
        figure.tight_layout(rect=(0, 0, 1, 0.92))
        _save(figure, path)


def _family(axis: Axes, records: Records, dice: tuple[int, int], figure_of: Callable[[dict[str, Any]], float]) -> None:
    games = [game for game in GAMES if game.dice == dice and game.rules == "plain" and game.name in records]
    found = [(records[g.name]["infosets"], figure_of(records[g.name]), records[g.name]["exact"]) for g in games]
    if not found:
        return
    colour = COLOURS[sum(dice)]
    axis.plot([x for x, _, _ in found], [y for _, y, _ in found], color=colour, linewidth=0.9, alpha=0.6)
    for x, y, exact in found:
        axis.plot(x, y, "o", markersize=5, color=colour, markerfacecolor=colour if exact else "white")
    x, y, _ = found[-1]
    # Of two mirrored games the one label stands above the point, the other below; equal sides to the left.
    away = (4 if dice[0] != dice[1] else -21, 3 if dice[0] >= dice[1] else -10)
    axis.annotate(
        f"{dice[0]}v{dice[1]}", (x, y), away, textcoords="offset points", fontsize=8, fontweight="bold", color=colour
    )


def _legend(figure: Figure, records: Records) -> None:
    shown = sorted({sum(g.dice) for g in GAMES if g.rules == "plain" and g.name in records})
    marks = [
        Line2D([], [], marker="o", color=COLOURS[dice], markersize=5, label=f"{dice} dice on the table")
        for dice in shown
    ]
    grey: dict[str, Any] = {"marker": "o", "color": "#777777", "linestyle": "", "markersize": 5}
    marks.append(Line2D([], [], label="exact", **grey))
    marks.append(Line2D([], [], label="bracket when time ran out", markerfacecolor="white", **grey))
    figure.legend(handles=marks, loc="upper left", ncols=4, frameon=False, fontsize=8.5, handlelength=1.2)


def convergence(records: Records, path: Path) -> None:
    """The gap over time."""
    with plt.rc_context(STYLE):
        figure, axis = plt.subplots(figsize=(9.6, 4.8))
        for name, (label, colour) in COURSES.items():
            if name in records:
                _course(axis, records[name], label, colour)
        axis.set_xscale("log")
        axis.set_yscale("log")
        axis.set_ylim(FLOOR / 2, 4)
        ticks = [FLOOR, 1e-6, 1e-4, 1e-2, 1]
        axis.set_yticks(ticks, ["0: exact", *(f"$10^{{{round(k)}}}$" for k in (-6, -4, -2)), "1"])
        axis.minorticks_off()
        axis.xaxis.set_major_formatter("{x:,g}")
        axis.set_xlabel("seconds")
        axis.set_title("gap between the two bounds on the value", loc="left", fontsize=10, fontweight="bold")
        if axis.lines:
            axis.legend(loc="lower left", frameon=False, fontsize=8.5)
        figure.tight_layout()
        _save(figure, path)


def _course(axis: Axes, record: dict[str, Any], label: str, colour: str) -> None:
    points = [(max(s, 0.01), g) for s, g in zip(*(record["course"][key] for key in ("seconds", "gap")), strict=True)]
    points = [(s, g) for s, g in points if g > 10 * FLOOR]
    end = (record["seconds"], FLOOR if record["exact"] else points[-1][1])
    xs, ys = zip(*points, end, strict=True)
    axis.plot(xs, ys, color=colour, linewidth=1.4, drawstyle="steps-post", label=label)
    axis.plot(*end, "o", color=colour, markersize=6, markerfacecolor=colour if record["exact"] else "white")


def _save(figure: Figure, path: Path) -> None:
    figure.savefig(path, format="svg", metadata={"Date": None})
    plt.close(figure)
