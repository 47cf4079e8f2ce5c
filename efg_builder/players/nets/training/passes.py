"""Reach and values of every history and hand under given strategies, all hands at once, as tensors.

Public play is one pass over the histories whatever the hands (M. Johanson, N. Bard, M. Lanctot, R. Gibson and M.
Bowling, "Efficient Nash Equilibrium Approximation through Monte Carlo Counterfactual Regret Minimization", AAMAS 2012):
the arrays have a row for each history of a class and a column for each hand, as in ``games.bid_index``.
"""

from __future__ import annotations

from typing import Any

import torch

from ....games.bid_index import class_size, last_bid, step
from ....games.bidding import DiceBidding
from ..encoding import chances
from .rules import call_payoffs

Strategy = Any
"""A tensor of shape (2**(m-1), hands, m + 1): how likely each move is, the call last."""


class Passes:
    """A game, ready for passes over all of its histories."""

    def __init__(self, game: DiceBidding, device: Any) -> None:
        self.m, self.entries, self.hands = len(game.bid_names), class_size(len(game.bid_names)), game.hand_counts
        self.device = device
        self.chances = [torch.tensor(chances(game, p), dtype=torch.float32, device=device) for p in range(2)]
        first = torch.tensor(call_payoffs(game), device=device)
        # By player and caller: (bid, hands of the other, hands of the player).
        self._paid = [[first[caller].transpose(1, 2), -first[caller]] for caller in range(2)]
        self._slices = [(0, 1), *((1 << k, 2 << k) for k in range(self.m - 1))]

    def _zeros(self, *shape: int) -> Any:
        return torch.zeros(shape, device=self.device)

    def reach(self, strategy: Strategy, player: int) -> list[Any]:
        """How likely the bids of *player* are what leads to each history: for each class, shape (2**(m-1), hands)."""
        found = [self._zeros(self.entries, self.hands[player]) for _ in range(2)]
        found[0][0] = 1
        found[1][0] = strategy[0, :, 0] if player == 0 else 1
        for bid in range(1, self.m):
            parents, children = step(bid)
            found[1 - player][children] = found[player][parents] * strategy[parents, :, bid]
            found[player][children] = found[1 - player][parents]
        return found

    def values(self, player: int, own: Strategy, other: Strategy, reach: list[Any]) -> tuple[Any, Any]:
        """What each move is worth to each hand of *player*, and how likely the other one leads to each history.

        *reach*: the other's. Values are expectations in [-1, 1], given that play gets there: shape of *own*. How
        likely: shape (2**(m-1),), the other's dice included. Where that is 0, all values are.
        """
        opponent, m = 1 - player, self.m
        worth = [self._zeros(self.entries, self.hands[player]) for _ in range(2)]
        moves = self._zeros(self.entries, self.hands[player], m + 1)
        likely = [part * self.chances[opponent] for part in reach]
        for start, stop in self._slices:
            for mover in range(2):
                bid = last_bid(mover, start)
                if bid < 0:
                    continue
                paid, ways = self._paid[mover][player][bid], likely[mover][start:stop]
                if mover == player:
                    moves[start:stop, :, m] = ways @ paid
                    worth[mover][start:stop] = moves[start:stop, :, m] * own[start:stop, :, m]
                else:
                    worth[mover][start:stop] = (ways * other[start:stop, :, m]) @ paid
        for bid in range(m - 1, 0, -1):
            parents, children = step(bid)
            worth[opponent][parents] += worth[player][children]
            moves[parents, :, bid] = worth[opponent][children]
            worth[player][parents] += worth[opponent][children] * own[parents, :, bid]
        if player == 0:
            moves[0, :, 0] = worth[1][0]
        weight = likely[player].sum(dim=1)
        return moves / weight.clamp(min=1e-30)[:, None, None], weight
