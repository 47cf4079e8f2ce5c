"""The poker games and spot on: known values, sizes, legal moves and payoffs."""

from fractions import Fraction

import pytest
from play_games import after

import efg_builder as eb
from efg_builder.games.protocol import Chance, Deal, Decision, End

LEDUC = Fraction(-1454920850547486749701863871533, 16995463438839962469905132501930)
"""The exact value to player 1, as on docs/games.md."""

VALUES = [
    # H. W. Kuhn, "A simplified two-person poker" (1950). The other values of docs/games.md: docs/test_pages.py.
    ("kuhn", {}, "-1/18"),
    # OpenSpiel 2.0.2, sequence_form_lp.solve_zero_sum_game (solver CLARABEL): 0.12499999120.
    ("liars-poker", {"hand_length": 2}, "1/8"),
    # In points, half of 1 and the value for -1 and 1, which is 0.
    ("liars-dice-spot-on", {"payoff": "points"}, "1/2"),
    ("leduc", {}, LEDUC),
    ("leduc", {"suits_seen": True}, LEDUC),
]


@pytest.mark.parametrize(("name", "chosen", "value"), VALUES)
def test_values(name, chosen, value):
    game = eb.game(name, **chosen)
    solution = eb.solve(game, "lp")
    assert (solution.exact, solution.verify().regret) == (True, 0)
    assert solution.value[0] == Fraction(value)
    assert (game.size().nodes, sum(game.size().infosets)) == (len(solution.tree), len(solution.tree.personal))


@pytest.mark.parametrize(
    ("name", "chosen", "method"),
    [
        ("kuhn", {"cards": 4, "seats": 3}, "many"),
        ("kuhn", {"cards": 5, "seats": 4}, "many"),
        ("leduc", {"seats": 3, "ranks": 2, "raises": 1}, "many"),
        ("liars-dice-spot-on", {"dice": (1, 1, 1)}, "many"),
    ],
)
def test_more_than_two_players(name, chosen, method):
    solution = eb.solve(eb.game(name, **chosen))
    assert solution.method == method
    assert solution.regret <= Fraction(1, 10**12)
    assert sum(solution.value) == 0


def test_leduc_is_the_published_game():
    # -0.085606424078: OpenSpiel's sequence_form_lp_test.py, after appendix E.2 of M. Lanctot et al., "A unified
    # game-theoretic approach to multiagent reinforcement learning" (2017). 936 sets: Southey et al. (2005).
    assert float(LEDUC) == pytest.approx(-0.085606424078, abs=5e-13)
    sizes = [eb.game("leduc", suits_seen=seen).size() for seen in (False, True)]
    assert [(size.nodes, sum(size.infosets)) for size in sizes] == [(1_936, 288), (9_451, 936)]


@pytest.mark.parametrize(
    ("name", "chosen"),
    [
        ("kuhn", {"cards": 4, "seats": 3}),
        ("leduc", {"seats": 3, "raises": 1}),
        ("leduc", {"suits": 3}),
        ("leduc", {"seats": 3, "ranks": 2, "suits_seen": True}),
        ("liars-poker", {"seats": 3}),
        ("liars-poker", {"num_digits": 4}),
    ],
)
def test_the_size_is_that_of_the_tree(name, chosen):
    game = eb.game(name, **chosen)
    tree, size = eb.build(game), game.size()
    assert (len(tree), len(tree.personal)) == (size.nodes, sum(size.infosets))


@pytest.mark.slow
def test_the_size_of_the_largest_is_known_at_once():
    assert eb.game("leduc", suits=4, ranks=13, raises=4, seats=10).size().nodes == 143_612_766_855_287_940_044_835_001


# --- Kuhn poker


def test_the_first_player_bluffs_with_a_third_of_what_is_bet_for_value():
    # Kuhn 1950: in all equilibria a jack bets a third as often as a king, and a queen never bets.
    jack, queen, king = (eb.solve(eb.game("kuhn"), refine=False).profile[f"{card}: start"]["bet"] for card in (1, 2, 3))
    assert jack == king / 3 <= Fraction(1, 3)
    assert queen == 0


# --- Leduc hold'em


def play(game, *words):
    """Return the turn after these branches and moves."""
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


def test_the_public_card_comes_under_a_name_that_tells_nobody_s_card():
    game = eb.game("leduc")
    names = {play(game, deal, "check", "check").label for deal in ("J vs Q", "K vs Q", "K vs K")}
    assert names == {"card check check"}


# --- spot on


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


def test_gambit_finds_the_same_value(in_process):
    solution = eb.solve(eb.game("liars-dice-spot-on", dice=(2, 1), max_quantity=2), "gambit-lp", timeout=120)
    assert solution.exact
    assert solution.value == eb.solve(eb.game("liars-dice-spot-on", dice=(2, 1), max_quantity=2), "lp").value


# --- settings


@pytest.mark.parametrize(
    ("name", "chosen", "said"),
    [
        ("kuhn", {"seats": 3}, "kuhn: cards=3: must be more than the number of players, seats=3"),
        (
            "leduc",
            {"ranks": 2, "seats": 4},
            "leduc: suits=2 ranks=2: the deck must have more cards than there are players",
        ),
        ("liars-dice-spot-on", {"wild": 3}, "wild=3: a die of 2 sides has no such face"),
        ("liars-dice", {"payoff": "points", "dice": "1,1,1"}, "two players"),
        ("liars-dice", {"order": "bluff"}, "order=bluff needs a wild face on which players may bid, e.g. wild=highest"),
        ("liars-dice", {"order": "bluff", "wild": 1, "wild_biddable": False}, "order=bluff needs a wild face"),
    ],
)
def test_settings_that_do_not_go_together(name, chosen, said):
    with pytest.raises(eb.ParameterError, match=said):
        eb.game(name, **chosen)


def test_a_game_too_large_for_a_tree_says_so():
    spot_on = eb.game("liars-dice-spot-on", sides=6, dice=(2, 2))
    assert spot_on.notes == ("exact ends play as a call does, so this game is solved on its tree only",)
    for game, size in ((spot_on, "22,196,255,887 nodes"), (eb.game("liars-poker", hand_length=8, num_digits=9), "")):
        with pytest.raises(
            eb.TreeTooLargeError, match=f"{size}.*over the budget of 5,000,000, too many for the memory of any"
        ):
            eb.solve(game, "oracle")
