"""Learning curves: each point is proved by best responses, the plot names both bounds, other methods have no curve."""

from fractions import Fraction as F
from itertools import pairwise

import pytest
from plot_words import assert_labels_apart, assert_readable, labels

import efg_builder as eb
from efg_builder.display.plots.learning_curve import curve_figure
from efg_builder.display.plots.style import style
from efg_builder.players.evaluate import evaluate
from efg_builder.proof import verify
from efg_builder.solvers.driver import Driver, Iterate
from efg_builder.solvers.protocol import Request

KUHN = F(-1, 18)

FILES = {
    "sums": 'EFG 2 R "" { "A" "B" } p "" 1 1 { "in" "out" } 0 t "" 1 { 1 2 } t "" 2 { 1 1 }',
    "forgetful": 'EFG 2 R "" { "A" "B" } p "" 1 1 { "1" "2" } 0 p "" 1 2 { "1" "2" } 0 t "" 1 { 1 -1 } t "" 2 { 0 0 } '
    'p "" 1 2 { "1" "2" } 0 t "" 3 { 0 0 } t "" 4 { 2 -2 }',
}
"""Trees whose payoffs do not sum to a constant, and whose player A forgets the first move."""


@pytest.fixture(scope="module")
def learned():
    return eb.solve("kuhn", "cfr", options={"iterations": 200}, curve=True)


def test_the_bounds_contain_the_value_and_close_in(learned):
    curve = learned.curve
    assert [point.iterations for point in curve][:5] == [1, 2, 3, 4, 5]
    assert curve[-1].iterations == 200
    assert all(isinstance(point.lower, F) and point.lower <= KUHN <= point.upper for point in curve)
    assert all(one.iterations < other.iterations for one, other in pairwise(curve))
    assert curve[-1].upper - curve[-1].lower < F(1, 200) < curve[0].upper - curve[0].lower
    assert (curve[-1].lower, curve[-1].upper) == (learned.lower, learned.upper)


def test_each_point_is_what_evaluate_says(learned):
    for point in (learned.curve[2], learned.curve[9]):
        short = eb.solve("kuhn", "cfr", options={"iterations": point.iterations})
        measured = evaluate("kuhn", short).matches[0]
        assert (-measured.best_response[1], measured.best_response[0]) == (point.lower, point.upper)
        assert verify(short.strategy).regret == point.regret


@pytest.mark.parametrize(
    ("game", "method"),
    [("liars-dice sides=3", "oracle"), ("liars-dice sides=3", "many"), ("liars-dice sides=6", "cfr")],
)
def test_other_methods_have_curves_too(game, method):
    solution = eb.solve(game, method, gap=F(1, 1000), curve=True)
    assert all(point.lower <= F(-1, 9) <= point.upper for point in solution.curve)
    assert solution.curve[-1].lower == solution.lower
    assert eb.solve(game, method, gap=F(1, 1000)).curve == ()


def test_without_a_value_the_curve_has_the_largest_gain():
    curve = eb.solve("kuhn seats=3 cards=4", "many", curve=True).curve
    assert all(point.lower is point.upper is None for point in curve)
    assert curve[0].regret > curve[-1].regret


@pytest.mark.parametrize(
    ("game", "method", "names"),
    [
        ("kuhn", "auto", "cfr, many"),
        ("kuhn", "lp", "cfr, many"),
        ("kuhn seats=3 cards=4", "pure", "many"),
        ("liars-dice sides=3", "lp", "cfr, gambit-oracle, many, oracle"),
        ("liars-dice sides=2 dice=1,1,1", "pure", "many"),
        ("sums", "pure", "many"),  # no constant sum
        ("forgetful", "lp", "none for this game"),
    ],
)
def test_a_method_that_does_not_iterate_is_refused_before_the_work(game, method, names, tmp_path, cli):
    path = tmp_path / "curve.svg"
    if game in FILES:
        file = tmp_path / f"{game}.efg"
        file.write_text(FILES[game])
        game = file
    code, out, error = cli("solve", *str(game).split(), "--method", method, "-o", path)
    assert (code, out, path.exists()) == (2, "", False)
    assert error.count("\n") == 1
    assert f"needs a method that iterates (--method, method=): {names}; " in error
    assert "'efg-builder draw' draws the tree" in error


def test_the_command_writes_the_plot_beside_the_solution(tmp_path, cli):
    files = [tmp_path / name for name in ("curve.svg", "curve.pdf", "solution.json")]
    words = [word for file in files for word in ("-o", file)]
    code, out, _ = cli("solve", "kuhn", "--method", "cfr", "--option", "iterations=30", *words)
    assert code == 3
    assert f"curve         {files[0]}" in out
    assert f"solution      {files[2]}" in out
    first = files[0].read_bytes()
    assert first.startswith(b"<?xml")
    assert cli("solve", "kuhn", "--method", "cfr", "--option", "iterations=30", *words)[0] == 3
    assert files[0].read_bytes() == first
    assert "curve" not in eb.solve("kuhn", "cfr", gap=F(1, 10), curve=True).to_json()
    with pytest.raises(eb.ParameterError, match="no learning curve"):
        eb.solve("kuhn").draw_curve(tmp_path / "x.svg")


