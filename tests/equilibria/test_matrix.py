"""The normal form: counts, cells, pure play, the value, the picture and the files."""

import io
import random
from fractions import Fraction
from itertools import product

import brute
import numpy as np
import pygambit
import pytest
from plot_words import assert_readable
from small_files import BATTLE

import efg_builder as eb
from efg_builder.base.errors import MatrixTooLargeError
from efg_builder.display.plots.heatmap import blocks, heatmap
from efg_builder.display.plots.style import style
from efg_builder.forms.normal_form import all_choices, by_hand, count_strategies, own_sets, place_in_words, short_names
from efg_builder.interop.nfg import nfg_chunks
from efg_builder.proof import pure
from efg_builder.solvers.lp.matrix import solve_matrix
from efg_builder.strategies.tree_profile import TreeProfile

# Player 1 moves twice: what is planned after "out" is no part of a reduced strategy. Payoffs on the way add up.
TWICE = """EFG 2 R "Twice" { "One" "Two" } ""
p "" 1 1 "first" { "in" "out" } 5 "paid" { 1/3 0 }
p "" 2 1 "answer" { "left" "right" } 0
p "" 1 2 "again" { "up" "down" } 0
t "" 1 "" { 1 1 }
t "" 2 "" { 2 -1 }
t "" 3 "" { 0 1/7 }
t "" 4 "" { 4 4 }
"""

SMALL = [("dice-poker", {"sides": 2}), ("dice-poker", {"sides": 3, "bet": "2/3"}), ("mia", {}), ("liars-dice", {})]


def game(name, **chosen):
    return eb.build(eb.game(name, **chosen))


def codes(form, player, *indices):
    return [form.strategies[player].code(i) for i in indices]


@pytest.fixture(scope="module")
def poker():
    return eb.matrix(game("dice-poker"))


def test_dice_poker_as_the_post_has_it(poker):
    # The Riddler post on dice poker: a 64 x 64 grid without a pure equilibrium; 0.09259 in mixed strategies.
    assert poker.shape == (64, 64)
    assert pure.pure_equilibria(poker) == ()
    found = solve_matrix(poker)
    assert pure.guarantees(poker, found.mixes) == (Fraction(5, 54), Fraction(5, 54))
    assert eb.verify(TreeProfile.from_mixed(poker, found.mixes)).regret == 0


def test_the_chain_of_best_replies_as_the_post_has_it(poker):
    # The same post: A's most frequent best response is to raise always; B answers by calling from 2 on (or from 3 on),
    # which is worth 0.11 to B; A answers by raising from 4 on (or from 5 on), worth 0.17 to A; and so on.
    always = poker.strategies[0].find("raise")
    play = pure.pure_play(poker, 0), pure.pure_play(poker, 1)
    assert play[0].most_replies.strategies == (always,)
    assert codes(poker, 1, *play[1].most_replies.strategies) == ["122222"]
    replies = [pure.best_replies(poker, 0), pure.best_replies(poker, 1)]
    assert codes(poker, 1, *np.flatnonzero(replies[1][always])) == ["112222", "122222"]
    called = play[1].most_replies.strategies[0]
    assert codes(poker, 0, *np.flatnonzero(replies[0][:, called])) == ["111122", "111222"]
    chain = pure.best_reply_chain(poker, always)
    told = [(step.player, poker.strategies[step.player].code(step.strategy), step.payoff) for step in chain.steps]
    assert told[:3] == [(0, "222222", None), (1, "122222", Fraction(1, 9)), (0, "111222", Fraction(1, 6))]
    assert [step.equals for step in chain.steps[:3]] == [1, 2, 2]
    assert f"{float(told[1][2]):.2f} {float(told[2][2]):.2f}" == "0.11 0.17"
    assert (chain.back, chain.length) == (1, 4)


def by_the_printed_formula(a, b):
    """A's winnings as the post's first formula has them: a, b are 0 or 1 for each face."""
    total = Fraction(0)
    for i, j in product(range(6), repeat=2):
        sign = (i > j) - (i < j)
        total += (1 - a[i]) * sign + a[i] * (2 * b[j] * sign + 1 - b[j])
    return total / 36


def test_cells_of_dice_poker_are_the_printed_formula(poker):
    for row, column in product(range(0, 64, 7), range(0, 64, 5)):
        a, b = poker.strategies[0].choices[row], poker.strategies[1].choices[column]
        assert poker.payoff(row, column) == (by_the_printed_formula(a, b), -by_the_printed_formula(a, b))


@pytest.mark.parametrize(("name", "chosen"), SMALL)
def test_cells_are_what_the_tree_pays(name, chosen):
    tree = game(name, **chosen)
    form, pick = eb.matrix(tree), random.Random(7)
    for _ in range(12):
        row, column = pick.randrange(form.shape[0]), pick.randrange(form.shape[1])
        mixes = [[Fraction(int(i == at)) for i in range(n)] for n, at in zip(form.shape, (row, column), strict=True)]
        assert form.payoff(row, column) == tuple(
            brute.payoffs(tree, brute.rows(TreeProfile.from_mixed(form, tuple(mixes))))
        )


