"""Quantal responses: Gambit's branch, held against the definition, closed forms and best responses."""

import csv
import io
import json
from fractions import Fraction
from math import exp, fsum

import pytest
from plot_words import assert_labels_apart, assert_readable, labels
from small_files import BATTLE

import efg_builder as eb
from efg_builder.display.plots.branch import branch_figure
from efg_builder.equilibria.qre import courses, nearby_equilibrium
from efg_builder.interop.gambit import child
from efg_builder.proof.sequential import logit_residual

# One player, two payoffs: the logit response is 1 / (1 + exp(-2 lambda)) by definition.
ALONE = 'EFG 2 R "Alone" { "One" "Two" } ""\np "" 1 1 "x" { "a" "b" } 0\nt "" 1 "" { 2 0 }\nt "" 2 "" { 0 0 }\n'


@pytest.fixture(scope="module")
def poker():
    return eb.quantal_branch(eb.build(eb.game("dice-poker")))


def test_the_branch_of_dice_poker_ends_in_an_equilibrium(poker):
    assert poker.ended == "done"
    assert poker.points[0].precision == 0
    assert poker.points[0].profile.probabilities[-1] == (0.5, 0.5)
    # It begins with random play, which the exact analysis knows.
    assert poker.points[0].regret == pytest.approx(float(eb.verify(eb.TreeProfile.uniform(poker.tree)).regret))
    assert poker.points[-1].regret < 1e-5
    assert poker.limit.value == (Fraction(5, 54), Fraction(-5, 54))
    assert poker.limit.distance < 1e-4
    assert eb.verify(poker.limit.profile).regret == 0
    # What the command prints, which test_solution.py compares with this text.
    assert "limit         an exact equilibrium that pays 5/54, -5/54 is within" in str(poker)
    rows = str(poker).partition("table ")[2].splitlines()[2:]
    assert [row.split()[-1] for row in rows] == ["0", "2/3", *"00011", "0", "5/9", "5/9", "5/9", "1", "1"]
    assert max(map(len, rows)) <= 80


def test_every_point_is_a_logit_response_to_itself_by_our_own_arithmetic(poker):
    assert max(point.residual for point in poker.points) < 1e-6
    # ... and would not be at another lambda, or with another profile.
    point = poker.points[len(poker.points) // 2]
    assert logit_residual(point.profile, 2 * point.precision) > 0.01
    assert logit_residual(poker.points[0].profile, point.precision) > 0.01


def test_a_single_decision_has_a_closed_form(in_process):
    tree = eb.parse_efg(ALONE)
    branch = eb.quantal_branch(tree, max_regret=1e-3)
    (k,) = tree.personal
    assert len(branch.points) > 5
    for point in branch.points:
        expected = 1 / (1 + exp(-2 * point.precision))
        assert point.profile.probabilities[k][0] == pytest.approx(expected, abs=1e-6)
        assert point.residual == pytest.approx(0, abs=1e-6)
        assert point.nash_conv == pytest.approx(2 * (1 - expected), abs=1e-6)
    made = eb.TreeProfile.from_personal(tree, {k: (0.75, 0.25)})
    assert logit_residual(made, 0.0) == pytest.approx(0.25)


def test_points_at_given_values_of_lambda(in_process, cli, tmp_path):
    """A single decision between 1 and 0: the first has probability 1 / (1 + exp(-lambda))."""
    tree = eb.parse_efg('EFG 2 R "" { "A" } p "" 1 1 "a" { "l" "r" } 0 t "" 1 "" { 1 } t "" 2 "" { 0 }')
    branch = eb.quantal_branch(tree, at=[3, 1, 2, 1])
    assert [point.precision for point in branch.points] == [1, 2, 3]
    for point in branch.points:
        assert point.profile.probabilities[0][0] == pytest.approx(1 / (1 + exp(-point.precision)), abs=1e-6)
    branch = eb.quantal_branch("dice-poker sides=2", at=[1, 10])
    assert max(point.residual for point in branch.points) < 1e-5
    code, out, _ = cli("qre", "dice-poker", "sides=2", "--lambda", "1", "--lambda", "10", "-o", tmp_path / "q.csv")
    assert (code, "2 points of the principal branch" in out) == (0, True)
    assert len((tmp_path / "q.csv").read_text().splitlines()) == 3
    for wrong in ([0], [-1], ["1"], "1", [True], [float("inf")]):
        with pytest.raises(eb.ParameterError, match="must list values of lambda above 0"):
            eb.quantal_branch(tree, at=wrong)


def test_a_branch_that_splits_is_told(in_process):
    branch = eb.quantal_branch(eb.parse_efg(BATTLE))
    ((before, after),) = branch.bifurcations
    # On the symmetric branch both lean to their favourite; it splits near lambda 1.37.
    assert 1.2 < before < 1.4 < after < 1.6
    assert branch.limit.value in ((2, 1), (1, 2))
    assert len({round(point.precision, 9) for point in branch.points}) > 50


def test_three_players(in_process):
    branch = eb.quantal_branch(eb.build(eb.game("liars-dice", dice="1,1,1", max_quantity=1)), points=10)
    assert len(branch.points) == 10 < branch.traced
    assert branch.points[0].precision == 0  # thinning keeps both ends
    assert branch.points[-1].regret < 1e-5
    assert branch.points[-1].nash_conv >= branch.points[-1].regret
    assert len(branch.points[0].value) == 3


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"timeout": 0}, "seconds above 0"),
        ({"timeout": float("nan")}, "seconds above 0"),
        ({"max_regret": 1}, "above 0 and below 1"),
        ({"points": 1}, "at least 2"),
    ],
)
def test_numbers_out_of_range(settings, problem):
    with pytest.raises(eb.ParameterError, match=problem):
        eb.quantal_branch(eb.parse_efg(ALONE), **settings)


