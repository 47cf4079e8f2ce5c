"""Deep counterfactual regret minimisation, over all histories and all hands at once.

N. Brown, A. Lerer, S. Gross and T. Sandholm, "Deep Counterfactual Regret Minimization" (ICML 2019): play is regret
matching on a net of regrets, fitted to the mean of all regrets seen so far, later ones weighing more; a second net is
fitted to the average strategy, and is what is kept. Three things are other than there. Games of bidding are small
enough to go through whole, so regrets are exact and not sampled (see ``Passes``). The memory then holds, for
each information set, the weighted mean of all regrets ever seen there, which is all that a fit in squared error takes
from a buffer of them. And nets are not started anew at each iteration but go on learning.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy.typing as npt
import torch

from ....games.bid_index import class_size, last_bid, step
from ....games.bidding import DiceBidding
from ..encoding import call_payoffs, chances, legal_moves, public_inputs
from ..file import Net
from ..policy_net import KIND
from .torch_nets import Learner, Optimiser, Weights, denormals_flushed, hidden_layers, numbers

Array = npt.NDArray[Any]

FLOOR = 0.02
"""The share of each batch that is drawn evenly from all histories: those that nobody reaches are learned a little."""

SIZE = 0.2
"""The regrets that a net is fitted to are scaled to this, in the mean; regret matching does not see it."""

NEVER = -1e9


@dataclass(frozen=True)
class DeepCfrOptions:
    """``width``, ``layers``: of each net. ``fits``, ``average_fits``: steps of Adam per iteration for each net.

    ``batch``: histories in each of them, drawn as play leads to them. ``rate``: of learning; it falls to a fifth.
    """

    width: int = 128
    layers: int = 3
    fits: int = 16
    average_fits: int = 8
    batch: int = 512
    rate: float = 0.004


class DeepCfr(Learner):
    """Nets of regrets and of the average strategy for each seat. See the module's text."""

    settings = DeepCfrOptions

    def __init__(self, game: DiceBidding, options: DeepCfrOptions, steps: int, seed: int, device: Any) -> None:
        super().__init__(game, options, steps, seed, device)
        self.passes, m = Passes(game, device), len(game.bid_names)
        self._inputs = [torch.tensor(public_inputs(player, m), device=device) for player in range(2)]
        self._legal = [torch.tensor(legal_moves(player, m), device=device)[:, None] for player in range(2)]
        self._closed = [torch.where(legal, 0.0, NEVER) for legal in self._legal]
        self._regrets = [self._net(player, f"regret{player + 1}/") for player in range(2)]
        self._average = [self._net(player, f"average{player + 1}/") for player in range(2)]
        shapes = [(self.passes.entries, hands, m + 1) for hands in game.hand_counts]
        self.memory = {
            **{f"regrets{p + 1}": torch.zeros(shapes[p], device=device) for p in range(2)},
            **{f"weights{p + 1}": torch.zeros(shapes[p][0], device=device) for p in range(2)},
            **{f"played{p + 1}": torch.zeros(shapes[p], device=device) for p in range(2)},
        }
        self._now = [self._matched(player) for player in range(2)]

    def _net(self, player: int, prefix: str) -> Optimiser:
        m, options = len(self.game.bid_names), self.options
        outputs = self.game.hand_counts[player] * (m + 1)
        weights = hidden_layers(self.random, 3 * m + 1, options.width, options.layers, outputs)
        return self.optimised(weights, prefix, (0.9, 0.99))

    def _outputs(self, weights: Weights, player: int, rows: Any) -> Any:
        x = self._inputs[player][rows]
        for number in range(1, self.options.layers + 1):
            after = torch.relu(torch.addmm(weights[f"{number}.bias"], x, weights[f"{number}.weight"].T))
            x = after if number == 1 else after + x
        sums = torch.addmm(weights["out.bias"], x, weights["out.weight"].T)
        return sums.view(len(x), self.game.hand_counts[player], -1)

    def _matched(self, player: int) -> Any:
        """Regret matching; where no regret is positive, the best move, as in the paper."""
        with torch.no_grad():
            regrets = self._outputs(self._regrets[player].weights, player, slice(None))
        positive = torch.relu(regrets) * self._legal[player]
        total = positive.sum(dim=2, keepdim=True)
        best = torch.argmax(regrets + self._closed[player], dim=2)
        pure = torch.nn.functional.one_hot(best, regrets.shape[2]).to(regrets.dtype)
        return torch.where(total > 1e-6, positive / total.clamp(min=1e-6), pure)

    @denormals_flushed()
    def step(self) -> None:
        """One iteration: first player 1's regrets and net, then player 2's."""
        losses = []
        for player in range(2):
            self._remember(player)
            losses.append(self._fit(player))
            self._now[player] = self._matched(player)
        self.loss, self.done = sum(losses) / 2, self.done + 1

    def _remember(self, player: int) -> None:
        """Add the present strategy and its regrets to the memory, with the weight of the iteration."""
        weight, other = float(self.done + 1), 1 - player
        own = self.passes.reach(self._now[player], player)[player]
        self.memory[f"played{player + 1}"] += weight * own[:, :, None] * self._now[player]
        reach = self.passes.reach(self._now[other], other)
        values, likely = self.passes.values(player, self._now[player], self._now[other], reach)
        gains = (values - (self._now[player] * values).sum(dim=2, keepdim=True)) * self._legal[player]
        means, total = self.memory[f"regrets{player + 1}"], self.memory[f"weights{player + 1}"]
        total += weight * likely
        means += (weight * likely / total.clamp(min=1e-30))[:, None, None] * (gains - means)

    def _fit(self, player: int) -> float:
        """A few steps for both nets of *player*; returns the last squared error of the regrets."""
        options, loss = self.options, 0.0
        rate = options.rate * 0.2 ** min(1.0, self.done / self.steps)
        means, total = self.memory[f"regrets{player + 1}"], self.memory[f"weights{player + 1}"]
        played, legal, closed = self.memory[f"played{player + 1}"], self._legal[player], self._closed[player]
        likely = total / total.sum()
        scale = SIZE / torch.dot((torch.relu(means) * legal).sum(dim=2).mean(dim=1), likely).clamp(min=1e-4)
        chance = likely + FLOOR / len(likely)
        for _ in range(options.fits):
            rows = self._drawn(chance)
            off = (self._outputs(self._regrets[player].weights, player, rows) - scale * means[rows]) * legal[rows]
            error = (off * off).mean()
            self._regrets[player].descend(error, rate)
            loss = float(error.detach())
        # A best response goes where play seldom does: the root of the chance leaves more draws for that.
        chance = torch.sqrt(likely)
        chance = (chance / chance.sum() + FLOOR / len(likely)) * played.sum(dim=(1, 2))
        for _ in range(options.average_fits):
            rows = self._drawn(chance)
            shares = played[rows] / played[rows].sum(dim=(1, 2), keepdim=True)
            sums = self._outputs(self._average[player].weights, player, rows) + closed[rows]
            logs = torch.log_softmax(sums, dim=2).clamp(min=-60)
            self._average[player].descend(-(shares * logs).sum(dim=(1, 2)).mean(), rate)
        return loss

    def _drawn(self, chance: Any) -> Any:
        """A batch of histories, each drawn with its *chance* (up to a factor), so that fits go where play does."""
        up_to = torch.cumsum(chance.double(), dim=0)
        drawn = torch.tensor(self.random.random(self.options.batch), device=self.device) * up_to[-1]
        return torch.searchsorted(up_to, drawn, right=True).clamp(max=len(chance) - 1)

    def net(self) -> Net:
        """The nets of the average strategy, one for each seat."""
        weights: dict[str, Array] = {}
        for player in range(2):
            named = numbers(self._average[player].weights)
            weights |= {f"player{player + 1}.{name}": array for name, array in named.items()}
        return Net(KIND, self.game, weights, {"steps": self.done})

    def restore(self, done: int, arrays: Mapping[str, Array]) -> None:
        """See ``Learner``; the present strategies follow from the nets."""
        super().restore(done, arrays)
        self._now = [self._matched(player) for player in range(2)]


Strategy = Any
"""A tensor of shape (2**(m-1), hands, m + 1): the probability of each move, the call last."""


class Passes:
    """Reach and values of every history and hand under given strategies, all hands at once.

    Public play is one pass over the histories, whatever the hands (M. Johanson, N. Bard, M. Lanctot, R. Gibson and M.
    Bowling, "Efficient Nash Equilibrium Approximation through Monte Carlo Counterfactual Regret Minimization", AAMAS
    2012): arrays have a row for each history of a class and a column for each hand, as in ``games.bid_index``.
    """

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
        """The value of each move to each hand of *player*, and the probability that the other leads to each history.

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
