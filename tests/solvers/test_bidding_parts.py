"""Parts of the double oracle without a tree: best responses, plans, linear programs, regrets, the best so far."""

import random
from dataclasses import replace
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from bidding_games import (
    HARD,
    SMALL,
    PlainRegrets,
    in_payoffs,
    mean,
    random_plan,
    random_play,
    random_support,
    small_games,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from small_files import finish

import efg_builder as eb
from efg_builder.forms.bidding_form import BiddingForm
from efg_builder.proof import best_response, verify
from efg_builder.solvers.gambit.oracle import every_move
from efg_builder.solvers.lp.exact import exact_optimum
from efg_builder.solvers.lp.highs import maximize
from efg_builder.solvers.oracle import regret, response
from efg_builder.solvers.oracle.regret import NumpyStep, RestrictedRegrets
from efg_builder.solvers.oracle.response import respond
from efg_builder.solvers.oracle.restricted import (
    ROOT,
    PlanOnSupport,
    blended,
    carried,
    exact_plan,
    float_plan,
    master,
    rounded,
    sparse_profile,
    valid_plan,
)
from efg_builder.solvers.oracle.search import solve_exactly
from efg_builder.solvers.oracle.state import SIGHT, start
from efg_builder.solvers.regret import kernel
from efg_builder.strategies.reached import support_tree


@small_games(SMALL)
@settings(max_examples=12)
@given(seed=st.integers(0, 10**6))
def test_sparse_best_responses_are_those_over_the_whole_tree(game, seed):
    model, support, plans, profile = random_play(game, seed)
    for player in range(2):
        plan = plans[1 - player]
        found = respond(model, support, player, plan, 0)
        assert in_payoffs(model, player, found, plan.scale) == best_response(profile, player).value
        large = respond(model, support, player, PlanOnSupport(plan.nodes, plan.weights.astype(object), plan.scale), 0)
        assert large.value == found.value
        near = respond(model, support, player, PlanOnSupport(plan.nodes, plan.weights / plan.scale), 1e-9)
        assert near.value * model.largest == pytest.approx(float(mean(model, found, plan.scale)), abs=1e-12)


@small_games([*SMALL, {"dice": "2,1", "sides": 4}, {"dice": "2,2", "sides": 3, "wild": 1, "wild_biddable": False}])
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.first(10)
def test_responses_are_the_same_in_floats_and_in_integers(game, seed):
    """Weights are small integers over a power of two, so floats are exact and ties are broken alike."""
    model, rng = BiddingForm(game), random.Random(seed)
    support = random_support(model, rng, 0.25 + 0.25 * seed)
    exact = tuple(random_plan(model, support, player, rng, grain=2**6) for player in range(2))
    floats = tuple(PlanOnSupport(plan.nodes, plan.weights / plan.scale) for plan in exact)
    unit = model.totals[0] * model.totals[1] * model.largest
    for threshold in (0, seed * model.largest):
        integers = response.respond_both(model, support, exact, threshold * exact[0].scale)
        shares = [threshold / (model.totals[1 - player] * model.largest) for player in range(2)]
        for player, whole in enumerate(integers):
            one = respond(model, support, player, floats[1 - player], shares[player])
            assert listed(one) == listed(whole)
            for of in ("value", "restricted"):
                assert getattr(one, of) == pytest.approx(getattr(whole, of) / exact[0].scale / unit, abs=1e-12)


def listed(found):
    return found.visited, [(int(node), int(bid), hands.tolist()) for node, bid, hands in found.moves]


@small_games(SMALL)
@settings(max_examples=12)
@given(seed=st.integers(0, 10**6))
def test_with_the_improving_moves_the_restricted_game_is_worth_what_the_whole_is(game, seed):
    rng = random.Random(seed)
    model = BiddingForm(game)
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
    model = BiddingForm(game)
    support = random_support(model, random.Random(seed))
    program = master(model, support)
    point, _ = finish(exact_optimum(program.exact, finish(maximize(program.program))))
    assert model.payoff(point.primal[1]) == eb.solve(support_tree(every_move(model, support)), "lp").value[0]


def test_a_basis_is_carried_into_a_larger_restricted_game():
    game = eb.game("liars-dice", sides=4, wild="highest")
    model, rng = BiddingForm(game), random.Random(3)
    support = random_support(model, rng, 0.3)
    first = master(model, support)
    vertex = finish(maximize(first.program))
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
    warm, cold = finish(maximize(after.program, start)), finish(maximize(after.program))
    assert warm.values[1] == pytest.approx(cold.values[1], abs=1e-9)


@small_games(SMALL)
@settings(max_examples=12)
@given(seed=st.integers(0, 10**6))
def test_any_numbers_become_valid_plans(game, seed):
    rng = random.Random(seed)
    model = BiddingForm(game)
    support = random_support(model, rng)
    for player in range(2):
        sequences = support.sequences(player)
        mass = np.array([rng.uniform(-0.2, 1) for _ in range(len(sequences))])
        plan = float_plan(model, support, player, sequences, mass, 0.05)
        whole = rounded(model, support, player, plan)
        plans = [whole, random_plan(model, support, 1 - player, rng)]
        profile = sparse_profile(model, (support, support), tuple(plans if player == 0 else plans[::-1]))
        assert verify(profile).lower <= verify(profile).upper  # its distributions were checked
        table = np.zeros((len(support), model.hands[player]))
        table[plan.nodes] = plan.weights
        again = np.zeros(table.shape)
        again[whole.nodes] = whole.weights / whole.scale
        assert np.abs(table - again).max() < 1e-6


GAMES = [{"sides": 3}, {"dice": "2,1"}, {"sides": 3, "dice": "2,2", "max_quantity": 1, "payoff": "points"}]

# --- integers of 64 bits only where every sum fits


def exact_from(model, support, player, plan):
    """The plan once more, by ``exact_plan`` from exact masses."""
    weights = dict(zip(plan.nodes.tolist(), plan.weights, strict=True))
    sequences, chances = support.sequences(player), model.chances[player]
    mass = [
        Fraction(int(weights[node][hand]) if node in weights else 0, plan.scale)
        * Fraction(int(chances[hand]), model.totals[player])
        for node, hand in zip(sequences.node.tolist(), sequences.hand.tolist(), strict=True)
    ]
    return exact_plan(model, support, player, sequences, mass)


@small_games(GAMES)
@pytest.mark.parametrize("bits", [5, 40, 57, 61, 62])
def test_plans_of_any_scale_get_exact_best_responses(game, bits):
    """Weights of up to 62 bits fit into 64, but their sums over the game do not."""
    model, rng, tree = BiddingForm(game), random.Random(bits), eb.build(game)
    support = random_support(model, rng)
    grain = 2**bits - 1  # odd, so that fractions stay as long as they are
    plans = tuple(exact_from(model, support, p, random_plan(model, support, p, rng, grain=grain)) for p in range(2))
    assert all(plan.scale > grain // 4 for plan in plans)
    profile = sparse_profile(model, (support, support), plans).on(tree)
    for player in range(2):
        plan = plans[1 - player]
        found = respond(model, support, player, plan, 0)
        assert in_payoffs(model, player, found, plan.scale) == best_response(profile, player).value
        # The largest number on the way to a value: all hands, at the largest payoff.
        largest = plan.scale * model.totals[0] * model.totals[1] * model.largest
        assert plan.weights.dtype == object or largest < 2**63
        assert plan.weights.dtype == np.int64 or largest >= 2**58


def test_a_blend_of_plans_is_a_plan_and_guarantees_the_mean():
    """Against any fixed play the payoff is linear in a plan, so a best response gets no more than from the parts."""
    model, rng = BiddingForm(eb.game("liars-dice", sides=3)), random.Random(5)
    support = random_support(model, rng)
    one, two = (random_plan(model, support, 0, rng) for _ in range(2))
    blend = blended(support, one, two, 0.25)
    same = valid_plan(model, support, 0, blend.nodes, blend.weights.copy(), 1)
    assert same.nodes.tolist() == blend.nodes.tolist()
    assert same.weights == pytest.approx(blend.weights)
    worth = [respond(model, support, 1, plan, 0.0).value / plan.scale for plan in (one, two)]
    got = respond(model, support, 1, blend, 0.0).value
    scale = 1.0 if one.weights.dtype == np.float64 else model.totals[0] * model.totals[1] * model.largest
    assert got <= (0.25 * worth[0] + 0.75 * worth[1]) / scale + 1e-9
    assert blended(support, one, two, 1.0).nodes.tolist() == one.nodes.tolist()


# --- regret minimization


def test_numpy_serves_if_numba_has_no_folder_for_its_cache(monkeypatch):
    """And numba is asked only once."""
    numba = pytest.importorskip("numba")
    njit, asked = numba.njit, []

    def refuse(function):
        asked.append(function)
        raise RuntimeError("cannot cache function: no locator available")

    monkeypatch.setattr(numba, "njit", lambda *f, **named: refuse if named.get("cache") else njit(*f, **named))
    monkeypatch.setattr(kernel, "_compiled", cache(kernel._compiled.__wrapped__))
    before = kernel._pays
    for _ in range(2):
        assert isinstance(regret.fastest(BiddingForm(HARD)), NumpyStep)
    assert len(asked) == 1
    assert kernel._pays is before


@small_games(SMALL)
@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize(("seed", "forgotten"), [(0, None), (1, None), (2, 2)])
def test_an_iteration_is_counterfactual_regret_minimization(game, seed, forgotten, compiled, monkeypatch):
    """Held against the definition, node by node: Zinkevich et al. (2007), with CFR+'s cut at 0 and discounts.

    Averages that were forgotten after some iterations are those of the later ones. Regrets are random at first: where
    two moves are exactly as good, rounding would decide what is played. Compiled, with and without subtrees for two
    cores, floats have 32 bits.
    """
    if compiled:
        pytest.importorskip("numba")
    changed = replace(kernel.SETTINGS, least_shared=0 if seed else 10**9, least_decisions=1 + seed)
    monkeypatch.setattr(kernel, "SETTINGS", changed)
    monkeypatch.setattr(kernel, "threads", lambda: 2)
    rng = random.Random(seed)
    model = BiddingForm(game)
    support = random_support(model, rng)
    for node in range(1, len(support)):
        support.allowed[node][:] = True
    step = regret.fastest(model) if compiled else NumpyStep(model)
    regrets, plain = RestrictedRegrets(model, support, step), PlainRegrets(model, support, 2, 100)
    assert not compiled or seed == 0 or any(len(at.tasks) > 1 for at in step.layouts) or len(support) < 8
    for player in range(2):
        give_random_regrets(regrets, player, np.random.default_rng(seed), 0)
        sides = regrets.sides
        for node, row in zip(sides[player].nodes, regrets.bids[player], strict=True):
            plain.regret |= {(support.parent[node], hand, node): r for hand, r in enumerate(row)}
        for node, row in zip(sides[1 - player].nodes, regrets.calls[player][:-1], strict=True):
            plain.regret |= {(node, hand, None): r for hand, r in enumerate(row)}
    regrets._start()
    for count in range(4):
        if count == forgotten:
            regrets.forget()
            plain.forget()
        regrets.iterate()
        plain.iterate()
    for player in range(2):
        nodes, weights = regrets.average(player)
        for node, row in zip(nodes, weights, strict=True):
            for hand, weight in enumerate(row):
                wanted = plain.average(player, node, hand)
                assert weight == pytest.approx(wanted, abs=1e-4 if compiled else 1e-9)


def give_random_regrets(regrets, player, rng, unknown=0.3):
    for table in (regrets.bids[player], regrets.calls[player]):
        table[:] = rng.random(table.shape)
        table[rng.random(len(table)) < unknown] = 0
    # Nobody calls before the first bid, and where there are no bids there is nothing to regret.
    regrets.calls[player][np.setdiff1d(np.arange(len(regrets.calls[player])), regrets.sides[player].above)] = 0
    regrets.calls[player][-1] = 0


def test_regrets_and_averages_outlive_growth():
    game = eb.game("liars-dice", sides=3)
    model = BiddingForm(game)
    support = random_support(model, random.Random(1), 0.2)
    regrets = RestrictedRegrets(model, support, NumpyStep(model))
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


# --- exact rounds and the bracket


def at_the_start(lower=None, upper=None):
    """A search before its first round, with plans that are said to give these bounds, if they are given."""
    search = start(BiddingForm(eb.game("liars-dice", sides=3, dice="2,1")))
    search.lower = search.lower if lower is None else lower
    search.upper = search.upper if upper is None else upper
    return search


def test_an_exact_round_keeps_the_better_of_both_bounds():
    # The first restricted game, a bid and calls, bounds the value badly; 1/9 is in the table of README.md.
    plain = at_the_start()
    assert not finish(solve_exactly(plain))
    low, high = plain.lower, plain.upper
    assert -1 <= low < 1 / 9 < high <= 1
    for lower, upper in ((0.1, 0.2), (0.1, 2.0), (-2.0, 0.2)):
        search = at_the_start(lower, upper)
        before = list(search.plans)
        assert not finish(solve_exactly(search))
        assert (search.lower, search.upper) == (max(lower, low), min(upper, high))
        assert (search.plans[0] is before[0], search.plans[1] is before[1]) == (lower > low, upper < high)
        assert search.support.children != start(search.model).support.children  # what improves is added all the same


def test_exact_plans_stand_where_floats_cannot_tell_and_where_the_bounds_meet():
    search = at_the_start(0.1, 0.2)
    exact = (object(), object())
    search.update_bounds_exactly(exact, Fraction(1, 10) - Fraction(SIGHT) / 2, Fraction(2, 10) + Fraction(SIGHT) / 2)
    assert (search.lower, search.upper) == (0.1, 0.2)
    assert search.plans == list(exact)
    search.lower = 0.3  # what no strategy guarantees, as floats may come to say
    search.update_bounds_exactly(exact[::-1], Fraction(1, 9), Fraction(1, 9))
    assert search.lower == search.upper == 1 / 9
    assert search.plans == list(exact[::-1])


def test_without_numba_a_game_may_have_more_bids_than_an_integer_has_bits():
    model = BiddingForm(eb.game("liars-dice", dice="6,6"))  # 24 bids; with six sides there are 72
    wide = BiddingForm(eb.game("liars-dice", dice="6,6", sides=6))
    assert (model.bids, wide.bids) == (24, 72)
    for form in (model, wide):
        support = start(form).support
        RestrictedRegrets(form, support, NumpyStep(form)).iterate()
        assert support.histories.tolist() == [0, 1]


def test_the_largest_payoff_is_that_of_all_hands():
    model = BiddingForm(eb.game("liars-dice", dice="2,1", sides=3, payoff="points"))
    assert model.largest == max(int(abs(table).max()) for table in model.called)
