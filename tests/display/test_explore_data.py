"""What Explore is told about games of one's own: parameters that refuse some values, and claims; and its size."""

import re
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import pytest

import efg_builder as eb
from efg_builder.display.pages import explore
from efg_builder.display.pages.explore import MOST_NODES, explore_data
from efg_builder.games.protocol import Claim

MOST_EXPLORED = re.compile(r"\bMOST_EXPLORED = ([\d_]+)")


@dataclass(frozen=True)
class Bets(eb.Game):
    """Ann bets or not. The page moves a stake of 2 from 1/2 to 8; ``most`` limits it."""

    stake: Fraction = Fraction(2)
    fee: Fraction = Fraction(1, 2)
    most: int = 8

    players = "Ann", "Bob"

    def __post_init__(self):
        if self.stake > self.most:
            raise ValueError(f"stake is at most {self.most}")

    def turn(self, state):
        if state == "":
            return eb.Decision(0, "Ann", [("bet", "b"), ("pass", "p")])
        return self.end(state)

    def end(self, state):
        paid = self.stake if state == "b" else -self.fee
        return eb.End((paid, -paid))


def settings(game):
    return {each["name"]: each["slopes"] for each in explore_data(eb.build(game)).get("settings", [])}


def test_a_parameter_that_refuses_a_value_of_its_slider_is_left_out():
    stake, fee = [["1", "-1"], ["0", "0"]], [["0", "0"], ["-1", "1"]]
    assert settings(Bets()) == {"stake": stake, "fee": fee}
    assert settings(Bets(most=7)) == {"fee": fee}
    assert settings(Bets(fee=Fraction(0))) == {"stake": stake}  # a slider of 0 has no ends


class Squares(Bets):
    def end(self, state):
        return eb.End((self.stake**2, self.fee))


class Products(Bets):
    def end(self, state):
        return eb.End((self.stake * self.fee, 0))


class Kinks(Bets):
    """Linear up to 4, and from 4."""

    def end(self, state):
        return eb.End((max(self.stake, 4), self.fee))


class Grows(Bets):
    """Another tree with a large stake."""

    def turn(self, state):
        if state == "b" and self.stake > 4:
            return eb.Decision(1, "Bob", [("call", "bc")])
        return super().turn(state)


@pytest.mark.parametrize(
    ("kind", "names"), [(Squares, ["fee"]), (Products, ["stake"]), (Kinks, ["fee"]), (Grows, ["fee"])]
)
def test_payoffs_are_linear_in_each_parameter_and_in_all_together(kind, names):
    assert list(settings(kind())) == names


class Claims(eb.DealtGame):
    """Ann holds one or two dice of a kind and claims a number."""

    players = "Ann", "Bob"
    hands = (("none", "one"), ("-",))
    deals = tuple(eb.Deal(Fraction(1, 2), (hand, 0)) for hand in range(2))

    def public_turn(self, state):
        if state:
            return eb.PublicEnd(state)
        return eb.PublicDecision(0, "", [(name, name) for name in ("pass", "claim 1", "claim 2")])

    def settle(self, key, deal):
        return eb.End((1, -1))

    def claim(self, player, hand, action):
        return None if action == "pass" else Claim(hand, Fraction(0))


def test_a_game_with_claims_tells_its_bluffs():
    tree = eb.build(Claims())
    (none,) = [k for k in tree.personal if tree.names[k].startswith("none")]
    assert explore_data(tree)["bluffs"] == {str(none): [1, 2]}
    assert "bluffs" not in explore_data(eb.build(Bets()))


def test_bluffs_with_spot_on_are_the_bluffs_of_the_plain_round():
    plain, spot_on = (eb.build(eb.game(name, sides=2)) for name in ("liars-dice", "liars-dice-spot-on"))
    named = [
        {tree.names[int(k)]: lies for k, lies in explore_data(tree)["bluffs"].items()} for tree in (plain, spot_on)
    ]
    assert named[0] == named[1]
    assert named[0]["1: start"] == [1, 3]


def test_python_and_the_page_agree_on_the_largest_tree():
    text = (Path(explore.__file__).parent / "src" / "explore_game.js").read_text("utf-8")
    assert int(MOST_EXPLORED.search(text)[1]) == MOST_NODES
