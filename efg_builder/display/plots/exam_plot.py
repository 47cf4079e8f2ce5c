"""A plot of mean losses per decision with their intervals: a panel for each group."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ...experiments.exam.scores import Line, by_group
from .style import INK, look, new_figure, write_heading, write_plot

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ROW, ACROSS = 0.27, 3
"""The height of a line in inches; the maximum number of panels in a row."""


def draw_losses(lines: Sequence[Line], path: str | os.PathLike[str], title: str) -> Path:
    """Draw *lines* to *path* (.svg or .png). Raises the errors of ``write_plot``."""
    return write_plot(path, lambda: _figure(lines, title), title)


def _figure(lines: Sequence[Line], title: str) -> Figure:
    groups = by_group(lines)
    across = min(ACROSS, len(groups))
    down = -(-len(groups) // across)
    high = 0.9 + down * (0.9 + ROW * max(map(len, groups.values())))
    figure = new_figure(3.3 * across, high, layout="constrained")
    intervals = ", with 95% intervals" if any(line.loss.high is not None for line in lines) else ""
    said = f"Loss per decision against an equilibrium; 0 is best play. Dot: unweighted{intervals}."
    write_heading(figure, title, [said, "Bar: positions weighted by their reach probability."])
    color, mark = look(0)
    first = None  # all panels share one scale
    for number, (group, inside) in enumerate(groups.items(), start=1):
        axis = figure.add_subplot(down, across, number, sharex=first)
        first = first or axis
        axis.set_title(group, fontsize=9, color=INK, loc="left")
        for y, line in enumerate(inside):
            if line.loss.low is not None and line.loss.high is not None:
                axis.plot([line.loss.low, line.loss.high], [y, y], color=color, linewidth=1.3)
            axis.plot([float(line.loss.mean)], [y], marker=mark, color=color, markersize=5, clip_on=False)
            if line.by_reach is not None:
                axis.plot([float(line.by_reach.mean)], [y], "|", ms=12, mew=1.6, color=INK, zorder=3, clip_on=False)
        axis.set_yticks(range(len(inside)), [line.name for line in inside])
        axis.set_ylim(len(inside) - 0.5, -0.5)
        axis.grid(axis="x")
        axis.set_axisbelow(True)
    if first is not None:
        first.set_xlim(left=0)
    return figure
