"""What chance decides, who sits where, what is told, and how intervals are made."""

import sqlite3
from collections import Counter
from contextlib import closing
from fractions import Fraction
from itertools import permutations, product
from math import comb

import numpy as np
import pytest
from fighters import CROOKED, PLAIN, crooked
from hypothesis import given, settings
from hypothesis import strategies as st
from paths import DOCS

import efg_builder as eb
from efg_builder.experiments.arena import expected as measuring
from efg_builder.experiments.arena import play, ratings, run_arena, running, schedule
from efg_builder.experiments.arena.play import MOVES, Contest, Draws, MoveSampler, Room, _sums, in_turn, ranks, sampler
from efg_builder.experiments.arena.report import to_data
from efg_builder.experiments.arena.results import apart, estimate
from efg_builder.experiments.arena.schedule import blocks, contestants, pairings, seatings
from efg_builder.experiments.arena.tally import Tally, added, count, order_groups, order_text, scores
from efg_builder.forms.subject import Subject
from efg_builder.games.match_rules import Standing

ROUND = eb.game("liars-dice", sides=3)


# --- the schedule


def test_everybody_meets_everybody_and_sits_in_each_seat_once():
    for players, seats in product(range(2, 8), range(2, 6)):
        names = "abcdefg"[:players]
        found = pairings(names, seats)
        assert len(set(map(frozenset, (Counter(each).items() for each in found)))) == len(found)
        assert all(len(set(each)) > 1 for each in found)
        met = {frozenset(pair) for each in found for pair in permutations(each, 2)}
        assert set(map(frozenset, permutations(names, 2))) <= met
    assert seatings([2, 0, 1]) == [(2, 0, 1), (1, 2, 0), (0, 1, 2)]
    for order in permutations(range(4)):
        assert all(sorted(column) == [0, 1, 2, 3] for column in zip(*seatings(order), strict=True))


