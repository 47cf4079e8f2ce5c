"""Numbers, counts, lists, names and tables as readable text."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor, log10
from textwrap import wrap
from typing import Any

from .errors import check_functions
from .rationals import NEGLIGIBLE, ROUGHLY, Number, is_played, up
from .rationals import text as written

SHORT = 6
"""Maximum number of characters of a fraction in a picture; longer fractions are written as decimals."""

LONG = 12
"""Maximum number of characters of a fraction in a game's rules."""

STOPPING = "stopping: verifying the result so far; press Ctrl-C again to discard it"
BUILDING = "building the tree"
"""The first words of progress lines while a tree is built from rules."""
VERIFYING, PROVING, WRITING = "verifying", "proving that an equilibrium is near", "writing"
"""The first words of progress lines after solving. A command that has run for a while prints them without delay."""

ROUNDED = " (rounded)"

# Notes on payoffs in games with three or more players. The notes say "in general", because this package does not verify
# the notes for a given game (docs/many-players.md).
NOBODY_GUARANTEED = "in general, no player is guaranteed this payoff"
NOBODY_SURE = f"{NOBODY_GUARANTEED}, and other equilibria may pay differently"


def quiet(_: object) -> None:
    """Ignore a progress line."""


def progress_of(call: str, given: Callable[[str], None] | None) -> Callable[[str], None]:
    """Return *given*, or ``quiet`` if it is None. Raises ``ParameterError`` if *given* is not a function."""
    check_functions(call, progress=given)
    return quiet if given is None else given


def minus(shown: str) -> str:
    """Return *shown* with the minus sign U+2212 instead of hyphens."""
    return shown.replace("-", "−")


def player_names(count: int) -> tuple[str, ...]:
    """Return ``Player 1``, ``Player 2``, ..., for players without names."""
    return tuple(f"Player {number}" for number in range(1, count + 1))


def all_named(names: Sequence[str]) -> tuple[str, ...]:
    """Return the players' *names*; a blank name becomes ``Player 1`` and so on."""
    found = []
    for name, number in zip(names, player_names(len(names)), strict=True):
        while number in names:
            number += "_1"  # another player has this name
        found.append(name if name.strip() else number)
    return tuple(found)


_JOINERS = "\u200c\u200d"
"""Invisible characters that belong to words of some scripts, and to emoji."""


def one_line(name: str) -> str:
    """Return a name that cannot break or reorder a line of text.

    Control characters, line separators and invisible characters, such as bidirectional overrides, become blanks. In a
    name with such characters, repeated blanks become one blank. Other names are returned unchanged. Every name from a
    file passes through this function before it enters a line.
    """
    if name.isprintable():
        return name
    seen = "".join(" " if _is_unfit(letter) else letter for letter in name)
    return name if seen == name else " ".join(part for part in seen.split(" ") if part)


def one_line_names(data: Any) -> Any:
    """Return JSON *data* with ``one_line`` applied to all keys and texts.

    Raises ``ValueError`` if two keys of an object become equal.
    """
    if isinstance(data, str):
        return one_line(data)
    if isinstance(data, list):
        return [one_line_names(each) for each in data]
    if not isinstance(data, dict):
        return data
    fit = {one_line(key): one_line_names(each) for key, each in data.items()}
    if len(fit) < len(data):
        raise ValueError("two names differ only in characters that cannot be printed")
    return fit


def _is_unfit(letter: str) -> bool:
    return unicodedata.category(letter) in ("Cc", "Cf", "Cs", "Zl", "Zp") and letter not in _JOINERS


def plural(count: int, noun: str, nouns: str = "") -> str:
    """Return ``1 hand``, ``3 hands``; *nouns* is an irregular plural."""
    return f"{count:,} {noun if count == 1 else nouns or noun + 's'}"


def listed(words: Sequence[str], last: str = "and") -> str:
    """Return ``A, B and C``; *last* is the word before the last item."""
    return f"{', '.join(words[:-1])} {last} {words[-1]}" if len(words) > 1 else "".join(words)


def listed_in_short(words: Sequence[str], last: str = "and") -> str:
    """Return ``A, B and C``. A list of more than eight words is shortened to the first five and the last two words."""
    return listed([*words[:5], "...", *words[-2:]] if len(words) > 8 else words, last)


# --- probabilities

