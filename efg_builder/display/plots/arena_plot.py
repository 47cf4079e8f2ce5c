"""A plot of Elo ratings with intervals: a row for each player, or a curve over the checkpoints of a network."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ...base.words import minus
from ...experiments.arena.report import Rated
from .style import DARK, FILLS, INK, PALE, new_figure, write_heading, write_plot

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDE, ROW, MOST_LETTERS = 7.2, 0.3, 34  # the width and the row height in inches; the maximum length of a name
MOST_TICKS = 9

LOGARITHMIC = 20  # the minimum ratio of the largest to the smallest checkpoint number for a logarithmic scale


def draw_ratings(rated: Rated, path: str | os.PathLike[str]) -> Path:
    """Draw *rated* to *path* (.svg or .png) atomically. Raises the errors of ``write_plot``."""
    return write_plot(path, lambda: ratings_figure(rated), rated.title)


def ratings_figure(rated: Rated) -> Figure:
    """Return a curve if at least three names differ only in one number, otherwise a row for each player."""
    numbers = checkpoints(rated.names)
    high = 4.6 if numbers else 1.75 + ROW * len(rated.names)
    figure = new_figure(WIDE, high)
    axes = figure.subplots()
    if numbers:
        _course(rated, numbers, axes)
        figure.subplots_adjust(left=0.1, right=0.97, top=1 - 1.0 / high, bottom=0.55 / high)
    else:
        _rows(rated, axes)
        figure.subplots_adjust(left=0.36, right=0.92, top=1 - 1.0 / high, bottom=0.55 / high)
    write_heading(figure, "Elo ratings", (rated.title, rated.about))
    return figure


def checkpoints(names: Sequence[str]) -> dict[int, int]:
    """Return {player index: number} for the largest set of at least three names that differ only in one number.

    If several sets are largest, use the first one. If no set has three names, return {}.
    """
    sets: dict[tuple[str, str], dict[int, int]] = {}
    for k, name in enumerate(names):
        for digits in re.finditer(r"\d+", name):
            alike = sets.setdefault((name[: digits.start()], name[digits.end() :]), {})
            if int(digits[0]) not in alike.values():
                alike[k] = int(digits[0])
    largest = max(sets.values(), key=len, default={})
    return largest if len(largest) > 2 else {}


def _course(rated: Rated, numbers: Mapping[int, int], axes: Axes) -> None:
    finite = set(rated.finite)
    order = sorted((k for k in numbers if k in finite), key=numbers.__getitem__)
    xs, ys = [numbers[k] for k in order], [rated.elo[k] for k in order]
    arms = [[rated.elo[k] - rated.low[k] for k in order], [rated.high[k] - rated.elo[k] for k in order]]
    axes.axhline(0, color=PALE, linewidth=0.8)
    axes.errorbar(xs, ys, yerr=arms, color=FILLS[0], marker="o", markersize=4, linewidth=1.4, elinewidth=1.0)
    for k in sorted(finite - set(numbers)):
        axes.axhline(rated.elo[k], color=FILLS[1], linewidth=1.0, linestyle=(0, (5, 3)))
        place = axes.get_yaxis_transform()
        axes.text(0.01, rated.elo[k], rated.shown[k], transform=place, va="bottom", fontsize=8.5, color=DARK[1])
    if xs and min(xs) > 0 and max(xs) >= LOGARITHMIC * min(xs):
        axes.set_xscale("log")
        every = -(-len(xs) // MOST_TICKS)
        shown = xs[::-1][::every][::-1]
        axes.set_xticks(shown, labels=[f"{x:,}" for x in shown])
        axes.minorticks_off()
    axes.set_xlabel("number of the file (iteration)")
    axes.set_ylabel("Elo")
    axes.grid(axis="y")


def _rows(rated: Rated, axes: Axes) -> None:
    finite = rated.finite
    rest = [k for k in range(len(rated.names)) if k not in finite]
    order = [*rest, *sorted(finite, key=lambda k: rated.elo[k])]
    axes.axvline(0, color=PALE, linewidth=0.8)
    for row, k in enumerate(order):
        said = "not finite"
        if k in finite:
            said = minus(f"{rated.elo[k]:+.0f}")
            axes.plot([rated.low[k], rated.high[k]], [row, row], color=FILLS[0], linewidth=2.2, solid_capstyle="butt")
            axes.plot([rated.elo[k]], [row], "o", color=FILLS[0], markersize=5)
        place = axes.get_yaxis_transform()
        axes.text(1.01, row, said, transform=place, va="center", fontsize=8.5, color=INK)
    labels = [rated.shown[k] for k in order]
    axes.set_yticks(range(len(order)))
    axes.set_yticklabels([each if len(each) <= MOST_LETTERS else f"…{each[1 - MOST_LETTERS :]}" for each in labels])
    axes.set_ylim(-0.6, len(order) - 0.4)
    axes.set_xlabel("Elo")
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x")