def test_a_game_without_moves():
    with pytest.raises(eb.NotApplicableError, match="no player moves"):
        eb.quantal_branch(eb.parse_efg('EFG 2 R "still" { "One" }\n""\nt "" 1 "" { 2 }\n'))


def answers(monkeypatch, *rows, ended="done", success=True, message=""):
    answer = child.GambitAnswer(list(rows), ended, message, success)
    monkeypatch.setattr("efg_builder.equilibria.qre.child.run", lambda *_: answer)


def test_what_gambit_gives_up_on_or_was_stopped_at_is_told_and_judged(monkeypatch):
    tree = eb.parse_efg(ALONE)
    start = {"lambda": 0.0, "rows": [[[0.5, 0.5]], []]}
    answers(monkeypatch, start, success=False, message="regret target not reached")
    short = eb.quantal_branch(tree)
    assert (short.ended, len(short.points)) == ("stopped-short", 1)
    assert "regret target not reached" in short.message
    assert short.points[0].regret == 1
    answers(monkeypatch, start, ended="timeout", message="stopped at the time limit")
    assert eb.quantal_branch(tree).ended == "timeout"
    answers(monkeypatch, {"lambda": 0.0, "rows": [[[0.5, 0.5]]]})
    wrong = eb.quantal_branch(tree)
    assert wrong.points == ()
    assert "not a profile of this tree" in wrong.message
    assert wrong.limit is None
    # A lie about lambda is found out: 3/4 and 1/4 are no answer at lambda 0.
    answers(monkeypatch, {"lambda": 0.0, "rows": [[[0.75, 0.25]], []]})
    assert eb.quantal_branch(tree).points[0].residual == pytest.approx(0.25)


def test_only_exact_equilibria_are_limits(in_process):
    tree = eb.parse_efg(BATTLE)
    one, two = tree.personal
    near = eb.TreeProfile.from_personal(tree, {one: (0.6667, 0.3333), two: (0.3333, 0.6667)})
    found = nearby_equilibrium(near)
    assert found.value == (Fraction(2, 3), Fraction(2, 3))
    assert found.distance == pytest.approx(1 / 30000, rel=0.01)
    assert nearby_equilibrium(eb.TreeProfile.from_personal(tree, {one: (0.5, 0.5), two: (0.51, 0.49)})) is None


def test_columns(poker, tmp_path):
    shown = courses(poker)
    assert [course.name for course in shown] == list("123456") * 2
    assert {course.action for course in shown} == {"raise", "call"}
    assert len(courses(poker, 5)) == 5
    assert min(course.range for course in courses(poker, 5)) >= sorted(course.range for course in shown)[-5]
    lines = list(csv.reader(io.StringIO(poker.write(tmp_path / "q.csv").read_text())))
    assert lines[0][:7] == ["lambda", "regret", "nash_conv", "residual", "value of A", "value of B", "A|1: start|show"]
    assert len(lines) == 1 + len(poker.points)
    assert float(lines[-1][0]) == poker.points[-1].precision
    assert sum(map(float, lines[-1][6:8])) == pytest.approx(1)


