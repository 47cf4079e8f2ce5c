"""Strategies in files, as they are written: which probabilities stand for which information set, and where.

Two formats, told apart by the name of the file:

- ``.json`` (or anything else, ``.gz`` too): what ``solve -o`` writes, on a tree (``profile``) or not (``strategies``),
  or the plain form ``{information set: {action: probability}}``.
- ``.csv``: the columns ``player,infoset,action,probability``, players numbered from 1; further columns are not read.

Sets may be missing, and actions too (their probability is 0). Numbers are exact where they are whole, fractions
(``"1/3"``), or, in both formats, decimals that sum to exactly 1; rounded decimals may be off 1 by a millionth, and
count as floats.
Which sets and moves there are is not known here: see ``strategies.strategy_rows``.
"""

from __future__ import annotations

import csv
import io
import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from ..base.errors import ProfileError
from ..base.files import read_text
from ..base.rationals import DIGITS, Number, exact_sum, from_json, text
from .strategy_hints import columns_hint, number_hint, quotes_hint, sum_hint

COLUMNS = ("player", "infoset", "action", "probability")
"""The header of a CSV file."""

SUM_TOLERANCE = 1e-6
"""How far floats, and decimals that were rounded, may sum from 1."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What one information set plays: ``row``, by action.

    ``player`` (from 0), ``number`` (of the set among its player's) and ``label`` say which one, as far as the file
    tells. ``place`` is the path of keys in JSON; ``lines`` are a CSV file's, by action.
    """

    player: int | None
    number: int | None
    label: str | None
    row: Mapping[str, Number]
    place: str
    lines: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class StrategyFile:
    """The content of a file: ``entries``, and the ``game`` that it names (name, settings, title)."""

    source: str
    entries: tuple[Entry, ...]
    game: Mapping[str, Any]
    content: str = field(repr=False)

    def error(self, entry: Entry, problem: str, action: str | None = None) -> ProfileError:
        """An error that names file, line and place."""
        line = entry.lines.get(action or "") or min(entry.lines.values(), default=0)
        return _error(self.source, self.content, entry.label, entry.place, problem, line)


def _error(source: str, content: str, label: str | None, place: str, problem: str, line: int = 0) -> ProfileError:
    if not line and label:
        # Where the label first stands; a set is seldom named twice.
        spellings = (json.dumps(label, ensure_ascii=ascii) for ascii in (False, True))
        at = next((found for spelling in spellings if (found := content.find(spelling)) >= 0), -1)
        line = content.count("\n", 0, at) + 1 if at >= 0 else 0
    where = f"{source}:{line}" if line else source
    return ProfileError(f"{where}: {place}: {problem}" if place else f"{where}: {problem}")


def read_strategy(path: str | os.PathLike[str]) -> StrategyFile:
    """The strategies in the JSON or CSV file at *path*.

    Raises ``FileError`` where it cannot be read, and ``ProfileError``, which names the line or the key, where it is
    not of either format, where a set or an action stands there twice, and where probabilities are negative, no
    numbers, or do not sum to 1.
    """
    source, content = str(path), read_text(path).removeprefix("\ufeff")
    if source.lower().removesuffix(".gz").endswith(".csv"):
        return StrategyFile(source, tuple(_csv(source, content)), {}, content)
    try:
        # Decimals stay text until they are read as all numbers are: exactly, and of bounded length.
        data = json.loads(content, object_pairs_hook=_object, parse_float=_Decimal, parse_int=_whole)
    except json.JSONDecodeError as error:
        raise ProfileError(f"{source}:{error.lineno}:{error.colno}: not JSON: {error.msg}") from None
    except (ValueError, RecursionError) as error:
        raise ProfileError(f"{source}: not JSON: {error}") from None
    if not isinstance(data, dict):
        raise ProfileError(f"{source}: not an object such as {{information set: {{action: probability}}}}")
    game = data.get("game")
    entries = tuple(_json(source, content, data))
    return StrategyFile(source, entries, game if isinstance(game, dict) else {}, content)


class _Decimal(str):
    """A number that stood in JSON with a point or an exponent, or is too long to read, as it was written."""

    __slots__ = ()


def _whole(digits: str) -> int | _Decimal:
    return int(digits) if len(digits) <= DIGITS else _Decimal(digits)


class _Twice(dict[str, Any]):
    """An object in which a key stood twice: ``key``."""

    key = ""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) == len(pairs):
        return found
    twice, names = _Twice(found), Counter(name for name, _ in pairs)
    twice.key = names.most_common(1)[0][0]
    return twice


def _json(source: str, content: str, data: dict[str, Any]) -> Iterator[Entry]:
    if "strategies" in data:
        parts = data["strategies"]
        if not isinstance(parts, list) or not all(isinstance(part, dict) for part in parts):
            raise ProfileError(f"{source}: strategies: not a list with one object for each player")
        for player, part in enumerate(parts):
            yield from _sets(source, content, part, player, f"strategies[{player}]")
    elif "profile" in data and (data["profile"] is None or isinstance(data["profile"], list)):
        if data["profile"] is None:
            raise ProfileError(f"{source}: profile: there is none (status {text_of(data.get('status'))})")
        for position, entry in enumerate(data["profile"]):
            yield _profile_entry(source, content, entry, f"profile[{position}]")
    else:
        yield from _sets(source, content, data, None, "")


def text_of(value: object) -> str:
    """A word of a file, for a message."""
    return value if isinstance(value, str) and value.isprintable() else "unknown"


