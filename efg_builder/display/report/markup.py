"""The report's markup: exact numbers as people read them, tables with bars and shades, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from html import escape

from ...base.rationals import Number, down, text, up
from ...base.words import percent
from ..pages.page import Part

SHORT = 9
"""Fractions of up to so many letters are written out; longer ones only where they are the point."""

SHORT_ROWS = 12
"""Tables of up to so many rows stay together on paper."""


@dataclass(frozen=True)
class Section:
    """One section of the report: ``id`` for links, ``title`` in plain text, ``body`` as markup, what else it needs.

    ``css`` is a class of the section and of its entry in the contents.
    """

    id: str
    title: str
    body: str
    needs: Part | None = None
    css: str = ""

    def markup(self) -> str:
        """The section as an element with its heading."""
        head = f'<h2 id="{self.id}-head">{escape(self.title)}</h2>'
        start = f'<section id="{self.id}"{_class(self.css)} aria-labelledby="{self.id}-head">'
        return f"{start}{head}\n{self.body}\n</section>"


@dataclass(frozen=True)
class Cell:
    """A cell of a table: markup, a class, and a share from 0 to 1 that a bar or a shade shows."""

    markup: str
    css: str = ""
    share: Number | None = None


def paragraph(markup: str, css: str = "") -> str:
    """A paragraph."""
    return f"<p{_class(css)}>{markup}</p>"


def minus(shown: str) -> str:
    """*shown* with a true minus sign."""
    return shown.replace("-", "−")


def data(value: Number, shown: str) -> str:
    """*shown*, with the number itself, exact, for machines."""
    return f'<data value="{text(value)}">{minus(shown)}</data>'


def share(p: Number) -> str:
    """A probability in percent."""
    return data(p, percent(p))


def amount(value: Number) -> str:
    """A payoff: a short fraction as it is, all else as a decimal."""
    shown = text(value) if isinstance(value, Fraction) else ""
    return data(value, shown if 0 < len(shown) <= SHORT else f"{float(value):.4g}")


def at_most(value: Number) -> str:
    """An upper bound, as ``amount`` but never less than it is."""
    return _bound(value, up)


def at_least(value: Number) -> str:
    """A lower bound, as ``amount`` but never more than it is."""
    return _bound(value, down)


def _bound(value: Number, towards: Callable[[Fraction, int], str]) -> str:
    shown = text(value) if isinstance(value, Fraction) else ""
    if 0 < len(shown) <= SHORT:
        return data(value, shown)
    # Nearer to 0 a float has fewer digits, and would not keep the bound.
    exact, power = Fraction(value), int(f"{max(abs(float(value)), 1e-290):e}".partition("e")[2])
    # Three decimals of what is then from 1 to 10: four digits, as of an amount.
    return data(value, f"{float(f'{towards(exact / Fraction(10) ** power, 3)}e{power}'):.4g}")


def in_full(value: Number, bound: Callable[[Number], str] | None = None) -> str:
    """A value that is the point: the whole fraction (of up to 60 letters), and about how much that is.

    *bound*: how it is written where it is not told in full, if it is a bound: ``at_most`` or ``at_least``.
    """
    shown = text(value) if isinstance(value, Fraction) else ""
    if shown and isinstance(value, Fraction) and value.denominator == 1:
        return data(value, shown)
    about = minus(f"{float(value):.4g}")
    if 0 < len(shown) <= 60:
        return f"{data(value, shown)} (about {about})"
    return data(value, about) if bound is None else bound(value)


def often(p: Number) -> str:
    """A probability as a short fraction and in percent: ``4/9 (44.4%)``."""
    shown = text(p) if isinstance(p, Fraction) else ""
    if p in (0, 1) or not 0 < len(shown) <= SHORT:
        return share(p)
    return f"{data(p, shown)} ({percent(p)})"


def bar(p: Number) -> Cell:
    """A probability as a number with a bar."""
    return Cell(f"{share(p)}{_fill(p)}", "bar")


def shade(p: Number | None) -> Cell:
    """A probability as a shaded number, 0 where it is that; a dot where there is none."""
    if p is None:
        return Cell('<span class="none" title="does not happen">·</span>', "shade")
    whole = f"{100 * float(p):.0f}"
    shown = whole if p in (0, 1) else "<1" if float(p) < 0.005 else ">99" if float(p) > 0.995 else whole
    return Cell(f'<data value="{text(p)}">{escape(shown)}</data>', "shade", p)


def table(caption: str, head: Sequence[str], rows: Iterable[Sequence[str | Cell]], css: str = "") -> str:
    """A table with a caption; each row begins with its head; *head* and cells are markup.

    It scrolls within its frame where it is wider than the page.
    """
    top = "".join(f'<th scope="col">{name}</th>' for name in head)
    lines = [f"<tr>{_row(row)}</tr>" for row in rows]
    body = "\n".join(lines)
    short = _class("short" if len(lines) <= SHORT_ROWS else "")
    label = escape(caption, quote=True)
    return (
        f"<figure{short}><figcaption>{escape(caption)}</figcaption>\n"
        f'<div class="frame" role="region" tabindex="0" aria-label="{label}">'
        f'<table{_class(css)} aria-label="{label}">\n<thead><tr>{top}</tr></thead>\n'
        f"<tbody>\n{body}\n</tbody></table></div></figure>"
    )


def command(line: str) -> str:
    """A command line, to be copied."""
    return f"<pre><code>{escape(line)}</code></pre>"


def bullets(items: Iterable[str], kind: str = "ul") -> str:
    """A list of markup."""
    return f"<{kind}>" + "".join(f"<li>{item}</li>" for item in items) + f"</{kind}>"


def listed(words: Sequence[str]) -> str:
    """``A, B and C``."""
    return ", ".join(words[:-1]) + (" and " if len(words) > 1 else "") + (words[-1] if words else "")


def plural(count: int, noun: str, nouns: str = "") -> str:
    """``1 hand``, ``3 hands``."""
    return f"{count:,} {noun if count == 1 else nouns or noun + 's'}"


def _row(row: Sequence[str | Cell]) -> str:
    first, *rest = row
    name = first.markup if isinstance(first, Cell) else first
    return f'<th scope="row">{name}</th>' + "".join(map(_cell, rest))


def _cell(cell: str | Cell) -> str:
    if isinstance(cell, str):
        return f"<td>{cell}</td>"
    part = "" if cell.share is None else f' style="--share:{_part(cell.share)}"'
    return f"<td{_class(cell.css)}{part}>{cell.markup}</td>"


def _fill(p: Number) -> str:
    return f'<span class="fill" style="--share:{_part(p)}" aria-hidden="true"></span>'


def _part(p: Number) -> str:
    return f"{min(1.0, max(0.0, float(p))):.3f}".rstrip("0").rstrip(".")


def _class(css: str) -> str:
    return f' class="{css}"' if css else ""
