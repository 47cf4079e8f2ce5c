"""Regret minimisation on restricted games of bidding: against plain recursion over the tree."""

import random
from fractions import Fraction

import numpy as np
import pytest
from bidding_games import HARD, SMALL, PlainRegrets, random_support, small_games

import efg_builder as eb
from efg_builder.solvers.oracle import bidding_oracle
from efg_builder.solvers.oracle.bidding import bidding
from efg_builder.solvers.oracle.bidding_regret import Regrets


@small_games(SMALL)
def test_regret_minimisation_tends_to_the_value(game):
    exact = eb.solve(game, "oracle").value[0]
    solution = eb.solve(game, "oracle", gap=Fraction(1, 100), options={"master": "regret"}, timeout=60)
    assert solution.status in ("bracket", "equilibrium")
    assert solution.lower <= exact <= solution.upper
    assert solution.upper - solution.lower <= Fraction(1, 100)


@small_games(SMALL)
@pytest.mark.parametrize("seed", range(3))
def test_an_iteration_is_counterfactual_regret_minimisation_on_the_restricted_tree(game, seed):
    """Held against the definition, node by node, in exact arithmetic: Zinkevich et al. (2007), with CFR+'s cut at 0."""
    rng = random.Random(seed)
    model = bidding(game)
    support = random_support(model, rng)
    for node in range(1, len(support)):
        support.allowed[node][:] = True
    regrets, plain = Regrets(model, support, np.float64), PlainRegrets(model, support)
    for _ in range(4):
        regrets.iterate()
        plain.iterate()
    for player in range(2):
        nodes, weights = regrets.average(player)
        for node, row in zip(nodes, weights, strict=True):
            for hand, weight in enumerate(row):
                assert weight == pytest.approx(plain.average(player, node, hand), abs=1e-9)


def test_regrets_and_averages_outlive_growth():
    game = eb.game("liars-dice", sides=3)
    model = bidding(game)
    support = random_support(model, random.Random(1), 0.2)
    regrets = Regrets(model, support, np.float64)
    for _ in range(5):
        regrets.iterate()
    before = {p: dict(zip(*map(list, regrets.average(p)), strict=True)) for p in range(2)}
    for node in range(len(support)):
        if support.bid[node] + 1 < model.bids:
            support.allow(node, model.bids - 1, np.ones(model.hands[support.depth[node] % 2], dtype=bool))
    regrets.grow()
    for player in range(2):
        for node, row in zip(*regrets.average(player), strict=True):
            assert (row == before[player].get(node, np.zeros(len(row)))).all()
    regrets.iterate()
    assert all(np.isfinite(regrets.average(player)[1]).all() for player in range(2))


def test_where_a_linear_program_takes_too_long_regrets_take_over(monkeypatch):
    monkeypatch.setattr(bidding_oracle, "LP_SECONDS", 1e-9)
    lines = []
    solution = eb.solve(HARD, "oracle", gap=Fraction(1, 20), progress=lines.append)
    assert 0 < solution.upper - solution.lower <= Fraction(1, 20)
    assert any("regret minimisation" in line for line in lines)
