"""HTML of reports and of notebook cells: exact numbers as people read them, tables, and nothing else.

There are two looks. A page brings a style sheet, so what is made for it has classes. Notebooks are light or dark, and
strip style sheets and scripts from what they do not trust: what is made for their cells (``facts``, ``cell_table`` and
what follows them) has every style inline, letters keep the notebook's colour, and shades are see-through.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from html import escape

from ..base.rationals import Number, down, text, up
from ..base.words import LEAST_SHOWN, figure, minus, number, percent, rounded
from .trees.scene import fill, rgb, shorten

SHORT = 9
"""Fractions of up to this many letters are written out; longer ones only where they are the point."""

SHORT_ROWS = 12
"""Tables of up to this many rows stay together on paper."""

LETTERS = 120
"""Letters of a text in a notebook cell; a longer one is cut."""

MOST_DIGITS = 24
"""Fractions with more letters are decimals in a notebook."""

FAINT, STRONG = 0.10, 0.48
"""The opacity of the shades of what is hardly ever and of what is always done: letters stay readable on both."""

_LEFT = "text-align:left"
_FADED = "opacity:.65"


@dataclass(frozen=True)
class Cell:
    """A cell of a table: markup, a class, a style, and a title that is shown to whoever points at it."""

    markup: str
    css: str = ""
    style: str = ""
    title: str = ""


def element(tag: str, markup: str, css: str = "", **attributes: str) -> str:
    """An element with the class *css* and *attributes*, but for those that are empty."""
    named = {"class": css, **attributes}
    words = "".join(f' {name}="{value}"' for name, value in named.items() if value)
    return f"<{tag}{words}>{markup}</{tag}>"


def paragraph(markup: str, css: str = "") -> str:
    """A paragraph."""
    return element("p", markup, css)


def command(line: str) -> str:
    """A command line, to be copied."""
    return f"<pre><code>{escape(line)}</code></pre>"


def bullets(items: Iterable[str], kind: str = "ul") -> str:
    """A list of markup."""
    return element(kind, "".join(element("li", item) for item in items))


def data(value: Number, shown: str) -> str:
    """*shown*, with the number itself, exact, for machines."""
    return f'<data value="{text(value)}">{minus(shown)}</data>'


def share(p: Number) -> str:
    """A probability in percent."""
    return data(p, percent(p))


def amount(value: Number) -> str:
    """A payoff: a short fraction as it is, all else as a decimal."""
    return data(value, text(value) if _is_short(value) else rounded(value, 4))


def at_most(value: Number) -> str:
    """An upper bound, as ``amount`` but never less than it is."""
    return _bound(value, up)


def at_least(value: Number) -> str:
    """A lower bound, as ``amount`` but never more than it is."""
    return _bound(value, down)


def _bound(value: Number, towards: Callable[[Fraction, int], str]) -> str:
    if _is_short(value):
        return data(value, text(value))
    # Nearer to 0 a float has fewer digits, and would not keep the bound.
    exact, power = Fraction(value), int(f"{max(abs(float(value)), 1e-290):e}".partition("e")[2])
    # Three decimals of what is then from 1 to 10: four digits, as of an amount.
    return data(value, f"{float(f'{towards(exact / Fraction(10) ** power, 3)}e{power}'):.4g}")


def in_full(value: Number, bound: Callable[[Number], str] | None = None) -> str:
    """A value that is the point: the whole fraction (of up to 60 letters), and about how much that is.

    *bound*: how it is written where it is not written in full, if it is a bound: ``at_most`` or ``at_least``.
    """
    shown = text(value) if isinstance(value, Fraction) else ""
    if shown and isinstance(value, Fraction) and value.denominator == 1:
        return data(value, shown)
    about = rounded(value, 4)
    if 0 < len(shown) <= 60:
        return f"{data(value, shown)} (about {about})"
    return data(value, about) if bound is None else bound(value)


def often(p: Number) -> str:
    """A probability as a short fraction and in percent: ``4/9 (44.4%)``."""
    return share(p) if p in (0, 1) or not _is_short(p) else f"{data(p, text(p))} ({percent(p)})"


def _is_short(value: Number) -> bool:
    return isinstance(value, Fraction) and len(text(value)) <= SHORT


def bar(p: Number) -> Cell:
    """A probability as a number with a bar."""
    return Cell(f'{share(p)}<span class="fill" style="{_share(p)}" aria-hidden="true"></span>', "bar")


def shade(p: Number | None) -> Cell:
    """A probability as a shaded number, 0 where it is that; a dot where there is none."""
    if p is None:
        return Cell('<span class="none" title="does not happen">·</span>', "shade")
    whole = f"{100 * float(p):.0f}"
    shown = whole if p in (0, 1) else "<1" if float(p) < 0.005 else ">99" if float(p) > 0.995 else whole
    return Cell(f'<data value="{text(p)}">{escape(shown)}</data>', "shade", _share(p))


def _share(p: Number) -> str:
    return "--share:" + f"{min(1.0, max(0.0, float(p))):.3f}".rstrip("0").rstrip(".")


def table(caption: str, head: Sequence[str], rows: Iterable[Sequence[str | Cell]], css: str = "") -> str:
    """A table of a page with a caption; each row begins with its head; *head* and cells are markup.

    It scrolls within its frame where it is wider than the page.
    """
    top = "".join(f'<th scope="col">{name}</th>' if name else "<td></td>" for name in head)  # an empty head is none
    lines = [_row(row) for row in rows]
    body = "\n".join(lines)
    label = escape(caption, quote=True)
    inner = f"\n<thead><tr>{top}</tr></thead>\n<tbody>\n{body}\n</tbody>"
    frame = f'<div class="frame" role="region" tabindex="0" aria-label="{label}">'
    framed = f"{frame}{element('table', inner, css, **{'aria-label': label})}</div>"
    short = "short" if len(lines) <= SHORT_ROWS else ""
    return element("figure", f"{element('figcaption', escape(caption))}\n{framed}", short)


def _row(cells: Sequence[str | Cell], look: str = "", named: str = "") -> str:
    """A row whose first cell is its head, of the style *named*; *look* is that of the row."""
    first, *rest = (cell if isinstance(cell, Cell) else Cell(cell) for cell in cells)
    parts = [element("th", first.markup, scope="row", style=named)]
    parts += [element("td", cell.markup, cell.css, style=cell.style, title=cell.title) for cell in rest]
    return element("tr", "".join(parts), style=look)


# --- of notebook cells


def clean(words: str, letters: int = LETTERS) -> str:
    """*words* on one line, cut short, as text in HTML: whatever stands in a file, it is no markup in a cell."""
    return escape(shorten(words, letters))


def worth(value: Number) -> str:
    """A payoff: a fraction with its decimal where it is short, else the decimal alone."""
    return minus(figure(value, letters=MOST_DIGITS, digits=4, alone=6, rounded=""))


def worths(names: Sequence[str], values: Sequence[Number], most: int = 8) -> str:
    """What each player gets, by name."""
    pairs = [f"{name}: {worth(value)}" for name, value in list(zip(names, values, strict=True))[:most]]
    return "; ".join(pairs) + ("; …" if len(values) > most else "")


def shaded(shown: str, strength: float, player: int, title: str = "") -> Cell:
    """A cell of a notebook's table in the colour of *player* (from 0), as strong as *strength*, from 0 to 1."""
    if strength <= 0:
        return Cell(shown, title=title)
    red, green, blue = (round(255 * part) for part in rgb(fill(player)))
    opacity = FAINT + (STRONG - FAINT) * min(strength, 1.0)
    return Cell(shown, style=f"background:rgba({red},{green},{blue},{opacity:.2f})", title=title)


