"""Measuring over arrays, held against the exact tree, against all pure strategies, and against a published figure."""

from fractions import Fraction

import brute
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import efg_builder as eb
from efg_builder.forms import bidding_form as bid_layout
from efg_builder.proof import best_response, values
from efg_builder.proof.dense import dense_best_response, dense_value, error_bound, stakes
from efg_builder.strategies.dense_profile import DenseProfile
from efg_builder.strategies.dense_rows import ArrayRows, blocks
from efg_builder.strategies.tree_profile import dealt

GAMES = st.builds(
    lambda sides, dice, wild, biddable, order, most, payoff: eb.game(
        *("liars-dice",),
        sides=sides,
        dice=dice,
        wild=wild,
        wild_biddable=biddable,
        order=order,
        max_quantity=min(most, 2 if sides == 3 else 3),
        payoff=payoff,
    ),
    st.integers(2, 3),
    st.sampled_from([(1, 1), (1, 2), (2, 1)]),
    st.sampled_from([None, 1, "highest"]),
    st.booleans(),
    st.sampled_from(["quantity-face", "face-quantity"]),
    st.integers(1, 3),
    st.sampled_from(["win-loss", "points"]),
)


def arrays(game, profile):
    return tuple(dealt(profile, game).dense(player) for player in range(2))


def random_profile(game, seed, zeros=True):
    return brute.random_profile(eb.build(game), seed, zeros=zeros)


@settings(max_examples=20)
@given(GAMES, st.integers(0, 10**6), st.booleans(), st.sampled_from([np.float64, np.float32]))
def test_arrays_agree_with_the_tree_to_within_their_bound(game, seed, zeros, kind):
    profile = random_profile(game, seed, zeros)
    facts, rows = stakes(game), arrays(game, profile)
    bound = error_bound(facts, kind, rows)
    assert bound < (1e-12 if kind == np.float64 else 1e-3)
    assert abs(Fraction(dense_value(facts, rows, kind)) - values(profile).value[0]) <= bound
    for player in range(2):
        found = dense_best_response(facts, rows[1 - player], player, kind)
        assert abs(Fraction(found.value) - best_response(profile, player).value) <= bound


@settings(max_examples=20)
@given(GAMES, st.integers(0, 10**6))
def test_the_response_that_is_written_down_gets_what_was_said(game, seed):
    facts, rows = stakes(game), arrays(game, random_profile(game, seed))
    bound = 2 * error_bound(facts, np.float64, rows)
    for player in range(2):
        found = dense_best_response(facts, rows[1 - player], player)
        pure = [None, None]
        pure[player] = found.strategy()
        mine = DenseProfile(game, tuple(pure)).dense(player)  # which checks that it is a strategy
        first = dense_value(facts, (mine, rows[1]) if player == 0 else (rows[0], mine))
        got = first if player == 0 else float(game.constant_sum) - first
        assert got == pytest.approx(found.value, abs=bound)
        assert found.value == pytest.approx(float(facts.chances[player] @ found.by_hand), abs=bound)


def test_uniform_play_gains_what_openspiel_says():
    # OpenSpiel's game liars_dice has one die of six sides each, six wild; this NashConv of the uniform policy stands in
    # its test of best responses as Markov decision processes (algorithms/tabular_best_response_mdp_test.cc).
    game = eb.game("liars-dice", sides=6, wild=6, wild_biddable=True)
    found = eb.evaluate(game, "uniform", method="dense")
    assert found.matches[0].nash_conv == pytest.approx(1.561488646384479, abs=1e-14 + found.nash_conv_error_bound)
    assert found.nash_conv_error_bound < 1e-12


@pytest.mark.parametrize("size", [1, 2, 8])
def test_blocks_of_any_size_give_the_same(monkeypatch, size):
    game = eb.game("liars-dice", sides=3)
    facts, rows = stakes(game), arrays(game, random_profile(game, 5))
    whole = [dense_value(facts, rows), *(dense_best_response(facts, rows[1 - p], p).value for p in range(2))]
    monkeypatch.setattr("efg_builder.proof.dense.blocks", lambda entries: blocks(entries, size))
    parts = [dense_value(facts, rows), *(dense_best_response(facts, rows[1 - p], p).value for p in range(2))]
    assert parts == pytest.approx(whole, abs=1e-13)


def test_an_excess_over_a_distribution_widens_the_bound():
    facts = stakes(eb.game("liars-dice"))
    array = np.zeros((8, 2))
    narrow, wide = (error_bound(facts, np.float64, [ArrayRows(array, excess)]) for excess in (0.0, 1e-6))
    assert wide > 1e-6 > 1e-12 > narrow


def test_games_that_are_not_for_arrays_are_refused():
    with pytest.raises(eb.NotApplicableError, match="two players"):
        stakes(eb.game("liars-dice", dice=(1, 1, 1)))


@pytest.mark.parametrize("m", range(1, 8))
def test_the_layout_by_enumeration(m):
    seen = set()
    for history in range(2**m):
        bids = tuple(bid for bid in range(m) if history >> bid & 1)
        player, index = bid_layout.locate(bids)
        assert player == len(bids) % 2
        assert 0 <= index < bid_layout.class_size(m)
        assert bid_layout.bids_at(player, index) == bids
        assert bid_layout.last_bid(player, index) == max(bids, default=-1)
        seen.add((player, index))
        for bid in range(max(bids, default=-1) + 1, m):
            parents, children = bid_layout.step(bid) if bid else bid_layout.OPENING
            at = range(parents.start, parents.stop).index(index)
            assert bid_layout.locate((*bids, bid)) == (1 - player, range(children.start, children.stop)[at])
    assert len(seen) == 2**m == 2 * bid_layout.class_size(m)


def test_the_layout_refuses_what_is_no_history():
    with pytest.raises(ValueError, match="bid 1 is not above bid 2"):
        bid_layout.locate([2, 1])
    with pytest.raises(ValueError, match="entry 0"):
        bid_layout.step(0)
