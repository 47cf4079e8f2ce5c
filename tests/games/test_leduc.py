"""Leduc hold'em: its size, its value, and its betting."""

from fractions import Fraction

import pytest

import efg_builder as eb
from efg_builder.games.protocol import Chance, Decision, End

VALUE = Fraction(-1454920850547486749701863871533, 16995463438839962469905132501930)
"""The exact value to player 1, as on docs/games.md."""


@pytest.mark.parametrize(("seen", "nodes", "infosets"), [(False, 1_936, 288), (True, 9_451, 936)])
def test_the_value(seen, nodes, infosets):
    # -0.085606424078: OpenSpiel's sequence_form_lp_test.py, after appendix E.2 of M. Lanctot et al., "A unified
    # game-theoretic approach to multiagent reinforcement learning" (2017). 936 sets: Southey et al. (2005).
    assert float(VALUE) == pytest.approx(-0.085606424078, abs=5e-13)
    game = eb.game("leduc", suits_seen=seen)
    solution = eb.solve(game, "lp")
    assert (game.size().nodes, sum(game.size().infosets)) == (nodes, infosets)
    assert (len(solution.profile.tree), len(solution.profile.tree.personal)) == (nodes, infosets)
    assert (solution.exact, solution.verify().regret) == (True, 0)
    assert solution.value == (VALUE, -VALUE)


def play(game, *words):
    """Where these branches and moves lead."""
    state = game.root()
    for word in words:
        turn = game.turn(state)
        if isinstance(turn, Chance):
            state = next(then for label, _, then in turn.branches if label == word)
        else:
            assert isinstance(turn, Decision)
            state = dict(turn.actions)[word]
    return game.turn(state)


@pytest.mark.parametrize(
    ("words", "payoffs"),
    [
        ("K vs Q|raise|fold", (1, -1)),
        ("Q vs K|check|raise|fold", (-1, 1)),
        ("K vs Q|check|check|J|check|check", (1, -1)),
        ("K vs Q|check|check|Q|check|check", (-1, 1)),  # a pair
        ("Q vs Q|raise|raise|call|K|raise|raise|call", (0, 0)),
        ("J vs Q|raise|raise|call|J|raise|raise|call", (13, -13)),  # 1, two raises by 2, two by 4
        ("J vs Q|raise|call|J|raise|fold", (3, -3)),
    ],
)
def test_what_is_paid(words, payoffs):
    turn = play(eb.game("leduc"), *words.split("|"))
    assert isinstance(turn, End)
    assert turn.payoffs == payoffs


@pytest.mark.parametrize(
    ("words", "player", "moves"),
    [
        ("", 0, "check raise"),
        ("raise", 1, "fold call raise"),
        ("raise|raise", 2, "fold call"),
        ("raise|fold|raise", 0, "fold call"),
        ("raise|fold|call|K", 0, "check raise"),
        ("check|raise|fold|fold", None, (-1, 2, -1)),
        ("check|raise|fold|call|K", 0, "check raise"),
        ("raise|raise|fold|call|K", 0, "check raise"),
        ("check|check|raise|fold|call|K", 1, "check raise"),  # player 1 is out, so player 2 begins
        ("check|raise|raise|fold|call|K|check", 2, "check raise"),
    ],
)
def test_who_is_to_move_at_a_table_of_three(words, player, moves):
    turn = play(eb.game("leduc", seats=3, ranks=4), "T vs J vs Q", *filter(None, words.split("|")))
    if player is None:
        assert turn.payoffs == moves
    else:
        assert (turn.player, " ".join(label for label, _ in turn.actions)) == (player, moves)


THREE_CHECKS = ("check",) * 3


def test_equal_pairs_share_the_pot():
    turn = play(eb.game("leduc", seats=3, suits=3), "K vs K vs Q", *THREE_CHECKS, "K", *THREE_CHECKS)
    assert (turn.payoffs, turn.label) == ((Fraction(1, 2), Fraction(1, 2), -1), "split 3")


@pytest.mark.parametrize(
    "chosen", [{"seats": 3, "raises": 1}, {"suits": 3}, {"seats": 3, "ranks": 2, "suits_seen": True}]
)
def test_the_size_is_that_of_the_tree(chosen):
    game = eb.game("leduc", **chosen)
    tree, size = eb.build(game), game.size()
    assert (len(tree), len(tree.personal)) == (size.nodes, sum(size.infosets))


@pytest.mark.slow
def test_the_size_of_the_largest_is_known_at_once():
    assert eb.game("leduc", suits=4, ranks=13, raises=4, seats=10).size().nodes == 143_612_766_855_287_940_044_835_001


def test_the_smallest_game_of_three_players():
    solution = eb.solve(eb.game("leduc", seats=3, ranks=2, raises=1))
    assert (solution.method, solution.regret) == ("many", 0)


def test_the_public_card_comes_under_a_name_that_tells_nobody_s_card():
    game = eb.game("leduc")
    names = {play(game, deal, "check", "check").label for deal in ("J vs Q", "K vs Q", "K vs K")}
    assert names == {"card check check"}


def test_a_deck_without_a_public_card_is_refused():
    with pytest.raises(eb.ParameterError, match="leduc: suits=2 ranks=2: there must be more cards than players"):
        eb.game("leduc", ranks=2, seats=4)
