"""Spellings of players: lists as in ``--players A,B,...``, the files named in them, and digests of these files.

"best-response:neural:net.npz" and "program:python3 player.py --weights w.bin" name files. Results are stored with the
digest of the file, so a player whose file changes is a different player.
"""

from __future__ import annotations

import glob
import hashlib
import os
import re
import shlex
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path

from ..base.errors import ParameterError
from .find import players

_WILD = re.compile(r"[*?\[]")

_BETWEEN = re.compile(r"[:=,\s'\"]")
"""The separators between settings, between a name and its value, and between the words of a command."""

MOST = 64  # maximum number of separators to try in a spelling; far more than any player needs
_FILE, _SOMEBODY = "file", "opponent"
"""The settings in which file patterns are expanded. An opponent may be a player or a file."""


def names_of(lists: Iterable[str]) -> list[str]:
    """Return the players in *lists*, in order. A pattern is replaced with all matching files.

    Raises ``ParameterError`` if a name is missing, or if no file matches a pattern.
    """
    return [name for given in lists for word in _cut(given) for name in expanded(word)]


def _cut(given: str) -> list[str]:
    """Return the names in ``A,B,...``.

    After a name with settings, a comma belongs to the settings unless a player or a file follows.
    """
    if os.path.isfile(given):
        return [given]
    words: list[str] = []
    for word in given.split(","):
        if words and ":" in words[-1] and not _begins(word.strip()):
            words[-1] += f",{word}"
        else:
            words.append(word.strip())
    if "" in words:
        raise ParameterError("--players: a name is missing; put commas only between names: uniform,always-call")
    return words


def _begins(word: str) -> bool:
    """Whether *word* begins a new entry: it is empty, a player or a file."""
    return not word or word.partition(":")[0] in players() or os.path.isfile(word) or bool(glob.glob(word))


def expanded(word: str) -> list[str]:
    """Return *word*. If its file name is a pattern, return one word for each matching file."""
    head, place = _file_of(word)
    if not _WILD.search(place) or Path(place).exists():
        return [word]
    files = sorted(glob.glob(place), key=natural)
    if not files:
        raise ParameterError(f"{word}: no file matches {place!r}")
    return [head + file for file in files]


def _file_of(word: str) -> tuple[str, str]:
    """Split *word* before its file name; the name is empty if no setting is a file."""
    name, colon, rest = word.partition(":")
    player = players().get(name)
    if player is None:
        return "", word
    keys = {parameter.name for parameter in player.parameters}
    if player.main not in (_FILE, _SOMEBODY):
        return word, ""
    if rest.partition("=")[0] in keys and not rest.startswith(f"{player.main}="):
        return word, ""
    lead = f"{player.main}=" if rest.startswith(f"{player.main}=") else ""
    head, value = f"{name}{colon}{lead}", rest.removeprefix(lead)
    if player.main == _SOMEBODY:
        inner, value = _file_of(value)
        head += inner
    return head, value


def natural(text: str) -> list[tuple[int, int, str]]:
    """Return a sort key that orders names by words and numbers: ``net-20`` before ``net-100``."""
    parts = re.split(r"(\d+)", text)
    return [(1, int(part), "") if k % 2 else (0, 0, part) for k, part in enumerate(parts)]


def files_in(spelling: str) -> tuple[Path, ...]:
    """Return the existing files named in *spelling*, in order, without repetition.

    A file name may contain a separator (``"a,b.json"``), and may be quoted.
    """
    found: dict[Path, None] = {}
    for name in _names(spelling):
        with suppress(OSError, ValueError):
            if name and os.path.isfile(name):
                found.setdefault(Path(name))
    return tuple(found)


def _names(spelling: str) -> Iterator[str]:
    for start in _cuts(spelling):
        ends = islice(_BETWEEN.finditer(spelling, start), MOST)
        yield from (spelling[start : end.start()] for end in ends)
        yield spelling[start:]
        with suppress(ValueError):
            for word in shlex.split(spelling[start:]):
                yield from (word[cut:] for cut in _cuts(word))


def _cuts(text: str) -> list[int]:
    return [0, *(cut.end() for cut in islice(_BETWEEN.finditer(text), MOST - 1))]


def digest(spelling: str) -> str:
    """Return the SHA-256 of the file in *spelling*; empty if no file can be read.

    For several files, return the SHA-256 of their digests.
    """
    found = []
    for path in files_in(spelling):
        with suppress(OSError), path.open("rb") as file:
            found.append(hashlib.file_digest(file, "sha256").hexdigest())
    return found[0] if len(found) == 1 else hashlib.sha256(" ".join(found).encode()).hexdigest() if found else ""
