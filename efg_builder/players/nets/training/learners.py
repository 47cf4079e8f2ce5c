"""Learners in PyTorch: self-play for value nets, and deep counterfactual regret minimization.

**Self-play** (T. D. Ahle, "Liar's Dice by Self-Play", Towards Data Science, 2022). Each step plays a batch of games
with the current net. The probability of a move is proportional to the sum of ``noise`` and the positive part of the
move's regret. Then Adam takes one step to reduce the squared differences between values and results, at every state and
for both players. After T steps, the learning rate is proportional to 1/T for large T, so that the values approach
averages over all steps.

**Deep counterfactual regret minimization** (N. Brown, A. Lerer, S. Gross and T. Sandholm, ICML 2019). The strategy is
regret matching on a net that is fitted to the weighted mean of all regrets. A second net, fitted to the average
strategy, is the result. Unlike in the paper, regrets are exact (``Passes``), so the memory needs only the mean regret
at each information set. Nets keep their weights between iterations.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from ....forms.bidding_form import class_size, last_bid, step
from ....games.bidding import DiceBidding
from ..encoding import Array, call_payoffs, chances, hand_inputs, legal_moves, public_inputs
from ..file import Net
from ..ready import DEEP_CFR, VALUE

Weights = dict[str, Any]  # tensors by name
EPSILON = 1e-8


@contextmanager
def denormals_flushed() -> Iterator[None]:
    """Flush denormal numbers to 0 within the context, because denormal numbers make steps many times slower.

    The setting affects the whole thread, and is restored afterwards.
    """
    before = sys.float_info.min / 2 == 0
    torch.set_flush_denormal(True)
    try:
        yield
    finally:
        torch.set_flush_denormal(before)


def linear(random: np.random.Generator, name: str, inputs: int, outputs: int, gain: float = 1.0) -> dict[str, Array]:
    """Return a layer's initial weights and biases, uniform with absolute values up to *gain* / sqrt(inputs)."""
    most = gain / np.sqrt(inputs)
    return {
        f"{name}.weight": random.uniform(-most, most, (outputs, inputs)).astype(np.float32),
        f"{name}.bias": random.uniform(-most, most, outputs).astype(np.float32),
    }


def hidden_layers(random: np.random.Generator, inputs: int, width: int, count: int, outputs: int) -> dict[str, Array]:
    """Return initial weights of *count* hidden layers with *width* units and of an output layer with *outputs* units.

    The weights are drawn from a normal distribution with the variance for ReLU (K. He, X. Zhang, S. Ren and J. Sun,
    "Delving Deep into Rectifiers", ICCV 2015). The output layer has smaller weights.
    """
    sizes, found = [inputs, *[width] * count, outputs], dict[str, Array]()
    for number in range(count + 1):
        name, gain = (str(number + 1), 1.0) if number < count else ("out", 0.05)
        spread = gain * np.sqrt(2 / sizes[number])
        drawn = random.normal(0, spread, (sizes[number + 1], sizes[number]))
        found |= {f"{name}.weight": drawn.astype(np.float32), f"{name}.bias": np.zeros(sizes[number + 1], np.float32)}
    return found


def numbers(weights: Mapping[str, Any]) -> dict[str, Array]:
    return {name: tensor.detach().cpu().numpy().copy() for name, tensor in weights.items()}


