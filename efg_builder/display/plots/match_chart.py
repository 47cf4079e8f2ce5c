"""A printable chart of a match: your probability of winning, by both players' numbers of dice."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from ...base.rationals import down, up
from ...experiments.matches import Match
from ...games.match_rules import Bounds, in_a_line
from .style import BOTH_SIDES, CHART_KINDS, GREY, new_figure, shaded, write_heading, write_plot

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDE, HIGH = 1.5, 0.95  # the size of a cell in inches
STARTS = ("▼", "△")  # the marks of the cases that you bid first, and that they bid first
LETTERS = 14  # characters per inch in the text above the grids


def draw_match(match: Match, path: str | os.PathLike[str]) -> Path:
    """Draw *match* to *path* (.svg, .png or .pdf) atomically. Raises the errors of ``write_plot``."""
    return write_plot(path, lambda: match_figure(match), match.rules.title, CHART_KINDS)


def match_figure(match: Match) -> Figure:
    """Return a grid with your dice in rows and their dice in columns; each cell has both cases of the first bidder."""
    most = max(match.rules.dice)
    wide = max(7.2, WIDE * most + 1.4)
    lines = [line for text in (in_a_line(match.rules), *_caption(match)) for line in wrap(text, round(LETTERS * wide))]
    head = 0.95 + 0.2 * len(lines)
    high = head + 0.3 + HIGH * most
    figure = new_figure(wide, high)
    axis = figure.add_axes((0.85 / wide, 0.25 / high, WIDE * most / wide, HIGH * most / high))
    cells = [{(mine, other): bounds for mine, other, bounds in _cells(match, starts)} for starts in range(2)]
    for mine, other in cells[0]:
        _cell(axis, mine, other, (cells[0][mine, other], cells[1][mine, other]))
    _frame(axis, most)
    write_heading(figure, "Your probability of winning", lines)
    return figure


def _caption(match: Match) -> list[str]:
    said = "Both play perfectly. Blue: you are ahead; orange: you are behind; white: even (mean of both cases)."
    if any(len(percents(bounds)) > 1 for bounds in match.bounds.values()):
        said += " Two numbers: proved bounds."
    return [
        said,
        f"{STARTS[0]} you bid first, {STARTS[1]} they bid first, on a scale from 0% to 100% with a mark at 50%.",
    ]


def _cells(match: Match, starts: int) -> Iterator[tuple[int, int, Bounds]]:
    """For each cell, yield your and their number of dice, and the value to you. If *starts* is 0, you bid first."""
    known, most = match.bounds, max(match.rules.dice)
    for mine in range(1, most + 1):
        for other in range(1, most + 1):
            found = known.get((mine, other)) if starts == 0 else known.get((other, mine))
            if found is not None:
                yield mine, other, found if starts == 0 else -found


def _cell(axis: Axes, mine: int, other: int, cases: tuple[Bounds, Bounds]) -> None:
    """Draw the numbers of both *cases*, and their places on a scale."""
    from matplotlib.patches import Rectangle

    middles = [float((1 + bounds.middle) / 2) for bounds in cases]
    color, ink = shaded(sum(middles) / 2, BOTH_SIDES)
    axis.add_patch(Rectangle((other - 0.5, mine - 0.5), 1, 1, facecolor=color, edgecolor=GREY, linewidth=0.8))
    left, width = other - 0.4, 0.8
    axis.plot([left, left + width], [mine, mine], color=ink, linewidth=1.0)
    for share in (0.0, 0.5, 1.0):
        axis.plot([left + width * share] * 2, [mine - 0.05, mine + 0.05], color=ink, linewidth=1.0)
    for side, pointer, face, sign, bounds, share in zip(
        (-1, 1), "v^", (ink, color), STARTS, cases, middles, strict=True
    ):
        place: dict[str, Any] = {"marker": pointer, "markersize": 5.5, "markeredgecolor": ink, "markerfacecolor": face}
        axis.plot([left + width * share], [mine + 0.1 * side], **place)
        words, size = " to ".join(percents(bounds)), 11.5 if len(percents(bounds)) == 1 else 8.5
        text: dict[str, Any] = {"fontsize": size, "color": ink, "fontweight": "bold", "ha": "center", "va": "center"}
        axis.text(other, mine + 0.31 * side, f"{sign} {words}", **text)


def _frame(axis: Axes, most: int) -> None:
    axis.set_xlim(0.5, most + 0.5)
    axis.set_ylim(most + 0.5, 0.5)
    axis.set_xticks(range(1, most + 1))
    axis.set_yticks(range(1, most + 1))
    axis.xaxis.tick_top()
    axis.xaxis.set_label_position("top")
    axis.set_xlabel("their dice")
    axis.set_ylabel("your dice")
    axis.tick_params(length=0)
    axis.spines[:].set_visible(False)


def percents(bounds: Bounds) -> tuple[str, ...]:
    """Return the probability of winning; if its bounds differ after rounding, return both, rounded outward."""
    low, high = (50 * (1 + end) for end in bounds)
    shown = f"{float(low):.1f}%"
    return (shown,) if shown == f"{float(high):.1f}%" else (f"{down(low, 1)}%", f"{up(high, 1)}%")
