"""Where the histories of a two-player game of bidding stand in arrays: index facts, and nothing else.

With m bids in a fixed order, a history is the set of the bids made: an integer in ``[0, 2**m)`` whose bit b says that
bid b was made. The number of its bits says who moves. **Class p holds the histories at which player p moves**; bit 0
follows from the parity, so a history h has the index ``h >> 1`` in its class. Then

- each class has ``2**(m-1)`` entries; the root is entry 0 of class 0, the history of bid 0 alone entry 0 of class 1;
- the histories of a class whose last bid is b >= 1 are the entries ``[2**(b-1), 2**b)``;
- bid b >= 1 leads from entry i < ``2**(b-1)`` of a class to entry ``i | 2**(b-1)`` of the other class: parents and
  children are two contiguous slices in the same order; bid 0 leads from the root to entry 0 of class 1 alone.
"""

from __future__ import annotations

from collections.abc import Iterable

Step = tuple[slice, slice]
"""Where a bid leads: entries of the mover's class, and entries of the other class, of the same length."""


def class_size(m: int) -> int:
    """Entries of each class with *m* >= 1 bids: the histories at which one player moves."""
    return 1 << (m - 1)


def step(bid: int) -> Step:
    """The slices (parents, children) of *bid* >= 1: entry k of the first leads to entry k of the second.

    Parents are in the class of the player who bids, children in the other class; both classes have every step.
    Raises ``ValueError`` for bid 0, which is ``OPENING``.
    """
    if bid < 1:
        raise ValueError("bid 0 leads from entry 0 of class 0 to entry 0 of class 1 alone")
    half = 1 << (bid - 1)
    return slice(0, half), slice(half, 2 * half)


OPENING: Step = (slice(0, 1), slice(0, 1))
"""Bid 0: from the root, entry 0 of class 0, to entry 0 of class 1. In class 0 entry 0 is never a child."""


def last_bid(player: int, index: int) -> int:
    """The last bid before entry *index* of the class of *player*, or -1 at the root."""
    return index.bit_length() if index else player - 1


def locate(bids: Iterable[int]) -> tuple[int, int]:
    """(class, index) of the history of these bids. Raises ``ValueError`` unless each is above the one before."""
    history, last = 0, -1
    for bid in bids:
        if bid <= last:
            raise ValueError(f"bid {bid} is not above bid {last}")
        history, last = history | 1 << bid, bid
    return history.bit_count() % 2, history >> 1


def bids_at(player: int, index: int) -> tuple[int, ...]:
    """The bids of the history at entry *index* of the class of *player*, lowest first."""
    history = index << 1 | (index.bit_count() + player) % 2
    return tuple(bid for bid in range(history.bit_length()) if history >> bid & 1)