class Optimizer:
    """The Adam optimizer (D. P. Kingma and J. Ba, ICLR 2015) for a dictionary of weights.

    *decay* is the weight decay of AdamW (I. Loshchilov and F. Hutter, ICLR 2019): each step also multiplies all weights
    by 1 - rate * *decay*.
    """

    def __init__(
        self, weights: Weights, prefix: str = "", betas: tuple[float, float] = (0.9, 0.999), decay: float = 0.0
    ) -> None:
        self.weights, self.prefix, self.betas, self.decay, self.count = weights, prefix, betas, decay, 0
        self._means = {name: torch.zeros_like(tensor) for name, tensor in weights.items()}
        self._squares = {name: torch.zeros_like(tensor) for name, tensor in weights.items()}

    def descend(self, loss: Any, rate: float) -> None:
        """Take one step of size *rate* down the gradient of *loss*."""
        gradients = torch.autograd.grad(loss, list(self.weights.values()))
        self.count += 1
        first, second = (1 - beta**self.count for beta in self.betas)
        with torch.no_grad():
            for (name, tensor), gradient in zip(self.weights.items(), gradients, strict=True):
                mean, square = self._means[name], self._squares[name]
                mean.mul_(self.betas[0]).add_(gradient, alpha=1 - self.betas[0])
                square.mul_(self.betas[1]).addcmul_(gradient, gradient, value=1 - self.betas[1])
                tensor.mul_(1 - rate * self.decay)
                tensor.addcdiv_(mean, (square / second).sqrt_().add_(EPSILON), value=-rate / first)

    def arrays(self) -> dict[str, Array]:
        saved = {f"{self.prefix}adam.count": np.array(self.count)}
        for what, tensors in (("weight", self.weights), ("mean", self._means), ("square", self._squares)):
            saved |= {f"{self.prefix}{what}/{name}": array for name, array in numbers(tensors).items()}
        return saved

    def restore(self, arrays: Mapping[str, Array]) -> None:
        self.count = int(arrays[f"{self.prefix}adam.count"])
        for what, tensors in (("weight", self.weights), ("mean", self._means), ("square", self._squares)):
            _restore(tensors, f"{self.prefix}{what}/", arrays)


class Learner:
    """The base class of all learners.

    Each learner adds two methods: ``step`` takes one step, and ``net`` returns the current net. ``done`` is the number
    of steps so far. ``loss`` is the last squared error. ``memory`` contains all tensors of the state except the
    weights.
    """

    def __init__(self, game: DiceBidding, options: Any, steps: int, seed: int, device: Any) -> None:
        self.game, self.options, self.steps, self.device = game, options, steps, device
        self.done, self.loss, self.random = 0, float("nan"), np.random.default_rng(seed)
        self.optimizers: list[Optimizer] = []
        self.memory: Weights = {}

    def optimized(self, weights: Mapping[str, Array], *settings: Any, **named: Any) -> Optimizer:
        """Return an optimizer of *weights* on the device. Its state is part of the learner's state."""
        tensors = {name: torch.tensor(w, device=self.device, requires_grad=True) for name, w in weights.items()}
        self.optimizers.append(Optimizer(tensors, *settings, **named))
        return self.optimizers[-1]

    def arrays(self) -> dict[str, Array]:
        saved = numbers(self.memory)
        for optimizer in self.optimizers:
            saved |= optimizer.arrays()
        return saved

    def restore(self, done: int, arrays: Mapping[str, Array]) -> None:
        """Restore the state after *done* steps. Raises ``KeyError`` or ``ValueError`` if *arrays* do not fit."""
        self.done = done
        for optimizer in self.optimizers:
            optimizer.restore(arrays)
        _restore(self.memory, "", arrays)


def _restore(tensors: Weights, prefix: str, arrays: Mapping[str, Array]) -> None:
    with torch.no_grad():
        for name, tensor in tensors.items():
            found = arrays[f"{prefix}{name}"]
            if found.shape != tuple(tensor.shape) or not np.isfinite(found).all():
                raise ValueError(f"{prefix}{name} does not fit")
            tensor.copy_(torch.tensor(found))


# --- self-play


