"""Nothing stands on anything else: the geometry of many pictures, read off the scene.

Letters are as wide as ``text_width`` says and reach as far up and down as those of DejaVu Sans do: a word's box
is that of its own letters, so that a "g" above a "b" is held to more than a digit above another.
"""

import re
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import cache, partial
from itertools import pairwise, product

import numpy as np
import pytest
from paths import DOCS
from random_trees import random_tree
from small_files import DRIVER
from test_draw_picture import FREE, box, mixed, mixture, tree_of
from test_draw_picture import PICTURES as PLAIN
from test_draw_picture import scene as plain_scene

import catalogue
import efg_builder as eb
from efg_builder.base.errors import NotApplicableError, PictureTooLargeError, PictureTooSmallError
from efg_builder.display.trees import Box, DrawOptions, Mark, Stroke, Style, Text, scene_of
from efg_builder.display.trees.colors import READABLE, SCHEMES, VISIBLE, contrast, rgb
from efg_builder.display.trees.options import DIRECTIONS, LINES, PURPOSES, VIEWS
from efg_builder.display.trees.scene import recolored, with_backgrounds
from efg_builder.display.trees.tree_layout import levels
from efg_builder.strategies.tree_profile import TreeProfile

SOLVED = {
    "liars-dice sides=2": ("liars-dice", {"sides": 2}, "lp"),
    "liars-dice sides=3": ("liars-dice", {"sides": 3}, "lp"),
    "liars-dice sides=6": ("liars-dice", {"sides": 6}, "oracle"),
    "dice-poker": ("dice-poker", {}, "lp"),
    "mia": ("mia", {"sides": 2}, "lp"),
    "two against one": ("liars-dice", {"sides": 6, "dice": (2, 1)}, "oracle"),
    "wild": ("liars-dice", {"sides": 4, "wild": "highest"}, "oracle"),
}
ALL = DrawOptions(values=True, beliefs=True)
SEEN = DrawOptions(view="public")
LITTLE = Fraction(1, 100)


@cache
def solved(name):
    kind, settings, method = SOLVED[name]
    return eb.solve(eb.game(kind, **settings), method)


@cache
def ranges(name):
    return eb.ranges(solved(name).tree, vertices=0).shares


FREE_TABLE = DrawOptions(view="table", style=FREE)
OF_SOLUTIONS = [
    *((name, SEEN) for name in SOLVED),
    *((name, ALL) for name in ("liars-dice sides=2", "dice-poker", "mia")),
    *((name, replace(SEEN, beliefs=True)) for name in ("liars-dice sides=3", "dice-poker")),
    ("liars-dice sides=3", replace(ALL, reach=0)),
    ("liars-dice sides=6", DrawOptions(reach=0)),
    *((name, FREE_TABLE) for name in ("liars-dice sides=6", "wild")),
    ("two against one", replace(SEEN, reach=LITTLE)),
    ("two against one", DrawOptions(view="table", reach=LITTLE)),
    ("two against one", replace(FREE_TABLE, reach=LITTLE, values=True)),
]
MIXED = (DrawOptions(), ALL, replace(ALL, reach=LITTLE), SEEN)
OF_MIXED = [*product(("two sides", "three players", "mia", "poker"), MIXED), ("three sides", SEEN)]
GAMES = [
    *(("liars-dice", {"sides": 2}), ("liars-dice", {"sides": 3}), ("liars-dice", {"sides": 2, "payoff": "points"})),
    *(("dice-poker", {}), ("kuhn", {}), ("kuhn", {"cards": 12}), ("leduc", {})),
]


def of_ranges(name, played):
    return scene_of(solved(name).tree, solved(name) if played else None, replace(SEEN, ranges=ranges(name)))