@pytest.mark.parametrize("text", [BATTLE, TWICE])
@pytest.mark.parametrize("large", [False, True])
def test_cells_of_general_sum_games_with_payoffs_on_the_way(text, large, monkeypatch):
    if large:  # the arithmetic for cells beyond 64 bits
        monkeypatch.setattr("efg_builder.forms.normal_form.INT64", 0)
    form = eb.matrix(eb.parse_efg(text))
    assert form.total is None
    told = {
        (form.strategies[0].code(i), form.strategies[1].code(j)): tuple(map(str, form.payoff(i, j)))
        for i, j in product(*map(range, form.shape))
    }
    if text is BATTLE:
        assert told == {("1", "1"): ("2", "1"), ("1", "2"): ("0", "0"), ("2", "1"): ("0", "0"), ("2", "2"): ("1", "2")}
        return
    assert told == {
        ("11", "1"): ("4/3", "1"),
        ("12", "1"): ("7/3", "-1"),
        ("11", "2"): ("1/3", "1/7"),
        ("12", "2"): ("1/3", "1/7"),
        ("2*", "1"): ("13/3", "4"),
        ("2*", "2"): ("13/3", "4"),
    }


@pytest.mark.parametrize("text", [BATTLE, TWICE, None])
def test_gambit_reads_the_nfg_file(text):
    form = eb.matrix(game("dice-poker", sides=3, bet="2/3") if text is None else eb.parse_efg(text))
    read = pygambit.read_nfg(io.StringIO(b"".join(nfg_chunks(form)).decode())).to_arrays()
    for player in range(2):
        assert read[player].tolist() == [[Fraction(int(u), form.scale) for u in row] for row in form.cells[player]]


def test_gambit_reads_names_with_quotation_marks_and_chance(tmp_path):
    text = BATTLE.replace('"Row"', r'"Ro\"w"').replace('"Col"', '"Chance"')
    path = eb.matrix(eb.parse_efg(text)).write(tmp_path / "battle.nfg")
    assert pygambit.read_nfg(path).to_arrays()[1][1][1] == 2


@pytest.mark.parametrize(("name", "chosen"), [*SMALL, ("dice-poker", {"sides": 5, "ante": "1/2"})])
def test_counted_and_formed_strategies_agree(name, chosen):
    tree = game(name, **chosen)
    for sets in (own_sets(tree, player) for player in range(len(tree.players))):
        choices = all_choices(sets)
        assert len(choices) == count_strategies(sets) == len({tuple(row) for row in choices.tolist()})
        assert choices.tolist() == sorted(choices.tolist())


def test_large_matrices_are_refused_with_their_size_before_they_are_formed(monkeypatch):
    monkeypatch.setattr("efg_builder.forms.normal_form.all_choices", None)
    with pytest.raises(MatrixTooLargeError) as told:
        eb.matrix(game("liars-dice", sides=3))
    assert (told.value.rows, told.value.columns) == (50653000, 2476813977000)
    assert "50,653,000 x 2,476,813,977,000 = about 10^20 cells, over the limit of 1,048,576" in str(told.value)
    with pytest.raises(MatrixTooLargeError, match=r"64 x 64 = 4,096 cells, over the limit of 4,095 \(max_cells\)"):
        eb.matrix(game("dice-poker"), max_cells=4095)
    with pytest.raises(MatrixTooLargeError, match=r"about 10\^30 x about 10\^30 = about 10\^60"):
        eb.matrix(game("dice-poker", sides=100), max_cells=1)


def hands(count):
    """A file in which One sees *count* hands and has two actions with each; Two has none."""
    lines = [
        'EFG 2 R "Hands" { "One" "Two" } ""',
        'c "" 1 "deal" { ' + " ".join(f'"{i}" 1/{count}' for i in range(count)) + " } 0",
    ]
    for i in range(1, count + 1):
        lines += [
            f'p "" 1 {i} "{i}: start" {{ "a" "b" }} 0',
            f't "" {2 * i - 1} "" {{ 1 -1 }}',
            f't "" {2 * i} "" {{ 0 0 }}',
        ]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("max_cells", [1 << 20, 1 << 40])
