"""The normal form as a map: a cell for each pair of plans, each side's best replies on it."""

from __future__ import annotations

import os
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..analysis.pure import best_replies
from ..matrix_report import MatrixReport
from ..matrix_words import short_names
from ..normal_form import NOT_REACHED, Strategies
from ..rationals import brief
from .paper import DARK, FILLS, GREY, INK, check_kind_of_plot, style, write_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

MOST_SETS = 16
"""Strategies over more information sets than this are not spelt out at the margin."""

MOST_MARKS = 128
"""Best replies are marked on matrices of at most so many rows and columns: on larger ones nobody could tell them."""

STAR = "#ffd400"

SIDE, STRIP, BAR, GAP = 6.4, 0.145, 0.75, 0.09
"""Inches: the map's longer side, a margin's column for one information set, the bars, and the gaps between."""

LEFT, RIGHT, TOP, STRIP_TITLE, BOTTOM = 0.55, 0.75, 1.62, 0.32, 0.85

NARROWEST = 8.3
"""Inches that the words need."""


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
    width, height = SIDE * min(1.0, max(columns / rows, 0.4)), SIDE * min(1.0, max(rows / columns, 0.4))
    strips = [STRIP * len(side.infosets) if _spelt(side) else 0.0 for side in report.form.strategies]
    above = TOP + (STRIP_TITLE + strips[1] if any(strips) else 0.0)
    full = (LEFT + strips[0] + GAP + width + GAP + BAR + RIGHT, above + GAP + height + GAP + BAR + BOTTOM)
    side = max(0.0, NARROWEST - full[0]) / 2
    full = (full[0] + 2 * side, full[1])
    figure = Figure(figsize=full)

    def axes(left: float, bottom: float, wide: float, high: float) -> Axes:
        return figure.add_axes((left / full[0], bottom / full[1], wide / full[0], high / full[1]))

    left, bottom = side + LEFT + strips[0] + GAP, BOTTOM + BAR + GAP
    _map(report, main := axes(left, bottom, width, height))
    if strips[0]:
        _strip(report.form.strategies[0], axes(left - GAP - strips[0], bottom, strips[0], height))
    if strips[1]:
        _strip(report.form.strategies[1], axes(left, bottom + height + GAP, width, strips[1]))
    if report.mixed is not None:
        _bars(report, 0, axes(left + width + GAP, bottom, BAR, height))
        _bars(report, 1, axes(left, BOTTOM, width, BAR))
    scale = axes(left, 0.45, width, 0.11)
    figure.colorbar(main.images[0], cax=scale, orientation="horizontal")
    _scale(report, scale)
    _words(report, figure, full)
    return figure


def _spelt(side: Strategies) -> bool:
    """Whether the strategies can be told by which of two actions they take at each of a few sets."""
    actions = {side.tree.infosets[k].actions for k in side.infosets}
    return 0 < len(side.infosets) <= MOST_SETS and len(actions) == 1 and len(next(iter(actions))) == 2


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
    if _marked(report):
        _marks(report, axes)
    axes.set(xticks=[], yticks=[], xlim=(-0.5, form.shape[1] - 0.5), ylim=(form.shape[0] - 0.5, -0.5))
    for spine in axes.spines.values():
        spine.set(visible=True, color=GREY, linewidth=0.6)
    if report.chain is not None:
        _chain(report, axes)


def _marks(report: MatrixReport, axes: Axes) -> None:
    """A bar upright for player 1, who chooses within a column, level for player 2; a star where both are."""
    size = SIDE * 72 / max(report.form.shape)
    for player, marker in ((0, "|"), (1, "_")):
        row, column = np.nonzero(best_replies(report.form, player))
        style: dict[str, Any] = {"marker": marker, "linestyle": "", "markersize": 0.95 * size}
        axes.plot(column, row, color="#ffffff", markeredgewidth=max(0.45 * size, 1.4), alpha=0.85, **style)
        axes.plot(column, row, color=DARK[player], markeredgewidth=max(0.26 * size, 0.8), **style)
    if report.equilibria:
        rows, columns = zip(*report.equilibria, strict=True)
        star: dict[str, Any] = {"marker": "*", "linestyle": "", "markersize": min(max(1.8 * size, 9.0), 16.0)}
        axes.plot(columns, rows, color=STAR, markeredgecolor=INK, markeredgewidth=0.7, **star)


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


def _strip(side: Strategies, axes: Axes) -> None:
    """Filled where the strategy takes the second of the two actions; the sets stand in order."""
    from matplotlib.colors import ListedColormap

    names = short_names([side.tree.infosets[k].label for k in side.infosets])
    grid = np.where(side.choices == NOT_REACHED, 0, side.choices)
    colours = ListedColormap(["#ededed", FILLS[side.player]])
    upright = side.player == 0
    axes.imshow(grid if upright else grid.T, cmap=colours, vmin=0, vmax=1, aspect="auto", interpolation="nearest")
    action = side.tree.infosets[side.infosets[0]].actions[1]
    words = f"{side.tree.players[side.player]}: {action} with"
    spots = list(range(len(names)))
    if upright:
        axes.set(yticks=[], xticks=spots)
        axes.xaxis.tick_top()
        axes.set_xticklabels(names, fontsize=8)
        axes.set_title(words, fontsize=8.5, fontweight="bold", color=FILLS[0], loc="right", pad=4)
    else:
        axes.set(xticks=[], yticks=spots)
        axes.yaxis.tick_right()
        axes.set_yticklabels(names, fontsize=8)
        axes.set_title(words, fontsize=8.5, fontweight="bold", color=DARK[1], loc="left", pad=4)
    axes.tick_params(length=0, pad=1.5)
    for edge in np.arange(0.5, len(names) - 1):
        (axes.axvline if upright else axes.axhline)(edge, color="#ffffff", linewidth=1.0)
    for spine in axes.spines.values():
        spine.set_visible(False)


