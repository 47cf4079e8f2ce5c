"""Liar's Dice with the exact call of Perudo."""

from fractions import Fraction

import pytest

import efg_builder as eb
from efg_builder.games.protocol import Deal, PublicEnd


def after(game, *words):
    state = game.public_root()
    for word in words:
        state = dict(game.public_turn(state).actions)[word]
    return game.public_turn(state)


@pytest.mark.parametrize(
    ("hands", "bid", "payoffs"),
    [
        ((0, 0, 1), "2x1", (Fraction(-1, 2), 1, Fraction(-1, 2))),  # just two ones: player 2 is right
        ((0, 0, 0), "2x1", (Fraction(1, 2), -1, Fraction(1, 2))),  # three
        ((0, 1, 1), "2x1", (Fraction(1, 2), -1, Fraction(1, 2))),  # one
    ],
)
def test_who_says_exact_wins_where_the_bid_is_exactly_right(hands, bid, payoffs):
    game = eb.game("liars-dice-spot-on", dice=(1, 1, 1))
    end = after(game, bid, "exact")
    assert isinstance(end, PublicEnd)
    assert game.settle(end.key, Deal(Fraction(1, 8), hands)).payoffs == payoffs


@pytest.mark.parametrize(("hands", "payoffs"), [((0, 0), (1, 0)), ((0, 1), (0, 1))])
def test_points(hands, payoffs):
    game = eb.game("liars-dice-spot-on", payoff="points")
    end = after(game, "1x1", "exact")
    assert game.settle(end.key, Deal(Fraction(1, 4), hands)).payoffs == payoffs


def test_wild_dice_count():
    game = eb.game("liars-dice-spot-on", sides=3, wild=1, wild_biddable=False)
    end = after(game, "2x3", "exact")
    hands = tuple(names.index(face) for names, face in zip(game.hands, "13", strict=True))
    assert game.settle(end.key, Deal(Fraction(1, 9), hands)).payoffs == (-1, 1)


def test_all_else_is_as_without_it():
    game, plain = eb.game("liars-dice-spot-on", sides=3), eb.game("liars-dice", sides=3)
    moves = [label for label, _ in after(game, "1x2").actions]
    assert moves == [*(label for label, _ in after(plain, "1x2").actions), "exact"]
    for deal in plain.deals:
        assert game.settle(after(game, "1x2", "call").key, deal) == plain.settle(after(plain, "1x2", "call").key, deal)
    assert "exact" not in dict(after(game).actions)


@pytest.mark.parametrize(
    # Without exact: 0, -1/9, -1/8 and 1/4 (tests/published_values.json). Gambit's own LP has the same, see below.
    ("chosen", "value"),
    [({}, "0"), ({"sides": 3}, "0"), ({"sides": 4}, "0"), ({"dice": (2, 1)}, "1/4"), ({"payoff": "points"}, "1/2")],
)
def test_values(chosen, value):
    solution = eb.solve(eb.game("liars-dice-spot-on", **chosen), "lp")
    assert (solution.exact, solution.verify().regret) == (True, 0)
    assert solution.value[0] == Fraction(value)


def test_gambit_finds_the_same_value():
    solution = eb.solve(eb.game("liars-dice-spot-on", dice=(2, 1), max_quantity=2), "gambit-lp", timeout=120)
    assert solution.exact
    assert solution.value == eb.solve(eb.game("liars-dice-spot-on", dice=(2, 1), max_quantity=2), "lp").value


def test_three_players():
    assert eb.solve(eb.game("liars-dice-spot-on", dice=(1, 1, 1))).regret == 0


def test_there_must_be_a_tree():
    game = eb.game("liars-dice-spot-on", sides=6, dice=(2, 2))
    assert game.notes == ("exact ends play as a call does, so this game is solved on its tree only",)
    with pytest.raises(eb.TreeTooLargeError, match="22,196,255,887 nodes"):
        eb.solve(game, "oracle")


def test_settings_are_those_of_liar_s_dice():
    with pytest.raises(eb.ParameterError, match="wild=3: a die of 2 sides has no such face"):
        eb.game("liars-dice-spot-on", wild=3)