@dataclass(frozen=True)
class SelfPlayOptions:
    """The options of self-play. The defaults of ``embedding``, ``width`` and ``layers`` are from the article.

    ``games`` is the number of games in a step. ``noise`` is added to the positive part of every regret. ``rate`` is the
    initial learning rate. After T steps, the learning rate is ``rate`` / (1 + T / ``fall``) ** ``power``. ``decay`` is
    the weight decay of AdamW.
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
    """Self-play with one value net for both seats."""

    settings = SelfPlayOptions

    def __init__(self, game: DiceBidding, options: SelfPlayOptions, steps: int, seed: int, device: Any) -> None:
        super().__init__(game, options, steps, seed, device)
        self.m = len(game.bid_names)
        self._payoffs = torch.tensor(call_payoffs(game), device=device)
        self._hands = [torch.tensor(hand_inputs(game, player), device=device) for player in range(2)]
        self._chances = [chances(game, player) for player in range(2)]
        self.optimizer = self.optimized(self._start(), decay=options.decay)
        self.weights = self.optimizer.weights

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
        self.optimizer.descend(loss, rate)
        self.loss, self.done = float(loss.detach()), self.done + 1

    def _value(self, product: Any) -> Any:
        return self._finish(product @ self.weights["1.weight"].T + self.weights["1.bias"])

    def _finish(self, first: Any) -> Any:
        x = first
        for name in (*map(str, range(2, self.options.layers + 1)), "out"):
            x = torch.relu(x) @ self.weights[f"{name}.weight"].T + self.weights[f"{name}.bias"]
        return torch.tanh(x[..., 0])

    def _dealt(self, player: int) -> Any:
        drawn = self.random.choice(len(self._chances[player]), self.options.games, p=self._chances[player])
        return torch.tensor(drawn, device=self.device)

    def _tables(self) -> list[Any]:
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
        """Play all games. Return the states (public inputs), and each state's game number and player 1's result."""
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
        """Draw a move for each game (the call is move m). *sums*: the first layer's pre-activations for the mover."""
        m = self.m
        moves = torch.arange(m + 1, device=self.device)
        legal = (moves > last[:, None]) & ((moves < m) | (last >= 0)[:, None])
        after = sums[:, None] + table[hand, 1 + mover * (m + 1) : 1 + (mover + 1) * (m + 1)]
        row, move = torch.nonzero(legal, as_tuple=True)
        # Compute the values of legal moves only.
        gains = torch.zeros(legal.shape, device=self.device)
        gains[row, move] = self._finish(after[row, move]) - self._finish(sums)[row]
        shares = (torch.relu(gains) + self.options.noise) * legal
        shares = torch.where(shares.sum(1, keepdim=True) > 0, shares, legal.to(shares.dtype))
        up_to = torch.cumsum(shares, dim=1)
        drawn = torch.tensor(self.random.random(len(hand)), dtype=up_to.dtype, device=self.device)
        # The cumulative sum must exceed the drawn number, so that moves of probability 0 are never drawn.
        chosen = torch.searchsorted(up_to, (drawn * up_to[:, -1])[:, None], right=True)[:, 0]
        most = m - torch.argmax((shares.flip(1) > 0).to(torch.int8), dim=1)
        return torch.minimum(chosen, most)

    def net(self) -> Net:
        return Net(VALUE, self.game, numbers(self.weights), {"steps": self.done})


# --- deep counterfactual regret minimization

FLOOR = 0.02
"""The weight of the uniform distribution in the mixture from which batches of histories are drawn. The nets therefore
also learn at unreached histories.
"""

SIZE = 0.2  # the mean of the scaled regrets; the scale does not affect regret matching
NEVER = -1e9


@dataclass(frozen=True)
class DeepCfrOptions:
    """The options of deep counterfactual regret minimization.

    ``width`` and ``layers`` are the size of each net. ``fits`` and ``average_fits`` are the numbers of Adam steps per
    iteration for the regret net and for the average net. ``batch`` is the number of histories per Adam step, drawn by
    reach probability. ``rate`` is the initial learning rate, which falls to a fifth by the last step.
    """

    width: int = 128
    layers: int = 3
    fits: int = 16
    average_fits: int = 8
    batch: int = 512
    rate: float = 0.004


