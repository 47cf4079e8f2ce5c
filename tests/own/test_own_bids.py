"""Bidding games of one's own: solved without a tree, and wrong rules in one line."""

import re
from fractions import Fraction
from pathlib import Path

import pytest
from paths import DOCS

import efg_builder as eb
from efg_builder.forms.bidding_form import no_integer_form
from efg_builder.solvers.regret.many import needs_tree

SUMS = (DOCS / "games" / "sums.py").read_text()


def sums(folder: Path, old: str = "", new: str = "") -> eb.Game:
    assert old in SUMS
    path = folder / "mine.py"
    path.write_text(SUMS.replace(old, new))
    return eb.game(f"{path}:Sums")


def test_the_page_has_the_example() -> None:
    page = (DOCS / "your-own-game.md").read_text()
    assert SUMS.partition("\n\n")[2] in page
    assert len(re.split(r"\n(?=@dataclass)", SUMS)[1].splitlines()) <= 30


def test_methods_without_a_tree_agree_with_the_tree() -> None:
    game = eb.game(str(DOCS / "games" / "sums.py"), sides=4)
    value = (Fraction(11, 218), Fraction(-11, 218))
    assert eb.build(game).solve("lp").value == value  # the sequence form of the tree
    solution = eb.solve(game, "oracle")
    assert (solution.value, solution.exact) == (value, True)
    bracket = eb.solve(game, "cfr", gap=Fraction(1, 100))
    assert bracket.lower <= value[0] <= bracket.upper
    assert eb.evaluate(game, solution).matches[0].nash_conv == 0


def test_a_large_game_builds_no_tree(monkeypatch) -> None:
    game = eb.game(str(DOCS / "games" / "sums.py"), sides=7)
    assert game.size().nodes == 1 + 49 * (2**13 + 2**13 - 1)
    monkeypatch.setattr("efg_builder.forms.extensive.tile", None)
    solution = eb.solve(game)
    assert (solution.method, solution.exact) == ("oracle", True)
    assert solution.verify().exact


WRONG = {
    "float": ("(-gain, gain)", "(-0.5, 0.5)", "state (0, 1): the payoff of Alice is the float -0.5"),
    "sum": ("gain = -2 if", "gain, self.more = -2, 1 if", "FrozenInstanceError"),
    "not an end": ("return eb.End((gain, -gain)", "return ((gain, -gain)", "settle() returned"),
    "bids twice": ("str(total) for", "str(total // 2) for", "a bid appears twice: '1'"),
    "no text": ("str(total) for", "total for", "a bid is called 2; its label must be nonempty text"),
    "the call": ("tuple(str(total)", "('call',) + tuple(str(total)", "it must have another name than call and start"),
    "no list": ("return tuple(str(total)", "return {1: 2} and set(str(total)", "it must list the names of all bids"),
    "deals": ("Fraction(1, self.sides**2)", "Fraction(1, self.sides)", "the probabilities of deals sum to 6, not 1"),
}


@pytest.mark.parametrize("method", ["oracle", "many", "auto"])
@pytest.mark.parametrize("case", WRONG)
def test_wrong_rules_are_named_in_one_line(case: str, method: str, tmp_path: Path) -> None:
    old, new, said = WRONG[case]
    with pytest.raises(eb.RulesError) as told:
        eb.solve(sums(tmp_path, old, new), method)
    assert said in str(told.value)
    assert str(told.value).startswith("Sums")
    assert str(told.value).count("\n") == 0


OWN_TURNS = """    def public_turn(self, state):
        return super().public_turn(state)

    def settle"""


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("    def settle", OWN_TURNS, "has a public_turn of its own"),
        ("str(total) for", "f'at {total}' for", "has a blank"),
    ],
)
def test_other_turns_need_the_tree(old: str, new: str, said: str, tmp_path: Path) -> None:
    """A method without a tree assumes that every higher bid is legal."""
    game = sums(tmp_path, old, new)
    assert said in (no_integer_form(game) or "")
    assert said in (needs_tree(game) or "")
    assert eb.solve(game).exact