LARGEST_DENOMINATOR = 24
"""A table shows its probabilities as fractions if no denominator is larger."""

LEAST_SHOWN = 0.01
"""Printed tables omit moves with a lower probability."""

LEFT_OUT = "moves under 1% are left out"
PERCENT_ROUNDED = "percentages are rounded"

_COARSE = 1e-6
"""If the strategies' regret exceeds this bound, probabilities are shown in whole percent."""


def percent(p: Number, digits: int = 1) -> str:
    """Return a probability in percent with *digits* decimals. Only 0 and 1 are shown as 0% and 100%."""
    if p <= 0 or p >= 1:
        return "100%" if p >= 1 else "0%"
    parts = 10**digits
    count = round(100 * float(p) * parts)  # halves to even, so that the percentages of p and 1 - p sum to 100
    sign, count = ("<", 1) if count == 0 else (">", count - 1) if count == 100 * parts else ("", count)
    return f"{sign}{count / parts:.{digits}f}%"


@dataclass(frozen=True)
class Notation:
    """The notation of all probabilities of one table: fractions, or whole percent.

    A call returns a probability as text. ``rounded`` states whether percentages are rounded. If ``coarse`` is true,
    percentages have no decimals, because the strategies' regret is too large for decimals.

    Examples
    --------
    >>> from efg_builder.base.words import notation
    >>> thirds = [Fraction(1, 3), Fraction(2, 3)]
    >>> [notation(thirds)(p) for p in thirds]
    ['1/3', '2/3']
    >>> hundredths = [Fraction(1, 300), Fraction(299, 600), Fraction(299, 600)]
    >>> [notation(hundredths)(p) for p in hundredths]
    ['0.3%', '50%', '50%']
    """

    fractions: bool
    rounded: bool
    coarse: bool = False

    def __call__(self, p: Number, row: Iterable[Number] = ()) -> str:
        """Return a probability as text.

        A percentage has one decimal if it would otherwise read 0% or 100%, or the same as another number in *row*.
        """
        p = _settled(p)
        if self.fractions:
            return written(p)
        whole = percent(p, 0)
        if self.coarse or p in (0, 1):
            return whole
        fine = percent(p)
        alike = (each for each in row if percent(each, 0) == whole)
        return fine if whole in ("<1%", ">99%") or any(percent(each) != fine for each in alike) else whole


def notation(numbers: Iterable[Number], regret: Number = 0, *, rules: bool = False) -> Notation:
    """Return the notation of a table whose probabilities are *numbers*.

    Parameters
    ----------
    numbers : iterable of Fraction or float
        The probabilities in the table, except chance probabilities: these have a notation of their own.
    regret : Fraction or float, default 0
        The regret of the strategies. If it exceeds one millionth, probabilities are in percent without decimals.
    rules : bool, default False
        Whether *numbers* are the chance probabilities of a game's rules.

    Returns
    -------
    Notation
        Fractions if no denominator exceeds ``LARGEST_DENOMINATOR``, otherwise percent. The fractions of rules may have
        up to ``LONG`` characters.
    """
    found, coarse = [_settled(p) for p in numbers], regret > _COARSE
    if not coarse and all(_short(p, LONG) if rules else _is_simple(p) for p in found):
        return Notation(fractions=True, rounded=False)
    return Notation(fractions=False, rounded=any(100 * Fraction(p) % 1 for p in found), coarse=coarse)


def in_text(numbers: Collection[Number], regret: Number = 0) -> list[str]:
    """Return the probabilities of a sentence in one notation; ``≈`` precedes a rounded percentage."""
    write, found = notation(numbers, regret), []
    for p in numbers:
        shown = write(p, numbers)
        exact = write.fractions or shown[0] in "<>" or Fraction(shown.rstrip("%")) == 100 * Fraction(_settled(p))
        found.append(shown if exact else f"{ROUGHLY}{shown}")
    return found


def _is_simple(p: Number) -> bool:
    return isinstance(p, Fraction) and p.denominator <= LARGEST_DENOMINATOR


def _settled(p: Number) -> Number:
    """Return *p* without the rounding noise of a float solver near 0 and 1."""
    if isinstance(p, Fraction) or NEGLIGIBLE < p < 1 - NEGLIGIBLE:
        return p
    return Fraction(round(p))


