"""The array indices of histories in a two-player bidding game.

With m bids in a fixed order, a history is the set of its bids, stored as an integer in ``[0, 2**m)``: bit b is set if
bid b was made. The parity of the number of set bits determines the mover. Class p contains the histories at which
player p moves. The class and the other bits determine bit 0, so a history h has the index ``h >> 1`` in its class. It
follows that

- each class has ``2**(m-1)`` entries;
- the root is entry 0 of class 0, and the history with only bid 0 is entry 0 of class 1;
- in each class, the histories with last bid b >= 1 are the entries ``[2**(b-1), 2**b)``;
- bid b >= 1 leads from entry i < ``2**(b-1)`` of a class to entry ``i | 2**(b-1)`` of the other class;
- the histories before and after a bid b >= 1 are therefore two contiguous slices in the same order;
- bid 0 leads only from the root to entry 0 of class 1.
"""

from __future__ import annotations

from collections.abc import Iterable

Step = tuple[slice, slice]
"""Two slices of equal length: the parents of a bid (in the bidder's class), and its children (in the other class)."""


def class_size(m: int) -> int:
    """Return the number of histories in each class, with *m* >= 1 bids."""
    return 1 << (m - 1)


def step(bid: int) -> Step:
    """Return the slices (parents, children) of *bid* >= 1: entry k of the parents leads to entry k of the children.

    The slices are the same for both players. Raises ``ValueError`` for bid 0, whose step is ``OPENING``.
    """
    if bid < 1:
        raise ValueError("bid 0 has no slices; it leads only from entry 0 of class 0 to entry 0 of class 1")
    half = 1 << (bid - 1)
    return slice(0, half), slice(half, 2 * half)


OPENING: Step = (slice(0, 1), slice(0, 1))
"""The step of bid 0, from the root to entry 0 of class 1. The root is never a child."""


def last_bid(player: int, index: int) -> int:
    """Return the last bid of the history at entry *index* of the class of *player*; -1 at the root."""
    return index.bit_length() if index else player - 1


def locate(bids: Iterable[int]) -> tuple[int, int]:
    """Return (class, index) of the history with these *bids*. Raises ``ValueError`` unless the bids increase."""
    history, last = 0, -1
    for bid in bids:
        if bid <= last:
            raise ValueError(f"bid {bid} is not above bid {last}")
        history, last = history | 1 << bid, bid
    return history.bit_count() % 2, history >> 1


def bids_at(player: int, index: int) -> tuple[int, ...]:
    """Return the bids of the history at entry *index* of the class of *player*, lowest first."""
    history = index << 1 | (index.bit_count() + player) % 2
    return tuple(bid for bid in range(history.bit_length()) if history >> bid & 1)
