"""Conversion between exact numbers and text."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from fractions import Fraction
from math import isfinite, isqrt, lcm

Number = Fraction | float
"""A probability or a payoff: exact, or a float from a float solver."""

DIGITS = 4000
"""Maximum number of digits of an input number; Python's default limit is 4,300."""

ROUGHLY = "≈"
"""The sign before a rounded number."""

NEGLIGIBLE = 1e-6
"""Float probabilities up to this bound are a solver's rounding noise and are not shown."""

PROGRAM_DIGITS, PROGRAM_UNITS = range(12, 101), 10
"""The numbers of digits of a decimal that a program wrote, and its largest error in units of the last digit."""

SIMPLE = 100_000
"""Maximum denominator of the simple fraction for such a decimal."""

_PLAIN = re.compile(r"[+-]?(\d+(/\d+)?|(\d+\.\d*|\.\d+|\d+)([eE][+-]?(?P<exponent>\d+))?)\Z", re.ASCII)

TOGETHER = 10
"""Maximum length of a common denominator, as a multiple of the longest denominator or of ``DIGITS``, whichever is
larger.
"""

_PART = 600
"""A number with more digits is converted in groups of this many digits, because Python's lowest digit limit is 640."""

LARGEST = 10**300
"""The largest absolute value of an input number; a float can represent it."""


class TooLongError(ValueError):
    """A number with more than ``DIGITS`` digits, or with an absolute value above ``LARGEST``."""


def parse(text: str) -> Fraction:
    """Read ``"-1/9"``, ``"0.25"``, ``".5"`` or ``"1e-5"`` as an exact fraction.

    Raises ``ValueError`` for other text, and ``ZeroDivisionError`` for a denominator of zero. Raises ``TooLongError``
    for more than 4,000 digits, or for an absolute value above 1e300.
    """
    if len(text) > DIGITS:
        raise TooLongError(f"a number of more than {DIGITS} digits")
    match = _PLAIN.match(text)
    if match is None:
        raise ValueError(f"not a number: {text!r}")
    if len((match["exponent"] or "").lstrip("0")) > 4:
        raise TooLongError(f"a number of more than {DIGITS} digits")
    try:
        number = Fraction(text)
    except ZeroDivisionError:
        raise ZeroDivisionError(f"a denominator of zero: {text!r}") from None
    if max(abs(number.numerator), number.denominator).bit_length() > 3.33 * DIGITS:
        raise TooLongError(f"a number of more than {DIGITS} digits")
    if abs(number) > LARGEST:
        raise TooLongError("a number beyond 1e300")
    return number


def simple_fraction(decimal: str) -> Fraction | None:
    """Return the simple fraction that a program wrote as *decimal*, e.g. 1/3 for ``"0.3333333333333333"``.

    Returns None if *decimal*, a text that ``parse`` reads, has fewer than 12 digits, or if no such fraction is near.
    """
    digits = re.sub(r"[eE].*|[-+.]", "", decimal.lstrip("0"))
    number = parse(decimal)
    if "/" in decimal or len(digits) not in PROGRAM_DIGITS or not number:
        return None
    near = number.limit_denominator(SIMPLE)
    units = abs(near / number - 1) * int(digits)
    return near if units <= PROGRAM_UNITS else None


def typed_fraction(decimal: str) -> Fraction:
    """Return the simple fraction that a person rounded to *decimal*, e.g. 1/3 for ``"0.333"``.

    If no such fraction is near, return the value of *decimal*, a text that ``parse`` reads.
    """
    number, unit = parse(decimal), 10 ** len(decimal.partition(".")[2])
    near = number.limit_denominator(min(SIMPLE, isqrt(unit)))
    return near if near and abs(near - number) * unit < 1 else number


def text(number: Number) -> str:
    """Return *number* as text such as ``"-1/9"``, with any number of digits."""
    if not isinstance(number, Fraction):
        return str(number)
    above = _digits(number.numerator)
    return above if number.denominator == 1 else f"{above}/{_digits(number.denominator)}"


def _digits(whole: int) -> str:
    rest, parts = abs(whole), []
    while rest >= 10**_PART:
        rest, part = divmod(rest, 10**_PART)
        parts.append(f"{part:0{_PART}}")
    return "-" * (whole < 0) + "".join([str(rest), *reversed(parts)])


