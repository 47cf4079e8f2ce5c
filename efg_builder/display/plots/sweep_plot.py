"""A plot of a sweep over one number: the value or the payoffs, and the probabilities of moves."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import nan
from pathlib import Path
from typing import TYPE_CHECKING

from ...base.errors import ParameterError
from ...base.rationals import Number, brief, from_json, parse
from ...base.words import listed, minus, notation, one_line
from ...experiments.sweeps.table import Profile, Row, varying
from ...forms.hand_names import displayed
from ...games.catalogue import catalogue, make
from ...games.protocol import Game
from .line_ends import Line, draw_lines, place_labels
from .move_lines import Move, Panel, about_labels, hands_of, most_moving, panel_of
from .style import GREY, look, new_figure, plain, write_heading, write_plot

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SOLVED = ("equilibrium", "near-equilibrium")
"""The outcomes of rows with points in the plot."""

POINT = "o"  # the marker of a row's probability


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
    panels = list(_panels(rows, [profiles.get(row.figures["key"], []) for row in rows]))
    values = _values(rows)
    heights = [2.1, *(panel.height for panel in panels)]
    figure = new_figure(10.5, 1.8 + sum(heights), layout="constrained")
    ratios = {"height_ratios": heights}
    axes = figure.subplots(len(heights), 1, sharex=True, squeeze=False, gridspec_kw=ratios)[:, 0]
    axes[0].set_title(_title(rows), loc="left", fontsize=9.5, fontweight="bold")
    axes[0].grid(axis="y")
    axes[0].yaxis.set_major_formatter(lambda y, _: plain(y))
    if min(xs) < max(xs):
        axes[0].set_xlim(min(xs), max(xs))
    draw_lines(axes[0], xs, values)
    for panel, axis in zip(panels, axes[1:], strict=True):
        panel.draw(axis, xs)
    axes[-1].set_xlabel(name, color=GREY)
    notes = [f"Each point: one equilibrium for a value of {name}; there may be others."]
    if len(rows) < len(places):
        notes[0] += f" {len(places) - len(rows)} of {len(places)} values have no equilibrium yet."
    if panels:
        notes.append("Only the first of two moves is shown. An unreached information set has no point.")
        notes.append(about_labels(panels, "its last probability"))
    write_heading(figure, title, notes)
    place_labels(figure)
    return figure


def _title(rows: Sequence[Row]) -> str:
    return "Payoffs" if any(row.figures["payoffs"] for row in rows) else "Value to player 1"


def _values(rows: Sequence[Row]) -> list[Line]:
    paid = [row.figures["payoffs"] or row.figures["value"] for row in rows]
    found = [[] if each is None else [parse(part) for part in each.split(", ")] for each in paid]
    most = max(map(len, found), default=0)
    names = [f"Player {number}" for number in range(1, most + 1)] if most > 1 else ["value"]
    lines = []
    for k, name in enumerate(names[:most]):
        ys = [each[k] if k < len(each) else None for each in found]
        end = next(y for y in reversed(ys) if y is not None)
        color, mark = look(k)
        places = [nan if y is None else float(y) for y in ys]
        lines.append(Line(places, name, end=minus(brief(end)), color=color, mark=mark))
    return lines


def _panels(rows: Sequence[Row], profiles: Sequence[Profile]) -> Iterator[Panel]:
    """Yield a panel for each player with moves that vary or are mixed."""
    games = [_game(row) for row in rows]
    shown = []
    for player in sorted({entry["player"] for profile in profiles for entry in profile}):
        moving = _moves(games, profiles, player)
        if moving:
            shown.append((player, moving, most_moving(moving)))
    write = notation([move.end for _, _, kept in shown for move in kept])
    for player, moving, kept in shown:
        more = f" (the {len(kept)} of {len(moving)} that vary most)" if len(moving) > len(kept) else ""
        every = [hands_of(game, player - 1, [move.infoset for move in moving]) for game in games]
        yield panel_of(f"Player {player}", player - 1, kept, max(every, key=len), write, more, POINT)


def _game(row: Row) -> Game | None:
    """Return the rules of *row* if its game is in the catalogue."""
    return make(row.game, row.settings) if row.game in catalogue() else None


def _moves(games: Sequence[Game | None], profiles: Sequence[Profile], player: int) -> list[Move]:
    """Return the moves of *player* (from 1) that vary or are mixed."""
    found: dict[tuple[str, str], list[Number]] = {}
    for index, (game, profile) in enumerate(zip(games, profiles, strict=True)):
        for entry in (entry for entry in profile if entry["player"] == player and entry["reached"]):
            label = displayed(game)(player - 1, entry["label"] or f"set {entry['infoset']}")
            moves = list(entry["probabilities"].items())
            # With two moves, the second line would be the mirror image of the first.
            for move, p in moves[:1] if len(moves) == 2 else moves:
                found.setdefault((label, move), [nan] * len(profiles))[index] = from_json(p)
    moving = []
    for (label, move), row in found.items():
        seen = [p for p in row if p == p]
        if any(p != seen[0] or 0 < p < 1 for p in seen):
            moving.append(Move(label, move, list(map(float, row)), seen[-1]))
    return moving