def test_the_plot_has_the_same_bytes_each_time(poker, tmp_path):
    for kind in ("svg", "png"):
        first = poker.draw(tmp_path / f"one.{kind}").read_bytes()
        assert poker.draw(tmp_path / f"two.{kind}").read_bytes() == first
    with pytest.raises(eb.ParameterError, match="must end in"):
        poker.draw(tmp_path / "x.pdf")


def test_the_plot_draws_the_probabilities(poker):
    top, middle, bottom = branch_figure(poker).axes
    assert [tuple(line.get_ydata()) for line in top.lines] == [c.probabilities for c in courses(poker)[:6]]
    assert len(middle.lines) == 6
    assert list(bottom.lines[0].get_ydata()) == [point.nash_conv for point in poker.points]


# Twice the same decision, with hands named as in the dice games: the courses are one line.
TWINS = """EFG 2 R "Twins" { "One" "Two" } ""
c "" 1 "deal" { "1" 1/2 "2" 1/2 } 0
p "" 1 1 "1: start" { "a" "b" } 0
t "" 1 "" { 2 0 }
t "" 2 "" { 0 0 }
p "" 1 2 "2: x" { "a" "b" } 0
t "" 3 "" { 2 0 }
t "" 4 "" { 0 0 }
"""


def texts(figure):
    return [words for axis in figure.axes[:-1] for words, _, _ in labels(axis)]


def test_the_plot_says_hands_and_places_in_words(poker, in_process):
    assert texts(branch_figure(poker))[0] == "⚁, ⚂, ⚃ → 0"
    liars = eb.quantal_branch(eb.build(eb.game("liars-dice")), points=40, max_regret=1e-3)
    words = " ".join(texts(branch_figure(liars)))
    assert "⚀ call after 1x2 2x1" in words
    assert "2x1 at the start" in words
    # A file's own labels stay as they are; who has no choice has no panel.
    battle = branch_figure(eb.quantal_branch(eb.parse_efg(BATTLE), points=20))
    assert [text.partition(" →")[0] for text in texts(battle)] == ["r", "c"]
    assert len(branch_figure(eb.quantal_branch(eb.parse_efg(ALONE), max_regret=1e-3)).axes) == 2


def test_lines_that_are_one_have_one_label(in_process):
    (words,) = texts(branch_figure(eb.quantal_branch(eb.parse_efg(TWINS), max_regret=1e-3)))
    assert words == "1 b at the start, 2 b after x → 0"


@pytest.mark.slow
def test_no_words_of_the_plot_are_cut_off_or_cover_each_other(poker, in_process):
    from efg_builder.display.plots.style import style

    liars = eb.quantal_branch(eb.build(eb.game("liars-dice")), points=40)
    three = eb.quantal_branch(eb.build(eb.game("liars-dice", dice="1,1,1", max_quantity=1)), points=10)
    for branch in (poker, liars, three, eb.quantal_branch(eb.parse_efg(BATTLE), points=20)):
        with style():
            figure = branch_figure(branch)
            assert_readable(figure)
            assert_labels_apart(figure)


def test_the_command(cli, tmp_path, in_process):
    files = [tmp_path / f"q.{kind}" for kind in ("svg", "png", "csv")]
    words = ("sides=2", "--points", "3", "--json", *(word for file in files for word in ("-o", file)))
    code, out, _ = cli("qre", "dice-poker", *words)
    data = json.loads(out)
    assert (code, all(file.stat().st_size for file in files)) == (0, True)
    assert len(data["points"]) == 3 < data["traced"]
    assert [len(row) for row in data["points"][0]["probabilities"]] == [len(s["actions"]) for s in data["sets"]]
    for point in data["points"]:
        assert all(sum(row) == sum(reversed(row)) == fsum(row) == 1 for row in point["probabilities"])


def test_a_branch_without_points_is_said_and_not_written(cli, tmp_path):
    code, out, err = cli("qre", "liars-dice", "sides=3", "--timeout", "0.2", "-o", tmp_path / "q.svg")
    assert code == 4
    assert "stopped at the time limit" in out
    assert "try           a longer --timeout or a smaller game: this game has 1,144 nodes" in out
    assert f"nothing written to {tmp_path / 'q.svg'}: the branch has no points" in err
    assert not (tmp_path / "q.svg").exists()
