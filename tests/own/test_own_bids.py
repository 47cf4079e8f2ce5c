"""Bidding games of one's own: solved without a tree, and wrong rules in one line."""

import re
from fractions import Fraction
from pathlib import Path

import pytest
from paths import DOCS

import efg_builder as eb
from efg_builder.games.checks import payoff_classes
from efg_builder.strategies.sparse_profile import SparseProfile

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
    "float": ("(-gain, gain)", "(-0.5, 0.5)", "state ((0, 1), (0, 0)): the payoff of Alice is the float -0.5"),
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

OWN_CLASSES = """    def classes(self, key, player):
        return {}

    def settle"""

SETTLE = "bid, caller = key  #"
HANDS = "(tuple(str(die) for die in range(1, self.sides + 1)),) * 2"

BROKEN = {  # a piece of the page's game, what replaces it, the message
    "settle raises": (SETTLE, "bid, caller, _ = key  #", "ValueError: not enough values to unpack"),
    "settle returns a tuple": ("return eb.End((gain,", "return ((gain,", "settle() returned"),
    "three players": ('"Bob"', '"Bob", "Cid"', "hands has 2 entries for 3 players"),
    "one list of hands": (HANDS, f"{HANDS[:-4]}", "hands has 1 entry for 2 players"),
    "no such hand": ("(a, b)) for", "(a, b + 1)) for", "must have one hand index"),
    "hands raise": (HANDS, "1 / 0", "ZeroDivisionError: division by zero (mine.py, line "),
    "deals raise": ("range(self.sides), Fraction", "1 / 0, Fraction", "ZeroDivisionError: division by zero"),
    "wrong classes": ("    def settle", OWN_CLASSES.format("(0, 1, key[0] % 2)"), "the same number, but against '"),
    "few classes": ("    def settle", OWN_CLASSES.format("(0, 1)"), "for each of the 3 hands of Alice"),
    "no classes": ("    def settle", OWN_CLASSES.format("None"), "classes() returned None; it must return"),
    "a blank": ("str(total) for", "f'at {total}' for", "a bid is called 'at 2'; its name must be one word"),
    "own turns": ("    def settle", OWN_TURNS, "a public_turn() of its own; write a subclass of eb.DealtGame"),
}

COMMANDS = [
    "info",
    "solve",
    "solve --method oracle",
    "solve --method many",
    "evaluate --strategy uniform",
    "evaluate --strategy uniform --measure dense",
]


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("case", BROKEN)
def test_commands_name_a_mistake_in_one_line(case: str, command: str, tmp_path: Path, cli) -> None:
    old, new, said = BROKEN[case]
    sums(tmp_path, old, new)
    name, *words = command.split()
    code, out, err = cli(name, f"{tmp_path / 'mine.py'}:Sums", "sides=3", *words)
    assert (code, out) == (2, "")
    *progress, error = err.splitlines()
    assert error.startswith("error: Sums")
    assert said in error
    assert all(line.startswith("arrays of") for line in progress)


def with_classes(folder: Path, least: str) -> eb.Game:
    """The page's game with three sides: hands count as bid 0 to *least*, or as the bid and above, in one class each."""
    classes = f"tuple(min(max(hand, {least}), key[0]) for hand in range(self.sides))"
    sums(folder, "    def settle", OWN_CLASSES.format(classes))
    return eb.game(f"{folder / 'mine.py'}:Sums", sides=3)


def test_right_classes_change_no_value(tmp_path: Path) -> None:
    plain, game = eb.game(str(DOCS / "games" / "sums.py"), sides=3), with_classes(tmp_path, "key[0] - self.sides")
    assert payoff_classes(game, (0, 1)) == [(0, 0, 0)] * 2  # the sum is always at least 2
    assert payoff_classes(game, (4, 1)) == [(1, 1, 2)] * 2  # only two threes are a six
    value = eb.build(plain).solve("lp").value
    assert eb.solve(game, "oracle").value == eb.solve(game).value == value


def test_wrong_classes_prove_nothing(tmp_path: Path, cli) -> None:
    file = str(tmp_path / "solution.json")
    eb.solve(eb.game(str(DOCS / "games" / "sums.py"), sides=3), "oracle").write(file)
    game = with_classes(tmp_path, "key[0] - self.sides + 2")
    for method in ("oracle", "cfr", "many", "auto"):
        with pytest.raises(eb.RulesError, match="the same number"):
            eb.solve(game, method)
    code, _, err = cli("verify", file, f"{tmp_path / 'mine.py'}:Sums", "sides=3")
    assert code == 2
    assert "the same number, but against" in err


def test_classes_of_a_dealt_game_are_compared_too() -> None:
    class Higher(eb.DealtGame):
        players = "Alice", "Bob"
        hands = (("1", "2"),) * 2
        deals = tuple(eb.Deal(Fraction(1, 4), (a, b)) for a in range(2) for b in range(2))

        def public_turn(self, state):
            return eb.PublicEnd(state) if state else eb.PublicDecision(0, "", [("fold", "f"), ("show", "s")])

        def settle(self, key, deal):
            gain = -1 if key == "f" else 2 * (deal.hands[0] - deal.hands[1])
            return eb.End((gain, -gain))

        def classes(self, key, player):
            return (0, 0)

    same = r"state 's': classes\(\) gives the hands '1' and '2' of Bob .* against '1' .* \(0, 0\) and \(-2, 2\)"
    with pytest.raises(eb.RulesError, match=same):
        eb.evaluate(Higher(), "uniform")
    with pytest.raises(eb.RulesError, match=same):
        eb.verify(SparseProfile(Higher(), ({}, {})))


def test_bids_without_dice_have_no_bluffs(tmp_path: Path, cli) -> None:
    sums(tmp_path)
    code, out, _ = cli("solve", f"{tmp_path / 'mine.py'}:Sums", "sides=3", "--method", "oracle")
    assert code == 0
    assert "support" in out
    assert "bluffs" not in out
    assert "bluffs" in cli("solve", "liars-dice", "sides=3", "--method", "oracle")[1]
