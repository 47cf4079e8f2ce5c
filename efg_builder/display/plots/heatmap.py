"""A heat map of the normal form: a cell for each pair of strategies, with both players' best responses."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ...base.rationals import brief
from ...equilibria.strategic import MatrixReport
from ...forms.hand_names import printed_tree
from ...forms.normal_form import NOT_REACHED, Strategies, by_hand, place_in_words, short_names
from ...proof.pure import Chain, best_replies
from ...solvers.lp.matrix import Mix
from ..trees.sizes import shorten
from .style import DARK, FILLS, GREY, HEADING, INK, LINE, OTHERS, new_figure, write_heading, write_plot

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# --- the map


@dataclass(frozen=True)
class MapSizes:
    """The sizes of the map, its margins and its text (in inches unless another unit is given), and maximum counts."""

    side: float = 6.4  # the maximum length of the map's longer edge
    cell: float = 0.9  # the maximum size of a cell
    bar: float = 0.75
    gap: float = 0.09
    mark: float = 24.0  # the maximum length of a mark, in points
    left: float = 0.55  # the margin beside the map
    right: float = 0.75
    head: float = 0.38  # the distance from the heading to the map's upper margin
    bottom: float = 0.92
    most_stars: int = 4000  # the maximum number of stars, to limit the file size
    most_marks: int = 128  # the maximum number of rows or columns of a map with marks on best responses
    few: int = 8  # the maximum number of rows or columns of a map with payoffs in its cells
    most_sets: int = 16  # the maximum number of information sets in the margin
    strip: float = 0.145  # the width of the margin for one information set
    block: float = 0.24  # the width of the margin for blocks of strategies with the same first action
    letter: float = 0.07  # the minimum width of a character in a block's name
    across: float = 0.13  # the line height of a block's name
    most_letters: int = 22  # the maximum number of characters of an information set's name
    entry: float = 0.2  # the height of a line of the key
    entries: int = 3  # the maximum number of entries in a line of the key
    narrowest: float = 8.3  # the minimum width of the figure, so that the text fits


SIZES = MapSizes()
STAR = "#ffd400"
_BOLD: dict[str, Any] = {"fontsize": 8.5, "fontweight": "bold"}


def draw_matrix(report: MatrixReport, path: str | os.PathLike[str]) -> Path:
    """Draw *report* to *path* (.svg or .png) atomically. Raises the errors of ``write_plot``."""
    return write_plot(path, lambda: heatmap(report), report.form.tree.title)


def heatmap(report: MatrixReport) -> Figure:
    """Return the map: a row for each strategy of player 1, and a column for each strategy of player 2.

    White is the value in mixed strategies. The margins show the actions of each strategy, and its probability in the
    mixed equilibrium.
    """
    tree = printed_tree(report.form.tree)  # in 8-point type, the six spots of a die look like five
    one, two = (replace(side, tree=tree) for side in report.form.strategies)
    report = replace(report, form=replace(report.form, tree=tree, strategies=(one, two)))
    rows, columns = report.form.shape
    longest = _side(report)
    width, height = longest * min(1.0, max(columns / rows, 0.4)), longest * min(1.0, max(rows / columns, 0.4))
    strips = [_margin(side) for side in report.form.strategies]
    above = _heading_height(report) + max(SIZES.head + strips[1], _names_height(report.form.strategies[0]))
    bars = SIZES.bar if report.mixed is not None else 0.0
    full = (
        SIZES.left + strips[0] + SIZES.gap + width + SIZES.gap + bars + SIZES.right,
        above + SIZES.gap + height + SIZES.gap + bars + SIZES.bottom,
    )
    side = max(0.0, SIZES.narrowest - full[0]) / 2
    full = (full[0] + 2 * side, full[1])
    figure = new_figure(*full)

    def axes(left: float, bottom: float, wide: float, high: float) -> Axes:
        return figure.add_axes((left / full[0], bottom / full[1], wide / full[0], high / full[1]))

    left, bottom = side + SIZES.left + strips[0] + SIZES.gap, SIZES.bottom + bars + SIZES.gap
    _map(report, main := axes(left, bottom, width, height))
    if strips[0]:
        _draw_margin(report.form.strategies[0], axes(left - SIZES.gap - strips[0], bottom, strips[0], height), height)
    if strips[1]:
        _draw_margin(report.form.strategies[1], axes(left, bottom + height + SIZES.gap, width, strips[1]), width)
    if report.mixed is not None:
        mixes, players = report.mixed.mixes, report.form.tree.players
        _draw_bars(0, mixes[0], players[0], axes(left + width + SIZES.gap, bottom, SIZES.bar, height))
        _draw_bars(1, mixes[1], players[1], axes(left, SIZES.bottom, width, SIZES.bar))
    scale = axes(left, 0.52, width, 0.11)
    figure.colorbar(main.images[0], cax=scale, orientation="horizontal")
    _draw_scale(report, scale)
    _draw_heading(report, figure)
    return figure


def _side(report: MatrixReport) -> float:
    return min(SIZES.side, SIZES.cell * max(report.form.shape))


def _mark_size(report: MatrixReport) -> float:
    return min(_side(report) * 72 / max(report.form.shape), SIZES.mark)


def _map(report: MatrixReport, axes: Axes) -> None:
    from matplotlib.colors import LinearSegmentedColormap, TwoSlopeNorm

    form = report.form
    payoffs = form.cells[0].astype(np.float64) / form.scale
    low, high = float(payoffs.min()), float(payoffs.max())
    middle = float(report.mixed.lower) if report.mixed is not None else (low + high) / 2
    spread = 1e-9 * max(abs(middle), 1.0)  # a color scale needs a positive range on both sides
    palette = LinearSegmentedColormap.from_list("payoffs", [FILLS[1], "#ffffff", FILLS[0]])
    norm = TwoSlopeNorm(middle, min(low, middle - spread), max(high, middle + spread))
    axes.imshow(payoffs, cmap=palette, norm=norm, aspect="auto", interpolation="nearest")
    if _marked(report):
        _marks(report, axes)
    _stars(report, axes)
    if max(form.shape) <= SIZES.few:
        _payoffs(report, axes)
    axes.set(xticks=[], yticks=[], xlim=(-0.5, form.shape[1] - 0.5), ylim=(form.shape[0] - 0.5, -0.5))
    axes.spines[:].set(visible=True, color=GREY, linewidth=0.6)
    if report.chain is not None:
        _chain(report.chain, axes)


def _marks(report: MatrixReport, axes: Axes) -> None:
    size = _mark_size(report)
    for player, marker in ((0, "|"), (1, "_")):
        row, column = np.nonzero(best_replies(report.form, player))
        style: dict[str, Any] = {"marker": marker, "linestyle": "", "markersize": 0.95 * size}
        axes.plot(column, row, color="#ffffff", markeredgewidth=max(0.45 * size, 1.4), alpha=0.85, **style)
        axes.plot(column, row, color=DARK[player], markeredgewidth=max(0.26 * size, 0.8), **style)


def _stars(report: MatrixReport, axes: Axes) -> None:
    count = len(report.equilibria)
    if not count:
        return
    size = _mark_size(report)
    shown = report.equilibria[:: -(-count // SIZES.most_stars)]
    rows, columns = zip(*shown, strict=True)
    least = 9.0 if _marked(report) else 6.0
    star: dict[str, Any] = {"marker": "*", "linestyle": "", "markersize": min(max(1.8 * size, least), 16.0)}
    axes.plot(columns, rows, color=STAR, markeredgecolor=INK, markeredgewidth=0.5, clip_on=False, **star)


def _payoffs(report: MatrixReport, axes: Axes) -> None:
    form = report.form
    box: dict[str, Any] = {"boxstyle": "round,pad=0.2", "facecolor": "#ffffff", "edgecolor": "none", "alpha": 0.85}
    for row in range(form.shape[0]):
        for column in range(form.shape[1]):
            words = ", ".join(map(brief, form.payoff(row, column)))
            axes.text(column, row + 0.36, words, ha="center", va="center", fontsize=7.5, bbox=box)


def _chain(chain: Chain, axes: Axes) -> None:
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


# --- the margins


def _spelt(side: Strategies) -> bool:
    """Return whether all information sets, 2 to ``most_sets`` in number, have the same two actions.

    The margin then has a strip for each information set.
    """
    actions = {side.tree.infosets[k].actions for k in side.infosets}
    return 1 < len(side.infosets) <= SIZES.most_sets and len(actions) == 1 and len(next(iter(actions))) == 2


def _margin(side: Strategies) -> float:
    if _spelt(side):
        return SIZES.strip * len(side.infosets)
    return SIZES.block if len(side) > 1 else 0.0


def _names(side: Strategies) -> list[str]:
    short = short_names([side.tree.names[k] for k in side.infosets])
    return [shorten(name, SIZES.most_letters) for name in short]


def _turned(side: Strategies) -> bool:
    """Return whether the names of the rows' information sets are vertical."""
    return max(map(len, _names(side))) * SIZES.letter > SIZES.strip


