"""Lines are named at their right ends: in groups, without overlaps, each label at its line; colors follow the hands."""

from functools import cache

import pytest
from matplotlib.colors import to_rgb
from plot_words import assert_labels_apart, assert_readable, labels

import efg_builder as eb
from efg_builder.display.plots.branch import branch_figure
from efg_builder.display.plots.line_ends import HIGH, LOW, Line, draw_lines, groups_of, names_of, place_labels, spread
from efg_builder.display.plots.style import graded, new_figure, plain, style
from efg_builder.display.trees.colors import luminance


@cache
def drawn(game):
    branch = eb.quantal_branch(game, points=40)
    with style():
        return branch, branch_figure(branch)


def words(axis):
    return [text for text, _, _ in labels(axis)]


def test_spread_keeps_the_order_and_the_distances():
    assert spread([0.1, 0.9], [0.1, 0.1]) == [0.1, 0.9]
    assert spread([0.5, 0.5], [0.1, 0.1]) == pytest.approx([0.45, 0.55])
    assert spread([0.0, 0.0, 1.0], [0.1] * 3) == pytest.approx([LOW + 0.05, LOW + 0.15, 1.0])
    assert spread([1.0, 1.0], [0.3, 0.1])[-1] == pytest.approx(HIGH - 0.05)
    assert spread([], []) == []
    found = spread([0.2, 0.21, 0.22, 0.6, 0.61], heights := [0.1, 0.2, 0.1, 0.05, 0.1])
    for k in range(4):
        assert found[k + 1] - found[k] >= (heights[k] + heights[k + 1]) / 2 - 1e-12


def test_lines_that_end_together_share_a_label():
    ends = {"J": 0.0, "Q": 0.001, "K": 0.6}
    lines = [Line([0.5, y], who, "bet", "0" if y < 0.1 else "3/5") for who, y in ends.items()]
    low, high = groups_of(lines, (0, 1))
    assert [names_of(group) for group in (low, high)] == ["J, Q bet → 0", "K bet → 3/5"]
    assert names_of([Line([0], "J", "call", "0"), Line([0], "Q", "bet", "0")]) == "J call, Q bet → 0"
    # Equal ends with other numbers, and ends at other places, are other labels.
    assert len(groups_of([Line([0, 0.5], "J", end="1/2"), Line([0, 0.5], "Q", end="50%")], (0, 1))) == 2
    assert len(groups_of([Line([0, float("nan")], "J", end="0"), Line([0, 0], "Q", end="0")], (0, 1))) == 2


def test_a_long_label_is_broken_between_names():
    group = [Line([0], f"hand {k}", f"call after 1x{k}", "0") for k in range(1, 5)]
    rows = names_of(group).split("\n")
    assert len(rows) > 1
    assert all(len(row) <= 41 for row in rows)
    assert rows[-1].endswith("→ 0")


@pytest.mark.parametrize("count", [2, 7, 14])
def test_labels_never_overlap(count):
    with style():
        figure = new_figure(6, 3.5, layout="constrained")
        axis = figure.subplots()
        axis.set_ylim(0, 1)
        draw_lines(axis, [0, 1], [Line([0.5, 0.4 + k / 100], f"line {k}", end=str(k)) for k in range(count)])
        place_labels(figure)
        assert_labels_apart(figure)
        assert_readable(figure)
    assert words(axis) == [f"line {k} → {k}" for k in range(count)]


@pytest.mark.parametrize("game", ["kuhn", "dice-poker"])
def test_each_label_is_nearest_to_its_own_line(game, in_process):
    _, figure = drawn(game)
    assert_labels_apart(figure)
    for axis in figure.axes:
        found = labels(axis)
        for text, box, _ in found:
            middle = (box.y0 + box.y1) / 2
            assert min(found, key=lambda other: abs(other[2][1] - middle))[0] == text


def test_a_branch_names_its_moves_and_limits(in_process):
    one, two, last = drawn("kuhn")[1].axes
    assert words(one) == ["J call, Q bet → 0", "J bet → 1/5", "Q call → 8/15", "K bet → 3/5", "K call → 1"]
    assert words(two) == ["J call, Q bet → 0", "J bet, Q call → 1/3", "K bet, K call → 1"]
    assert (
        one.get_title("left") == "Player 1: probability of bet at the start (solid) and call after check bet (dashed)"
    )
    assert words(last)[0].startswith("NashConv → 0.00000")
    assert all(axis.get_legend() is None for axis in (one, two, last))
    dice = drawn("dice-poker")[1].axes
    assert words(dice[1]) == ["⚀ → 0", "⚁, ⚂, ⚃ → 5/9", "⚄, ⚅ → 1"]


def test_colors_are_darker_for_stronger_hands(in_process):
    for axis in drawn("dice-poker")[1].axes[:2]:
        shades = [luminance(to_rgb(line.get_color())) for line in axis.lines]
        assert len(shades) == 6
        assert shades == sorted(shades, reverse=True)
        assert len(set(shades)) == 6
    for player in range(8):
        shades = [luminance(to_rgb(graded(player, share / 20))) for share in range(21)]
        assert shades == sorted(shades, reverse=True)


def test_numbers_of_an_axis_are_plain():
    assert [plain(x) for x in (0.00003, 10_000, -0.25, 0, 1)] == ["0.00003", "10,000", "−0.25", "0", "1"]


@pytest.mark.slow
def test_what_is_left_out_is_said(in_process):
    figure = drawn("leduc ranks=2 raises=1")[1]
    assert "(the 14 of 28 that matter most; -o FILE.csv has all)" in figure.axes[0].get_title("left")
    assert len(figure.axes[0].lines) == 14
    assert_labels_apart(figure)
    assert_readable(figure)
