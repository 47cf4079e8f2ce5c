"""Spellings of players: lists as in ``--players A,B,...``, the files that a spelling names, and the files' digests.

"best-response:neural:net.npz", "threshold:opponent=neural,net.npz" and "program:python3 player.py --weights w.bin" name
files. Figures of a player are kept with the digest: with another content of a file it is another player.
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
"""What stands between settings, names and values, settings of nested players, and words of a command."""

MOST = 64  # places at which a spelling is cut, at most: far more than any player has settings and words
_FILE, _SOMEBODY = "file", "opponent"
"""Settings that are a file, and a player or a file; in all others, such as a command, a pattern is not ours to read."""


def names_of(lists: Iterable[str]) -> list[str]:
    """The players in *lists*, in their order, with all files that a pattern stands for.

    Raises ``ParameterError`` where a name is missing, and where no file fits a pattern.
    """
    return [name for given in lists for word in _cut(given) for name in expanded(word)]


def _cut(given: str) -> list[str]:
    """The names in ``A,B,...``. A comma in a name with settings is the name's own where no player or file follows."""
    if os.path.isfile(given):
        return [given]
    words: list[str] = []
    for word in given.split(","):
        if words and ":" in words[-1] and not _begins(word.strip()):
            words[-1] += f",{word}"
        else:
            words.append(word.strip())
    if "" in words:
        raise ParameterError("--players: a name is missing; commas stand between two names, as uniform,always-call")
    return words


def _begins(word: str) -> bool:
    """Whether *word* is a name, rather than the rest of a setting; one that is missing is a name."""
    return not word or word.partition(":")[0] in players() or os.path.isfile(word) or bool(glob.glob(word))


def expanded(word: str) -> list[str]:
    """*word*, or where a file in it is a pattern, the same word with each file that fits."""
    head, place = _file_of(word)
    if not _WILD.search(place) or Path(place).exists():
        return [word]
    files = sorted(glob.glob(place), key=natural)
    if not files:
        raise ParameterError(f"{word}: no file fits {place!r}")
    return [head + file for file in files]


def _file_of(word: str) -> tuple[str, str]:
    """*word* as what stands before a file's name and that name; the name is empty where no setting is a file."""
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
    """Sorts names by their words and numbers: ``net-20`` before ``net-100``."""
    parts = re.split(r"(\d+)", text)
    return [(1, int(part), "") if k % 2 else (0, 0, part) for k, part in enumerate(parts)]


def files_in(spelling: str) -> tuple[Path, ...]:
    """Return every existing file that *spelling* names anywhere, once, in its order.

    A name may have a separator in it (``"a,b.json"``), may be quoted, and counts whatever the player takes it for.
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
    """Return the SHA-256 of the file in *spelling*, or of the digests of several; empty if no file can be read."""
    found = []
    for path in files_in(spelling):
        with suppress(OSError), path.open("rb") as file:
            found.append(hashlib.file_digest(file, "sha256").hexdigest())
    return found[0] if len(found) == 1 else hashlib.sha256(" ".join(found).encode()).hexdigest() if found else ""
