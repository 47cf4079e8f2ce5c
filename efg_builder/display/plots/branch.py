"""A plot of quantal responses: each player's probabilities and the regret as functions of lambda."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...base.rationals import brief
from ...equilibria.qre import Course, QuantalBranch, courses
from ...forms.hand_names import printed_tree
from ...forms.normal_form import place_in_words
from ..trees.sizes import shorten
from .style import GREY, INK, ORDERED, new_figure, write_heading, write_plot

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


MOST_LINES, MOST_LETTERS = 8, 44
"""The maximum number of lines in a panel, and the maximum number of characters in a label."""

LEAST_REGRET = 1e-12  # the lower end of the logarithmic scale of regret


def draw_branch(branch: QuantalBranch, path: str | os.PathLike[str]) -> Path:
    """Draw *branch* to *path* (.svg or .png) atomically. Raises the errors of ``write_plot``."""
    return write_plot(path, lambda: branch_figure(branch), branch.tree.title)


def branch_figure(branch: QuantalBranch) -> Figure:
    """Return a figure over logarithmic lambda: a panel for each player with a choice, and a panel for the regret."""
    tree = printed_tree(branch.tree)  # in 8-point type, the six spots of a die look like five
    branch = replace(branch, tree=tree)
    groups = [shown for player in range(len(tree.players)) if (shown := _shown(branch, player))]
    panels = len(groups) + 1
    figure = new_figure(10.5, 1.7 + 2.1 * panels, layout="constrained")
    ratios = {"height_ratios": [*[1.0] * (panels - 1), 0.7]}
    axes = figure.subplots(panels, 1, sharex=True, squeeze=False, gridspec_kw=ratios)[:, 0]
    for shown, axis in zip(groups, axes[:-1], strict=True):
        _player(branch, shown, axis)
    _regret(branch, axes[-1])
    lines = (
        "Logit quantal response equilibria, from random play (left, lambda 0) to hardly any mistakes (right).",
        "Each line: the probability of an action at an information set.",
        _ending(branch),
    )
    write_heading(figure, tree.title, lines)
    return figure


def _ending(branch: QuantalBranch) -> str:
    end = branch.points[-1]
    if branch.limit is None:
        return f"At the end, lambda = {end.precision:,.4g}, a player still gains {end.regret:.2g} by deviating."
    value = ", ".join(map(brief, branch.limit.value))
    return f"The end is within {branch.limit.distance:.1g} of an exact equilibrium, which pays {value}."


def _xs(branch: QuantalBranch) -> list[float]:
    """Return the x coordinate of each point: lambda, or the left edge of the logarithmic scale if lambda is 0."""
    positive = [point.precision for point in branch.points if point.precision > 0]
    least = min(positive, default=1.0)
    return [max(point.precision, least) for point in branch.points]


def _shown(branch: QuantalBranch, player: int) -> list[Course]:
    own = [course for course in courses(branch) if course.player == player]
    return sorted(sorted(own, key=lambda course: -course.range)[:MOST_LINES], key=own.index)


def _player(branch: QuantalBranch, shown: list[Course], axis: Axes) -> None:
    player = shown[0].player
    number = sum(course.player == player for course in courses(branch))
    actions = {course.action for course in shown}
    name = branch.tree.players[player]
    what = f"'{next(iter(actions))}'" if len(actions) == 1 else "the action in the legend"
    more = f" (at the {len(shown)} of {number} information sets that change most)" if number > len(shown) else ""
    axis.set_title(f"{name}: probability of {what}{more}", loc="left", fontsize=9.5, fontweight="bold")
    xs = _xs(branch)
    axis.set(xscale="log", ylim=(-0.04, 1.04), yticks=[0, 0.5, 1])
    if min(xs) < max(xs):
        axis.set_xlim(min(xs), max(xs))
    axis.set_yticklabels(["0", "1/2", "1"])
    axis.grid(axis="y")
    step = (len(ORDERED) - 1) / max(len(shown) - 1, 1)  # colors follow the order of the hands
    for number, (course, label) in enumerate(zip(shown, _labels(branch, shown), strict=True)):
        colour = ORDERED[round(number * step)]
        axis.plot(xs, course.probabilities, color=colour, linewidth=1.7, clip_on=False, label=label)
    # List the labels in the order of the right ends of their lines, from top to bottom.
    handles, labels = axis.get_legend_handles_labels()
    order = sorted(range(len(shown)), key=lambda k: -round(shown[k].probabilities[-1], 3))
    beside: dict[str, Any] = {"loc": "center left", "bbox_to_anchor": (1.01, 0.5), "frameon": False, "fontsize": 8}
    axis.legend([handles[k] for k in order], [labels[k] for k in order], **beside)


def _labels(branch: QuantalBranch, shown: list[Course]) -> list[str]:
    one = len({course.action for course in shown}) == 1
    found = []
    for course in shown:
        label = branch.tree.names[course.infoset]
        # A shortened name omits the words that all names share.
        head = "hand " if course.name != label and place_in_words(label) != label else ""
        place = head + course.name if course.name != label else place_in_words(label)
        room = MOST_LETTERS - (0 if one else len(course.action) + 2)
        place = shorten(place, max(room, 2))
        found.append(place if one else f"{place}: {course.action}")
    return found


def _regret(branch: QuantalBranch, axis: Axes) -> None:
    axis.set_title(
        "sum of the players' gains by best responses (NashConv)", loc="left", fontsize=9.5, fontweight="bold"
    )
    axis.plot(_xs(branch), [max(point.nash_conv, LEAST_REGRET) for point in branch.points], color=INK, linewidth=1.4)
    axis.set(xscale="log", yscale="log")
    axis.grid(axis="y")
    axis.minorticks_off()
    for scale in (axis.xaxis, axis.yaxis):
        scale.set_major_formatter("{x:g}")
    axis.set_xlabel("lambda (logarithmic; 0 at the left edge): weight of a unit of payoff", color=GREY)
