"""Parts of the double oracle without a tree that its answers hide: integers, averages, the best so far."""

import random
import re
from fractions import Fraction
from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest
from bidding_games import HARD, PlainRegrets, in_payoffs, random_plan, random_support, small_games

import efg_builder as eb
from efg_builder.proof import best_response
from efg_builder.solvers.oracle import bidding_large, bidding_oracle
from efg_builder.solvers.oracle.bidding import bidding
from efg_builder.solvers.oracle.bidding_plan import exact_plan, sparse_profile
from efg_builder.solvers.oracle.bidding_programs import Programs
from efg_builder.solvers.oracle.bidding_regret import Regrets
from efg_builder.solvers.oracle.bidding_response import respond
from efg_builder.solvers.oracle.bidding_search import SIGHT, start
from efg_builder.solvers.oracle.bidding_support import Plan

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
    model, rng, tree = bidding(game), random.Random(bits), eb.build(game)
    support = random_support(model, rng)
    grain = 2**bits - 1  # odd, so that fractions stay as long as they are
    plans = tuple(exact_from(model, support, p, random_plan(model, support, p, rng, grain=grain)) for p in range(2))
    assert all(plan.scale > grain // 4 for plan in plans)
    profile = sparse_profile(model, support, plans).on(tree)
    for player in range(2):
        plan = plans[1 - player]
        found = respond(model, support, player, plan, 0)
        assert in_payoffs(model, player, found, plan.scale) == best_response(profile, player).value
        # The largest number on the way to a value: all hands, at the largest payoff.
        largest = plan.scale * model.totals[0] * model.totals[1] * model.largest
        assert plan.weights.dtype == object or largest < 2**63
        assert plan.weights.dtype == np.int64 or largest >= 2**58


def test_weights_beyond_64_bits_are_kept():
    game = eb.game("liars-dice", sides=3)
    model, rng = bidding(game), random.Random(1)
    support = random_support(model, rng)
    small = random_plan(model, support, 0, rng)
    factor = 10**30 + 7
    large = Plan(small.nodes, small.weights.astype(object) * factor, small.scale * factor)
    # The same plan in lowest terms, however it is written.
    again = exact_from(model, support, 0, large)
    assert again.weights.dtype == np.int64
    weights = small.weights.astype(object) * factor
    weights[:, 0] = np.where(weights[:, 0] > 0, weights[:, 0] - 1, 0)
    again = exact_from(model, support, 0, Plan(small.nodes, weights, small.scale * factor))
    assert again.weights.dtype == object
    assert again.scale == small.scale * factor
    assert (again.weights == weights[np.isin(small.nodes, again.nodes)]).all()


# --- averages start anew


def test_averages_that_were_forgotten_are_those_of_later_iterations():
    game = eb.game("liars-dice", sides=3)
    model = bidding(game)
    support = random_support(model, random.Random(4))
    for node in range(1, len(support)):
        support.allowed[node][:] = True
    regrets, plain = Regrets(model, support, np.float64), PlainRegrets(model, support)
    for count in range(6):
        if count == 3:
            regrets.forget()
            plain.total, plain.weight = {}, 0
        regrets.iterate()
        plain.iterate()
    for player in range(2):
        for node, row in zip(*regrets.average(player), strict=True):
            for hand, weight in enumerate(row):
                assert weight == pytest.approx(plain.average(player, node, hand), abs=1e-9)


def test_averages_start_anew_whenever_the_restricted_game_has_grown():
    """And only then: a plan on what is new would else be drowned by the time before there was anything new."""
    model = bidding(HARD)
    support = bidding_oracle.start(model).support
    sizes, told = [len(support)], []

    class Watched(Regrets):
        def forget(self):
            super().forget()
            told.append(len(self.support))

    gap = [2.0]

    def look(plans, responses):
        sizes.append(len(support))
        gap[0] = min(gap[0], responses[0].value + responses[1].value)
        return len(sizes) < 25

    bidding_large.minimise(Watched(model, support), look, lambda: gap[0], lambda: None)
    settled, wanted = sizes[0], []
    for size in sizes[2:]:  # what a look lets in shows in the next
        if size > bidding_large.STALE * settled:
            wanted.append(size)
            settled = size
    assert len(wanted) > 3
    assert len(wanted) < len(sizes) - 3
    assert told == [sizes[0], *wanted]  # at the start, and then


# --- the best so far


def judged(search, lower, upper):
    """A round in which player 1's plan proves *lower* and player 2's *upper*; returns the two plans."""
    plans = tuple(Plan(np.zeros(0, dtype=np.intp), np.zeros((0, 1))) for _ in range(2))
    responses = (SimpleNamespace(value=upper, visited=3), SimpleNamespace(value=-lower, visited=4))
    search.judge(plans, responses)
    return plans


def test_a_worse_bound_never_replaces_a_better_one():
    search = bidding_oracle.start(bidding(HARD))
    one, two = judged(search, -0.5, 0.5)
    assert (search.lower, search.upper, search.plans[0], search.plans[1]) == (-0.5, 0.5, one, two)
    # Player 1's gets worse, player 2's better, and the other way round.
    _, two = judged(search, -0.75, 0.25)
    assert (search.lower, search.upper) == (-0.5, 0.25)
    assert search.plans[0] is one
    assert search.plans[1] is two
    one, _ = judged(search, 0.125, 0.75)
    assert (search.lower, search.upper) == (0.125, 0.25)
    assert search.plans[0] is one
    assert search.plans[1] is two
    judged(search, -1, 1)
    assert (search.lower, search.upper, search.rounds) == (0.125, 0.25, 4)
    assert search.plans[0] is one
    assert search.plans[1] is two
    assert search.visited == (3, 4)


@pytest.mark.parametrize("how", ["lp", "regret"])
def test_the_bracket_never_widens(how):
    brackets = []

    def note(line):
        found = re.match(r"round \d+: .* value in \[(\S+), (\S+)\]", line)
        if found and "rationals" not in line:
            brackets.append((float(found[1]), float(found[2])))

    solution = eb.solve(HARD, "oracle", options={"master": how}, gap=Fraction(1, 30), progress=note, timeout=60)
    assert solution.upper - solution.lower <= Fraction(1, 30)
    assert len(set(brackets)) > 4
    for before, after in pairwise(brackets):
        assert before[0] <= after[0] <= after[1] <= before[1]
    assert solution.lower >= brackets[-1][0] - 1e-5
    assert solution.upper <= brackets[-1][1] + 1e-5


# --- from regret minimisation back to linear programs


def test_regrets_seed_linear_programs_that_end_exactly(monkeypatch):
    value, lines = eb.solve(HARD, "oracle").value[0], []
    monkeypatch.setattr(bidding_oracle, "LP_SECONDS", 1e-9)
    solution = eb.solve(HARD, "oracle", progress=lines.append)
    assert solution.exact
    assert solution.value[0] == value
    how = ["regret" if "regret minimisation" in line else "lp" for line in lines if line.startswith("round")]
    assert "regret" in how
    assert how[-1] == "lp"


def test_regrets_go_on_where_linear_programs_stay_too_slow(monkeypatch):
    monkeypatch.setattr(bidding_oracle, "LP_SECONDS", 1e-9)
    monkeypatch.setattr(bidding_oracle, "PATIENCE", 1e-9)
    tried, close = [], bidding_oracle.Programs.close

    def counted(self):
        tried.append(self.patience)
        return close(bidding_oracle.Programs(**{**vars(self), "patience": 1e-9}))

    monkeypatch.setattr(bidding_oracle.Programs, "close", counted)
    solution = eb.solve(HARD, "oracle", gap=Fraction(1, 5000), timeout=60)
    assert solution.upper - solution.lower <= Fraction(1, 5000)
    assert len(tried) > 1
    assert tried[1:] == sorted(tried[1:])


def test_what_is_kept_has_all_that_leads_to_it():
    model = bidding(HARD)
    search = bidding_oracle.start(model)
    regrets = Regrets(model, search.support)
    bidding_large.minimise(regrets, lambda plans, responses: regrets.iterations < 400, lambda: 0.1, lambda: None)
    support = regrets.support
    before = sum(int(flags.sum()) for flags in support.allowed[1:])
    bidding_large.narrow(regrets)
    assert 0 < sum(int(flags.sum()) for flags in support.allowed[1:]) < before / 2
    weights = {node: row for player in range(2) for node, row in zip(*regrets.average(player), strict=True)}
    for node in range(1, len(support)):
        parent = support.parent[node]
        assert (support.allowed[node] >= (weights[node] > bidding_large.WORTH)).all()
        if support.allowed[node].any() and parent:
            assert support.allowed[parent].any()
            own = support.parent[parent]
            assert not own or (support.allowed[own] >= support.allowed[node]).all()


# --- exact rounds and the bracket


def at_the_start(lower=None, upper=None):
    """A search before its first round, with plans that are said to give these bounds, and the rounds of it."""
    search = start(bidding(eb.game("liars-dice", sides=3, dice="2,1")))
    search.lower = search.lower if lower is None else lower
    search.upper = search.upper if upper is None else upper
    return search, Programs(search, 0.0, lambda: None, lambda line: None, lambda: None, None)


def test_an_exact_round_keeps_the_better_of_both_bounds():
    # The first restricted game, a bid and calls, bounds the value badly; 1/9 is in the table of README.md.
    plain, programs = at_the_start()
    assert not programs._exact_round()
    low, high = plain.lower, plain.upper
    assert -1 <= low < 1 / 9 < high <= 1
    for lower, upper in ((0.1, 0.2), (0.1, 2.0), (-2.0, 0.2)):
        search, programs = at_the_start(lower, upper)
        before = list(search.plans)
        assert not programs._exact_round()
        assert (search.lower, search.upper) == (max(lower, low), min(upper, high))
        assert (search.plans[0] is before[0], search.plans[1] is before[1]) == (lower > low, upper < high)
        assert search.support.children != start(search.model).support.children  # what improves is added all the same


def test_exact_plans_stand_where_floats_cannot_tell_and_where_the_bounds_meet():
    search, _ = at_the_start(0.1, 0.2)
    exact = (object(), object())
    search.judge_exact(exact, Fraction(1, 10) - Fraction(SIGHT) / 2, Fraction(2, 10) + Fraction(SIGHT) / 2)
    assert (search.lower, search.upper) == (0.1, 0.2)
    assert search.plans == list(exact)
    search.lower = 0.3  # what no strategy guarantees, as floats may come to say
    search.judge_exact(exact[::-1], Fraction(1, 9), Fraction(1, 9))
    assert search.lower == search.upper == 1 / 9
    assert search.plans == list(exact[::-1])