MADE = [
    *((partial(plain_scene, name), name) for name in PLAIN),
    *((lambda name=name, asked=asked: scene_of(solved(name), None, asked), name) for name, asked in OF_SOLUTIONS),
    *((lambda tree=name, asked=asked: scene_of(tree_of(tree), mixed(tree), asked), name) for name, asked in OF_MIXED),
    *(
        (lambda name=name, view=view: scene_of(tree_of(name), None, DrawOptions(view=view)), name)
        for name, view in product(("two sides", "mia"), VIEWS[:2])
    ),
    *(
        (lambda kind=kind, rules=rules: scene_of(eb.game(kind, **rules), None, replace(SEEN, all_ends=True)), kind)
        for kind, rules in GAMES
    ),
    *(
        (lambda kind=kind, rules=rules: scene_of(eb.game(kind, **rules), None, replace(SEEN, blanks=True)), kind)
        for kind, rules in GAMES[:5]
    ),
    *(
        (partial(of_ranges, name, played), name)
        for name, played in product(("liars-dice sides=2", "liars-dice sides=3", "dice-poker"), (False, True))
    ),
]
"""Functions that make the pictures, each with the name of its game."""
SLOW = {"two against one", "shallow"}


@cache
def catalogue_games():
    """Every extensive game that Gambit ships, by name."""
    return dict(catalogue.games())


# --- what must not touch


def overlapping(rectangles):
    """All pairs that overlap, by a sweep from left to right."""
    order = sorted(rectangles, key=lambda pair: pair[0][0])
    for k, (one, first) in enumerate(order):
        for other, second in order[k + 1 :]:
            if other[0] >= one[2]:
                break
            if one[1] < other[3] and other[1] < one[3]:
                yield first, second


def clashes(scene):
    """Labels that overlap, and labels on nodes."""
    labels = [(box(text), text.text) for text in scene.texts]
    nodes = [(around(mark), mark.node) for mark in scene.marks if mark.node >= 0]
    words = [(box(text), text.text) for text in scene.texts if text.role != "badge"]
    mixed = [pair for pair in overlapping([*words, *nodes]) if {str, int} == set(map(type, pair))]
    return [*overlapping(labels), *mixed]


def outline(box):
    return (box.x, box.y, box.x + box.width, box.y + box.height)


def around(mark):
    return (mark.x - mark.r, mark.y - mark.r, mark.x + mark.r, mark.y + mark.r)


def along(stroke):
    """Points on it, at most about a pixel apart: the smallest node is four across. [point, axis]"""
    points = np.array(stroke.points)
    # No path is longer than the polygon of its control points.
    t = np.linspace(0, 1, 3 + int(abs(np.diff(points, axis=0)).sum()))[:, None]
    if not stroke.curved:
        return np.concatenate([a + (b - a) * t for a, b in pairwise(points)])
    weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
    parts = zip(points[:-1:3], points[1::3], points[2::3], points[3::3], strict=True)
    return np.concatenate([sum(w * point for w, point in zip(weights, part, strict=True)) for part in parts])


def meets(path, rectangle, near=0.0):
    """Whether a point lies within a rectangle, or comes as *near*."""
    left, top, right, bottom = rectangle
    x, y = path.T
    return bool(((left - near < x) & (x < right + near) & (top - near < y) & (y < bottom + near)).any())


def strangers(scene):
    """Nodes that stand in a band, though not in its middle: (from, to, node)."""
    nodes = [mark for mark in scene.marks if mark.node >= 0]
    at = np.array([(mark.x, mark.y, mark.r) for mark in nodes])
    found = []
    for stroke in (stroke for stroke in scene.strokes if stroke.role == "infoset"):
        away = np.linalg.norm(along(stroke)[None] - at[:, None, :2], axis=2).min(axis=1)
        near = (away > 0.75) & (away < at[:, 2] + stroke.width / 2)
        ends = (stroke.source, stroke.node)
        found += [(*ends, nodes[k].node) for k in np.flatnonzero(near) if not stroke.round or nodes[k].node not in ends]
    return found


