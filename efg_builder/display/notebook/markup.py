"""HTML for notebook cells: escaped text, tables whose cells are shaded by probability, a few facts with a heading.

Notebooks are light or dark, and strip style sheets and scripts from what they do not trust. So every style is inline,
letters keep the notebook's colour, and shades and lines are see-through.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from html import escape

from ...base.rationals import Number, text
from ...base.words import number
from ..trees.style import fill, shorten

LETTERS = 120
"""A text is cut to so many."""

MOST_DIGITS = 24
"""Fractions with more letters are told in decimals."""

FAINT, STRONG = 0.10, 0.48
"""The opacity of the shades of what is hardly ever and of what is always done: letters stay readable on both."""

_LEFT = "text-align:left"
_FADED = "opacity:.65"


@dataclass(frozen=True)
class Cell:
    """A cell of a table. ``share``: how strongly it is shaded, from 0 to 1 (None: not at all), in the colour of
    ``player`` (from 0); ``tip`` is shown to whoever points at it.
    """

    words: str
    share: float | None = None
    player: int = 0
    tip: str = ""


@dataclass(frozen=True)
class Row:
    """A row of a table, named by its first cell; ``faded``: that it does not matter much."""

    name: str
    cells: Sequence[str | Cell]
    faded: bool = False


@dataclass(frozen=True)
class Band:
    """A heading across the table, above the rows that belong together."""

    words: str


def clean(words: str, letters: int = LETTERS) -> str:
    """*words* on one line, cut short, as text in HTML: whatever stands in a file, it is no markup here."""
    return escape(shorten(words, letters))


def worth(value: Number) -> str:
    """A payoff: a fraction with its decimal where it is short, else the decimal alone."""
    if not isinstance(value, Fraction) or len(text(value)) > MOST_DIGITS:
        return f"{float(value):.6g}".replace("-", "−")
    words = text(value) if value.denominator == 1 else f"{text(value)} = {float(value):.4g}"
    return words.replace("-", "−")


def worths(names: Sequence[str], values: Sequence[Number], most: int = 8) -> str:
    """What each player gets, by name."""
    pairs = [f"{name}: {worth(value)}" for name, value in list(zip(names, values, strict=True))[:most]]
    return "; ".join(pairs) + ("; …" if len(values) > most else "")


def chance(p: Number, player: int) -> Cell:
    """A probability, shaded by its size in the player's colour; a dot for what is never done."""
    return Cell(number(p) if p else "·", min(max(float(p), 0.0), 1.0) or None, player)


def heading(words: str) -> str:
    """A line in bold."""
    return f"<div><b>{clean(words)}</b></div>"


def note(words: str) -> str:
    """A line in small print."""
    return f'<div style="font-size:85%;opacity:.75">{clean(words, 400)}</div>'


def facts(title: str, rows: Iterable[tuple[str, str]]) -> str:
    """A heading, and below it a table of what is what; rows without a value are left out."""
    told = [
        f'<tr><th scope="row" style="{_LEFT};font-weight:normal;{_FADED}">{clean(key)}</th>'
        f'<td style="{_LEFT}">{clean(value, 300)}</td></tr>'
        for key, value in rows
        if value
    ]
    return heading(title) + f'<table cellpadding="3"><tbody>{"".join(told)}</tbody></table>'


def table(head: Sequence[str], rows: Iterable[Row | Band]) -> str:
    """A table with a heading for each column."""
    first, *others = head
    titles = f'<th scope="col" style="{_LEFT}">{clean(first, 40)}</th>'
    titles += "".join(f'<th scope="col">{clean(title, 40)}</th>' for title in others)
    body = "".join(_band(row, len(head)) if isinstance(row, Band) else _row(row) for row in rows)
    return f'<table cellpadding="3"><thead><tr>{titles}</tr></thead><tbody>{body}</tbody></table>'


def _band(band: Band, width: int) -> str:
    return f'<tr><th scope="rowgroup" colspan="{width}" style="{_LEFT}">{clean(band.words)}</th></tr>'


def _row(row: Row) -> str:
    look = f' style="{_FADED}"' if row.faded else ""
    name = f'<th scope="row" style="{_LEFT};font-weight:normal">{clean(row.name, 60)}</th>'
    return f"<tr{look}>{name}{''.join(map(_cell, row.cells))}</tr>"


def _cell(cell: str | Cell) -> str:
    if isinstance(cell, str):
        return f"<td>{clean(cell, 60)}</td>"
    look = "" if cell.share is None else f' style="background:{_shade(cell.player, cell.share)}"'
    tip = f' title="{clean(cell.tip)}"' if cell.tip else ""
    return f"<td{look}{tip}>{clean(cell.words, 60)}</td>"


def _shade(player: int, share: float) -> str:
    colour = fill(player).removeprefix("#")
    red, green, blue = (int(colour[at : at + 2], 16) for at in (0, 2, 4))
    return f"rgba({red},{green},{blue},{FAINT + (STRONG - FAINT) * share:.2f})"
