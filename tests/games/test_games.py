"""Every game in the catalogue, and its published numbers."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from paths import DOCS

import efg_builder as eb
from efg_builder.base.parameters import as_text
from efg_builder.forms.extensive import constant_sum, walk
from efg_builder.forms.recall import has_perfect_recall
from efg_builder.games.bidding import at_least, sorted_hands
from efg_builder.games.catalogue import identify, make
from efg_builder.games.checks import check_deal
from efg_builder.games.dice_poker import DicePoker
from efg_builder.games.match_rules import match_rules
from efg_builder.games.protocol import DealtGame, PublicEnd
from sound import problems

SMALL = [(name, dict(small)) for name, kind in eb.catalogue().items() for small in kind.small]


def small_games():
    return [pytest.param(eb.game(name, **chosen), id=f"{name} {chosen}") for name, chosen in SMALL]


# --- what every game must do -------------------------------------------------------------------------------


@pytest.mark.parametrize("game", small_games())
def test_the_tree_is_sound_and_has_the_size_the_rules_say(game):
    tree = eb.build(game)
    size = game.size()
    assert problems(tree) == []
    assert has_perfect_recall(tree)
    assert constant_sum(tree) == game.constant_sum
    counts = tree.node_counts
    assert (counts["chance_nodes"], counts["decision_nodes"], counts["terminal_nodes"]) == (
        size.chance_nodes,
        size.decision_nodes,
        size.terminal_nodes,
    )
    owners = Counter(tree.infosets[k].player for k in tree.personal)
    assert tuple(owners[i] for i in range(len(game.players))) == size.infosets
    assert tree == walk(game)  # dealt games are tiled


@pytest.mark.parametrize("game", small_games())
def test_labels_are_ascii_and_unique(game):
    tree = eb.build(game)
    labels = [tree.infosets[k].label for k in tree.personal]
    assert len(set(labels)) == len(labels)
    # Public chance moves may share a name: the name must not reveal hidden cards.
    for label in [*(i.label for i in tree.infosets), *tree.players, tree.title, *(o.label for o in tree.outcomes)]:
        assert label.isascii()
        assert label == " ".join(label.split())
        assert label


@pytest.mark.parametrize("name", list(eb.catalogue()))
def test_unknown_keys_and_values_are_named(name):
    with pytest.raises(eb.ParameterError, match="nonsense"):
        eb.game(name, nonsense=1)
    first = eb.catalogue()[name].parameters[0].name
    with pytest.raises(eb.ParameterError, match=f"{first}=-1"):
        eb.game(name, **{first: -1})


# --- known numbers ------------------------------------------------------------------------------------------


@given(st.integers(1, 4), st.integers(2, 4))
def test_hands_are_what_counting_rolls_gives(dice, sides):
    rolls = Counter(tuple(sorted(roll)) for roll in product(range(1, sides + 1), repeat=dice))
    assert dict(sorted_hands(dice, sides)) == {hand: Fraction(n, sides**dice) for hand, n in rolls.items()}


@given(st.integers(-1, 5), st.integers(0, 4), st.integers(1, 3), st.integers(4, 6))
def test_the_binomial_tail_is_what_counting_rolls_gives(needed, dice, hits, sides):
    good = sum(1 for roll in product(range(sides), repeat=dice) if sum(die < hits for die in roll) >= needed)
    assert at_least(needed, dice, Fraction(hits, sides)) == Fraction(good, sides**dice)


def test_bids_are_in_order_and_call_comes_last():
    tree = eb.build(eb.game("liars-dice", sides=2))
    after = next(i for i in tree.infosets if i.label == "1: 1x2")
    assert after.actions == ("2x1", "2x2", "call")
    start = next(i for i in tree.infosets if i.label == "1: start")
    assert start.actions == ("1x1", "1x2", "2x1", "2x2")
    tree = eb.build(eb.game("liars-dice", sides=2, order="face-quantity"))
    assert next(i for i in tree.infosets if i.label == "1: start").actions == ("1x1", "2x1", "1x2", "2x2")


def test_the_board_game_s_order_puts_k_wild_ones_after_2k_less_1_others():
    # The order in which lanctot/iioos plays Bluff: 1x1..5, 1x6, 2x1..5, 3x1..5, 2x6, 4x1..5, 5x1..5, 3x6, ...
    names = eb.game("liars-dice", sides=6, dice=(3, 3), wild="highest", order="bluff").bid_names
    expected = [f"{q}x{f}" for q in (1, 2, 3, 4, 5, 6) for f in range(1, 6)]
    for after, wild in (("1x5", "1x6"), ("3x5", "2x6"), ("5x5", "3x6")):
        expected.insert(expected.index(after) + 1, wild)
    assert list(names) == [*expected, "4x6", "5x6", "6x6"]


@pytest.mark.parametrize(
    ("biddable", "bid", "hands", "holds"),
    [
        (False, (2, 3), ((1,), (3,)), True),  # a one is wild
        (False, (2, 3), ((2,), (3,)), False),
        (True, (1, 2), ((1,), (3,)), True),
        (True, (1, 1), ((2,), (3,)), False),  # a wild face that may be bid counts itself alone
        (True, (2, 1), ((1,), (1,)), True),
    ],
)
def test_wild_dice(biddable, bid, hands, holds):
    game = eb.game("liars-dice", sides=3, wild=1, wild_biddable=biddable)
    assert ((1, 1) in game.bids) is biddable
    assert (sum(game.matches(hand, bid[1]) for hand in hands) >= bid[0]) is holds


@settings(max_examples=40)
@given(
    sides=st.integers(2, 3),
    dice=st.lists(st.integers(1, 2), min_size=2, max_size=3).filter(lambda d: sum(d) <= 4),
    wild=st.sampled_from(["none", "1", "highest"]),
    biddable=st.booleans(),
    order=st.sampled_from(["quantity-face", "face-quantity"]),
    quantity=st.integers(1, 2),
)
def test_size_by_formula_is_the_size_of_the_tree(sides, dice, wild, biddable, order, quantity):
    if wild != "none" and biddable and order == "face-quantity" and quantity == 2:
        order = "bluff"  # not in every case, because it needs a biddable wild face
    game = eb.game(
        "liars-dice", sides=sides, dice=dice, wild=wild, wild_biddable=biddable, order=order, max_quantity=quantity
    )
    tree = eb.build(game)
    assert len(tree) == game.size().nodes
    assert tree == walk(game)
    assert constant_sum(tree) == 0


@pytest.mark.parametrize(
    ("chosen", "payoffs"),
    [
        ({"payoff": "points"}, {(1, 0), (0, 1)}),
        (
            {"dice": (1, 1, 1), "max_quantity": 1},  # the loser's 1 is shared
            {tuple(Fraction(-1) if i == loser else Fraction(1, 2) for i in range(3)) for loser in range(3)},
        ),
    ],
)
def test_payoffs(chosen, payoffs):
    assert {outcome.payoffs for outcome in eb.build(eb.game("liars-dice", **chosen)).outcomes} == payoffs


def test_notes_say_when_max_quantity_makes_a_different_game():
    assert "different game" in eb.game("liars-dice", dice="2,2", max_quantity=2).notes[0]
    assert "do not affect the value" in eb.game("liars-dice", sides=3, max_quantity="sides").notes[0]
    assert eb.game("liars-dice").notes == ()


@pytest.mark.parametrize(
    # 1 + D (2^(m+1) - 1) with D = sides^2 deals and m bids; up to the sides as in "A Roll of the Liar's Dice" (2015).
    ("sides", "quantity", "nodes"),
    [
        *((2, "dice", 125), (2, "sides", 125), (3, "dice", 1144), (3, "sides", 9208), (4, "dice", 8177)),
        *((5, "dice", 51176), (6, "dice", 294877), (4, "sides", 2097137)),
    ],
)
def test_sizes_of_one_die_each(sides, quantity, nodes):
    game = eb.game("liars-dice", sides=sides, max_quantity=quantity)
    assert game.size().nodes == nodes
    assert nodes > 10_000 or len(eb.build(game)) == nodes


def test_sizes_far_beyond_memory_are_exact():
    size = eb.game("liars-dice", sides=6, dice=(2, 2)).size()
    assert sum(size.infosets) == 42 * 2**23  # 352 million
    assert eb.game("liars-dice", sides=6, dice=(5, 5)).size().nodes == 1 + 252**2 * (2**61 - 1)


@pytest.mark.parametrize(("value", "text"), [((2, 1), "2,1"), (True, "true"), (None, "none"), (3, "3"), (" a ", "a")])
def test_python_values_read_as_they_would_be_typed(value, text):
    assert as_text(value) == text


def test_mia_ranks_and_who_wins_a_doubt():
    game = eb.game("mia", sides=3)
    assert [name for name, _ in game.ranks] == ["31", "32", "11", "22", "33", "21"]
    assert dict(game.ranks)["21"] == Fraction(2, 9)
    ranks = [name for name, _ in game.ranks]
    told_truth = game.turn(((ranks.index("22"),), (ranks.index("22"),), "over"))
    lied = game.turn(((ranks.index("32"),), (ranks.index("22"),), "over"))
    assert told_truth.label == "Player 1 wins"
    assert lied.label == "Player 2 wins"


def test_a_tree_over_the_budget_is_refused_with_its_exact_size():
    with pytest.raises(eb.TreeTooLargeError, match="2,097,137") as caught:
        eb.build(eb.game("liars-dice", sides=4, max_quantity="sides"), max_nodes=2_000_000)
    assert (caught.value.nodes, caught.value.budget) == (2097137, 2_000_000)
    with pytest.raises(eb.TreeTooLargeError):
        eb.build(eb.game("liars-dice", sides=20, dice="10,10"))
    with pytest.raises(eb.TreeTooLargeError):
        walk(eb.game("mia", sides=3), max_nodes=1000)


def test_the_comment_explains_a_deal_of_this_game():
    assert eb.game("liars-dice").comment.endswith(" 1 vs 2: Player 1 holds 1, Player 2 holds 2.")
    for chosen in ({"dice": (1, 1, 1)}, {"dice": (2, 1), "sides": 3}, {"dice": (1, 2, 1), "sides": 3}):
        game = eb.game("liars-dice", **chosen)
        deal = game.comment.partition(": Player 1 holds ")[0].rpartition(". ")[2]
        assert deal in {game.deal_name(d) for d in game.deals}
        for player, hand in zip(game.players, deal.split(" vs "), strict=True):
            assert f"{player} holds {hand}" in game.comment


@pytest.mark.parametrize("game", small_games())
def test_what_is_told_of_hands_and_defaults_follows_from_the_deals_and_from_play(game):
    if not isinstance(game, DealtGame):
        pytest.skip("no dealt game")
    check_deal(game)
    assert game.hand_probabilities == DealtGame.hand_probabilities.fget(game)
    assert all(game.default_action(turn) == DealtGame.default_action(game, turn) for turn in game.turns())
    for key in {turn.key for turn in game.public_play() if isinstance(turn, PublicEnd)}:
        classes = [game.classes(key, player) for player in range(len(game.players))]
        paid = {}
        for deal in game.deals:
            alike = tuple(of[hand] for of, hand in zip(classes, deal.hands, strict=True))
            assert paid.setdefault(alike, game.settle(key, deal).payoffs) == game.settle(key, deal).payoffs


CLAIMS = {"liars-dice": "call", "liars-dice-spot-on": "call", "liars-poker": "challenge"}
"""The games in which bids are claims, and the move that doubts them."""


@pytest.mark.parametrize("game", [each for each in small_games() if identify(each.values[0])[0] in CLAIMS])
def test_a_claim_is_false_as_often_as_its_bidder_loses(game):
    doubt = CLAIMS[identify(game)[0]]
    for turn in [turn for turn in game.public_play() if not isinstance(turn, PublicEnd)]:
        for action, state in turn.actions:
            if action in (doubt, "exact"):
                assert game.claim(turn.player, 0, action) is None
                continue
            while not isinstance(end := game.public_turn(state), PublicEnd):
                state = dict(end.actions)[doubt]
            for hand in range(len(game.hands[turn.player])):
                deals = [deal for deal in game.deals if deal.hands[turn.player] == hand]
                paid = [(deal.probability, game.settle(end.key, deal).payoffs) for deal in deals]
                lost = sum(p for p, payoffs in paid if payoffs[turn.player] < max(payoffs))
                claim = game.claim(turn.player, hand, action)
                assert claim.false == lost / sum(p for p, _ in paid)


@pytest.mark.parametrize(
    ("game", "hand", "name"),
    [
        (("kuhn", {}), "1", "J"),
        (("kuhn", {"cards": 4, "seats": 3}), "4", "A"),
        (("kuhn", {"cards": 7}), "1", "8"),
        (("kuhn", {"cards": 8}), "7", "7"),  # with ranks from 7 to A, the first would be shown as "7"
        (("dice-poker", {}), "6", "\u2685"),
        (("dice-poker", {"sides": 7}), "6", "6"),
        (("liars-dice", {"dice": "1,2", "sides": 6}), "1,6", "\u2680\u2685"),
        (("liars-dice", {"sides": 8}), "8", "8"),
        (("liars-poker", {}), "1", "1"),
    ],
)
def test_hands_are_named_as_cards_and_dice_are(game, hand, name):
    found = eb.game(game[0], **game[1])
    assert found.hand_names[-1][found.hands[-1].index(hand)] == name


@pytest.mark.parametrize("game", small_games())
def test_a_game_of_the_catalogue_is_recognised(game):
    name, settings = identify(game)
    assert make(name, settings) == game


def test_another_game_is_not_recognised():
    assert identify(DicePoker(1)) is None


@pytest.mark.parametrize(
    ("dice", "sides", "words"),
    [
        ("1,1", 6, "one six-sided die each"),
        ("2,2", 6, "2 six-sided dice each"),
        ("2,1", 6, "2 against 1 six-sided dice"),
        ("1,1", 12, "one twelve-sided die each"),
        ("1,1", 20, "one 20-sided die each"),
        ("1,1,1", 2, "3 players, one two-sided die each"),
    ],
)
def test_titles_name_the_dice_as_grammar_asks(dice, sides, words):
    assert eb.game("liars-dice", dice=dice, sides=sides).title == f"Liar's Dice: {words}"
    assert match_rules({"dice": dice, "sides": str(sides)}).title == (
        f"Match of Liar's Dice: {words}, loss one, next loser"
    )


RULES = "Two in turn take the larger heap, or pass."


@pytest.mark.parametrize(
    ("docstring", "title", "comment"),
    [
        (f"The centipede.\n\n    {RULES}\n    ", "The centipede", RULES),
        (f"The centipede.\n\n    {RULES}\n\n    More.", "The centipede", RULES),
        (RULES, "Mine", RULES),  # one paragraph contains the rules
        (f"{RULES}\n\n    Parameters\n    ----------\n    legs : int", "Mine", RULES),
        (None, "Mine", ""),
    ],
)
def test_the_first_line_of_a_docstring_is_the_title_of_a_game(docstring, title, comment):
    mine = type(
        "Mine", (eb.Game,), {"__doc__": docstring, "players": ("A", "B"), "turn": lambda self, state: eb.End((0, 0))}
    )
    assert (mine().title, mine().comment) == (title, comment)
    inherited = type("Other", (mine,), {})
    assert (inherited().title, inherited().comment) == ("Other", "")


@pytest.mark.parametrize(
    ("name", "title"),
    [
        *(("horse", "Selten's horse"), ("quiche", "Beer or quiche"), ("bagwell", "Bagwell's game of commitment")),
        *(("centipede", "The centipede: legs=5"), ("coin", "Coin")),
    ],
)
def test_own_games_of_the_documentation_have_titles(name, title):
    assert eb.game(str(DOCS / "games" / f"{name}.py")).title == title
