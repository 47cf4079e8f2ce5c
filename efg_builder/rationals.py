"""Exact numbers to text and back."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction
from math import isfinite, lcm

Number = Fraction | float
"""A probability or a payoff: exact, or a float where a float solver made it."""

DIGITS = 4000
"""Python turns whole numbers of up to 4,300 digits into text."""

_PLAIN = re.compile(r"[+-]?(\d+(/\d+)?|(\d+\.\d*|\.\d+|\d+)([eE][+-]?\d{1,4})?)\Z", re.ASCII)


LARGEST = 10**300
"""Numbers stay within what a float can hold, so that float solvers and pictures can take them."""


class TooLongError(ValueError):
    """A number with more digits, or of greater size, than this package reads."""


def parse(text: str) -> Fraction:
    """``"-1/9"``, ``"0.25"``, ``".5"``, ``"1e-5"`` as an exact fraction.

    Raises ``ValueError`` for anything else, ``TooLongError`` above 4,000 digits (so that a short text cannot
    ask for unbounded memory, and every number can be written again) or beyond 1e300, and
    ``ZeroDivisionError`` for a denominator of zero.
    """
    if len(text) > DIGITS:
        raise TooLongError(f"a number of more than {DIGITS} digits")
    if not _PLAIN.match(text):
        raise ValueError(f"not a number: {text!r}")
    try:
        number = Fraction(text)
    except ZeroDivisionError:
        raise ZeroDivisionError(f"a denominator of zero: {text!r}") from None
    if max(abs(number.numerator), number.denominator).bit_length() > 3.33 * DIGITS:
        raise TooLongError(f"a number of more than {DIGITS} digits")
    if abs(number) > LARGEST:
        raise TooLongError("a number beyond 1e300")
    return number


def to_json(number: Number) -> str | float:
    """Exact rationals as text (``"-1/9"``, ``"0"``), floats as they are."""
    return str(number) if isinstance(number, Fraction) else float(number)


def from_json(value: object) -> Number:
    """The inverse of :func:`to_json`; integers count as exact. Raises ``ValueError``."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise ValueError(f"not a number: {value!r}")
    if isinstance(value, float):
        if not isfinite(value):
            raise ValueError(f"not a finite number: {value}")
        return value
    return parse(str(value))


def common_denominator(numbers: Iterable[Fraction]) -> int:
    """The least common multiple of the denominators (1 for none)."""
    return lcm(*(number.denominator for number in numbers))