def chance(p: Number, player: int) -> Cell:
    """A probability, shaded by its size in the player's color; below 1% ``<1%``; a dot for what is never done."""
    return shaded(("<1%" if p < LEAST_SHOWN else number(p)) if p else "·", float(p), player)


def heading(words: str) -> str:
    """A line in bold."""
    return f"<div><b>{clean(words)}</b></div>"


def note(words: str) -> str:
    """A line in small print."""
    return f'<div style="font-size:85%;opacity:.75">{clean(words, 400)}</div>'


def facts(title: str, rows: Iterable[tuple[str, str]]) -> str:
    """A heading, and below it a table of what is what; rows without a value are left out."""
    named = f"{_LEFT};font-weight:normal;{_FADED}"
    lines = [
        f'<tr><th scope="row" style="{named}">{clean(key)}</th><td style="{_LEFT}">{clean(value, 300)}</td></tr>'
        for key, value in rows
        if value
    ]
    return f'{heading(title)}<table cellpadding="3"><tbody>{"".join(lines)}</tbody></table>'


def cell_table(head: Sequence[str], rows: Iterable[str]) -> str:
    """A table of a notebook with a heading for each column; *rows* are made by ``cell_row`` and ``band``."""
    titles = [element("th", clean(title, 40), scope="col", style="" if n else _LEFT) for n, title in enumerate(head)]
    top = f"<thead><tr>{''.join(titles)}</tr></thead>"
    return f'<table cellpadding="3">{top}<tbody>{"".join(rows)}</tbody></table>'


def cell_row(name: str, cells: Iterable[str | Cell], faded: bool = False) -> str:
    """A row with its name; *faded*: that it does not matter much. Cells that are text are cleaned."""
    shown = (cell if isinstance(cell, Cell) else clean(cell, 60) for cell in cells)
    return _row([clean(name, 60), *shown], _FADED if faded else "", f"{_LEFT};font-weight:normal")


def band(words: str, width: int) -> str:
    """A heading across a table of *width* columns, above the rows that belong together."""
    return element("tr", element("th", clean(words), scope="rowgroup", colspan=str(width), style=_LEFT))