def masked(scene):
    """Texts that a branch or the rim of a band cuts, and texts over the gap between two bands."""
    found, words = [], [text for text in scene.texts if text.node >= 0 and text.role != "badge"]
    lines = [(along(line), line.width / 2, line.node) for line in scene.strokes if line.role in ("edge", "rule")]
    for stroke in (stroke for stroke in scene.strokes if stroke.role == "infoset" and not stroke.curved):
        a, b = map(np.array, stroke.points)
        normal = np.array([a[1] - b[1], b[0] - a[0]]) / (np.linalg.norm(b - a) or 1) * stroke.width / 2
        t = np.linspace(0, 1, 3 + int(np.linalg.norm(b - a)))[:, None]
        lines += [(a + (b - a) * t + way * normal, 0.0, stroke.node) for way in (1, -1)]
    for path, half, node in lines:
        low, high = path.min(axis=0) - half, path.max(axis=0) + half
        for text in words:
            left, top, right, bottom = box(text)
            near = left < high[0] and right > low[0] and top < high[1] and bottom > low[1]
            if near and meets(path, (left, top, right, bottom), half - 0.01):
                found.append((text.text, text.role, text.node, node))
    return found


def outside(scene):
    """Return the items that reach beyond the picture, lines with their widths."""
    return [item for item in scene.items if _beyond(scene, item)]


def _beyond(scene, item):
    shapes = {Box: outline, Mark: around, Text: box}
    rimmed = isinstance(item, Box) and item.rim
    half = item.width / 2 if isinstance(item, Stroke) else item.line / 2 if rimmed else 0.0
    points = np.array(item.points if isinstance(item, Stroke) else shapes[type(item)](item)).reshape(-1, 2)
    # A curve stays within the polygon of its control points.
    for path in (points, along(item) if isinstance(item, Stroke) and item.curved else points):
        most = (scene.width - half + 1e-6, scene.height - half + 1e-6)
        if ((path >= half) & (path <= most)).all():
            return False
    return True


def faint(scene):
    """Texts and lines with too little contrast, by WCAG 2.1."""
    found = []
    for item, behind in with_backgrounds(scene):
        if isinstance(item, Text):
            colors, least = [item.color], READABLE
        elif isinstance(item, Stroke):
            colors, least = [item.color] if item.role in ("edge", "rule", "rim") else [], VISIBLE
        else:
            colors, least = [color for color in (item.rim, isinstance(item, Mark) and item.color) if color], VISIBLE
        if colors and max(contrast(rgb(color), rgb(behind)) for color in colors) < least - 0.01:
            found.append((item, behind))
    return found


def faults(scene):
    return [*clashes(scene), *strangers(scene), *masked(scene), *outside(scene)]


class Committee(eb.Game):
    """Each of many members in turn lets a motion pass or stops it."""

    players = tuple(f"Committee member {seat}" for seat in range(1, 10))

    def turn(self, state):
        payoffs = tuple(-1 if seat != len(state) - 1 else 2 for seat in range(9))
        if state.endswith("s") or len(state) == 9:
            return eb.End(payoffs if state.endswith("s") else (1,) * 9)
        return eb.Decision(len(state), state, [("stop", state + "s"), ("pass", state + "p")])


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_a_player_who_forgets_the_move_before_has_a_band_beside_the_branch(direction):
    """The absent-minded driver."""
    whole = scene_of(eb.parse_efg(DRIVER), None, DrawOptions(style=Style(direction=direction)))
    assert not faults(whole)
    assert [stroke.role for stroke in whole.strokes if stroke.curved] == ["rim", "infoset"]  # the branches are straight
    assert {text.text for text in whole.texts if text.role == "badge"} == {"D"}


