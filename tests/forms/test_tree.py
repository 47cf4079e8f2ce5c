"""The flat tree and its checks."""

import re
from fractions import Fraction

import networkx
import numpy as np
import pytest

import efg_builder as eb
from efg_builder.forms.extensive import GameTree, Infoset, Outcome, constant_sum, payoff_range
from efg_builder.forms.recall import has_perfect_recall
from sound import problems


def make(parent, action, infoset, outcome, infosets, outcomes, players=("A", "B")):
    columns = [np.array(column, dtype=np.int32) for column in (parent, action, infoset, outcome)]
    return GameTree("t", players, *columns, infosets=tuple(infosets), outcomes=tuple(outcomes))


WIN, LOSE = Outcome(1, "win", (Fraction(1), Fraction(-1))), Outcome(2, "lose", (Fraction(-1), Fraction(1)))


def forgetful():
    """A moves, then moves again without knowing how: imperfect recall."""
    sets = [Infoset(0, 1, "first", ("l", "r")), Infoset(0, 2, "second", ("l", "r"))]
    return make(
        [-1, 0, 1, 1, 0, 4, 4],
        [-1, 0, 0, 1, 1, 0, 1],
        [0, 1, -1, -1, 1, -1, -1],
        [-1, -1, 0, 1, -1, 1, 0],
        sets,
        [WIN, LOSE],
    )


def absent_minded():
    """A reaches one information set twice on a path."""
    sets = [Infoset(0, 1, "again", ("on", "off"))]
    return make([-1, 0, 1, 1, 0], [-1, 0, 0, 1, 1], [0, 0, -1, -1, -1], [-1, -1, 0, 1, 1], sets, [WIN, LOSE])


def paid_on_the_way(after=(Fraction(2), Fraction(1))):
    """An ante at the root, then an end without payoffs and one with."""
    sets = [Infoset(0, 1, "choose", ("l", "r"))]
    outs = [Outcome(1, "ante", (Fraction(-1, 2), Fraction(1, 2))), Outcome(2, "more", after)]
    return make([-1, 0, 0], [-1, 0, 1], [0, -1, -1], [0, -1, 1], sets, outs)


def test_imperfect_recall_is_seen():
    assert problems(forgetful()) == []
    assert not has_perfect_recall(forgetful())
    assert not has_perfect_recall(absent_minded())
    assert has_perfect_recall(paid_on_the_way())


def test_payoffs_on_the_way_count_towards_the_sum():
    assert constant_sum(paid_on_the_way()) is None
    assert constant_sum(paid_on_the_way((Fraction(3), Fraction(-3)))) == 0
    assert payoff_range(paid_on_the_way()) == 2
    assert eb.verify(eb.TreeProfile.uniform(paid_on_the_way())).value == (Fraction(1, 2), Fraction(1))


def test_what_is_paid_on_the_way_can_break_or_make_a_constant_sum():
    """A moves, then B; ends have payoffs, and so do nodes before them."""
    sets = [Infoset(0, 1, "a", ("l", "r")), Infoset(1, 1, "b", ("l", "r"))]
    gift, fee = Outcome(3, "gift", (Fraction(1), Fraction(0))), Outcome(4, "fee", (Fraction(0), Fraction(-1)))
    columns = [-1, 0, 1, 1, 0, 4, 4], [-1, 0, 0, 1, 1, 0, 1], [0, 1, -1, -1, 1, -1, -1]

    def total(*outcome):
        return constant_sum(make(*columns, outcome, sets, [WIN, LOSE, gift, fee]))

    assert total(-1, -1, 0, 1, -1, 1, 0) == 0  # nobody gets a gift, nobody pays a fee
    assert total(-1, -1, 2, 2, -1, 2, 2) == 1
    assert total(2, -1, 0, 1, -1, 1, 0) == 1
    assert total(2, 3, 0, 1, 3, 1, 0) == 0
    assert total(-1, 2, 0, 1, -1, 1, 0) is None
    assert total(-1, 2, 0, 1, 3, 1, 0) is None
    assert total(-1, 2, 0, 1, -1, 2, 2) == 1  # the ends pay differently, but the totals are equal
    assert total(-1, -1, 0, -1, -1, 1, -1) == 0
    assert total(-1, -1, 2, -1, -1, 1, -1) is None


