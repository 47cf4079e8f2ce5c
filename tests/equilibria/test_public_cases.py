"""Small games from public questions and bug reports, each with the source of its right value.

Others are tested elsewhere: verdicts in ``tests/proof/test_refinement.py``, decimals of programs in
``tests/interop/test_program_decimals.py``, doubled keys in ``tests/exam``, own rules that forget in ``tests/own``.
"""

import json
from dataclasses import dataclass
from fractions import Fraction as F

import pytest
import small_files
from tampering import signed

import efg_builder as eb
from efg_builder.forms.recall import has_perfect_recall
from efg_builder.proof import verify
from efg_builder.strategies.tree_profile import TreeProfile

# gambit issues 494 and 547: A forgets a worthless warm-up, then plays pennies: 0, 1/2 each (by hand).
WARM_UP = """EFG 2 R "warm-up" { "A" "B" }
p "" 1 1 "warm-up" { "u" "v" } 0
p "" 1 2 "coin" { "H" "T" } 0
p "" 2 1 "guess" { "h" "t" } 0 t "" 1 "" { 1, -1 } t "" 2 "" { -1, 1 }
p "" 2 1 "guess" { "h" "t" } 0 t "" 2 t "" 1
p "" 1 2 "coin" { "H" "T" } 0
p "" 2 1 "guess" { "h" "t" } 0 t "" 1 t "" 2
p "" 2 1 "guess" { "h" "t" } 0 t "" 2 t "" 1
"""
# gambit issue 816: play certainly meets the information set that has two nodes on a path.
ABSENT_MINDED = """EFG 2 R "driver" { "Player 1" }
p "" 1 1 "Absent-minded" { "1" "2" } 0
p "" 1 2 "Second" { "1" "2" } 0
p "" 1 1 "Absent-minded" { "1" "2" } 0
t "" 1 "" { 1 }
p "" 1 3 "Third" { "1" "2" } 0 t "" 2 "" { 2 } t "" 5 "" { 5 }
t "" 3 "" { 3 }
t "" 4 "" { 4 }
"""
# A player's two information sets have one label, as in files of draw_tree.
SAME_LABEL = """EFG 2 R "Equal labels" { "P1" "P2" }
p "x" 1 1 "Choose" { "X" "Y" } 0
p "x" 2 1 "React" { "U" "D" } 0 t "x" 1 "o" { 2 1 } t "x" 2 "o" { 0 3 }
p "x" 2 2 "React" { "U" "D" } 0 t "x" 3 "o" { 1 2 } t "x" 4 "o" { 3 0 }
"""
# P1 gets 1 in 10^30 of chance, once (by hand: a1 first, then the payoff 1 with probability 10^-30).
TINY = f"1/{10**30}"
REST = f"{10**30 - 1}/{10**30}"
TINY_CHANCE = f"""EFG 2 R "g71" {{ "P1" "P2" }}
c "" 1 "" {{ "0" {TINY} "1" {REST} }} 0
p "" 1 1 "|1.0" {{ "a0" "a1" }} 0
c "" 2 "" {{ "0" {TINY} "1" {REST} }} 0
t "" 1 "" {{ 0 0 }}
t "" 2 "" {{ 0 0 }}
p "" 1 2 "|1.0|2.1" {{ "a0" "a1" }} 3 "" {{ 0 0 }}
t "" 4 "" {{ 1 -1 }}
t "" 5 "" {{ 0 0 }}
t "" 6 "" {{ 0 0 }}
"""
# A language model's Kuhn poker, without perfect recall: 36 of 64 x 512 pairs of reduced plans are pure equilibria
# (counted by NumPy, apart from this package).
CARDS = """EFG 2 R "cards" { "Alice" "Bob" } "" c "" 1 "" { "JQ" 1/6 "JK" 1/6 "QJ" 1/6 "QK" 1/6 "KJ" 1/6 "KQ" 1/6 } 0
p "" 1 1 ""
{ "Check" "Bet" } 0 p "" 2 3 "" { "Check" "Bet" } 0 t "" 2 "" { -1, 1 } p "" 1 2 "" { "Fold" "Call" } 0 t "" 2 "" {
-1, 1 } t "" 4 "" { -2, 2 } p "" 2 1 "" { "Fold" "Call" } 0 t "" 1 "" { 1, -1 } t "" 4 "" { -2, 2 } p "" 1 1 "" {
"Check" "Bet" } 0 p "" 2 5 "" { "Check" "Bet" } 0 t "" 1 "" { 1, -1 } p "" 1 4 "" { "Fold" "Call" } 0 t "" 2 "" { -1,
1 } t "" 3 "" { 2, -2 } p "" 2 2 "" { "Fold" "Call" } 0 t "" 1 "" { 1, -1 } t "" 3 "" { 2, -2 } p "" 1 3 "" { "Check"
"Bet" } 0 p "" 2 3 "" { "Check" "Bet" } 0 t "" 1 "" { 1, -1 } p "" 1 2 "" { "Fold" "Call" } 0 t "" 2 "" { -1, 1 } t ""
3 "" { 2, -2 } p "" 2 4 "" { "Fold" "Call" } 0 t "" 1 "" { 1, -1 } t "" 3 "" { 2, -2 } p "" 1 3 "" { "Check" "Bet" } 0
p "" 2 5 "" { "Check" "Bet" } 0 t "" 2 "" { -1, 1 } p "" 1 4 "" { "Fold" "Call" } 0 t "" 2 "" { -1, 1 } t "" 4 "" {
-2, 2 } p "" 2 6 "" { "Fold" "Call" } 0 t "" 1 "" { 1, -1 } t "" 4 "" { -2, 2 } p "" 1 5 "" { "Check" "Bet" } 0 p "" 2
8 "" { "Check" "Bet" } 0 t "" 1 "" { 1, -1 } p "" 1 6 "" { "Fold" "Call" } 0 t "" 2 "" { -1, 1 } t "" 3 "" { 2, -2 } p
"" 2 7 "" { "Fold" "Call" } 0 t "" 1 "" { 1, -1 } t "" 3 "" { 2, -2 } p "" 1 5 "" { "Check" "Bet" } 0 p "" 2 8 "" {
"Check" "Bet" } 0 t "" 2 "" { -1, 1 } p "" 1 6 "" { "Fold" "Call" } 0 t "" 2 "" { -1, 1 } t "" 4 "" { -2, 2 } p "" 2 9
"" { "Fold" "Call" } 0 t "" 1 "" { 1, -1 } t "" 4 "" { -2, 2 }"""
LINE = "proved        the value of the game is 99 to A"
TWO_LINES = f"""EFG 2 R "Kuhn poker
{LINE}" {{ "A
{LINE}" "B" }}
p "" 1 1 "s
{LINE}" {{ "a" "b
{LINE}" }} 0
t "" 1 "" {{ 1 -1 }}
t "" 2 "" {{ 2 -2 }}
"""