def test_payoffs_of_many_players_have_room_beside_deeper_levels():
    tree = eb.build(Committee())
    for direction, played in product(DIRECTIONS, (None, mixture(tree))):
        options = DrawOptions(style=Style(direction=direction, purpose="free"))
        assert not faults(scene_of(tree, played, options))
    assert not faults(scene_of(tree, None, DrawOptions(style=Style(purpose="slide"))))


@pytest.mark.parametrize(
    "make",
    [pytest.param(make, id=name, marks=pytest.mark.slow if name in SLOW else ()) for make, name in MADE],
)
def test_nothing_stands_on_anything_or_beyond_the_picture(make):
    whole = make()
    assert not faults(whole)
    assert not [fault for colors in SCHEMES for fault in faint(recolored(whole, colors))]
    tables = {b.node: outline(b) for b in whole.boxes if b.role == "table"}
    cells = [outline(b) for b in whole.boxes if b.role == "cell"]
    for each in (tables.values(), cells):
        assert not list(overlapping([(rectangle, rectangle) for rectangle in each]))
    inside = ("reach", "value", "hand", "belief", "move", "never", "all", "cell", "stub", "absent")
    # On a worksheet, the deal is beside the table of the first node.
    dealt = {mark.node for mark in whole.marks if mark.role == "chance"}
    for text in whole.texts:
        if text.role in inside and text.node in tables.keys() - dealt:
            left, top, right, bottom = box(text)
            frame = tables[text.node]
            assert frame[0] < left <= right < frame[2], text
            assert frame[1] < top <= bottom < frame[3], text
    if not cells:
        return
    labels = [box(t) for t in whole.texts if t.role == "action"]
    for stroke in (stroke for stroke in whole.strokes if stroke.role == "edge"):
        points = along(stroke)
        framed = [at for node, at in tables.items() if node not in (stroke.source, stroke.node)] if tables else cells
        assert not any(meets(points, at) for at in framed), stroke.node
        assert not any(meets(points, at) for at in labels), stroke.node


# --- the tests themselves


@pytest.mark.parametrize("share", [0.2, 0.5, 0.8])
def test_a_label_on_a_label_and_a_line_through_a_foreign_node_are_found(share):
    whole = scene_of(tree_of("two sides"), mixed("two sides"), DrawOptions(style=Style(direction="right")))
    line = next(s for s in whole.strokes if s.role == "infoset")
    (x, one), (_, other) = line.points
    node = next(m for m in whole.marks if m.role == "end")
    first, label = [text for text in whole.texts if text.role == "action"][:2]
    moved = {node: replace(node, x=x + 1.5, y=one + share * (other - one))}
    moved[label] = replace(label, x=first.x + 3, y=first.y - 2)
    wrong = replace(whole, items=tuple(moved.get(item, item) for item in whole.items))
    assert (line.source, line.node, node.node) in strangers(wrong)
    assert {first.text, label.text} in map(set, clashes(wrong))


NEEDS_CORPUS = pytest.mark.skipif(not catalogue_games(), reason="the installed pygambit has no catalogue")


# --- slides, columns and pages, to the right and down

FEW_NODES = 125


def trees(which):
    """Yield "small" trees, "large" ones, each our own games and Gambit's, or 25 "random" ones."""
    if which == "random":
        yield from ((f"random {seed}", random_tree(seed, players=2 + seed % 3)) for seed in range(25))
        return
    files = [str(DOCS / "games" / f"{name}.py") for name in ("horse", "centipede", "quiche", "bagwell")]
    found = {name: eb.build(eb.game(name)) for name in (*files, "kuhn", "dice-poker", "leduc")}
    found |= {name: tree_of(name) for name in ("two sides", "three sides", "three players", "mia", "poker")}
    found |= {name: eb.read_efg(path) for name, path in catalogue_games().items()}
    yield from ((name, tree) for name, tree in found.items() if (len(tree) > FEW_NODES) == (which == "large"))