def test_the_plot_names_both_bounds_outward(learned):
    with style():
        figure = curve_figure(learned)
        assert_readable(figure)
        assert_labels_apart(figure)
    (below, _, _), (over, _, _) = labels(figure.axes[0])
    low, high = (F(text.partition("→ ")[2].replace("−", "-")) for text in (below, over))
    assert below.startswith("Player 1 is sure of at least")
    assert low <= learned.lower < learned.upper <= high
    assert high - low < 2 * (learned.upper - learned.lower)
    assert "is proved to lie between" in figure.texts[3].get_text()
    exact = eb.solve("liars-dice sides=6", "oracle", curve=True)
    with style():
        figure = curve_figure(exact)
        assert_readable(figure)
    ((words, _, _),) = labels(figure.axes[0])
    assert words == "Player 1 is sure of at least, \nPlayer 2 allows at most → −1/9"


def test_looks_are_few_and_take_little_time(monkeypatch):
    seen, now = [], [0.0]

    def watch(number, strategies):
        seen.append(number)
        now[0] += 1.0

    monkeypatch.setattr("efg_builder.solvers.driver.time.monotonic", lambda: now[0])

    def search():
        for number in range(1, 2001):
            now[0] += 0.01
            yield Iterate(number=number, strategies=str, last=number == 2000)

    Driver(Request(watch=watch)).run(search())
    assert seen[:2] == [1, 2]
    assert 2000 not in seen
    assert len(seen) <= 2 + 0.15 * now[0]
    seen.clear()
    Driver(Request()).run(search())
    assert seen == []


def drawn(solution):
    """The figure, and the lines of its heading below the title."""
    with style():
        figure = curve_figure(solution)
        assert_readable(figure)
        assert_labels_apart(figure)
    return figure, [text.get_text() for text in figure.texts[1:]]


def test_a_curve_of_one_point_is_readable():
    solution = eb.solve("kuhn", "cfr", options={"iterations": 1}, curve=True)
    assert [point.iterations for point in solution.curve] == [1]
    figure, heading = drawn(solution)
    assert heading[0].startswith("1 iteration of cfr.")
    assert list(figure.axes[-1].get_xticks()) == [1]


def test_three_players_have_one_panel_with_the_largest_gain():
    solution = eb.solve("kuhn seats=3 cards=4", "many", options={"iterations": 30}, curve=True)
    figure, heading = drawn(solution)
    (panel,) = figure.axes
    assert panel.get_title(loc="left") == "Largest gain of any player by a best response"
    assert list(panel.lines[0].get_ydata()) == pytest.approx([float(point.regret) for point in solution.curve])
    assert len(heading) == 2  # no bounds


def test_without_a_strategy_there_is_no_curve(tmp_path, cli):
    solution = eb.solve("kuhn seats=3 cards=4", "cfr", curve=True)
    assert (solution.status, solution.curve) == ("not-applicable", ())
    path = tmp_path / "curve.svg"
    code, _, error = cli("solve", "kuhn", "seats=3", "cards=4", "--method", "cfr", "-o", path)
    assert (code, path.exists()) == (3, False)
    assert "is not written: neither a strategy nor a bound was found" in error


@pytest.mark.parametrize(
    ("method", "settings", "said"),
    [
        ("cfr", {"options": {"iterations": 20}}, "ended: stopped after 20 iterations."),
        ("cfr", {"gap": F(1, 100)}, "ended: NashConv 0.00924 after 38 iterations."),
        ("many", {}, "ended with an equilibrium."),
        ("cfr", {"timeout": 1e-9}, "ended: the time limit came first."),
    ],
)
def test_the_plot_says_how_the_search_ended(method, settings, said):
    assert drawn(eb.solve("kuhn", method, curve=True, **settings))[1][1] == f"The search {said}"


def test_the_plot_says_whether_the_search_was_resumed(tmp_path):
    state, game = tmp_path / "state.npz", "kuhn seats=3 cards=4"
    eb.solve(game, "many", options={"iterations": 20}, checkpoint=state)
    solution = eb.solve(game, "many", options={"iterations": 40}, resume=state, curve=True)
    assert drawn(solution)[1][1] == "The search resumed from a checkpoint and ended with a near-equilibrium."
    assert solution.to_json()["run"]["resumed"] is True
