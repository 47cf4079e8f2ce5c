"""Numbers, counts and lists as people read them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from .rationals import Number, text

ROUNDED = " (a fraction, rounded)"

MOST_LETTERS = 40
"""Longer fractions are shown as decimals."""

MOST_LISTED = 8
"""Of longer lists the middle is left out."""


def number(value: object) -> str:
    """A fraction with its decimal where it is short, and rounded where it is long; a float to nine digits."""
    shown = one_number(value)
    if not isinstance(value, Fraction) or shown.endswith(ROUNDED) or (value.denominator == 1 and abs(value) < 10**15):
        return shown
    return f"{shown} = {float(value):.6g}"


def one_number(value: object) -> str:
    """A fraction in full where it is short; otherwise, and where the value is a float, a decimal."""
    if isinstance(value, Fraction):
        digits = text(value)
        return digits if len(digits) <= MOST_LETTERS else f"{float(value):.9g}{ROUNDED}"
    return f"{value:.9g}" if isinstance(value, float) else str(value)


def percent(p: Number) -> str:
    """``33.3%``, to three digits; 0% and 100% only for exactly 0 and 1."""
    if 0 < p < 0.0001:
        return "<0.01%"
    return ">99.9%" if 0.9995 <= p < 1 else f"{100 * float(p):.3g}%"


def plural(count: int, noun: str, nouns: str = "") -> str:
    """``1 profile``, ``3 profiles``; *nouns* is the plural where an s does not make it."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {nouns or noun + 's'}"


def listed(words: Sequence[str], last: str = "and") -> str:
    """``1x1, 1x2 or call``; of a long list the first and the last words."""
    if len(words) > MOST_LISTED:
        return f"{', '.join(words[: MOST_LISTED - 3])}, ..., {words[-2]} {last} {words[-1]}"
    return f"{', '.join(words[:-1])} {last} {words[-1]}" if len(words) > 1 else "".join(words)
