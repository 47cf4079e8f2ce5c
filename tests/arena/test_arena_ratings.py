"""Elo's ratings and the model of skill and luck, from simulated players of known strength."""

from math import inf, log, log10

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from efg_builder.experiments.arena import fit_elo, fit_luck, run_arena
from efg_builder.experiments.arena.play import Contest, GameResult
from efg_builder.experiments.arena.ratings import LossEvent, added_events, events
from efg_builder.experiments.arena.schedule import pairings
from efg_builder.games.catalogue import make

STRENGTH = (-300, -150, 0, 50, 120, 200, 300, 400)


def chance(one, two, r=1.0):
    """Elo's formula, with luck: how likely the first beats the second."""
    return r / (1 + 10 ** (-(one - two) / 400)) + (1 - r) / 2


def simulated(elo, games, r=1.0, blocks=40, seed=0):
    """Results of a round robin, in blocks."""
    rng, found = np.random.default_rng(seed), []
    for _ in range(blocks):
        part = {}
        for i, j in pairings(range(len(elo)), 2):
            won = int(rng.binomial(games // blocks, chance(elo[i], elo[j], r)))
            part |= {LossEvent((i, j), j): won, LossEvent((i, j), i): games // blocks - won}
        found.append(part)
    return found


def centred(elo):
    return [each - sum(elo) / len(elo) for each in elo]


def test_ratings_of_players_of_known_strength_are_recovered():
    found = fit_elo(simulated(STRENGTH, 4000), len(STRENGTH))
    assert found.blocks == 40
    for elo, low, high, true in zip(found.elo, found.low, found.high, centred(STRENGTH), strict=True):
        assert abs(elo - true) < 2.2 * (high - elo) < 25
        assert elo - low == pytest.approx(high - elo)


@pytest.mark.parametrize("times", [1, 2])
def test_intervals_hold_the_truth_as_often_as_they_say(times):
    # Every game counted twice is as two seatings of one deal that come out alike: half of what there seems to be.
    hits, alone = [], []
    for seed in range(60):
        parts = [{event: times * n for event, n in part.items()} for part in simulated(STRENGTH[:5], 1000, seed=seed)]
        found = fit_elo(parts, 5)
        for k, true in enumerate(centred(STRENGTH[:5])):
            hits.append(found.low[k] <= true <= found.high[k])
            alone.append(abs(found.elo[k] - true) <= found.alone[k])
    # 300 intervals of 95%; those of one round robin hang together, so that 3.3% is some 2.5 standard errors.
    assert 0.917 < np.mean(hits) < 0.983
    if times == 1:
        assert 0.917 < np.mean(alone) < 0.983
    else:
        assert np.mean(alone) < 0.9  # 1.96 / sqrt(2) standard errors: 83%


@pytest.mark.parametrize(
    ("won", "lost", "points"),
    # Ahle, "Liar's Dice by Self-Play": rounds and matches of the first week online, "between 23 and 48 points".
    [(300, 100, 400 * log10(3)), (5031, 4416, 23), (846, 640, 48)],
)
def test_two_players_are_as_far_apart_as_the_odds_say(won, lost, points):
    found = fit_elo([{LossEvent((0, 1), 1): won, LossEvent((0, 1), 0): lost}], 2)
    assert found.elo[0] - found.elo[1] == pytest.approx(points, abs=0.5 if isinstance(points, int) else 1e-6)
    # A binomial share p of n games has the variance 1 / (n p (1 - p)) in its log odds; half of it on each side.
    half = 1.959964 * (400 / log(10)) / (won * lost / (won + lost)) ** 0.5 / 2
    assert found.high[0] - found.elo[0] == pytest.approx(half, rel=1e-5)
    assert (found.blocks, found.low[0] > 0) == (0, True)


def log_likelihood(elo, total, r=1.0):
    """Of events, term by term."""
    found = 0.0
    for (among, loser), weight in total.items():
        odds = [10 ** (-elo[k] / 400) for k in among]
        found += weight * log(r * odds[among.index(loser)] / sum(odds) + (1 - r) / len(among))
    return found


@settings(max_examples=25, deadline=None)
@given(st.randoms(use_true_random=False))
def test_no_other_ratings_are_likelier(random):
    players = random.randint(2, 5)
    total = {}
    for among in [*pairings(range(players), 2), *(pairings(range(players), 3) if players > 2 else [])]:
        for loser in among:
            total[LossEvent(tuple(among), loser)] = random.randint(1, 9)
    found = fit_elo([total], players)
    assert len(found.groups) == 1
    best = log_likelihood(found.elo, total)
    for k in range(players):
        for step in (-0.5, 0.5, 20):
            other = [each + step * (k == at) for at, each in enumerate(found.elo)]
            assert log_likelihood(other, total) < best + 1e-9


def test_the_order_of_elimination_gives_ratings():
    elo, rng = np.array([0.0, 100.0, 250.0, -80.0]), np.random.default_rng(3)
    parts = []
    for _ in range(40):
        orders = {}
        for _ in range(60):
            left, out = list(range(4)), []
            while len(left) > 1:
                odds = 10 ** (-elo[left] / 400)
                out.append(left.pop(rng.choice(len(left), p=odds / odds.sum())))
            order = ">".join(map(str, [*left, *reversed(out)]))
            orders[order] = orders.get(order, 0) + 1
        parts.append(added_events(orders, range(4)))
    found = fit_elo(parts, 4)
    for k, true in enumerate(centred(elo)):
        assert abs(found.elo[k] - true) < 2.2 * (found.high[k] - found.elo[k]) < 40


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("0>1", {LossEvent((7, 5), 5): 1}),
        ("0=1", {LossEvent((7, 5), 5): 0.5, LossEvent((7, 5), 7): 0.5}),
        ("0=2>1", {LossEvent((7, 5, 9), 5): 1, LossEvent((7, 9), 7): 0.5, LossEvent((7, 9), 9): 0.5}),
        ("1>2>0", {LossEvent((7, 5, 9), 7): 1, LossEvent((5, 9), 9): 1}),
    ],
)
def test_orders_are_read_from_the_last_place_up(order, expected):
    players = (7, 5, 9)[: sum(letter.isdigit() for letter in order)]
    assert dict(events(order, players)) == expected


# --- what has no rating


def test_who_never_lost_has_no_finite_rating_and_the_others_have():
    total = {LossEvent((0, 1), 1): 10, LossEvent((0, 2), 2): 7, LossEvent((1, 2), 2): 3, LossEvent((1, 2), 1): 2}
    found = fit_elo([total], 3)
    assert found.groups == ((0,), (1, 2))
    assert (found.low[0], found.high[0]) == (-inf, inf)
    assert found.elo[1] - found.elo[2] == pytest.approx(400 * log10(3 / 2))


def test_players_who_never_met_are_in_groups_of_their_own():
    total = {LossEvent((0, 1), 1): 1, LossEvent((0, 1), 0): 1, LossEvent((2, 3), 3): 1, LossEvent((2, 3), 2): 2}
    assert sorted(fit_elo([total], 5).groups) == [(0, 1), (2, 3), (4,)]
    assert fit_elo([], 2).groups == ((0,), (1,))
    assert fit_luck([], 2) is None


# --- skill and luck

CHECKPOINTS = tuple(range(0, 1500, 150))


def test_the_part_of_skill_is_recovered():
    # r = 0.20 is what Ahle found for the checkpoints of a net, with 10,000 games a pair.
    blocks = simulated(CHECKPOINTS, 10_000, r=0.20, blocks=10, seed=1)
    found = fit_luck(blocks, len(CHECKPOINTS))
    assert found.low < 0.20 < found.high
    assert found.high - found.low < 0.02
    assert found.determined
    assert found.gain > 100
    assert not found.at_bound
    for elo, true in zip(found.elo, centred(CHECKPOINTS), strict=True):
        assert abs(elo - true) < 120
    # Elo's own formula makes of the same games much less of a difference.
    plain = fit_elo(blocks, len(CHECKPOINTS))
    assert plain.elo[-1] - plain.elo[0] < 150


@pytest.mark.parametrize("r", [0.15, pytest.param(0.6, marks=pytest.mark.slow)])
def test_intervals_of_r_hold_it(r):
    inside = []
    for seed in range(6):
        found = fit_luck(simulated((-600, -250, 0, 300, 600), 4000, r=r, blocks=1, seed=seed), 5)
        inside.append(found.low <= r <= found.high)
        assert found.low < found.high < r + 0.25
    assert sum(inside) >= 4  # of 6 at 95%: fewer in one run of five hundred


def test_the_profile_ends_where_twice_the_log_likelihood_is_that_much_lower():
    (total,) = simulated((-400, 0, 500), 4000, r=0.6, blocks=1, seed=2)
    found = fit_luck([total], 3)
    best = log_likelihood(found.elo, total, found.r)
    for step in (-0.02, 0.02):
        assert log_likelihood(found.elo, total, found.r + step) < best
    for k in range(3):
        for step in (-5, 5):
            other = [each + step * (k == at) for at, each in enumerate(found.elo)]
            assert log_likelihood(other, total, found.r) < best
    # With r fixed at an end, the likeliest ratings (found anew, by another method) are just at the floor.
    for end in (found.low, found.high):
        at = [found.elo[1] - found.elo[0], found.elo[2] - found.elo[0]]
        top = -minimize(lambda x, r=end: -log_likelihood((0, *x), total, r), at, method="Nelder-Mead").fun
        assert top == pytest.approx(best - 3.8414588 / 2, abs=0.05)


def test_pure_skill_and_two_players_are_said_to_be_so():
    found = fit_luck(simulated((0, 100, 200, 300), 1000, seed=4), 4)
    assert (found.high, found.determined) == (1.0, False)
    two = fit_luck([{LossEvent((0, 1), 1): 800, LossEvent((0, 1), 0): 200}], 2)
    assert (two.r, two.high) == (1.0, 1.0)
    # Who wins 80% wins so by skill in 60% of the games at least, up to what chance adds.
    assert 0.5 < two.low < 0.6


def test_a_perfect_record_bounds_r_and_not_the_ratings():
    found = fit_luck(
        [{LossEvent((0, 1), 1): 50, LossEvent((1, 2), 2): 40, LossEvent((1, 2), 1): 20, LossEvent((0, 2), 2): 50}], 3
    )
    assert found.at_bound == (0,)
    assert found.low > 0.8


# --- through the whole arena


def of_strength(elo, shared):
    """In place of ``Contest.play``: numbers of a deal, for both seatings the same or not, decide by Elo's formula."""

    def play(self, seating, draws, game):
        number = draws.moves(game, 0, 0)[0][0 if shared else seating[0]]
        wins = number < chance(elo[seating[0]], elo[seating[1]])
        return GameResult((1.0, -1.0), (0, 1)) if wins else GameResult((-1.0, 1.0), (1, 0))

    return play


@pytest.mark.slow
def test_ratings_through_shared_deals_hold_the_truth_as_often_as_they_say(monkeypatch):
    # All pairings and both seatings of a deal go by one number: games have as much in common as they ever can.
    elo = (0, 60, 150, 260, 400)
    monkeypatch.setattr(Contest, "play", of_strength(elo, shared=True))
    players = [(f"strength {each}", "uniform") for each in elo]
    hits, alone = [], []
    for seed in range(200):
        found = run_arena(make("liars-dice", {}), players, 400, seed=seed, workers=1, measured=False).elo
        assert found.blocks == 50
        for k in (0, 4):
            true = centred(elo)[k]
            hits.append(found.low[k] <= true <= found.high[k])
            alone.append(abs(found.elo[k] - true) <= found.alone[k])
    # The two of one arena say nearly the same: 95%, give or take three standard errors of 200 that are independent.
    assert 0.904 < np.mean(hits) < 0.996
    # What would be right of independent games is some two thirds as long: 1.25 standard errors, 79%.
    assert np.mean(alone) < 0.88


def test_an_arena_of_players_of_known_strength_rates_them(monkeypatch):
    elo = (0, 90, 250, 400)
    monkeypatch.setattr(Contest, "play", of_strength(elo, shared=False))
    players = [(f"strength {each}", "uniform") for each in elo]
    found = run_arena(make("liars-dice", {}), players, 6000, workers=1, measured=False).elo
    for k, true in enumerate(centred(elo)):
        assert abs(found.elo[k] - true) < 2.2 * (found.high[k] - found.elo[k]) < 25
