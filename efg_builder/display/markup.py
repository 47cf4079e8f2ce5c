"""The templates in ``templates/`` for pages and notebook cells, and the formats of the numbers in them.

Notebooks remove style sheets and scripts, and have a light or a dark theme. Therefore ``templates/cells.html`` has
inline styles and transparent shades.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache, partial
from typing import TYPE_CHECKING

from markupsafe import Markup

from ..base.rationals import Number, down, text, up
from ..base.words import LEAST_SHOWN, LEFT_OUT, chance, figure, listed, minus, number, percent, plural, rounded
from .trees.scene import fill, rgb, shorten

if TYPE_CHECKING:
    from jinja2 import Environment, Template

SHORT = 9
"""The maximum number of characters of a fraction that is shown exactly by default."""

MOST_DIGITS = 24
"""The maximum number of characters of a fraction in a notebook; longer fractions are shown as decimals."""

FAINT, STRONG = 0.10, 0.48
"""The lowest and the highest opacity of shades in a notebook; text is readable on both."""


def data(value: Number, shown: str) -> Markup:
    """Return *shown* as an HTML data element with the exact number."""
    return Markup('<data value="{}">{}</data>').format(text(value), minus(shown))


def share(p: Number) -> Markup:
    """Return a probability as a percentage."""
    return data(p, percent(p))


def amount(value: Number) -> Markup:
    """Return a payoff: a short fraction exactly, any other number as a decimal."""
    return data(value, text(value) if _is_short(value) else rounded(value, 4))


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
    about = rounded(value, 4)
    if 0 < len(shown) <= 60:
        return Markup("{} (about {})").format(data(value, shown), about)
    return data(value, about) if bound is None else bound(value)


def often(p: Number) -> Markup:
    """Return a probability as a short fraction and a percentage: ``4/9 (44.4%)``."""
    return share(p) if p in (0, 1) or not _is_short(p) else Markup("{} ({})").format(data(p, text(p)), percent(p))


def _is_short(value: Number) -> bool:
    return isinstance(value, Fraction) and len(text(value)) <= SHORT


def _hundred(p: Number) -> str:
    """Return a probability as a whole percentage; only exact probabilities of 0 and 1 are shown as 0 and 100."""
    return f"{100 * float(p):.0f}" if p in (0, 1) or 0.005 <= p <= 0.995 else "<1" if p < 0.5 else ">99"


def _rounds(p: Fraction) -> str:
    """Return a probability as a number of rounds per hundred, with one decimal unless this number is an integer."""
    return f"{float(100 * p):.1f}".removesuffix(".0") if (1000 * p).denominator > 1 else f"{float(100 * p):g}"


def _width(p: Number) -> str:
    """Return a probability as a decimal number for the style sheet."""
    return f"{min(1.0, max(0.0, float(p))):.3f}".rstrip("0").rstrip(".")


# --- formats of notebook cells


def worth(value: Number) -> str:
    """Return a payoff: a short fraction with its decimal, any other number as a decimal."""
    return minus(figure(value, letters=MOST_DIGITS, digits=4, alone=6, rounded=""))


def worths(values: Sequence[Number], names: Sequence[str] = (), most: int = 8) -> str:
    """Return the payoff of each player, with the player's name."""
    named = zip(names or [f"player {n + 1}" for n in range(len(values))], values, strict=True)
    pairs = [f"{name}: {worth(value)}" for name, value in list(named)[:most]]
    return "; ".join(pairs) + ("; …" if len(values) > most else "")


def _move(p: Number) -> str:
    """Return a probability as text: ``<1%`` below 1%, and a dot for 0."""
    return ("<1%" if p < LEAST_SHOWN else number(p)) if p else "·"


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
    for each in (share, amount, at_most, at_least, in_full, often, worth, worths, minus, number, plural, listed):
        made.filters[each.__name__] = each
    made.filters |= {
        "in_full_at_least": partial(in_full, bound=at_least), "in_full_at_most": partial(in_full, bound=at_most),
        "chance": lambda p, regret: data(p, chance(p, regret)), "fixed": lambda x, digits: f"{float(x):.{digits}f}",
        "exact": text, "thousands": "{:,}".format, "percent": percent, "hundred": _hundred, "width": _width,
        "move": _move, "shorten": _shorten, "data": data,
        "rounds": _rounds, "down": down, "up": up,
        "labeled": lambda words, label: [(label, each) for each in words],
    }  # fmt: skip
    made.tests["exact"] = lambda value: isinstance(value, Fraction)
    made.globals |= {"shade_of": _shade, "LEFT_OUT": f"{LEFT_OUT.capitalize()}."}
    return made
