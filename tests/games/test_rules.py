"""The rules alone, against the examples of "Game 2 Player Liar's Dice" (Kakatur and Chang)."""

from fractions import Fraction

import pytest

import efg_builder as eb
from efg_builder.forms.extensive import build
from efg_builder.games.liars_dice_rules import Bid, Rules, State

FACE_FIRST = Rules(eb.game("liars-dice", sides=6, dice="3,3", order="face-quantity"))


@pytest.mark.parametrize(
    ("last", "bid", "legal"),
    [  # the formulation's own six examples
        ((3, 3), (3, 4), True),
        ((3, 3), (4, 3), True),
        ((3, 3), (4, 1), True),
        ((3, 3), (4, 5), True),
        ((3, 3), (3, 2), False),
        ((4, 4), (3, 3), False),
    ],
)
def test_the_examples_of_the_formulation(last, bid, legal):
    assert FACE_FIRST.higher((Bid(*last),), Bid(*bid)) is legal


def test_bid_priority_higher_faces_first_then_the_same_face():
    moves = FACE_FIRST.legal_moves(State(((1,), (2,)), (Bid(5, 4),)))
    assert moves == (*(Bid(6, q) for q in range(1, 7)), Bid(5, 5), Bid(5, 6), "call")


def test_quantity_order_lists_bids_from_the_lowest():
    rules = Rules(eb.game("liars-dice", sides=2))
    assert rules.legal_moves(State(((1,), (2,)))) == (Bid(1, 1), Bid(2, 1), Bid(1, 2), Bid(2, 2))
    assert rules.legal_moves(State(((1,), (2,)), (Bid(2, 1),))) == (Bid(1, 2), Bid(2, 2), "call")
    assert rules.legal_moves(State(((1,), (2,)), (Bid(2, 1),), "GameOver")) == ()


def test_no_call_before_the_first_bid():
    with pytest.raises(eb.ParameterError, match="not legal"):
        FACE_FIRST.step(State(((1,), (2,))), "call")


@pytest.mark.parametrize(
    ("bids", "winner"),
    [  # hands (3, 3, 1) and (3, 2, 2): three threes in all
        ([Bid(3, 3)], 1),  # player 2 calls a true bid
        ([Bid(3, 4)], 2),  # player 2 calls a false bid
        ([Bid(3, 1), Bid(3, 3)], 2),  # player 1 calls a true bid
        ([Bid(3, 1), Bid(3, 4)], 1),  # player 1 calls a false bid
    ],
)
def test_who_wins_a_call(bids, winner):
    state = State(((1, 3, 3), (2, 2, 3)))
    assert FACE_FIRST.win(state) is None
    for bid in bids:
        state = FACE_FIRST.step(state, bid)
    state = FACE_FIRST.step(state, "call")
    assert state.status == "GameOver"
    assert FACE_FIRST.win(state) == winner
    assert FACE_FIRST.loser(state) == 3 - winner


def test_an_observation_hides_the_other_hand():
    state = State(((1, 3, 3), (2, 2, 3)), (Bid(3, 3),))
    assert FACE_FIRST.observe(state, 2) == ((2, 2, 3), (Bid(3, 3),), "Active")


@pytest.mark.parametrize(
    ("bid", "hand", "chance"),
    [  # P(c2 >= k), c2 ~ Binomial(3, 1/6), k = amount - c1
        (Bid(3, 3), (1, 3, 3), 1 - Fraction(5, 6) ** 3),
        (Bid(3, 2), (1, 3, 3), 1),
        (Bid(4, 4), (1, 3, 3), 0),
        (Bid(4, 3), (1, 3, 3), Fraction(1, 216)),
    ],
)
def test_p_valid(bid, hand, chance):
    assert FACE_FIRST.p_valid(bid, hand, 3) == chance


def test_p_valid_with_a_wild_face():
    rules = Rules(eb.game("liars-dice", sides=6, wild=1))
    assert rules.p_valid(Bid(3, 1), (2,), 1) == Fraction(1, 3)
    assert rules.p_valid(Bid(1, 1), (2,), 1) == Fraction(1, 6)


def test_three_players_move_in_turn_and_the_bidder_before_the_caller_pays():
    rules = Rules(eb.game("liars-dice", dice="1,1,1"))
    state = State(((1,), (1,), (2,)))
    for bid in (Bid(1, 1), Bid(1, 2), Bid(1, 3)):
        state = rules.step(state, bid)
    assert rules.mover(state) == 1
    assert rules.loser(rules.step(state, "call")) == 3  # player 3 claimed three ones
    with pytest.raises(eb.ParameterError, match="loser"):
        rules.win(state)


@pytest.mark.parametrize(
    "settings",
    [
        {"sides": 3},
        {"sides": 3, "wild": 1, "order": "face-quantity"},
        {"dice": "1,1,1", "max_quantity": 2},
        {"dice": "2,1"},
    ],
)
def test_every_end_of_the_tree_is_what_the_rules_say(settings):
    game = eb.game("liars-dice", **settings)
    rules, tree = Rules(game), build(game)
    for node in range(len(tree)):
        if not tree.is_terminal(node):
            continue
        path, at = [], node
        while tree.parent[at] >= 0:
            above = tree.parent[at]
            path.append(tree.infosets[tree.infoset[above]].actions[tree.action[at]])
            at = above
        deal, *moves = reversed(path)
        hands = tuple(tuple(map(int, hand.split(","))) for hand in deal.split(" vs "))
        state = State(hands)
        for move in moves:
            quantity, _, face = move.partition("x")
            state = rules.step(state, "call" if move == "call" else Bid(int(face), int(quantity)))
        loser = rules.loser(state)
        payoffs = tree.outcomes[tree.outcome[node]].payoffs
        assert payoffs.index(min(payoffs)) + 1 == loser


@pytest.mark.parametrize("exact", ["caller-loses-one", "bidder-loses-one"])
def test_who_loses_an_exact_count_is_who_the_game_says(exact):
    game = eb.game("liars-dice-stakes", sides=2, dice="2,1", exact=exact)
    rules = Rules(game)
    for deal in game.deals:
        hands = tuple(cup[hand][0] for cup, hand in zip(game.cups, deal.hands, strict=True))
        for index, (amount, face) in enumerate(game.bids):
            paid = game.settle(game.called(index, 1), deal).payoffs
            assert rules.loser(State(hands, (Bid(face, amount),), "GameOver")) == (1 if paid[0] < paid[1] else 2)
    # One own two, one unseen die of two sides: "2x2" holds where it is a two; not where an exact count is too few.
    chance = {"caller-loses-one": Fraction(1, 2), "bidder-loses-one": Fraction(0)}[exact]
    assert rules.p_valid(Bid(2, 2), (2,), 1) == chance
