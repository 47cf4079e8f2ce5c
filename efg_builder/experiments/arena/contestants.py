"""Who plays: names as everywhere, files, strategies in hand, and patterns that stand for files."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass

from ...base.errors import ParameterError
from ...players.fingerprint import digest
from ...players.names import expanded


@dataclass(frozen=True)
class Contestant:
    """One of the arena: its ``name``, and what it was ``given`` as: a name as everywhere, a file or a strategy.

    ``digest`` tells two contents of the files in it apart; empty where it names none.
    """

    name: str
    given: object
    digest: str = ""


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
