"""A match as a chart to print: how often you win, by the dice that you and the other have left."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from ..games.match_rules import Bounds
from ..matches import Match
from .paper import GREY, INK, check_kind_of_plot, style, write_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

CELL = 0.95
"""Inches."""

LOW, EVEN, HIGH = "#e06c00", "#f7f7f7", "#2f7fb8"
"""The colours of never winning, of even chances, and of always winning."""


def draw_match(match: Match, path: str | os.PathLike[str]) -> Path:
    """Draw *match* to *path* (.svg or .png), whole or not at all. Raises ``ParameterError`` and ``FileError``."""
    check_kind_of_plot(path)
    with style():
        figure = match_figure(match)
    return write_figure(figure, path, match.rules.title)


def match_figure(match: Match) -> Figure:
    """Two grids, you bid first and they do: a row for each number of your dice, a column for each of theirs."""
    from matplotlib.figure import Figure

    most = max(match.rules.dice)
    high, wide = 2.15 + CELL * most, max(7.2, 2 * CELL * most + 2.6)
    figure = Figure(figsize=(wide, high))
    axes = figure.subplots(1, 2, squeeze=False)[0]
    for starts, axis in enumerate(axes):
        _grid(match, starts, most, axis)
    figure.subplots_adjust(left=0.75 / wide, right=1 - 0.25 / wide, top=1 - 1.55 / high, bottom=0.25 / high, wspace=0.3)
    left = 0.25 / wide
    figure.text(left, 1 - 0.35 / high, "How often you win", fontsize=15, fontweight="bold", color=INK)
    figure.text(left, 1 - 0.62 / high, _told(match.rules.title), fontsize=9, color=GREY)
    said = "Both play perfectly. Blue: you are ahead; orange: they are. Two numbers: proved to lie between them."
    figure.text(left, 1 - 0.83 / high, said, fontsize=9, color=GREY)
    return figure


def _told(title: str) -> str:
    """The rules without the dice at the start: the chart is of all of them."""
    head, _, rest = title.partition(": ")
    return f"{head}: {rest}"


def _grid(match: Match, starts: int, most: int, axis: Axes) -> None:
    from matplotlib.colors import LinearSegmentedColormap
    from matplotlib.patches import Rectangle

    colours = LinearSegmentedColormap.from_list("wins", [LOW, EVEN, HIGH])
    known = match.bounds
    for mine in range(1, most + 1):
        for other in range(1, most + 1):
            found = known.get((mine, other)) if starts == 0 else known.get((other, mine))
            if found is None:
                continue
            bounds = found if starts == 0 else -found
            share = float((1 + bounds.middle) / 2)
            box = Rectangle((other - 0.5, mine - 0.5), 1, 1, facecolor=colours(share), edgecolor="white", linewidth=2)
            axis.add_patch(box)
            lines = percents(bounds)
            size = 13 if len(lines) == 1 else 9.5
            axis.text(other, mine, "\n".join(lines), ha="center", va="center", fontsize=size, color=INK)
    axis.set_xlim(0.5, most + 0.5)
    axis.set_ylim(most + 0.5, 0.5)
    axis.set_aspect("equal")
    axis.set_xticks(range(1, most + 1))
    axis.set_yticks(range(1, most + 1))
    axis.xaxis.tick_top()
    axis.xaxis.set_label_position("top")
    axis.set_xlabel("their dice")
    axis.set_ylabel("your dice")
    axis.tick_params(length=0)
    for spine in axis.spines.values():
        spine.set_visible(False)
    axis.set_title("you bid first" if starts == 0 else "they bid first", fontsize=11, fontweight="bold", pad=8)


def percents(bounds: Bounds) -> tuple[str, ...]:
    """The chance to win, with as many digits as are proved; its two ends where they differ by what can be seen."""
    shares = [100 * (1 + float(end)) / 2 for end in bounds]
    low, high = (f"{share:.1f} %" for share in shares)
    return (low,) if low == high else (low, high)
