"""The files that a player's spelling names, and a digest of what is in them.

"best-response:neural:net.npz", "threshold:opponent=neural,net.npz" and "program:python3 player.py --weights w.bin"
each name files somewhere within. Whoever keeps figures of a player under its spelling keeps the digest beside them:
with another content of a file it is another player.
"""

from __future__ import annotations

import hashlib
import os
import re
import shlex
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

_BETWEEN = re.compile(r"[:=,\s'\"]")
"""What stands between settings, their names and values, the settings of nested players, and words of a command."""

MOST = 64
"""Places at which a spelling is cut, at most: far more than any player has settings and words."""


def files_in(spelling: str) -> tuple[Path, ...]:
    """Every file that exists and that *spelling* names anywhere, each once, in the order in which they stand there.

    A name may itself hold what stands between others (``"a,b.json"``), and in a command it may be quoted. A word that
    is no file for the player, such as a number, counts too where there is a file of that name here.
    """
    found: dict[Path, None] = {}
    for name in _names(spelling):
        with suppress(OSError, ValueError):
            if name and os.path.isfile(name):
                found.setdefault(Path(name))
    return tuple(found)


def _names(spelling: str) -> Iterator[str]:
    """All parts of *spelling* between two cuts, and those of the words that a shell reads from a cut on."""
    starts = [0, *(cut.end() for cut in _BETWEEN.finditer(spelling))][:MOST]
    for start in starts:
        rest = spelling[start:]
        yield from _parts(rest)
        with suppress(ValueError):
            for word in shlex.split(rest):
                cuts = [0, *(cut.end() for cut in _BETWEEN.finditer(word))][:MOST]
                yield from (word[cut:] for cut in cuts)


def _parts(rest: str) -> Iterator[str]:
    """What begins where *rest* begins, up to each cut."""
    yield from (rest[: cut.start()] for cut, _ in zip(_BETWEEN.finditer(rest), range(MOST), strict=False))
    yield rest


def digest(spelling: str) -> str:
    """SHA-256 (in hex) of the content of the files in *spelling*: of one that of its bytes, of more that of theirs.

    Empty where it names no file, or none that can be read: who reads that one says so.
    """
    found = []
    for path in files_in(spelling):
        with suppress(OSError), path.open("rb") as file:
            found.append(hashlib.file_digest(file, "sha256").hexdigest())
    return found[0] if len(found) == 1 else hashlib.sha256(" ".join(found).encode()).hexdigest() if found else ""
