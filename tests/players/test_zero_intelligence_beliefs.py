"""What zero intelligence believes of unseen dice, and what a raise is worth to it: against the text, by hand, by brute
force over all rolls."""

from fractions import Fraction as F
from itertools import product
from math import comb, inf, sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import efg_builder as eb
from efg_builder.games.bidding import at_least
from efg_builder.players.kinds import zero_intelligence as zi

# The text's example: five dice that show one 2 and four 3s, 36 unseen ones, 1 wild, and the bid of sixteen threes.
EXAMPLE = eb.game("liars-dice", sides=6, dice=(5, 9, 9, 9, 9), wild=1)
HAND = EXAMPLE.hands[0].index("2,3,3,3,3")
SIXTEEN = EXAMPLE.bids.index((16, 3))

dice_and_chance = st.tuples(st.integers(0, 40), st.sampled_from([F(1, 6), F(1, 3), F(1, 2), F(2, 3), F(1)]))


# --- the text's example


def test_the_example_s_expectations():
    assert zi.expected(EXAMPLE, 0, HAND) == (6, 13, 16, 12, 12, 12)


def test_the_example_s_score_as_printed_and_as_it_must_be():
    s2 = sqrt(8)
    assert zi.score(EXAMPLE, 0, HAND, SIXTEEN, "printed") == pytest.approx((16 + 0.5 - 16) / s2, abs=1e-15)
    assert zi.score(EXAMPLE, 0, HAND, SIXTEEN) == pytest.approx((16 - 0.5 - 16) / s2, abs=1e-15)


def test_the_correction_of_minus_a_half_is_the_one_that_fits_the_text_s_own_p():
    by = {tail: float(zi.false_chance(EXAMPLE, 0, HAND, SIXTEEN, tail)) for tail in zi.TAILS}
    p = float(sum(comb(36, i) * F(1, 3) ** i * F(2, 3) ** (36 - i) for i in range(16 - 4)))  # F_X(r - s - 1)
    assert by["exact"] == pytest.approx(p, abs=1e-15) == pytest.approx(0.4376, abs=5e-5)
    assert by["normal"] == pytest.approx(0.4298, abs=5e-5)  # Phi(-0.177)
    assert by["printed"] == pytest.approx(0.5702, abs=5e-5)  # Phi(+0.177), the score of P(X <= r - s)
    at_most = p + comb(36, 12) * (1 / 3) ** 12 * (2 / 3) ** 24
    assert abs(by["printed"] - at_most) < 0.01 < abs(by["printed"] - p)


# --- chances


@given(dice_and_chance, st.integers(-3, 45))
def test_exact_chances_are_sums_of_the_binomial(given_dice, needed):
    dice, chance = given_dice
    weights = [comb(dice, i) * chance**i * (1 - chance) ** (dice - i) for i in range(dice + 1)]
    assert zi.below(needed, dice, chance, "exact") == sum(weights[: max(needed, 0)])
    if 0 <= needed <= dice:
        assert zi.weight(needed, dice, chance, "exact") == weights[needed]


@given(dice_and_chance, st.sampled_from(zi.TAILS))
def test_weights_are_a_distribution_in_every_tail_and_what_is_certain_stays_so(given_dice, tail):
    dice, chance = given_dice
    weights = [zi.weight(count, dice, chance, tail) for count in range(dice + 1)]
    assert min(weights) >= 0
    assert float(sum(weights)) == pytest.approx(1, abs=1e-12)
    # The printed sign of the correction does not move the weights.
    assert tail != "printed" or weights == [zi.weight(count, dice, chance, "normal") for count in range(dice + 1)]
    chances = [zi.below(needed, dice, chance, tail) for needed in range(dice + 2)]
    assert chances == sorted(chances)
    assert (chances[0], chances[-1]) == (0, 1)


def test_where_nothing_is_open_the_score_is_infinite():
    assert zi.z_score(1, 0, F(1, 3)) == inf
    assert zi.z_score(0, 0, F(1, 3)) == -inf
    assert zi.z_score(2, 2, F(1)) == -inf  # two sides, one of them wild: every die counts
    assert zi.z_score(3, 2, F(1, 6), "exact") == inf
    assert zi.z_score(1, 1, F(1, 2), "exact") == pytest.approx(0, abs=1e-12)


