"""The display names of hands, in output and in input."""

from fractions import Fraction
from itertools import permutations

import pytest

import efg_builder as eb
from efg_builder.forms.hand_names import displayed_tree, printed_hands, printed_tree


def test_a_terminal_prints_names_in_ascii_only():
    assert printed_hands(eb.game("kuhn"))[0] == ("J", "Q", "K")
    assert printed_hands(eb.game("dice-poker", sides=2))[0] == ("1", "2")  # their display names are die faces


def test_the_displayed_tree_differs_in_the_names_of_hands_alone():
    tree = eb.build("liars-dice sides=2")
    shown = displayed_tree(tree)
    assert "\u2680: start" in shown.names
    assert shown.infosets[0].actions[:2] == ("\u2680 vs \u2680", "\u2680 vs \u2681")
    assert shown.parent is tree.parent
    assert [i.actions for i in shown.infosets[1:]] == [i.actions for i in tree.infosets[1:]]
    assert printed_tree(tree) is tree


def test_files_and_data_keep_hands(tmp_path):
    solution = eb.solve("kuhn")
    path = solution.write(tmp_path / "kuhn.csv")
    assert "1: start" in path.read_text()
    assert "J: start" not in path.read_text()
    assert "J: start" in str(solution)
    assert '"1: start"' in solution.tree.to_efg()


@pytest.mark.parametrize("label", ["1: check bet", "J: check bet"])
def test_either_name_finds_an_information_set(label):
    assert eb.solve("kuhn").profile[label]["fold"] == 1
    assert eb.ranges("kuhn")[label]["fold"] == (1, 1)


@pytest.mark.parametrize("label", ["2: 1x2", "\u2681: 1x2"])
def test_either_name_finds_a_hand_without_a_tree(label):
    assert eb.solve("liars-dice sides=2", "oracle").strategy[label] == {"2x1": 0, "2x2": 1, "call": 0}


@pytest.mark.parametrize("table", ["kuhn", eb.build("kuhn")], ids=["rules", "tree"])
def test_a_strategy_may_be_written_under_either_name(table):
    values = {
        eb.evaluate(table, {f"{hand}: start": {"bet": 1}}, complete="uniform").matches[0].value for hand in ("1", "J")
    }
    assert len(values) == 1
    with pytest.raises(eb.ProfileError, match="appears twice"):
        eb.evaluate(table, {"1: start": {"bet": 1}, "J: start": {"bet": 1}}, complete="uniform")


class Named(eb.DealtGame):
    """One of three cards each; Alice claims the higher card or not, and Bob does not move."""

    players = "Alice", "Bob"
    hands = (("1", "2", "3"),) * 2
    hand_names = (("J", "Q", "K"),) * 2
    deals = tuple(eb.Deal(Fraction(1, 6), pair) for pair in permutations(range(3), 2))

    def public_turn(self, state):
        if state:
            return eb.PublicEnd(state)
        return eb.PublicDecision(0, "start", [("higher", "higher"), ("lower", "lower")])

    def settle(self, key, deal):
        won = (deal.hands[0] > deal.hands[1]) == (key == "higher")
        return eb.End((1, -1) if won else (-1, 1))


def test_a_game_of_ones_own_names_its_hands():
    """As on the page on users' games: pictures, tables and text show J, Q, K; files have 1, 2, 3."""
    solution = eb.solve(Named())
    assert "Alice  J: start" in str(solution)
    picture = str(eb.draw(solution))
    assert "J vs Q" in picture
    assert "1 vs 2" not in picture
    assert '"1 vs 2"' in solution.tree.to_efg()
    assert solution.profile["J: start"] == solution.profile["1: start"]
