"""All plots share a palette; every text in them can be read, and no two texts lie on each other."""

from fractions import Fraction
from functools import cache
from itertools import combinations
from types import SimpleNamespace

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgb
from matplotlib.text import Text

import efg_builder as eb
from efg_builder.display.plots.arena_plot import ratings_figure
from efg_builder.display.plots.branch import branch_figure
from efg_builder.display.plots.exploitability_plot import _figure
from efg_builder.display.plots.heatmap import heatmap
from efg_builder.display.plots.match_chart import match_figure
from efg_builder.display.plots.style import FILLS, MARKS, look, scale, shaded, style
from efg_builder.display.trees.scene import contrast
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


@pytest.fixture(scope="module")
def named(tmp_path_factory):
    path = tmp_path_factory.mktemp("named") / "poker.efg"
    path.write_text(NAMED)
    return eb.read_efg(path)


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
    "matrix": lambda named: heatmap(analyse_matrix(eb.matrix(named))),
    "matrix of dice": lambda named: heatmap(analyse_matrix(eb.matrix(eb.game("liars-dice")))),
    "branch": lambda named: branch_figure(eb.quantal_branch(eb.game("dice-poker"), points=40)),
    "branch of a file": lambda named: branch_figure(eb.quantal_branch(named, points=40)),
    "match": lambda named: match_figure(solve_match(match_rules({"sides": 2, "dice": "2,2"}))),
    "exploitability": lambda named: _figure(losses(11)),
    "ratings": lambda named: ratings_figure(RATED),
}


@pytest.fixture(scope="module")
def figures(named):
    @cache
    def made(name):
        with style():
            figure = PLOTS[name](named)
            FigureCanvasAgg(figure).draw()
        return figure

    return made


def texts(figure):
    """Every text that is shown, with the box that it takes."""
    renderer = figure.canvas.get_renderer()
    found = [each for each in figure.findobj(Text) if each.get_visible() and each.get_text().strip()]
    both = [axis for axes in figure.axes for axis in (axes.xaxis, axes.yaxis)]
    drawn = {id(label) for axis in both if axis.axes.axison for tick in axis._update_ticks() for label in labels(tick)}
    other = {id(label) for axis in both for tick in axis.get_major_ticks() for label in labels(tick)} - drawn
    other |= {id(axis.label) for axis in both if not axis.axes.axison}
    return [(each, each.get_window_extent(renderer)) for each in found if id(each) not in other]


def labels(tick):
    return tick.label1, tick.label2


def behind(figure, text, box):
    """The colour that a text stands on: of its own box, or of what was drawn last below its middle, on white paper."""
    middle, paper = ((box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2), (1.0, 1.0, 1.0)
    patches = [patch for axes in figure.axes for patch in axes.patches]
    below = [patch for patch in patches if patch.get_window_extent().contains(*middle)]
    if text.get_bbox_patch() is not None:
        below = [text.get_bbox_patch()]
    for patch in below:
        *colour, alpha = patch.get_facecolor()
        paper = tuple(alpha * one + (1 - alpha) * other for one, other in zip(colour, paper, strict=True))
    return paper


@pytest.mark.parametrize("name", PLOTS)
@pytest.mark.slow
def test_every_text_can_be_read(figures, name):
    """WCAG 2.2, 1.4.3: 4.5 to 1."""
    figure = figures(name)
    found = texts(figure)
    assert len(found) > 8
    for text, box in found:
        assert contrast(to_rgb(text.get_color()), behind(figure, text, box)) >= 4.5, text.get_text()


@pytest.mark.parametrize("name", PLOTS)
def test_no_text_lies_on_another(figures, name):
    found = [(text.get_text(), box.padded(-1.5)) for text, box in texts(figures(name))]
    assert [(one, two) for (one, a), (two, b) in combinations(found, 2) if a.overlaps(b)] == []


@pytest.mark.parametrize("name", PLOTS)
def test_all_is_within_the_figure(figures, name):
    figure = figures(name)
    whole = figure.bbox.padded(1)
    for text, box in texts(figure):
        assert whole.x0 <= box.x0 <= box.x1 <= whole.x1, text.get_text()
        assert whole.y0 <= box.y0 <= box.y1 <= whole.y1, text.get_text()


def test_no_two_players_have_one_colour_and_one_mark(figures):
    assert len({look(k) for k in range(64)}) == 64 == len(FILLS) * len(MARKS)
    (axes,) = figures("exploitability").axes
    assert len({(line.get_color(), line.get_marker()) for line in axes.lines}) == len(axes.lines) == 11


def test_even_is_grey_and_what_is_not_is_no_grey():
    for share, low, high in ((0.5, 0, 0.001), (0.444, 0.08, 1), (0.556, 0.08, 1)):
        colour = to_rgb(scale()(share))
        assert low <= max(colour) - min(colour) <= high
    (blue, _), (orange, _) = shaded(0.6), shaded(0.4)
    assert blue[2] > blue[0]
    assert orange[0] > orange[2]
