"""The normal form as a map: a cell for each pair of plans, each side's best replies on it."""

from __future__ import annotations

import os
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ...base.rationals import brief
from ...equilibria.strategic import MatrixReport
from ...proof.pure import best_replies
from .heatmap_key import FEW, NARROWEST, STAR, draw_heading, draw_scale, heading_height, marked
from .heatmap_margins import draw_bars, draw_margin, margin
from .paper import DARK, FILLS, GREY, INK, check_kind_of_plot, style, write_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SIDE, CELL, BAR, GAP = 6.4, 1.3, 0.75, 0.09
"""Inches: the map's longer side, a cell's at most, the bars, and the gaps between."""

MARK = 24.0
"""Points: the longest mark."""

LEFT, RIGHT, HEAD, BOTTOM = 0.55, 0.75, 0.38, 0.92
"""Inches beside the map, between the heading and the map's upper margin (for their titles), and below."""

MOST_STARS = 4000
"""Of more equilibria so many are starred, evenly spaced: a file stays small, and the picture looks the same."""


def draw_matrix(report: MatrixReport, path: str | os.PathLike[str]) -> Path:
    """Draw *report* to *path* (.svg or .png), whole or not at all. Raises ``ParameterError`` and ``FileError``."""
    check_kind_of_plot(path)
    with style():
        figure = heatmap(report)
    return write_figure(figure, path, report.form.tree.title)


def heatmap(report: MatrixReport) -> Figure:
    """The map: rows are player 1's strategies, columns player 2's, white is the value in mixed strategies.

    At the margins, what the strategies do and how often the equilibrium in mixed strategies plays them.
    """
    from matplotlib.figure import Figure

    rows, columns = report.form.shape
    longest = _side(report)
    width, height = longest * min(1.0, max(columns / rows, 0.4)), longest * min(1.0, max(rows / columns, 0.4))
    strips = [margin(side) for side in report.form.strategies]
    above = heading_height(report) + HEAD + strips[1]
    bars = BAR if report.mixed is not None else 0.0
    full = (LEFT + strips[0] + GAP + width + GAP + bars + RIGHT, above + GAP + height + GAP + bars + BOTTOM)
    side = max(0.0, NARROWEST - full[0]) / 2
    full = (full[0] + 2 * side, full[1])
    figure = Figure(figsize=full)

    def axes(left: float, bottom: float, wide: float, high: float) -> Axes:
        return figure.add_axes((left / full[0], bottom / full[1], wide / full[0], high / full[1]))

    left, bottom = side + LEFT + strips[0] + GAP, BOTTOM + bars + GAP
    _map(report, main := axes(left, bottom, width, height))
    if strips[0]:
        draw_margin(report.form.strategies[0], axes(left - GAP - strips[0], bottom, strips[0], height), height)
    if strips[1]:
        draw_margin(report.form.strategies[1], axes(left, bottom + height + GAP, width, strips[1]), width)
    if report.mixed is not None:
        draw_bars(report, 0, axes(left + width + GAP, bottom, BAR, height))
        draw_bars(report, 1, axes(left, BOTTOM, width, BAR))
    scale = axes(left, 0.52, width, 0.11)
    figure.colorbar(main.images[0], cax=scale, orientation="horizontal")
    draw_scale(report, scale)
    draw_heading(report, figure)
    return figure


def _side(report: MatrixReport) -> float:
    """Inches of the map's longer side."""
    return min(SIDE, CELL * max(report.form.shape))


def _map(report: MatrixReport, axes: Axes) -> None:
    from matplotlib.colors import LinearSegmentedColormap, TwoSlopeNorm

    form = report.form
    payoffs = form.cells[0].astype(np.float64) / form.scale
    low, high = float(payoffs.min()), float(payoffs.max())
    middle = float(report.mixed.lower) if report.mixed is not None else (low + high) / 2
    spread = 1e-9 * max(abs(middle), 1.0)  # a colour scale needs room on both sides
    colours = LinearSegmentedColormap.from_list("payoffs", [FILLS[1], "#ffffff", FILLS[0]])
    norm = TwoSlopeNorm(middle, min(low, middle - spread), max(high, middle + spread))
    axes.imshow(payoffs, cmap=colours, norm=norm, aspect="auto", interpolation="nearest")
    if marked(report):
        _marks(report, axes)
    _stars(report, axes)
    if max(form.shape) <= FEW:
        _payoffs(report, axes)
    axes.set(xticks=[], yticks=[], xlim=(-0.5, form.shape[1] - 0.5), ylim=(form.shape[0] - 0.5, -0.5))
    for spine in axes.spines.values():
        spine.set(visible=True, color=GREY, linewidth=0.6)
    if report.chain is not None:
        _chain(report, axes)


def _marks(report: MatrixReport, axes: Axes) -> None:
    """A bar upright for player 1, who chooses within a column, level for player 2; a star where both are."""
    size = min(_side(report) * 72 / max(report.form.shape), MARK)
    for player, marker in ((0, "|"), (1, "_")):
        row, column = np.nonzero(best_replies(report.form, player))
        style: dict[str, Any] = {"marker": marker, "linestyle": "", "markersize": 0.95 * size}
        axes.plot(column, row, color="#ffffff", markeredgewidth=max(0.45 * size, 1.4), alpha=0.85, **style)
        axes.plot(column, row, color=DARK[player], markeredgewidth=max(0.26 * size, 0.8), **style)


def _stars(report: MatrixReport, axes: Axes) -> None:
    """On the equilibria, smaller where there are many cells."""
    count = len(report.equilibria)
    if not count:
        return
    size = min(_side(report) * 72 / max(report.form.shape), MARK)
    shown = report.equilibria[:: -(-count // MOST_STARS)]
    rows, columns = zip(*shown, strict=True)
    least = 9.0 if marked(report) else 6.0
    star: dict[str, Any] = {"marker": "*", "linestyle": "", "markersize": min(max(1.8 * size, least), 16.0)}
    axes.plot(columns, rows, color=STAR, markeredgecolor=INK, markeredgewidth=0.5, clip_on=False, **star)


def _payoffs(report: MatrixReport, axes: Axes) -> None:
    """Both players' payoffs in each cell, below the marks."""
    form = report.form
    box: dict[str, Any] = {"boxstyle": "round,pad=0.2", "facecolor": "#ffffff", "edgecolor": "none", "alpha": 0.85}
    for row in range(form.shape[0]):
        for column in range(form.shape[1]):
            words = ", ".join(map(brief, form.payoff(row, column)))
            axes.text(column, row + 0.36, words, ha="center", va="center", fontsize=7.5, bbox=box)


def _chain(report: MatrixReport, axes: Axes) -> None:
    """The chain of best replies as a walk: up and down when player 1 moves, sideways when player 2 does."""
    chain = report.chain
    assert chain is not None
    cells: list[tuple[int, int]] = []
    steps = [*chain.steps, *chain.steps[chain.back : chain.back + 2]]
    for before, after in pairwise(steps):
        row, column = (before, after) if before.player == 0 else (after, before)
        cells.append((column.strategy, row.strategy))
    for number, ((x0, y0), (x1, y1)) in enumerate(pairwise(cells)):
        arrow = {"arrowstyle": "-|>", "color": INK, "linewidth": 1.3, "shrinkA": 0.0, "shrinkB": 0.0}
        axes.annotate("", (x1, y1), (x0, y0), arrowprops=arrow)
        if not number:
            axes.plot(x0, y0, "o", color="#ffffff", markeredgecolor=INK, markersize=6, markeredgewidth=1.3)
