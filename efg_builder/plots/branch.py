"""Quantal responses along their branch: what each player does as lambda grows, and how far from an equilibrium."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from ..quantal import QuantalBranch
from ..quantal_table import Course, courses
from .paper import GREY, INK, check_kind_of_plot, style, write_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_LINES = 8
"""Lines in a panel; the sets that change most are shown."""

LEAST_REGRET = 1e-12

GRADIENT = ("#0d2b52", "#005b96", "#2a9d8f", "#8ab17d", "#d8b400", "#e06c00", "#b3261e", "#8e3a80")
"""From a player's first set to the last, so that hands in order have colours in order."""


def draw_branch(branch: QuantalBranch, path: str | os.PathLike[str]) -> Path:
    """Draw *branch* to *path* (.svg or .png), whole or not at all. Raises ``ParameterError`` and ``FileError``."""
    check_kind_of_plot(path)
    with style():
        figure = branch_figure(branch)
    return write_figure(figure, path, branch.tree.title)


def branch_figure(branch: QuantalBranch) -> Figure:
    """A panel for each player over one for the regret, lambda on a logarithmic scale."""
    from matplotlib.figure import Figure

    tree = branch.tree
    panels = len(tree.players) + 1
    figure = Figure(figsize=(8.6, 1.5 + 2.1 * panels))
    axes = figure.subplots(panels, 1, sharex=True, gridspec_kw={"height_ratios": [*[1.0] * (panels - 1), 0.7]})
    for player, axis in enumerate(axes[:-1]):
        _player(branch, player, axis)
    _regret(branch, axes[-1])
    high = 1 - 1.22 / figure.get_figheight()
    figure.subplots_adjust(left=0.09, right=0.8, top=high, bottom=0.5 / figure.get_figheight(), hspace=0.3)
    top = figure.get_figheight()
    figure.text(0.02, 1 - 0.3 / top, f"{tree.title}: quantal responses", fontsize=13, fontweight="bold")
    figure.text(0.02, 1 - 0.56 / top, "From random play (left) to hardly any mistakes (right).", fontsize=9)
    figure.text(0.02, 1 - 0.77 / top, _ending(branch), fontsize=9, color=INK)
    return figure


def _ending(branch: QuantalBranch) -> str:
    from ..rationals import brief

    end = branch.points[-1]
    if branch.limit is None:
        return f"At the end, lambda = {end.precision:,.4g}, a player still gains {end.regret:.2g} by deviating."
    value = ", ".join(map(brief, branch.limit.value))
    return f"The end is within {branch.limit.distance:.1g} of an exact equilibrium, which pays {value}."


def _xs(branch: QuantalBranch) -> list[float]:
    """Lambda, with 0 at the left edge of the logarithmic scale."""
    positive = [point.precision for point in branch.points if point.precision > 0]
    least = min(positive, default=1.0)
    return [max(point.precision, least) for point in branch.points]


def _player(branch: QuantalBranch, player: int, axis: Axes) -> None:
    own = [course for course in courses(branch) if course.player == player]
    shown = sorted(sorted(own, key=lambda course: -course.range)[:MOST_LINES], key=own.index)
    actions = {course.action for course in shown}
    one = len(actions) == 1
    name = branch.tree.players[player]
    what = f"{name}: how often '{next(iter(actions))}', by hand or place" if one else f"{name}: how often"
    more = f" (of {len(own)}, the {len(shown)} that change most)" if len(own) > len(shown) else ""
    axis.set_title(what + more, loc="left", fontsize=9.5, fontweight="bold")
    axis.set(xscale="log", ylim=(-0.04, 1.04), yticks=[0, 0.5, 1])
    axis.set_yticklabels(["0", "1/2", "1"])
    axis.grid(axis="y", color="#e6e6e6", linewidth=0.6)
    xs = _xs(branch)
    step = (len(GRADIENT) - 1) / max(len(shown) - 1, 1)
    colours = [GRADIENT[round(i * step)] for i in range(len(shown))]
    for course, colour in zip(shown, colours, strict=True):
        axis.plot(xs, course.probabilities, color=colour, linewidth=1.7)
    _labels(axis, shown, colours, xs[-1], one)


def _labels(axis: Axes, shown: list[Course], colours: list[str], right: float, one: bool) -> None:
    """Names at the lines' ends, moved apart where they would cover each other."""
    ends = [round(course.probabilities[-1], 3) for course in shown]
    order = sorted(range(len(shown)), key=lambda i: (ends[i], i))
    for i, place in zip(order, _apart([ends[i] for i in order], 0.125), strict=True):
        words = shown[i].name if one else f"{shown[i].name}: {shown[i].action}"
        axis.annotate(
            words,
            (right, place),
            (6, 0),
            textcoords="offset points",
            fontsize=8,
            color=colours[i],
            va="center",
            annotation_clip=False,
        )


def _apart(places: list[float], gap: float) -> list[float]:
    """The nearest places (least squares) in the same order that are *gap* apart: pool adjacent violators.

    All within the panel where there is room for them.
    """
    pools: list[list[float]] = []
    for number, place in enumerate(places):
        pools.append([place - number * gap])
        while len(pools) > 1 and sum(pools[-2]) / len(pools[-2]) > sum(pools[-1]) / len(pools[-1]):
            pools[-2:] = [pools[-2] + pools[-1]]
    top = 1.06 - gap * (len(places) - 1)
    level = [max(min(sum(pool) / len(pool), top), -0.06) for pool in pools for _ in pool]
    return [place + number * gap for number, place in enumerate(level)]


def _regret(branch: QuantalBranch, axis: Axes) -> None:
    axis.set_title("what players could gain by best responses (NashConv)", loc="left", fontsize=9.5, fontweight="bold")
    axis.plot(_xs(branch), [max(point.nash_conv, LEAST_REGRET) for point in branch.points], color=INK, linewidth=1.4)
    axis.set(xscale="log", yscale="log")
    axis.grid(axis="y", color="#e6e6e6", linewidth=0.6)
    axis.minorticks_off()
    for scale in (axis.xaxis, axis.yaxis):
        scale.set_major_formatter("{x:g}")
    axis.set_xlabel("lambda: how much a unit of payoff counts", color=GREY)
