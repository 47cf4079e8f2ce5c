"""Label positions and sizes, computed without drawing whole pictures.

All positions of a label are tested in one call, with the result of testing each one alone.
"""

from contextlib import suppress
from itertools import pairwise, product
from math import inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_draw_geometry import SOLVED, along, solved, trees
from test_draw_picture import box, mixed, mixture, tree_of

from efg_builder.base.errors import PictureTooLargeError, PictureTooSmallError
from efg_builder.display.trees import scene_of
from efg_builder.display.trees.beside import Obstacles, _sides
from efg_builder.display.trees.options import DIRECTIONS, LINES, DrawOptions, Style
from efg_builder.display.trees.surround import Layout, Surround, _spread
from efg_builder.display.trees.tree_board import Placement
from efg_builder.display.trees.tree_facts import TreeFacts, fold
from efg_builder.display.trees.tree_view import placement

lengths = st.integers(0, 40)
points = st.tuples(lengths, lengths)
lines = st.lists(st.tuples(st.lists(points, min_size=2, max_size=4), st.sampled_from([1.0, 1.4, 7.0])), max_size=6)
boxes = st.tuples(points, st.integers(1, 9), st.integers(1, 9)).map(
    lambda box: (float(box[0][0]), float(box[0][1]), float(box[0][0] + box[1]), float(box[0][1] + box[2]))
)


def meets(box, segment, half, near):
    """The overlap of the box and the segment, as shares of the segment's length, is not empty."""
    shares = [(0.0, 1.0)]
    for axis in (0, 1):
        start, way = segment[0][axis], segment[1][axis] - segment[0][axis] or 1e-9
        ends = (box[axis] - near - half - start) / way, (box[axis + 2] + near + half - start) / way
        shares.append((min(ends), max(ends)))
    return max(low for low, _ in shares) <= min(high for _, high in shares)


def covered_alone(box, segments, rectangles, near, most):
    """One box against everything. *most* is the softest kind of segment that counts."""
    left, top, right, bottom = box[0] - near, box[1] - near, box[2] + near, box[3] + near
    if any(a < right and b < bottom and c > left and d > top for a, b, c, d in rectangles):
        return True
    return any(meets(box, segment, half, near) for segment, half, softness in segments if softness <= most)


@given(
    lines,
    lines,
    st.lists(boxes, max_size=90),
    st.lists(st.tuples(boxes, st.integers(0, 2))),
    st.sampled_from([0.0, 0.5, 1.0]),
)
def test_many_boxes_are_covered_where_each_alone_is(drawn, bands, rectangles, asked, near):
    obstacles = Obstacles.of(drawn, bands)
    for rectangle in rectangles:
        obstacles.add(rectangle)
    segments = [(pair, width / 2, 0) for way, width in drawn for pair in pairwise(way)]
    for way, width in bands:
        for a, b in pairwise(way):
            segments += [((a, b), width / 2, 2), *((side[:2], side[2], 1) for side in _sides(a, b, width / 2))]
    tried, softness = [box for box, _ in asked], [most for _, most in asked]
    found = [covered_alone(box, segments, rectangles, near, most) for box, most in asked]
    assert obstacles.covered(tried, near, softness).tolist() == found
    assert obstacles.overlapped(tried, near).tolist() == [covered_alone(box, (), rectangles, near, 0) for box in tried]
    whole = [covered_alone(box, segments, rectangles, near, 2) for box in tried]
    assert obstacles.covered(tried, near).tolist() == whole


def test_a_free_picture_computes_each_layout_once():
    made = []

    class Narrow(Layout):
        quality = 0

    def way(along, spread):
        made.append((along, spread))
        return Narrow(300.0, 200.0)

    _spread(way, Surround(tree_of("two sides"), DrawOptions(style=Style(purpose="free")), "", ()))
    assert len(made) == len(set(made)) > 1


@pytest.mark.parametrize("options", [DrawOptions(), DrawOptions(values=True), DrawOptions(beliefs=True)])
@pytest.mark.parametrize("kind", LINES)
def test_the_smallest_letters_are_known_before_texts_are_placed(kind, options):
    tree = tree_of("two sides")
    facts = TreeFacts(tree, mixed("two sides"), fold(tree, mixed("two sides"), options), options, None)
    for right, spread in product((True, False), (1.0, 0.1)):  # with the smaller factor, branches cross
        layout = placement(facts, kind, right, 0.0, spread)
        assert layout.letters == Layout.letters.fget(layout)


def test_a_picture_that_does_not_fit_draws_no_items(monkeypatch):
    monkeypatch.setattr(Placement, "items", None)
    with pytest.raises(PictureTooSmallError):
        scene_of(tree_of("three sides"), None, DrawOptions(style=Style(purpose="slide")))


# --- the branch of a label

ROUNDING = 0.3  # pixels: points on a branch are up to half a pixel apart


def away(path, rectangle):
    """The distance of the points of *path* from a rectangle."""
    left, top, right, bottom = rectangle
    x, y = path.T
    return float(
        np.hypot(np.maximum(0, np.maximum(left - x, x - right)), np.maximum(0, np.maximum(top - y, y - bottom))).min()
    )


def misread(scene):
    """Labels, with the move's probability, that another branch is less than 1.5 times as far from as their own."""
    branches = {edge.node: (along(edge), edge.width / 2) for edge in scene.strokes if edge.role == "edge"}
    labels = {}
    for text in scene.texts:
        if text.role in ("action", "probability") and text.node in branches:
            labels.setdefault(text.node, []).append(text)
    for node, texts in labels.items():
        boxes = [box(text) for text in texts]
        reach = min(b[0] for b in boxes) - 20, min(b[1] for b in boxes) - 20
        reach += max(b[2] for b in boxes) + 20, max(b[3] for b in boxes) + 20
        far = {}
        for other, (path, half) in branches.items():
            low, high = path.min(axis=0), path.max(axis=0)
            if (low < reach[2:]).all() and (high > reach[:2]).all():
                far[other] = min(away(path, b) for b in boxes) - half
        own = far.pop(node, inf)
        if min(far.values(), default=inf) < 1.5 * own - ROUNDING:
            yield [text.text for text in texts], round(own, 1), round(min(far.values()), 1)


@pytest.mark.parametrize(("which", "played"), [("small", False), ("small", True), ("random", True)])
def test_each_label_is_nearest_to_its_own_branch(which, played):
    for name, tree in trees(which):
        for direction in DIRECTIONS[1:]:
            options = DrawOptions(style=Style(direction=direction, lines="straight"))
            with suppress(PictureTooSmallError, PictureTooLargeError):
                scene = scene_of(tree, mixture(tree, 0.25) if played else None, options)
                assert not list(misread(scene)), (name, direction)


@pytest.mark.parametrize("name", [name for name in SOLVED if name in ("liars-dice sides=2", "dice-poker", "mia")])
def test_each_label_of_a_slide_is_nearest_to_its_own_branch(name):
    scene = scene_of(solved(name))
    assert not list(misread(scene))