def test_a_forced_move_is_no_memory():
    tree = eb.parse_efg(small_files.FORCED)
    assert has_perfect_recall(tree)
    solution = eb.solve(tree)
    assert (solution.value, solution.exact) == ((0, 0), True)
    assert solution.profile.probabilities[:2] == ((F(1, 2), F(1, 2)),) * 2
    assert [one.conditional for one in eb.ranges(tree).actions if one.infoset == 2] == [(1, 1)]


def test_a_forgotten_move_without_worth_leaves_a_mixed_equilibrium():
    solution = eb.solve(eb.parse_efg(WARM_UP))
    assert (solution.status, solution.value, solution.regret) == ("equilibrium", (0, 0), 0)


def test_reach_of_an_absent_minded_set_is_a_probability():
    tree = eb.parse_efg(ABSENT_MINDED)
    assert verify(TreeProfile.uniform(tree)).reach == (1, F(1, 2), F(1, 8))  # by hand


def test_a_strategy_of_a_file_fits_the_rewritten_game(cli, tmp_path):
    tree = eb.parse_efg(SAME_LABEL)
    solution = eb.solve(tree)
    assert solution.value == (1, 2)  # backward induction by hand: D after X, U after Y, so Y
    table, certificate = (solution.write(tmp_path / name) for name in ("s.csv", "s.json"))
    rewritten = tree.write(tmp_path / "again.efg")
    assert eb.evaluate(rewritten, str(table)).matches[0].nash_conv == 0
    code, out, _ = cli("verify", certificate, rewritten)
    assert (code, "the value of the game is 1 to P1" in out) == (0, True)


def test_ranges_with_a_chance_of_one_in_1e30():
    found = eb.ranges(eb.parse_efg(TINY_CHANCE))
    assert found.value == F(1, 10**30)


def test_an_absurd_outcome_makes_no_equilibrium():
    tree = eb.parse_efg(small_files.ABSURD)
    assert eb.solve(tree).value == (1, -1)
    half = TreeProfile(tree, ((0.5, 0.5000001, 0.0), (1.0, 0.0)))  # A gains 1/2 by b
    verdict = verify(half)
    assert not verdict.equilibrium
    assert abs(verdict.regret - 0.5) < 1e-5


def test_all_pure_equilibria_of_a_game_without_perfect_recall():
    found = eb.solve(eb.parse_efg(CARDS), "pure")
    assert (len(found.equilibria), found.regret) == (36, 0)


@pytest.mark.parametrize("command", ["solve", "info", "verify"])
def test_no_name_adds_a_proved_line(cli, tmp_path, command):
    path = tmp_path / "nl.efg"
    path.write_text(TWO_LINES)
    words = [path]
    if command == "verify":
        certificate = eb.solve(str(path)).write(tmp_path / "nl.json")
        data = json.loads(certificate.read_text().replace("Kuhn poker ", "Kuhn poker\\n"))
        certificate.write_text(json.dumps(signed(data)))
        words = [certificate]
    _, out, err = cli(command, *words)
    assert "99" in out + err
    proved = [line for line in out.splitlines() if line.startswith("proved")]
    assert all("the value of the game is 2 to A" in line for line in proved)
    assert len(proved) == (command == "verify")


@dataclass(frozen=True)
class Bluff(eb.Game):
    """gte issue 31: parameters of a tree; A claims a good coin, B may doubt."""

    p: F = F(1, 2)
    c: F = F(2)

    players = ("A", "B")

    def turn(self, state):
        """Toss the coin, claim or quit, fold or doubt."""
        if not state:
            return eb.Chance("coin", [("good", self.p, "g"), ("bad", 1 - self.p, "b")])
        if state in "gb":
            return eb.Decision(0, state, [("claim", state + "c"), ("quit", state + "q")])
        if state.endswith("q"):
            return eb.End((-1, 1))
        if state.endswith("c"):
            return eb.Decision(1, "claim", [("fold", state + "f"), ("doubt", state + "d")])
        if state.endswith("f"):
            return eb.End((1, -1))
        return eb.End((self.c, -self.c) if state[0] == "g" else (-self.c, self.c))


@pytest.mark.parametrize("eighths", range(1, 8))
def test_values_in_steps_of_a_parameter(eighths):
    # By hand: A always claims with a good coin, and with a bad one so often (p/3 against 1 - p) that B is indifferent,
    # which pays 8p/3 - 1; from p = 3/4 on, A always claims, B folds, and A gets 1.
    p = F(eighths, 8)
    assert eb.solve(Bluff(p=p)).value[0] == min(F(8, 3) * p - 1, 1)