def boxes_off_nodes(scene, tree):
    """Nodes that stand in the band of a set of which they are none."""
    found = []
    for band in (stroke for stroke in scene.strokes if stroke.role == "infoset" and not stroke.curved):
        (left, top), (right, bottom) = band.points
        for mark in scene.marks:
            inside = left - 1 < mark.x < right + 1 and top - 1 < mark.y < bottom + 1
            if mark.node >= 0 and inside and tree.infoset[mark.node] != tree.infoset[band.node]:
                found.append((mark.node, band.node))
    return found


FRAMES = list(product(("small", "random", "large"), PURPOSES, LINES))
IN_SHORT = [("small", "auto", "straight"), ("random", "auto", "elbow")]


@pytest.mark.parametrize(("which", "purpose", "lines"), sorted(FRAMES, key=lambda frame: frame not in IN_SHORT))
@pytest.mark.first(len(IN_SHORT))
def test_nothing_stands_on_anything_in_any_frame(which, purpose, lines):
    """Gambit's catalogue has sets over several levels, absent minds, payments on the way, three players."""
    drawn = arcs = 0
    for name, tree in trees(which):
        for direction in DIRECTIONS[1:] if purpose == "auto" else DIRECTIONS[:1]:
            for view in VIEWS[:2]:
                for profile in (None, mixture(tree, 0.25)):
                    style = Style(purpose=purpose, direction=direction, lines=lines)
                    shown = DrawOptions(view=view, values=profile is not None, beliefs=profile is not None, style=style)
                    with suppress(PictureTooSmallError, PictureTooLargeError, NotApplicableError):
                        whole = scene_of(tree, profile, shown)
                        assert not faults(whole), (name, direction, view)
                        assert not boxes_off_nodes(whole, tree), (name, direction, view)
                        arcs += sum(1 for stroke in whole.strokes if stroke.role == "infoset" and stroke.curved)
                        drawn += 1
    # Most large games are refused where the letters would be too small.
    assert drawn >= (20 if which != "large" else 3 if purpose == "free" else 0)
    assert arcs or which != "small"


@pytest.mark.parametrize(
    ("colors", "words"),
    [
        ("dark", ("dice-poker", "--strategy", "equilibrium", "--for", "column", "--view", "public")),
        ("plain", (str(DOCS / "games" / "horse.py"), "--for", "column", "--direction", "down", "--lines", "elbow")),
        ("grey", ("kuhn", "--strategy", "equilibrium", "--view", "public", "--for", "page")),
    ],
)
def test_the_outermost_pixels_are_paper(colors, words, tmp_path, cli):
    from matplotlib.image import imread

    assert cli("draw", *words, "--colors", colors, "-o", tmp_path / "a.png")[0] == 0
    pixels = imread(tmp_path / "a.png")[..., :3]
    border = [*pixels[0], *pixels[-1], *pixels[:, 0], *pixels[:, -1]]
    assert len({tuple(pixel) for pixel in border}) == 1


@pytest.mark.parametrize("played", [False, True])
def test_the_tree_of_125_nodes_is_a_slide(played):
    tree = tree_of("two sides")
    profile = solved("liars-dice sides=2").profile if played else None
    slide = scene_of(tree, profile, DrawOptions(style=Style(purpose="slide")))
    assert (round(slide.width * slide.scale), round(slide.height * slide.scale)) == (1280, 720)
    assert len([mark for mark in slide.marks if mark.node >= 0]) == 125
    assert min(text.size for text in slide.texts) * slide.scale >= 9
    assert not [stroke for stroke in slide.strokes if stroke.curved]  # straight branches
    assert not faults(slide)
    assert not boxes_off_nodes(slide, tree)
    assert scene_of(tree, profile, DrawOptions()) == slide  # what draw makes


