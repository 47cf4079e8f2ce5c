"""Gambit's answer beside the proved one: the routine, what counts as the same, and how a disagreement is said."""

import json
from fractions import Fraction

import pytest
from small_files import B_FORGETS, BATTLE, matrix_tree

import efg_builder as eb
from efg_builder.equilibria.second_opinion import ask_gambit, routines
from efg_builder.interop.gambit import child

THREE = """EFG 2 R "Three switches" { "A" "B" "C" }
p "" 1 1 "" { "x" "y" } 1 "" { 1, 0, 0 }
p "" 2 1 "" { "x" "y" } 2 "" { 0, 1, 0 }
p "" 3 1 "" { "x" "y" } 0
t "" 3 "" { 0, 0, 1 }
t "" 4 "" { 0, 0, 0 }
t "" 5 "" { 0, 0, 0 }
t "" 6 "" { 0, -1, 0 }
"""


def asked(game, **options):
    solution = eb.solve(game)
    return ask_gambit(solution, solution.tree, **options)


@pytest.mark.parametrize(
    ("game", "method", "message"),
    [
        # Values: Kuhn (1950); FiveThirtyEight's Riddler, as a fraction in README.md.
        (eb.game("kuhn"), "gambit-lp", "lp_solve: value -1/18, as proved ("),
        (eb.game("dice-poker"), "gambit-lp", "lp_solve: value 5/54, as proved ("),
        (eb.game("liars-dice", sides=3), "gambit-oracle", "lp_solve on restricted games: value -1/9, as proved ("),
        (eb.parse_efg(BATTLE), "gambit-lcp", "lcp_solve: payoffs ("),
        (eb.parse_efg(THREE), "gambit-enumpoly", "enumpoly_solve: payoffs (1, 1, 1), as proved ("),
    ],
    ids=["kuhn", "dice-poker", "liars-dice", "battle", "three"],
)
def test_gambit_is_asked_by_the_routine_that_suits_the_game(game, method, message, in_process):
    opinion = asked(game)
    assert opinion.result in ("same", "another-equilibrium")
    assert opinion.method == method
    assert str(opinion).startswith(message)
    assert opinion.to_json()["agrees"] is True


def test_many_players_have_a_second_routine():
    assert routines(eb.parse_efg(THREE)) == ("gambit-enumpoly", "gambit-logit")


def test_another_equilibrium_is_no_disagreement(in_process):
    """The battle of the sexes has equilibria that pay (2, 1), (1, 2) and (2/3, 2/3)."""
    tree = eb.parse_efg(BATTLE)
    solutions = [eb.Solution(tree, "x", "equilibrium", judged=(one,)) for one in eb.solve(tree, "extreme").judged]
    opinions = [ask_gambit(solution, tree) for solution in solutions]
    assert sorted(opinion.result for opinion in opinions) == ["another-equilibrium", "another-equilibrium", "same"]
    assert len({opinion.payoffs for opinion in opinions}) == 1


PENNIES = matrix_tree([[1, -1], [-1, 1]])
PURE, MIXED = [[["1", "0"]], [["1", "0"]]], [[["1/2", "1/2"]], [["1/2", "1/2"]]]
CRASHED = "Gambit crashed (SIGSEGV)"


