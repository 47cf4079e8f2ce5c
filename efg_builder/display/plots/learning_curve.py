"""A plot of a learning curve: the proved bounds on the value, or the largest gain, by the number of iterations."""

from __future__ import annotations

import os
from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate
from math import ceil, log10
from pathlib import Path
from typing import TYPE_CHECKING

from ...base.errors import ParameterError
from ...base.rationals import Number, brief, down, up
from ...base.words import above, minus, plural
from ...equilibria.learning import RESUMED, CurvePoint
from ...equilibria.solution import Solution
from ...equilibria.solution_files import CURVES
from .line_ends import Line, draw_lines, place_labels
from .style import FILLS, GREY, PALE, new_figure, plain, write_heading, write_plot

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LOGARITHMIC, WIDE, MOST_MARKS = 20, 30, 30
"""The least number of iterations for a logarithmic axis; the least ratio of gaps for a logarithmic axis; the maximum
number of points with markers.
"""

Bound = tuple[int, Fraction, Fraction]
"""The number of iterations, and the lower and the upper bound."""


def draw_curve(solution: Solution, path: str | os.PathLike[str]) -> Path:
    """Draw ``solution.curve`` to *path* (.svg, .png or .pdf). Raises ``ParameterError`` if there is no curve."""
    if not solution.curve:
        raise ParameterError(f"{path}: this solution has no learning curve; 'solve' makes one with curve=True")
    return write_plot(path, lambda: curve_figure(solution), solution.title, CURVES)


def curve_figure(solution: Solution) -> Figure:
    """Return a figure over the iterations: the bounds on the value and their gap, or the largest gain of any player."""
    bounds = [
        (point.iterations, Fraction(point.lower), Fraction(point.upper))
        for point in solution.curve
        if point.lower is not None and point.upper is not None
    ]
    figure = new_figure(9.6, 5.4, layout="constrained")  # 16:9, as slides are
    axes = figure.subplots(2 if bounds else 1, 1, sharex=True, squeeze=False, gridspec_kw={"hspace": 0.06})[:, 0]
    ended = solution.curve[-1].iterations
    unit = "round" if "rounds" in solution.details else "iteration"
    lines = [
        f"{plural(ended, unit)} of {solution.method}. Best responses in the whole game prove each point.",
        _ending(solution),
    ]
    if bounds:
        _bounds(axes[0], bounds, solution.players)
        lines.append(_proved(bounds, solution.players[0]))
        _small(axes[1], "Gap between the bounds", [upper - lower for _, lower, upper in bounds], solution.curve, "gap")
    else:
        gains = [point.regret for point in solution.curve]
        _small(axes[0], "Largest gain of any player by a best response", gains, solution.curve, "gain")
    if ended >= LOGARITHMIC:
        axes[-1].set_xscale("log")
        axes[-1].minorticks_off()
    else:
        axes[-1].set_xticks(range(solution.curve[0].iterations, ended + 1))
    axes[-1].xaxis.set_major_formatter(lambda x, _: plain(x))
    if ended > solution.curve[0].iterations:
        axes[-1].set_xlim(solution.curve[0].iterations, ended)
    axes[-1].set_xlabel(f"{unit}s{' (logarithmic)' if ended >= LOGARITHMIC else ''}", color=GREY)
    write_heading(figure, solution.title, lines)
    place_labels(figure)
    return figure


def _ending(solution: Solution) -> str:
    """Return a sentence with the beginning and the end of the search, as far as they are known."""
    began = "The search resumed from a checkpoint and" if solution.details.get(RESUMED) else "The search"
    reason = solution.message.partition(";")[0]
    if solution.status == "equilibrium" or not reason:  # a near-equilibrium needs no reason either
        return f"{began} ended with {'an' if solution.status == 'equilibrium' else 'a'} {solution.status}."
    return f"{began} ended: {reason}."


def _proved(bounds: Sequence[Bound], first: str) -> str:
    lower, upper = max(low for _, low, _ in bounds), min(high for _, _, high in bounds)
    low, high = _outward(lower, upper)
    if lower == upper:
        return f"The value to {first} is {low}, proved exactly."
    return f"The value to {first} is proved to lie between {low} and {high} (shaded: the best bounds so far)."


def _outward(lower: Fraction, upper: Fraction) -> tuple[str, str]:
    """Return the bounds as text, rounded outward to digits that show their difference; exact if they are equal."""
    if lower == upper:
        return (minus(brief(lower)),) * 2
    digits = max(2, 2 - ceil(log10(upper - lower)))
    return minus(down(lower, digits)), minus(up(upper, digits))


def _bounds(axis: Axes, bounds: Sequence[Bound], players: Sequence[str]) -> None:
    xs, lows, highs = zip(*((n, float(low), float(high)) for n, low, high in bounds), strict=True)
    axis.set_title(f"Payoff to {players[0]}", loc="left", fontsize=9.5, fontweight="bold")
    axis.grid(axis="y")
    best = list(accumulate(lows, max)), list(accumulate(highs, min))
    axis.fill_between(xs, *best, color=PALE, alpha=0.45, linewidth=0)
    space = 0.06 * (max(highs) - min(lows) or 1)
    axis.set_ylim(min(lows) - space, max(highs) + space)
    axis.yaxis.set_major_formatter(lambda y, _: plain(y))
    low, high = _outward(*bounds[-1][1:])
    mark = _mark(xs)
    lower = Line(lows, players[0], "is sure of at least", end=low, color=FILLS[0], mark=mark)
    upper = Line(highs, players[1], "allows at most", end=high, color=FILLS[1], mark=mark)
    draw_lines(axis, xs, [lower, upper])


def _mark(xs: Sequence[int]) -> str:
    return "o" if len(xs) <= MOST_MARKS else ""


def _small(axis: Axes, title: str, numbers: Sequence[Number], curve: Sequence[CurvePoint], name: str) -> None:
    """Draw *numbers*, on a logarithmic scale if they differ much; a zero is then at the lower edge."""
    axis.set_title(title, loc="left", fontsize=9.5, fontweight="bold")
    xs, ys = [point.iterations for point in curve], list(map(float, numbers))
    positive = [y for y in ys if y > 0]
    if positive and max(positive) > WIDE * min(positive):
        axis.set_yscale("log")
        axis.set_ylim(bottom=min(positive) / 3)
        ys = [y or min(positive) / 3 for y in ys]
    else:
        axis.set_ylim(0, 1.06 * max(positive, default=1.0))
    end = above(numbers[-1])
    draw_lines(axis, xs, [Line(ys, name, end=plain(float(end)) if "e" in end else end, mark=_mark(xs))])
    axis.grid(axis="y")
    axis.minorticks_off()
    axis.yaxis.set_major_formatter(lambda y, _: plain(y))