def to_json(number: Number) -> str | float:
    """Return an exact number as text (``"-1/9"``, ``"0"``), and a float unchanged."""
    return text(number) if isinstance(number, Fraction) else float(number)


def from_json(value: object) -> Number:
    """Invert ``to_json``, within the limits of ``parse``; return integers as fractions. Raises ``ValueError``."""
    if isinstance(value, dict | list):
        # The message omits the value, which may be nested too deeply or be too long.
        raise ValueError(f"not a number: {'an object' if isinstance(value, dict) else 'a list'}")
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise ValueError(f"not a number: {value!r}")
    if isinstance(value, float):
        if not isfinite(value):
            raise ValueError(f"not a finite number: {value}")
        return value
    return parse(value if isinstance(value, str) else text(Fraction(value)))


def brief(number: Number, letters: int = 12) -> str:
    """Return a fraction of at most *letters* characters exactly, and other numbers with four significant digits.

    ``≈`` precedes a rounded number.
    """
    if isinstance(number, Fraction) and len(shown := text(number)) <= letters:
        return shown
    shown = f"{float(number):.4g}"
    exact = Fraction(shown) == number if isinstance(number, Fraction) else float(shown) == number
    return shown if exact else f"{ROUGHLY}{shown}"


def down(number: Fraction, digits: int) -> str:
    """Round *number* down to *digits* decimals, so that a proved lower bound remains valid."""
    whole: int = number.numerator * 10**digits // number.denominator
    plain = _digits(abs(whole)).rjust(digits + 1, "0")
    point = f".{plain[-digits:]}" if digits else ""
    sign = "-" if whole < 0 else ""
    return f"{sign}{plain[: len(plain) - digits]}{point}"


def up(number: Fraction, digits: int) -> str:
    """Round *number* up to *digits* decimals, so that a proved upper bound remains valid."""
    shown = down(-number, digits)
    return shown.removeprefix("-") if shown.startswith("-") or not shown.strip("0.") else f"-{shown}"


def is_played(p: Number) -> bool:
    """Return whether a probability is positive; a float must exceed ``NEGLIGIBLE``."""
    return p > (0 if isinstance(p, Fraction) else NEGLIGIBLE)


def common_denominator(numbers: Collection[Fraction]) -> int:
    """Return the least common multiple of the denominators; 1 if there are no numbers.

    Raises ``TooLongError`` if the result has more than 40,000 digits and is also more than ten times as long as the
    longest denominator.
    """
    denominators = [number.denominator for number in numbers]
    sizes = [denominator.bit_length() for denominator in denominators]
    most = TOGETHER * max(3.33 * DIGITS, *sizes, 0)
    if sum(sizes) <= most:
        return lcm(*denominators)
    scale = 1
    for denominator in denominators:
        scale = lcm(scale, denominator)
        if scale.bit_length() > most:
            raise TooLongError("the common denominator of these numbers is too long")
    return scale


def exact_sum(numbers: Collection[Fraction]) -> Fraction:
    """Return the sum, computed over the common denominator. Raises ``TooLongError``."""
    scale = common_denominator(numbers)
    return Fraction(sum(p.numerator * (scale // p.denominator) for p in numbers), scale)


def is_distribution(row: Collection[object]) -> bool:
    """Return whether *row* is an exact distribution. Sums of integers are faster than sums of many fractions."""
    ratios = [p.as_integer_ratio() for p in row if type(p) is Fraction]
    if len(ratios) < len(row) or any(top < 0 for top, _ in ratios):
        return False
    if len({bottom for _, bottom in ratios}) == 1:
        return sum(top for top, _ in ratios) == ratios[0][1]
    try:
        return exact_sum(row) == 1  # type: ignore[arg-type]
    except TooLongError:
        return False


def exact_row(weights: Iterable[Number], denominator: int) -> tuple[Fraction, ...]:
    """Return *weights* divided by their sum, as fractions. If all weights are 0, return equal probabilities.

    Floats are first rounded to fractions with a denominator of at most *denominator*.
    """
    parts = [
        weight if isinstance(weight, Fraction) else Fraction(max(weight, 0.0)).limit_denominator(denominator)
        for weight in weights
    ]
    total = sum(parts)
    return tuple(part / total for part in parts) if total else (Fraction(1, len(parts)),) * len(parts)
