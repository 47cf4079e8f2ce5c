"""Nets for tests: of random numbers, which play anything but evenly."""

import numpy as np

import efg_builder as eb
from efg_builder.players.nets import Net

SMALL = (
    {"sides": 2},
    {"sides": 2, "dice": (2, 1)},
    {"sides": 3, "wild": 1, "wild_biddable": False, "dice": (1, 2)},
    {"order": "face-quantity", "payoff": "points"},
)
JOKER = {"sides": 6, "wild": 1, "wild_biddable": False}


def game(**settings):
    return eb.game("liars-dice", **settings)


def layer(random, name, inputs, outputs, spread):
    return {
        f"{name}.weight": random.normal(0, spread / np.sqrt(inputs), (outputs, inputs)).astype(np.float32),
        f"{name}.bias": random.normal(0, 0.3, outputs).astype(np.float32),
    }


def value_net(rules, seed=0, embedding=7, width=5, layers=2):
    random, m = np.random.default_rng(seed), len(rules.bid_names)
    weights = layer(random, "hand", sum(rules.dice) * rules.sides, embedding, 1.5)
    weights |= layer(random, "public", 2 * (m + 1), embedding, 1.5)
    sizes = [embedding] + [width] * layers
    for number in range(layers):
        weights |= layer(random, str(number + 1), sizes[number], sizes[number + 1], 1.5)
    return Net("value", rules, weights | layer(random, "out", width, 1, 0.7))


def policy_net(rules, seed=0, width=6, layers=2):
    random, m, weights = np.random.default_rng(seed), len(rules.bid_names), {}
    for player in range(2):
        sizes = [3 * m + 1] + [width] * layers
        parts = {}
        for number in range(layers):
            parts |= layer(random, str(number + 1), sizes[number], sizes[number + 1], 3.0)
        parts |= layer(random, "out", width, rules.hand_counts[player] * (m + 1), 3.0)
        weights |= {f"player{player + 1}.{name}": array for name, array in parts.items()}
    return Net("deep-cfr", rules, weights)


MAKERS = {"value": value_net, "deep-cfr": policy_net}
