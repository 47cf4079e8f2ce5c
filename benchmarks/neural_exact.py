"""The blog post's method (see docs/neural.md), with a table instead of the net, and expectations instead of samples.

Only the update rule remains: a value is the average over all play so far, and moves have probabilities in proportion to
the positive part of ``v(state + move) - v(state)``, plus noise.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import efg_builder as eb
from efg_builder.players.nets.encoding import legal_moves
from efg_builder.strategies.dense_profile import DenseProfile

CAUSES: dict[str, dict[str, Any]] = {
    **{f"table 1v1 noise {noise:g}": {"dice": (1, 1), "noise": noise} for noise in (0.1, 0.01, 0.001, 0.0001)},
    "table 1v1 noise 0.1/T": {"dice": (1, 1), "noise": 0.1, "falls": True},
    **{
        f"table {name} noise {noise:g}": {"dice": dice, "noise": noise, "rounds": 200}
        for name, dice in (("1v2", (1, 2)), ("2v1", (2, 1)))
        for noise in (0.1, 0.01)
    },
}
"""The settings of each experiment, by name."""


def cause(name: str) -> dict[str, Any]:
    """Run one experiment of ``CAUSES``, and measure its strategies exactly."""
    settings = CAUSES[name]
    game = eb.game("liars-dice", sides=6, wild=1, wild_biddable=False, dice=settings["dice"])
    rounds = settings.get("rounds", 800)
    points = []
    for number, strategy in played(game, settings["noise"], settings.get("falls", False), rounds):
        match = eb.evaluate(game, strategy, method="dense").matches[0]
        points.append({"rounds": number, "best_response": [float(got) for got in match.best_response]})
        print(name, points[-1], flush=True)
    return {**settings, "points": points}


def played(game: Any, noise: float, falls: bool, rounds: int) -> Any:
    """Yield the round and the strategy without noise after each quarter of the *rounds*."""
    import torch

    from efg_builder.players.nets.training.learners import Passes

    torch.set_flush_denormal(True)
    passes = Passes(game, torch.device("cpu"))
    legal = [torch.tensor(legal_moves(player, passes.m))[:, None].float() for player in range(2)]
    # [history, hand, move]: the sum of expected payoffs after the move, and the expected number of times it was made.
    won = [torch.zeros(passes.entries, hands, passes.m + 1) for hands in passes.hands]
    made = [torch.zeros_like(table) for table in won]
    for number in range(1, rounds + 1):
        added = noise / number if falls else noise
        strategies = [matched(won[p], made[p], legal[p], added) for p in range(2)]
        for player in range(2):
            played_once(passes, player, strategies, won[player], made[player])
        if number % (rounds // 4) == 0:
            last = [matched(won[p], made[p], legal[p], 0.0) for p in range(2)]
            yield number, wide(game, [strategy.double().numpy() for strategy in last])


def played_once(passes: Any, player: int, strategies: list[Any], won: Any, made: Any) -> None:
    """Add *player*'s expected payoffs in one game to *won*, and the expected numbers of moves to *made*."""
    mine, other = strategies[player], strategies[1 - player]
    own = passes.reach(mine, player)[player]
    values, likely = passes.values(player, mine, other, passes.reach(other, 1 - player))
    often = own[:, :, None] * mine * likely[:, None, None]
    made += often
    won += often * values


def matched(won: Any, made: Any, legal: Any, noise: float) -> Any:
    """Return probabilities in proportion to positive regrets plus *noise*; uniform probabilities if all are 0."""
    import torch

    tiny = 1e-30
    now = won.sum(dim=2, keepdim=True) / made.sum(dim=2, keepdim=True).clamp(min=tiny)
    after = torch.where(made > tiny, won / made.clamp(min=tiny), torch.zeros_like(won))
    shares = (torch.relu(after - now) * (made > tiny) + noise) * legal
    total = shares.sum(dim=2, keepdim=True)
    return torch.where(total > 0, shares / total.clamp(min=tiny), legal / legal.sum(dim=2, keepdim=True))


def wide(game: Any, strategies: list[Any]) -> DenseProfile:
    """Return the strategies as a dense profile."""
    arrays = []
    for player, strategy in enumerate(strategies):
        array = np.zeros(strategy.shape[:2])
        exact = strategy / strategy.sum(axis=2, keepdims=True)
        if player == 0:
            array[0] = exact[0, :, 0]
        for bid in range(1, strategy.shape[2] - 1):
            half = 1 << bid >> 1
            array[half : 2 * half] = exact[:half, :, bid]
        arrays.append(array)
    return DenseProfile(game, (arrays[0], arrays[1]))
