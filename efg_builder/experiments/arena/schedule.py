"""Who meets whom, where they sit, and in which blocks the games are played."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, combinations_with_replacement, islice
from math import ceil

from ...base.errors import ParameterError

BLOCKS = 64
"""The approximate number of blocks of a first run; later runs go on with blocks of the same size."""

MOST_DEALS = 5_000
"""In a block."""

MOST_PAIRINGS = 100_000


def pairings(names: Sequence[str], seats: int) -> list[tuple[str, ...]]:
    """All choices of *seats* players, in the order of *names*: the round robin.

    Where there are fewer players than seats, some sit there more than once, and all choices of at least two players
    are taken. Raises ``ParameterError`` for fewer than two players, and where there are too many choices.
    """
    if len(names) < 2:
        raise ParameterError("an arena needs at least two players: --players uniform,always-call")
    chosen: Iterator[tuple[str, ...]]
    if len(names) >= seats:
        chosen = combinations(names, seats)
    else:
        chosen = (each for each in combinations_with_replacement(names, seats) if len(set(each)) > 1)
    found = list(islice(chosen, MOST_PAIRINGS + 1))
    if len(found) > MOST_PAIRINGS:
        raise ParameterError(f"more than {MOST_PAIRINGS:,} pairings of {len(names)} players; name fewer of them")
    return found


def seatings(order: Sequence[int]) -> list[tuple[int, ...]]:
    """The seatings on one deal: *order* of the players, and all its rotations, so that each sits in each seat once."""
    return [tuple(order[-k:]) + tuple(order[:-k]) for k in range(len(order))]


def block_size(deals: int) -> int:
    """The number of deals in a block, where a first run is for *deals* of them."""
    return min(max(ceil(deals / BLOCKS), 1), MOST_DEALS)


def blocks(deals: int, size: int) -> list[tuple[int, int]]:
    """(block, deals in it) of a run of *deals* deals: the last block may be a part of one."""
    return [(block, min(size, deals - block * size)) for block in range(ceil(deals / size))]
