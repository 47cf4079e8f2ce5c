"""The part of a game that is played, as a tree; and what the table sees of it."""

from dataclasses import dataclass
from fractions import Fraction

import pytest

import efg_builder as eb
from efg_builder.display.trees import to_svg
from efg_builder.equilibria.solution import openings
from efg_builder.forms.extensive import problems, walk
from efg_builder.games.protocol import Decision, Game
from efg_builder.proof import values

GAMES = {
    "one die each": eb.game("liars-dice", sides=6),
    "two against one": eb.game("liars-dice", sides=3, dice=(2, 1)),
    "wild": eb.game("liars-dice", sides=4, wild="highest"),
    "no vertex": eb.game("liars-dice", sides=3, order="face-quantity", payoff="points"),
    "two dice each": eb.game("liars-dice", sides=3, dice=(2, 2)),
}
SOLVED = {name: eb.solve(game, "oracle") for name, game in GAMES.items()}
BY_NAME = pytest.mark.parametrize("name", GAMES)


@dataclass(frozen=True)
class Cut(Game):
    """The game with the actions that are not played left out, turn by turn: what the support tree is tested against."""

    profile: eb.SparseProfile

    players = property(lambda self: self.profile.game.players)
    title = property(lambda self: self.profile.game.title)
    constant_sum = property(lambda self: self.profile.game.constant_sum)

    def size(self):
        return None

    def root(self):
        return None

    def turn(self, state):
        turn = self.profile.game.turn(state)
        if not isinstance(turn, Decision):
            return turn
        behavior = self.profile[turn.infoset]
        return Decision(turn.player, turn.infoset, tuple((a, then) for a, then in turn.actions if behavior[a]))


def sparse(name):
    return SOLVED[name].sparse


@BY_NAME
def test_the_support_tree_is_the_game_without_what_is_not_played(name):
    tree, right = eb.support_tree(sparse(name)), walk(Cut(sparse(name)))
    assert not list(problems(tree))
    assert tree.parent.tolist() == right.parent.tolist()
    assert tree.action.tolist() == right.action.tolist()
    for node in range(len(tree)):
        mine, theirs = (t.infosets[t.infoset[node]] if t.infoset[node] >= 0 else None for t in (tree, right))
        assert (mine is None) == (theirs is None)
        assert mine is None or mine._replace(number=0) == theirs._replace(number=0)
        paid, due = (t.outcomes[t.outcome[node]] if t.outcome[node] >= 0 else None for t in (tree, right))
        assert (paid is None) == (due is None)
        assert paid is None or (paid.label, paid.payoffs) == (due.label, due.payoffs)
    assert f"{len(tree):,} of {GAMES[name].size().nodes:,} nodes" in tree.comment


@BY_NAME
def test_value_and_reach_on_it_are_those_of_the_whole_game(name):
    solution = SOLVED[name]
    profile = sparse(name).on(eb.support_tree(sparse(name)))
    found = values(profile)
    assert found.value == solution.value
    whole = eb.build(GAMES[name])
    on_whole = sparse(name).on(whole)
    assert openings(sparse(name)) == openings(on_whole, GAMES[name])
    right = values(on_whole)
    reach = {infoset.label: right.reach[k] for k, infoset in enumerate(whole.infosets) if right.reach[k]}
    assert {infoset.label: found.reach[k] for k, infoset in enumerate(profile.tree.infosets)} == reach


def test_budgets():
    profile = sparse("one die each")
    nodes = len(eb.support_tree(profile))
    assert len(eb.support_tree(profile, max_nodes=nodes)) == nodes
    seen = len(eb.table_view(profile).tree)  # no deals are in it: budgets are of its own nodes
    assert len(eb.table_view(profile, max_nodes=seen).tree) == seen
    for call, budgets in ((eb.support_tree, (nodes - 2, 10)), (eb.table_view, (seen - 1, 10))):
        for budget in budgets:
            with pytest.raises(eb.TreeTooLargeError, match="more than"):
                call(profile, max_nodes=budget)
    large = eb.SparseProfile(eb.game("liars-dice", sides=20, dice=(10, 10)), ({}, {}))
    with pytest.raises(eb.TreeTooLargeError):  # and at once
        eb.support_tree(large)


def test_a_solution_without_a_tree_stands_for_its_strategies():
    solution, profile = SOLVED["wild"], sparse("wild")
    assert eb.support_tree(solution) == eb.support_tree(profile)
    seen, same = eb.table_view(solution), eb.table_view(profile)
    assert (seen.tree, seen.probabilities) == (same.tree, same.probabilities)
    on_a_tree = eb.solve(eb.game("liars-dice"), "lp")
    for call in (eb.support_tree, eb.table_view):
        for wrong, word in (
            (on_a_tree, "a solution on a tree"),
            (on_a_tree.profile, "a profile on a tree"),
            ("s.json", "str"),
        ):
            with pytest.raises(eb.ParameterError) as raised:
                call(wrong)
            assert str(raised.value) == (
                f"{call.__name__}() takes a sparse profile, or a solution without a tree, not {word}; "
                'eb.solve(game, "oracle") finds such strategies for games of bidding'
            )


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
        ("1,4: start", "no hand '1,4'; did you mean "),
        ("1: start", "at 'start' Player 1 moves, who has no hand '1'"),
        ("1,2", "no history begins with ''; choose from: "),
        ("1,2: 1x1 1x9", "after '1x1' comes no '1x9'; did you mean"),
        ("1,2: 1x2 1x1", "after '1x2' comes no '1x1'"),
        ("1,2: 1x1 call", "after '1x1' comes no 'call'"),
        ("1,2:  start", "there is no information set"),
    ],
)
def test_labels_that_do_not_exist_are_named(label, says):
    with pytest.raises(eb.ParameterError) as raised:
        sparse("two against one")[label]
    assert says in str(raised.value)
    assert "\n" not in str(raised.value)


def test_strategies_without_a_tree_are_drawn_on_what_is_played():
    solution, profile = SOLVED["one die each"], sparse("one die each")
    tree = eb.support_tree(profile)
    assert to_svg(solution) == to_svg(tree, solution) == solution._repr_svg_()
    assert to_svg(profile) == to_svg(tree, profile) == to_svg(profile.on(tree))
    whole = eb.build(GAMES["two against one"])
    with pytest.raises(eb.ProfileError, match="another game"):
        to_svg(whole, solution)
