"""Marks of subgames and of moves that are not best; forced moves have no band; beliefs off the equilibrium path."""

import re

import numpy as np
import pytest
import small_files

import efg_builder as eb
from efg_builder.display.pages.viewer import shown_on, view_data
from efg_builder.display.trees import DrawOptions, Style, scene_of
from efg_builder.display.trees.options import DIRECTIONS, LINES
from efg_builder.display.trees.scene import points_on


def equilibrium(text, verdict):
    """The number of the first equilibrium with that verdict, and all of the solution."""
    solution = eb.solve(eb.parse_efg(text), "all")
    return solution.pick(next(k for k, one in enumerate(solution.judged, 1) if str(one.off_path).startswith(verdict)))


def legend(scene):
    return [text.text for text in scene.texts if text.role == "legend"]


def openings(scene):
    return [stroke for stroke in scene.strokes if stroke.role == "subgame"]


def rings(scene):
    return [(mark.x, mark.y) for mark in scene.marks if mark.role == "refuted"]


@pytest.mark.parametrize("direction", DIRECTIONS[1:])
@pytest.mark.parametrize("lines", LINES)
def test_an_arc_opens_each_proper_subgame_and_touches_no_text(direction, lines):
    options = DrawOptions(values=True, style=Style(direction=direction, lines=lines))
    scene = scene_of(equilibrium(small_files.OUTSIDE, "not subgame perfect"), None, options)
    at = {mark.node: (mark.x, mark.y) for mark in scene.marks if mark.node >= 0}
    (arc,) = openings(scene)
    points = np.array(points_on(arc))
    away = np.hypot(*(points - at[2]).T)
    assert away.max() - away.min() < 1
    assert away.min() > max(np.hypot(*np.subtract(at[2], ring)) for ring in rings(scene)) + 10  # outside of the ring
    before = points[:, int(direction == "down")] < at[2][int(direction == "down")]
    assert before.all()  # on the side from which play comes
    for text in scene.texts:
        box = (text.left, text.y - 0.76 * text.size, text.left + text.width, text.y + 0.24 * text.size)
        assert not ((points > box[:2]) & (points < box[2:])).all(axis=1).any(), text.text
    assert "a subgame begins" in legend(scene)


def test_no_arc_without_subgames_or_with_perfect_information():
    for text in (small_files.HORSE, small_files.FORCED, small_files.ENTRY):
        scene = scene_of(eb.parse_efg(text))
        assert not openings(scene)
        assert "a subgame begins" not in legend(scene)


@pytest.mark.parametrize(
    ("text", "verdict", "nodes", "said"),
    [
        (small_files.OUTSIDE, "not subgame perfect", [2], "a player gains in this subgame"),
        # R. Selten, International Journal of Game Theory 4 (1975), figure 1: the second player's move is not best.
        (small_files.HORSE, "not sequential", [1], "not best, whatever the belief"),
        (small_files.OUTSIDE, "sequential", [], None),
    ],
)
def test_rings_mark_the_nodes_of_a_negative_verdict(text, verdict, nodes, said):
    solution = equilibrium(text, verdict)
    scene = scene_of(solution)
    at = {mark.node: (mark.x, mark.y) for mark in scene.marks if mark.node >= 0}
    assert rings(scene) == [at[node] for node in nodes]
    assert [words for words in legend(scene) if "best" in words or "gains" in words] == [said] * bool(said)
    caption = " ".join(text.text for text in scene.texts if text.role == "caption")
    assert (", not s" in caption) == bool(nodes)


def test_a_picked_solution_file_has_the_marks_and_the_beliefs(tmp_path):
    solution = eb.solve(eb.parse_efg(small_files.OUTSIDE), "all")
    path = solution.write(tmp_path / "five.json")
    for number, one in enumerate(solution.judged, 1):
        svg = str(eb.draw(eb.parse_efg(small_files.OUTSIDE), solution=path, which=number, beliefs=True))
        said = re.search(r"not subgame perfect \([AB] gains \d+(/\d+)? after in\)", svg)
        assert (said is not None) == (one.off_path.rank == 3)
        assert ("Exact sequential equilibrium" in svg) == (one.off_path.kind == "sequential")
        # Off the path, the beliefs are of the proof: B believes in A's mixture, 3/4 and 1/4.
        mixed = one.off_path.kind == "sequential" and one.strategy.probabilities[1][0] not in (0, 1)
        assert (">belief<" in svg) == (one.off_path.kind == "sequential")
        assert svg.count(">3/4<") == (5 if mixed else 0)  # thrice as moves, at the node and in the legend


def test_a_forced_move_has_no_band_although_two_nodes_share_it():
    tree = eb.parse_efg(small_files.FORCED)
    for options in (DrawOptions(), DrawOptions(beliefs=True)):
        scene = scene_of(tree, eb.solve(tree), options)
        assert [tree.infosets[tree.infoset[band.node]].player for band in scene.strokes if band.role == "infoset"] == [
            1
        ]


def test_the_caption_gives_the_reason_before_the_payoffs():
    said = scene_of(equilibrium(small_files.HORSE, "not sequential")).texts
    caption = " ".join(text.text for text in said if text.role == "caption")
    assert caption == "Exact equilibrium 2 of 2, not sequential (at 'b', d is better with every consistent belief)"


def test_the_viewer_has_the_marks_of_each_solution():
    solution = eb.solve(eb.parse_efg(small_files.OUTSIDE), "all")
    shown = [shown_on(solution.tree, solution.pick(k), f"{k}") for k in range(1, len(solution.judged) + 1)]
    data = view_data(solution.tree, shown)
    assert data["subgames"] == [2]
    for given, one in zip(data["solutions"], solution.judged, strict=True):
        assert given.get("refuted", []) == ([2] if one.off_path.rank == 3 else [])
    tree = eb.parse_efg(small_files.ENTRY)  # perfect information
    assert "subgames" not in view_data(tree)
