"""Best responses without a tree, and the linear program of a restricted game: against the tree and enumeration."""

import random

import brute
import numpy as np
import pytest
from bidding_games import SMALL, TINY, in_payoffs, mean, random_plan, random_play, random_support, small_games
from hypothesis import given, settings
from hypothesis import strategies as st

import efg_builder as eb
from efg_builder.proof import best_response, verify
from efg_builder.solvers.lp.exact_vertex import exact_optimum
from efg_builder.solvers.lp.highs import interior, maximise
from efg_builder.solvers.oracle.bidding import bidding
from efg_builder.solvers.oracle.bidding_master import carried, master
from efg_builder.solvers.oracle.bidding_plan import float_plan, rounded, sparse_profile
from efg_builder.solvers.oracle.bidding_response import respond
from efg_builder.solvers.oracle.bidding_support import ROOT, Plan


@small_games(SMALL)
@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_sparse_best_responses_are_those_over_the_whole_tree(game, seed):
    model, support, plans, profile = random_play(game, seed)
    for player in range(2):
        plan = plans[1 - player]
        found = respond(model, support, player, plan, 0)
        assert in_payoffs(model, player, found, plan.scale) == best_response(profile, player).value
        large = respond(model, support, player, Plan(plan.nodes, plan.weights.astype(object), plan.scale), 0)
        assert large.value == found.value
        near = respond(model, support, player, Plan(plan.nodes, plan.weights / plan.scale), 1e-9)
        assert near.value * model.largest == pytest.approx(float(mean(model, found, plan.scale)), abs=1e-12)


@small_games(TINY)
@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_sparse_best_responses_are_those_of_enumeration(game, seed):
    model, support, plans, profile = random_play(game, seed)
    for player in range(2):
        found = respond(model, support, player, plans[1 - player], 0)
        expected = brute.best_response_value(profile, player)
        assert in_payoffs(model, player, found, plans[1 - player].scale) == expected


@small_games(SMALL)
@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_with_the_improving_moves_the_restricted_game_is_worth_what_the_whole_is(game, seed):
    rng = random.Random(seed)
    model = bidding(game)
    support = random_support(model, rng, 0.25)
    plans = tuple(random_plan(model, support, player, rng) for player in range(2))
    for player in range(2):
        before = respond(model, support, player, plans[1 - player], 0)
        assert before.restricted <= before.value
        assert bool(before.moves) == (before.restricted < before.value) or before.moves
        for _ in range(2 * model.bids):
            after = respond(model, support, player, plans[1 - player], 0)
            for node, bid, hands in after.moves:
                child = support.children[node].get(bid)
                assert child is None or not (support.allowed[child] & hands).all()
                support.allow(node, bid, hands)
            if not after.moves:
                break
        assert after.value == after.restricted == before.value


@small_games(SMALL)
@pytest.mark.parametrize("seed", range(4))
def test_the_linear_program_is_that_of_the_restricted_game(game, seed):
    model = bidding(game)
    support = random_support(model, random.Random(seed))
    program = master(model, support)
    point = exact_optimum(program.exact, maximise(program.program, None, print), lambda: None, print)
    cut = eb.build(Cut(game, support))
    assert model.payoff(point.primal[1]) == eb.solve(cut, "lp").value[0]


class Cut(eb.Game):
    """*game* with the bids of the restricted game only, and the calls."""

    players = constant_sum = None
    title = "a restricted game"

    def __init__(self, game, support):
        self.game, self.players, self.constant_sum = game, game.players, game.constant_sum
        self.nodes = {game.history(support.path(node)): node for node in range(len(support))}
        self.support = support

    def size(self):
        return None

    def root(self):
        return None

    def turn(self, state):
        turn = self.game.turn(state)
        if state is None or not hasattr(turn, "actions"):
            return turn
        deal, (history, _, player) = state
        node = self.nodes[history or "start"]
        kept = []
        for action, then in turn.actions:
            bid = self.game.bid_names.index(action) if action != "call" else None
            child = self.support.children[node].get(bid)
            if bid is None or (child is not None and self.support.allowed[child][deal.hands[player]]):
                kept.append((action, then))
        return type(turn)(turn.player, turn.infoset, tuple(kept))


@small_games(SMALL[:4])
def test_the_interior_point_and_the_vertex_agree_on_the_value(game):
    model = bidding(game)
    program = master(model, random_support(model, random.Random(7))).program
    assert interior(program, None, print).values[1] == pytest.approx(maximise(program, None, print).values[1], abs=1e-6)


def test_a_basis_is_carried_into_a_larger_restricted_game():
    game = eb.game("liars-dice", sides=4, wild="highest")
    model, rng = bidding(game), random.Random(3)
    support = random_support(model, rng, 0.3)
    first = master(model, support)
    vertex = maximise(first.program, None, print)
    same = carried(first, vertex, master(model, support))
    assert (same.basic_rows == vertex.basic_rows).all()
    assert (same.basic_columns == vertex.basic_columns).all()
    for node in range(len(support)):
        for bid, child in list(support.children[node].items()):
            own = support.parent[node]
            may = support.allowed[own] if own > ROOT else np.ones(model.hands[support.depth[node] % 2], dtype=bool)
            support.allow(node, bid, may | support.allowed[child])
    after = master(model, support)
    start = carried(first, vertex, after)
    assert start.basic_rows.sum() + start.basic_columns.sum() == after.shape[0]
    warm, cold = maximise(after.program, None, print, start), maximise(after.program, None, print)
    assert warm.values[1] == pytest.approx(cold.values[1], abs=1e-9)


@small_games(SMALL)
@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_any_numbers_become_valid_plans(game, seed):
    rng = random.Random(seed)
    model = bidding(game)
    support = random_support(model, rng)
    for player in range(2):
        sequences = support.sequences(player)
        mass = np.array([rng.uniform(-0.2, 1) for _ in range(len(sequences))])
        plan = float_plan(model, support, player, sequences, mass, 0.05)
        whole = rounded(model, support, player, plan)
        plans = [whole, random_plan(model, support, 1 - player, rng)]
        profile = sparse_profile(model, support, tuple(plans if player == 0 else plans[::-1]))
        assert verify(profile).lower <= verify(profile).upper  # its distributions were checked
        table = np.zeros((len(support), model.hands[player]))
        table[plan.nodes] = plan.weights
        again = np.zeros(table.shape)
        again[whole.nodes] = whole.weights / whole.scale
        assert np.abs(table - again).max() < 1e-6
