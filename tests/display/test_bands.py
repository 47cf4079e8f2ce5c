"""Bands of information sets, and the branches that must not run through them."""

from contextlib import suppress
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from paths import DOCS
from test_draw_geometry import along, trees

import efg_builder as eb
from efg_builder.base.errors import PictureTooLargeError, PictureTooSmallError
from efg_builder.display.trees import DrawOptions, Style, scene_of
from efg_builder.display.trees.colors import PAPER
from efg_builder.display.trees.options import DIRECTIONS, LINES


def inside(path, band):
    """Whether *path* enters the *band*, without its rim."""
    line, half = along(band), band.width / 2
    low, high = line.min(axis=0) - half, line.max(axis=0) + half
    near = path[((path > low) & (path < high)).all(axis=1)]
    return bool((np.linalg.norm(near[:, None] - line[None], axis=2) < half).any())


def crossings(scene, tree):
    """Yield each branch in the band of an information set that has neither of its nodes, and that band."""
    edges = [(edge, along(edge)) for edge in scene.strokes if edge.role == "edge"]
    for band in (stroke for stroke in scene.strokes if stroke.role == "infoset"):
        for edge, path in edges:
            if tree.infoset[band.node] not in tree.infoset[[edge.source, edge.node]] and inside(path, band):
                yield edge, band


def alternate(scene, tree, band, edge):
    """Whether a node of *edge* is between two nodes of the band's information set, so that no layout avoids it.

    A terminal node is no reason, because its branch can end before the band. A curved band is between two levels.
    """
    at = {mark.node: (mark.x, mark.y) for mark in scene.marks if mark.node >= 0}
    axis = int(band.points[0][0] == band.points[1][0])
    low, high = sorted(point[axis] for point in (band.points[0], band.points[-1]))
    nodes = [node for node in (edge.source, edge.node) if not tree.is_terminal(node)]
    return band.curved or any(low < at[node][axis] < high for node in nodes)


COUNTS = {
    **{f"{DOCS / 'games'}/{name}.py": count for name, count in (("quiche", 3), ("bagwell", 3))},
    **{"kuhn": 37, "two sides": 131, "three players": 16, "poker": 18},
    **{"random 4": 2, "random 8": 2, "random 13": 4, "random 14": 4, "random 16": 1},
    **{f"books/{name}": 3 for name in ("watson2013/exercise29_6", "watson2013/fig29_1")},
    **{"books/shohamleytonbrown2008/fig6_8": 6, "conf/itcs/jakobsen2016/fig3": 1, "journals/geb/bagwell1995": 3},
    **{f"journals/mor/vonstengelforges2008/fig{k}": n for k, n in ((1, 3), (6, 2), (9, 3))},
}
"""The crossings of each game. All other games have none.

In each of these games, the nodes of two information sets alternate, so a branch to or from one of them has to cross the
band of the other set; in jakobsen2016/fig3 and vonstengelforges2008/fig6, a band between two levels crosses branches.
The band then has a gap for the branch.
"""


@pytest.mark.parametrize("which", ["small", "random"])
@pytest.mark.parametrize("direction", DIRECTIONS[1:])
@pytest.mark.parametrize("lines", LINES)
def test_no_branch_runs_through_a_foreign_band(which, direction, lines):
    for name, tree in trees(which):
        with suppress(PictureTooSmallError, PictureTooLargeError):
            scene = scene_of(tree, None, DrawOptions(style=Style(direction=direction, lines=lines)))
            found = list(crossings(scene, tree))
            gaps = [stroke for stroke in scene.strokes if stroke.role == "gap"]
            for edge, band in found:
                assert alternate(scene, tree, band, edge), (name, edge.node, band.node)
                own = [gap for gap in gaps if (gap.source, gap.node) == (edge.source, edge.node)]
                through = [gap for gap in own if inside(along(gap), band)]
                assert through, (name, edge.node, band.node)
                assert all(gap.color == PAPER and gap.width > edge.width + 2 for gap in through)
            assert len(found) == COUNTS.get(name, 0), name


class Entry(eb.Game):
    """Entry deterrence."""

    players = "Entrant", "Incumbent"

    def turn(self, state):
        if not state:
            return eb.Chance("costs", [("low", Fraction(2, 3), ("low",)), ("high", Fraction(1, 3), ("high",))])
        if len(state) == 1:
            return eb.Decision(0, state[0], [(move, (*state, move)) for move in ("enter", "stay out")])
        if len(state) == 2 and state[1] == "enter":
            return eb.Decision(1, "entry", [(move, (*state, move)) for move in ("fight", "share")])
        return eb.End((0, 5) if len(state) == 2 else (1 if state[2] == "share" else -1, 1))


@pytest.mark.parametrize(("direction", "lines"), list(product(DIRECTIONS[1:], LINES)))
def test_a_branch_to_a_terminal_node_ends_before_a_band_beside_it(direction, lines):
    tree = eb.build(Entry())
    scene = scene_of(tree, None, DrawOptions(style=Style(direction=direction, lines=lines)))
    assert not list(crossings(scene, tree))
    (band,) = (stroke for stroke in scene.strokes if stroke.role == "infoset")
    outside = [node for node in range(len(tree)) if tree.is_terminal(node) and tree.depth[node] == 2]
    axis = int(direction == "down")
    start = band.points[0][axis] - band.width / 2
    assert len(outside) == 2
    for node in outside:
        (mark,) = (mark for mark in scene.marks if mark.node == node)
        paid = [text for text in scene.texts if text.role == "payoff" and text.node == node]
        reach = max((text.y if axis else text.left + text.width) for text in paid)
        assert (mark.x, mark.y)[axis] < reach < start


@pytest.mark.parametrize("direction", DIRECTIONS[1:])
def test_an_information_set_with_one_action_has_no_band(direction):
    """No choice depends on the player's knowledge there: holdout games in Gambit's catalogue have many such sets."""
    forced = 'p "" 1 1 "" { "go" } 0\n'
    text = f"""EFG 2 R "forced" {{ "A" "B" }} ""
c "" 1 "" {{ "l" 1/2 "r" 1/2 }} 0
p "" 2 1 "" {{ "x" "y" }} 0
{forced}t "" 1 "" {{ 1 2 }}
t "" 2 "" {{ 2 1 }}
p "" 2 1 "" {{ "x" "y" }} 0
t "" 3 "" {{ 3 0 }}
{forced}t "" 4 "" {{ 4 0 }}
"""
    options = DrawOptions(style=Style(direction=direction))
    tree = eb.parse_efg(text)
    assert [stroke.color for stroke in scene_of(tree, None, options).strokes if stroke.role == "infoset"]
    sets = [s.node for s in scene_of(tree, None, options).strokes if s.role == "infoset"]
    assert {int(tree.infoset[node]) for node in sets} == {int(tree.infoset[1])}
    # A set of one action may also have a node after another one of its nodes.
    twice = eb.parse_efg(f'EFG 2 R "twice" {{ "A" }} ""\n{forced}{forced}t "" 1 "" {{ 1 }}\n')
    assert not [s for s in scene_of(twice, None, options).strokes if s.role in ("infoset", "rim")]