def _bars(report: MatrixReport, player: int, axes: Axes) -> None:
    """How often the equilibrium plays each strategy."""
    assert report.mixed is not None
    mix, size = report.mixed.mixes[player], report.form.shape[player]
    played = [(i, weight) for i, weight in enumerate(mix) if weight]
    thick = max(0.9, size / 110)
    spots, weights = [i for i, _ in played], [float(weight) for _, weight in played]
    axes.set_axis_off()
    if player == 0:
        axes.barh(spots, weights, thick, color=FILLS[0])
        axes.set(ylim=(size - 0.5, -0.5), xlim=(0, 1.25 * max(weights)))
    else:
        axes.bar(spots, weights, thick, color=FILLS[1])
        axes.set(xlim=(-0.5, size - 0.5), ylim=(1.25 * max(weights), 0))
    head: dict[str, Any] = {"transform": axes.transAxes, "fontsize": 8.5, "fontweight": "bold"}
    words = f"{report.form.tree.players[player]} mixes"
    if player == 0:
        axes.text(0.3, 1.01, words, color=FILLS[0], **head)
    else:
        # Below the bars: at their left there is room only where the strategies have a key.
        axes.text(0, -0.05, words, color=DARK[1], ha="left", va="top", **head)
    for i, weight in _apart(played, size):
        place = (float(weight), i) if player == 0 else (i, float(weight))
        away, align = ((2, 0), ("left", "center")) if player == 0 else ((0, -2), ("center", "top"))
        axes.annotate(
            brief(weight), place, away, textcoords="offset points", ha=align[0], va=align[1], fontsize=7.5, color=INK
        )


def _apart(played: list[tuple[int, Fraction]], size: int) -> list[tuple[int, Fraction]]:
    """The largest weights that can be written without covering each other."""
    chosen: list[tuple[int, Fraction]] = []
    for i, weight in sorted(played, key=lambda entry: -entry[1]):
        if all(abs(i - other) >= size / 24 for other, _ in chosen):
            chosen.append((i, weight))
    return chosen


def _scale(report: MatrixReport, axes: Axes) -> None:
    form = report.form
    low, high = (Fraction(int(u), form.scale) for u in (form.cells[0].min(), form.cells[0].max()))
    one, two = form.tree.players
    ticks = {float(low): brief(low), float(high): brief(high)}
    if report.mixed is not None:
        ticks[float(report.mixed.lower)] = f"value {brief(report.mixed.lower)}"
    axes.set_xticks(list(ticks), labels=list(ticks.values()), fontsize=8)
    better = f", orange for {two}" if form.total is not None else ""
    axes.set_xlabel(f"what {one} expects: blue is good for {one}{better}", fontsize=8.5, labelpad=2)
    axes.tick_params(length=2)


def _words(report: MatrixReport, figure: Figure, full: tuple[float, float]) -> None:
    one, two = report.form.tree.players
    rows, columns = report.form.shape
    lines = [
        _headline(report),
        f"Each cell is one of {one}'s {rows:,} plans (row) against one of {two}'s {columns:,} (column).",
    ]
    if report.mixed is not None and report.mixed.exact:
        value = brief(report.mixed.lower)
        lines.append(f"Who mixes plans as the bars say is safe: {one} gets {value} at least, {two} allows no more.")
    figure.text(0.2 / full[0], 1 - 0.3 / full[1], report.form.tree.title, fontsize=13, fontweight="bold")
    for number, line in enumerate(lines):
        bold = "bold" if number == 0 else "normal"
        figure.text(0.2 / full[0], 1 - (0.58 + 0.22 * number) / full[1], line, fontsize=9, fontweight=bold, color=INK)
    if handles := _handles(report):
        spot = (0.2 / full[0], 1 - 1.12 / full[1])
        figure.legend(
            handles=handles,
            loc="upper left",
            bbox_to_anchor=spot,
            ncols=4,
            frameon=False,
            fontsize=8.5,
            borderpad=0,
            borderaxespad=0,
            handlelength=1.2,
            columnspacing=1.4,
            handletextpad=0.4,
        )


def _headline(report: MatrixReport) -> str:
    count = len(report.equilibria)
    if not count:
        return "No two plans are best replies to each other: whatever is fixed has an answer."
    found = "One pair of plans is" if count == 1 else f"{count:,} pairs of plans are"
    return f"{found} best replies to each other: equilibria without mixing."


def _handles(report: MatrixReport) -> list[Line2D]:
    from matplotlib.lines import Line2D

    players, found = report.form.tree.players, []
    if _marked(report):
        for player, (marker, fixed) in enumerate((("|", "column"), ("_", "row"))):
            name = f"{players[player]}'s best reply to the {fixed}"
            look: dict[str, Any] = {"marker": marker, "markersize": 8, "markeredgewidth": 2.4, "linestyle": ""}
            found.append(Line2D([], [], color=DARK[player], label=name, **look))
        if report.equilibria:
            star: dict[str, Any] = {"marker": "*", "color": STAR, "markeredgecolor": INK, "linestyle": ""}
            found.append(Line2D([], [], label="both: an equilibrium", markersize=9, markeredgewidth=0.6, **star))
    if report.chain is not None:
        length = report.chain.length
        cycle = f"a cycle of {length}" if length > 2 else "an equilibrium"
        walk: dict[str, Any] = {"marker": "o", "color": INK, "markerfacecolor": "#ffffff", "markersize": 5}
        found.append(Line2D([], [], label=f"best replies in turn: {cycle}", **walk))
    return found


def _marked(report: MatrixReport) -> bool:
    return max(report.form.shape) <= MOST_MARKS
