"""The rules of Liar's Dice against the examples of "Game 2 Player Liar's Dice" (Kakatur and Chang) and anew."""

from fractions import Fraction

import pytest
from play_games import after

import efg_builder as eb
from efg_builder.forms.extensive import build
from efg_builder.games.protocol import Deal

FACE_FIRST = eb.game("liars-dice", sides=6, dice="3,3", order="face-quantity")


@pytest.mark.parametrize(
    ("last", "bid", "legal"),
    [  # the source's examples; it says "EITHER the quantity OR the face value" and "CANNOT decrease"; the latter holds
        ("3x3", "3x4", True),
        ("3x3", "4x3", True),
        ("3x3", "1x4", True),
        ("3x3", "5x4", True),
        ("3x3", "2x3", False),
        ("4x4", "3x3", False),
        ("3x4", "4x3", False),
    ],
)
def test_the_examples_of_the_formulation(last, bid, legal):
    assert (bid in dict(after(FACE_FIRST, last).actions)) is legal


def loser(game, hands, bids):
    """Return the loser of the call (from 0), by counting dice."""
    quantity, face = map(int, bids[-1].split("x"))
    count = sum(die in (face, game.wild) for hand in hands for die in hand)
    caller = len(bids) % len(hands)
    return caller if count >= quantity else (caller - 1) % len(hands)


@pytest.mark.parametrize(
    ("bids", "lost"),
    [  # hands (1, 3, 3) and (2, 2, 3): three threes in all
        (["3x3"], 1),  # player 2 calls a true bid
        (["4x3"], 0),  # player 2 calls a false bid
        (["1x3", "3x3"], 0),  # player 1 calls a true bid
        (["1x3", "4x3"], 1),  # player 1 calls a false bid
    ],
)
def test_who_loses_a_call(bids, lost):
    assert loser(FACE_FIRST, [(1, 3, 3), (2, 2, 3)], bids) == lost
    deal = Deal(Fraction(1), (FACE_FIRST.hands[0].index("1,3,3"), FACE_FIRST.hands[1].index("2,2,3")))
    key = FACE_FIRST.called(FACE_FIRST.bid_names.index(bids[-1]), len(bids) % 2)
    assert FACE_FIRST.settle(key, deal).payoffs[lost] == -1


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
    tree = build(game)
    for node in range(len(tree)):
        if not tree.is_terminal(node):
            continue
        path, at = [], node
        while tree.parent[at] >= 0:
            above = tree.parent[at]
            path.append(tree.infosets[tree.infoset[above]].actions[tree.action[at]])
            at = above
        deal, *bids, call = reversed(path)
        assert call == "call"
        hands = [tuple(map(int, hand.split(","))) for hand in deal.split(" vs ")]
        payoffs = tree.outcomes[tree.outcome[node]].payoffs
        assert payoffs.index(min(payoffs)) == loser(game, hands, bids)


@pytest.mark.parametrize("exact", ["caller-loses-one", "bidder-loses-one"])
def test_who_loses_an_exact_count_is_who_the_game_says(exact):
    game = eb.game("liars-dice-stakes", sides=2, dice="2,1", exact=exact)
    for deal in game.deals:
        dice = [die for cup, hand in zip(game.cups, deal.hands, strict=True) for die in cup[hand][0]]
        for index, (amount, face) in enumerate(game.bids):
            paid = game.settle(game.called(index, 1), deal).payoffs
            holds = dice.count(face) >= amount + (exact == "bidder-loses-one")
            assert (paid[1] < paid[0]) is holds
