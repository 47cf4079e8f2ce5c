"""Folding keeps exactly what it should, and too large a picture is refused before any work."""

from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest
from test_draw_geometry import solved
from test_draw_picture import mixed, reach, scene, tree_of

import efg_builder as eb
from efg_builder.base.errors import NotApplicableError, ParameterError, PictureTooLargeError, ProfileError
from efg_builder.display.trees import DrawOptions, draw, scene_of, tree_view
from efg_builder.display.trees.colors import PAPER
from efg_builder.display.trees.tree_facts import fold
from efg_builder.forms.extensive import GameTree, Infoset, Outcome
from efg_builder.proof.reach import ReachProduct, settled
from efg_builder.strategies.tree_profile import TreeProfile

LIMITS = [0, Fraction(1, 100), 0.01, Fraction(1, 9), 1]


@pytest.mark.parametrize("name", ["two sides", "three sides", "mia"])
@pytest.mark.parametrize(
    "options",
    [*(DrawOptions(reach=p) for p in LIMITS), *(DrawOptions(depth=k) for k in (0, 1, 3, 99)), DrawOptions(0.02, 3)],
)
def test_kept_is_what_is_reached_with_more_than_the_limit_and_no_deeper(name, options):
    tree, likely = tree_of(name), reach(name)
    folded = fold(tree, mixed(name), options)
    limit = -1 if options.reach is None else options.reach
    near = tree.depth <= (99 if options.depth is None else options.depth)
    expected = [node for node in range(len(tree)) if node == 0 or (likely[node] > limit and near[node])]
    assert list(folded.nodes) == expected
    assert folded.reach is not None
    assert list(folded.reach) == [likely[node] for node in expected]
    assert folded.hidden_nodes == len(tree) - len(expected)
    for index, node in enumerate(folded.nodes):
        moves = 0 if tree.is_terminal(node) else len(tree.infosets[tree.infoset[node]].actions)
        assert folded.hidden[index] + folded.parent.count(index) == moves
        assert index == 0 or folded.nodes[folded.parent[index]] == tree.parent[node]


def test_folded_branches_leave_a_stub():
    tree = tree_of("three sides")
    folded = fold(tree, mixed("three sides"), DrawOptions(reach=0))
    stubs = {text.node: text.text for text in scene("folded").texts if text.role == "stub"}
    assert stubs == {n: f"+{h}" for n, h in zip(folded.nodes, folded.hidden, strict=True) if h}
    legend = " ".join(text.text for text in scene("folded").texts if text.role == "legend")
    assert f"moves folded away; {folded.hidden_nodes:,} of {len(tree):,} nodes are not shown" in legend


def test_a_lone_node_of_a_set_does_not_look_as_if_its_player_knew_the_deal():
    """Player 1 bids 2x1 with a 1 only, so Player 2's other nodes after 2x1 are folded away."""
    tree = tree_of("three sides")
    deal, bid = next(tree.children(0)), "2x1"
    rows = {k: pure(tree, k, tree.infosets[k].actions[-1]) for k in tree.personal}
    rows[int(tree.infoset[deal])] = pure(tree, int(tree.infoset[deal]), bid)
    after = next(
        node for node in tree.children(deal) if tree.infosets[tree.infoset[deal]].actions[tree.action[node]] == bid
    )
    picture = scene_of(tree, TreeProfile.from_personal(tree, rows), DrawOptions(reach=0, beliefs=True))
    assert [text.text for text in picture.texts if text.role == "belief" and text.node == after] == ["1"]
    (band,) = (stroke for stroke in picture.strokes if stroke.role == "infoset" and stroke.node == after)
    assert not band.round  # it goes on


def pure(tree, k, action):
    return tuple(Fraction(name == action) for name in tree.infosets[k].actions)


