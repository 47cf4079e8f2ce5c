"""What the learners share: weights in PyTorch, how they start, Adam, and a state that can be kept."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from ....games.bidding import DiceBidding

Array = npt.NDArray[Any]

Weights = dict[str, Any]
"""Tensors by name."""

EPSILON = 1e-8


@contextmanager
def denormals_flushed() -> Iterator[None]:
    """Numbers too small for full precision count as 0 meanwhile: they make steps many times slower.

    That is a state of the thread, and all of its arithmetic with floats, so that it is left as it was found.
    """
    before = sys.float_info.min / 2 == 0
    torch.set_flush_denormal(True)
    try:
        yield
    finally:
        torch.set_flush_denormal(before)


def linear(random: np.random.Generator, name: str, inputs: int, outputs: int, gain: float = 1.0) -> dict[str, Array]:
    """A layer to start with: uniform up to *gain* / sqrt(inputs), weights and biases."""
    most = gain / np.sqrt(inputs)
    return {
        f"{name}.weight": random.uniform(-most, most, (outputs, inputs)).astype(np.float32),
        f"{name}.bias": random.uniform(-most, most, outputs).astype(np.float32),
    }


def hidden_layers(random: np.random.Generator, inputs: int, width: int, count: int, outputs: int) -> dict[str, Array]:
    """*count* layers of *width* units and one of *outputs*, to start with: normal, as suits rectified units.

    K. He, X. Zhang, S. Ren and J. Sun, "Delving Deep into Rectifiers", ICCV 2015. The last layer is small.
    """
    sizes, found = [inputs, *[width] * count, outputs], dict[str, Array]()
    for number in range(count + 1):
        name, gain = (str(number + 1), 1.0) if number < count else ("out", 0.05)
        spread = gain * np.sqrt(2 / sizes[number])
        drawn = random.normal(0, spread, (sizes[number + 1], sizes[number]))
        found |= {f"{name}.weight": drawn.astype(np.float32), f"{name}.bias": np.zeros(sizes[number + 1], np.float32)}
    return found


def numbers(weights: Mapping[str, Any]) -> dict[str, Array]:
    """The weights as NumPy arrays of their own."""
    return {name: tensor.detach().cpu().numpy().copy() for name, tensor in weights.items()}


class Optimiser:
    """Adam (D. P. Kingma and J. Ba, ICLR 2015) on weights by name; its state is arrays.

    *decay*: AdamW's (I. Loshchilov and F. Hutter, ICLR 2019); each step also takes rate * *decay* of every weight.
    """

    def __init__(
        self, weights: Weights, prefix: str = "", betas: tuple[float, float] = (0.9, 0.999), decay: float = 0.0
    ) -> None:
        self.weights, self.prefix, self.betas, self.decay, self.count = weights, prefix, betas, decay, 0
        self._means = {name: torch.zeros_like(tensor) for name, tensor in weights.items()}
        self._squares = {name: torch.zeros_like(tensor) for name, tensor in weights.items()}

    def descend(self, loss: Any, rate: float) -> None:
        """One step of size *rate* down the gradient of *loss*."""
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
        """The state, and the weights themselves."""
        kept = {f"{self.prefix}adam.count": np.array(self.count)}
        for what, tensors in (("weight", self.weights), ("mean", self._means), ("square", self._squares)):
            kept |= {f"{self.prefix}{what}/{name}": array for name, array in numbers(tensors).items()}
        return kept

    def restore(self, arrays: Mapping[str, Array]) -> None:
        """Raises ``KeyError`` and ``ValueError`` where *arrays* are not of such weights."""
        self.count = int(arrays[f"{self.prefix}adam.count"])
        for what, tensors in (("weight", self.weights), ("mean", self._means), ("square", self._squares)):
            _restore(tensors, f"{self.prefix}{what}/", arrays)


class Learner:
    """What all learners have: ``step`` learns, ``net`` is the net so far, and the state can be kept as arrays.

    ``done``: steps taken of all *steps*; ``loss``: the last squared error. ``memory``: tensors beside the weights.
    """

    def __init__(self, game: DiceBidding, options: Any, steps: int, seed: int, device: Any) -> None:
        self.game, self.options, self.steps, self.device = game, options, steps, device
        self.done, self.loss, self.random = 0, float("nan"), np.random.default_rng(seed)
        self.optimisers: list[Optimiser] = []
        self.memory: Weights = {}

    def optimised(self, weights: Mapping[str, Array], *settings: Any, **named: Any) -> Optimiser:
        """*weights* on the device with an optimizer of these settings, whose state is kept."""
        tensors = {name: torch.tensor(w, device=self.device, requires_grad=True) for name, w in weights.items()}
        self.optimisers.append(Optimiser(tensors, *settings, **named))
        return self.optimisers[-1]

    def arrays(self) -> dict[str, Array]:
        """All that ``restore`` needs."""
        kept = numbers(self.memory)
        for optimiser in self.optimisers:
            kept |= optimiser.arrays()
        return kept

    def restore(self, done: int, arrays: Mapping[str, Array]) -> None:
        """Go on where ``arrays`` was taken. Raises ``KeyError`` and ``ValueError`` where they do not fit."""
        self.done = done
        for optimiser in self.optimisers:
            optimiser.restore(arrays)
        _restore(self.memory, "", arrays)


def _restore(tensors: Weights, prefix: str, arrays: Mapping[str, Array]) -> None:
    with torch.no_grad():
        for name, tensor in tensors.items():
            found = arrays[f"{prefix}{name}"]
            if found.shape != tuple(tensor.shape) or not np.isfinite(found).all():
                raise ValueError(f"{prefix}{name} does not fit")
            tensor.copy_(torch.tensor(found))
