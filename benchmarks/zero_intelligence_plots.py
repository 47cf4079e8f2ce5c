"""The pictures of ``docs/zero-intelligence.md``: payoffs of raises, indifference between call and raise, and the race.

Each function returns a matplotlib figure. Call the functions within ``efg_builder.display.plots.style.style()``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import robust_levels
from efg_builder.base.rationals import Number
from efg_builder.display.plots.style import FILLS, GREY, INK, PALE
from efg_builder.games.liars_dice import LiarsDice
from efg_builder.players.kinds import zero_intelligence as zi

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDE = 7.6
"""Width of a figure in inches."""

HEADING: dict[str, Any] = {"loc": "left", "fontsize": 10, "fontweight": "bold", "pad": 10}


def _figure(high: float, panels: int = 1, **options: Any) -> tuple[Figure, list[Axes]]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDE, high))
    axes = figure.subplots(1, panels, squeeze=False, **options)[0]
    for axis in axes:
        axis.grid(color="#e6e6e6", linewidth=0.6)
        axis.set_axisbelow(True)
    return figure, list(axes)


# --- payoffs of raises


def payoffs_figure(game: LiarsDice, hand: str, worth: Mapping[str, Number], most: int) -> Figure:
    """Draw the payoff *worth* of each raise with *hand*: one line per face, up to *most* quantities from the lowest.

    Faces with the same payoffs share a line.
    """
    figure, (axis,) = _figure(3.6)
    courses: dict[tuple[tuple[int, float], ...], list[int]] = {}
    least = min(int(name.partition("x")[0]) for name in worth)
    for face in range(1, game.sides + 1):
        bids = [(q, f"{q}x{face}") for q in range(least, least + most) if f"{q}x{face}" in worth]
        if bids:
            courses.setdefault(tuple((q, float(worth[name])) for q, name in bids), []).append(face)
    for colour, (points, faces) in zip(FILLS, courses.items(), strict=False):
        label = f"face {faces[0]}" if len(faces) == 1 else f"faces {', '.join(map(str, faces))}"
        axis.plot(*zip(*points, strict=True), "o-", color=colour, markersize=4, linewidth=1.4, label=label)
    best = max(worth, key=lambda name: worth[name])
    at = int(best.partition("x")[0]), float(worth[best])
    axis.annotate(f"{best}: {at[1]:.3f}", at, (8, -3), textcoords="offset points", fontweight="bold")
    axis.legend(frameon=False, loc="upper right")
    axis.set_title(f"Payoff of each raise with the hand {hand}", **HEADING)
    axis.set(xlabel="number of dice in the bid", ylim=(-1.04, 0.06))
    figure.subplots_adjust(left=0.08, right=0.97, top=0.88, bottom=0.15)
    return figure


# --- indifference between call and raise


def indifference_figure(strength: float = 0.0, variance: float = 3.0) -> Figure:
    """Draw both costs as functions of y0, and the level as a function of the number of other players, correct and as
    printed.
    """
    import numpy as np

    figure, (left, right) = _figure(3.5, 2)
    found, ys = zi.indifference(strength, variance), np.linspace(-3, 4, 141)
    calling = [zi.cost_of_calling(float(y), variance) for y in ys]
    raising = [zi.cost_of_raising(float(y), strength, variance) for y in ys]
    left.plot(ys, calling, color=FILLS[0], linewidth=1.8, label="call: P(bid true)")
    left.plot(ys, raising, color=FILLS[1], linewidth=1.8, label="raise: P(false and called)")
    left.plot(found.y0, found.call_probability, "o", color=INK, markersize=5)
    told = f"y0 = {found.y0:.4f}\nλ = {found.call_probability:.4f}"
    left.annotate(told, (found.y0, found.call_probability), (4, 22), textcoords="offset points", fontweight="bold")
    left.set_title(f"Cost of calling and raising (s = {strength:g}, σ² = {variance:g})", **HEADING)
    left.set(xlabel="y0: dice that the bid needs from the others", ylim=(0, 1), xlim=(-3, 4))
    left.legend(frameon=False, loc="upper right")
    variances = np.linspace(0, 12, 49)
    readings = [zi.indifference(strength, float(v)) for v in variances]
    right.plot(variances, [r.call_probability for r in readings], color=FILLS[0], linewidth=1.8)
    right.plot(variances, [r.printed for r in readings], color=FILLS[3], linewidth=1.8, linestyle=(0, (4, 2)))
    right.text(11.9, readings[-1].call_probability + 0.02, "λ = 1 − Φ(y0/√(σ²+1))", ha="right", color=FILLS[0])
    right.text(11.9, readings[-1].printed + 0.1, "as printed, 1 − Φ(y0)", ha="right", color=FILLS[3])
    for value in (found.call_probability, found.printed):
        right.plot(variance, value, "o", color=INK, markersize=5)
        right.annotate(f"{value:.4f}", (variance, value), (4, 6), textcoords="offset points", fontweight="bold")
    right.set_title("Call level by number of remaining players", **HEADING)
    right.set(xlabel="σ²: number of players except A and B", ylim=(0, 0.55), xlim=(0, 12))
    figure.subplots_adjust(left=0.06, right=0.98, top=0.88, bottom=0.15, wspace=0.16)
    return figure


# --- the race


def race_figure(level: float, variance: float) -> Figure:
    """Draw the plane of both hands: A wins in two wedges, and the others win elsewhere.

    ``level``: a z-score. ``variance``: the number of players against A.
    """
    import numpy as np

    edge = level * robust_levels.spread_of(variance)
    figure, (axis,) = _figure(4.3)
    span, low = 3.0, edge - 4.4
    xs = np.linspace(-span, span, 3)
    line = edge - 2 * np.abs(xs)
    for side in (-1, 1):
        half = np.array([0.0, side * span])
        axis.fill_between(half, edge - 2 * np.abs(half), edge, color=FILLS[1], alpha=0.32, linewidth=0)
    axis.plot(xs, line, color=FILLS[1], linewidth=1.4)
    axis.axhline(edge, color=FILLS[1], linewidth=1.4)
    words: dict[str, Any] = {"ha": "center", "va": "center", "color": INK}
    axis.text(-2.1, edge - 1.5, "Ω₁: A wins,\ncalling first", **words)
    axis.text(2.1, edge - 1.5, "Ω₂: A wins, the opponents\ncall a true bid", **words)
    axis.text(0, edge - 3.0, "the opponents win:\nthey call first, and correctly", **words)
    axis.text(0, edge + 0.75, "the opponents wait and win: A's call fails", **words)
    axis.text(span - 0.03, edge + 0.1, "y = λσ", ha="right", va="bottom", color=GREY)
    axis.set_title(f"Winner of the race (λ = {level:.4g}, σ² = {variance:g})", **HEADING)
    axis.set(xlabel="x: A's hand", ylabel="y: the opponents' hand", xlim=(-span, span), ylim=(low, edge + 1.5))
    figure.subplots_adjust(left=0.09, right=0.97, top=0.9, bottom=0.13)
    return figure


def worst_case_figure(opponents: Sequence[int] = (1, 2, 3, 4, 5, 8)) -> Figure:
    """Draw A's probability of winning by A's level, against k opponents who pool their dice, for each k in *opponents*.

    The highest point of each line and the level of indifference are marked.
    """
    import numpy as np

    figure, (axis,) = _figure(4.3)
    zs = np.linspace(-1, 3, 161)
    for colour, variance in zip(FILLS, opponents, strict=False):
        best = zi.robust_level(variance)
        top = robust_levels.worst_case(best, variance)
        label = f"k = {variance}: robust λ {best:.4f}, ω_A {top:.4f}"
        wins = [robust_levels.worst_case(float(z), variance) for z in zs]
        axis.plot(zs, wins, color=colour, linewidth=1.6, label=label)
        axis.plot(best, top, "o", color=colour, markersize=5)
    axis.legend(frameon=False, loc="upper right")
    z = zi.indifference().call_z
    axis.axvline(z, color=PALE, linewidth=1, linestyle=(0, (4, 2)), zorder=0)
    axis.text(z - 0.04, 0.69, f"indifference {z:.4f}", color=GREY, ha="right")
    axis.set_title("A's probability of winning against k players who know its level", **HEADING)
    axis.set(xlabel="λ: the z-score above which A calls", xlim=(-1, 3), ylim=(0, 0.72))
    figure.subplots_adjust(left=0.08, right=0.97, top=0.9, bottom=0.13)
    return figure


# --- random levels, and their effect in the game


def courses_figure(
    panels: Mapping[str, Mapping[str, Sequence[tuple[float, float]]]], across: str, up: str, largest: bool
) -> Figure:
    """Draw named lines in panels with the same scales, and mark the best point of each line.

    ``panels``: the points of each line, by panel title and line name. ``across``, ``up``: the names of the axes.
    ``largest``: whether larger is better.
    """
    from matplotlib.figure import Figure

    columns = min(len(panels), 2)
    rows = -(-len(panels) // columns)
    high = 0.75 + 2.75 * rows
    figure = Figure(figsize=(WIDE, high))
    axes = figure.subplots(rows, columns, squeeze=False, sharex=True, sharey=True)
    for axis, (title, courses) in zip(axes.flat, panels.items(), strict=False):
        axis.grid(color="#e6e6e6", linewidth=0.6)
        for colour, (name, points) in zip(FILLS, courses.items(), strict=False):
            axis.plot(*zip(*points, strict=True), ".-", color=colour, linewidth=1.5, markersize=4, label=name)
            best = (max if largest else min)(points, key=lambda point: point[1])
            axis.plot(*best, "o", color=colour, markersize=6)
        axis.set_title(title, **HEADING)
    for axis in axes[-1]:
        axis.set_xlabel(across)
    handles, names = axes.flat[0].get_legend_handles_labels()
    figure.legend(
        handles, names, frameon=False, ncols=len(names), loc="upper left", bbox_to_anchor=(0.055, 1 - 0.3 / high)
    )
    figure.text(0.065, 1 - 0.24 / high, up, fontsize=10, fontweight="bold")
    figure.subplots_adjust(left=0.07, right=0.98, top=1 - 0.98 / high, bottom=0.48 / high, wspace=0.08, hspace=0.3)
    return figure