def test_sizes_depths_levels_and_children():
    tree = eb.build(eb.game("liars-dice", sides=2))
    assert list(tree.children(0)) == [1, 32, 63, 94]
    assert tree.sizes[0] == 125
    assert tree.sizes[1] == 31
    depth = [0] * len(tree)
    for node in range(1, len(tree)):
        depth[node] = depth[tree.parent[node]] + 1
    assert tree.depth.tolist() == depth
    assert [len(level) for level in tree.levels] == [depth.count(d) for d in range(max(depth) + 1)]


def test_arrays_cannot_be_written():
    tree = eb.build(eb.game("dice-poker", sides=2))
    for array in (tree.parent, tree.action, tree.infoset, tree.outcome, tree.player, tree.sizes, tree.depth):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 7


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"parent": [-1, 0, 1, 1, 0, 0, 4]}, "more or fewer children"),
        ({"action": [-1, 1, 0, 1, 0, 0, 1]}, "order of its actions"),
        ({"parent": [-1, 2, 1, 1, 0, 4, 4]}, "precedes its parent"),
        ({"parent": [-1, -1, 1, 1, 0, 4, 4]}, "one root"),
        ({"parent": [-1, 0, 0, 1, 1, 4, 4]}, "prefix order"),
    ],
)
def test_broken_arrays_are_named(change, words):
    tree = forgetful()
    columns = {name: getattr(tree, name).tolist() for name in ("parent", "action", "infoset", "outcome")} | change
    broken = make(**columns, infosets=tree.infosets, outcomes=tree.outcomes)
    assert any(re.search(words, problem) for problem in problems(broken)), problems(broken)


def test_broken_probabilities_are_named():
    sets = [Infoset(-1, 1, "roll", ("a", "b"), (Fraction(1, 2), Fraction(1, 3)))]
    tree = make([-1, 0, 0], [-1, 0, 1], [0, -1, -1], [-1, 0, 1], sets, [WIN, LOSE])
    assert problems(tree) == ["'roll': the probabilities sum to 5/6, not 1"]


def test_equality_sees_every_kind_of_change():
    game = eb.game("liars-dice", sides=2)
    tree = eb.build(game)
    assert tree == eb.build(game)
    assert tree == eb.build(game)
    assert hash(tree) == hash(eb.build(game))
    assert tree != "a tree"
    assert tree != eb.build(eb.game("liars-dice", sides=2, payoff="points"))
    assert tree != eb.build(eb.game("liars-dice", sides=2, order="face-quantity"))
    assert tree != eb.build(eb.game("liars-dice", sides=3))


def test_networkx_has_everything():
    tree = eb.build(eb.game("dice-poker"))
    graph = tree.to_networkx()
    assert networkx.is_arborescence(graph)
    assert graph.number_of_nodes() == len(tree) == 181
    assert graph.nodes[0]["player"] == "chance"
    assert sum(data["probability"] for _, _, data in graph.out_edges(0, data=True)) == 1
    first = next(iter(graph.successors(0)))
    assert (graph.nodes[first]["player"], graph.nodes[first]["infoset"]) == ("A", "1: start")
    assert [data["action"] for _, _, data in graph.out_edges(first, data=True)] == ["show", "raise"]
    ends = [n for n, d in graph.nodes(data=True) if d["player"] is None]
    assert all(sum(graph.nodes[n]["payoffs"]) == 0 for n in ends)


def test_chance_tells_its_probabilities():
    tree = eb.build("kuhn")
    assert sum(tree.infosets[0].chances) == 1
    assert tree.infosets[1].chances == ()
