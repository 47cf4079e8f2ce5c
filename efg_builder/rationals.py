"""Exact numbers to text and back."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction
from math import lcm

Number = Fraction | float
"""A probability or a payoff: exact, or a float where a float solver made it."""

_PLAIN = re.compile(r"[+-]?(\d+(/\d+)?|(\d+\.\d*|\.\d+|\d+)([eE][+-]?\d{1,3})?)\Z", re.ASCII)


def parse(text: str) -> Fraction:
    """``"-1/9"``, ``"0.25"``, ``".5"``, ``"1e-5"`` as an exact fraction.

    Exponents have at most three digits, so that a short text cannot ask for unbounded memory.
    Raises ``ValueError`` for anything else, and ``ZeroDivisionError`` for a denominator of zero.
    """
    if not _PLAIN.match(text):
        raise ValueError(f"not a number: {text!r}")
    return Fraction(text)


def to_json(number: Number) -> str | float:
    """Exact rationals as text (``"-1/9"``, ``"0"``), floats as they are."""
    return str(number) if isinstance(number, Fraction) else float(number)


def from_json(value: object) -> Number:
    """The inverse of :func:`to_json`; integers count as exact. Raises ``ValueError``."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise ValueError(f"not a number: {value!r}")
    if isinstance(value, str):
        return parse(value)
    return Fraction(value) if isinstance(value, int) else value


def common_denominator(numbers: Iterable[Fraction]) -> int:
    """The least common multiple of the denominators (1 for none)."""
    return lcm(*(number.denominator for number in numbers))
