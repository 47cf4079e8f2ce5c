"""Who plays: names as everywhere, lists of them, and patterns that stand for files."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from ...base.errors import ParameterError
from ...players.find import players
from ...players.fingerprint import digest

_WILD = re.compile(r"[*?\[]")

_FILE, _SOMEBODY = "file", "opponent"
"""Settings that are a file, and a player or a file; in all others, such as a command, a pattern is not ours to read."""


@dataclass(frozen=True)
class Contestant:
    """One of the arena: its ``name``, and what it was ``given`` as: a name as everywhere, a file or a strategy.

    ``digest`` tells two contents of the files in it apart; empty where it names none.
    """

    name: str
    given: object
    digest: str = ""


def spelled(lists: Iterable[str], singles: Iterable[str] = ()) -> list[str]:
    """The players that ``--players`` (lists, cut at commas) and ``--player`` (as they are) name."""
    words = [word.strip() for given in lists for word in given.split(",")]
    if "" in words:
        raise ParameterError("--players: a name is missing; commas stand between two names, as uniform,always-call")
    return [*words, *singles]


def contestants(given: Iterable[object]) -> tuple[Contestant, ...]:
    """The contestants in *given*: names, files, patterns of files, strategies, or (name, strategy).

    A pattern, as in ``"neural:nets/*.npz"``, stands for all files that it fits, those with smaller numbers first.
    Raises ``ParameterError`` where it fits none, and where a name comes twice.
    """
    found: list[Contestant] = []
    for each in given:
        if isinstance(each, str | os.PathLike):
            each = os.fspath(each)
            found += [Contestant(word, word, digest(word)) for word in expanded(each)]
        elif isinstance(each, tuple) and len(each) == 2 and isinstance(each[0], str):
            named = isinstance(each[1], str | os.PathLike)
            found.append(Contestant(each[0], each[1], digest(os.fspath(each[1])) if named else ""))
        else:
            found.append(Contestant(str(getattr(each, "name", None) or type(each).__name__), each))
    names = [one.name for one in found]
    for name in names:
        if names.count(name) > 1:
            raise ParameterError(f"the player {name!r} is named twice; a player has one name and one rating")
    return tuple(found)


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