@NEEDS_CORPUS
@pytest.mark.parametrize("direction", ["auto", "right", "down"])
def test_games_of_the_catalogue_fit_into_a_column(direction):
    fitted, refused = 0, set()
    for name, path in catalogue_games().items():
        tree = eb.read_efg(path)
        if len(tree) > 15 and direction != "auto":
            continue
        try:
            column = scene_of(tree, None, DrawOptions(style=Style(purpose="column", direction=direction)))
        except PictureTooSmallError as error:
            refused.add((name, round(0.75 * error.letters, 1)))
            continue
        assert column.width * column.scale * 0.75 == pytest.approx(228.6), name  # points
        assert min(text.size for text in column.texts) * column.scale * 0.75 >= 6.5, name
        assert not faults(column), name
        fitted += 1
    assert fitted >= 20
    # Downwards, eight terminal nodes pay three players; to the right, a curved band would cross payoffs.
    tight = {"right": {"conf/itcs/jakobsen2016/fig1c"}, "down": {"books/watson2013/exercise29_6"}}
    assert {name for name, _ in refused} - {"books/shohamleytonbrown2008/fig5_9"} == tight.get(direction, set())
    assert min((letters for _, letters in refused), default=6.2) >= 6.2


def test_what_does_not_fit_is_refused_with_what_would():
    tree = tree_of("three sides")
    for purpose, size in (("slide", "9.0 pixels"), ("column", "6.5 points"), ("page", "7.0 points")):
        with pytest.raises(PictureTooSmallError, match=f"in a {purpose}, the letters would be.*{size}"):
            scene_of(tree, None, DrawOptions(style=Style(purpose=purpose)))
    for game, way in (("kuhn", "page"), ("liars-dice", "free")):  # 4.3 and 2.9 points in a column: docs/gallery.md
        with pytest.raises(PictureTooSmallError, match=f"--for {way} or a page for browsers .*has room"):
            scene_of(eb.game(game), None, DrawOptions(style=Style(purpose="column")))
    kuhn = eb.build(eb.game("kuhn"))
    leduc = eb.build(eb.game("leduc"))
    for game, view in ((kuhn, "tree"), (leduc, "public")):  # of what draws less only what was tried and fits
        asked = DrawOptions(view=view, style=Style(purpose="column"))
        profile = TreeProfile.uniform(game)
        with pytest.raises(PictureTooSmallError) as refused:
            scene_of(game, profile, asked)
        assert "--reach 0" not in str(refused.value)
        assert ("--view public" in str(refused.value)) == (view == "tree")
        less = [replace(asked, depth=int(depth)) for depth in re.findall(r"--depth (\d)", str(refused.value))]
        less += [replace(asked, view="public")] if view == "tree" else []
        assert all(scene_of(game, profile, options).texts for options in less)
    assert scene_of(tree).scale == 1  # without a purpose it is as large as it gets


def test_shape_and_size_that_are_asked_for():
    tree = tree_of("poker")
    square = scene_of(tree, None, DrawOptions(style=Style(aspect=(1, 1), width=600)))
    assert (round(square.width * square.scale), round(square.height * square.scale)) == (600, 600)
    narrow = scene_of(tree, None, DrawOptions(style=Style(width=400)))
    assert narrow.width * narrow.scale == pytest.approx(400)
    bare = scene_of(tree, None, DrawOptions(caption="so", style=Style(head=False, legend="none")))
    assert not [text for text in bare.texts if text.role in ("title", "caption", "comment", "legend")]
    named = scene_of(tree, None, DrawOptions(style=Style(title="Mine", legend="top")))
    assert [text.text for text in named.texts if text.role == "title"] == ["Mine"]
    legend = [text for text in named.texts if text.role == "legend"]
    assert max(text.y for text in legend) < min(mark.y for mark in named.marks if mark.node >= 0)


def test_members_of_a_set_stand_on_one_level_where_they_can():
    """Selten's horse: player 3 moves after one move, or after two."""
    parent, sets = [-1, 0, 1, 1, 0, 3, 3, 4, 4], [-1, -1, -1, 7, 7, -1, -1, -1, -1]
    assert levels(parent, sets) == (0, 1, 2, 2, 2, 3, 3, 3, 3)
    # One member follows another: there is no such level.
    assert levels([-1, 0, 1], [5, 5, -1]) == (0, 1, 2)


