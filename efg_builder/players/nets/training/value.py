"""Self-play as in T. D. Ahle, "Liar's Dice by Self-Play" (Towards Data Science, 2022), many games at a time.

Each step plays a batch of games with the present net: moves in proportion to their positive regrets
``v(state + move) - v(state)``, to each of which ``noise`` is added. Then the net takes one step of Adam towards the
results, in squared error, at every state of these games and from both players' points of view. The learning rate falls
with 1/T, so that the values become averages over all of training rather than what was seen last.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy.typing as npt
import torch

from ....games.bidding import DiceBidding
from ..encoding import call_payoffs, chances, hand_inputs
from ..file import Net
from ..value_net import KIND
from .torch_nets import Learner, denormals_flushed, linear, numbers

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class SelfPlayOptions:
    """``embedding``, ``width``, ``layers``: the post's net is 500, 100, 4. ``games``: played at each step.

    ``noise``: added to every move's regret. ``rate``: of learning at the start; after T steps it is rate / (1 + T /
    ``fall``) ** ``power``. ``decay``: how much of every weight a step takes away, in units of the rate (AdamW).
    """

    embedding: int = 500
    width: int = 100
    layers: int = 4
    games: int = 100
    noise: float = 0.01
    rate: float = 0.001
    fall: int = 500
    power: float = 1.0
    decay: float = 0.0


class SelfPlay(Learner):
    """One net of values for both seats. See the module's text."""

    settings = SelfPlayOptions

    def __init__(self, game: DiceBidding, options: SelfPlayOptions, steps: int, seed: int, device: Any) -> None:
        super().__init__(game, options, steps, seed, device)
        self.m = len(game.bid_names)
        self._payoffs = torch.tensor(call_payoffs(game), device=device)
        self._hands = [torch.tensor(hand_inputs(game, player), device=device) for player in range(2)]
        self._chances = [chances(game, player) for player in range(2)]
        self.optimiser = self.optimised(self._start(), decay=options.decay)
        self.weights = self.optimiser.weights

    def _start(self) -> dict[str, Array]:
        sizes, options = [self.options.embedding, *[self.options.width] * self.options.layers], self.options
        weights: dict[str, Array] = {}
        inputs = self._hands[0].shape[1], 2 * (self.m + 1)
        for name, count in zip(("hand", "public"), inputs, strict=True):
            weights |= linear(self.random, name, count, options.embedding)
        for number in range(options.layers):
            weights |= linear(self.random, str(number + 1), sizes[number], sizes[number + 1])
        weights |= linear(self.random, "out", options.width if options.layers else options.embedding, 1)
        return weights

    @denormals_flushed()
    def step(self) -> None:
        """Play a batch of games, then learn from it."""
        with torch.no_grad():
            hands = [self._dealt(player) for player in range(2)]
            states, games, results = self._play(hands)
        rate = self.options.rate / (1 + self.done / self.options.fall) ** self.options.power
        made = states @ self.weights["public.weight"].T + self.weights["public.bias"]
        points = []
        for player, sign in enumerate((1, -1)):
            seen = self._hands[player][hands[player][games]]
            mine = seen @ self.weights["hand.weight"].T + self.weights["hand.bias"]
            points.append(((self._value(mine * made) - sign * results) ** 2).mean())
        loss = (points[0] + points[1]) / 2
        self.optimiser.descend(loss, rate)
        self.loss, self.done = float(loss.detach()), self.done + 1

    def _value(self, product: Any) -> Any:
        return self._finish(product @ self.weights["1.weight"].T + self.weights["1.bias"])

    def _finish(self, first: Any) -> Any:
        """From the first layer's sums to the value."""
        x = first
        for name in (*map(str, range(2, self.options.layers + 1)), "out"):
            x = torch.relu(x) @ self.weights[f"{name}.weight"].T + self.weights[f"{name}.bias"]
        return torch.tanh(x[..., 0])

    def _dealt(self, player: int) -> Any:
        drawn = self.random.choice(len(self._chances[player]), self.options.games, p=self._chances[player])
        return torch.tensor(drawn, device=self.device)

    def _tables(self) -> list[Any]:
        """What each hand and move adds to the first layer's sums: see ``Sums``."""
        weights = self.weights
        parts = torch.cat([weights["public.bias"][None], weights["public.weight"].T])
        found = []
        for inputs in self._hands:
            mine = inputs @ weights["hand.weight"].T + weights["hand.bias"]
            table = (mine[:, None] * parts) @ weights["1.weight"].T
            table[:, 0] += weights["1.bias"]
            found.append(table)
        return found

    def _play(self, hands: list[Any]) -> tuple[Any, Any, Any]:
        """Play to the end: all states (rows of the public inputs), whose game each is of, and player 1's result."""
        m, count, tables = self.m, self.options.games, self._tables()
        on, last = torch.arange(count, device=self.device), torch.full((count,), -1, device=self.device)
        state = torch.zeros((count, 2 * (m + 1)), device=self.device)
        sums = [tables[player][hands[player], 0] for player in range(2)]
        results, mover = torch.zeros(count, device=self.device), 0
        states, games = [state], [on]
        while len(on):
            move = self._moves(tables[mover], hands[mover][on], sums[mover], last, mover)
            calls = move == m
            called = on[calls]
            results[called] = self._payoffs[mover, last[calls], hands[0][called], hands[1][called]]
            state = state.clone()
            state[torch.arange(len(on), device=self.device), mover * (m + 1) + move] = 1
            states.append(state)
            games.append(on)
            sums = [
                part + tables[player][hands[player][on], 1 + mover * (m + 1) + move] for player, part in enumerate(sums)
            ]
            on, state, last = on[~calls], state[~calls], move[~calls]
            sums, mover = [part[~calls] for part in sums], 1 - mover
        who = torch.cat(games)
        return torch.cat(states), who, results[who]

    def _moves(self, table: Any, hand: Any, sums: Any, last: Any, mover: int) -> Any:
        """A move for each game, the call being move m; *sums* are the mover's at these states."""
        m = self.m
        moves = torch.arange(m + 1, device=self.device)
        legal = (moves > last[:, None]) & ((moves < m) | (last >= 0)[:, None])
        after = sums[:, None] + table[hand, 1 + mover * (m + 1) : 1 + (mover + 1) * (m + 1)]
        row, move = torch.nonzero(legal, as_tuple=True)
        # Values only of what can happen.
        gains = torch.zeros(legal.shape, device=self.device)
        gains[row, move] = self._finish(after[row, move]) - self._finish(sums)[row]
        shares = (torch.relu(gains) + self.options.noise) * legal
        shares = torch.where(shares.sum(1, keepdim=True) > 0, shares, legal.to(shares.dtype))
        up_to = torch.cumsum(shares, dim=1)
        drawn = torch.tensor(self.random.random(len(hand)), dtype=up_to.dtype, device=self.device)
        # Strictly above: a move without a share is never drawn.
        chosen = torch.searchsorted(up_to, (drawn * up_to[:, -1])[:, None], right=True)[:, 0]
        most = m - torch.argmax((shares.flip(1) > 0).to(torch.int8), dim=1)
        return torch.minimum(chosen, most)

    def net(self) -> Net:
        """The net as it is."""
        return Net(KIND, self.game, numbers(self.weights), {"steps": self.done})
