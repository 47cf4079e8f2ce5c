"""The formats of the JSON files that this package writes: a name and a number in the key ``format``.

``schemas/NAME.json`` is the JSON Schema of the format NAME. Most files of release 0.3 have no ``format``: their format
has the number 1.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from .errors import FileError
from .version import __version__

NUMBERS = {
    **{"solution": 1, "match": 1, "strategy": 1},
    **{"exam-positions": 1, "exam-key": 1, "exploitability": 1, "sweep-rows": 1},
}
"""The number of each format. A new number means that earlier releases cannot read the file."""

COMPUTED = "gambit_seconds"
"""The key of Gambit's computing time, without the start of its process, in the details of a search. Files omit it."""

_WRITTEN = re.compile(r"efg-builder ([a-z-]{1,30}) ([1-9][0-9]{0,5})", re.ASCII)


def format_of(name: str) -> str:
    """Return the value of ``format`` in a new file.

    >>> format_of("solution")
    'efg-builder solution 1'
    """
    return f"efg-builder {name} {NUMBERS[name]}"


def check_format(data: Mapping[str, Any], name: str, source: str) -> None:
    """Raise ``FileError`` if *data* states another format than *name*, or a number that this release does not know."""
    given = data.get("format", format_of(name))
    if given == format_of(name):
        return
    match = _WRITTEN.fullmatch(given) if isinstance(given, str) else None
    if match is None or match[1] != name:
        what = repr(given[:60]) if isinstance(given, str) else "not text"
        raise FileError(f"{source}: its format is {what}, not {format_of(name)!r}")
    writer = _release_of(data)
    newer = f"release {writer} wrote and reads it" if writer else "a newer release reads it"
    raise FileError(
        f"{source}: its format is {given!r}, but efg-builder {__version__} reads {format_of(name)!r}; {newer}"
    )


def _release_of(data: Mapping[str, Any]) -> str:
    """Return the release that wrote a solution, if the file states it."""
    run = data.get("run")
    versions = run.get("versions") if isinstance(run, Mapping) else None
    found = versions.get("efg-builder") if isinstance(versions, Mapping) else None
    return found if isinstance(found, str) and re.fullmatch(r"[0-9a-z.+]{1,20}", found) else ""