def _names_height(side: Strategies) -> float:
    """Return the height of the heading above the map, which may include the names of the rows' information sets."""
    if not _spelt(side) or not _turned(side):
        return SIZES.head
    return SIZES.head + SIZES.letter * max(map(len, _names(side)))


def _draw_margin(side: Strategies, axes: Axes, length: float) -> None:
    if _spelt(side):
        _strip(side, axes)
    else:
        _blocks(side, axes, length)
    axes.spines[:].set_visible(False)


def _strip(side: Strategies, axes: Axes) -> None:
    from matplotlib.colors import ListedColormap

    labels, names = [side.tree.names[k] for k in side.infosets], _names(side)
    grid = np.where(side.choices == NOT_REACHED, 0, side.choices)
    palette = ListedColormap([OTHERS, FILLS[side.player]])
    upright = side.player == 0
    axes.imshow(grid if upright else grid.T, cmap=palette, vmin=0, vmax=1, aspect="auto", interpolation="nearest")
    action = side.tree.infosets[side.infosets[0]].actions[1]
    words = f"{side.tree.players[side.player]}: {action} {'with' if by_hand(labels) else 'at'}"
    axes.set(xticks=[], yticks=[])
    if upright:
        axes.set_xticks(range(len(names)), labels=names, fontsize=8, rotation=90 if _turned(side) else 0)
        axes.xaxis.tick_top()
    else:
        axes.set_yticks(range(len(names)), labels=names, fontsize=8)
        axes.yaxis.tick_right()
    place: dict[str, Any] = {"color": FILLS[0], "loc": "right"} if upright else {"color": DARK[1], "loc": "left"}
    axes.set_title(words, pad=4, **place, **_BOLD)
    axes.tick_params(length=0, pad=1.5)
    for edge in np.arange(0.5, len(names) - 1):
        (axes.axvline if upright else axes.axhline)(edge, color="#ffffff", linewidth=1.0)


