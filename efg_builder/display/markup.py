"""The templates in ``templates/`` for pages and notebook cells, and the formats of the numbers in them.

Notebooks remove style sheets and scripts, and have a light or a dark theme. Therefore ``templates/cells.html`` has
inline styles and transparent shades.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache, partial
from typing import TYPE_CHECKING

from markupsafe import Markup

from ..base import words
from ..base.rationals import Number, down, is_played, text, up
from ..base.words import LEFT_OUT, PERCENT_ROUNDED, Notation, figure, in_text, listed, minus, plural
from .trees.colors import fill, rgb
from .trees.sizes import shorten

if TYPE_CHECKING:
    from jinja2 import Environment, Template

SHORT = 9
"""The maximum number of characters of a fraction that is shown exactly by default."""

MOST_HOVERED = 60
"""The maximum number of characters of an exact number in a tooltip."""

MOST_DIGITS = 24
"""The maximum number of characters of a fraction in a notebook; longer fractions are shown as decimals."""

FAINT, STRONG = 0.10, 0.48
"""The lowest and the highest opacity of shades in a notebook; text is readable on both."""


def data(value: Number, shown: str) -> Markup:
    """Return *shown* as an HTML data element with the exact number, which is also the tooltip unless it is long."""
    exact = text(value)
    tip = (
        Markup(' title="{}"').format(minus(exact))
        if exact != shown.replace(",", "") and len(exact) <= MOST_HOVERED
        else ""
    )
    return Markup('<data value="{}"{}>{}</data>').format(exact, tip, minus(shown))


def notation(*parts: object, regret: Number = 0) -> Notation:
    """Return the notation of a table. Its probabilities are the numbers in *parts*, which may be nested."""
    return words.notation(_numbers(parts), regret)


def _numbers(part: object) -> Iterator[Number]:
    """Yield the fractions and floats in the nested iterables of *part*."""
    if isinstance(part, Fraction | float):
        yield part
    elif isinstance(part, Iterable) and not isinstance(part, str):
        for each in part.values() if isinstance(part, Mapping) else part:
            yield from _numbers(each)


def in_row(p: Number, write: Notation, row: Iterable[Number] = ()) -> Markup:
    """Return a probability in the notation of its table; *row* contains the numbers beside it."""
    return data(p, write(p, row))


def in_sentence(numbers: Sequence[Number], regret: Number = 0) -> list[Markup]:
    """Return the probabilities of a sentence in one notation."""
    return [data(p, shown) for p, shown in zip(numbers, in_text(numbers, regret), strict=True)]


def amount(value: Number) -> Markup:
    """Return a payoff: a short fraction exactly, any other number as a decimal."""
    return data(value, words.amount(value, SHORT, digits=4))


def at_most(value: Number) -> Markup:
    """Return an upper bound in the format of ``amount``, rounded up."""
    return _bound(value, up)


def at_least(value: Number) -> Markup:
    """Return a lower bound in the format of ``amount``, rounded down."""
    return _bound(value, down)


def _bound(value: Number, towards: Callable[[Fraction, int], str]) -> Markup:
    if _is_short(value):
        return data(value, text(value))
    # A nonzero float between -1e-290 and 1e-290 may have too few digits for a rounded bound.
    exact, power = Fraction(value), int(f"{max(abs(float(value)), 1e-290):e}".partition("e")[2])
    # A number from 1 to 10 with three decimals has four digits, as in ``amount``.
    return data(value, f"{float(f'{towards(exact / Fraction(10) ** power, 3)}e{power}'):.4g}")


def in_full(value: Number, bound: Callable[[Number], Markup] | None = None) -> Markup:
    """Return a fraction of up to 60 characters with its decimal, otherwise only the decimal.

    If *value* is a bound, *bound* (``at_most`` or ``at_least``) formats a longer fraction or a float.
    """
    shown = text(value) if isinstance(value, Fraction) else ""
    if shown and isinstance(value, Fraction) and value.denominator == 1:
        return data(value, shown)
    if 0 < len(shown) <= 60:
        return Markup("{} (about {})").format(data(value, shown), words.rounded(value, 4))
    return data(value, words.amount(value, 0, digits=4)) if bound is None else bound(value)


def alone(p: Number) -> Markup:
    """Return a probability outside tables."""
    return in_sentence([p])[0]


def _is_short(value: Number) -> bool:
    return isinstance(value, Fraction) and len(text(value)) <= SHORT


def _rounds(p: Fraction) -> str:
    """Return a probability as a number of rounds per hundred, with one decimal unless this number is an integer."""
    return f"{float(100 * p):.1f}".removesuffix(".0") if (1000 * p).denominator > 1 else f"{float(100 * p):g}"


def _width(p: Number) -> str:
    """Return a probability as a decimal number for the style sheet."""
    return f"{min(1.0, max(0.0, float(p))):.3f}".rstrip("0").rstrip(".")


# --- formats of notebook cells


def worth(value: Number) -> str:
    """Return a payoff: a short fraction with its decimal, any other number as a decimal."""
    if isinstance(value, Fraction) and len(text(value)) <= MOST_DIGITS:
        return minus(figure(value, letters=MOST_DIGITS, digits=4))
    return words.amount(value, 0, digits=6)


def worths(values: Sequence[Number], names: Sequence[str] = (), most: int = 8) -> str:
    """Return the payoff of each player, with the player's name."""
    named = zip(names or [f"player {n + 1}" for n in range(len(values))], values, strict=True)
    pairs = [f"{name}: {worth(value)}" for name, value in list(named)[:most]]
    return "; ".join(pairs) + ("; …" if len(values) > most else "")


def _move(p: Number, write: Notation, row: Iterable[Number] = ()) -> str:
    """Return a probability as text, and a dot for 0."""
    return write(p, row) if is_played(p) else "·"


def _shade(strength: Number, player: int) -> str:
    """Return the color of *player* (from 0) as an inline style. The opacity grows with *strength*, from 0 to 1."""
    red, green, blue = (round(255 * part) for part in rgb(fill(player)))
    opacity = FAINT + (STRONG - FAINT) * min(float(strength), 1.0)
    return f"background:rgba({red},{green},{blue},{opacity:.2f})"


def _shorten(words: str, letters: int = 120) -> str:
    return shorten(words.unescape() if isinstance(words, Markup) else words, letters)


# --- templates


@cache
def template(name: str) -> Template:
    return _environment().get_template(name)


def render(name: str, /, **values: object) -> Markup:
    return Markup(template(name).render(values))


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    made = Environment(
        loader=PackageLoader("efg_builder", "display/templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    for each in (alone, amount, at_most, at_least, in_full, in_row, in_sentence, worth, worths, minus, plural, listed):
        made.filters[each.__name__] = each
    made.filters |= {
        "in_full_at_least": partial(in_full, bound=at_least), "in_full_at_most": partial(in_full, bound=at_most),
        "fixed": lambda x, digits: f"{float(x):.{digits}f}",
        "exact": text, "thousands": "{:,}".format, "width": _width,
        "move": _move, "shorten": _shorten, "data": data,
        "rounds": _rounds, "down": down, "up": up,
        "share": partial(words.percent, digits=0), "labeled": lambda words, label: [(label, each) for each in words],
    }  # fmt: skip
    made.tests["exact"] = lambda value: isinstance(value, Fraction)
    made.globals |= {
        "shade_of": _shade, "notation": notation, "percent_rounded": PERCENT_ROUNDED,
        "LEFT_OUT": f"{LEFT_OUT.capitalize()}.", "PERCENT_ROUNDED": f"{PERCENT_ROUNDED.capitalize()}.",
    }  # fmt: skip
    return made