def moves_shown(row: Iterable[tuple[str, Number]]) -> list[tuple[str, Number]]:
    """Return the played moves of *row* with a probability of at least 1%, or all played moves if none reaches 1%."""
    played = [(move, p) for move, p in row if is_played(p)]
    return [(move, p) for move, p in played if p >= LEAST_SHOWN] or played


def shows_all(shown: Sequence[tuple[str, Number]], row: Iterable[tuple[str, Number]]) -> bool:
    """Return whether *shown*, from ``moves_shown``, has all played moves of *row*."""
    return len(shown) == sum(is_played(p) for _, p in row)


_NUMBER = r"[-+−]?[\d.,/]*\d%?"


def told_apart(name: str) -> str:
    """Return *name*, in quotation marks if it could be read as a number beside a probability."""
    return f'"{name}"' if re.fullmatch(_NUMBER, name) else name


def _before_number(move: str) -> str:
    """Return *move*, in quotation marks if the probability after it could be misread: ``"bet 1/2" 1/3``.

    This holds if its first or last word could be a number, or if it has a comma between words.
    """
    return f'"{move}"' if re.fullmatch(rf"{_NUMBER}|{_NUMBER}\s.*|.*\s{_NUMBER}|.*,\s.*", move) else move


def mixtures(
    rows: Iterable[Iterable[tuple[str, Number]]], write: Notation, sure: str = ""
) -> tuple[list[str], list[str]]:
    """Return each row of moves and probabilities as text: ``2x1 1/3, 2x2 2/3``, or in percent ``1x6 92%, 2x6 8%``.

    The first list contains the texts, with *sure* after a move with probability 1. The second list contains notes on
    omitted moves and rounded percentages.
    """
    said, all_shown = list[str](), True
    for row in map(list, rows):
        shown = moves_shown(row)
        all_shown &= shows_all(shown, row)
        numbers = [p for _, p in shown]
        named = [(_before_number(move), p) for move, p in shown]
        moves = [f"{move} {sure}".rstrip() if _settled(p) == 1 else f"{move} {write(p, numbers)}" for move, p in named]
        said.append(", ".join(moves))
    return said, [PERCENT_ROUNDED] * write.rounded + [LEFT_OUT] * (not all_shown)


# --- payoffs


def rounded(value: Number, digits: int) -> str:
    """Return *value* with *digits* significant digits and at most six decimals; ``≈ 0`` if tiny.

    Numbers below 10^15 are written without a power of ten.
    """
    size = abs(float(value))
    if 0 < size < 5e-7:
        return "≈ 0"
    shown = f"{float(value) + 0.0:.{digits}g}"
    if "e" not in shown or size >= 1e15:
        return minus(shown)
    return minus(f"{float(value):.0f}" if size >= 1 else f"{float(value):.6f}".rstrip("0").rstrip("."))


def decimal(value: Number) -> str:
    """Return a payoff with three decimals, such as ``−0.250``.

    Whole numbers have no decimals. Very large and very small payoffs are rounded to three digits.
    """
    if _short(value) and value == int(value):
        return minus(written(value))
    if value == int(value) or not 0.001 <= abs(float(value)) < 1000:
        return rounded(value, 3)
    return minus(f"{float(value):.3f}")


def above(value: Number) -> str:
    """Return a bound rounded up to two significant digits: ``0.0037`` for 0.003612, ``-0.0036`` for -0.003612."""
    exact = Fraction(value)
    if not exact:
        return "0"
    power = log10(abs(exact.numerator)) - log10(exact.denominator)  # works for numbers that no float can represent
    if abs(power) < 9:
        return up(exact, max(0, 1 - floor(power)))
    return f"1e{ceil(power):+d}" if exact > 0 else f"-1e{floor(power):+d}"


def at_most(bound: Number | str) -> str:
    """Return an upper bound in words: ``at most 0.0037``. A number is rounded up; a text is not changed."""
    return f"at most {bound if isinstance(bound, str) else above(bound)}"


def nobody_gains(regret: Number) -> str:
    if not regret:
        return "nobody gains by deviating"
    return f"nobody gains more than {above(regret)} a round by deviating"


def most_won(players: Sequence[str], value: Sequence[Number], lower: Number, upper: Number) -> str:
    """Return a clause with an upper bound on an opponent's mean payoff in each seat.

    *value* contains the payoffs of the strategies that the opponent faces, and *lower* and *upper* are bounds on
    player 1's payoff.
    """
    first, second = (above(best) for best in (upper, Fraction(value[0]) + Fraction(value[1]) - Fraction(lower)))
    return f"{at_most(first)} a round on average as {players[0]}, {second} as {players[1]}"


