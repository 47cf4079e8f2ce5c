"""All plots share a palette; every text in them can be read, and no two texts lie on each other."""

from fractions import Fraction
from functools import cache
from types import SimpleNamespace

import pytest
from matplotlib.colors import to_rgb
from plot_words import assert_contrast, assert_readable, texts

import efg_builder as eb
from efg_builder.display.plots.arena_plot import ratings_figure
from efg_builder.display.plots.branch import branch_figure
from efg_builder.display.plots.exploitability_plot import _figure
from efg_builder.display.plots.heatmap import heatmap
from efg_builder.display.plots.match_chart import match_figure
from efg_builder.display.plots.style import FILLS, MARKS, look, scale, shaded, style
from efg_builder.equilibria.strategic import analyse_matrix
from efg_builder.experiments.arena.report import Rated
from efg_builder.experiments.matches import solve_match
from efg_builder.games.match_rules import match_rules

# Long names of information sets, two for each player, two actions each.
NAMED = """EFG 2 R "Poker" { "Alice" "Bob" }
""
c "" 1 "deal" { "King" 1/2 "Queen" 1/2 } 0
p "" 1 1 "Alice has King" { "Raise" "Check" } 0
p "" 2 1 "Bob after Raise" { "Call" "Fold" } 0
t "" 1 "" { 2, -2 }
t "" 2 "" { 1, -1 }
p "" 2 2 "Bob after Check" { "Call" "Fold" } 0
t "" 3 "" { 1, -1 }
t "" 4 "" { 1, -1 }
p "" 1 2 "Alice has Queen" { "Raise" "Check" } 0
p "" 2 1 "Bob after Raise" { "Call" "Fold" } 0
t "" 5 "" { -2, 2 }
t "" 2 "" { 1, -1 }
p "" 2 2 "Bob after Check" { "Call" "Fold" } 0
t "" 6 "" { -1, 1 }
t "" 7 "" { 0, 0 }
"""


def losses(players):
    """What a plot of exploitability reads of each measurement."""
    games = [f"liars-dice sides={sides} dice=1,1 wild=none" for sides in (2, 3, 4)]
    return [
        SimpleNamespace(game=game, player=f"player {k}", exploitability=Fraction(k + 1, 40 + at))
        for k in range(players)
        for at, game in enumerate(games)
    ]


RATED = Rated("three nets", "measured", ("net-1", "net-20", "net-400", "uniform"), ("1", "20", "400", "uniform"),
              (0.0, 20.0, 40.0, -60.0), (-9.0, 10.0, 30.0, -70.0), (9.0, 30.0, 50.0, -50.0))  # fmt: skip

PLOTS = {
    "matrix": lambda: heatmap(analyse_matrix(eb.matrix(eb.parse_efg(NAMED)))),
    "matrix of dice": lambda: heatmap(analyse_matrix(eb.matrix(eb.game("liars-dice")))),
    "branch": lambda: branch_figure(eb.quantal_branch(eb.game("dice-poker"), points=40)),
    "branch of a file": lambda: branch_figure(eb.quantal_branch(eb.parse_efg(NAMED), points=40)),
    "match": lambda: match_figure(solve_match(match_rules({"sides": 2, "dice": "2,2"}))),
    "exploitability": lambda: _figure(losses(11)),
    "ratings": lambda: ratings_figure(RATED),
}


@cache
def figure_of(name):
    with style():
        return PLOTS[name]()


@pytest.mark.usefixtures("in_process")
@pytest.mark.parametrize("name", PLOTS)
def test_every_text_lies_within_the_figure_and_none_on_another(name):
    figure = figure_of(name)
    assert len(texts(figure)) > 8
    assert_readable(figure)


@pytest.mark.slow
@pytest.mark.parametrize("name", PLOTS)
def test_every_text_can_be_told_from_its_background(name):
    assert_contrast(figure_of(name))


def test_no_two_players_have_one_colour_and_one_mark():
    assert len({look(k) for k in range(64)}) == 64 == len(FILLS) * len(MARKS)
    (axes,) = figure_of("exploitability").axes
    assert len({(line.get_color(), line.get_marker()) for line in axes.lines}) == len(axes.lines) == 11


def test_even_is_grey_and_what_is_not_is_no_grey():
    for share, low, high in ((0.5, 0, 0.001), (0.444, 0.08, 1), (0.556, 0.08, 1)):
        colour = to_rgb(scale()(share))
        assert low <= max(colour) - min(colour) <= high
    (blue, _), (orange, _) = shaded(0.6), shaded(0.4)
    assert blue[2] > blue[0]
    assert orange[0] > orange[2]
