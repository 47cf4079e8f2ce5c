"""The margins of the map of a normal form: what each strategy does, and how often an equilibrium plays it."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from ...base.rationals import brief
from ...equilibria.strategic import MatrixReport
from ...forms.normal_form import NOT_REACHED, Strategies, by_hand, place_in_words, short_names
from .paper import DARK, FILLS, INK, OTHERS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_SETS = 16
"""Strategies over more information sets than this are not spelt out at the margin."""

STRIP, BLOCK = 0.145, 0.24
"""Inches: a margin's column for one information set, and for the blocks of strategies that begin alike."""

LETTER = 0.07
"""Inches that a letter of a block's name needs, at least."""

ACROSS = 0.13
"""Inches that a line of a block's name needs."""


def spelt(side: Strategies) -> bool:
    """Whether the strategies can be told by which of two actions they take at each of a few sets, but not of one."""
    actions = {side.tree.infosets[k].actions for k in side.infosets}
    return 1 < len(side.infosets) <= MOST_SETS and len(actions) == 1 and len(next(iter(actions))) == 2


def margin(side: Strategies) -> float:
    """Inches that ``draw_margin`` needs across; 0 where there is nothing to tell."""
    if spelt(side):
        return STRIP * len(side.infosets)
    return BLOCK if len(side) > 1 else 0.0


def draw_margin(side: Strategies, axes: Axes, length: float) -> None:
    """What the strategies do, along *length* inches: set by set where that can be shown, else what they begin with."""
    if spelt(side):
        _strip(side, axes)
    else:
        _blocks(side, axes, length)
    for spine in axes.spines.values():
        spine.set_visible(False)


def _strip(side: Strategies, axes: Axes) -> None:
    """Filled where the strategy takes the second of the two actions; the sets stand in order."""
    from matplotlib.colors import ListedColormap

    labels = [side.tree.infosets[k].label for k in side.infosets]
    names = short_names(labels)
    grid = np.where(side.choices == NOT_REACHED, 0, side.choices)
    colours = ListedColormap([OTHERS, FILLS[side.player]])
    upright = side.player == 0
    axes.imshow(grid if upright else grid.T, cmap=colours, vmin=0, vmax=1, aspect="auto", interpolation="nearest")
    action = side.tree.infosets[side.infosets[0]].actions[1]
    words = f"{side.tree.players[side.player]}: {action} {'with' if by_hand(labels) else 'at'}"
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


def blocks(side: Strategies) -> list[tuple[int, int, str]]:
    """The strategies that begin alike, in a row for each action at the first set: first, one after the last, action.

    Strategies are in lexicographic order, and nothing has to lead to a player's first set: each block is in one piece.
    """
    first = side.choices[:, 0]
    actions = side.tree.infosets[side.infosets[0]].actions
    edges = [0, *(int(i) + 1 for i in np.flatnonzero(np.diff(first))), len(first)]
    return [(low, high, actions[int(first[low])]) for low, high in pairwise(edges)]


def _blocks(side: Strategies, axes: Axes, length: float) -> None:
    upright, count = side.player == 0, len(side)
    dark = (FILLS[0], DARK[1])[side.player]
    for number, (low, high, action) in enumerate(blocks(side)):
        shade: dict[str, Any] = {"color": FILLS[side.player], "alpha": 0.16 if number % 2 else 0.34, "linewidth": 0}
        (axes.axhspan if upright else axes.axvspan)(low - 0.5, high - 0.5, **shade)
        middle, room = (low + high - 1) / 2, length * (high - low) / count
        if room < (ACROSS if upright and len(action) < 2 else LETTER * len(action) + 0.04):
            continue
        place = (0.5, middle) if upright else (middle, 0.5)
        turned = 90 if upright else 0
        axes.text(*place, action, ha="center", va="center", fontsize=8, color=dark, rotation=turned)
    axes.set(xticks=[], yticks=[])
    whole = (count - 0.5, -0.5) if upright else (-0.5, count - 0.5)
    axes.set(ylim=whole, xlim=(0, 1)) if upright else axes.set(xlim=whole, ylim=(0, 1))
    place_words = place_in_words(side.tree.infosets[side.infosets[0]].label)
    head = f"each {('row', 'column')[side.player]} a plan of {side.tree.players[side.player]},"
    if upright:
        axes.set_ylabel(f"{head}\nby its move at: {place_words}", fontsize=8.5, color=dark, fontweight="bold")
    else:
        title: dict[str, Any] = {"fontsize": 8.5, "fontweight": "bold", "color": dark, "loc": "left", "pad": 4}
        axes.set_title(f"{head} by its move at: {place_words}", **title)


def draw_bars(report: MatrixReport, player: int, axes: Axes) -> None:
    """How often the mixed strategies that were found play each pure one."""
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
    name = report.form.tree.players[player]
    if player == 0:
        # Below the map: above it there may be the columns' key.
        axes.text(0, 0, f"\nhow often\n{name} plays\nthe row", color=FILLS[0], va="top", **head)
    else:
        # Below the bars: at their left there is room only where the strategies have a key.
        axes.text(0, -0.05, f"how often {name} plays the column", color=DARK[1], ha="left", va="top", **head)
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