def blocks(side: Strategies) -> list[tuple[int, int, str]]:
    """Return (first index, last index + 1, action) for each block of strategies with the same first action.

    Blocks are contiguous, because strategies are in lexicographic order and act at the player's first information set.
    """
    first = side.choices[:, 0]
    actions = side.tree.infosets[side.infosets[0]].actions
    edges = [0, *(int(i) + 1 for i in np.flatnonzero(np.diff(first))), len(first)]
    return [(low, high, actions[int(first[low])]) for low, high in pairwise(edges)]


def _blocks(side: Strategies, axes: Axes, length: float) -> None:
    upright, count = side.player == 0, len(side)
    dark = DARK[side.player]
    for number, (low, high, action) in enumerate(blocks(side)):
        shade: dict[str, Any] = {"color": FILLS[side.player], "alpha": 0.16 if number % 2 else 0.34, "linewidth": 0}
        (axes.axhspan if upright else axes.axvspan)(low - 0.5, high - 0.5, **shade)
        middle, room = (low + high - 1) / 2, length * (high - low) / count
        if room < (SIZES.across if upright and len(action) < 2 else SIZES.letter * len(action) + 0.04):
            continue
        across, down = (0.5, middle) if upright else (middle, 0.5)
        axes.text(across, down, action, ha="center", va="center", fontsize=8, color=dark, rotation=90 if upright else 0)
    axes.set(xticks=[], yticks=[])
    whole = (count - 0.5, -0.5) if upright else (-0.5, count - 0.5)
    axes.set(ylim=whole, xlim=(0, 1)) if upright else axes.set(xlim=whole, ylim=(0, 1))
    place_words = place_in_words(side.tree.names[side.infosets[0]])
    head = f"{('rows', 'columns')[side.player]}: plans of {side.tree.players[side.player]},"
    if upright:
        axes.set_ylabel(f"{head}\nby the move at: {place_words}", color=dark, **_BOLD)
    else:
        axes.set_title(f"{head} by the move at: {place_words}", color=dark, loc="left", pad=4, **_BOLD)