def test_too_many_strategies_are_refused_without_advice_that_does_not_help(max_cells, monkeypatch):
    monkeypatch.setattr("efg_builder.forms.normal_form.all_choices", None)
    # 2**24 strategies over 24 sets are 402,653,184 choices; the limit is 2**27 = 134,217,728, whatever max_cells is.
    with pytest.raises(MatrixTooLargeError) as told:
        eb.matrix(eb.parse_efg(hands(24)), max_cells=max_cells)
    assert (told.value.rows, told.value.columns, told.value.limit) == (2**24, 1, 2**27)
    assert "has 402,653,184 choices, over the limit of 134,217,728; solving needs no normal form" in str(told.value)
    assert "max_cells" not in str(told.value)
    # Twenty hands fit: the cells alone are over, and the advice is what helps.
    with pytest.raises(MatrixTooLargeError, match=r"over the limit of 1,000,000 \(max_cells\)"):
        eb.matrix(eb.parse_efg(hands(20)), max_cells=10**6)


def test_pure_play_by_trying_everything():
    form = eb.matrix(game("dice-poker", sides=3, bet="2/3"))
    u = [[form.payoff(i, j)[0] for j in range(form.shape[1])] for i in range(form.shape[0])]
    one, two = pure.pure_play(form, 0), pure.pure_play(form, 1)
    least = [min(row) for row in u]
    safest = [i for i, w in enumerate(least) if w == max(least)]
    assert (one.maximin.worth, list(one.maximin.strategies)) == (max(least), safest)
    most = [max(column) for column in zip(*u, strict=True)]
    holding = [j for j, w in enumerate(most) if w == min(most)]
    assert (one.minimax.worth, list(one.minimax.strategies)) == (min(most), holding)
    assert (two.maximin.worth, two.maximin.strategies) == (-one.minimax.worth, one.minimax.strategies)
    assert (two.minimax.worth, two.minimax.strategies) == (-one.maximin.worth, one.maximin.strategies)
    assert one.against_uniform.worth == max(sum(row) / len(row) for row in u)
    wins = [sum(u[i][j] == most[j] for j in range(len(most))) for i in range(len(u))]
    assert one.most_replies.worth == max(wins)
    stable = [(i, j) for i in range(len(u)) for j in range(len(most)) if u[i][j] == least[i] == most[j]]
    assert list(pure.pure_equilibria(form)) == stable


def test_a_chain_that_ends_in_an_equilibrium():
    form = eb.matrix(eb.parse_efg(BATTLE))
    chain = pure.best_reply_chain(form, 0)
    assert [(step.player, step.strategy) for step in chain.steps] == [(0, 0), (1, 0)]
    assert (chain.back, chain.length) == (0, 2)
    assert pure.best_reply_chain(form, 1, player=1).steps[1] == pure.ReplyStep(0, 1, Fraction(1), 1)
    with pytest.raises(eb.ParameterError, match="no strategy number 2"):
        pure.best_reply_chain(form, 2)


@pytest.mark.parametrize(
    ("name", "chosen"),
    [*SMALL, ("liars-dice", {"payoff": "points"}), ("dice-poker", {"sides": 4, "ante": "1/3", "bet": "7/5"})],
)
def test_values_of_other_games(name, chosen):
    tree = game(name, **chosen)
    report = eb.matrix(tree).analyse()
    assert report.mixed.exact
    assert report.mixed.lower == report.mixed.tree_value == eb.solve(tree, "lp").value[0]


def test_mixes_guarantee_what_their_cells_say():
    form = eb.matrix(game("dice-poker", sides=2))
    # Rows by hand: 0 0 0 0 / 1/4 0 1/2 1/4 / 3/4 0 1/2 -1/4 / 1 0 1 0; columns' greatest 1, 0, 1, 1/4.
    half = (Fraction(0), Fraction(1, 2), Fraction(0), Fraction(1, 2))
    assert pure.guarantees(form, (half, half)) == (Fraction(0), Fraction(1, 8))
    assert pure.expected(form, 0, half) == [0, Fraction(1, 8), Fraction(-1, 8), 0]


def test_an_optimum_that_is_not_made_exact_is_a_bracket(monkeypatch, poker):
    from efg_builder.solvers.lp import exact, matrix
    from efg_builder.solvers.lp.exact import NotExactError

    def fail(*_):
        raise NotExactError("on purpose")

    monkeypatch.setattr(exact, "exact_optimum", fail)
    found = matrix.solve_matrix(poker)
    lower, upper = pure.guarantees(poker, found.mixes)
    assert lower <= Fraction(5, 54) <= upper < lower + Fraction(1, 1000)
    assert "on purpose" in found.message


def test_strategies_in_words_and_by_name(poker):
    side = poker.strategies[0]
    assert side.in_words(side.find("211122")) == "show at 2, 3, 4; otherwise raise"
    assert side.in_words(side.find("raise")) == "always raise"
    assert side.in_words(side.find("111122"), 12) == "raise at 5,…"
    assert short_names(["1: start", "2: start"]) == ["1", "2"]
    assert short_names(["1: start", "2: end"]) == ["1: start", "2: end"]
    assert place_in_words("1: 1x2 2x1") == "hand 1, after 1x2 2x1"
    assert place_in_words("6,6: start") == "hand 6,6, at the start"
    for word in ("r", "7", "7:", "P1: start", "(11) 22"):
        assert place_in_words(word) == word
    assert by_hand(["1: start", "2: start"])
    assert not by_hand(["1: start", "2: end"])
    assert not by_hand(["1", "2"])
    with pytest.raises(eb.ParameterError, match="'rise' is neither a strategy's code nor an action of A; did you mean"):
        side.find("rise")