def test_too_large_a_picture_is_refused_before_it_is_laid_out(monkeypatch):
    def never(*_):
        raise AssertionError("laid out")

    monkeypatch.setattr(tree_view, "placement", never)
    tree = tree_of("three sides")
    with pytest.raises(
        PictureTooLargeError, match=r"1,144 nodes.*limit 1,000.*--depth.*--solution and --reach"
    ) as error:
        scene_of(tree, None, DrawOptions(max_nodes=1000))
    assert (error.value.nodes, error.value.limit) == (1144, 1000)
    assert "\n" not in str(error.value)
    for options in (DrawOptions(max_nodes=1000), DrawOptions(reach=0, max_nodes=1000)):
        with pytest.raises(PictureTooLargeError, match=r"--reach.*--depth") as error:
            scene_of(tree, TreeProfile.uniform(tree), options)
        assert "--solution" not in str(error.value)


TABLE = {"view": "table"}
UNPLAYED = r"^(reach|values|beliefs)=.* needs a strategy profile"
TREELESS = "^view='table': this view needs strategies found without a tree"
NO_TABLE = "^((?!table).)*nodes((?!table).)*$"


@pytest.mark.parametrize(
    ("shown", "profile", "settings", "error", "said"),
    [
        *(
            (lambda: tree_of("two sides"), profile, asked, ParameterError, UNPLAYED)
            for asked in ({"reach": 0}, {"values": True}, {"beliefs": True}, {"view": "public", "reach": 0})
            for profile in (lambda: None, lambda: SimpleNamespace(profile=None))
        ),
        (lambda: tree_of("two sides"), lambda: mixed("three sides"), {}, ProfileError, "another game"),
        (lambda: eb.parse_efg(OVER), lambda: None, {"view": "public"}, NotApplicableError, "no player moves in"),
        (lambda: tree_of("two sides"), lambda: None, TABLE, ParameterError, TREELESS),
        (lambda: tree_of("two sides"), lambda: mixed("two sides"), TABLE, ParameterError, TREELESS),
        (lambda: solved("liars-dice sides=2"), lambda: None, TABLE, ParameterError, TREELESS),
        (lambda: tree_of("two sides"), lambda: solved("liars-dice sides=2"), TABLE, ParameterError, TREELESS),
        (lambda: tree_of("two sides"), lambda: solved("wild"), TABLE, ProfileError, "another game"),
        (lambda: solved("wild"), lambda: None, TABLE | {"beliefs": True}, ParameterError, "^beliefs=True .* no hands"),
        (lambda: mixed("two sides"), lambda: None, {"view": "public", "max_nodes": 9}, PictureTooLargeError, "--reach"),
        (lambda: eb.build(solved("wild").game), lambda: solved("wild"), {}, PictureTooLargeError, "view='table'"),
        (lambda: eb.build(solved("wild").game), lambda: None, {}, PictureTooLargeError, NO_TABLE),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_a_line(shown, profile, settings, error, said, tmp_path):
    with pytest.raises(error, match=said):
        draw(shown(), tmp_path / "tree.svg", profile(), **settings)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("settings", [{}, TABLE | {"max_nodes": 9}])
def test_a_file_folds_the_table_of_hands_as_the_command_does(settings, tmp_path):
    path = draw(solved("two against one"), tmp_path / "tree.svg", **settings)
    assert "This tree averages over all hands." in path.read_text()


OVER = 'EFG 2 R "over" { "A" "B" } ""\nt "" 1 "" { 1 0 }\n'
NOISE = 1.95e-21


def noisy(name, noise=NOISE):
    """The mixed profile in floats, with noise where it has a zero and beside each one."""
    tree = tree_of(name)
    rows = {}
    for k in tree.personal:
        exact = mixed(name).probabilities[k]
        rows[k] = tuple(noise if p == 0 else 1 - noise if p == 1 else float(p) for p in exact)
    return TreeProfile.from_personal(tree, rows)


@pytest.mark.parametrize(
    ("name", "noise"),
    [
        *(
            ("two sides", NOISE),
            ("two sides", 1.71e-08),
            ("two sides", 4e-7),
            ("three players", 4e-7),
            ("mia", 1.71e-08),
        ),
        *(("three players", NOISE), ("three players", 1.71e-08), ("mia", NOISE), ("mia", 4e-7)),
    ],
)
@pytest.mark.first(5)
def test_the_noise_of_float_solvers_is_not_drawn(name, noise):
    tree, likely = tree_of(name), reach(name)
    for options in (
        *(DrawOptions(view="public"), DrawOptions(reach=noise / 10, depth=3)),
        *(DrawOptions(beliefs=True), DrawOptions(reach=0)),
    ):
        pictures = [scene_of(tree, profile, options) for profile in (mixed(name), noisy(name, noise))]
        exact, floats = ({(t.role, t.node) for t in p.texts if t.role != "legend"} for p in pictures)
        assert exact == floats
        shown, also = ([(m.node, m.color) for m in p.marks if m.node >= 0] for p in pictures)
        assert shown == also
    tips = " ".join(stroke.tip for stroke in scene_of(tree, noisy(name, noise)).strokes)
    assert "e-" not in tips
    assert "probability 0.999" not in tips
    assert 0 in likely


def test_only_floats_can_be_noise():
    """Exact rationals count as they are, however rare the deal, and so do floats after a rare deal."""
    rare = Fraction(1, 10**9)
    chances, ends = f'"rare" {rare} "common" {1 - rare}', 't "" 1 "" { 1 } t "" 0 t "" 0'
    tree = eb.parse_efg(f'EFG 2 R "Rare" {{ "A" }} c "" 1 "" {{ {chances} }} 0 p "" 1 1 "" {{ "a" "b" }} 0 {ends}')
    for row, kept in (
        ((rare, 1 - rare), 5),
        ((0.01, 0.99), 5),
        ((2e-6, 1 - 2e-6), 5),
        ((1e-6, 1 - 1e-6), 4),
        ((Fraction(0), Fraction(1)), 4),
    ):
        profile = TreeProfile.from_personal(tree, {1: row})
        assert len(fold(tree, profile, DrawOptions(reach=0)).nodes) == kept
        marks = scene_of(tree, profile).marks
        hollow = [mark.node for mark in marks if mark.node >= 0 and mark.color == PAPER]
        assert hollow == ([2] if kept == 4 else [])


def test_ways_of_many_small_floats_come_to_nothing():
    way = ReachProduct().then(Fraction(1, 3)).then(1e-4)
    assert way.likely == pytest.approx(1e-4 / 3)
    assert way.then(1e-4).likely == 0
    assert [settled(p) for p in (1e-6, 1 - 1e-7, 1 + 1e-9, 0.5)] == [0, 1, 1, 0.5]
    assert settled(Fraction(1, 10**9)) == Fraction(1, 10**9)
    assert ReachProduct().then(Fraction(1, 10**9)).likely == Fraction(1, 10**9)


def absent_minded():
    """One player, one information set met twice on the way; hostile names; paid on the way."""
    label = 'left & <right> "$x$" \\N'
    sets = (Infoset(0, 1, 'who "am" I \x07', (label, "")),)
    outcomes = (Outcome(1, "", (Fraction(1, 3),)), Outcome(2, "", (Fraction(2),)))
    columns = ([-1, 0, 1, 1, 0], [-1, 0, 0, 1, 1], [0, 0, -1, -1, -1], [-1, 0, 1, -1, 1])
    arrays = [np.array(column, dtype=np.int32) for column in columns]
    return GameTree("Driver <&>", ("O'Neil & sons",), *arrays, sets, outcomes)


def test_sets_that_span_levels_are_joined_by_an_arc_and_payments_add_up():
    tree = absent_minded()
    picture = scene_of(tree, TreeProfile.uniform(tree), DrawOptions(values=True))
    (band,) = (stroke for stroke in picture.strokes if stroke.role == "infoset")
    assert band.curved
    paid = {text.node: text.text for text in picture.texts if text.role == "payoff"}
    assert paid == {2: "7/3", 3: "1/3", 4: "2"}


def test_a_lone_node_and_floats_are_drawn():
    lone = eb.parse_efg('EFG 2 R "Nothing" { "A" } t "" 0')
    assert len([m for m in scene_of(lone).marks if m.node >= 0]) == 1
    tree = tree_of("two sides")
    floats = {k: tuple(map(float, mixed("two sides").probabilities[k])) for k in tree.personal}
    picture = scene_of(tree, TreeProfile.from_personal(tree, floats), DrawOptions(reach=0))
    assert len([m for m in picture.marks if m.node >= 0]) == sum(1 for p in reach("two sides") if p > 0 or p == 1)