def equilibrium_within(radius: Fraction) -> str:
    return f"a true equilibrium differs by {at_most(radius)} in each probability"


def amount(value: Number, letters: int = SHORT, digits: int = 0) -> str:
    """Return a payoff: a fraction of at most *letters* characters exactly, and other numbers as decimals.

    The decimal has three places, or *digits* significant digits. If it is rounded, ``≈`` precedes it.
    """
    if _short(value, letters):
        return minus(written(value))
    said = rounded(value, digits) if digits else decimal(value)
    if said.startswith(ROUGHLY):
        return said
    return said if Fraction(said.replace("−", "-")) == Fraction(value) else f"{ROUGHLY}{said}"


def figure(value: object, *, letters: int = 14, digits: int = 6, alone: int = 9, rounded: str = ROUNDED) -> str:
    """Return a fraction, followed by a decimal of *digits* digits: ``1/9 = 0.111111``.

    A whole number below 10^15 has no decimal. A float, or a fraction of more than *letters* characters, is written as a
    decimal of *alone* digits. *rounded* follows a rounded fraction.
    """
    if not isinstance(value, Fraction):
        return f"{value:.{alone}g}" if isinstance(value, float) else str(value)
    exact = written(value)
    if len(exact) > letters:
        return f"{float(value):.{alone}g}{rounded}"
    return exact if value.denominator == 1 and abs(value) < 10**15 else f"{exact} = {float(value):.{digits}g}"


def bare_figure(value: object) -> str:
    return figure(value).partition(" = ")[0]


def full(value: Number) -> str:
    """Return all digits of a fraction, followed by a decimal if the fraction has more than ``SHORT`` characters."""
    if not isinstance(value, Fraction):
        return f"{float(value):.6g}"
    text = written(value)
    return text if len(text) <= SHORT else f"{text} = {float(value):.6g}"


def about(seconds: float) -> str:
    """Return a time with two significant digits and a unit, or in whole days."""
    for limit, length, unit in ((99.5, 1, "s"), (5970, 60, "min"), (172_800, 3600, "h")):
        if seconds < limit:
            return f"{seconds / length:.2g} {unit}"
    return f"{seconds / 86_400:,.0f} days"


def _short(value: Number, letters: int = SHORT) -> bool:
    return isinstance(value, Fraction) and len(written(value).lstrip("-")) <= letters


def distinct(labels: Iterable[str], *, empty: bool = False) -> tuple[str, ...]:
    """Make *labels* unique by Gambit's rule: equal labels ``x`` become ``x_1``, ``x_2``.

    Empty labels are numbered too, unless *empty* is true.
    """
    given = tuple(labels)
    if len(set(given)) == len(given) and (empty or "" not in given):
        return given
    counts, used, last = Counter(given), set(given), Counter[str]()
    found = []
    for stem in given:
        label = stem
        if counts[stem] > 1 if stem else not empty:
            while label in used:
                last[stem] += 1
                label = f"{stem}_{last[stem]}"
            used.add(label)
        found.append(label)
    return tuple(found)


_SECOND = re.compile(r" *\S.*? {2,}(?=\S)")
"""The start of a line up to its second column, after at least two blanks."""


def wrapped(line: str, width: int) -> list[str]:
    """Return *line* as lines of at most *width* characters, broken at blanks.

    Continuation lines start below the second column or, without columns, two characters further right than the line. A
    longer word remains whole.
    """
    if len(line) <= width:
        return [line]
    second = _SECOND.match(line)
    indent = len(line) - len(line.lstrip()) + 2
    if second is not None and second.end() <= width // 2:
        indent = second.end()
    return wrap(
        line,
        width,
        subsequent_indent=" " * min(indent, width // 2),
        break_long_words=False,
        break_on_hyphens=False,
        replace_whitespace=False,
        expand_tabs=False,
    )


def in_columns(rows: Sequence[Sequence[str]], right: Collection[int] = (), gap: str = "  ") -> list[str]:
    """Return *rows* of equal length as aligned lines; the columns in *right* are right-aligned."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        gap.join(
            cell.rjust(size) if k in right else cell.ljust(size)
            for k, (cell, size) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