def _draw_bars(player: int, mix: Mix, name: str, axes: Axes) -> None:
    size = len(mix)
    played = [(i, weight) for i, weight in enumerate(mix) if weight]
    thick = max(0.9, size / 110)
    spots, weights = [i for i, _ in played], [float(weight) for _, weight in played]
    axes.set_axis_off()
    head: dict[str, Any] = {"transform": axes.transAxes, "va": "top", **_BOLD}
    if player == 0:
        axes.barh(spots, weights, thick, color=FILLS[0])
        axes.set(ylim=(size - 0.5, -0.5), xlim=(0, 1.25 * max(weights)))
        # Place the text below the map, because the key of the columns may be above the map.
        axes.text(0, 0, f"\nprobability\nof the row\nfor {name}", color=FILLS[0], **head)
    else:
        axes.bar(spots, weights, thick, color=FILLS[1])
        axes.set(xlim=(-0.5, size - 0.5), ylim=(1.25 * max(weights), 0))
        # Place the text below the bars, because the space to their left varies.
        axes.text(0, -0.05, f"probability of the column for {name}", color=DARK[1], **head)
    for i, weight in _apart(played, size):
        place = (float(weight), i) if player == 0 else (i, float(weight))
        away, align = ((2, 0), ("left", "center")) if player == 0 else ((0, -2), ("center", "top"))
        axes.annotate(
            brief(weight), place, away, textcoords="offset points", ha=align[0], va=align[1], fontsize=7.5, color=INK
        )


def _apart(played: list[tuple[int, Fraction]], size: int) -> list[tuple[int, Fraction]]:
    chosen: list[tuple[int, Fraction]] = []
    for i, weight in sorted(played, key=lambda entry: -entry[1]):
        if all(abs(i - other) >= size / 24 for other, _ in chosen):
            chosen.append((i, weight))
    return chosen


# --- text


def _marked(report: MatrixReport) -> bool:
    return max(report.form.shape) <= SIZES.most_marks


