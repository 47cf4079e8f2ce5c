"""The players, pairings, seatings and blocks of an arena."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement, islice
from math import ceil

from ...base.errors import ParameterError
from ...base.words import one_line
from ...players.spelling import digest, expanded

BLOCKS = 64  # the approximate number of blocks of a first run; later runs have blocks of the same size
MOST_DEALS = 5_000  # the maximum number of deals in a block
MOST_PAIRINGS = 100_000


@dataclass(frozen=True)
class Contestant:
    """A player of the arena: ``given`` is the word, file or strategy that defines the player.

    ``digest``: the digest of the player's files, empty if there are no files.
    """

    name: str
    given: object
    digest: str = ""


def contestants(given: Iterable[object]) -> tuple[Contestant, ...]:
    """Return the contestants in *given*: names, files, patterns of files, strategies, or pairs (name, strategy).

    A pattern such as ``"neural:nets/*.npz"`` expands to all matching files, in the order of the numbers in their names.
    Raises ``ParameterError`` if no file matches or a name is a duplicate.
    """
    found: list[Contestant] = []
    for each in given:
        if isinstance(each, str | os.PathLike):
            each = os.fspath(each)
            found += [Contestant(one_line(word), word, digest(word)) for word in expanded(each)]
        elif isinstance(each, tuple) and len(each) == 2 and isinstance(each[0], str):
            named = isinstance(each[1], str | os.PathLike)
            found.append(Contestant(one_line(each[0]), each[1], digest(os.fspath(each[1])) if named else ""))
        else:
            found.append(Contestant(one_line(str(getattr(each, "name", None) or type(each).__name__)), each))
    for name, times in Counter(one.name for one in found).items():
        if times > 1:
            raise ParameterError(f"the player {name!r} is named twice; a player has one name and one rating")
    return tuple(found)


def pairings(names: Sequence[str], seats: int) -> list[tuple[str, ...]]:
    """Return the round robin: all combinations of *seats* players, in the order of *names*.

    If there are fewer players than seats, players repeat, but at least two players take part. Raises ``ParameterError``
    if there are fewer than two players or too many combinations.
    """
    if len(names) < 2:
        raise ParameterError("an arena needs at least two players: --players uniform,always-call")
    choose = combinations if len(names) >= seats else combinations_with_replacement
    found = list(islice((each for each in choose(names, seats) if len(set(each)) > 1), MOST_PAIRINGS + 1))
    if len(found) > MOST_PAIRINGS:
        raise ParameterError(
            f"there are more than {MOST_PAIRINGS:,} pairings of {len(names)} players; name fewer players"
        )
    return found


def seatings(order: Sequence[int]) -> list[tuple[int, ...]]:
    """Return the seatings of a deal: all rotations of *order*."""
    return [tuple(order[-k:]) + tuple(order[:-k]) for k in range(len(order))]


def block_size(deals: int) -> int:
    """Return the number of deals per block for a first run of *deals* deals."""
    return min(max(ceil(deals / BLOCKS), 1), MOST_DEALS)


def blocks(deals: int, size: int) -> list[tuple[int, int]]:
    """Split *deals* deals into blocks: return (block, number of deals) for each. The last block may be shorter."""
    return [(block, min(size, deals - block * size)) for block in range(ceil(deals / size))]