def test_a_player_without_choices_has_one_strategy():
    alone = 'EFG 2 R "Alone" { "One" "Two" } ""\np "" 1 1 "x" { "a" "b" } 0\nt "" 1 "" { 1 -1 }\nt "" 2 "" { 3 -3 }\n'
    form = eb.matrix(eb.parse_efg(alone))
    assert form.shape == (2, 1)
    assert form.strategies[1].codes == ("-",)
    assert form.strategies[1].in_words(0) == "nothing to choose"
    assert form.analyse().mixed.lower == 3


def test_the_map_shows_best_replies_and_the_mix(poker):
    report = poker.analyse(poker.strategies[0].find("raise"))
    axes = heatmap(report).axes
    marks = [line for line in axes[0].lines if line.get_marker() == "|" and line.get_color() != "#ffffff"]
    assert {(int(y), int(x)) for x, y in zip(*marks[0].get_data(), strict=True)} == set(
        map(tuple, np.argwhere(pure.best_replies(poker, 0)).tolist())
    )
    widths = {round(bar.get_y() + bar.get_height() / 2): bar.get_width() for axis in axes[3:4] for bar in axis.patches}
    assert widths == {3: pytest.approx(1 / 3), 35: pytest.approx(2 / 3)}
    assert axes[0].images[0].get_array()[63, 31] == pytest.approx(-1 / 9)


def said(figure):
    """All words on a figure, its keys among them."""
    from matplotlib.text import Text

    return [text.get_text() for text in figure.findobj(Text) if text.get_text()]


def test_the_map_of_a_large_matrix_has_its_keys_and_every_equilibrium():
    form = eb.matrix(game("liars-dice", sides=2))
    report = form.analyse()
    figure = heatmap(report)
    main, *margins = figure.axes
    (stars,) = [line for line in main.lines if line.get_marker() == "*"]
    assert {(int(y), int(x)) for x, y in zip(*stars.get_data(), strict=True)} == set(report.equilibria)
    assert len(report.equilibria) == 144
    words = " | ".join(said(figure)).replace("\n", " ")
    for part in (
        "144 equilibria in pure plans (starred): pairs of best responses to each other.",
        "any of 9 rows with any of 16 columns",
        "rows: plans of Player 1, by the move at: hand 1, at the start",
        "columns: plans of Player 2, by the move at: hand 1, after 1x1",
        "color of a cell: Player 1's expected payoff; white: the value, blue: more",
        "probability of the row for Player 1",
        "probability of the column for Player 2",
    ):
        assert part in words
    for side, axes in zip(form.strategies, margins, strict=False):
        # Each block is all strategies of an action at the first set: by the codes' first digit, and by its rectangle.
        found = blocks(side)
        for number, (low, high, action) in enumerate(found, start=1):
            assert {code[0] for code in side.codes[low:high]} == {str(number)}
            assert action == side.tree.infosets[side.infosets[0]].actions[number - 1]
        assert (found[0][0], found[-1][1]) == (0, len(side))
        assert len(axes.patches) == len(found) == 4


def test_the_map_of_a_small_matrix_has_its_payoffs_and_actions():
    words = said(heatmap(eb.matrix(eb.parse_efg(BATTLE)).analyse()))
    assert sorted(word for word in words if word in ("2, 1", "0, 0", "1, 2")) == ["0, 0", "0, 0", "1, 2", "2, 1"]
    assert words.count("Opera") == words.count("Fight") == 2
    assert not any("value" in word for word in words)  # there is none


def test_no_words_of_the_map_are_cut_off_or_cover_each_other(poker):
    for tree in (poker.tree, game("mia"), game("liars-dice", sides=2), eb.parse_efg(BATTLE)):
        with style():
            figure = heatmap(eb.matrix(tree).analyse())
            assert_readable(figure)


def test_best_replies_to_a_mix_by_trying_everything(poker):
    report = poker.analyse()
    for player in range(2):
        mix, worth = report.mixed.mixes[1 - player], []
        for own in range(64):
            cells = [poker.payoff(*((own, other) if player == 0 else (other, own)))[player] for other in range(64)]
            worth.append(sum(weight * cell for weight, cell in zip(mix, cells, strict=True)))
        assert report.mixed.replies[player] == worth.count(max(worth))
    assert report.mixed.replies == (2, 8)