@given(st.floats(-8, 8))
def test_quantiles_undo_the_distribution(z):
    assert zi.quantile(zi.cumulative(z)) == pytest.approx(z, rel=1e-6, abs=1e-6 if z < 5 else 0.2)


# --- the next player, and the payoff


# One die each, six sides, none wild, and A holds a three; the level 0.3864. B sees one die, and doubts one more.
GAMES = st.one_of(
    st.builds(
        lambda sides, dice, wild, biddable, order: eb.game(
            "liars-dice", sides=sides, dice=dice, wild=wild and min(wild, sides), wild_biddable=biddable, order=order
        ),
        st.integers(2, 4),
        st.sampled_from([(1, 1), (1, 2), (2, 1), (1, 1, 1), (1, 2, 1), (2, 1, 2), (1, 1, 1, 1)]),
        st.sampled_from([None, 1, 2, 4]),
        st.booleans(),
        st.sampled_from(["quantity-face", "face-quantity"]),
    ),
    st.builds(
        lambda sides, dice, wild: eb.game("liars-dice", sides=sides, dice=dice, wild=min(wild, sides), order="bluff"),
        st.integers(2, 3),
        st.sampled_from([(1, 1), (2, 1), (1, 1, 1)]),
        st.integers(1, 3),
    ),
    st.sampled_from([eb.game("liars-dice-stakes", sides=3, dice=(2, 1), exact="bidder-loses-one")]),
)

LEVELS = st.one_of(
    st.fractions(0, 1, max_denominator=40), st.sampled_from([F(0), F(1, 3), F(1, 2), F(5, 9), F(11, 36), F(1), F(3, 2)])
)


@settings(max_examples=60)
@given(GAMES, LEVELS, st.data())
def test_payoffs_against_every_roll(game, level, data):
    """Roll all other dice one by one, let the next player look at them and call by the rules' own P_valid."""
    player = data.draw(st.integers(0, len(game.dice) - 1))
    hand = data.draw(st.integers(0, game.hand_counts[player] - 1))
    last = data.draw(st.integers(-1, len(game.bids) - 1))
    found = zi.raise_payoffs(game, player, hand, last, level)
    assert list(found) == list(game.bid_names[last + 1 :])
    following = (player + 1) % len(game.dice)
    deals = [
        (hands, F(1, game.sides ** sum(n for p, n in enumerate(game.dice) if p != player)))
        for hands in product(*(product(range(1, game.sides + 1), repeat=n) for n in game.dice))
        if hands[player] == game.cups[player][hand][0]
    ]
    others = sum(game.dice) - game.dice[following]
    for name, value in found.items():
        quantity, face = game.bids[game.bid_names.index(name)]
        lost = F(0)
        for hands, chance in deals:
            missing = game.needed(quantity) - game.matches(hands[following], face)
            called = at_least(missing, others, game.counting_chance(face)) < level
            if called and sum(game.matches(hand, face) for hand in hands) < game.needed(quantity):
                lost += chance
        assert value == -lost


@settings(deadline=None)
@given(GAMES, st.data(), st.sampled_from(zi.TAILS))
def test_the_chance_of_a_false_bid_is_the_rules_own_and_normals_are_near(game, data, tail):
    player = data.draw(st.integers(0, len(game.dice) - 1))
    hand = data.draw(st.integers(0, game.hand_counts[player] - 1))
    bid = data.draw(st.integers(0, len(game.bids) - 1))
    claim = game.claim(player, hand, game.bid_names[bid])
    found = zi.false_chance(game, player, hand, bid, tail)
    if tail == "exact" or claim.false in (0, 1):
        assert found == claim.false
    else:
        assert 0 < found < 1
        assert found == zi.cumulative(zi.score(game, player, hand, bid, tail))
        assert abs(found - claim.false) < (0.11 if tail == "normal" else 1)