def test_blocks_hold_all_deals():
    for deals, size in product(range(1, 80), range(1, 60)):
        found = blocks(deals, size)
        assert [block for block, _ in found] == list(range(len(found)))
        assert [part for _, part in found] == [size] * (deals // size) + [deals % size] * (deals % size > 0)


# --- chance


def test_a_block_begins_alike_however_much_of_it_is_played():
    long, short = Draws(5, 3, 40, 3), Draws(5, 3, 7, 3)
    for game in range(7):
        assert long.orders()[game] == short.orders()[game]
        for turn in (0, 2):
            assert long.hands(game, turn) == short.hands(game, turn)
            assert long.moves(game, turn, 1) == short.moves(game, turn, 1)


def test_no_two_numbers_are_the_same():
    found = []
    for seed in (0, 1):
        for block in (0, 1):
            draws = Draws(seed, block, 3, 2)
            for turn in (0, 1):
                for game in range(3):
                    found += draws.hands(game, turn)
                    found += [x for part in (0, 1) for seat in draws.moves(game, turn, part) for x in seat]
    assert len(found) == len(set(found)) == 2 * 2 * 2 * 3 * (2 + 2 * 2 * MOVES)
    assert min(found) >= 0
    assert max(found) < 1


@pytest.mark.parametrize("name", ["liars-dice", "dice-poker"])
@pytest.mark.first(1)
def test_hands_come_as_often_as_the_rules_say(name):
    game = eb.game(name, **({"sides": 3, "dice": (2, 1)} if name == "liars-dice" else {"sides": 3}))
    room, games = Room(game, []), 60_000
    draws = Draws(1, 0, games, 2)
    found = Counter(room.hands(draws.hands(k, 0)) for k in range(games))
    assert set(found) <= {deal.hands for deal in game.deals}
    for deal in game.deals:
        p = float(deal.probability)
        assert abs(found[deal.hands] / games - p) < 4.5 * (p * (1 - p) / games) ** 0.5


@settings(max_examples=50, deadline=None)
@given(
    st.lists(st.sampled_from([0.0, 0.1, 0.3, 1e-17, 1 / 3]), min_size=1, max_size=6), st.floats(0, 1, exclude_max=True)
)
def test_what_cannot_happen_is_never_drawn(chances, number):
    from bisect import bisect_right

    if not any(chances):
        return
    sums = _sums(chances)
    k = bisect_right(sums, number)
    assert chances[k] > 0
    below, total = sum(chances[:k]) / sum(chances), sum(chances[: k + 1]) / sum(chances)
    assert below - 1e-12 <= number <= total + 1e-12


def test_a_player_against_itself_wins_nothing_on_any_deal():
    found = run_arena(ROUND, [("one", CROOKED[1]), ("two", CROOKED[1])], 300, workers=1).meetings[0]
    assert (found.tally.paid, found.tally.paid2) == ((0, 0), (0, 0))
    # 150 deals that come out alike say this much of what else there could be, and no more.
    assert found.paid(0).high == pytest.approx(1 - 0.025 ** (1 / 150))


def test_shared_deals_cut_the_variance_between_players_who_are_alike():
    def nearly(turn, hand):
        own, even = crooked(turn, hand), Fraction(1, len(turn.actions))
        return {action: own.get(action, 0) * Fraction(9, 10) + even / 10 for action, _ in turn.actions}

    found = run_arena(ROUND, [CROOKED, ("nearly", eb.Policy(nearly))], 4000, workers=1, measured=False).meetings[0]
    one = found.paid(0)
    # Of as many games that have nothing in common, the variance were at least (1 - mean^2) / games.
    assert one.error**2 < 0.4 * (1 - one.mean**2) / found.games


# --- one game


def test_a_policy_is_asked_what_it_would_be_asked_at_the_table():
    seen = []

    def watching(turn, hand):
        seen.append((turn.player, turn.history, hand))
        return crooked(turn, hand)

    run_arena(ROUND, [("watching", eb.Policy(watching)), "uniform"], 200, workers=1, measured=False)
    assert len(seen) == len(set(seen)), "it was asked twice"
    assert {player for player, _, _ in seen} == {0, 1}


def test_nobody_is_told_how_a_round_ended():
    # The same deal follows with seats exchanged, and the other pairings have it too: who heard what hands an end
    # uncovered would know the hands of those games. (Until that was seen, the end was told here.)
    told = []
    game = eb.game("liars-dice", sides=2, dice=(1, 2))
    asking = eb.Policy(crooked, on_end=told.append)
    found = run_arena(game, [("asking", asking), "always-call"], 20, workers=1, measured=False).meetings[0]
    assert (told, found.games) == ([], 20)


def test_a_policy_that_answers_nonsense_is_named(monkeypatch):
    bad = eb.Policy(lambda turn, hand: {"1x1": 2})
    with pytest.raises(eb.ProfileError, match=r"policy '<lambda>' at '.: start'"):
        run_arena(ROUND, [("bad", bad), "uniform"], 10, workers=1, measured=False)
    with pytest.raises(eb.ParameterError, match="'bad': it cannot be sent to other processes"):
        run_arena(ROUND, [("bad", bad), "uniform"], 10, workers=2, measured=False)


def test_arrays_play_as_what_they_are_arrays_of(tmp_path):
    game = eb.game("liars-dice", sides=3)
    found = eb.evaluate(game, "uniform", method="dense", exploiter=True)
    found.write_exploiter(tmp_path / "best.npz")
    table = run_arena(game, [str(tmp_path / "best.npz"), "uniform"], 400, workers=2)
    (meeting,) = table.meetings
    best = found.matches[0].best_response
    assert meeting.exact(0) == pytest.approx(sum(map(float, best)) / 2)
    assert abs(meeting.off(0)) < 4.5


def test_a_policy_with_arrays_is_asked_at_once():
    def never(turn, hand):
        raise AssertionError("it was asked one by one")

    from efg_builder.strategies.dense_profile import DenseProfile

    arrays = np.zeros((32, 3)), np.zeros((32, 3))
    arrays[0][0] = 1
    found = sampler(eb.Policy(never, arrays=lambda: DenseProfile(ROUND, arrays)), ROUND)
    root = ROUND.public_turn(ROUND.public_root())
    assert found.answer(root, 1) == {name: Fraction(int(name == "1x1")) for name, _ in root.actions}
    assert isinstance(found, MoveSampler)


def test_the_turn_goes_round_among_those_with_dice():
    assert in_turn(Standing((2, 0, 1, 3), 2)) == [2, 3, 0]
    assert in_turn(Standing((0, 1, 1), 1)) == [1, 2]


@pytest.mark.parametrize(
    ("subject", "dice"), [(Subject(ROUND), ()), (eb.match_rules({"sides": 2, "dice": (2, 1, 2)}), None)]
)
def test_matches_end_with_one_who_has_dice(subject, dice):
    names = PLAIN[: 2 if dice is not None else 3]
    contest = Contest.of(subject, contestants(names))
    draws = Draws(0, 0, 50, contest.seats)
    for game in range(50):
        found = contest.play(range(contest.seats), draws, game)
        assert sum(found.paid) == pytest.approx(0)
        assert sorted(found.ranks) == list(range(contest.seats))
        assert found.paid[found.ranks.index(0)] == 1


# --- what is counted


def test_orders_as_text():
    assert order_text((0, 2, 0)) == "0=2>1"
    assert order_groups("0=2>1") == [[0, 2], [1]]
    assert ranks((1.0, -1.0, 1.0)) == (0, 2, 0)
    assert scores((0, 2, 0)) == (0.75, 0.0, 0.75)
    assert scores((0, 1)) == (1.0, 0.0)


def test_tallies_add_up_and_survive_text():
    contest = Contest(Subject(ROUND), contestants(["uniform", "lowest-raise"]))
    parts = [count(contest, (0, 1), 1, block, 20) for block in range(3)]
    total = added(parts)
    assert (total.deals, total.games, sum(total.orders.values())) == (60, 120, 120)
    assert Tally.from_json(total.to_json(), 2) == total
    assert added([]) is None
    # Of a pairing the payoffs in all seats together are the mean.
    assert sum(total.seat[:2]) == pytest.approx(2 * total.paid[0])


def test_an_interval_is_student_s():
    # 400 times the deals 1, 2, 3, 6: mean 3, variance 14/4 of so many. Student's quantile for many degrees of freedom
    # f is z + (z^3 + z) / 4 f (Abramowitz and Stegun 26.7.5), here 1.959964 + 9.48919 / 6396 = 1.961448.
    found = estimate(400 * 12.0, 400 * 50.0, 1600, 0.0, 10.0)
    assert (found.mean, found.error) == (3.0, pytest.approx((3.5 / 1599) ** 0.5))
    for end, sign in ((found.high, 1), (found.low, -1)):
        assert end == pytest.approx(3 + sign * 1.961448 * found.error, rel=1e-6)
    # Four deals with 1, 2, 3, 6: t(3 degrees, 97.5%) = 3.18245 (tables). Four of them say little of a rare 10.
    four = estimate(12.0, 50.0, 4, 0.0, 10.0)
    assert (four.mean, four.error) == (3.0, pytest.approx((14 / 3 / 4) ** 0.5))
    assert 3 + 3.182446 * four.error < four.high < 10
    assert four.low == 0.0
    one = estimate(1.0, 1.0, 1, -1.0, 1.0)
    assert (one.low, one.high) == (-1.0, 1.0)
    # Deals that came out alike are no number of standard errors off.
    alike = estimate(10.0, 10.0, 10, -1.0, 1.0)
    assert (apart(alike, Fraction(9, 10)), apart(alike, Fraction(1))) == (None, 0.0)


def test_two_values_have_the_interval_of_clopper_and_pearson():
    # Of 10, 3: were the chance the lower end, 3 or more came in 2.5%; were it the upper one, 3 or fewer did.
    found = estimate(3.0, 3.0, 10, 0.0, 1.0)
    chances = [[comb(10, k) * p**k * (1 - p) ** (10 - k) for k in range(11)] for p in (found.low, found.high)]
    assert (sum(chances[0][3:]), sum(chances[1][:4])) == (pytest.approx(0.025), pytest.approx(0.025))
    payoffs = estimate(3.0 - 7.0, 10.0, 10, -1.0, 1.0)
    assert (payoffs.low, payoffs.high) == (pytest.approx(2 * found.low - 1), pytest.approx(2 * found.high - 1))
    assert estimate(0.0, 0.0, 10, 0.0, 1.0).low == 0.0


@pytest.mark.parametrize("deals", [40, pytest.param(1000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("expected", [0.05, 0.5, 1.0, 3.0, 10.0])
@pytest.mark.parametrize(("usual", "rare"), [(0.0, 1.0), (1.0, 0.5), (0.5, 1.0), (0.5, 0.0)])
def test_intervals_hold_what_is_rare_as_often_as_they_say(deals, expected, usual, rare):
    # Two outcomes of a deal, in the range from 0 to 1: how often the interval holds the mean, as a binomial sum.
    p, held = expected / deals, 0.0
    for k in range(deals + 1):
        total, squares = k * rare + (deals - k) * usual, k * rare**2 + (deals - k) * usual**2
        found = estimate(total, squares, deals, 0.0, 1.0)
        if found.low <= p * rare + (1 - p) * usual <= found.high:
            held += comb(deals, k) * p**k * (1 - p) ** (deals - k)
    assert held >= 0.95


@pytest.mark.parametrize("p", [0.001, 0.01, 0.05, 0.2, 0.4])
def test_intervals_of_deals_won_lost_and_even_hold_their_mean(p):
    # Both seatings won with p, lost with p / 2, else one of each; 100 deals, all trinomial sums.
    deals, held, q = 100, 0.0, p / 2
    for won in range(deals + 1):
        for lost in range(deals + 1 - won):
            found = estimate(won - lost, won + lost, deals, -1.0, 1.0)
            if found.low <= p - q <= found.high:
                ways = comb(deals, won) * comb(deals - won, lost)
                held += ways * p**won * q**lost * (1 - p - q) ** (deals - won - lost)
    assert held >= 0.945


@pytest.mark.parametrize(("usual", "rare"), [(0.0, 1.0), (1.0, 0.5), (0.5, 1.0)])
def test_more_of_what_is_rare_never_draws_the_interval_in(usual, rare):
    ends = []
    for k in range(300):
        total, squares = k * rare + (1000 - k) * usual, k * rare**2 + (1000 - k) * usual**2
        found = estimate(total, squares, 1000, 0.0, 1.0)
        assert 0 <= found.low <= found.mean <= found.high <= 1
        ends.append(found.high if rare > usual else -found.low)
    assert ends == sorted(ends)
    assert ends[1] > ends[0]


# --- whole arenas


def table(players=PLAIN, games=400, **settings):
    return to_data(run_arena(ROUND, players, games, **{"workers": 1, "seed": 7} | settings))


def units(path, query):
    with closing(sqlite3.connect(path)) as db:
        return db.execute(query).fetchall()


@pytest.mark.slow
def test_processes_do_not_change_the_table():
    assert table(workers=2) == table()
    assert table(players=(*PLAIN, CROOKED), workers=2) == table(players=(*PLAIN, CROOKED))


def test_the_seed_does():
    assert table(seed=8)["meetings"] != table()["meetings"]


def test_more_games_and_players_add_to_what_is_there(tmp_path, monkeypatch):
    # 150 deals are 21 blocks of 7 and a part of one; that one is played again when more is asked for.
    for module in (running, schedule):
        monkeypatch.setattr(module, "block_size", lambda deals: 7)
    path = tmp_path / "a.db"
    first = table(PLAIN[:2], 300, path=path)
    assert [row[0] for row in units(path, "SELECT deals FROM units ORDER BY block")] == [7] * 21 + [3]
    assert first == table(PLAIN[:2], 300)
    whole = table(games=400)
    assert table(games=400, path=path) == whole
    assert units(path, "SELECT sum(tries), count(*) FROM units") == [(3 * 29 + 1, 3 * 29)]
    # Asking for less takes nothing away.
    assert table(games=100, path=path) == whole


def test_a_full_room_begins_anew_and_changes_nothing(monkeypatch):
    made = []
    right = Room._made
    monkeypatch.setattr(Room, "_made", lambda self, state: made.append(state) or right(self, state))
    before = table(players=(*PLAIN, CROOKED))
    calls = len(made)
    monkeypatch.setattr(play, "KEPT", 40)
    assert table(players=(*PLAIN, CROOKED)) == before
    assert len(made) > 3 * 2 * calls


# --- docs/arena.md

PAGE = (DOCS / "arena.md").read_text()


def test_limits_of_the_page_are_those_of_the_code():
    assert f"up to {measuring.NODES:,} nodes" in PAGE
    assert f"about {round(measuring.ENTRIES, -4):,} entries" in PAGE
    assert f"about {schedule.BLOCKS} blocks" in PAGE
    assert f"fewer than {ratings.FEWEST_BLOCKS} blocks" in PAGE
