"""A plot of a sweep over one number: the value or the payoffs, and the probabilities of moves."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import nan
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...base.errors import ParameterError
from ...base.rationals import from_json, parse
from ...base.words import listed, one_line
from ...experiments.sweeps.table import Profile, Row, varying
from ..trees.scene import shortened
from .style import GREY, ORDERED, look, new_figure, write_heading, write_plot

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_LINES, MOST_LETTERS = 8, 40
"""The maximum number of lines in a panel, and the maximum number of characters in a label."""

SOLVED = ("equilibrium", "near-equilibrium")
"""The outcomes of rows with points in the plot."""

Line = tuple[str, list[float]]
"""A label, and a number for each row; nan where there is none."""


def draw_sweep(rows: Sequence[Row], profiles: Mapping[str, Profile], path: str | os.PathLike[str]) -> Path:
    """Draw *rows*, with the strategies in *profiles* (by key), to *path* (.svg or .png).

    Raises ``ParameterError`` unless exactly one setting varies and is a number, and the errors of ``write_plot``.
    """
    names = varying(rows)
    if len(names) != 1:
        vary = listed(names) if names else "none"
        raise ParameterError(f"{path}: a plot needs a sweep in which one setting varies, not {vary}")
    (name,) = names
    try:
        places = {row.figures["key"]: parse(row.settings[name]) for row in rows}
    except (ValueError, ZeroDivisionError):
        raise ParameterError(f"{path}: a plot needs numbers, and {name} has other values") from None
    ordered = sorted(rows, key=lambda row: places[row.figures["key"]])
    title = one_line(rows[0].game.rpartition(":")[2])
    return write_plot(path, lambda: _figure(name, ordered, places, profiles, title), title)


def _figure(
    name: str, rows: Sequence[Row], places: Mapping[str, Fraction], profiles: Mapping[str, Profile], title: str
) -> Figure:
    rows = [row for row in rows if row.figures["outcome"] in SOLVED]
    xs = [float(places[row.figures["key"]]) for row in rows]
    own = [profiles.get(row.figures["key"], []) for row in rows]
    panels = [(_title(rows), _values(rows))]
    for player in sorted({entry["player"] for profile in own for entry in profile}):
        lines, count = _moves(own, player)
        more = f" (the {len(lines)} of {count} that vary most)" if count > len(lines) else ""
        panels.append((f"Player {player}: probability of each move{more}", lines))
    panels = [panel for panel in panels if panel[1]]
    figure = new_figure(10.5, 1.6 + 2.2 * len(panels), layout="constrained")
    axes = figure.subplots(len(panels), 1, sharex=True, squeeze=False)[:, 0]
    for number, ((head, lines), axis) in enumerate(zip(panels, axes, strict=True)):
        _panel(axis, xs, head, lines, probabilities=number > 0)
    axes[-1].set_xlabel(name, color=GREY)
    notes = [f"Each point: one equilibrium for a value of {name}; there may be others."]
    if len(rows) < len(places):
        notes[0] += f" {len(places) - len(rows)} of {len(places)} values have no equilibrium yet."
    if len(panels) > 1:
        notes.append("Of two moves at an information set, the first; no point where play does not reach it.")
    write_heading(figure, title, notes)
    return figure


def _title(rows: Sequence[Row]) -> str:
    return "Payoffs" if any(row.figures["payoffs"] for row in rows) else "Value to player 1"


def _values(rows: Sequence[Row]) -> list[Line]:
    paid = [row.figures["payoffs"] or row.figures["value"] for row in rows]
    found = [[] if each is None else [float(parse(part)) for part in each.split(", ")] for each in paid]
    most = max(map(len, found), default=0)
    names = [f"player {number}" for number in range(1, most + 1)] if most > 1 else ["value"]
    return [(names[k], [each[k] if k < len(each) else nan for each in found]) for k in range(most)]


def _moves(profiles: Sequence[Profile], player: int) -> tuple[list[Line], int]:
    """Return the moves of *player* that vary most, and the number of moves that vary or are mixed."""
    found: dict[tuple[int, str], list[float]] = {}
    labels: dict[tuple[int, str], str] = {}
    for index, profile in enumerate(profiles):
        for entry in (entry for entry in profile if entry["player"] == player and entry["reached"]):
            moves = list(entry["probabilities"].items())
            # With two moves, the second line would be the mirror image of the first.
            for move, p in moves[:1] if len(moves) == 2 else moves:
                key = entry["infoset"], move
                labels[key] = f"{entry['label'] or 'set ' + str(entry['infoset'])}: {move}"
                found.setdefault(key, [nan] * len(profiles))[index] = float(from_json(p))
    moving = [key for key, row in found.items() if _width(row) > 0 or any(0 < p < 1 for p in row)]
    kept = set(sorted(moving, key=lambda key: -_width(found[key]))[:MOST_LINES])
    shown = [key for key in moving if key in kept]
    short = shortened(tuple(labels[key] for key in shown), MOST_LETTERS)
    return [(short[labels[key]], found[key]) for key in shown], len(moving)


def _width(row: Sequence[float]) -> float:
    """Return the difference between the highest and the lowest probability of a move."""
    seen = [p for p in row if p == p]
    return max(seen) - min(seen)


def _panel(axis: Axes, xs: Sequence[float], head: str, lines: Sequence[Line], probabilities: bool) -> None:
    axis.set_title(head, loc="left", fontsize=9.5, fontweight="bold")
    axis.grid(axis="y")
    if probabilities:
        axis.set(ylim=(-0.04, 1.04), yticks=[0, 0.5, 1])
        axis.set_yticklabels(["0", "1/2", "1"])
    step = (len(ORDERED) - 1) / max(len(lines) - 1, 1)
    for number, (label, ys) in enumerate(lines):
        _, mark = look(number)
        color = ORDERED[round(number * step)]
        axis.plot(xs, ys, color=color, marker=mark, markersize=4, linewidth=1.6, clip_on=False, label=label)
    beside: dict[str, Any] = {"loc": "center left", "bbox_to_anchor": (1.01, 0.5), "frameon": False, "fontsize": 8}
    if probabilities or len(lines) > 1:
        axis.legend(**beside)
