"""A printable chart of a match: your probability of winning, by both players' numbers of dice."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING

from ...base.rationals import down, up
from ...experiments.matches import Match
from ...games.match_rules import Bounds, in_a_line
from .style import BOTH_SIDES, CHART_KINDS, GREY, new_figure, shaded, write_heading, write_plot

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

CELL = 0.95  # the size of a cell in inches
LETTERS = 14  # characters per inch in the text above the grids


def draw_match(match: Match, path: str | os.PathLike[str]) -> Path:
    """Draw *match* to *path* (.svg, .png or .pdf) atomically. Raises the errors of ``write_plot``."""
    return write_plot(path, lambda: match_figure(match), match.rules.title, CHART_KINDS)


def match_figure(match: Match) -> Figure:
    """Return two grids (you bid first, they bid first), with your dice in rows and their dice in columns."""
    most = max(match.rules.dice)
    wide = max(7.2, 2 * CELL * most + 2.6)
    lines = [*wrap(in_a_line(match.rules), round(LETTERS * wide)), *wrap(_caption(match), round(LETTERS * wide))]
    head = 1.15 + 0.2 * len(lines)
    high = head + 0.6 + CELL * most
    figure = new_figure(wide, high)
    axes = figure.subplots(1, 2, squeeze=False)[0]
    for starts, axis in enumerate(axes):
        _grid(match, starts, most, axis)
    figure.subplots_adjust(left=0.75 / wide, right=1 - 0.25 / wide, top=1 - head / high, bottom=0.25 / high, wspace=0.3)
    write_heading(figure, "Your probability of winning", lines)
    return figure


def _caption(match: Match) -> str:
    said = "Both play perfectly. Blue: you are ahead; orange: you are behind; white: even."
    if any(len(percents(bounds)) > 1 for bounds in match.bounds.values()):
        said += " Two numbers: proved bounds."
    return said


def _cells(match: Match, starts: int) -> Iterator[tuple[int, int, Bounds]]:
    """For each cell, yield your and their number of dice, and the value to you. If *starts* is 0, you bid first."""
    known, most = match.bounds, max(match.rules.dice)
    for mine in range(1, most + 1):
        for other in range(1, most + 1):
            found = known.get((mine, other)) if starts == 0 else known.get((other, mine))
            if found is not None:
                yield mine, other, found if starts == 0 else -found


def _grid(match: Match, starts: int, most: int, axis: Axes) -> None:
    from matplotlib.patches import Rectangle

    for mine, other, bounds in _cells(match, starts):
        colour, ink = shaded(float((1 + bounds.middle) / 2), BOTH_SIDES)
        box = Rectangle((other - 0.5, mine - 0.5), 1, 1, facecolor=colour, edgecolor=GREY, linewidth=0.8)
        axis.add_patch(box)
        lines = percents(bounds)
        size = 13 if len(lines) == 1 else 9.5
        axis.text(other, mine, "\n".join(lines), ha="center", va="center", fontsize=size, color=ink, fontweight="bold")
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
    axis.spines[:].set_visible(False)
    axis.set_title("you bid first" if starts == 0 else "they bid first", fontsize=11, fontweight="bold", pad=8)


def percents(bounds: Bounds) -> tuple[str, ...]:
    """Return the probability of winning; if its bounds differ after rounding, return both, rounded outward."""
    low, high = (50 * (1 + end) for end in bounds)
    shown = f"{float(low):.1f}%"
    return (shown,) if shown == f"{float(high):.1f}%" else (f"{down(low, 1)}%", f"{up(high, 1)}%")
