"""The games of a sweep: all valid combinations of the parameters' values, without duplicates.

``"2;4..6"`` stands for the values 2, 4, 5 and 6, ``"0..2:1/4"`` for nine numbers in steps of 1/4, and ``"1..3,1..3"``
for nine pairs. ``"*"`` stands for all choices of a parameter that has a list of choices.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod

from ...base.errors import ParameterError, nearest
from ...base.parameters import Parameter, as_text
from ...base.rationals import parse, text
from ...forms.subject import Subject
from ...games.catalogue import GameType, identify, named
from ...games.protocol import Game

MOST = 100_000  # the maximum number of combinations of a sweep
_NUMBER = r"(-?(?:\d{1,9}(?:/\d{1,9}|\.\d{1,9})?|\.\d{1,9}))"
_RANGE = re.compile(rf"{_NUMBER}\s*\.\.\s*{_NUMBER}(?:\s*:\s*{_NUMBER})?\Z", re.ASCII)


@dataclass(frozen=True)
class Variant:
    """A game of a sweep: its name, all settings in canonical form, and the requested settings (``asked``).

    ``nodes``, ``infosets`` and ``deals``: the exact sizes of the tree; None if they are unknown before it is built.
    """

    game: str
    settings: Mapping[str, str]
    asked: Mapping[str, str]
    nodes: int | None = None
    infosets: int | None = None
    deals: int | None = None

    @property
    def key(self) -> str:
        """The game's name and settings, ``liars-dice sides=3 dice=2,1 ...``; equal games have equal keys."""
        return " ".join([self.game, *(f"{name}={value}" for name, value in self.settings.items())])


@dataclass(frozen=True)
class Grid:
    """The variants of a sweep, in the order of the parameters, without duplicates.

    ``skipped``: the number of invalid combinations, by reason. ``alike``: the number of omitted duplicates.
    """

    variants: tuple[Variant, ...]
    skipped: Mapping[str, int]
    alike: int = 0


def grid(game: str, settings: Mapping[str, object]) -> Grid:
    """Return the variants of *game* for all combinations of the values in *settings*, given as text or Python values.

    Raises ``ParameterError`` for an invalid name or value, for more than 100,000 combinations, or for no valid
    combination.
    """
    kind = named(game)
    parameters = {parameter.name: parameter for parameter in kind.parameters}
    for key in settings:
        if key not in parameters:
            raise ParameterError(f"{game} has no parameter {key!r}; {nearest(key, parameters)}")
    # Use the order of the parameters, not the order of the words.
    axes = {key: values(game, one, as_text(settings[key])) for key, one in parameters.items() if key in settings}
    count = prod(map(len, axes.values()))
    if count > MOST:
        raise ParameterError(f"{game}: {count:,} combinations exceed the limit of {MOST:,}; choose fewer values")
    return _distinct(kind, [dict(zip(axes, each, strict=True)) for each in product(*axes.values())])


def values(game: str, parameter: Parameter, text: str) -> tuple[str, ...]:
    """Return the distinct values in *text*. Raises ``ParameterError`` for an invalid value."""
    found: dict[str, None] = {}
    for part in map(str.strip, text.split(";")):
        where = f"{game}: {parameter.name}={part}"
        if not part:
            raise ParameterError(f"{game}: {parameter.name}={text}: a value is missing; put ';' only between values")
        for value in parameter.choices if part == "*" else _ranges(part, where):
            try:
                parameter.read(value)
            except (ValueError, ZeroDivisionError) as error:
                raise ParameterError(f"{game}: {parameter.name}={value}: {error}{_as_list(parameter, value)}") from None
            found[value] = None
        if part == "*" and not parameter.choices:
            raise ParameterError(f"{where}: {parameter.name} has no list of choices; list the values, e.g. 1;2 or 1..3")
    return tuple(found)


def _as_list(parameter: Parameter, value: str) -> str:
    """Return a hint to separate values by ``;``, if the separated values would be valid."""
    words = value.split(",")
    try:
        for word in words:
            parameter.read(word.strip())
    except (ValueError, ZeroDivisionError):
        return ""
    return f"; ';' separates values: \"{parameter.name}={';'.join(words)}\"" if words[1:] else ""


def _ranges(part: str, where: str) -> list[str]:
    """Return all values of a range: ``"1..2,1..2"`` gives ``"1,1"``, ``"1,2"``, ``"2,1"`` and ``"2,2"``."""
    axes = [_range(word.strip(), where) for word in part.split(",")]
    if prod(map(len, axes)) > MOST:
        raise ParameterError(f"{where}: more than {MOST:,} values")
    return [",".join(each) for each in product(*axes)]


def _range(word: str, where: str) -> list[str]:
    """Return the numbers of a range such as ``"2..6"`` or ``"0..2:1/4"``; any other word is a single value."""
    match = _RANGE.match(word)
    if match is None:
        return [word]
    try:
        low, high, step = (Fraction(1) if each is None else parse(each) for each in match.groups())
    except ZeroDivisionError as error:
        raise ParameterError(f"{where}: {error}") from None
    if match[3] is None and (low.denominator, high.denominator) != (1, 1):
        raise ParameterError(f"{where}: a range between fractions needs a step after a colon, as in 0..2:1/4")
    if step <= 0:
        raise ParameterError(f"{where}: the step {match[3]} must be above 0")
    if low > high:
        raise ParameterError(f"{where}: {word} is in reverse order; write {match[2]}..{match[1]}")
    if (count := (high - low) // step + 1) > MOST:
        raise ParameterError(f"{where}: more than {MOST:,} values")
    return [text(low + index * step) for index in range(int(count))]


def _distinct(kind: GameType, combinations: Sequence[Mapping[str, str]]) -> Grid:
    found: dict[str, Variant] = {}
    skipped: Counter[str] = Counter()
    alike = 0
    for asked in combinations:
        try:
            game = kind.create(asked)
        except ParameterError as error:
            skipped[str(error)] += 1
            continue
        one = variant(kind, game, asked)
        alike += one.key in found
        found.setdefault(one.key, one)
    if not found:
        raise ParameterError(f"none of the {sum(skipped.values()):,} combinations is a game: {next(iter(skipped))}")
    return Grid(tuple(found.values()), dict(skipped), alike)


def variant(kind: GameType, game: Game, asked: Mapping[str, str]) -> Variant:
    named = identify(game)
    if named is None:
        named = kind.name, {one.name: asked.get(one.name, one.default) for one in kind.parameters}
    size = game.size()
    nodes, infosets = (size.nodes, sum(size.infosets)) if size is not None else (None, None)
    dealt = Subject.of(game).dealt
    return Variant(*named, dict(asked), nodes, infosets, None if dealt is None else dealt.deal_count)


def sort_key(game: str, settings: Mapping[str, str]) -> tuple[object, ...]:
    """Return the sort key of a variant's settings: numbers by size, words alphabetically."""
    return (game, *((name, tuple(map(_natural, value.split(",")))) for name, value in settings.items()))


def _natural(word: str) -> tuple[int, Fraction, str]:
    # Words precede numbers: "none" precedes a wild face.
    try:
        return 1, parse(word), ""
    except (ValueError, ZeroDivisionError):
        return 0, Fraction(0), word
