"""Games of bidding: hands are dealt, each bid is higher than the last, and a call of the last bid ends play."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Iterable
from fractions import Fraction
from itertools import pairwise

from .protocol import Deal, DealtGame, PublicDecision


class BiddingGame(DealtGame):
    """A dealt game whose public histories are the subsets of its ordered bids.

    Players move in turn. A move is any bid above the last one, or, once there is a bid, the call that ends play:
    in ``public_turn``, the bids in their order and then the call.
    """

    call = "call"
    """The label of the action that ends play."""

    @property
    @abstractmethod
    def bid_names(self) -> tuple[str, ...]:
        """The labels of all bids, lowest first."""

    def history(self, bids: Iterable[int]) -> str:
        """The public history of these bids (indices, in order), as in ``PublicDecision.history``."""
        return " ".join(self.bid_names[bid] for bid in bids) or "start"

    def bids_of(self, history: str) -> tuple[int, ...]:
        """The inverse of ``history``. Raises ``ValueError`` where a word is no bid, or bids do not rise."""
        names = [] if history == self.history(()) else history.split(" ")
        bids = tuple(map(self.bid_names.index, names))
        if any(one >= other for one, other in pairwise(bids)):
            raise ValueError(f"the bids of {history!r} do not rise")
        return bids

    def called(self, bid: int, caller: int) -> Hashable:
        """The key of the public end at which the player *caller* has called *bid* (an index)."""
        return (bid, caller)

    def is_false(self, bid: int, caller: int, hands: tuple[int, ...]) -> bool:
        """Whether *bid* (an index) does not hold when the *hands* (by index) are uncovered at the call of *caller*.

        Where a game does not say it in other words: whether the call pays its caller more than the bidder.
        """
        paid = self.settle(self.called(bid, caller), Deal(Fraction(1), hands)).payoffs
        return paid[caller] > paid[(caller - 1) % len(self.players)]

    def default_action(self, turn: PublicDecision) -> int:
        """To call; where there is nothing to call, the lowest bid."""
        return len(turn.actions) - 1 if turn.actions[-1][0] == self.call else 0