def _sets(source: str, content: str, part: dict[str, Any], player: int | None, place: str) -> Iterator[Entry]:
    """``{label: {action: probability}}``."""
    if isinstance(part, _Twice):
        raise _error(source, content, part.key, place, f"the information set {part.key!r} stands there twice")
    for label, row in part.items():
        if not place and label in ("game", "strategy"):
            continue  # what 'evaluate -o' may say of itself
        where = f"{place}[{label!r}]"
        yield Entry(player, None, label, _row(source, content, row, label, where), where)


def _profile_entry(source: str, content: str, entry: object, where: str) -> Entry:
    if not isinstance(entry, dict):
        raise ProfileError(f"{source}: {where}: not an object with 'player', 'infoset' and 'probabilities'")
    player, number, label = entry.get("player"), entry.get("infoset"), entry.get("label")
    if type(player) is not int or type(number) is not int or not isinstance(label, str | None):
        raise ProfileError(f"{source}: {where}: 'player' and 'infoset' must be whole numbers, 'label' a text")
    row = _row(source, content, entry.get("probabilities"), label or "", f"{where}.probabilities")
    return Entry(player - 1, number, label, row, where)


def _row(source: str, content: str, row: object, label: str, where: str) -> dict[str, Number]:
    if not isinstance(row, dict) or not row:
        raise _error(source, content, label, where, "not an object {action: probability}")
    if isinstance(row, _Twice):
        raise _error(source, content, label, where, f"the action {row.key!r} stands there twice")
    found: dict[str, Number] = {}
    for action, given in row.items():
        try:
            found[action] = from_json(given)
        except (ValueError, ZeroDivisionError) as error:
            hint = 'a probability is such as "1/3" or 0.25'
            if isinstance(given, str) and given.endswith("%"):
                hint = number_hint(given)
            problem = f"{error}; {hint}"
            raise _error(source, content, label, f"{where}[{action!r}]", problem) from None
        if found[action] < 0:
            problem = f"the probability is negative ({text(found[action])})"
            raise _error(source, content, label, f"{where}[{action!r}]", problem)
    decimal = any(isinstance(given, str) and "/" not in given and not given.isdigit() for given in row.values())
    try:
        return _summed(found, decimal)
    except ValueError as error:
        raise _error(source, content, label, where, str(error)) from None


def _summed(row: dict[str, Number], decimal: bool) -> dict[str, Number]:
    """*row* as it is where it sums to 1, in floats where it nearly does; raises ``ValueError`` where it does not."""
    exact = all(isinstance(p, Fraction) for p in row.values())
    total = exact_sum([Fraction(p) for p in row.values()]) if exact else sum(map(float, row.values()))
    if exact and total == 1:
        return row
    if (exact and not decimal) or not abs(float(total) - 1) <= SUM_TOLERANCE:
        hint = sum_hint(row.values()) if decimal else ""
        raise ValueError(f"the probabilities sum to {text(total)}, not 1{hint}")
    return {action: float(p) / float(total) for action, p in row.items()}


def _csv(source: str, content: str) -> Iterator[Entry]:
    reader = csv.reader(io.StringIO(content, newline=""), strict=True)
    sets: dict[tuple[int, str], dict[str, str]] = {}
    lines: dict[tuple[int, str], dict[str, int]] = {}
    try:
        header = [word.strip().lower() for word in next(reader, [])]
        if header[: len(COLUMNS)] != list(COLUMNS):
            found = ",".join(header)
            wrong = f"the columns must be {','.join(COLUMNS)}, not {found!r}{columns_hint(found)}"
            raise ProfileError(f"{source}:1: {wrong}")
        for row in reader:
            if row:
                _csv_line(f"{source}:{reader.line_num}", [word.strip() for word in row], reader.line_num, sets, lines)
    except csv.Error as error:
        raise ProfileError(f"{source}:{reader.line_num}: not CSV: {error}") from None
    yield from _csv_sets(source, sets, lines)


def _csv_sets(
    source: str, sets: Mapping[tuple[int, str], dict[str, str]], lines: Mapping[tuple[int, str], dict[str, int]]
) -> Iterator[Entry]:
    for (player, label), texts in sets.items():
        numbers: dict[str, Number] = {action: from_json(given) for action, given in texts.items()}
        decimal = any("/" not in given and not given.isdigit() for given in texts.values())
        try:
            row = _summed(numbers, decimal)
        except ValueError as error:
            last = max(lines[player, label].values())
            raise ProfileError(f"{source}:{last}: {label!r} of player {player + 1}: {error}") from None
        yield Entry(player, None, label, row, f"{label!r} of player {player + 1}", lines[player, label])


def _csv_line(
    where: str,
    row: list[str],
    line: int,
    sets: dict[tuple[int, str], dict[str, str]],
    lines: dict[tuple[int, str], dict[str, int]],
) -> None:
    if len(row) < len(COLUMNS):
        wrong = f"{len(row)} fields; there must be {len(COLUMNS)}: {','.join(COLUMNS)}{columns_hint(','.join(row))}"
        raise ProfileError(f"{where}: {wrong}")
    player, label, action, given = row[: len(COLUMNS)]
    if not (player.isascii() and player.isdigit() and len(player) < 4 and int(player)):
        right = "must be a number from 1 on: 1 is the game's first player, 2 the second"
        raise ProfileError(f"{where}: player {player!r}: {right}")
    try:
        number = from_json(given)
    except (ValueError, ZeroDivisionError) as error:
        raise ProfileError(f"{where}: probability {given!r}: {error}; {number_hint(given)}{quotes_hint(row)}") from None
    if number < 0:
        raise ProfileError(f"{where}: probability {given!r}: negative")
    key = (int(player) - 1, label)
    if action in sets.setdefault(key, {}):
        before = lines[key][action]
        raise ProfileError(f"{where}: {action!r} at {label!r} stands there twice; it was in line {before} already")
    sets[key][action] = given
    lines.setdefault(key, {})[action] = line
