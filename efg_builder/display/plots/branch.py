"""A plot of quantal responses: each player's probabilities and the regret as functions of lambda."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from ...base.rationals import Number, brief
from ...base.words import above, at_most, minus, notation, rounded
from ...equilibria.qre import Course, QuantalBranch, courses
from ...forms.hand_names import displayed_tree
from ...proof import verify
from .line_ends import Line, draw_lines, place_labels
from .move_lines import Move, Panel, about_labels, hands_of, most_moving, panel_of
from .style import GREY, new_figure, plain, write_heading, write_plot

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


LEAST_REGRET = 1e-12  # the lower end of the logarithmic scale of regret


def draw_branch(branch: QuantalBranch, path: str | os.PathLike[str]) -> Path:
    """Draw *branch* to *path* (.svg or .png) atomically. Raises the errors of ``write_plot``."""
    return write_plot(path, lambda: branch_figure(branch), branch.tree.title)


def branch_figure(branch: QuantalBranch) -> Figure:
    """Return a figure over logarithmic lambda: a panel for each player with a choice, and a panel for the regret."""
    panels = _panels(branch)
    heights = [panel.height for panel in panels]
    figure = new_figure(10.5, 3.2 + sum(heights), layout="constrained")
    ratios = {"height_ratios": [*heights, 1.5]}
    axes = figure.subplots(len(panels) + 1, 1, sharex=True, squeeze=False, gridspec_kw=ratios)[:, 0]
    xs = _xs(branch)
    for panel, axis in zip(panels, axes[:-1], strict=True):
        axis.set_xscale("log")
        if min(xs) < max(xs):
            axis.set_xlim(min(xs), max(xs))
        panel.draw(axis, xs)
    _regret(branch, axes[-1])
    lines = [
        "Logit quantal response equilibria, from random play (left, lambda 0) to hardly any mistakes (right).",
        about_labels(panels, "the probability that it tends to"),
        _ending(branch),
    ]
    write_heading(figure, branch.tree.title, lines)
    place_labels(figure)
    return figure


def _panels(branch: QuantalBranch) -> list[Panel]:
    tree = displayed_tree(branch.tree)
    every = courses(branch)
    reach = verify(branch.points[-1].profile).reach
    moves = [
        Move(
            tree.names[each.infoset], each.action, each.probabilities, _limit(branch, each), float(reach[each.infoset])
        )
        for each in every
    ]
    shown = []
    for player in range(len(tree.players)):
        own = [move for move, course in zip(moves, every, strict=True) if course.player == player]
        if own:
            shown.append((player, own, most_moving(own)))
    regret = branch.points[-1].regret if branch.limit is None else 0
    write = notation([move.end for _, _, kept in shown for move in kept], regret)
    panels = []
    for player, own, kept in shown:
        more = f" (the {len(kept)} of {len(own)} that matter most; -o FILE.csv has all)" if own[len(kept) :] else ""
        hands = hands_of(branch.tree.game, player, [move.infoset for move in own])
        panels.append(panel_of(tree.players[player], player, kept, hands, write, more))
    return panels


def _ending(branch: QuantalBranch) -> str:
    end = branch.points[-1]
    if branch.limit is None:
        return f"At the end, lambda = {rounded(end.precision, 4)}, a player gains {at_most(end.regret)} by deviating."
    value = minus(", ".join(map(brief, branch.limit.value)))
    return f"The end is within {above(branch.limit.distance)} of an exact equilibrium, which pays {value}."


def _xs(branch: QuantalBranch) -> list[float]:
    """Return the x coordinate of each point: lambda, or the left edge of the logarithmic scale if lambda is 0."""
    positive = [point.precision for point in branch.points if point.precision > 0]
    least = min(positive, default=1.0)
    return [max(point.precision, least) for point in branch.points]


def _limit(branch: QuantalBranch, course: Course) -> Number:
    """Return the probability to which *course* tends, exactly if an exact equilibrium is near the end."""
    end = course.probabilities[-1]
    if branch.limit is not None:
        exact = branch.limit.profile.probabilities[course.infoset][course.index]
        if abs(float(exact) - end) <= branch.limit.distance:
            return exact
    return end


def _regret(branch: QuantalBranch, axis: Axes) -> None:
    axis.set_title("Sum of the players' gains by best responses", loc="left", fontsize=9.5, fontweight="bold")
    axis.set(xscale="log", yscale="log")
    ys = [max(point.nash_conv, LEAST_REGRET) for point in branch.points]
    draw_lines(axis, _xs(branch), [Line(ys, "NashConv", end=rounded(ys[-1], 2))])
    axis.grid(axis="y")
    axis.minorticks_off()
    for scale in (axis.xaxis, axis.yaxis):
        scale.set_major_formatter(lambda x, _: plain(x))
    axis.set_xlabel("lambda (logarithmic; 0 at the left edge): weight of a unit of payoff", color=GREY)