class DeepCfr(Learner):
    """Deep counterfactual regret minimization with two nets for each seat: a regret net and an average-strategy net."""

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

    def _net(self, player: int, prefix: str) -> Optimizer:
        m, options = len(self.game.bid_names), self.options
        outputs = self.game.hand_counts[player] * (m + 1)
        weights = hidden_layers(self.random, 3 * m + 1, options.width, options.layers, outputs)
        return self.optimized(weights, prefix, (0.9, 0.99))

    def _outputs(self, weights: Weights, player: int, rows: Any) -> Any:
        x = self._inputs[player][rows]
        for number in range(1, self.options.layers + 1):
            after = torch.relu(torch.addmm(weights[f"{number}.bias"], x, weights[f"{number}.weight"].T))
            x = after if number == 1 else after + x
        sums = torch.addmm(weights["out.bias"], x, weights["out.weight"].T)
        return sums.view(len(x), self.game.hand_counts[player], -1)

    def _matched(self, player: int) -> Any:
        """Return the probabilities of regret matching.

        If no regret is positive, the move with the largest regret has probability 1, as in the paper.
        """
        with torch.no_grad():
            regrets = self._outputs(self._regrets[player].weights, player, slice(None))
        positive = torch.relu(regrets) * self._legal[player]
        total = positive.sum(dim=2, keepdim=True)
        best = torch.argmax(regrets + self._closed[player], dim=2)
        pure = torch.nn.functional.one_hot(best, regrets.shape[2]).to(regrets.dtype)
        return torch.where(total > 1e-6, positive / total.clamp(min=1e-6), pure)

    @denormals_flushed()
    def step(self) -> None:
        """Run one iteration: update the regrets and nets of player 1, then of player 2."""
        losses = []
        for player in range(2):
            self._remember(player)
            losses.append(self._fit(player))
            self._now[player] = self._matched(player)
        self.loss, self.done = sum(losses) / 2, self.done + 1

    def _remember(self, player: int) -> None:
        """Add the current strategy and its regrets to the memory, weighted by the iteration number."""
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
        """Fit both nets of *player*, and return the last squared error of the regrets."""
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
        # Best responses reach histories with low reach probabilities. These histories are drawn more often if the
        # probabilities are proportional to square roots of the weights.
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
        up_to = torch.cumsum(chance.double(), dim=0)
        drawn = torch.tensor(self.random.random(self.options.batch), device=self.device) * up_to[-1]
        return torch.searchsorted(up_to, drawn, right=True).clamp(max=len(chance) - 1)

    def net(self) -> Net:
        """Return the nets of the average strategy, one for each seat."""
        weights: dict[str, Array] = {}
        for player in range(2):
            named = numbers(self._average[player].weights)
            weights |= {f"player{player + 1}.{name}": array for name, array in named.items()}
        return Net(DEEP_CFR, self.game, weights, {"steps": self.done})

    def restore(self, done: int, arrays: Mapping[str, Array]) -> None:
        super().restore(done, arrays)
        self._now = [self._matched(player) for player in range(2)]


Strategy = Any  # a tensor of probabilities, [history, hand, move]; the last move is the call


class Passes:
    """The reach probabilities and values of every history and hand under given strategies.

    One pass over the public histories handles all hands (M. Johanson, N. Bard, M. Lanctot, R. Gibson and M. Bowling,
    "Efficient Nash Equilibrium Approximation through Monte Carlo Counterfactual Regret Minimization", AAMAS 2012). The
    arrays have a row for each history of a class, as in ``forms.bidding_form``, and a column for each hand.
    """

    def __init__(self, game: DiceBidding, device: Any) -> None:
        self.m, self.entries, self.hands = len(game.bid_names), class_size(len(game.bid_names)), game.hand_counts
        self.device = device
        self.chances = [torch.tensor(chances(game, p), dtype=torch.float32, device=device) for p in range(2)]
        first = torch.tensor(call_payoffs(game), device=device)
        # For each caller and player: [bid, hand of the other player, hand of the player].
        self._paid = [[first[caller].transpose(1, 2), -first[caller]] for caller in range(2)]
        self._slices = [(0, 1), *((1 << k, 2 << k) for k in range(self.m - 1))]

    def _zeros(self, *shape: int) -> Any:
        return torch.zeros(shape, device=self.device)

    def reach(self, strategy: Strategy, player: int) -> list[Any]:
        """Return the probability of *player*'s bids in each history: one array (2**(m-1), hands) for each class."""
        found = [self._zeros(self.entries, self.hands[player]) for _ in range(2)]
        found[0][0] = 1
        found[1][0] = strategy[0, :, 0] if player == 0 else 1
        for bid in range(1, self.m):
            parents, children = step(bid)
            found[1 - player][children] = found[player][parents] * strategy[parents, :, bid]
            found[player][children] = found[1 - player][parents]
        return found

    def values(self, player: int, own: Strategy, other: Strategy, reach: list[Any]) -> tuple[Any, Any]:
        """Return the value of each move for each hand of *player*, and the opponent's probability of each history.

        *reach* contains the opponent's reach probabilities. The values have the shape of *own*, and are expectations in
        [-1, 1] given the history. The probabilities have the shape (2**(m-1),), and are means over the opponent's
        hands. At a history with probability 0, all values are 0.
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
