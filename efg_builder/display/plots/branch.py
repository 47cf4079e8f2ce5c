"""Quantal responses along their branch: what each player does as lambda grows, and how far from an equilibrium."""

from __future__ import annotations

import os
from dataclasses import dataclass
from math import log
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...base.rationals import brief
from ...equilibria.qre import Course, QuantalBranch, courses
from ...forms.normal_form import place_in_words
from .style import GREY, INK, ORDERED, PALE, write_plot

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class BranchSizes:
    """The sizes of the panels and labels, in inches where nothing else is said."""

    panel: float = 6.1  # a panel without its labels
    narrowest: float = 9.0  # the figure
    lead: float = 1.045  # where labels begin, the panel being 1 wide
    label_gap: float = 0.105  # between two labels, as a part of the scale of probabilities
    most_lines: int = 8  # lines in a panel; the information sets that change most are shown
    most_letters: int = 44  # letters of a label; a longer one is cut
    same: float = 0.005  # courses that are nowhere further apart than this are one line to the eye
    least_regret: float = 1e-12


SIZES = BranchSizes()


def draw_branch(branch: QuantalBranch, path: str | os.PathLike[str]) -> Path:
    """Draw *branch* to *path* (.svg or .png), whole or not at all. Raises ``ParameterError`` and ``FileError``."""
    return write_plot(path, lambda: branch_figure(branch), branch.tree.title)


def branch_figure(branch: QuantalBranch) -> Figure:
    """A panel for each player who has a choice over one for the regret, lambda on a logarithmic scale."""
    from matplotlib.figure import Figure

    tree = branch.tree
    groups = [shown for player in range(len(tree.players)) if (shown := _shown(branch, player))]
    panels = len(groups) + 1
    longest = max((len(label) for shown in groups for label in _labels(branch, shown)), default=0)
    wide, high = SIZES.panel + 0.75 + 0.5 + 0.068 * longest, 1.7 + 2.1 * panels
    figure = Figure(figsize=(max(wide, SIZES.narrowest), high))
    ratios = {"height_ratios": [*[1.0] * (panels - 1), 0.7]}
    axes = figure.subplots(panels, 1, sharex=True, squeeze=False, gridspec_kw=ratios)[:, 0]
    for shown, axis in zip(groups, axes[:-1], strict=True):
        _player(branch, shown, axis)
    _regret(branch, axes[-1])
    left = 0.75 / max(wide, SIZES.narrowest)
    right = left + SIZES.panel / max(wide, SIZES.narrowest)
    figure.subplots_adjust(left=left, right=right, top=1 - 1.42 / high, bottom=0.58 / high, hspace=0.3)
    figure.text(0.02, 1 - 0.3 / high, tree.title, fontsize=13, fontweight="bold")
    lines = (
        "Logit quantal response equilibria, from random play (left, lambda 0) to hardly any mistakes (right).",
        "Each line: how often an action is taken at an information set.",
        _ending(branch),
    )
    for number, line in enumerate(lines):
        figure.text(0.02, 1 - (0.56 + 0.21 * number) / high, line, fontsize=9, color=INK)
    return figure


def _ending(branch: QuantalBranch) -> str:
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


def _shown(branch: QuantalBranch, player: int) -> list[Course]:
    """The player's courses that change most, in the tree's order."""
    own = [course for course in courses(branch) if course.player == player]
    return sorted(sorted(own, key=lambda course: -course.range)[: SIZES.most_lines], key=own.index)


def _player(branch: QuantalBranch, shown: list[Course], axis: Axes) -> None:
    player = shown[0].player
    number = sum(course.player == player for course in courses(branch))
    actions = {course.action for course in shown}
    name = branch.tree.players[player]
    what = f"'{next(iter(actions))}'" if len(actions) == 1 else "the action at the right"
    more = f" (at the {len(shown)} of {number} information sets that change most)" if number > len(shown) else ""
    axis.set_title(f"{name}: how often {what}{more}", loc="left", fontsize=9.5, fontweight="bold")
    xs = _xs(branch)
    axis.set(xscale="log", ylim=(-0.04, 1.04), yticks=[0, 0.5, 1])
    if min(xs) < max(xs):
        axis.set_xlim(min(xs), max(xs))
    axis.set_yticklabels(["0", "1/2", "1"])
    axis.grid(axis="y", color="#e6e6e6", linewidth=0.6)
    step = (len(ORDERED) - 1) / max(len(shown) - 1, 1)  # hands in order have colours in order
    colours = [ORDERED[round(i * step)] for i in range(len(shown))]
    for course, colour in zip(shown, colours, strict=True):
        axis.plot(xs, course.probabilities, color=colour, linewidth=1.7, clip_on=False)
    _write_labels(axis, branch, shown, colours)


