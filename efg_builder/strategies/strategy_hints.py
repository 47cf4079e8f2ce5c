"""What was probably meant: tails of the messages on strategy files that are wrong."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from math import isqrt

from ..base.errors import nearest
from ..base.rationals import Number, parse, text

LARGEST_DENOMINATOR = 60
"""Rounded decimals are taken for fractions up to this denominator, and up to the square root of their unit's."""

_ALIKE = str.maketrans({"l": "1", "i": "1", "|": "1", "o": "0", "\u00d7": "x", "*": "x"})
"""Letters typed for others, in small letters."""


def columns_hint(header: str) -> str:
    """What to say of the first line of a table that does not name the columns; begins with ``"; "``, or is empty."""
    for letter, name in ((";", "semicolons"), ("\t", "tabs")):
        if letter in header:
            return f"; fields are separated by commas, not by {name}"
    return ""


def number_hint(given: str) -> str:
    """How *given*, which is no number, is written: per cent, and decimals with a comma."""
    try:
        if given.endswith("%"):
            return f"write {text(parse(given[:-1].rstrip()) / 100)} for {given}"
        if given.count(",") == 1:
            point = given.replace(",", ".")
            return f"write {text(parse(point))} or {point}, with a point"
    except (ValueError, ZeroDivisionError):
        pass
    return "such as 1/3 or 0.25"


def quotes_hint(row: Sequence[str]) -> str:
    """What to say of a line with too many fields, the second of which begins with a hand of several dice, else ``""``.

    Begins with ``"; "``.
    """
    ends = next((k for k, word in enumerate(row) if ":" in word), 0)
    return f'; a name with commas needs quotes: "{",".join(row[1 : ends + 1])}"' if ends > 1 and len(row) > 4 else ""


def sum_hint(row: Collection[Number]) -> str:
    """What decimals that do not sum to 1 were rounded from, where one denominator explains all; ``"; "`` before it."""
    if not all(isinstance(p, Fraction) and p <= 1 for p in row):
        return ""
    given = [Fraction(p) for p in row]
    # Those of k digits were rounded, or cut off, by less than 10**-k; there fractions of small denominators are rare.
    unit = next((10**k for k in range(1, 20) if all((p * 10**k).denominator == 1 for p in given)), 1)
    for denominator in range(2, min(LARGEST_DENOMINATOR, isqrt(unit)) + 1):
        meant = [Fraction(round(p * denominator), denominator) for p in given]
        if sum(meant) == 1 and all(abs(a - b) * unit < 1 for a, b in zip(meant, given, strict=True)):
            wrong = next((pair for pair in zip(meant, given, strict=True) if pair[0] != pair[1]), None)
            return "" if wrong is None else f"; write {text(wrong[0])} for {_decimal(wrong[1])}"
    return ""


def _decimal(number: Fraction) -> str:
    return f"{float(number):.10g}"


def likely(word: str, choices: Iterable[str]) -> str:
    """As ``errors.nearest``, but letters that look alike (``1xl``), case and blanks come first."""
    names = list(choices)
    same = [name for name in names if _plain(name) == _plain(word)]
    return f"did you mean {same[0]!r}?" if len(same) == 1 else nearest(word, names)


def _plain(word: str) -> str:
    return "".join(word.split()).casefold().translate(_ALIKE)


def likely_set(
    label: str, hands: Collection[str], start: str, turn: Callable[[str], tuple[int, Mapping[str, int]] | None]
) -> str | None:
    """The information set that *label* was meant for, where blanks, look-alikes or the order of dice differ.

    ``hands``: all names of hands; ``start``: the history before the first move; ``turn``: of a history, who moves
    and the mover's hands, None where there is no such history.
    """
    hand, colon, history = label.partition(":")
    dice = {tuple(sorted(map(_plain, name.split(",")))): name for name in hands}
    named = dice.get(tuple(sorted(map(_plain, re.split(r"[,;\s]+", hand.strip())))))
    words = [word.casefold().translate(_ALIKE) for word in re.split(r"[,;\s]+", history.strip()) if word]
    plain = " ".join(words)
    if named is None or not colon:
        return None
    for meant in (start, history.strip(), plain):
        if meant == start and plain not in ("", _plain(start)):
            continue
        found = turn(meant)
        if found is not None and named in found[1] and f"{named}: {meant}" != label:
            return f"{named}: {meant}"
    return None
