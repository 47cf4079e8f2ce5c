"""The zero-intelligence player: its moves by hand, at every information set of small games, and measured."""

from fractions import Fraction as F

import pytest
from play_games import after

import efg_builder as eb
from efg_builder.forms.subject import Subject
from efg_builder.players.find import Table, invite
from efg_builder.players.kinds import zero_intelligence as zi

NAME = "zero-intelligence"


def sit(game, words=""):
    return invite(f"{NAME}:{words}" if words else NAME)(Table(Subject(game, max_nodes=0)))  # it needs no tree


def move(game, hand, *bids, words=""):
    turn = after(game, *bids)
    return dict(sit(game, words).at(turn, game.hands[turn.player].index(hand)))


# --- the text's example: five dice show one 2 and four 3s, 36 are unseen, 1 is wild, the bid is sixteen threes

EXAMPLE = eb.game("liars-dice", sides=6, dice=(9, 9, 9, 9, 5), wild=1)
BEFORE = ("1x2", "2x2", "3x2", "16x3")


@pytest.mark.parametrize(
    ("words", "called"),
    [
        ("", False),  # -0.177 does not exceed 0.2887
        ("tail=printed", False),  # nor does 0.177
        ("tail=exact", False),  # it holds with 0.5624, not less than 0.3864
        ("call_z=-0.17", False),
        ("call_z=-0.18", True),
        ("call_z=0.17:tail=printed", True),
        ("call_z=0.18:tail=printed", False),
        ("call_probability=0.5623:tail=exact", False),
        ("call_probability=0.5624:tail=exact", True),
        ("call_probability=0.5701", False),  # Phi(0.177) = 0.57016
        ("call_probability=0.5702", True),
    ],
)
def test_the_example_is_called_above_the_level(words, called):
    answer = move(EXAMPLE, "2,3,3,3,3", *BEFORE, words=words)
    assert answer == ({"call": 1} if called else {"17x3": 1})


# --- small games by hand: one die each, six sides. Of one unseen die one of a face needed is there with 1/6

PLAIN = eb.game("liars-dice", sides=6)
JOKER = eb.game("liars-dice", sides=6, wild=1, wild_biddable=False)


@pytest.mark.parametrize(
    ("game", "hand", "bids", "expected"),
    [
        (PLAIN, "3", (), "1x3"),  # true, so it costs nothing; every other bid is called without its face
        (PLAIN, "3", ("1x2",), "call"),  # 1/6 is below 0.3864
        (PLAIN, "3", ("1x3",), "2x3"),  # 5/6 is lost on each of 1x4, 1x5, 1x6 and 2x3, 1 on the others
        (PLAIN, "3", ("2x3",), "call"),
        (PLAIN, "2", ("1x2",), "2x2"),
        (PLAIN, "6", ("2x6",), "call"),  # no raise is legal
        (JOKER, "1", (), "1x6"),  # all are true
        (JOKER, "1", ("1x2",), "1x6"),  # so are 1x3 to 1x6, and those of two dice are not sure
    ],
)
def test_moves_by_hand(game, hand, bids, expected):
    assert move(game, hand, *bids, words="tail=exact") == {expected: 1}


def test_what_its_own_dice_bear_out_is_never_called():
    game = eb.game("liars-dice", dice=(1, 2))
    turn = after(game, "2x1")
    assert "call" not in sit(game, "call_probability=1").at(turn, game.hands[1].index("1,1"))
    assert sit(game, "call_probability=1").at(turn, game.hands[1].index("1,2")) == {"call": 1}
    # At level 0 nothing is called, however false.
    assert sit(game, "call_probability=0").at(after(game, "3x1"), game.hands[1].index("2,2")) == {"3x2": 1}


# --- at every information set

SMALL = [
    {},
    {"sides": 3},
    {"sides": 3, "wild": 1, "wild_biddable": False},
    {"sides": 3, "wild": 2},
    {"wild": 2},
    {"sides": 3, "wild": 3, "order": "bluff"},
    {"sides": 3, "order": "face-quantity"},
    {"dice": (2, 1)},
    {"dice": (1, 2), "wild": 1, "order": "bluff"},
    {"dice": (1, 1, 1)},
    {"dice": (1, 1, 1), "wild": 1, "wild_biddable": False},
    {"dice": (1, 2, 1), "max_quantity": 2},
    {"max_quantity": 3},
]


def by_the_rules(game, turn, hand, level):
    """The moves that are allowed, from the rules' own chances and the tested payoffs; exact."""
    raises = [name for name, _ in turn.actions if name != "call"]
    if not raises:
        return {"call"}
    last = game.bid_names.index(raises[0]) - 1
    if last >= 0:
        claim = game.claim(turn.player, hand, game.bid_names[last])
        if 1 - claim.false < level:
            return {"call"}
    worth = zi.raise_payoffs(game, turn.player, hand, last, level)
    return {name for name in raises if worth[name] == max(worth.values())}


