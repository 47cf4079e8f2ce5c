"""The orders of bids: which of two bids is the higher."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

Bid = tuple[int, int]
"""(quantity, face)."""


def _quantity_face(bid: Bid, wild: int | None) -> tuple[int, ...]:
    """1x1 < 1x2 < ... < 2x1: more dice, or as many of a higher face."""
    return bid


def _face_quantity(bid: Bid, wild: int | None) -> tuple[int, ...]:
    """1x1 < 2x1 < ... < 1x2: a higher face, or more dice of the same face."""
    return bid[1], bid[0]


def _bluff(bid: Bid, wild: int | None) -> tuple[int, ...]:
    """As quantity-face, but k of the wild face come right after 2k - 1 of the others, as in the board game Bluff."""
    quantity, face = bid
    return 2 * quantity - 1 if face == wild else quantity, face == wild, face


ORDERS: Mapping[str, Callable[[Bid, int | None], tuple[int, ...]]] = MappingProxyType(
    {"quantity-face": _quantity_face, "face-quantity": _face_quantity, "bluff": _bluff}
)
"""By name, the key by which bids are compared: of two bids, that with the greater key is the higher."""


def in_order(bids: Iterable[Bid], order: str, wild: int | None) -> tuple[Bid, ...]:
    """*bids* in one of ``ORDERS``, lowest first."""
    return tuple(sorted(bids, key=lambda bid: ORDERS[order](bid, wild)))