def _heading_height(report: MatrixReport) -> float:
    entries = _entries(report)
    return HEADING + LINE * len(_lines(report)) + SIZES.entry * -(-len(entries) // _beside(entries))


def _draw_heading(report: MatrixReport, figure: Figure) -> None:
    width, height = figure.get_size_inches()
    lines = _lines(report)
    write_heading(figure, report.form.tree.title, lines)
    if handles := _entries(report):
        figure.legend(
            handles=handles,
            loc="upper left",
            bbox_to_anchor=(0.25 / width, 1 - (HEADING + LINE * len(lines) - 0.1) / height),
            ncols=_beside(handles),
            frameon=False,
            fontsize=8.5,
            borderpad=0,
            borderaxespad=0,
            handlelength=1.2,
            columnspacing=1.4,
            handletextpad=0.4,
        )


def _beside(entries: list[Artist]) -> int:
    longest = max((len(str(entry.get_label())) for entry in entries), default=0)
    return max(1, min(SIZES.entries, int((SIZES.narrowest - 0.4) / (0.06 * longest + 0.3))))


def _draw_scale(report: MatrixReport, axes: Axes) -> None:
    form, mixed = report.form, report.mixed
    low, high = (Fraction(int(u), form.scale) for u in (form.cells[0].min(), form.cells[0].max()))
    one, two = form.tree.players
    ticks = {float(low): brief(low), float(high): brief(high)}
    if mixed is not None:
        ticks[float(mixed.lower)] = f"value {brief(mixed.lower)}"
    axes.set_xticks(list(ticks), labels=list(ticks.values()), fontsize=8)
    white = "the middle" if mixed is None else "the value" if mixed.exact else "about the value"
    other = f"orange: less (better for {two})" if form.total is not None else "orange: less"
    if form.total is None and max(form.shape) > SIZES.few:
        other = f"orange: less; {two}'s payoffs are not shown"
    words = f"color of a cell: {one}'s expected payoff; white: {white}, blue: more, {other}"
    axes.set_xlabel(words, fontsize=8.5, labelpad=2)
    axes.tick_params(length=2)


def _lines(report: MatrixReport) -> list[str]:
    one, two = report.form.tree.players
    rows, columns = report.form.shape
    lines = [
        _headline(report),
        f"Each cell: one of {one}'s {rows:,} plans (row) against one of {two}'s {columns:,} (column).",
        "A plan has an action at every information set that it can reach.",
    ]
    if report.mixed is not None and report.mixed.exact:
        value = brief(report.mixed.lower)
        lines.append(
            f"Bars: an equilibrium in mixed plans. It guarantees the value {value} to {one}; {two} allows no more."
        )
    return lines


def _headline(report: MatrixReport) -> str:
    count = len(report.equilibria)
    if not count:
        return "No equilibrium in pure plans: no two plans are best responses to each other."
    found = "One equilibrium" if count == 1 else f"{count:,} equilibria"
    return f"{found} in pure plans (starred): pairs of best responses to each other."


def _entries(report: MatrixReport) -> list[Artist]:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    players, found = report.form.tree.players, list[Any]()
    for side in report.form.strategies:
        if _spelt(side):
            labels = [side.tree.names[k] for k in side.infosets]
            other, action = side.tree.infosets[side.infosets[0]].actions
            where = "for each hand" if by_hand(labels) else "at each information set"
            words = f"{players[side.player]}'s plan {where}: {action} (gray: {other})"
            found.append(Patch(facecolor=FILLS[side.player], edgecolor=OTHERS, label=words))
    if _marked(report):
        for player, (marker, fixed) in enumerate((("|", "column"), ("_", "row"))):
            name = f"{players[player]}'s best response to the {fixed}"
            look: dict[str, Any] = {"marker": marker, "markersize": 8, "markeredgewidth": 2.4, "linestyle": ""}
            found.append(Line2D([], [], color=DARK[player], label=name, **look))
    if report.equilibria:
        star: dict[str, Any] = {"marker": "*", "color": STAR, "markeredgecolor": INK, "linestyle": ""}
        found.append(Line2D([], [], label=_starred(report), markersize=9, markeredgewidth=0.6, **star))
    if report.chain is not None:
        length = report.chain.length
        cycle = f"a cycle of {length}" if length > 2 else "an equilibrium"
        walk: dict[str, Any] = {"marker": "o", "color": INK, "markerfacecolor": "#ffffff", "markersize": 5}
        found.append(Line2D([], [], label=f"best responses in turn: {cycle}", **walk))
    return found


def _starred(report: MatrixReport) -> str:
    count, (rows, columns) = len(report.equilibria), (len(set(side)) for side in zip(*report.equilibria, strict=True))
    pairs = f": any of {rows:,} rows with any of {columns:,} columns"
    return f"best responses to each other{pairs if min(rows, columns) > 1 and rows * columns == count else ''}"