def _labels(branch: QuantalBranch, shown: list[Course]) -> list[str]:
    """What each course is called: the set in words, and the action where they differ."""
    one = len({course.action for course in shown}) == 1
    found = []
    for course in shown:
        label = branch.tree.names[course.infoset]
        # A name that is no whole label leaves out what all sets share.
        head = "hand " if course.name != label and place_in_words(label) != label else ""
        place = head + course.name if course.name != label else place_in_words(label)
        room = SIZES.most_letters - (0 if one else len(course.action) + 2)
        place = place if len(place) <= room else place[: max(room - 1, 1)] + "…"
        found.append(place if one else f"{place}: {course.action}")
    return found


def _merged(branch: QuantalBranch, shown: list[Course]) -> list[tuple[str, int]]:
    """Labels, and which of *shown* each belongs to: the last of those that look like one line, which covers them."""
    labels, found = _labels(branch, shown), list[tuple[str, int]]()
    for i, course in enumerate(shown):
        at = next((n for n, (_, j) in enumerate(found) if _apart_most(shown[j], course) <= SIZES.same), None)
        if at is None:
            found.append((labels[i], i))
        else:
            found[at] = (f"{found[at][0]}\n{labels[i]}", i)
    return found


def _apart_most(one: Course, two: Course) -> float:
    return max(abs(p - q) for p, q in zip(one.probabilities, two.probabilities, strict=True))


def _write_labels(axis: Axes, branch: QuantalBranch, shown: list[Course], colours: list[str]) -> None:
    """Names beside the lines' ends, moved apart where they would cover each other, each led to its line.

    Lines that are one to the eye have one name below the other behind a single piece of the line.
    """
    from matplotlib.collections import LineCollection

    merged = _merged(branch, shown)
    ends = [round(shown[i].probabilities[-1], 3) for _, i in merged]
    order = sorted(range(len(merged)), key=lambda n: (ends[n], n))
    # A label of more lines takes as many places, and stands in their middle.
    rows = [n for n in order for _ in merged[n][0].split("\n")]
    spots = _apart([ends[n] for n in rows], SIZES.label_gap)
    edge = _edge(branch)
    leads, pieces, kinds = [], [], []
    for n in order:
        own = [spot for spot, row in zip(spots, rows, strict=True) if row == n]
        place = sum(own) / len(own)
        words, i = merged[n]
        leads.append([(edge, ends[n]), (SIZES.lead, place)])
        pieces.append([(SIZES.lead, place), (SIZES.lead + 0.025, place)])
        kinds.append(colours[i])
        look: dict[str, Any] = {"fontsize": 8, "color": INK, "va": "center", "linespacing": 1.35}
        axis.text(SIZES.lead + 0.035, place, words, transform=axis.get_yaxis_transform(), **look)
    for lines, colour, width in ((leads, PALE, 0.7), (pieces, kinds, 2.4)):
        drawn = LineCollection(lines, colors=colour, linewidths=width, clip_on=False)
        drawn.set_transform(axis.get_yaxis_transform())
        axis.add_collection(drawn, autolim=False)


def _edge(branch: QuantalBranch) -> float:
    """Where the branch ends across the panel, from 0 to 1: lambda may have been larger before."""
    xs = _xs(branch)
    low, high = min(xs), max(xs)
    return log(xs[-1] / low) / log(high / low) if low < high else 0.5


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
    axis.set_title(
        "what the players together could gain by best responses (NashConv)", loc="left", fontsize=9.5, fontweight="bold"
    )
    axis.plot(
        _xs(branch), [max(point.nash_conv, SIZES.least_regret) for point in branch.points], color=INK, linewidth=1.4
    )
    axis.set(xscale="log", yscale="log")
    axis.grid(axis="y", color="#e6e6e6", linewidth=0.6)
    axis.minorticks_off()
    for scale in (axis.xaxis, axis.yaxis):
        scale.set_major_formatter("{x:g}")
    axis.set_xlabel("lambda (logarithmic; the left edge stands for 0): how much a unit of payoff counts", color=GREY)
