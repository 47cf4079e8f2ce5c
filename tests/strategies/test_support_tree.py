"""The reached part of a game as a tree, and its public tree."""

from fractions import Fraction
from functools import cache

import pytest

import efg_builder as eb
from efg_builder.display.trees import to_svg
from efg_builder.equilibria.bids import openings
from efg_builder.proof import values
from sound import problems

GAMES = {
    "one die each": eb.game("liars-dice", sides=6),
    "two against one": eb.game("liars-dice", sides=3, dice=(2, 1)),
    "wild": eb.game("liars-dice", sides=4, wild="highest"),
    "no vertex": eb.game("liars-dice", sides=3, order="face-quantity", payoff="points"),
    "two dice each": eb.game("liars-dice", sides=3, dice=(2, 2)),
}
solved = cache(lambda name: eb.solve(GAMES[name], "oracle"))
BY_NAME = pytest.mark.parametrize("name", GAMES)


def sparse(name):
    return solved(name).sparse


@BY_NAME
def test_it_is_the_whole_tree_without_what_is_not_played(name):
    solution, whole = solved(name), eb.build(GAMES[name])
    tree, on_whole = eb.support_tree(sparse(name)), sparse(name).on(whole)
    assert not list(problems(tree))
    found, right = values(sparse(name).on(tree)), values(on_whole)
    assert found.value == right.value == solution.value
    assert openings(sparse(name)) == openings(on_whole, GAMES[name])
    # The reached nodes of the whole tree, in order, with their names there.
    reached = [True] * len(whole)
    for node in range(1, len(whole)):
        above = whole.parent[node]
        reached[node] = reached[above] and on_whole.probabilities[whole.infoset[above]][whole.action[node]] > 0
    assert told(tree, range(len(tree))) == told(whole, [node for node in range(len(whole)) if reached[node]])
    reach = {infoset.label: right.reach[k] for k, infoset in enumerate(whole.infosets) if right.reach[k]}
    assert {infoset.label: found.reach[k] for k, infoset in enumerate(tree.infosets)} == reach
    numbers = [(infoset.player, infoset.number) for infoset in tree.infosets[1:]]
    assert numbers == sorted(numbers)
    assert f"{len(tree):,} of {GAMES[name].size().nodes:,} nodes" in tree.comment


def told(tree, nodes):
    """Return each node's depth, the action that leads there, and its content."""
    found = []
    for node in nodes:
        above, k, end = tree.parent[node], tree.infoset[node], tree.outcome[node]
        action = tree.infosets[tree.infoset[above]].actions[tree.action[node]] if node else ""
        named = tree.outcomes[end].payoffs if end >= 0 else (tree.infosets[k].player, tree.infosets[k].label)
        found.append((tree.depth[node], action, named))
    return found


def test_budgets():
    profile = sparse("one die each")
    nodes = len(eb.support_tree(profile))
    assert len(eb.support_tree(profile, max_nodes=nodes)) == nodes
    seen = len(eb.table_view(profile).tree)  # it has no deals: budgets count its nodes
    assert len(eb.table_view(profile, max_nodes=seen).tree) == seen
    for call, budgets in ((eb.support_tree, (nodes - 2, 10)), (eb.table_view, (seen - 1, 10))):
        for budget in budgets:
            with pytest.raises(eb.TreeTooLargeError, match="more than"):
                call(profile, max_nodes=budget)
    large = eb.SparseProfile(eb.game("liars-dice", sides=20, dice=(10, 10)), ({}, {}))
    with pytest.raises(eb.TreeTooLargeError):  # and at once
        eb.support_tree(large)


def test_a_solution_without_a_tree_stands_for_its_strategies():
    solution, profile = solved("one die each"), sparse("one die each")
    assert eb.support_tree(solution) == eb.support_tree(profile)
    seen, same = eb.table_view(solution), eb.table_view(profile)
    assert (seen.tree, seen.probabilities) == (same.tree, same.probabilities)


def test_a_profile_that_is_all_default_has_a_tree_too():
    profile = eb.SparseProfile(GAMES["one die each"], ({}, {}))
    tree = eb.support_tree(profile)
    assert len(tree) == 1 + 36 * 3
    assert {i.actions for i in tree.infosets[1:]} == {("1x1",), ("call",)}


def test_a_move_that_is_not_legal_is_named():
    bad = eb.SparseProfile(GAMES["one die each"], ({"start": {2: {"9x9": Fraction(1)}}}, {}))
    for call in (eb.support_tree, eb.table_view):
        with pytest.raises(eb.ProfileError, match="'9x9' is not an action at '3: start'"):
            call(bad)


@pytest.mark.parametrize(
    ("label", "says"),
    [
        ("1,4: start", "no hand '1,4'; choose from: 1,1, "),
        ("1: start", "Player 1, who moves at 'start', has no hand '1'"),
        ("1,2", "no history begins with ''; choose from: "),
        ("1,2: 1x1 1x9", "'1x9' does not follow '1x1'; choose from: "),
        ("1,2: 1x2 1x1", "'1x1' does not follow '1x2'"),
        ("1,2: 1x1 call", "'call' does not follow '1x1'"),
        ("1,2:  start", "there is no information set"),
    ],
)
def test_labels_that_do_not_exist_are_named(label, says):
    with pytest.raises(eb.ParameterError) as raised:
        sparse("two against one")[label]
    assert says in str(raised.value)
    assert "\n" not in str(raised.value)


def test_strategies_without_a_tree_are_drawn_on_what_is_played():
    solution, profile = solved("one die each"), sparse("one die each")
    tree = eb.support_tree(profile)
    assert to_svg(solution) == to_svg(tree, solution) == solution._repr_svg_()
    assert to_svg(profile) == to_svg(tree, profile) == to_svg(profile.on(tree))
    whole = eb.build(GAMES["two against one"])
    with pytest.raises(eb.ProfileError, match="another game"):
        to_svg(whole, solution)