@pytest.mark.parametrize(
    ("ended", "rows", "payoffs", "result", "said"),
    [
        (
            *("done", [PURE], [["1", "-1"]], "disagrees"),
            "DISAGREES: value 1, but its profile is not an equilibrium: a player gains 2; the answer above is proved",
        ),
        # The profile is right, the payoffs that Gambit computes for it are not: its game is another one.
        ("done", [MIXED], [["1/3", "-1/3"]], "disagrees", "reports payoffs (1/3, -1/3) for a profile that pays (0, 0)"),
        # Payoffs in floats are compared within rounding.
        ("done", [MIXED], [[1e-17, -1e-17]], "same", ", as proved ("),
        ("done", [MIXED], [[1e-3, -1e-3]], "disagrees", "DISAGREES: "),
        ("timeout", [], [], "no-answer", "no answer in 5 s"),
        ("failed", [], [], "no-answer", CRASHED),
    ],
)
def test_answers_of_gambit_are_compared_with_what_is_proved(monkeypatch, ended, rows, payoffs, result, said):
    answer = child.GambitAnswer(rows=rows, payoffs=payoffs, ended=ended, message=CRASHED * (not rows), success=True)
    monkeypatch.setattr(child, "run", lambda *_: answer)
    opinion = asked(PENNIES)
    assert (opinion.result, opinion.to_json()["agrees"]) == (
        result,
        {"same": True, "disagrees": False, "no-answer": None}[result],
    )
    assert said in str(opinion)
    if not rows:
        assert (opinion.payoffs, str(opinion)) == (None, f"lp_solve: {said}")


def test_interrupting_the_question_keeps_the_answer(monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(child, "run", interrupted)
    assert str(asked(PENNIES)) == "lp_solve: stopped by Ctrl-C"


def test_games_that_no_routine_takes_are_not_given():
    assert "lacks perfect recall" in str(asked(eb.parse_efg(B_FORGETS)))
    assert str(asked(eb.game("liars-dice", sides=6, dice=(2, 1)))) == "not asked: the game was solved without a tree"


def test_run_says_it_on_the_screen_in_the_file_and_in_the_report(cli, tmp_path):
    """In a process of its own: the whole way."""
    code, out, _ = cli("run", "kuhn", "--out", tmp_path)
    assert code == 0
    (line,) = [line for line in out.splitlines() if line.startswith("gambit")]
    assert line.startswith("gambit        lp_solve: value -1/18, as proved (")
    data = json.loads((tmp_path / "outputs" / "kuhn.json").read_text())["run"]["gambit"]
    assert (data["method"], data["agrees"], data["payoffs"]) == ("gambit-lp", True, ["-1/18", "1/18"])
    assert "lp_solve: value −1/18, as proved" in (tmp_path / "outputs" / "kuhn_report.html").read_text("utf-8")
    assert cli("verify", tmp_path / "outputs" / "kuhn.json")[0] == 0


def test_payoffs_of_gambit_are_kept(in_process):
    solution = eb.solve(eb.game("kuhn"), "gambit-lp")
    (payoffs,) = solution.details["gambit_payoffs"]
    assert list(map(Fraction, payoffs)) == [Fraction(-1, 18), Fraction(1, 18)]


def test_of_several_profiles_the_payoffs_of_any_will_do(monkeypatch):
    """Of Gambit's three profiles in floats the one of least regret is judged, which here is the last."""
    tree = eb.parse_efg(BATTLE)
    rows = [[[[2 / 3, 1 / 3]], [[1 / 3 + 1e-9, 2 / 3 - 1e-9]]], [[[1.0, 0.0]], [[1.0, 0.0]]]]
    given = child.GambitAnswer(rows=rows, payoffs=[[2 / 3, 2 / 3], [2.0, 1.0]], ended="done", success=True)
    monkeypatch.setattr(child, "run", lambda *_: given)
    opinion = asked(tree)
    assert opinion.payoffs == (2, 1)
    assert opinion.result in ("same", "another-equilibrium")


def test_where_nothing_was_proved_nothing_is_compared(in_process):
    tree = eb.parse_efg(BATTLE)
    opinion = ask_gambit(eb.Solution(tree, "x", "no-result"), tree)
    assert opinion.result == "nothing-to-compare"
    assert opinion.to_json()["agrees"] is None


def test_proved_is_said_only_of_what_is_exact(in_process):
    tree = eb.parse_efg(THREE)
    floats = eb.solve(tree, "gambit-logit")
    assert not floats.exact
    assert "as proved" not in str(ask_gambit(floats, tree))
