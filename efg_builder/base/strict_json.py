"""JSON in which no object repeats a key. This is the only module that calls ``json.loads``.

The standard library silently takes the last value of a repeated key, so a file could mean two things.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any


class RepeatedKeyError(ValueError):
    """A JSON object has a key twice."""


class Twice(dict[str, Any]):
    """A JSON object with a repeated key, ``key``."""

    key = ""


def strict_json(content: str | bytes) -> Any:
    """Parse *content* as JSON.

    Raises ``RepeatedKeyError`` if an object has a key twice, ``json.JSONDecodeError``, other ``ValueError``s and
    ``RecursionError``.
    """
    return json.loads(_unmarked(content), object_pairs_hook=_once)


def parse_json(
    content: str,
    decimal: Callable[[str], Any] = float,
    whole: Callable[[str], Any] = int,
) -> Any:
    """Parse *content* as JSON, for a reader that names the place of a repeated key. *decimal* and *whole* convert
    numbers.

    An object with a repeated key becomes a ``Twice``. Raises ``json.JSONDecodeError``, ``ValueError`` and
    ``RecursionError``.
    """
    return json.loads(_unmarked(content), object_pairs_hook=_object, parse_float=decimal, parse_int=whole)


def repeated(data: Any, place: str = "") -> Iterator[tuple[str, str]]:
    """Yield the place and the key of each ``Twice`` in the result of ``parse_json``. Raises ``RecursionError``."""
    if isinstance(data, Twice):
        yield place, data.key
    for name, part in data.items() if isinstance(data, dict) else enumerate(data, start=1):
        if isinstance(part, dict | list):
            yield from repeated(part, f"{place}, {name}" if place else str(name))


def _unmarked(content: str | bytes) -> str | bytes:
    return content.removeprefix("\ufeff") if isinstance(content, str) else content


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = _object(pairs)
    if isinstance(found, Twice):
        raise RepeatedKeyError(f"the key {found.key[:40]!r} appears twice")
    return found


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) == len(pairs):
        return found
    twice, counts = Twice(found), Counter(name for name, _ in pairs)
    twice.key = next(name for name, _ in pairs if counts[name] > 1)
    return twice