def test_the_command_and_python_draw_the_same_style(tmp_path, cli):
    asked = ("--direction", "down", "--lines", "elbow", "--aspect", "4:3", "--no-head", "--colors", "grey")
    style = {"direction": "down", "lines": "elbow", "aspect": (4, 3), "head": False, "colors": "grey"}
    assert cli("draw", "dice-poker", "sides=2", *asked, "-o", tmp_path / "a.svg")[0] == 0
    drawn = eb.draw(eb.game("dice-poker", sides=2), tmp_path / "b.svg", style=style)
    assert drawn.read_text() == (tmp_path / "a.svg").read_text()


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"style": "slide"}, "style='slide': must be settings, such as {'purpose': 'slide'}"),
        ({"style": {"widht": 3}}, "style has no setting 'widht'; did you mean 'width'?"),
        ({"style": {"direction": "up"}}, "direction='up': choose from: auto, down, right"),
        ({"style": {"width": "wide"}}, "width='wide': must be from 50 to 20000 pixels"),
        ({"style": {"width": float("nan")}}, "width=nan: must be from 50 to 20000 pixels"),
        ({"style": {"head": 1}}, "head=1: must be True or False"),
        ({"style": {"title": 3}}, "title=3: must be text"),
        ({"style": {"aspect": "wide"}}, "aspect='wide': must be width by height from 1:20 to 20:1, such as '16:9'"),
        ({"style": {"aspect": (float("nan"), 1)}}, "aspect=(nan, 1): must be width by height"),
        ({"style": {"aspect": (10**400, 1)}}, "must be width by height"),
        ({"style": {"legend": "right"}}, "legend='right': choose from: auto, bottom, none, top"),
        ({"max_nodes": "x"}, "max_nodes='x': must be a whole number of at least 0"),
        ({"reach": "nosuch"}, "reach='nosuch': must be a probability, from 0 to 1"),
        ({"reach": Fraction(3, 2)}, "reach=Fraction(3, 2): must be a probability, from 0 to 1"),
        ({"depth": -1}, "depth=-1: must be a whole number of at least 0"),
        ({"caption": 7}, "caption=7: must be text"),
        ({"view": "pubic"}, "view='pubic': did you mean 'public'?"),
        ({"table": True}, "table=True is now view='table'"),
        ({"dept": 1}, "draw() has no setting 'dept'; did you mean 'depth'?"),
    ],
)
def test_a_wrong_setting_is_refused_in_a_line(settings, said, tmp_path):
    with pytest.raises(eb.ParameterError) as refused:
        eb.draw(eb.game("kuhn"), tmp_path / "x.svg", **settings)
    assert said in str(refused.value)
    assert list(tmp_path.iterdir()) == []


def test_payoffs_of_very_different_widths_begin_at_their_ends():
    """Right below each other, the 1 of the second end would stand 43 pixels from it."""
    text = (
        'EFG 2 R "wide" { "A" "B" } ""\np "" 1 1 "" { "l" "r" } 0\nt "" 1 "" { 1000000 -1000000 }\nt "" 2 "" { 1 -1 }\n'
    )
    for small, far in (("1000000", False), ("10", True)):
        tree = eb.parse_efg(text.replace("1000000", small))
        whole = scene_of(tree, None, DrawOptions(style=Style(direction="right")))
        ends = {m.node: m.x for m in whole.marks if m.role == "end"}
        first = {t.node: t for t in reversed(whole.texts) if t.role == "payoff"}
        gaps = [first[node].left - x for node, x in ends.items()]
        assert (max(gaps) - min(gaps) > 1) == far
        assert max(gaps) < 20
        assert not clashes(whole)
