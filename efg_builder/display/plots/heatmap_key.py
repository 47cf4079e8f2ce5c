"""What the map of a normal form says in words: title, findings, the key of marks, and the scale of colours."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ...base.rationals import brief
from ...equilibria.strategic import MatrixReport
from ...forms.normal_form import by_hand
from .heatmap_margins import spelt
from .paper import DARK, FILLS, INK, OTHERS

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_MARKS = 128
"""Best replies are marked on matrices of at most so many rows and columns: on larger ones nobody could tell them."""

STAR = "#ffd400"

LINE, ENTRY, TITLE = 0.22, 0.2, 0.58
"""Inches: a line of text, a line of the key, and what stands above the first line."""

ENTRIES = 3
"""Entries of the key beside each other, at most."""

NARROWEST = 8.3
"""Inches that the words need."""

FEW = 8
"""Payoffs are written into the cells of matrices of at most so many rows and columns."""


def marked(report: MatrixReport) -> bool:
    """Whether each best reply has a mark."""
    return max(report.form.shape) <= MOST_MARKS


def heading_height(report: MatrixReport) -> float:
    """Inches that ``draw_heading`` needs."""
    entries = _entries(report)
    return TITLE + LINE * len(_lines(report)) + ENTRY * -(-len(entries) // _beside(entries))


def draw_heading(report: MatrixReport, figure: Figure) -> None:
    """Title, findings and key at the top of *figure*."""
    width, height = figure.get_size_inches()
    figure.text(0.2 / width, 1 - 0.3 / height, report.form.tree.title, fontsize=13, fontweight="bold")
    lines = _lines(report)
    for number, line in enumerate(lines):
        bold = "bold" if number == 0 else "normal"
        down = TITLE + LINE * number
        figure.text(0.2 / width, 1 - down / height, line, fontsize=9, fontweight=bold, color=INK)
    if handles := _entries(report):
        figure.legend(
            handles=handles,
            loc="upper left",
            bbox_to_anchor=(0.2 / width, 1 - (TITLE + LINE * len(lines) - 0.12) / height),
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
    """How many entries of the key stand beside each other."""
    longest = max((len(str(entry.get_label())) for entry in entries), default=0)
    return max(1, min(ENTRIES, int((NARROWEST - 0.4) / (0.06 * longest + 0.3))))


def draw_scale(report: MatrixReport, axes: Axes) -> None:
    """The words below the scale of colours, which *axes* has."""
    form, mixed = report.form, report.mixed
    low, high = (Fraction(int(u), form.scale) for u in (form.cells[0].min(), form.cells[0].max()))
    one, two = form.tree.players
    ticks = {float(low): brief(low), float(high): brief(high)}
    if mixed is not None:
        ticks[float(mixed.lower)] = f"value {brief(mixed.lower)}"
    axes.set_xticks(list(ticks), labels=list(ticks.values()), fontsize=8)
    white = "the middle" if mixed is None else "the value" if mixed.exact else "about the value"
    other = f"orange less (better for {two})" if form.total is not None else "orange less"
    if form.total is None and max(form.shape) > FEW:
        other = f"orange less; {two}'s payoffs not shown"
    words = f"colour of a cell: {one}'s expected payoff there; white {white}, blue more, {other}"
    axes.set_xlabel(words, fontsize=8.5, labelpad=2)
    axes.tick_params(length=2)


def _lines(report: MatrixReport) -> list[str]:
    one, two = report.form.tree.players
    rows, columns = report.form.shape
    lines = [
        _headline(report),
        f"Each cell: one of {one}'s {rows:,} plans (row) against one of {two}'s {columns:,} (column).",
        "A plan fixes what its player does at every information set that it may lead to.",
    ]
    if report.mixed is not None and report.mixed.exact:
        value = brief(report.mixed.lower)
        lines.append(
            f"Bars: an equilibrium in mixed plans, worth {value} to {one}, who is sure of it; {two} allows no more."
        )
    return lines


def _headline(report: MatrixReport) -> str:
    count = len(report.equilibria)
    if not count:
        return "No two plans are best replies to each other: whatever is fixed has an answer."
    found = "One pair of plans is" if count == 1 else f"{count:,} pairs of plans are"
    return f"{found} best replies to each other: equilibria without mixing, starred."


def _entries(report: MatrixReport) -> list[Artist]:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    players, found = report.form.tree.players, list[Any]()
    for side in report.form.strategies:
        if spelt(side):
            labels = [side.tree.infosets[k].label for k in side.infosets]
            other, action = side.tree.infosets[side.infosets[0]].actions
            where = "by hand" if by_hand(labels) else "by information set"
            words = f"{players[side.player]}'s plan, {where}: {action} (grey: {other})"
            found.append(Patch(facecolor=FILLS[side.player], edgecolor=OTHERS, label=words))
    if marked(report):
        for player, (marker, fixed) in enumerate((("|", "column"), ("_", "row"))):
            name = f"{players[player]}'s best reply to the {fixed}"
            look: dict[str, Any] = {"marker": marker, "markersize": 8, "markeredgewidth": 2.4, "linestyle": ""}
            found.append(Line2D([], [], color=DARK[player], label=name, **look))
    if report.equilibria:
        star: dict[str, Any] = {"marker": "*", "color": STAR, "markeredgecolor": INK, "linestyle": ""}
        found.append(Line2D([], [], label=_starred(report), markersize=9, markeredgewidth=0.6, **star))
    if report.chain is not None:
        length = report.chain.length
        cycle = f"a cycle of {length}" if length > 2 else "an equilibrium"
        walk: dict[str, Any] = {"marker": "o", "color": INK, "markerfacecolor": "#ffffff", "markersize": 5}
        found.append(Line2D([], [], label=f"best replies in turn: {cycle}", **walk))
    return found


def _starred(report: MatrixReport) -> str:
    """What a star says; where the payoffs sum to a constant, equilibria are all pairs of some rows and columns."""
    count, (rows, columns) = len(report.equilibria), (len(set(side)) for side in zip(*report.equilibria, strict=True))
    pairs = f": any of {rows:,} rows with any of {columns:,} columns"
    return f"best replies to each other{pairs if min(rows, columns) > 1 and rows * columns == count else ''}"