@pytest.mark.parametrize("words", SMALL, ids=str)
@pytest.mark.parametrize("level", ["3/10", "2/3"])
def test_every_move_of_small_games(words, level):
    game = eb.game("liars-dice", **words)
    policies = {ties: sit(game, f"tail=exact:ties={ties}:call_probability={level}") for ties in zi.TIES}
    for turn in game.turns():
        legal = [name for name, _ in turn.actions]
        for hand in range(game.hand_counts[turn.player]):
            allowed = by_the_rules(game, turn, hand, F(level))
            assert policies["uniform"].at(turn, hand) == dict.fromkeys(allowed, F(1, len(allowed)))
            in_order = [name for name in legal if name in allowed]
            assert policies["lowest"].at(turn, hand) == {in_order[0]: 1}
            assert policies["highest"].at(turn, hand) == {in_order[-1]: 1}


# --- measured


@pytest.mark.parametrize("words", ["", "tail=exact:ties=uniform", "spread=1/2", "level=robust"])
def test_arrays_and_tree_measure_the_same(words):
    game = eb.game("liars-dice", sides=3, wild=1, wild_biddable=False, dice=(1, 2))
    spec = f"{NAME}:{words}" if words else NAME
    tree, wide = (eb.evaluate(game, spec, method=method).matches[0] for method in ("tree", "dense"))
    assert [float(value) for value in (*tree.value, *tree.best_response)] == pytest.approx(
        [float(value) for value in (*wide.value, *wide.best_response)], abs=1e-9
    )
    asked = eb.Policy(sit(game, words).at)  # without the promise, at each history
    assert eb.evaluate(game, asked, method="dense").matches[0].nash_conv == pytest.approx(float(tree.nash_conv))


def test_without_a_spread_it_is_measured_exactly():
    # efg-builder evaluate liars-dice sides=6 wild=1 wild_biddable=false --strategy zero-intelligence
    match = eb.evaluate(JOKER, NAME).matches[0]
    assert isinstance(match.nash_conv, F)
    assert match.exploitability == F(19, 36)
    assert eb.evaluate(JOKER, f"{NAME}:spread=1").matches[0].exploitability < 0.52


# --- the level's names


def test_the_levels_that_have_names():
    five = eb.game("liars-dice", sides=6, dice=(1, 1, 1, 1, 1))
    named = {word: zi.named_level(word, five, 0) for word in zi.LEVELS}
    assert named["indifference"] == named["table"] == pytest.approx(0.3864, abs=5e-5)  # five players: the text's case
    assert named["printed"] == pytest.approx(0.2818, abs=5e-5)
    assert zi.quantile(1 - named["robust"]) == pytest.approx(zi.robust_level(4), abs=1e-9)
    # With two players nobody else has dice: the equation says one half.
    assert zi.named_level("table", PLAIN, 0) == pytest.approx(0.5, abs=1e-12)
    # Of 1,2,3 dice: player 1 has one, the next two, the other three, five unseen.
    unequal = eb.game("liars-dice", dice=(1, 2, 3))
    assert zi.named_level("table", unequal, 0) == zi.indifference(variance=3 / 2).call_probability
    assert zi.named_level("table", unequal, 1) == zi.indifference(variance=1 / 3).call_probability
    for player, variance in ((0, 5 / 1), (1, 4 / 2), (2, 3 / 3)):
        robust_level = zi.named_level("robust", unequal, player)
        assert zi.quantile(1 - robust_level) == pytest.approx(zi.robust_level(variance), abs=1e-9)


def test_a_drawn_level_calls_as_often_as_it_is_below():
    chance = zi.call_chance
    assert chance(F(1, 3), F(1, 3), 0.7) == pytest.approx(0.5, abs=1e-12)
    z_bid, z_level = zi.quantile(F(3, 4)), zi.quantile(F(2, 3))  # of false
    assert chance(F(1, 4), F(1, 3), 0.5) == pytest.approx(zi.cumulative((z_bid - z_level) / 0.5), abs=1e-12)
    assert chance(F(1), F(1, 3), 5.0) == 0
    assert chance(F(0), F(1, 3), 5.0) == 1
    assert chance(F(0), F(0), 5.0) == 0
    assert chance(F(1, 2), F(1), 5.0) == 1
    assert chance(F(1, 4), F(1, 3), 1e-9) == pytest.approx(chance(F(1, 4), F(1, 3), 0.0))
    answer = move(PLAIN, "3", "1x4", words="tail=exact:spread=2:call_probability=1/3")
    # A level drawn at 1/3 in the middle: called where it lies above 1/6, in z below 0.967, with 0.43 in the middle.
    expected = zi.cumulative((zi.quantile(F(5, 6)) - zi.quantile(F(2, 3))) / 2)
    assert answer == {"call": expected, "2x3": 1 - expected}


# --- what it refuses


def test_it_sits_in_a_round_with_stakes_and_counts_what_that_needs():
    game = eb.game("liars-dice-stakes", sides=6, dice=(1, 1), exact="bidder-loses-one")
    # An exact count is not enough: 1x3 with a three needs another, 1/6.
    worth = zi.raise_payoffs(game, 0, game.hands[0].index("3"), -1, 0.3864)
    assert (worth["1x3"], worth["1x4"], worth["2x3"]) == (F(-5, 6), -1, -1)
    assert move(game, "3", "1x3", words="tail=exact") == {"call": 1}
